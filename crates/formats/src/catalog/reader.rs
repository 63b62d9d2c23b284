//! Reads a message catalogue as one record: the decoded text, a slot for each sentence to send, and the writer's data.

use std::sync::Arc;

use tulk_base::error::{Failure, Origin};
use tulk_base::limits::CATALOG_FILE;
use tulk_base::positions::TextPositions;
use tulk_catalogs::{CatalogError, CatalogFile};

use super::slots::{CatalogSlots, SlotBuilder};
use super::writer::check_writable;
use super::{CatalogRecord, CatalogText};
use crate::input::source::{BYTE_ORDER_MARK, Source, TextPosition};
use crate::{Record, RecordReader};

pub(super) struct CatalogReader {
    format: CatalogText,
    /// Number of entries so far, over all inputs.
    entries: u64,
}

impl CatalogReader {
    pub(super) fn new(format: CatalogText) -> Self {
        Self { format, entries: 0 }
    }

    /// Builds the slots of a catalogue. Fails if results could not be written to it.
    fn read_text(&self, text: &str, file: CatalogFile) -> Result<CatalogSlots, CatalogError> {
        let slots = SlotBuilder::read(&self.format, text)?.finish(file)?;
        check_writable(&self.format, text, &slots.data)?;
        Ok(slots)
    }

    fn warnings(&self, data: &CatalogRecord, is_assumed_latin1: bool, text: &str, name: &str) -> Vec<String> {
        let encoding = is_assumed_latin1.then(|| format!("{name} is not UTF-8 and is read as ISO-8859-1"));
        let first_duplicate_wins = self.format.kind.format.first_duplicate_wins();
        let catalog = data.targets.first().map(|target| &target.catalog);
        let positions = TextPositions::new(name, text);
        let duplicates = catalog.into_iter().flat_map(|catalog| &catalog.duplicates).map(|duplicate| {
            format!("{}: {}", positions.origin(duplicate.at), duplicate.warning(first_duplicate_wins))
        });
        encoding.into_iter().chain(duplicates).collect()
    }
}

impl RecordReader for CatalogReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            let Some(document) = input.next_document()? else { return Ok(false) };
            let mut bytes = document.mark.to_vec();
            input.read_rest(CATALOG_FILE, &mut bytes)?;
            if bytes.is_empty() && !input.has_several_inputs() {
                continue;
            }
            let name = &document.name;
            let mut file =
                self.format.kind.decode(&bytes, None).map_err(|error| encoding_failure(error, &bytes, name))?;
            if file.text.trim().is_empty() {
                // A text of only whitespace has no units in any format, and some formats would refuse it because it
                // has no root.
                into.bytes = bytes;
                into.entry = self.entries + 1;
                into.slots.clear();
                into.origin = TextPosition::START.in_input(name);
                into.labels = None;
                into.catalog = None;
                into.fault = None;
                return Ok(true);
            }
            drop(bytes);
            let text = std::mem::take(&mut file.text);
            let read = self.read_text(&text, file.clone());
            let CatalogSlots { slots, labels, mut data } = read.map_err(|error| {
                let is_other = !["json", "arb", "xcstrings"].contains(&self.format.kind.name);
                let is_json = is_other && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
                let failure = to_failure(error, &text, name);
                if is_json { failure.hint("this looks like JSON; use --as json") } else { failure }
            })?;
            let broken = data.targets.first().map_or(&[][..], |target| &target.catalog.broken);
            let mut faults = to_failures(broken, &text, name).into_iter();
            into.fault = faults.next().map(Box::new);
            data.faults = faults.collect();
            data.warnings = self.warnings(&data, file.is_assumed_latin1, &text, name);
            into.bytes = text.into_bytes();
            into.entry = self.entries + 1;
            self.entries += slots.len() as u64;
            into.slots = slots;
            into.origin = TextPosition::START.in_input(name);
            into.labels = Some(Arc::new(labels));
            into.catalog = Some(Arc::new(data));
            return Ok(true);
        }
    }
}

/// Converts a decoding error. If the bytes before the error are not UTF-8, the failure has no line.
fn encoding_failure(error: CatalogError, bytes: &[u8], name: &Arc<str>) -> Failure {
    let before = bytes.get(..error.at).unwrap_or(bytes);
    let position = match std::str::from_utf8(before) {
        Ok(_) => {
            let text = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before);
            TextPosition::START.after(text).in_input(name)
        }
        Err(_) => Origin::whole(name),
    };
    Failure::usage(error.what).at(position).maybe_hint(error.hint)
}

fn to_failures(errors: &[CatalogError], text: &str, name: &Arc<str>) -> Vec<Failure> {
    let mut errors = errors.to_vec();
    errors.sort_by_key(|error| error.at);
    let positions = TextPositions::new(name, text);
    let failure =
        |error: CatalogError| Failure::usage(error.what).at(positions.origin(error.at)).maybe_hint(error.hint);
    errors.into_iter().map(failure).collect()
}

pub(super) fn to_failure(error: CatalogError, text: &str, name: &Arc<str>) -> Failure {
    Failure::usage(error.what).at(Origin::of_byte(name, text, error.at)).maybe_hint(error.hint)
}
