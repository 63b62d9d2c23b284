//! The topics of `tulk help`: texts that concern several commands, each for 80 columns.

use clap::Command;

use super::columns;
use super::layout::HelpLayout;
use super::page::{HelpSection, arg_row};

/// A help text that concerns several commands.
#[derive(Clone, Copy, Debug)]
pub struct HelpTopic {
    /// The word after `tulk help`.
    pub name: &'static str,
    /// What it is about, in the list of topics.
    pub summary: &'static str,
    /// Returns the text, with styles. It is made from the tree of commands as far as that has it.
    pub text: fn(&Command) -> String,
}

/// All topics, in the order of the list.
pub const TOPICS: &[HelpTopic] = &[
    HelpTopic { name: "global", summary: "Options of every command", text: global },
    HelpTopic {
        name: "environment",
        summary: "Environment variables",
        text: |_| include_str!("environment.txt").to_owned(),
    },
    HelpTopic { name: "formats", summary: "Output formats, and the columns of each command", text: formats },
    HelpTopic {
        name: "exit-codes",
        summary: "What the exit codes mean",
        text: |_| include_str!("exit-codes.txt").to_owned(),
    },
    HelpTopic {
        name: "files",
        summary: "Settings, keys and state on this machine",
        text: |_| include_str!("files.txt").to_owned(),
    },
    HelpTopic {
        name: "sandbox",
        summary: "How to try and test without an account",
        text: |_| include_str!("sandbox.txt").to_owned(),
    },
];

fn formats(tree: &Command) -> String {
    format!("{}\nColumns\n{}", include_str!("formats.txt"), columns::list(tree))
}

/// Returns the global options by heading, as they are declared.
fn global(tree: &Command) -> String {
    let mut text =
        "These options work with every command that has a use for them, before and after its name.\n".to_owned();
    text = super::layout::wrap(&text, 80).join("\n") + "\n";
    text.push_str(&HelpLayout::new(80).rows(&global_sections(tree)));
    text.push_str("\nSome have environment variables: tulk help environment\n");
    text
}

/// Returns the global options of the tree under their headings.
pub fn global_sections(tree: &Command) -> Vec<HelpSection> {
    let mut sections: Vec<HelpSection> = Vec::new();
    for arg in tree.get_arguments().filter(|arg| arg.is_global_set() && !arg.is_hide_set()) {
        let title = arg.get_help_heading().unwrap_or("Options");
        match sections.iter_mut().find(|section| section.title == title) {
            Some(section) => section.rows.push(arg_row(arg)),
            None => sections.push(HelpSection { title: title.to_owned(), rows: vec![arg_row(arg)] }),
        }
    }
    sections
}
