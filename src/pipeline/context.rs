//! `--context-lines`: the source lines before an entry, as many as asked for, bounded in bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::formats::Record;

/// The last lines of the source.
pub struct Before {
    lines: VecDeque<String>,
    /// Lines kept; 0 keeps none.
    count: usize,
    /// Bytes of all lines together.
    bound: usize,
    used: usize,
    source: Arc<str>,
}

impl Before {
    /// Keeps the last `count` lines, `bound` bytes at most.
    pub fn new(count: usize, bound: usize) -> Self {
        Self { lines: VecDeque::new(), count, bound, used: 0, source: "".into() }
    }

    /// Takes the lines of a record in. A new input begins without lines.
    pub fn see(&mut self, record: &Record) {
        if self.count == 0 {
            return;
        }
        self.begin(record);
        if record.slots.is_empty() {
            self.add("");
        }
        for slot in 0..record.slots.len() {
            for line in record.sent(slot).unwrap_or_default().lines() {
                self.add(line);
            }
        }
    }

    fn begin(&mut self, record: &Record) {
        if record.origin.source != self.source {
            self.lines.clear();
            self.used = 0;
            self.source = record.origin.source.clone();
        }
    }

    fn add(&mut self, line: &str) {
        let start = (0..=line.len()).find(|&at| line.len() - at <= self.bound && line.is_char_boundary(at));
        let line = line.get(start.unwrap_or(line.len())..).unwrap_or_default();
        self.used += line.len();
        self.lines.push_back(line.to_owned());
        while self.lines.len() > self.count || self.used > self.bound {
            self.used -= self.lines.pop_front().map_or(0, |line| line.len());
        }
    }

    /// The lines before a record.
    pub fn lines(&mut self, record: &Record) -> String {
        if self.count == 0 {
            return String::new();
        }
        self.begin(record);
        let lines: Vec<&str> = self.lines.iter().map(String::as_str).collect();
        lines.join("\n").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Origin;
    use crate::formats::Slot;

    fn record(source: &str, text: &str) -> Record {
        let slots = Slot::new(text.as_bytes(), 0..text.len()).into_iter().collect();
        Record { bytes: text.as_bytes().to_vec(), slots, origin: Origin::of(source), ..Record::default() }
    }

    #[test]
    fn keeps_the_last_lines_of_one_input() {
        let mut before = Before::new(2, 100);
        for line in ["one\n", "two\n", "three\n"] {
            before.see(&record("a", line));
        }
        assert_eq!(before.lines(&record("a", "four")), "two\nthree");
        before.see(&record("a", "\n"));
        assert_eq!(before.lines(&record("a", "five")), "three");
        assert_eq!(before.lines(&record("b", "six")), "");
    }

    #[test]
    fn is_bounded() {
        let mut before = Before::new(5, 10);
        before.see(&record("a", &"é".repeat(50)));
        assert_eq!(before.lines(&record("a", "x")), "é".repeat(5));
    }
}
