//! The parameters of a text translation: types, limits, and rules between them. See docs/service.md, "Text translation".

use serde::{Deserialize, Serialize};

use crate::body::{BodyReader, FormSchema, NamesField};
use crate::languages::{LanguageSupport, SandboxLanguage, base_code};
use crate::markup::MarkupSyntax;
use crate::options::ServiceRules;
use crate::reply::Refusal;
use crate::routes::fields::{self, missing, unsupported};
use crate::routes::profile_parts::ReplacedParts;

const TEXTS_MAX: usize = 50;
const INSTRUCTIONS_MAX: usize = 10;
const INSTRUCTION_CHARS_MAX: usize = 300;
const GLOSSARIES_MAX: usize = 5;
const THRESHOLD_MAX: i64 = 100;
/// Minimum translation memory threshold of the public service, in percent. Lower values are raised to it.
const THRESHOLD_MIN: u64 = 50;
const THRESHOLD_DEFAULT: u64 = 75;
/// Base codes of target languages that support custom instructions.
const INSTRUCTION_LANGUAGES: &[&str] = &["de", "en", "es", "fr", "it", "ja", "ko", "zh"];

const FORM: FormSchema = FormSchema {
    lists: &["text", "custom_instructions", "glossary_ids", "non_splitting_tags", "splitting_tags", "ignore_tags"],
    booleans: &["preserve_formatting", "show_billed_characters", "outline_detection", "enable_beta_languages"],
    integers: &["translation_memory_threshold"],
};

