//! Improvement of texts: `POST /v2/write/rephrase` and `/v2/write/correct`. See `docs/service.md`, "Writing".

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, ServiceError};

use super::language_code::LangCode;
use super::language_names::LanguageUse;
use crate::ExtraFields;
use crate::OpenValue;
use crate::http::endpoint::KnownOperation;
use crate::http::path::Path;
use crate::http::request::{Method, Request};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] =
    &[KnownOperation::batch(WriteOperation::Rephrase.path()), KnownOperation::batch(WriteOperation::Correct.path())];

/// A writing style. The service may support others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WritingStyle {
    /// For academic texts
    Academic,
    /// For colleagues and customers
    Business,
    /// For friends
    Casual,
    /// No particular style
    Default,
    /// Simple words
    Simple,
    /// Academic if supported
    #[value(name = "prefer_academic", alias = "prefer-academic")]
    PreferAcademic,
    /// Business if supported
    #[value(name = "prefer_business", alias = "prefer-business")]
    PreferBusiness,
    /// Casual if supported
    #[value(name = "prefer_casual", alias = "prefer-casual")]
    PreferCasual,
    /// Simple if supported
    #[value(name = "prefer_simple", alias = "prefer-simple")]
    PreferSimple,
}

impl WritingStyle {
    /// Returns the variant of this style that is ignored where it is not supported. `None` if every language accepts the style.
    fn preferred(self) -> Option<&'static str> {
        match self {
            Self::Academic => Some("prefer_academic"),
            Self::Business => Some("prefer_business"),
            Self::Casual => Some("prefer_casual"),
            Self::Simple => Some("prefer_simple"),
            _ => None,
        }
    }
}

/// A tone. The service may support others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Confident
    Confident,
    /// No particular tone
    Default,
    /// Diplomatic
    Diplomatic,
    /// Enthusiastic
    Enthusiastic,
    /// Friendly
    Friendly,
    /// Confident if supported
    #[value(name = "prefer_confident", alias = "prefer-confident")]
    PreferConfident,
    /// Diplomatic if supported
    #[value(name = "prefer_diplomatic", alias = "prefer-diplomatic")]
    PreferDiplomatic,
    /// Enthusiastic if supported
    #[value(name = "prefer_enthusiastic", alias = "prefer-enthusiastic")]
    PreferEnthusiastic,
    /// Friendly if supported
    #[value(name = "prefer_friendly", alias = "prefer-friendly")]
    PreferFriendly,
}

impl Tone {
    /// Returns the variant of this tone that is ignored where it is not supported. `None` if every language accepts the tone.
    fn preferred(self) -> Option<&'static str> {
        match self {
            Self::Confident => Some("prefer_confident"),
            Self::Diplomatic => Some("prefer_diplomatic"),
            Self::Enthusiastic => Some("prefer_enthusiastic"),
            Self::Friendly => Some("prefer_friendly"),
            _ => None,
        }
    }
}

/// The kind of improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOperation {
    /// Improves wording, style and tone.
    Rephrase,
    /// Corrects mistakes only.
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

    /// Builds the request without its body, which the pipeline adds.
    pub fn request(self) -> Result<Request, Failure> {
        Ok(Request::new(Method::POST, Path::fill(self.path(), &[])?))
    }
}

/// All fields except the texts. Unset fields are not sent.
#[derive(Serialize, Clone, Debug, Default)]
pub struct WriteOptions {
    /// Language to write in. Detected if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_lang: Option<LangCode>,
    /// Style. Cannot be combined with a tone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writing_style: Option<OpenValue<WritingStyle>>,
    /// Tone. Cannot be combined with a style.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<OpenValue<Tone>>,
    /// Additional fields (`--param`), with their JSON exactly as written.
    #[serde(skip)]
    pub params: ExtraFields,
}

impl WriteOptions {
    /// Returns all fields as a JSON object. Additional fields come last.
    pub fn fields(&self) -> Result<String, serde_json::Error> {
        self.params.after(self)
    }

    /// Fails if both a style and a tone are set, even if one of them is `default`.
    pub fn check(&self) -> Result<(), Failure> {
        if self.writing_style.is_none() || self.tone.is_none() {
            return Ok(());
        }
        Err(Failure::usage("--style cannot be used with --tone").hint("remove one, or run the command once for each"))
    }

    /// Returns a hint for a request that the service refused with 400. Rules that depend on the language cannot be checked before sending,
    /// so options that break them are likely causes if the service named no parameter.
    pub fn hint_when_refused(&self, service: &ServiceError) -> Option<String> {
        let style = self.writing_style.as_ref().and_then(OpenValue::known).and_then(|style| style.preferred());
        let tone = self.tone.as_ref().and_then(OpenValue::known).and_then(|tone| tone.preferred());
        let preferred = match (style, tone) {
            (Some(prefer), _) => Some(("--style", prefer, "writing_style")),
            (_, Some(prefer)) => Some(("--tone", prefer, "tone")),
            _ => None,
        };
        if let Some((flag, prefer, feature)) = preferred.filter(|(.., feature)| service.may_be_about(&[feature])) {
            let check = |code: &LangCode| {
                let command = format!("tulk langs check --resource write --to {code} --feature {feature}");
                format!("; `{command}` checks whether it does")
            };
            let check = self.target_lang.as_ref().map(check).unwrap_or_default();
            return Some(format!("{flag} {prefer} applies only if the language supports it{check}"));
        }
        let target = self.target_lang.as_ref()?;
        if service.may_be_about(&["text"]) {
            return Some("the text must be in the language of --to".to_owned());
        }
        LangCode::hint_when_refused(LanguageUse::Write, service, [("target_lang", target, false)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serializes_styles_and_tones_as_the_service_expects() {
        let name = |value: serde_json::Value| value.as_str().unwrap().to_owned();
        let styles: Vec<_> =
            WritingStyle::value_variants().iter().map(|v| name(serde_json::to_value(v).unwrap())).collect();
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
        let tones: Vec<_> = Tone::value_variants().iter().map(|v| name(serde_json::to_value(v).unwrap())).collect();
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
        let options = |style: Option<WritingStyle>, tone: Option<Tone>| WriteOptions {
            target_lang: None,
            writing_style: style.map(OpenValue::Known),
            tone: tone.map(OpenValue::Known),
            params: ExtraFields::default(),
        };
        assert!(options(Some(WritingStyle::Default), Some(Tone::Default)).check().is_err());
        assert!(options(Some(WritingStyle::Simple), None).check().is_ok());
        let json = serde_json::to_string(&options(None, Some(Tone::PreferFriendly))).unwrap();
        assert_eq!(json, r#"{"tone":"prefer_friendly"}"#);
    }
}
