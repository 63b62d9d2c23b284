//! Draws the lines of running tasks on a terminal, and removes them before anything else is written there.
//!
//! Lines are never as wide as the terminal, so that none is wrapped: indicatif's own drawing fills every line with blanks
//! up to the edge, which leaves parts of old lines behind when the terminal becomes narrower. It therefore only keeps the
//! numbers and their rates (see `task`).

use std::fmt::Write as _;

use tulk_base::stop;
use unicode_width::UnicodeWidthStr;

use super::line::{ProgressCharacters, ProgressFrame};

/// Columns and rows of a terminal that does not tell its size.
const USUAL_SIZE: (usize, usize) = (80, 24);

/// The lines of running tasks at the end of a terminal.
pub struct ProgressScreen {
    frame: ProgressFrame,
    characters: ProgressCharacters,
    size: fn() -> (usize, usize),
    /// Whether the terminal wraps its lines again when it becomes narrower.
    wraps_again: bool,
    /// The widths of the lines on the terminal; the cursor is at the end of the last.
    drawn: Vec<usize>,
    /// The columns of the terminal when they were drawn.
    drawn_columns: usize,
}

impl ProgressScreen {
    /// Returns an empty screen, of a terminal with or without UTF-8.
    pub fn new(utf8: bool) -> Self {
        // xterm cuts its lines instead. What runs in it, such as tmux, has a name of its own.
        let is_xterm = |term: &std::ffi::OsStr| term.as_encoded_bytes().starts_with(b"xterm");
        let wraps_again = std::env::var_os("XTERM_VERSION").is_none()
            || !std::env::var_os("TERM").is_some_and(|term| is_xterm(&term));
        Self::with_size(utf8, wraps_again, size_of_stderr)
    }

    pub(in crate::output) fn with_size(utf8: bool, wraps_again: bool, size: fn() -> (usize, usize)) -> Self {
        let characters = ProgressCharacters::new(utf8);
        Self { frame: ProgressFrame::default(), characters, size, wraps_again, drawn: Vec::new(), drawn_columns: 0 }
    }

    /// Returns the characters for labels and marks.
    pub fn characters(&self) -> ProgressCharacters {
        self.characters
    }

    /// Returns whether lines are shown.
    pub fn is_visible(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// Sets what is shown from now on, and returns the bytes that show it.
    pub fn show(&mut self, frame: ProgressFrame) -> String {
        self.frame = frame;
        self.redraw("")
    }

    /// Returns the bytes that remove the lines, so that something else can be written.
    pub fn clear(&mut self) -> String {
        let text = self.clear_rows(self.rows((self.size)().0));
        self.set_drawn(Vec::new());
        text
    }

    /// Returns the bytes that print a text, which ends in a newline, above the lines.
    pub fn redraw(&mut self, above: &str) -> String {
        let size = (self.size)();
        let lines = self.frame.lines(size, &self.characters);
        let mut text = String::new();
        let rows = self.rows(size.0);
        // A terminal remembers which rows it has wrapped, and would join them again: they are removed.
        let in_place = above.is_empty() && size.0 == self.drawn_columns;
        if in_place {
            move_to_first(&mut text, rows);
        } else {
            text.push_str(&self.clear_rows(rows));
            text.push_str(above);
        }
        for (at, line) in lines.iter().enumerate() {
            // Writing to a String does not fail.
            let _ = write!(text, "{}{line}\u{1b}[K", if at > 0 { "\n" } else { "" });
        }
        if in_place && rows > lines.len() {
            text.push_str("\u{1b}[J");
        }
        self.drawn_columns = size.0;
        self.set_drawn(lines.iter().map(|line| line.width()).collect());
        text
    }

    fn set_drawn(&mut self, drawn: Vec<usize>) {
        stop::set_drawn_rows(drawn.len());
        self.drawn = drawn;
    }

    /// Returns how many rows the lines take on a terminal that has this width now.
    fn rows(&self, width: usize) -> usize {
        let rows = |line: &usize| if self.wraps_again { line.div_ceil(width.max(1)).max(1) } else { 1 };
        self.drawn.iter().map(rows).sum()
    }

    fn clear_rows(&self, rows: usize) -> String {
        if self.drawn.is_empty() { String::new() } else { stop::clear_rows(rows) }
    }
}

/// Adds the bytes that move the cursor from the end of the last of these rows to the start of the first.
fn move_to_first(text: &mut String, rows: usize) {
    match rows {
        0 => {}
        1 => text.push('\r'),
        // Writing to a String does not fail.
        _ => drop(write!(text, "\r\u{1b}[{}A", rows - 1)),
    }
}

/// Returns the columns and rows of the terminal behind stderr.
fn size_of_stderr() -> (usize, usize) {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(USUAL_SIZE, |(width, height)| (usize::from(width.0), usize::from(height.0))).max((1, 1))
}

#[cfg(test)]
mod tests {
    use super::super::line::TaskLine;
    use super::*;

    fn frame(names: &[&str]) -> ProgressFrame {
        let task = |name: &&str| TaskLine { name: (*name).to_owned(), ..TaskLine::default() };
        ProgressFrame { tasks: names.iter().map(task).collect(), summary: None }
    }

    fn screen(wraps_again: bool) -> ProgressScreen {
        ProgressScreen::with_size(true, wraps_again, || (80, 24))
    }

    #[test]
    fn lines_are_replaced_in_place() {
        let mut screen = screen(true);
        assert_eq!(screen.show(frame(&["a", "b", "c"])), "a\u{1b}[K\nb\u{1b}[K\nc\u{1b}[K");
        assert_eq!(screen.show(frame(&["d", "e"])), "\r\u{1b}[2Ad\u{1b}[K\ne\u{1b}[K\u{1b}[J");
        assert_eq!(screen.clear(), "\r\u{1b}[1A\u{1b}[J");
        assert_eq!(screen.clear(), "");
        assert_eq!(screen.redraw(""), "d\u{1b}[K\ne\u{1b}[K", "what is shown comes back");
    }

    #[test]
    fn text_is_printed_above_the_lines() {
        let mut screen = screen(true);
        assert_eq!(screen.redraw("one\n"), "one\n");
        let _ = screen.show(frame(&["a"]));
        assert_eq!(screen.redraw("two\n"), "\r\u{1b}[Jtwo\na\u{1b}[K");
        assert_eq!(screen.show(ProgressFrame::default()), "\r\u{1b}[J");
        assert!(!screen.is_visible());
    }

    #[test]
    fn a_terminal_that_became_narrower_has_wrapped_the_lines() {
        let drawn = |wraps_again| ProgressScreen { drawn: vec![70, 20, 41], ..screen(wraps_again) };
        assert_eq!([80, 40, 20].map(|width| drawn(true).rows(width)), [3, 5, 8]);
        assert_eq!(drawn(false).rows(20), 3);
    }

    #[test]
    fn wrapped_rows_are_removed_before_the_next_lines() {
        let mut screen = screen(true);
        let _ = screen.show(frame(&["a line of twenty two", "b"]));
        screen.size = || (16, 24);
        assert_eq!(screen.show(frame(&["a", "b"])), "\r\u{1b}[2A\u{1b}[Ja\u{1b}[K\nb\u{1b}[K");
        assert_eq!(screen.show(frame(&["c", "d"])), "\r\u{1b}[1Ac\u{1b}[K\nd\u{1b}[K");
    }
}
