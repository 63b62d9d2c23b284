//! Parses a PO file into blocks: entries with their comments, and the text between entries.

use std::ops::Range;

use super::literal::{PoLayout, decode_line};
use crate::edit::{line_start, newline_of};
use crate::{CatalogError, UnitKey};

/// The column at which gettext folds lines.
const USUAL_WIDTH: usize = 79;

#[derive(Debug)]
pub struct PoFile {
    pub blocks: Vec<PoBlock>,
    pub layout: PoLayout,
}

/// Consecutive lines that belong together.
#[derive(Debug)]
pub struct PoBlock {
    pub start: usize,
    /// Excludes the line ending.
    pub end: usize,
    /// The entry; `None` for obsolete entries and for comments without an entry.
    pub entry: Option<PoEntry>,
}

#[derive(Debug, Default)]
pub struct PoEntry {
    pub context: Option<PoString>,
    pub id: PoString,
    pub plural: Option<PoString>,
    /// `msgstr`, or `msgstr[0]` and the following forms.
    pub forms: Vec<PoString>,
    pub comments: PoComments,
}

#[derive(Debug, Default)]
pub struct PoComments {
    /// The text of the `#.` comments, without the marker.
    pub notes: Vec<Range<usize>>,
    pub flags: Vec<PoLine>,
    /// The `#|` lines.
    pub previous: Vec<PoLine>,
}

#[derive(Clone, Debug, Default)]
pub struct PoString {
    pub keyword: usize,
    /// From the first quote to the last.
    pub range: Range<usize>,
    pub line_end: usize,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PoLine {
    pub start: usize,
    /// Excludes the line ending.
    pub end: usize,
    pub next: usize,
}

impl PoFile {
    pub fn parse(text: &str) -> Result<Self, CatalogError> {
        let mut parser = PoParser { text, ..PoParser::default() };
        let mut start = 0;
        while start < text.len() {
            let rest = text.get(start..).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest.as_bytes());
            let next = length.map_or(text.len(), |length| start + length + 1);
            let line = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            let end = start + line.strip_suffix('\r').unwrap_or(line).len();
            parser.line(PoLine { start, end, next })?;
            start = next;
        }
        parser.finish_entry()?;
        parser.finish_comments();
        let newline = newline_of(text);
        let width = (parser.folded >= parser.unfolded_long).then_some(parser.widest.max(USUAL_WIDTH));
        Ok(Self { blocks: parser.blocks, layout: PoLayout { newline, width } })
    }

    pub(super) fn entry(&self, block: usize) -> Option<&PoEntry> {
        self.blocks.get(block)?.entry.as_ref()
    }
}

impl PoEntry {
    /// Returns the context and the source text.
    pub(super) fn context_and_source(&self) -> (Option<&str>, &str) {
        (self.context.as_ref().map(|context| context.text.as_str()), &self.id.text)
    }

    pub(super) fn key(&self) -> UnitKey {
        let context = self.context.iter().map(|context| context.text.as_str());
        UnitKey::names(context.chain([self.id.text.as_str()]))
    }

    pub(super) fn first_form(&self) -> &PoString {
        self.forms.first().unwrap_or(&self.id)
    }
}

impl PoComments {
    pub(super) fn flags<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let lines = self.flags.iter().map(|line| text.get(line.start..line.end).unwrap_or_default());
        let marks = ['#', ',', '=', ' ', '\t'];
        lines.flat_map(|line| line.trim_start_matches(marks).split(',')).map(str::trim).collect()
    }

    pub(super) fn note(&self, text: &str) -> Option<String> {
        let lines = self.notes.iter().map(|range| text.get(range.clone()).unwrap_or_default());
        let note = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect::<Vec<_>>().join("\n");
        (!note.trim().is_empty()).then_some(note)
    }
}

/// 1 for `msgstr[1]`, 0 for `msgstr`.
fn form_index(keyword: &str) -> Option<usize> {
    if keyword == "msgstr" {
        return Some(0);
    }
    keyword.strip_prefix("msgstr[")?.strip_suffix(']')?.parse().ok()
}

/// The string that the next literal continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PoSection {
    #[default]
    Context,
    Id,
    Plural,
    Form,
}

