//! What `sync` does, decided before anything is sent: from the files and from what the service has.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_client::api::glossary::{Glossary, LanguagePair};
use tulk_formats::input::dictionary::{Dictionary, DictionaryDiff};

use super::files::LoadedDictionary;
use crate::output::{Cell, Column, Row};
use crate::reports::sync_action::{SyncAction, removals};

/// The action for one dictionary, with the number of entries it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossarySyncStep {
    /// What happens.
    pub action: SyncAction,
    /// Source language of the dictionary.
    pub source_lang: String,
    /// Target language of the dictionary.
    pub target_lang: String,
    /// The number of added entries.
    pub added: usize,
    /// The number of entries that get another target.
    pub changed: usize,
    /// The number of removed entries.
    pub removed: usize,
    /// The number of entries that only the service has and that stay.
    pub kept: usize,
}

impl GlossarySyncStep {
    /// Creates a step for a whole dictionary. The action decides how its entries are counted.
    fn for_dictionary(action: SyncAction, pair: &LanguagePair, entries: usize) -> Self {
        let mut step = Self::new(action, pair);
        match action {
            SyncAction::Create | SyncAction::Add => step.added = entries,
            SyncAction::Delete => step.removed = entries,
            _ => step.kept = entries,
        }
        step
    }

    /// Creates the step that turns the entries of the service into those of a file.
    fn between(pair: &LanguagePair, old: &Dictionary, new: &Dictionary, prune: bool) -> Self {
        let diff = DictionaryDiff::between(old, new);
        let action = match (diff.removed > 0 && prune, diff.added + diff.changed > 0) {
            (true, _) => SyncAction::Replace,
            (false, true) => SyncAction::Merge,
            (false, false) => SyncAction::Same,
        };
        let (removed, kept) = if prune { (diff.removed, 0) } else { (0, diff.removed) };
        Self { added: diff.added, changed: diff.changed, removed, kept, ..Self::new(action, pair) }
    }

    /// Returns what is done in words, such as `replace en:de: 1 added, 2 removed`; `None` if nothing is.
    pub fn in_words(&self) -> Option<String> {
        let counts = [(self.added, "added"), (self.changed, "changed"), (self.removed, "removed")];
        self.action.in_words(&format!("{}:{}", self.source_lang, self.target_lang), &counts)
    }

    fn new(action: SyncAction, pair: &LanguagePair) -> Self {
        let (source_lang, target_lang) = (pair.source.to_string(), pair.target.to_string());
        Self { action, source_lang, target_lang, added: 0, changed: 0, removed: 0, kept: 0 }
    }
}

impl Row for GlossarySyncStep {
    const COLUMNS: &'static [Column] = &[
        Column::text("action").rank(0),
        Column::text("source_lang").header("FROM").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::count("added"),
        Column::count("changed"),
        Column::count("removed"),
        Column::count("kept"),
    ];

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

/// A step with everything that is needed to carry it out.
pub struct PlannedDictionary<'a> {
    /// What happens.
    pub step: GlossarySyncStep,
    /// The language pair.
    pub pair: LanguagePair,
    /// The file; `None` for a dictionary that only the service has.
    pub file: Option<&'a LoadedDictionary>,
    /// The entries on the service, if they are compared with a file.
    pub old: Dictionary,
}

/// The steps of a run: the dictionaries with files first, in the order of the arguments.
pub struct GlossarySyncPlan<'a>(pub Vec<PlannedDictionary<'a>>);

impl<'a> GlossarySyncPlan<'a> {
    /// Plans a run.
    ///
    /// `files` are the files, each with the entries that the service has for its pair; `glossary` is `None` if it does
    /// not exist yet. With `prune`, entries and dictionaries without a file are removed.
    pub fn new(
        files: Vec<(&'a LoadedDictionary, Option<Dictionary>)>,
        glossary: Option<&Glossary>,
        prune: bool,
    ) -> Result<Self, Failure> {
        let pairs: Vec<&LanguagePair> = files.iter().map(|(file, _)| &file.pair).collect();
        let mut without_file = Vec::new();
        for info in glossary.into_iter().flat_map(|glossary| &glossary.dictionaries) {
            if pairs.iter().any(|pair| pair.matches(&info.source_lang, &info.target_lang)) {
                continue;
            }
            let pair = LanguagePair::from_codes(&info.source_lang, &info.target_lang)?;
            let action = if prune { SyncAction::Delete } else { SyncAction::Keep };
            let entries = usize::try_from(info.entry_count.unwrap_or(0)).unwrap_or(usize::MAX);
            let step = GlossarySyncStep::for_dictionary(action, &pair, entries);
            without_file.push(PlannedDictionary { step, pair, file: None, old: Dictionary::default() });
        }
        let new_action = if glossary.is_some() { SyncAction::Add } else { SyncAction::Create };
        let with_file = files.into_iter().map(|(file, old)| {
            let (pair, new) = (&file.pair, &file.dictionary);
            let step = match &old {
                Some(old) => GlossarySyncStep::between(pair, old, new, prune),
                None => GlossarySyncStep::for_dictionary(new_action, pair, new.len()),
            };
            PlannedDictionary { step, pair: pair.clone(), file: Some(file), old: old.unwrap_or_default() }
        });
        Ok(Self(with_file.chain(without_file).collect()))
    }

    /// Returns whether anything is sent.
    pub fn has_changes(&self) -> bool {
        self.0.iter().any(|planned| planned.step.action.is_change())
    }

    /// Returns what is removed, for a question; `None` if nothing is.
    pub fn removals(&self) -> Option<String> {
        let with = |action| self.0.iter().filter(move |planned| planned.step.action == action);
        let entries: usize = with(SyncAction::Replace).map(|planned| planned.step.removed).sum();
        let dictionaries = with(SyncAction::Delete).count();
        removals([(entries, "entry", "entries"), (dictionaries, "dictionary", "dictionaries")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(old: &[(&str, &str)], new: &[(&str, &str)], prune: bool) -> (SyncAction, [usize; 4]) {
        let (old, new) = (Dictionary::from_entries(old.iter().copied()), Dictionary::from_entries(new.iter().copied()));
        let step = GlossarySyncStep::between(&"en:de".parse().unwrap(), &old, &new, prune);
        (step.action, [step.added, step.changed, step.removed, step.kept])
    }

    #[test]
    fn replaces_a_dictionary_only_to_remove_entries() {
        let (ab, a, ab2) = ([("a", "1"), ("b", "2")], [("a", "1")], [("b", "3"), ("a", "1")]);
        assert_eq!(step(&ab, &ab, true), (SyncAction::Same, [0, 0, 0, 0]));
        assert_eq!(step(&a, &ab, true), (SyncAction::Merge, [1, 0, 0, 0]));
        assert_eq!(step(&ab, &ab2, false), (SyncAction::Merge, [0, 1, 0, 0]));
        assert_eq!(step(&ab, &a, true), (SyncAction::Replace, [0, 0, 1, 0]));
        assert_eq!(step(&ab, &a, false), (SyncAction::Same, [0, 0, 0, 1]));
    }
}
