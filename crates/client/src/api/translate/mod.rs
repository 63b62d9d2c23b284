//! Text translation, `POST /v2/translate`: its options as flags and as fields of the request. The pipeline adds the texts in batches.
//! See `docs/service.md`, "Text translation".

mod rules;

use clap::builder::{BoolValueParser, StringValueParser};
use clap::{Args, ValueEnum, value_parser};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

pub use rules::{broken_rule, options_without_effect};
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_base::numbers::counted;
use tulk_base::value_error::ValueError;

use super::assets::AssetIds;
use super::language_code::LangCode;
use crate::ExtraFields;
use crate::http::endpoint::KnownOperation;
use crate::http::path::Path;
use crate::http::request::{Method, Request};
use crate::{Defaulted, OpenSet, OpenValue, Service};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[KnownOperation::batch(PATH)];

/// Path of the operation.
pub const PATH: &str = "/v2/translate";

/// Model to translate with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::enum_variant_names)] // named as in the JSON
pub enum ModelType {
    /// Fastest response
    #[value(name = "latency_optimized", alias = "latency-optimized")]
    LatencyOptimized,
    /// Best quality
    #[value(name = "quality_optimized", alias = "quality-optimized")]
    QualityOptimized,
    /// Best quality if available, else fastest response
    #[value(name = "prefer_quality_optimized", alias = "prefer-quality-optimized")]
    PreferQualityOptimized,
}

/// Positions at which texts are split into sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum SplitSentences {
    /// Do not split
    #[value(name = "0")]
    #[serde(rename = "0")]
    Never,
    /// Split at punctuation and newlines
    #[value(name = "1")]
    #[serde(rename = "1")]
    Always,
    /// Split at punctuation
    #[value(name = "nonewlines")]
    #[serde(rename = "nonewlines")]
    NoNewlines,
}

/// Formality of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formality {
    /// Default formality of the language
    Default,
    /// More formal; an error if not supported
    More,
    /// Less formal; an error if not supported
    Less,
    /// More formal if supported
    #[value(name = "prefer_more", alias = "prefer-more")]
    PreferMore,
    /// Less formal if supported
    #[value(name = "prefer_less", alias = "prefer-less")]
    PreferLess,
}

/// Type of markup in the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagHandling {
    /// XML
    Xml,
    /// HTML
    Html,
}

