//! The help of `tulk` itself: description, examples, and the commands by group.

use clap::Command;
use clap::builder::StyledStr;

use super::TOPICS;
use super::page::{HEADING, OPTIONS_POINTER, arguments, description_with_usage, render};

/// Commands by group, in the order in which they are listed.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Translate", &["translate", "doc", "voice", "write"]),
    ("Assets", &["glossary", "style", "tm", "sync"]),
    ("Service", &["langs", "usage", "admin", "api"]),
    ("Tool", &["auth", "config", "sandbox", "cache", "doctor", "completions", "man", "help"]),
];

/// Returns the help that `tulk` and `tulk -h` print; it fits on a screen of 40 lines.
pub fn short(tree: &Command) -> StyledStr {
    let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let help = [
        row("tulk COMMAND -h", "Options and examples of a command".to_owned()),
        row("tulk help TOPIC", topics.join(", ")),
    ];
    format!("{}{}{}", description_with_usage(tree), commands(tree), section("Help", help)).into()
}

/// Returns the help that `tulk --help` and `tulk help` print.
pub fn long(tree: &Command) -> StyledStr {
    let topics = TOPICS.iter().map(|topic| row(topic.name, topic.summary.to_owned()));
    let topics = section("Topics (tulk help TOPIC)", topics);
    let own = tree.get_arguments().filter(|arg| !arg.is_global_set()).cloned();
    let options = Command::new("tulk").disable_help_flag(true).disable_version_flag(true).args(own);
    let options = arguments(&options, |_| true);
    format!("{}{}{topics}\n{options}\n\n{OPTIONS_POINTER}", description_with_usage(tree), commands(tree)).into()
}

fn commands(tree: &Command) -> String {
    groups(tree).map(|(title, commands)| section(title, commands.into_iter().cloned())).collect()
}

pub fn groups(tree: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    let find = |names: &[&str]| names.iter().filter_map(|name| tree.find_subcommand(name)).collect();
    GROUPS.into_iter().map(move |(title, names)| (title, find(names)))
}

fn row(name: &'static str, about: String) -> Command {
    Command::new(name).about(about)
}

fn section(title: &str, rows: impl IntoIterator<Item = Command>) -> String {
    let rows = rows.into_iter().enumerate().map(|(place, row)| row.display_order(place));
    let rows = render(Command::new("tulk").disable_help_subcommand(true).subcommands(rows), "{subcommands}");
    format!("\n{HEADING}{title}:{HEADING:#}\n{rows}\n")
}

#[cfg(test)]
pub fn ungrouped(tree: &Command) -> Vec<String> {
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    tree.get_subcommands().map(|command| command.get_name().to_owned()).filter(|name| !is_grouped(name)).collect()
}
