//! The writer's thread: rows to bytes, bytes to files and stdout. The loop never waits for it.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::mpsc;

use super::order::weight;
use super::repeats::Place;
use super::report::Left;
use super::sink::Destination;
use crate::error::Failure;
use crate::formats::{Record, ResultWriter, Row, Translated};
use crate::store::part::{Ahead, Digest};

/// Output collected before it is written.
const BUFFER: usize = 64 * 1024;

/// What the writer is told.
pub enum Work {
    /// Rows, each for a sink, in order. Handed over together, for each hand-over may wake the thread.
    Rows(Vec<(usize, Row)>),
    /// An answer ahead of its turn, for a sink with a part: which of its targets, where, and for what.
    Ahead(usize, u32, Place, Arc<Record>, Arc<Translated>),
    /// The digest of the rows before the first that this run writes.
    Seed(usize, Digest),
    /// The sinks that are complete; the others end where they are. Nothing follows.
    Finish(Vec<bool>),
}

/// What the writer tells.
#[derive(Debug)]
pub enum Wrote {
    /// Rows of a sink are out.
    Rows { sink: usize, rows: u64, entries: u64, bytes: usize },
    /// A sink cannot be written.
    Failed(usize, Failure),
    /// What a sink that is not complete leaves of its file.
    Left(usize, Left),
    /// All is done.
    Done,
}

/// The writer, seen from the loop.
pub struct Writer {
    hands: Hands,
    /// Tells what became of the work.
    pub wrote: mpsc::UnboundedReceiver<Wrote>,
}

enum Hands {
    Thread(Sender<Work>),
    /// For a few lines a thread costs more than the work.
    Here(Outlets),
}

impl Writer {
    /// Starts the thread; `small` output, which no pipe can stall for long, is written by the loop itself.
    pub fn start(sinks: Vec<(Box<dyn ResultWriter>, Destination)>, small: bool) -> Result<Self, Failure> {
        let (tell, wrote) = mpsc::unbounded_channel();
        let outlets =
            move || Outlets { all: sinks.into_iter().map(|(writer, to)| Outlet::new(writer, to)).collect(), tell };
        if small {
            return Ok(Self { hands: Hands::Here(outlets()), wrote });
        }
        let (work, todo) = channel();
        let run = move || outlets().run(&todo);
        thread::Builder::new().name("writer".into()).spawn(run).map_err(|e| Failure::internal(e.to_string()))?;
        Ok(Self { hands: Hands::Thread(work), wrote })
    }

    /// Hands over work. What comes after the end is dropped.
    pub fn give(&mut self, work: Work) {
        match &mut self.hands {
            Hands::Thread(to) => {
                let _ = to.send(work);
            }
            Hands::Here(outlets) => match work {
                Work::Finish(complete) => outlets.finish(&complete),
                work => {
                    outlets.take(work);
                    outlets.each(Outlet::flush);
                }
            },
        }
    }
}

/// All sinks, and who is told of them.
struct Outlets {
    all: Vec<Outlet>,
    tell: mpsc::UnboundedSender<Wrote>,
}

impl Outlets {
    fn run(&mut self, todo: &Receiver<Work>) {
        while let Ok(mut work) = todo.recv() {
            // What is there is written at once, together.
            loop {
                if let Work::Finish(complete) = work {
                    self.finish(&complete);
                    return;
                }
                self.take(work);
                match todo.try_recv() {
                    Ok(next) => work = next,
                    Err(_) => break,
                }
            }
            self.each(Outlet::flush);
        }
    }

    fn take(&mut self, work: Work) {
        match work {
            Work::Rows(rows) => rows.into_iter().for_each(|(sink, row)| self.row(sink, &row)),
            Work::Ahead(sink, target, place, record, result) => {
                if let Some(outlet) = self.all.get_mut(sink).filter(|o| !o.dead) {
                    outlet.ahead(target, place, &record, &result);
                }
            }
            Work::Seed(sink, digest) => {
                if let Some(outlet) = self.all.get_mut(sink).filter(|o| !o.dead) {
                    outlet.seed(digest);
                }
            }
            Work::Finish(_) => {}
        }
    }

    fn row(&mut self, sink: usize, row: &Row) {
        let Some(outlet) = self.all.get_mut(sink) else { return };
        if outlet.dead {
            self.drop_bytes(sink, weight(&row.record));
            return;
        }
        let full = |outlet: &mut Outlet| if outlet.buffer.bytes.len() >= BUFFER { outlet.flush() } else { Ok(()) };
        let done = outlet.row(row).and_then(|()| full(outlet));
        self.tell(sink, done);
    }

    fn each(&mut self, act: impl Fn(&mut Outlet) -> Result<(), Failure>) {
        for sink in 0..self.all.len() {
            let Some(outlet) = self.all.get_mut(sink).filter(|o| !o.dead) else { continue };
            let done = act(outlet);
            self.tell(sink, done);
        }
    }

