//! The differences of two dictionaries, by source phrase. The order of entries does not count.

use std::collections::HashMap;

use super::entries::Dictionary;

/// How an entry differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryChange {
    /// Only the new dictionary has the entry.
    Added,
    /// The targets differ.
    Changed,
    /// Only the old dictionary has the entry.
    Removed,
}

impl EntryChange {
    /// Returns the word in machine-readable output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// One entry that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryDifference<'a> {
    /// How the entry differs.
    pub change: EntryChange,
    /// The source phrase.
    pub source: &'a str,
    /// The target in the old dictionary.
    pub old: Option<&'a str>,
    /// The target in the new dictionary.
    pub new: Option<&'a str>,
    /// The number of the entry in the new dictionary, from 0.
    pub new_entry: Option<usize>,
}

/// All entries that differ: added and changed in the order of the new dictionary, then removed in that of the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DictionaryDiff<'a> {
    /// The entries.
    pub entries: Vec<EntryDifference<'a>>,
    /// The number of added entries.
    pub added: usize,
    /// The number of entries with another target.
    pub changed: usize,
    /// The number of removed entries.
    pub removed: usize,
}

impl<'a> DictionaryDiff<'a> {
    /// Compares two dictionaries.
    pub fn between(old: &'a Dictionary, new: &'a Dictionary) -> Self {
        let before: HashMap<&str, &str> = old.entries().collect();
        let after: HashMap<&str, &str> = new.entries().collect();
        let mut diff = Self::default();
        for (number, (source, target)) in new.entries().enumerate() {
            // If a phrase is repeated, only its last entry counts.
            if after.get(source) != Some(&target) {
                continue;
            }
            let old_target = before.get(source).copied();
            let change = match old_target {
                None => EntryChange::Added,
                Some(old) if old != target => EntryChange::Changed,
                Some(_) => continue,
            };
            diff.push(EntryDifference { change, source, old: old_target, new: Some(target), new_entry: Some(number) });
        }
        for (source, target) in old.entries() {
            if !after.contains_key(source) {
                diff.push(EntryDifference {
                    change: EntryChange::Removed,
                    source,
                    old: Some(target),
                    new: None,
                    new_entry: None,
                });
            }
        }
        diff
    }

    /// Returns the differences that a merge makes, which removes no entries.
    #[must_use]
    pub fn without_removals(mut self) -> Self {
        self.entries.retain(|entry| entry.change != EntryChange::Removed);
        self.removed = 0;
        self
    }

    /// Returns whether the dictionaries are the same.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries to merge into the old dictionary: the added and changed ones.
    pub fn to_merge(&self) -> Dictionary {
        Dictionary::from_entries(self.entries.iter().filter_map(|entry| Some((entry.source, entry.new?))))
    }

    fn push(&mut self, entry: EntryDifference<'a>) {
        match entry.change {
            EntryChange::Added => self.added += 1,
            EntryChange::Changed => self.changed += 1,
            EntryChange::Removed => self.removed += 1,
        }
        self.entries.push(entry);
    }
}
