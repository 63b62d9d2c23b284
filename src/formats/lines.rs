//! One entry a line (`--lines`), or up to each NUL (`--nul`).
//!
//! Line N of the output is the translation of line N: blank lines pass, and a line break inside a result becomes a space.

use std::io::{self, Write};

use super::{CRLF, Record, RecordReader, ResultWriter, Room, Row, Slot, put_text, splice};
use crate::error::{Failure, Origin};
use crate::input::source::{Document, Source};
use crate::json::escaped_len;

/// Bytes of white space that a line may have besides its text.
const SPACE: usize = 1024 * 1024;

/// What ends an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// LF, or CRLF; nothing else.
    Line,
    /// NUL.
    Nul,
}

impl Ending {
    fn byte(self) -> u8 {
        match self {
            Self::Line => b'\n',
            Self::Nul => 0,
        }
    }
}

/// Reads lines.
pub struct Reader {
    ending: Ending,
    room: Room,
    document: Option<Document>,
    line: u64,
    entry: u64,
    /// Whether the last record was the blank start of a line that goes on.
    inside: bool,
}

impl Reader {
    /// A reader at the start of an input.
    pub fn new(ending: Ending, room: Room) -> Self {
        Self { ending, room, document: None, line: 0, entry: 0, inside: false }
    }

    fn origin(&self) -> Origin {
        let source = self.document.as_ref().map(|d| d.name.clone()).unwrap_or_default();
        Origin { source, line: self.line, column: 0 }
    }

    /// Adds the line to a failure of the source.
    fn place(&self, failure: Failure) -> Failure {
        match &failure.at {
            Some(at) if at.line == 0 => failure.at(self.origin()),
            _ => failure,
        }
    }

    fn begin(&mut self, into: &mut Record) {
        if !std::mem::take(&mut self.inside) {
            self.line += 1;
            self.entry += 1;
        }
        into.entry = self.entry;
        into.origin = self.origin();
    }

    fn too_long(&self, bytes: usize) -> Failure {
        let Room { bytes: room, limit, .. } = self.room;
        let needed = bytes + (limit - room);
        let what = format!("the entry needs a request of {needed} bytes, the limit is {limit}");
        let hint = "split the entry, or leave out --lines: a whole text is cut where needed";
        Failure::usage(what).at(self.origin()).hint(hint)
    }

    /// Reads to the end of the entry; false at the end of the document with nothing read.
    fn line(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            let chunk = input.fill().map_err(|failure| self.place(failure))?;
            if chunk.is_empty() {
                self.document = None;
                return Ok(!into.bytes.is_empty());
            }
            if let Some(end) = memchr::memchr(self.ending.byte(), chunk) {
                into.bytes.extend_from_slice(chunk.get(..=end).unwrap_or_default());
                input.consume(end + 1);
                return Ok(true);
            }
            let len = chunk.len();
            into.bytes.extend_from_slice(chunk);
            input.consume(len);
            if self.room.check && into.bytes.len() > self.room.bytes + SPACE {
                let blank = std::str::from_utf8(&into.bytes).is_ok_and(|t| t.trim().is_empty());
                if !blank {
                    return Err(self.too_long(into.bytes.len()));
                }
                self.inside = true;
                return Ok(true);
            }
        }
    }
}

impl RecordReader for Reader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            if self.document.is_none() {
                let Some(document) = input.document()? else { return Ok(false) };
                into.bytes.extend_from_slice(document.mark);
                self.document = Some(document);
                self.line = 0;
                self.inside = false;
            }
            let start = into.bytes.len();
            self.begin(into);
            if !self.line(input, into)? {
                self.entry -= 1;
                continue;
            }
            let last = usize::from(into.bytes.last() == Some(&self.ending.byte()));
            if let Some(slot) = Slot::new(&into.bytes, start..into.bytes.len() - last) {
                let sent = slot
                    .text
                    .as_deref()
                    .map_or_else(|| into.bytes.get(slot.range()).unwrap_or_default(), |text| text.as_bytes());
                if self.room.check && sent.len() * 6 > self.room.bytes {
                    let needed = escaped_len(sent);
                    if needed > self.room.bytes {
                        return Err(self.too_long(needed));
                    }
                }
                into.slots.push(slot);
            }
            return Ok(true);
        }
    }
}

