//! Entries terminated by a line ending (`--lines`) or by NUL (`--nul`).
//!
//! With `--lines`, line N of the output is the translation of line N, so a line break in a result becomes a space.

use std::io::{self, Write};
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_base::json::escaped_len;
use tulk_base::numbers::{counted, grouped};

use super::{EntryLimit, Record, RecordReader, ResultRow, ResultWriter, Slot, TextFormat, splice, write_text};
use crate::input::source::{Document, Source, TextPosition};

/// Maximum whitespace around the text of a line, in bytes.
const WHITESPACE_BYTES: usize = 1024 * 1024;

/// Terminator of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryTerminator {
    /// LF or CRLF, but no other line break.
    Line,
    /// A NUL byte.
    Nul,
}

impl EntryTerminator {
    fn byte(self) -> u8 {
        match self {
            Self::Line => b'\n',
            Self::Nul => 0,
        }
    }
}

impl TextFormat for EntryTerminator {
    fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(LineReader::new(*self, limit))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(LineWriter(*self))
    }

    fn has_entry_context(&self) -> bool {
        false
    }
}

pub struct LineReader {
    terminator: EntryTerminator,
    limit: EntryLimit,
    document: Option<Document>,
    /// Name of the input; still valid after its end.
    name: Arc<str>,
    /// Start of the next record.
    position: TextPosition,
    entry: u64,
    /// Whether the last record was the whitespace at the start of an unfinished line.
    in_line: bool,
}

impl LineReader {
    pub fn new(terminator: EntryTerminator, limit: EntryLimit) -> Self {
        Self {
            terminator,
            limit,
            document: None,
            name: "".into(),
            position: TextPosition::START,
            entry: 0,
            in_line: false,
        }
    }

    fn begin_record(&mut self, into: &mut Record) {
        if !std::mem::take(&mut self.in_line) {
            self.entry += 1;
        }
        into.entry = self.entry;
        into.origin = self.position.in_input(&self.name);
    }

    /// Creates the failure for an entry that has `bytes` bytes as JSON; `before` is the text before it.
    fn too_long_failure(&self, bytes: usize, before: &[u8]) -> Failure {
        let EntryLimit { bytes: entry_bytes, body_bytes, .. } = self.limit;
        let needed = bytes + (body_bytes - entry_bytes);
        let what =
            format!("the text needs a request of {}; the limit is {}", counted(needed, "byte"), grouped(body_bytes));
        let (hint, flag) = match self.terminator {
            EntryTerminator::Line => {
                ("omit --lines to split the text where needed", ", or use --keep-going to copy the line")
            }
            EntryTerminator::Nul => {
                ("omit --nul to split the text where needed", ", or use --keep-going to copy the text")
            }
        };
        Failure::usage(what).at(self.position.after(before).in_input(&self.name)).hint_or_flag(hint, flag)
    }

    /// `start` is the start of the entry in the record. Returns false if the document ended with nothing read.
    fn read_line(&mut self, input: &mut Source, into: &mut Record, start: usize) -> Result<bool, Failure> {
        loop {
            let read = || into.bytes.get(start..).unwrap_or_default();
            let chunk = input.fill().map_err(|failure| self.position.locate(failure, read(), &self.name))?;
            if chunk.is_empty() {
                self.document = None;
                return Ok(!into.bytes.is_empty());
            }
            if let Some(end) = memchr::memchr(self.terminator.byte(), chunk) {
                into.bytes.extend_from_slice(chunk.get(..=end).unwrap_or_default());
                input.consume(end + 1);
                return Ok(true);
            }
            let len = chunk.len();
            into.bytes.extend_from_slice(chunk);
            input.consume(len);
            if self.limit.enforced && into.bytes.len() > self.limit.bytes + WHITESPACE_BYTES {
                let read = std::str::from_utf8(into.bytes.get(start..).unwrap_or_default()).unwrap_or_default();
                let entry = read.trim_start();
                if !entry.is_empty() {
                    let before = read.strip_suffix(entry).unwrap_or_default();
                    // The line is not kept in memory, so --keep-going cannot copy it.
                    return Err(self.too_long_failure(entry.len(), before.as_bytes()).hint("split the line"));
                }
                self.in_line = true;
                return Ok(true);
            }
        }
    }
}

