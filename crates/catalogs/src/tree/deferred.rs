//! Insertions that must wait for removals: a text in place of a mapping, or a mapping in place of a text.

use std::collections::{HashMap, HashSet};

use super::{Edit, Leaf, LeafChange, LeafFormat, UnitKey};
use crate::catalog::UnitKeyPart;
use crate::edit::smallest_edit;
use crate::{CatalogError, apply_edits};

/// Identifies neighbours by key, because removals change the positions of leaves.
#[derive(Debug)]
pub(super) struct DeferredInsert<'a> {
    pub(super) key: UnitKey,
    pub(super) text: &'a str,
    pub(super) after: Option<&'a UnitKey>,
    pub(super) before: Option<&'a UnitKey>,
}

#[derive(Debug, Default)]
pub(super) struct RemovedKeys<'a> {
    leaves: HashSet<&'a [UnitKeyPart]>,
    /// The keys in `leaves`, and those of all levels above them.
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

    /// Returns whether a removed key equals `key`, or is above or below it.
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

/// Applies `edits`, then inserts, and returns both as one edit.
pub(super) fn insert_deferred<T: LeafFormat>(
    format: &T,
    text: &str,
    edits: Vec<Edit>,
    deferred: &[DeferredInsert<'_>],
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
    let changes: Vec<LeafChange<'_>> = deferred
        .iter()
        .map(|deferred| LeafChange::Insert {
            key: renamed(&deferred.key),
            text: deferred.text,
            after: number(deferred.after),
            before: number(deferred.before),
        })
        .collect();
    let second = apply_edits(&first, format.leaf_edits(&first, &changes)?).ok_or_else(overlap)?;
    Ok(smallest_edit(text, &second).into_iter().collect())
}
