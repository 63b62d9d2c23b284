//! `tulk style export`: prints a list as the file that `apply` accepts.

use clap::Args;

use super::file::StyleListToml;
use super::{StyleNameArgs, read_list};
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Print a list as a TOML file
#[derive(Args, Debug)]
#[command(add = CommandSpec::text())]
#[command(after_help = "tulk style export Shop > shop.toml")]
pub struct StyleExportArgs {
    /// The style rule list.
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleExportArgs {
    /// Prints the file.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        ctx.out.text(StyleListToml::new(&list)?.to_text()?)?;
        Ok(())
    }
}
