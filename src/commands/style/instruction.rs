//! `tulk style instruction`: manages the custom instructions of a style rule list.

use clap::{ArgGroup, Args};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::shell;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::style::{
    CreateCustomInstruction, CreatedInstruction, CustomInstruction, DeleteCustomInstruction, GetCustomInstruction,
    GetStyleRule, InstructionText, ReplaceCustomInstruction, StyleRule,
};

use super::lists::{StyleNameArgs, read_list, with_language_hint};
use crate::command::{CommandSpec, Run, command_group};
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Column, EmptyNote, Row};

command_group! {
    /// Manage custom instructions
    #[command(after_help = "tulk style instruction add Shop --label brief --prompt \"Use short sentences\"\n\
                            tulk style instruction list Shop")]
    pub struct StyleInstructionArgs;

    pub enum StyleInstructionCommand {
        List(InstructionListArgs),
        Add(InstructionAddArgs),
        Show(InstructionShowArgs),
        Edit(InstructionEditArgs),
        Remove(InstructionRemoveArgs),
    }
}

#[derive(Args, Clone, Debug)]
pub struct InstructionNameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
    /// Instruction label or ID
    #[arg(value_name = "INSTRUCTION")]
    pub instruction: String,
}

/// Returns an instruction and the ID of its list. Reads the complete list to find a label.
async fn find(ctx: &Context, name: &InstructionNameArgs) -> Result<(String, WithRaw<CustomInstruction>), Failure> {
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

/// List the instructions of a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CustomInstruction>())]
#[command(after_help = "tulk style instruction list Shop")]
pub struct InstructionListArgs {
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for InstructionListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        let add = format!("tulk style instruction add {} --label LABEL --prompt PROMPT", shell::quote(&args.style));
        Ok(ctx.out.list_or_note(list.instructions(), &EmptyNote::new("No instructions yet.").next("Add one", &add))?)
    }
}

impl Row for CustomInstruction {
    const COLUMNS: &'static [Column] = &[
        Column::id("id"),
        Column::name("label"),
        Column::text("prompt"),
        Column::text("source_language").header("FROM").rank(2),
    ];
}

/// Show an instruction
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CustomInstruction>())]
#[command(after_help = "tulk style instruction show Shop tone")]
pub struct InstructionShowArgs {
    #[command(flatten)]
    pub name: InstructionNameArgs,
}

impl Run for InstructionShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let (_, instruction) = find(ctx, args).await?;
        Ok(ctx.out.object(&instruction)?)
    }
}

/// Add an instruction to a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<CustomInstruction>().checks_before_sending().languages(LanguageUse::Style))]
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
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let text = InstructionText { label: self.label, prompt: self.prompt, source_language: self.source_language };
        let mut request = CreateCustomInstruction { style_id: self.style, text: text.clone() };
        ctx.check(&request)?;
        request.style_id = named::style(ctx, &request.style_id).await?;
        let explain = |failure| with_language_hint(failure, text.source_language.as_ref());
        // Some services reply with the instruction, others with the complete list.
        let instruction = match ctx.client().await?.send(&request).await.map_err(explain)? {
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
        Ok(ctx.out.object(&instruction)?)
    }
}

/// Edit an instruction
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<CustomInstruction>().checks_before_sending().languages(LanguageUse::Style))]
#[command(after_help = "tulk style instruction edit Shop tone --prompt \"Write to a friend\"")]
#[command(group = ArgGroup::new("changes").args(["label", "prompt", "source_language"]).required(true).multiple(true))]
pub struct InstructionEditArgs {
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
    /// Keeps the fields that are not given. The service can only replace an instruction, so this reads it first.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let parse = |code: &str| code.parse::<LangCode>().map_err(Failure::usage);
        let new_language = self.source_language.as_deref().filter(|text| *text != "none").map(parse).transpose()?;
        if !ctx.args.no_check {
            let label = self.label.as_ref().unwrap_or(&self.name.instruction).clone();
            let text =
                InstructionText { label, prompt: self.prompt.clone().unwrap_or_default(), source_language: None };
            self.label.as_ref().map_or(Ok(()), |_| text.check_label())?;
            self.prompt.as_ref().map_or(Ok(()), |_| text.check_prompt())?;
        }
        let (style_id, old) = find(ctx, &self.name).await?;
        let old_language = old.source_language.as_deref().map(parse).transpose()?;
        let text = InstructionText {
            label: self.label.unwrap_or_else(|| old.label.clone()),
            prompt: self.prompt.unwrap_or_else(|| old.prompt.clone()),
            source_language: if self.source_language.is_some() { new_language } else { old_language },
        };
        let request = ReplaceCustomInstruction { style_id, instruction_id: old.id.clone(), text };
        let explain = |failure| with_language_hint(failure, request.text.source_language.as_ref());
        let new = ctx.client().await?.send(&request).await.map_err(explain)?;
        Ok(ctx.out.object(&new)?)
    }
}

/// Remove an instruction from a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk style instruction remove Shop tone --yes")]
pub struct InstructionRemoveArgs {
    #[command(flatten)]
    pub name: InstructionNameArgs,
}

impl Run for InstructionRemoveArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let (style_id, instruction_id) = if named::is_uuid(&args.instruction) {
            (named::style(ctx, &args.style).await?, args.instruction.clone())
        } else {
            let (style_id, instruction) = find(ctx, args).await?;
            (style_id, instruction.id.clone())
        };
        ctx.confirm(&format!(
            "remove custom instruction `{}` from style rule list `{}`",
            args.instruction, args.style
        ))?;
        ctx.client().await?.send(&DeleteCustomInstruction { style_id, instruction_id }).await?;
        ctx.report_done(&format!("removed custom instruction {}", args.instruction));
        Ok(())
    }
}
