//! Turns changes of units into edits of the literals and items of a PHP file.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::layout::PhpLayout;
use super::literal::{PhpQuote, encode};
use super::parse::{PhpFile, PhpValue};
use super::{PhpLeaves, name_of};
use crate::{CatalogError, Change, Edit, Unit, UnitKeyPart};

const NO_PLURALS: &str = "PHP files cannot hold plural forms as separate texts";

#[derive(Debug)]
pub struct PhpNewItem<'a> {
    pub key: &'a UnitKeyPart,
    pub value: PhpNewValue<'a>,
}

#[derive(Debug)]
pub enum PhpNewValue<'a> {
    Text(&'a str),
    Group(PhpNewItems<'a>),
}

#[derive(Debug, Default)]
pub struct PhpNewItems<'a> {
    pub items: Vec<PhpNewItem<'a>>,
    /// Where each group is in `items`.
    groups: HashMap<&'a UnitKeyPart, usize>,
}

impl<'a> PhpNewItems<'a> {
    /// Creates the missing groups around the item.
    fn add(&mut self, key: &'a [UnitKeyPart], text: &'a str) {
        let Some((first, rest)) = key.split_first() else { return };
        if rest.is_empty() {
            self.items.push(PhpNewItem { key: first, value: PhpNewValue::Text(text) });
            return;
        }
        let at = *self.groups.entry(first).or_insert_with(|| {
            self.items.push(PhpNewItem { key: first, value: PhpNewValue::Group(PhpNewItems::default()) });
            self.items.len() - 1
        });
        if let Some(PhpNewItem { value: PhpNewValue::Group(inner), .. }) = self.items.get_mut(at) {
            inner.add(rest, text);
        }
    }
}

