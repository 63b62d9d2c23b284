//! The entries of one dictionary, in order, and the differences of two dictionaries by source phrase, for which the order of entries
//! does not count.

use std::collections::HashMap;

/// One dictionary: entries in order, kept as the TSV that is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    tsv: String,
    count: usize,
}

impl Dictionary {
    /// Creates a dictionary of entries that are known to be valid.
    pub fn from_entries<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut dictionary = Self::default();
        for (source, target) in entries {
            dictionary.push(source, target);
        }
        dictionary
    }

    /// Creates an empty dictionary with room for some bytes of TSV.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        let mut dictionary = Self::default();
        dictionary.tsv.reserve_exact(bytes);
        dictionary
    }

    /// Returns the entries as TSV, separated by line feeds, without one at the end.
    pub fn tsv(&self) -> &str {
        &self.tsv
    }

    /// Returns the entries as the text of a TSV file, with a line feed after each.
    pub fn to_file_text(&self) -> String {
        // A first entry that begins with the character of a byte-order mark would lose it to the reader.
        let mark = if self.tsv.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        if self.tsv.is_empty() { String::new() } else { [mark, &self.tsv, "\n"].concat() }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns source and target of each entry, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tsv.split('\n').filter_map(|line| line.split_once('\t'))
    }

    /// Adds an entry. Neither phrase may contain a tab or line feed.
    pub(super) fn push(&mut self, source: &str, target: &str) {
        if self.count > 0 {
            self.tsv.push('\n');
        }
        self.tsv.push_str(source);
        self.tsv.push('\t');
        self.tsv.push_str(target);
        self.count += 1;
    }
}

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
