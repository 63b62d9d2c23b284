//! The help of `tulk` itself: what it is, examples, and the commands in groups.

use clap::Command;
use clap::builder::StyledStr;

use super::TOPICS;
use super::page::{HEADING, HelpDetail, arguments, global_options, rendered, start};

/// The commands in groups, in the order of the lists.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Translate", &["translate", "doc", "voice", "write"]),
    ("Assets", &["glossary", "style", "tm", "sync"]),
    ("Service", &["langs", "usage", "admin", "api"]),
    ("Tool", &["auth", "config", "sandbox", "cache", "doctor", "completions", "man", "help"]),
];

/// Returns what `tulk` and `tulk -h` print; it fits on a screen.
pub fn short(tree: &Command) -> StyledStr {
    let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let names = |commands: Vec<&Command>| commands.into_iter().map(Command::get_name).collect::<Vec<_>>().join(", ");
    let text = start(tree)
        + &section("Commands", groups(tree).map(|(title, commands)| row(title, names(commands))))
        + &section(
            "Help",
            [
                row("tulk COMMAND -h", "Options and examples of a command".to_owned()),
                row("tulk --help", "All commands with a summary, and the global options".to_owned()),
                row("tulk help TOPIC", topics.join(", ")),
            ],
        );
    text.into()
}

/// Returns what `tulk --help` prints.
pub fn long(tree: &Command) -> StyledStr {
    let own = tree.get_arguments().filter(|arg| !arg.is_global_set()).cloned();
    let options = Command::new("tulk").disable_help_flag(true).disable_version_flag(true).args(own);
    let options = arguments(&options, HelpDetail::Long, |_| true);
    format!("{}\n{options}\n\n{}", list(tree).ansi(), global_options(tree)).into()
}

/// Returns what `tulk help` prints: [`long`] without the options.
pub fn list(tree: &Command) -> StyledStr {
    let groups = groups(tree).map(|(title, commands)| section(title, commands.into_iter().cloned()));
    let topics = TOPICS.iter().map(|topic| row(topic.name, topic.summary.to_owned()));
    let text = start(tree) + &groups.collect::<String>() + &section("Topics (tulk help TOPIC)", topics);
    text.into()
}

/// Returns the commands by group.
pub fn groups(tree: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    let find = |names: &[&str]| names.iter().filter_map(|name| tree.find_subcommand(name)).collect();
    GROUPS.into_iter().map(move |(title, names)| (title, find(names)))
}

fn row(name: &'static str, about: String) -> Command {
    Command::new(name).about(about)
}

/// Returns names with a text each under a heading.
fn section(title: &str, rows: impl IntoIterator<Item = Command>) -> String {
    let rows = rows.into_iter().enumerate().map(|(place, row)| row.display_order(place));
    let rows = rendered(Command::new("tulk").disable_help_subcommand(true).subcommands(rows), "{subcommands}");
    format!("\n{HEADING}{title}:{HEADING:#}\n{rows}\n")
}

/// Returns the commands that are in no group.
#[cfg(test)]
pub fn ungrouped(tree: &Command) -> Vec<String> {
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    tree.get_subcommands().map(|command| command.get_name().to_owned()).filter(|name| !is_grouped(name)).collect()
}
