//! The multipart form of an upload, and the checks that turn it into a [`CheckedUpload`]. See docs/service.md, "Documents".

use std::cell::RefCell;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};

use super::file_type::DocumentType;
use super::translation::detected_language;
use crate::app::App;
use crate::body::parse_boolean;
use crate::glossaries::TermIndex;
use crate::pseudo::InstructionMarks;
use crate::reply::Refusal;
use crate::routes::fields::{self, missing, unsupported};
use crate::routes::profile_parts::{ProfileParts, ReplacedParts};
use crate::routes::quality::{self, SegmentTexts};
use crate::routes::style::applied_instructions;
use crate::strict::UnknownFields;

const RESOURCE: &str = "translate_document";
/// Maximum size of each field except the file, in bytes.
const FIELD_BYTES_MAX: usize = 64 * 1024;
const GLOSSARIES_MAX: usize = 5;

#[derive(Default)]
pub(super) struct UploadForm {
    target_lang: Option<String>,
    source_lang: Option<String>,
    filename: Option<String>,
    formality: Option<String>,
    glossary_id: Option<String>,
    glossary_ids: Vec<String>,
    style_id: Option<String>,
    style_profile_id: Option<String>,
    translation_memory_id: Option<String>,
    translation_memory_threshold: Option<String>,
    output_format: Option<String>,
    enable_watermark: Option<String>,
    enable_quality_evaluation: Option<String>,
    /// File name in the header of the file's part.
    part_name: Option<String>,
    /// Size of the file, once received.
    file_bytes: Option<u64>,
}

pub(super) struct CheckedUpload {
    pub(super) filename: String,
    pub(super) file_type: DocumentType,
    pub(super) result_type: DocumentType,
    pub(super) result_name: String,
    pub(super) target: &'static str,
    pub(super) source: Option<&'static str>,
    pub(super) dictionaries: Vec<Arc<TermIndex>>,
    /// Names and IDs of the glossaries; empty unless a phrase depends on a glossary.
    pub(super) glossaries: Vec<String>,
    /// Applicable parts of the style profile.
    parts: ProfileParts,
    pub(super) formality: Option<String>,
    /// Markers in the result that show which style rule list was applied.
    pub(super) marks: Option<InstructionMarks>,
    /// Whether a docx result states that it was machine-translated.
    pub(super) watermark: bool,
    /// Whether nothing is billed because the file type or the target language is in beta.
    pub(super) is_free: bool,
    pub(super) segments: Option<RefCell<Vec<SegmentTexts>>>,
}

impl CheckedUpload {
    /// Adds the glossaries of the style profile that fit the source language, which is detected if the request does not
    /// give it.
    pub(super) fn with_profile_glossaries(mut self, app: &App, file: &Path) -> Result<Self, Refusal> {
        if !self.parts.needs_source() {
            return Ok(self);
        }
        let source = self.source.map(str::to_owned).or_else(|| detected_language(app, self.file_type, file));
        let Some(source) = source else { return Ok(self) };
        let (ids, dictionaries): (Vec<_>, Vec<_>) =
            self.parts.glossaries(app, &source, self.target)?.into_iter().unzip();
        if app.phrases.have_glossaries {
            self.glossaries.extend(app.glossaries.names(ids.into_iter())?);
        }
        self.dictionaries.extend(dictionaries);
        Ok(self)
    }
}

impl UploadForm {
    /// Receives the form. The file is written to the state file `file`; the other fields are kept in memory.
    pub(super) async fn receive(
        app: &App,
        mut multipart: Multipart,
        unknown: &UnknownFields,
        file: &str,
    ) -> Result<Self, Refusal> {
        let mut form = Self::default();
        while let Some(mut field) = multipart.next_field().await.map_err(broken_form)? {
            let name = field.name().unwrap_or_default().to_owned();
            if name == "file" {
                form.receive_file(app, field, file).await?;
                continue;
            }
            let mut value = Vec::new();
            while let Some(chunk) = field.chunk().await.map_err(broken_form)? {
                value.extend_from_slice(&chunk);
                if value.len() > FIELD_BYTES_MAX {
                    return Err(Refusal::too_large(FIELD_BYTES_MAX));
                }
            }
            let value = String::from_utf8(value)
                .map_err(|_| Refusal::bad_request("Request parameters are not valid UTF-8."))?;
            if !form.set(&name, value) {
                unknown.check(&[name])?;
            }
        }
        Ok(form)
    }

