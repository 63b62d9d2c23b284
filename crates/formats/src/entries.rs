//! The entries of a record one by one, as listings show them: with their numbers, lines and names.

use super::{BlankEntry, Record};

/// An entry of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEntry<'a> {
    /// Its number, from 1, counted over all inputs.
    pub number: u64,
    /// Its slot; `None` if it is blank.
    pub slot: Option<usize>,
    /// The white space of a blank entry.
    pub blank_text: &'a str,
    /// Where it is, if listings say so.
    pub place: Option<EntryPlace<'a>>,
}

/// Where an entry is, in the terms of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryPlace<'a> {
    /// The line in its input, from 1.
    pub line: u64,
    /// The field of JSON results that names its column or field, and the name.
    pub name: Option<(&'static str, &'a str)>,
}

/// The entries of a record, in order.
pub struct RecordEntries<'a> {
    record: &'a Record,
    number: u64,
    slot: usize,
    blanks: std::slice::Iter<'a, BlankEntry>,
    /// The place whose line is known, so that lines are counted only once.
    at: usize,
    line: u64,
}

impl<'a> RecordEntries<'a> {
    /// The entries of `record`.
    pub(super) fn new(record: &'a Record) -> Self {
        let (number, blanks) = (record.entry, record.blanks.iter());
        Self { record, number, slot: 0, blanks, at: 0, line: record.origin.line }
    }

    fn place(&mut self, start: u32, name: u16) -> Option<EntryPlace<'a>> {
        let places = self.record.places.as_deref()?;
        let start = start as usize;
        let lines_in = |from: usize, to: usize| {
            let bytes = self.record.bytes.get(from..to).unwrap_or_default();
            memchr::memchr_iter(b'\n', bytes).count() as u64
        };
        if start >= self.at {
            self.line += lines_in(self.at, start);
        } else {
            self.line = self.line.saturating_sub(lines_in(start, self.at));
        }
        self.at = start;
        let name = places.key.zip(places.names.get(usize::from(name)).map(String::as_str));
        Some(EntryPlace { line: self.line, name })
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
            return Some(RecordEntry { number, slot: None, blank_text, place: self.place(blank.start, blank.name) });
        }
        let place = slot.map(|slot| (slot.text_start, slot.name)).map(|(start, name)| self.place(start, name))?;
        self.slot += 1;
        Some(RecordEntry { number, slot: Some(self.slot - 1), blank_text: "", place })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tulk_base::error::Origin;

    use super::*;
    use crate::{EntryPlaces, Slot};

    #[test]
    fn a_blank_entry_has_its_own_text() {
        for (bytes, text) in
            [("", ""), ("\n", ""), (" \t\r\n", " \t"), ("\n\0", "\n"), ("\u{feff}\n\n", "\n"), (" ", " ")]
        {
            let mut record = Record { bytes: bytes.into(), entry: 4, ..Record::default() };
            record.add_blank_entry();
            let expected = RecordEntry { number: 4, slot: None, blank_text: text, place: None };
            assert_eq!(record.entries().collect::<Vec<_>>(), [expected], "{bytes:?}");
        }
    }

    #[test]
    fn slots_and_blank_entries_are_in_order_with_their_lines_and_names() {
        let bytes = b"a,\"b\nb\", ,c\n";
        let slot = |range: std::ops::Range<usize>, name| Slot { name, ..Slot::new(bytes, range).unwrap() };
        let places = EntryPlaces { key: Some("column"), names: ["a", "b", "x", "c"].map(str::to_owned).to_vec() };
        let record = Record {
            bytes: bytes.to_vec(),
            slots: vec![slot(0..1, 0), slot(3..6, 1), slot(10..11, 3)],
            origin: Origin::at("t.csv", 5, 1),
            entry: 9,
            blanks: vec![BlankEntry { before_slot: 2, name: 2, start: 8, end: 9 }],
            places: Some(Arc::new(places)),
            ..Record::default()
        };
        let found: Vec<_> = record.entries().map(|e| (e.number, e.slot, e.place.unwrap())).collect();
        let place = |line, name| EntryPlace { line, name: Some(("column", name)) };
        let expected = [
            (9, Some(0), place(5, "a")),
            (10, Some(1), place(5, "b")),
            (11, None, place(6, "x")),
            (12, Some(2), place(6, "c")),
        ];
        assert_eq!(found, expected);
        assert_eq!(record.entries().nth(2).unwrap().blank_text, " ");
    }

    #[test]
    fn a_header_and_what_is_between_entries_have_none() {
        let record = Record { bytes: b"a,b\n".to_vec(), is_header: true, ..Record::default() };
        assert_eq!(record.entries().count(), 0);
    }
}
