//! `tulk doc wait`: asks until the document is translated; the result stays on the service.

use clap::Args;

use super::{DocumentId, Place, poll, program};
use crate::context::Context;

/// Wait until a document is translated
#[derive(Args, Debug)]
pub struct WaitArgs {
    /// The document.
    #[command(flatten)]
    pub document: DocumentId,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: WaitArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let place = Place::of(ctx).await?;
    let (record, id, key) = args.document.resolve(&place)?;
    let client = ctx.client().await?;
    let meter = ctx.out.progress(record.as_ref().map_or(id.as_str(), |record| record.shown()), None);
    let go_on = format!("{} doc wait {id}", program(ctx));
    let reply = poll::until_done(client, &id, &key, &go_on, |status| meter.set_message(&poll::note(status))).await?;
    meter.finish();
    Ok(ctx.out.one(&reply.0)?)
}
