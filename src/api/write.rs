//! Improving texts: `POST /v2/write/rephrase` and `/v2/write/correct`. Spec: "Writing improvement".
//!
//! The texts are put in by the pipeline, batch by batch, within 10,240 bytes of encoded body.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::language_code::LangCode;
use crate::error::Failure;
use crate::http::path::Path;
use crate::http::request::{Method, Request};

/// A writing style. The service may know more: anything is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WritingStyle {
    /// As for a paper
    Academic,
    /// As for colleagues and customers
    Business,
    /// As among friends
    Casual,
    /// No style of its own
    Default,
    /// Plain words
    Simple,
    /// Academic where the language can
    #[value(name = "prefer_academic", alias = "prefer-academic")]
    PreferAcademic,
    /// Business where the language can
    #[value(name = "prefer_business", alias = "prefer-business")]
    PreferBusiness,
    /// Casual where the language can
    #[value(name = "prefer_casual", alias = "prefer-casual")]
    PreferCasual,
    /// Simple where the language can
    #[value(name = "prefer_simple", alias = "prefer-simple")]
    PreferSimple,
}

/// A tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Sure of itself
    Confident,
    /// No tone of its own
    Default,
    /// Careful of others
    Diplomatic,
    /// Full of joy
    Enthusiastic,
    /// Warm
    Friendly,
    /// Confident where the language can
    #[value(name = "prefer_confident", alias = "prefer-confident")]
    PreferConfident,
    /// Diplomatic where the language can
    #[value(name = "prefer_diplomatic", alias = "prefer-diplomatic")]
    PreferDiplomatic,
    /// Enthusiastic where the language can
    #[value(name = "prefer_enthusiastic", alias = "prefer-enthusiastic")]
    PreferEnthusiastic,
    /// Friendly where the language can
    #[value(name = "prefer_friendly", alias = "prefer-friendly")]
    PreferFriendly,
}

/// What is done to the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOperation {
    /// Wording, style and tone.
    Rephrase,
    /// Mistakes alone.
    Correct,
}

impl WriteOperation {
    /// Returns the path of the operation.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Rephrase => "/v2/write/rephrase",
            Self::Correct => "/v2/write/correct",
        }
    }

    /// The request without its body: the pipeline fills in bodies.
    pub fn request(self) -> Result<Request, Failure> {
        Ok(Request::new(Method::POST, Path::fill(self.path(), &[])?))
    }
}

/// The fields besides the texts. Unset ones are not sent.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug, Default)]
pub struct WriteOptions {
    /// The language to write in; the detected one when absent.
    pub target_lang: Option<LangCode>,
    /// Style; never together with a tone.
    pub writing_style: Option<WritingStyle>,
    /// Tone; never together with a style.
    pub tone: Option<Tone>,
}

impl WriteOptions {
    /// Refuses a style together with a tone, `default` counted too.
    pub fn check(&self) -> Result<(), Failure> {
        if self.writing_style.is_none() || self.tone.is_none() {
            return Ok(());
        }
        Err(Failure::usage("--style cannot go with --tone: the service takes one of the two")
            .hint("leave out one; run the command twice for both"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_every_style_and_tone_as_the_wire_does() {
        let spelt = |value: serde_json::Value| value.as_str().unwrap().to_owned();
        let styles: Vec<_> =
            WritingStyle::value_variants().iter().map(|v| spelt(serde_json::to_value(v).unwrap())).collect();
        assert_eq!(
            styles,
            [
                "academic",
                "business",
                "casual",
                "default",
                "simple",
                "prefer_academic",
                "prefer_business",
                "prefer_casual",
                "prefer_simple"
            ]
        );
        let tones: Vec<_> = Tone::value_variants().iter().map(|v| spelt(serde_json::to_value(v).unwrap())).collect();
        assert_eq!(
            tones,
            [
                "confident",
                "default",
                "diplomatic",
                "enthusiastic",
                "friendly",
                "prefer_confident",
                "prefer_diplomatic",
                "prefer_enthusiastic",
                "prefer_friendly"
            ]
        );
    }

    #[test]
    fn a_style_excludes_a_tone() {
        let options = |style, tone| WriteOptions { target_lang: None, writing_style: style, tone };
        assert!(options(Some(WritingStyle::Default), Some(Tone::Default)).check().is_err());
        assert!(options(Some(WritingStyle::Simple), None).check().is_ok());
        let json = serde_json::to_string(&options(None, Some(Tone::PreferFriendly))).unwrap();
        assert_eq!(json, r#"{"tone":"prefer_friendly"}"#);
    }
}
