//! New keys and items, grouped by level, for formats that write the parents of several keys only once.

use std::collections::HashMap;

use super::{CatalogError, UnitKeyPart};

/// New entries of one map or list.
#[derive(Debug, Default)]
pub(super) struct NewLevel<'c> {
    pub entries: Vec<NewEntry<'c>>,
    positions: HashMap<UnitKeyPart, usize>,
}

#[derive(Debug)]
pub(super) struct NewEntry<'c> {
    pub part: UnitKeyPart,
    pub value: NewValue<'c>,
}

#[derive(Debug)]
pub(super) enum NewValue<'c> {
    Text(&'c str),
    Level(NewLevel<'c>),
}

impl<'c> NewLevel<'c> {
    /// Adds a text at the path `parts`. Fails if a level would be both a list and a map, or both a text and a level.
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

    pub fn is_list(&self) -> bool {
        self.entries.first().is_some_and(|entry| matches!(entry.part, UnitKeyPart::Item(_)))
    }
}
