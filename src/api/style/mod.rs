//! Style rule lists, `/v3/style_rules`: requests and replies. Spec: "Style rule lists".
//!
//! Which rules and options are known is [`catalogue`]'s; the set is open, so nothing here refuses an unknown one.

pub mod catalogue;
mod instruction;
mod list;

pub use instruction::{
    CreateCustomInstruction, CreatedInstruction, CustomInstruction, DeleteCustomInstruction, GetCustomInstruction,
    InstructionText, ReplaceCustomInstruction,
};
pub use list::{
    ConfiguredRules, CreateStyleRule, DeleteStyleRule, GetStyleRule, ListStyleRules, RenameStyleRule,
    ReplaceConfiguredRules, StyleRule, StyleRulePage,
};

use crate::error::Failure;
use crate::limits;

/// Refuses a name of a style rule list that is empty or longer than 1024 characters.
pub fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the name of the style rule list is empty").hint("give it a name"));
    }
    within("the name of the style rule list", name, limits::STYLE_NAME_CHARS)
}

/// Refuses more custom instructions than a list may hold.
pub fn check_count(count: usize) -> Result<(), Failure> {
    let limit = limits::STYLE_INSTRUCTIONS;
    if count <= limit {
        return Ok(());
    }
    Err(Failure::usage(format!("{count} custom instructions, the limit of a style rule list is {limit}"))
        .hint("join or drop some, or make a second list"))
}

/// Refuses a text that is longer than its limit in characters.
fn within(what: &str, text: &str, limit: usize) -> Result<(), Failure> {
    let count = text.chars().count();
    if count <= limit {
        return Ok(());
    }
    Err(Failure::usage(format!("{what} has {count} characters, the limit is {limit}"))
        .hint("shorten it, or add --no-check to leave it to the service"))
}
