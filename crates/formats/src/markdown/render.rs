//! Writes the result of a block: with its markup, wrapped like its source, and escaped where it would become other
//! markup.

use std::ops::Range;

use tulk_catalogs::inline::{InlineToken, TokenKind};
use unicode_width::UnicodeWidthStr;

use super::BlockKind;
use super::jsx;
use super::mask::normalized_label;
use super::segments::{self, Segment};
use super::shortcode;
use super::structure::DocumentStructure;

const MIN_WIDTH: usize = 40;

#[derive(Clone, Copy, Debug)]
pub(super) struct SourceBlock<'a> {
    pub(super) kind: BlockKind,
    /// Bytes in the document.
    pub(super) source: &'a str,
    /// Its text. Only hard line breaks are kept, each with the line prefix after it.
    pub(super) text: &'a str,
    pub(super) tokens: &'a [InlineToken],
}

/// Repairs to try until a result has the structure of its source.
#[derive(Clone, Copy, Default)]
struct Repairs {
    spaces: bool,
    padding: bool,
    escapes: bool,
}

const ATTEMPTS: [Repairs; 5] = [
    Repairs { spaces: false, padding: false, escapes: false },
    Repairs { spaces: true, padding: false, escapes: false },
    Repairs { spaces: true, padding: true, escapes: false },
    Repairs { spaces: true, padding: false, escapes: true },
    Repairs { spaces: true, padding: true, escapes: true },
];

impl SourceBlock<'_> {
    /// Fails if the result would differ in structure from the source.
    pub(super) fn render(&self, result: &str) -> Result<String, String> {
        let labels = self.link_labels();
        // Some texts are a paragraph only after other text, so try them with a word before them.
        let mut before = "";
        let mut expected = self.structure_of(before, self.text, &labels);
        if self.kind != BlockKind::TableCell && !expected.is_one_block(self.kind == BlockKind::Heading) {
            before = "x ";
            expected = self.structure_of(before, self.text, &labels);
        }
        let is_comparable = self.kind == BlockKind::TableCell || expected.is_one_block(self.kind == BlockKind::Heading);
        let segments = segments::split_at_tokens(self.text, self.tokens, result)?;
        let ranges = self.token_ranges();
        let wrapping = Wrapping::of(self.source, &ranges);
        let mut first_problem = None;
        for repairs in ATTEMPTS {
            let rendered = self.render_with(segments.clone(), repairs, &ranges, wrapping.as_ref());
            if !is_comparable {
                return Ok(rendered);
            }
            match expected.compare(&self.structure_of(before, &rendered, &labels)) {
                Ok(()) => return Ok(rendered),
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            }
        }
        Err(first_problem.unwrap_or_default())
    }

    fn render_with(
        &self,
        mut segments: Vec<Segment>,
        repairs: Repairs,
        ranges: &[Range<usize>],
        wrapping: Option<&Wrapping>,
    ) -> String {
        if repairs.escapes {
            segments::escape_markup(&mut segments);
        }
        segments::escape_line_starts(&mut segments);
        if self.kind == BlockKind::TableCell {
            segments::escape_pipes(&mut segments);
        }
        self.shorten_labels(&mut segments, ranges);
        segments::pad_addresses(&mut segments);
        if repairs.spaces {
            segments::move_spaces_outside(&mut segments);
        }
        if repairs.padding {
            segments::pad_emphasis(&mut segments);
            segments::pad_code(&mut segments);
        }
        match wrapping {
            Some(wrapping) => wrapping.wrap(&segments),
            None => segments.into_iter().map(|segment| segment.text).collect(),
        }
    }

    /// Returns the structure that the block would have with these bytes. `before` precedes a paragraph.
    fn structure_of(&self, before: &str, bytes: &str, labels: &[String]) -> DocumentStructure {
        let content = on_one_line(bytes);
        let block = match self.kind {
            BlockKind::TableCell => format!("|{content}|\n|-|\n"),
            BlockKind::Heading if !content.contains('\n') => format!("# {content}\n"),
            _ => format!("{before}{content}\n"),
        };
        DocumentStructure::of(&block, labels, false)
    }

    fn token_text(&self, token: &InlineToken) -> &str {
        self.text.get(token.range.start as usize..token.range.end as usize).unwrap_or_default()
    }

    /// Returns the labels of those links in the block whose definitions are elsewhere.
    fn link_labels(&self) -> Vec<String> {
        let closing = self.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Close(_)));
        closing.filter_map(|token| label_of(self.token_text(token))).map(normalized_label).collect()
    }

    /// Restores the short ends of links, `]` or `][]`, where the text of the link is still its label.
    fn shorten_labels(&self, segments: &mut [Segment], ranges: &[Range<usize>]) {
        for (token, range) in self.tokens.iter().zip(ranges) {
            let (TokenKind::Close(number), Some(label)) = (token.kind, label_of(self.token_text(token))) else {
                continue;
            };
            let Some(written) =
                self.source.get(range.clone()).filter(|written| !written.ends_with(label_end(label).as_str()))
            else {
                continue;
            };
            let find = |kind| segments.iter().position(|segment| segment.token == Some(kind));
            let (Some(open), Some(close)) = (find(TokenKind::Open(number)), find(TokenKind::Close(number))) else {
                continue;
            };
            let inner = segments.get(open + 1..close).unwrap_or_default();
            let inner: String = inner.iter().map(|segment| segment.text.as_str()).collect();
            if let Some(segment) = segments.get_mut(close).filter(|_| inner == label) {
                written.clone_into(&mut segment.text);
            }
        }
    }

    fn token_ranges(&self) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut from = 0;
        for token in self.tokens {
            let text = self.token_text(token);
            let rest = self.source.get(from..).unwrap_or_default();
            let range = match label_of(text).filter(|_| matches!(token.kind, TokenKind::Close(_))) {
                Some(label) => rest.find(']').map(|at| {
                    let after = rest.get(at + 1..).unwrap_or_default();
                    let len = if after.starts_with("[]") { 3 } else { 1 };
                    let is_full = after.starts_with(&label_end(label));
                    at..at + if is_full { text.len() } else { len }
                }),
                None => rest.find(text).map(|at| at..at + text.len()),
            };
            let range = range.unwrap_or(0..0);
            ranges.push(from + range.start..from + range.end);
            from += range.end;
        }
        ranges
    }
}

