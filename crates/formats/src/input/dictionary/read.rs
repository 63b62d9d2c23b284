//! Parses and checks a dictionary file in one pass.

use std::borrow::Cow;
use std::collections::HashMap;

use tulk_base::limits;

use super::csv::{DictionaryCsvReader, DictionaryCsvRecord, DictionaryField};
use super::entries::Dictionary;
use super::header::{LanguageColumns, header_rule};
use super::problem::{DictionaryFormat, DictionaryProblem, DictionaryRule, PhraseSide};
use crate::input::problem::{column_after, is_control, is_newline, saturating_u32};

/// Options for reading a dictionary file.
#[derive(Clone, Copy, Debug)]
pub struct DictionaryReadOptions<'a> {
    /// TSV or CSV.
    pub format: DictionaryFormat,
    /// Whether to skip the first line as a header.
    pub header: bool,
    /// Language pair to read from a CSV file with language codes; all pairs if `None`.
    pub pair: Option<(&'a str, &'a str)>,
    /// Whether the file is a table with one column per language, named in its first line.
    pub columns_are_languages: bool,
    /// Returns the language code for a cell of the first line.
    pub language: fn(&str) -> Option<String>,
}

impl DictionaryReadOptions<'_> {
    /// TSV without a header, as in replies of the service.
    pub const TSV: Self = Self {
        format: DictionaryFormat::Tsv,
        header: false,
        pair: None,
        columns_are_languages: false,
        language: |_| None,
    };
}

/// Entries and problems of a dictionary file.
#[derive(Clone, Debug, Default)]
pub struct CheckedDictionary {
    /// The entries, including those that break a rule, unless their phrases contain tabs or line feeds.
    pub dictionary: Dictionary,
    /// Line of each entry, from 1.
    pub entry_lines: Vec<u32>,
    /// All problems, in file order.
    pub problems: Vec<DictionaryProblem>,
    /// Number of rows for other language pairs. In a table: rows without source or without target phrases.
    pub skipped: usize,
    /// Cells of the first line of a table with one column per language.
    pub columns: Vec<String>,
    /// Whether the service can read the file unchanged.
    pub is_readable_by_service: bool,
}

impl CheckedDictionary {
    /// Parses and checks a file. Skips a leading byte-order mark and blank lines.
    pub fn read(bytes: &[u8], options: &DictionaryReadOptions<'_>) -> Self {
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let body = bytes.get(mark..).unwrap_or_default();
        let mut check = DictionaryCheck::new(options, body.len(), memchr::memchr_iter(b'\n', body).count());
        match options.format {
            DictionaryFormat::Tsv => check.read_tsv(body, mark),
            DictionaryFormat::Csv => check.read_csv(body, mark),
        }
        check.finish()
    }

    /// Checks one entry that is not from a file.
    pub fn check_entry(source: &str, target: &str) -> Vec<DictionaryProblem> {
        let mut problems = Vec::new();
        let mut report = |_, rule| problems.push(DictionaryProblem::whole_file(rule));
        check_phrase(source, &mut report, PhraseSide::Source);
        check_phrase(target, &mut report, PhraseSide::Target);
        problems
    }

    /// Returns whether the size is allowed, but so close to the limit that some services may refuse it.
    pub fn is_near_limit(&self) -> bool {
        (limits::DICTIONARY_WARN_BYTES + 1..=limits::DICTIONARY_BYTES).contains(&self.dictionary.tsv().len())
    }
}

/// A language pair as lowercase `source:target`, and a source phrase.
type PairPhrase<'a> = (String, Cow<'a, str>);

struct DictionaryCheck<'a, 'o> {
    options: &'o DictionaryReadOptions<'o>,
    checked: CheckedDictionary,
    /// Line of the first entry for each source phrase.
    first_line: HashMap<Cow<'a, str>, u32>,
    /// The same for each pair, if the file has several: each pair is a separate dictionary.
    first_line_of_pair: HashMap<PairPhrase<'a>, u32>,
    /// Set after the first line of a table.
    languages: Option<LanguageColumns>,
    is_first: bool,
    /// Whether the rest of the file cannot be parsed.
    is_stopped: bool,
}

impl<'a, 'o> DictionaryCheck<'a, 'o> {
    fn new(options: &'o DictionaryReadOptions<'o>, bytes: usize, lines: usize) -> Self {
        let dictionary = Dictionary::with_capacity(bytes);
        let is_readable_by_service = !options.columns_are_languages;
        Self {
            options,
            checked: CheckedDictionary { dictionary, is_readable_by_service, ..CheckedDictionary::default() },
            first_line: HashMap::with_capacity(lines + 1),
            first_line_of_pair: HashMap::new(),
            languages: None,
            is_first: !options.header,
            is_stopped: false,
        }
    }

    fn report(&mut self, line: u32, column: u32, rule: DictionaryRule) {
        self.checked.problems.push(DictionaryProblem { line, column, rule });
    }

