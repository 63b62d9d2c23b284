//! One request's body as it grows: options encoded once, entries escaped straight into it, limits exact by construction.

use std::ops::Range;
use std::rc::Rc;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::BatchLimit;
use super::repeats::Known;
use crate::error::Failure;
use crate::json::{escape_into, escaped_len};

const HEAD: &[u8] = b"{\"text\":[";

/// A body under way.
pub struct Batcher {
    limit: BatchLimit,
    /// `,"target_lang":"DE"` and so on.
    options: Vec<u8>,
    context: String,
    body: Vec<u8>,
    /// What follows the entries, the context included.
    tail: Vec<u8>,
    entries: Vec<Entry>,
}

/// An entry in a body.
pub struct Entry {
    /// Who waits for its result.
    pub known: Rc<Known>,
    /// Where it stands in the body, quotes included.
    span: Range<u32>,
}

/// A body ready to be sent.
pub struct Batch {
    /// The encoded body.
    pub body: Bytes,
    /// Its entries, in order.
    pub entries: Vec<Entry>,
    /// Code points of the texts.
    pub chars: u64,
    /// Whether its code points were counted already: halves of a refused batch are.
    pub counted: bool,
}

impl Batcher {
    /// An empty body with these options (a JSON object) and this context.
    pub fn new(options: &str, context: Option<&str>, limit: BatchLimit) -> Result<Self, Failure> {
        let object: &RawValue = serde_json::from_str(options).map_err(|e| Failure::internal(e.to_string()))?;
        let inner = object.get().trim();
        let inner = inner.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
        let inner = inner.ok_or_else(|| Failure::internal("the options of a request are no object"))?.trim();
        let mut fields = Vec::new();
        if !inner.is_empty() {
            fields.push(b',');
            fields.extend_from_slice(inner.as_bytes());
        }
        let context = context.unwrap_or_default().to_owned();
        let batcher =
            Self { limit, options: fields, context, body: HEAD.to_vec(), tail: Vec::new(), entries: Vec::new() };
        let batcher = Self { tail: batcher.tail_with(""), ..batcher };
        if batcher.room() == 0 {
            let what = format!("the options and the context leave no room for text in {} bytes", limit.bytes);
            return Err(Failure::usage(what).hint("shorten the context"));
        }
        Ok(batcher)
    }

    /// Bytes left for one entry alone, escaped, without context lines.
    pub fn room(&self) -> usize {
        self.limit.bytes.saturating_sub(HEAD.len() + self.tail_with("").len() + 2)
    }

    /// Whether no entry is in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether it holds as many entries as it may.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= self.limit.entries
    }

    fn tail_with(&self, lines: &str) -> Vec<u8> {
        let mut tail = vec![b']'];
        tail.extend_from_slice(&self.options);
        if !(self.context.is_empty() && lines.is_empty()) {
            tail.extend_from_slice(b",\"context\":\"");
            escape_into(&mut tail, self.context.as_bytes());
            if !(self.context.is_empty() || lines.is_empty()) {
                tail.extend_from_slice(b"\\n");
            }
            escape_into(&mut tail, lines.as_bytes());
            tail.push(b'"');
        }
        tail.push(b'}');
        tail
    }

    /// Gives an empty body the lines before its first entry as context: cut from the front so that the whole context
    /// takes half the body at most, and less where the entry needs the room. Returns the lines that stayed.
    pub fn set_context<'a>(&mut self, lines: &'a str, first: &str) -> &'a str {
        let own = escaped_len(self.context.as_bytes()) + 2;
        let half = (self.limit.bytes / 2).saturating_sub(own);
        let field = if self.context.is_empty() { b",\"context\":\"\"".len() } else { b"\\n".len() };
        let left = self.room().saturating_sub(escaped_len(first.as_bytes()) + field);
        let stays = tail_within(lines, half.min(left));
        self.tail = self.tail_with(stays);
        stays
    }

    /// Adds an entry; false, and nothing changed, when it does not fit beside those that are there.
    pub fn push(&mut self, text: &str, known: &Rc<Known>) -> bool {
        let before = self.body.len();
        if !self.entries.is_empty() {
            self.body.push(b',');
        }
        let start = self.body.len();
        self.body.push(b'"');
        escape_into(&mut self.body, text.as_bytes());
        self.body.push(b'"');
        let over = self.body.len() + self.tail.len() > self.limit.bytes || self.is_full();
        if over && !self.entries.is_empty() {
            self.body.truncate(before);
            return false;
        }
        self.entries.push(Entry { known: known.clone(), span: range(start, self.body.len()) });
        true
    }

    /// Takes the body out; `None` when it is empty.
    pub fn seal(&mut self) -> Option<Batch> {
        if self.entries.is_empty() {
            return None;
        }
        let capacity = self.body.len().min(16 * 1024);
        let mut body = std::mem::replace(&mut self.body, Vec::with_capacity(capacity));
        self.body.extend_from_slice(HEAD);
        body.extend_from_slice(&self.tail);
        let entries = std::mem::take(&mut self.entries);
        self.entries.reserve(entries.len());
        let chars = entries.iter().map(|e| e.known.chars()).sum();
        Some(Batch { body: body.into(), entries, chars, counted: false })
    }

    /// Throws away what is in it.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.body.truncate(HEAD.len());
    }
}

