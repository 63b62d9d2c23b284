//! What improving changed: word by word for people, as a unified diff for tools, or the names alone.

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use super::TextArgs;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Row, TextStyle, escape_terminal};

/// Lines around a change in a unified diff.
const CONTEXT: usize = 3;

/// An input with its improvement.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The input: a file, `stdin`, or `TEXT n`.
    pub(super) name: String,
    /// As it is.
    pub(super) old: String,
    /// As it would be.
    pub(super) new: String,
}

impl Change {
    /// Whether anything changed.
    pub(super) fn is_one(&self) -> bool {
        self.old != self.new
    }
}

/// An input that would change, as `--check` lists it.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Named {
    input: String,
}

impl Row for Named {
    const COLUMNS: &'static [&'static str] = &["input"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.input)]
    }
}

/// Prints the diffs, or the names of what would change.
pub(super) fn show(ctx: &Context, args: &TextArgs, form: OutputFormat, changes: &[Change]) -> Result<(), Failure> {
    if args.diff {
        for change in changes {
            if ctx.out.settings().stdout_is_terminal() {
                ctx.out.stdout().write(words(change, ctx.out.settings().color_stdout()).as_bytes())?;
            } else {
                ctx.out.stdout().write(unified(change).as_bytes())?;
            }
        }
        return Ok(());
    }
    if form == OutputFormat::Text {
        return changes.iter().try_for_each(|change| ctx.out.text(format!("{}\n", change.name)));
    }
    let named = changes.iter().map(|change| Kept::made(Named { input: change.name.clone() }));
    ctx.out.list(&named.collect::<Result<Vec<_>, _>>()?)
}

/// A diff that `patch` takes.
fn unified(change: &Change) -> String {
    let diff = TextDiff::from_lines(&change.old, &change.new);
    diff.unified_diff().context_radius(CONTEXT).header(&change.name, &change.name).to_string()
}

/// The text with words taken away and added marked: by colour, or by brackets where there is none.
fn words(change: &Change, color: bool) -> String {
    let diff = TextDiff::from_words(&change.old, &change.new);
    let mut text = format!("{}\n", TextStyle::Bold.paint(&escape_terminal(&change.name), color));
    for op in diff.ops() {
        for part in diff.iter_changes(op) {
            let value = escape_terminal(part.value());
            match (part.tag(), color) {
                (ChangeTag::Equal, _) => text.push_str(&value),
                (ChangeTag::Delete, true) => text.push_str(&TextStyle::Red.paint(&value, true)),
                (ChangeTag::Insert, true) => text.push_str(&TextStyle::Green.paint(&value, true)),
                (ChangeTag::Delete, false) => text.extend(["[-", &value, "-]"]),
                (ChangeTag::Insert, false) => text.extend(["{+", &value, "+}"]),
            }
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(old: &str, new: &str) -> Change {
        Change { name: "a.txt".into(), old: old.into(), new: new.into() }
    }

    #[test]
    fn a_unified_diff_has_names_and_hunks() {
        assert_eq!(
            unified(&change("one\ntow\n", "one\ntwo\n")),
            "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-tow\n+two\n"
        );
        assert!(unified(&change("a", "b")).contains("\\ No newline at end of file"));
        assert_eq!(unified(&change("a\n", "a\n")), "");
    }

    #[test]
    fn words_are_marked_by_colour_or_brackets() {
        let change = change("we was late\n", "we were late\n");
        assert_eq!(words(&change, false), "a.txt\nwe [-was-]{+were+} late\n");
        let red_green = "\u{1b}[1ma.txt\u{1b}[0m\nwe \u{1b}[1;31mwas\u{1b}[0m\u{1b}[32mwere\u{1b}[0m late\n";
        assert_eq!(words(&change, true), red_green);
    }

    #[test]
    fn escapes_what_a_terminal_would_obey() {
        assert!(!words(&change("a \u{1b}[2J\n", "b\n"), false).contains('\u{1b}'));
    }
}