    fn read_tsv(&mut self, body: &'a [u8], mark: usize) {
        let mut next = mark;
        for (index, raw) in body.split(|&b| b == b'\n').enumerate() {
            let (line, offset) = (saturating_u32(index + 1), next);
            next += raw.len() + 1;
            if index == 0 && self.options.header {
                continue;
            }
            if self.is_stopped {
                break;
            }
            let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
            match std::str::from_utf8(raw) {
                Ok(text) => self.read_tsv_line(line, text),
                Err(error) => {
                    let valid = raw.get(..error.valid_up_to()).unwrap_or_default();
                    self.report_invalid_utf8(line, valid, offset + valid.len());
                }
            }
        }
    }

    fn read_tsv_line(&mut self, line: u32, text: &'a str) {
        if text.bytes().all(|b| b == b' ') {
            return;
        }
        let format = DictionaryFormat::Tsv;
        if (self.is_first || self.options.columns_are_languages) && self.entry_fields(line, tsv_fields(text)).is_none()
        {
            return;
        }
        let mut fields = text.splitn(3, '\t');
        let (source, target, more) = (fields.next().unwrap_or_default(), fields.next(), fields.next());
        match (target, more) {
            (Some(target), None) => {
                let target = DictionaryField { column: column_after(source) + 1, text: target.into() };
                self.add_entry(line, DictionaryField { column: 1, text: source.into() }, &target, None);
            }
            (Some(target), Some(_)) => {
                let column = column_after(source) + column_after(target);
                let tabs = memchr::memchr_iter(b'\t', text.as_bytes()).count();
                self.report(line, column, DictionaryRule::FieldCount { format, found: saturating_u32(tabs + 1) });
            }
            (None, _) => self.report(line, 1, DictionaryRule::FieldCount { format, found: 1 }),
        }
    }

