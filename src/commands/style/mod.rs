//! `tulk style`: style rule lists with their predefined rules and custom instructions.
//!
//! Input: arguments and TOML or JSON files. Output: requests to the service, and lists, rules, instructions and plans
//! as rows. `file` is a list as a TOML file, `plan` compares such a file with the service. See docs/service.md, "Style
//! rules".

mod apply;
mod create;
mod delete;
mod export;
mod file;
mod instruction;
mod list;
mod plan;
mod rename;
mod rules;
mod show;
mod views;

use clap::Args;
use tulk_base::error::{Failure, ServiceError};
use tulk_base::json::Kept;
use tulk_client::api::style::{GetStyleRule, StyleRule};

use crate::command::command_group;
use crate::context::Context;
use crate::named;
use crate::named::names;

command_group! {
    /// Manage style rule lists
    ///
    /// A style rule list has a language, predefined rules and custom instructions in words. `tulk translate --style` applies it.
    #[command(after_help = "tulk style create \"Shop texts\" --language en\n\
                            tulk style rules set \"Shop texts\" punctuation.serial_comma=use\n\
                            tulk translate --to en --style \"Shop texts\" \"Brot, Butter und Salz\"")]
    pub struct StyleArgs;

    /// The subcommands of `tulk style`.
    pub enum StyleCommand {
        List(list::StyleListArgs),
        Show(show::StyleShowArgs),
        Create(create::StyleCreateArgs),
        Rename(rename::StyleRenameArgs),
        Delete(delete::StyleDeleteArgs),
        Rules(rules::StyleRulesArgs),
        Instruction(instruction::StyleInstructionArgs),
        Export(export::StyleExportArgs),
        Apply(apply::StyleApplyArgs),
    }
}

// A style rule list. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct StyleNameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
}

/// Reads a list by name or ID, with its rules and instructions.
async fn read_list(ctx: &Context, text: &str) -> Result<Kept<StyleRule>, Failure> {
    let style_id = named::style(ctx, text).await?;
    ctx.client().await?.send(&GetStyleRule { style_id }).await
}

/// Adds a hint to a refusal that may be about an unsupported language.
fn with_language_hint(mut failure: Failure) -> Failure {
    let is_refused = |service: &ServiceError| service.status == Some(400) && service.names("language");
    if failure.service.as_deref().is_some_and(is_refused) && failure.hint.is_none() {
        failure.hint = Some("`tulk langs list --resource style_rules` lists the supported languages".to_owned());
    }
    failure
}
