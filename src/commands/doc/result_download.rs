//! Downloads a result to a file beside its destination and syncs it. `result_delivery` then delivers it.
//!
//! The service provides a result only once, so the status is checked before another attempt, and partial results are
//! kept.

use std::cell::{Cell, RefCell};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};
use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::files::is_at;
use tulk_base::limits;
use tulk_base::numbers::counted;
use tulk_client::api::doc::DownloadDocument;
use tulk_client::http::answer::BodySink;
use tulk_client::http::endpoint::Endpoint as _;
use tulk_client::http::{failures, retry};
use tulk_store::documents::{DocumentRecord, DocumentStage, ResultTarget};

use super::lifecycle::Lifecycle;
use super::next_command::NextCommands;
use super::poll;
use super::records::SharedRecord;
use super::result_path::{ResultFiles, check_not_existing, check_part};
use crate::output::{ProgressTask, ProgressUnit};

/// A failed attempt after which the service may still have the document.
struct Interruption {
    failure: Failure,
    retry_after: Option<Duration>,
}

pub struct ResultDownload<'a> {
    lifecycle: &'a Lifecycle<'a>,
    shared: &'a SharedRecord,
    target: &'a ResultTarget,
    files: ResultFiles,
    bar: &'a ProgressTask,
}

impl<'a> ResultDownload<'a> {
    pub fn new(
        lifecycle: &'a Lifecycle<'a>,
        shared: &'a SharedRecord,
        target: &'a ResultTarget,
        bar: &'a ProgressTask,
    ) -> Self {
        let files = ResultFiles::of(lifecycle.store, &shared.get(), target);
        Self { lifecycle, shared, target, files, bar }
    }

    /// Returns the file with the result. Repeats an interrupted download while the service still has the document. A download that
    /// fails before it receives anything sets the record back to uploaded, unless the service no longer has the document.
    pub async fn run(&self) -> Result<PathBuf, Failure> {
        let Self { lifecycle, shared, target, files, .. } = self;
        let record = shared.get();
        let earlier = (record.stage == DocumentStage::Downloading)
            .then(|| ResultFiles::of(lifecycle.store, &record, &record.download_target()))
            .filter(|earlier| earlier.part != files.part);
        if let Some(result) = &files.result {
            check_not_existing(result, target.force)
                .map_err(|failure| lifecycle.next.with_choice_hint(failure, &record))?;
            self.check_not_in_use(&record)?;
        }
        let received = async {
            let mut attempt = 0;
            loop {
                attempt += 1;
                match self.download_once().await? {
                    Ok(part) => return Ok(part),
                    Err(interruption) => {
                        self.before_next_attempt(interruption, attempt).await?;
                    }
                }
            }
        };
        // Keep the file open, and so locked, until it is renamed.
        let part: File = match received.await {
            Ok(part) => part,
            Err(failure) => {
                forget_empty_part(shared, files)?;
                return Err(failure);
            }
        };
        if !is_at(&part, &files.part) {
            return Err(Failure::internal(format!("{} was replaced while it was written", files.part.display())));
        }
        let delivered = lifecycle.delivery().deliver(shared, files, target);
        if let (Ok(_), Some(earlier)) = (&delivered, earlier) {
            // The partial result of a download to another path.
            earlier.remove_part();
        }
        delivered
    }

    /// The inner error is an interruption, after which the service may still have the document.
    async fn download_once(&self) -> Result<Result<File, Interruption>, Failure> {
        let Self { lifecycle, shared, target, files, bar } = self;
        let client = lifecycle.client;
        let (id, key) = shared.id_and_key()?;
        let request = DownloadDocument { document_id: id, document_key: key }.request(client.service())?;
        let file = self.create_part()?;
        shared.update(|locked| {
            locked.record.result_bytes = None;
            locked.record.download = Some((*target).clone());
            locked.set_stage(DocumentStage::Downloading)
        })?;
        bar.count("downloading", ProgressUnit::Bytes, None);
        let receiver = ResultReceiver {
            shared,
            bar,
            file: RefCell::new(file),
            part: &files.part,
            bytes: Cell::new(0),
            fault: Cell::new(None),
        };
        let answer = match client.download(&request, &receiver).await {
            Ok(answer) => answer,
            Err(failure) => {
                return match receiver.fault.get() {
                    Some(ReceiverFault::Disk) => {
                        let (part, command) =
                            (files.part.display(), self.lifecycle.next.continue_command(&shared.get()));
                        let remedy = remedy(&failure);
                        Err(failure.hint(format!(
                            "the partial result is in {part}; {remedy}, then run `{command}`, in case the service still has the rest"
                        )))
                    }
                    Some(ReceiverFault::Answer) => Err(self.with_retry_hint(failure)),
                    None if failure.kind == Kind::Network => Ok(Err(Interruption { failure, retry_after: None })),
                    None => Err(failure),
                };
            }
        };
        if !answer.is_success() {
            let failure = client.refused(&request, &answer);
            return match answer.status {
                // The status was `done`, so a later request would not find the document either.
                404 => Err(set_gone(&lifecycle.next, shared, files, poll::not_found(shared.get().id(), failure))),
                // The result is not ready, it was already downloaded, or the service is overloaded. The next status request tells which.
                429 | 500..=599 => Ok(Err(Interruption { failure, retry_after: retry::retry_after(&answer) })),
                _ => Err(failure),
            };
        }
        if receiver.bytes.get() == 0 {
            // A document is never empty.
            return Err(self.with_retry_hint(failures::unusable(&answer, "the result is empty")));
        }
        let (file, bytes) = (receiver.file.into_inner(), receiver.bytes.get());
        // Trim the reserved space.
        let _ = file.set_len(bytes);
        file.sync_all().map_err(|e| part_failure(&files.part, &e))?;
        // Continue if this fails: delivering the result is more important, and it writes the record again.
        let _ = shared.update(|locked| {
            locked.record.result_bytes = Some(bytes);
            locked.save()
        });
        Ok(Ok(file))
    }

