//! `tulk doc status`: one status request, or the record of a finished document.

use clap::Args;

use super::document_id::{DocumentIdArgs, NamedDocument, finished};
use super::poll;
use super::server_documents::ServerDocuments;
use crate::context::Context;
use crate::json::Kept;

/// Show the status of a document
#[derive(Args, Debug)]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc status \"$id\"")]
pub struct DocStatusArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentIdArgs,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: DocStatusArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let documents = ServerDocuments::open(ctx).await?;
    let document = match args.document.resolve(&documents)? {
        NamedDocument::Known(document) => document,
        NamedDocument::Finished(record) => {
            let status = poll::final_status(&record).ok_or_else(|| finished(&record))?;
            return Ok(ctx.out.one(&Kept::from_typed(status)?)?);
        }
    };
    let reply = poll::status(ctx.client().await?, &document.id, &document.key).await?;
    Ok(ctx.out.one(&reply.0)?)
}
