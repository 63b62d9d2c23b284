//! Cuts text to a width in terminal columns, and wraps it at spaces.
//!
//! Text is cut between grapheme clusters: a letter keeps its combining marks, and an emoji is not split.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

pub fn ellipsis(utf8: bool) -> &'static str {
    if utf8 { "…" } else { "..." }
}

/// Cuts the end off a text that is wider than `width`.
pub fn end<'a>(text: &'a str, width: usize, ellipsis: &str) -> Cow<'a, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let kept = fitting_start(text, width.saturating_sub(ellipsis.width()));
    Cow::Owned(format!("{}{ellipsis}", kept.trim_end()))
}

/// Cuts the middle out of a path that is wider than `width`. Keeps the file name if it fits.
pub fn path<'a>(text: &'a str, width: usize, ellipsis: &str) -> Cow<'a, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let (_, tail) = split_file_name(text);
    if let Some(room) = width.checked_sub(tail.width() + ellipsis.width()) {
        return Cow::Owned(format!("{}{ellipsis}{tail}", fitting_start(text, room)));
    }
    let name = tail.trim_start_matches(std::path::is_separator);
    let room = width.saturating_sub(ellipsis.width());
    let kept = fitting_end(name, room.div_ceil(2));
    Cow::Owned(format!("{}{ellipsis}{kept}", fitting_start(name, room - kept.width())))
}

/// Returns the minimum width at which [`path`] keeps the file name.
pub fn path_minimum(text: &str, ellipsis: &str) -> usize {
    match split_file_name(text) {
        ("", name) => name.width(),
        (_, tail) => text.width().min(ellipsis.width() + tail.width()),
    }
}

/// Breaks a text into lines at spaces. A word that is wider than `width` is not broken, and gets its own line.
pub fn wrap(text: &str, width: usize) -> Vec<&str> {
    let (mut lines, mut rest) = (Vec::new(), text.trim_end());
    while rest.width() > width {
        let mut cut = None;
        for (at, _) in rest.match_indices(' ') {
            let (before, after) = rest.split_at(at);
            let line = before.trim_end();
            if !line.is_empty() && (cut.is_none() || line.width() <= width) {
                cut = Some((line, after.trim_start()));
            }
            if line.width() >= width {
                break;
            }
        }
        let Some((line, after)) = cut else { break };
        lines.push(line);
        rest = after;
    }
    lines.push(rest);
    lines
}

fn split_file_name(text: &str) -> (&str, &str) {
    let name_start = text.trim_end_matches(std::path::is_separator).rfind(std::path::is_separator);
    text.split_at(name_start.unwrap_or_default())
}

/// Returns the longest start of a text that is at most this wide.
fn fitting_start(text: &str, width: usize) -> &str {
    text.get(..fitting_len(text.graphemes(true), width)).unwrap_or_default()
}

fn fitting_end(text: &str, width: usize) -> &str {
    text.get(text.len() - fitting_len(text.graphemes(true).rev(), width)..).unwrap_or_default()
}

/// Returns the length in bytes of the first characters that fit into `width`.
fn fitting_len<'a>(characters: impl Iterator<Item = &'a str>, width: usize) -> usize {
    let used = |used: &mut usize, part: &'a str| {
        *used += part.width();
        (*used <= width).then_some(part.len())
    };
    characters.scan(0, used).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_at_the_end() {
        assert_eq!(end("kitchen", 7, "…"), "kitchen");
        assert_eq!(end("kitchen table", 7, "…"), "kitche…");
        assert_eq!(end("kitchen table", 9, "…"), "kitchen…");
        assert_eq!(end("kitchen table", 9, "..."), "kitche...");
    }

    #[test]
    fn wide_and_combined_characters_are_not_split() {
        assert_eq!(end("日本語の用語", 7, "…"), "日本語…");
        assert_eq!(end("日本語の用語", 8, "…"), "日本語…");
        assert_eq!(end("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "…"), "e\u{301}e\u{301}…");
        assert_eq!(end("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 5, "…"), "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
        assert_eq!(end("🇩🇪🇫🇷🇪🇸", 4, "…"), "🇩🇪…");
        assert_eq!(end("שלום עולם", 5, "…"), "שלום…");
    }

    #[test]
    fn a_path_is_cut_before_the_file_name() {
        assert_eq!(path("work/2026/report.txt", 20, "…"), "work/2026/report.txt");
        assert_eq!(path("work/2026/report.txt", 16, "…"), "work…/report.txt");
        assert_eq!(path("work/2026/report.txt", 12, "…"), "…/report.txt");
        assert_eq!(path("work/2026/report.txt", 9, "…"), "repo….txt");
        assert_eq!(path("annual-report-final.txt", 12, "…"), "annua…al.txt");
        assert_eq!(path("annual-report-final.txt", 12, "..."), "annu...l.txt");
        assert_eq!(path("work/reports/", 11, "…"), "w…/reports/");
    }

    #[test]
    fn the_minimum_of_a_path_is_its_file_name() {
        assert_eq!(path_minimum("work/2026/report.txt", "…"), 12);
        assert_eq!(path_minimum("report.txt", "…"), 10);
        assert_eq!(path_minimum("d/report.txt", "..."), 12);
    }

    #[test]
    fn lines_break_only_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 3), ["one", "two", "three"]);
        assert_eq!(wrap("one", 2), ["one"]);
        assert_eq!(wrap("a verylongword b", 4), ["a", "verylongword", "b"]);
        assert_eq!(wrap("verylongword b", 4), ["verylongword", "b"]);
        assert_eq!(wrap("one  two", 5), ["one", "two"]);
        assert_eq!(wrap("one   ", 3), ["one"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("  indented text", 10), ["  indented", "text"]);
    }
}