#[derive(Debug, Default)]
struct OpenEntry {
    start: usize,
    entry: PoEntry,
    section: PoSection,
    has_id: bool,
    bytes: Vec<u8>,
    /// The lines of the current string so far.
    lines: usize,
}

#[derive(Debug, Default)]
struct PoParser<'t> {
    text: &'t str,
    blocks: Vec<PoBlock>,
    /// The comments before the next entry.
    pending: Option<Range<usize>>,
    comments: PoComments,
    is_obsolete: bool,
    open: Option<OpenEntry>,
    /// The number of folded strings; `unfolded_long` counts single-line strings that are too long but not folded.
    folded: usize,
    unfolded_long: usize,
    /// The longest line of a folded string, in columns.
    widest: usize,
}

impl PoParser<'_> {
    fn line(&mut self, line: PoLine) -> Result<(), CatalogError> {
        let content = self.text.get(line.start..line.end).unwrap_or_default();
        let trimmed = content.trim_start_matches([' ', '\t']);
        let at = line.end - trimmed.len();
        match trimmed.as_bytes().first() {
            None => self.blank(),
            Some(b'#') => self.comment(line, trimmed)?,
            Some(b'"') => self.string(line, at)?,
            Some(_) => {
                let length = trimmed.find(['"', ' ', '\t']).unwrap_or(trimmed.len());
                let (keyword, rest) = trimmed.split_at_checked(length).unwrap_or((trimmed, ""));
                self.keyword(keyword, at)?;
                let quote = line.end - rest.trim_start_matches([' ', '\t']).len();
                if quote < line.end {
                    self.string(line, quote)?;
                }
            }
        }
        Ok(())
    }

    fn blank(&mut self) {
        let has_marks =
            !self.comments.notes.is_empty() || !self.comments.flags.is_empty() || !self.comments.previous.is_empty();
        if self.is_obsolete || !has_marks {
            self.finish_comments();
        }
    }

    fn comment(&mut self, line: PoLine, trimmed: &str) -> Result<(), CatalogError> {
        if self.open.as_ref().is_some_and(|open| !open.entry.forms.is_empty()) || trimmed.starts_with("#~") {
            self.finish_entry()?;
        }
        if trimmed.starts_with("#~") {
            self.is_obsolete = true;
        } else if self.is_obsolete {
            self.finish_comments();
        }
        let comments = if let Some(open) = &mut self.open {
            &mut open.entry.comments
        } else {
            let pending = self.pending.get_or_insert(line.start..line.end);
            pending.end = line.end;
            &mut self.comments
        };
        match trimmed.as_bytes().get(1) {
            Some(b'.') => comments.notes.push(line.end - trimmed.len() + 2..line.end),
            Some(b',' | b'=') => comments.flags.push(line),
            Some(b'|') => comments.previous.push(line),
            _ => {}
        }
        Ok(())
    }

    /// Ends a block of obsolete lines, or of comments without an entry.
    fn finish_comments(&mut self) {
        if let Some(range) = self.pending.take() {
            self.blocks.push(PoBlock { start: range.start, end: range.end, entry: None });
        }
        self.comments = PoComments::default();
        self.is_obsolete = false;
    }

    fn keyword(&mut self, keyword: &str, at: usize) -> Result<(), CatalogError> {
        let is_known = matches!(keyword, "msgctxt" | "msgid" | "msgid_plural") || form_index(keyword).is_some();
        if !is_known {
            return Err(CatalogError::new(at, "a comment, a string or a keyword such as `msgid` is expected here"));
        }
        let has_forms = self.open.as_ref().is_some_and(|open| !open.entry.forms.is_empty());
        let begins = match keyword {
            "msgctxt" => true,
            "msgid" => has_forms || self.open.is_none(),
            _ => false,
        };
        if begins {
            self.finish_entry()?;
            if self.is_obsolete {
                self.finish_comments();
            }
            let start = self.pending.take().map_or_else(|| line_start(self.text, at), |range| range.start);
            let entry = PoEntry { comments: std::mem::take(&mut self.comments), ..PoEntry::default() };
            self.open = Some(OpenEntry { start, entry, ..OpenEntry::default() });
        }
        let Some(open) = &mut self.open else {
            return Err(CatalogError::new(at, format!("`{keyword}` has no `msgid` before it")));
        };
        open.finish_string()?;
        open.begin_string(keyword, at)
    }

    fn string(&mut self, line: PoLine, quote: usize) -> Result<(), CatalogError> {
        let Some(open) = &mut self.open else {
            return Err(CatalogError::new(quote, "the string has no keyword before it"));
        };
        let from = open.bytes.len();
        let end = decode_line(self.text, quote..line.end, &mut open.bytes, None)?;
        let bytes = &open.bytes;
        let literal = self.text.get(quote..end).unwrap_or_default();
        let width = quote - line.start + literal.chars().count();
        let is_wide = width > USUAL_WIDTH && literal.trim_end_matches(['"', ' ']).contains(' ');
        let lines = open.lines;
        open.lines += 1;
        if lines >= 1 && from > 0 && bytes.get(from - 1) != Some(&b'\n') {
            self.folded += 1;
            if is_wide {
                self.widest = self.widest.max(width);
            }
        } else if is_wide && lines == 0 {
            self.unfolded_long += 1;
        }
        open.extend_string(quote, end, line.end)
    }

    fn finish_entry(&mut self) -> Result<(), CatalogError> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        open.finish_string()?;
        let Some(last) = open.entry.forms.last() else {
            let what = if open.has_id { "the entry has no `msgstr`" } else { "the entry has no `msgid`" };
            return Err(CatalogError::new(open.start, what));
        };
        self.blocks.push(PoBlock { start: open.start, end: last.line_end, entry: Some(open.entry) });
        Ok(())
    }
}