impl RecordReader for LineReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            if self.document.is_none() {
                let Some(document) = input.next_document()? else { return Ok(false) };
                into.bytes.extend_from_slice(document.mark);
                self.name = document.name.clone();
                self.document = Some(document);
                self.position = TextPosition::START;
                self.in_line = false;
            }
            let start = into.bytes.len();
            self.begin_record(into);
            if !self.read_line(input, into, start)? {
                self.entry -= 1;
                continue;
            }
            let last = usize::from(into.bytes.last() == Some(&self.terminator.byte()));
            if let Some(mut slot) = Slot::new(&into.bytes, start..into.bytes.len() - last) {
                let sent = slot
                    .text
                    .as_deref()
                    .map_or_else(|| into.bytes.get(slot.byte_range()).unwrap_or_default(), |text| text.as_bytes());
                if self.limit.enforced && sent.len() * 6 > self.limit.bytes {
                    let needed = escaped_len(sent);
                    if needed > self.limit.bytes {
                        let before = into.bytes.get(start..slot.byte_range().start).unwrap_or_default();
                        slot.fault = Some(Box::new(self.too_long_failure(needed, before)));
                    }
                }
                // `push` alone would reserve memory for four slots.
                into.slots.reserve_exact(1);
                into.slots.push(slot);
            } else if !self.in_line {
                into.add_blank_entry();
            }
            into.continues = self.in_line;
            let is_line = last > 0 && self.terminator == EntryTerminator::Line;
            let read = into.bytes.get(start..).unwrap_or_default();
            self.position = if is_line { self.position.after_lines(1) } else { self.position.after(read) };
            return Ok(true);
        }
    }

    fn skip(&mut self, input: &mut Source) -> Result<u64, Failure> {
        if self.document.is_none() || self.in_line || self.terminator != EntryTerminator::Line {
            return Ok(0);
        }
        let chunk = input.fill().map_err(|failure| self.position.locate(failure, &[], &self.name))?;
        let (mut entries, mut skipped) = (0, 0);
        for end in memchr::memchr_iter(b'\n', chunk) {
            let line = chunk.get(skipped..=end).unwrap_or_default();
            let is_short = !self.limit.enforced || line.len() * 6 <= self.limit.bytes;
            if !is_short || !line.first().is_some_and(u8::is_ascii_graphic) {
                break;
            }
            entries += 1;
            skipped = end + 1;
        }
        input.consume(skipped);
        self.entry += entries;
        self.position = self.position.after_lines(entries);
        Ok(entries)
    }
}

pub struct LineWriter(pub EntryTerminator);

impl ResultWriter for LineWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let terminator = self.0;
        splice(row, 0, out, |slot, text, out| match terminator {
            EntryTerminator::Line => write_line(text, out),
            EntryTerminator::Nul if text.contains('\0') => write_text(slot, &text.replace('\0', " "), out),
            EntryTerminator::Nul => write_text(slot, text, out),
        })
    }
}

