//! The output formats of every command, from the declarations of the command groups.

use std::ffi::OsString;

use clap::{Command, ValueEnum as _};

use crate::commands;
use crate::config::OutputFormat;
use crate::output::CommandFormats;

/// The declarations of each group.
const GROUPS: &[&[CommandFormats]] = &[
    commands::translate::FORMATS,
    commands::write::FORMATS,
    commands::doc::FORMATS,
    commands::voice::FORMATS,
    commands::glossary::FORMATS,
    commands::style::FORMATS,
    commands::sync::FORMATS,
    commands::tm::FORMATS,
    commands::langs::FORMATS,
    commands::usage::FORMATS,
    commands::admin::FORMATS,
    commands::api::FORMATS,
    commands::auth::FORMATS,
    commands::config::FORMATS,
    #[cfg(feature = "sandbox")]
    commands::sandbox::FORMATS,
    commands::cache::FORMATS,
    commands::doctor::FORMATS,
    commands::completions::FORMATS,
    commands::man::FORMATS,
    commands::help::FORMATS,
];

/// Returns the formats of a command, such as `glossary list`: its own, or those of the nearest group around it.
pub fn of_command(command: &str) -> Option<CommandFormats> {
    let covers = |name: &str| command.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let declared = GROUPS.iter().flat_map(|group| group.iter());
    let covering = declared.filter_map(|entry| {
        entry.names().filter(|name| covers(name)).map(|n| (n.len(), *entry)).max_by_key(|(len, _)| *len)
    });
    covering.max_by_key(|(len, _)| *len).map(|(_, entry)| entry)
}

/// Returns the formats of the command that a command line seems to name; all formats if it names none.
pub fn of_words(tree: &Command, words: &[OsString]) -> &'static [OutputFormat] {
    let (mut command, mut name) = (tree, String::new());
    for word in words.iter().skip(1).take_while(|word| *word != "--") {
        if let Some(next) = command.find_subcommand(word) {
            command = next;
            name = format!("{name} {}", next.get_name());
        }
    }
    of_command(name.trim_start()).map_or(OutputFormat::value_variants(), |known| known.formats)
}

/// Returns the names of all declared commands and groups.
#[cfg(test)]
pub fn declared() -> impl Iterator<Item = String> {
    GROUPS.iter().flat_map(|group| group.iter()).flat_map(CommandFormats::names)
}
