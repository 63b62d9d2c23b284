//! Builds the bodies of requests. Entries are escaped straight into the body, so its size is always known exactly.

use std::ops::Range;
use std::rc::Rc;

use bytes::Bytes;
use serde_json::value::RawValue;
use tulk_base::error::Failure;
use tulk_base::json::{escape_into, escaped_len};
use tulk_base::numbers::counted;
use tulk_formats::EntryLimit;

use super::BatchLimit;
use super::dedup::SentEntry;

const HEAD: &[u8] = b"{\"text\":[";
const CONTEXT_FIELD: &[u8] = b",\"context\":\"\"";

/// The body of the next request, to which entries are added.
pub struct Batcher {
    limit: BatchLimit,
    /// The options with a leading comma, such as `,"target_lang":"DE"`.
    options: Vec<u8>,
    context: String,
    lines: String,
    body: Vec<u8>,
    /// Everything after the entries, including the context.
    tail: Vec<u8>,
    entries: Vec<BatchEntry>,
}

pub struct BatchEntry {
    pub sent: Rc<SentEntry>,
    /// Byte range in the body, including the quotes.
    span: Range<u32>,
}

pub struct Batch {
    pub body: Bytes,
    pub entries: Vec<BatchEntry>,
    /// Number of code points in the texts.
    pub chars: u64,
    /// Whether the code points have been counted already, as for one half of a refused batch.
    pub counted: bool,
}

impl Batcher {
    /// Creates an empty body. `options` is a JSON object. Fails if options and context leave no room for text.
    pub fn new(options: &str, context: Option<&str>, limit: BatchLimit) -> Result<Self, Failure> {
        let object: &RawValue = serde_json::from_str(options)?;
        let inner = object.get().trim();
        let inner = inner.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
        let inner = inner.ok_or_else(|| Failure::internal("the options of a request are not a JSON object"))?.trim();
        let mut fields = Vec::new();
        if !inner.is_empty() {
            fields.push(b',');
            fields.extend_from_slice(inner.as_bytes());
        }
        let context = context.unwrap_or_default().to_owned();
        let (lines, body) = (String::new(), HEAD.to_vec());
        let batcher = Self { limit, options: fields, context, lines, body, tail: Vec::new(), entries: Vec::new() };
        let batcher = Self { tail: batcher.tail_with("", ""), ..batcher };
        if batcher.max_entry_bytes() < EntryLimit::MIN_BYTES {
            let bytes = counted(limit.bytes, "byte");
            let what = format!("the options and the context leave no space for text in a request of {bytes}");
            return Err(Failure::usage(what).hint("shorten the context"));
        }
        Ok(batcher)
    }

    /// Returns the maximum size of a single entry without context lines, in escaped bytes.
    pub fn max_entry_bytes(&self) -> usize {
        self.limit.bytes.saturating_sub(HEAD.len() + self.tail_with("", "").len() + 2)
    }

