//! Turns the entries of a group into pipeline records, read from memory.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tulk_base::error::{Failure, Origin};
use tulk_catalogs::{Expansion, Sentence};
use tulk_formats::input::source::Source;
use tulk_formats::{
    EntryLimit, Record, RecordReader, ResultRow, ResultWriter, SampleText, SentenceParts, Slot, SlotRequest,
    TextFormat, sentence_fallback,
};

use super::SyncGroup;

/// Returns `None` if the entry has nothing to translate.
pub fn record(
    number: usize,
    sentence: &Sentence,
    (context, is_note): (Option<&Arc<str>>, bool),
    origin: &Origin,
) -> Option<Record> {
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
        is_note,
        targets: None,
        sample,
        is_ordered: sentence.is_ordered,
        text_syntax: Some(sentence.text_syntax.clone()),
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

/// The entry from which a record was created.
pub fn entry_number(record: &Record) -> usize {
    usize::try_from(record.entry).unwrap_or_default().saturating_sub(1)
}

#[derive(Clone, Debug)]
pub struct GroupEntry {
    number: usize,
    expansion: Arc<Expansion>,
    sentence: usize,
    pub context: Option<Arc<str>>,
    is_note: bool,
    origin: Origin,
}

impl GroupEntry {
    pub fn new(group: &SyncGroup, number: usize) -> Option<Self> {
        let context = group.work.entries.get(number)?.context.clone();
        let (expansion, sentence) = group.work.expansion(number)?;
        let origin = group.work.users(number).next().and_then(|task| group.origins.get(task))?.clone();
        let is_note = group.has_notes;
        Some(Self { number, expansion: expansion.clone(), sentence, context, is_note, origin })
    }

    pub fn text(&self) -> &str {
        self.sentence().map(|sentence| sentence.text.as_str()).unwrap_or_default()
    }

    fn sentence(&self) -> Option<&Sentence> {
        self.expansion.sentences.get(self.sentence)
    }
}

/// A queue of entries that acts as an input format. All its readers share the queue.
#[derive(Debug)]
pub struct EntryRecords(Arc<Mutex<VecDeque<GroupEntry>>>);

impl EntryRecords {
    pub fn new(entries: Vec<GroupEntry>) -> Self {
        Self(Arc::new(Mutex::new(entries.into())))
    }

    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
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

struct EntryReaderInMemory(Arc<Mutex<VecDeque<GroupEntry>>>);

impl RecordReader for EntryReaderInMemory {
    fn read(&mut self, _input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(entry) = next else { return Ok(false) };
            let sentence = entry.sentence();
            let context = (entry.context.as_ref(), entry.is_note);
            let made = sentence.and_then(|text| record(entry.number, text, context, &entry.origin));
            if let Some(record) = made {
                *into = record;
                return Ok(true);
            }
        }
    }
}

/// Results go to the [`AnswerObserver`](super::observer::AnswerObserver) instead.
struct NoWriter;

impl ResultWriter for NoWriter {
    fn write(&mut self, _row: &ResultRow, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
