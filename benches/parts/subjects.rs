//! The measured code: each function does what the program does with one kind of data.

use std::io::Cursor;
use std::sync::Arc;

use tulk_base::json::escape_into;
use tulk_formats::input::dictionary::{CheckedDictionary, DictionaryReadOptions};
use tulk_formats::input::source::Source;
use tulk_formats::{
    EntryLimit, EntryResult, FILE_FORMATS, FileFormatOptions, InputFormat, JsonLinesOptions, Record, ResultRow,
    TableOptions,
};

use tulk_pipeline::{BatchLimit, Batcher, RowNumber, SentEntry, SlotPosition};

pub fn escape_json(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    escape_into(&mut out, text.as_bytes());
    out
}

#[derive(Clone, Debug)]
pub struct PartFormat(InputFormat);

impl PartFormat {
    /// Format that a flag names: `lines`, `srt`, `markdown`, `csv` (translates column `text`), `jsonl` (translates `/text`).
    pub fn named(name: &str) -> Option<Self> {
        let format = match name {
            "lines" => InputFormat::lines(),
            "csv" => InputFormat::new(TableOptions {
                columns: vec!["text".to_owned()],
                delimiter: b',',
                has_header: true,
                appended: Vec::new(),
            }),
            "jsonl" => InputFormat::new(JsonLinesOptions::new(&["/text".to_owned()], &[]).ok()?),
            _ => {
                let format = FILE_FORMATS.iter().find(|format| format.name == name)?;
                (format.new)(&FileFormatOptions::default())
            }
        };
        Some(Self(format))
    }

    /// Adds a word to each text. Returns the written file, or `None` if the input is invalid.
    pub fn rewrite(&self, input: &str) -> Option<Vec<u8>> {
        let mut writer = self.0.writer(&["de".to_owned()]);
        let mut out = Vec::with_capacity(input.len() * 2);
        for record in self.records(input)? {
            let result = |slot| {
                let text = Some([record.text(slot)?, " word"].concat());
                Some(Arc::new(EntryResult { text, ..EntryResult::default() }))
            };
            let results = smallvec::smallvec![(0..record.slots.len()).map(result).collect()];
            writer.write(&ResultRow { record: Arc::new(record), results }, &mut out).ok()?;
        }
        writer.finish(&mut out).ok()?;
        Some(out)
    }

    /// Builds request bodies from the texts of an input. Returns their sizes.
    pub fn bodies(&self, input: &str) -> Option<Vec<usize>> {
        let mut batcher = Batcher::new(r#"{"target_lang":"DE"}"#, None, BatchLimit::TRANSLATE).ok()?;
        let mut sizes = Vec::new();
        for record in self.records(input)? {
            let record = Arc::new(record);
            for slot in 0..record.slots.len() {
                let sent = SentEntry::new(&record, SlotPosition { row: RowNumber::default(), slot });
                if !batcher.push(sent.text(), &sent, 0) {
                    sizes.extend(batcher.take_batch(None).map(|batch| batch.body.len()));
                    batcher.push(sent.text(), &sent, 0);
                }
            }
        }
        sizes.extend(batcher.take_batch(None).map(|batch| batch.body.len()));
        Some(sizes)
    }

    fn records(&self, input: &str) -> Option<Vec<Record>> {
        let bytes = BatchLimit::TRANSLATE.bytes;
        let mut reader = self.0.reader(EntryLimit { bytes, body_bytes: bytes, enforced: true });
        let mut source = Source::reader("input", Box::new(Cursor::new(input.as_bytes().to_vec())));
        let mut records = Vec::new();
        loop {
            let mut record = Record::default();
            if !reader.read(&mut source, &mut record).ok()? {
                return Some(records);
            }
            records.push(record);
        }
    }
}

/// Returns the numbers of entries and of problems in a dictionary in TSV.
pub fn check_dictionary(tsv: &str) -> (usize, usize) {
    let options = DictionaryReadOptions::TSV;
    let checked = CheckedDictionary::read(tsv.as_bytes(), &options);
    (checked.dictionary.len(), checked.problems.len())
}
