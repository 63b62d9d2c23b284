//! Limits of an answer that is held in memory: its size in bytes, and the number of JSON objects and values.
//!
//! Parsed JSON takes more memory than its text, so objects and values are counted while the answer arrives, before it is parsed.
//! All pages of a listing are counted together.

use std::fmt;

use tulk_base::limits::{ANSWER_BYTES, ANSWER_OBJECTS, ANSWER_VALUES};
use tulk_base::numbers::grouped;

/// Counts the bytes, objects and values of one answer, or of all pages of a listing.
#[derive(Clone, Debug)]
pub struct AnswerSize {
    most_bytes: usize,
    /// Factor by which a listing or a large answer may exceed the usual limits.
    factor: usize,
    bytes: usize,
    objects: usize,
    values: usize,
    json: JsonState,
}

/// Position of the next byte in the JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonState {
    /// Before the first byte that is not whitespace.
    Start,
    /// Outside of a string.
    Plain,
    /// In a string. `true` after a backslash.
    Text(bool),
    /// The answer is not a JSON object or list, so nothing is counted.
    Other,
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Maximum size in bytes.
    Bytes(usize),
    /// Maximum number of objects and lists.
    Objects(usize),
    /// Maximum number of values.
    Values(usize),
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(limit) if limit % (1024 * 1024) == 0 => {
                write!(f, "is larger than {} MiB", limit / (1024 * 1024))
            }
            Self::Bytes(limit) => write!(f, "is larger than {} bytes", grouped(*limit)),
            Self::Objects(limit) => write!(f, "has more than {} objects and lists", grouped(*limit)),
            Self::Values(limit) => write!(f, "has more than {} values", grouped(*limit)),
        }
    }
}

impl Default for AnswerSize {
    fn default() -> Self {
        Self::of_bytes(ANSWER_BYTES)
    }
}

impl AnswerSize {
    /// Creates a counter for an answer of at most `most_bytes`. An answer larger than usual may also have more objects and values.
    pub fn of_bytes(most_bytes: usize) -> Self {
        let factor = most_bytes.div_ceil(ANSWER_BYTES).max(1);
        Self { most_bytes, factor, bytes: 0, objects: 0, values: 0, json: JsonState::Start }
    }

    /// Creates a counter for a listing. All limits grow with the number of `elements`, each of which may contain three objects.
    pub fn of_listing(elements: usize) -> Self {
        let factor = elements.saturating_mul(4).div_ceil(ANSWER_OBJECTS).max(1);
        Self { factor, ..Self::of_bytes(ANSWER_BYTES.saturating_mul(factor)) }
    }

    /// Counts the next bytes. Fails if a limit is exceeded.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), Excess> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > self.most_bytes {
            return Err(Excess::Bytes(self.most_bytes));
        }
        let mut rest = bytes;
        loop {
            if self.json == JsonState::Text(false) {
                rest = &rest[memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len())..];
            }
            let Some((byte, after)) = rest.split_first() else { break };
            rest = after;
            self.json = match (self.json, byte) {
                (JsonState::Other, _) => break,
                (JsonState::Start, b' ' | b'\t' | b'\r' | b'\n') => JsonState::Start,
                (JsonState::Start | JsonState::Plain, b'{' | b'[') => {
                    self.objects += 1;
                    JsonState::Plain
                }
                (JsonState::Start, _) => JsonState::Other,
                (JsonState::Plain, b',') => {
                    self.values += 1;
                    JsonState::Plain
                }
                (JsonState::Plain, b'"') | (JsonState::Text(true), _) => JsonState::Text(false),
                (JsonState::Text(false), b'\\') => JsonState::Text(true),
                (JsonState::Text(false), b'"') => JsonState::Plain,
                (state, _) => state,
            };
        }
        let (objects, values) = (ANSWER_OBJECTS.saturating_mul(self.factor), ANSWER_VALUES.saturating_mul(self.factor));
        match () {
            () if self.objects > objects => Err(Excess::Objects(objects)),
            () if self.values > values => Err(Excess::Values(values)),
            () => Ok(()),
        }
    }

    /// Counts the next page of a listing. Fails if a limit is exceeded.
    pub fn add_page(&mut self, page: &[u8]) -> Result<(), Excess> {
        self.json = JsonState::Start;
        self.add(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(chunks: &[&[u8]]) -> Result<(), Excess> {
        let mut size = AnswerSize::default();
        chunks.iter().try_for_each(|chunk| size.add(chunk))
    }

    #[test]
    fn bytes_objects_and_values_are_limited() {
        assert_eq!(outcome(&[&vec![b' '; ANSWER_BYTES]]), Ok(()));
        assert_eq!(outcome(&[&vec![b' '; ANSWER_BYTES], b" "]), Err(Excess::Bytes(ANSWER_BYTES)));
        for part in ["{},", "[],", "[", "{\"a\":"] {
            assert_eq!(outcome(&[b"[", part.repeat(ANSWER_OBJECTS - 1).as_bytes()]), Ok(()), "{part}");
            let more = part.repeat(ANSWER_OBJECTS);
            assert_eq!(outcome(&[b"[", more.as_bytes()]), Err(Excess::Objects(ANSWER_OBJECTS)), "{part}");
        }
        assert_eq!(outcome(&[b"[", "1,".repeat(ANSWER_VALUES).as_bytes()]), Ok(()));
        assert_eq!(outcome(&[b"[", "1,".repeat(ANSWER_VALUES + 1).as_bytes()]), Err(Excess::Values(ANSWER_VALUES)));
    }

    #[test]
    fn ignores_strings_and_answers_that_are_not_json() {
        let many = "{[,".repeat(ANSWER_VALUES + 1);
        assert_eq!(outcome(&[b"[\"", many.as_bytes(), b"\"]"]), Ok(()));
        assert_eq!(outcome(&[b"[\"\\", b"\"", many.as_bytes(), b"\"]"]), Ok(()), "an escape at the end of a chunk");
        assert_eq!(outcome(&[b"tea\t", many.as_bytes()]), Ok(()));
        assert_eq!(outcome(&[b" \n", b"[\"\\\\\"", many.as_bytes()]), Err(Excess::Objects(ANSWER_OBJECTS)));
    }

    #[test]
    fn the_pages_of_a_listing_count_together() {
        let page = format!("[{}{{}}]", "{},".repeat(999));
        let pages = |size: &mut AnswerSize| (1..1000).find(|_| size.add_page(page.as_bytes()).is_err()).unwrap();
        assert_eq!(pages(&mut AnswerSize::of_listing(1)), 50);
        assert_eq!(pages(&mut AnswerSize::of_listing(ANSWER_OBJECTS)), 200);
    }

    #[test]
    fn an_excess_names_the_limit() {
        assert_eq!(Excess::Bytes(ANSWER_BYTES).to_string(), "is larger than 16 MiB");
        assert_eq!(Excess::Bytes(1_500_000).to_string(), "is larger than 1,500,000 bytes");
        assert_eq!(Excess::Objects(ANSWER_OBJECTS).to_string(), "has more than 50,000 objects and lists");
        assert_eq!(Excess::Values(ANSWER_VALUES).to_string(), "has more than 250,000 values");
    }
}
