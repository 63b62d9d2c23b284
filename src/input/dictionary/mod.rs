//! Dictionary files: TSV and CSV read into entries, every broken rule found in one pass with its line and column.
//!
//! Knows no service and sends nothing. What the rules are and how they read is `problem.rs`, CSV's quotes are `csv.rs`.
//! Spec: "Glossaries", content rules, TSV, CSV.

mod csv;
mod diff;
mod phrase;
mod problem;

use std::borrow::Cow;
use std::collections::HashMap;

pub use self::diff::{Change, Diff, Entry};
pub use self::problem::{Problem, Rule, Side};

use crate::limits;

/// How a file separates source and target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One tab between them, no quotes.
    Tsv,
    /// Commas and double quotes; 2 fields, or 4 with the language codes.
    Csv,
}

/// How a file is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Its form.
    pub form: Form,
    /// Whether its first line is a header.
    pub header: bool,
    /// The pair whose rows are wanted of a CSV file with codes; all of them without.
    pub pair: Option<(&'a str, &'a str)>,
}

impl Reading<'_> {
    /// TSV without a header: what the service gives.
    pub const TSV: Self = Self { form: Form::Tsv, header: false, pair: None };
}

/// One dictionary: entries in order, kept as the TSV that is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    tsv: String,
    count: usize,
}

/// What a file holds, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The entries, also those with a broken rule, unless they cannot be told apart from others.
    pub dictionary: Dictionary,
    /// Every broken rule, in the order of the file.
    pub problems: Vec<Problem>,
    /// Rows of other language pairs.
    pub skipped: usize,
}

impl Dictionary {
    /// A dictionary of entries that are known to be sound.
    pub fn of<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut dictionary = Self::default();
        for (source, target) in entries {
            dictionary.push(source, target);
        }
        dictionary
    }

    /// The entries as TSV, joined by line feeds, without one at the end.
    pub fn tsv(&self) -> &str {
        &self.tsv
    }

    /// The entries as TSV, owned.
    pub fn into_tsv(self) -> String {
        self.tsv
    }

    /// The entries as a file: a line feed after each.
    pub fn file(&self) -> String {
        if self.tsv.is_empty() { String::new() } else { format!("{}\n", self.tsv) }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Source and target of each entry, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tsv.split('\n').filter_map(|line| line.split_once('\t'))
    }

    fn push(&mut self, source: &str, target: &str) {
        if self.count > 0 {
            self.tsv.push('\n');
        }
        self.tsv.push_str(source);
        self.tsv.push('\t');
        self.tsv.push_str(target);
        self.count += 1;
    }
}

impl Checked {
    /// Reads a file's bytes. A leading byte-order mark is dropped, blank lines are skipped.
    pub fn read(bytes: &[u8], reading: &Reading<'_>) -> Self {
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let body = bytes.get(mark..).unwrap_or_default();
        let mut scan = Scan::new(reading, body.len(), memchr::memchr_iter(b'\n', body).count());
        match reading.form {
            Form::Tsv => scan.tsv(body, mark),
            Form::Csv => scan.csv(body, mark),
        }
        scan.end()
    }

    /// Checks one entry that was typed, not read.
    pub fn entry(source: &str, target: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        phrase::check(source, &mut |_, rule| problems.push(Problem { line: 0, column: 0, rule }), Side::Source);
        phrase::check(target, &mut |_, rule| problems.push(Problem { line: 0, column: 0, rule }), Side::Target);
        problems
    }

    /// Whether the entries are so large that some services may refuse them, though the limit is not reached.
    pub fn is_near_limit(&self) -> bool {
        (limits::DICTIONARY_WARN_BYTES + 1..=limits::DICTIONARY_BYTES).contains(&self.dictionary.tsv.len())
    }
}

/// A source phrase of a pair; the pair is the codes of a row, empty where the file has none.
type Key<'a> = (Cow<'a, str>, Cow<'a, str>);

/// One pass over a file.
struct Scan<'a, 'r> {
    reading: &'r Reading<'r>,
    checked: Checked,
    /// The line of each source phrase's first entry.
    first: HashMap<Cow<'a, str>, u32>,
    /// The same for rows with codes, when no pair is wanted: each pair is a dictionary of its own.
    first_of_pair: HashMap<Key<'a>, u32>,
}

impl<'a, 'r> Scan<'a, 'r> {
    fn new(reading: &'r Reading<'r>, bytes: usize, lines: usize) -> Self {
        let mut checked = Checked::default();
        checked.dictionary.tsv.reserve_exact(bytes);
        Self { reading, checked, first: HashMap::with_capacity(lines + 1), first_of_pair: HashMap::new() }
    }

    fn problem(&mut self, line: u32, column: u32, rule: Rule) {
        self.checked.problems.push(Problem { line, column, rule });
    }

    fn tsv(&mut self, body: &'a [u8], mark: usize) {
        let mut at = 0;
        for (index, raw) in body.split(|&b| b == b'\n').enumerate() {
            let (line, offset) = (number(index + 1), mark + at);
            at += raw.len() + 1;
            if index == 0 && self.reading.header {
                continue;
            }
            let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
            match std::str::from_utf8(raw) {
                Ok(text) => self.tsv_line(line, text),
                Err(error) => self.not_utf8(line, raw, error.valid_up_to(), offset),
            }
        }
    }

