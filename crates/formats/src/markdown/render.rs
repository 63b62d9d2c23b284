//! Writes the result of a block: with its markup, wrapped like its source, and escaped where it would be read as other markup.

use std::ops::Range;

use tulk_catalogs::inline::{InlineToken, TokenKind};
use unicode_width::UnicodeWidthStr;

use super::BlockKind;
use super::jsx;
use super::mask::normal_label;
use super::segments::{self, Segment};
use super::shortcode;
use super::structure::DocumentStructure;

/// Minimum width of wrapped lines.
const MIN_WIDTH: usize = 40;

/// A block of text in its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceBlock<'a> {
    /// What it is.
    pub(super) kind: BlockKind,
    /// Its bytes in the document.
    pub(super) source: &'a str,
    /// Its text: the bytes without line breaks and the prefixes of lines.
    pub(super) text: &'a str,
    /// The markup in the text.
    pub(super) tokens: &'a [InlineToken],
}

/// What is done with a result until it has the structure of its source.
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
    /// Returns the bytes that a result is written as. Fails if they would have another structure than the source.
    pub(super) fn render(&self, result: &str) -> Result<String, String> {
        let labels = self.labels();
        // Some text is a paragraph only because of what is before it.
        let mut before = "";
        let mut expected = self.structure(before, self.text, &labels);
        if self.kind != BlockKind::TableCell && !expected.is_one_block(self.kind == BlockKind::Heading) {
            before = "x ";
            expected = self.structure(before, self.text, &labels);
        }
        let is_comparable = self.kind == BlockKind::TableCell || expected.is_one_block(self.kind == BlockKind::Heading);
        let segments = segments::split(self.text, self.tokens, result)?;
        let places = self.token_places();
        let wrapping = Wrapping::of(self.source, &places);
        let mut first_problem = None;
        for repairs in ATTEMPTS {
            let rendered = self.attempt(segments.clone(), repairs, &places, wrapping.as_ref());
            if !is_comparable {
                return Ok(rendered);
            }
            match expected.compare(&self.structure(before, &rendered, &labels)) {
                Ok(()) => return Ok(rendered),
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            }
        }
        Err(first_problem.unwrap_or_default())
    }

    fn attempt(
        &self,
        mut segments: Vec<Segment>,
        repairs: Repairs,
        places: &[Range<usize>],
        wrapping: Option<&Wrapping>,
    ) -> String {
        if repairs.escapes {
            segments::escape(&mut segments);
        }
        segments::escape_line_starts(&mut segments);
        if self.kind == BlockKind::TableCell {
            segments::escape_pipes(&mut segments);
        }
        self.shorten_labels(&mut segments, places);
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

    /// Returns the structure of the block if it consisted of these bytes. `before` precedes a paragraph.
    fn structure(&self, before: &str, bytes: &str, labels: &[String]) -> DocumentStructure {
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

    /// Returns the labels of the links in the block, whose definitions are elsewhere.
    fn labels(&self) -> Vec<String> {
        let closing = self.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Close(_)));
        closing.filter_map(|token| label_of(self.token_text(token))).map(normal_label).collect()
    }

    /// Writes the ends of links as in the source: `]` or `][]` if the text of the link is still its label.
    fn shorten_labels(&self, segments: &mut [Segment], places: &[Range<usize>]) {
        for (token, place) in self.tokens.iter().zip(places) {
            let (TokenKind::Close(number), Some(label)) = (token.kind, label_of(self.token_text(token))) else {
                continue;
            };
            let Some(written) =
                self.source.get(place.clone()).filter(|written| !written.ends_with(label_end(label).as_str()))
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

    /// Returns where the tokens are in the source.
    fn token_places(&self) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut from = 0;
        for token in self.tokens {
            let text = self.token_text(token);
            let rest = self.source.get(from..).unwrap_or_default();
            let place = match label_of(text).filter(|_| matches!(token.kind, TokenKind::Close(_))) {
                Some(label) => rest.find(']').map(|at| {
                    let after = rest.get(at + 1..).unwrap_or_default();
                    let len = if after.starts_with("[]") { 3 } else { 1 };
                    let is_full = after.starts_with(&label_end(label));
                    at..at + if is_full { text.len() } else { len }
                }),
                None => rest.find(text).map(|at| at..at + text.len()),
            };
            let place = place.unwrap_or(0..0);
            places.push(from + place.start..from + place.end);
            from += place.end;
        }
        places
    }
}

/// Returns the label in `][label]`.
fn label_of(close: &str) -> Option<&str> {
    close.strip_prefix("][")?.strip_suffix(']').filter(|label| !label.is_empty())
}

fn label_end(label: &str) -> String {
    format!("[{label}]")
}

/// Returns a block without the prefixes of its lines, such as `> `, and with line breaks only where they are shown.
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

/// How the lines of a block are wrapped.
struct Wrapping {
    /// A line end and the prefix of the next line.
    line_break: String,
    /// Maximum width of a line, without its prefix.
    width: usize,
}

impl Wrapping {
    /// Returns how the lines of a block are wrapped; `None` if it is on one line.
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

    /// Joins segments to lines.
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
    /// Adds the word to the line, or to the next one if there is no room.
    fn end_word(&mut self) {
        let first_line = self.word.split('\n').next().unwrap_or_default();
        let is_too_long = self.column + first_line.width() > self.wrapping.width;
        let before = self.out.trim_end_matches([' ', '\t']);
        let can_break = self.out.ends_with(' ') && !before.is_empty() && !before.ends_with(['\\', '\n']);
        if is_too_long && can_break && can_begin_line(&self.word) && !is_block(before) {
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

/// Returns whether a text or its last line would be a block by itself: shortcodes or tags alone.
fn is_block(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default().trim_start_matches([' ', '\t', '>']);
    [text, line].into_iter().any(|text| shortcode::lines_len(text) == Some(text.len()) || jsx::is_block(text))
}

/// Returns whether a word at the start of a line cannot be read as the marker of a block.
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
