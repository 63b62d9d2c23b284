//! Downloads a result to a file beside its destination, syncs it, renames it, and only then marks the record as done.
//!
//! The service gives a result once. So the status is checked before a second attempt, and partial results are kept.

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};

use super::blocking::for_each_block;
use super::lifecycle::{Lifecycle, SharedRecord};
use super::result_path::{check_not_existing, part_path};
use crate::api::doc::DownloadDocument;
use crate::error::{Failure, Kind, io_message};
use crate::files::{follow_links, is_special, parent_dir, sync_dir};
use crate::http::answer::BodySink;
use crate::http::endpoint::Endpoint as _;
use crate::http::retry;
use crate::output::ProgressTask;
use crate::store::documents::{DocumentRecord, DocumentStage};

/// The files of a download.
struct ResultFiles {
    /// The file that is downloaded to.
    part: PathBuf,
    /// The file it is renamed to; `None` for stdout and devices, to which the part is copied.
    result: Option<PathBuf>,
}

impl Lifecycle<'_> {
    fn result_files(&self, record: &DocumentRecord) -> ResultFiles {
        match &record.result_path {
            Some(path) if !is_special(path) => ResultFiles { part: part_path(path), result: Some(follow_links(path)) },
            _ => ResultFiles { part: self.store.spool_path(&record.name, "result"), result: None },
        }
    }

    /// Downloads the result of a translated document and marks its record as done. Returns the file with the result.
    ///
    /// An interrupted download is repeated while the service still has the document.
    pub async fn download(&self, shared: &SharedRecord, bar: &ProgressTask) -> Result<PathBuf, Failure> {
        let files = self.result_files(&shared.get());
        if let Some(result) = &files.result {
            check_not_existing(result, shared.get().force)?;
        }
        let mut attempt = 0;
        loop {
            attempt += 1;
            let Err(interruption) = self.download_once(shared, &files, bar).await? else { break };
            self.before_next_attempt(shared, &files, bar, interruption, attempt).await?;
        }
        self.finish_download(shared, &files)
    }

    /// Finishes the download of an earlier process that had received the complete result. `None` if there is none.
    pub fn finish_earlier_download(&self, shared: &SharedRecord) -> Result<Option<PathBuf>, Failure> {
        let record = shared.get();
        let (DocumentStage::Downloading, Some(bytes)) = (record.stage, record.result_bytes) else { return Ok(None) };
        let files = self.result_files(&record);
        let is_complete = |path: &Path| fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == bytes);
        if is_complete(&files.part) {
            return self.finish_download(shared, &files).map(Some);
        }
        match files.result {
            // The process was killed after the rename.
            Some(result) if !files.part.exists() && is_complete(&result) => {
                shared.update(|locked| locked.set_stage(DocumentStage::Done))?;
                Ok(Some(result))
            }
            _ => Ok(None),
        }
    }

    /// Downloads once. The inner error is an interruption, after which the service may still have the document.
    async fn download_once(
        &self,
        shared: &SharedRecord,
        files: &ResultFiles,
        bar: &ProgressTask,
    ) -> Result<Result<(), Failure>, Failure> {
        let record = shared.get();
        let (id, key) = shared.id_and_key()?;
        let request = DownloadDocument { document_id: id.clone(), document_key: key }.request(self.client.service())?;
        let file = match &files.result {
            Some(_) => File::create(&files.part).map_err(|e| Failure::file("write", &files.part, &e))?,
            None => self.store.create_spool(&record.name, "result")?,
        };
        shared.update(|locked| {
            locked.record.result_bytes = None;
            locked.set_stage(DocumentStage::Downloading)
        })?;
        bar.set(0);
        bar.set_total(None);
        bar.set_message("downloading");
        let receiver = ResultReceiver {
            shared,
            bar,
            file: RefCell::new(file),
            part: &files.part,
            bytes: Cell::new(0),
            write_failed: Cell::new(false),
        };
        let answer = match self.client.download(&request, &receiver).await {
            Ok(answer) => answer,
            Err(failure) if receiver.write_failed.get() => {
                return Err(failure.hint(format!(
                    "the partial result is in {}; free some space, then run `{}`, in case the service still has the rest",
                    files.part.display(),
                    self.resume_command(&id)
                )));
            }
            Err(failure) if failure.kind == Kind::Network => return Ok(Err(failure)),
            Err(failure) => return Err(failure),
        };
        match answer.status {
            200..=299 => {
                let synced = receiver.file.borrow().sync_all();
                synced.map_err(|e| part_failure(&files.part, &e))?;
                shared.update(|locked| {
                    locked.record.result_bytes = Some(receiver.bytes.get());
                    locked.save()
                })?;
                Ok(Ok(()))
            }
            // Not ready, already downloaded, or overloaded: the status request shows which.
            404 | 429 | 500..=599 => Ok(Err(self.client.refused(&request, &answer))),
            _ => Err(self.client.refused(&request, &answer)),
        }
    }

    /// Waits, then fails unless another attempt is allowed and the service still has the document.
    async fn before_next_attempt(
        &self,
        shared: &SharedRecord,
        files: &ResultFiles,
        bar: &ProgressTask,
        interruption: Failure,
        attempt: u32,
    ) -> Result<(), Failure> {
        let (id, _) = shared.id_and_key()?;
        if attempt > self.retries {
            return Err(Failure {
                hint: Some(format!(
                    "the service may still have the document; try again with `{}`",
                    self.resume_command(&id)
                )),
                ..interruption
            });
        }
        let pause = retry::backoff(attempt, None, fastrand::f64());
        self.out.status(&format!(
            "{}: {}; checking whether the service still has the document",
            shared.get().display_name(),
            interruption.what
        ));
        self.client.pause_for(pause, None).await.map_err(|f| self.with_resume_hint(f, &id))?;
        match self.wait(shared, bar).await {
            Ok(_) => Ok(()),
            Err(failure) if failure.kind == Kind::NotFound => Err(result_lost(shared, files, &id, &interruption)),
            Err(failure) => Err(failure),
        }
    }

    /// Renames the complete result, or copies it to stdout or a device, and marks the record as done.
    fn finish_download(&self, shared: &SharedRecord, files: &ResultFiles) -> Result<PathBuf, Failure> {
        let record = shared.get();
        let Some(result) = &files.result else {
            return self.copy_spooled_result(shared, &record, &files.part);
        };
        check_not_existing(result, record.force).map_err(|failure| {
            failure.hint(format!(
                "it was created in the meantime; the result is in {}; replace the file with `{} --force`",
                files.part.display(),
                self.resume_command(record.id())
            ))
        })?;
        let renamed = || -> io::Result<()> {
            if let Ok(old) = fs::metadata(result) {
                fs::set_permissions(&files.part, old.permissions())?;
            }
            fs::rename(&files.part, result)?;
            sync_dir(parent_dir(result));
            Ok(())
        };
        renamed().map_err(|e| part_failure(&files.part, &e))?;
        shared.update(|locked| locked.set_stage(DocumentStage::Done))?;
        Ok(result.clone())
    }

    /// Copies a spooled result to stdout or a device. If that fails, the spool file stays and is named.
    fn copy_spooled_result(
        &self,
        shared: &SharedRecord,
        record: &DocumentRecord,
        spool: &Path,
    ) -> Result<PathBuf, Failure> {
        if record.result_path.is_none() && !self.writes_stdout {
            // The process whose stdout it was for has ended.
            shared.update(|locked| locked.set_stage(DocumentStage::Done))?;
            return Ok(spool.to_owned());
        }
        let copied = match &record.result_path {
            Some(device) => {
                let failed = |e: io::Error| Failure::file("write", device, &e);
                File::options()
                    .write(true)
                    .open(device)
                    .map_err(failed)
                    .and_then(|mut file| for_each_block(spool, &mut |block| file.write_all(block).map_err(failed)))
            }
            None => for_each_block(spool, &mut |block| self.out.stdout().write(block)),
        };
        shared.update(|locked| locked.set_stage(DocumentStage::Done))?;
        let Err(failure) = copied else {
            shared.update(|locked| locked.remove_spool("result"));
            return Ok(record.result_path.clone().unwrap_or_else(|| PathBuf::from("-")));
        };
        let location = format!("the complete result is in {}", spool.display());
        if failure.kind == Kind::PipeClosed {
            self.out.warn(&format!("stdout was closed before the whole result was written; {location}"));
            return Err(failure);
        }
        Err(Failure::internal(failure.what).hint(format!("{location}; the service no longer has it")))
    }
}