impl OpenEntry {
    /// Fails if the keyword is not allowed here.
    fn begin_string(&mut self, keyword: &str, at: usize) -> Result<(), CatalogError> {
        let form = form_index(keyword);
        let string = PoString { keyword: at, ..PoString::default() };
        let is_first = self.entry.forms.is_empty();
        let is_empty = !self.has_id && self.entry.context.is_none();
        match keyword {
            "msgctxt" if is_empty => self.entry.context = Some(string),
            "msgid" if !self.has_id => {
                self.entry.id = string;
                self.has_id = true;
            }
            "msgid_plural" if self.has_id && is_first && self.entry.plural.is_none() => {
                self.entry.plural = Some(string);
            }
            _ if self.has_id && form == Some(self.entry.forms.len()) => {
                if (keyword == "msgstr") == self.entry.plural.is_some() {
                    let what =
                        "an entry with `msgid_plural` needs `msgstr[0]`, `msgstr[1]`, …, and any other entry `msgstr`";
                    return Err(CatalogError::new(at, what));
                }
                self.entry.forms.push(string);
            }
            _ => return Err(CatalogError::new(at, format!("`{keyword}` is not allowed here"))),
        }
        self.section = match keyword {
            "msgctxt" => PoSection::Context,
            "msgid" => PoSection::Id,
            "msgid_plural" => PoSection::Plural,
            _ => PoSection::Form,
        };
        self.lines = 0;
        Ok(())
    }

    fn current(&mut self) -> Option<&mut PoString> {
        match self.section {
            PoSection::Context => self.entry.context.as_mut(),
            PoSection::Id => Some(&mut self.entry.id),
            PoSection::Plural => self.entry.plural.as_mut(),
            PoSection::Form => self.entry.forms.last_mut(),
        }
    }

    fn extend_string(&mut self, quote: usize, end: usize, line_end: usize) -> Result<(), CatalogError> {
        let string = self.current().ok_or_else(|| CatalogError::new(quote, "the string has no keyword before it"))?;
        if string.range.is_empty() {
            string.range.start = quote;
        }
        string.range.end = end;
        string.line_end = line_end;
        Ok(())
    }

    /// Fails if the string is missing, or if its escapes are not valid UTF-8.
    fn finish_string(&mut self) -> Result<(), CatalogError> {
        let bytes = std::mem::take(&mut self.bytes);
        let Some(string) = self.current() else { return Ok(()) };
        if string.range.is_empty() {
            return Err(CatalogError::new(string.keyword, "a string must follow the keyword"));
        }
        let at = string.range.start;
        string.text =
            String::from_utf8(bytes).map_err(|_| CatalogError::new(at, "the escapes of the string are not UTF-8"))?;
        Ok(())
    }
}