    /// Tells what a sink came to.
    fn tell(&mut self, sink: usize, done: Result<(), Failure>) {
        let Some(outlet) = self.all.get_mut(sink) else { return };
        if let Some((rows, entries, bytes)) = outlet.out.take() {
            let _ = self.tell.send(Wrote::Rows { sink, rows, entries, bytes });
        }
        if let Err(failure) = done {
            outlet.dead = true;
            let lost = std::mem::take(&mut outlet.pending).2;
            let _ = self.tell.send(Wrote::Failed(sink, failure));
            self.drop_bytes(sink, lost);
        }
    }

    /// Tells of rows that will never be written, so that the loop does not wait for them.
    fn drop_bytes(&self, sink: usize, bytes: usize) {
        let _ = self.tell.send(Wrote::Rows { sink, rows: 0, entries: 0, bytes });
    }

    fn finish(&mut self, complete: &[bool]) {
        for (sink, complete) in complete.iter().enumerate() {
            let Some(outlet) = self.all.get_mut(sink).filter(|o| !o.dead) else { continue };
            let done = outlet.finish(*complete);
            let left = outlet.left();
            self.tell(sink, done);
            let _ = self.tell.send(Wrote::Left(sink, left));
        }
        // Files are closed and their locks free before the loop goes on.
        self.all.clear();
        let _ = self.tell.send(Wrote::Done);
    }
}

/// A sink in the writer's hands.
struct Outlet {
    writer: Box<dyn ResultWriter>,
    buffer: Buffer,
    /// Rows and entries in the buffer, and what they weigh.
    pending: (u64, u64, usize),
    /// The same, of what is out and not yet told.
    out: Option<(u64, u64, usize)>,
    /// Whether a row came.
    begun: bool,
    dead: bool,
}

impl Outlet {
    fn new(writer: Box<dyn ResultWriter>, to: Destination) -> Self {
        let buffer = Buffer { to, bytes: Vec::new(), failure: None };
        Self { writer, buffer, pending: (0, 0, 0), out: None, begun: false, dead: false }
    }

    fn row(&mut self, row: &Row) -> Result<(), Failure> {
        self.begun = true;
        self.pending.2 += weight(&row.record);
        let done = self.writer.write(row, &mut self.buffer);
        self.buffer.result(done)?;
        let entries = row.record.slots.len() as u64;
        let whole = self.writer.whole();
        let Buffer { to, bytes, .. } = &mut self.buffer;
        if let Destination::Part(part) = to {
            let end = part.written() + bytes.len() as u64;
            part.row(&row.record.bytes, entries, end, whole);
        }
        self.pending.0 += 1;
        self.pending.1 += entries;
        Ok(())
    }

    fn ahead(&mut self, target: u32, place: Place, record: &Record, result: &Translated) {
        let sent = record.sent(place.slot as usize).unwrap_or_default();
        if let Destination::Part(part) = &mut self.buffer.to {
            let answer = Ahead { text: result.text.clone(), billed: result.billed, raw: result.raw.clone() };
            part.ahead((place.row, target, place.slot), sent, &answer);
        }
    }

    fn seed(&mut self, digest: Digest) {
        if let Destination::Part(part) = &mut self.buffer.to {
            part.seed(digest);
        }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let done = self.buffer.flush();
        self.buffer.result(done)?;
        if let Destination::Part(part) = &mut self.buffer.to {
            part.save_notes()?;
        }
        if self.pending.0 > 0 {
            let (rows, entries, bytes) = std::mem::take(&mut self.pending);
            let told = self.out.get_or_insert((0, 0, 0));
            *told = (told.0 + rows, told.1 + entries, told.2 + bytes);
        }
        Ok(())
    }

    fn finish(&mut self, complete: bool) -> Result<(), Failure> {
        let goes_on = matches!(self.buffer.to, Destination::Part(_)) && self.writer.can_go_on();
        // A part that goes on later must end at its last row.
        // A run that failed before its first row leaves nothing, not an empty list.
        if complete || (!goes_on && self.begun) {
            let done = self.writer.finish(&mut self.buffer);
            self.buffer.result(done)?;
        }
        self.flush()?;
        if complete && let Destination::Part(part) = std::mem::replace(&mut self.buffer.to, Destination::Nothing) {
            part.finish()?;
        }
        Ok(())
    }

    /// What there is of its file when nothing more is written.
    fn left(&self) -> Left {
        match &self.buffer.to {
            Destination::Part(part) if !part.stays() => Left::Nothing,
            Destination::Part(_) if self.writer.can_go_on() => Left::Part,
            Destination::Part(_) => Left::Ended,
            Destination::Stream(..) | Destination::Nothing => Left::Nothing,
        }
    }
}

/// Output on its way; writes itself out when a single row is large.
struct Buffer {
    to: Destination,
    bytes: Vec<u8>,
    /// The failure behind an `io::Error` that was given to a format.
    failure: Option<Failure>,
}

impl Buffer {
    fn result(&mut self, done: io::Result<()>) -> Result<(), Failure> {
        match (done, self.failure.take()) {
            (_, Some(failure)) => Err(failure),
            (Ok(()), None) => Ok(()),
            (Err(error), None) => Err(Failure::internal(crate::error::io_message(&error))),
        }
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= 4 * BUFFER {
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
