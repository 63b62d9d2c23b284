//! `tulk style instruction add`.

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::style::CustomInstruction;
use tulk_client::api::style::StyleRule;
use tulk_client::api::style::{CreateCustomInstruction, CreatedInstruction, InstructionText};

use crate::command::{CommandSpec, Run};
use crate::commands::style::with_language_hint;
use crate::context::Context;
use crate::named;
use crate::named::names;

/// Add an instruction to a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<CustomInstruction>().checks().languages(LanguageUse::Style))]
#[command(after_help = "tulk style instruction add Shop --label brief --prompt \"Use short sentences\"")]
pub struct InstructionAddArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
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

impl Run for InstructionAddArgs {
    /// Adds an instruction and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let text = InstructionText { label: self.label, prompt: self.prompt, source_language: self.source_language };
        if !ctx.args.no_check {
            text.check()?;
        }
        let style_id = named::style(ctx, &self.style).await?;
        let request = CreateCustomInstruction { style_id, text: text.clone() };
        // Some services reply with the instruction, others with the whole list.
        let instruction = match ctx.client().await?.send(&request).await.map_err(with_language_hint)? {
            CreatedInstruction::Instruction(instruction) => instruction,
            CreatedInstruction::List(list) => {
                let new = list.instructions().iter().rev().find(|i| i.label == text.label && i.prompt == text.prompt);
                new.cloned().ok_or_else(|| {
                    Failure::new(
                        Kind::Network,
                        "unexpected response from the service: the list lacks the new instruction",
                    )
                    .hint("it may have been added: check with `tulk style instruction list`")
                })?
            }
        };
        ctx.out.one(&instruction)?;
        Ok(())
    }
}
