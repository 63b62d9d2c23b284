//! The lines of an entry: where it begins and ends with its comments.
//!
//! Input: the text and its tree. Output: bytes, notes and indentations.

use std::ops::Range;

use super::parse::{YamlEntry, YamlNode, YamlShape, YamlTree};
use crate::edit::{line_end, line_start, next_line};

/// An entry and the place around it.
#[derive(Clone, Debug)]
pub(super) struct YamlPlace {
    /// The entry itself: key and value.
    pub own: Range<usize>,
    /// Its lines with the comments above; the entry alone if it shares its first line.
    pub lines: Range<usize>,
    /// Whether its first line holds something else before it.
    pub is_compact: bool,
}

/// Returns the place of an entry of a map or list.
pub(super) fn place(text: &str, tree: &YamlTree<'_>, node: &YamlNode<'_>, entry: &YamlEntry) -> YamlPlace {
    let value_end = tree.nodes.get(entry.value).map_or(0, |value| value.end);
    let end = value_end.max(entry.key.end).max(entry.value_at.unwrap_or(0));
    let own = entry.start..end;
    let is_compact = !starts_line(text, entry);
    if node.is_flow {
        return YamlPlace { lines: own.clone(), own, is_compact };
    }
    let start = if is_compact { entry.start } else { comments_start(text, entry) };
    YamlPlace { own, lines: start..next_line(text, end), is_compact }
}

/// Returns whether only blanks stand before an entry in its line.
fn starts_line(text: &str, entry: &YamlEntry) -> bool {
    let before = text.get(entry.low..entry.start).unwrap_or_default();
    let blanks = before.trim_end_matches([' ', '\t']);
    blanks.ends_with('\n') || blanks.is_empty() && entry.low == 0
}

/// Returns spaces, as many as the column of an entry.
pub(super) fn indentation(text: &str, entry: &YamlEntry) -> String {
    " ".repeat(before_in_line(text, entry).chars().count())
}

/// Returns the blanks before an entry in brackets, as many as its column. Tabs stay tabs, which only brackets allow.
pub(super) fn indentation_in_brackets(text: &str, entry: &YamlEntry) -> String {
    before_in_line(text, entry).chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
}

fn before_in_line<'t>(text: &'t str, entry: &YamlEntry) -> &'t str {
    text.get(line_start(text, entry.start)..entry.start).unwrap_or_default()
}

/// Returns where the comments begin that stand directly above an entry, as far indented as it is; else its own line.
fn comments_start(text: &str, entry: &YamlEntry) -> usize {
    let mut start = line_start(text, entry.start);
    let indent = text.get(start..entry.start).unwrap_or_default();
    while start > entry.low {
        let above = line_start(text, start - 1);
        let line = text.get(above..start).unwrap_or_default();
        if above < entry.low || !line.strip_prefix(indent).is_some_and(|line| line.starts_with('#')) {
            break;
        }
        start = above;
    }
    start
}

/// Returns the comment behind a value in its line.
fn comment_behind<'t>(text: &'t str, node: &YamlNode<'_>, in_flow: bool) -> Option<&'t str> {
    let end = match node.shape {
        YamlShape::Scalar(style)
            if style == granit_parser::ScalarStyle::Literal || style == granit_parser::ScalarStyle::Folded =>
        {
            super::block::header(text, node.start).end
        }
        _ => node.end,
    };
    let rest = text.get(end..)?;
    let blanks = |text: &'t str| text.trim_start_matches([' ', '\t']);
    let mut after = blanks(rest);
    if in_flow {
        after = after.strip_prefix(',').map_or(after, blanks);
    }
    let is_separate = after.len() < rest.len();
    (is_separate && after.starts_with('#')).then(|| after.get(1..line_end(after, 0)).unwrap_or_default())
}

/// Returns the comments above a leaf and behind it.
pub(super) fn note(text: &str, tree: &YamlTree<'_>, node: &YamlNode<'_>) -> Option<String> {
    let (parent, position) = node.parent?;
    let parent = tree.nodes.get(parent)?;
    let entry = parent.entries.get(position)?;
    let above =
        if starts_line(text, entry) { comments_start(text, entry)..line_start(text, entry.start) } else { 0..0 };
    let lines = text.get(above).unwrap_or_default().lines().map(|line| line.trim_start().trim_start_matches('#'));
    let lines: Vec<&str> = lines
        .chain(comment_behind(text, node, parent.is_flow))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
