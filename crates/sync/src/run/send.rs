//! Sends the groups of a run in order. The next group starts when there is room for its requests.

use std::future::poll_fn;
use std::io;
use std::sync::{Arc, mpsc};
use std::task::{Context as TaskContext, Poll};

use futures_util::stream::FuturesUnordered;
use futures_util::{Stream, StreamExt as _};
use tokio::sync::mpsc::Receiver;
use tulk_base::error::Failure;
use tulk_base::machine;
use tulk_base::stop::Stop;
use tulk_formats::InputFormat;
use tulk_formats::input::source::Source;
use tulk_pipeline::{
    Call, Destination, PipelineInput, PipelineReport, RunMemory, RunOptions, RunProgress, Sink, TargetIndex,
};

use super::observer::{AnswerObserver, SharedJournal};
use super::prepare::{PreparedGroup, prepare_groups};
use super::shared_call::{RequestsInFlight, SharedCall};
use super::write::{GroupEvent, write_groups};
use super::{GroupJob, SyncGroup, SyncOutcome, SyncRun};
use crate::journal::Journal;
use crate::lock::Lock;

/// Maximum number of entries whose memory stays allocated: freeing it would delay answers. An entry takes about 200 bytes.
const MAX_ENTRIES_NOT_FREED: usize = 100_000;

/// Progress of all groups.
#[derive(Clone, Default)]
pub struct SyncProgress {
    groups: Vec<Arc<RunProgress>>,
}

impl SyncProgress {
    /// Progress of this number of groups, with nothing done yet.
    pub fn new(groups: usize) -> Self {
        Self { groups: (0..groups).map(|_| Arc::default()).collect() }
    }

    /// Returns the number of entries that have a result.
    pub fn done(&self) -> u64 {
        self.groups.iter().map(|progress| progress.done(TargetIndex(0))).sum()
    }
}

/// Sends all groups, and writes targets and lock. Complete targets are written however the run ends.
///
/// The journal is removed once everything that was paid for is written. A separate thread writes the targets, so that
/// answers do not wait for the disk.
#[allow(clippy::too_many_arguments)] // a struct would be used only here
pub async fn run(
    sync: &Arc<SyncRun>,
    groups: Vec<SyncGroup>,
    jobs: &[GroupJob],
    lock: Lock,
    journal: Option<Journal>,
    options: &RunOptions,
    progress: &SyncProgress,
    client: &impl Call,
    stop: &Stop,
) -> SyncOutcome {
    let journal = SharedJournal::new(journal);
    let client = SharedCall::new(client, journal.clone(), stop);
    let (events, received) = mpsc::channel();
    let (written, writer_journal) = (sync.clone(), journal.clone());
    let writer = machine::start("writer", move || write_groups(&written, lock, writer_journal, received));
    let prepared = prepare_groups(sync, groups, jobs.to_vec(), journal.clone(), events.clone());
    let (writer, mut prepared) = match (writer, prepared) {
        (Ok(writer), Ok(prepared)) => (writer, prepared),
        (Err(failure), _) | (_, Err(failure)) => {
            return SyncOutcome { ended_by: Some(failure), ..SyncOutcome::default() };
        }
    };
    let (mut running, mut in_flight, mut started_entries) = (FuturesUnordered::new(), RequestsInFlight::new(), 0);
    while let Some(step) = poll_fn(|task| next_step(&mut running, &mut prepared, (&client, &mut in_flight), task)).await
    {
        match step {
            Step::Start(group) => {
                let progress = progress.groups.get(group.number).cloned().unwrap_or_default();
                started_entries += group.records.len();
                let keeps_memory = started_entries <= MAX_ENTRIES_NOT_FREED || group.number + 1 == jobs.len();
                let memory = if keeps_memory { RunMemory::Left } else { RunMemory::Freed };
                let options = RunOptions { keep_going: true, progress, memory, ..options.clone() };
                let (client, events) = (client.of_group(group.number), events.clone());
                let observer = AnswerObserver::new(journal.clone(), group.keys.clone(), group.number, events);
                running.push(async move { send(*group, observer, options, &client, stop).await });
            }
            Step::Ended(event) => {
                let _ = events.send(*event);
            }
        }
    }
    drop((running, events));
    writer.await.unwrap_or_else(|error| SyncOutcome {
        ended_by: Some(Failure::internal(format!("targets were not written: {error}"))),
        ..SyncOutcome::default()
    })
}

enum Step {
    Start(Box<PreparedGroup>),
    Ended(Box<GroupEvent>),
}

/// Waits for the next step; `None` after all groups have finished. A group starts only when the requests of earlier groups
/// leave room, so that only a few groups have requests in memory at a time.
fn next_step<'s, C: Call>(
    running: &mut (impl Stream<Item = GroupEvent> + Unpin),
    prepared: &mut Receiver<PreparedGroup>,
    (client, in_flight): (&'s SharedCall<'_, C>, &mut RequestsInFlight<'s>),
    task: &mut TaskContext<'_>,
) -> Poll<Option<Step>> {
    let mut has_answer = false;
    loop {
        let ended = running.poll_next_unpin(task);
        if let Poll::Ready(Some(event)) = ended {
            return Poll::Ready(Some(Step::Ended(Box::new(event))));
        }
        client.start(in_flight, task);
        if client.has_room() {
            match prepared.poll_recv(task) {
                Poll::Ready(Some(group)) => return Poll::Ready(Some(Step::Start(Box::new(group)))),
                Poll::Ready(None) if ended.is_ready() => return Poll::Ready(None),
                _ => {}
            }
        }
        if has_answer {
            // Yield before reading another answer, so that the request that replaces the answered one is sent first.
            task.waker().wake_by_ref();
            return Poll::Pending;
        }
        has_answer = matches!(in_flight.poll_next_unpin(task), Poll::Ready(Some(())));
        if !has_answer {
            return Poll::Pending;
        }
    }
}

async fn send(
    group: PreparedGroup,
    observer: AnswerObserver,
    options: RunOptions,
    client: &impl Call,
    stop: &Stop,
) -> GroupEvent {
    let PreparedGroup { number, job, records, .. } = group;
    if records.len() == 0 {
        return GroupEvent::Ended(number, Box::default(), Vec::new());
    }
    let source = Source::reader("catalogues", Box::new(io::empty()));
    let format = InputFormat::new(records);
    let writer = format.writer(&[]);
    let input = PipelineInput::new(source, format).protected(job.protector.clone());
    let sinks = vec![Sink { targets: vec![TargetIndex(0)], writer, to: Destination::Nothing }];
    let observer = Arc::new(observer);
    let options = RunOptions { observer: Some(observer.clone()), ..options };
    let jobs = [job.job.clone()];
    let report: PipelineReport = tulk_pipeline::run(input, &jobs, sinks, &options, client, stop).await;
    let requests = observer.end();
    GroupEvent::Ended(number, Box::new(report), requests)
}
