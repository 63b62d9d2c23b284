//! `tulk style instruction edit`: reads the instruction, changes it, and sends all fields.

use clap::{ArgGroup, Args};
use tulk_base::error::Failure;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::style::CustomInstruction;
use tulk_client::api::style::{InstructionText, ReplaceCustomInstruction};

use super::{InstructionNameArgs, find};
use crate::command::{CommandSpec, Run};
use crate::commands::style::with_language_hint;
use crate::context::Context;

/// Edit an instruction
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<CustomInstruction>().checks().languages(LanguageUse::Style))]
#[command(after_help = "tulk style instruction edit Shop tone --prompt \"Write to a friend\"")]
#[command(group = ArgGroup::new("changes").args(["label", "prompt", "source_language"]).required(true).multiple(true))]
pub struct InstructionEditArgs {
    /// The instruction.
    #[command(flatten)]
    pub name: InstructionNameArgs,
    /// New label, at most 100 characters
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
    /// New prompt, at most 300 characters
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// New language of the prompt; none removes it
    #[arg(long, value_name = "LANG")]
    pub source_language: Option<String>,
}

impl Run for InstructionEditArgs {
    /// Changes the given fields, keeps the others, and shows the instruction.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let parse = |code: &str| code.parse::<LangCode>().map_err(Failure::usage);
        let new_language = self.source_language.as_deref().filter(|text| *text != "none").map(parse).transpose()?;
        let (style_id, old) = find(ctx, &self.name).await?;
        let old_language = old.source_language.as_deref().map(parse).transpose()?;
        let text = InstructionText {
            label: self.label.unwrap_or_else(|| old.label.clone()),
            prompt: self.prompt.unwrap_or_else(|| old.prompt.clone()),
            source_language: if self.source_language.is_some() { new_language } else { old_language },
        };
        let request = ReplaceCustomInstruction { style_id, instruction_id: old.id.clone(), text };
        let new = ctx.client().await?.send(&request).await.map_err(with_language_hint)?;
        ctx.out.one(&new)?;
        Ok(())
    }
}
