//! Translates an uploaded file: picks the translator for its type and counts the billed characters.
//!
//! Also contains what the translators of all file types share: reading a file as text, translating its texts, errors,
//! and keeping the escapes of the source.

use std::collections::{HashMap, VecDeque};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tulk_base::files::read_bounded;

use super::file_type::DocumentType;
use super::upload_form::CheckedUpload;
use super::{json, office, text_files, xliff, xml};
use crate::app::App;
use crate::languages;
use crate::markup::{MarkupSyntax, characters};
use crate::options::FILE_LIMIT;
use crate::phrases::PhraseScope;
use crate::reply::Refusal;
use crate::routes::quality;
use crate::translator::Translator;

/// Maximum number of characters in a document whose characters are not estimated.
const CHARACTERS_MAX: u64 = 1_000_000;
/// Number of texts used to detect the language.
pub(super) const SAMPLE_TEXTS: usize = 50;
const OFFICE_CHARACTERS_MIN: u64 = 50_000;

pub(super) struct TranslatedFile {
    /// Whether a result was written. If not, the source is returned as the result.
    pub(super) has_result: bool,
    pub(super) bytes: u64,
    pub(super) billed_characters: u64,
    /// Reason why the document cannot be translated.
    pub(super) error: Option<String>,
    pub(super) evaluation: Option<Vec<Value>>,
}

/// Blocking: call it outside of the async threads.
pub(super) fn translate(
    app: &App,
    upload: &CheckedUpload,
    source: &Path,
    result: &Path,
) -> Result<TranslatedFile, Refusal> {
    let bytes = std::fs::metadata(source)?.len();
    let mut translated =
        TranslatedFile { has_result: false, bytes, billed_characters: 0, error: None, evaluation: None };
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
    if let Some(segments) = &upload.segments {
        let segments = segments.take();
        let sample: Vec<&str> = segments.iter().take(SAMPLE_TEXTS).map(|(source, _)| source.as_str()).collect();
        let detected = upload.source.is_none() && !sample.is_empty();
        let language = if detected { app.detect(&sample.join("\n")) } else { String::new() };
        let language = upload.source.unwrap_or(&language);
        if detected {
            quality::check_pair(language, upload.target)?;
        }
        translated.evaluation = Some(quality::evaluate(&segments, (language, upload.target), &upload.dictionaries));
    }
    let is_estimated = upload.file_type.is_estimated();
    if is_estimated && translated.billed_characters == 0 {
        translated.billed_characters = bytes.div_ceil(10);
    }
    if upload.file_type.is_office_or_pdf() {
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

/// Returns `None` if the file cannot be read as its type.
pub(super) fn detected_language(app: &App, file_type: DocumentType, source: &Path) -> Option<String> {
    let text = if file_type.is_office_or_pdf() {
        office::sample_texts(file_type, source).ok()?.join("\n")
    } else {
        String::from_utf8_lossy(&read_whole(source).ok()?).into_owned()
    };
    Some(app.detect(&text))
}

/// Writes the result and returns the number of billed characters, or `None` if the sandbox returns the file unchanged.
fn write_result(app: &App, upload: &CheckedUpload, source: &Path, result: &Path) -> Result<Option<u64>, DocumentError> {
    let translator = |syntax| DocumentTranslator::new(app, upload, syntax);
    match upload.file_type {
        DocumentType::Txt
        | DocumentType::Md
        | DocumentType::Vtt
        | DocumentType::Yaml
        | DocumentType::Properties
        | DocumentType::Strings => {
            text_files::translate_text(&translator(MarkupSyntax::None), source, result).map(Some)
        }
        DocumentType::Html => text_files::translate_text(&translator(MarkupSyntax::Html), source, result).map(Some),
        DocumentType::Srt => text_files::translate_srt(&translator(MarkupSyntax::Html), source, result).map(Some),
        DocumentType::Xliff => xliff::translate(&translator(MarkupSyntax::None), source, result).map(Some),
        DocumentType::Xml => xml::translate(&translator(MarkupSyntax::None), source, result).map(Some),
        DocumentType::Json => json::translate(&translator(MarkupSyntax::None), source, result).map(Some),
        DocumentType::Docx | DocumentType::Pptx | DocumentType::Xlsx | DocumentType::Xlsm => {
            office::translate(&translator(MarkupSyntax::None), upload.file_type, upload.watermark, source, result)
        }
        _ if upload.result_type == DocumentType::Docx => {
            let paragraph = format!("Translated by the sandbox from {}", upload.filename);
            office::write_docx(result, &paragraph, upload.watermark)?;
            Ok(Some(0))
        }
        _ => Ok(None),
    }
}

pub(in crate::routes) enum DocumentError {
    /// Fault of the document: its status becomes `error`, with this message.
    Document(String),
    /// Fault of the request or the sandbox: the request itself fails.
    Sandbox(Refusal),
}

impl DocumentError {
    pub(super) fn document(why: impl Into<String>) -> Self {
        Self::Document(why.into())
    }
}

impl From<std::io::Error> for DocumentError {
    fn from(error: std::io::Error) -> Self {
        Self::Sandbox(error.into())
    }
}

/// Reads a complete file into memory. The file must not exceed `FILE_LIMIT`.
pub(super) fn read_whole(source: &Path) -> Result<Vec<u8>, DocumentError> {
    read_bounded(source, FILE_LIMIT).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => DocumentError::document("The file is too large."),
        _ => error.into(),
    })
}

