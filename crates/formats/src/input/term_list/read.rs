//! One pass over a file of terms: terms on one side, problems on the other.

use std::collections::HashMap;

use tulk_base::limits;

use super::{TermList, TermListProblem, TermListRule};
use crate::input::problem::{column_after, is_newline, saturating_u32};

/// The content of a file of terms and its problems.
#[derive(Clone, Debug, Default)]
pub struct CheckedTermList {
    /// The terms, without repeated ones. Those that break a rule are included.
    pub list: TermList,
    /// All problems, in the order of the file.
    pub problems: Vec<TermListProblem>,
}

impl CheckedTermList {
    /// Reads the bytes of a file. A leading byte-order mark is skipped.
    pub fn read(bytes: &[u8]) -> Self {
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let body = bytes.get(mark..).unwrap_or_default();
        let mut check = TermListCheck::default();
        let mut offset = mark;
        for (index, raw) in body.split_inclusive(|&b| b == b'\n').enumerate() {
            let end = raw.strip_suffix(b"\n").unwrap_or(raw);
            let end = end.strip_suffix(b"\r").unwrap_or(end);
            check.read_line(saturating_u32(index + 1), end, offset);
            offset += raw.len();
        }
        check.finish()
    }

    /// Returns whether the file is UTF-8. Only then it can be sent in spite of its problems.
    pub fn is_utf8(&self) -> bool {
        !self.problems.iter().any(|problem| matches!(problem.rule, TermListRule::Utf8 { .. }))
    }
}

/// The state of one pass over a file.
#[derive(Default)]
struct TermListCheck<'a> {
    checked: CheckedTermList,
    /// The first line of each term.
    first_line: HashMap<&'a str, u32>,
    /// The length of the terms so far, with the line feeds between them.
    chars: usize,
    /// The place of the first character above the limit.
    overflow: Option<(u32, u32)>,
}

impl<'a> TermListCheck<'a> {
    fn report(&mut self, line: u32, column: u32, rule: TermListRule) {
        self.checked.problems.push(TermListProblem { line, column, rule });
    }

    fn read_line(&mut self, line: u32, raw: &'a [u8], offset: usize) {
        let text = match std::str::from_utf8(raw) {
            Ok(text) => text,
            Err(error) => {
                let valid = raw.get(..error.valid_up_to()).unwrap_or_default();
                let column = column_after(std::str::from_utf8(valid).unwrap_or_default());
                return self.report(line, column, TermListRule::Utf8 { offset: (offset + valid.len()) as u64 });
            }
        };
        let term = text.trim();
        if term.is_empty() {
            return self.report(line, 1, TermListRule::Blank);
        }
        for (index, c) in text.chars().enumerate() {
            let rule = match c {
                '\t' => TermListRule::Tab,
                c if is_newline(c) => TermListRule::Newline { c },
                c if c.is_control() => TermListRule::Control { c },
                _ => continue,
            };
            self.report(line, saturating_u32(index + 1), rule);
        }
        let column = column_after(text.strip_suffix(text.trim_start()).unwrap_or_default());
        let first = *self.first_line.entry(term).or_insert(line);
        if first == line {
            self.add(line, column, term);
        } else {
            self.report(line, column, TermListRule::Duplicate { first });
        }
    }

    fn add(&mut self, line: u32, column: u32, term: &str) {
        let line_feed = usize::from(!self.checked.list.is_empty());
        // Characters of the term that still fit: without room for a line feed, none does.
        let room = limits::TERM_LIST_CHARS.saturating_sub(self.chars + line_feed);
        let chars = term.chars().count();
        if chars > room && self.overflow.is_none() {
            self.overflow = Some((line, column + saturating_u32(room)));
        }
        self.chars += line_feed + chars;
        self.checked.list.push(term);
    }

    fn finish(mut self) -> CheckedTermList {
        if let Some((line, column)) = self.overflow {
            self.report(line, column, TermListRule::TooLong { chars: saturating_u32(self.chars) });
        }
        let mut checked = self.checked;
        if checked.list.is_empty() && checked.problems.is_empty() {
            checked.problems.push(TermListProblem::whole_file(TermListRule::NoTerm));
        }
        // Problems of a line are found rule by rule.
        TermListProblem::sort(&mut checked.problems);
        checked
    }
}
