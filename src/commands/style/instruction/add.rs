//! `tulk style instruction add`.

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::{CreateCustomInstruction, CreatedInstruction, InstructionText};

use crate::commands::named;
use crate::commands::style::with_language_hint;
use crate::context::Context;

/// Add an instruction to a list
#[derive(Args, Debug)]
#[command(after_help = "tulk style instruction add Shop --label brief --prompt \"Use short sentences\"")]
pub struct InstructionAddArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE")]
    pub style: String,
    /// Short label, at most 100 characters
    #[arg(long, value_name = "LABEL")]
    pub label: String,
    /// What the translation should do, at most 300 characters
    #[arg(long, value_name = "TEXT")]
    pub prompt: String,
    /// Language of the prompt
    #[arg(long, value_name = "LANG")]
    pub source_language: Option<LangCode>,
}

/// Adds an instruction and shows it.
pub async fn run(ctx: &Context, args: InstructionAddArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let text = InstructionText { label: args.label, prompt: args.prompt, source_language: args.source_language };
    if !ctx.args.no_check {
        text.check()?;
    }
    let style_id = named::style(ctx, &args.style).await?;
    let request = CreateCustomInstruction { style_id, text: text.clone() };
    // Some services reply with the instruction, others with the whole list.
    let instruction = match ctx.client().await?.send(&request).await.map_err(with_language_hint)? {
        CreatedInstruction::Instruction(instruction) => instruction,
        CreatedInstruction::List(list) => {
            let new = list.instructions().iter().rev().find(|i| i.label == text.label && i.prompt == text.prompt);
            new.cloned().ok_or_else(|| {
                Failure::new(Kind::Network, "unexpected response from the service: the list lacks the new instruction")
                    .hint("it may have been added: check with `tulk style instruction list`")
            })?
        }
    };
    ctx.out.one(&instruction)?;
    Ok(())
}
