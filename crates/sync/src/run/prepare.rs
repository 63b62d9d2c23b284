//! Prepares groups for sending: finds answers of earlier runs, and turns the other entries into records.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::{Arc, mpsc};

use tokio::sync::mpsc::Receiver;
use tulk_base::error::Failure;
use tulk_base::machine;
use tulk_formats::SentenceParts;

use super::observer::{AnswerKeys, SharedJournal};
use super::records::{EntryRecords, GroupEntry};
use super::unwritable_units::fail_unwritable_units;
use super::write::GroupEvent;
use super::{GroupJob, SyncGroup, SyncRun};
use crate::digest::SentDigest;
use crate::journal::{Journal, JournalAnswer};
use crate::plan::SyncPlan;
use crate::state::UnitState;

pub struct PreparedGroup {
    pub number: usize,
    pub job: GroupJob,
    pub records: EntryRecords,
    pub keys: AnswerKeys,
}

/// Prepares groups in order, on a separate thread. Sends each group to `writer` with the answers that are already
/// known.
pub fn prepare_groups(
    sync: &Arc<SyncRun>,
    groups: Vec<SyncGroup>,
    jobs: Vec<GroupJob>,
    journal: SharedJournal,
    writer: mpsc::Sender<GroupEvent>,
) -> Result<Receiver<PreparedGroup>, Failure> {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    let sync = sync.clone();
    let prepare = move || {
        for (number, (mut group, job)) in groups.into_iter().zip(jobs).enumerate() {
            fail_unwritable_units(&sync, &mut group);
            let all = 0..group.work.entries.len();
            let all: Vec<GroupEntry> = all.filter_map(|number| GroupEntry::new(&group, number)).collect();
            let (entries, known) = entries_of(&sync, &group, &all, &job, &journal);
            let (keys, records) = (AnswerKeys::default(), EntryRecords::new(entries));
            let mut scope = JournalScope::new(&sync.identity, &job);
            let _ = writer.send(GroupEvent::Started { number, group, known, keys: keys.clone() });
            let prepared = PreparedGroup { number, job, records, keys: keys.clone() };
            let is_wanted = sender.blocking_send(prepared).is_ok();
            // Compute the keys only after the group is queued, so that its first requests do not wait for them.
            keys.set(all.iter().map(|entry| scope.key(entry.context.as_deref(), entry.text())).collect());
            if !is_wanted {
                return;
            }
        }
    };
    machine::spawn("prepare", prepare)?;
    Ok(receiver)
}

fn entries_of(
    sync: &SyncRun,
    group: &SyncGroup,
    all: &[GroupEntry],
    job: &GroupJob,
    journal: &SharedJournal,
) -> (Vec<GroupEntry>, Vec<(usize, JournalAnswer)>) {
    let (mut entries, mut known) = (Vec::with_capacity(all.len()), Vec::new());
    let mut scope = JournalScope::new(&sync.identity, job);
    let has_answers = journal.lock().as_ref().is_some_and(Journal::has_answers);
    for (number, entry) in all.iter().enumerate() {
        let Some(sentence) = group.work.sentence(number) else { continue };
        let parts = SentenceParts::of(sentence);
        if !parts.is_sent() {
            known.push((number, Ok(parts.sent_unchanged())));
            continue;
        }
        let answer = has_answers.then(|| {
            let key = scope.key(entry.context.as_deref(), &sentence.text);
            known_answer(journal.lock().as_ref(), &sync.plan, group, number, key).cloned()
        });
        match answer.flatten() {
            Some(answer) => known.push((number, answer)),
            None => entries.push(entry.clone()),
        }
    }
    (entries, known)
}

/// Returns the entries that need no request, because they have no words or their answer is in the journal.
pub fn known_entries(
    identity: &str,
    plan: &SyncPlan,
    group: &SyncGroup,
    job: &GroupJob,
    journal: Option<&Journal>,
) -> HashSet<usize> {
    let mut scope = JournalScope::new(identity, job);
    let journal = journal.filter(|journal| journal.has_answers());
    let mut known = HashSet::new();
    for (number, entry) in group.work.entries.iter().enumerate() {
        let Some(sentence) = group.work.sentence(number) else { continue };
        let mut key = || scope.key(entry.context.as_deref(), &sentence.text);
        if !SentenceParts::of(sentence).is_sent()
            || (journal.is_some() && known_answer(journal, plan, group, number, key()).is_some())
        {
            known.insert(number);
        }
    }
    known
}

/// An unusable answer in the journal counts too, unless failed units are to be translated again.
fn known_answer<'a>(
    journal: Option<&'a Journal>,
    plan: &SyncPlan,
    group: &SyncGroup,
    entry: usize,
    key: SentDigest,
) -> Option<&'a JournalAnswer> {
    let has_failed = |task: usize| {
        let task = group.work.tasks.get(task);
        let unit = task.and_then(|task| plan.targets.get(task.target)?.units.get(task.unit));
        unit.is_some_and(|unit| unit.state == UnitState::Failed)
    };
    journal?.answer(key).filter(|answer| answer.is_ok() || !group.work.users(entry).any(has_failed))
}

/// Everything that all answers of a group depend on, serialized.
struct JournalScope {
    /// The shared part. [`Self::key`] appends the context and text of an entry, and the next call removes them.
    text: String,
    /// Size of the shared part, in bytes.
    len: usize,
}

impl JournalScope {
    fn new(identity: &str, job: &GroupJob) -> Self {
        let mut scope = Self { text: String::new(), len: 0 };
        for part in [identity, job.job.request.path.as_str(), &job.job.options, &job.protector.identity()] {
            scope.push(part);
        }
        scope.len = scope.text.len();
        scope
    }

    /// Appends a part with its length, which delimits it.
    fn push(&mut self, part: &str) {
        let _ = write!(self.text, "{}:{part}", part.len());
    }

    /// Digests everything that the answer of an entry depends on.
    fn key(&mut self, context: Option<&str>, text: &str) -> SentDigest {
        self.text.truncate(self.len);
        self.push(context.unwrap_or_default());
        self.push(text);
        SentDigest::of(self.text.as_bytes())
    }
}
