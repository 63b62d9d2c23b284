//! Compares source units with target units and the lock, and computes the state of each, independent of files and
//! formats.

use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use tulk_catalogs::{Catalog, SkipReason, Unit, UnitKey, UnitText};

use super::digest::TextDigest;
use super::journal::Journal;
use super::lock::{Lock, LockEntry, LockLanguage, LockedUnit, TargetAuthor, lock_key};
use super::moves::UnitLocation;
use super::state::{NoteComparison, SourceDigests, TargetDigests, UnitState, unit_state};

/// The units of a source catalogue, ready for comparison.
#[derive(Debug)]
pub struct SourceUnits {
    /// All units of the file.
    pub units: Vec<Unit>,
    /// The units that need translations, in file order.
    pub kept: Vec<SourceUnit>,
    /// Number of values that need no translation: untranslatable values, references and values that the project excludes.
    /// Numbers are not counted.
    pub skipped: u64,
    keys: OnceLock<HashSet<UnitKey>>,
}

/// A unit that needs translations.
#[derive(Clone, Debug)]
pub struct SourceUnit {
    /// Its position in [`SourceUnits::units`].
    pub position: usize,
    /// Its key as written in the lock.
    pub lock_key: String,
    /// Digests of its text and note.
    pub digests: SourceDigests,
}

impl SourceUnits {
    /// Takes the units of a catalogue. `exclude` selects keys that the project leaves out; `note` supplies missing
    /// notes.
    pub fn new(
        catalog: Catalog,
        exclude: impl Fn(&UnitKey) -> bool,
        note: impl Fn(&UnitKey) -> Option<String>,
    ) -> Self {
        let mut units = catalog.units;
        // Numbers never need a translation, so they are not counted as skipped.
        let others = catalog.other_values.iter().filter(|(reason, _)| **reason != SkipReason::Number);
        let (mut kept, mut skipped) = (Vec::with_capacity(units.len()), others.map(|(_, count)| count).sum());
        for (position, unit) in units.iter_mut().enumerate() {
            if unit.text.is_blank() {
                continue;
            }
            if unit.skip.is_some() || exclude(&unit.key) {
                skipped += 1;
                continue;
            }
            if unit.note.is_none() {
                unit.note = note(&unit.key);
            }
            let digests = SourceDigests {
                text: TextDigest::of_unit(&unit.text, false),
                note: unit.note.as_deref().map(TextDigest::of_text),
            };
            kept.push(SourceUnit { position, lock_key: lock_key(&unit.key), digests });
        }
        Self { units, kept, skipped, keys: OnceLock::new() }
    }

    /// Returns the unit at a position of the file.
    pub fn unit(&self, position: usize) -> Option<&Unit> {
        self.units.get(position)
    }

    /// Returns the lock keys of the units that are not in `kept`.
    pub fn other_lock_keys(&self) -> impl Iterator<Item = String> {
        let mut kept = self.kept.iter().peekable();
        let others = self.units.iter().enumerate();
        let others = others.filter(move |(position, _)| kept.next_if(|kept| kept.position == *position).is_none());
        others.map(|(_, unit)| lock_key(&unit.key))
    }

    /// Returns the lock position of each unit in `kept`; empty if there is no lock.
    pub fn positions_in(&self, lock: &Lock, file: &str) -> Vec<Option<u32>> {
        if !lock.exists {
            return Vec::new();
        }
        lock.positions(file, self.kept.iter().map(|kept| kept.lock_key.as_str()))
    }

    /// Returns the lock keys of all units.
    pub fn lock_keys(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        let mut kept = self.kept.iter().peekable();
        self.units.iter().enumerate().map(move |(position, unit)| {
            match kept.next_if(|kept| kept.position == position) {
                Some(kept) => kept.lock_key.as_str().into(),
                None => lock_key(&unit.key).into(),
            }
        })
    }

    /// Returns whether any unit has this key.
    pub fn has_key(&self, key: &UnitKey) -> bool {
        self.keys.get_or_init(|| self.units.iter().map(|unit| unit.key.clone()).collect()).contains(key)
    }
}

/// The units of a target catalogue.
#[derive(Clone, Copy, Debug)]
pub struct TargetUnits<'a> {
    /// All units of the file; empty if the file is missing.
    pub units: &'a [Unit],
    /// Whether the file holds both source and target texts.
    pub is_bilingual: bool,
}

