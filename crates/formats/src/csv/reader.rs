//! Reads the records of a table and finds their entries.

use std::borrow::Cow;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_base::numbers::counted;

use super::TableOptions;
use super::cells::CellScanner;
use super::content::{content, is_quoted, is_unclosed};
use super::select::{TableColumns, check_delimiter, named_delimiter};
use crate::input::source::{Document, Source, TextPosition};
use crate::record::has_only_crlf;
use crate::{BlankEntry, Record, RecordReader, Slot};

/// Length of a first line that names the delimiter, such as `sep=;`, with the first byte of its line ending.
const DELIMITER_LINE_BYTES: usize = 6;

pub(super) struct TableReader {
    options: TableOptions,
    scanner: CellScanner,
    document: Option<Document>,
    /// Name of the input; still valid after its end.
    name: Arc<str>,
    /// Start of the next record.
    position: TextPosition,
    /// Number of entries so far, over all inputs.
    entries: u64,
    /// `None` before the first record.
    columns: Option<TableColumns>,
    ahead: BytesAhead,
}

#[derive(Default)]
struct BytesAhead {
    bytes: Vec<u8>,
    consumed: usize,
}

impl BytesAhead {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.consumed..).unwrap_or_default()
    }

    fn fill<'a>(&'a self, input: &'a mut Source) -> Result<&'a [u8], Failure> {
        if self.rest().is_empty() { input.fill() } else { Ok(self.rest()) }
    }

    fn consume(&mut self, input: &mut Source, bytes: usize) {
        if self.rest().is_empty() {
            input.consume(bytes);
        } else {
            self.consumed += bytes;
        }
    }
}

enum TableLine {
    End,
    /// Empty, or naming the delimiter.
    WithoutCells,
    Record,
}

impl TableReader {
    pub(super) fn new(options: &TableOptions) -> Self {
        Self {
            options: options.clone(),
            scanner: CellScanner::new(options.delimiter),
            document: None,
            name: "".into(),
            position: TextPosition::START,
            entries: 0,
            columns: None,
            ahead: BytesAhead::default(),
        }
    }

    fn next_document(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        let Some(document) = input.next_document()? else { return Ok(false) };
        into.bytes.extend_from_slice(document.mark);
        self.name = document.name.clone();
        self.document = Some(document);
        self.scanner = CellScanner::new(self.options.delimiter);
        self.position = TextPosition::START;
        self.columns = None;
        self.ahead = BytesAhead::default();
        Ok(true)
    }

    /// Reads the line that names the delimiter, if the input starts with one.
    fn read_delimiter_line(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        let start = b"sep=";
        while self.ahead.bytes.len() < DELIMITER_LINE_BYTES {
            let is_start = self.ahead.bytes.iter().zip(start).all(|(byte, other)| byte.eq_ignore_ascii_case(other));
            let next = input.fill().map_err(|failure| self.position.locate(failure, &self.ahead.bytes, &self.name))?;
            let Some(byte) = next.first().copied().filter(|_| is_start) else { break };
            self.ahead.bytes.push(byte);
            input.consume(1);
        }
        let is_line = self.ahead.bytes.get(DELIMITER_LINE_BYTES - 1).is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
        let Some(named) = named_delimiter(&self.ahead.bytes).filter(|_| is_line) else { return Ok(false) };
        let position = self.position.after(start).in_input(&self.name);
        check_delimiter(named, &self.options).map_err(|failure| failure.at(position))?;
        into.bytes.append(&mut self.ahead.bytes);
        self.read_lf_after_cr(input, into);
        Ok(true)
    }

    /// Reads the LF of a CRLF. The record before it ends at the CR, because a CR alone is a line ending, too.
    fn read_lf_after_cr(&mut self, input: &mut Source, into: &mut Record) {
        // If the source fails here, the next read reports it.
        if into.bytes.last() == Some(&b'\r') && self.ahead.fill(input).is_ok_and(|next| next.first() == Some(&b'\n')) {
            into.bytes.push(b'\n');
            self.ahead.consume(input, 1);
        }
    }

    /// `start` is after a byte-order mark.
    fn read_line(&mut self, input: &mut Source, into: &mut Record, start: usize) -> Result<TableLine, Failure> {
        if self.position == TextPosition::START && self.read_delimiter_line(input, into)? {
            return Ok(TableLine::WithoutCells);
        }
        let chunk = self.ahead.fill(input).map_err(|failure| self.position.locate(failure, b"", &self.name))?;
        let Some(first) = chunk.first().copied() else { return Ok(TableLine::End) };
        self.scanner.begin(start);
        if matches!(first, b'\r' | b'\n') {
            into.bytes.push(first);
            self.ahead.consume(input, 1);
            self.read_lf_after_cr(input, into);
            return Ok(TableLine::WithoutCells);
        }
        self.read_record(input, into, start)?;
        self.read_lf_after_cr(input, into);
        Ok(TableLine::Record)
    }

