//! The text between the members of an object or list: commas, and comments, each with the member that it belongs to.

use std::ops::Range;

use super::node::JsonNode;

#[derive(Debug, Default)]
pub struct JsonGap {
    pub comma: Option<usize>,
    /// Comments of the previous member: after it on the same line.
    pub trailing: Vec<Range<usize>>,
    /// Comments of the next member: directly above it, or before it on the same line.
    pub leading: Vec<Range<usize>>,
    /// Whether there are comments that belong to neither member.
    pub has_loose_comments: bool,
    /// The position of the first line break outside of comments.
    pub line_break: Option<usize>,
    last_break: usize,
}

struct FoundComment {
    span: Range<usize>,
    after_break: bool,
    after_comma: bool,
}

impl JsonGap {
    /// `position` may be the number of members, for the text before the closing bracket.
    pub fn before(text: &str, container: &JsonNode<'_>, position: usize) -> Self {
        let members = container.members();
        let previous = position.checked_sub(1).and_then(|before| members.get(before));
        let next = members.get(position);
        let from = previous.map_or(container.span.start + 1, |member| member.node.span.end);
        let to = next.map_or(container.span.end.saturating_sub(1), |member| member.name_span.start);
        let mut gap = Self::default();
        let found = gap.scan(text.as_bytes(), from, to);
        if !found.is_empty() {
            gap.assign_comments(text, found, (previous.is_some(), next.is_some()), to);
        }
        gap
    }

    /// Records the comma and the line breaks, and returns the comments.
    fn scan(&mut self, bytes: &[u8], from: usize, to: usize) -> Vec<FoundComment> {
        let mut found = Vec::new();
        let mut at = from;
        let mut after_break = false;
        while at < to {
            match bytes.get(at) {
                Some(b'\n' | b'\r') => {
                    self.line_break.get_or_insert(at);
                    self.last_break = at;
                    after_break = true;
                }
                Some(b',') => {
                    self.comma = Some(at);
                    after_break = false;
                }
                Some(b'/') => {
                    let end = comment_end(bytes, at, to);
                    found.push(FoundComment { span: at..end, after_break, after_comma: self.comma.is_some() });
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    fn assign_comments(&mut self, text: &str, found: Vec<FoundComment>, (previous, next): (bool, bool), to: usize) {
        let mut others = Vec::new();
        for FoundComment { span, after_break, after_comma } in found {
            let is_at_line_end = self.last_break >= span.end;
            let is_before_comma = previous && !after_comma;
            let is_behind = !after_break && (is_at_line_end || is_before_comma);
            if is_behind && previous {
                self.trailing.push(span);
            } else if is_behind || is_before_comma {
                self.has_loose_comments = true;
            } else {
                others.push(span);
            }
        }
        let mut lead = to;
        while next && let Some(comment) = others.pop() {
            if line_breaks(text.get(comment.end..lead).unwrap_or_default()) > 1 {
                others.push(comment);
                break;
            }
            lead = comment.start;
            self.leading.push(comment);
        }
        self.leading.reverse();
        self.has_loose_comments |= !others.is_empty();
    }
}

/// Excludes the line break after a line comment.
fn comment_end(bytes: &[u8], at: usize, to: usize) -> usize {
    let rest = bytes.get(at + 2..to).unwrap_or_default();
    if bytes.get(at + 1) == Some(&b'/') {
        memchr::memchr2(b'\n', b'\r', rest).map_or(to, |end| at + 2 + end)
    } else {
        memchr::memmem::find(rest, b"*/").map_or(to, |end| at + 2 + end + 2)
    }
}

/// CRLF counts as one.
fn line_breaks(text: &str) -> usize {
    let bytes = text.as_bytes();
    let lone = |(at, byte): (usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    bytes.iter().enumerate().filter(|found| lone(*found)).count()
}

/// Returns comments without their markers, line by line.
pub fn comments_to_note<'t>(comments: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut note = String::new();
    for comment in comments {
        for line in comment_lines(comment) {
            if !note.is_empty() {
                note.push('\n');
            }
            note.push_str(line);
        }
    }
    (!note.is_empty()).then_some(note)
}

fn comment_lines(comment: &str) -> impl Iterator<Item = &str> {
    let is_block = comment.starts_with("/*");
    let text = comment.trim_start_matches('/');
    let text = if is_block { text.strip_suffix("*/").unwrap_or(text) } else { text };
    let lines = text.lines().map(move |line| {
        let line = line.trim();
        if is_block { line.trim_start_matches('*').trim_start() } else { line }
    });
    lines.filter(|line| !line.is_empty())
}

pub fn inner_comments(text: &str, name_end: usize, value_start: usize) -> Vec<Range<usize>> {
    let mut gap = JsonGap::default();
    gap.scan(text.as_bytes(), name_end, value_start).into_iter().map(|comment| comment.span).collect()
}
