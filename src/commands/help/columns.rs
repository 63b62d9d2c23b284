//! The list of columns in `tulk help formats`, from the columns that the command groups declare.

use crate::commands;
use crate::output::{Column, CommandColumns};

/// The columns of each group, in the order of the list.
const GROUPS: &[&[CommandColumns]] = &[
    commands::translate::COLUMNS,
    commands::write::COLUMNS,
    commands::doc::COLUMNS,
    commands::voice::COLUMNS,
    commands::voice::TERMS_COLUMNS,
    commands::glossary::COLUMNS,
    commands::style::COLUMNS,
    commands::style::RULES_COLUMNS,
    commands::tm::COLUMNS,
    commands::sync::COLUMNS,
    commands::langs::COLUMNS,
    commands::usage::COLUMNS,
    commands::admin::COLUMNS,
    commands::auth::COLUMNS,
    commands::config::COLUMNS,
    #[cfg(feature = "sandbox")]
    commands::sandbox::COLUMNS,
    commands::cache::COLUMNS,
    commands::doctor::COLUMNS,
];

/// Returns whether a command such as `glossary list` has columns.
pub fn has(command: &str) -> bool {
    GROUPS.iter().flat_map(|group| group.iter()).any(|entry| names(entry.commands).any(|name| name == command))
}

/// Expands `glossary list, show` to `glossary list` and `glossary show`. Flags are left out.
fn names(commands: &str) -> impl Iterator<Item = String> {
    let without_flags = |name: &str| name.split(" --").next().unwrap_or_default().to_owned();
    let mut parts = commands.split(", ");
    let first = without_flags(parts.next().unwrap_or_default());
    let group = first.rsplit_once(' ').map(|(group, _)| group.to_owned()).unwrap_or_default();
    std::iter::once(first).chain(parts.map(move |name| without_flags(&format!("{group} {name}"))))
}

/// Width of the first column of the list, with at least two spaces at the end.
const INDENT: usize = 18;
/// Maximum width of a line.
const WIDTH: usize = 78;

/// Returns one paragraph per entry: the commands, then their columns.
pub fn list() -> String {
    GROUPS.iter().flat_map(|group| group.iter()).map(paragraph).collect()
}

/// Returns the columns of a command, such as `glossary list`.
pub fn columns_of(command: &str) -> Vec<&'static str> {
    let entry = GROUPS
        .iter()
        .flat_map(|group| group.iter())
        .find(|entry| commands_of(entry.commands).any(|one| one == command));
    entry.into_iter().flat_map(|entry| entry.columns.iter().map(Column::as_str)).collect()
}

/// Returns the commands of an entry: `glossary list, show` stands for `glossary list` and `glossary show`.
fn commands_of(entry: &str) -> impl Iterator<Item = String> {
    let group = entry.split(',').next().and_then(|first| first.rsplit_once(' ')).map_or("", |(group, _)| group);
    entry
        .split(", ")
        .map(move |one| if one.contains(' ') || group.is_empty() { one.to_owned() } else { format!("{group} {one}") })
}

fn paragraph(entry: &CommandColumns) -> String {
    let mut text = entry.commands.to_owned();
    let mut line_len = text.len();
    if line_len + 2 > INDENT {
        text.push('\n');
        line_len = 0;
    }
    text.push_str(&" ".repeat(INDENT - line_len));
    line_len = INDENT;
    let last = entry.columns.len().saturating_sub(1);
    let mut words: Vec<String> = entry.columns.iter().map(|column| column.as_str().to_owned()).collect();
    if !entry.note.is_empty() {
        if let Some(word) = words.get_mut(last) {
            word.push(';');
        }
        words.extend(entry.note.split(' ').map(str::to_owned));
    }
    for (i, word) in words.iter().enumerate() {
        if line_len + word.len() + usize::from(i > 0) > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(INDENT));
            line_len = INDENT;
        } else if i > 0 {
            text.push(' ');
            line_len += 1;
        }
        text.push_str(word);
        line_len += word.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Column;

    #[test]
    fn aligns_the_columns() {
        assert_eq!(
            paragraph(&CommandColumns::new("langs v2", const { &[Column::id("id"), Column::name("name")] })),
            "langs v2          id name\n"
        );
    }

    #[test]
    fn knows_which_commands_have_columns() {
        for command in ["translate", "write correct", "admin usage", "glossary show", "glossary v2 create", "usage"] {
            assert!(has(command), "{command}");
        }
        for command in ["glossary delete", "completions", "glossary"] {
            assert!(!has(command), "{command}");
        }
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
        let entry = CommandColumns::new("glossary list, show", columns).note("with a note");
        let expected = "\
glossary list, show
                  first_column second_column third_column fourth_column; with
                  a note
";
        assert_eq!(paragraph(&entry), expected);
    }
}
