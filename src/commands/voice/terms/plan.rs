//! What `sync` does, decided before anything is sent: from the files and from what the service has.

use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::SpokenTerms;
use tulk_formats::input::term_list::TermList;

use super::files::LoadedTermList;
use crate::output::{Cell, Column, Row};
use crate::reports::sync_action::{SyncAction, removals};

/// The action for one term list, with the number of terms it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermsSyncStep {
    /// What happens.
    pub action: SyncAction,
    /// Language of the list.
    pub lang: String,
    /// The number of added terms.
    pub added: usize,
    /// The number of removed terms.
    pub removed: usize,
    /// The number of terms that only the service has and that stay.
    pub kept: usize,
}

impl TermsSyncStep {
    fn new(action: SyncAction, lang: &LangCode) -> Self {
        Self { action, lang: lang.to_string(), added: 0, removed: 0, kept: 0 }
    }

    /// Returns what is done in words, such as `replace en: 1 added, 2 removed`; `None` if nothing is.
    pub fn in_words(&self) -> Option<String> {
        self.action.in_words(&self.lang, &[(self.added, "added"), (self.removed, "removed")])
    }

    /// Creates the step that turns the terms of the service into those of a file.
    fn between(lang: &LangCode, old: &TermList, new: &TermList, prune: bool) -> Self {
        let (added, only_old) = (new.missing_in(old).len(), old.missing_in(new).len());
        let (removed, kept) = if prune { (only_old, 0) } else { (0, only_old) };
        let action = match (removed > 0, added > 0) {
            (true, _) => SyncAction::Replace,
            (false, true) => SyncAction::Merge,
            (false, false) => SyncAction::Same,
        };
        Self { added, removed, kept, ..Self::new(action, lang) }
    }
}

impl Row for TermsSyncStep {
    const COLUMNS: &'static [Column] = &[
        Column::text("action").rank(0),
        Column::text("lang").header("LANGUAGE").rank(0),
        Column::count("added"),
        Column::count("removed"),
        Column::count("kept"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.action.word()),
            Cell::from(&self.lang),
            Cell::from(self.added),
            Cell::from(self.removed),
            Cell::from(self.kept),
        ]
    }
}

/// A step with everything that is needed to carry it out.
pub struct PlannedTermList<'a> {
    /// What happens.
    pub step: TermsSyncStep,
    /// The language.
    pub lang: LangCode,
    /// The file; `None` for a list that only the service has.
    pub file: Option<&'a LoadedTermList>,
    /// The terms on the service, if they are compared with a file.
    pub old: TermList,
}

/// The steps of a run: the lists with files first, in the order of the arguments.
pub struct TermsSyncPlan<'a>(pub Vec<PlannedTermList<'a>>);

impl<'a> TermsSyncPlan<'a> {
    /// Plans a run.
    ///
    /// `files` are the files, each with the terms that the service has for its language; `collection` is `None` if it
    /// does not exist yet. With `prune`, terms and lists without a file are removed.
    pub fn new(
        files: Vec<(&'a LoadedTermList, Option<TermList>)>,
        collection: Option<&SpokenTerms>,
        prune: bool,
    ) -> Result<Self, Failure> {
        let mut without_file = Vec::new();
        for info in collection.into_iter().flat_map(|collection| &collection.term_lists) {
            let lang: LangCode = info.lang.parse().map_err(|why: String| Failure::new(Kind::Network, why))?;
            if files.iter().any(|(file, _)| file.lang == lang) {
                continue;
            }
            let terms = usize::try_from(info.entry_count.unwrap_or(0)).unwrap_or(usize::MAX);
            let step = if prune {
                TermsSyncStep { removed: terms, ..TermsSyncStep::new(SyncAction::Delete, &lang) }
            } else {
                TermsSyncStep { kept: terms, ..TermsSyncStep::new(SyncAction::Keep, &lang) }
            };
            without_file.push(PlannedTermList { step, lang, file: None, old: TermList::default() });
        }
        let new_action = if collection.is_some() { SyncAction::Add } else { SyncAction::Create };
        let with_file = files.into_iter().map(|(file, old)| {
            let step = match &old {
                Some(old) => TermsSyncStep::between(&file.lang, old, &file.list, prune),
                None => TermsSyncStep { added: file.list.len(), ..TermsSyncStep::new(new_action, &file.lang) },
            };
            PlannedTermList { step, lang: file.lang.clone(), file: Some(file), old: old.unwrap_or_default() }
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
        let terms = with(SyncAction::Replace).map(|planned| planned.step.removed).sum();
        removals([(terms, "term", "terms"), (with(SyncAction::Delete).count(), "term list", "term lists")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_list_only_to_remove_terms() {
        let step = |old: &str, new: &str, prune| {
            let (old, new) = (TermList::from_entries(old), TermList::from_entries(new));
            let step = TermsSyncStep::between(&"en".parse().unwrap(), &old, &new, prune);
            (step.action, [step.added, step.removed, step.kept])
        };
        assert_eq!(step("a\nb", "b\na", true), (SyncAction::Same, [0, 0, 0]), "the order does not count");
        assert_eq!(step("a", "a\nb", true), (SyncAction::Merge, [1, 0, 0]));
        assert_eq!(step("a\nb", "a\nc", true), (SyncAction::Replace, [1, 1, 0]));
        assert_eq!(step("a\nb", "a\nc", false), (SyncAction::Merge, [1, 0, 1]));
        assert_eq!(step("a\nb", "a", false), (SyncAction::Same, [0, 0, 1]));
    }
}