/// Options of a translation, as flags and as fields of the request.
#[derive(Args, Serialize, Deserialize, Clone, Debug, Default)]
pub struct TranslateOptions {
    /// Additional context in the source language, not billed
    #[arg(long, value_name = "TEXT", help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Defaulted<String>>,
    /// Model to use
    #[arg(long, value_name = "TYPE", help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(OpenValue::<ModelType>::parser()), add = OpenSet::DEFAULTED)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_type: Option<Defaulted<OpenValue<ModelType>>>,
    /// Where to split sentences
    #[arg(long, value_name = "HOW", help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(value_parser!(SplitSentences)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_sentences: Option<Defaulted<SplitSentences>>,
    /// Keep the first letter's case and the punctuation at both ends
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(BoolValueParser::new()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preserve_formatting: Option<Defaulted<bool>>,
    /// Formality of the translation
    #[arg(long, value_name = "HOW", help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(OpenValue::<Formality>::parser()), add = OpenSet::DEFAULTED)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formality: Option<Defaulted<OpenValue<Formality>>>,
    /// Instruction for the model (at most 10, each up to 300 characters)
    #[arg(
        long = "custom-instruction",
        alias = "custom-instructions",
        value_name = "TEXT",
        help_heading = "Translation"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<Vec<String>>,
    /// Minimum translation-memory match (%) [default: 75]
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(value_parser!(i64)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation_memory_threshold: Option<Defaulted<i64>>,
    /// Report billed characters
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(BoolValueParser::new()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show_billed_characters: Option<Defaulted<bool>>,
    /// Type of markup in the texts
    #[arg(long, value_name = "KIND", help_heading = "Markup")]
    #[arg(value_parser = Defaulted::parser(value_parser!(TagHandling)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag_handling: Option<Defaulted<TagHandling>>,
    /// Version of markup handling (v1, v2)
    #[arg(long, value_name = "VERSION", help_heading = "Markup")]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag_handling_version: Option<Defaulted<String>>,
    /// Detect the XML structure automatically
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(value_parser = Defaulted::parser(BoolValueParser::new()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outline_detection: Option<Defaulted<bool>>,
    /// Tags that never split sentences
    #[arg(long, value_delimiter = ',', value_parser = tag_name, value_name = "TAGS", help_heading = "Markup")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub non_splitting_tags: Option<Vec<String>>,
    /// Tags that always split sentences
    #[arg(long, value_delimiter = ',', value_parser = tag_name, value_name = "TAGS", help_heading = "Markup")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splitting_tags: Option<Vec<String>>,
    /// Tags whose text is not translated
    #[arg(long, value_delimiter = ',', value_parser = tag_name, value_name = "TAGS", help_heading = "Markup")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_tags: Option<Vec<String>>,
}

/// Parses a tag name and trims it: the service would silently ignore a name with surrounding whitespace.
fn tag_name(text: &str) -> Result<String, ValueError> {
    let name = text.trim();
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "<>,".contains(c)) {
        return Err(ValueError::new(text, format!("invalid tag name `{text}`")));
    }
    Ok(name.to_owned())
}

/// A translation request without the texts.
#[derive(Serialize, Clone, Debug)]
pub struct TranslateText {
    /// Target language, sent in upper case.
    #[serde(serialize_with = "LangCode::serialize_upper")]
    pub target_lang: LangCode,
    /// Source language, sent in upper case. Detected if unset.
    #[serde(serialize_with = "LangCode::serialize_upper_opt", skip_serializing_if = "Option::is_none")]
    pub source_lang: Option<LangCode>,
    /// Style profile, glossaries, style rule list and translation memory.
    #[serde(flatten)]
    pub assets: AssetIds,
    /// All other options.
    #[serde(flatten)]
    pub options: TranslateOptions,
    /// Additional fields (`--param`), with their JSON exactly as written.
    #[serde(skip)]
    pub params: ExtraFields,
    /// Reporting tag, sent as a header.
    #[serde(skip, skip_serializing_if = "Option::is_none")]
    pub reporting_tag: Option<String>,
}

impl TranslateText {
    /// Returns all fields as a JSON object. Additional fields come last, exactly as written.
    pub fn fields(&self) -> Result<String, serde_json::Error> {
        self.params.after(self)
    }

    /// Builds the request without its body, which the pipeline adds.
    pub fn request(&self, service: &Service) -> Result<Request, Failure> {
        let mut request = Request::new(Method::POST, Path::fill(PATH, &[])?);
        if let Some(tag) = &self.reporting_tag {
            put_reporting_tag(tag, service, &mut request.headers)?;
        }
        Ok(request)
    }
}

/// Adds the header with the reporting tag. Fails if the tag contains characters that are not allowed in a header.
pub fn put_reporting_tag(tag: &str, service: &Service, headers: &mut HeaderMap) -> Result<(), Failure> {
    let name = HeaderName::from_bytes(service.reporting_tag_header.as_bytes())
        .map_err(|_| Failure::usage(format!("invalid header name `{}`", service.reporting_tag_header)))?;
    let value = HeaderValue::from_str(tag.trim())
        .map_err(|_| Failure::usage("the reporting tag contains characters that are not allowed in a header"))?;
    headers.insert(name, value);
    Ok(())
}

/// Fails if the service would refuse the reporting tag: over 100 characters, not ASCII, or with whitespace.
pub fn check_reporting_tag(tag: &str) -> Result<(), Failure> {
    let tag = tag.trim();
    if tag.chars().count() > limits::REPORTING_TAG_CHARS {
        let count = counted(tag.chars().count(), "character");
        let limit = limits::REPORTING_TAG_CHARS;
        return Err(Failure::usage(format!("the reporting tag has {count}; the limit is {limit}")).hint("shorten it"));
    }
    if tag.is_empty() || !tag.chars().all(|c| c.is_ascii_graphic()) {
        return Err(
            Failure::usage("the reporting tag must be ASCII text without spaces").hint("write a tag such as docs-site")
        );
    }
    Ok(())
}
