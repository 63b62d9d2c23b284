//! Files of spoken terms, one term per line: validation in one pass, and comparison of term lists. Whitespace around a
//! term is ignored, like in the service.

use std::collections::{HashMap, HashSet};
use std::fmt;

use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};

use crate::input::problem::{FileProblem, FileRule, column_after, is_newline, saturating_u32};

/// The terms of a language, in order and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermList {
    terms: Vec<String>,
}

impl TermList {
    /// Parses entries from the service. Ignores blank lines and duplicates.
    pub fn from_entries(entries: &str) -> Self {
        let mut seen = HashSet::new();
        let terms = entries.lines().map(str::trim).filter(|term| !term.is_empty() && seen.insert(*term));
        Self { terms: terms.map(str::to_owned).collect() }
    }

    /// Adds a term. It must not be in the list yet.
    fn push(&mut self, term: &str) {
        self.terms.push(term.to_owned());
    }

    /// Returns the terms in order.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns whether the list has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the text to send: terms separated by line feeds, without one at the end.
    pub fn entries(&self) -> String {
        self.terms.join("\n")
    }

    /// Returns the content of a file, with a line feed after each term.
    pub fn to_file_text(&self) -> String {
        // A reader drops a leading byte-order mark, so a term that starts with this character needs a second one.
        let is_marked = self.terms.first().is_some_and(|term| term.starts_with('\u{feff}'));
        let mark = is_marked.then_some("\u{feff}");
        mark.into_iter().chain(self.terms.iter().flat_map(|term| [term.as_str(), "\n"])).collect()
    }

    /// Returns the length in characters, including the line feeds between terms, which also count for the limit.
    pub fn chars(&self) -> usize {
        let line_feeds = self.terms.len().saturating_sub(1);
        self.terms.iter().map(|term| term.chars().count()).sum::<usize>() + line_feeds
    }

    /// Returns the terms that the other list does not have, in order.
    #[must_use]
    pub fn missing_in(&self, other: &Self) -> Self {
        let known: HashSet<&str> = other.terms().collect();
        Self { terms: self.terms().filter(|term| !known.contains(term)).map(str::to_owned).collect() }
    }

    /// Appends the new terms of the other list, as the service does in a merge.
    #[must_use]
    pub fn merged_with(&self, other: &Self) -> Self {
        let mut merged = self.clone();
        merged.terms.extend(other.missing_in(self).terms);
        merged
    }
}

/// A broken rule, with the values for its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermListRule {
    /// A line is blank.
    Blank,
    /// An earlier line has the same term.
    Duplicate {
        /// Line of the first occurrence.
        first: u32,
    },
    /// A term contains a tab.
    Tab,
    /// A term contains another control character: C0, DEL or C1.
    Control {
        /// The character.
        c: char,
    },
    /// A term contains a carriage return or a Unicode line break.
    Newline {
        /// The line break.
        c: char,
    },
    /// A line is not UTF-8.
    Utf8 {
        /// Offset of the first invalid byte in the file.
        offset: u64,
    },
    /// The list is too long. The location is the first character above the limit.
    TooLong {
        /// Length in characters, including line feeds between terms.
        chars: u32,
    },
    /// The file has no terms.
    NoTerm,
}

impl FileRule for TermListRule {
    fn word(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Duplicate { .. } => "duplicate",
            Self::Tab => "tab",
            Self::Control { .. } => "control",
            Self::Newline { .. } => "newline",
            Self::Utf8 { .. } => "utf8",
            Self::TooLong { .. } => "length",
            Self::NoTerm => "no_term",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Blank => "remove the line",
            Self::Duplicate { .. } => "remove one of the two lines",
            Self::Tab => "write each term on its own line, and use spaces within a term",
            Self::Control { .. } => "remove the character",
            Self::Newline { .. } => "write each term on its own line, ending with LF or CRLF",
            Self::Utf8 { .. } => "save the file as UTF-8",
            Self::TooLong { .. } => {
                "keep the terms that are most often misheard; the line break after a term counts too"
            }
            Self::NoTerm => "add at least one term",
        }
    }

    fn first_line(self) -> Option<u32> {
        match self {
            Self::Duplicate { first } => Some(first),
            _ => None,
        }
    }
}

impl fmt::Display for TermListRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Blank => f.write_str("the line is blank"),
            Self::Duplicate { first } => write!(f, "the term is already on line {first}"),
            Self::Tab => f.write_str("the term contains a tab"),
            Self::Control { c } => write!(f, "the term contains the control character U+{:04X}", u32::from(c)),
            Self::Newline { c } => write!(f, "the term contains the line break U+{:04X}", u32::from(c)),
            Self::Utf8 { offset } => write!(f, "invalid UTF-8 at byte offset {offset}"),
            Self::TooLong { chars } => {
                let (chars, limit) = (counted(chars, "character"), grouped(limits::TERM_LIST_CHARS));
                write!(f, "the list has {chars}; the limit of {limit} is exceeded here")
            }
            Self::NoTerm => f.write_str("the file has no terms"),
        }
    }
}

/// A problem in a file of terms.
pub type TermListProblem = FileProblem<TermListRule>;

/// Terms and problems of a file.
#[derive(Clone, Debug, Default)]
pub struct CheckedTermList {
    /// The terms without duplicates, including those that break a rule.
    pub list: TermList,
    /// All problems, in file order.
    pub problems: Vec<TermListProblem>,
}

