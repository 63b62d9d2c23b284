//! What tells two dictionaries apart, by source phrase; order does not count.

use std::collections::HashMap;

use super::Dictionary;

/// What has to happen to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is only in the new dictionary.
    Added,
    /// Its target differs.
    Changed,
    /// It is only in the old dictionary.
    Removed,
}

impl Change {
    /// The word for programs.
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
pub struct Entry<'a> {
    /// How.
    pub change: Change,
    /// Its source phrase.
    pub source: &'a str,
    /// The target it had.
    pub old: Option<&'a str>,
    /// The target it gets.
    pub new: Option<&'a str>,
}

/// All entries that differ: added and changed in the new order, then removed in the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff<'a> {
    /// The entries.
    pub entries: Vec<Entry<'a>>,
    /// How many were added.
    pub added: usize,
    /// How many get another target.
    pub changed: usize,
    /// How many were removed.
    pub removed: usize,
}

impl<'a> Diff<'a> {
    /// Compares two dictionaries.
    pub fn between(old: &'a Dictionary, new: &'a Dictionary) -> Self {
        let before: HashMap<&str, &str> = old.entries().collect();
        let after: HashMap<&str, &str> = new.entries().collect();
        let mut diff = Self::default();
        for (source, target) in new.entries() {
            // Of a phrase that stands twice only the last counts, once.
            if after.get(source) != Some(&target) {
                continue;
            }
            let had = before.get(source).copied();
            let change = match had {
                None => Change::Added,
                Some(had) if had != target => Change::Changed,
                Some(_) => continue,
            };
            diff.push(Entry { change, source, old: had, new: Some(target) });
        }
        for (source, target) in old.entries() {
            if !after.contains_key(source) {
                diff.push(Entry { change: Change::Removed, source, old: Some(target), new: None });
            }
        }
        diff
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What a merge has to carry: the added and changed entries.
    pub fn to_merge(&self) -> Dictionary {
        Dictionary::of(self.entries.iter().filter_map(|entry| Some((entry.source, entry.new?))))
    }

    fn push(&mut self, entry: Entry<'a>) {
        match entry.change {
            Change::Added => self.added += 1,
            Change::Changed => self.changed += 1,
            Change::Removed => self.removed += 1,
        }
        self.entries.push(entry);
    }
}
