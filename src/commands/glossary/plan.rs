//! What `sync` is going to do, as data: made from what the service has and what the files hold, without sending.

use serde::{Deserialize, Serialize};

use crate::api::glossary::LanguagePair;
use crate::input::dictionary::{Dictionary, Diff};
use crate::output::{Cell, Row};

/// What happens to one dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The glossary is made with it.
    Create,
    /// It is added to the glossary.
    Add,
    /// Entries are merged into it.
    Merge,
    /// It is replaced, because entries go.
    Replace,
    /// It is deleted.
    Delete,
    /// It is only on the service, and stays.
    Keep,
    /// It is what the file is.
    Same,
}

impl Action {
    /// The word for people and programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Add => "add",
            Self::Merge => "merge",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Keep => "keep",
            Self::Same => "same",
        }
    }

    /// Whether something is sent for it.
    pub const fn is_change(self) -> bool {
        !matches!(self, Self::Keep | Self::Same)
    }
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What happens.
    pub action: Action,
    /// Source language of the dictionary.
    pub source_lang: String,
    /// Target language of the dictionary.
    pub target_lang: String,
    /// Entries that are added.
    pub added: usize,
    /// Entries that get another target.
    pub changed: usize,
    /// Entries that go.
    pub removed: usize,
    /// Entries that are only on the service, and stay.
    pub kept: usize,
}

impl Step {
    /// A step that concerns whole dictionaries: `entries` are added, removed or kept, by the action.
    pub fn whole(action: Action, pair: &LanguagePair, entries: usize) -> Self {
        let mut step = Self::of(action, pair);
        match action {
            Action::Create | Action::Add => step.added = entries,
            Action::Delete => step.removed = entries,
            _ => step.kept = entries,
        }
        step
    }

    /// The step from what the service has to what a file holds.
    pub fn between(pair: &LanguagePair, old: &Dictionary, new: &Dictionary, prune: bool) -> Self {
        let diff = Diff::between(old, new);
        let action = match (diff.removed > 0 && prune, diff.added + diff.changed > 0) {
            (true, _) => Action::Replace,
            (false, true) => Action::Merge,
            (false, false) => Action::Same,
        };
        let (removed, kept) = if prune { (diff.removed, 0) } else { (0, diff.removed) };
        Self { added: diff.added, changed: diff.changed, removed, kept, ..Self::of(action, pair) }
    }

    fn of(action: Action, pair: &LanguagePair) -> Self {
        let (source_lang, target_lang) = (pair.source.to_string(), pair.target.to_string());
        Self { action, source_lang, target_lang, added: 0, changed: 0, removed: 0, kept: 0 }
    }
}

impl Row for Step {
    const COLUMNS: &'static [&'static str] =
        &["action", "source_lang", "target_lang", "added", "changed", "removed", "kept"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.action.word()),
            Cell::from(&self.source_lang),
            Cell::from(&self.target_lang),
            Cell::from(self.added),
            Cell::from(self.changed),
            Cell::from(self.removed),
            Cell::from(self.kept),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(old: &[(&str, &str)], new: &[(&str, &str)], prune: bool) -> (Action, [usize; 4]) {
        let (old, new) = (Dictionary::of(old.iter().copied()), Dictionary::of(new.iter().copied()));
        let step = Step::between(&"en:de".parse().unwrap(), &old, &new, prune);
        (step.action, [step.added, step.changed, step.removed, step.kept])
    }

    #[test]
    fn replaces_only_where_entries_go() {
        let (ab, a, ab2) = ([("a", "1"), ("b", "2")], [("a", "1")], [("b", "3"), ("a", "1")]);
        assert_eq!(step(&ab, &ab, true), (Action::Same, [0, 0, 0, 0]));
        assert_eq!(step(&a, &ab, true), (Action::Merge, [1, 0, 0, 0]));
        assert_eq!(step(&ab, &ab2, false), (Action::Merge, [0, 1, 0, 0]));
        assert_eq!(step(&ab, &a, true), (Action::Replace, [0, 0, 1, 0]));
        assert_eq!(step(&ab, &a, false), (Action::Same, [0, 0, 0, 1]));
    }
}
