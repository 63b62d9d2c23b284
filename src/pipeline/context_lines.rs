//! `--context-lines`: the source lines before an entry, bounded in number and bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::formats::Record;

/// The last lines of the input.
pub struct ContextLines {
    lines: VecDeque<String>,
    /// Maximum number of lines; 0 disables them.
    max_lines: usize,
    /// Maximum size of all lines together.
    max_bytes: usize,
    bytes: usize,
    /// The input that the lines are from.
    source: Arc<str>,
}

impl ContextLines {
    /// Keeps the last `max_lines` lines, at most `max_bytes` bytes.
    pub fn new(max_lines: usize, max_bytes: usize) -> Self {
        Self { lines: VecDeque::new(), max_lines, max_bytes, bytes: 0, source: "".into() }
    }

    /// Adds the lines of a record. A new input starts without lines.
    pub fn add(&mut self, record: &Record) {
        if self.max_lines == 0 {
            return;
        }
        self.reset_for(record);
        if record.slots.is_empty() {
            self.add_line("");
        }
        for slot in 0..record.slots.len() {
            for line in record.sent_text(slot).unwrap_or_default().lines() {
                self.add_line(line);
            }
        }
    }

    fn reset_for(&mut self, record: &Record) {
        if record.origin.source != self.source {
            self.lines.clear();
            self.bytes = 0;
            self.source = record.origin.source.clone();
        }
    }

    fn add_line(&mut self, line: &str) {
        let start = (0..=line.len()).find(|&at| line.len() - at <= self.max_bytes && line.is_char_boundary(at));
        let line = line.get(start.unwrap_or(line.len())..).unwrap_or_default();
        self.bytes += line.len();
        self.lines.push_back(line.to_owned());
        while self.lines.len() > self.max_lines || self.bytes > self.max_bytes {
            self.bytes -= self.lines.pop_front().map_or(0, |line| line.len());
        }
    }

    /// Returns the lines before a record.
    pub fn before(&mut self, record: &Record) -> String {
        if self.max_lines == 0 {
            return String::new();
        }
        self.reset_for(record);
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
        Record { bytes: text.as_bytes().to_vec(), slots, origin: Origin::whole(source), ..Record::default() }
    }

    #[test]
    fn keeps_the_last_lines_of_one_input() {
        let mut context = ContextLines::new(2, 100);
        for line in ["one\n", "two\n", "three\n"] {
            context.add(&record("a", line));
        }
        assert_eq!(context.before(&record("a", "four")), "two\nthree");
        context.add(&record("a", "\n"));
        assert_eq!(context.before(&record("a", "five")), "three");
        assert_eq!(context.before(&record("b", "six")), "");
    }

    #[test]
    fn the_size_is_bounded() {
        let mut context = ContextLines::new(5, 10);
        context.add(&record("a", &"é".repeat(50)));
        assert_eq!(context.before(&record("a", "x")), "é".repeat(5));
    }
}
