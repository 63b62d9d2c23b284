//! The list of settings at the end of a command's `--help`.

use std::fmt::Write as _;

use clap::builder::CommandExt;

use super::page::HEADING;
use crate::output::wrap;

const WIDTH: usize = 80;

/// A heading, and names of settings with their descriptions.
pub type SettingGroup = (&'static str, Vec<(String, String)>);

/// Settings by heading. A command declares the list with `#[command(add = SettingList(...))]`; it is built only when it is shown.
#[derive(Clone, Copy, Debug)]
pub struct SettingList(pub fn() -> Vec<SettingGroup>);

impl CommandExt for SettingList {}

impl SettingList {
    pub fn text(self) -> String {
        let mut text = String::new();
        for (title, rows) in (self.0)().into_iter().filter(|(_, rows)| !rows.is_empty()) {
            let _ = writeln!(text, "\n{HEADING}{title}:{HEADING:#}");
            let indent = rows.iter().map(|(name, _)| name.len() + 4).max().unwrap_or_default();
            for (name, meaning) in &rows {
                let meaning = wrap(meaning, WIDTH - indent).join(&format!("\n{:indent$}", ""));
                let _ = writeln!(text, "  {:indent$}{meaning}", name, indent = indent - 2);
            }
        }
        text
    }
}