    /// Returns whether the body has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns whether the body has the maximum number of entries.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= self.limit.entries
    }

    /// Returns the part after the entries: the options, and the context joined from its non-empty parts.
    fn tail_with(&self, own: &str, lines: &str) -> Vec<u8> {
        let mut tail = vec![b']'];
        tail.extend_from_slice(&self.options);
        let mut before: &[u8] = b",\"context\":\"";
        for part in [&self.context, own, lines].into_iter().filter(|part| !part.is_empty()) {
            tail.extend_from_slice(before);
            escape_into(&mut tail, part.as_bytes());
            before = b"\\n";
        }
        if before == b"\\n" {
            tail.push(b'"');
        }
        tail.push(b'}');
        tail
    }

    /// Sets the context of an empty body: `own` is the context of its entries, `lines` are the lines before the first entry. Returns the
    /// part of `lines` that was kept.
    ///
    /// Cuts `lines` at the start until the context takes at most half the body, or less if the first entry needs the room.
    pub fn set_context<'a>(&mut self, own: &str, lines: &'a str, first: &str) -> &'a str {
        let fixed = escaped_len(self.context.as_bytes()) + 2 + escaped_len(own.as_bytes());
        let half = (self.limit.bytes / 2).saturating_sub(fixed);
        let field = if self.context.is_empty() { CONTEXT_FIELD.len() } else { b"\\n".len() };
        let own_field = if own.is_empty() { 0 } else { escaped_len(own.as_bytes()) + b"\\n".len() };
        let left = self.max_entry_bytes().saturating_sub(escaped_len(first.as_bytes()) + field + own_field);
        let kept = suffix_within(lines, half.min(left));
        self.tail = self.tail_with(own, kept);
        kept.clone_into(&mut self.lines);
        kept
    }

    /// Returns whether the body has an entry with this text.
    pub fn has_text(&self, text: &str) -> bool {
        self.entries.iter().any(|entry| entry.sent.text() == text)
    }

    /// Adds an entry. Returns false and changes nothing if it does not fit next to the others. `notes_bytes` is the escaped size of the
    /// notes that will be passed to [`Self::take_batch`], or 0 without notes.
    pub fn push(&mut self, text: &str, sent: &Rc<SentEntry>, notes_bytes: usize) -> bool {
        let before = self.body.len();
        if !self.entries.is_empty() {
            self.body.push(b',');
        }
        let start = self.body.len();
        self.body.push(b'"');
        escape_into(&mut self.body, text.as_bytes());
        self.body.push(b'"');
        let reserved = if notes_bytes == 0 { 0 } else { notes_bytes + CONTEXT_FIELD.len() };
        let over = self.body.len() + self.tail.len() + reserved > self.limit.bytes || self.is_full();
        if over && !self.entries.is_empty() {
            self.body.truncate(before);
            return false;
        }
        self.entries.push(BatchEntry { sent: sent.clone(), span: range(start, self.body.len()) });
        true
    }

    /// Returns the body and starts a new one; `None` if it has no entries. `notes` replace the entries' own context.
    pub fn take_batch(&mut self, notes: Option<&str>) -> Option<Batch> {
        if self.entries.is_empty() {
            return None;
        }
        let capacity = self.body.len().min(16 * 1024);
        let mut body = std::mem::replace(&mut self.body, Vec::with_capacity(capacity));
        self.body.extend_from_slice(HEAD);
        match notes {
            Some(notes) => body.extend_from_slice(&self.tail_with(notes, &self.lines)),
            None => body.extend_from_slice(&self.tail),
        }
        let entries = std::mem::take(&mut self.entries);
        self.entries.reserve(entries.len());
        let chars = entries.iter().map(|e| e.sent.chars).sum();
        Some(Batch { body: body.into(), entries, chars, counted: false })
    }

    /// Returns an entry as a separate batch with the options and the context of the current body. If `other_context` is given, it
    /// replaces the entries' own context and the context lines.
    pub fn separate_batch(&self, text: &str, sent: &Rc<SentEntry>, other_context: Option<&str>) -> Batch {
        let mut body = HEAD.to_vec();
        body.push(b'"');
        escape_into(&mut body, text.as_bytes());
        body.push(b'"');
        let entries = vec![BatchEntry { sent: sent.clone(), span: range(HEAD.len(), body.len()) }];
        match other_context {
            Some(other) => body.extend_from_slice(&self.tail_with(other, "")),
            None => body.extend_from_slice(&self.tail),
        }
        Batch { body: body.into(), entries, chars: sent.chars, counted: false }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.body.truncate(HEAD.len());
    }
}

impl Batch {
    /// Returns an entry of this batch as a separate batch with the same options and context.
    pub fn separate_batch(&self, entry: usize) -> Option<Self> {
        let BatchEntry { sent, span } = self.entries.get(entry)?;
        let tail_at = self.entries.last()?.span.end as usize;
        let mut body = HEAD.to_vec();
        body.extend_from_slice(self.body.get(span.start as usize..span.end as usize)?);
        let span = range(HEAD.len(), body.len());
        body.extend_from_slice(self.body.get(tail_at..)?);
        let entries = vec![BatchEntry { sent: sent.clone(), span }];
        Some(Self { body: body.into(), entries, chars: sent.chars, counted: false })
    }