impl<'a> TargetUnits<'a> {
    /// Returns the text of a target unit; `None` if it is empty or only line breaks and indentation.
    ///
    /// A single space counts as a text: translators enter one where their language needs no word.
    pub fn text(&self, unit: &'a Unit) -> Option<&'a UnitText> {
        let text = if self.is_bilingual { unit.target.as_ref() } else { Some(&unit.text) };
        let is_space = |text: &str| !text.is_empty() && !text.contains(['\n', '\r']);
        text.filter(|text| !text.is_blank() || text.texts().any(is_space))
    }
}

/// The lock and the journal, as far as they concern one target.
#[derive(Clone, Copy, Debug)]
pub struct KnownTargets<'a> {
    /// The project's lock.
    pub lock: &'a Lock,
    /// Positions of the source units in the lock, from [`SourceUnits::positions_in`].
    pub locked: &'a [Option<u32>],
    /// The journal of an interrupted run.
    pub journal: Option<&'a Journal>,
    /// The name of the source file in the lock.
    pub file: &'a str,
    /// The target language, as written in the project.
    pub lang: &'a str,
    /// Whether a changed note makes a unit stale.
    pub notes: NoteComparison,
    /// Whether targets that are not in the lock count as tulk's work.
    pub adopts: bool,
}

/// A source unit in one target language.
#[derive(Clone, Copy, Debug)]
pub struct ComparedUnit {
    /// Position in [`SourceUnits::kept`].
    pub source: usize,
    /// Position of the target unit in its file.
    pub target: Option<usize>,
    /// Digests of the target; `None` if it has no text.
    pub digests: Option<TargetDigests>,
    /// The entry from the lock or the journal. For an adopted target, and for a text by tulk that was later marked as
    /// unconfirmed, it is created here instead.
    pub entry: Option<LockEntry>,
    /// Whether the lock has exactly this entry for this unit and language or, if `entry` is `None`, has no entry. Also
    /// true if the lock has another entry that a run must not replace.
    pub is_locked: bool,
    /// The state of the translation.
    pub state: UnitState,
}

impl ComparedUnit {
    /// Returns whether the target is missing, or needs a new translation and is not a person's.
    pub fn can_overwrite(&self) -> bool {
        match self.state {
            UnitState::Missing | UnitState::Stale | UnitState::Failed => true,
            UnitState::Broken => self.entry.is_some_and(|entry| {
                entry.author == TargetAuthor::Tulk && entry.target == self.digests.map(|target| target.text)
            }),
            _ => false,
        }
    }
}

/// Compares a source with a target, and calls `found` for each unit in [`SourceUnits::kept`], in order. `problem` gets
/// the source unit, the target text and its author. Returns the positions of units that only the target has.
pub fn compare(
    source: &SourceUnits,
    target: TargetUnits<'_>,
    known: KnownTargets<'_>,
    problem: impl Fn(&Unit, &UnitText, TargetAuthor) -> Option<String>,
    mut found: impl FnMut(ComparedUnit),
) -> Vec<usize> {
    let positions = UnitPositions::new(target.units);
    let entries = KnownEntries::new(known);
    let mut is_found = vec![false; target.units.len()];
    for (number, kept) in source.kept.iter().enumerate() {
        let Some(unit) = source.unit(kept.position) else { continue };
        let position = positions.find(&unit.key);
        if let Some(is_found) = position.and_then(|position| is_found.get_mut(position)) {
            *is_found = true;
        }
        let target_unit = position.and_then(|position| target.units.get(position));
        let text = target_unit.and_then(|unit| target.text(unit));
        let digests = target_unit.zip(text).map(|(target, text)| TargetDigests {
            text: TextDigest::of_unit(text, target.needs_review),
            needs_review: target.needs_review,
            is_same: *text == unit.text && text.texts().any(|text| text.chars().any(char::is_alphabetic)),
        });
        let (entry, is_locked) = entries.of((number, kept), digests, text);
        let is_broken = |author| text.is_some_and(|text| problem(unit, text, author).is_some());
        let state = unit_state(kept.digests, digests, entry, known.notes, is_broken);
        found(ComparedUnit { source: number, target: position, digests, entry, is_locked, state });
    }
    let extra = target.units.iter().enumerate();
    let extra = extra.filter(|(position, unit)| {
        is_found.get(*position) == Some(&false) && target.text(unit).is_some() && !source.has_key(&unit.key)
    });
    extra.map(|(position, _)| position).collect()
}

