//! The whole input as one entry, cut only if it exceeds the body limit: the default of translate.
//!
//! One piece at a time is in memory. Where the text is cut depends on the text alone, not on the sizes of reads, so that a
//! later run gets the same pieces.

use std::io::{self, Write};

use super::record::all_crlf;
use super::{EntryLimit, Record, RecordReader, ResultRow, ResultWriter, Slot, TextFormat, splice, write_text};
use crate::error::{Failure, Origin};
use crate::input::source::{Document, Source, TextPlace};
use crate::json::escaped_len;

/// Bytes of white space that become a record of their own at the start, and that are skipped in search of the end.
const WHITE_SPACE_BYTES: usize = 64 * 1024;

/// The whole input is one entry.
#[derive(Debug)]
pub struct WholeText;

impl TextFormat for WholeText {
    fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(TextReader::new(limit))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(TextWriter)
    }

    fn counts_blank(&self) -> bool {
        false
    }

    fn has_entry_context(&self) -> bool {
        false
    }
}

/// Reads whole inputs, or pieces of them.
pub struct TextReader {
    /// Bytes of one entry in JSON.
    limit: usize,
    document: Option<Document>,
    /// Text that was read and is not yet part of a record.
    text: String,
    ended: bool,
    /// Where `text` begins.
    place: TextPlace,
    entry: u64,
}

impl TextReader {
    /// A reader at the start of an input.
    pub fn new(limit: EntryLimit) -> Self {
        Self {
            limit: limit.bytes,
            document: None,
            text: String::new(),
            ended: false,
            place: TextPlace::START,
            entry: 0,
        }
    }

    /// Reads everything that the next cut can depend on.
    fn load(&mut self, input: &mut Source) -> Result<(), Failure> {
        while !self.ended {
            let start = self.text.len() - self.text.trim_start().len();
            if start >= WHITE_SPACE_BYTES || self.text.len() - start > self.limit + WHITE_SPACE_BYTES {
                return Ok(());
            }
            let chunk = input.fill().map_err(|failure| self.with_place(failure))?;
            if chunk.is_empty() {
                self.ended = true;
            }
            self.text.push_str(std::str::from_utf8(chunk).map_err(|e| Failure::internal(e.to_string()))?);
            let len = chunk.len();
            input.consume(len);
        }
        Ok(())
    }

    /// Adds the place after the text that was read to a failure of the source.
    fn with_place(&self, failure: Failure) -> Failure {
        match (&failure.at, &self.document) {
            (Some(at), Some(document)) if at.line == 0 => {
                failure.at(self.place.after(self.text.as_bytes()).in_input(&document.name))
            }
            _ => failure,
        }
    }

    /// Returns the length of the next record in bytes.
    fn next_len(&self) -> usize {
        let all = self.text.as_str();
        let start = all.len() - all.trim_start().len();
        if start >= WHITE_SPACE_BYTES {
            return floor(all, WHITE_SPACE_BYTES);
        }
        let entry = all.trim();
        if self.ended && (entry.len() * 6 <= self.limit || fits(entry, self.limit)) {
            return all.len();
        }
        let rest = all.get(start..).unwrap_or_default();
        start + cut(rest, self.limit)
    }
}

impl RecordReader for TextReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            let fresh = self.document.is_none();
            if fresh {
                let Some(document) = input.next_document()? else { return Ok(false) };
                into.bytes.extend_from_slice(document.mark);
                self.document = Some(document);
                self.ended = false;
                self.place = TextPlace::START;
                self.entry += 1;
            }
            self.load(input)?;
            let source = self.document.as_ref().map(|d| d.name.clone()).unwrap_or_default();
            let len = self.next_len();
            let mark = into.bytes.len();
            into.bytes.extend(self.text.drain(..len).as_str().as_bytes());
            into.slots.extend(Slot::new(&into.bytes, mark..into.bytes.len()));
            into.entry = self.entry;
            if self.text.is_empty() {
                // Whether more follows is not known yet. A failure here is returned again by the next read.
                let _ = self.load(input);
            }
            into.continues = !(self.ended && self.text.is_empty());
            if into.slots.is_empty() && !into.continues {
                into.add_blank_entry();
            }
            // An input that is not cut needs no line number.
            let is_whole = fresh && !into.continues;
            into.origin = if is_whole { Origin::whole(&source) } else { self.place.in_input(&source) };
            self.place = self.place.after(into.bytes.get(mark..).unwrap_or_default());
            if !into.continues {
                self.document = None;
            }
            // Among several inputs an empty one is a blank entry.
            if !into.bytes.is_empty() || input.is_several() {
                return Ok(true);
            }
        }
    }
}

/// Returns whether an entry fits, in the form in which [`Slot::new`] sends it.
fn fits(entry: &str, limit: usize) -> bool {
    let saved = if all_crlf(entry) { 2 * entry.matches("\r\n").count() } else { 0 };
    escaped_len(entry.as_bytes()) - saved <= limit
}

/// Returns where to cut a text that does not fit: at the best place in the longest start that fits.
fn cut(text: &str, limit: usize) -> usize {
    let mut window = longest_start(text, limit, true);
    if !all_crlf(window) {
        window = longest_start(text, limit, false);
    }
    let at = blank_line(window)
        .or_else(|| window.rfind('\n').map(|at| at + 1))
        .or_else(|| sentence_end(window))
        .or_else(|| window.char_indices().rfind(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8()));
    at.unwrap_or_else(|| before_marks(text, window.len()))
}