    /// Splits the batch into two with the same options and context. Returns the batch as an error if it has only one entry.
    pub fn halve(self) -> Result<(Self, Self), Self> {
        if self.entries.len() < 2 {
            return Err(self);
        }
        let tail_at = self.entries.last().map_or(0, |e| e.span.end as usize);
        let mut first = self.entries;
        let second = first.split_off(first.len() / 2);
        let make = |entries: Vec<BatchEntry>| {
            let mut body = HEAD.to_vec();
            let mut moved = Vec::with_capacity(entries.len());
            for entry in entries {
                if !moved.is_empty() {
                    body.push(b',');
                }
                let start = body.len();
                let (from, to) = (entry.span.start as usize, entry.span.end as usize);
                body.extend_from_slice(self.body.get(from..to).unwrap_or_default());
                moved.push(BatchEntry { sent: entry.sent, span: range(start, body.len()) });
            }
            body.extend_from_slice(self.body.get(tail_at..).unwrap_or_default());
            let chars = moved.iter().map(|e: &BatchEntry| e.sent.chars).sum();
            Self { body: body.into(), entries: moved, chars, counted: self.counted }
        };
        Ok((make(first), make(second)))
    }
}

fn range(start: usize, end: usize) -> Range<u32> {
    u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX)
}

/// Returns the longest suffix of `text` with at most `room` escaped bytes.
fn suffix_within(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += escaped_len(c.encode_utf8(&mut [0; 4]).as_bytes());
        if used > room {
            return text.get(at + c.len_utf8()..).unwrap_or_default();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Rc<SentEntry> {
        SentEntry::of_text(text)
    }

    fn body(batch: &Batch) -> serde_json::Value {
        serde_json::from_slice(&batch.body).unwrap()
    }

    #[test]
    fn encodes_text_options_and_context() {
        let limit = BatchLimit { entries: 50, bytes: 200 };
        let mut batcher = Batcher::new(r#"{"target_lang":"DE"}"#, Some("fixed"), limit).unwrap();
        assert_eq!(batcher.set_context("", "one\ntwo", "a\"b"), "one\ntwo");
        assert!(batcher.push("a\"b", &entry("a\"b"), 0));
        assert!(batcher.push("c", &entry("c"), 0));
        let batch = batcher.take_batch(None).unwrap();
        let expected = serde_json::json!({"text": ["a\"b", "c"], "target_lang": "DE", "context": "fixed\none\ntwo"});
        assert_eq!(body(&batch), expected);
        assert_eq!(batch.chars, 4);
        assert!(batcher.take_batch(None).is_none());
    }

    #[test]
    fn the_room_for_an_entry_is_exact() {
        for options in ["{}", r#" {"target_lang":"DE"} "#] {
            let limit = BatchLimit { entries: 50, bytes: 100 };
            let mut batcher = Batcher::new(options, None, limit).unwrap();
            let text = "x".repeat(batcher.max_entry_bytes());
            assert!(batcher.push(&text, &entry(&text), 0));
            assert!(!batcher.push("y", &entry("y"), 0));
            assert_eq!(batcher.take_batch(None).unwrap().body.len(), 100);
        }
    }

    #[test]
    fn adds_an_entry_that_fills_the_body_exactly() {
        let limit = BatchLimit { entries: 50, bytes: 100 };
        let fits = |chars: usize| {
            let mut batcher = Batcher::new("{}", None, limit).unwrap();
            assert!(batcher.push("x", &entry("x"), 0));
            let text = "y".repeat(chars);
            let fits = batcher.push(&text, &entry(&text), 0);
            (fits, batcher.take_batch(None).unwrap().body.len())
        };
        assert_eq!(fits(83), (true, 100));
        assert_eq!(fits(84), (false, 14));
    }

    #[test]
    fn a_cleared_body_is_empty_and_accepts_new_entries() {
        let mut batcher = Batcher::new("{}", None, BatchLimit::TRANSLATE).unwrap();
        assert!(batcher.push("one", &entry("one"), 0));
        batcher.clear();
        assert!(batcher.is_empty() && batcher.take_batch(None).is_none());
        assert!(batcher.push("two", &entry("two"), 0));
        assert_eq!(body(&batcher.take_batch(None).unwrap()), serde_json::json!({"text": ["two"]}));
    }

    #[test]
    fn a_body_with_notes_is_within_the_limit() {
        for chars in 0..90 {
            let mut batcher = Batcher::new("{}", None, BatchLimit { entries: 50, bytes: 100 }).unwrap();
            assert!(batcher.push("x", &entry("x"), 0));
            let text = "y".repeat(chars);
            batcher.push(&text, &entry(&text), "a: note".len());
            assert!(batcher.take_batch(Some("a: note")).unwrap().body.len() <= 100, "{chars}");
        }
    }

    #[test]
    fn refuses_a_51st_entry() {
        let mut batcher = Batcher::new("{}", None, BatchLimit::TRANSLATE).unwrap();
        assert!((0..50).all(|_| batcher.push("x", &entry("x"), 0)));
        assert!(batcher.is_full());
        assert!(!batcher.push("x", &entry("x"), 0));
    }

    #[test]
    fn context_lines_take_at_most_half_the_body_and_leave_room_for_the_entry() {
        let limit = BatchLimit { entries: 50, bytes: 200 };
        let mut batcher = Batcher::new("{}", None, limit).unwrap();
        let lines = "é".repeat(500);
        assert!(batcher.set_context("", &lines, "x").len() <= 100);
        let first = "x".repeat(150);
        batcher.set_context("", &lines, &first);
        assert!(batcher.push(&first, &entry(&first), 0));
        assert!(batcher.take_batch(None).unwrap().body.len() <= 200);
    }

    #[test]
    fn the_room_for_context_lines_is_exact() {
        let limit = BatchLimit { entries: 50, bytes: 200 };
        let lines = "x".repeat(500);
        let kept = |context: &str, own: &str, first: usize| {
            let mut batcher = Batcher::new("{}", Some(context), limit).unwrap();
            let first = "y".repeat(first);
            let kept = batcher.set_context(own, &lines, &first).len();
            assert!(batcher.push(&first, &entry(&first), 0));
            (kept, batcher.take_batch(None).unwrap().body.len())
        };
        // With a short entry, the lines take half the body, minus the other two contexts and a line break.
        assert_eq!(kept("cccccccccc", "ooo", 1).0, 85);
        assert_eq!(kept("", "", 1).0, 98);
        // With a long entry, the lines take the space that the entry leaves.
        assert_eq!(kept("cccccccccc", "ooo", 150), (7, 200));
        assert_eq!(kept("cccccccccc", "", 150), (12, 200));
        assert_eq!(kept("", "", 150), (24, 200));
        assert_eq!(suffix_within("abc\u{e9}", 4), "bc\u{e9}");
        assert_eq!(suffix_within("abc\u{e9}", 1), "");
    }

    #[test]
    fn halves_have_the_same_order_options_and_context() {
        let mut batcher = Batcher::new(r#"{"a":1}"#, Some("c"), BatchLimit::TRANSLATE).unwrap();
        for text in ["1", "2", "3"] {
            batcher.push(text, &entry(text), 0);
        }
        let (first, second) = batcher.take_batch(None).unwrap().halve().ok().unwrap();
        assert_eq!(body(&first), serde_json::json!({"text": ["1"], "a": 1, "context": "c"}));
        assert_eq!(body(&second), serde_json::json!({"text": ["2", "3"], "a": 1, "context": "c"}));
        assert_eq!(second.chars, 2);
        assert!(first.halve().is_err());
    }

    #[test]
    fn a_separate_batch_has_the_same_options_and_context() {
        let mut batcher = Batcher::new(r#"{"a":1}"#, Some("c"), BatchLimit::TRANSLATE).unwrap();
        for text in ["1", "2", "3"] {
            batcher.push(text, &entry(text), 0);
        }
        let expected = serde_json::json!({"text": ["2"], "a": 1, "context": "c"});
        assert_eq!(body(&batcher.separate_batch("2", &entry("2"), None)), expected);
        let batch = batcher.take_batch(None).unwrap();
        let alone = batch.separate_batch(1).unwrap();
        assert_eq!((body(&alone), alone.chars, alone.counted), (expected.clone(), 1, false));
        assert_eq!(body(&alone.separate_batch(0).unwrap()), expected);
        assert!(alone.separate_batch(1).is_none());
    }

    #[test]
    fn options_that_leave_no_room_are_refused() {
        let limit = BatchLimit { entries: 50, bytes: 100 };
        let context = |chars: usize| "é".repeat(chars);
        assert!(Batcher::new("{}", Some(&context(29)), limit).is_ok());
        assert!(Batcher::new("{}", Some(&context(30)), limit).is_err());
    }
}
