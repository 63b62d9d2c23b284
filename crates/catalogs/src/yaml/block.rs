//! Block scalars (`|` and `>`): their extent, and how to write another text in them.

use std::ops::Range;

use granit_parser::ScalarStyle;

use super::parse::{YamlNode, YamlShape, skip_blank};
use super::scalar::{double_quoted, needs_escape};
use crate::Edit;
use crate::edit::{line_end, next_line};

/// In characters, for wrapping folded texts.
const MIN_WIDTH: usize = 40;

/// Returns the range of the header, such as `|-`, of a block scalar. `start` is the position of its tag, its anchor or the header.
pub(super) fn header(text: &str, start: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let word_end = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        rest.iter().position(u8::is_ascii_whitespace).map_or(text.len(), |length| at + length)
    };
    let mut at = start;
    while matches!(bytes.get(at), Some(b'&' | b'!')) {
        at = skip_blank(text, word_end(at));
    }
    at..word_end(at)
}

/// Excludes the last line ending. Trailing blank lines are included only if they are part of the text.
pub(super) fn content_end(text: &str, start: usize, span: &Range<usize>, value: &str) -> usize {
    let header = header(text, start);
    if span.is_empty() {
        return line_end(text, header.end);
    }
    let keeps = text.get(header).is_some_and(|header| header.contains('+'));
    let all = text.get(span.clone()).unwrap_or_default();
    if keeps || value.trim_end_matches('\n').ends_with([' ', '\t']) {
        // The whitespace before the next token is not part of the text.
        let all = if span.end < text.len() { all.trim_end_matches([' ', '\t']) } else { all };
        let all = all.strip_suffix('\n').unwrap_or(all);
        return span.start + all.strip_suffix('\r').unwrap_or(all).len();
    }
    span.start + all.trim_end_matches([' ', '\t', '\r', '\n']).len()
}

pub(super) fn set_block(text: &str, node: &YamlNode<'_>, new: &str, newline: &str) -> Vec<Edit> {
    let header = header(text, node.start);
    let lines = next_line(text, header.end)..node.end;
    if let Some(written) = block_lines(text, node, &header, &lines, new, newline) {
        return vec![Edit::replace(lines, written)];
    }
    let quoted = Edit::replace(header.clone(), double_quoted(new));
    let end = line_end(text, header.end);
    if end < lines.end { vec![quoted, Edit::remove(end..lines.end)] } else { vec![quoted] }
}

/// Excludes the last line ending; `None` if the block style cannot hold the text.
fn block_lines(
    text: &str,
    node: &YamlNode<'_>,
    header: &Range<usize>,
    lines: &Range<usize>,
    new: &str,
    newline: &str,
) -> Option<String> {
    let header = text.get(header.clone())?;
    let body = new.trim_end_matches('\n');
    let ends = new.len() - body.len();
    let chomps = match (header.contains('-'), header.contains('+')) {
        (true, _) => ends == 0,
        (_, true) => ends > 0,
        _ => ends == 1,
    };
    let old_is_blank = node.text.trim_matches([' ', '\t', '\n']).is_empty();
    if !chomps || old_is_blank || body.is_empty() || body.starts_with('\n') {
        return None;
    }
    if body.contains(|c: char| c != '\n' && c != '\t' && needs_escape(c)) {
        return None;
    }
    let is_folded = node.shape == YamlShape::Scalar(ScalarStyle::Folded);
    let has_indicator = header.contains(|c: char| c.is_ascii_digit());
    let mut body_lines = body.split('\n').enumerate();
    let fits = body_lines.all(|(number, line)| {
        let is_indented = line.starts_with([' ', '\t']);
        let is_blank = line.trim_matches([' ', '\t']).is_empty();
        !(is_indented && (is_folded || is_blank || number == 0 && !has_indicator) || line.ends_with([' ', '\t']))
    });
    if !fits {
        return None;
    }
    let indent = indentation(text, lines, &node.text)?;
    let folded;
    let body = if is_folded {
        folded = fold(text.get(lines.clone())?, body);
        folded.as_str()
    } else {
        body
    };
    let mut out = String::with_capacity(body.len());
    for (number, line) in body.split('\n').enumerate() {
        if number > 0 {
            out.push_str(newline);
        }
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
    }
    out.extend((1..ends).map(|_| newline));
    Some(out)
}

/// Returns the spaces of the first line that are not part of the text.
fn indentation<'t>(text: &'t str, lines: &Range<usize>, value: &str) -> Option<&'t str> {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let has_text = |line: &&str| !line.trim_matches([' ', '\t', '\r']).is_empty();
    let source = text.get(lines.clone())?.split('\n').find(has_text)?;
    let decoded = value.split('\n').find(has_text)?;
    source.get(..blanks(source).checked_sub(blanks(decoded))?)
}

/// Breaks a text into lines as wide as the old ones, which YAML joins with spaces again.
fn fold(old: &str, body: &str) -> String {
    let width = old.lines().map(|line| line.trim().chars().count()).max().unwrap_or(0).max(MIN_WIDTH);
    let mut out = String::with_capacity(body.len() + body.len() / MIN_WIDTH);
    let mut is_blank = true;
    for (number, line) in body.split('\n').enumerate() {
        if number > 0 {
            // YAML reads one line ending as a space, and each further one as a line feed.
            out.push_str(if is_blank { "\n" } else { "\n\n" });
        }
        is_blank = line.is_empty();
        let (mut used, mut follows_word) = (0, false);
        for (position, word) in line.split(' ').enumerate() {
            let length = word.chars().count();
            if position > 0 {
                // Only a single space between words may become a line ending.
                let breaks = follows_word && length > 0 && used + 1 + length > width;
                out.push(if breaks { '\n' } else { ' ' });
                used = if breaks { 0 } else { used + 1 };
            }
            out.push_str(word);
            used += length;
            follows_word = length > 0;
        }
    }
    out
}
