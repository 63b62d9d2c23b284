//! `tulk style instruction list`.

use clap::Args;
use tulk_base::shell;
use tulk_client::api::style::CustomInstruction;

use crate::command::{CommandSpec, Run};
use crate::commands::style::{StyleNameArgs, read_list};
use crate::context::Context;
use crate::output::EmptyNote;

/// List the instructions of a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CustomInstruction>())]
#[command(after_help = "tulk style instruction list Shop")]
pub struct InstructionListArgs {
    /// The style rule list.
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for InstructionListArgs {
    /// Lists the instructions of a list.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        let add = format!("tulk style instruction add {} --label LABEL --prompt PROMPT", shell::quote(&args.style));
        ctx.out.list_or(list.instructions(), &EmptyNote::new("No instructions yet.").next("Add one", &add))?;
        Ok(())
    }
}
