//! Combines the notes of a batch's entries into the context of its request. If all entries have the same note, that note is the context.
//! Otherwise, each note is a line of the context. The line starts with labels: the first words of the texts that have this note.

use tulk_base::json::escaped_len;
use tulk_base::limits::{SHARED_NOTE_CHARS, SHARED_NOTES_BYTES};
use tulk_formats::Record;

const LABEL_CHARS: usize = 40;
/// Maximum size of all labels of a note, in bytes.
const LABELS_BYTES: usize = 200;

#[derive(Debug, Default)]
pub struct BatchNotes {
    /// The different notes, in the order of their first entries. Entries without a note share an empty one.
    notes: Vec<BatchNote>,
    /// Size of the context lines in escaped bytes.
    bytes: usize,
    /// Whether a note is too long to be sent with others.
    has_long: bool,
}

#[derive(Debug)]
struct BatchNote {
    text: String,
    labels: String,
}

impl BatchNotes {
    /// Returns whether all entries of the batch have the same context as this entry.
    pub fn has_only_context_of(&self, record: &Record, slot: usize) -> bool {
        let context = record.record_context(slot);
        self.notes.len() <= 1 && self.notes.iter().all(|note| is_same(&note.text, context))
    }

    /// Returns the size of the context with one more entry, in escaped bytes; `None` if the entry needs another batch, because its context
    /// is not a note, or because a note or all notes together are too long.
    pub fn bytes_with(&self, record: &Record, slot: usize) -> Option<usize> {
        let context = record.record_context(slot);
        let is_note = record.request(slot).is_some_and(|request| request.is_note);
        let is_shared = is_note && !self.has_long && !is_long(context);
        let bytes = self.bytes + added_bytes(context, &label(record, slot));
        (is_shared && bytes <= SHARED_NOTES_BYTES).then_some(bytes)
    }

    pub fn add(&mut self, record: &Record, slot: usize) {
        let context = record.record_context(slot);
        let known = self.notes.iter_mut().rfind(|note| is_same(&note.text, context));
        if context.is_empty() {
            if known.is_none() {
                self.notes.push(BatchNote { text: String::new(), labels: String::new() });
            }
            return;
        }
        let label = label(record, slot);
        match known {
            Some(note) if note.labels.len() + label.len() > LABELS_BYTES => {}
            Some(note) => {
                self.bytes += added_bytes("", &label);
                note.labels.extend([", ", &label]);
            }
            None => {
                self.bytes += added_bytes(context, &label);
                self.has_long = is_long(context);
                self.notes.push(BatchNote { text: context.to_owned(), labels: label });
            }
        }
    }

    /// Returns the context of a batch with different notes; `None` if all entries have the same note.
    pub fn context(&self) -> Option<String> {
        let notes = self.notes.iter().filter(|note| !note.text.is_empty());
        let lines = notes.map(|BatchNote { text, labels }| [labels, ": ", &one_line(text)].concat());
        (self.notes.len() > 1).then(|| lines.collect::<Vec<String>>().join("\n"))
    }
}

/// Compares contexts. In most batches, all are empty, and on a processor with AVX-512, glibc takes long to compare empty strings, because
/// they have no valid address: with `==`, no other function took more time.
pub fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && (a.is_empty() || a == b)
}

fn is_long(note: &str) -> bool {
    note.chars().nth(SHARED_NOTE_CHARS).is_some()
}

fn label(record: &Record, slot: usize) -> String {
    let text = one_line(record.text(slot).unwrap_or_default());
    match text.char_indices().nth(LABEL_CHARS) {
        Some((end, _)) => [text.get(..end).unwrap_or_default().trim_end(), "…"].concat(),
        None => text,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Returns the maximum size that a note and a label add to the context, with separator and line break, in escaped bytes.
fn added_bytes(note: &str, label: &str) -> usize {
    escaped_len(note.as_bytes()) + escaped_len(label.as_bytes()) + ": \\n".len()
}
