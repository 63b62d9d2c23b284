//! Text translation, `POST /v2/translate`: its options as flags and as fields of the request.
//!
//! Spec: "Text translation". The entries are put in by the pipeline, batch by batch.

mod rules;

use clap::{Args, ValueEnum};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

pub use rules::{broken_rule, without_effect};

use super::assets::AssetIds;
use super::language_code::LangCode;
use crate::config::Service;
use crate::error::Failure;
use crate::http::path::Path;
use crate::http::request::{Method, Request};
use crate::limits;

/// Path of the operation.
pub const PATH: &str = "/v2/translate";

/// Which model serves a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelType {
    /// Fastest answer
    #[value(name = "latency_optimized", alias = "latency-optimized")]
    LatencyOptimized,
    /// Best quality
    #[value(name = "quality_optimized", alias = "quality-optimized")]
    QualityOptimized,
    /// Best quality where there is a model for it
    #[value(name = "prefer_quality_optimized", alias = "prefer-quality-optimized")]
    PreferQualityOptimized,
}

/// Where sentences are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum SplitSentences {
    /// Nowhere
    #[value(name = "0")]
    #[serde(rename = "0")]
    Never,
    /// At punctuation and newlines
    #[value(name = "1")]
    #[serde(rename = "1")]
    Always,
    /// At punctuation
    #[value(name = "nonewlines")]
    #[serde(rename = "nonewlines")]
    NoNewlines,
}

/// How formal a translation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formality {
    /// The language's usual way
    Default,
    /// More formal, or an error
    More,
    /// Less formal, or an error
    Less,
    /// More formal where the language can
    #[value(name = "prefer_more", alias = "prefer-more")]
    PreferMore,
    /// Less formal where the language can
    #[value(name = "prefer_less", alias = "prefer-less")]
    PreferLess,
}

/// What markup the texts hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagHandling {
    /// XML
    Xml,
    /// HTML
    Html,
}

/// Options of a translation, as flags and as fields of the request. Spec: "Text translation", body parameters.
#[skip_serializing_none]
#[derive(Args, Serialize, Deserialize, Clone, Debug, Default)]
pub struct TranslateOptions {
    /// Extra context in the source language, not billed
    #[arg(long, value_name = "TEXT")]
    pub context: Option<String>,
    /// Which model to use
    #[arg(long, value_enum, value_name = "TYPE")]
    pub model_type: Option<ModelType>,
    /// Where to split sentences
    #[arg(long, value_enum, value_name = "HOW")]
    pub split_sentences: Option<SplitSentences>,
    /// Keep edge punctuation and initial letter case
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub preserve_formatting: Option<bool>,
    /// How formal the translation is
    #[arg(long, value_enum, value_name = "HOW")]
    pub formality: Option<Formality>,
    /// Instruction to the model, repeatable (10 of 300 characters)
    #[arg(long = "custom-instruction", alias = "custom-instructions", value_name = "TEXT")]
    pub custom_instructions: Option<Vec<String>>,
    /// Least match of a translation memory, percent [default: 75]
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true)]
    pub translation_memory_threshold: Option<i64>,
    /// Report the characters billed
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub show_billed_characters: Option<bool>,
    /// Markup in the texts
    #[arg(long, value_enum, value_name = "KIND")]
    pub tag_handling: Option<TagHandling>,
    /// Version of the markup handling (v1, v2)
    #[arg(long, value_name = "VERSION")]
    pub tag_handling_version: Option<String>,
    /// Detect the structure of XML by itself
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub outline_detection: Option<bool>,
    /// Tags that never split sentences
    #[arg(long, value_delimiter = ',', value_parser = tag_name, value_name = "TAGS")]
    pub non_splitting_tags: Option<Vec<String>>,
    /// Tags that always split sentences
    #[arg(long, value_delimiter = ',', value_parser = tag_name, value_name = "TAGS")]
    pub splitting_tags: Option<Vec<String>>,
    /// Tags whose text stays as it is
    #[arg(long, value_delimiter = ',', value_parser = tag_name, value_name = "TAGS")]
    pub ignore_tags: Option<Vec<String>>,
}

/// Blanks around a name in a list of tags would silently disable it.
fn tag_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "<>,".contains(c)) {
        return Err(format!("`{text}` is no tag name"));
    }
    Ok(name.to_owned())
}

/// A translation request without its entries.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug)]
pub struct TranslateText {
    /// Target language, sent in upper case.
    #[serde(serialize_with = "LangCode::serialize_upper")]
    pub target_lang: LangCode,
    /// Source language, sent in upper case; detected when absent.
    #[serde(serialize_with = "LangCode::serialize_upper_opt")]
    pub source_lang: Option<LangCode>,
    /// Glossaries, style rule list and translation memory.
    #[serde(flatten)]
    pub assets: AssetIds,
    /// The rest of the options.
    #[serde(flatten)]
    pub options: TranslateOptions,
    /// Fields that tulk does not know yet, with their JSON as it was written.
    #[serde(skip)]
    pub params: Vec<(String, String)>,
    /// The reporting tag, a header.
    #[serde(skip)]
    pub reporting_tag: Option<String>,
}

impl TranslateText {
    /// The fields as a JSON object, `--param` ones at its end digit for digit.
    pub fn fields(&self) -> Result<String, Failure> {
        let internal = |e: serde_json::Error| Failure::internal(e.to_string());
        let mut json = serde_json::to_string(self).map_err(internal)?;
        for (key, value) in &self.params {
            // An object with a target is never empty.
            json.pop();
            json.push(',');
            json.push_str(&serde_json::to_string(key).map_err(internal)?);
            json.push(':');
            json.push_str(value);
            json.push('}');
        }
        Ok(json)
    }

    /// The request without its body: the pipeline fills in bodies.
    pub fn request(&self, service: &Service) -> Result<Request, Failure> {
        let mut request = Request::new(Method::POST, Path::fill(PATH, &[])?);
        if let Some(tag) = &self.reporting_tag {
            put_reporting_tag(tag, service, &mut request.headers)?;
        }
        Ok(request)
    }
}

/// Adds the reporting tag's header. Fails when no header can carry the tag.
pub fn put_reporting_tag(tag: &str, service: &Service, headers: &mut HeaderMap) -> Result<(), Failure> {
    let name = HeaderName::from_bytes(service.reporting_tag_header.as_bytes())
        .map_err(|_| Failure::usage(format!("`{}` is no header name", service.reporting_tag_header)))?;
    let value = HeaderValue::from_str(tag.trim())
        .map_err(|_| Failure::usage("the reporting tag holds characters that no header can carry"))?;
    headers.insert(name, value);
    Ok(())
}

/// Refuses a reporting tag that the service would refuse: over 100 characters, not ASCII, with inner blanks.
pub fn check_reporting_tag(tag: &str) -> Result<(), Failure> {
    let tag = tag.trim();
    if tag.chars().count() > limits::REPORTING_TAG_CHARS {
        let count = tag.chars().count();
        let limit = limits::REPORTING_TAG_CHARS;
        return Err(Failure::usage(format!("the reporting tag has {count} characters, the limit is {limit}")));
    }
    if tag.is_empty() || !tag.chars().all(|c| c.is_ascii_graphic()) {
        return Err(Failure::usage("a reporting tag is ASCII without blanks").hint("write one word, such as docs-site"));
    }
    Ok(())
}