    /// Returns the fields if the record is an entry. Checks the first record for headers, and handles rows of tables
    /// itself.
    fn entry_fields(&mut self, line: u32, fields: Vec<DictionaryField<'a>>) -> Option<Vec<DictionaryField<'a>>> {
        if self.options.columns_are_languages {
            if let Some(columns) = self.languages.take() {
                self.read_row(line, &fields, &columns);
                self.languages = Some(columns);
                return None;
            }
            match LanguageColumns::find(&fields, self.options) {
                Ok(columns) => self.languages = Some(columns),
                Err(rule) => {
                    self.report(line, 1, rule);
                    self.is_stopped = true;
                }
            }
            self.checked.columns = fields.into_iter().map(|field| field.text.into_owned()).collect();
            return None;
        }
        if let Some(rule) = header_rule(&fields, self.options).filter(|_| self.is_first) {
            self.report(line, 1, rule);
            // All lines have this many fields and would report the same problem.
            self.is_stopped = rule == DictionaryRule::LanguageHeader && fields.len() > 2;
        }
        self.is_first = false;
        (!self.is_stopped).then_some(fields)
    }

    /// Adds the entries in a row of a table. Empty cells are allowed; the row is skipped if it has no complete entry.
    fn read_row(&mut self, line: u32, fields: &[DictionaryField<'a>], columns: &LanguageColumns) {
        let is_blank = |field: &DictionaryField<'_>| field.text.trim().is_empty();
        if fields.iter().all(is_blank) {
            return;
        }
        if fields.len() != columns.count {
            let (found, expected) = (saturating_u32(fields.len()), saturating_u32(columns.count));
            return self.report(line, 1, DictionaryRule::CellCount { found, expected });
        }
        let mut skipped = 1;
        let before = self.checked.problems.len();
        for column in &columns.targets {
            if let (Some(source), Some(target)) = (fields.get(columns.source), fields.get(*column))
                && !is_blank(source)
                && !is_blank(target)
            {
                let source = DictionaryField { column: source.column, text: source.text.clone() };
                self.add_entry(line, source, target, (columns.targets.len() > 1).then(|| column.to_string()));
                skipped = 0;
            }
        }
        self.checked.skipped += skipped;
        // Report a problem of the source phrase only once, although it is found for each target column.
        let mut seen = Vec::new();
        for problem in self.checked.problems.split_off(before) {
            if !seen.contains(&problem) {
                seen.push(problem);
            }
        }
        self.checked.problems.extend(seen);
    }

    /// `valid` is the line up to the invalid byte, which is at `offset` of the file.
    fn report_invalid_utf8(&mut self, line: u32, valid: &[u8], offset: usize) {
        let valid = std::str::from_utf8(valid).unwrap_or_default();
        self.report(line, column_after(valid), DictionaryRule::Utf8 { offset: offset as u64 });
    }

    fn read_csv(&mut self, body: &'a [u8], mark: usize) {
        let mut reader = DictionaryCsvReader::new(body);
        self.checked.is_readable_by_service &= reader.is_readable_by_service();
        let mut is_first = true;
        while let Some(record) = reader.next().filter(|_| !self.is_stopped) {
            if !(std::mem::take(&mut is_first) && self.options.header) {
                self.read_csv_record(record, mark);
            }
        }
    }

    fn read_csv_record(&mut self, record: DictionaryCsvRecord<'a>, mark: usize) {
        if let Some(invalid) = record.not_utf8 {
            return self.report_invalid_utf8(record.line, invalid.valid, mark + invalid.offset);
        }
        let is_broken = !record.faults.is_empty();
        for (line, column, rule) in record.faults {
            self.report(line, column, rule);
        }
        let format = DictionaryFormat::Csv;
        if is_broken && self.options.columns_are_languages {
            return;
        }
        let Some(fields) = self.entry_fields(record.line, record.fields) else { return };
        let found = saturating_u32(fields.len());
        let mut fields = fields.into_iter();
        let (Some(source), Some(target)) = (fields.next(), fields.next()) else {
            return self.report(record.line, 1, DictionaryRule::FieldCount { format, found });
        };
        let codes = match (fields.next(), fields.next(), fields.next()) {
            (None, ..) => None,
            (Some(from), Some(to), None) => Some((from.text, to.text)),
            (Some(third), ..) => {
                return self.report(record.line, third.column, DictionaryRule::FieldCount { format, found });
            }
        };
        if let (Some((from, to)), Some((source_lang, target_lang))) = (&codes, self.options.pair)
            && !(from.eq_ignore_ascii_case(source_lang) && to.eq_ignore_ascii_case(target_lang))
        {
            self.checked.skipped += 1;
            return;
        }
        if is_broken {
            return;
        }
        let pair = match (codes, self.options.pair) {
            (Some((from, to)), None) => Some(format!("{from}:{to}").to_ascii_lowercase()),
            _ => None,
        };
        self.add_entry(record.line, source, &target, pair);
    }

    /// `pair` is set if the file may contain several pairs.
    fn add_entry(
        &mut self,
        line: u32,
        source: DictionaryField<'a>,
        target: &DictionaryField<'a>,
        pair: Option<String>,
    ) {
        for (phrase, side) in [(&source, PhraseSide::Source), (target, PhraseSide::Target)] {
            let problems = &mut self.checked.problems;
            let mut report = |chars_before: u32, rule| {
                problems.push(DictionaryProblem { line, column: phrase.column + chars_before, rule });
            };
            check_phrase(&phrase.text, &mut report, side);
        }
        if !breaks_tsv(&source.text) && !breaks_tsv(&target.text) {
            self.checked.dictionary.push(&source.text, &target.text);
            self.checked.entry_lines.push(line);
        }
        if source.text.is_empty() {
            return;
        }
        let first = match pair {
            None => *self.first_line.entry(source.text).or_insert(line),
            Some(pair) => *self.first_line_of_pair.entry((pair, source.text)).or_insert(line),
        };
        if first != line {
            self.report(line, source.column, DictionaryRule::Duplicate { first });
        }
    }

    fn finish(self) -> CheckedDictionary {
        let mut checked = self.checked;
        let bytes = checked.dictionary.tsv().len();
        if bytes > limits::DICTIONARY_BYTES && self.first_line_of_pair.is_empty() {
            checked.problems.push(DictionaryProblem::whole_file(DictionaryRule::TooLarge { bytes: bytes as u64 }));
        }
        if checked.dictionary.is_empty() && checked.problems.is_empty() {
            let other_pairs = if self.options.columns_are_languages { 0 } else { checked.skipped };
            let skipped = saturating_u32(other_pairs);
            checked.problems.push(DictionaryProblem::whole_file(DictionaryRule::NoRow { skipped }));
        }
        // Within a line, problems are found in the order of the rules.
        DictionaryProblem::sort(&mut checked.problems);
        checked
    }
}

/// Calls `report` for each broken rule, with the number of characters before the problem.
fn check_phrase(text: &str, report: &mut impl FnMut(u32, DictionaryRule), side: PhraseSide) {
    if text.is_empty() {
        report(0, DictionaryRule::Empty { side });
        return;
    }
    let is_printable_ascii = text.bytes().all(|b| (0x20..0x80).contains(&b));
    if !is_printable_ascii {
        for (index, c) in text.chars().enumerate() {
            if is_newline(c) {
                report(saturating_u32(index), DictionaryRule::Newline { side, c });
            } else if is_control(c) {
                report(saturating_u32(index), DictionaryRule::Control { side, c });
            }
        }
    }
    // Some control characters are also whitespace. They are reported only as control characters.
    let is_space = |c: char| c.is_whitespace() && !is_control(c) && !is_newline(c);
    if text.starts_with(is_space) {
        report(0, DictionaryRule::Whitespace { side, leading: true });
    }
    if text.ends_with(is_space) && !text.chars().all(is_space) {
        let chars_before = text.trim_end_matches(is_space).chars().count();
        report(saturating_u32(chars_before), DictionaryRule::Whitespace { side, leading: false });
    }
    if text.len() > limits::GLOSSARY_PHRASE_BYTES {
        report(0, DictionaryRule::TooLong { side, bytes: saturating_u32(text.len()) });
    }
}

fn tsv_fields(line: &str) -> Vec<DictionaryField<'_>> {
    let mut column = 1;
    let field = |text| {
        let field = DictionaryField { column, text: Cow::Borrowed(text) };
        column += column_after(text);
        field
    };
    line.split('\t').map(field).collect()
}

fn breaks_tsv(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'\t' | b'\n'))
}
