//! Converts Fluent patterns to texts without indentation, and texts to the lines of a pattern.
//!
//! Placeables stay as written, except those that only escape a character, such as `{"["}`, which are decoded. `{"{"}` and
//! `{"}"}` are decoded only if the braces do not form a new placeable in the text.

use std::collections::HashSet;
use std::ops::Range;

use super::scan::{FtlScanner, ScannedPart, ScannedPattern};

#[derive(Debug)]
pub(crate) enum PatternPiece<'p> {
    Text(String),
    Placeable(&'p ScannedPart),
}

/// Returns the text of a placeable that only escapes spaces or a special character other than a brace.
fn escaped_text(placeable: &str) -> Option<&str> {
    let literal = placeable.strip_prefix('{')?.strip_suffix('}')?.trim_matches(' ');
    let value = literal.strip_prefix('"')?.strip_suffix('"')?;
    match value {
        "[" | "*" | "." => Some(value),
        "\\u000D" => Some("\r"),
        _ => value.bytes().all(|byte| byte == b' ').then_some(value),
    }
}

fn escaped_brace(placeable: &str) -> Option<&str> {
    let literal = placeable.strip_prefix('{')?.strip_suffix('}')?.trim_matches(' ');
    literal.strip_prefix('"')?.strip_suffix('"').filter(|value| matches!(*value, "{" | "}"))
}

pub(crate) fn pieces<'p>(text: &str, pattern: &'p ScannedPattern) -> Vec<PatternPiece<'p>> {
    let common = common_indent(pattern).unwrap_or(0);
    let mut pieces = Vec::new();
    let mut open = " ".repeat(pattern.first_indent.map_or(0, |indent| indent - common.min(indent)));
    for part in &pattern.parts {
        match part {
            ScannedPart::Text(range) => open.push_str(text.get(range.clone()).unwrap_or_default()),
            ScannedPart::Break { line_ends, indent } => {
                open.extend((0..*line_ends).map(|_| '\n'));
                open.extend((common..*indent).map(|_| ' '));
            }
            ScannedPart::Placeable(range, _) => {
                if let Some(value) = text.get(range.clone()).and_then(escaped_text) {
                    open.push_str(value);
                    continue;
                }
                if !open.is_empty() {
                    pieces.push(PatternPiece::Text(std::mem::take(&mut open)));
                }
                pieces.push(PatternPiece::Placeable(part));
            }
        }
    }
    if !open.is_empty() {
        pieces.push(PatternPiece::Text(open));
    }
    pieces
}

/// Ignores the line of the key.
pub(super) fn common_indent(pattern: &ScannedPattern) -> Option<usize> {
    let breaks = pattern.parts.iter().filter_map(|part| match part {
        ScannedPart::Break { indent, .. } => Some(*indent),
        _ => None,
    });
    breaks.chain(pattern.first_indent).min()
}

/// Ignores the first line of each placeable.
pub(super) fn placeable_indent(text: &str, pattern: &ScannedPattern) -> Option<usize> {
    let lines = |part: &ScannedPart| match part {
        ScannedPart::Placeable(range, _) => text.get(range.clone()).and_then(indent_within),
        _ => None,
    };
    pattern.parts.iter().filter_map(lines).min()
}

pub(super) fn text_of(text: &str, pattern: &ScannedPattern) -> String {
    let strip = placeable_indent(text, pattern).into_iter().chain(common_indent(pattern)).min().unwrap_or(0);
    let pieces = pieces(text, pattern);
    let (decoded, own) = joined(text, &pieces, strip, true);
    let placeable_count = pieces.iter().filter(|piece| matches!(piece, PatternPiece::Placeable(_))).count();
    if placeable_count > own.len() && !placeables(&decoded).into_iter().map(|(range, _)| range).eq(own) {
        return joined(text, &pieces, strip, false).0;
    }
    decoded
}

fn joined(text: &str, pieces: &[PatternPiece<'_>], strip: usize, decodes_braces: bool) -> (String, Vec<Range<usize>>) {
    let (mut out, mut own) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            PatternPiece::Text(text) => out.push_str(text),
            PatternPiece::Placeable(ScannedPart::Placeable(range, _)) => {
                let placeable = text.get(range.clone()).unwrap_or_default();
                if let Some(brace) = escaped_brace(placeable).filter(|_| decodes_braces) {
                    out.push_str(brace);
                    continue;
                }
                let start = out.len();
                for (number, line) in placeable.split('\n').enumerate() {
                    if number > 0 {
                        out.push('\n');
                    }
                    let line = line.strip_suffix('\r').unwrap_or(line);
                    let spaces = if number > 0 { indent_of(line).min(strip) } else { 0 };
                    out.push_str(line.get(spaces..).unwrap_or_default());
                }
                own.push(start..out.len());
            }
            PatternPiece::Placeable(_) => {}
        }
    }
    (out, own)
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn indent_within(placeable: &str) -> Option<usize> {
    placeable.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent_of).min()
}

pub(crate) fn placeables(text: &str) -> Vec<(Range<usize>, ScannedPart)> {
    let mut found = Vec::new();
    let mut literal = HashSet::new();
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'{', text.as_bytes().get(from..).unwrap_or_default()).map(|at| from + at) {
        from = at + 1;
        if literal.contains(&at) {
            continue;
        }
        let mut scanner = FtlScanner::of_unit(text, at);
        let Some(part) = scanner.placeable() else {
            literal.extend(scanner.open);
            continue;
        };
        let is_escape = |placeable: &str| escaped_text(placeable).is_some() || placeable.contains('\r');
        if text.get(at..scanner.at).is_some_and(|placeable| !is_escape(placeable)) {
            from = scanner.at;
            found.push((at..from, part));
        }
    }
    found
}

