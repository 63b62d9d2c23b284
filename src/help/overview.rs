//! The help of `tulk` itself: what it is, examples, and the commands in groups.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

use super::TOPICS;
use super::layout::HelpLayout;
use super::page::{GLOBAL_TITLE, HelpPage, HelpRow, HelpSection, command_row};

/// The commands in groups, in the order of the lists.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Translate", &["translate", "doc", "voice", "write"]),
    ("Assets", &["glossary", "style", "tm", "sync"]),
    ("Service", &["langs", "usage", "admin", "api"]),
    ("Tool", &["auth", "config", "sandbox", "cache", "doctor", "completions", "man", "help"]),
];

/// Returns what `tulk` and `tulk -h` print; it fits on a screen.
pub fn short(tree: &Command, layout: HelpLayout) -> StyledStr {
    let page = HelpPage::read(tree, "tulk");
    let mut text = format!("{}\n\n", page.about);
    let start = layout.usage_and_examples(&page.usage, &page.examples);
    let _ = write!(text, "{}", start.ansi());
    let rows = groups(tree).map(|(title, commands)| {
        let names: Vec<&str> = commands.into_iter().map(Command::get_name).collect();
        row(title, &names.join(", "))
    });
    let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let more = vec![
        row("tulk COMMAND -h", "Options and examples of a command"),
        row("tulk --help", "All commands with a summary, and the global options"),
        row("tulk help TOPIC", &topics.join(", ")),
    ];
    let sections = [
        HelpSection { title: "Commands".to_owned(), rows: rows.collect() },
        HelpSection { title: "Help".to_owned(), rows: more },
    ];
    for section in sections {
        text.push_str(&layout.up_to_80().rows(&[section]));
    }
    text.into()
}

/// Returns what `tulk --help` prints.
pub fn long(tree: &Command, layout: HelpLayout) -> StyledStr {
    layout.long(&page(tree))
}

/// Returns what `tulk help` prints: [`long`] without the options.
pub fn list(tree: &Command, layout: HelpLayout) -> StyledStr {
    let mut page = page(tree);
    page.sections.retain(|section| section.title != "Options" && section.title != GLOBAL_TITLE);
    layout.long(&page)
}

/// Returns the help of `tulk` with the commands in groups, and the topics.
pub fn page(tree: &Command) -> HelpPage {
    let mut page = HelpPage::read(tree, "tulk");
    page.sections.retain(|section| section.title != "Commands");
    let groups = groups(tree).map(|(title, commands)| HelpSection {
        title: title.to_owned(),
        rows: commands.into_iter().map(command_row).collect(),
    });
    let topics = TOPICS.iter().map(|topic| row(&format!("help {}", topic.name), topic.summary)).collect();
    let topics = HelpSection { title: "Topics".to_owned(), rows: topics };
    page.sections.splice(0..0, groups.chain([topics]));
    page
}

/// Returns the commands by group.
pub fn groups(tree: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    GROUPS.into_iter().map(|(title, names)| (title, group(tree, names).collect()))
}

fn group<'a>(tree: &'a Command, names: &'a [&str]) -> impl Iterator<Item = &'a Command> {
    names.iter().filter_map(|name| tree.find_subcommand(name))
}

fn row(term: &str, text: &str) -> HelpRow {
    HelpRow { term: term.to_owned(), text: text.to_owned(), values: Vec::new(), is_common: true }
}

/// Returns the commands that are in no group.
#[cfg(test)]
pub fn ungrouped(tree: &Command) -> Vec<String> {
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    tree.get_subcommands().map(|command| command.get_name().to_owned()).filter(|name| !is_grouped(name)).collect()
}
