//! `tulk.lock`: the source and the author of each target.
//!
//! Input: the file, possibly merged by a version control system. Output: an entry for each unit and language, and the
//! new file. The file is sorted TSV: one line per unit, one field per language.

mod line;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use self::line::{LockLine, parse_line, significant_lines, write_line};
pub use self::line::{lock_key, parse_lock_key};
use super::digest::TextDigest;

/// The author of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetAuthor {
    /// The service.
    Tulk,
    /// A person, who wrote or accepted the target.
    Person,
    /// The last result could not be used; the target was left as it was.
    Failed,
}

/// The source and the author of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LockEntry {
    /// The author.
    pub author: TargetAuthor,
    /// Digest of the source text that was translated.
    pub source: TextDigest,
    /// Digest of the note at that time.
    pub note: Option<TextDigest>,
    /// Digest of the target; `None` only for a failed unit without a target.
    pub target: Option<TextDigest>,
}

/// A parsed lock file.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    /// Positions in `units`, by file and key.
    files: HashMap<Box<str>, HashMap<Box<str>, u32>>,
    /// All units, including removed ones, whose positions are no longer in `files`.
    units: Vec<LockedUnit>,
    /// In order of first occurrence.
    languages: Vec<Box<str>>,
    /// Positions in `languages`.
    numbers: HashMap<Box<str>, u16>,
    /// Whether the file exists.
    pub exists: bool,
    /// [`text_hash`] of the file.
    pub hash: u64,
    /// Line numbers of invalid lines, from 1. These lines are dropped.
    pub unreadable: Vec<u64>,
}

/// Entries of a unit, sorted by language number. After a merge, a language may have several: the one that fits the
/// files is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockedUnit(Vec<(u16, LockEntry)>);

/// Index of a language in a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockLanguage(u16);

impl LockedUnit {
    fn of(&self, language: LockLanguage) -> impl Iterator<Item = &LockEntry> + Clone {
        let start = self.0.partition_point(|(other, _)| *other < language.0);
        let entries = self.0.get(start..).unwrap_or_default().iter();
        entries.take_while(move |(other, _)| *other == language.0).map(|(_, entry)| entry)
    }

    fn sort(&mut self) {
        if self.0.is_sorted_by(|(language, _), (next, _)| language < next) {
            return;
        }
        let mut seen = HashSet::with_capacity(self.0.len());
        self.0.retain(|entry| seen.insert(*entry));
        self.0.sort_by_key(|(language, _)| *language);
    }

    /// Like [`Self::entry_with_note`], but ignores the note.
    pub fn entry(
        &self,
        language: LockLanguage,
        source: Option<TextDigest>,
        target: Option<TextDigest>,
    ) -> Option<LockEntry> {
        self.entry_with_note(language, source.map(|source| (source, None)), target)
    }

    /// Returns the entry of a language.
    ///
    /// If there is only one, returns it whatever its target is. If there are several after a merge, returns one with this
    /// target, preferably one with this source, then with this note, then by a person; `None` if none has this target.
    pub fn entry_with_note(
        &self,
        language: LockLanguage,
        source: Option<(TextDigest, Option<TextDigest>)>,
        target: Option<TextDigest>,
    ) -> Option<LockEntry> {
        let entries = self.of(language).copied();
        let fit = |entry: &LockEntry| {
            let has_source = source.is_some_and(|(text, _)| text == entry.source);
            let has_note = source.is_some_and(|(_, note)| note == entry.note);
            (entry.target == target, has_source, has_note, entry.author == TargetAuthor::Person)
        };
        let best = entries.clone().max_by_key(fit)?;
        (entries.count() == 1 || best.target == target).then_some(best)
    }

    /// Returns the number of entries of a language: more than one only after a merge.
    pub fn count(&self, language: LockLanguage) -> usize {
        self.of(language).count()
    }

