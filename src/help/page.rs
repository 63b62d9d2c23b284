//! The help of a command as data, read from the clap tree. `layout` makes text of it, `man` a manual page.
//!
//! A command declares its examples with `after_help`, one command line each, and what needs more than a sentence in the second
//! and later paragraphs of its doc comment. Options that `-h` leaves out are marked `hide_short_help`.

use clap::{Arg, Command, ValueEnum};

use crate::command::CommandSpec;

/// Title of the section with the flags of every command.
pub const GLOBAL_TITLE: &str = "Global options";

/// What a paragraph begins with whose lines are not filled.
pub const UNFILLED: &str = "  ";

/// The help of one command.
#[derive(Clone, Debug)]
pub struct HelpPage {
    /// One sentence, without a full stop.
    pub about: String,
    /// Paragraphs that follow the sentence. The lines of one that begins with two spaces are not filled.
    pub description: Vec<String>,
    /// The command with its arguments, such as `tulk usage [OPTIONS]`.
    pub usage: String,
    /// Command lines.
    pub examples: Vec<String>,
    /// Subcommands, arguments and options by heading; the global options are last.
    pub sections: Vec<HelpSection>,
}

/// Rows under a heading.
#[derive(Clone, Debug)]
pub struct HelpSection {
    /// The heading.
    pub title: String,
    /// The rows, in the order of their declaration.
    pub rows: Vec<HelpRow>,
}

/// A subcommand, an argument or an option.
#[derive(Clone, Debug)]
pub struct HelpRow {
    /// What to type, such as `-t, --to <LANG>`.
    pub term: String,
    /// What it means.
    pub text: String,
    /// Its values with their meanings, which may be empty.
    pub values: Vec<(String, String)>,
    /// Whether `-h` shows it.
    pub is_common: bool,
}

impl HelpPage {
    /// Reads the help of a command from the built tree. `path` is its name, such as `tulk glossary add`.
    pub fn read(command: &Command, path: &str) -> Self {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
        let paragraphs = long
            .split("\n\n")
            .map(|text| text.trim_end().trim_start_matches('\n'))
            .filter(|text| !text.is_empty() && *text != about);
        Self {
            description: paragraphs.map(str::to_owned).collect(),
            usage: usage(command, path),
            examples: examples(command),
            sections: sections(command),
            about,
        }
    }

    /// Returns whether `--help` has more to say about the command itself than `-h`.
    pub fn has_more(&self) -> bool {
        let own = self.sections.iter().filter(|section| section.title != GLOBAL_TITLE);
        !self.description.is_empty() || own.flat_map(|section| &section.rows).any(|row| !row.is_common)
    }
}

/// Returns the command lines that a command declares as its examples.
pub fn examples(command: &Command) -> Vec<String> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn usage(command: &Command, path: &str) -> String {
    let text = command.clone().bin_name(path).render_usage().to_string();
    text.trim().trim_start_matches("Usage: ").to_owned()
}

fn sections(command: &Command) -> Vec<HelpSection> {
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set()).map(command_row).collect();
    let mut sections = vec![HelpSection { title: "Commands".to_owned(), rows: commands }];
    for title in ["Arguments", "Options"] {
        sections.push(HelpSection { title: title.to_owned(), rows: Vec::new() });
    }
    let mut global = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_hide_long_help_set()) {
        if arg.is_global_set() {
            // A group has all options, which may be given before the name of its command.
            let spec = CommandSpec::of(command).filter(|_| !command.has_subcommands());
            if spec.is_none_or(|spec| spec.uses(arg.get_id().as_str())) {
                let row = spec.map_or_else(|| arg_row(arg), |spec| global_row(arg, spec));
                global.push(HelpRow { is_common: false, ..row });
            }
            continue;
        }
        let default = if arg.is_positional() { "Arguments" } else { "Options" };
        let title = arg.get_help_heading().unwrap_or(default);
        let row = arg_row(arg);
        match sections.iter_mut().find(|section| section.title == title) {
            Some(section) => section.rows.push(row),
            None => sections.push(HelpSection { title: title.to_owned(), rows: vec![row] }),
        }
    }
    sections.push(HelpSection { title: GLOBAL_TITLE.to_owned(), rows: global });
    sections.retain(|section| !section.rows.is_empty());
    sections
}

/// Returns the row of a subcommand in the list of its group.
pub fn command_row(command: &Command) -> HelpRow {
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    let names = std::iter::once(command.get_name()).chain(aliases).collect::<Vec<_>>().join(", ");
    let text = command.get_about().map(ToString::to_string).unwrap_or_default();
    HelpRow { term: names, text, values: Vec::new(), is_common: true }
}

/// Returns the row of an argument or option.
pub fn arg_row(arg: &Arg) -> HelpRow {
    let term = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(_)) => format!("-{short}, {arg}"),
        (None, Some(_)) => format!("    {arg}"),
        _ => arg.to_string(),
    };
    let help = if arg.get_id() == "help" {
        "Print a summary with -h, everything with --help".to_owned()
    } else {
        arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default()
    };
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let takes_value = arg.get_action().takes_values();
    let text = if defaults.is_empty() || !takes_value || arg.is_hide_default_value_set() {
        help
    } else {
        format!("{help} [default: {}]", defaults.join(","))
    };
    let values = if takes_value && !arg.is_hide_possible_values_set() { arg.get_possible_values() } else { Vec::new() };
    // A switch with a value shows `<BOOL>`.
    let is_switch = values.iter().any(|value| value.get_name() == "true");
    let values = values.iter().filter(|value| !is_switch && !value.is_hide_set());
    let values = values.map(|v| (v.get_name().to_owned(), v.get_help().map(ToString::to_string).unwrap_or_default()));
    HelpRow { term, text, values: values.collect(), is_common: !arg.is_hide_short_help_set() }
}

/// Returns the row of a global option. `--format` has only the formats that the command accepts.
fn global_row(arg: &Arg, spec: &CommandSpec) -> HelpRow {
    let mut row = arg_row(arg);
    if arg.get_id() == "format" {
        let values = spec.accepted_formats().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        row.values.retain(|(name, _)| names.contains(name));
    }
    row
}
