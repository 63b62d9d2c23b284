//! Entries as records of the pipeline, which are read from memory.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::catalogs::Sentence;
use crate::error::{Failure, Origin};
use crate::formats::{
    EntryLimit, Record, RecordReader, ResultRow, ResultWriter, SampleText, SentenceParts, Slot, SlotRequest,
    TextFormat, sentence_fallback,
};
use crate::input::source::Source;

/// Returns the record of an entry. `None` if there is nothing to translate in it.
pub fn record(number: usize, sentence: &Sentence, context: Option<&Arc<str>>, origin: &Origin) -> Option<Record> {
    let parts = SentenceParts::of(sentence);
    if !parts.is_sent() {
        return None;
    }
    let sample = sentence
        .sample
        .as_ref()
        .map(|_| Box::new(SampleText { sentence: sentence.clone(), fallback: sentence_fallback(sentence) }));
    let request = SlotRequest {
        context: context.cloned(),
        targets: None,
        sample,
        is_ordered: sentence.is_ordered,
        marks: Some(sentence.marks.clone()),
    };
    let slot = Slot {
        text: Some(parts.text.to_owned()),
        tokens: parts.tokens(),
        request: Some(Box::new(request)),
        ..Slot::default()
    };
    let entry = number as u64 + 1;
    Some(Record { slots: vec![slot], origin: origin.clone(), entry, ..Record::default() })
}

/// Returns the number of the entry that a record was made for.
pub fn entry_number(record: &Record) -> usize {
    usize::try_from(record.entry).unwrap_or_default().saturating_sub(1)
}

/// Records as an input. All its readers together read each record once.
#[derive(Debug)]
pub struct EntryRecords(Arc<Mutex<VecDeque<Record>>>);

impl EntryRecords {
    /// An input of these records.
    pub fn new(records: impl IntoIterator<Item = Record>) -> Self {
        Self(Arc::new(Mutex::new(records.into_iter().collect())))
    }
}

impl TextFormat for EntryRecords {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(EntryReaderInMemory(self.0.clone()))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(NoWriter)
    }

    fn has_tokens(&self) -> bool {
        true
    }
}

struct EntryReaderInMemory(Arc<Mutex<VecDeque<Record>>>);

impl RecordReader for EntryReaderInMemory {
    fn read(&mut self, _input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
            Some(record) => *into = record,
            None => return Ok(false),
        }
        Ok(true)
    }
}

/// Results are taken by the observer of the run.
struct NoWriter;

impl ResultWriter for NoWriter {
    fn write(&mut self, _row: &ResultRow, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
