//! `tulk style instruction`: the custom instructions of a style rule list.
//!
//! Input: a list and an instruction, each by name or ID. Output: requests to the service, and instructions as rows.
//! Every command but `add` finds its instruction with [`find`].

mod add;
mod edit;
mod list;
mod remove;
mod show;

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::style::StyleRule;
use tulk_client::api::style::{CustomInstruction, GetCustomInstruction, GetStyleRule};

use crate::command::command_group;
use crate::context::Context;
use crate::named;
use crate::named::names;

command_group! {
    /// Manage custom instructions
    #[command(after_help = "tulk style instruction add Shop --label brief --prompt \"Use short sentences\"\n\
                            tulk style instruction list Shop")]
    pub struct StyleInstructionArgs;

    /// The subcommands of `tulk style instruction`.
    pub enum StyleInstructionCommand {
        List(list::InstructionListArgs),
        Add(add::InstructionAddArgs),
        Show(show::InstructionShowArgs),
        Edit(edit::InstructionEditArgs),
        Remove(remove::InstructionRemoveArgs),
    }
}

// An instruction of a list. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Clone, Debug)]
pub struct InstructionNameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
    /// Instruction label or ID
    #[arg(value_name = "INSTRUCTION")]
    pub instruction: String,
}

/// Returns an instruction and the ID of its list. Reads the whole list to find a label.
async fn find(ctx: &Context, name: &InstructionNameArgs) -> Result<(String, Kept<CustomInstruction>), Failure> {
    let style_id = named::style(ctx, &name.style).await?;
    let client = ctx.client().await?;
    let instruction = if named::is_uuid(&name.instruction) {
        let instruction_id = name.instruction.clone();
        client.send(&GetCustomInstruction { style_id: style_id.clone(), instruction_id }).await?
    } else {
        let list = client.send(&GetStyleRule { style_id: style_id.clone() }).await?;
        named::pick(list.instructions().to_vec(), &name.instruction)?
    };
    Ok((style_id, instruction))
}