/// Writes a result to its part file while it is downloaded.
struct ResultReceiver<'a> {
    shared: &'a SharedRecord,
    bar: &'a ProgressTask,
    file: RefCell<File>,
    part: &'a Path,
    bytes: Cell<u64>,
    /// Whether writing the file failed, rather than the network.
    write_failed: Cell<bool>,
}

impl BodySink for ResultReceiver<'_> {
    fn start(&self, _: u16, headers: &HeaderMap) -> Result<(), Failure> {
        if headers.contains_key(CONTENT_ENCODING) {
            return Ok(());
        }
        let length = headers.get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
        self.bar.set_total(length);
        // After a kill, the next process sees from this whether the file is complete.
        self.shared.update(|locked| {
            locked.record.result_bytes = length;
            locked.save()
        })
    }

    fn write(&self, bytes: &Bytes) -> Result<(), Failure> {
        let written = self.file.borrow_mut().write_all(bytes);
        written.map_err(|e| {
            self.write_failed.set(true);
            part_failure(self.part, &e)
        })?;
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        self.bar.set(self.bytes.get());
        Ok(())
    }
}

/// Returns the failure of writing a result that cannot be downloaded again.
fn part_failure(part: &Path, error: &io::Error) -> Failure {
    Failure::internal(format!("cannot write {}: {}", part.display(), io_message(error)))
        .hint(format!("the partial result is in {}", part.display()))
}

/// Returns the failure of a document that the service removed before its result was complete, and marks it as gone.
fn result_lost(shared: &SharedRecord, files: &ResultFiles, id: &str, interruption: &Failure) -> Failure {
    let received = fs::metadata(&files.part).map_or(0, |data| data.len());
    if received == 0 {
        // An empty file would look like a result.
        let _ = fs::remove_file(&files.part);
    }
    let what = format!("the download of document {id} failed and the service no longer has it: {}", interruption.what);
    let saved = shared.update(|locked| {
        locked.record.reason = Some(what.clone());
        locked.set_stage(DocumentStage::Gone)
    });
    let partial = if received > 0 {
        format!("the first {received} bytes are in {}; ", files.part.display())
    } else {
        String::new()
    };
    let failure = Failure::new(Kind::Network, what).hint(format!("{partial}upload the document again to get the rest"));
    saved.err().unwrap_or(failure)
}
