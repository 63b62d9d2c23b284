//! Lines of a file that entries consist of, for formats without brackets around them.
//!
//! Input: a text and positions in it. Output: line ends, and the ranges that are removed with whole lines.

use std::ops::Range;

/// Returns the line end of a text: that of its first line.
pub fn line_end(text: &str) -> &'static str {
    match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(at) if text.as_bytes().get(at) == Some(&b'\n') => "\n",
        Some(at) if text.as_bytes().get(at + 1) == Some(&b'\n') => "\r\n",
        Some(_) => "\r",
        None => "\n",
    }
}

/// Returns where the line before one that begins at `start` ends, without its line end; `None` if it is the first.
pub fn previous_line(text: &str, start: usize) -> Option<usize> {
    let before = text.get(..start)?;
    let before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r']))?;
    Some(before.len())
}

/// Returns the length of the line end that a text begins with.
pub fn line_end_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Joins ranges that overlap or touch. They must be in order.
pub fn join_ranges(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_found() {
        assert_eq!(
            [line_end("a\r\nb\n"), line_end("a\nb\r\n"), line_end("a\rb"), line_end("a")],
            ["\r\n", "\n", "\r", "\n"]
        );
        assert_eq!(
            [previous_line("a\r\nb", 3), previous_line("a\nb", 2), previous_line("a", 0)],
            [Some(1), Some(1), None]
        );
        assert_eq!([line_end_len("\r\na"), line_end_len("\n"), line_end_len("a")], [2, 1, 0]);
    }

    #[test]
    fn ranges_that_meet_are_joined() {
        assert_eq!(join_ranges([0..2, 1..3, 3..4, 5..6]), [0..4, 5..6]);
    }
}
