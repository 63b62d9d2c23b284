//! The state of a unit in a language, which decides what a run does with it.

use super::digest::TextDigest;
use super::lock::{LockEntry, TargetAuthor};

/// State of a unit in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitState {
    /// The source does not have the key.
    Extra,
    /// The last result was unusable. The unit stays failed until the source, its note or the target changes.
    Failed,
    /// The target has no text.
    Missing,
    /// The source or its note changed after tulk translated it, or the file marks the target as unconfirmed.
    Stale,
    /// The source or its note changed after a person wrote the target, or the file marks the target as unconfirmed.
    Review,
    /// The target breaks a rule, such as a missing placeholder.
    Broken,
    /// The target equals the source, and tulk did not write it.
    Same,
    /// A person wrote the target, and it is up to date.
    Edited,
    /// Tulk translated the target, and it is up to date.
    Current,
}

impl UnitState {
    /// All states.
    pub const ALL: [Self; 9] = [
        Self::Extra,
        Self::Failed,
        Self::Missing,
        Self::Stale,
        Self::Review,
        Self::Broken,
        Self::Same,
        Self::Edited,
        Self::Current,
    ];

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extra => "extra",
            Self::Failed => "failed",
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Review => "review",
            Self::Broken => "broken",
            Self::Same => "same",
            Self::Edited => "edited",
            Self::Current => "current",
        }
    }
}

/// Digests of a source unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceDigests {
    /// Digest of the text.
    pub text: TextDigest,
    /// Digest of the note; `None` if it has none.
    pub note: Option<TextDigest>,
}

/// Digests and markers of a target unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetDigests {
    /// Digest of the text. Includes `needs_review`.
    pub text: TextDigest,
    /// Whether the file marks the text as unconfirmed.
    pub needs_review: bool,
    /// Whether the text equals the source and contains letters.
    pub is_same: bool,
}

/// Whether a changed note matters. Notes that are not sent have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteComparison {
    /// A changed note makes a unit stale.
    Compared,
    /// Notes have no effect.
    Ignored,
}

/// Returns the state of a source unit. `target` is `None` if the target has no text.
///
/// `is_broken` is called only for targets that are otherwise up to date, with their author.
pub fn unit_state(
    source: SourceDigests,
    target: Option<TargetDigests>,
    entry: Option<LockEntry>,
    notes: NoteComparison,
    is_broken: impl FnOnce(TargetAuthor) -> bool,
) -> UnitState {
    let has_same_source = |entry: &LockEntry| {
        entry.source == source.text && (notes == NoteComparison::Ignored || entry.note == source.note)
    };
    // If the target text has changed since the entry was written, ignore the entry: it does not show the author of the new text.
    let entry = entry.filter(|entry| entry.target == target.map(|target| target.text));
    if entry.is_some_and(|entry| entry.author == TargetAuthor::Failed && has_same_source(&entry)) {
        return UnitState::Failed;
    }
    let Some(target) = target else { return UnitState::Missing };
    match entry {
        // `Failed` never replaces the entry of a person's target, so tulk wrote this target.
        Some(LockEntry { author: TargetAuthor::Failed, .. }) => UnitState::Stale,
        Some(entry @ LockEntry { author: TargetAuthor::Tulk, .. }) => {
            if target.needs_review || !has_same_source(&entry) {
                UnitState::Stale
            } else if is_broken(TargetAuthor::Tulk) {
                UnitState::Broken
            } else {
                UnitState::Current
            }
        }
        Some(entry @ LockEntry { author: TargetAuthor::Person, .. }) => {
            if has_same_source(&entry) {
                UnitState::Edited
            } else {
                UnitState::Review
            }
        }
        None if target.needs_review => UnitState::Review,
        None if is_broken(TargetAuthor::Person) => UnitState::Broken,
        None if target.is_same => UnitState::Same,
        None => UnitState::Edited,
    }
}

/// Returns the entry to record for a unit that is not translated in this run; `None` if the lock stays as it is.
///
/// Records only a person's targets without problems. The others are reported in each run until `accept` records them.
pub fn adopted(
    source: SourceDigests,
    target: Option<TargetDigests>,
    entry: Option<LockEntry>,
    state: UnitState,
) -> Option<LockEntry> {
    let target = target?.text;
    let is_recorded = entry.is_some_and(|entry| entry.target == Some(target));
    (state == UnitState::Edited && !is_recorded).then(|| accepted(source, target))
}

