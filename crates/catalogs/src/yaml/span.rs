//! The extent of an entry: its lines and comments.

use std::ops::Range;

use super::parse::{YamlEntry, YamlNode, YamlShape, YamlTree};
use crate::edit::{line_end, line_start, next_line};

#[derive(Clone, Debug)]
pub(super) struct YamlEntrySpan {
    pub range: Range<usize>,
    /// The complete lines, with the comments above. Starts at the entry if it is compact. In brackets, the same as `range`.
    pub lines: Range<usize>,
    /// Whether other text precedes the entry on its first line.
    pub is_compact: bool,
}

pub(super) fn entry_span(text: &str, tree: &YamlTree<'_>, node: &YamlNode<'_>, entry: &YamlEntry) -> YamlEntrySpan {
    let value_end = tree.nodes.get(entry.value).map_or(0, |value| value.end);
    let end = value_end.max(entry.key.end).max(entry.value_at.unwrap_or(0));
    let range = entry.start..end;
    let is_compact = !starts_line(text, entry);
    if node.is_flow {
        return YamlEntrySpan { lines: range.clone(), range, is_compact };
    }
    let start = if is_compact { entry.start } else { comments_start(text, entry) };
    YamlEntrySpan { range, lines: start..next_line(text, end), is_compact }
}

fn starts_line(text: &str, entry: &YamlEntry) -> bool {
    let before = text.get(entry.previous_end..entry.start).unwrap_or_default();
    let blanks = before.trim_end_matches([' ', '\t']);
    blanks.ends_with('\n') || blanks.is_empty() && entry.previous_end == 0
}

/// Returns as many spaces as the column of the entry.
pub(super) fn indentation(text: &str, entry: &YamlEntry) -> String {
    " ".repeat(before_in_line(text, entry).chars().count())
}

/// Tabs stay tabs, which YAML allows only in brackets.
pub(super) fn indentation_in_brackets(text: &str, entry: &YamlEntry) -> String {
    before_in_line(text, entry).chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
}

fn before_in_line<'t>(text: &'t str, entry: &YamlEntry) -> &'t str {
    text.get(line_start(text, entry.start)..entry.start).unwrap_or_default()
}

/// Returns the start of the comments directly above with the same indentation, or else of the line.
fn comments_start(text: &str, entry: &YamlEntry) -> usize {
    let mut start = line_start(text, entry.start);
    let indent = text.get(start..entry.start).unwrap_or_default();
    while start > entry.previous_end {
        let above = line_start(text, start - 1);
        let line = text.get(above..start).unwrap_or_default();
        if above < entry.previous_end || !line.strip_prefix(indent).is_some_and(|line| line.starts_with('#')) {
            break;
        }
        start = above;
    }
    start
}

/// Returns the comment on the same line.
fn comment_after<'t>(text: &'t str, node: &YamlNode<'_>, in_flow: bool) -> Option<&'t str> {
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

/// Joins the comments above and after a leaf.
pub(super) fn note(text: &str, tree: &YamlTree<'_>, node: &YamlNode<'_>) -> Option<String> {
    let (parent, position) = node.parent?;
    let parent = tree.nodes.get(parent)?;
    let entry = parent.entries.get(position)?;
    let above =
        if starts_line(text, entry) { comments_start(text, entry)..line_start(text, entry.start) } else { 0..0 };
    let lines = text.get(above).unwrap_or_default().lines().map(|line| line.trim_start().trim_start_matches('#'));
    let lines: Vec<&str> =
        lines.chain(comment_after(text, node, parent.is_flow)).map(str::trim).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
