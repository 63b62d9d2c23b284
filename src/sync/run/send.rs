//! Sends the groups of a run at the same time, and writes the targets of each when its answers are there.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::observer::{AnswerObserver, SharedJournal, lock_journal};
use super::records::{EntryRecords, record};
use super::rehearsal::rehearse;
use super::shared_call::SharedCall;
use super::write::TargetFiles;
use super::{GroupJob, SyncGroup, SyncOutcome, SyncRun};
use crate::files;
use crate::formats::{InputFormat, SentenceParts};
use crate::input::source::Source;
use crate::pipeline::{
    self, Call, Destination, PipelineInput, PipelineReport, RunOptions, RunProgress, Sink, TargetIndex,
};
use crate::stop::Stop;
use crate::sync::journal::{Journal, JournalAnswer};
use crate::sync::lock::Lock;
use crate::sync::parallel::parallel_map;
use crate::sync::plan::SyncPlan;
use crate::sync::state::UnitState;

/// The progress of all groups.
#[derive(Clone, Default)]
pub struct SyncProgress {
    groups: Vec<Arc<RunProgress>>,
}

impl SyncProgress {
    /// The progress of a number of groups.
    pub fn new(groups: usize) -> Self {
        Self { groups: (0..groups).map(|_| Arc::default()).collect() }
    }

    /// Returns how many entries have a result.
    pub fn done(&self) -> u64 {
        self.groups.iter().map(|progress| progress.done(TargetIndex(0))).sum()
    }
}

/// Sends what has to be translated, and writes targets and lock.
///
/// The journal is removed when everything that was paid for is written. However the run ends, what is complete is written.
#[allow(clippy::too_many_arguments)] // each is one thing
pub async fn run(
    sync: &SyncRun<'_>,
    mut groups: Vec<SyncGroup>,
    jobs: &[GroupJob],
    lock: Lock,
    journal: Option<Journal>,
    options: &RunOptions,
    progress: &SyncProgress,
    client: &impl Call,
    stop: &Stop,
) -> SyncOutcome {
    let journal: SharedJournal = Arc::new(std::sync::Mutex::new(journal));
    let client = SharedCall::new(client, journal.clone(), stop);
    let mut files = TargetFiles::new(sync, lock, journal.clone());
    rehearse(sync, &mut groups);
    let pairs = groups.iter().zip(jobs).collect();
    let prepared = parallel_map(pairs, |(group, job)| PreparedGroup::new(sync, group, job, &journal));
    let mut running = FuturesUnordered::new();
    for (number, (prepared, job)) in prepared.into_iter().zip(jobs).enumerate() {
        let own = progress.groups.get(number).cloned().unwrap_or_default();
        let options = RunOptions { keep_going: true, progress: own, ..options.clone() };
        let client = &client;
        running.push(async move {
            let (observer, report) = prepared.send(job, &options, client, stop).await;
            (number, observer, report)
        });
    }
    while let Some((number, (known, observer), report)) = running.next().await {
        let Some(group) = groups.get_mut(number) else { continue };
        for (entry, result) in known.into_iter().chain(observer.take()) {
            set_result(sync, group, entry, result);
        }
        files.add_report(group, report, observer.take_requests());
        files.write_group(group, observer.keys());
    }
    // The process ends soon: what is large is not freed piece by piece.
    std::mem::forget(groups);
    files.finish()
}

/// Returns a pseudo-translation in brackets, a third longer: texts that are cut off or put together in the program show.
fn lengthened(text: &str) -> String {
    let more = text.chars().count().div_ceil(3).max(2);
    format!("[{text} {}]", "~".repeat(more - 1))
}

/// Hands a result to the units that wait for it.
fn set_result(sync: &SyncRun<'_>, group: &mut SyncGroup, entry: usize, result: Result<String, String>) {
    match result {
        Err(why) => group.work.fail(entry, &why),
        Ok(text) => {
            let Some(sentence) = group.work.sentence(entry) else { return };
            let parts = SentenceParts::of(sentence);
            let text = if sync.is_pseudo && parts.is_sent() { lengthened(&text) } else { text };
            let text = parts.with_result(&text);
            let is_unchanged = text == parts.unchanged();
            group.work.set_result(entry, &text, is_unchanged);
        }
    }
}

