//! The end of a run: the writer finishes, and the report is put together.

use tokio::time::{Instant, sleep_until};
use tulk_base::limits;
use tulk_base::stop::Stop;

use super::Run;
use crate::writer::WriterEvent;
use crate::{Call, PipelineReport, RunMemory};

impl<C: Call> Run<'_, C> {
    /// Lets the writer finish and returns what was done.
    pub(super) async fn finish(mut self, stop: &Stop) -> PipelineReport {
        self.advance();
        for target in self.output.mark_complete(self.feed.reached_end()) {
            // It was stopped because of another target, but its own rows are complete.
            self.requests.targets[target].failure = None;
        }
        if !self.is_pipe_closed() && !self.options.dry_run {
            self.output.finish();
            self.drain(stop).await;
        }
        self.into_report()
    }

    /// Waits for the writer. After a signal the wait is limited, because the reader of stdout may have stopped reading.
    async fn drain(&mut self, stop: &Stop) {
        let mut deadline = None;
        loop {
            tokio::select! {
                biased;
                event = self.output.next_event() => match event {
                    None | Some(WriterEvent::Done) => return,
                    Some(event) => self.on_writer_event(event),
                },
                kind = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + limits::STOP_PATIENCE);
                    self.report.ended_by.get_or_insert(Stop::failure(kind, None));
                }
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => return,
            }
        }
    }

    fn into_report(mut self) -> PipelineReport {
        self.report.requests = self.requests.started;
        self.report.characters = self.requests.characters;
        for target in self.requests.targets.indices() {
            let stream = &mut self.requests.targets[target];
            let target_report = self.output.report(target, &stream.job.target, stream.failure.take());
            self.report.targets.push(target_report);
        }
        if self.options.memory == RunMemory::Left {
            std::mem::forget(self.requests);
        }
        self.report
    }
}