impl CheckedTermList {
    /// Parses and checks a file. Skips a leading byte-order mark.
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

    /// Returns whether the file is UTF-8. Only UTF-8 files can be sent despite their problems.
    pub fn is_utf8(&self) -> bool {
        !self.problems.iter().any(|problem| matches!(problem.rule, TermListRule::Utf8 { .. }))
    }
}

#[derive(Default)]
struct TermListCheck<'a> {
    checked: CheckedTermList,
    first_line: HashMap<&'a str, u32>,
    /// Length so far, including line feeds between terms.
    chars: usize,
    /// Line and column of the first character above the limit.
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
        // Characters of the term that fit; 0 if its line feed does not fit.
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
        // Within a line, problems are found in the order of the rules.
        TermListProblem::sort(&mut checked.problems);
        checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(bytes: &[u8]) -> Vec<String> {
        let checked = CheckedTermList::read(bytes);
        checked.problems.iter().map(|p| format!("{} {}: {}", p.origin("f"), p.rule.word(), p.rule)).collect()
    }

    fn list(terms: &[&str]) -> TermList {
        TermList::from_entries(&terms.join("\n"))
    }

    #[test]
    fn reads_terms_with_byte_order_mark_crlf_and_outer_spaces() {
        let checked = CheckedTermList::read("\u{feff}Kubernetes\r\n  Jane Doe \r\nÜbergröße".as_bytes());
        assert_eq!(checked.problems, []);
        assert_eq!(checked.list.entries(), "Kubernetes\nJane Doe\nÜbergröße");
        assert_eq!(checked.list.to_file_text(), "Kubernetes\nJane Doe\nÜbergröße\n");
        assert_eq!((checked.list.len(), checked.list.chars()), (3, 29));
    }

    #[test]
    fn a_file_keeps_a_term_that_begins_like_a_byte_order_mark() {
        let checked = CheckedTermList::read("\u{feff}\u{feff}tea\nwater".as_bytes());
        assert_eq!(checked.list.entries(), "\u{feff}tea\nwater");
        assert_eq!(CheckedTermList::read(checked.list.to_file_text().as_bytes()).list, checked.list);
    }

    #[test]
    fn finds_every_problem_in_one_pass() {
        let mut bytes = "API\n\n \t \n API\na\tb\u{7f}\nu\u{2028}v\nx\ry\n".as_bytes().to_vec();
        bytes.extend_from_slice(b"gr\xc3\xbc\xff\n");
        let offset = bytes.iter().position(|&b| b == 0xff).unwrap();
        assert_eq!(
            problems(&bytes),
            [
                "f:2:1 blank: the line is blank".to_owned(),
                "f:3:1 blank: the line is blank".to_owned(),
                "f:4:2 duplicate: the term is already on line 1".to_owned(),
                "f:5:2 tab: the term contains a tab".to_owned(),
                "f:5:4 control: the term contains the control character U+007F".to_owned(),
                "f:6:2 newline: the term contains the line break U+2028".to_owned(),
                "f:7:2 newline: the term contains the line break U+000D".to_owned(),
                format!("f:8:4 utf8: invalid UTF-8 at byte offset {offset}"),
            ]
        );
    }

    #[test]
    fn terms_are_compared_exactly() {
        assert_eq!(problems("api\nAPI\nu\u{308}\n\u{fc}\n".as_bytes()), [""; 0]);
    }

    #[test]
    fn a_file_without_terms_is_a_problem() {
        assert_eq!(problems(b""), ["f no_term: the file has no terms"]);
        assert_eq!(problems("\u{feff}".as_bytes()), ["f no_term: the file has no terms"]);
        assert_eq!(problems(b"\n"), ["f:1:1 blank: the line is blank"]);
    }

    #[test]
    fn a_list_has_at_most_300_characters_with_the_line_breaks_between_terms() {
        let (a, b) = ("ä".repeat(150), "b".repeat(149));
        assert_eq!(problems(format!("{a}\n{b}\n").as_bytes()), [""; 0], "150 + 1 + 149");
        assert_eq!(
            problems(format!("{a}\n {b}b\nc\n").as_bytes()),
            ["f:2:151 length: the list has 303 characters; the limit of 300 is exceeded here"]
        );
        assert_eq!(
            problems(format!("{a}\n{b}\nc\n").as_bytes()),
            ["f:3:1 length: the list has 302 characters; the limit of 300 is exceeded here"]
        );
        assert_eq!(
            problems("x".repeat(301).as_bytes()),
            ["f:1:301 length: the list has 301 characters; the limit of 300 is exceeded here"]
        );
        let repeated = format!("{a}\n{b}\n{a}\n");
        assert_eq!(problems(repeated.as_bytes()), ["f:3:1 duplicate: the term is already on line 1"]);
    }

    #[test]
    fn a_merge_keeps_the_order_and_adds_new_terms_at_the_end() {
        let (old, new) = (list(&["b", "a"]), list(&["c", "a", "d"]));
        assert_eq!(old.merged_with(&new).entries(), "b\na\nc\nd");
        assert_eq!(new.missing_in(&old).entries(), "c\nd");
        assert_eq!(old.missing_in(&new).entries(), "b");
        assert!(old.missing_in(&old).is_empty());
    }

    #[test]
    fn reads_the_entries_of_the_service_leniently() {
        assert_eq!(TermList::from_entries(" a \r\n\nb\na\n").entries(), "a\nb");
        assert!(TermList::from_entries("").is_empty());
    }
}
