//! What the translators of all file types share: reading a file as text, translating its texts, and their errors.

use std::path::Path;
use std::sync::Arc;

use super::upload_form::CheckedUpload;
use crate::app::App;
use crate::languages;
use crate::markup::{MarkupSyntax, characters};
use crate::phrases::PhraseScope;
use crate::reply::Refusal;
use crate::translator::Translator;

/// Why a document was not translated.
pub(super) enum DocumentError {
    /// The document is at fault: its status becomes `error`, with this message.
    Document(String),
    /// The sandbox is at fault.
    Sandbox(Refusal),
}

impl DocumentError {
    /// The document is at fault.
    pub(super) fn document(why: impl Into<String>) -> Self {
        Self::Document(why.into())
    }
}

impl From<std::io::Error> for DocumentError {
    fn from(error: std::io::Error) -> Self {
        Self::Sandbox(error.into())
    }
}

/// Reads a whole file as text.
pub(super) fn read_text(source: &Path) -> Result<String, DocumentError> {
    String::from_utf8(std::fs::read(source)?).map_err(|_| DocumentError::document("The file is not valid UTF-8."))
}

/// Translates the texts of one document.
pub(super) struct DocumentTranslator<'a> {
    app: &'a App,
    upload: &'a CheckedUpload,
    engine: Translator<'a>,
    phrases: PhraseScope<'a>,
    syntax: MarkupSyntax,
}

impl<'a> DocumentTranslator<'a> {
    /// Returns a translator for texts with the given markup.
    pub(super) fn new(app: &'a App, upload: &'a CheckedUpload, syntax: MarkupSyntax) -> Self {
        let terms = upload.dictionaries.iter().map(Arc::as_ref);
        let scope = app.phrases.scope(upload.source, upload.target);
        let phrases = scope.formality(upload.formality.as_deref()).glossaries(&upload.glossaries);
        let engine = Translator::new(app.options.engine, upload.target).markup(syntax, &[]).terms(terms);
        Self { app, upload, engine: engine.phrases(phrases).instructions(upload.marks), phrases, syntax }
    }

    /// The target language.
    pub(super) fn target(&self) -> &'static str {
        self.upload.target
    }

    /// Translates a text: its phrases as the phrases have it, the rest with the engine.
    pub(super) fn translate(&self, text: &str) -> String {
        self.engine.translate(text)
    }

    /// Returns the translation of a whole text if it is one of the phrases.
    pub(super) fn phrase(&self, text: &str) -> Option<&str> {
        self.phrases.find(text).map(|phrase| phrase.text)
    }

    /// Counts the characters that are billed for a text.
    pub(super) fn characters(&self, text: &str) -> u64 {
        characters(text, self.syntax)
    }

    /// Fails if the detected language of a sample is the target language.
    pub(super) fn refuse_same_language(&self, sample: &str) -> Result<(), DocumentError> {
        if self.upload.source.is_none() && languages::same_base(&self.app.detect(sample), self.upload.target) {
            return Err(DocumentError::document("Source and target language are equal."));
        }
        Ok(())
    }
}
