//! The reader's thread: records in chunks, handed over before every read that may block.
//!
//! Arguments need no thread: they are read at once. Files are read twice: the first time to find faults before anything is sent.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::{Semaphore, mpsc};

use super::Input;
use crate::error::Failure;
use crate::formats::{Record, Room};
use crate::store::part::Check;

/// Records handed over at once.
const RECORDS: usize = 256;
/// Bytes of records handed over at once.
const BYTES: usize = 64 * 1024;

/// Chunks that wait to be taken.
const AHEAD: usize = 2;

/// What the reader tells.
pub enum News {
    /// The whole input was looked through: so many entries.
    Scanned(u64),
    /// Records, in order.
    Records(Vec<Arc<Record>>),
    /// A fault; nothing follows.
    Fault(Failure),
}

/// Starts the thread. It ends by itself when the input does, or when nobody listens any more.
pub fn start(input: Input, room: Room, checks: Vec<Check>) -> Result<mpsc::Receiver<News>, Failure> {
    let at_once = input.source.held().is_some();
    let (news, heard) = mpsc::channel(if at_once { Semaphore::MAX_PERMITS } else { AHEAD });
    let news = Teller { news, at_once };
    let run = move || {
        if let Err(failure) = read(input, room, checks, &news) {
            news.tell(News::Fault(failure));
        }
    };
    if at_once {
        run();
        return Ok(heard);
    }
    thread::Builder::new().name("reader".into()).spawn(run).map_err(|e| Failure::internal(e.to_string()))?;
    Ok(heard)
}

/// Where news go.
#[derive(Clone)]
struct Teller {
    news: mpsc::Sender<News>,
    /// There is room for all of it; nobody takes any before the end.
    at_once: bool,
}

impl Teller {
    /// Whether anybody still listens.
    fn tell(&self, news: News) -> bool {
        if self.at_once { self.news.try_send(news).is_ok() } else { self.news.blocking_send(news).is_ok() }
    }
}

/// Reads all of it; ends early when nobody listens.
fn read(input: Input, room: Room, checks: Vec<Check>, news: &Teller) -> Result<(), Failure> {
    let Input { mut source, format } = input;
    if source.can_repeat() {
        let entries = scan(&mut source, &mut *format.reader(room), checks, news)?;
        if !news.tell(News::Scanned(entries)) {
            return Ok(());
        }
        source.rewind();
    }
    let chunk = Arc::new(Mutex::new(Chunk { records: Vec::new(), bytes: 0, news: news.clone(), heard: true }));
    let hook = chunk.clone();
    source.before_block(Box::new(move || hook.lock().unwrap_or_else(PoisonError::into_inner).hand_over()));
    let mut reader = format.reader(room);
    let end = loop {
        let mut record = Record::default();
        match reader.read(&mut source, &mut record) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(failure) => break Err(failure),
        }
        let mut chunk = chunk.lock().unwrap_or_else(PoisonError::into_inner);
        chunk.take(record);
        if !chunk.heard {
            return Ok(());
        }
    };
    chunk.lock().unwrap_or_else(PoisonError::into_inner).hand_over();
    end
}

/// Looks an input through for faults, if it can be read twice, and leaves it at its start.
pub fn look_through(input: &mut Input, room: Room) -> Result<(), Failure> {
    if !input.source.can_repeat() {
        return Ok(());
    }
    let mut reader = input.format.reader(room);
    while reader.read(&mut input.source, &mut Record::default())? {}
    input.source.rewind();
    Ok(())
}

/// Reads a whole input for its faults; also compares it with what earlier runs saw.
fn scan(
    source: &mut crate::input::source::Source,
    reader: &mut dyn crate::formats::RecordReader,
    mut checks: Vec<Check>,
    news: &Teller,
) -> Result<u64, Failure> {
    let (mut entries, mut rows) = (0, 0);
    loop {
        let mut record = Record::default();
        if !reader.read(source, &mut record)? {
            break;
        }
        entries += record.slots.len() as u64;
        for check in &mut checks {
            check.see(rows, &record.bytes)?;
        }
        rows += 1;
        if rows % 4096 == 0 && news.news.is_closed() {
            return Ok(entries);
        }
    }
    checks.iter().try_for_each(Check::end)?;
    Ok(entries)
}

/// What was read and not yet handed over.
struct Chunk {
    records: Vec<Arc<Record>>,
    bytes: usize,
    news: Teller,
    heard: bool,
}

impl Chunk {
    fn take(&mut self, record: Record) {
        self.bytes += record.bytes.len();
        self.records.push(Arc::new(record));
        if self.records.len() >= RECORDS || self.bytes >= BYTES {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        if self.records.is_empty() {
            return;
        }
        self.bytes = 0;
        let records = std::mem::take(&mut self.records);
        self.heard = self.news.tell(News::Records(records));
    }
}
