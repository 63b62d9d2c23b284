//! `tulk doc wait`: waits until a document is translated. The result stays on the service.

use clap::Args;
use tulk_base::json::Kept;
use tulk_client::api::doc::DocumentState;
use tulk_client::api::doc::DocumentStatus;
use tulk_store::documents::DocumentRecord;

use super::document_id::{DocumentIdArgs, NamedDocument, finished};
use super::finished_elsewhere::finished_elsewhere;
use super::lifecycle::stopped_hint;
use super::poll;
use super::server_documents::ServerDocuments;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::TaskName;

/// Wait until a document is translated
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DocumentStatus>())]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc wait \"$id\"")]
pub struct DocWaitArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentIdArgs,
}

impl Run for DocWaitArgs {
    /// Runs the command.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let documents = ServerDocuments::open(ctx).await?;
        let document = match self.document.resolve(&documents)? {
            NamedDocument::Known(document) => document,
            NamedDocument::Finished(record) => return print_finished(ctx, &record),
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
                task.finish();
                return Ok(ctx.out.one(&reply.0)?);
            }
            Err(failure) => stopped_hint(failure, &continue_command),
        };
        let record = finished_elsewhere(client, &documents, &document, failure).await?;
        task.finish();
        print_finished(ctx, &record)
    }
}

fn print_finished(ctx: &Context, record: &DocumentRecord) -> Result<(), anyhow::Error> {
    let status = poll::final_status(record).ok_or_else(|| finished(record))?;
    match status.state() {
        DocumentState::Error => Err(poll::translation_failed(&status).into()),
        _ => Ok(ctx.out.one(&Kept::from_typed(status)?)?),
    }
}