    /// Reads up to the first byte of the line ending.
    fn read_record(&mut self, input: &mut Source, into: &mut Record, start: usize) -> Result<(), Failure> {
        loop {
            let read = || into.bytes.get(start..).unwrap_or_default();
            let chunk = self.ahead.fill(input).map_err(|failure| self.position.locate(failure, read(), &self.name))?;
            if chunk.is_empty() {
                self.check_quote_closed(into, start, "the end of the input")?;
                self.scanner.scan(b"");
                return Ok(());
            }
            let step = self.scanner.scan(chunk);
            into.bytes.extend_from_slice(chunk.get(..step.used).unwrap_or_default());
            self.ahead.consume(input, step.used);
            if step.is_end {
                return Ok(());
            }
            if into.bytes.len() > limits::TABLE_RECORD_BYTES {
                let limit = counted(limits::TABLE_RECORD_BYTES, "byte");
                self.check_quote_closed(into, start, &format!("the limit of {limit} for a record"))?;
                let what = format!("the record is larger than the limit of {limit}");
                return Err(Failure::usage(what).at(self.position.in_input(&self.name)).hint("split the file"));
            }
        }
    }

    /// Fails if the current cell has an opening quote but no closing one. `end` says where the search stopped.
    fn check_quote_closed(&self, record: &Record, start: usize, end: &str) -> Result<(), Failure> {
        let cell = self.scanner.current_cell();
        let text =
            |range| record.bytes.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        if !is_unclosed(text(cell..record.bytes.len())) {
            return Ok(());
        }
        let position = self.position.after(text(start..cell).as_bytes()).in_input(&self.name);
        let hint = "close the quote; a quote inside a quoted cell is doubled";
        Err(Failure::usage(format!("the quote that begins here is not closed before {end}")).at(position).hint(hint))
    }

    fn find_columns(&mut self, record: &Record, start: usize) -> Result<(), Failure> {
        let text = std::str::from_utf8(record.bytes.get(start..).unwrap_or_default()).unwrap_or_default();
        let columns = TableColumns::find(&self.options, text).map_err(|f| f.at(record.origin.clone()))?;
        self.scanner.keep_columns(&columns.selected);
        self.columns = Some(columns);
        Ok(())
    }

    /// Finds the entries of a record, or sets its fault if its number of cells differs from the first record's.
    fn add_entries(&mut self, into: &mut Record) {
        let Some(columns) = &self.columns else { return };
        if self.scanner.cell_count() != columns.count {
            into.fault = Some(Box::new(self.wrong_cell_count_failure(columns.count).at(into.origin.clone())));
            return;
        }
        into.labels = Some(columns.labels.clone());
        for (name, span) in (0..).zip(self.scanner.spans()) {
            let cell = into.bytes.get(span.clone()).and_then(|bytes| std::str::from_utf8(bytes).ok());
            let start = u32::try_from(span.start).unwrap_or(u32::MAX);
            if let Some(slot) = cell.and_then(|cell| cell_slot(cell, start)) {
                into.slots.push(Slot { name, ..slot });
            } else {
                let before_slot = u16::try_from(into.slots.len()).unwrap_or(u16::MAX);
                into.blanks.push(BlankEntry { before_slot, name, ..blank_cell(cell.unwrap_or_default(), start) });
            }
        }
        self.entries += self.scanner.spans().len() as u64;
    }

    fn wrong_cell_count_failure(&self, expected: usize) -> Failure {
        let cells = counted(self.scanner.cell_count(), "cell");
        let first = if self.options.has_header { "header" } else { "first record" };
        Failure::usage(format!("the record has {cells}; the {first} has {expected}"))
            .hint_or_flag("quote cells that contain the delimiter", "; --keep-going copies such records")
    }
}

/// Returns `None` if the cell, which starts at `start`, is only whitespace.
fn cell_slot(cell: &str, start: u32) -> Option<Slot> {
    let content = content(cell);
    let text = content.trim();
    if text.is_empty() {
        return None;
    }
    let before = content.len() - content.trim_start().len() + usize::from(is_quoted(cell));
    let crlf = has_only_crlf(text);
    let sent = match text {
        text if crlf => Some(text.replace("\r\n", "\n")),
        text if text.len() == cell.len() => None,
        text => Some(text.to_owned()),
    };
    let end = start + u32::try_from(cell.len()).ok()?;
    Some(Slot {
        span: start..end,
        text_start: start + u32::try_from(before).ok()?,
        text: sent,
        crlf,
        ..Slot::default()
    })
}

fn blank_cell(cell: &str, start: u32) -> BlankEntry {
    let start = start + u32::from(is_quoted(cell));
    // With whitespace after the closing quote, the text is not contiguous.
    let text = match content(cell) {
        Cow::Borrowed(text) => text,
        Cow::Owned(_) => "",
    };
    BlankEntry { before_slot: 0, name: 0, start, end: start + u32::try_from(text.len()).unwrap_or_default() }
}

impl RecordReader for TableReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            if self.document.is_none() && !self.next_document(input, into)? {
                return Ok(false);
            }
            let start = into.bytes.len();
            into.entry = self.entries + 1;
            into.origin = self.position.in_input(&self.name);
            match self.read_line(input, into, start)? {
                TableLine::End => {
                    self.document = None;
                    if into.bytes.is_empty() {
                        continue;
                    }
                }
                TableLine::WithoutCells => {}
                TableLine::Record => {
                    if self.columns.is_none() {
                        self.find_columns(into, start)?;
                        into.is_header = self.options.has_header;
                    }
                    if !into.is_header {
                        self.add_entries(into);
                    }
                }
            }
            self.position = self.position.after(into.bytes.get(start..).unwrap_or_default());
            return Ok(true);
        }
    }
}
