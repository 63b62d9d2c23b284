//! `tulk style export`: prints a list as the file that `apply` accepts.

use super::file::StyleListToml;
use super::{StyleNameArgs, read_list};
use crate::context::Context;

/// Prints the file.
pub async fn run(ctx: &Context, args: &StyleNameArgs) -> Result<(), anyhow::Error> {
    let list = read_list(ctx, &args.style).await?;
    ctx.out.text(StyleListToml::new(&list)?.to_text()?)?;
    Ok(())
}
