//! Properties of text formats: records add up to the input, unchanged results reproduce it, and changed results leave the rest alone.

use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_formats::test_records::{limit_of, read_all};
use tulk_formats::{EntryResult, InputFormat, Record, ResultRow};

use tulk_pipeline::{Protector, slot_result};

/// Larger than any input of a fuzzer.
const ENTRY_BYTES: usize = 1 << 20;

pub struct FormatProperties {
    pub format: InputFormat,
    /// For formats that need a target language.
    pub target: String,
    /// How texts are sent.
    pub protector: Protector,
    /// Chooses the kind of results to write, and the block size of reads.
    pub choice: u8,
    /// Whether a file with changed results must still have the same entries. If not, it is not read again, and the writer may refuse it.
    pub keeps_entries: bool,
}

/// The parts of a record that translation must not change.
#[derive(Debug, PartialEq, Eq)]
struct Frame {
    entries: usize,
    has_fault: bool,
}

impl Frame {
    fn of(record: &Record) -> Self {
        let has_fault = record.fault.is_some() || record.slots.iter().any(|slot| slot.fault.is_some());
        Self { entries: record.slots.len() + record.blanks.len(), has_fault }
    }
}

impl FormatProperties {
    /// Checks all properties. With `is_whole`, the records must add up to the input.
    pub fn check(&self, input: &[u8], is_whole: bool) {
        let step = usize::from(self.choice % 16) + 1;
        let records = match (self.read(input, usize::MAX), self.read(input, step)) {
            (Ok(whole), Ok(steps)) => {
                assert_eq!(describe(&whole), describe(&steps), "with {step} bytes at a time");
                whole
            }
            (Err(whole), Err(steps)) => {
                // An archive may be recognized only after more of its bytes were read.
                let is_refused = [&whole, &steps].iter().all(|failure| failure.what.ends_with("not text"));
                assert!(
                    is_refused || whole.to_string() == steps.to_string(),
                    "{whole} and {steps} with {step} bytes at a time"
                );
                return;
            }
            (whole, steps) => {
                let ended = [whole.err(), steps.err()].map(|end| end.map(|failure| failure.to_string()));
                assert!(ended[0].is_some() && ended[1].is_some(), "with {step} bytes at a time: {ended:?}");
                return;
            }
        };
        let joined = records.iter().flat_map(|record| record.bytes.iter().copied());
        assert!(!is_whole || joined.eq(input.iter().copied()), "records do not add up to the input");
        records.iter().for_each(check_record);
        let frames: Vec<Frame> = records.iter().map(Frame::of).collect();
        let records: Vec<Arc<Record>> = records.into_iter().map(|record| self.protect(record)).collect();
        let same = self.write_results(&records, str::to_owned);
        if is_whole && !self.format.adds_results() {
            assert_eq!(same.as_deref().map(lossy), Ok(lossy(input)), "results equal to the texts change the input");
        }
        let other = self.write_results(&records, |sent| misbehaving_result(sent, self.choice / 16));
        // The writer may refuse the results of several texts that are valid one by one but not together.
        let Ok(other) = other.map_err(|error| assert!(!self.keeps_entries, "{error}")) else { return };
        if self.keeps_entries {
            let again = self.read(&other, usize::MAX);
            let again = again.map(|records| records.iter().map(Frame::of).collect::<Vec<_>>());
            // A changed text can make the file start like a PDF document.
            if again.as_ref().is_err_and(|failure| failure.what.ends_with("not text")) {
                return;
            }
            assert_eq!(again.map_err(|failure| failure.to_string()), Ok(frames), "in {:?}", lossy(&other));
        }
    }

    fn read(&self, input: &[u8], step: usize) -> Result<Vec<Record>, Failure> {
        read_all(&mut *self.format.reader(limit_of(ENTRY_BYTES)), input, step)
    }

    fn protect(&self, mut record: Record) -> Arc<Record> {
        self.protector.protect(&mut record);
        Arc::new(record)
    }