fn write_line(text: &str, out: &mut dyn Write) -> io::Result<()> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return out.write_all(text.as_bytes());
    }
    let mut line = text.replace("\r\n", " ").replace('\n', " ");
    if line.ends_with('\r') {
        // A CR would form a CRLF with the LF of the line.
        line.pop();
        line.push(' ');
    }
    out.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use tulk_base::error::Origin;

    use super::*;
    use crate::test_records::{limit_of, read_all, source_of};

    fn records(terminator: EntryTerminator, bytes: &[u8], limit: usize) -> Result<Vec<Record>, Failure> {
        read_all(&mut LineReader::new(terminator, limit_of(limit)), bytes, usize::MAX)
    }

    fn sent(records: &[Record]) -> Vec<Option<&str>> {
        records.iter().map(|r| r.sent_text(0)).collect()
    }

    #[test]
    fn only_lf_and_crlf_end_a_line() {
        let text = "a\r\nb\u{2028}c\rd\u{85}e\x0b\n\n \t\nlast";
        let all = records(EntryTerminator::Line, text.as_bytes(), 1000).unwrap();
        assert_eq!(sent(&all), [Some("a"), Some("b\u{2028}c\rd\u{85}e"), None, None, Some("last")]);
        let joined: Vec<u8> = all.iter().flat_map(|r| r.bytes.clone()).collect();
        assert_eq!(joined, text.as_bytes());
        assert_eq!(all.last().unwrap().origin, Origin::at("stdin", 5, 1));
        assert_eq!(all.last().unwrap().entry, 5);
    }

    #[test]
    fn the_byte_order_mark_is_kept_and_not_sent() {
        let all = records(EntryTerminator::Line, "\u{feff}a\n".as_bytes(), 1000).unwrap();
        assert_eq!(sent(&all), [Some("a")]);
        assert_eq!(all[0].bytes, "\u{feff}a\n".as_bytes());
        let all = records(EntryTerminator::Line, "\u{feff}".as_bytes(), 1000).unwrap();
        assert_eq!(sent(&all), [None]);
    }

    #[test]
    fn nul_terminated_entries_may_have_several_lines() {
        let all = records(EntryTerminator::Nul, b"a\r\nb\0\0c\nd", 1000).unwrap();
        assert_eq!(sent(&all), [Some("a\nb"), None, Some("c\nd")]);
    }

    fn fault(terminator: EntryTerminator, bytes: &[u8], limit: usize) -> Option<Failure> {
        match records(terminator, bytes, limit) {
            Ok(all) => all.into_iter().flat_map(|record| record.slots).find_map(|slot| slot.fault).map(|fault| *fault),
            Err(failure) => Some(failure),
        }
    }

    #[test]
    fn skipping_does_not_change_later_records() {
        let text = "a\r\nbc\n \nd\n\u{e9}\n\n0123456789\nx\ny";
        let whole = records(EntryTerminator::Line, text.as_bytes(), 48).unwrap();
        let entries = whole.iter().map(|record| record.slots.len() as u64).sum::<u64>();
        for piece in [1, 2, 3, 5, 100] {
            let mut source = source_of(text.as_bytes(), piece);
            let mut reader = LineReader::new(EntryTerminator::Line, limit_of(48));
            let (mut found, mut skipped) = (0, 0);
            loop {
                skipped += reader.skip(&mut source).unwrap();
                let mut record = Record::default();
                if !reader.read(&mut source, &mut record).unwrap() {
                    break;
                }
                found += record.slots.len() as u64;
                let number = usize::try_from(record.entry).unwrap() - 1;
                assert_eq!(format!("{record:?}"), format!("{:?}", whole[number]), "{piece}");
            }
            assert_eq!(found + skipped, entries, "{piece}");
            assert!(piece < 100 || skipped > 2, "{skipped}");
        }
    }

    #[test]
    fn refuses_a_line_over_the_limit_with_number_size_and_limit() {
        let failure = fault(EntryTerminator::Line, b"short\n0123456789\"\n", 11).unwrap();
        assert_eq!(failure.to_string(), "stdin:2:1: the text needs a request of 52 bytes; the limit is 51");
        assert!(fault(EntryTerminator::Line, b"short\n0123456789\"\n", 12).is_none());
    }

    #[test]
    fn refuses_an_endless_line_before_it_fills_memory() {
        let failure = records(EntryTerminator::Line, &vec![b'x'; 3 * WHITESPACE_BYTES], 1000).unwrap_err();
        assert_eq!(failure.at, Some(Origin::at("stdin", 1, 1)));
        let all =
            records(EntryTerminator::Line, &[vec![b' '; 3 * WHITESPACE_BYTES], b"x\ny\n".to_vec()].concat(), 1000)
                .unwrap();
        assert_eq!(all.last().unwrap().origin, Origin::at("stdin", 2, 1));
    }

    #[test]
    fn a_fault_has_a_line_and_a_column_in_every_mode() {
        let at = |terminator, bytes: &[u8]| fault(terminator, bytes, 20).unwrap().at.unwrap().to_string();
        let long = "x".repeat(30);
        assert_eq!(at(EntryTerminator::Line, format!("a\n  {long}").as_bytes()), "stdin:2:3");
        assert_eq!(at(EntryTerminator::Nul, format!("é\nb\0{long}").as_bytes()), "stdin:2:3");
        assert_eq!(at(EntryTerminator::Nul, format!("\u{feff}é\0\n\n {long}\0").as_bytes()), "stdin:3:2");
        assert_eq!(at(EntryTerminator::Line, format!("\u{feff}{long}").as_bytes()), "stdin:1:1");
        assert_eq!(at(EntryTerminator::Nul, b"a\nbc\0d\nef\xff"), "stdin:3:3");
    }

    #[test]
    fn a_slot_starts_after_leading_whitespace() {
        let all = records(EntryTerminator::Nul, "\u{feff} a\0\n\tb\0".as_bytes(), 100).unwrap();
        let origins: Vec<_> = all.iter().map(|record| record.slot_origin(0).to_string()).collect();
        assert_eq!(origins, ["stdin:1:2", "stdin:2:2"]);
    }

    #[test]
    fn invalid_utf8_is_reported_with_its_line() {
        let failure = records(EntryTerminator::Line, b"a\nb\xff\n", 100).unwrap_err();
        assert_eq!(failure.to_string(), "stdin:2:2: invalid UTF-8 at byte 3");
    }

    #[test]
    fn a_result_is_written_on_one_line() {
        let mut out = Vec::new();
        write_line("a\r\nb\nc\rd\r", &mut out).unwrap();
        assert_eq!(out, b"a b c\rd ");
    }
}