/// Writes each line back.
pub struct Writer(pub Ending);

impl ResultWriter for Writer {
    fn write(&mut self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let ending = self.0;
        splice(row, 0, out, |form, text, out| match ending {
            Ending::Line => put_line(text, out),
            Ending::Nul if text.contains('\0') => put_text(form, &text.replace('\0', " "), out),
            Ending::Nul => put_text(form & CRLF, text, out),
        })
    }
}

/// Writes a result on one line.
fn put_line(text: &str, out: &mut dyn Write) -> io::Result<()> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return out.write_all(text.as_bytes());
    }
    let mut line = text.replace("\r\n", " ").replace('\n', " ");
    if line.ends_with('\r') {
        // Before the line's own LF it would read as CRLF.
        line.pop();
        line.push(' ');
    }
    out.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(ending: Ending, bytes: &[u8], room: usize) -> Result<Vec<Record>, Failure> {
        let mut source = Source::reader("stdin", Box::new(io::Cursor::new(bytes.to_vec())));
        let mut reader = Reader::new(ending, Room { bytes: room, limit: room + 40, check: true });
        let mut all = Vec::new();
        loop {
            let mut record = Record::default();
            if !reader.read(&mut source, &mut record)? {
                return Ok(all);
            }
            all.push(record);
        }
    }

    fn sent(records: &[Record]) -> Vec<Option<&str>> {
        records.iter().map(|r| r.sent(0)).collect()
    }

    #[test]
    fn only_lf_and_crlf_end_a_line() {
        let text = "a\r\nb\u{2028}c\rd\u{85}e\x0b\n\n \t\nlast";
        let all = records(Ending::Line, text.as_bytes(), 1000).unwrap();
        assert_eq!(sent(&all), [Some("a"), Some("b\u{2028}c\rd\u{85}e"), None, None, Some("last")]);
        let joined: Vec<u8> = all.iter().flat_map(|r| r.bytes.clone()).collect();
        assert_eq!(joined, text.as_bytes());
        assert_eq!(all.last().unwrap().origin, Origin::at("stdin", 5, 0));
        assert_eq!(all.last().unwrap().entry, 5);
    }

    #[test]
    fn the_mark_is_kept_and_not_sent() {
        let all = records(Ending::Line, "\u{feff}a\n".as_bytes(), 1000).unwrap();
        assert_eq!(sent(&all), [Some("a")]);
        assert_eq!(all[0].bytes, "\u{feff}a\n".as_bytes());
        let all = records(Ending::Line, "\u{feff}".as_bytes(), 1000).unwrap();
        assert_eq!(sent(&all), [None]);
    }

    #[test]
    fn nul_keeps_lines_together() {
        let all = records(Ending::Nul, b"a\r\nb\0\0c\nd", 1000).unwrap();
        assert_eq!(sent(&all), [Some("a\nb"), None, Some("c\nd")]);
    }

    #[test]
    fn a_line_over_the_limit_is_refused_with_its_number_and_both_sizes() {
        let failure = records(Ending::Line, b"short\n0123456789\"\n", 11).unwrap_err();
        assert_eq!(failure.to_string(), "stdin:2: the entry needs a request of 52 bytes, the limit is 51");
        assert!(records(Ending::Line, b"short\n0123456789\"\n", 12).is_ok());
    }

    #[test]
    fn a_line_that_never_ends_is_refused_before_it_fills_memory() {
        let failure = records(Ending::Line, &vec![b'x'; 3 * SPACE], 1000).unwrap_err();
        assert_eq!(failure.at, Some(Origin::at("stdin", 1, 0)));
        let all = records(Ending::Line, &[vec![b' '; 3 * SPACE], b"x\ny\n".to_vec()].concat(), 1000).unwrap();
        assert_eq!(all.last().unwrap().origin, Origin::at("stdin", 2, 0));
    }

    #[test]
    fn invalid_utf8_is_named_with_its_line() {
        let failure = records(Ending::Line, b"a\nb\xff\n", 100).unwrap_err();
        assert_eq!(failure.to_string(), "stdin:2: invalid UTF-8 at byte 3");
    }

    #[test]
    fn a_result_stays_on_its_line() {
        let mut out = Vec::new();
        put_line("a\r\nb\nc\rd\r", &mut out).unwrap();
        assert_eq!(out, b"a b c\rd ");
    }
}
