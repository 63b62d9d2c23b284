//! Style rule lists, `/v3/style_rules`: predefined rules and custom instructions, with all operations.
//!
//! Input: names, rules and instructions. Output: requests. Unknown rules are accepted: [`catalogue`] is for warnings
//! only. See `docs/service.md`, "Style rules".

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

use tulk_base::error::Failure;
use tulk_base::limits;

/// Refuses an empty or too long name of a style rule list.
pub fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the name of the style rule list is empty").hint("add a name"));
    }
    check_length("the name of the style rule list", name, limits::STYLE_NAME_CHARS)
}

/// Refuses too many custom instructions for one list.
pub fn check_count(count: usize) -> Result<(), Failure> {
    let limit = limits::STYLE_INSTRUCTIONS;
    if count <= limit {
        return Ok(());
    }
    Err(Failure::usage(format!("{count} custom instructions; the limit of a style rule list is {limit}"))
        .hint("combine or remove some instructions, or create a second list"))
}

/// Refuses a text with more characters than its limit.
fn check_length(what: &str, text: &str, limit: usize) -> Result<(), Failure> {
    let count = text.chars().count();
    if count <= limit {
        return Ok(());
    }
    Err(Failure::usage(format!("{what} has {count} characters; the limit is {limit}"))
        .hint("shorten it, or add --no-check to let the service decide"))
}
