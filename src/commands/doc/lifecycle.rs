//! What the steps of one document share: its record, the client, and the commands named in hints.
//!
//! The steps are in `upload_step`, `result_download` and `complete`; several documents at once are in `batch`.

use std::sync::{Arc, Mutex, PoisonError};

use super::poll;
use super::server_documents::program;
use crate::api::doc::DocumentStatusReply;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::limits;
use crate::output::{Output, ProgressTask};
use crate::store::documents::{DocumentRecord, DocumentStage, DocumentStore, LockedRecord};

/// Takes documents from upload to result, with each step on disk before the next one starts.
pub struct Lifecycle<'a> {
    /// Client of the service.
    pub client: &'a Client,
    /// Notices and, if [`Lifecycle::writes_stdout`] is set, the result.
    pub out: &'a Output,
    /// The document records.
    pub store: &'a DocumentStore,
    /// Attempts to download a result after the first one.
    pub retries: u32,
    /// Whether a result without a file goes to the stdout of this process.
    pub writes_stdout: bool,
    /// Start of a command line for the same server, such as `tulk --sandbox`.
    pub program: String,
}

/// A locked record that an upload shares with the observer of its progress.
#[derive(Clone)]
pub struct SharedRecord(Arc<Mutex<LockedRecord>>);

impl SharedRecord {
    /// Wraps a locked record.
    pub fn new(record: LockedRecord) -> Self {
        Self(Arc::new(Mutex::new(record)))
    }

    /// Returns a copy of the record.
    pub fn get(&self) -> DocumentRecord {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).record.clone()
    }

    /// Calls a function with the locked record.
    pub fn update<T>(&self, update: impl FnOnce(&mut LockedRecord) -> T) -> T {
        update(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns ID and key of an uploaded document.
    pub fn id_and_key(&self) -> Result<(String, String), Failure> {
        let record = self.get();
        match (record.document_id, record.document_key) {
            (Some(id), Some(key)) => Ok((id, key)),
            _ => Err(Failure::internal(format!("document {} has no ID or no key", record.name))),
        }
    }
}

impl<'a> Lifecycle<'a> {
    /// Collects what the steps need.
    pub fn new(
        ctx: &'a Context,
        client: &'a Client,
        store: &'a DocumentStore,
        writes_stdout: bool,
    ) -> Result<Self, Failure> {
        let retries = ctx.config()?.network().retries.unwrap_or(limits::RETRIES);
        Ok(Self { client, out: &ctx.out, store, retries, writes_stdout, program: program(ctx) })
    }

    /// Returns the command that continues with a document.
    pub fn resume_command(&self, id: &str) -> String {
        format!("{} doc resume {id}", self.program)
    }

    /// Adds the command that continues, if the failure is that `--max-wait` has passed.
    pub fn with_resume_hint(&self, failure: Failure, id: &str) -> Failure {
        match failure.kind {
            Kind::Unfinished => failure.hint(format!("continue with `{}`", self.resume_command(id))),
            _ => failure,
        }
    }

    /// Waits until the service has translated a document.
    ///
    /// If the service could not translate it, the record becomes `Failed` and the failure is of kind `Refused`.
    pub async fn wait(&self, shared: &SharedRecord, bar: &ProgressTask) -> Result<DocumentStatusReply, Failure> {
        let (id, key) = shared.id_and_key()?;
        let on_status = |status: &_| bar.set_message(&poll::progress_note(status));
        let result = poll::wait_until_done(self.client, &id, &key, &self.resume_command(&id), on_status).await;
        if let Err(failure) = &result
            && failure.kind == Kind::Refused
            && failure.service.is_none()
        {
            shared.update(|locked| {
                locked.record.reason = Some(failure.what.clone());
                locked.set_stage(DocumentStage::Failed)
            })?;
        }
        result
    }
}
