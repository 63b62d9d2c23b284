//! Turns changes of units into changes of leaves.

use std::collections::HashSet;

use super::deferred::{DeferredInsert, RemovedKeys};
use super::groups::{PluralGroup, form_key};
use super::units::{TreeUnit, TreeUnits, UnitLeaves};
use super::{CatalogChanges, CatalogError, Leaf, LeafChange, UnitKey};
use crate::catalog::{Change, PluralText, Unit, UnitKeyPart, UnitText, by_category};
use crate::dialect::Dialect;
use crate::plural::{PluralCategory, PluralForm, TargetForms};

const ONLY_CATEGORIES: &str = "plural forms of this file are named by categories, not by numbers";

#[derive(Debug)]
pub(super) struct LeafPlan<'a> {
    pub(super) changes: Vec<LeafChange<'a>>,
    /// The insertions to make after `changes`.
    pub(super) deferred: Vec<DeferredInsert<'a>>,
    pub(super) new_root: Option<&'a str>,
}

/// Fails if a unit does not exist, or if a plural has forms that the dialect cannot express.
pub(super) fn leaf_changes<'a>(
    units: &'a TreeUnits,
    leaves: &'a [Leaf],
    changes: &CatalogChanges<'a>,
) -> Result<LeafPlan<'a>, CatalogError> {
    let mut new_root = None;
    let mut maker = ChangeMaker::new(units, leaves, changes)?;
    if let Some(language) =
        changes.language.filter(|language| units.root.as_ref().is_some_and(|root| *root != language.path))
    {
        maker.out.push(LeafChange::RenameRoot { name: &language.path });
        new_root = Some(language.path.as_str());
    }
    for change in &changes.units {
        match change {
            Change::Set { unit, text, .. } => maker.set(unit_at(units, *unit)?, text)?,
            Change::Insert { like, text, after, before } => maker.insert(like, text, *after, *before)?,
            Change::Remove { unit } => {
                let leaves = unit_at(units, *unit)?.leaves.all();
                maker.out.extend(leaves.into_iter().map(|leaf| LeafChange::Remove { leaf }));
            }
        }
    }
    Ok(LeafPlan { changes: maker.out, deferred: maker.deferred, new_root })
}

fn unit_at(units: &TreeUnits, id: usize) -> Result<&TreeUnit, CatalogError> {
    units.units.get(id).ok_or_else(|| CatalogError::new(0, "a text that is changed is not in the file"))
}

struct ChangeMaker<'a> {
    units: &'a TreeUnits,
    leaves: &'a [Leaf],
    /// The keys that stay in the file; empty if nothing is inserted.
    keys: HashSet<&'a UnitKey>,
    /// For each leaf, the nearest leaf that stays, at or before it.
    stays_before: Vec<Option<usize>>,
    /// For each leaf, the nearest leaf that stays, at or after it.
    stays_after: Vec<Option<usize>>,
    root: Option<&'a str>,
    /// Whether most plain messages are mappings with `other` (go-i18n).
    has_plain_mappings: bool,
    removed: RemovedKeys<'a>,
    out: Vec<LeafChange<'a>>,
    deferred: Vec<DeferredInsert<'a>>,
}