/// Returns the label in `][label]`.
fn label_of(close: &str) -> Option<&str> {
    close.strip_prefix("][")?.strip_suffix(']').filter(|label| !label.is_empty())
}

fn label_end(label: &str) -> String {
    format!("[{label}]")
}

/// Removes line prefixes such as `> `, and all line breaks but hard ones.
fn on_one_line(bytes: &str) -> String {
    let mut content = String::with_capacity(bytes.len());
    for (number, line) in bytes.split('\n').enumerate() {
        let line = if number > 0 { line.trim_start_matches([' ', '\t', '>']) } else { line };
        let is_hard = content.ends_with('\\') || content.ends_with("  ");
        if number > 0 {
            content.push(if is_hard { '\n' } else { ' ' });
        }
        content.push_str(line.strip_suffix('\r').unwrap_or(line));
    }
    content
}

struct Wrapping {
    /// Line ending and prefix of the next line.
    line_break: String,
    /// Maximum width of a line, without its prefix.
    width: usize,
}

impl Wrapping {
    /// Detects the wrapping of a block; `None` if it is on one line.
    fn of(source: &str, tokens: &[Range<usize>]) -> Option<Self> {
        let is_kept = |at: usize| {
            let next = tokens.partition_point(|range| range.end <= at);
            tokens.get(next).is_some_and(|range| range.contains(&at))
        };
        let at = memchr::memchr_iter(b'\n', source.as_bytes()).find(|at| !is_kept(*at))?;
        let after = source.get(at + 1..)?;
        let prefix = after.len() - after.trim_start_matches([' ', '\t', '>']).len();
        let start = if source.get(..at)?.ends_with('\r') { at - 1 } else { at };
        let line_break = source.get(start..at + 1 + prefix)?.to_owned();
        let width = |line: &str| line.trim_matches([' ', '\t', '>', '\r']).width();
        let width = source.split('\n').map(width).max().unwrap_or(0).max(MIN_WIDTH);
        Some(Self { line_break, width })
    }

    fn wrap(&self, segments: &[Segment]) -> String {
        let mut lines = LineBuilder { wrapping: self, out: String::new(), word: String::new(), column: 0 };
        for segment in segments {
            if segment.token.is_some() {
                lines.word.push_str(&segment.text);
                continue;
            }
            let mut words = segment.text.split(' ');
            lines.word.push_str(words.next().unwrap_or_default());
            for word in words {
                lines.end_word();
                lines.out.push(' ');
                lines.column += 1;
                lines.word.push_str(word);
            }
        }
        lines.end_word();
        lines.out
    }
}

struct LineBuilder<'a> {
    wrapping: &'a Wrapping,
    out: String,
    word: String,
    column: usize,
}

impl LineBuilder<'_> {
    /// Adds the current word to the line, or to the next line if there is no room.
    fn end_word(&mut self) {
        let first_line = self.word.split('\n').next().unwrap_or_default();
        let is_too_long = self.column + first_line.width() > self.wrapping.width;
        let before = self.out.trim_end_matches([' ', '\t']);
        let can_break = self.out.ends_with(' ') && !before.is_empty() && !before.ends_with(['\\', '\n']);
        if is_too_long && can_break && can_begin_line(&self.word) && !is_separate_block(before) {
            let len = before.len();
            self.out.truncate(len);
            self.out.push_str(&self.wrapping.line_break);
            self.column = 0;
        }
        let last_line = self.word.rsplit('\n').next().unwrap_or_default();
        self.column =
            if last_line.len() < self.word.len() { last_line.width() } else { self.column + last_line.width() };
        self.out.push_str(&self.word);
        self.word.clear();
    }
}

/// Returns whether a text, or its last line, contains only shortcodes or tags, which would make it a separate block.
fn is_separate_block(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default().trim_start_matches([' ', '\t', '>']);
    [text, line]
        .into_iter()
        .any(|text| shortcode::shortcode_lines_len(text) == Some(text.len()) || jsx::is_tag_block(text))
}

/// Returns whether a word at the start of a line cannot be taken for a block marker.
fn can_begin_line(word: &str) -> bool {
    let text = word.trim_start_matches(['(', '"', '\'', '*', '_', '[', '`']);
    let marks = word.len() - text.len();
    if marks > 2 {
        return false;
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && marks == 0 {
        return !text.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')']));
    }
    text.starts_with(|c: char| c.is_alphanumeric() || !c.is_ascii())
}
