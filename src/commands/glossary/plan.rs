//! What `sync` does, decided before anything is sent: from the files and from what the service has.

use serde::{Deserialize, Serialize};

use super::files::LoadedDictionary;
use crate::api::glossary::{Glossary, LanguagePair};
use crate::error::Failure;
use crate::input::dictionary::{Dictionary, DictionaryDiff};
use crate::output::{Cell, Row};

/// What happens to one dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GlossarySyncAction {
    /// The glossary is created with it.
    Create,
    /// It is added to the glossary.
    Add,
    /// Entries are merged into it.
    Merge,
    /// It is replaced, because entries are removed.
    Replace,
    /// It is deleted.
    Delete,
    /// It has no file and stays as it is.
    Keep,
    /// It has all entries of its file.
    Same,
}

impl GlossarySyncAction {
    /// Returns the word for people and programs.
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

    /// Returns whether anything is sent.
    const fn is_change(self) -> bool {
        !matches!(self, Self::Keep | Self::Same)
    }
}

/// The action for one dictionary, with the number of entries it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossarySyncStep {
    /// What happens.
    pub action: GlossarySyncAction,
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
    fn for_dictionary(action: GlossarySyncAction, pair: &LanguagePair, entries: usize) -> Self {
        let mut step = Self::new(action, pair);
        match action {
            GlossarySyncAction::Create | GlossarySyncAction::Add => step.added = entries,
            GlossarySyncAction::Delete => step.removed = entries,
            _ => step.kept = entries,
        }
        step
    }

    /// Creates the step that turns the entries of the service into those of a file.
    fn between(pair: &LanguagePair, old: &Dictionary, new: &Dictionary, prune: bool) -> Self {
        let diff = DictionaryDiff::between(old, new);
        let action = match (diff.removed > 0 && prune, diff.added + diff.changed > 0) {
            (true, _) => GlossarySyncAction::Replace,
            (false, true) => GlossarySyncAction::Merge,
            (false, false) => GlossarySyncAction::Same,
        };
        let (removed, kept) = if prune { (diff.removed, 0) } else { (0, diff.removed) };
        Self { added: diff.added, changed: diff.changed, removed, kept, ..Self::new(action, pair) }
    }

    fn new(action: GlossarySyncAction, pair: &LanguagePair) -> Self {
        let (source_lang, target_lang) = (pair.source.to_string(), pair.target.to_string());
        Self { action, source_lang, target_lang, added: 0, changed: 0, removed: 0, kept: 0 }
    }
}

impl Row for GlossarySyncStep {
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
            let action = if prune { GlossarySyncAction::Delete } else { GlossarySyncAction::Keep };
            let entries = usize::try_from(info.entry_count.unwrap_or(0)).unwrap_or(usize::MAX);
            let step = GlossarySyncStep::for_dictionary(action, &pair, entries);
            without_file.push(PlannedDictionary { step, pair, file: None, old: Dictionary::default() });
        }
        let new_action = if glossary.is_some() { GlossarySyncAction::Add } else { GlossarySyncAction::Create };
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
        let entries: usize = with(GlossarySyncAction::Replace).map(|planned| planned.step.removed).sum();
        let dictionaries = with(GlossarySyncAction::Delete).count();
        let entries_text = if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") };
        let dictionaries_text =
            if dictionaries == 1 { "1 dictionary".to_owned() } else { format!("{dictionaries} dictionaries") };
        match (entries, dictionaries) {
            (0, 0) => None,
            (_, 0) => Some(entries_text),
            (0, _) => Some(dictionaries_text),
            _ => Some(format!("{entries_text} and {dictionaries_text}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(old: &[(&str, &str)], new: &[(&str, &str)], prune: bool) -> (GlossarySyncAction, [usize; 4]) {
        let (old, new) = (Dictionary::of(old.iter().copied()), Dictionary::of(new.iter().copied()));
        let step = GlossarySyncStep::between(&"en:de".parse().unwrap(), &old, &new, prune);
        (step.action, [step.added, step.changed, step.removed, step.kept])
    }

    #[test]
    fn replaces_a_dictionary_only_to_remove_entries() {
        let (ab, a, ab2) = ([("a", "1"), ("b", "2")], [("a", "1")], [("b", "3"), ("a", "1")]);
        assert_eq!(step(&ab, &ab, true), (GlossarySyncAction::Same, [0, 0, 0, 0]));
        assert_eq!(step(&a, &ab, true), (GlossarySyncAction::Merge, [1, 0, 0, 0]));
        assert_eq!(step(&ab, &ab2, false), (GlossarySyncAction::Merge, [0, 1, 0, 0]));
        assert_eq!(step(&ab, &a, true), (GlossarySyncAction::Replace, [0, 0, 1, 0]));
        assert_eq!(step(&ab, &a, false), (GlossarySyncAction::Same, [0, 0, 0, 1]));
    }
}