pub(super) fn read_text(source: &Path) -> Result<String, DocumentError> {
    String::from_utf8(read_whole(source)?).map_err(|_| DocumentError::document("The file is not valid UTF-8."))
}

pub(super) struct DocumentTranslator<'a> {
    app: &'a App,
    upload: &'a CheckedUpload,
    engine: Translator<'a>,
    phrases: PhraseScope<'a>,
    syntax: MarkupSyntax,
}

impl<'a> DocumentTranslator<'a> {
    pub(super) fn new(app: &'a App, upload: &'a CheckedUpload, syntax: MarkupSyntax) -> Self {
        let terms = upload.dictionaries.iter().map(Arc::as_ref);
        let scope = app.phrases.scope(upload.source, upload.target);
        let phrases = scope.formality(upload.formality.as_deref()).glossaries(&upload.glossaries);
        let engine = Translator::new(app.options.engine, upload.target).markup(syntax, &[]).terms(terms);
        Self { app, upload, engine: engine.phrases(phrases).instructions(upload.marks), phrases, syntax }
    }

    pub(super) fn target(&self) -> &'static str {
        self.upload.target
    }

    /// Translates a text, with the known phrases first and the engine for the rest. Records the pair for an evaluation.
    pub(super) fn translate(&self, text: &str) -> String {
        let translated = self.engine.translate(text);
        if let Some(segments) = self.upload.segments.as_ref().filter(|_| !text.trim().is_empty()) {
            segments.borrow_mut().push((text.to_owned(), translated.clone()));
        }
        translated
    }

    /// Fails if an evaluation was requested for a version of XLIFF other than 2.1.
    pub(super) fn refuse_evaluation(&self, version: &str) -> Result<(), DocumentError> {
        if self.upload.segments.is_none() || version == "2.1" {
            return Ok(());
        }
        Err(DocumentError::Sandbox(Refusal::bad_request(format!(
            "Quality evaluation is not available for XLIFF {version}."
        ))))
    }

    /// Returns the translation of a phrase if it is exactly `text`.
    pub(super) fn phrase(&self, text: &str) -> Option<&str> {
        self.phrases.find(text).map(|phrase| phrase.text)
    }

    pub(super) fn characters(&self, text: &str) -> u64 {
        characters(text, self.syntax)
    }

    /// Fails if the source language is to be detected and the first texts are already in the target language.
    pub(super) fn refuse_same_language(&self, texts: impl IntoIterator<Item: AsRef<str>>) -> Result<(), DocumentError> {
        let texts = texts.into_iter().filter(|text| !text.as_ref().trim().is_empty());
        let texts: Vec<_> = texts.take(SAMPLE_TEXTS).collect();
        let sample: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let is_target = || languages::have_same_base(&self.app.detect(&sample.join("\n")), self.upload.target);
        if self.upload.source.is_none() && !sample.is_empty() && is_target() {
            return Err(DocumentError::document("Source and target language are equal."));
        }
        Ok(())
    }
}

pub(super) struct TextEdit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// The edits can be in any order, but must not overlap.
pub(super) fn apply_edits(text: &str, mut edits: Vec<TextEdit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for TextEdit { range, text: new } in edits {
        out.push_str(text.get(done..range.start).unwrap_or_default());
        out.push_str(&new);
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// The source forms (plain, escape or reference) of all characters that the source escapes at least once.
pub(super) struct SourceForms<'a>(HashMap<char, VecDeque<&'a str>>);

impl<'a> SourceForms<'a> {
    /// Collects the source forms of a text. `chars` yields its characters with their source forms, in order.
    pub(super) fn new(chars: impl Iterator<Item = (char, &'a str)> + Clone) -> Self {
        let is_plain = |c: char, form: &str| form.chars().eq([c]);
        let special = chars.clone().filter(|(c, form)| !is_plain(*c, form));
        let mut forms: HashMap<char, VecDeque<&str>> = special.map(|(c, _)| (c, VecDeque::new())).collect();
        for (c, form) in chars {
            if let Some(list) = forms.get_mut(&c) {
                list.push_back(form);
            }
        }
        Self(forms)
    }

    /// Returns the form in which to write the next `c` of the translation; `None` if the source never escapes it. The n-th
    /// occurrence is written as the n-th one in the source; further occurrences are written as the last one.
    pub(super) fn next(&mut self, c: char) -> Option<&'a str> {
        let list = self.0.get_mut(&c)?;
        if list.len() > 1 { list.pop_front() } else { list.front().copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_occurrence_keeps_its_source_form() {
        let chars = [('>', ">"), ('>', "&gt;"), ('é', "é"), ('>', "&#62;")];
        let mut forms = SourceForms::new(chars.into_iter());
        let written = [(); 4].map(|()| forms.next('>'));
        assert_eq!(written, [Some(">"), Some("&gt;"), Some("&#62;"), Some("&#62;")]);
        assert_eq!(forms.next('é'), None);
    }
}
