//! Deduplicates the sentences of a language, across files, and assembles units from their translations. Equal sentences
//! with equal context share an entry.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use smallvec::SmallVec;

use tulk_catalogs::{Expansion, Sentence, UnitText};

/// Units of a language with the same request options.
#[derive(Debug, Default)]
pub struct LanguageWork {
    /// Sentences to send, in order.
    pub entries: Vec<WorkEntry>,
    /// Units to translate.
    pub tasks: Vec<UnitTask>,
    /// Last entry for each hash of text and context; `WorkEntry::previous_with_hash` continues the chain.
    last_with_hash: HashMap<u64, usize>,
    hasher: RandomState,
}

/// A sentence to send.
#[derive(Debug)]
pub struct WorkEntry {
    /// Context of the request.
    pub context: Option<Arc<str>>,
    /// Units that need this sentence: position in [`LanguageWork::tasks`], and number of the sentence in the unit.
    users: SmallVec<[(usize, usize); 1]>,
    previous_with_hash: Option<usize>,
}

/// A unit to translate.
#[derive(Debug)]
pub struct UnitTask {
    /// Position of the target in the plan.
    pub target: usize,
    /// Position of the unit in [`PlannedTarget::units`](crate::plan::PlannedTarget::units).
    pub unit: usize,
    expansion: Arc<Expansion>,
    results: SmallVec<[Option<String>; 1]>,
    /// Whether all results so far equal the sent text.
    is_unchanged: bool,
    failure: Option<String>,
}

/// Result of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskOutcome {
    /// All sentences have results.
    Done {
        /// Text for the target.
        text: UnitText,
        /// Whether all results equal the sent text.
        is_unchanged: bool,
    },
    /// A result is unusable, for this reason.
    Failed(String),
    /// Some sentences have no result.
    Unfinished,
}

impl LanguageWork {
    /// Adds a unit, and entries for its new sentences.
    pub fn add(&mut self, target: usize, unit: usize, expansion: Arc<Expansion>, context: Option<&Arc<str>>) {
        let task = self.tasks.len();
        for (number, sentence) in expansion.sentences.iter().enumerate() {
            let hash = self.hasher.hash_one((context, &sentence.text));
            let last_with_hash = self.last_with_hash.get(&hash).copied();
            let mut same = last_with_hash;
            while let Some(at) = same
                && !self.is_entry(at, sentence, context)
            {
                same = self.entries.get(at).and_then(|entry| entry.previous_with_hash);
            }
            if let Some(entry) = same.and_then(|at| self.entries.get_mut(at)) {
                entry.users.push((task, number));
            } else {
                self.last_with_hash.insert(hash, self.entries.len());
                let users = SmallVec::from_elem((task, number), 1);
                self.entries.push(WorkEntry { context: context.cloned(), users, previous_with_hash: last_with_hash });
            }
        }
        let results = SmallVec::from_elem(None, expansion.sentences.len());
        self.tasks.push(UnitTask { target, unit, expansion, results, is_unchanged: true, failure: None });
    }

    /// Reserves memory for units with one sentence each.
    pub fn reserve(&mut self, units: usize) {
        self.entries.reserve(units);
        self.tasks.reserve(units);
        self.last_with_hash.reserve(units);
    }

    fn is_entry(&self, entry: usize, sentence: &Sentence, context: Option<&Arc<str>>) -> bool {
        let has_context = self.entries.get(entry).is_some_and(|entry| entry.context.as_ref() == context);
        has_context && self.sentence(entry) == Some(sentence)
    }

    /// Returns the sentence of an entry.
    pub fn sentence(&self, entry: usize) -> Option<&Sentence> {
        let (task, number) = self.entries.get(entry)?.users.first()?;
        self.tasks.get(*task)?.expansion.sentences.get(*number)
    }

    /// Returns the first unit that needs an entry, and the number of the sentence in it.
    pub fn expansion(&self, entry: usize) -> Option<(&Arc<Expansion>, usize)> {
        let (task, number) = self.entries.get(entry)?.users.first()?;
        Some((&self.tasks.get(*task)?.expansion, *number))
    }

    /// Groups entries by context, in order of first occurrence. With `has_notes`, repeated texts go after all first
    /// occurrences, because equal texts with different notes cannot share a request.
    pub fn sort(&mut self, has_notes: bool) {
        let mut ranks: HashMap<Option<Arc<str>>, usize> = HashMap::new();
        for entry in &self.entries {
            let next = ranks.len();
            ranks.entry(entry.context.clone()).or_insert(next);
        }
        if ranks.len() > 1 {
            let repeats = if has_notes { self.repeats() } else { vec![0; self.entries.len()] };
            let mut sorted: Vec<(usize, WorkEntry)> =
                repeats.into_iter().zip(std::mem::take(&mut self.entries)).collect();
            sorted.sort_by_cached_key(|(repeat, entry)| (*repeat, ranks.get(&entry.context).copied()));
            self.entries = sorted.into_iter().map(|(_, entry)| entry).collect();
        }
        self.last_with_hash = HashMap::new();
    }

    /// Counts, for each entry, the earlier entries with the same text.
    fn repeats(&self) -> Vec<usize> {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let repeats = (0..self.entries.len()).map(|entry| {
            let text = self.sentence(entry).map_or("", |sentence| sentence.text.as_str());
            let count = known.entry(text).or_default();
            *count += 1;
            *count - 1
        });
        repeats.collect()
    }

