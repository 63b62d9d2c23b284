//! What the steps of one document share: its record, the client, and the commands named in hints.
//!
//! The steps are in `upload_step`, `result_download`, `result_delivery` and `complete`; several documents at once are in
//! `batch`.

use std::cell::OnceCell;

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_client::api::doc::{DocumentState, DocumentStatus, DocumentStatusReply};
use tulk_client::http::client::Client;
use tulk_store::documents::{DocumentRecord, DocumentStage, DocumentStore};

use super::content::DigestTask;
use super::next_command::{ProfileOptions, upload_again_command};
use super::poll;
use super::records::SharedRecord;
use crate::context::Context;
use crate::output::{Output, ProgressTask};

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
    /// The command that continues, if it is not `doc resume`.
    own_command: Option<String>,
    profile: ProfileOptions,
}

/// Adds the command that continues, if a signal stopped this one and nothing else is said.
pub fn stopped_hint(failure: Failure, command: &str) -> Failure {
    if failure.kind.is_stop() && failure.hint.is_none() {
        failure.hint(format!("continue with `{command}`"))
    } else {
        failure
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
        let config = ctx.config()?;
        Ok(Self {
            client,
            out: &ctx.out,
            store,
            retries: config.network().retries.unwrap_or(limits::RETRIES),
            writes_stdout,
            own_command: None,
            profile: ProfileOptions::new(config),
        })
    }

    /// Sets the command that continues, instead of `doc resume`.
    #[must_use]
    pub fn continued_by(mut self, command: String) -> Self {
        self.own_command = Some(command);
        self
    }

    /// Returns the command that continues with a document.
    pub fn continue_command(&self, record: &DocumentRecord) -> String {
        self.own_command.clone().unwrap_or_else(|| format!("tulk doc resume {}", record.id()))
    }

    /// Returns the command that continues with a document and replaces an existing result.
    pub fn force_command(&self, record: &DocumentRecord) -> String {
        format!("{} --force", self.continue_command(record))
    }

    /// Adds the command that continues, if the failure is that `--max-wait` has passed.
    pub fn with_continue_hint(&self, failure: Failure, record: &DocumentRecord) -> Failure {
        match failure.kind {
            Kind::Unfinished => failure.hint(format!("continue with `{}`", self.continue_command(record))),
            _ => failure,
        }
    }

    /// Adds the command that continues to the failure of a command with one document, if a signal stopped it.
    pub fn with_stop_hint(&self, failure: Failure, shared: &SharedRecord) -> Failure {
        match shared.resumable() {
            Some(record) => stopped_hint(failure, &self.continue_command(&record)),
            None => failure,
        }
    }

    /// Adds what to do about a result that may not replace an existing file.
    pub fn with_choice_hint(&self, failure: Failure, record: &DocumentRecord) -> Failure {
        let (id, replace) = (record.id(), self.force_command(record));
        failure
            .hint(format!("replace it with `{replace}`, or choose another path with `tulk doc download {id} -o FILE`"))
    }

    /// Returns the advice to upload a document again, with the command if its source is known.
    pub fn upload_again(&self, record: &DocumentRecord) -> String {
        let files = self.result_files(record, &record.upload_target());
        // What an earlier download left there would be in the way.
        let force = files.result.is_some() && files.received() > 0;
        match upload_again_command(&self.profile, self.store, record, force) {
            Some(command) => format!("upload the document again with `{command}`"),
            None => "upload the document again where its file is".to_owned(),
        }
    }

    /// Waits until the service has translated a document.
    ///
    /// If the service could not translate it, the record becomes `Failed` and the failure is of kind `Refused`.
    pub async fn wait(&self, shared: &SharedRecord, bar: &ProgressTask) -> Result<DocumentStatusReply, Failure> {
        let (id, key) = shared.id_and_key()?;
        let digest: OnceCell<DigestTask> = OnceCell::new();
        let on_status = |status: &DocumentStatus| {
            poll::show_status(bar, status);
            if status.state() != DocumentState::Done {
                digest.get_or_init(|| DigestTask::start(shared));
            }
        };
        let continue_command = self.continue_command(&shared.get());
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
