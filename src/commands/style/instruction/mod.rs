//! `tulk style instruction`: the custom instructions of a style rule list.
//!
//! Input: a list and an instruction, each by name or ID. Output: requests to the service, and instructions as rows.
//! Every command but `add` finds its instruction with [`find`].

mod add;
mod edit;
mod list;
mod remove;
mod show;

use clap::{Args, Subcommand};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::style::{CustomInstruction, GetCustomInstruction, GetStyleRule};

use super::StyleNameArgs;
use crate::commands::named;
use crate::context::Context;

/// Manage custom instructions
#[derive(Args, Debug)]
#[command(after_help = "tulk style instruction add Shop --label brief --prompt \"Use short sentences\"\n\
                        tulk style instruction list Shop")]
pub struct StyleInstructionArgs {
    /// The subcommand
    #[command(subcommand)]
    pub command: StyleInstructionCommand,
}

/// The subcommands of `tulk style instruction`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum StyleInstructionCommand {
    /// List the instructions of a list
    #[command(after_help = "tulk style instruction list Shop")]
    List(StyleNameArgs),
    /// Add an instruction to a list
    Add(add::InstructionAddArgs),
    /// Show an instruction
    #[command(after_help = "tulk style instruction show Shop tone")]
    Show(InstructionNameArgs),
    /// Edit an instruction
    Edit(edit::InstructionEditArgs),
    /// Remove an instruction from a list
    #[command(after_help = "tulk style instruction remove Shop tone --yes")]
    Remove(InstructionNameArgs),
}

// An instruction of a list. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Clone, Debug)]
pub struct InstructionNameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE")]
    pub style: String,
    /// Instruction label or ID
    #[arg(value_name = "INSTRUCTION")]
    pub instruction: String,
}

/// Runs the subcommand.
pub async fn run(ctx: &Context, args: StyleInstructionArgs) -> Result<(), anyhow::Error> {
    match args.command {
        StyleInstructionCommand::List(args) => list::run(ctx, &args).await,
        StyleInstructionCommand::Add(args) => add::run(ctx, args).await,
        StyleInstructionCommand::Show(args) => show::run(ctx, &args).await,
        StyleInstructionCommand::Edit(args) => edit::run(ctx, args).await,
        StyleInstructionCommand::Remove(args) => remove::run(ctx, &args).await,
    }
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