impl<'a> ChangeMaker<'a> {
    fn new(units: &'a TreeUnits, leaves: &'a [Leaf], changes: &CatalogChanges<'a>) -> Result<Self, CatalogError> {
        let mut is_removed = vec![false; leaves.len()];
        let mut mark = |gone: Vec<usize>| {
            for leaf in gone {
                if let Some(is_removed) = is_removed.get_mut(leaf) {
                    *is_removed = true;
                }
            }
        };
        let mut has_insertions = false;
        for change in &changes.units {
            match change {
                Change::Remove { unit } => mark(unit_at(units, *unit)?.leaves.all()),
                Change::Insert { .. } => has_insertions = true,
                Change::Set { unit, text, .. } => {
                    mark(unneeded_leaves(unit_at(units, *unit)?, text, units, leaves));
                }
            }
        }
        let nearest = |last: &mut Option<usize>, (at, is_removed): (usize, &bool)| {
            if !is_removed {
                *last = Some(at);
            }
            Some(*last)
        };
        let stays_before = is_removed.iter().enumerate().scan(None, nearest).collect();
        let mut stays_after: Vec<Option<usize>> = is_removed.iter().enumerate().rev().scan(None, nearest).collect();
        stays_after.reverse();
        let stays = leaves.iter().zip(&is_removed).filter(|(_, is_removed)| has_insertions && !**is_removed);
        let keys = stays.map(|(leaf, _)| &leaf.key).collect();
        let removed = RemovedKeys::new(leaves, &is_removed);
        let is_plain_mapping =
            |unit: &TreeUnit| matches!((&unit.unit.text, &unit.leaves), (UnitText::Single(_), UnitLeaves::Forms(_)));
        let new_root = changes.language.map(|language| language.path.as_str());
        let root = match &units.root {
            Some(root) => Some(root.as_str()),
            None => new_root.filter(|_| units.dialect == Dialect::Rails && leaves.is_empty()),
        };
        let is_text = |unit: &&TreeUnit| matches!(unit.leaves, UnitLeaves::Text(_));
        let mappings = units.units.iter().filter(|unit| is_plain_mapping(unit)).count();
        let has_plain_mappings = mappings > 0 && mappings >= units.units.iter().filter(is_text).count();
        Ok(Self {
            units,
            leaves,
            keys,
            stays_before,
            stays_after,
            root,
            has_plain_mappings,
            removed,
            out: Vec::new(),
            deferred: Vec::new(),
        })
    }

    fn set(&mut self, unit: &'a TreeUnit, text: &'a UnitText) -> Result<(), CatalogError> {
        match (&unit.leaves, text) {
            (UnitLeaves::Text(leaf), UnitText::Single(text)) => self.set_leaf(*leaf, text),
            (UnitLeaves::Forms(group), UnitText::Plural(_, forms)) => self.set_forms(group, forms)?,
            (UnitLeaves::Forms(group), UnitText::Single(text)) if matches!(unit.unit.text, UnitText::Single(_)) => {
                for (_, leaf) in &group.forms {
                    self.set_leaf(*leaf, text);
                }
            }
            _ => self.replace(unit, text)?,
        }
        Ok(())
    }

    fn push_insert(&mut self, key: UnitKey, text: &'a str, after: Option<usize>, before: Option<usize>) {
        if self.removed.is_in_the_way_of(&key) {
            let [after, before] = [after, before].map(|leaf| Some(&self.leaves.get(leaf?)?.key));
            self.deferred.push(DeferredInsert { key, text, after, before });
        } else {
            self.out.push(LeafChange::Insert { key, text, after, before });
        }
    }

    fn set_leaf(&mut self, leaf: usize, text: &'a str) {
        if self.leaves.get(leaf).is_none_or(|leaf| leaf.text.as_deref() != Some(text)) {
            self.out.push(LeafChange::Set { leaf, text });
        }
    }

    /// Sets existing forms, inserts missing ones next to them in CLDR order, and removes the others.
    fn set_forms(&mut self, group: &'a PluralGroup, forms: &'a [PluralText]) -> Result<(), CatalogError> {
        let at = group.forms.first().and_then(|(_, leaf)| self.leaves.get(*leaf)).map_or(0, |leaf| leaf.at);
        let mut wanted = by_category(forms, at, ONLY_CATEGORIES)?;
        if group.is_numbered {
            let found = numbered_leaves(group, self.units, self.leaves);
            let text_of = |category: Option<PluralCategory>| wanted.iter().find(|(other, _)| Some(*other) == category);
            for (category, leaf) in &found {
                match text_of(*category) {
                    Some((_, text)) => self.set_leaf(*leaf, text),
                    None => self.out.push(LeafChange::Remove { leaf: *leaf }),
                }
            }
            let last = found.iter().filter(|(category, _)| text_of(*category).is_some()).map(|(_, leaf)| *leaf).max();
            let (after, before) = if last.is_some() { (last, None) } else { self.neighbours(&group.forms) };
            wanted.retain(|(category, _)| found.iter().all(|(other, _)| *other != Some(*category)));
            for (category, text) in wanted {
                for key in form_keys(&group.key, self.units, true, category) {
                    self.push_insert(key, text, after, before);
                }
            }
            return Ok(());
        }
        let kept: Vec<(PluralCategory, usize)> = group
            .forms
            .iter()
            .copied()
            .filter(|(category, _)| wanted.iter().any(|(other, _)| other == category))
            .collect();
        for (category, leaf) in &group.forms {
            match wanted.iter().find(|(other, _)| other == category) {
                Some((_, text)) => self.set_leaf(*leaf, text),
                None => self.out.push(LeafChange::Remove { leaf: *leaf }),
            }
        }
        wanted.retain(|(category, _)| kept.iter().all(|(other, _)| other != category));
        wanted.sort_by_key(|(category, _)| *category);
        for (category, text) in wanted {
            let after = kept.iter().filter(|(other, _)| *other < category).max_by_key(|(other, _)| *other);
            let before = kept.iter().filter(|(other, _)| *other > category).min_by_key(|(other, _)| *other);
            let [after, before] = [after, before].map(|form| form.map(|(_, leaf)| *leaf));
            let key = form_key(&group.key, self.units.dialect, category);
            let (after, before) = if kept.is_empty() { self.neighbours(&group.forms) } else { (after, before) };
            self.push_insert(key, text, after, before);
        }
        Ok(())
    }

