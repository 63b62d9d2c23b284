//! The keys that are plurals in a source file, which decide how its translations are read. The forms of a translation need
//! not contain the number ("one file", "some files"), so they could be mistaken for single texts.

use std::collections::HashSet;

use super::groups::{PluralGroup, form_key, split_suffix};
use super::{UnitKey, UnitKeyPart};
use crate::catalog::{Unit, UnitText};
use crate::dialect::Dialect;
use crate::plural::{PluralCategory, TargetForms};

/// The plurals of a source file, and its texts whose names look like plural forms.
#[derive(Debug, Default)]
pub struct SourcePlurals {
    plurals: HashSet<UnitKey>,
    texts: HashSet<UnitKey>,
    /// Named as in i18next before version 21.
    numbered: HashSet<UnitKey>,
}

impl SourcePlurals {
    /// Collects the plurals of a source.
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

    pub(super) fn has_numbered_key(&self, key: &UnitKey) -> bool {
        self.numbered.contains(key)
    }

    pub(super) fn has_plurals(&self) -> bool {
        !self.plurals.is_empty()
    }

    pub(super) fn is_plural_key(&self, key: &[UnitKeyPart]) -> bool {
        self.has_plurals() && self.plurals.contains(&UnitKey(key.to_vec()))
    }

    /// Gives a plural the same name as in the source: `x_other` instead of `x` if the source also has a text named `x`.
    pub(super) fn rename(&self, group: &mut PluralGroup) {
        let other = form_key(&group.key, Dialect::I18next, PluralCategory::Other);
        if !self.plurals.contains(&group.key) && self.plurals.contains(&other) {
            group.key = other;
        }
    }

    /// Tells whether keys with plural suffixes are a plural or separate texts; `None` if the source has none of them.
    pub(super) fn is_plural(&self, group: &PluralGroup) -> Option<bool> {
        let key = |category| form_key(&group.key, Dialect::I18next, category);
        if self.plurals.contains(&group.key) || self.plurals.contains(&key(PluralCategory::Other)) {
            return Some(true);
        }
        let mut forms = group.forms.iter().map(|(category, _)| key(*category));
        forms.any(|key| self.texts.contains(&key)).then_some(false)
    }
}
