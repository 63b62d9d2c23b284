//! A style rule list as a TOML file: what `export` prints, and what `apply` and `create --file` read.
//!
//! Input: the text of a file. Output: a list, or its rules alone. `export` does the reverse. Unknown fields and tables
//! are refused, because a misspelt table would otherwise change nothing.

mod list;
mod rules;
mod text;
mod write;

pub(super) use self::list::{FileInstruction, StyleListFile};
pub(super) use self::rules::{read_rules, warn_about_unknown};
pub(super) use self::text::source_name;
pub(super) use self::write::StyleListToml;