    /// Returns whether people wrote all targets in this language; false if there are none.
    pub fn has_only_person_targets(&self, language: LockLanguage) -> bool {
        let mut entries = self.of(language).peekable();
        entries.peek().is_some() && entries.all(|entry| entry.author == TargetAuthor::Person)
    }

    /// Returns whether the entries of `language` may be needed to detect that the key is renamed.
    ///
    /// A renamed key is found by its latest source text. If a person translated an older source text into another
    /// language, the latest source text may be recorded only in the entries of `language`.
    pub fn is_needed_for_moves(&self, language: LockLanguage) -> bool {
        let own = self.sources(language);
        let others = self.0.iter().filter(|(other, _)| *other != language.0).map(|(_, entry)| entry);
        !own.is_empty()
            && others.into_iter().any(|e| e.author == TargetAuthor::Person && own.binary_search(&e.source).is_err())
    }

    /// Returns the source digests of all entries.
    pub fn all_sources(&self) -> impl Iterator<Item = TextDigest> {
        self.0.iter().map(|(_, entry)| entry.source)
    }

    /// Returns the source digests of a language, sorted.
    pub fn sources(&self, language: LockLanguage) -> Vec<TextDigest> {
        let mut sources: Vec<TextDigest> = self.of(language).map(|entry| entry.source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

impl Lock {
    /// Parses a lock. Invalid lines are listed in `unreadable`.
    pub fn parse(text: &str) -> Self {
        let mut lock = Self { exists: true, hash: text_hash(text), ..Self::default() };
        for (number, line) in significant_lines(text) {
            match parse_line(line) {
                Some(parsed) => lock.add_line(parsed),
                None => lock.unreadable.push(number),
            }
        }
        lock.units.iter_mut().for_each(LockedUnit::sort);
        lock
    }

    fn add_line(&mut self, line: LockLine<'_>) {
        let fields = line.fields.into_iter().enumerate();
        let fields: Vec<(u16, LockEntry)> =
            fields.map(|(place, (language, entry))| (self.add_language(language, place), entry)).collect();
        if let Some(unit) = self.unit_mut(&line.file, &line.key) {
            unit.0.extend(fields);
        }
    }

    fn unit_mut(&mut self, file: &str, key: &str) -> Option<&mut LockedUnit> {
        let keys = match self.files.get_mut(file) {
            Some(keys) => keys,
            None => self.files.entry(file.into()).or_default(),
        };
        let next = u32::try_from(self.units.len()).unwrap_or(u32::MAX);
        let at = match keys.get(key) {
            Some(at) => *at,
            None => *keys.entry(key.into()).or_insert(next),
        } as usize;
        if at >= self.units.len() {
            self.units.push(LockedUnit::default());
        }
        self.units.get_mut(at)
    }

    /// Returns the number of a new or known language. Tries `guess` first, because most lines have the same languages.
    fn add_language(&mut self, name: &str, guess: usize) -> u16 {
        if self.languages.get(guess).is_some_and(|language| &**language == name) {
            return u16::try_from(guess).unwrap_or(u16::MAX);
        }
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u16::try_from(self.languages.len()).unwrap_or(u16::MAX);
        self.languages.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    /// Returns the number of a language; `None` if it never had an entry.
    pub fn language_number(&self, name: &str) -> Option<LockLanguage> {
        self.numbers.get(name).copied().map(LockLanguage)
    }

    /// Returns a unit. `key` is in the notation of [`lock_key`].
    pub fn unit(&self, file: &str, key: &str) -> Option<&LockedUnit> {
        self.units.get(*self.files.get(file)?.get(key)? as usize)
    }

    /// Returns the positions of units of a file, for [`Self::unit_at`].
    pub fn positions<'k>(&self, file: &str, keys: impl Iterator<Item = &'k str>) -> Vec<Option<u32>> {
        let positions = self.files.get(file);
        keys.map(|key| positions.and_then(|positions| positions.get(key).copied())).collect()
    }

    /// Returns the unit at a position.
    pub fn unit_at(&self, position: u32) -> Option<&LockedUnit> {
        self.units.get(position as usize)
    }

    /// Replaces all entries of a unit in a language.
    pub fn set(&mut self, file: &str, key: &str, language: &str, entry: LockEntry) {
        let number = self.add_language(language, 0);
        let Some(unit) = self.unit_mut(file, key) else { return };
        unit.0.retain(|(language, _)| *language != number);
        let place = unit.0.partition_point(|(language, _)| *language < number);
        unit.0.insert(place, (number, entry));
    }

    /// Removes all entries of a unit in a language.
    pub fn remove(&mut self, file: &str, key: &str, language: &str) {
        let Some(LockLanguage(number)) = self.language_number(language) else { return };
        let Some(keys) = self.files.get_mut(file) else { return };
        if let Some(unit) = keys.get(key).and_then(|at| self.units.get_mut(*at as usize)) {
            unit.0.retain(|(language, _)| *language != number);
            if unit.0.is_empty() {
                keys.remove(key);
            }
        }
        if keys.is_empty() {
            self.files.remove(file);
        }
    }

    /// Returns the number of units of a file.
    pub fn count(&self, file: &str) -> usize {
        self.files.get(file).map_or(0, HashMap::len)
    }

    /// Returns the targets of a file in one language that only tulk wrote.
    pub fn targets_only_by_tulk(&self, file: &str, language: LockLanguage) -> HashSet<TextDigest> {
        let units = self.files.get(file).into_iter().flat_map(HashMap::values);
        let units = units.filter_map(|at| self.unit_at(*at));
        let (mut own, mut others) = (HashSet::new(), HashSet::new());
        for entry in units.flat_map(|unit| unit.of(language)) {
            match entry.author {
                TargetAuthor::Tulk => own.extend(entry.target),
                _ => others.extend(entry.target),
            }
        }
        own.retain(|target| !others.contains(target));
        own
    }

    /// Removes all entries of some languages.
    pub fn remove_languages(&mut self, languages: &[String]) {
        let numbers: HashSet<u16> = languages.iter().filter_map(|name| self.numbers.get(&**name).copied()).collect();
        for unit in &mut self.units {
            unit.0.retain(|(language, _)| !numbers.contains(language));
        }
        for keys in self.files.values_mut() {
            keys.retain(|_, at| self.units.get(*at as usize).is_some_and(|unit| !unit.0.is_empty()));
        }
        self.files.retain(|_, keys| !keys.is_empty());
    }

    /// Removes a file.
    pub fn remove_file(&mut self, file: &str) {
        self.files.remove(file);
    }

    /// Returns the keys of a file, unordered.
    pub fn keys(&self, file: &str) -> impl Iterator<Item = &str> {
        self.files.get(file).into_iter().flat_map(|units| units.keys().map(|key| &**key))
    }

    /// Returns the files, unordered.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(|file| &**file)
    }

    /// Returns all languages, in order of first occurrence.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(|language| &**language)
    }

    /// Returns the entries of a unit with their languages.
    #[cfg(test)]
    pub fn entries(&self, file: &str, key: &str) -> impl Iterator<Item = (&str, LockEntry)> {
        self.unit(file, key).into_iter().flat_map(|unit| &unit.0).map(|(language, entry)| {
            let name = self.languages.get(usize::from(*language)).map(|name| &**name).unwrap_or_default();
            (name, *entry)
        })
    }

    /// Returns the text of the lock file: lines in byte order, languages in alphabetical order.
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
        for (file, keys) in sorted(&self.files) {
            for (key, at) in sorted(keys) {
                let Some(unit) = self.unit_at(*at) else { continue };
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

/// Returns a hash that detects changes of the lock during a run. Not stable across builds.
pub fn text_hash(text: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hasher::write(&mut hasher, text.as_bytes());
    std::hash::Hasher::finish(&hasher)
}

fn sorted<T>(map: &HashMap<Box<str>, T>) -> Vec<(&str, &T)> {
    let mut entries: Vec<(&str, &T)> = map.iter().map(|(key, value)| (&**key, value)).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}