    async fn receive_file(&mut self, app: &App, mut field: Field<'_>, file: &str) -> Result<(), Refusal> {
        if self.file_bytes.is_some() {
            return Err(Refusal::bad_request("Parameter 'file' was given twice."));
        }
        self.part_name = field.file_name().filter(|name| !name.is_empty()).map(str::to_owned);
        let mut into = app.state.create_file(file)?;
        let mut bytes = 0;
        while let Some(chunk) = field.chunk().await.map_err(broken_form)? {
            into.write_all(&chunk)?;
            bytes += chunk.len() as u64;
        }
        self.file_bytes = Some(bytes);
        Ok(())
    }

    /// Returns false if the field is unknown.
    fn set(&mut self, name: &str, value: String) -> bool {
        let field = match name {
            "target_lang" => &mut self.target_lang,
            "source_lang" => &mut self.source_lang,
            "filename" => &mut self.filename,
            "formality" => &mut self.formality,
            "glossary_id" => &mut self.glossary_id,
            "style_id" => &mut self.style_id,
            "style_profile_id" => &mut self.style_profile_id,
            "translation_memory_id" => &mut self.translation_memory_id,
            "translation_memory_threshold" => &mut self.translation_memory_threshold,
            "output_format" => &mut self.output_format,
            "enable_watermark" => &mut self.enable_watermark,
            "enable_quality_evaluation" => &mut self.enable_quality_evaluation,
            "glossary_ids" => {
                let ids = value.split(',').map(str::trim).filter(|id| !id.is_empty());
                self.glossary_ids.extend(ids.map(str::to_owned));
                return true;
            }
            // Accepted, but without effect in the sandbox.
            "enable_beta_languages" | "input_conversion_options" => return true,
            _ => return false,
        };
        *field = Some(value);
        true
    }

