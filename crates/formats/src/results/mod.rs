//! Writes results as a list instead of into their file: `--json`, `--format jsonl`, and tab-separated rows.
//!
//! Input: finished rows. Output: the service's JSON objects, each on one line and possibly with added fields for its
//! entry, or tab-separated rows. The results for the parts of a split text are joined as they arrive. If many results
//! must wait for another target, they are kept in a temporary file, so memory use does not depend on the size of the
//! input.

mod document;
mod joined;
mod lines;
mod spool;

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Deserialize;
use tulk_base::json::escape_into;

use self::document::JsonDocumentWriter;
use self::joined::JoinedEntry;
use self::lines::{LineForm, ResultLineWriter};
use self::spool::Spool;
use super::columns::ResultColumns;
use super::{EntryResult, InputFormat, Record, RecordEntry, ResultRow, ResultWriter};

/// Creates the writer for `--json`: one object with a list of results; with several targets, an array of objects with
/// `target_lang`.
///
/// `list` is the name of the list: `translations`, or `improvements` for rephrase and correct. The list includes
/// whitespace-only entries. `inputs` adds the name of its input to each result.
pub fn json(list: &'static str, targets: &[String], inputs: bool) -> Box<dyn ResultWriter> {
    Box::new(JsonDocumentWriter::new(list, TargetOutput::for_targets(targets), inputs))
}

/// Creates the writer for `--format jsonl`: one result per line, with `entry`, `target_lang` and, if `inputs` is set,
/// `input`.
pub fn jsonl(targets: &[String], inputs: bool) -> Box<dyn ResultWriter> {
    Box::new(ResultLineWriter::new(LineForm::Jsonl { inputs }, TargetOutput::for_targets(targets), false))
}

/// Creates the writer for tab-separated rows, escaped like all TSV listings; `header` adds a header line.
///
/// If each line is an entry, whitespace-only lines have a row, too, so every target has one row per line.
pub fn rows(targets: &[String], format: &InputFormat, header: bool, columns: ResultColumns) -> Box<dyn ResultWriter> {
    let form = LineForm::Rows { blank: format.counts_whitespace_only(), columns };
    Box::new(ResultLineWriter::new(form, TargetOutput::for_targets(targets), header))
}

struct TargetOutput {
    /// The target language; empty if the service chooses it.
    target: String,
    joined: JoinedEntry,
    results: u64,
    /// Output that must wait for another target.
    spool: Spool,
}

impl TargetOutput {
    fn for_targets(targets: &[String]) -> Vec<Self> {
        let output = |target: &String| Self {
            target: target.clone(),
            joined: JoinedEntry::default(),
            results: 0,
            spool: Spool::default(),
        };
        targets.iter().map(output).collect()
    }

    /// Returns the language of a result: the target, or the service's choice.
    fn language<'a>(&'a self, result: Option<&EntryResult>) -> Cow<'a, str> {
        #[derive(Deserialize)]
        struct ChosenLanguage {
            target_language: Option<String>,
        }
        let Some(raw) = result.and_then(|result| result.raw.as_deref()).filter(|_| self.target.is_empty()) else {
            return Cow::Borrowed(&self.target);
        };
        let chosen = serde_json::from_str::<ChosenLanguage>(raw.get()).ok();
        Cow::Owned(chosen.and_then(|chosen| chosen.target_language).unwrap_or_default())
    }

    /// Writes the results of a row as list items of a JSON document; each starts with the fields in `first`.
    fn write_items(&mut self, row: &ResultRow, target: usize, first: &str, out: &mut dyn Write) -> io::Result<()> {
        let Self { target: name, joined, results, spool } = self;
        // Results of the first target are written immediately. Those of the other targets wait until the first list ends.
        let out: &mut dyn Write = if target == 0 { out } else { spool };
        let mut next_item = |out: &mut dyn Write| {
            let is_first = std::mem::replace(results, *results + 1) == 0;
            if is_first { Ok(()) } else { out.write_all(b",") }
        };
        let is_first = !joined.is_unfinished;
        if !row.record.continues && is_first {
            let is_own = |entry: &RecordEntry<'_>| entry.slot.is_none_or(|slot| row.record.is_needed_by(slot, name));
            for entry in row.record.entries().filter(is_own) {
                next_item(out)?;
                let location = location_fields(&row.record, &entry, name);
                let first = join_fields([first, &location]);
                let result = entry.slot.and_then(|slot| row.result(target, slot));
                let text = entry.slot.map_or(entry.blank_text, |slot| row.text(target, slot).unwrap_or_default());
                write_object(&first, result, text, out)?;
            }
            return Ok(());
        }
        if is_first && row.record.slots.is_empty() {
            return Ok(());
        }
        if is_first {
            next_item(out)?;
            joined.open_object(first, row.result(target, 0), out)?;
        }
        joined.write_part(row, target, is_first, out, write_escaped)?;
        if row.record.continues { Ok(()) } else { joined.close_object(out) }
    }
}

fn input_field(record: &Record) -> String {
    let mut field = b"\"input\":\"".to_vec();
    escape_into(&mut field, record.origin.source.as_bytes());
    field.push(b'"');
    String::from_utf8(field).unwrap_or_default()
}

/// Returns the JSON fields for the location of an entry: its line, the name of its column, field or key, and its plural
/// form in a target.
fn location_fields(record: &Record, entry: &RecordEntry<'_>, target: &str) -> String {
    let Some(location) = entry.location else { return String::new() };
    let mut fields = format!("\"line\":{}", location.line).into_bytes();
    let form = entry.slot.and_then(|slot| record.form(slot, target));
    for (key, name) in location.name.into_iter().chain(form.map(|form| ("form", form))) {
        fields.extend([b",\"", key.as_bytes(), b"\":\""].concat());
        escape_into(&mut fields, name.as_bytes());
        fields.push(b'"');
    }
    String::from_utf8(fields).unwrap_or_default()
}

/// Joins JSON fields, skipping empty ones.
fn join_fields<const N: usize>(fields: [&str; N]) -> String {
    let mut joined = String::new();
    for field in fields.into_iter().filter(|field| !field.is_empty()) {
        if !joined.is_empty() {
            joined.push(',');
        }
        joined.push_str(field);
    }
    joined
}

/// Writes a result as a JSON object that starts with the fields in `first`, which may be empty.
fn write_object(first: &str, result: Option<&EntryResult>, text: &str, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{")?;
    out.write_all(first.as_bytes())?;
    let Some(raw) = result.and_then(|r| r.raw.as_deref()) else {
        write_comma_after(first, out)?;
        out.write_all(b"\"text\":\"")?;
        write_escaped(text, out)?;
        return out.write_all(b"\"}");
    };
    let fields = raw.get().trim().trim_start_matches('{').trim_start();
    if !fields.starts_with('}') {
        write_comma_after(first, out)?;
    }
    write_on_one_line(fields, out)
}

fn write_comma_after(first: &str, out: &mut dyn Write) -> io::Result<()> {
    if first.is_empty() { Ok(()) } else { out.write_all(b",") }
}

/// Writes JSON without its line breaks. They are only between tokens, because strings escape them.
fn write_on_one_line(json: &str, out: &mut dyn Write) -> io::Result<()> {
    json.split(['\n', '\r']).try_for_each(|part| out.write_all(part.as_bytes()))
}

fn write_escaped(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut escaped = Vec::with_capacity(text.len() + 16);
    escape_into(&mut escaped, text.as_bytes());
    out.write_all(&escaped)
}
