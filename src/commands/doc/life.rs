//! One document's life on the service: upload, wait, fetch; every step on disk before the next.
//!
//! Spec: "Documents". What many documents do together is `many.rs`'s.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::poll;
use crate::api::doc::{DocumentParams, DocumentStatusReply, UploadDocument};
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::http::request::{Upload, UploadObserver};
use crate::output::{Output, ProgressTask};
use crate::store::documents::{Documents, Handle, Record, Stage};

/// What every document of a run is handed.
pub struct Life<'a> {
    /// Talks to the service.
    pub client: &'a Client,
    /// Says things.
    pub out: &'a Output,
    /// Where the handles are.
    pub store: &'a Documents,
    /// Attempts of a download after the first.
    pub retries: u32,
    /// Whether this process's stdout is where a result without a file goes.
    pub to_stdout: bool,
    /// How this program is called for the same server, such as `tulk --sandbox`.
    pub program: &'a str,
}

/// A handle in work, shared with the upload that notes how far it is.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Handle>>);

impl Shared {
    /// Shares a handle.
    pub fn new(handle: Handle) -> Self {
        Self(Arc::new(Mutex::new(handle)))
    }

    /// The record as it is now.
    pub fn record(&self) -> Record {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).record.clone()
    }

    /// Changes the handle.
    pub fn change<T>(&self, change: impl FnOnce(&mut Handle) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The id and the key of an uploaded document.
    pub fn id_and_key(&self) -> Result<(String, String), Failure> {
        let record = self.record();
        match (record.document_id, record.document_key) {
            (Some(id), Some(key)) => Ok((id, key)),
            _ => Err(Failure::internal(format!("document {} has no id or no key", record.name))),
        }
    }
}

impl Life<'_> {
    /// The command that goes on with a document.
    pub fn go_on(&self, id: &str) -> String {
        format!("{} doc resume {id}", self.program)
    }

    pub(super) fn unfinished(&self, failure: Failure, id: &str) -> Failure {
        match failure.kind {
            Kind::Unfinished => failure.hint(format!("`{}` goes on", self.go_on(id))),
            _ => failure,
        }
    }

    /// Sees to it that the service has the document, if need be by an upload. `fresh`: its file was read just now.
    pub async fn arrive(&self, shared: &Shared, meter: &ProgressTask, fresh: bool) -> Result<(), Failure> {
        let record = shared.record();
        match record.stage {
            Stage::Sent => return Err(self.in_doubt(&record, None)),
            Stage::Uploading => {}
            _ => return Ok(()),
        }
        if !fresh {
            unchanged(&record).await?;
        }
        self.upload(shared, meter).await
    }

    /// Does what is left to do with a document that the service has. Gives the file the result is in.
    pub async fn go(&self, shared: &Shared, meter: &ProgressTask) -> Result<PathBuf, Failure> {
        if let Some(path) = self.fetched_before(shared)? {
            return Ok(path);
        }
        let (id, _) = shared.id_and_key()?;
        match self.wait(shared, meter).await {
            Ok(status) => shared.billed(&status.0)?,
            Err(failure) if failure.kind == Kind::NotFound => {
                shared.change(|handle| {
                    handle.record.reason = Some(failure.what.clone());
                    handle.advance(Stage::Gone)
                })?;
                let hint = format!("`{} doc translate --again` uploads the file anew", self.program);
                return Err(failure.hint(hint));
            }
            Err(failure) => return Err(self.unfinished(failure, &id)),
        }
        self.fetch(shared, meter).await
    }

    /// Waits until a document is done.
    pub async fn wait(&self, shared: &Shared, meter: &ProgressTask) -> Result<DocumentStatusReply, Failure> {
        let (id, key) = shared.id_and_key()?;
        let seen = |status: &_| meter.set_message(&poll::note(status));
        let result = poll::until_done(self.client, &id, &key, &self.go_on(&id), seen).await;
        if let Err(failure) = &result
            && failure.kind == Kind::Refused
            && failure.service.is_none()
        {
            shared.change(|handle| {
                handle.record.reason = Some(failure.what.clone());
                handle.advance(Stage::Failed)
            })?;
        }
        result
    }

    /// Uploads the file of a record; id and key are on disk when this returns.
    async fn upload(&self, shared: &Shared, meter: &ProgressTask) -> Result<(), Failure> {
        let record = shared.record();
        let source = record.source.as_ref().ok_or_else(|| Failure::internal("an upload without a file"))?;
        let params: DocumentParams =
            serde_json::from_value(record.params.clone()).map_err(|e| Failure::internal(e.to_string()))?;
        meter.clone().in_bytes().set_total(Some(source.bytes));
        meter.set_message("uploading");
        let watch = Arc::new(Watch { shared: shared.clone(), meter: meter.clone(), began: Mutex::new(Instant::now()) });
        let upload = UploadDocument {
            params,
            file: Upload {
                path: source.path.clone(),
                filename: source.filename.clone(),
                bytes: source.bytes,
                field: "file".to_owned(),
                observer: Some(watch),
            },
        };
        let result = self.client.send(&upload).await;
        drop(upload);
        match result {
            Ok(handle) => shared.change(|open| {
                open.record.document_id = Some(handle.document_id);
                open.record.document_key = Some(handle.document_key);
                open.advance(Stage::Uploaded)
            }),
            Err(failure) => Err(self.upload_failed(shared, failure)),
        }
    }

    /// What a failed upload means for its record: nothing there, to be gone on with, or in doubt.
    fn upload_failed(&self, shared: &Shared, failure: Failure) -> Failure {
        let record = shared.record();
        let status = failure.service.as_ref().and_then(|service| service.status);
        // An answer in the 200s that cannot be read, a gateway's error: the service may have the file all the same.
        let is_clear_no = status.is_some_and(|s| (400..500).contains(&s) || matches!(s, 503 | 529))
            || matches!(failure.kind, Kind::Usage | Kind::Key | Kind::Quota);
        if is_clear_no {
            // There is nothing to go on with.
            return shared.change(|handle| handle.forget()).err().unwrap_or_else(|| advised(failure, &record));
        }
        match record.stage {
            Stage::Sent => self.in_doubt(&record, Some(failure)),
            _ if failure.kind.is_stop() => failure,
            _ => failure.hint(format!(
                "the upload did not complete, so nothing was translated; `{}` tries again",
                self.go_on(record.id())
            )),
        }
    }

    /// The failure of an upload that may have arrived.
    pub fn in_doubt(&self, record: &Record, cause: Option<Failure>) -> Failure {
        let name = &record.name;
        let shown = record.shown();
        let what = match &cause {
            Some(cause) => format!("the upload of {shown} is in doubt, its answer was lost: {}", cause.what),
            None => format!("the upload of {shown} is in doubt: it may have reached the service, its answer was lost"),
        };
        let kind =
            cause.as_ref().map_or(Kind::Network, |cause| if cause.kind.is_stop() { cause.kind } else { Kind::Network });
        let failure = Failure::new(kind, what).hint(format!(
            "it is not repeated by itself; a result that nobody fetches is not billed: \
             `doc translate --again` uploads it anew, `{} doc forget {name}` drops the note",
            self.program
        ));
        match cause.and_then(|cause| cause.service) {
            Some(service) => failure.service(*service),
            None => failure,
        }
    }
}

