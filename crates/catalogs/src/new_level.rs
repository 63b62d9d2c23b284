//! New keys and items that are to be written together.
//!
//! Input: keys with their texts, one after the other. Output: a tree of levels, for formats that write the levels above a key once.

use std::collections::HashMap;

use super::{CatalogError, UnitKeyPart};

/// Entries that are to be written into one map or list.
#[derive(Debug, Default)]
pub(super) struct NewLevel<'c> {
    pub entries: Vec<NewEntry<'c>>,
    positions: HashMap<UnitKeyPart, usize>,
}

/// A key or item that is to be written.
#[derive(Debug)]
pub(super) struct NewEntry<'c> {
    pub part: UnitKeyPart,
    pub value: NewValue<'c>,
}

/// What is written as its value.
#[derive(Debug)]
pub(super) enum NewValue<'c> {
    Text(&'c str),
    Level(NewLevel<'c>),
}

impl<'c> NewLevel<'c> {
    /// Adds a text below the parts of a key.
    ///
    /// Fails if a part is a name in a list, or a text has to hold keys.
    pub fn add(&mut self, parts: &[UnitKeyPart], text: &'c str) -> Result<(), CatalogError> {
        let mut level = self;
        let conflict = || CatalogError::new(0, "new keys contradict each other");
        for (number, part) in parts.iter().enumerate() {
            let is_item = matches!(part, UnitKeyPart::Item(_));
            if !level.entries.is_empty() && is_item != level.is_list() {
                return Err(conflict());
            }
            let is_last = number + 1 == parts.len();
            let known = level.positions.get(part).copied().filter(|_| !(is_item && is_last));
            if is_last {
                if known.is_some() {
                    return Err(conflict());
                }
                level.push(part, NewValue::Text(text));
                return Ok(());
            }
            let position = known.unwrap_or_else(|| level.push(part, NewValue::Level(NewLevel::default())));
            match level.entries.get_mut(position).map(|entry| &mut entry.value) {
                Some(NewValue::Level(inner)) => level = inner,
                _ => return Err(conflict()),
            }
        }
        Ok(())
    }

    fn push(&mut self, part: &UnitKeyPart, value: NewValue<'c>) -> usize {
        let position = self.entries.len();
        self.positions.insert(part.clone(), position);
        self.entries.push(NewEntry { part: part.clone(), value });
        position
    }

    /// Returns whether it is a list.
    pub fn is_list(&self) -> bool {
        self.entries.first().is_some_and(|entry| matches!(entry.part, UnitKeyPart::Item(_)))
    }
}
