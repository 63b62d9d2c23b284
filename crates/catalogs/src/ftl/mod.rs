//! Fluent.
//!
//! Input: the text of a file. Output: its messages, terms and attributes as units, or edits. Texts have no indentation,
//! and contain placeables and selectors as written. Invalid entries and standalone comments stay as they are.

mod edit;
mod entries;
pub(super) mod scan;
#[cfg(test)]
mod tests;
pub(super) mod text;

use crate::{CatalogKind, Syntax};
use std::collections::HashSet;

use self::entries::{FtlEntry, entries};
use super::{
    Catalog, CatalogChanges, CatalogError, CatalogFormat, DuplicateKey, Edit, ReadOptions, SkipReason, Unit, UnitKey,
    UnitText,
};

pub const KIND: CatalogKind = CatalogKind {
    name: "ftl",
    help: "Fluent",
    extensions: &["ftl"],
    format: &FtlFormat,
    syntax: Some(Syntax::Fluent),
    is_bilingual: false,
};

#[derive(Debug)]
pub struct FtlFormat;

impl CatalogFormat for FtlFormat {
    fn read(&self, text: &str, _options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let (entries, junk) = entries(text);
        let mut catalog = Catalog::default();
        if junk > 0 {
            catalog.other_values.insert(SkipReason::Junk, junk);
        }
        let mut known = HashSet::new();
        for part in parts(&entries) {
            let Some(pattern) = part.pattern() else { continue };
            let key = part.key(text);
            if !known.insert(key.clone()) {
                catalog.duplicates.push(DuplicateKey { key, at: pattern.start });
                continue;
            }
            // Attributes of terms control grammar in the language of the file.
            let is_grammar = part.attribute.is_some() && text.as_bytes().get(part.entry.id.start) == Some(&b'-');
            catalog.units.push(Unit {
                id: catalog.units.len(),
                key,
                text: UnitText::Single(text::text_of(text, pattern)),
                note: entries::note(text, part.entry),
                skip: is_grammar.then_some(SkipReason::Untranslatable),
                at: pattern.start,
                ..Unit::default()
            });
        }
        Ok(catalog)
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        if changes.units.is_empty() {
            return Ok(Vec::new());
        }
        edit::edits(text, &entries(text).0, &changes.units)
    }

    fn first_duplicate_wins(&self) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct FtlPart<'e> {
    entry: &'e FtlEntry,
    number: usize,
    /// The index of the attribute; `None` for the value.
    attribute: Option<usize>,
}

impl FtlPart<'_> {
    fn pattern(&self) -> Option<&scan::ScannedPattern> {
        match self.attribute {
            None => self.entry.value.as_ref(),
            Some(attribute) => self.entry.attributes.get(attribute).map(|attribute| &attribute.value),
        }
    }

    fn key(&self, text: &str) -> UnitKey {
        let attribute = self.attribute.and_then(|attribute| self.entry.attributes.get(attribute));
        let names = [Some(&self.entry.id), attribute.map(|attribute| &attribute.name)];
        UnitKey::names(names.into_iter().flatten().map(|name| text.get(name.clone()).unwrap_or_default()))
    }
}

fn parts(entries: &[FtlEntry]) -> impl Iterator<Item = FtlPart<'_>> {
    entries.iter().enumerate().flat_map(|(number, entry)| {
        let value = entry.value.is_some().then_some(None);
        let attributes = (0..entry.attributes.len()).map(Some);
        value.into_iter().chain(attributes).map(move |attribute| FtlPart { entry, number, attribute })
    })
}
