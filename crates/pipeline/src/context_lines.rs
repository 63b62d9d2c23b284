//! The source lines, cues or cells before an entry (`--context-lines`), limited in number and bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use tulk_formats::{InputFormat, Record};

pub struct ContextLines {
    lines: VecDeque<String>,
    /// Whether each entry is one context line, without its tokens and line endings. Otherwise, each line of the input is one.
    by_entry: bool,
    /// Maximum number of lines. 0 disables context lines.
    max_lines: usize,
    max_bytes: usize,
    bytes: usize,
    /// The input that contains the lines.
    source: Arc<str>,
}

impl ContextLines {
    pub fn new(format: &InputFormat, max_lines: usize, max_bytes: usize) -> Self {
        let by_entry = format.has_entry_context();
        Self { lines: VecDeque::new(), by_entry, max_lines, max_bytes, bytes: 0, source: "".into() }
    }

    /// Drops the lines of another input.
    pub fn begin(&mut self, record: &Record) {
        if self.max_lines > 0 && record.origin.source != self.source {
            self.lines.clear();
            self.bytes = 0;
            self.source = record.origin.source.clone();
        }
    }

    pub fn add_slot(&mut self, record: &Record, slot: usize) {
        if self.max_lines == 0 {
            return;
        }
        if self.by_entry {
            let mut line = String::new();
            record.push_plain_text(slot, &mut line);
            return self.push(&line);
        }
        record.text(slot).unwrap_or_default().lines().for_each(|line| self.push(line));
    }

    /// Ends a record. A record without slots counts as a blank line, unless each entry is one line.
    pub fn end(&mut self, record: &Record) {
        if self.max_lines > 0 && record.slots.is_empty() && !self.by_entry {
            self.push("");
        }
    }

    fn last_bytes<'a>(&self, line: &'a str) -> &'a str {
        let from = line.len().saturating_sub(self.max_bytes);
        let start = (from..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
        line.get(start..).unwrap_or_default()
    }

    fn push(&mut self, line: &str) {
        let line = self.last_bytes(line).to_owned();
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.bytes > self.max_bytes || self.lines.len() > self.max_lines {
            self.bytes -= self.lines.pop_front().map_or(0, |line| line.len());
        }
    }

    /// Returns the lines before the next slot.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(String::as_str).collect();
        lines.join("\n").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use tulk_base::error::Origin;
    use tulk_formats::{FILE_FORMATS, FileFormatOptions, Slot};

    use super::*;

    fn record(source: &str, text: &str) -> Record {
        let slots = Slot::new(text.as_bytes(), 0..text.len()).into_iter().collect();
        Record { bytes: text.as_bytes().to_vec(), slots, origin: Origin::whole(source), ..Record::default() }
    }

    fn subtitles() -> InputFormat {
        (FILE_FORMATS[0].new)(&FileFormatOptions::default())
    }

    fn add(context: &mut ContextLines, record: &Record) {
        context.begin(record);
        (0..record.slots.len()).for_each(|slot| context.add_slot(record, slot));
        context.end(record);
    }

    fn before(context: &mut ContextLines, source: &str) -> String {
        context.begin(&record(source, "x"));
        context.text()
    }

    #[test]
    fn keeps_the_last_lines_of_one_input() {
        let mut context = ContextLines::new(&InputFormat::lines(), 2, 100);
        for line in ["one\n", "two\n", "three\n"] {
            add(&mut context, &record("a", line));
        }
        assert_eq!(before(&mut context, "a"), "two\nthree");
        add(&mut context, &record("a", "\n"));
        assert_eq!(before(&mut context, "a"), "three");
        assert_eq!(before(&mut context, "b"), "");
    }

    #[test]
    fn a_cue_is_one_line_and_other_blocks_add_none() {
        let mut context = ContextLines::new(&subtitles(), 2, 100);
        for text in ["one\ntwo\n", "\n", "three", "NOTE"] {
            let mut record = record("a", text);
            record.slots.retain(|_| text != "NOTE");
            add(&mut context, &record);
        }
        assert_eq!(before(&mut context, "a"), "one two\nthree");
    }

    #[test]
    fn the_size_of_context_lines_is_limited() {
        for format in [InputFormat::lines(), subtitles()] {
            let mut context = ContextLines::new(&format, 5, 10);
            add(&mut context, &record("a", &"é".repeat(50)));
            assert_eq!(before(&mut context, "a"), "é".repeat(5));
            add(&mut context, &record("a", "123456789"));
            assert_eq!(before(&mut context, "a"), "123456789");
        }
    }
}
