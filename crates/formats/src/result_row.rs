//! Results of a record, which are written in place of its texts.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::{Record, Slot};

/// The service's result for one entry.
#[derive(Clone, Debug, Default)]
pub struct EntryResult {
    /// The text; `None` if the entry was refused and keeps its source text.
    pub text: Option<String>,
    /// The service's JSON object, if JSON output needs it.
    pub raw: Option<Box<RawValue>>,
    /// Billed characters, if the service reported them.
    pub billed: Option<u64>,
}

/// A record with its results, ready to be written.
#[derive(Clone, Debug)]
pub struct ResultRow {
    /// The source record.
    pub record: Arc<Record>,
    /// Results by target, then by slot; `None` for a target that failed before this row.
    pub results: SmallVec<[Option<Vec<Arc<EntryResult>>>; 1]>,
}

impl ResultRow {
    /// Returns the text of a slot for a target: the result, or the source text if the entry was refused.
    pub fn text(&self, target: usize, slot: usize) -> Option<&str> {
        let result = self.results.get(target)?.as_ref()?.get(slot)?;
        result.text.as_deref().or_else(|| self.record.text(slot))
    }

    /// Returns the result of a slot for a target, if there is one.
    pub fn result(&self, target: usize, slot: usize) -> Option<&EntryResult> {
        self.results.get(target)?.as_ref()?.get(slot).map(AsRef::as_ref)
    }
}

/// Results of a row that are unusable in combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedResults {
    /// Indices of their slots.
    pub slots: Vec<usize>,
    /// The reason.
    pub why: String,
}

/// Writes a record with a target's results in place of its texts; `write` writes one result.
///
/// Where a result equals the text of its slot, the bytes of the input are kept.
pub fn splice(
    row: &ResultRow,
    target: usize,
    out: &mut dyn Write,
    write: impl Fn(&Slot, &str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let record = &row.record;
    let mut done = 0;
    for (i, slot) in record.slots.iter().enumerate() {
        let Some(text) = row.result(target, i).and_then(|r| r.text.as_deref()) else { continue };
        if record.text(i) == Some(text) {
            continue;
        }
        out.write_all(record.bytes.get(done..slot.byte_range().start).unwrap_or_default())?;
        write(slot, text, out)?;
        done = slot.byte_range().end;
    }
    out.write_all(record.bytes.get(done..).unwrap_or_default())
}

/// Writes a result, with CRLF if the slot has it.
pub fn write_text(slot: &Slot, text: &str, out: &mut dyn Write) -> io::Result<()> {
    if !slot.crlf {
        return out.write_all(text.as_bytes());
    }
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        out.write_all(line.strip_suffix('\r').unwrap_or(line).as_bytes())?;
        out.write_all(b"\r\n")?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(record: Record, text: &str) -> ResultRow {
        let result = Arc::new(EntryResult { text: Some(text.to_owned()), raw: None, billed: None });
        ResultRow { record: Arc::new(record), results: smallvec::smallvec![Some(vec![result])] }
    }

    fn spliced(bytes: &str, result: &str) -> String {
        let slot = Slot::new(bytes.as_bytes(), 0..bytes.len()).unwrap();
        let record = Record { bytes: bytes.as_bytes().to_vec(), slots: vec![slot], ..Record::default() };
        let mut out = Vec::new();
        splice(&row(record, result), 0, &mut out, write_text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn outer_whitespace_is_kept_and_not_sent() {
        assert_eq!(spliced("\t\u{a0}one \n", "EINS"), "\t\u{a0}EINS \n");
        assert!(Slot::new(b" \t\r\n", 0..4).is_none());
    }

    #[test]
    fn crlf_is_sent_as_lf_and_restored() {
        let slot = Slot::new(b"a\r\nb\r\n", 0..6).unwrap();
        assert_eq!(slot.text.as_deref(), Some("a\nb"));
        assert_eq!(spliced("a\r\nb\r\n", "A\nB"), "A\r\nB\r\n");
        assert_eq!(spliced("a\r\nb\nc", "A\nB"), "A\nB", "mixed line endings are sent unchanged");
        assert_eq!(spliced("a\r\r\nb", "A\r\r\nB"), "A\r\r\nB", "and so is a CR without LF");
    }

    #[test]
    fn an_unchanged_result_keeps_the_bytes() {
        assert_eq!(spliced("a\r\nb ", "a\nb"), "a\r\nb ");
    }
}
