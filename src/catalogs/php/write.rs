//! The edits of a PHP file.
//!
//! Input: the arrays of the file, and changes of units. Output: edits of literals and items.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::layout::PhpLayout;
use super::literal::{PhpQuote, encode};
use super::parse::{PhpFile, PhpValue};
use super::{PhpLeaves, name_of};
use crate::catalogs::{CatalogError, Change, Edit, Unit, UnitKeyPart, UnitText};

/// An item that is inserted.
#[derive(Debug)]
pub struct PhpNewItem<'a> {
    /// Its key.
    pub key: &'a UnitKeyPart,
    /// Its value.
    pub value: PhpNewValue<'a>,
}

/// The value of an item that is inserted.
#[derive(Debug)]
pub enum PhpNewValue<'a> {
    Text(&'a str),
    Group(Vec<PhpNewItem<'a>>),
}

/// Returns the edits that carry out changes.
pub fn edits(
    text: &str,
    file: &PhpFile,
    leaves: &PhpLeaves,
    changes: &[Change<'_>],
) -> Result<Vec<Edit>, CatalogError> {
    let mut writer = PhpWriter { text, file, leaves, edits: Vec::new(), removed: BTreeMap::new() };
    for change in changes {
        match change {
            Change::Set { unit, text, .. } => writer.set(*unit, single(text)?)?,
            Change::Remove { unit } => writer.remove(*unit)?,
            Change::Insert { .. } => {}
        }
    }
    let inserts = writer.inserts(changes)?;
    writer.remove_empty(&inserts);
    let layout = PhpLayout { text, file };
    for (number, array) in file.arrays.iter().enumerate() {
        let removed = writer.removed.remove(&number).unwrap_or_default();
        let new = inserts.range((number, None)..=(number, Some(usize::MAX))).map(|((_, at), new)| (*at, new));
        let new: Vec<(Option<usize>, &Vec<PhpNewItem<'_>>)> = new.collect();
        let is_gone = array.parent.is_some() && removed.len() == array.items.len() && new.is_empty();
        if !is_gone {
            layout.edits(number, &removed, &new, &mut writer.edits);
        }
    }
    Ok(writer.edits)
}

fn single(text: &UnitText) -> Result<&str, CatalogError> {
    match text {
        UnitText::Single(text) => Ok(text),
        UnitText::Plural(..) => Err(CatalogError::new(0, "PHP files have no plural forms as several texts")),
    }
}

/// New items, by the array and the item after which they stand, `None` for the start of the array.
type PhpInserts<'a> = BTreeMap<(usize, Option<usize>), Vec<PhpNewItem<'a>>>;

#[derive(Debug)]
struct PhpWriter<'a> {
    text: &'a str,
    file: &'a PhpFile,
    leaves: &'a PhpLeaves,
    edits: Vec<Edit>,
    /// The items of each array that are removed.
    removed: BTreeMap<usize, BTreeSet<usize>>,
}

impl PhpWriter<'_> {
    fn place(&self, unit: usize) -> Result<(usize, usize), CatalogError> {
        let missing = || CatalogError::new(0, "the file has fewer texts than changes");
        self.leaves.places.get(unit).copied().ok_or_else(missing)
    }

    fn set(&mut self, unit: usize, text: &str) -> Result<(), CatalogError> {
        let place = self.place(unit)?;
        let Some((_, item)) = self.file.item(place) else { return Ok(()) };
        if matches!(&item.value, PhpValue::Text(old) if old == text) {
            return Ok(());
        }
        let old = self.text.get(item.value_range.clone()).unwrap_or_default();
        let quote = if old.starts_with('"') { PhpQuote::Double } else { PhpQuote::Single };
        self.edits.push(Edit::replace(item.value_range.clone(), encode(text, quote, old.contains('\n'))));
        Ok(())
    }

    /// Removes an item with all others that have its key.
    fn remove(&mut self, unit: usize) -> Result<(), CatalogError> {
        let (array, item) = self.place(unit)?;
        let removed = self.removed.entry(array).or_default();
        removed.insert(item);
        if self.leaves.duplicates.is_empty() {
            return Ok(());
        }
        let items = self.file.arrays.get(array).map_or([].as_slice(), |array| &array.items);
        let key = items.get(item).and_then(|item| item.key.as_ref()).map(name_of);
        let same = |(at, other): (usize, &super::PhpItem)| (other.key.as_ref().map(name_of) == key).then_some(at);
        removed.extend(items.iter().enumerate().filter_map(same));
        Ok(())
    }

    /// Removes arrays of which nothing is left.
    fn remove_empty(&mut self, inserts: &PhpInserts<'_>) {
        for (number, array) in self.file.arrays.iter().enumerate().rev() {
            let count = self.removed.get(&number).map_or(0, BTreeSet::len);
            let has_new = inserts.range((number, None)..=(number, Some(usize::MAX))).next().is_some();
            if let Some((parent, item)) = array.parent
                && count > 0
                && count == array.items.len()
                && !has_new
            {
                self.removed.entry(parent).or_default().insert(item);
            }
        }
    }

    fn inserts<'c>(&self, changes: &[Change<'c>]) -> Result<PhpInserts<'c>, CatalogError> {
        let mut found = Vec::new();
        for change in changes {
            if let Change::Insert { like, text, after, before } = change {
                let (array, depth) = self.array_for(like)?;
                let after = after.and_then(|unit| self.item_in(array, unit));
                let before = || before.and_then(|unit| self.item_in(array, unit)).map(|item| item.checked_sub(1));
                let last = || self.file.arrays.get(array).and_then(|array| array.items.len().checked_sub(1));
                let after = after.map(Some).or_else(before).unwrap_or_else(last);
                found.push((array, after, like.key.0.get(depth..).unwrap_or_default(), single(text)?));
            }
        }
        found.sort_by_key(|(array, after, ..)| (*array, *after));
        let mut inserts = PhpInserts::new();
        let mut groups: HashMap<(usize, String), Option<usize>> = HashMap::new();
        for (array, after, key, text) in found {
            let removed = self.removed.get(&array);
            let is_kept = |item: &usize| removed.is_none_or(|removed| !removed.contains(item));
            let mut after = after.and_then(|after| (0..=after).rev().find(is_kept));
            if let [group, _, ..] = key {
                after = *groups.entry((array, name_of(group))).or_insert(after);
            }
            add(inserts.entry((array, after)).or_default(), key, text);
        }
        Ok(inserts)
    }

    /// Returns the innermost array that a unit belongs to and that the file has, and how many parts of the key lead to it.
    fn array_for(&self, like: &Unit) -> Result<(usize, usize), CatalogError> {
        let names: Vec<String> = like.key.0.iter().map(name_of).collect();
        let mut depths = (0..names.len()).rev();
        let find = |depth: usize| Some((*self.leaves.arrays.get(names.get(..depth)?)?, depth));
        let (array, depth) = depths.find_map(find).unwrap_or_default();
        let items = self.file.arrays.get(array).map_or([].as_slice(), |array| &array.items);
        let name = names.get(depth);
        let is_list_item = matches!(like.key.0.get(depth), Some(UnitKeyPart::Item(_))) && depth + 1 == names.len();
        let other = items.iter().find(|item| item.key.as_ref().map(name_of).as_ref() == name);
        match other.filter(|_| !is_list_item) {
            Some(item) => {
                let what = format!("the key `{}` has another kind of value here", like.key);
                Err(CatalogError::new(item.range.start, what))
            }
            None => Ok((array, depth)),
        }
    }

    /// Returns the item of an array that a unit is in.
    fn item_in(&self, array: usize, unit: usize) -> Option<usize> {
        let (mut inner, mut item) = self.leaves.places.get(unit).copied()?;
        while inner != array {
            (inner, item) = self.file.arrays.get(inner)?.parent?;
        }
        Some(item)
    }
}

/// Adds an item, and the groups that it is in.
fn add<'a>(items: &mut Vec<PhpNewItem<'a>>, key: &'a [UnitKeyPart], text: &'a str) {
    let Some((first, rest)) = key.split_first() else { return };
    if rest.is_empty() {
        items.push(PhpNewItem { key: first, value: PhpNewValue::Text(text) });
        return;
    }
    let is_group = |item: &PhpNewItem<'_>| item.key == first && matches!(item.value, PhpNewValue::Group(_));
    // New items of a group come one after the other.
    let at = items.iter().rposition(is_group).unwrap_or_else(|| {
        items.push(PhpNewItem { key: first, value: PhpNewValue::Group(Vec::new()) });
        items.len() - 1
    });
    if let Some(PhpNewItem { value: PhpNewValue::Group(inner), .. }) = items.get_mut(at) {
        add(inner, rest, text);
    }
}
