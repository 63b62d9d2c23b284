//! `tulk style rename`: another name, the same list.

use clap::Args;

use super::shown::Lists;
use crate::api::style::{RenameStyleRule, check_name};
use crate::commands::named;
use crate::context::Context;

/// Give a list another name
#[derive(Args, Debug)]
pub struct RenameArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
    /// The new name, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// Renames the list and shows it.
pub async fn run(ctx: &Context, args: RenameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    if !ctx.args.no_check {
        check_name(&args.name)?;
    }
    let style_id = named::style(ctx, &args.style).await?;
    let list = ctx.client().await?.send(&RenameStyleRule { style_id, name: args.name }).await?;
    ctx.out.show(&Lists::one(&list))?;
    Ok(())
}