    /// Returns the nearest leaves that stay: the last one before the removed forms, and the first one after them.
    fn neighbours(&self, forms: &[(PluralCategory, usize)]) -> (Option<usize>, Option<usize>) {
        let first = forms.iter().map(|(_, leaf)| *leaf).min().unwrap_or_default();
        let last = forms.iter().map(|(_, leaf)| *leaf).max().unwrap_or_default();
        let before = first.checked_sub(1).and_then(|at| self.stays_before.get(at).copied().flatten());
        (before, self.stays_after.get(last + 1).copied().flatten())
    }

    /// Changes a text into a plural, or a plural into a text.
    fn replace(&mut self, unit: &'a TreeUnit, text: &'a UnitText) -> Result<(), CatalogError> {
        if let (UnitLeaves::Forms(group), UnitText::Single(text)) = (&unit.leaves, text)
            && self.units.dialect == Dialect::GoI18n
        {
            // Keep the mapping and its description. With `other` as its only form, it is a plain text.
            for (category, leaf) in &group.forms {
                match category {
                    PluralCategory::Other => self.set_leaf(*leaf, text),
                    _ => self.out.push(LeafChange::Remove { leaf: *leaf }),
                }
            }
            return Ok(());
        }
        let (key, forms) = match &unit.leaves {
            UnitLeaves::Text(leaf) => {
                let key = self.leaves.get(*leaf).map(|leaf| leaf.key.clone()).unwrap_or_default();
                (key, vec![(PluralCategory::Other, *leaf)])
            }
            UnitLeaves::Forms(group) => (group.key.clone(), group.forms.clone()),
        };
        let (after, before) = self.neighbours(&forms);
        self.out.extend(unit.leaves.all().into_iter().map(|leaf| LeafChange::Remove { leaf }));
        for (key, text) in self.keys_and_texts(&key, text, &unit.unit)? {
            self.push_insert(key, text, after, before);
        }
        Ok(())
    }

    /// Returns the keys and texts of the leaves of a unit. `like` is the unit, or the same unit of another file.
    fn keys_and_texts(
        &self,
        key: &UnitKey,
        text: &'a UnitText,
        like: &Unit,
    ) -> Result<Vec<(UnitKey, &'a str)>, CatalogError> {
        let (dialect, at) = (self.units.dialect, like.at);
        match text {
            UnitText::Single(text) if dialect == Dialect::GoI18n && self.has_plain_mappings => {
                Ok(vec![(form_key(key, dialect, PluralCategory::Other), text.as_str())])
            }
            UnitText::Single(text) => Ok(vec![(key.clone(), text.as_str())]),
            UnitText::Plural(..) if !matches!(dialect, Dialect::I18next | Dialect::GoI18n | Dialect::Rails) => {
                let what = format!("the dialect `{}` has no keys for plural forms", dialect.name());
                Err(CatalogError::new(at, what))
            }
            UnitText::Plural(_, forms) => {
                let is_numbered = like.own_forms == Some(TargetForms::Numbered);
                let forms = by_category(forms, at, ONLY_CATEGORIES)?.into_iter();
                let keys = forms.flat_map(|(category, text)| {
                    let keys = form_keys(key, self.units, is_numbered, category).into_iter();
                    keys.map(move |key| (key, text))
                });
                Ok(keys.collect())
            }
        }
    }

