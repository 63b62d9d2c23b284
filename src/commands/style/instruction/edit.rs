//! `tulk style instruction edit`: reads first, then sends all fields, so that none is lost.

use clap::Args;

use super::{Which, find};
use crate::api::language_code::LangCode;
use crate::api::style::{InstructionText, ReplaceCustomInstruction};
use crate::commands::style::language_hint;
use crate::context::Context;
use crate::error::Failure;

/// The word that drops the source language.
const NONE: &str = "none";

/// Change an instruction
#[derive(Args, Debug)]
pub struct EditArgs {
    /// Which one.
    #[command(flatten)]
    pub which: Which,
    /// New label, at most 100 characters
    #[arg(long, value_name = "LABEL", required_unless_present_any = ["prompt", "source_language"])]
    pub label: Option<String>,
    /// New prompt, at most 300 characters
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// New language of the prompt; none drops it
    #[arg(long, value_name = "LANG")]
    pub source_language: Option<String>,
}

/// Changes what was asked for, keeps the rest, and shows the instruction.
pub async fn run(ctx: &Context, args: EditArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let code = |text: &str| text.parse::<LangCode>().map_err(Failure::usage);
    let asked = args.source_language.as_deref().filter(|text| *text != NONE).map(code).transpose()?;
    let (style_id, old) = find(ctx, &args.which).await?;
    let kept = old.source_language.as_deref().map(code).transpose()?;
    let text = InstructionText {
        label: args.label.unwrap_or_else(|| old.label.clone()),
        prompt: args.prompt.unwrap_or_else(|| old.prompt.clone()),
        source_language: if args.source_language.is_some() { asked } else { kept },
    };
    let request = ReplaceCustomInstruction { style_id, instruction_id: old.id.clone(), text };
    let new = ctx.client().await?.send(&request).await.map_err(language_hint)?;
    ctx.out.one(&new)?;
    Ok(())
}
