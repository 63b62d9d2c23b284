//! Results as a list instead of in their file: `--json`, `--format jsonl`, and rows of several targets.
//!
//! Input: finished rows. Output: the service's JSON objects, byte for byte, or tab-separated rows. If a text was cut,
//! the results of its pieces are joined to one as they arrive. Results of later targets that cannot be written yet wait
//! in temporary files, so memory use does not depend on the input.

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

/// Writes `--json`: one object with a list of results, or for several targets an array of them with `target_lang`.
///
/// `list` is the name of the list: `translations`, or `improvements` for rephrase and correct. Blank entries are in it too.
/// `inputs` adds the name of its input to each result.
pub fn json(list: &'static str, targets: &[String], inputs: bool) -> Box<dyn ResultWriter> {
    Box::new(JsonDocumentWriter::new(list, TargetOutput::all(targets), inputs))
}

/// Writes `--format jsonl`: one result per line, with `entry` and `target_lang`, and `input` if there are several.
pub fn jsonl(targets: &[String], inputs: bool) -> Box<dyn ResultWriter> {
    Box::new(ResultLineWriter::new(LineForm::Jsonl { inputs }, TargetOutput::all(targets), false))
}

/// Writes tab-separated rows, escaped like all TSV listings, after a header if asked.
///
/// Blank lines have a row too if each line is an entry, so that every target has one row per line.
pub fn rows(targets: &[String], format: &InputFormat, header: bool, columns: ResultColumns) -> Box<dyn ResultWriter> {
    let form = LineForm::Rows { blank: format.counts_blank(), columns };
    Box::new(ResultLineWriter::new(form, TargetOutput::all(targets), header))
}

/// The output of one target.
struct TargetOutput {
    /// Its name; empty if the service chooses the language.
    target: String,
    /// The entry whose pieces are being joined.
    joined: JoinedEntry,
    /// Number of results written.
    results: u64,
    /// Output that has to wait for another target.
    spool: Spool,
}

impl TargetOutput {
    fn all(targets: &[String]) -> Vec<Self> {
        let output = |target: &String| Self {
            target: target.clone(),
            joined: JoinedEntry::default(),
            results: 0,
            spool: Spool::default(),
        };
        targets.iter().map(output).collect()
    }

    /// Returns the language of a result: the target, or what the service chose.
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

    /// Writes the results of a row as items of a list in a JSON document, each with the fields in `first`.
    fn write_items(&mut self, row: &ResultRow, target: usize, first: &str, out: &mut dyn Write) -> io::Result<()> {
        let Self { target: name, joined, results, spool } = self;
        // The results of the first target are written at once, those of the others follow at the end.
        let out: &mut dyn Write = if target == 0 { out } else { spool };
        let mut next_item = |out: &mut dyn Write| {
            let is_first = std::mem::replace(results, *results + 1) == 0;
            if is_first { Ok(()) } else { out.write_all(b",") }
        };
        let is_first = !joined.is_open;
        if !row.record.continues && is_first {
            let is_own = |entry: &RecordEntry<'_>| entry.slot.is_none_or(|slot| row.record.is_for(slot, name));
            for entry in row.record.entries().filter(is_own) {
                next_item(out)?;
                let place = place_fields(&row.record, &entry, name);
                let first = join_fields([first, &place]);
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
        joined.write_piece(row, target, is_first, out, write_escaped)?;
        if row.record.continues { Ok(()) } else { joined.close_object(out) }
    }
}

/// Returns the field with the name of a record's input.
fn input_field(record: &Record) -> String {
    let mut field = b"\"input\":\"".to_vec();
    escape_into(&mut field, record.origin.source.as_bytes());
    field.push(b'"');
    String::from_utf8(field).unwrap_or_default()
}

/// Returns the fields with the place of an entry: its line, its column or field, and the plural form in a target.
fn place_fields(record: &Record, entry: &RecordEntry<'_>, target: &str) -> String {
    let Some(place) = entry.place else { return String::new() };
    let mut fields = format!("\"line\":{}", place.line).into_bytes();
    let form = entry.slot.and_then(|slot| record.form(slot, target));
    for (key, name) in place.name.into_iter().chain(form.map(|form| ("form", form))) {
        fields.extend([b",\"", key.as_bytes(), b"\":\""].concat());
        escape_into(&mut fields, name.as_bytes());
        fields.push(b'"');
    }
    String::from_utf8(fields).unwrap_or_default()
}

/// Joins fields that may be empty.
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

/// Writes a result as a JSON object that begins with the fields in `first`, which may be empty.
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

/// Writes JSON without its line breaks, which can only be between tokens.
fn write_on_one_line(json: &str, out: &mut dyn Write) -> io::Result<()> {
    json.split(['\n', '\r']).try_for_each(|part| out.write_all(part.as_bytes()))
}

/// Writes the content of a JSON string.
fn write_escaped(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut escaped = Vec::with_capacity(text.len() + 16);
    escape_into(&mut escaped, text.as_bytes());
    out.write_all(&escaped)
}
