//! `tulk doc status`: one question, the service's own answer.

use clap::Args;

use super::{DocumentId, Place, poll};
use crate::context::Context;

/// Ask how far a document is
#[derive(Args, Debug)]
pub struct StatusArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentId,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: StatusArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let place = Place::of(ctx).await?;
    let (_, id, key) = args.document.resolve(&place)?;
    let reply = poll::ask(ctx.client().await?, &id, &key).await?;
    Ok(ctx.out.one(&reply.0)?)
}
