//! Iterates over the entries of a record for listings: number, line and name of each.

use super::{BlankEntry, Record};

/// An entry of a record, as listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEntry<'a> {
    /// Number, from 1, counted over all inputs.
    pub number: u64,
    /// Index of its slot; `None` if it is only whitespace.
    pub slot: Option<usize>,
    /// The text of a whitespace-only entry.
    pub blank_text: &'a str,
    /// The location, if listings show it.
    pub location: Option<EntryLocation<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryLocation<'a> {
    /// Line in the input, from 1.
    pub line: u64,
    /// JSON field for the name, and the name of the column, field or key.
    pub name: Option<(&'static str, &'a str)>,
}

pub struct RecordEntries<'a> {
    record: &'a Record,
    number: u64,
    slot: usize,
    blanks: std::slice::Iter<'a, BlankEntry>,
    /// Start of the last entry that was located; it is on line `line`.
    line_offset: usize,
    line: u64,
}

impl<'a> RecordEntries<'a> {
    pub(super) fn new(record: &'a Record) -> Self {
        let (number, blanks) = (record.entry, record.blanks.iter());
        Self { record, number, slot: 0, blanks, line_offset: 0, line: record.origin.line }
    }

    fn location(&mut self, start: u32, name: u16) -> Option<EntryLocation<'a>> {
        let labels = self.record.labels.as_deref()?;
        let start = start as usize;
        let lines_in = |from: usize, to: usize| {
            let bytes = self.record.bytes.get(from..to).unwrap_or_default();
            memchr::memchr_iter(b'\n', bytes).count() as u64
        };
        if start >= self.line_offset {
            self.line += lines_in(self.line_offset, start);
        } else {
            self.line = self.line.saturating_sub(lines_in(start, self.line_offset));
        }
        self.line_offset = start;
        let name = labels.key.zip(labels.names.get(usize::from(name)).map(String::as_str));
        Some(EntryLocation { line: self.line, name })
    }
}

impl<'a> Iterator for RecordEntries<'a> {
    type Item = RecordEntry<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.record;
        let slot = record.slots.get(self.slot);
        let blank =
            self.blanks.as_slice().first().filter(|b| slot.is_none() || usize::from(b.before_slot) <= self.slot);
        let number = self.number;
        self.number += 1;
        if let Some(blank) = blank {
            self.blanks.next();
            let text = record.bytes.get(blank.start as usize..blank.end as usize);
            let blank_text = text.and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
            return Some(RecordEntry {
                number,
                slot: None,
                blank_text,
                location: self.location(blank.start, blank.name),
            });
        }
        let location = slot.map(|slot| (slot.text_start, slot.name)).map(|(start, name)| self.location(start, name))?;
        self.slot += 1;
        Some(RecordEntry { number, slot: Some(self.slot - 1), blank_text: "", location })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tulk_base::error::Origin;

    use super::*;
    use crate::{EntryLabels, Slot};

    #[test]
    fn a_blank_entry_has_its_whitespace_as_text() {
        for (bytes, text) in
            [("", ""), ("\n", ""), (" \t\r\n", " \t"), ("\n\0", "\n"), ("\u{feff}\n\n", "\n"), (" ", " ")]
        {
            let mut record = Record { bytes: bytes.into(), entry: 4, ..Record::default() };
            record.add_blank_entry();
            let expected = RecordEntry { number: 4, slot: None, blank_text: text, location: None };
            assert_eq!(record.entries().collect::<Vec<_>>(), [expected], "{bytes:?}");
        }
    }

    #[test]
    fn slots_and_blank_entries_are_in_order_with_their_lines_and_names() {
        let bytes = b"a,\"b\nb\", ,c\n";
        let slot = |range: std::ops::Range<usize>, name| Slot { name, ..Slot::new(bytes, range).unwrap() };
        let labels = EntryLabels { key: Some("column"), names: ["a", "b", "x", "c"].map(str::to_owned).to_vec() };
        let record = Record {
            bytes: bytes.to_vec(),
            slots: vec![slot(0..1, 0), slot(3..6, 1), slot(10..11, 3)],
            origin: Origin::at("t.csv", 5, 1),
            entry: 9,
            blanks: vec![BlankEntry { before_slot: 2, name: 2, start: 8, end: 9 }],
            labels: Some(Arc::new(labels)),
            ..Record::default()
        };
        let found: Vec<_> = record.entries().map(|e| (e.number, e.slot, e.location.unwrap())).collect();
        let location = |line, name| EntryLocation { line, name: Some(("column", name)) };
        let expected = [
            (9, Some(0), location(5, "a")),
            (10, Some(1), location(5, "b")),
            (11, None, location(6, "x")),
            (12, Some(2), location(6, "c")),
        ];
        assert_eq!(found, expected);
        assert_eq!(record.entries().nth(2).unwrap().blank_text, " ");
    }

    #[test]
    fn a_header_has_no_entries() {
        let record = Record { bytes: b"a,b\n".to_vec(), is_header: true, ..Record::default() };
        assert_eq!(record.entries().count(), 0);
    }
}
