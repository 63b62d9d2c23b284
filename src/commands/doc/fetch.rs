//! Fetching a result: into a file beside the target, synced, renamed, and only then is the handle closed.
//!
//! The service gives a result once. So nothing is asked for twice before the status was asked, and what came is kept.
//! Spec: "Documents", result; command line, "doc".

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};

use super::life::{Life, Shared};
use super::target::{part_of, real, refuse_existing};
use crate::api::doc::{DocumentStatus, DownloadDocument};
use crate::error::{Failure, Kind, io_message};
use crate::files::{self, is_special};
use crate::http::attempt::BodySink;
use crate::http::endpoint::Endpoint as _;
use crate::http::retry;
use crate::output::ProgressTask;
use crate::store::documents::{Record, Stage};

/// Bytes copied at a time from a result that was put aside.
const COPY_STEP: usize = 256 * 1024;

/// Where the result of a record is while it comes, and where it belongs.
struct Place {
    /// The file it grows in.
    part: PathBuf,
    /// Its file; absent when the part is all there is, for stdout and devices.
    target: Option<PathBuf>,
}

impl Life<'_> {
    fn place(&self, record: &Record) -> Place {
        match &record.target {
            Some(target) if !is_special(target) => {
                let target = real(target);
                Place { part: part_of(&target), target: Some(target) }
            }
            _ => Place { part: self.store.spool(&record.name, "result"), target: None },
        }
    }

    /// Fetches the result of a document that is done, and closes the handle. Gives the file it is in.
    ///
    /// A download that was cut is tried again while the service still has the document.
    pub async fn fetch(&self, shared: &Shared, meter: &ProgressTask) -> Result<PathBuf, Failure> {
        let place = self.place(&shared.record());
        if let Some(target) = &place.target {
            refuse_existing(target, shared.record().force)?;
        }
        let mut attempt = 0;
        loop {
            attempt += 1;
            let Err(cut) = self.attempt(shared, &place, meter).await? else { break };
            self.after_cut(shared, &place, meter, cut, attempt).await?;
        }
        self.finish(shared, &place)
    }

    /// Takes over a result that an earlier process received whole, if one did.
    pub fn fetched_before(&self, shared: &Shared) -> Result<Option<PathBuf>, Failure> {
        let record = shared.record();
        let (Stage::Downloading, Some(bytes)) = (record.stage, record.result_bytes) else { return Ok(None) };
        let place = self.place(&record);
        let is_whole = |path: &Path| fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == bytes);
        if is_whole(&place.part) {
            return self.finish(shared, &place).map(Some);
        }
        match place.target {
            // The rename was the last thing that happened.
            Some(target) if !place.part.exists() && is_whole(&target) => {
                shared.change(|handle| handle.advance(Stage::Done))?;
                Ok(Some(target))
            }
            _ => Ok(None),
        }
    }

    /// One download. The inner error is a cut one, after which the document may still be there.
    async fn attempt(
        &self,
        shared: &Shared,
        place: &Place,
        meter: &ProgressTask,
    ) -> Result<Result<(), Failure>, Failure> {
        let record = shared.record();
        let (id, key) = shared.id_and_key()?;
        let request = DownloadDocument { document_id: id.clone(), document_key: key }.request(self.client.service())?;
        let file = match &place.target {
            Some(_) => File::create(&place.part).map_err(|e| Failure::file("write", &place.part, &e))?,
            None => self.store.create_spool(&record.name, "result")?,
        };
        shared.change(|handle| {
            handle.record.result_bytes = None;
            handle.advance(Stage::Downloading)
        })?;
        meter.set(0);
        meter.set_total(None);
        meter.set_message("downloading");
        let sink = Sink {
            shared,
            meter,
            file: RefCell::new(file),
            part: &place.part,
            bytes: Cell::new(0),
            broken: Cell::new(false),
        };
        let answer = match self.client.download(&request, &sink).await {
            Ok(answer) => answer,
            Err(failure) if sink.broken.get() => {
                return Err(failure.hint(format!(
                    "what came is kept in {}; make room, then `{}` fetches it again if the service still has it",
                    place.part.display(),
                    self.go_on(&id)
                )));
            }
            Err(failure) if failure.kind == Kind::Network => return Ok(Err(failure)),
            Err(failure) => return Err(failure),
        };
        match answer.status {
            200..=299 => {
                let synced = sink.file.borrow().sync_all();
                synced.map_err(|e| kept(&place.part, &e))?;
                shared.change(|handle| {
                    handle.record.result_bytes = Some(sink.bytes.get());
                    handle.save()
                })?;
                Ok(Ok(()))
            }
            // Not ready, already fetched, or busy: the status tells which.
            404 | 429 | 500..=599 => Ok(Err(self.client.refused(&request, &answer))),
            _ => Err(self.client.refused(&request, &answer)),
        }
    }

    /// After a download that brought nothing whole: whether the service still has it decides.
    async fn after_cut(
        &self,
        shared: &Shared,
        place: &Place,
        meter: &ProgressTask,
        cut: Failure,
        attempt: u32,
    ) -> Result<(), Failure> {
        let (id, _) = shared.id_and_key()?;
        if attempt > self.retries {
            return Err(Failure {
                hint: Some(format!("the service may still have the document; `{}` tries again", self.go_on(&id))),
                ..cut
            });
        }
        let pause = retry::backoff(attempt, None, fastrand::f64());
        self.out.status(&format!(
            "{}: {}; asking whether the document is still there",
            shared.record().shown(),
            cut.what
        ));
        self.client.pause_for(pause, None).await.map_err(|f| self.unfinished(f, &id))?;
        match self.wait(shared, meter).await {
            Ok(_) => Ok(()),
            Err(failure) if failure.kind == Kind::NotFound => Err(gone(shared, place, &id, &cut)),
            Err(failure) => Err(failure),
        }
    }

    /// Renames the whole result, or hands it to stdout or a device, and closes the handle.
    fn finish(&self, shared: &Shared, place: &Place) -> Result<PathBuf, Failure> {
        let record = shared.record();
        let Some(target) = &place.target else {
            return self.hand_over(shared, &record, &place.part);
        };
        refuse_existing(target, record.force).map_err(|failure| {
            failure.hint(format!(
                "it came into being meanwhile; the result is in {}, `{} --force` replaces the file",
                place.part.display(),
                self.go_on(record.id())
            ))
        })?;
        let renamed = || -> io::Result<()> {
            if let Ok(old) = fs::metadata(target) {
                fs::set_permissions(&place.part, old.permissions())?;
            }
            fs::rename(&place.part, target)?;
            files::sync_dir(files::parent_dir(target));
            Ok(())
        };
        renamed().map_err(|e| kept(&place.part, &e))?;
        shared.change(|handle| handle.advance(Stage::Done))?;
        Ok(target.clone())
    }

    /// Copies a result that was put aside to where it was asked for; what cannot be written stays, and is named.
    fn hand_over(&self, shared: &Shared, record: &Record, spool: &Path) -> Result<PathBuf, Failure> {
        if record.target.is_none() && !self.to_stdout {
            // The stdout that it was for has gone with its process.
            shared.change(|handle| handle.advance(Stage::Done))?;
            return Ok(spool.to_owned());
        }
        let copied = match &record.target {
            Some(device) => {
                let failed = |e: io::Error| Failure::file("write", device, &e);
                File::options()
                    .write(true)
                    .open(device)
                    .map_err(failed)
                    .and_then(|mut file| copy(spool, &mut |bytes| file.write_all(bytes).map_err(failed)))
            }
            None => copy(spool, &mut |bytes| self.out.stdout().write(bytes)),
        };
        shared.change(|handle| handle.advance(Stage::Done))?;
        let Err(failure) = copied else {
            shared.change(|handle| {
                handle.remove_spool("result");
                Ok(())
            })?;
            return Ok(record.target.clone().unwrap_or_else(|| PathBuf::from("-")));
        };
        let stays = format!("the whole result is in {}", spool.display());
        if failure.kind == Kind::PipeClosed {
            self.out.warn(&format!("stdout was closed before it took all; {stays}"));
            return Err(failure);
        }
        Err(Failure::internal(failure.what).hint(format!("{stays}; the service no longer has it")))
    }
}

