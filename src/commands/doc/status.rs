//! `tulk doc status`: one status request, or the record of a finished document.

use clap::Args;
use tulk_base::json::Kept;
use tulk_client::api::doc::DocumentStatus;
use tulk_store::documents::DocumentRecord;

use super::document_id::{DocumentIdArgs, NamedDocument, finished};
use super::finished_elsewhere::finished_elsewhere;
use super::poll;
use super::server_documents::ServerDocuments;
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;

/// Show the status of a document
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DocumentStatus>())]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc status \"$id\"")]
#[command(mut_arg("id", |id| id.add(ValueKind::Documents(false))))] // also finished ones
pub struct DocStatusArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentIdArgs,
}

impl Run for DocStatusArgs {
    /// Runs the command.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let documents = ServerDocuments::open(ctx).await?;
        let document = match self.document.resolve(&documents)? {
            NamedDocument::Known(document) => document,
            NamedDocument::Finished(record) => return print_finished(ctx, &record),
        };
        let client = ctx.client().await?;
        match poll::status(client, &document.id, &document.key).await {
            Ok(reply) => Ok(ctx.out.one(&reply.0)?),
            Err(failure) => print_finished(ctx, &finished_elsewhere(client, &documents, &document, failure).await?),
        }
    }
}

fn print_finished(ctx: &Context, record: &DocumentRecord) -> Result<(), anyhow::Error> {
    let status = poll::final_status(record).ok_or_else(|| finished(record))?;
    Ok(ctx.out.one(&Kept::from_typed(status)?)?)
}