struct KnownEntries<'a> {
    known: KnownTargets<'a>,
    journal: Option<&'a Journal>,
    language: Option<LockLanguage>,
    /// Digests of all targets in this file and language that tulk wrote, under any key.
    tulk_targets: OnceCell<HashSet<TextDigest>>,
}

impl<'a> KnownEntries<'a> {
    fn new(known: KnownTargets<'a>) -> Self {
        let journal = known.journal.filter(|journal| journal.has_written(known.file, known.lang));
        Self { known, journal, language: known.lock.language_number(known.lang), tulk_targets: OnceCell::new() }
    }

    /// Returns the values of `entry` and `is_locked` for a `ComparedUnit`.
    fn of(
        &self,
        (number, kept): (usize, &SourceUnit),
        target: Option<TargetDigests>,
        text: Option<&UnitText>,
    ) -> (Option<LockEntry>, bool) {
        let known = self.known;
        let target_text = target.map(|target| target.text);
        let location = || UnitLocation { file: known.file.to_owned(), key: kept.lock_key.clone() };
        let written = self.journal.and_then(|journal| journal.written_entry(&location(), known.lang, target_text));
        let unit = known.locked.get(number).copied().flatten().and_then(|at| known.lock.unit_at(at));
        let locked = unit.zip(self.language);
        let source = Some((kept.digests.text, kept.digests.note));
        let entry = locked.and_then(|(unit, language)| unit.entry_with_note(language, source, target_text));
        let count = locked.map_or(0, |(unit, language)| unit.count(language));
        if let Some(written) = written {
            return (Some(written), entry == Some(written) && count == 1);
        }
        let fits = entry.is_some_and(|entry| entry.target == target_text);
        if let Some(target) = target.filter(|target| target.needs_review && !fits)
            && let Some(text) = text
            && self.is_by_tulk(locked, TextDigest::of_unit(text, false))
        {
            // Tulk wrote this text, and somebody marked it as unconfirmed later.
            let SourceDigests { text, note } = kept.digests;
            let entry = LockEntry { author: TargetAuthor::Tulk, source: text, note, target: Some(target.text) };
            // Return `true`, so that the run does not replace the entry in the lock, which belongs to the confirmed text.
            return (Some(entry), true);
        }
        if entry.is_none()
            && let Some(target) = target.filter(|target| known.adopts && !target.needs_review)
        {
            let SourceDigests { text, note } = kept.digests;
            let note = note.filter(|_| known.notes == NoteComparison::Compared);
            let entry = LockEntry { author: TargetAuthor::Tulk, source: text, note, target: Some(target.text) };
            return (Some(entry), false);
        }
        (entry, count == usize::from(entry.is_some()))
    }

    /// Returns whether tulk wrote this text, ignoring the review marker. If the lock has the unit, its entry decides.
    /// Otherwise, the unit may have moved, and the text is tulk's if tulk wrote it anywhere in the file.
    fn is_by_tulk(&self, locked: Option<(&LockedUnit, LockLanguage)>, target: TextDigest) -> bool {
        if let Some((unit, language)) = locked.filter(|(unit, language)| unit.count(*language) > 0) {
            let entry = unit.entry(language, None, Some(target));
            return entry.is_some_and(|entry| entry.target == Some(target) && entry.author == TargetAuthor::Tulk);
        }
        let targets = self.tulk_targets.get_or_init(|| {
            self.language
                .map(|language| self.known.lock.targets_only_by_tulk(self.known.file, language))
                .unwrap_or_default()
        });
        targets.contains(&target)
    }
}

/// Finds units of a file by key. Fast if keys are requested in file order.
pub struct UnitPositions<'a> {
    units: &'a [Unit],
    by_key: OnceCell<HashMap<&'a UnitKey, usize>>,
    /// Guess for the next lookup: the position after the last match.
    next: Cell<usize>,
}

impl<'a> UnitPositions<'a> {
    /// Positions of these units.
    pub fn new(units: &'a [Unit]) -> Self {
        Self { units, by_key: OnceCell::new(), next: Cell::new(0) }
    }

