//! `tulk doc status` and `wait`: show the service's status of a document, or the record of a finished one.
//!
//! If another process finishes the document meanwhile, the service no longer has it, so its record is shown.

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::limits;
use tulk_client::api::doc::{DocumentState, DocumentStatus};
use tulk_client::http::client::Client;
use tulk_store::documents::DocumentRecord;

use super::evaluation;
use super::next_command::stopped_hint;
use super::poll;
use super::records::{DocumentIdArgs, KnownDocument, NamedDocument, ServerDocuments, finished_failure};
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::output::{Cell, Column, Row, StatusWord, TaskName};

/// Show the status of a document
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DocumentStatus>())]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc status \"$id\"")]
#[command(mut_arg("id", |id| id.add(ValueKind::Documents(false))))] // completion also offers finished documents
pub struct DocStatusArgs {
    #[command(flatten)]
    pub document: DocumentIdArgs,
}

impl Run for DocStatusArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let documents = ServerDocuments::open(ctx).await?;
        let document = match self.document.resolve(&documents)? {
            NamedDocument::Known(document) => document,
            NamedDocument::Finished(record) => return print_finished(ctx, &record),
        };
        let client = ctx.client().await?;
        match poll::status(client, &document.id, &document.key).await {
            Ok(reply) => Ok(ctx.out.object(&reply.0)?),
            Err(failure) => {
                print_finished(ctx, &record_finished_elsewhere(client, &documents, &document, failure).await?)
            }
        }
    }
}

fn print_finished(ctx: &Context, record: &DocumentRecord) -> Result<(), anyhow::Error> {
    let status = poll::final_status(record).ok_or_else(|| finished_failure(record))?;
    Ok(ctx.out.object(&WithRaw::from_typed(status)?)?)
}

const SERVICE_STATUSES: &[StatusWord] = &[
    StatusWord::working("queued"),
    StatusWord::working("translating"),
    StatusWord::done("done"),
    StatusWord::failed("error"),
];

impl Row for DocumentStatus {
    const COLUMNS: &'static [Column] = &[
        Column::id("document_id").header("ID"),
        Column::status("status", SERVICE_STATUSES).rank(0),
        Column::number("seconds_remaining").header("SECONDS LEFT"),
        Column::count("billed_characters").header("CHARACTERS").rank(3),
        Column::text("message"),
        Column::number("quality_score").header("SCORE").usual(""),
    ];

    fn cells(&self) -> Vec<Cell> {
        let left = match (self.estimate(), &self.seconds_remaining) {
            (Some(left), _) => Cell::number(left.as_secs()),
            (None, Some(_)) => "unknown".into(),
            (None, None) => Cell::default(),
        };
        let reason = [&self.message, &self.error_message].into_iter().flatten().next();
        vec![
            self.document_id.as_str().into(),
            self.status.as_str().into(),
            left,
            self.billed_characters.into(),
            reason.cloned().into(),
            self.quality_score.map(|score| Cell::number(format!("{score:?}"))).unwrap_or_default(),
        ]
    }
}

/// Wait until a document is translated
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DocumentStatus>())]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc wait \"$id\"")]
pub struct DocWaitArgs {
    #[command(flatten)]
    pub document: DocumentIdArgs,
}

impl Run for DocWaitArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let documents = ServerDocuments::open(ctx).await?;
        let document = match self.document.resolve(&documents)? {
            NamedDocument::Known(document) => document,
            NamedDocument::Finished(record) => return print_end_of_wait(ctx, &record),
        };
        let client = ctx.client().await?;
        let task = ctx.out.progress(document.record.as_ref().map_or_else(
            || TaskName::new(&document.id),
            |record| TaskName::with_target(record.display_name(), &record.target_lang),
        ));
        let continue_command = format!("tulk doc wait {}{}", document.id, self.document.key_file_flag());
        let on_status = |status: &_| poll::show_status(&task, status);
        let reply = poll::wait_until_done(client, &document.id, &document.key, &continue_command, on_status).await;
        let failure = match reply {
            Ok(reply) => {
                let status = match &document.record {
                    Some(record) => {
                        task.phase("evaluating");
                        evaluation::with_evaluation(&ctx.out, client, record, reply).await
                    }
                    None => Ok(reply.0),
                };
                task.finish();
                return Ok(ctx.out.object(&status.map_err(|failure| stopped_hint(failure, &continue_command))?)?);
            }
            Err(failure) => stopped_hint(failure, &continue_command),
        };
        let record = record_finished_elsewhere(client, &documents, &document, failure).await?;
        task.finish();
        print_end_of_wait(ctx, &record)
    }
}

fn print_end_of_wait(ctx: &Context, record: &DocumentRecord) -> Result<(), anyhow::Error> {
    let status = poll::final_status(record).ok_or_else(|| finished_failure(record))?;
    match status.state() {
        DocumentState::Error => Err(poll::translation_failed(&status).into()),
        _ => Ok(ctx.out.object(&WithRaw::from_typed(status)?)?),
    }
}

/// Returns the record of a document that the service lacks because another process has downloaded it.
///
/// Waits for that process if it is still running. Fails with `failure` if no process has finished the document.
pub async fn record_finished_elsewhere(
    client: &Client,
    documents: &ServerDocuments,
    document: &KnownDocument,
    failure: Failure,
) -> Result<DocumentRecord, Failure> {
    let Some(record) = document.record.as_ref().filter(|_| failure.kind == Kind::NotFound) else {
        return Err(failure);
    };
    loop {
        // Check the lock before the record: if the process ends in between, its record is already up to date.
        let is_locked = documents.store.is_locked(&record.name);
        match documents.find(&record.name)? {
            Some(found) if !found.stage.is_unfinished() => return Ok(found),
            Some(_) if is_locked => client.pause_for(limits::RECORD_POLL, None).await?,
            _ => return Err(failure),
        }
    }
}
