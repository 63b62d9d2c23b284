//! Reads a catalogue as one record.
//!
//! Input: the bytes of a file. Output: a record with its text, a slot for each sentence that is sent, and what the writer needs.

use std::sync::Arc;

use tulk_base::error::{Failure, Origin};
use tulk_catalogs::CatalogError;

use super::CatalogText;
use super::slots::{CatalogSlots, SlotBuilder};
use super::writer::rehearse;
use crate::input::source::{BYTE_ORDER_MARK, Source, TextPlace};
use crate::{Record, RecordReader};

/// Reads catalogues, each as one record.
pub(super) struct CatalogReader {
    format: CatalogText,
    /// Number of entries so far.
    entries: u64,
}

impl CatalogReader {
    /// A reader at the start of an input.
    pub(super) fn new(format: CatalogText) -> Self {
        Self { format, entries: 0 }
    }
}

impl RecordReader for CatalogReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            let Some(document) = input.next_document()? else { return Ok(false) };
            let mut bytes = document.mark.to_vec();
            read_rest(input, &mut bytes)?;
            if bytes.is_empty() && !input.is_several() {
                continue;
            }
            let name = &document.name;
            let mut file =
                self.format.kind.decode(&bytes, None).map_err(|error| encoding_failure(error, &bytes, name))?;
            if file.text.trim().is_empty() {
                // No format has units in white space, and some cannot be read without a root.
                into.bytes = bytes;
                into.entry = self.entries + 1;
                into.slots.clear();
                into.origin = TextPlace::START.in_input(name);
                into.places = None;
                into.catalog = None;
                return Ok(true);
            }
            drop(bytes);
            let text = std::mem::take(&mut file.text);
            let read = SlotBuilder::read(&self.format, &text).and_then(|builder| builder.finish(file));
            let read = read.and_then(|slots| rehearse(&self.format, &text, &slots.data).map(|()| slots));
            let CatalogSlots { slots, places, data } = read.map_err(|error| {
                let is_other = !["json", "arb", "xcstrings"].contains(&self.format.kind.name);
                let is_json = is_other && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
                let failure = failure(error, &text, name);
                if is_json { failure.hint("this looks like JSON, which --as json reads") } else { failure }
            })?;
            into.bytes = text.into_bytes();
            into.entry = self.entries + 1;
            self.entries += slots.len() as u64;
            into.slots = slots;
            into.origin = TextPlace::START.in_input(name);
            into.places = Some(Arc::new(places));
            into.catalog = Some(Arc::new(data));
            return Ok(true);
        }
    }
}

/// Reads the rest of an input.
fn read_rest(input: &mut Source, into: &mut Vec<u8>) -> Result<(), Failure> {
    loop {
        let chunk = input.fill()?;
        if chunk.is_empty() {
            return Ok(());
        }
        let len = chunk.len();
        into.extend_from_slice(chunk);
        input.consume(len);
    }
}

/// Returns the failure for a file whose bytes are no text.
fn encoding_failure(error: CatalogError, bytes: &[u8], name: &Arc<str>) -> Failure {
    let before = bytes.get(..error.at).unwrap_or(bytes);
    let place = match std::str::from_utf8(before) {
        Ok(_) => {
            let text = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before);
            TextPlace::START.after(text).in_input(name)
        }
        Err(_) => Origin::whole(name),
    };
    Failure::usage(error.what).at(place).maybe_hint(error.hint)
}

/// Returns the failure for an error at a byte of a text.
pub(super) fn failure(error: CatalogError, text: &str, name: &Arc<str>) -> Failure {
    let before = text.as_bytes().get(..error.at).unwrap_or(text.as_bytes());
    Failure::usage(error.what).at(TextPlace::START.after(before).in_input(name)).maybe_hint(error.hint)
}