pub fn edits(
    text: &str,
    file: &PhpFile,
    leaves: &PhpLeaves,
    changes: &[Change<'_>],
) -> Result<Vec<Edit>, CatalogError> {
    let mut writer = PhpWriter { text, file, leaves, edits: Vec::new(), removed: BTreeMap::new(), keys: keys(file) };
    for change in changes {
        match change {
            Change::Set { unit, text, .. } => writer.set(*unit, text.single(0, NO_PLURALS)?)?,
            Change::Remove { unit } => writer.remove(*unit)?,
            Change::Insert { .. } => {}
        }
    }
    let found = writer.find_positions(changes)?;
    writer.remove_empty(&found);
    let inserts = writer.inserts(found);
    let layout = PhpLayout::of(text, file);
    for (number, array) in file.arrays.iter().enumerate() {
        let removed = writer.removed.remove(&number).unwrap_or_default();
        let new = inserts
            .range((number, None)..=(number, Some(usize::MAX)))
            .map(|((_, at), new)| (*at, new.items.as_slice()));
        let new: Vec<(Option<usize>, &[PhpNewItem<'_>])> = new.collect();
        let is_gone = array.parent.is_some() && removed.len() == array.items.len() && new.is_empty();
        if !is_gone {
            layout.edits(number, &removed, &new, &mut writer.edits);
        }
    }
    Ok(writer.edits)
}

fn keys(file: &PhpFile) -> HashMap<(usize, String), Vec<usize>> {
    let mut keys: HashMap<(usize, String), Vec<usize>> = HashMap::new();
    for (number, array) in file.arrays.iter().enumerate() {
        for (at, key) in array.items.iter().enumerate().filter_map(|(at, item)| Some((at, item.key.as_ref()?))) {
            keys.entry((number, name_of(key))).or_default().push(at);
        }
    }
    keys
}

#[derive(Debug)]
struct PhpInsert<'c> {
    array: usize,
    after: Option<usize>,
    key: &'c [UnitKeyPart],
    text: &'c str,
}

/// New items by array and preceding item; `None` is the start of the array.
type PhpInserts<'a> = BTreeMap<(usize, Option<usize>), PhpNewItems<'a>>;

#[derive(Debug)]
struct PhpWriter<'a> {
    text: &'a str,
    file: &'a PhpFile,
    leaves: &'a PhpLeaves,
    edits: Vec<Edit>,
    removed: BTreeMap<usize, BTreeSet<usize>>,
    keys: HashMap<(usize, String), Vec<usize>>,
}

impl PhpWriter<'_> {
    fn array_and_item(&self, unit: usize) -> Result<(usize, usize), CatalogError> {
        let missing = || CatalogError::new(0, "a change refers to a text that the file does not have");
        self.leaves.locations.get(unit).copied().ok_or_else(missing)
    }

    fn set(&mut self, unit: usize, text: &str) -> Result<(), CatalogError> {
        let location = self.array_and_item(unit)?;
        let Some((_, item)) = self.file.item(location) else { return Ok(()) };
        if matches!(&item.value, PhpValue::Text(old) if old == text) {
            return Ok(());
        }
        let old = self.text.get(item.value_range.clone()).unwrap_or_default();
        let quote = if old.starts_with('"') { PhpQuote::Double } else { PhpQuote::Single };
        self.edits.push(Edit::replace(item.value_range.clone(), encode(text, quote, old.contains('\n'))));
        Ok(())
    }

    /// Also removes all other items with the same key.
    fn remove(&mut self, unit: usize) -> Result<(), CatalogError> {
        let (array, item) = self.array_and_item(unit)?;
        let removed = self.removed.entry(array).or_default();
        removed.insert(item);
        let key = self.file.item((array, item)).and_then(|(_, item)| item.key.as_ref());
        let same = key.and_then(|key| self.keys.get(&(array, name_of(key))));
        removed.extend(same.into_iter().flatten());
        Ok(())
    }

    fn remove_empty(&mut self, inserts: &[PhpInsert<'_>]) {
        let new: HashSet<usize> = inserts.iter().map(|insert| insert.array).collect();
        for (number, array) in self.file.arrays.iter().enumerate().rev() {
            let count = self.removed.get(&number).map_or(0, BTreeSet::len);
            if let Some((parent, item)) = array.parent
                && count > 0
                && count == array.items.len()
                && !new.contains(&number)
            {
                self.removed.entry(parent).or_default().insert(item);
            }
        }
    }

    fn find_positions<'c>(&self, changes: &[Change<'c>]) -> Result<Vec<PhpInsert<'c>>, CatalogError> {
        let mut found = Vec::new();
        for change in changes {
            if let Change::Insert { like, text, after, before } = change {
                let (array, depth) = self.array_for(like)?;
                let after = after.and_then(|unit| self.item_in(array, unit));
                let before = || before.and_then(|unit| self.item_in(array, unit)).map(|item| item.checked_sub(1));
                let last = || self.file.arrays.get(array).and_then(|array| array.items.len().checked_sub(1));
                let after = after.map(Some).or_else(before).unwrap_or_else(last);
                let key = like.key.0.get(depth..).unwrap_or_default();
                found.push(PhpInsert { array, after, key, text: text.single(0, NO_PLURALS)? });
            }
        }
        found.sort_by_key(|insert| (insert.array, insert.after));
        Ok(found)
    }

    /// Groups the insertions by the preceding item that is kept.
    fn inserts<'c>(&self, found: Vec<PhpInsert<'c>>) -> PhpInserts<'c> {
        let mut inserts = PhpInserts::new();
        let mut groups: HashMap<(usize, String), Option<usize>> = HashMap::new();
        let mut kept: (Option<usize>, Vec<Option<usize>>) = (None, Vec::new());
        for PhpInsert { array, after, key, text } in found {
            if kept.0 != Some(array) {
                kept = (Some(array), self.last_kept_items(array));
            }
            let mut after = after.and_then(|after| *kept.1.get(after)?);
            if let [group, _, ..] = key {
                after = *groups.entry((array, name_of(group))).or_insert(after);
            }
            inserts.entry((array, after)).or_default().add(key, text);
        }
        inserts
    }

    /// Returns, for each item of an array, the item itself if it is kept, else the last kept item before it.
    fn last_kept_items(&self, array: usize) -> Vec<Option<usize>> {
        let removed = self.removed.get(&array);
        let count = self.file.arrays.get(array).map_or(0, |array| array.items.len());
        let mut last = None;
        let last_kept = |item: usize| {
            if removed.is_none_or(|removed| !removed.contains(&item)) {
                last = Some(item);
            }
            last
        };
        (0..count).map(last_kept).collect()
    }

    /// Returns the innermost existing array for a new unit, and how many parts of the unit's key lead to it.
    fn array_for(&self, like: &Unit) -> Result<(usize, usize), CatalogError> {
        let names: Vec<String> = like.key.0.iter().map(name_of).collect();
        let mut depths = (0..names.len()).rev();
        let find = |depth: usize| Some((*self.leaves.arrays.get(names.get(..depth)?)?, depth));
        let (array, depth) = depths.find_map(find).unwrap_or_default();
        let is_list_item = matches!(like.key.0.get(depth), Some(UnitKeyPart::Item(_))) && depth + 1 == names.len();
        let name = names.get(depth).filter(|_| !is_list_item);
        let same = name.and_then(|name| self.keys.get(&(array, name.clone()))?.first());
        match same.and_then(|at| self.file.item((array, *at))) {
            Some((_, item)) => {
                let what = format!("the key `{}` has a different kind of value here", like.key);
                Err(CatalogError::new(item.range.start, what))
            }
            None => Ok((array, depth)),
        }
    }

    /// Returns the item of `array` that contains a unit.
    fn item_in(&self, array: usize, unit: usize) -> Option<usize> {
        let (mut inner, mut item) = self.leaves.locations.get(unit).copied()?;
        while inner != array {
            (inner, item) = self.file.arrays.get(inner)?.parent?;
        }
        Some(item)
    }
}
