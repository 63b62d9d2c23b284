//! The thread that writes targets: it takes answers while others are on their way, and writes the targets of a group when all are there.

use std::collections::HashMap;
use std::sync::{Arc, mpsc};

use tulk_formats::SentenceParts;
use tulk_pipeline::PipelineReport;

use super::observer::{AnswerKeys, SentEntries, SharedJournal};
use super::write::TargetFiles;
use super::{SyncGroup, SyncOutcome, SyncRun};
use crate::journal::JournalAnswer;
use crate::lock::Lock;

/// What happens to a group, given by its number.
pub enum GroupEvent {
    /// It is about to be sent.
    Started {
        /// Its number.
        number: usize,
        /// The group.
        group: SyncGroup,
        /// The entries whose answers are known.
        known: Vec<(usize, JournalAnswer)>,
        /// What its entries are in the journal.
        keys: AnswerKeys,
    },
    /// Answers to its entries have come.
    Answered(usize, Vec<(usize, JournalAnswer)>),
    /// Nothing more comes.
    Ended(usize, Box<PipelineReport>, Vec<SentEntries>),
}

/// Writes the targets of groups whose answers are there, and in the end the lock.
pub fn write_groups(
    sync: &Arc<SyncRun>,
    lock: Lock,
    journal: SharedJournal,
    events: mpsc::Receiver<GroupEvent>,
) -> SyncOutcome {
    let mut files = TargetFiles::new(sync, lock, journal);
    let (mut groups, mut last) = (HashMap::new(), None);
    for event in events {
        match event {
            GroupEvent::Started { number, mut group, known, keys } => {
                set_results(sync, &mut group, known);
                groups.insert(number, (group, keys));
            }
            GroupEvent::Answered(number, answers) => {
                if let Some((group, _)) = groups.get_mut(&number) {
                    set_results(sync, group, answers);
                }
            }
            GroupEvent::Ended(number, report, requests) => {
                let Some((group, keys)) = groups.remove(&number) else { continue };
                files.add_report(&group, *report, requests);
                files.write_group(&group, keys);
                last = Some(group);
            }
        }
    }
    let outcome = files.finish();
    // The process ends soon: what is large is not freed piece by piece.
    std::mem::forget(last);
    outcome
}

/// Hands results to the units that wait for them.
fn set_results(sync: &SyncRun, group: &mut SyncGroup, results: Vec<(usize, JournalAnswer)>) {
    for (entry, result) in results {
        match result {
            Err(why) => group.work.fail(entry, &why),
            Ok(text) => {
                let Some(sentence) = group.work.sentence(entry) else { continue };
                let parts = SentenceParts::of(sentence);
                let text = if sync.is_pseudo && parts.is_sent() { lengthened(&text) } else { text };
                let text = parts.with_result(&text);
                let is_unchanged = text == parts.unchanged();
                group.work.set_result(entry, &text, is_unchanged);
            }
        }
    }
}

/// Returns a pseudo-translation in brackets, a third longer: texts that are cut off or put together in the program show.
fn lengthened(text: &str) -> String {
    let more = text.chars().count().div_ceil(3).max(2);
    format!("[{text} {}]", "~".repeat(more - 1))
}
