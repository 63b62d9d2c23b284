//! `tulk style create`: a list by flags, or with the rules and instructions of a file.

use std::path::PathBuf;

use clap::Args;

use super::file::{StyleFile, warn_unknown};
use super::shown::Lists;
use crate::api::language_code::LangCode;
use crate::api::style::CreateStyleRule;
use crate::context::Context;
use crate::error::Failure;

/// Make a list
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tulk style create \"Shop texts\" --language en")]
pub struct CreateArgs {
    /// Its name, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Its language
    #[arg(short, long, value_name = "LANG", required_unless_present = "file")]
    pub language: Option<LangCode>,
    /// TOML file with rules and instructions, - for stdin
    #[arg(long, value_name = "FILE|-")]
    pub file: Option<PathBuf>,
}

/// Makes the list and shows it.
pub async fn run(ctx: &Context, args: CreateArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let file = args.file.as_deref().map(|path| StyleFile::read(ctx, path)).transpose()?;
    let in_file = file.as_ref().and_then(|file| file.language.clone());
    if let (Some(flag), Some(other)) = (&args.language, &in_file)
        && flag != other
    {
        return Err(Failure::usage(format!("--language is {flag}, the file says {other}"))
            .hint("leave one out")
            .into());
    }
    let language = args
        .language
        .or(in_file)
        .ok_or_else(|| Failure::usage("the file names no language").hint("add --language LANG"))?;
    let file = file.unwrap_or_default();
    warn_unknown(ctx, &file.configured_rules);
    let instructions: Vec<_> = file.custom_instructions.into_iter().map(|entry| entry.text).collect();
    let request = CreateStyleRule {
        name: args.name,
        language,
        configured_rules: Some(file.configured_rules).filter(|rules| !rules.is_empty()),
        custom_instructions: Some(instructions).filter(|list| !list.is_empty()),
    };
    let list = ctx.client().await?.send(&request).await.map_err(super::language_hint)?;
    ctx.out.show(&Lists::one(&list))?;
    Ok(())
}
