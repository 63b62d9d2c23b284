//! `tulk glossary wait`.

use clap::Args;

use crate::commands::named;
use crate::context::Context;

/// Wait until a glossary is ready
#[derive(Args, Debug)]
pub struct GlossaryWaitArgs {
    /// Glossary, by name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
}

/// Waits until a glossary is ready, at most for `--max-wait`, and shows it.
pub async fn run(ctx: &Context, args: GlossaryWaitArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary_without_waiting(ctx, &args.glossary).await?;
    ctx.out.one(&named::wait_for_glossary(ctx, &glossary_id).await?)?;
    Ok(())
}
