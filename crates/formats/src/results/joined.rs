//! Joins the results for the parts of a split text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::value::RawValue;

use super::spool::Spool;
use super::{write_escaped, write_on_one_line};
use crate::columns::RowFields;
use crate::{EntryResult, ResultRow};

#[derive(Default)]
pub(super) struct JoinedEntry {
    pub(super) is_unfinished: bool,
    /// Values of the other columns of a row.
    pub(super) fields: RowFields<'static>,
    /// Text of a row, which is written once all parts are there.
    pub(super) text: Spool,
    pub(super) billed: Option<u64>,
    /// Whitespace to write if another part follows.
    white_space: String,
}

impl JoinedEntry {
    pub(super) fn start(&mut self) {
        *self = Self { is_unfinished: true, ..Self::default() };
    }

    /// Starts a JSON object with all fields of the first part except the text and the billed characters.
    pub(super) fn open_object(
        &mut self,
        first: &str,
        result: Option<&EntryResult>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.start();
        out.write_all(b"{")?;
        out.write_all(first.as_bytes())?;
        let mut any = !first.is_empty();
        let raw = result.and_then(|r| r.raw.as_deref()).map_or("{}", RawValue::get);
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(raw).unwrap_or_default();
        for (name, value) in fields {
            if name == "text" || name == "billed_characters" {
                continue;
            }
            if std::mem::replace(&mut any, true) {
                out.write_all(b",")?;
            }
            out.write_all(b"\"")?;
            write_escaped(&name, out)?;
            out.write_all(b"\":")?;
            write_on_one_line(value.get(), out)?;
        }
        if any {
            out.write_all(b",")?;
        }
        out.write_all(b"\"text\":\"")
    }

    pub(super) fn close_object(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\"")?;
        if let Some(billed) = self.billed {
            write!(out, ",\"billed_characters\":{billed}")?;
        }
        self.is_unfinished = false;
        out.write_all(b"}")
    }

    /// Writes the text of a part and, unless it is the first part, the whitespace before it.
    pub(super) fn write_part(
        &mut self,
        row: &ResultRow,
        target: usize,
        is_first: bool,
        out: &mut dyn Write,
        write: impl Fn(&str, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let record = &row.record;
        let Some(slot) = record.slots.first() else {
            if !is_first {
                self.white_space.push_str(std::str::from_utf8(&record.bytes).unwrap_or_default());
            }
            return Ok(());
        };
        let outer = |bytes: Option<&[u8]>| {
            let text = std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
            if slot.crlf { text.replace("\r\n", "\n") } else { text.to_owned() }
        };
        if !is_first {
            let between = std::mem::take(&mut self.white_space) + &outer(record.bytes.get(..slot.byte_range().start));
            write(&between, out)?;
        }
        write(row.text(target, 0).unwrap_or_default(), out)?;
        self.white_space = outer(record.bytes.get(slot.byte_range().end..));
        if let Some(billed) = row.result(target, 0).and_then(|r| r.billed) {
            *self.billed.get_or_insert(0) += billed;
        }
        Ok(())
    }
}
