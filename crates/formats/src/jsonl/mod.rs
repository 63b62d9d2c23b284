//! Values of fields in lines of JSON (`--jsonl`).
//!
//! Input: lines, each an object or an array, and JSON pointers (RFC 6901) to the strings to translate. Output: the same
//! lines with these strings replaced, or with a member added beside each. All other bytes are kept: the order of
//! members, the notation of numbers, whitespace, escapes.

mod entries;
mod finder;
mod pointer;
mod reader;
mod string;
#[cfg(test)]
mod tests;
mod writer;

use tulk_base::error::Failure;

use self::pointer::FieldPointer;
use self::reader::JsonLinesReader;
use self::writer::JsonLinesWriter;
use super::{EntryLimit, RecordReader, ResultWriter, TextFormat};

/// Options of JSON lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonLinesOptions {
    fields: Vec<FieldPointer>,
    /// Languages whose results are added; if empty, results replace their sources.
    added: Vec<String>,
}

impl JsonLinesOptions {
    /// Creates options from the values of `--field`, and the languages of the members that `--append` adds.
    pub fn new(fields: &[String], added: &[String]) -> Result<Self, Failure> {
        let fields = FieldPointer::parse_list(fields)?;
        for (field, language) in fields.iter().flat_map(|field| added.iter().map(move |language| (field, language))) {
            let name = field.appended_field(language);
            if fields.iter().any(|other| other.to_string() == name) {
                return Err(Failure::usage(format!("--append adds {name}, which is a field to translate"))
                    .hint(format!("omit --field {name}")));
            }
        }
        Ok(Self { fields, added: added.to_vec() })
    }
}

impl TextFormat for JsonLinesOptions {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(JsonLinesReader::new(self))
    }

    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(JsonLinesWriter::new(self, targets))
    }

    fn adds_results(&self) -> bool {
        !self.added.is_empty()
    }
}