    /// Creates the part file. Replaces an existing file only if it is empty, or this document's download left it, or with `--force`.
    fn create_part(&self) -> Result<File, Failure> {
        let record = self.shared.get();
        let file = self.create_empty_part(&record)?;
        let bytes = record.source.as_ref().map_or(0, |source| source.bytes);
        reserve(&file, bytes).map_err(|e| {
            let command = self.lifecycle.next.continue_command(&record);
            let failure = Failure::file("write", &self.files.part, &e);
            let remedy = remedy(&failure);
            failure.hint(format!("the service still has the result: {remedy}, then run `{command}`"))
        })?;
        Ok(file)
    }

    fn create_empty_part(&self, record: &DocumentRecord) -> Result<File, Failure> {
        let Self { lifecycle, target, files, .. } = self;
        if files.result.is_none() {
            return lifecycle.store.create_spool(&record.name, "result");
        }
        let is_own = record.stage == DocumentStage::Downloading
            && ResultFiles::of(lifecycle.store, record, &record.download_target()).part == files.part;
        self.check_not_in_use(record)?;
        check_part(&files.part, is_own || target.force)?;
        let failed = |e: io::Error| Failure::file("write", &files.part, &e);
        match fs::remove_file(&files.part) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
        // `create_new` does not follow a link that appears in the meantime.
        let file = OpenOptions::new().write(true).create_new(true).open(&files.part).map_err(failed)?;
        // Some file systems have no locks; the download then continues without one.
        let _ = file.try_lock();
        Ok(file)
    }

    fn check_not_in_use(&self, record: &DocumentRecord) -> Result<(), Failure> {
        match &self.files.result {
            Some(result) if self.files.is_in_use() => {
                let what = format!("another document is being downloaded to {}", result.display());
                Err(self.lifecycle.next.with_choice_hint(Failure::usage(what), record))
            }
            _ => Ok(()),
        }
    }

    /// Waits. Fails if no attempt is left, the wait is too long, or the service no longer has the document.
    async fn before_next_attempt(&self, interruption: Interruption, attempt: u32) -> Result<(), Failure> {
        let Self { lifecycle, shared, files, bar, .. } = self;
        let Interruption { failure, retry_after } = interruption;
        if attempt > lifecycle.retries {
            return Err(self.with_retry_hint(failure));
        }
        let pause = retry::backoff(attempt, retry_after, fastrand::f64());
        lifecycle.out.status(&format!(
            "{}: {}; checking whether the service still has the document",
            shared.get().display_name(),
            failure.what
        ));
        if let Err(too_long) = lifecycle.client.pause_for(pause, Some(limits::RETRY_WAIT)).await {
            return Err(if too_long.kind == Kind::Unfinished { self.wait_refused(failure, pause) } else { too_long });
        }
        match lifecycle.wait(shared, bar).await {
            Ok(_) => Ok(()),
            Err(missing) if missing.kind == Kind::NotFound => {
                let id = shared.get().id().to_owned();
                let what =
                    format!("the download of document {id} failed and the service no longer has it: {}", failure.what);
                Err(set_gone(&lifecycle.next, shared, files, Failure::new(Kind::Network, what)))
            }
            Err(failure) => Err(lifecycle.next.with_continue_hint(failure, &shared.get())),
        }
    }

