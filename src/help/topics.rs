//! The topics of `tulk help`: texts that concern several commands, wrapped at 80 columns.

use clap::{Arg, Command};
use indexmap::IndexSet;

use super::overview;
use super::page::arguments;
use crate::command::{CommandSpec, PrintedColumns};
use crate::output::{Column, wrap};

#[derive(Clone, Copy, Debug)]
pub struct HelpTopic {
    /// Word after `tulk help`.
    pub name: &'static str,
    pub summary: &'static str,
    /// Returns the styled text, which is generated from the command tree where possible.
    pub text: fn(&Command) -> String,
}

/// All topics, in the order in which they are listed.
pub const TOPICS: &[HelpTopic] = &[
    HelpTopic { name: "options", summary: "Options of every command", text: options },
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
    format!("{}\nColumns\n{}", include_str!("formats.txt"), list(tree))
}

/// `global` is the old name of `options`.
pub fn find_topic(name: &str) -> Option<&'static HelpTopic> {
    let name = if name == "global" { "options" } else { name };
    TOPICS.iter().find(|topic| topic.name == name)
}

fn options(tree: &Command) -> String {
    let options = arguments(&tree.clone().term_width(80), Arg::is_global_set);
    // The help also lists the commands; omit them.
    let options = options.split_once("\n\n").map_or("", |(_commands, options)| options);
    format!(
        "Every command that has a use for these options accepts them, before or after\nits name.\n\n{options}\n\n\
         Some have environment variables: tulk help environment\n"
    )
}

/// Width of the first column of the list, including at least two spaces at the end.
const INDENT: usize = 18;
const WIDTH: usize = 78;

/// Commands that print the same columns.
struct ColumnsEntry {
    /// Words that their names share, such as `glossary` or `voice terms`.
    group: String,
    names: Vec<String>,
    printed: PrintedColumns,
}

/// Returns the list of columns: one paragraph for all commands of a group that print the same ones. The tree must be built.
pub fn list(tree: &Command) -> String {
    let mut entries = Vec::new();
    for command in overview::groups(tree).flat_map(|(_, commands)| commands) {
        collect(command, "", &mut entries);
    }
    entries.iter().map(paragraph).collect()
}

fn collect(command: &Command, group: &str, entries: &mut Vec<ColumnsEntry>) {
    let name = command.get_name();
    for printed in CommandSpec::of(command).into_iter().flat_map(CommandSpec::printed_columns) {
        let is_same = |entry: &&mut ColumnsEntry| entry.group == group && are_same_columns(&entry.printed, printed);
        match entries.iter_mut().find(is_same) {
            Some(entry) => entry.names.push(name.to_owned()),
            None => {
                entries.push(ColumnsEntry { group: group.to_owned(), names: vec![name.to_owned()], printed: *printed });
            }
        }
    }
    let group = format!("{group} {name}").trim_start().to_owned();
    command.get_subcommands().for_each(|subcommand| collect(subcommand, &group, entries));
}

fn are_same_columns(one: &PrintedColumns, other: &PrintedColumns) -> bool {
    let names = |printed: &PrintedColumns| printed.columns.iter().map(Column::as_str).collect::<Vec<_>>();
    (one.flags, one.note) == (other.flags, other.note) && names(one) == names(other)
}

fn paragraph(entry: &ColumnsEntry) -> String {
    let PrintedColumns { flags, columns, note } = entry.printed;
    let start = format!("{} {} {flags}", entry.group, entry.names.join(", ")).trim().to_owned();
    let start = if start.len() + 2 > INDENT { format!("{start}\n{:INDENT$}", "") } else { format!("{start:INDENT$}") };
    let names = columns.iter().map(Column::as_str).collect::<Vec<_>>().join(" ");
    let words = if note.is_empty() { names } else { format!("{names}; {note}") };
    start + &wrap(&words, WIDTH - INDENT).join(&format!("\n{:INDENT$}", "")) + "\n"
}

/// Returns all columns that a command can print, whatever its flags.
pub fn columns_of(command: &Command) -> Vec<&'static str> {
    let printed = CommandSpec::of(command).into_iter().flat_map(CommandSpec::printed_columns);
    let names = printed.flat_map(|printed| printed.columns).map(Column::as_str);
    names.collect::<IndexSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(names: &[&str], columns: &'static [Column], note: &'static str) -> ColumnsEntry {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        ColumnsEntry { group: "glossary".to_owned(), names, printed: PrintedColumns { flags: "", columns, note } }
    }

    #[test]
    fn aligns_the_columns() {
        assert_eq!(
            paragraph(&entry(&["v2"], const { &[Column::id("id"), Column::name("name")] }, "")),
            "glossary v2       id name\n"
        );
    }

    #[test]
    fn wraps_long_lists_and_adds_the_note() {
        let columns = const {
            &[
                Column::id("first_column"),
                Column::text("second_column"),
                Column::text("third_column"),
                Column::text("fourth_column"),
            ]
        };
        let expected = "\
glossary list, show
                  first_column second_column third_column fourth_column; with
                  a note
";
        assert_eq!(paragraph(&entry(&["list", "show"], columns, "with a note")), expected);
    }
}
