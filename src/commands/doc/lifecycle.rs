//! Takes a document from upload to result and stores each step on disk before the next one starts.
//!
//! The steps are in `claim`, `upload_step`, `poll`, `result_download` and `result_delivery`. `batch` runs several
//! documents.

use std::cell::OnceCell;
use std::path::PathBuf;

use tulk_base::error::{Failure, Kind};
use tulk_base::files::follow_links;
use tulk_base::limits;
use tulk_client::api::doc::{DocumentState, DocumentStatus, DocumentStatusReply};
use tulk_client::http::client::Client;
use tulk_store::documents::{DocumentStage, DocumentStore, ResultTarget};

use super::content::DigestTask;
use super::next_command::NextCommands;
use super::outcome::DocumentResultRow;
use super::poll;
use super::records::SharedRecord;
use super::result_delivery::ResultDelivery;
use super::result_download::{ResultDownload, set_gone};
use super::result_path::ResultFiles;
use super::upload_step::DocumentUpload;
use crate::context::Context;
use crate::output::{Output, ProgressTask};

pub struct Lifecycle<'a> {
    pub client: &'a Client,
    pub out: &'a Output,
    pub store: &'a DocumentStore,
    /// Maximum number of repeated downloads of a result.
    pub retries: u32,
    /// Whether a result without a path is written to the stdout of this process.
    pub writes_stdout: bool,
    pub next: NextCommands<'a>,
}

impl<'a> Lifecycle<'a> {
    pub fn new(
        ctx: &'a Context,
        client: &'a Client,
        store: &'a DocumentStore,
        writes_stdout: bool,
    ) -> Result<Self, Failure> {
        let config = ctx.config()?;
        Ok(Self {
            client,
            out: &ctx.out,
            store,
            retries: config.network().retries.unwrap_or(limits::RETRIES),
            writes_stdout,
            next: NextCommands::new(config, store),
        })
    }

    /// Replaces `doc resume` as the command that messages suggest for continuing.
    #[must_use]
    pub fn with_continue_command(self, command: String) -> Self {
        Self { next: self.next.with_continue_command(command), ..self }
    }

    /// Uploads a document unless it is already uploaded. Fails if the upload is in doubt or the file has changed.
    pub async fn ensure_uploaded(
        &self,
        shared: &SharedRecord,
        bar: &ProgressTask,
        was_just_recorded: bool,
    ) -> Result<(), Failure> {
        DocumentUpload { client: self.client, next: &self.next, shared, bar }.ensure_uploaded(was_just_recorded).await
    }

    /// Waits for an uploaded document and downloads its result to `target`. Returns its row, with any evaluation.
    pub async fn complete(
        &self,
        shared: &SharedRecord,
        target: &ResultTarget,
        bar: &ProgressTask,
    ) -> Result<DocumentResultRow, Failure> {
        let path = self.wait_and_download(shared, target, bar).await?;
        let path = target.path.clone().filter(|result| follow_links(result) == path).unwrap_or(path);
        let mut row = DocumentResultRow::new(&shared.get(), Some(path.display().to_string()), "done");
        self.evaluate(shared, bar, &mut row).await?;
        Ok(row)
    }

    async fn wait_and_download(
        &self,
        shared: &SharedRecord,
        target: &ResultTarget,
        bar: &ProgressTask,
    ) -> Result<PathBuf, Failure> {
        if shared.get().awaits_evaluation() {
            return Ok(shared.get().result_path.unwrap_or_else(|| PathBuf::from("-")));
        }
        if let Some(path) = self.delivery().finish_earlier_download(shared, target)? {
            return Ok(path);
        }
        match self.wait(shared, bar).await {
            Ok(status) => shared.update(|locked| {
                locked.record.billed_characters = status.0.billed_characters;
                locked.save()
            })?,
            Err(failure) if failure.kind == Kind::NotFound => {
                let record = shared.get();
                let files = ResultFiles::of(self.store, &record, &record.download_target());
                return Err(set_gone(&self.next, shared, &files, failure));
            }
            Err(failure) => return Err(self.next.with_continue_hint(failure, &shared.get())),
        }
        ResultDownload::new(self, shared, target, bar).run().await
    }

    pub fn delivery(&self) -> ResultDelivery<'_> {
        let Self { out, store, next, writes_stdout, .. } = self;
        ResultDelivery { out, store, next, writes_stdout: *writes_stdout }
    }

    /// If the translation fails, sets the record to `Failed` and returns a failure of kind `Refused`.
    pub async fn wait(&self, shared: &SharedRecord, bar: &ProgressTask) -> Result<DocumentStatusReply, Failure> {
        let (id, key) = shared.id_and_key()?;
        let digest: OnceCell<DigestTask> = OnceCell::new();
        let on_status = |status: &DocumentStatus| {
            poll::show_status(bar, status);
            if status.state() != DocumentState::Done {
                digest.get_or_init(|| DigestTask::start(shared));
            }
        };
        let continue_command = self.next.continue_command(&shared.get());
        let result = poll::wait_until_done(self.client, &id, &key, &continue_command, on_status).await;
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
