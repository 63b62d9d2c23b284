//! Writes `--format jsonl` and tab-separated rows: one result per line.

use std::io::{self, Write};

use tulk_base::json::escape_into;

use super::joined::JoinedEntry;
use super::{TargetOutput, input_field, join_fields, location_fields, write_escaped, write_object};
use crate::columns::{ResultColumns, write_cell};
use crate::{RecordEntry, ResultRow, ResultWriter};

pub(super) struct ResultLineWriter {
    form: LineForm,
    targets: Vec<TargetOutput>,
    header: bool,
}

pub(super) enum LineForm {
    Jsonl {
        /// Whether the line contains the name of its input.
        inputs: bool,
    },
    Rows {
        /// Whether whitespace-only entries have a row.
        blank: bool,
        columns: ResultColumns,
    },
}

impl LineForm {
    /// Writes an entry that was not split.
    fn write_line(
        &self,
        row: &ResultRow,
        target: usize,
        (name, output): (&str, &TargetOutput),
        entry: &RecordEntry<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let text = entry.slot.and_then(|slot| row.text(target, slot)).unwrap_or_default();
        match self {
            Self::Jsonl { inputs } => {
                let location = location_fields(&row.record, entry, &output.target);
                let first = join_fields([&first_fields(row, entry.number, name, *inputs), &location]);
                write_object(&first, entry.slot.and_then(|slot| row.result(target, slot)), text, out)?;
            }
            Self::Rows { columns, .. } => {
                let result = entry.slot.and_then(|slot| row.result(target, slot));
                columns.write_row(&columns.fields(name.into(), result), |out| write_cell(text, out), out)?;
            }
        }
        out.write_all(b"\n")
    }

    /// Writes a part of a split entry.
    fn write_part(
        &self,
        row: &ResultRow,
        target: usize,
        name: &str,
        joined: &mut JoinedEntry,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let is_first = !joined.is_unfinished;
        if is_first && row.record.slots.is_empty() {
            return Ok(());
        }
        match self {
            Self::Jsonl { inputs } => {
                if is_first {
                    joined.open_object(
                        &first_fields(row, row.record.entry, name, *inputs),
                        row.result(target, 0),
                        out,
                    )?;
                }
                joined.write_part(row, target, is_first, out, write_escaped)?;
            }
            Self::Rows { columns, .. } => {
                if is_first {
                    joined.start();
                    joined.fields = columns.fields(name.to_owned().into(), row.result(target, 0));
                }
                // The text waits in the spool: columns before it may depend on later parts.
                let mut text = std::mem::take(&mut joined.text);
                joined.write_part(row, target, is_first, &mut text, write_cell)?;
                joined.text = text;
            }
        }
        if row.record.continues { Ok(()) } else { self.end_line(joined, out) }
    }

    fn end_line(&self, joined: &mut JoinedEntry, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Jsonl { .. } => joined.close_object(out)?,
            Self::Rows { columns, .. } => {
                joined.is_unfinished = false;
                let mut fields = std::mem::take(&mut joined.fields);
                fields.billed = joined.billed;
                columns.write_row(&fields, |out| joined.text.empty_into(out), out)?;
            }
        }
        out.write_all(b"\n")
    }
}

fn first_fields(row: &ResultRow, number: u64, name: &str, inputs: bool) -> String {
    let input = if inputs { format!(",{}", input_field(&row.record)) } else { String::new() };
    let mut language = Vec::with_capacity(name.len());
    escape_into(&mut language, name.as_bytes());
    format!("\"entry\":{number},\"target_lang\":\"{}\"{input}", String::from_utf8_lossy(&language))
}

impl ResultLineWriter {
    pub(super) fn new(form: LineForm, targets: Vec<TargetOutput>, header: bool) -> Self {
        Self { form, targets, header }
    }

    /// Writes the entries of an unsplit record, each for all targets.
    fn write_entries(&self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let with_blanks = matches!(self.form, LineForm::Rows { blank: true, .. });
        for entry in row.record.entries().filter(|entry| with_blanks || entry.slot.is_some()) {
            for (target, output) in self.targets.iter().enumerate() {
                let is_own = entry.slot.is_none_or(|slot| row.record.is_needed_by(slot, &output.target));
                if is_own && row.results.get(target).is_some_and(Option::is_some) {
                    let name = output.language(entry.slot.and_then(|slot| row.result(target, slot)));
                    self.form.write_line(row, target, (&name, output), &entry, out)?;
                }
            }
        }
        Ok(())
    }
}

impl ResultWriter for ResultLineWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::take(&mut self.header)
            && let LineForm::Rows { columns, .. } = &self.form
        {
            writeln!(out, "{columns}")?;
        }
        let is_split = row.record.continues || self.targets.iter().any(|output| output.joined.is_unfinished);
        if !is_split {
            return self.write_entries(row, out);
        }
        for (target, output) in self.targets.iter_mut().enumerate() {
            if row.results.get(target).is_none_or(Option::is_none) {
                continue;
            }
            let name = output.language(row.result(target, 0)).into_owned();
            let out: &mut dyn Write = if target == 0 { out } else { &mut output.spool };
            self.form.write_part(row, target, &name, &mut output.joined, out)?;
        }
        if !row.record.continues {
            self.targets.iter_mut().try_for_each(|output| output.spool.empty_into(out))?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for output in &mut self.targets {
            output.spool.empty_into(out)?;
            if output.joined.is_unfinished {
                // The run failed inside this entry. Finish the line so that it is valid.
                self.form.end_line(&mut output.joined, out)?;
            }
        }
        Ok(())
    }

    fn is_resumable_here(&self) -> bool {
        !self.targets.iter().any(|output| output.joined.is_unfinished)
    }

    fn resume_after(&mut self, bytes: u64) {
        self.header &= bytes == 0;
    }
}
