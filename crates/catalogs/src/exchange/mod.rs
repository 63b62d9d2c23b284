//! Files for translators: texts beside their sources, in the formats that tools of translators read and write.
//!
//! Input: texts to translate, or a file that came back. Output: the file, or its texts. XLIFF and PO files are read as the
//! catalogues of these formats are; what tools have added to them, such as segments, is taken out.

mod po;
mod table;
#[cfg(test)]
mod tests;
mod xliff;

use super::{CatalogError, CatalogFile};

/// The format of a file for translators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeFormat {
    /// XLIFF 1.2.
    Xliff,
    /// XLIFF 2.0.
    Xliff2,
    /// PO of gettext.
    Po,
    /// A table with a header.
    Csv,
}

/// A text for a translator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextToTranslate {
    /// The catalogue, relative to the project. All texts of a file stand together.
    pub file: String,
    /// Its key, with the form of a plural in brackets.
    pub key: String,
    /// The source text.
    pub source: String,
    /// The translation that is there; `None` if there is none.
    pub target: Option<String>,
    /// Whether a person answers for it.
    pub is_confirmed: bool,
    /// The note of the developer for translators.
    pub note: Option<String>,
    /// The maximum length of the translation, in characters.
    pub max_chars: Option<usize>,
    /// The state of the text, in a word.
    pub state: &'static str,
}

impl TextToTranslate {
    /// Returns the note, with the maximum length in words.
    fn long_note(&self) -> Option<String> {
        let limit = self.max_chars.map(|chars| format!("At most {chars} characters."));
        let parts: Vec<String> = self.note.iter().cloned().chain(limit).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }
}

/// A file that came back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnedFile {
    /// The language of the translations, as the file says it.
    pub language: Option<String>,
    /// The texts, in the order of the file.
    pub texts: Vec<ReturnedText>,
}

/// A text that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnedText {
    /// The catalogue.
    pub file: String,
    /// The key; see [`TextToTranslate::key`].
    pub key: String,
    /// The source text that was translated.
    pub source: String,
    /// The translation; empty if there is none. The error says why it cannot be read.
    pub target: Result<String, String>,
    /// How far the translation is, according to the file.
    pub progress: Progress,
    /// Byte offset in the file, for messages.
    pub at: usize,
}

/// How far a translator has come with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is translated.
    Done,
    /// It is marked as not translated or not confirmed, or a part is missing.
    Unfinished,
    /// The file does not say it.
    Unknown,
}

impl ExchangeFormat {
    /// Writes a file. Fails with the key of a text that the format cannot hold.
    pub fn write(self, [source, target]: [&str; 2], texts: &[TextToTranslate]) -> Result<String, String> {
        match self {
            Self::Xliff => xliff::write_one(source, target, texts),
            Self::Xliff2 => xliff::write_two(source, target, texts),
            Self::Po => po::write(target, texts),
            Self::Csv => table::write([source, target], texts),
        }
    }
}

impl ReturnedFile {
    /// Reads a file in any of the formats: XLIFF begins with `<`, PO has a `msgid`, all else is a table.
    pub fn read(bytes: &[u8]) -> Result<(CatalogFile, Self), CatalogError> {
        let file = CatalogFile::decode(bytes)?;
        let text = file.text.as_str();
        let read = if text.trim_start().starts_with('<') {
            xliff::read(text)
        } else if text.lines().any(|line| line.starts_with("msgid ")) {
            po::read(text)
        } else {
            table::read(text)
        }?;
        Ok((file, read))
    }
}
