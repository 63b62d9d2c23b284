//! Results listed instead of put back: `--json`, `--format jsonl`, rows of several targets.
//!
//! Objects are the service's own, byte for byte, but for a cut text: its pieces are joined to one result as they come.
//! What cannot be written yet (the later targets) waits in temporary files, so memory does not grow with the input.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use serde_json::value::RawValue;
use tempfile::SpooledTempFile;

use super::columns::{Columns, put_cell};
use super::{CRLF, Format, ResultWriter, Row, Translated};
use crate::json::escape_into;

/// Bytes of a later target kept in memory before they go to a temporary file.
const SPOOL: usize = 64 * 1024;

/// `--json`: one `{"translations": […]}`, for several targets an array of them with `target_lang`.
pub fn json(targets: &[String], _format: &Format) -> Box<dyn ResultWriter> {
    list("translations", targets)
}

/// `--json` with another name of the list: `improvements` of rephrase and correct.
pub fn list(name: &'static str, targets: &[String]) -> Box<dyn ResultWriter> {
    Box::new(Json { name, lanes: Lane::all(targets), begun: false })
}

/// `--format jsonl`: one result a line, with `entry` and `target_lang`.
pub fn jsonl(targets: &[String], _format: &Format) -> Box<dyn ResultWriter> {
    Box::new(Lines { form: Form::Jsonl, lanes: Lane::all(targets), header: false })
}

/// Rows of the given columns, escaped as all TSV listings; `header` adds the header.
///
/// Blank lines have a row where each line is an entry, so that every target has as many rows as there are lines.
pub fn rows(targets: &[String], format: &Format, header: bool, columns: Columns) -> Box<dyn ResultWriter> {
    let form = Form::Rows { blank: format.counts_blank(), columns };
    Box::new(Lines { form, lanes: Lane::all(targets), header })
}

/// A target's part of the output.
struct Lane {
    target: String,
    join: Join,
    /// Results written so far.
    results: u64,
    spool: SpooledTempFile,
}

/// An entry whose pieces are being joined.
#[derive(Default)]
struct Join {
    open: bool,
    billed: Option<u64>,
    /// White space that is written only if more follows.
    space: String,
}

impl Lane {
    fn all(targets: &[String]) -> Vec<Self> {
        let lane = |target: &String| Self {
            target: target.clone(),
            join: Join::default(),
            results: 0,
            spool: SpooledTempFile::new(SPOOL),
        };
        targets.iter().map(lane).collect()
    }

    /// Copies what waited to the output.
    fn pour(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.spool.stream_position()? == 0 {
            return Ok(());
        }
        self.spool.seek(SeekFrom::Start(0))?;
        let mut part = vec![0; SPOOL];
        loop {
            let got = self.spool.read(&mut part)?;
            if got == 0 {
                break;
            }
            out.write_all(part.get(..got).unwrap_or_default())?;
        }
        self.spool = SpooledTempFile::new(SPOOL);
        Ok(())
    }
}

