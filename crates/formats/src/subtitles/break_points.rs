//! Finds the positions where a text can be broken into lines, and measures the widths between them.

use std::ops::Range;

use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;
use unicode_width::UnicodeWidthChar;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BreakPoint {
    /// End of the line before the break point and start of the line after it, in bytes.
    pub(super) end: usize,
    pub(super) start: usize,
    /// The same positions in columns.
    pub(super) end_width: usize,
    pub(super) start_width: usize,
    pub(super) is_space: bool,
    /// Whether typography allows a break here. For example, it forbids a break before the `!` in ` !`.
    pub(super) is_allowed: bool,
    pub(super) follows_punctuation: bool,
}

pub(super) struct MeasuredText {
    shown: String,
    pub(super) points: Vec<BreakPoint>,
    pub(super) width: usize,
}

impl MeasuredText {
    /// `tokens` are not shown, except character references.
    pub(super) fn new(text: &str, tokens: &[Range<usize>]) -> Self {
        let is_hidden = |token: &&Range<usize>| text.get((*token).clone()).is_some_and(|token| !token.starts_with('&'));
        let tokens: Vec<_> = tokens.iter().filter(is_hidden).cloned().collect();
        let mut shown = String::with_capacity(text.len());
        let mut from = 0;
        for token in &tokens {
            shown.push_str(text.get(from..token.start).unwrap_or_default());
            from = token.end;
        }
        shown.push_str(text.get(from..).unwrap_or_default());
        let mut allowed =
            LineSegmenter::new_for_non_complex_scripts(LineBreakOptions::default()).segment_str(&shown).peekable();
        let mut points = Vec::new();
        let (mut width, mut previous) = (0, '\0');
        let (mut space_start, mut space_width) = (0, 0);
        for (at, c) in shown.char_indices() {
            if !is_space_between_words(c) {
                while allowed.next_if(|allowed| *allowed < at).is_some() {}
                let is_allowed = allowed.peek() == Some(&at);
                let is_space = is_space_between_words(previous);
                if at > 0 && (is_space || (is_allowed && (is_wide(previous) || is_wide(c)))) {
                    let end_shown = if is_space { space_start } else { at };
                    let (end, start) = positions_with_tokens(text, &tokens, end_shown, at);
                    let follows_punctuation =
                        shown.get(..end_shown).is_some_and(|before| before.ends_with(is_closing_punctuation));
                    let end_width = if is_space { space_width } else { width };
                    points.push(BreakPoint {
                        end,
                        start,
                        end_width,
                        start_width: width,
                        is_space,
                        is_allowed,
                        follows_punctuation,
                    });
                }
            } else if !is_space_between_words(previous) {
                (space_start, space_width) = (at, width);
            }
            width += if c == '\r' { 1 } else { c.width().unwrap_or(0) };
            previous = c;
        }
        drop(allowed);
        Self { shown, points, width }
    }

    pub(super) fn lines(&self, text: &str, chosen: &[usize]) -> Vec<Range<usize>> {
        let mut start = 0;
        let mut lines = Vec::new();
        for point in chosen.iter().filter_map(|at| self.points.get(*at)) {
            lines.push(start..point.end);
            start = point.start;
        }
        lines.push(start..text.len());
        lines
    }

    pub(super) fn ends_with_punctuation(&self) -> bool {
        self.shown.trim_end().ends_with(is_closing_punctuation)
    }

    /// Returns the start and end column of the line between two break points, which are numbered from 1. A `from` of 0 is
    /// the start of the text, and a `to` of 0 is its end.
    pub(super) fn line_columns(&self, from: usize, to: usize) -> (usize, usize) {
        let start = from.checked_sub(1).and_then(|at| self.points.get(at)).map_or(0, |point| point.start_width);
        let end = to.checked_sub(1).and_then(|at| self.points.get(at)).map_or(self.width, |point| point.end_width);
        (start, end)
    }
}

/// Returns the words of a text. A token is a part of an adjacent word, or a word if surrounded by spaces.
pub(super) fn words(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut add = |part: Range<usize>| match words.last_mut().filter(|word| word.end == part.start) {
        Some(word) => word.end = part.end,
        None => words.push(part),
    };
    let mut from = 0;
    for token in tokens.iter().cloned().chain(std::iter::once(text.len()..text.len())) {
        let between = text.get(from..token.start).unwrap_or_default();
        for (at, c) in between.char_indices().filter(|(_, c)| !is_space_between_words(*c)) {
            add(from + at..from + at + c.len_utf8());
        }
        from = token.end;
        if !token.is_empty() {
            add(token);
        }
    }
    words
}

/// Converts a line break in the text without tokens to positions in `text`: the end of a line, and the start of the next.
///
/// If the break replaces a space, the tokens before the space stay on the line; otherwise, only end tags do.
fn positions_with_tokens(text: &str, tokens: &[Range<usize>], end: usize, start: usize) -> (usize, usize) {
    let is_end = |token: &Range<usize>| text.get(token.clone()).is_some_and(|token| token.starts_with("</"));
    let (mut before, mut after) = (end, start);
    for token in tokens {
        if token.start < before || (token.start == before && (end < start || is_end(token))) {
            before += token.len();
            after += token.len();
        } else if token.start < after && is_end(token) {
            before = token.end;
            after += token.len();
        } else {
            // The token is in the whitespace, or after it.
            after = after.min(token.start);
            break;
        }
    }
    (before, after)
}

/// Returns whether a character is dropped at a line break. No-break spaces are not.
fn is_space_between_words(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// Returns whether a character is East Asian, so lines may be broken beside it without a space.
fn is_wide(c: char) -> bool {
    c.width() == Some(2)
}

fn is_closing_punctuation(c: char) -> bool {
    ".,;:!?…。、，！？；：".contains(c)
}
