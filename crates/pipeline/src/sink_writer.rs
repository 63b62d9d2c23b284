//! One sink in the writer thread: formats rows into a buffer, and writes the buffer to its destination.

use std::io::{self, Write};
use std::sync::Arc;

use tulk_base::error::{Failure, io_message};
use tulk_base::files::Digest;
use tulk_formats::{EntryResult, Record, ResultRow, ResultWriter};
use tulk_store::part::{AnswerKey, EarlyAnswer, PartFile};

use super::index::{SinkIndex, SlotPosition};
use super::reorder::memory_bytes;
use super::report::Leftover;
use super::sink::Destination;

/// Size at which the buffer is written.
const BUFFER_BYTES: usize = 64 * 1024;

/// Rows that were written or dropped.
#[derive(Clone, Copy, Debug, Default)]
pub struct WrittenRows {
    pub rows: u64,
    pub entries: u64,
    /// Memory of these rows in the pipeline, in bytes.
    pub memory_bytes: usize,
}

/// A result that arrived before the results of earlier rows, for a resumable sink.
pub struct EarlyResult {
    pub sink: SinkIndex,
    /// Index of the target in the sink.
    pub target: u32,
    pub position: SlotPosition,
    pub record: Arc<Record>,
    pub result: Arc<EntryResult>,
}

pub struct SinkWriter {
    writer: Box<dyn ResultWriter>,
    buffer: SinkBuffer,
    buffered: WrittenRows,
    /// Rows that are written but not yet reported.
    written: Option<WrittenRows>,
    /// Whether there was a row.
    started: bool,
    /// Whether writing failed. After that, nothing more is written.
    pub has_failed: bool,
}

impl SinkWriter {
    pub fn new(writer: Box<dyn ResultWriter>, to: Destination) -> Self {
        let buffer = SinkBuffer { to, bytes: Vec::new(), failure: None };
        Self { writer, buffer, buffered: WrittenRows::default(), written: None, started: false, has_failed: false }
    }

    pub fn write_row(&mut self, row: &ResultRow) -> Result<(), Failure> {
        self.started = true;
        self.buffered.memory_bytes += memory_bytes(&row.record);
        let done = self.writer.write(row, &mut self.buffer);
        self.buffer.check(done)?;
        let entries = row.record.slots.len() as u64;
        let resumable = self.writer.is_resumable_here();
        let SinkBuffer { to, bytes, .. } = &mut self.buffer;
        if let Destination::Part(part) = to {
            let end = part.written() + bytes.len() as u64;
            if !resumable && self.writer.is_resumable() {
                // The output ends within an entry here. A later run cannot resume after this row, so it needs the results from the state.
                store_row(part, row);
            }
            part.add_row(&row.record.bytes, entries, end, resumable);
        }
        self.buffered.rows += 1;
        self.buffered.entries += entries;
        if self.buffer.bytes.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    pub fn add_early_answer(&mut self, early: &EarlyResult) {
        let EarlyResult { target, position, record, result, .. } = early;
        if let Destination::Part(part) = &mut self.buffer.to
            && !self.has_failed
        {
            store_early(part, position.row.0, *target, record, position.slot, result);
        }
    }

    /// Sets the digest of the rows before the first one that this run writes.
    pub fn set_input_digest(&mut self, digest: Digest) {
        if let Destination::Part(part) = &mut self.buffer.to {
            part.set_input_digest(digest);
        }
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        let done = self.buffer.flush();
        self.buffer.check(done)?;
        if let Destination::Part(part) = &mut self.buffer.to {
            part.save_state()?;
        }
        if self.buffered.rows > 0 {
            let buffered = std::mem::take(&mut self.buffered);
            let written = self.written.get_or_insert_default();
            written.rows += buffered.rows;
            written.entries += buffered.entries;
            written.memory_bytes += buffered.memory_bytes;
        }
        Ok(())
    }

    /// Returns the rows written since the last call.
    pub fn take_written(&mut self) -> Option<WrittenRows> {
        self.written.take()
    }

    /// Marks the sink as failed. Returns the memory in bytes of the rows that are lost.
    pub fn fail(&mut self) -> usize {
        self.has_failed = true;
        std::mem::take(&mut self.buffered).memory_bytes
    }

    /// Ends the output. Renames the part to the file if the output is complete.
    pub fn finish(&mut self, complete: bool) -> Result<(), Failure> {
        let resumable = matches!(self.buffer.to, Destination::Part(_)) && self.writer.is_resumable();
        // Write the end of the format, such as `]`, unless a later run may continue after the last row. An incomplete output without
        // rows stays empty.
        if complete || (!resumable && self.started) {
            let done = self.writer.finish(&mut self.buffer);
            self.buffer.check(done)?;
        }
        self.flush()?;
        if complete && let Destination::Part(part) = std::mem::replace(&mut self.buffer.to, Destination::Nothing) {
            part.finish()?;
        }
        Ok(())
    }

    /// Returns what is left of the file if nothing more is written.
    pub fn leftover(&self) -> Leftover {
        match &self.buffer.to {
            Destination::Part(part) if !part.is_kept() => Leftover::Nothing,
            Destination::Part(_) if self.writer.is_resumable() => Leftover::Resumable,
            Destination::Part(_) => Leftover::ReadOnly,
            Destination::Stream(..) | Destination::Nothing | Destination::Resumed(_) => Leftover::Nothing,
        }
    }
}

/// Stores the results of the next row in the state of a part.
fn store_row(part: &mut PartFile, row: &ResultRow) {
    for (target, results) in (0..).zip(&row.results) {
        for (slot, result) in results.iter().flatten().enumerate() {
            store_early(part, part.rows(), target, &row.record, slot, result);
        }
    }
}

fn store_early(part: &mut PartFile, row: u64, target: u32, record: &Record, slot: usize, result: &EntryResult) {
    let key = AnswerKey { row, target, slot: u32::try_from(slot).unwrap_or(u32::MAX) };
    let answer = EarlyAnswer { text: result.text.clone(), billed: result.billed, raw: result.raw.clone() };
    // Use the text of the input, not the text sent: texts with different tokens may be sent in the same form.
    part.add_early_answer(key, record.text(slot).unwrap_or_default(), &answer);
}

/// Output that is not written yet. A large row is written before it is complete.
struct SinkBuffer {
    to: Destination,
    bytes: Vec<u8>,
    /// The failure behind the `io::Error` that the format received.
    failure: Option<Failure>,
}

impl SinkBuffer {
    fn check(&mut self, done: io::Result<()>) -> Result<(), Failure> {
        match (done, self.failure.take()) {
            (_, Some(failure)) => Err(failure),
            (Ok(()), None) => Ok(()),
            // A format may refuse to write a result.
            (Err(error), None) => match error.downcast::<Failure>() {
                Ok(failure) => Err(failure),
                Err(error) => Err(Failure::internal(io_message(&error))),
            },
        }
    }
}

impl Write for SinkBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= 4 * BUFFER_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let done = self.to.write(&self.bytes);
        self.bytes.clear();
        done.map_err(|failure| {
            self.failure = Some(failure);
            io::Error::other("not written")
        })
    }
}
