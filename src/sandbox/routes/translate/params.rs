//! The parameters of a text translation: their types, their limits, and the rules between them.

use axum::http::HeaderMap;
use serde::Deserialize;

use crate::sandbox::body::{self, FormSchema, NameList};
use crate::sandbox::languages::{LanguageSupport, SandboxLanguage, base};
use crate::sandbox::markup::MarkupSyntax;
use crate::sandbox::reply::Refusal;

const TEXTS_MAX: usize = 50;
const INSTRUCTIONS_MAX: usize = 10;
const INSTRUCTION_CHARS_MAX: usize = 300;
const GLOSSARIES_MAX: usize = 5;
const THRESHOLD_MAX: i64 = 100;
const THRESHOLD_DEFAULT: u64 = 75;
/// Base codes that take custom instructions.
const INSTRUCTED: &[&str] = &["de", "en", "es", "fr", "it", "ja", "ko", "zh"];

const FORM: FormSchema = FormSchema {
    lists: &["text", "custom_instructions", "glossary_ids", "non_splitting_tags", "splitting_tags", "ignore_tags"],
    booleans: &["preserve_formatting", "show_billed_characters", "outline_detection", "enable_beta_languages"],
    integers: &["translation_memory_threshold"],
};

/// The body as it comes. Everything is optional here: what is missing is told by name.
#[derive(Deserialize)]
struct Wire {
    text: Option<Vec<String>>,
    target_lang: Option<String>,
    source_lang: Option<String>,
    context: Option<String>,
    model_type: Option<String>,
    split_sentences: Option<String>,
    preserve_formatting: Option<bool>,
    formality: Option<String>,
    glossary_id: Option<String>,
    glossary_ids: Option<NameList>,
    style_id: Option<String>,
    custom_instructions: Option<Vec<String>>,
    translation_memory_id: Option<String>,
    translation_memory_threshold: Option<i64>,
    show_billed_characters: Option<bool>,
    tag_handling: Option<String>,
    tag_handling_version: Option<String>,
    outline_detection: Option<bool>,
    non_splitting_tags: Option<NameList>,
    splitting_tags: Option<NameList>,
    ignore_tags: Option<NameList>,
    enable_beta_languages: Option<bool>,
}

/// The version of tag handling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagVersion {
    V1,
    V2,
}

impl TagVersion {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    Latency,
    Quality,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formality {
    Anywhere,
    WhereKnown,
}

/// The parameters, each for itself in order; [`Params::check`] looks at them together.
pub(super) struct Params {
    pub(super) text: Vec<String>,
    pub(super) target_lang: String,
    pub(super) source_lang: Option<String>,
    pub(super) glossary_id: Option<String>,
    pub(super) glossary_ids: Vec<String>,
    pub(super) style_id: Option<String>,
    pub(super) translation_memory_id: Option<String>,
    pub(super) show_billed_characters: bool,
    pub(super) tag_handling: Option<MarkupSyntax>,
    pub(super) tag_handling_version: Option<TagVersion>,
    pub(super) ignore_tags: Vec<String>,
    custom_instructions: Vec<String>,
    threshold: Option<i64>,
    model: Option<Model>,
    formality: Option<Formality>,
    outline_detection: bool,
    splitting_tags: bool,
}

impl Params {
    pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, Refusal> {
        let wire: Wire = body::json_or_form(headers, body, &FORM)?;
        let missing = |name: &str| Refusal::bad(format!("Parameter '{name}' not specified."));
        one_of("split_sentences", wire.split_sentences.as_deref(), &[("0", ()), ("1", ()), ("nonewlines", ())])?;
        let models = [
            ("latency_optimized", Model::Latency),
            ("quality_optimized", Model::Quality),
            ("prefer_quality_optimized", Model::Quality),
        ];
        let formalities = [
            ("default", Formality::Anywhere),
            ("prefer_more", Formality::Anywhere),
            ("prefer_less", Formality::Anywhere),
            ("more", Formality::WhereKnown),
            ("less", Formality::WhereKnown),
        ];
        // Known, checked for their type, and without an effect on what the sandbox answers.
        let _ = (wire.context, wire.preserve_formatting, wire.non_splitting_tags, wire.enable_beta_languages);
        Ok(Self {
            text: wire.text.ok_or_else(|| missing("text"))?,
            target_lang: wire.target_lang.ok_or_else(|| missing("target_lang"))?,
            source_lang: wire.source_lang.filter(|code| !code.is_empty()),
            glossary_id: wire.glossary_id,
            glossary_ids: wire.glossary_ids.unwrap_or_default().0,
            style_id: wire.style_id,
            translation_memory_id: wire.translation_memory_id,
            show_billed_characters: wire.show_billed_characters.unwrap_or(false),
            tag_handling: one_of(
                "tag_handling",
                wire.tag_handling.as_deref(),
                &[("xml", MarkupSyntax::Xml), ("html", MarkupSyntax::Html)],
            )?,
            tag_handling_version: one_of(
                "tag_handling_version",
                wire.tag_handling_version.as_deref(),
                &[("v1", TagVersion::V1), ("v2", TagVersion::V2)],
            )?,
            ignore_tags: wire.ignore_tags.unwrap_or_default().0,
            custom_instructions: wire.custom_instructions.unwrap_or_default(),
            threshold: wire.translation_memory_threshold,
            model: one_of("model_type", wire.model_type.as_deref(), &models)?,
            formality: one_of("formality", wire.formality.as_deref(), &formalities)?,
            outline_detection: wire.outline_detection.unwrap_or(true),
            splitting_tags: wire.splitting_tags.is_some_and(|tags| !tags.0.is_empty()),
        })
    }

