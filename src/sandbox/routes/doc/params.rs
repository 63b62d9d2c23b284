//! The fields of an upload, and the rules they must keep. Spec: "Documents", upload; C11, C12.

use std::sync::Arc;

use serde_json::Value;

use super::kinds::Kind;
use crate::sandbox::app::App;
use crate::sandbox::languages;
use crate::sandbox::reply::Refusal;
use crate::sandbox::state::kind;
use crate::sandbox::term_index::TermIndex;

/// The fields as they came.
#[derive(Default)]
pub(super) struct Fields {
    target_lang: Option<String>,
    source_lang: Option<String>,
    filename: Option<String>,
    formality: Option<String>,
    glossary_id: Option<String>,
    glossary_ids: Vec<String>,
    style_id: Option<String>,
    translation_memory_id: Option<String>,
    translation_memory_threshold: Option<String>,
    output_format: Option<String>,
    /// File name of the file's part.
    pub(super) part_name: Option<String>,
    /// Whether there was one.
    pub(super) has_file: bool,
}

/// A checked upload.
pub(super) struct Order {
    pub(super) filename: String,
    pub(super) kind: Kind,
    pub(super) result_kind: Kind,
    pub(super) result_name: String,
    pub(super) target: &'static str,
    pub(super) source: Option<&'static str>,
    pub(super) dictionaries: Vec<Arc<TermIndex>>,
    /// Nothing is billed: images, and targets in beta.
    pub(super) is_free: bool,
}

impl Fields {
    /// Takes a field; unknown ones are ignored.
    pub(super) fn add(&mut self, name: &str, value: String) {
        let place = match name {
            "target_lang" => &mut self.target_lang,
            "source_lang" => &mut self.source_lang,
            "filename" => &mut self.filename,
            "formality" => &mut self.formality,
            "glossary_id" => &mut self.glossary_id,
            "style_id" => &mut self.style_id,
            "translation_memory_id" => &mut self.translation_memory_id,
            "translation_memory_threshold" => &mut self.translation_memory_threshold,
            "output_format" => &mut self.output_format,
            "glossary_ids" => {
                let ids = value.split(',').map(str::trim).filter(|id| !id.is_empty());
                self.glossary_ids.extend(ids.map(str::to_owned));
                return;
            }
            _ => return,
        };
        *place = Some(value);
    }

    /// Checks them all.
    pub(super) fn check(self, app: &App, bytes: u64) -> Result<Order, Refusal> {
        if !self.has_file {
            return Err(Refusal::bad("Parameter 'file' not specified."));
        }
        let target =
            self.target_lang.as_deref().ok_or_else(|| Refusal::bad("Parameter 'target_lang' not specified."))?;
        let (target, support) = languages::target("translate_document", target)
            .ok_or_else(|| Refusal::bad("Value for 'target_lang' not supported."))?;
        let source = match self.source_lang.as_deref().filter(|code| !code.is_empty()) {
            None => None,
            Some(code) => Some(
                languages::source("translate_document", code)
                    .ok_or_else(|| Refusal::bad("Value for 'source_lang' not supported."))?
                    .0,
            ),
        };
        if source.is_some_and(|source| source.lang.eq_ignore_ascii_case(target.lang)) {
            return Err(Refusal::bad("Source and target language are equal."));
        }
        self.check_formality(support)?;
        self.check_memory(app, target.lang)?;
        self.check_style(app, target.lang)?;
        let dictionaries = self.dictionaries(app, source.map(|source| source.lang), target.lang)?;
        let named = self.part_name.clone().or_else(|| self.filename.clone());
        let filename = named.ok_or_else(|| Refusal::bad("The document has no file name."))?;
        let kind = Kind::of(&filename)
            .ok_or_else(|| Refusal::bad(format!("Invalid file data. The type of '{filename}' is not supported.")))?;
        if let Some(max) = kind.size_max().filter(|&max| bytes > max as u64) {
            return Err(Refusal::new(413, format!("The document exceeds the maximum of {max} bytes.")));
        }
        let (result_kind, ending) = self.result(kind, &filename)?;
        let stem = filename.rsplit_once('.').map_or(filename.as_str(), |(stem, _)| stem);
        Ok(Order {
            result_name: format!("{stem}.{ending}"),
            kind,
            result_kind,
            target: target.lang,
            source: source.map(|source| source.lang),
            dictionaries,
            is_free: kind.is_image() || support.status == "beta",
            filename,
        })
    }

    fn result(&self, kind: Kind, filename: &str) -> Result<(Kind, String), Refusal> {
        let own = filename.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
        match self.output_format.as_deref().map(str::to_ascii_lowercase) {
            None if kind == Kind::Doc => Ok((Kind::Docx, "docx".to_owned())),
            None => Ok((kind, own)),
            Some(format) if format == "docx" && matches!(kind, Kind::Pdf | Kind::Doc) => Ok((Kind::Docx, format)),
            Some(format) if format == own => Ok((kind, own)),
            Some(format) => Err(Refusal::bad(format!("Value for 'output_format' not supported: '{format}'."))),
        }
    }

    fn check_formality(&self, support: &languages::LanguageSupport) -> Result<(), Refusal> {
        match self.formality.as_deref() {
            None | Some("default" | "prefer_more" | "prefer_less") => Ok(()),
            Some("more" | "less") if support.has("formality") => Ok(()),
            Some("more" | "less") => Err(Refusal::bad("'formality' is not supported for given 'target_lang'.")),
            Some(_) => Err(Refusal::bad("Value for 'formality' not supported.")),
        }
    }

    fn check_memory(&self, app: &App, target: &str) -> Result<(), Refusal> {
        if let Some(text) = &self.translation_memory_threshold
            && !text.parse::<u8>().is_ok_and(|percent| percent <= 100)
        {
            return Err(Refusal::bad("Value for 'translation_memory_threshold' not supported."));
        }
        self.translation_memory_id.as_deref().map_or(Ok(()), |id| app.memories.get(id, target).map(drop))
    }

    fn check_style(&self, app: &App, target: &str) -> Result<(), Refusal> {
        let Some(id) = &self.style_id else { return Ok(()) };
        let style = app
            .state
            .get(kind::STYLE, &id.to_ascii_lowercase())?
            .ok_or_else(|| Refusal::not_found("Style rule list not found.").detail(format!("style_id {id}")))?;
        let language = style.get("language").and_then(Value::as_str).unwrap_or_default();
        if languages::same_base(language, target) {
            return Ok(());
        }
        Err(Refusal::bad("The language of the style rule list does not match 'target_lang'.")
            .detail(format!("style rule list: {language}, target_lang: {target}")))
    }

    fn dictionaries(&self, app: &App, source: Option<&str>, target: &str) -> Result<Vec<Arc<TermIndex>>, Refusal> {
        if self.glossary_id.is_some() && !self.glossary_ids.is_empty() {
            return Err(Refusal::bad("'glossary_id' and 'glossary_ids' exclude each other."));
        }
        if self.glossary_ids.len() > 5 {
            return Err(Refusal::bad("Too many glossaries: at most 5."));
        }
        let ids: Vec<&String> = self.glossary_id.iter().chain(&self.glossary_ids).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let source = source
            .ok_or_else(|| Refusal::bad("Use of a glossary requires the source_lang parameter to be specified."))?;
        ids.into_iter().map(|id| app.glossaries.dictionary(id, source, target)).collect()
    }
}
