//! `tulk doc status`: one status request.

use clap::Args;

use super::document_id::DocumentIdArgs;
use super::poll;
use super::server_documents::ServerDocuments;
use crate::context::Context;

/// Show the status of a document
#[derive(Args, Debug)]
pub struct DocStatusArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentIdArgs,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: DocStatusArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let documents = ServerDocuments::open(ctx).await?;
    let document = args.document.resolve(&documents)?;
    let reply = poll::status(ctx.client().await?, &document.id, &document.key).await?;
    Ok(ctx.out.one(&reply.0)?)
}
