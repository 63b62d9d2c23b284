//! Finds the entries of one line: the values to send, and the reasons to refuse a line.

use super::JsonLinesOptions;
use super::finder::{FieldFinder, JsonKind, LineFault, PointerValue};
use super::pointer::{FieldPointer, FieldRole, PointerTree};
use super::string::StringText;
use crate::input::problem::saturating_u32;
use crate::record::has_only_crlf;
use crate::{BlankEntry, Record, Slot};

pub(super) struct LineEntries {
    finder: FieldFinder,
    fields: Vec<FieldPointer>,
    added: Vec<String>,
}

impl LineEntries {
    pub(super) fn new(options: &JsonLinesOptions) -> Self {
        let JsonLinesOptions { fields, added } = options.clone();
        Self { finder: FieldFinder::new(PointerTree::new(&fields, &added)), fields, added }
    }

    pub(super) fn fields(&self) -> &[FieldPointer] {
        &self.fields
    }

    /// Adds the entries of a line, which starts at `start`, to its record, and marks its fields in `seen`. A field that is
    /// null is marked, but has no entry.
    pub(super) fn add(&mut self, record: &mut Record, start: usize, seen: &mut [bool]) -> Result<(), LineFault> {
        let Record { bytes, slots, blanks, .. } = record;
        let line = bytes.get(start..).and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let values = self.finder.find(line).map_err(|fault| fault.moved_by(start))?;
        for value in &values {
            let json = line.get(value.span.clone()).unwrap_or_default();
            let at = start + value.span.start;
            let FieldRole::Source(number) = value.role else { continue };
            if let Some(seen) = seen.get_mut(number) {
                *seen = true;
            }
            if !self.has_text(number, value, json).map_err(|what| LineFault::new(at, what))? {
                continue;
            }
            if let Some(added) = self.existing_added_field(number, &values) {
                return Err(LineFault::new(start + added.0, added.1));
            }
            let raw = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or_default();
            let text = StringText::new(raw).map_err(|surrogate| {
                let what = format!(
                    "the field {} has half of a surrogate pair, which is not a character",
                    self.field_name(number)
                );
                LineFault::new(at + 1 + surrogate, what)
            })?;
            let name = u16::try_from(number).unwrap_or(u16::MAX);
            if text.span.is_empty() {
                let before_slot = u16::try_from(slots.len()).unwrap_or(u16::MAX);
                let start = saturating_u32(at + 1);
                // Whitespace that contains escapes is listed as an empty text.
                let end = if raw.contains('\\') { start } else { saturating_u32(at + 1 + raw.len()) };
                blanks.push(BlankEntry { before_slot, name, start, end });
                continue;
            }
            let insert_at = (!self.added.is_empty()).then_some(at + json.len());
            slots.push(Slot { name, ..string_slot(raw, at + 1, text, insert_at) });
        }
        self.finder.put_back(values);
        Ok(())
    }

    fn field_name(&self, number: usize) -> String {
        self.fields.get(number).map(ToString::to_string).unwrap_or_default()
    }

    /// Returns whether a value is a string to translate; null is not. Fails for other types, and if `--append` cannot
    /// add a member beside it.
    fn has_text(&self, number: usize, value: &PointerValue, json: &str) -> Result<bool, String> {
        match JsonKind::of(json) {
            Some(JsonKind::Null) => Ok(false),
            Some(JsonKind::String) if value.is_item && !self.added.is_empty() => {
                Err(format!("--append needs a member of an object; {} is an item of an array", self.field_name(number)))
            }
            Some(JsonKind::String) | None => Ok(true),
            Some(kind) => Err(format!("the field {} is {kind}, not a string", self.field_name(number))),
        }
    }

    /// Returns the position and the error if a field that `--append` would add already exists.
    fn existing_added_field(&self, number: usize, values: &[PointerValue]) -> Option<(usize, String)> {
        values.iter().find_map(|value| match value.role {
            FieldRole::Added(source, language) if source == number => {
                let name = self.fields.get(number)?.appended_field(self.added.get(language)?);
                Some((value.span.start, format!("the field {name}, which --append would add, already exists")))
            }
            _ => None,
        })
    }
}

/// Creates the slot of a string; `raw` is the text between its quotes, and starts at `start`.
fn string_slot(raw: &str, start: usize, text: StringText, insert_at: Option<usize>) -> Slot {
    let StringText { span, text } = text;
    let bytes = raw.get(span.clone()).unwrap_or_default();
    let crlf = has_only_crlf(text.as_deref().unwrap_or(bytes));
    let text = match text {
        Some(text) if crlf => Some(text.replace("\r\n", "\n")),
        None if insert_at.is_some() => Some(bytes.to_owned()),
        text => text,
    };
    let (text_start, end) = (start + span.start, start + span.end);
    let span = match insert_at {
        Some(at) => at..at,
        None => text_start..end,
    };
    let span = saturating_u32(span.start)..saturating_u32(span.end);
    Slot { span, text_start: saturating_u32(text_start), text, crlf, ..Slot::default() }
}
