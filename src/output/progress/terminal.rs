//! The terminal for indicatif: the last lines of the terminal of stderr.
//!
//! indicatif's own terminal fills lines with spaces up to the edge, which leaves parts of old lines behind when the window becomes
//! narrower. This terminal cuts lines to the width and erases the rest of each row.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use indicatif::TermLike;
use tulk_base::stop;
use unicode_width::UnicodeWidthStr;

use super::lock;
use crate::output::panic;
use crate::output::render::shorten;

pub type SharedStream = Arc<Mutex<Box<dyn Write + Send>>>;

const USUAL_SIZE: (usize, usize) = (80, 24);
/// Columns left free at the end of each line, for the `^C` that a terminal may add.
const FREE_COLUMNS: usize = 2;

pub struct ProgressTerminal {
    stream: SharedStream,
    size: fn() -> (usize, usize),
    ellipsis: &'static str,
    /// Whether the terminal wraps its lines anew when it becomes narrower.
    rewraps: bool,
    lines: Mutex<Lines>,
}

#[derive(Default)]
struct Lines {
    next: Vec<String>,
    /// Widths of the lines on the terminal. The cursor is at the end of the last line.
    drawn: Vec<usize>,
    columns: usize,
}

impl ProgressTerminal {
    pub fn new(stream: SharedStream, size: fn() -> (usize, usize), utf8: bool) -> Self {
        // xterm cuts its lines instead of wrapping them anew. Programs that run in xterm, such as tmux, set another TERM.
        let is_xterm = |term: &std::ffi::OsStr| term.as_encoded_bytes().starts_with(b"xterm");
        let rewraps = std::env::var_os("XTERM_VERSION").is_none()
            || !std::env::var_os("TERM").is_some_and(|term| is_xterm(&term));
        Self { stream, size, ellipsis: shorten::ellipsis(utf8), rewraps, lines: Mutex::default() }
    }
}

/// Returns the columns and rows of the terminal of stderr that progress may use.
pub fn size_of_stderr() -> (usize, usize) {
    let size = terminal_size::terminal_size_of(io::stderr());
    let (columns, rows) = size.map_or(USUAL_SIZE, |(width, height)| (width.0.into(), height.0.into()));
    (columns.saturating_sub(FREE_COLUMNS).max(1), rows.max(2))
}

/// indicatif erases lines and moves the cursor as if the terminal showed exactly the lines that it has drawn. That may be wrong, so the
/// movements are ignored: `write_str` collects lines, and [`TermLike::flush`] draws them.
impl TermLike for ProgressTerminal {
    /// Returns a large width: lines are cut when they are written.
    fn width(&self) -> u16 {
        1000
    }

    fn height(&self) -> u16 {
        u16::MAX
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if !text.trim().is_empty() {
            lock(&self.lines).next.push(text.trim_end().to_owned());
        }
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn flush(&self) -> io::Result<()> {
        let mut lines = lock(&self.lines);
        let (columns, rows) = (self.size)();
        let mut next = std::mem::take(&mut lines.next);
        if panic::is_panicking() || (next.is_empty() && lines.drawn.is_empty()) {
            return Ok(());
        }
        // Keep one row free.
        if let Some(hidden) = next.len().checked_sub(rows).map(|hidden| hidden + 1) {
            next.drain(rows - 2..rows - 2 + hidden);
            for last in next.iter_mut().skip(rows - 2) {
                *last = format!("{last}, {hidden} more not shown");
            }
        }
        let next: Vec<_> = next.iter().map(|line| shorten::end(line, columns, self.ellipsis)).collect();
        let rows_of = |width: &usize| if self.rewraps { width.div_ceil(columns + FREE_COLUMNS).max(1) } else { 1 };
        let mut text = match lines.drawn.iter().map(rows_of).sum() {
            0 => String::new(),
            rows => stop::clear_rows(rows),
        };
        if columns == lines.columns && !next.is_empty() {
            // Overwrite the old lines without erasing them first. After a change of width, they must be erased, because the terminal would
            // join rows that it has wrapped.
            text.truncate(text.trim_end_matches("\u{1b}[J").len());
        }
        if !next.is_empty() {
            text.push_str(&next.join("\u{1b}[K\n"));
            text.push_str("\u{1b}[J");
        }
        (lines.drawn, lines.columns) = (next.iter().map(|line| line.width()).collect(), columns);
        stop::set_drawn_rows(next.len());
        let mut stream = lock(&self.stream);
        // An error cannot be reported anywhere.
        let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        Ok(())
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for ProgressTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressTerminal")
    }
}
