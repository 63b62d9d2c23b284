//! `tulk.lock`: what each target was made from, and by whom.
//!
//! Input: the file, which may have been merged by a version control system. Output: an entry for each unit and language, and the
//! file anew: sorted lines of TSV, one for each unit, in which each language has a field of its own.

mod line;
mod merge;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::line::lock_key;
use self::line::{LockLine, parse_line, write_line};
use self::merge::significant_lines;
use super::digest::TextDigest;

/// Who wrote a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetAuthor {
    /// It is a result of the service.
    Tulk,
    /// A person wrote or accepted it.
    Person,
    /// The last result could not be used, so that the target is as it was before.
    Failed,
}

/// What a target was made from, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LockEntry {
    /// Who wrote it.
    pub author: TargetAuthor,
    /// The source text that it was made from.
    pub source: TextDigest,
    /// The note that it was made with; `None` if there was none.
    pub note: Option<TextDigest>,
    /// The target; `None` if there was none, which only a failed one can be.
    pub target: Option<TextDigest>,
}

/// The lock of a project.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    /// By file, then by key.
    files: HashMap<Box<str>, HashMap<Box<str>, LockedUnit>>,
    /// The languages that occur, in the order of their first occurrence.
    languages: Vec<Box<str>>,
    /// Whether there was a lock at all.
    pub exists: bool,
    /// Lines that could not be read, from 1. They are dropped.
    pub unreadable: Vec<u64>,
}

/// The entries of a unit. After a merge, a language may have several: what fits the files counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockedUnit(Vec<(u16, LockEntry)>);

/// The number of a language in a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockLanguage(u16);

impl LockedUnit {
    /// Returns what is known about the unit in a language.
    ///
    /// If there are several entries, as after a merge, one whose target is `target` counts, if possible with this source. `None` if
    /// there is none, or if several contradict each other and none fits.
    pub fn entry(
        &self,
        language: LockLanguage,
        source: Option<TextDigest>,
        target: Option<TextDigest>,
    ) -> Option<LockEntry> {
        let entries = self.0.iter().filter(|(other, _)| *other == language.0).map(|(_, entry)| *entry);
        let fit = |entry: &LockEntry| (entry.target == target, Some(entry.source) == source);
        let best = entries.clone().max_by_key(fit)?;
        (entries.count() == 1 || best.target == target).then_some(best)
    }

    /// Returns the source texts that its targets were made from.
    pub fn sources(&self) -> Vec<TextDigest> {
        let mut sources: Vec<TextDigest> = self.0.iter().map(|(_, entry)| entry.source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

impl Lock {
    /// Reads a lock.
    pub fn parse(text: &str) -> Self {
        let mut lock = Self { exists: true, ..Self::default() };
        for (number, line) in significant_lines(text) {
            match parse_line(line) {
                Some(parsed) => lock.add_line(parsed),
                None => lock.unreadable.push(number),
            }
        }
        lock
    }

    fn add_line(&mut self, line: LockLine<'_>) {
        let fields: Vec<(u16, LockEntry)> =
            line.fields.into_iter().map(|(language, entry)| (self.language(language), entry)).collect();
        let units = match self.files.get_mut(line.file.as_ref()) {
            Some(units) => units,
            None => self.files.entry(line.file.into()).or_default(),
        };
        let unit = units.entry(line.key.into()).or_default();
        for field in fields {
            if !unit.0.contains(&field) {
                unit.0.push(field);
            }
        }
    }

    /// Returns the number of a language.
    fn language(&mut self, name: &str) -> u16 {
        let position = self.languages.iter().position(|language| &**language == name).unwrap_or_else(|| {
            self.languages.push(name.into());
            self.languages.len() - 1
        });
        u16::try_from(position).unwrap_or(u16::MAX)
    }

    /// Returns the number of a language; `None` if nothing is known in it.
    pub fn language_number(&self, name: &str) -> Option<LockLanguage> {
        let position = self.languages.iter().position(|language| &**language == name)?;
        u16::try_from(position).ok().map(LockLanguage)
    }

    /// Returns what is known about a unit. `key` is as [`lock_key`] returns it.
    pub fn unit(&self, file: &str, key: &str) -> Option<&LockedUnit> {
        self.files.get(file)?.get(key)
    }

    /// Sets what is known about a unit in a language, and nothing of other languages.
    pub fn set(&mut self, file: &str, key: &str, language: &str, entry: LockEntry) {
        let number = self.language(language);
        let unit = self.files.entry(file.into()).or_default().entry(key.into()).or_default();
        unit.0.retain(|(language, _)| *language != number);
        unit.0.push((number, entry));
    }

    /// Forgets a unit in a language.
    pub fn remove(&mut self, file: &str, key: &str, language: &str) {
        let Some(LockLanguage(number)) = self.language_number(language) else { return };
        let Some(units) = self.files.get_mut(file) else { return };
        if let Some(unit) = units.get_mut(key) {
            unit.0.retain(|(language, _)| *language != number);
            if unit.0.is_empty() {
                units.remove(key);
            }
        }
        if units.is_empty() {
            self.files.remove(file);
        }
    }

    /// Moves the entries of a unit to another key, of all languages.
    pub fn rename(&mut self, from: (&str, &str), to: (&str, &str)) {
        let Some(units) = self.files.get_mut(from.0) else { return };
        let Some(unit) = units.remove(from.1) else { return };
        if units.is_empty() {
            self.files.remove(from.0);
        }
        self.files.entry(to.0.into()).or_default().insert(to.1.into(), unit);
    }

    /// Returns the keys of a file.
    pub fn keys(&self, file: &str) -> impl Iterator<Item = &str> {
        self.files.get(file).into_iter().flat_map(|units| units.keys().map(|key| &**key))
    }

    /// Returns the files.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(|file| &**file)
    }

    /// Returns the languages that occur.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(|language| &**language)
    }

    /// Returns the entries of a unit with their languages.
    pub fn entries(&self, file: &str, key: &str) -> impl Iterator<Item = (&str, LockEntry)> {
        self.unit(file, key).into_iter().flat_map(|unit| &unit.0).map(|(language, entry)| {
            let name = self.languages.get(usize::from(*language)).map(|name| &**name).unwrap_or_default();
            (name, *entry)
        })
    }

    /// Returns the file: lines in the order of bytes, languages in alphabetical order.
    pub fn write(&self) -> String {
        let mut order: Vec<usize> = (0..self.languages.len()).collect();
        order.sort_by_key(|language| self.languages.get(*language));
        let mut ranks = vec![0; order.len()];
        for (rank, language) in order.into_iter().enumerate() {
            if let Some(place) = ranks.get_mut(language) {
                *place = rank;
            }
        }
        let mut out = String::new();
        for (file, units) in sorted(&self.files) {
            for (key, unit) in sorted(units) {
                let mut fields = unit.0.clone();
                fields.sort_by_key(|(language, _)| ranks.get(usize::from(*language)).copied());
                let fields = fields.iter().map(|(language, entry)| {
                    (self.languages.get(usize::from(*language)).map(|name| &**name).unwrap_or_default(), *entry)
                });
                write_line(&mut out, file, key, fields);
            }
        }
        out
    }
}

fn sorted<T>(map: &HashMap<Box<str>, T>) -> Vec<(&str, &T)> {
    let mut entries: Vec<(&str, &T)> = map.iter().map(|(key, value)| (&**key, value)).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}