/// Writes an object's fields, without its braces: those given first, then the result's.
fn object(first: &str, result: Option<&Translated>, text: &str, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{")?;
    out.write_all(first.as_bytes())?;
    let Some(raw) = result.and_then(|r| r.raw.as_deref()) else {
        comma(first, out)?;
        out.write_all(b"\"text\":\"")?;
        put(text, out)?;
        return out.write_all(b"\"}");
    };
    let inner = raw.get().trim().trim_start_matches('{').trim_start();
    if !inner.starts_with('}') {
        comma(first, out)?;
    }
    // A line break can only stand between tokens.
    for part in inner.split(['\n', '\r']) {
        out.write_all(part.as_bytes())?;
    }
    Ok(())
}

fn comma(first: &str, out: &mut dyn Write) -> io::Result<()> {
    if first.is_empty() { Ok(()) } else { out.write_all(b",") }
}

fn put(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut escaped = Vec::with_capacity(text.len() + 16);
    escape_into(&mut escaped, text.as_bytes());
    out.write_all(&escaped)
}

impl Join {
    /// Writes the start of a joined object: all fields but the text and what is summed up.
    fn begin(&mut self, first: &str, result: Option<&Translated>, out: &mut dyn Write) -> io::Result<()> {
        *self = Self { open: true, ..Self::default() };
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
            put(&name, out)?;
            out.write_all(b"\":")?;
            for part in value.get().split(['\n', '\r']) {
                out.write_all(part.as_bytes())?;
            }
        }
        if any {
            out.write_all(b",")?;
        }
        out.write_all(b"\"text\":\"")
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\"")?;
        if let Some(billed) = self.billed {
            write!(out, ",\"billed_characters\":{billed}")?;
        }
        self.open = false;
        out.write_all(b"}")
    }

    /// Writes a piece's text with the white space between it and the piece before.
    fn piece(
        &mut self,
        row: &Row,
        target: usize,
        first: bool,
        out: &mut dyn Write,
        put: impl Fn(&str, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let record = &row.record;
        let Some(slot) = record.slots.first() else {
            if !first {
                self.space.push_str(std::str::from_utf8(&record.bytes).unwrap_or_default());
            }
            return Ok(());
        };
        let outer = |bytes: Option<&[u8]>| {
            let text = std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
            if slot.form == CRLF { text.replace("\r\n", "\n") } else { text.to_owned() }
        };
        if !first {
            let space = std::mem::take(&mut self.space) + &outer(record.bytes.get(..slot.range().start));
            put(&space, out)?;
        }
        put(row.text(target, 0).unwrap_or_default(), out)?;
        self.space = outer(record.bytes.get(slot.range().end..));
        if let Some(billed) = row.result(target, 0).and_then(|r| r.billed) {
            *self.billed.get_or_insert(0) += billed;
        }
        Ok(())
    }
}

/// One JSON document.
struct Json {
    name: &'static str,
    lanes: Vec<Lane>,
    /// Whether anything was written.
    begun: bool,
}

impl Json {
    fn head(&self, lane: usize) -> String {
        let name = self.name;
        if self.lanes.len() == 1 {
            return format!("{{\"{name}\":[");
        }
        let mut target = Vec::new();
        escape_into(&mut target, self.lanes.get(lane).map(|l| l.target.as_bytes()).unwrap_or_default());
        let open = if lane == 0 { "[" } else { "," };
        format!("{open}{{\"target_lang\":\"{}\",\"{name}\":[", String::from_utf8_lossy(&target))
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) { Ok(()) } else { out.write_all(self.head(0).as_bytes()) }
    }
}

