//! Reads lines of JSON into records, and reports unusable lines and missing fields.

use std::sync::Arc;

use serde_json::Value;
use tulk_base::error::{Failure, Origin};
use tulk_base::limits::JSON_LINE_BYTES;
use tulk_base::numbers::counted;
use tulk_base::suggest;

use super::JsonLinesOptions;
use super::entries::LineEntries;
use super::finder::LineFault;
use super::pointer::FieldPointer;
use crate::input::source::{Document, Source, TextPosition};
use crate::{EntryLabels, Record, RecordReader};

/// Maximum size in bytes of a line whose fields are listed in messages.
const SAMPLE_BYTES: usize = 64 * 1024;
/// Maximum number of fields in a message.
const LISTED_FIELDS: usize = 10;

pub(super) struct JsonLinesReader {
    entries: LineEntries,
    labels: Arc<EntryLabels>,
    input: Option<LineInput>,
    /// Number of the next entry.
    entry: u64,
}

struct LineInput {
    document: Document,
    position: TextPosition,
    is_mark_read: bool,
    /// For each field, whether a line so far has it.
    seen: Vec<bool>,
    /// Number and bytes of the first line that is not blank; no bytes if it is over [`SAMPLE_BYTES`].
    sample: Option<(u64, Vec<u8>)>,
}

impl JsonLinesReader {
    pub(super) fn new(options: &JsonLinesOptions) -> Self {
        let entries = LineEntries::new(options);
        let names = entries.fields().iter().map(ToString::to_string).collect();
        Self { entries, labels: Arc::new(EntryLabels { key: Some("field"), names }), input: None, entry: 1 }
    }

    fn add_entries(&mut self, line: &mut LineInput, record: &mut Record, start: usize) {
        let bytes = record.bytes.get(start..).unwrap_or_default();
        if bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
            return;
        }
        let is_first = line.sample.is_none();
        if is_first {
            let sample = if bytes.len() > SAMPLE_BYTES { Vec::new() } else { bytes.to_vec() };
            line.sample = Some((line.position.line, sample));
        }
        if let Err(fault) = self.entries.add(record, start, &mut line.seen) {
            record.slots.clear();
            record.blanks.clear();
            record.fault = Some(Box::new(line.failure(fault, record, start)));
        }
    }

    /// Returns a failure if at least one of the fields is in no line of the input.
    fn missing_field(&self, input: &LineInput) -> Option<Failure> {
        let (line, sample) = input.sample.as_ref()?;
        let missing = input.seen.iter().position(|seen| !seen)?;
        let field = self.entries.fields().get(missing)?;
        let failure = Failure::usage(format!("no line has the field {field}")).at(Origin::whole(&input.document.name));
        Some(failure.hint(missing_field_hint(field, *line, sample)))
    }
}

impl RecordReader for JsonLinesReader {
    fn read(&mut self, source: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        into.labels = Some(self.labels.clone());
        loop {
            let mut input = match self.input.take() {
                Some(input) => input,
                None => match source.next_document()? {
                    Some(document) => LineInput::new(document, self.entries.fields().len()),
                    None => return Ok(false),
                },
            };
            into.entry = self.entry;
            into.origin = input.position.in_input(&input.document.name);
            let start = input.add_byte_order_mark(into);
            if !input.read_line(source, into, start)? {
                into.fault = self.missing_field(&input).map(Box::new);
                if into.bytes.is_empty() && into.fault.is_none() {
                    continue;
                }
                return Ok(true);
            }
            self.add_entries(&mut input, into, start);
            if let (true, Some((line, sample))) = (self.entries.fields().is_empty(), &input.sample) {
                let hint = format!(
                    "select the texts with --field; {}; use --as text for plain text",
                    listed_strings(*line, &string_pointers(sample))
                );
                return Err(Failure::usage("no field is selected")
                    .at(into.origin.clone())
                    .hint(suggest::one_line(&hint)));
            }
            self.entry += (into.slots.len() + into.blanks.len()) as u64;
            input.position = TextPosition { line: input.position.line + 1, column: 1 };
            self.input = Some(input);
            return Ok(true);
        }
    }
}

impl LineInput {
    fn new(document: Document, fields: usize) -> Self {
        Self { document, position: TextPosition::START, is_mark_read: false, seen: vec![false; fields], sample: None }
    }

    /// Adds the byte-order mark to the first record of an input. Returns the start of the line in the record.
    fn add_byte_order_mark(&mut self, into: &mut Record) -> usize {
        if !std::mem::replace(&mut self.is_mark_read, true) {
            into.bytes.extend_from_slice(self.document.mark);
        }
        into.bytes.len()
    }

    /// Reads a line including its line ending. Returns false at the end of the input.
    fn read_line(&self, source: &mut Source, into: &mut Record, start: usize) -> Result<bool, Failure> {
        loop {
            let read = into.bytes.get(start..).unwrap_or_default();
            let chunk = source.fill().map_err(|failure| self.position.locate(failure, read, &self.document.name))?;
            if chunk.is_empty() {
                return Ok(!read.is_empty());
            }
            let end = memchr::memchr(b'\n', chunk).map(|at| at + 1);
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            if read.len() + part.len() > JSON_LINE_BYTES {
                let what = format!("the line has more than {}", counted(JSON_LINE_BYTES, "byte"));
                return Err(Failure::usage(what)
                    .at(self.position.in_input(&self.document.name))
                    .hint("split the line"));
            }
            into.bytes.extend_from_slice(part);
            let len = part.len();
            source.consume(len);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    fn failure(&self, fault: LineFault, record: &Record, start: usize) -> Failure {
        let position = self.position.after(record.bytes.get(start..fault.at).unwrap_or_default());
        Failure::usage(fault.what).at(position.in_input(&self.document.name)).maybe_hint(fault.hint)
    }
}

fn missing_field_hint(field: &FieldPointer, line: u64, sample: &[u8]) -> String {
    if field.parts().iter().any(|part| part == "*" || part == "-") {
        return "wildcards are not supported; give each item of an array by its index, from 0".to_owned();
    }
    let known = string_pointers(sample);
    let similar = suggest::similar(&field.to_string(), known.iter().map(String::as_str));
    let mut words = Vec::new();
    if !similar.is_empty() {
        words.push(format!("did you mean {}?", suggest::one_of(&similar)));
    }
    words.push(listed_strings(line, &known));
    suggest::one_line(&words.join(" "))
}

fn string_pointers(line: &[u8]) -> Vec<String> {
    let mut strings = Vec::new();
    if let Ok(value) = serde_json::from_slice(line) {
        add_string_pointers(&value, "", &mut strings);
    }
    strings
}

fn listed_strings(line: u64, strings: &[String]) -> String {
    let named: Vec<&str> = strings.iter().map(String::as_str).take(LISTED_FIELDS).collect();
    let more = strings.len().saturating_sub(LISTED_FIELDS);
    match (named.is_empty(), more) {
        (true, _) => format!("line {line} has no strings"),
        (false, 0) => format!("the strings of line {line} are {}", named.join(", ")),
        (false, _) => format!("the strings of line {line} are {} and {more} more", named.join(", ")),
    }
}

fn add_string_pointers(value: &Value, pointer: &str, strings: &mut Vec<String>) {
    match value {
        Value::String(_) => strings.push(pointer.to_owned()),
        Value::Object(object) => {
            for (name, value) in object {
                add_string_pointers(value, &FieldPointer::join(pointer, name), strings);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                add_string_pointers(value, &FieldPointer::join(pointer, &index.to_string()), strings);
            }
        }
        _ => {}
    }
}
