//! Problems in files that are checked completely before they are sent: the broken rule and its location.
//!
//! A problem does not own text, because a file may break a rule on every line.

use std::fmt;

use tulk_base::error::{Failure, Origin};

/// A broken rule for one kind of file, with the values for its message. `Display` writes the message.
pub trait FileRule: Copy + fmt::Display {
    /// Returns the name in machine-readable output.
    fn word(self) -> &'static str;

    /// Returns what the user can do about the problem.
    fn hint(self) -> &'static str;

    /// Returns the line with the first occurrence, for rules against duplicates.
    fn first_line(self) -> Option<u32> {
        None
    }
}

/// A broken rule and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileProblem<R> {
    /// Line, from 1; 0 for a problem of the complete file.
    pub line: u32,
    /// Column in characters, from 1; 0 for a problem of the complete file.
    pub column: u32,
    /// The broken rule.
    pub rule: R,
}

impl<R: FileRule> FileProblem<R> {
    /// Creates a problem of the complete file.
    pub const fn whole_file(rule: R) -> Self {
        Self { line: 0, column: 0, rule }
    }

    /// Returns the location of the problem in a file.
    pub fn origin(&self, file: &str) -> Origin {
        Origin::at(file, self.line.into(), self.column.into())
    }

    /// Converts the problem to an error with file name, location and hint.
    pub fn to_failure(self, file: &str) -> Failure {
        Failure::usage(self.rule.to_string()).at(self.origin(file)).hint(self.rule.hint())
    }

    /// Sorts problems by line and column. Those of the complete file come last.
    pub fn sort(problems: &mut [Self]) {
        problems.sort_by_key(|problem| (problem.line == 0, problem.line, problem.column));
    }
}

/// Returns the column after a text that starts in column 1, in characters.
pub fn column_after(text: &str) -> u32 {
    saturating_u32(text.chars().count() + 1)
}

/// Converts a count to `u32`. A count that does not fit becomes `u32::MAX`.
pub fn saturating_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Returns whether a character is a C0 or C1 control. DEL (U+007F) is neither, so it is allowed.
pub fn is_control(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1f}' | '\u{80}'..='\u{9f}')
}

/// Returns whether a character is a line break, including those of Unicode.
pub fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
