//! Files for translators: texts next to their sources, in the formats of translation tools.
//!
//! Input: texts to translate, or a file returned by a translator. Output: the file, or its texts. XLIFF and PO files
//! are read like catalogues of these formats. Segments and other additions of translation tools are replaced by their text.

mod po;
mod table;
#[cfg(test)]
mod tests;
mod xliff;

use super::{CatalogError, CatalogFile};

/// A file format for translators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeFormat {
    /// XLIFF 1.2.
    Xliff,
    /// XLIFF 2.0.
    Xliff2,
    /// gettext PO.
    Po,
    /// A CSV table with a header.
    Csv,
}

/// A text to be translated by a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextToTranslate {
    /// The catalogue, relative to the project. All texts of a file must be consecutive.
    pub file: String,
    /// The key; a plural form is appended in brackets.
    pub key: String,
    /// The source text.
    pub source: String,
    /// The current translation, if any.
    pub target: Option<String>,
    /// Whether a person has confirmed the translation.
    pub is_confirmed: bool,
    /// The developer's note for translators.
    pub note: Option<String>,
    /// The maximum length of the translation, in characters.
    pub max_chars: Option<usize>,
    /// The state of the text, as one word.
    pub state: &'static str,
}

impl TextToTranslate {
    /// Returns the note, followed by the maximum length.
    fn long_note(&self) -> Option<String> {
        let limit = self.max_chars.map(|chars| format!("At most {chars} characters."));
        let parts: Vec<String> = self.note.iter().cloned().chain(limit).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }
}

/// A file returned by a translator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnedFile {
    /// The language of the translations, according to the file.
    pub language: Option<String>,
    /// The texts, in the order of the file.
    pub texts: Vec<ReturnedText>,
}

/// A text returned by a translator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnedText {
    /// The catalogue.
    pub file: String,
    /// The key, as in [`TextToTranslate::key`].
    pub key: String,
    /// The source text of the translation.
    pub source: String,
    /// The translation, empty if missing, or the reason why it cannot be read.
    pub target: Result<String, String>,
    /// The progress of the translation, according to the file.
    pub progress: Progress,
    /// Byte offset in the file, for messages.
    pub at: usize,
}

/// The progress of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Not marked as unfinished.
    Done,
    /// Marked as not translated or not confirmed, or partly missing.
    Unfinished,
    /// Not stated in the file.
    Unknown,
}

impl ExchangeFormat {
    /// Writes a file. Fails with a message that names the key of a text that the format cannot hold.
    pub fn write(self, [source, target]: [&str; 2], texts: &[TextToTranslate]) -> Result<String, String> {
        match self {
            Self::Xliff => xliff::write_v1(source, target, texts),
            Self::Xliff2 => xliff::write_v2(source, target, texts),
            Self::Po => po::write(target, texts),
            Self::Csv => table::write([source, target], texts),
        }
    }
}

impl ReturnedFile {
    /// Reads a file in any of the formats. XLIFF starts with `<`, PO contains a `msgid`, everything else is a table.
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