/// The request body. Every field is optional, so that a refusal can name the missing one.
#[derive(Deserialize)]
struct TranslateBody {
    text: Option<Vec<String>>,
    target_lang: Option<String>,
    source_lang: Option<String>,
    context: Option<String>,
    model_type: Option<String>,
    split_sentences: Option<String>,
    preserve_formatting: Option<bool>,
    formality: Option<String>,
    glossary_id: Option<String>,
    glossary_ids: Option<NamesField>,
    style_id: Option<String>,
    style_profile_id: Option<String>,
    custom_instructions: Option<Vec<String>>,
    translation_memory_id: Option<String>,
    translation_memory_threshold: Option<i64>,
    show_billed_characters: Option<bool>,
    tag_handling: Option<String>,
    tag_handling_version: Option<String>,
    outline_detection: Option<bool>,
    non_splitting_tags: Option<NamesField>,
    splitting_tags: Option<NamesField>,
    ignore_tags: Option<NamesField>,
    enable_beta_languages: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TagHandlingVersion {
    V1,
    V2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModelOptimization {
    Latency,
    Quality,
}

/// Parameters with valid types and words; [`TranslateParameters::check`] checks the limits, and the rules between parameters.
pub(super) struct TranslateParameters {
    pub(super) text: Vec<String>,
    pub(super) target_lang: String,
    pub(super) source_lang: Option<String>,
    pub(super) glossary_id: Option<String>,
    pub(super) glossary_ids: Vec<String>,
    pub(super) style_id: Option<String>,
    pub(super) style_profile_id: Option<String>,
    pub(super) translation_memory_id: Option<String>,
    pub(super) show_billed_characters: bool,
    pub(super) formality: Option<String>,
    pub(super) custom_instructions: Vec<String>,
    pub(super) tag_handling: Option<MarkupSyntax>,
    pub(super) tag_handling_version: Option<TagHandlingVersion>,
    pub(super) ignore_tags: Vec<String>,
    threshold: Option<i64>,
    model: Option<ModelOptimization>,
    requires_formality: bool,
}

impl TranslateParameters {
    pub(super) fn read(body: &BodyReader) -> Result<Self, Refusal> {
        let body: TranslateBody = body.json_or_form(&FORM)?;
        one_of("split_sentences", body.split_sentences.as_deref(), &[("0", ()), ("1", ()), ("nonewlines", ())])?;
        let models = [
            ("latency_optimized", ModelOptimization::Latency),
            ("quality_optimized", ModelOptimization::Quality),
            ("prefer_quality_optimized", ModelOptimization::Quality),
        ];
        // Only the types of these fields are checked; the sandbox ignores their values.
        let _ = (body.context, body.preserve_formatting, body.outline_detection, body.enable_beta_languages);
        let _ = (body.non_splitting_tags, body.splitting_tags);
        Ok(Self {
            text: body.text.ok_or_else(|| missing("text"))?,
            target_lang: body.target_lang.ok_or_else(|| missing("target_lang"))?,
            source_lang: body.source_lang.filter(|code| !code.is_empty()),
            glossary_id: body.glossary_id,
            glossary_ids: body.glossary_ids.unwrap_or_default().0,
            style_id: body.style_id,
            style_profile_id: body.style_profile_id,
            translation_memory_id: body.translation_memory_id,
            show_billed_characters: body.show_billed_characters.unwrap_or(false),
            tag_handling: one_of(
                "tag_handling",
                body.tag_handling.as_deref(),
                &[("xml", MarkupSyntax::Xml), ("html", MarkupSyntax::Html)],
            )?,
            tag_handling_version: one_of(
                "tag_handling_version",
                body.tag_handling_version.as_deref(),
                &[("v1", TagHandlingVersion::V1), ("v2", TagHandlingVersion::V2)],
            )?,
            ignore_tags: body.ignore_tags.unwrap_or_default().0,
            custom_instructions: body.custom_instructions.unwrap_or_default(),
            threshold: body.translation_memory_threshold,
            model: one_of("model_type", body.model_type.as_deref(), &models)?,
            requires_formality: fields::requires_formality(body.formality.as_deref())?,
            formality: body.formality,
        })
    }

    pub(super) fn glossaries(&self) -> impl Iterator<Item = &String> {
        self.glossary_id.iter().chain(&self.glossary_ids)
    }

    /// Returns whether glossary dictionaries are chosen by the detected language of each text.
    pub(super) fn detects_dictionaries(&self) -> bool {
        self.source_lang.is_none() && self.glossaries().next().is_some()
    }

    pub(super) fn replaced_parts(&self) -> ReplacedParts {
        ReplacedParts {
            glossaries: self.glossaries().next().is_some(),
            style: self.style_id.is_some(),
            memory: self.translation_memory_id.is_some(),
        }
    }

    pub(super) fn tags(&self) -> MarkupSyntax {
        self.tag_handling.unwrap_or_default()
    }

    /// Returns the minimum similarity of a translation memory match, in percent, adapted to the rules of the service.
    pub(super) fn threshold(&self, rules: ServiceRules) -> u64 {
        let threshold = self.threshold.and_then(|percent| u64::try_from(percent).ok()).unwrap_or(THRESHOLD_DEFAULT);
        if rules.is_public() { threshold.max(THRESHOLD_MIN) } else { threshold }
    }

    /// Returns the model named in the answer. Without a source language, it is always the quality-optimised one.
    pub(super) fn model_type_used(&self) -> Option<&'static str> {
        self.model.map(|model| match model {
            ModelOptimization::Latency if self.source_lang.is_some() => "latency_optimized",
            _ => "quality_optimized",
        })
    }

    pub(super) fn check(
        &self,
        target: &SandboxLanguage,
        support: &LanguageSupport,
        rules: ServiceRules,
    ) -> Result<(), Refusal> {
        if self.text.is_empty() {
            return Err(missing("text"));
        }
        if self.text.len() > TEXTS_MAX {
            return Err(Refusal::bad_request(format!("Too many texts: at most {TEXTS_MAX} in one request.")));
        }
        if self.requires_formality {
            fields::check_formality_support(target, support)?;
        }
        self.check_glossaries(rules)?;
        self.check_instructions(target)?;
        if self.threshold.is_some_and(|percent| !(0..=THRESHOLD_MAX).contains(&percent)) {
            return Err(Refusal::bad_request(format!(
                "Value for 'translation_memory_threshold' must lie between 0 and {THRESHOLD_MAX}."
            )));
        }
        if rules.is_public() { Ok(()) } else { self.check_model() }
    }

    fn check_glossaries(&self, rules: ServiceRules) -> Result<(), Refusal> {
        if self.glossary_id.is_some() && !self.glossary_ids.is_empty() {
            return Err(Refusal::bad_request("Parameters 'glossary_id' and 'glossary_ids' exclude each other."));
        }
        if self.glossary_ids.len() > GLOSSARIES_MAX {
            return Err(Refusal::bad_request(format!(
                "Too many glossaries: at most {GLOSSARIES_MAX} in 'glossary_ids'."
            )));
        }
        if self.detects_dictionaries() && !rules.is_public() {
            return Err(Refusal::bad_request(
                "Use of a glossary requires the 'source_lang' parameter to be specified.",
            ));
        }
        Ok(())
    }

    fn check_instructions(&self, target: &SandboxLanguage) -> Result<(), Refusal> {
        if self.custom_instructions.len() > INSTRUCTIONS_MAX {
            return Err(Refusal::bad_request(format!("Too many 'custom_instructions': at most {INSTRUCTIONS_MAX}.")));
        }
        if self.custom_instructions.iter().any(|text| text.chars().count() > INSTRUCTION_CHARS_MAX) {
            return Err(Refusal::bad_request(format!(
                "An entry of 'custom_instructions' exceeds {INSTRUCTION_CHARS_MAX} characters."
            )));
        }
        if !self.custom_instructions.is_empty() && !INSTRUCTION_LANGUAGES.contains(&base_code(target.lang)) {
            return Err(Refusal::bad_request("'custom_instructions' is not supported for given 'target_lang'."));
        }
        Ok(())
    }

    /// Refuses parameters that the generic service does not support with the latency-optimised model.
    fn check_model(&self) -> Result<(), Refusal> {
        let quality_only = [
            (self.style_id.is_some(), "style_id"),
            (!self.custom_instructions.is_empty(), "custom_instructions"),
            (self.translation_memory_id.is_some(), "translation_memory_id"),
            (self.tag_handling_version == Some(TagHandlingVersion::V2), "tag_handling_version=v2"),
        ];
        match quality_only.iter().find(|(set, _)| *set && self.model == Some(ModelOptimization::Latency)) {
            None => Ok(()),
            Some((_, name)) => {
                Err(Refusal::bad_request(format!("'{name}' cannot be combined with 'model_type=latency_optimized'.")))
            }
        }
    }
}

/// Looks up a field's value in a fixed set of words.
fn one_of<T: Copy>(field: &str, value: Option<&str>, words: &[(&str, T)]) -> Result<Option<T>, Refusal> {
    let Some(value) = value else { return Ok(None) };
    match words.iter().find(|(word, _)| *word == value) {
        Some((_, meaning)) => Ok(Some(*meaning)),
        None => Err(unsupported(field)),
    }
}