    /// How the texts' tags are read.
    pub(super) fn tags(&self) -> MarkupSyntax {
        self.tag_handling.unwrap_or_default()
    }

    /// How much a memory's segment must be alike, in percent.
    pub(super) fn threshold(&self) -> u64 {
        self.threshold.and_then(|percent| u64::try_from(percent).ok()).unwrap_or(THRESHOLD_DEFAULT)
    }

    /// The model the answer names; without a source language it is always the better one.
    pub(super) fn model_type_used(&self) -> Option<&'static str> {
        self.model.map(|model| match model {
            Model::Latency if self.source_lang.is_some() => "latency_optimized",
            _ => "quality_optimized",
        })
    }

    /// Limits, and rules between parameters.
    pub(super) fn check(&self, target: &SandboxLanguage, support: &LanguageSupport) -> Result<(), Refusal> {
        if self.text.is_empty() {
            return Err(Refusal::bad("Parameter 'text' not specified."));
        }
        if self.text.len() > TEXTS_MAX {
            return Err(Refusal::bad(format!("Too many texts: at most {TEXTS_MAX} in one request.")));
        }
        if self.formality == Some(Formality::WhereKnown) && !support.has("formality") {
            return Err(Refusal::bad("'formality' is not supported for given 'target_lang'."));
        }
        self.check_glossaries()?;
        self.check_instructions(target)?;
        if self.threshold.is_some_and(|percent| !(0..=THRESHOLD_MAX).contains(&percent)) {
            return Err(Refusal::bad(format!(
                "Value for 'translation_memory_threshold' must lie between 0 and {THRESHOLD_MAX}."
            )));
        }
        if !self.outline_detection && !self.splitting_tags {
            return Err(Refusal::bad("'outline_detection' without automatic detection needs 'splitting_tags'."));
        }
        self.check_model()
    }

    fn check_glossaries(&self) -> Result<(), Refusal> {
        if self.glossary_id.is_some() && !self.glossary_ids.is_empty() {
            return Err(Refusal::bad("Parameters 'glossary_id' and 'glossary_ids' exclude each other."));
        }
        if self.glossary_ids.len() > GLOSSARIES_MAX {
            return Err(Refusal::bad(format!("Too many glossaries: at most {GLOSSARIES_MAX} in 'glossary_ids'.")));
        }
        if (self.glossary_id.is_some() || !self.glossary_ids.is_empty()) && self.source_lang.is_none() {
            return Err(Refusal::bad("Use of a glossary requires the 'source_lang' parameter to be specified."));
        }
        Ok(())
    }

    fn check_instructions(&self, target: &SandboxLanguage) -> Result<(), Refusal> {
        if self.custom_instructions.len() > INSTRUCTIONS_MAX {
            return Err(Refusal::bad(format!("Too many 'custom_instructions': at most {INSTRUCTIONS_MAX}.")));
        }
        if self.custom_instructions.iter().any(|text| text.chars().count() > INSTRUCTION_CHARS_MAX) {
            return Err(Refusal::bad(format!(
                "An entry of 'custom_instructions' exceeds {INSTRUCTION_CHARS_MAX} characters."
            )));
        }
        if !self.custom_instructions.is_empty() && !INSTRUCTED.contains(&base(target.lang)) {
            return Err(Refusal::bad("'custom_instructions' is not supported for given 'target_lang'."));
        }
        Ok(())
    }

    /// What only the better model can do is refused with the faster one.
    fn check_model(&self) -> Result<(), Refusal> {
        let needs = [
            (self.style_id.is_some(), "style_id"),
            (!self.custom_instructions.is_empty(), "custom_instructions"),
            (self.translation_memory_id.is_some(), "translation_memory_id"),
            (self.tag_handling_version == Some(TagVersion::V2), "tag_handling_version=v2"),
        ];
        match needs.iter().find(|(set, _)| *set && self.model == Some(Model::Latency)) {
            None => Ok(()),
            Some((_, name)) => {
                Err(Refusal::bad(format!("'{name}' cannot be combined with 'model_type=latency_optimized'.")))
            }
        }
    }
}

/// The meaning of one of a fixed set of words.
fn one_of<T: Copy>(name: &str, value: Option<&str>, words: &[(&str, T)]) -> Result<Option<T>, Refusal> {
    let Some(value) = value else { return Ok(None) };
    match words.iter().find(|(word, _)| *word == value) {
        Some((_, meaning)) => Ok(Some(*meaning)),
        None => Err(Refusal::bad(format!("Value for '{name}' not supported."))),
    }
}
