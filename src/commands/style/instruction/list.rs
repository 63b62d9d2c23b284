//! `tulk style instruction list`.

use tulk_base::shell;

use crate::commands::style::{StyleNameArgs, read_list};
use crate::context::Context;
use crate::output::EmptyNote;

/// Lists the instructions of a list.
pub async fn run(ctx: &Context, args: &StyleNameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let list = read_list(ctx, &args.style).await?;
    let add = format!("tulk style instruction add {} --label LABEL --prompt PROMPT", shell::quote(&args.style));
    ctx.out.list_or(list.instructions(), &EmptyNote::new("No instructions yet.").next("Add one", &add))?;
    Ok(())
}
