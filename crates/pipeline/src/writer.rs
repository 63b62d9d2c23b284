//! The writer thread. Formats rows and writes them to files and stdout, so the loop never waits for a slow reader.

use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc;
use tulk_base::error::Failure;
use tulk_base::files::Digest;
use tulk_base::machine;
use tulk_formats::{ResultRow, ResultWriter};

use super::index::SinkIndex;
use super::reorder::memory_bytes;
use super::report::Leftover;
use super::sink::Destination;
use super::sink_writer::{EarlyResult, SinkWriter, WrittenRows};

pub enum WriterTask {
    /// Write rows, in order. They are sent together because each task may wake the thread.
    Rows(Vec<(SinkIndex, ResultRow)>),
    EarlyAnswer(EarlyResult),
    /// Set the digest of the rows before the first one that this run writes.
    InputDigest(SinkIndex, Digest),
    /// Finish all sinks. Contains whether each sink is complete. No task follows.
    Finish(Vec<bool>),
}

#[derive(Debug)]
pub enum WriterEvent {
    Written(SinkIndex, WrittenRows),
    Failed(SinkIndex, Failure),
    Leftover(SinkIndex, Leftover),
    /// No event follows.
    Done,
}

pub struct OutputWriter {
    mode: WriterMode,
    pub events: mpsc::UnboundedReceiver<WriterEvent>,
}

enum WriterMode {
    Thread(Sender<WriterTask>),
    /// On the caller's thread: for a few lines, a thread costs more than writing them.
    Inline(SinkWriters),
}

impl OutputWriter {
    /// Starts the writer. With `inline`, the caller's thread writes; the output must then fit into the buffer of a pipe.
    pub fn start(sinks: Vec<(Box<dyn ResultWriter>, Destination)>, inline: bool) -> Result<Self, Failure> {
        let (sender, events) = mpsc::unbounded_channel();
        let writers = move || SinkWriters {
            all: sinks.into_iter().map(|(writer, to)| SinkWriter::new(writer, to)).collect(),
            events: sender,
        };
        if inline {
            return Ok(Self { mode: WriterMode::Inline(writers()), events });
        }
        let (tasks, receiver) = channel();
        let run = move || writers().run(&receiver);
        machine::spawn("writer", run)?;
        Ok(Self { mode: WriterMode::Thread(tasks), events })
    }

    /// Tasks after `Finish` are dropped.
    pub fn send(&mut self, task: WriterTask) {
        match &mut self.mode {
            WriterMode::Thread(tasks) => {
                let _ = tasks.send(task);
            }
            WriterMode::Inline(writers) => match task {
                WriterTask::Finish(complete) => writers.finish(&complete),
                task => {
                    writers.execute(task);
                    writers.flush();
                }
            },
        }
    }
}

struct SinkWriters {
    all: Vec<SinkWriter>,
    events: mpsc::UnboundedSender<WriterEvent>,
}

impl SinkWriters {
    fn run(&mut self, tasks: &Receiver<WriterTask>) {
        while let Ok(mut task) = tasks.recv() {
            // Execute all queued tasks before flushing.
            loop {
                if let WriterTask::Finish(complete) = task {
                    self.finish(&complete);
                    return;
                }
                self.execute(task);
                match tasks.try_recv() {
                    Ok(next) => task = next,
                    Err(_) => break,
                }
            }
            self.flush();
        }
    }

    fn execute(&mut self, task: WriterTask) {
        match task {
            WriterTask::Rows(rows) => rows.into_iter().for_each(|(sink, row)| self.write_row(sink, &row)),
            WriterTask::EarlyAnswer(answer) => self.all[answer.sink.0].add_early_answer(&answer),
            WriterTask::InputDigest(sink, digest) => self.all[sink.0].set_input_digest(digest),
            WriterTask::Finish(_) => {}
        }
    }