impl ResultWriter for Json {
    fn write(&mut self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        for (target, lane) in self.lanes.iter_mut().enumerate() {
            if row.results.get(target).is_none_or(Option::is_none) {
                continue;
            }
            let Lane { join, results, spool, .. } = lane;
            let out: &mut dyn Write = if target == 0 { out } else { spool };
            if !row.record.more && !join.open {
                for slot in 0..row.record.slots.len() {
                    if std::mem::replace(results, *results + 1) > 0 {
                        out.write_all(b",")?;
                    }
                    object("", row.result(target, slot), row.text(target, slot).unwrap_or_default(), out)?;
                }
                continue;
            }
            let first = !join.open;
            if first && row.record.slots.is_empty() {
                continue;
            }
            if first {
                if std::mem::replace(results, *results + 1) > 0 {
                    out.write_all(b",")?;
                }
                join.begin("", row.result(target, 0), out)?;
            }
            join.piece(row, target, first, out, put)?;
            if !row.record.more {
                join.end(out)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        for at in 0..self.lanes.len() {
            let head = self.head(at);
            let Some(lane) = self.lanes.get_mut(at) else { continue };
            if at > 0 {
                out.write_all(head.as_bytes())?;
                lane.pour(out)?;
            }
            if lane.join.open {
                lane.join.end(out)?;
            }
            out.write_all(b"]}")?;
        }
        out.write_all(if self.lanes.len() == 1 { b"\n" } else { b"]\n" })
    }

    fn whole(&self) -> bool {
        self.lanes.len() == 1 && !self.lanes.iter().any(|lane| lane.join.open)
    }

    /// The later targets' results stand behind all of the first's.
    fn can_go_on(&self) -> bool {
        self.lanes.len() == 1
    }

    fn resume(&mut self, bytes: u64) {
        self.begun = bytes > 0;
        let head = self.head(0).len() as u64;
        if let Some(lane) = self.lanes.first_mut() {
            lane.results = u64::from(bytes > head);
        }
    }
}

/// A line for each result.
struct Lines {
    form: Form,
    lanes: Vec<Lane>,
    header: bool,
}

enum Form {
    Jsonl,
    Rows { blank: bool, columns: Columns },
}

impl Form {
    /// Writes a whole entry's line.
    fn line(&self, row: &Row, target: usize, name: &str, slot: usize, out: &mut dyn Write) -> io::Result<()> {
        let text = row.text(target, slot).unwrap_or_default();
        match self {
            Self::Jsonl => object(&fields(row, name), row.result(target, slot), text, out)?,
            Self::Rows { columns, .. } => {
                columns.before_text(name, out)?;
                if columns.has_text() {
                    put_cell(text, out)?;
                }
                columns.after_text(name, out)?;
            }
        }
        out.write_all(b"\n")
    }

    /// Writes one piece of a cut entry.
    fn piece(&self, row: &Row, target: usize, name: &str, join: &mut Join, out: &mut dyn Write) -> io::Result<()> {
        let first = !join.open;
        if first && row.record.slots.is_empty() {
            return Ok(());
        }
        match self {
            Self::Jsonl if first => join.begin(&fields(row, name), row.result(target, 0), out)?,
            Self::Rows { columns, .. } if first => {
                *join = Join { open: true, ..Join::default() };
                columns.before_text(name, out)?;
            }
            _ => {}
        }
        match self {
            Self::Jsonl => join.piece(row, target, first, out, put)?,
            Self::Rows { columns, .. } if columns.has_text() => join.piece(row, target, first, out, put_cell)?,
            Self::Rows { .. } => {}
        }
        if row.record.more { Ok(()) } else { self.end(name, join, out) }
    }

    /// Ends the line of a cut entry.
    fn end(&self, name: &str, join: &mut Join, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Jsonl => join.end(out)?,
            Self::Rows { columns, .. } => {
                columns.after_text(name, out)?;
                join.open = false;
            }
        }
        out.write_all(b"\n")
    }
}

fn fields(row: &Row, name: &str) -> String {
    format!("\"entry\":{},\"target_lang\":\"{name}\"", row.record.entry)
}

impl ResultWriter for Lines {
    fn write(&mut self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::take(&mut self.header)
            && let Form::Rows { columns, .. } = &self.form
        {
            writeln!(out, "{columns}")?;
        }
        for (target, lane) in self.lanes.iter_mut().enumerate() {
            if row.results.get(target).is_none_or(Option::is_none) {
                continue;
            }
            let Lane { target: name, join, spool, .. } = lane;
            if !row.record.more && !join.open {
                if row.record.slots.is_empty() && matches!(self.form, Form::Rows { blank: true, .. }) {
                    self.form.line(row, target, name, 0, out)?;
                }
                for slot in 0..row.record.slots.len() {
                    self.form.line(row, target, name, slot, out)?;
                }
                continue;
            }
            let out: &mut dyn Write = if target == 0 { out } else { spool };
            self.form.piece(row, target, name, join, out)?;
        }
        if !row.record.more {
            self.lanes.iter_mut().try_for_each(|lane| lane.pour(out))?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for lane in &mut self.lanes {
            lane.pour(out)?;
            if lane.join.open {
                // Cut off by a failure: the line is ended, as far as it came.
                self.form.end(&lane.target, &mut lane.join, out)?;
            }
        }
        Ok(())
    }

    fn whole(&self) -> bool {
        !self.lanes.iter().any(|lane| lane.join.open)
    }

    fn resume(&mut self, bytes: u64) {
        self.header &= bytes == 0;
    }
}
