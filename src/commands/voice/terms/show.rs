//! `tulk voice terms show`.

use tulk_client::api::voice::terms::GetSpokenTerms;

use super::CollectionArgs;
use crate::commands::named;
use crate::context::Context;

/// Shows a collection.
pub async fn run(ctx: &Context, args: CollectionArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let terms = if named::is_uuid(&args.collection) {
        ctx.client().await?.send(&GetSpokenTerms { spoken_terms_id: args.collection }).await?
    } else {
        // The list has the same fields as a request for one collection.
        named::pick(named::all_spoken_terms(ctx).await?, &args.collection)?
    };
    ctx.out.one(&terms)?;
    Ok(())
}