    /// Stores the result of an entry, with placeholders restored.
    pub fn set_result(&mut self, entry: usize, result: &str, is_unchanged: bool) {
        let Some(entry) = self.entries.get(entry) else { return };
        for (task, sentence) in &entry.users {
            let Some(task) = self.tasks.get_mut(*task) else { continue };
            task.is_unchanged &= is_unchanged;
            if let Some(place) = task.results.get_mut(*sentence) {
                *place = Some(result.to_owned());
            }
        }
    }

    /// Marks all units of an entry as failed.
    pub fn fail(&mut self, entry: usize, why: &str) {
        let Some(entry) = self.entries.get(entry) else { return };
        for (task, _) in &entry.users {
            if let Some(task) = self.tasks.get_mut(*task) {
                task.failure.get_or_insert_with(|| why.to_owned());
            }
        }
    }

    /// Fails units, given by position, before they are sent, and drops entries that only they need.
    pub fn fail_before_sending(&mut self, units: &[(usize, String)]) {
        for (task, why) in units {
            if let Some(task) = self.tasks.get_mut(*task) {
                task.failure = Some(why.clone());
            }
        }
        let tasks = &self.tasks;
        let is_open = |(task, _): &(usize, usize)| tasks.get(*task).is_some_and(|task| task.failure.is_none());
        self.entries.retain(|entry| entry.users.iter().any(is_open));
    }

    /// Returns the positions of the units that need an entry.
    pub fn users(&self, entry: usize) -> impl Iterator<Item = usize> {
        self.entries.get(entry).into_iter().flat_map(|entry| entry.users.iter().map(|(task, _)| *task))
    }
}

impl UnitTask {
    /// Returns whether any result is missing.
    pub fn is_unfinished(&self) -> bool {
        self.failure.is_none() && self.results.iter().any(Option::is_none)
    }

    /// Returns the text that the unit would get if the service returned all sentences unchanged.
    pub fn echo(&self) -> Option<UnitText> {
        self.expansion.echo().ok()
    }

    /// Returns the translated unit, or why it has no translation.
    pub fn outcome(&self) -> TaskOutcome {
        if let Some(failure) = &self.failure {
            return TaskOutcome::Failed(failure.clone());
        }
        let results: Option<Vec<&str>> = self.results.iter().map(Option::as_deref).collect();
        let Some(results) = results else { return TaskOutcome::Unfinished };
        match self.expansion.fold(&results) {
            Ok(text) => TaskOutcome::Done { text, is_unchanged: self.is_unchanged },
            Err(why) => TaskOutcome::Failed(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use tulk_catalogs::{MessageRules, Syntax, TargetForms, expand};

    use super::*;

    fn expansion(text: &str) -> Arc<Expansion> {
        let rules = MessageRules {
            syntax: Syntax::Plain,
            markup: &[],
            source_lang: "en",
            target_lang: "de",
            target_forms: &TargetForms::OfLanguage,
        };
        Arc::new(expand(&UnitText::Single(text.to_owned()), &rules).unwrap())
    }

    #[test]
    fn equal_sentences_with_equal_context_are_sent_once() {
        let mut work = LanguageWork::default();
        let note: Arc<str> = "Button".into();
        for (target, text, context) in [
            (0, "Save", None),
            (0, "Open", Some(&note)),
            (1, "Save", None),
            (1, "Save", Some(&note)),
            (1, "Close", None),
        ] {
            work.add(target, 0, expansion(text), context);
        }
        work.sort(true);
        let entries = work.entries.iter().enumerate();
        let sent: Vec<_> = entries
            .map(|(at, entry)| (work.sentence(at).map(|sentence| sentence.text.as_str()), entry.context.is_some()))
            .collect();
        let wanted = [(Some("Save"), false), (Some("Close"), false), (Some("Open"), true), (Some("Save"), true)];
        assert_eq!(sent, wanted);
        work.set_result(0, "Sichern", false);
        work.fail(1, "the service lost it");
        let outcomes: Vec<_> = work.tasks.iter().map(UnitTask::outcome).collect();
        let done = TaskOutcome::Done { text: UnitText::Single("Sichern".to_owned()), is_unchanged: false };
        let failed = TaskOutcome::Failed("the service lost it".to_owned());
        assert_eq!(outcomes, [done.clone(), TaskOutcome::Unfinished, done, TaskOutcome::Unfinished, failed]);
    }

    #[test]
    fn with_notes_repeated_texts_are_sorted_after_all_first_occurrences() {
        let sent = |has_notes| {
            let mut work = LanguageWork::default();
            for (text, note) in [("Save", "File"), ("Save", "Sport"), ("Open", "Door"), ("Goal", "Sport")] {
                work.add(0, 0, expansion(text), Some(&note.into()));
            }
            work.sort(has_notes);
            let entries = work.entries.iter().enumerate();
            let texts = entries
                .map(|(at, entry)| format!("{} {}", work.sentence(at).unwrap().text, entry.context.as_ref().unwrap()));
            texts.collect::<Vec<String>>()
        };
        assert_eq!(sent(true), ["Save File", "Goal Sport", "Open Door", "Save Sport"]);
        assert_eq!(sent(false), ["Save File", "Save Sport", "Goal Sport", "Open Door"]);
    }
}