impl Batch {
    /// Splits it in two, each with the same options and context; `None` for a single entry.
    pub fn halve(self) -> Result<(Self, Self), Self> {
        if self.entries.len() < 2 {
            return Err(self);
        }
        let tail_at = self.entries.last().map_or(0, |e| e.span.end as usize);
        let mut first = self.entries;
        let second = first.split_off(first.len() / 2);
        let make = |entries: Vec<Entry>| {
            let mut body = HEAD.to_vec();
            let mut moved = Vec::with_capacity(entries.len());
            for entry in entries {
                if !moved.is_empty() {
                    body.push(b',');
                }
                let start = body.len();
                let (from, to) = (entry.span.start as usize, entry.span.end as usize);
                body.extend_from_slice(self.body.get(from..to).unwrap_or_default());
                moved.push(Entry { known: entry.known, span: range(start, body.len()) });
            }
            body.extend_from_slice(self.body.get(tail_at..).unwrap_or_default());
            let chars = moved.iter().map(|e: &Entry| e.known.chars()).sum();
            Self { body: body.into(), entries: moved, chars, counted: self.counted }
        };
        Ok((make(first), make(second)))
    }
}

fn range(start: usize, end: usize) -> Range<u32> {
    u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX)
}

/// The longest end of `text` that takes at most `room` bytes escaped.
fn tail_within(text: &str, room: usize) -> &str {
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

    fn known(text: &str) -> Rc<Known> {
        Known::alone(text)
    }

    fn body(batch: &Batch) -> serde_json::Value {
        serde_json::from_slice(&batch.body).unwrap()
    }

    #[test]
    fn encodes_text_options_and_context() {
        let limit = BatchLimit { entries: 50, bytes: 200 };
        let mut batcher = Batcher::new(r#"{"target_lang":"DE"}"#, Some("fixed"), limit).unwrap();
        assert_eq!(batcher.set_context("one\ntwo", "a\"b"), "one\ntwo");
        assert!(batcher.push("a\"b", &known("a\"b")));
        assert!(batcher.push("c", &known("c")));
        let batch = batcher.seal().unwrap();
        let expected = serde_json::json!({"text": ["a\"b", "c"], "target_lang": "DE", "context": "fixed\none\ntwo"});
        assert_eq!(body(&batch), expected);
        assert_eq!(batch.chars, 4);
        assert!(batcher.seal().is_none());
    }

    #[test]
    fn the_room_is_exact() {
        for options in ["{}", r#" {"target_lang":"DE"} "#] {
            let limit = BatchLimit { entries: 50, bytes: 100 };
            let mut batcher = Batcher::new(options, None, limit).unwrap();
            let text = "x".repeat(batcher.room());
            assert!(batcher.push(&text, &known(&text)));
            assert!(!batcher.push("y", &known("y")));
            assert_eq!(batcher.seal().unwrap().body.len(), 100);
        }
    }

    #[test]
    fn refuses_a_51st_entry() {
        let mut batcher = Batcher::new("{}", None, BatchLimit::TRANSLATE).unwrap();
        assert!((0..50).all(|_| batcher.push("x", &known("x"))));
        assert!(batcher.is_full());
        assert!(!batcher.push("x", &known("x")));
    }

    #[test]
    fn context_lines_take_half_the_body_at_most_and_leave_room_for_the_entry() {
        let limit = BatchLimit { entries: 50, bytes: 200 };
        let mut batcher = Batcher::new("{}", None, limit).unwrap();
        let lines = "é".repeat(500);
        assert!(batcher.set_context(&lines, "x").len() <= 100);
        let first = "x".repeat(150);
        batcher.set_context(&lines, &first);
        assert!(batcher.push(&first, &known(&first)));
        assert!(batcher.seal().unwrap().body.len() <= 200);
    }

    #[test]
    fn halves_keep_order_options_and_context() {
        let mut batcher = Batcher::new(r#"{"a":1}"#, Some("c"), BatchLimit::TRANSLATE).unwrap();
        for text in ["1", "2", "3"] {
            batcher.push(text, &known(text));
        }
        let (first, second) = batcher.seal().unwrap().halve().ok().unwrap();
        assert_eq!(body(&first), serde_json::json!({"text": ["1"], "a": 1, "context": "c"}));
        assert_eq!(body(&second), serde_json::json!({"text": ["2", "3"], "a": 1, "context": "c"}));
        assert_eq!(second.chars, 2);
        assert!(first.halve().is_err());
    }

    #[test]
    fn options_that_leave_no_room_are_refused() {
        let limit = BatchLimit { entries: 50, bytes: 100 };
        assert!(Batcher::new("{}", Some(&"x".repeat(100)), limit).is_err());
    }
}
