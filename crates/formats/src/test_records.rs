//! Reads all records of an input, in reads of any size, for tests of formats.

#![allow(clippy::missing_panics_doc)] // only tests call this module

use std::io::{self, Cursor, Read};

use tulk_base::error::Failure;

use super::{EntryLimit, Record, RecordReader};
use crate::input::source::Source;

struct StepReader(Cursor<Vec<u8>>, usize);

impl Read for StepReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let step = self.1.min(into.len());
        self.0.read(&mut into[..step])
    }
}

/// Returns a limit of `bytes` per entry.
pub fn limit_of(bytes: usize) -> EntryLimit {
    EntryLimit { bytes, body_bytes: bytes + 40, enforced: true }
}

/// Returns `stdin` with `input`, read at most `step` bytes at a time.
pub fn source_of(input: &[u8], step: usize) -> Source {
    Source::reader("stdin", Box::new(StepReader(Cursor::new(input.to_vec()), step)))
}

/// Reads all records of `input`, at most `step` bytes at a time. Panics if there are more records than bytes.
pub fn read_all(reader: &mut dyn RecordReader, input: &[u8], step: usize) -> Result<Vec<Record>, Failure> {
    let mut source = source_of(input, step);
    let mut all = Vec::new();
    loop {
        let mut record = Record::default();
        if !reader.read(&mut source, &mut record)? {
            return Ok(all);
        }
        all.push(record);
        assert!(all.len() <= input.len() + 1, "records without end");
    }
}