    /// Returns the failure for a next attempt that would come too late: after `--max-wait` or, without it, `RETRY_WAIT`.
    fn wait_refused(&self, failure: Failure, pause: Duration) -> Failure {
        let most = self.lifecycle.client.max_wait().unwrap_or(limits::RETRY_WAIT);
        let (pause, most) = (pause.as_secs_f64().ceil(), most.as_secs_f64().ceil());
        let what = format!("{}; retrying in {pause} s would exceed the maximum total wait of {most} s", failure.what);
        let command = self.lifecycle.next.continue_command(&self.shared.get());
        Failure { kind: Kind::Unfinished, what, ..failure }
            .hint(format!("continue later with `{command}`, or raise --max-wait"))
    }

    fn with_retry_hint(&self, failure: Failure) -> Failure {
        let command = self.lifecycle.next.continue_command(&self.shared.get());
        failure.hint(format!("the service may still have the document; try again with `{command}`"))
    }
}

/// Sets the record to gone, because the service no longer has the document. Adds to the failure what was received and
/// how to upload the document again.
pub fn set_gone(next: &NextCommands<'_>, shared: &SharedRecord, files: &ResultFiles, failure: Failure) -> Failure {
    let received = files.received();
    if received == 0 && !files.is_in_use() {
        files.remove_part();
    }
    let saved = shared.update(|locked| {
        locked.record.reason = Some(failure.what.clone());
        locked.set_stage(DocumentStage::Gone)
    });
    if let Err(failure) = saved {
        return failure;
    }
    let again = next.upload_again_hint(&shared.get());
    // This file may be the result: perhaps only the record could not be written, for example because the disk was full.
    let existing = files.result.as_ref().filter(|result| result.exists());
    let partial = match (received, existing) {
        (0, None) => String::new(),
        (0, Some(result)) => format!("if {} is its result, nothing is missing; otherwise ", result.display()),
        _ => format!("the first {} are in {}; ", counted(received, "byte"), files.part.display()),
    };
    failure.hint(format!("{partial}{again}"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReceiverFault {
    Disk,
    /// The response is not a complete result.
    Answer,
}

struct ResultReceiver<'a> {
    shared: &'a SharedRecord,
    bar: &'a ProgressTask,
    file: RefCell<File>,
    part: &'a Path,
    bytes: Cell<u64>,
    fault: Cell<Option<ReceiverFault>>,
}

impl BodySink for ResultReceiver<'_> {
    fn start(&self, status: u16, headers: &HeaderMap) -> Result<(), Failure> {
        // Any other success status has no body, or one that is not the complete result.
        if !matches!(status, 200 | 203) {
            self.fault.set(Some(ReceiverFault::Answer));
            let what = format!(
                "unexpected response from the service: {status} {} instead of the whole result",
                failures::reason_phrase(status)
            );
            return Err(Failure::new(Kind::Network, what));
        }
        if headers.contains_key(CONTENT_ENCODING) {
            return Ok(());
        }
        let length = headers.get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
        self.bar.set_total(length);
        // After a kill, the next process uses this to tell whether the file is complete. If it cannot be saved,
        // continue anyway: the service provides the result only once.
        let _ = self.shared.update(|locked| {
            locked.record.result_bytes = length.filter(|length| *length > 0);
            locked.save()
        });
        Ok(())
    }

    fn write(&self, bytes: &Bytes) -> Result<(), Failure> {
        let written = self.file.borrow_mut().write_all(bytes);
        written.map_err(|e| {
            self.fault.set(Some(ReceiverFault::Disk));
            part_failure(self.part, &e)
        })?;
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        self.bar.set(self.bytes.get());
        Ok(())
    }
}

/// Reserves disk space for a result, which is about as large as its source. A full disk is noticed while the service
/// still has the result.
#[cfg(target_os = "linux")]
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    if tulk_base::machine::file_size_limit().is_some_and(|limit| bytes > limit) {
        return Err(Errno::FBIG.into());
    }
    match fallocate(file, FallocateFlags::KEEP_SIZE, 0, bytes) {
        Err(full @ (Errno::NOSPC | Errno::DQUOT)) => Err(full.into()),
        // Some file systems cannot reserve space.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
#[allow(clippy::unnecessary_wraps)]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

fn remedy(failure: &Failure) -> String {
    failure.hint.clone().unwrap_or_else(|| "free some space".to_owned())
}

/// Returns the failure of writing a result that cannot be downloaded again.
pub fn part_failure(part: &Path, error: &io::Error) -> Failure {
    Failure::internal(format!("cannot write {}: {}", part.display(), io_message(error)))
        .hint(format!("the partial result is in {}", part.display()))
}

/// Removes the part file of a failed download if it is empty: it would look like a result.
fn forget_empty_part(shared: &SharedRecord, files: &ResultFiles) -> Result<(), Failure> {
    if files.received() > 0 || files.is_in_use() {
        return Ok(());
    }
    files.remove_part();
    shared.update(|locked| match locked.record.stage {
        DocumentStage::Downloading => {
            locked.record.result_bytes = None;
            locked.set_stage(DocumentStage::Uploaded)
        }
        _ => Ok(()),
    })
}
