//! Writes records with their results: in place of the sources, or in new cells at the end.

use std::io::{self, Write};
use std::ops::Range;

use super::TableOptions;
use super::cells::{cells, content_end};
use super::content::{CellStyle, cell_end, is_quoted};
use super::select::TableColumns;
use crate::input::source::BYTE_ORDER_MARK;
use crate::{Record, ResultRow, ResultWriter, splice};

pub(super) struct TableWriter {
    delimiter: u8,
}

impl TableWriter {
    pub(super) fn new(options: &TableOptions) -> Self {
        Self { delimiter: options.delimiter }
    }
}

impl ResultWriter for TableWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let record = &row.record;
        let content = content_start(record)..content_end(&record.bytes);
        splice(row, 0, out, |slot, result, out| {
            let style = CellStyle { delimiter: self.delimiter, is_alone: slot.byte_range() == content };
            style.write_result(slot, record_text(record, slot.byte_range()), result, out)
        })
    }
}

/// Appends results as new cells: by column, then by target.
pub(super) struct AppendWriter {
    options: TableOptions,
    targets: Vec<String>,
}

impl AppendWriter {
    pub(super) fn new(options: &TableOptions, targets: &[String]) -> Self {
        Self { options: options.clone(), targets: targets.to_vec() }
    }

    fn style(&self) -> CellStyle {
        CellStyle { delimiter: self.options.delimiter, is_alone: false }
    }

    /// Writes the names of the new columns, quoted like the names of their sources.
    fn write_names(&self, record: &Record, out: &mut dyn Write) -> io::Result<()> {
        let header = record_text(record, content_start(record)..record.bytes.len());
        let Ok(columns) = TableColumns::find(&self.options, header) else { return Ok(()) };
        let header = cells(header, self.options.delimiter);
        for (column, name) in columns.selected.iter().zip(&columns.labels.names) {
            let quoted = header.get(*column).is_some_and(|cell| is_quoted(cell));
            for target in &self.targets {
                out.write_all(&[self.options.delimiter])?;
                self.style().write(quoted, TableColumns::new_name(name, target).as_bytes(), out)?;
            }
        }
        Ok(())
    }

    fn write_cells(&self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let record = &row.record;
        let mut blanks = record.blanks.iter().peekable();
        for slot in 0..=record.slots.len() {
            while let Some(blank) = blanks.next_if(|blank| usize::from(blank.before_slot) == slot) {
                let start = blank.start as usize;
                let is_quoted = start > 0 && record.bytes.get(start - 1) == Some(&b'"');
                let start = start - usize::from(is_quoted);
                let end = cell_end(record_text(record, 0..record.bytes.len()), start, self.options.delimiter);
                for _ in &self.targets {
                    out.write_all(&[self.options.delimiter])?;
                    out.write_all(record.bytes.get(start..end).unwrap_or_default())?;
                }
            }
            if slot < record.slots.len() {
                self.write_results(row, slot, out)?;
            }
        }
        Ok(())
    }

    /// Writes a new cell for each target; it is empty if the target failed before this row.
    fn write_results(&self, row: &ResultRow, at: usize, out: &mut dyn Write) -> io::Result<()> {
        let record = &row.record;
        let Some(slot) = record.slots.get(at) else { return Ok(()) };
        let cell = record_text(record, slot.byte_range());
        for target in 0..self.targets.len() {
            out.write_all(&[self.options.delimiter])?;
            match row.text(target, at) {
                // An unchanged text is written exactly as its source, even if quotes are not needed.
                Some(result) if record.text(at) == Some(result) => out.write_all(cell.as_bytes())?,
                Some(result) => self.style().write_result(slot, cell, result, out)?,
                None => {}
            }
        }
        Ok(())
    }
}

impl ResultWriter for AppendWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let record = &row.record;
        let end = content_end(&record.bytes);
        out.write_all(record.bytes.get(..end).unwrap_or_default())?;
        if record.is_header {
            self.write_names(record, out)?;
        } else {
            self.write_cells(row, out)?;
        }
        out.write_all(record.bytes.get(end..).unwrap_or_default())
    }
}

fn content_start(record: &Record) -> usize {
    let is_first = record.origin.line == 1 && record.origin.column == 1;
    if is_first && record.bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

fn record_text(record: &Record, range: Range<usize>) -> &str {
    record.bytes.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}
