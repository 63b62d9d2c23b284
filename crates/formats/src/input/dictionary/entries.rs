//! The entries of a dictionary, and the differences between two dictionaries. Differences are computed by source phrase
//! and ignore the order of entries.

use super::problem::{DictionaryFormat, DictionaryProblem, DictionaryRule};
use crate::input::problem::{column_after, saturating_u32};

/// One dictionary, stored as the TSV to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    tsv: String,
    count: usize,
}

impl Dictionary {
    /// Creates a dictionary from valid entries.
    pub fn from_entries<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut dictionary = Self::default();
        for (source, target) in entries {
            dictionary.push(source, target);
        }
        dictionary
    }

    /// Parses the TSV of a reply without checking phrases. Skips a leading byte-order mark and blank lines.
    ///
    /// Fails if an entry does not have exactly one tab.
    pub fn from_reply(tsv: &str) -> Result<Self, DictionaryProblem> {
        let mut dictionary = Self::with_capacity(tsv.len());
        for (index, line) in tsv.strip_prefix('\u{feff}').unwrap_or(tsv).split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            match line.split_once('\t') {
                Some((source, target)) if !target.contains('\t') => dictionary.push(source, target),
                None if line.bytes().all(|b| b == b' ') => {}
                parts => {
                    let second = parts.and_then(|(source, rest)| Some((source, rest.split_once('\t')?.0)));
                    let column = second.map_or(1, |(source, target)| column_after(source) + column_after(target));
                    let found = saturating_u32(line.split('\t').count());
                    let rule = DictionaryRule::FieldCount { format: DictionaryFormat::Tsv, found };
                    return Err(DictionaryProblem { line: saturating_u32(index + 1), column, rule });
                }
            }
        }
        Ok(dictionary)
    }

    /// Reserves memory for TSV of this size.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        let mut dictionary = Self::default();
        dictionary.tsv.reserve_exact(bytes);
        dictionary
    }

    /// Returns the TSV to send: entries separated by line feeds, without one at the end.
    pub fn tsv(&self) -> &str {
        &self.tsv
    }

    /// Returns the content of a TSV file, with a line feed after each entry.
    pub fn to_file_text(&self) -> String {
        // A reader drops a leading byte-order mark, so an entry that starts with this character needs a second one.
        let mark = if self.tsv.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        if self.tsv.is_empty() { String::new() } else { [mark, &self.tsv, "\n"].concat() }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether the dictionary has no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns source and target phrases, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tsv.split('\n').filter_map(|line| line.split_once('\t'))
    }

    /// The phrases must not contain tabs or line feeds.
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

/// Kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryChange {
    /// Only the new dictionary has the source phrase.
    Added,
    /// The target phrases differ.
    Changed,
    /// Only the old dictionary has the source phrase.
    Removed,
}

impl EntryChange {
    /// Returns the name in machine-readable output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// A difference between two dictionaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryDifference<'a> {
    /// Kind of difference.
    pub change: EntryChange,
    /// The source phrase.
    pub source: &'a str,
    /// Target phrase in the old dictionary.
    pub old: Option<&'a str>,
    /// Target phrase in the new dictionary.
    pub new: Option<&'a str>,
    /// Position in the new dictionary, from 0.
    pub new_entry: Option<usize>,
}

/// Finds entries by source phrase with binary search: a map of a million phrases would take ten times the memory.
#[derive(Clone, Debug)]
struct SourceIndex<'a> {
    tsv: &'a str,
    /// Offsets of the entries, sorted by source phrase. Of repeated phrases, only the last entry is included.
    starts: Vec<u32>,
}

impl<'a> SourceIndex<'a> {
    fn new(dictionary: &'a Dictionary) -> Self {
        let tsv = dictionary.tsv();
        let ends = memchr::memchr_iter(b'\n', tsv.as_bytes()).map(|end| saturating_u32(end + 1));
        let mut starts = Vec::with_capacity(dictionary.len());
        starts.extend(std::iter::once(0).chain(ends).take(dictionary.len()));
        // For repeated phrases, sort the last entry first: `dedup_by` keeps the first.
        starts.sort_unstable_by(|a, b| source_at(tsv, *a).cmp(source_at(tsv, *b)).then(b.cmp(a)));
        starts.dedup_by(|a, b| source_at(tsv, *a) == source_at(tsv, *b));
        Self { tsv, starts }
    }

    fn target(&self, source: &str) -> Option<&'a str> {
        let at = self.starts.binary_search_by(|start| source_at(self.tsv, *start).cmp(source)).ok()?;
        let (_, rest) = entry_at(self.tsv, *self.starts.get(at)?)?;
        Some(rest.split_once('\n').map_or(rest, |(target, _)| target))
    }
}

/// Returns the source of the entry at an offset, and all text after its tab.
fn entry_at(tsv: &str, start: u32) -> Option<(&str, &str)> {
    tsv.get(usize::try_from(start).ok()?..)?.split_once('\t')
}

fn source_at(tsv: &str, start: u32) -> &str {
    entry_at(tsv, start).map_or("", |(source, _)| source)
}

/// Differences between two dictionaries.
#[derive(Clone, Debug)]
pub struct DictionaryDiff<'a> {
    old: &'a Dictionary,
    new: &'a Dictionary,
    old_index: SourceIndex<'a>,
    new_index: SourceIndex<'a>,
    /// Number of added entries.
    pub added: usize,
    /// Number of entries with another target.
    pub changed: usize,
    /// Number of removed entries.
    pub removed: usize,
}

impl<'a> DictionaryDiff<'a> {
    /// Compares two dictionaries.
    pub fn between(old: &'a Dictionary, new: &'a Dictionary) -> Self {
        let (old_index, new_index) = (SourceIndex::new(old), SourceIndex::new(new));
        let mut diff = Self { old, new, old_index, new_index, added: 0, changed: 0, removed: 0 };
        let (mut added, mut changed, mut removed) = (0, 0, 0);
        for entry in diff.entries() {
            match entry.change {
                EntryChange::Added => added += 1,
                EntryChange::Changed => changed += 1,
                EntryChange::Removed => removed += 1,
            }
        }
        (diff.added, diff.changed, diff.removed) = (added, changed, removed);
        diff
    }

    /// Returns all differences: added and changed entries in the order of the new dictionary, then removed ones in the
    /// order of the old one.
    pub fn entries(&self) -> impl Iterator<Item = EntryDifference<'a>> {
        let in_new = self.new.entries().enumerate().filter_map(|(number, (source, target))| {
            // Of repeated phrases, only the last entry counts.
            if self.new_index.target(source) != Some(target) {
                return None;
            }
            let old = self.old_index.target(source);
            let change = match old {
                None => EntryChange::Added,
                Some(old) if old != target => EntryChange::Changed,
                Some(_) => return None,
            };
            Some(EntryDifference { change, source, old, new: Some(target), new_entry: Some(number) })
        });
        let in_old = self.old.entries().filter(|(source, _)| self.new_index.target(source).is_none());
        let removed = |(source, target)| EntryDifference {
            change: EntryChange::Removed,
            source,
            old: Some(target),
            new: None,
            new_entry: None,
        };
        in_new.chain(in_old.map(removed))
    }

    /// Returns the number of differences.
    pub fn len(&self) -> usize {
        self.added + self.changed + self.removed
    }

    /// Returns whether there are no differences.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the added and changed entries, for merging into the old dictionary.
    pub fn to_merge(&self) -> Dictionary {
        Dictionary::from_entries(self.entries().filter_map(|entry| Some((entry.source, entry.new?))))
    }
}