    fn tsv_line(&mut self, line: u32, text: &'a str) {
        if text.bytes().all(|b| b == b' ') {
            return;
        }
        let mut fields = text.splitn(3, '\t');
        let (source, target, more) = (fields.next().unwrap_or_default(), fields.next(), fields.next());
        match (target, more) {
            (Some(target), None) => {
                let second = column_after(source) + 1;
                self.entry(line, (1, source.into()), &(second, target.into()), None);
            }
            (Some(target), Some(_)) => {
                let column = column_after(source) + 1 + column_after(target) - 1;
                let tabs = memchr::memchr_iter(b'\t', text.as_bytes()).count();
                self.problem(line, column, Rule::Columns { form: Form::Tsv, found: number(tabs + 1) });
            }
            (None, _) => self.problem(line, 1, Rule::Columns { form: Form::Tsv, found: 1 }),
        }
    }

    fn not_utf8(&mut self, line: u32, raw: &[u8], valid: usize, offset: usize) {
        let before = raw.get(..valid).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
        self.problem(line, column_after(before), Rule::Utf8 { offset: (offset + valid) as u64 });
    }

    fn csv(&mut self, body: &'a [u8], mark: usize) {
        let mut records = csv::Records::new(body);
        let mut is_first = true;
        while let Some(record) = records.next() {
            if std::mem::take(&mut is_first) && self.reading.header {
                continue;
            }
            self.csv_record(record, mark);
        }
    }

    fn csv_record(&mut self, record: csv::Record<'a>, mark: usize) {
        if let Some((line, raw, valid, offset)) = record.not_utf8 {
            return self.not_utf8(line, raw, valid, mark + offset);
        }
        let is_broken = !record.faults.is_empty();
        for (line, column, rule) in record.faults {
            self.problem(line, column, rule);
        }
        let found = number(record.fields.len());
        let mut fields = record.fields.into_iter();
        let (Some(source), Some(target)) = (fields.next(), fields.next()) else {
            return self.problem(record.line, 1, Rule::Columns { form: Form::Csv, found });
        };
        let codes = match (fields.next(), fields.next(), fields.next()) {
            (None, ..) => None,
            (Some(from), Some(to), None) => Some((from, to)),
            (Some(third), ..) => {
                return self.problem(record.line, third.column, Rule::Columns { form: Form::Csv, found });
            }
        };
        if let (Some((from, to)), Some((source_lang, target_lang))) = (&codes, self.reading.pair)
            && !(from.text.eq_ignore_ascii_case(source_lang) && to.text.eq_ignore_ascii_case(target_lang))
        {
            self.checked.skipped += 1;
            return;
        }
        if is_broken {
            return;
        }
        let pair = match (codes, self.reading.pair) {
            (Some((from, to)), None) => Some(format!("{}:{}", from.text, to.text).to_ascii_lowercase()),
            _ => None,
        };
        self.entry(record.line, (source.column, source.text), &(target.column, target.text), pair);
    }

    /// Checks and keeps one entry; `(column, phrase)` each.
    fn entry(&mut self, line: u32, source: (u32, Cow<'a, str>), target: &(u32, Cow<'a, str>), pair: Option<String>) {
        for ((start, text), side) in [(&source, Side::Source), (target, Side::Target)] {
            let problems = &mut self.checked.problems;
            let mut report = |chars: u32, rule| problems.push(Problem { line, column: start + chars, rule });
            phrase::check(text, &mut report, side);
        }
        if !phrase::breaks_lines(&source.1) && !phrase::breaks_lines(&target.1) {
            self.checked.dictionary.push(&source.1, &target.1);
        }
        let column = source.0;
        if source.1.is_empty() {
            return;
        }
        let first = match pair {
            None => *self.first.entry(source.1).or_insert(line),
            Some(pair) => *self.first_of_pair.entry((pair.into(), source.1)).or_insert(line),
        };
        if first != line {
            self.problem(line, column, Rule::Duplicate { first });
        }
    }

    fn end(self) -> Checked {
        let mut checked = self.checked;
        let bytes = checked.dictionary.tsv.len();
        if bytes > limits::DICTIONARY_BYTES && self.first_of_pair.is_empty() {
            checked.problems.push(Problem { line: 0, column: 0, rule: Rule::TooLarge { bytes: bytes as u64 } });
        }
        if checked.dictionary.is_empty() && checked.problems.is_empty() {
            let rule = Rule::NoRow { skipped: number(checked.skipped) };
            checked.problems.push(Problem { line: 0, column: 0, rule });
        }
        // Rules are checked side by side; people read from left to right, and of the whole file last.
        checked.problems.sort_by_key(|problem| (problem.line == 0, problem.line, problem.column));
        checked
    }
}

/// The column right after a text that starts in column 1.
fn column_after(text: &str) -> u32 {
    number(text.chars().count() + 1)
}

/// A count as it is kept; files of more than 4 billion lines are counted as that many.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
