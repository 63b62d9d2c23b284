//! Shows changes: word by word for people, as a unified diff for tools, or only the names of changed inputs.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, DiffTag, TextDiff};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;

use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Annotation, AnnotationLevel, Column, Row, TextStyle, escape_terminal};

const CONTEXT_LINES: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct TextChange {
    /// A file, `stdin`, or `TEXT n`.
    pub(super) name: String,
    /// `None` for stdin and arguments.
    pub(super) file: Option<PathBuf>,
    /// The file that `--interactive` writes; `None` for stdout.
    pub(super) output: Option<PathBuf>,
    pub(super) old: String,
    pub(super) new: String,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct ChangedInput {
    input: String,
}

impl Row for ChangedInput {
    const COLUMNS: &'static [Column] = &[Column::path("input")];
}

pub(super) fn print(ctx: &Context, changes: &[TextChange]) -> Result<(), Failure> {
    for change in changes {
        if ctx.out.settings().stdout_is_terminal {
            ctx.out.stdout().write(word_diff(change, ctx.out.settings().color_stdout).as_bytes())?;
        } else {
            ctx.out.stdout().write(unified_diff(change).as_bytes())?;
        }
    }
    Ok(())
}

pub(super) fn print_names(ctx: &Context, format: OutputFormat, changes: &[TextChange]) -> Result<(), Failure> {
    if format == OutputFormat::Github {
        let annotations: Vec<Annotation> = changes.iter().flat_map(annotations).collect();
        return ctx.out.annotations(&annotations);
    }
    if format == OutputFormat::Text {
        return changes.iter().try_for_each(|change| ctx.out.text(format!("{}\n", change.name)));
    }
    let inputs = changes.iter().map(|change| WithRaw::from_typed(ChangedInput { input: change.name.clone() }));
    ctx.out.list(&inputs.collect::<Result<Vec<_>, _>>()?)
}

/// Returns one annotation per group of changed lines.
fn annotations(change: &TextChange) -> Vec<Annotation> {
    let diff = TextDiff::from_lines(&change.old, &change.new);
    let new: Vec<&str> = change.new.split_inclusive('\n').collect();
    let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    changed
        .map(|op| {
            let lines = new.get(op.new_range()).unwrap_or_default().concat();
            let lines = lines.trim_end_matches('\n');
            let message = if lines.is_empty() { "remove this".to_owned() } else { format!("change to: {lines}") };
            Annotation {
                level: AnnotationLevel::Warning,
                file: change.file.clone(),
                line: change.file.as_ref().and_then(|_| u32::try_from(op.old_range().start + 1).ok()),
                column: None,
                title: format!("{} would change", change.name),
                message,
            }
        })
        .collect()
}

fn unified_diff(change: &TextChange) -> String {
    let diff = TextDiff::from_lines(&change.old, &change.new);
    diff.unified_diff().context_radius(CONTEXT_LINES).header(&change.name, &change.name).to_string()
}

/// Marks removed and added words with colours, or with brackets if there is no colour.
fn word_diff(change: &TextChange, color: bool) -> String {
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

    fn change(old: &str, new: &str) -> TextChange {
        TextChange { name: "a.txt".into(), file: None, output: None, old: old.into(), new: new.into() }
    }

    #[test]
    fn a_unified_diff_has_names_and_hunks() {
        assert_eq!(
            unified_diff(&change("one\ntow\n", "one\ntwo\n")),
            "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-tow\n+two\n"
        );
        assert!(unified_diff(&change("a", "b")).contains("\\ No newline at end of file"));
        assert_eq!(unified_diff(&change("a\n", "a\n")), "");
    }

    #[test]
    fn words_are_marked_in_colour_or_brackets() {
        let change = change("we was late\n", "we were late\n");
        assert_eq!(word_diff(&change, false), "a.txt\nwe [-was-]{+were+} late\n");
        let red_green = "\u{1b}[1ma.txt\u{1b}[0m\nwe \u{1b}[1;31mwas\u{1b}[0m\u{1b}[32mwere\u{1b}[0m late\n";
        assert_eq!(word_diff(&change, true), red_green);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert!(!word_diff(&change("a \u{1b}[2J\n", "b\n"), false).contains('\u{1b}'));
    }
}