/// Returns the longest start of a text with at most `limit` bytes in JSON. CRLF counts as two or four bytes.
fn longest_start(text: &str, limit: usize, crlf_as_lf: bool) -> &str {
    let mut used = 0;
    let mut last = '\0';
    for (at, c) in text.char_indices() {
        used += if crlf_as_lf && last == '\r' && c == '\n' {
            0
        } else {
            escaped_len(c.encode_utf8(&mut [0; 4]).as_bytes())
        };
        if used > limit {
            return text.get(..at).unwrap_or_default();
        }
        last = c;
    }
    text
}

/// Returns the position after the last blank line.
fn blank_line(window: &str) -> Option<usize> {
    let mut end = window.rfind('\n')?;
    while let Some(before) = window.get(..end)?.rfind('\n') {
        if window.get(before..end)?.trim().is_empty() {
            return Some(end + 1);
        }
        end = before;
    }
    None
}

/// Returns the position after the last sentence and the white space that follows it.
fn sentence_end(window: &str) -> Option<usize> {
    let mut after = None;
    for (at, c) in window.char_indices().rev() {
        let end = at + c.len_utf8();
        match c {
            '。' | '！' | '？' | '｡' => {
                return Some(after.filter(|(_, space)| *space).map_or(end, |(end, _)| end));
            }
            '.' | '!' | '?' | '…' => {
                if let Some((end, true)) = after {
                    return Some(end);
                }
                after = None;
            }
            ')' | ']' | '"' | '\'' | '»' | '”' | '’' if after.is_some_and(|(_, space)| space) => {}
            c if c.is_whitespace() => after = Some(after.filter(|(_, space)| *space).unwrap_or((end, true))),
            _ => after = None,
        }
    }
    None
}

/// Moves a cut back if it is between a character and its combining marks.
fn before_marks(text: &str, window: usize) -> usize {
    let belongs =
        |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let mut at = window;
    for _ in 0..16 {
        let next = text.get(at..).and_then(|t| t.chars().next());
        let last = text.get(..at).and_then(|t| t.chars().next_back());
        match (last, next) {
            (Some(last), Some(next)) if belongs(next) || last == '\u{200d}' => at -= last.len_utf8(),
            _ => break,
        }
    }
    if at == 0 { window } else { at }
}

/// Returns the character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Writes the text back.
pub struct TextWriter;

impl ResultWriter for TextWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        splice(row, 0, out, write_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(source: &mut Source, limit: usize) -> Vec<Record> {
        let mut reader = TextReader::new(EntryLimit { bytes: limit, body_bytes: limit + 40, enforced: true });
        let mut all = Vec::new();
        loop {
            let mut record = Record::default();
            if !reader.read(source, &mut record).unwrap() {
                return all;
            }
            all.push(record);
        }
    }

    fn pieces(text: &str, limit: usize) -> Vec<String> {
        let mut source = Source::reader("stdin", Box::new(io::Cursor::new(text.as_bytes().to_vec())));
        let all = records(&mut source, limit);
        assert_eq!(all.iter().flat_map(|r| r.bytes.clone()).collect::<Vec<_>>(), text.as_bytes());
        for (i, record) in all.iter().enumerate() {
            assert_eq!(record.continues, i + 1 < all.len());
            assert!(escaped_len(record.sent_text(0).unwrap_or_default().as_bytes()) <= limit);
        }
        all.into_iter().map(|r| String::from_utf8(r.bytes).unwrap()).collect()
    }

    #[test]
    fn an_input_that_fits_is_one_entry() {
        assert_eq!(pieces("  one\n\ntwo.\n", 20).len(), 1);
        let mut source = Source::reader("stdin", Box::new(io::Cursor::new(b"  one\n\ntwo.\n".to_vec())));
        let all = records(&mut source, 20);
        assert_eq!(all[0].sent_text(0), Some("one\n\ntwo."));
        assert_eq!(all[0].origin, Origin::whole("stdin"));
    }

    #[test]
    fn cuts_at_the_best_place() {
        for (text, expected) in [
            ("aaa. b\n\nccc\nddd. eeeeeee", vec!["aaa. b\n\n", "ccc\n", "ddd. eeeeeee"]),
            ("aaaa. bb\ncccc. dddddd", vec!["aaaa. bb\n", "cccc. dddddd"]),
            ("aaaa? bbb. ccccccc ddd", vec!["aaaa? bbb. ", "ccccccc ddd"]),
            ("これは。それは。", vec!["これは。", "それは。"]),
            ("aaaaaaaa bbbb ccccc", vec!["aaaaaaaa bbbb ", "ccccc"]),
            ("aaaaaaaaaaaaaaaaaaaa", vec!["aaaaaaaaaaaaaaaa", "aaaa"]),
            ("aaaaaaaaaaaaaaae\u{301}aa", vec!["aaaaaaaaaaaaaaa", "e\u{301}aa"]),
        ] {
            assert_eq!(pieces(text, 16), expected, "{text:?}");
        }
    }

    #[test]
    fn trailing_white_space_does_not_count() {
        assert_eq!(pieces(&format!("{}{}", "x".repeat(16), "\n".repeat(100)), 16).len(), 1);
        assert_eq!(pieces("a\r\nb\r\nc\r\nd\r\n", 16).len(), 1, "CRLF is sent as LF");
    }

    #[test]
    fn an_empty_input_has_no_record_and_a_blank_one_no_slot() {
        assert!(pieces("", 16).is_empty());
        let blank = " \n".repeat(WHITE_SPACE_BYTES);
        assert_eq!(pieces(&blank, 16).len(), 2);
    }

    #[test]
    fn each_argument_is_an_entry_of_its_own() {
        let all = records(&mut Source::texts(["a".into(), String::new(), "b".into()]), 100);
        assert_eq!(all.iter().map(|r| r.entry).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(all[2].origin, Origin::whole("TEXT 3"));
    }
}
