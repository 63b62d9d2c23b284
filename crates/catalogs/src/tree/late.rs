//! Insertions that must wait for removals: a text where a mapping stood, or a mapping where a text stood.
//!
//! Input: keys that are removed and inserted. Output: which insertions wait; their edits in the text that is left after the others.

use std::collections::{HashMap, HashSet};

use super::{Edit, Leaf, LeafChange, LeafFormat, UnitKey};
use crate::catalog::UnitKeyPart;
use crate::{CatalogError, apply_edits};

/// An insertion that waits. Other leaves are named by their keys, as their positions change.
#[derive(Debug)]
pub(super) struct LateInsert<'a> {
    pub(super) key: UnitKey,
    pub(super) text: &'a str,
    pub(super) after: Option<&'a UnitKey>,
    pub(super) before: Option<&'a UnitKey>,
}

/// The keys that are removed.
#[derive(Debug, Default)]
pub(super) struct RemovedKeys<'a> {
    leaves: HashSet<&'a [UnitKeyPart]>,
    /// Those of the levels above, too.
    paths: HashSet<&'a [UnitKeyPart]>,
}

impl<'a> RemovedKeys<'a> {
    pub(super) fn new(leaves: &'a [Leaf], is_removed: &[bool]) -> Self {
        let mut found = Self::default();
        for (leaf, _) in leaves.iter().zip(is_removed).filter(|(_, is_removed)| **is_removed) {
            let mut key = leaf.key.0.as_slice();
            found.leaves.insert(key);
            while found.paths.insert(key)
                && let Some((_, parent)) = key.split_last()
            {
                key = parent;
            }
        }
        found
    }

    /// Returns whether a key stands where one is removed, above or below it.
    pub(super) fn is_in_the_way_of(&self, key: &UnitKey) -> bool {
        let mut parents = key.parent();
        if self.leaves.is_empty() || self.paths.contains(key.0.as_slice()) {
            return !self.leaves.is_empty();
        }
        while let Some((_, parent)) = parents.split_last() {
            if self.leaves.contains(parents) {
                return true;
            }
            parents = parent;
        }
        false
    }
}

/// Returns one edit that does what some edits do, and then inserts.
pub(super) fn insert_late<T: LeafFormat>(
    format: &T,
    text: &str,
    edits: Vec<Edit>,
    late: &[LateInsert<'_>],
    new_root: Option<&str>,
) -> Result<Vec<Edit>, CatalogError> {
    let overlap = || CatalogError::new(0, "the changes of the file overlap");
    let first = apply_edits(text, edits).ok_or_else(overlap)?;
    let leaves = format.leaves(&first)?.leaves;
    let numbers: HashMap<&UnitKey, usize> = leaves.iter().enumerate().map(|(at, leaf)| (&leaf.key, at)).collect();
    let renamed = |key: &UnitKey| match (new_root, key.0.split_first()) {
        (Some(root), Some((_, rest))) => {
            UnitKey([UnitKeyPart::Name(root.to_owned())].into_iter().chain(rest.iter().cloned()).collect())
        }
        _ => key.clone(),
    };
    let number = |key: Option<&UnitKey>| key.and_then(|key| numbers.get(&renamed(key)).copied());
    let changes: Vec<LeafChange<'_>> = late
        .iter()
        .map(|late| LeafChange::Insert {
            key: renamed(&late.key),
            text: late.text,
            after: number(late.after),
            before: number(late.before),
        })
        .collect();
    let second = apply_edits(&first, format.leaf_edits(&first, &changes)?).ok_or_else(overlap)?;
    Ok(difference(text, &second).into_iter().collect())
}

/// Returns the edit of the smallest range that makes a text another one.
fn difference(old: &str, new: &str) -> Option<Edit> {
    let same = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
    let start = (0..=same).rev().find(|at| old.is_char_boundary(*at) && new.is_char_boundary(*at))?;
    let (old_rest, new_rest) = (old.get(start..)?, new.get(start..)?);
    let same = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(|(old, new)| old == new).count();
    let is_boundary = |len: &usize| {
        old_rest.is_char_boundary(old_rest.len() - len) && new_rest.is_char_boundary(new_rest.len() - len)
    };
    let end = (0..=same).rev().find(is_boundary)?;
    let text = new_rest.get(..new_rest.len() - end)?;
    let range = start..old.len() - end;
    (!range.is_empty() || !text.is_empty()).then(|| Edit::replace(range, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_small() {
        for (old, new, edit) in [
            ("abc", "abc", None),
            ("abc", "axc", Some(Edit::replace(1..2, "x"))),
            ("äöü", "äßü", Some(Edit::replace(2..4, "ß"))),
            ("aa", "aaa", Some(Edit::insert(2, "a"))),
            ("aaa", "a", Some(Edit::remove(1..3))),
            ("", "x", Some(Edit::insert(0, "x"))),
        ] {
            assert_eq!(difference(old, new), edit);
        }
    }
}