/// Returns the entry of a target that a person wrote or accepted.
pub fn accepted(source: SourceDigests, target: TextDigest) -> LockEntry {
    LockEntry { author: TargetAuthor::Person, source: source.text, note: source.note, target: Some(target) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> TextDigest {
        TextDigest::of_text(text)
    }

    fn source(text: &str, note: &str) -> SourceDigests {
        SourceDigests { text: digest(text), note: (!note.is_empty()).then(|| digest(note)) }
    }

    #[allow(clippy::unnecessary_wraps)] // the argument type of `unit_state`
    fn target(text: &str) -> Option<TargetDigests> {
        Some(TargetDigests { text: digest(text), needs_review: false, is_same: false })
    }

    #[allow(clippy::unnecessary_wraps)] // the argument type of `unit_state`
    fn entry(author: TargetAuthor, source: &str, note: &str, target: &str) -> Option<LockEntry> {
        let note = (!note.is_empty()).then(|| digest(note));
        let target = (!target.is_empty()).then(|| digest(target));
        Some(LockEntry { author, source: digest(source), note, target })
    }

    fn state(source: SourceDigests, target: Option<TargetDigests>, entry: Option<LockEntry>) -> UnitState {
        unit_state(source, target, entry, NoteComparison::Compared, |_| false)
    }

    #[test]
    fn translations_by_tulk_become_stale_with_their_source() {
        let by_tulk = |source, note| entry(TargetAuthor::Tulk, source, note, "eins");
        assert_eq!(state(source("one", ""), target("eins"), by_tulk("one", "")), UnitState::Current);
        assert_eq!(state(source("One", ""), target("eins"), by_tulk("one", "")), UnitState::Stale);
        assert_eq!(state(source("one", "n"), target("eins"), by_tulk("one", "")), UnitState::Stale);
        assert_eq!(state(source("one", ""), target("eins"), by_tulk("one", "n")), UnitState::Stale);
        let fuzzy = target("eins").map(|target| TargetDigests { needs_review: true, ..target });
        assert_eq!(state(source("one", ""), fuzzy, by_tulk("one", "")), UnitState::Stale);
        assert_eq!(state(source("one", ""), None, by_tulk("one", "")), UnitState::Missing);
        let same = target("eins").map(|target| TargetDigests { is_same: true, ..target });
        assert_eq!(state(source("one", ""), same, by_tulk("one", "")), UnitState::Current);
    }

    #[test]
    fn a_target_missing_in_the_lock_counts_as_written_by_a_person() {
        let by_tulk = entry(TargetAuthor::Tulk, "one", "", "eins");
        for new_source in ["one", "One"] {
            assert_eq!(state(source(new_source, ""), target("Eins!"), by_tulk), UnitState::Edited, "{new_source}");
        }
        assert_eq!(state(source("one", ""), target("eins"), None), UnitState::Edited);
        let same = target("one").map(|target| TargetDigests { is_same: true, ..target });
        assert_eq!(state(source("one", ""), same, by_tulk), UnitState::Same);
        let fuzzy = target("Eins").map(|target| TargetDigests { needs_review: true, ..target });
        assert_eq!(state(source("one", ""), fuzzy, by_tulk), UnitState::Review);
        let broken = |target, entry| unit_state(source("one", ""), target, entry, NoteComparison::Compared, |_| true);
        assert_eq!(broken(target("Eins"), by_tulk), UnitState::Broken);
    }

    #[test]
    fn a_target_by_tulk_that_breaks_a_rule_is_broken_unless_it_is_stale() {
        let by_tulk = entry(TargetAuthor::Tulk, "one", "", "eins");
        let of_tulk = |author| author == TargetAuthor::Tulk;
        let state = |text| unit_state(source(text, ""), target("eins"), by_tulk, NoteComparison::Compared, of_tulk);
        assert_eq!((state("one"), state("two")), (UnitState::Broken, UnitState::Stale));
    }

    #[test]
    fn accepted_targets_stay_until_the_source_changes() {
        let accepted = entry(TargetAuthor::Person, "one", "n", "eins");
        let anything = target("eins").map(|target| TargetDigests { needs_review: true, is_same: true, ..target });
        let broken = |source, target| unit_state(source, target, accepted, NoteComparison::Compared, |_| true);
        assert_eq!(broken(source("one", "n"), anything), UnitState::Edited);
        assert_eq!(broken(source("two", "n"), anything), UnitState::Review);
        assert_eq!(broken(source("one", "m"), anything), UnitState::Review);
        assert_eq!(broken(source("one", "n"), target("ein")), UnitState::Broken);
    }

    #[test]
    fn a_unit_stays_failed_until_its_source_its_note_or_its_target_changes() {
        let failed = entry(TargetAuthor::Failed, "one", "n", "");
        assert_eq!(state(source("one", "n"), None, failed), UnitState::Failed);
        assert_eq!(state(source("two", "n"), None, failed), UnitState::Missing);
        assert_eq!(state(source("one", "m"), None, failed), UnitState::Missing);
        assert_eq!(state(source("one", "n"), target("eins"), failed), UnitState::Edited);
        let with_target = entry(TargetAuthor::Failed, "one", "n", "eins");
        assert_eq!(state(source("one", "n"), target("eins"), with_target), UnitState::Failed);
        assert_eq!(state(source("two", "n"), target("eins"), with_target), UnitState::Stale);
        assert_eq!(state(source("two", "n"), target("zwei"), with_target), UnitState::Edited);
    }

    #[test]
    fn ignores_notes_that_are_not_sent() {
        let by_tulk = entry(TargetAuthor::Tulk, "one", "old", "eins");
        let state = |text| unit_state(source(text, "new"), target("eins"), by_tulk, NoteComparison::Ignored, |_| false);
        assert_eq!((state("one"), state("two")), (UnitState::Current, UnitState::Stale));
    }

    #[test]
    fn adopts_only_targets_without_problems() {
        let (source, target) = (source("one", "n"), target("eins"));
        let expected = entry(TargetAuthor::Person, "one", "n", "eins");
        assert_eq!(adopted(source, target, None, UnitState::Edited), expected);
        assert_eq!(adopted(source, target, expected, UnitState::Edited), None, "it is recorded");
        for state in [UnitState::Same, UnitState::Broken, UnitState::Review, UnitState::Current] {
            assert_eq!(adopted(source, target, None, state), None);
        }
    }
}
