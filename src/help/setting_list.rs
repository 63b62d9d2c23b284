//! The list of settings that the `--help` of a command ends with.

use std::fmt::Write as _;

use clap::builder::CommandExt;

use super::page::HEADING;
use crate::output::wrap;

/// Maximum width of a line.
const WIDTH: usize = 80;

/// A heading, and names of settings with what they mean.
pub type SettingGroup = (&'static str, Vec<(String, String)>);

/// The settings by heading. A command declares it with `#[command(add = SettingList(...))]`; it is built when it is shown.
#[derive(Clone, Copy, Debug)]
pub struct SettingList(pub fn() -> Vec<SettingGroup>);

impl CommandExt for SettingList {}

impl SettingList {
    /// Returns the list, with styles.
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
