//! Problems of files that are checked whole before they are sent: the broken rule, and its place.
//!
//! Each kind of file has its own rules; places, columns and messages work alike. A problem owns no text, because a file
//! may break a rule on every line.

use std::fmt;

use tulk_base::error::{Failure, Origin};

/// A broken rule for files of one kind, with the values of its message. Its text is the message.
pub trait FileRule: Copy + fmt::Display {
    /// Returns the name of the rule in machine-readable output.
    fn word(self) -> &'static str;

    /// Returns what to do about the problem.
    fn hint(self) -> &'static str;

    /// Returns the first line with the same content, if the rule forbids repeating it.
    fn first_line(self) -> Option<u32> {
        None
    }
}

/// A broken rule and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileProblem<R> {
    /// Line, from 1; 0 for the whole file.
    pub line: u32,
    /// Column in characters, from 1; 0 for the whole file.
    pub column: u32,
    /// The rule.
    pub rule: R,
}

impl<R: FileRule> FileProblem<R> {
    /// Creates a problem of the whole file.
    pub const fn whole_file(rule: R) -> Self {
        Self { line: 0, column: 0, rule }
    }

    /// Returns the place of the problem in a file.
    pub fn origin(&self, file: &str) -> Origin {
        Origin::at(file, self.line.into(), self.column.into())
    }

    /// Converts the problem into a failure that names the file.
    pub fn to_failure(self, file: &str) -> Failure {
        Failure::usage(self.rule.to_string()).at(self.origin(file)).hint(self.rule.hint())
    }

    /// Sorts problems from top to bottom and left to right, those of the whole file last.
    pub fn sort(problems: &mut [Self]) {
        problems.sort_by_key(|problem| (problem.line == 0, problem.line, problem.column));
    }
}

/// Returns the column right after a text that starts in column 1, in characters.
pub fn column_after(text: &str) -> u32 {
    saturating_u32(text.chars().count() + 1)
}

/// Converts a count; `u32::MAX` stands for everything above 4 billion.
pub fn saturating_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Returns whether a character is C0 or C1. DEL (U+007F) is neither and allowed.
pub fn is_control(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1f}' | '\u{80}'..='\u{9f}')
}

/// Returns whether a character ends a line somewhere: also those of Unicode.
pub fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