    fn write_row(&mut self, sink: SinkIndex, row: &ResultRow) {
        let writer = &mut self.all[sink.0];
        if writer.has_failed {
            self.report_dropped(sink, memory_bytes(&row.record));
            return;
        }
        let done = writer.write_row(row);
        self.report(sink, done);
    }

    fn flush(&mut self) {
        for sink in (0..self.all.len()).map(SinkIndex) {
            if !self.all[sink.0].has_failed {
                let done = self.all[sink.0].flush();
                self.report(sink, done);
            }
        }
    }

    /// Reports the rows that a sink has written since its last report, and its failure.
    fn report(&mut self, sink: SinkIndex, done: Result<(), Failure>) {
        let writer = &mut self.all[sink.0];
        if let Some(rows) = writer.take_written() {
            let _ = self.events.send(WriterEvent::Written(sink, rows));
        }
        if let Err(failure) = done {
            let dropped = writer.fail();
            let _ = self.events.send(WriterEvent::Failed(sink, failure));
            self.report_dropped(sink, dropped);
        }
    }

    /// Reports rows that will never be written, so the loop does not wait for them.
    fn report_dropped(&self, sink: SinkIndex, memory_bytes: usize) {
        let rows = WrittenRows { rows: 0, entries: 0, memory_bytes };
        let _ = self.events.send(WriterEvent::Written(sink, rows));
    }

    fn finish(&mut self, complete: &[bool]) {
        // Finishing a file syncs it, which takes time. A kill meanwhile must not lose rows of the other outputs.
        if self.all.len() > 1 {
            self.flush();
        }
        for (sink, complete) in (0..self.all.len()).map(SinkIndex).zip(complete) {
            let writer = &mut self.all[sink.0];
            if writer.has_failed {
                continue;
            }
            let done = writer.finish(*complete);
            let leftover = writer.leftover();
            self.report(sink, done);
            let _ = self.events.send(WriterEvent::Leftover(sink, leftover));
        }
        // Files must be closed and unlocked before the run ends.
        self.all = Vec::new();
        let _ = self.events.send(WriterEvent::Done);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex};

    use tulk_formats::{EntryResult, InputFormat, Record, Slot};
    use tulk_store::part::ExistingPart;

    use super::*;

    /// A stream that reads a file at each write.
    struct FileWatcher {
        file: PathBuf,
        seen: Arc<Mutex<Vec<String>>>,
    }

    impl Write for FileWatcher {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let content = std::fs::read_to_string(&self.file).unwrap_or_default();
            self.seen.lock().unwrap().push(content);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn results_of_all_outputs_are_written_before_the_first_is_finished() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.txt");
        let seen = Arc::default();
        let watcher = FileWatcher { file: dir.path().join("out.txt.part"), seen: Arc::clone(&seen) };
        let part = Destination::file(&path, "server\noptions\nde", ExistingPart::Refuse).unwrap();
        // Finishing the JSON list writes its end.
        let list = tulk_formats::results::json("translations", &["de".to_owned()], false);
        let sinks = [(list, Destination::stream("first", Box::new(watcher))), (InputFormat::lines().writer(&[]), part)];
        let row = || {
            let slots = vec![Slot::new(b"x\n", 0..1).unwrap()];
            let record = Arc::new(Record { bytes: b"x\n".to_vec(), slots, ..Record::default() });
            let result = Arc::new(EntryResult { text: Some("X".into()), ..EntryResult::default() });
            ResultRow { record, results: std::iter::once(Some(vec![result])).collect() }
        };
        let (tasks, receiver) = channel();
        tasks.send(WriterTask::Rows(vec![(SinkIndex(0), row()), (SinkIndex(1), row())])).unwrap();
        tasks.send(WriterTask::Finish(vec![true, true])).unwrap();
        let (events, _reports) = mpsc::unbounded_channel();
        let all = sinks.into_iter().map(|(writer, to)| SinkWriter::new(writer, to)).collect();
        SinkWriters { all, events }.run(&receiver);
        assert_eq!(seen.lock().unwrap().last().map(String::as_str), Some("X\n"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "X\n");
    }
}