    /// Returns the position of a key. Takes constant time if it follows the last match. The first lookup of
    /// any other key builds a map of all keys.
    pub fn find(&self, key: &UnitKey) -> Option<usize> {
        let guess = self.next.get();
        let position = if self.units.get(guess).is_some_and(|unit| unit.key == *key) {
            Some(guess)
        } else {
            let all = || self.units.iter().enumerate().map(|(position, unit)| (&unit.key, position)).collect();
            self.by_key.get_or_init(all).get(key).copied()
        };
        self.next.set(position.map_or(guess, |position| position + 1));
        position
    }

    /// Returns the unit with this key.
    pub fn unit(&self, key: &UnitKey) -> Option<&'a Unit> {
        self.units.get(self.find(key)?)
    }
}

#[cfg(test)]
mod tests {
    use tulk_catalogs::SkipReason;

    use super::*;
    use crate::lock::TargetAuthor;

    fn unit(key: &str, text: &str) -> Unit {
        Unit { key: UnitKey::name(key), text: UnitText::Single(text.to_owned()), ..Unit::default() }
    }

    fn source(units: Vec<Unit>) -> SourceUnits {
        let catalog = Catalog { units, ..Catalog::default() };
        SourceUnits::new(catalog, |key| *key == UnitKey::name("debug"), |_| None)
    }

    fn states(source: &SourceUnits, target: &[Unit], lock: &Lock) -> (Vec<&'static str>, Vec<usize>) {
        let locked = source.positions_in(lock, "en.json");
        let known = KnownTargets {
            lock,
            locked: &locked,
            journal: None,
            file: "en.json",
            lang: "de",
            notes: NoteComparison::Compared,
            adopts: false,
        };
        let target = TargetUnits { units: target, is_bilingual: false };
        let mut states = Vec::new();
        let problem =
            |_: &Unit, text: &UnitText, _| text.texts().any(|text| text.contains("BAD")).then(|| "bad".to_owned());
        let extra = compare(source, target, known, problem, |unit| states.push(unit.state.name()));
        (states, extra)
    }

    #[test]
    fn each_unit_has_its_state() {
        let skipped = Unit { skip: Some(SkipReason::Untranslatable), ..unit("app", "App") };
        let source = source(vec![
            unit("a", "One"),
            unit("b", "Two"),
            unit("debug", "x"),
            unit("c", "Three"),
            skipped,
            unit("blank", " "),
            unit("d", "Four"),
            unit("e", "5"),
        ]);
        assert_eq!((source.kept.len(), source.skipped), (5, 2));
        let mut lock = Lock::parse("");
        let entry = |source: &str, target: &str| LockEntry {
            author: TargetAuthor::Tulk,
            source: TextDigest::of_text(source),
            note: None,
            target: Some(TextDigest::of_text(target)),
        };
        lock.set("en.json", "a", "de", entry("One", "Eins"));
        lock.set("en.json", "b", "de", entry("Two!", "Zwei"));
        let target = [
            unit("old", "Alt"),
            unit("d", "Four"),
            unit("e", "5"),
            unit("a", "Eins"),
            unit("b", "Zwei"),
            unit("c", "BAD"),
            unit("app", "App"),
            unit("gone", ""),
            unit("line", "\n  "),
        ];
        let expected = vec!["current", "stale", "broken", "same", "edited"];
        assert_eq!(states(&source, &target, &lock), (expected, vec![0]));
        assert_eq!(states(&source, &[], &lock).0, ["missing"; 5]);
    }

    #[test]
    fn bilingual_files_are_compared_by_their_translations() {
        let with = |key: &str, target: Option<&str>, needs_review| Unit {
            target: target.map(|text| UnitText::Single(text.to_owned())),
            needs_review,
            ..unit(key, key)
        };
        let units = vec![
            with("a", Some("A!"), false),
            with("b", None, false),
            with("c", Some("C!"), true),
            with("at", Some(" "), false),
            with("e", Some(""), false),
            with("f", Some("\n  "), false),
        ];
        let source = source(units.clone());
        let known = KnownTargets {
            lock: &Lock::default(),
            locked: &[],
            journal: None,
            file: "x.po",
            lang: "de",
            notes: NoteComparison::Compared,
            adopts: false,
        };
        let mut states = Vec::new();
        let target = TargetUnits { units: &units, is_bilingual: true };
        compare(&source, target, known, |_, _, _| None, |unit| states.push(unit.state.name()));
        assert_eq!(states, ["edited", "missing", "review", "edited", "missing", "missing"]);
    }
}
