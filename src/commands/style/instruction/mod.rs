//! `tulk style instruction`: the custom instructions of a list.

mod add;
mod edit;
mod list;
mod remove;
mod show;

use clap::{Args, Subcommand};

use crate::api::style::{CustomInstruction, GetCustomInstruction, GetStyleRule};
use crate::commands::named;
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;

/// See and change custom instructions
#[derive(Args, Debug)]
pub struct InstructionArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with custom instructions.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List the instructions of a list
    List(list::ListArgs),
    /// Add an instruction to a list
    Add(add::AddArgs),
    /// Show an instruction
    Show(show::ShowArgs),
    /// Change an instruction
    Edit(edit::EditArgs),
    /// Remove an instruction from a list
    Remove(remove::RemoveArgs),
}

/// Which instruction of which list.
#[derive(Args, Clone, Debug)]
pub struct Which {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
    /// Instruction, by ID or label
    #[arg(value_name = "INSTRUCTION")]
    pub instruction: String,
}

/// Runs the verb.
pub async fn run(ctx: &Context, args: InstructionArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::List(args) => list::run(ctx, &args).await,
        Verb::Add(args) => add::run(ctx, args).await,
        Verb::Show(args) => show::run(ctx, &args).await,
        Verb::Edit(args) => edit::run(ctx, args).await,
        Verb::Remove(args) => remove::run(ctx, &args).await,
    }
}

/// Reads an instruction: by its ID alone, or by its label out of the whole list. Gives the list's ID too.
async fn find(ctx: &Context, which: &Which) -> Result<(String, Kept<CustomInstruction>), Failure> {
    let style_id = named::style(ctx, &which.style).await?;
    let client = ctx.client().await?;
    if named::is_uuid(&which.instruction) {
        let request = GetCustomInstruction { style_id: style_id.clone(), instruction_id: which.instruction.clone() };
        return Ok((style_id, client.send(&request).await?));
    }
    let list = client.send(&GetStyleRule { style_id: style_id.clone() }).await?;
    Ok((style_id, named::pick(list.instructions().to_vec(), &which.instruction)?))
}
