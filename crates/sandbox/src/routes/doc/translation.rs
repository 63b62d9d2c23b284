//! The translation of an uploaded file: picks the translator for its type and counts the billed characters.

use std::path::Path;

use super::file_type::DocumentType;
use super::translator::{DocumentError, DocumentTranslator};
use super::upload_form::CheckedUpload;
use super::{docx, html, json, office, plain_text, srt, xliff, xml};
use crate::app::App;
use crate::reply::Refusal;

/// Maximum number of characters in a document that is not an office file.
const CHARACTERS_MAX: u64 = 1_000_000;
/// Minimum number of characters billed for an office file.
const OFFICE_CHARACTERS_MIN: u64 = 50_000;

/// The outcome of a translation.
pub(super) struct TranslatedFile {
    /// Whether a result was written; otherwise the source is the result.
    pub(super) has_result: bool,
    /// The size of the result.
    pub(super) bytes: u64,
    pub(super) billed_characters: u64,
    /// Why the document cannot be translated.
    pub(super) error: Option<String>,
}

/// Translates the file `source` to the file `result`. Blocks, so it needs a thread of its own.
pub(super) fn translate(
    app: &App,
    upload: &CheckedUpload,
    source: &Path,
    result: &Path,
) -> Result<TranslatedFile, Refusal> {
    let bytes = std::fs::metadata(source)?.len();
    let mut translated = TranslatedFile { has_result: false, bytes, billed_characters: 0, error: None };
    if bytes == 0 {
        translated.error = Some("The file is empty.".to_owned());
        return Ok(translated);
    }
    match write_result(app, upload, source, result) {
        Ok(None) => {}
        Ok(Some(characters)) => {
            translated.has_result = true;
            translated.billed_characters = characters;
            translated.bytes = std::fs::metadata(result)?.len();
        }
        Err(DocumentError::Document(why)) => translated.error = Some(why),
        Err(DocumentError::Sandbox(refusal)) => return Err(refusal),
    }
    let is_estimated = upload.file_type.is_estimated();
    if is_estimated && translated.billed_characters == 0 {
        translated.billed_characters = bytes.div_ceil(10);
    }
    if upload.file_type.is_office() {
        translated.billed_characters = translated.billed_characters.max(OFFICE_CHARACTERS_MIN);
    }
    if upload.is_free {
        translated.billed_characters = 0;
    }
    if translated.billed_characters > CHARACTERS_MAX && !is_estimated && translated.error.is_none() {
        translated.error = Some(format!("The document has more than {CHARACTERS_MAX} characters."));
    }
    Ok(translated)
}

/// Writes the result and returns its characters, or `None` if the sandbox returns files of this type unchanged.
fn write_result(app: &App, upload: &CheckedUpload, source: &Path, result: &Path) -> Result<Option<u64>, DocumentError> {
    let translator = |syntax| DocumentTranslator::new(app, upload, syntax);
    match upload.file_type {
        DocumentType::Txt => plain_text::translate(&translator(plain_text::SYNTAX), source, result).map(Some),
        DocumentType::Html => html::translate(&translator(html::SYNTAX), source, result).map(Some),
        DocumentType::Srt => srt::translate(&translator(srt::SYNTAX), source, result).map(Some),
        DocumentType::Xliff => xliff::translate(&translator(xliff::SYNTAX), source, result).map(Some),
        DocumentType::Xml => xml::translate(&translator(xml::SYNTAX), source, result).map(Some),
        DocumentType::Json => json::translate(&translator(json::SYNTAX), source, result).map(Some),
        DocumentType::Docx | DocumentType::Pptx | DocumentType::Xlsx => {
            office::translate(&translator(office::SYNTAX), upload.file_type, upload.watermark, source, result)
        }
        _ if upload.result_type == DocumentType::Docx => {
            let paragraph = format!("Translated by the sandbox from {}", upload.filename);
            docx::write(result, &paragraph, upload.watermark)?;
            Ok(Some(0))
        }
        _ => Ok(None),
    }
}