#[derive(Clone, Debug)]
pub(super) struct PatternLayout {
    /// In spaces.
    pub indent: usize,
    /// Whether the pattern starts below its key.
    pub is_block: bool,
    /// Whether the first of several lines is on the line of the key.
    pub is_inline: bool,
    pub newline: &'static str,
}

enum LineSegment<'t> {
    Literal(&'t str),
    Placeable(&'t str),
}

impl PatternLayout {
    /// Encodes a text as a pattern, starting right after the `=`. `spaces` goes before a text on the line of its key.
    pub fn write(&self, text: &str, spaces: &str) -> String {
        let placeables = placeables(text);
        let mut lines: Vec<Vec<LineSegment<'_>>> = vec![Vec::new()];
        let mut done = 0;
        for (range, _) in &placeables {
            add_literal(&mut lines, text.get(done..range.start).unwrap_or_default());
            let placeable = LineSegment::Placeable(text.get(range.clone()).unwrap_or_default());
            if let Some(line) = lines.last_mut() {
                line.push(placeable);
            }
            done = range.end;
        }
        add_literal(&mut lines, text.get(done..).unwrap_or_default());
        let inner = placeables.iter().filter_map(|(range, _)| indent_within(text.get(range.clone())?)).min();
        // If all lines after the first started with spaces, Fluent would read these as indentation.
        let is_indented = |line: &[LineSegment<'_>]| match line.first() {
            Some(LineSegment::Literal(text)) => text.starts_with(' '),
            Some(LineSegment::Placeable(_)) => false,
            None => true,
        };
        let can_be_inline = self.is_inline && lines.iter().skip(1).any(|line| !is_indented(line));
        let has_lines = lines.len() > 1 || inner.is_some_and(|indent| indent > 0);
        let is_block = self.is_block || has_lines && !can_be_inline;
        let mut out = String::with_capacity(text.len() + 16);
        if !is_block {
            out.push_str(spaces);
        }
        let last = lines.len() - 1;
        for (number, line) in lines.iter().enumerate() {
            if number > 0 || is_block {
                out.push_str(self.newline);
            }
            let is_edge = number == 0 || number == last;
            if (number > 0 || is_block) && (is_edge || !line.is_empty()) {
                out.push_str(&self.indent_spaces());
            }
            if line.is_empty() && is_edge {
                push_escape_placeable("", &mut out);
            }
            for (position, segment) in line.iter().enumerate() {
                match segment {
                    LineSegment::Placeable(placeable) => self.write_placeable(placeable, &mut out),
                    LineSegment::Literal(text) => {
                        let is_last = position + 1 == line.len();
                        let begins = position == 0;
                        let edges = LiteralEdges {
                            begins_text: begins && number == 0,
                            begins_line: begins && (number > 0 || is_block),
                            ends_text: is_last && number == last,
                        };
                        if begins && is_last && text.trim_matches(' ').is_empty() {
                            push_escape_placeable(text, &mut out);
                        } else {
                            write_literal(text, &edges, &mut out);
                        }
                    }
                }
            }
        }
        out
    }

    fn indent_spaces(&self) -> String {
        " ".repeat(self.indent)
    }

    fn write_placeable(&self, placeable: &str, out: &mut String) {
        for (number, line) in placeable.split('\n').enumerate() {
            if number > 0 {
                out.push_str(self.newline);
                if !line.is_empty() {
                    out.push_str(&self.indent_spaces());
                }
            }
            out.push_str(line);
        }
    }
}

fn add_literal<'t>(lines: &mut Vec<Vec<LineSegment<'t>>>, text: &'t str) {
    for (number, part) in text.split('\n').enumerate() {
        if number > 0 {
            lines.push(Vec::new());
        }
        if let (Some(line), false) = (lines.last_mut(), part.is_empty()) {
            line.push(LineSegment::Literal(part));
        }
    }
}

struct LiteralEdges {
    begins_text: bool,
    begins_line: bool,
    ends_text: bool,
}

fn write_literal(text: &str, edges: &LiteralEdges, out: &mut String) {
    let end = if edges.ends_text { text.trim_end_matches(' ').len() } else { text.len() };
    let first = text.len() - text.trim_start_matches(' ').len();
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < end) {
        let is_special = match c {
            '{' | '}' => true,
            '[' | '*' | '.' => edges.begins_line && at == first,
            ' ' => edges.begins_text && at == 0,
            _ => false,
        };
        match c {
            '\r' => push_escape_placeable("\\u000D", out),
            c if is_special => push_escape_placeable(c.encode_utf8(&mut [0; 4]), out),
            c => out.push(c),
        }
    }
    if let Some(tail) = text.get(end..).filter(|tail| !tail.is_empty()) {
        push_escape_placeable(tail, out);
    }
}

/// Writes a placeable that escapes a text: empty text, spaces, or a special character.
pub(crate) fn push_escape_placeable(text: &str, out: &mut String) {
    for piece in ["{\"", text, "\"}"] {
        out.push_str(piece);
    }
}