/// The entries of a group: those whose answer is in the journal, and those that are sent.
struct PreparedGroup {
    known: Vec<(usize, JournalAnswer)>,
    records: EntryRecords,
    is_empty: bool,
    observer: Arc<AnswerObserver>,
}

impl PreparedGroup {
    fn new(sync: &SyncRun<'_>, group: &SyncGroup, job: &GroupJob, journal: &SharedJournal) -> Self {
        let mut scope = JournalScope::new(sync.identity, job);
        let (mut known, mut records) = (Vec::new(), Vec::with_capacity(group.work.entries.len()));
        let mut keys = Vec::with_capacity(group.work.entries.len());
        let has_answers = lock_journal(journal).as_ref().is_some_and(Journal::has_answers);
        for (number, entry) in group.work.entries.iter().enumerate() {
            let Some(sentence) = group.work.sentence(number) else { continue };
            let key = scope.key(entry.context.as_deref(), &sentence.text);
            let origin = group.work.users(number).next().and_then(|task| group.origins.get(task));
            let record = origin.and_then(|origin| record(number, sentence, entry.context.as_ref(), origin));
            let answer = |journal: &SharedJournal| {
                known_answer(lock_journal(journal).as_ref(), sync.plan, group, number, &key).cloned()
            };
            match record {
                None => known.push((number, Ok(SentenceParts::of(sentence).sent_unchanged()))),
                Some(record) => match has_answers.then(|| answer(journal)).flatten() {
                    Some(answer) => known.push((number, answer)),
                    None => records.push(record),
                },
            }
            keys.push(key);
        }
        let is_empty = records.is_empty();
        let observer = Arc::new(AnswerObserver::new(journal.clone(), keys));
        Self { known, records: EntryRecords::new(records), is_empty, observer }
    }

    async fn send(
        self,
        job: &GroupJob,
        options: &RunOptions,
        client: &impl Call,
        stop: &Stop,
    ) -> ((Vec<(usize, JournalAnswer)>, Arc<AnswerObserver>), PipelineReport) {
        let taken = (self.known, self.observer.clone());
        if self.is_empty {
            return (taken, PipelineReport::default());
        }
        let source = Source::reader("catalogues", Box::new(io::empty()));
        let format = InputFormat::new(self.records);
        let writer = format.writer(&[]);
        let input = PipelineInput::new(source, format).protected(job.protector.clone());
        let sinks = vec![Sink { targets: vec![TargetIndex(0)], writer, to: Destination::Nothing }];
        let options = RunOptions { observer: Some(self.observer), ..options.clone() };
        let jobs = [job.job.clone()];
        let report = pipeline::run(input, &jobs, sinks, &options, client, stop).await;
        (taken, report)
    }
}

/// Returns the entries of a group that need no request: those without words, and those whose answer is in the journal.
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
            || (journal.is_some() && known_answer(journal, plan, group, number, &key()).is_some())
        {
            known.insert(number);
        }
    }
    known
}

/// Returns the answer to an entry that is in the journal. One that cannot be used counts unless a unit that failed is sent again.
fn known_answer<'a>(
    journal: Option<&'a Journal>,
    plan: &SyncPlan,
    group: &SyncGroup,
    entry: usize,
    key: &str,
) -> Option<&'a JournalAnswer> {
    let has_failed = |task: usize| {
        let task = group.work.tasks.get(task);
        let unit = task.and_then(|task| plan.targets.get(task.target)?.units.get(task.unit));
        unit.is_some_and(|unit| unit.state == UnitState::Failed)
    };
    journal?.answer(key).filter(|answer| answer.is_ok() || !group.work.users(entry).any(has_failed))
}

/// What the answers to all entries of a group depend on.
struct JournalScope {
    /// The scope, and behind it the rest of the last key.
    text: String,
    /// The size of the scope.
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

    /// Adds a part, so that none can run into the next one.
    fn push(&mut self, part: &str) {
        let _ = write!(self.text, "{}:{part}", part.len());
    }

    /// Returns what an entry is in the journal: a digest of everything that its answer depends on.
    fn key(&mut self, context: Option<&str>, text: &str) -> String {
        self.text.truncate(self.len);
        self.push(context.unwrap_or_default());
        self.push(text);
        let mut digest = files::sha256_hex(self.text.as_bytes());
        digest.truncate(32);
        digest
    }
}