    pub(super) fn check(self, app: &App) -> Result<CheckedUpload, Refusal> {
        let bytes = self.file_bytes.ok_or_else(|| missing("file"))?;
        let target = self.target_lang.as_deref().ok_or_else(|| missing("target_lang"))?;
        let (target, support) = fields::target_lang(app.options.rules, RESOURCE, target)?;
        let source = fields::source_lang(RESOURCE, self.source_lang.as_deref())?.map(|language| language.lang);
        if source.is_some_and(|source| source.eq_ignore_ascii_case(target.lang)) {
            return Err(Refusal::bad_request("Source and target language are equal."));
        }
        if fields::requires_formality(self.formality.as_deref())? {
            fields::check_formality_support(target, support)?;
        }
        self.check_memory(app, target.lang)?;
        let parts = ProfileParts::load(app, self.style_profile_id.as_deref(), &self.replaced_parts())?;
        let style = match &self.style_id {
            Some(id) => applied_instructions(app, id, target.lang)?,
            None => parts.instructions(app, target.lang)?,
        };
        let dictionaries = self.dictionaries(app, source, target.lang)?;
        let ids = self.glossary_id.iter().chain(&self.glossary_ids);
        let glossaries = if app.phrases.have_glossaries { app.glossaries.names(ids)? } else { Vec::new() };
        let filename = self.part_name.as_ref().or(self.filename.as_ref());
        let filename = filename.ok_or_else(|| Refusal::bad_request("The document has no file name."))?;
        let file_type = DocumentType::from_filename(filename).ok_or_else(|| {
            Refusal::bad_request(format!("Invalid file data. The type of '{filename}' is not supported."))
        })?;
        if bytes > file_type.size_max() {
            let message = format!("The document exceeds the maximum of {} bytes.", file_type.size_max());
            return Err(Refusal::new(413, message));
        }
        let evaluates = match self.enable_quality_evaluation.as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return Err(unsupported("enable_quality_evaluation")),
        };
        if evaluates && !file_type.can_be_evaluated() {
            return Err(Refusal::bad_request("Quality evaluation is not available for this file type."));
        }
        if evaluates && let Some(source) = source {
            quality::check_pair(source, target.lang)?;
        }
        let watermark =
            self.enable_watermark.as_deref().map(|value| parse_boolean("enable_watermark", value)).transpose()?;
        let (result_type, result_name) = self.result_type_and_name(file_type, filename)?;
        Ok(CheckedUpload {
            result_name,
            file_type,
            result_type,
            target: target.lang,
            source,
            dictionaries,
            glossaries,
            marks: InstructionMarks::of(&style),
            parts,
            formality: self.formality,
            watermark: watermark.unwrap_or_default(),
            segments: evaluates.then(RefCell::default),
            is_free: file_type.is_beta() || support.status == "beta",
            filename: filename.clone(),
        })
    }

    fn replaced_parts(&self) -> ReplacedParts {
        ReplacedParts {
            glossaries: self.glossary_id.is_some() || !self.glossary_ids.is_empty(),
            style: self.style_id.is_some(),
            memory: self.translation_memory_id.is_some(),
        }
    }

    fn result_type_and_name(&self, file_type: DocumentType, filename: &str) -> Result<(DocumentType, String), Refusal> {
        let (stem, extension) = filename.rsplit_once('.').unwrap_or((filename, ""));
        let extension = extension.to_ascii_lowercase();
        let docx = || (DocumentType::Docx, format!("{stem}.docx"));
        match self.output_format.as_deref().map(str::to_ascii_lowercase) {
            None if file_type == DocumentType::Doc => Ok(docx()),
            None => Ok((file_type, format!("{stem}.{extension}"))),
            Some(format) if format == "docx" && matches!(file_type, DocumentType::Pdf | DocumentType::Doc) => {
                Ok(docx())
            }
            Some(format) if format == extension => Ok((file_type, format!("{stem}.{extension}"))),
            Some(format) => Err(Refusal::bad_request(format!("Value for 'output_format' not supported: '{format}'."))),
        }
    }

    fn check_memory(&self, app: &App, target: &str) -> Result<(), Refusal> {
        if let Some(text) = &self.translation_memory_threshold
            && !text.parse::<u8>().is_ok_and(|percent| percent <= 100)
        {
            return Err(unsupported("translation_memory_threshold"));
        }
        self.translation_memory_id.as_deref().map_or(Ok(()), |id| app.memories.find_for_target(id, target).map(drop))
    }

    fn dictionaries(&self, app: &App, source: Option<&str>, target: &str) -> Result<Vec<Arc<TermIndex>>, Refusal> {
        if self.glossary_id.is_some() && !self.glossary_ids.is_empty() {
            return Err(Refusal::bad_request("'glossary_id' and 'glossary_ids' exclude each other."));
        }
        if self.glossary_ids.len() > GLOSSARIES_MAX {
            return Err(Refusal::bad_request(format!("Too many glossaries: at most {GLOSSARIES_MAX}.")));
        }
        let ids: Vec<&String> = self.glossary_id.iter().chain(&self.glossary_ids).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let source = source.ok_or_else(|| {
            Refusal::bad_request("Use of a glossary requires the source_lang parameter to be specified.")
        })?;
        ids.into_iter().map(|id| app.glossaries.dictionary(id, source, target)).collect()
    }
}

fn broken_form(_: MultipartError) -> Refusal {
    Refusal::bad_request("The multipart form is broken or incomplete.")
}