    /// Writes records with the results of a simulated service. Leaves out refused results.
    fn write_results(&self, records: &[Arc<Record>], service: impl Fn(&str) -> String) -> Result<Vec<u8>, String> {
        let mut writer = self.format.writer(std::slice::from_ref(&self.target));
        let mut out = Vec::new();
        for record in records {
            let result = |slot: usize| {
                let text = record.sent_text(slot).map(&service);
                let answer = Arc::new(EntryResult { text, raw: None, billed: None });
                slot_result(&self.format, record, slot, &answer).unwrap_or_default()
            };
            let results: Vec<Arc<EntryResult>> = (0..record.slots.len()).map(result).collect();
            let mut row = ResultRow { record: record.clone(), results: smallvec::smallvec![Some(results)] };
            for slot in self.format.check_row(&row, 0, &self.target).into_iter().flat_map(|rejected| rejected.slots) {
                if let Some(result) = row.results.first_mut().and_then(|results| results.as_mut()?.get_mut(slot)) {
                    *result = Arc::default();
                }
            }
            writer.write(&row, &mut out).map_err(|error| error.to_string())?;
        }
        writer.finish(&mut out).map_err(|error| error.to_string())?;
        Ok(out)
    }
}

/// Texts and their tokens are in order and end at character boundaries.
fn check_record(record: &Record) {
    let bytes = std::str::from_utf8(&record.bytes);
    assert!(bytes.is_ok(), "a record is not UTF-8");
    let mut done = 0;
    for (at, slot) in record.slots.iter().enumerate() {
        let span = slot.byte_range();
        assert!(bytes.is_ok_and(|bytes| bytes.get(span.clone()).is_some()), "{span:?} is not valid");
        assert!(done <= span.start || span.is_empty(), "texts overlap at {done}");
        done = span.end;
        let text = record.text(at).unwrap_or_default();
        assert!(!text.trim().is_empty(), "a text of whitespace only is sent");
        let mut end = 0;
        for token in &slot.tokens {
            let range = token.byte_range();
            assert!(end <= range.start && text.get(range.clone()).is_some(), "a token at {range:?} of {text:?}");
            end = range.end;
        }
    }
    assert!(
        record.entries().count() <= record.slots.len() + record.blanks.len(),
        "more entries than slots and blank entries"
    );
}

/// Everything that must not depend on the block size of reads.
fn describe(records: &[Record]) -> Vec<String> {
    let one = |record: &Record| {
        let texts: Vec<_> = (0..record.slots.len()).map(|slot| (record.text(slot), record.slot_origin(slot))).collect();
        let Record { bytes, entry, continues, blanks, is_header, fault, origin, .. } = record;
        let fault = fault.as_ref().map(ToString::to_string);
        format!("{:?}", (lossy(bytes), texts, entry, continues, blanks, is_header, fault, origin))
    };
    records.iter().map(one).collect()
}

fn misbehaving_result(sent: &str, choice: u8) -> String {
    let has_tags = sent.contains('<');
    match choice {
        0 if !has_tags => sent.replace(' ', "\n\n"),
        1 => [sent, "\n\n2\n00:00:01,000 --> 00:00:02,000\nx"].concat(),
        2 if !has_tags => "1984 x".to_owned(),
        3 => ["\r\n", sent, "\r\n\r\n--> & \u{2028}"].concat(),
        4 => ["\"", sent, "\",\t; '\\ \u{1f600}"].concat(),
        5 => ["# * _a_ [b](c) `d` | ", sent, " {e} %s <f>"].concat(),
        6 => ".".to_owned(),
        7 if !has_tags => sent.to_uppercase(),
        8 => ["  ", sent, " \u{a0}"].concat(),
        9 => ["- ", sent, "\n---\n\tx"].concat(),
        10 => ["\0", sent, "\u{feff}\u{7f}\r"].concat(),
        _ => [sent, " word"].concat(),
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