/// Takes a result as it comes.
struct Sink<'a> {
    shared: &'a Shared,
    meter: &'a ProgressTask,
    file: RefCell<File>,
    part: &'a Path,
    bytes: Cell<u64>,
    /// This machine failed, not the network.
    broken: Cell<bool>,
}

impl BodySink for Sink<'_> {
    fn start(&self, _: u16, headers: &HeaderMap) -> Result<(), Failure> {
        if headers.contains_key(CONTENT_ENCODING) {
            return Ok(());
        }
        let length = headers.get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
        self.meter.set_total(length);
        // From this, a process that comes after a kill knows whether the file is whole.
        self.shared.change(|handle| {
            handle.record.result_bytes = length;
            handle.save()
        })
    }

    fn write(&self, bytes: &Bytes) -> Result<(), Failure> {
        let written = self.file.borrow_mut().write_all(bytes);
        written.map_err(|e| {
            self.broken.set(true);
            kept(self.part, &e)
        })?;
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        self.meter.set(self.bytes.get());
        Ok(())
    }
}

/// The failure of this machine after the service gave its only copy.
fn kept(part: &Path, error: &io::Error) -> Failure {
    Failure::internal(format!("cannot write {}: {}", part.display(), io_message(error)))
        .hint(format!("what came is kept in {}", part.display()))
}

/// The failure of a document that the service removed before its result was here whole.
fn gone(shared: &Shared, place: &Place, id: &str, cut: &Failure) -> Failure {
    let came = fs::metadata(&place.part).map_or(0, |data| data.len());
    if came == 0 {
        // An empty file would look like a result; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&place.part);
    }
    let what = format!("the download of document {id} failed and the service no longer has it: {}", cut.what);
    let noted = shared.change(|handle| {
        handle.record.reason = Some(what.clone());
        handle.advance(Stage::Gone)
    });
    let kept =
        if came > 0 { format!("the first {came} bytes are in {}; ", place.part.display()) } else { String::new() };
    let failure = Failure::new(Kind::Network, what).hint(format!("{kept}upload the document again to get the rest"));
    noted.err().unwrap_or(failure)
}

fn copy(from: &Path, to: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut file = File::open(from).map_err(|e| Failure::file("read", from, &e))?;
    let mut buffer = vec![0; COPY_STEP];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => to(buffer.get(..n).unwrap_or_default())?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Failure::file("read", from, &e)),
        }
    }
}

impl Shared {
    /// Notes what the status said about the bill.
    pub fn billed(&self, status: &DocumentStatus) -> Result<(), Failure> {
        self.change(|handle| {
            handle.record.billed_characters = status.billed_characters;
            handle.save()
        })
    }
}
