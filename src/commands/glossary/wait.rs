//! `tulk glossary wait`.

use clap::Args;

use crate::commands::named;
use crate::context::Context;

/// Wait until a glossary is ready
#[derive(Args, Debug)]
pub struct WaitArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
}

/// Waits until a glossary is ready, within `--max-wait`.
pub async fn run(ctx: &Context, args: WaitArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary_as_it_is(ctx, &args.glossary).await?;
    ctx.out.one(&named::await_glossary(ctx, &glossary_id).await?)?;
    Ok(())
}
