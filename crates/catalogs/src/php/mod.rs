//! Laravel language files: PHP files that return an array of texts. PHP code is never executed.
//!
//! Input: the text of a file, and changes to its units. Output: a unit per string literal, and edits. `scan` and
//! `parse` find the array items, `literal` decodes and encodes strings, `layout` and `write` make the edits.

mod layout;
mod literal;
mod parse;
mod scan;
#[cfg(test)]
mod tests;
mod write;

use crate::{CatalogKind, Syntax};
use std::collections::HashMap;

use self::parse::{PhpFile, PhpValue};
use super::{
    Catalog, CatalogChanges, CatalogError, CatalogFormat, DuplicateKey, Edit, ReadOptions, SkipReason, Unit,
    UnitKeyPart, UnitText,
};

pub const KIND: CatalogKind = CatalogKind {
    name: "php",
    help: "PHP arrays of Laravel",
    extensions: &["php"],
    format: &PhpFormat,
    syntax: Some(Syntax::Laravel),
    is_bilingual: false,
};

#[derive(Debug)]
pub struct PhpFormat;

impl CatalogFormat for PhpFormat {
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let file = PhpFile::parse(text)?;
        let leaves = PhpLeaves::of(&file);
        let units = leaves.locations.iter().enumerate().filter_map(|(id, location)| {
            let (array, item) = file.item(*location)?;
            let PhpValue::Text(text) = &item.value else { return None };
            Some(Unit {
                id,
                key: array.with(item.key.clone()?),
                text: UnitText::Single(text.clone()),
                note: item.note.clone(),
                at: item.value_range.start,
                ..Unit::default()
            })
        });
        let units = units.collect();
        let other_values = [(SkipReason::Expression, leaves.expressions)];
        let other_values = other_values.into_iter().filter(|(_, count)| *count > 0).collect();
        let dialect = options.dialect;
        Ok(Catalog { units, dialect, duplicates: leaves.duplicates, other_values, ..Catalog::default() })
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        let file = PhpFile::parse(text)?;
        if file.arrays.is_empty() {
            return if changes.units.is_empty() { Ok(Vec::new()) } else { Err(PhpFile::no_array(text)) };
        }
        let leaves = PhpLeaves::of(&file);
        write::edits(text, &file, &leaves, &changes.units)
    }
}

#[derive(Debug, Default)]
struct PhpLeaves {
    /// The array and the item of each effective text, in order; the index is the unit's id.
    locations: Vec<(usize, usize)>,
    arrays: HashMap<Vec<String>, usize>,
    duplicates: Vec<DuplicateKey>,
    /// The number of values that are not texts.
    expressions: u64,
}

impl PhpLeaves {
    fn of(file: &PhpFile) -> Self {
        let expressions = u64::from(file.arrays.is_empty() && file.has_other_code);
        let mut out = Self { expressions, ..Self::default() };
        out.array(file, 0, true);
        out
    }

    /// The recursion is bounded, because the parser limits the depth.
    fn array(&mut self, file: &PhpFile, number: usize, is_effective: bool) {
        let Some(array) = file.arrays.get(number) else { return };
        if is_effective {
            self.arrays.insert(array.key.0.iter().map(name_of).collect(), number);
        }
        let keys = || array.items.iter().enumerate().filter_map(|(at, item)| Some((name_of(item.key.as_ref()?), at)));
        let last: HashMap<String, usize> = keys().collect();
        for (at, item) in array.items.iter().enumerate() {
            let Some(key) = &item.key else {
                self.expressions += u64::from(is_effective && !item.range.is_empty());
                continue;
            };
            let is_effective = is_effective && last.get(&name_of(key)) == Some(&at);
            match &item.value {
                PhpValue::Array(inner) => self.array(file, *inner, is_effective),
                PhpValue::Text(_) if is_effective => self.locations.push((number, at)),
                PhpValue::Text(_) => {
                    self.duplicates.push(DuplicateKey { key: array.key.with(key.clone()), at: item.range.start });
                }
                PhpValue::Other => self.expressions += u64::from(is_effective),
            }
        }
    }
}

/// Returns a key part as PHP compares it: the third item of a list and `'2'` both have the key 2.
fn name_of(part: &UnitKeyPart) -> String {
    match part {
        UnitKeyPart::Name(name) => name.clone(),
        UnitKeyPart::Item(number) => number.to_string(),
    }
}
