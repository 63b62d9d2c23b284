//! Which keys are plurals in a source: what decides how its translations are read.
//!
//! A translation need not have the number in its forms ("one file", "some files"), so that they could be taken for single texts.

use std::collections::HashSet;

use super::groups::{PluralGroup, form_key, split_suffix};
use super::{UnitKey, UnitKeyPart};
use crate::catalog::{Unit, UnitText};
use crate::dialect::Dialect;
use crate::plural::{PluralCategory, TargetForms};

/// The plurals of a source, and its texts that look like forms of one.
#[derive(Debug, Default)]
pub struct SourcePlurals {
    plurals: HashSet<UnitKey>,
    texts: HashSet<UnitKey>,
    /// Those whose forms are named as i18next did before version 21.
    numbered: HashSet<UnitKey>,
}

impl SourcePlurals {
    /// Returns those of a source.
    pub fn of(units: &[Unit]) -> Self {
        let mut found = Self::default();
        for unit in units {
            match (&unit.text, unit.key.0.last()) {
                (UnitText::Plural(..), _) if unit.own_forms == Some(TargetForms::Numbered) => {
                    found.numbered.insert(unit.key.clone());
                }
                (UnitText::Plural(..), _) => drop(found.plurals.insert(unit.key.clone())),
                (_, Some(UnitKeyPart::Name(name))) if split_suffix(name).is_some() => {
                    found.texts.insert(unit.key.clone());
                }
                _ => {}
            }
        }
        found
    }

    pub(super) fn has_numbered(&self) -> bool {
        !self.numbered.is_empty()
    }

    /// Returns whether a key is a plural with numbered forms.
    pub(super) fn has_numbered_key(&self, key: &UnitKey) -> bool {
        self.numbered.contains(key)
    }

    pub(super) fn has_plurals(&self) -> bool {
        !self.plurals.is_empty()
    }

    /// Returns whether a key is a plural.
    pub(super) fn has(&self, key: &[UnitKeyPart]) -> bool {
        self.has_plurals() && self.plurals.contains(&UnitKey(key.to_vec()))
    }

    /// Gives a plural the name that it has in the source: that of its last form if a text there has its own.
    pub(super) fn rename(&self, group: &mut PluralGroup) {
        let other = form_key(&group.key, Dialect::I18next, PluralCategory::Other);
        if !self.plurals.contains(&group.key) && self.plurals.contains(&other) {
            group.key = other;
        }
    }

    /// Returns whether keys with suffixes are a plural, or texts of their own; `None` if the source does not have them.
    pub(super) fn is_plural(&self, group: &PluralGroup) -> Option<bool> {
        let key = |category| form_key(&group.key, Dialect::I18next, category);
        if self.plurals.contains(&group.key) || self.plurals.contains(&key(PluralCategory::Other)) {
            return Some(true);
        }
        let mut forms = group.forms.iter().map(|(category, _)| key(*category));
        forms.any(|key| self.texts.contains(&key)).then_some(false)
    }
}
