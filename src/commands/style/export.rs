//! `tulk style export`: a list as the file that `apply` takes back.

use clap::Args;

use super::file::StyleFile;
use crate::config::OutputFormat;
use crate::context::Context;

/// Print a list as a TOML file
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tulk style export \"Shop texts\" > shop.toml")]
pub struct ExportArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
}

/// Prints the file.
pub async fn run(ctx: &Context, args: &ExportArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().refuse_formats(&[
        OutputFormat::Table,
        OutputFormat::Json,
        OutputFormat::Jsonl,
        OutputFormat::Tsv,
        OutputFormat::Srt,
        OutputFormat::Vtt,
    ])?;
    let list = super::get(ctx, &args.style).await?;
    ctx.out.text(StyleFile::of(&list)?.to_toml()?)?;
    Ok(())
}
