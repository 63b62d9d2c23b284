//! Divides a result into lines, as a subtitle editor would.
//!
//! If the result has as many words as the source, each line gets as many words as the same line of the source.
//! Otherwise the lines have the proportions of the source lines. If possible, no line is wider than [`LINE_WIDTH`] or,
//! if the source has a wider line, than that line.

use std::ops::Range;

use super::break_points::{MeasuredText, words};

/// Maximum line width in subtitle guidelines, in columns. East Asian characters take two.
const LINE_WIDTH: usize = 42;
/// Cost per column beyond the maximum width.
const OVERFLOW_COST: usize = 10_000;
/// Cost of a line of only digits, which could be taken for the number of a cue.
const DIGITS_COST: usize = 1_000_000;
/// Cost of a break that typography forbids.
const BAD_BREAK_COST: usize = 1_000_000;
/// Maximum number of break points for an exhaustive search.
const SEARCHED_POINTS: usize = 256;

/// The line structure of a source text, which the result imitates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineShape {
    lines: Vec<ShapeLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ShapeLine {
    width: usize,
    words: usize,
    /// Number of tokens that are not shown.
    hidden_tokens: usize,
    ends_with_punctuation: bool,
}

impl LineShape {
    /// `tokens` have no width, except character references.
    pub(super) fn push(&mut self, line: &str, tokens: &[Range<usize>]) {
        let measured = MeasuredText::new(line, tokens);
        let words = words(line, tokens).len();
        let hidden_tokens = hidden_tokens(line, tokens).count();
        self.lines.push(ShapeLine {
            width: measured.width,
            words,
            hidden_tokens,
            ends_with_punctuation: measured.ends_with_punctuation(),
        });
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the width that lines should not exceed.
    fn width(&self) -> usize {
        self.lines.iter().map(|line| line.width).max().unwrap_or_default().max(LINE_WIDTH)
    }
}

/// Divides a text into as many lines as the shape has, or into fewer if it has too few words. Never breaks inside
/// `tokens` or `unbreakable` parts.
pub(super) fn wrap(
    text: &str,
    tokens: &[Range<usize>],
    unbreakable: &[Range<usize>],
    shape: &LineShape,
) -> Vec<Range<usize>> {
    let same = lines_with_same_words(text, tokens, unbreakable, shape);
    let same_overflow = same.as_ref().map(|lines| total_overflow(text, tokens, lines, shape));
    if let Some(same) = same.as_ref().filter(|_| same_overflow == Some(0)) {
        return same.clone();
    }
    let mut measured = MeasuredText::new(text, tokens);
    measured.points.retain(|point| {
        !unbreakable.iter().any(|unbreakable| unbreakable.start < point.start && point.end < unbreakable.end)
    });
    let breaks = shape.len().saturating_sub(1).min(measured.points.len());
    let chosen = match breaks {
        0 => Vec::new(),
        _ if measured.points.len() <= SEARCHED_POINTS => best_breaks(text, &measured, shape, breaks),
        _ => nearest_breaks(&measured, shape, breaks),
    };
    let mut lines = measured.lines(text, &chosen);
    match same {
        Some(same) if same_overflow <= Some(total_overflow(text, tokens, &lines, shape)) => same,
        _ => {
            move_hidden_tokens(text, tokens, &mut lines, shape);
            lines
        }
    }
}

/// Divides the text into lines with as many words as the lines of the source. `None` if the total number of words
/// differs, or if a break would be inside an unbreakable part.
fn lines_with_same_words(
    text: &str,
    tokens: &[Range<usize>],
    unbreakable: &[Range<usize>],
    shape: &LineShape,
) -> Option<Vec<Range<usize>>> {
    let words = words(text, tokens);
    if words.len() != shape.lines.iter().map(|line| line.words).sum::<usize>() {
        return None;
    }
    let mut rest = words.as_slice();
    let mut lines: Vec<Range<usize>> = Vec::with_capacity(shape.len());
    for line in &shape.lines {
        let (words, after) = rest.split_at_checked(line.words)?;
        rest = after;
        let line = words.first()?.start..words.last()?.end;
        let end = lines.last().map_or(line.start, |previous| previous.end);
        if unbreakable.iter().any(|unbreakable| unbreakable.start < line.start && end < unbreakable.end) {
            return None;
        }
        lines.push(line);
    }
    Some(lines)
}

/// Returns by how many columns the lines exceed the width, in total.
fn total_overflow(text: &str, tokens: &[Range<usize>], lines: &[Range<usize>], shape: &LineShape) -> usize {
    let limit = shape.width();
    let width = |line: &Range<usize>| {
        MeasuredText::new(text.get(line.clone()).unwrap_or_default(), &tokens_within(tokens, line)).width
    };
    lines.iter().map(|line| width(line).saturating_sub(limit)).sum()
}

/// Moves tokens from the start of a line to the end of the previous line if the source has them on the previous line.
fn move_hidden_tokens(text: &str, tokens: &[Range<usize>], lines: &mut [Range<usize>], shape: &LineShape) {
    let hidden_tokens: Vec<_> = hidden_tokens(text, tokens).collect();
    if lines.len() != shape.len()
        || hidden_tokens.len() != shape.lines.iter().map(|line| line.hidden_tokens).sum::<usize>()
    {
        return;
    }
    let mut count = 0;
    for (at, line) in shape.lines.iter().enumerate() {
        count += line.hidden_tokens;
        let Some([line, next]) = lines.get_mut(at..at + 2) else { return };
        let first = hidden_tokens.partition_point(|token| token.start < next.start);
        for token in hidden_tokens.get(first..count).unwrap_or_default().iter().filter(|token| token.end <= next.end) {
            if text.get(next.start..token.start).is_some_and(|between| between.trim().is_empty()) {
                line.end = token.end;
                next.start = token.end;
            }
        }
    }
}

fn hidden_tokens<'a>(text: &'a str, tokens: &'a [Range<usize>]) -> impl Iterator<Item = &'a Range<usize>> {
    tokens.iter().filter(|token| text.get((*token).clone()).is_some_and(|token| !token.starts_with('&')))
}

/// Returns the tokens in a part of a text, relative to the part.
pub(super) fn tokens_within(tokens: &[Range<usize>], part: &Range<usize>) -> Vec<Range<usize>> {
    let first = tokens.partition_point(|token| token.start < part.start);
    let inside = tokens.iter().skip(first).take_while(|token| token.end <= part.end);
    inside.map(|token| token.start - part.start..token.end - part.start).collect()
}

fn best_breaks(text: &str, measured: &MeasuredText, shape: &LineShape, breaks: usize) -> Vec<usize> {
    let limit = shape.width();
    let source: usize = shape.lines.iter().map(|line| line.width).sum::<usize>().max(1);
    let cost = |line: usize, from: usize, to: usize| {
        let (start, end) = measured.line_columns(from, to);
        let width = end.saturating_sub(start);
        let like = shape.lines.get(line);
        let target = measured.width * like.map_or(0, |like| like.width) / source;
        let over = width.saturating_sub(limit);
        let mut cost = width.abs_diff(target).pow(2) + over * OVERFLOW_COST;
        let point = to.checked_sub(1).and_then(|at| measured.points.get(at));
        if point.is_some_and(|point| like.is_some_and(|like| like.ends_with_punctuation && !point.follows_punctuation))
        {
            // If the source line ends with punctuation, the line of the result should too.
            cost += (measured.width / 6).pow(2);
        }
        if point.is_some_and(|point| !point.is_allowed) {
            cost += BAD_BREAK_COST;
        }
        let first = from.checked_sub(1).and_then(|at| measured.points.get(at)).map_or(0, |point| point.start);
        let last = point.map_or(text.len(), |point| point.end);
        let words = text.get(first..last).unwrap_or_default().trim();
        if words.bytes().all(|byte| byte.is_ascii_digit()) {
            cost += DIGITS_COST;
        }
        cost
    };
    // For each line: the cost of everything up to a break point, and the previous break point.
    let count = measured.points.len();
    let mut best: Vec<Option<(usize, usize)>> = (1..=count).map(|to| Some((cost(0, 0, to), 0))).collect();
    let mut before: Vec<Vec<usize>> = Vec::new();
    for line in 1..breaks {
        let next: Vec<Option<(usize, usize)>> = (1..=count)
            .map(|to| {
                let sums = (1..to).filter_map(|from| {
                    let (sum, _) = best.get(from - 1).copied().flatten()?;
                    Some((sum + cost(line, from, to), from))
                });
                sums.min()
            })
            .collect();
        before.push(next.iter().map(|entry| entry.map_or(0, |(_, from)| from)).collect());
        best = next;
    }
    let ends = (1..=count).filter_map(|to| {
        let (sum, _) = best.get(to - 1).copied().flatten()?;
        Some((sum + cost(breaks, to, 0), to))
    });
    let mut at = ends.min().map_or(count, |(_, to)| to);
    let mut chosen = vec![at - 1];
    for from in before.iter().rev() {
        at = from.get(at - 1).copied().unwrap_or(1).max(1);
        chosen.push(at - 1);
    }
    chosen.reverse();
    chosen
}

/// Finds the breaks that are nearest to the proportions of the source.
fn nearest_breaks(measured: &MeasuredText, shape: &LineShape, breaks: usize) -> Vec<usize> {
    let source: usize = shape.lines.iter().map(|line| line.width).sum::<usize>().max(1);
    let mut chosen: Vec<usize> = Vec::new();
    let mut before = 0;
    for line in shape.lines.iter().take(breaks) {
        before += line.width;
        let target = measured.width * before / source;
        let free = chosen.last().map_or(0, |at| at + 1);
        // Widths increase, so the nearest point is the first past the target or the one before it.
        let past = measured.points.partition_point(|point| point.end_width < target).max(free);
        let near = past.saturating_sub(1).max(free)..(past + 1).min(measured.points.len());
        let nearest =
            near.min_by_key(|at| measured.points.get(*at).map_or(0, |point| point.end_width.abs_diff(target)));
        chosen.extend(nearest);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides a text into lines like those of the source, separated by `/`.
    fn wrapped(source: &str, text: &str) -> String {
        let mut shape = LineShape::default();
        for line in source.split('/') {
            shape.push(line, &[]);
        }
        let lines = wrap(text, &[], &[], &shape);
        lines.into_iter().map(|line| text.get(line).unwrap()).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn a_result_with_as_many_words_as_the_source_is_broken_after_the_same_words() {
        assert_eq!(
            wrapped("I know/what you did last summer", "I KNOW WHAT YOU DID LAST SUMMER"),
            "I KNOW/WHAT YOU DID LAST SUMMER"
        );
        assert_eq!(wrapped("a/b/c d", "one two three four"), "one/two/three four");
    }

    #[test]
    fn a_result_with_more_or_fewer_words_keeps_the_proportions_of_the_lines() {
        assert_eq!(
            wrapped(
                "We have to go home/before it starts to rain",
                "Wir müssen nach Hause gehen, bevor es zu regnen anfängt"
            ),
            "Wir müssen nach Hause gehen,/bevor es zu regnen anfängt"
        );
        assert_eq!(
            wrapped("Yes./I think that we should go home", "Ja. Ich denke, wir sollten nach Hause gehen"),
            "Ja./Ich denke, wir sollten nach Hause gehen"
        );
    }

    #[test]
    fn divides_very_many_lines() {
        const COUNT: usize = 100_000;
        let source = "a b\n".repeat(COUNT);
        let mut shape = LineShape::default();
        source.lines().for_each(|line| shape.push(line, &[]));
        let text = "one ".repeat(COUNT);
        let lines = wrap(text.trim_end(), &[], &[], &shape);
        assert_eq!(lines.len(), COUNT);
        let text = "one ".repeat(COUNT * 3);
        let lines = wrap(text.trim_end(), &[], &[], &shape);
        assert_eq!(lines.len(), COUNT);
        assert!(lines.iter().all(|line| matches!(line.len(), 7 | 11 | 15)));
    }

    #[test]
    fn no_line_is_wider_than_necessary() {
        let text = "Das ist ein ziemlich langer Satz, der in zwei Zeilen passt, wenn man ihn gut teilt";
        let lines = wrapped("Hi,/that is a long sentence if translated", text);
        assert_eq!(lines, "Das ist ein ziemlich langer Satz, der in/zwei Zeilen passt, wenn man ihn gut teilt");
    }

    #[test]
    fn a_short_result_has_fewer_lines() {
        assert_eq!(wrapped("That is out of/the question", "Niemals"), "Niemals");
        assert_eq!(wrapped("a b/c d/e f", "x y"), "x/y");
    }

    #[test]
    fn east_asian_text_is_broken_without_spaces() {
        assert_eq!(
            wrapped("We have to go home/before it rains", "下雨之前，我们必须回家。"),
            "下雨之前，我们/必须回家。"
        );
        assert_eq!(wrapped("Yes,/I will", "はい、そうします。"), "はい、/そうします。");
        assert_eq!(wrapped("not at/hyphens", "e-mail/x"), "e-mail/x");
    }

    #[test]
    fn punctuation_stays_with_its_word() {
        assert_eq!(wrapped("Where are/you?", "Où est-ce que tu es ?"), "Où est-ce que/tu es ?");
        assert_eq!(wrapped("How/a", "Quoi ?"), "Quoi/?");
        assert_eq!(wrapped("Where have you/been", "Où ?"), "Où/?");
    }

    #[test]
    fn a_line_of_digits_is_avoided() {
        assert_eq!(wrapped("It happened/long ago in a town", "Es war im Jahre 1984"), "Es war/im Jahre 1984");
        assert_eq!(wrapped("ab/cd ef gh ij kl mn op", "12 ab cd"), "12 ab/cd");
    }

    #[test]
    fn tokens_are_not_broken_and_have_no_width() {
        let mut shape = LineShape::default();
        shape.push("one two", &[]);
        shape.push("three", &[]);
        let text = "eins <font a b c d e f g>zwei</font> drei";
        let tokens = [5..25, 29..36];
        let lines: Vec<_> = wrap(text, &tokens, &[], &shape).into_iter().map(|line| text.get(line).unwrap()).collect();
        assert_eq!(lines, ["eins <font a b c d e f g>zwei</font>", "drei"]);
        let mut shape = LineShape::default();
        shape.push("one", &[]);
        shape.push("two three", &[]);
        let lines: Vec<_> = wrap(text, &tokens, &[], &shape).into_iter().map(|line| text.get(line).unwrap()).collect();
        assert_eq!(lines, ["eins", "<font a b c d e f g>zwei</font> drei"]);
    }

    #[test]
    fn protected_parts_are_not_broken() {
        let mut shape = LineShape::default();
        shape.push("one two", &[]);
        shape.push("three", &[]);
        let lines = wrap("eins New York", &[], &[5..13, 5..8], &shape);
        assert_eq!(lines, [0..4, 5..13]);
    }

    #[test]
    fn divides_very_long_texts() {
        let text = "word ".repeat(2000);
        let lines = wrapped("one two three/four five six/seven eight", text.trim());
        assert_eq!(lines.split('/').count(), 3);
    }
}
