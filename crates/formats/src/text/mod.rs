//! The complete input as one entry, split only if it exceeds the body limit: the default format of `translate`.
//!
//! Input: a source. Output: a record for each input, or for each part of one that is too large. Only one part is in
//! memory at a time. Where a text is split depends on the text alone, not on read sizes, so that a resumed run gets the
//! same parts.

mod between_tokens;
mod split_position;

use std::io::{self, Write};
use std::sync::Arc;

use tulk_base::error::{Failure, Origin};
use tulk_base::numbers::{counted, grouped};
use tulk_catalogs::inline::TextProtection;

use self::between_tokens::ProtectedText;
use self::split_position::{fits, split_position};
use super::{EntryLimit, Record, RecordReader, ResultRow, ResultWriter, Slot, TextFormat, splice, write_text};
use crate::input::source::{Document, Source, TextPosition};

/// Leading whitespace of this size becomes a separate record. Also the number of bytes to read past the limit, to see
/// whether the input ends there.
const WHITESPACE_BYTES: usize = 64 * 1024;

#[derive(Debug)]
pub struct WholeText;

impl TextFormat for WholeText {
    fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(TextReader::new(limit))
    }

    fn protected_reader(&self, limit: EntryLimit, protection: Arc<dyn TextProtection>) -> Box<dyn RecordReader> {
        Box::new(TextReader { protection: Some(protection), ..TextReader::new(limit) })
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(TextWriter)
    }

    fn counts_whitespace_only(&self) -> bool {
        false
    }

    fn has_entry_context(&self) -> bool {
        false
    }
}

pub struct TextReader {
    /// Maximum size of an entry as JSON, in bytes.
    limit: usize,
    /// Maximum size of the complete request body in bytes, for messages.
    body_bytes: usize,
    /// Finds the placeholders, which must not be split.
    protection: Option<Arc<dyn TextProtection>>,
    document: Option<Document>,
    /// Text that was read but is not in a record yet.
    text: String,
    ended: bool,
    /// Start of `text` in the input.
    position: TextPosition,
    entry: u64,
}

impl TextReader {
    pub fn new(limit: EntryLimit) -> Self {
        Self {
            limit: limit.bytes,
            body_bytes: limit.body_bytes,
            protection: None,
            document: None,
            text: String::new(),
            ended: false,
            position: TextPosition::START,
            entry: 0,
        }
    }

    /// Reads all text that the next split position may depend on.
    fn read_ahead(&mut self, input: &mut Source) -> Result<(), Failure> {
        while !self.ended {
            let start = self.text.len() - self.text.trim_start().len();
            if start >= WHITESPACE_BYTES || self.text.len() - start > self.limit + WHITESPACE_BYTES {
                return Ok(());
            }
            let chunk = input.fill().map_err(|failure| self.with_position(failure))?;
            if chunk.is_empty() {
                self.ended = true;
            }
            self.text.push_str(std::str::from_utf8(chunk).map_err(|e| Failure::internal(e.to_string()))?);
            let len = chunk.len();
            input.consume(len);
        }
        Ok(())
    }

    /// Adds the position after the text read so far to a failure of the source.
    fn with_position(&self, failure: Failure) -> Failure {
        match &self.document {
            Some(document) => self.position.locate(failure, self.text.as_bytes(), &document.name),
            None => failure,
        }
    }

    /// Returns the length of the next record in bytes. Fails if a placeholder does not fit into a request.
    fn next_record_len(&self) -> Result<usize, Failure> {
        let all = self.text.as_str();
        let start = all.len() - all.trim_start().len();
        if start >= WHITESPACE_BYTES {
            return Ok(floor_char_boundary(all, WHITESPACE_BYTES));
        }
        let entry = all.trim();
        let rest = all.get(start..).unwrap_or_default();
        if let Some(protection) = &self.protection {
            let protected = ProtectedText { protection: protection.as_ref(), limit: self.limit };
            // JSON is never shorter than its text, so a cheap length check comes before the search for placeholders.
            if self.ended && entry.len() <= self.limit && protected.fits(entry) {
                return Ok(all.len());
            }
            // Use a window of fixed size, because the split position must not depend on how much was read.
            let window = rest.get(..floor_char_boundary(rest, self.limit + WHITESPACE_BYTES)).unwrap_or(rest);
            return protected.split_position(window).map(|at| start + at).map_err(|too_long| {
                let needed = too_long.bytes + (self.body_bytes - self.limit);
                let (needed, limit) = (counted(needed, "byte"), grouped(self.body_bytes));
                let what = format!("a placeholder needs a request of {needed}; the limit is {limit}");
                let name = self.document.as_ref().map(|document| document.name.clone()).unwrap_or_default();
                let before = all.get(..start + too_long.start).unwrap_or_default();
                Failure::usage(what).at(self.position.after(before.as_bytes()).in_input(&name))
            });
        }
        if self.ended && (entry.len() * 6 <= self.limit || fits(entry, self.limit)) {
            return Ok(all.len());
        }
        Ok(start + split_position(rest, self.limit))
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
                self.position = TextPosition::START;
                self.entry += 1;
            }
            self.read_ahead(input)?;
            let source = self.document.as_ref().map(|d| d.name.clone()).unwrap_or_default();
            let len = self.next_record_len()?;
            let mark = into.bytes.len();
            into.bytes.extend(self.text.drain(..len).as_str().as_bytes());
            into.slots.extend(Slot::new(&into.bytes, mark..into.bytes.len()));
            into.entry = self.entry;
            if self.text.is_empty() {
                // Find out whether more follows. The next read returns the same failure again.
                let _ = self.read_ahead(input);
            }
            into.continues = !(self.ended && self.text.is_empty());
            if into.slots.is_empty() && !into.continues {
                into.add_blank_entry();
            }
            // An unsplit input has no line number.
            let is_whole = fresh && !into.continues;
            into.origin = if is_whole { Origin::whole(&source) } else { self.position.in_input(&source) };
            self.position = self.position.after(into.bytes.get(mark..).unwrap_or_default());
            if !into.continues {
                self.document = None;
            }
            // Among several inputs, an empty one counts as a whitespace-only entry.
            if !into.bytes.is_empty() || input.has_several_inputs() {
                return Ok(true);
            }
        }
    }
}

/// Returns the character boundary at or before `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

pub struct TextWriter;

impl ResultWriter for TextWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        splice(row, 0, out, write_text)
    }
}

#[cfg(test)]
mod tests {
    use tulk_base::json::escaped_len;

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
    fn splits_at_the_best_position() {
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
    fn trailing_whitespace_does_not_count() {
        assert_eq!(pieces(&format!("{}{}", "x".repeat(16), "\n".repeat(100)), 16).len(), 1);
        assert_eq!(pieces("a\r\nb\r\nc\r\nd\r\n", 16).len(), 1, "CRLF is sent as LF");
    }

    #[test]
    fn an_empty_input_has_no_record_and_whitespace_has_no_slot() {
        assert!(pieces("", 16).is_empty());
        let blank = " \n".repeat(WHITESPACE_BYTES);
        assert_eq!(pieces(&blank, 16).len(), 2);
    }

    #[test]
    fn each_argument_is_a_separate_entry() {
        let all = records(&mut Source::texts(["a".into(), String::new(), "b".into()]), 100);
        assert_eq!(all.iter().map(|r| r.entry).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(all[2].origin, Origin::whole("TEXT 3"));
    }
}
