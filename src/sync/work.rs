//! What is sent for a language: the sentences of its units, each once, and the units that their results make.
//!
//! Input: units to translate, from many files. Output: entries in the order in which they are sent, and after the answers the texts
//! of the units. Equal sentences with equal context are one entry, whatever files they are from.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalogs::{Expansion, Sentence, UnitText};

/// The units of a language that have the same request options.
#[derive(Debug, Default)]
pub struct LanguageWork {
    /// What is sent, in order.
    pub entries: Vec<WorkEntry>,
    /// The units.
    pub tasks: Vec<UnitTask>,
    by_text: HashMap<(Option<Arc<str>>, String), Vec<usize>>,
}

/// A sentence that is sent.
#[derive(Debug)]
pub struct WorkEntry {
    /// The sentence.
    pub sentence: Sentence,
    /// The context of its request.
    pub context: Option<Arc<str>>,
    /// The units that wait for it: positions in [`LanguageWork::tasks`], and the number of the sentence there.
    users: Vec<(usize, usize)>,
}

/// A unit that is translated.
#[derive(Debug)]
pub struct UnitTask {
    /// The number of the target file in the plan.
    pub target: usize,
    /// The number of the unit in that file's comparison.
    pub unit: usize,
    expansion: Expansion,
    results: Vec<Option<String>>,
    /// Whether all results so far equal what was sent.
    is_unchanged: bool,
    /// Why it has failed.
    failure: Option<String>,
}

/// The outcome of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskOutcome {
    /// All its sentences have results.
    Done {
        /// The text for the target.
        text: UnitText,
        /// Whether the results equal what was sent.
        is_unchanged: bool,
    },
    /// A result cannot be used.
    Failed(String),
    /// A sentence has no result.
    Unfinished,
}

impl LanguageWork {
    /// Adds a unit.
    pub fn add(&mut self, target: usize, unit: usize, expansion: Expansion, context: Option<&Arc<str>>) {
        let task = self.tasks.len();
        for (number, sentence) in expansion.sentences.iter().enumerate() {
            let same = self.by_text.entry((context.cloned(), sentence.text.clone())).or_default();
            let equal = same.iter().find(|at| self.entries.get(**at).is_some_and(|entry| entry.sentence == *sentence));
            if let Some(entry) = equal.and_then(|at| self.entries.get_mut(*at)) {
                entry.users.push((task, number));
            } else {
                same.push(self.entries.len());
                let (sentence, context) = (sentence.clone(), context.cloned());
                self.entries.push(WorkEntry { sentence, context, users: vec![(task, number)] });
            }
        }
        let results = vec![None; expansion.sentences.len()];
        self.tasks.push(UnitTask { target, unit, expansion, results, is_unchanged: true, failure: None });
    }

    /// Sorts the entries so that those with the same context follow each other, in the order of their first occurrence.
    pub fn sort(&mut self) {
        let mut ranks: HashMap<Option<Arc<str>>, usize> = HashMap::new();
        for entry in &self.entries {
            let next = ranks.len();
            ranks.entry(entry.context.clone()).or_insert(next);
        }
        self.entries.sort_by_key(|entry| ranks.get(&entry.context).copied());
        self.by_text.clear();
    }

    /// Stores the result of an entry, with its placeholders restored.
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

    /// Records why the result of an entry cannot be used.
    pub fn fail(&mut self, entry: usize, why: &str) {
        let Some(entry) = self.entries.get(entry) else { return };
        for (task, _) in &entry.users {
            if let Some(task) = self.tasks.get_mut(*task) {
                task.failure.get_or_insert_with(|| why.to_owned());
            }
        }
    }

    /// Gives up units before anything is sent: by their positions, each with the reason. What only they need is not sent.
    pub fn refuse(&mut self, units: &[(usize, String)]) {
        for (task, why) in units {
            if let Some(task) = self.tasks.get_mut(*task) {
                task.failure = Some(why.clone());
            }
        }
        let tasks = &self.tasks;
        let is_open = |(task, _): &(usize, usize)| tasks.get(*task).is_some_and(|task| task.failure.is_none());
        self.entries.retain(|entry| entry.users.iter().any(is_open));
    }

    /// Returns the units that wait for an entry, by their positions.
    pub fn users(&self, entry: usize) -> impl Iterator<Item = usize> {
        self.entries.get(entry).into_iter().flat_map(|entry| entry.users.iter().map(|(task, _)| *task))
    }
}

impl UnitTask {
    /// Returns whether it still waits for results.
    pub fn is_unfinished(&self) -> bool {
        self.failure.is_none() && self.results.iter().any(Option::is_none)
    }

    /// Returns the text that it would get if all results were what is sent.
    pub fn stand_in(&self) -> Option<UnitText> {
        let unchanged = |sentence: &Sentence| sentence.finish(&sentence.text).unwrap_or_else(|_| sentence.text.clone());
        let results: Vec<String> = self.expansion.sentences.iter().map(unchanged).collect();
        self.expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>()).ok()
    }

    /// Returns the outcome of the unit.
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
    use super::*;
    use crate::catalogs::{MessageRules, Syntax, TargetForms, expand};

    fn expansion(text: &str) -> Expansion {
        let rules = MessageRules {
            syntax: Syntax::Plain,
            markup: &[],
            source_lang: "en",
            target_lang: "de",
            target_forms: &TargetForms::OfLanguage,
        };
        expand(&UnitText::Single(text.to_owned()), &rules).unwrap()
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
        work.sort();
        let sent: Vec<_> =
            work.entries.iter().map(|entry| (entry.sentence.text.as_str(), entry.context.is_some())).collect();
        assert_eq!(sent, [("Save", false), ("Close", false), ("Open", true), ("Save", true)]);
        work.set_result(0, "Sichern", false);
        work.fail(1, "the service lost it");
        let outcomes: Vec<_> = work.tasks.iter().map(UnitTask::outcome).collect();
        let done = TaskOutcome::Done { text: UnitText::Single("Sichern".to_owned()), is_unchanged: false };
        let failed = TaskOutcome::Failed("the service lost it".to_owned());
        assert_eq!(outcomes, [done.clone(), TaskOutcome::Unfinished, done, TaskOutcome::Unfinished, failed]);
    }
}