    /// Existing leaves stay: a person may have written them.
    fn insert(
        &mut self,
        like: &'a Unit,
        text: &'a UnitText,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        let root = self.root.map(|root| UnitKeyPart::Name(root.to_owned()));
        let key = UnitKey(root.into_iter().chain(like.key.0.iter().cloned()).collect());
        let leaf_of =
            |unit: Option<usize>| unit.and_then(|unit| self.units.units.get(unit)).map(|unit| unit.leaves.all());
        let after = leaf_of(after).and_then(|leaves| leaves.last().copied());
        let before = leaf_of(before).and_then(|leaves| leaves.first().copied());
        let after = after.and_then(|leaf| self.stays_before.get(leaf).copied().flatten());
        let before = before.and_then(|leaf| self.stays_after.get(leaf).copied().flatten());
        for (key, text) in self.keys_and_texts(&key, text, like)? {
            if !self.keys.contains(&key) {
                self.push_insert(key, text, after, before);
            }
        }
        Ok(())
    }
}

/// A numbered form may have several keys.
fn form_keys(key: &UnitKey, units: &TreeUnits, is_numbered: bool, category: PluralCategory) -> Vec<UnitKey> {
    match key.0.split_last() {
        Some((UnitKeyPart::Name(base), parent)) if is_numbered => {
            let names = units.numbered_forms().names(base, category).into_iter();
            names.map(|name| UnitKey(parent.to_vec()).with(UnitKeyPart::Name(name))).collect()
        }
        _ => vec![form_key(key, units.dialect, category)],
    }
}

/// Returns each leaf of the plural with its category in the target language.
fn numbered_leaves(group: &PluralGroup, units: &TreeUnits, leaves: &[Leaf]) -> Vec<(Option<PluralCategory>, usize)> {
    let forms = units.numbered_forms();
    let name_of = |key: &UnitKey| match key.0.last() {
        Some(UnitKeyPart::Name(name)) => name.clone(),
        _ => String::new(),
    };
    let base = name_of(&group.key);
    let all = group.forms.iter().map(|(_, leaf)| *leaf).chain(group.metadata.iter().copied());
    let category = |leaf: usize| {
        let name = name_of(&leaves.get(leaf)?.key);
        forms.category_of(name.strip_prefix(&base)?)
    };
    all.map(|leaf| (category(leaf), leaf)).collect()
}

/// Returns the leaves that the unit does not need for the new text.
fn unneeded_leaves(unit: &TreeUnit, text: &UnitText, units: &TreeUnits, leaves: &[Leaf]) -> Vec<usize> {
    let dialect = units.dialect;
    match (&unit.leaves, text) {
        (UnitLeaves::Text(_), UnitText::Single(_)) => Vec::new(),
        (UnitLeaves::Forms(_), UnitText::Single(_)) if matches!(unit.unit.text, UnitText::Single(_)) => Vec::new(),
        (UnitLeaves::Forms(group), UnitText::Single(_)) if dialect == Dialect::GoI18n => {
            let others = group.forms.iter().filter(|(category, _)| *category != PluralCategory::Other);
            others.map(|(_, leaf)| *leaf).collect()
        }
        (UnitLeaves::Forms(group), UnitText::Plural(_, forms)) => {
            let is_wanted = |category| forms.iter().any(|form| form.form == PluralForm::Category(category));
            if group.is_numbered {
                let found = numbered_leaves(group, units, leaves).into_iter();
                return found.filter(|(category, _)| !category.is_some_and(is_wanted)).map(|(_, leaf)| leaf).collect();
            }
            group.forms.iter().filter(|(category, _)| !is_wanted(*category)).map(|(_, leaf)| *leaf).collect()
        }
        _ => unit.leaves.all(),
    }
}