/// Says what to do about a refused upload, where the message tells what it was about.
fn advised(failure: Failure, record: &Record) -> Failure {
    let status = failure.service.as_ref().and_then(|service| service.status);
    let lang = &record.target_lang;
    let about = |word: &str| failure.what.to_ascii_lowercase().contains(word);
    let hint = match status {
        Some(400) if about("formality") => format!(
            "--formality prefer_more and prefer_less never fail; \
             `tulk langs check --resource translate_document --to {lang} --feature formality` tells beforehand"
        ),
        Some(400 | 404) if about("glossary") || about("dictionary") => {
            format!("`tulk glossary show` lists a glossary's language pairs; it needs one for --from and {lang}")
        }
        Some(413) => "the document is too large for the plan; split it".to_owned(),
        _ => return failure,
    };
    failure.hint(hint)
}

/// Refuses to go on with an upload whose file has changed since.
async fn unchanged(record: &Record) -> Result<(), Failure> {
    let Some(source) = record.source.clone() else { return Ok(()) };
    let path = source.path.clone();
    let now = blocking(move || digest(&path)).await?;
    if now == (source.bytes, source.sha256) {
        return Ok(());
    }
    Err(Failure::usage(format!("{} has changed since its upload began", source.shown))
        .hint(format!("translate it again; `tulk doc forget {}` drops the note", record.name)))
}

/// Size and SHA-256 of a file, in hexadecimal digits.
pub fn digest(path: &Path) -> Result<(u64, String), Failure> {
    use std::fmt::Write as _;
    let mut file = File::open(path).map_err(|e| Failure::file("read", path, &e))?;
    let mut context = ring::digest::Context::new(&ring::digest::SHA256);
    let mut buffer = vec![0; 256 * 1024];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                context.update(buffer.get(..n).unwrap_or_default());
                bytes += n as u64;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Failure::file("read", path, &e)),
        }
    }
    let mut text = String::new();
    for byte in context.finish().as_ref() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok((bytes, text))
}

/// Runs work that reads much on a thread of its own: the loop must not stand still.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|e| Err(Failure::internal(e.to_string())))
}

/// Notes how far an upload is: on the meter, and on disk when it can no longer be taken back.
struct Watch {
    shared: Shared,
    meter: ProgressTask,
    began: Mutex<Instant>,
}

impl UploadObserver for Watch {
    fn progress(&self, bytes: u64) -> io::Result<()> {
        self.meter.set(bytes);
        let mut began = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > 0 {
            self.meter.set_message(&format!("uploading, {}", rate(bytes, began.elapsed())));
            return Ok(());
        }
        *began = Instant::now();
        // A repetition: the attempt before was refused, so the service has nothing again.
        self.shared.change(|handle| match handle.record.stage {
            Stage::Sent => handle.advance(Stage::Uploading).map_err(io::Error::other),
            _ => Ok(()),
        })
    }

    fn completing(&self) -> io::Result<()> {
        self.meter.set_message("waiting for the answer to the upload");
        self.shared.change(|handle| handle.advance(Stage::Sent)).map_err(io::Error::other)
    }
}

/// Bytes in a time as a rate for people.
pub fn rate(bytes: u64, time: std::time::Duration) -> String {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // for the eye
    let per_second = (bytes as f64 / time.as_secs_f64().max(0.001)) as u64;
    format!("{}/s", indicatif::HumanBytes(per_second))
}
