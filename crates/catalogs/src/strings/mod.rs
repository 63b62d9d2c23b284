//! Apple: texts in `Localizable.strings`.
//!
//! Input: the text of a file. Output: a unit for each entry, with its comments as note; edits of values, and insertions
//! and removals of complete entries.

mod changes;
mod entries;
#[cfg(test)]
mod tests;

use crate::{CatalogKind, Syntax};
use std::collections::HashMap;

use super::catalog::{Catalog, CatalogChanges, DuplicateKey, Unit, UnitKey, UnitText};
use super::edit::Edit;
use super::{CatalogError, CatalogFormat, ReadOptions};
use entries::{StringsEntry, entries};

/// The comment that `genstrings` writes if the developer gave none.
const NO_COMMENT: &str = "No comment provided by engineer.";

pub const KIND: CatalogKind = CatalogKind {
    name: "strings",
    help: "Apple Localizable.strings",
    extensions: &["strings"],
    format: &StringsFormat,
    syntax: Some(Syntax::Mobile),
    is_bilingual: false,
};

#[derive(Clone, Copy, Debug)]
pub struct StringsFormat;

impl CatalogFormat for StringsFormat {
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let mut catalog = Catalog::default();
        let entries = entries(text, options.skips_broken.then_some(&mut catalog.broken))?;
        let numbers = unit_entries(&entries);
        let mut counting = numbers.iter().copied().peekable();
        for (number, entry) in entries.iter().enumerate() {
            let key = UnitKey::name(&*entry.key);
            if counting.next_if_eq(&number).is_none() {
                catalog.duplicates.push(DuplicateKey { key, at: entry.key_range.start });
                continue;
            }
            let value = entry.value.as_ref();
            catalog.units.push(Unit {
                id: catalog.units.len(),
                key,
                text: UnitText::Single(value.map_or(&entry.key, |value| &value.text).clone()),
                note: note(text, entry),
                at: value.map_or(entry.key_range.start, |value| value.range.start),
                ..Unit::default()
            });
        }
        Ok(catalog)
    }

    fn edits(
        &self,
        text: &str,
        options: &ReadOptions,
        changes: &CatalogChanges<'_>,
    ) -> Result<Vec<Edit>, CatalogError> {
        let entries = entries(text, options.skips_broken.then_some(&mut Vec::new()))?;
        changes::edits(text, &entries, &unit_entries(&entries), &changes.units)
    }
}

/// Returns the position of the last entry of each key.
fn unit_entries(entries: &[StringsEntry]) -> Vec<usize> {
    let last: HashMap<&str, usize> =
        entries.iter().enumerate().map(|(number, entry)| (entry.key.as_str(), number)).collect();
    let mut numbers: Vec<usize> = last.into_values().collect();
    numbers.sort_unstable();
    numbers
}

fn note(text: &str, entry: &StringsEntry) -> Option<String> {
    let contents = entry.comments.iter().filter_map(|comment| text.get(comment.clone()));
    let lines: Vec<&str> = contents.flat_map(|content| content.trim().lines().map(str::trim)).collect();
    Some(lines.join("\n")).filter(|note| !note.is_empty() && note != NO_COMMENT)
}
