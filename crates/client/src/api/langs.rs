//! Languages: `GET /v3/languages`, `/v3/languages/resources`, the deprecated `/v2/languages`, and `POST /v3/detect/language`.
//! See `docs/service.md`, "Languages" and "Language detection".

use std::collections::BTreeMap;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tulk_base::json::WithRaw;
use tulk_base::suggest::similar;

use super::language_code::LangCode;
use crate::OpenValue;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::request::Method;

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<ListLanguages>(),
    KnownOperation::new::<ListResources>(),
    KnownOperation::new::<ListLanguagesV2>(),
    KnownOperation::new::<DetectLanguages<'_>>(),
];

/// A group of languages and features that a list includes in addition to the stable ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageInclude {
    /// Beta languages and features
    Beta,
    /// Features provided by third parties
    External,
}

/// A language of one resource.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct SupportedLanguage {
    /// Language code, BCP 47.
    pub lang: String,
    /// English name.
    #[serde(default)]
    pub name: String,
    /// Whether it can be a source language.
    #[serde(default)]
    pub usable_as_source: bool,
    /// Whether it can be a target language.
    #[serde(default)]
    pub usable_as_target: bool,
    /// `stable`, `beta`, `early_access`, or a newer value.
    #[serde(default)]
    pub status: String,
    /// Supported features by name.
    #[serde(default)]
    pub features: BTreeMap<String, LanguageFeature>,
}

/// Support of a feature by a language.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct LanguageFeature {
    /// `stable`, `beta`, or a newer value.
    #[serde(default)]
    pub status: Option<String>,
    /// Whether a third party provides it.
    #[serde(default)]
    pub external: Option<bool>,
}

/// Lists the languages of a resource.
#[derive(Serialize, Clone, Debug)]
pub struct ListLanguages {
    /// Resource, such as `translate_text` or `write`.
    pub resource: String,
    /// Groups to include in addition to stable languages and features.
    pub include: Vec<OpenValue<LanguageInclude>>,
}

impl Endpoint for ListLanguages {
    type Reply = WithRaw<Vec<WithRaw<SupportedLanguage>>>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/languages";
}

/// A resource, such as text translation, with its features.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ServiceResource {
    /// Name.
    pub name: String,
    /// Features.
    #[serde(default)]
    pub features: Vec<ResourceFeature>,
}

/// A feature of a resource, and whether the source and target language must support it.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ResourceFeature {
    /// Name of the feature.
    pub name: String,
    /// Whether the source language must support it.
    #[serde(default)]
    pub needs_source_support: bool,
    /// Whether the target language must support it.
    #[serde(default)]
    pub needs_target_support: bool,
}

/// Lists the resources.
#[derive(Serialize, Clone, Debug)]
pub struct ListResources {}

impl Endpoint for ListResources {
    type Reply = WithRaw<Vec<WithRaw<ServiceResource>>>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/languages/resources";
}

/// A language in the deprecated list.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct LanguageV2 {
    /// Language code in upper case.
    pub language: String,
    /// English name.
    #[serde(default)]
    pub name: String,
    /// Whether it supports formality. Set for target languages only.
    #[serde(default)]
    pub supports_formality: Option<bool>,
}

/// Lists languages with the deprecated operation.
#[derive(Serialize, Clone, Debug)]
pub struct ListLanguagesV2 {
    /// `source` or `target`.
    pub r#type: &'static str,
}

impl Endpoint for ListLanguagesV2 {
    type Reply = WithRaw<Vec<WithRaw<LanguageV2>>>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/languages";
}

/// Result of the detection for one text.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DetectedLanguage {
    /// `success`, `insufficient_confidence`, `unsupported_language`, `no_language_detected`, or a newer value.
    pub detection_status: String,
    /// Language code. Set only with `success`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detected_language: Option<String>,
}

/// Results, in the order of the texts.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DetectedLanguages {
    /// One result per text.
    pub results: Vec<WithRaw<DetectedLanguage>>,
}

/// Detects the languages of up to [`tulk_base::limits::DETECT_TEXTS`] texts. In beta.
#[derive(Serialize, Clone, Debug)]
pub struct DetectLanguages<'a> {
    /// Texts.
    pub text: Vec<&'a str>,
}

impl Endpoint for DetectLanguages<'_> {
    type Reply = WithRaw<DetectedLanguages>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/detect/language";
}

/// A language in its role as source or target.
#[derive(Clone, Debug)]
pub struct LanguageRole {
    /// Language code.
    pub code: LangCode,
    /// Whether it is the source language, rather than the target language.
    pub is_source: bool,
}

impl LanguageRole {
    fn allows(&self, language: &SupportedLanguage) -> bool {
        if self.is_source { language.usable_as_source } else { language.usable_as_target }
    }

    /// Finds the language in a list. The code must match exactly: the service refuses `en-US` as a source language, for example.
    pub fn find<'a>(&self, list: &'a [WithRaw<SupportedLanguage>]) -> Option<&'a SupportedLanguage> {
        let mut languages = list.iter().map(|language| &**language);
        languages.find(|l| l.lang.eq_ignore_ascii_case(self.code.bcp47()) && self.allows(l))
    }

    /// Returns codes of the list that may have been meant: codes with the same base language, or else similar codes. Empty if the list
    /// contains the language in this role.
    pub fn near_codes<'a>(&self, list: &'a [WithRaw<SupportedLanguage>]) -> Vec<&'a str> {
        if self.find(list).is_some() {
            return Vec::new();
        }
        let usable: Vec<&str> = list.iter().filter(|l| self.allows(l)).map(|l| l.lang.as_str()).collect();
        let meant = self.code.meant_among(&usable);
        if meant.is_empty() { similar(self.code.bcp47(), usable) } else { meant }
    }
}

/// Returns a line for each language and feature that is not supported. `resource` determines whether the source language, the target
/// language or both must support a feature.
pub fn missing_support(
    list: &[WithRaw<SupportedLanguage>],
    resource: &ServiceResource,
    sides: &[LanguageRole],
    features: &[String],
) -> Vec<String> {
    let mut missing = Vec::new();
    let role = |source: bool| if source { "source" } else { "target" };
    let found: Vec<_> = sides.iter().map(|side| (side, side.find(list))).collect();
    for (side, language) in &found {
        if language.is_none() {
            missing.push(format!("{} is not a {} language of {}", side.code, role(side.is_source), resource.name));
        }
    }
    for name in features {
        let Some(feature) = resource.features.iter().find(|f| f.name == *name) else {
            missing.push(format!("{} has no feature {name}", resource.name));
            continue;
        };
        for (side, language) in &found {
            let needed = if side.is_source { feature.needs_source_support } else { feature.needs_target_support };
            if needed && language.is_some_and(|language| !supports(list, language, name)) {
                missing.push(format!("{} does not support {name} as a {} language", side.code, role(side.is_source)));
            }
        }
    }
    missing
}

/// Returns a line for each language and feature that is supported, but is not stable or is provided by a third party.
pub fn unfinished_support(
    list: &[WithRaw<SupportedLanguage>],
    sides: &[LanguageRole],
    features: &[String],
) -> Vec<String> {
    let mut notes = Vec::new();
    let is_unfinished = |status: &str| !status.is_empty() && status != "stable";
    for language in sides.iter().filter_map(|side| side.find(list)) {
        if is_unfinished(&language.status) {
            notes.push(format!("{} is {}", language.lang, language.status));
        }
        for (name, feature) in features.iter().filter_map(|name| Some((name, language.features.get(name)?))) {
            let status = feature.status.as_deref().unwrap_or_default();
            let external = feature.external.unwrap_or_default();
            let words = [(is_unfinished(status), status), (external, "external")];
            let words: Vec<&str> = words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
            if !words.is_empty() {
                notes.push(format!("{name} of {} is {}", language.lang, words.join(" and ")));
            }
        }
    }
    notes
}

/// Returns whether a language supports a feature. Variants inherit glossary support from their base language.
fn supports(list: &[WithRaw<SupportedLanguage>], language: &SupportedLanguage, feature: &str) -> bool {
    let base = language.lang.split('-').next().unwrap_or_default();
    language.features.contains_key(feature)
        || (feature == "glossary" && list.iter().any(|l| l.lang == base && l.features.contains_key(feature)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"[
        {"lang":"de","name":"German","usable_as_source":true,"usable_as_target":true,"status":"stable",
         "features":{"formality":{"status":"stable"},"glossary":{"status":"beta"},"auto_detection":{"status":"stable"}}},
        {"lang":"en","name":"English","usable_as_source":true,"usable_as_target":true,"status":"stable",
         "features":{"glossary":{"status":"stable"}}},
        {"lang":"en-US","name":"English (American)","usable_as_source":false,"usable_as_target":true,"status":"stable",
         "features":{}},
        {"lang":"ace","name":"Acehnese","usable_as_source":true,"usable_as_target":true,"status":"stable"}]"#;

    fn found(from: Option<&str>, to: Option<&str>, features: &[&str]) -> Vec<String> {
        let list: Vec<WithRaw<SupportedLanguage>> = serde_json::from_str(LIST).unwrap();
        let resource = serde_json::from_str(
            r#"{"name":"translate_text","features":[{"name":"formality","needs_target_support":true},
                {"name":"glossary","needs_source_support":true,"needs_target_support":true},
                {"name":"auto_detection","needs_source_support":true}]}"#,
        )
        .unwrap();
        let side = |code: &str, is_source| LanguageRole { code: code.parse().unwrap(), is_source };
        let sides: Vec<_> = from.map(|c| side(c, true)).into_iter().chain(to.map(|c| side(c, false))).collect();
        let features: Vec<_> = features.iter().map(|f| (*f).to_owned()).collect();
        missing_support(&list, &resource, &sides, &features)
    }

    #[test]
    fn the_resource_determines_which_side_must_support_a_feature() {
        assert_eq!(found(Some("en"), Some("de"), &["glossary", "formality"]), [""; 0]);
        assert_eq!(
            found(Some("ace"), Some("de"), &["glossary"]),
            ["ace does not support glossary as a source language"]
        );
        assert_eq!(
            found(Some("de"), Some("ace"), &["glossary"]),
            ["ace does not support glossary as a target language"]
        );
        assert_eq!(found(Some("ace"), Some("de"), &["formality"]), [""; 0]);
        assert_eq!(
            found(Some("de"), Some("en"), &["formality"]),
            ["en does not support formality as a target language"]
        );
        assert_eq!(found(None, Some("en"), &["auto_detection"]), [""; 0]);
    }

    #[test]
    fn only_codes_of_the_list_are_supported() {
        assert_eq!(found(Some("DE"), Some("EN_us"), &[]), [""; 0]);
        assert_eq!(found(Some("en-US"), Some("de"), &[]), ["en-US is not a source language of translate_text"]);
        assert_eq!(found(None, Some("de-AT"), &["formality"]), ["de-AT is not a target language of translate_text"]);
        assert_eq!(found(Some("xx"), None, &[]), ["xx is not a source language of translate_text"]);
    }

    #[test]
    fn a_variant_has_the_glossaries_of_its_base_language() {
        assert_eq!(found(Some("de"), Some("en-US"), &["glossary"]), [""; 0]);
    }

    #[test]
    fn near_codes_have_the_same_base_language_or_are_similar() {
        let list: Vec<WithRaw<SupportedLanguage>> = serde_json::from_str(LIST).unwrap();
        let near =
            |code: &str, is_source| LanguageRole { code: code.parse().unwrap(), is_source }.near_codes(&list).join(" ");
        assert_eq!(near("en-uk", false), "en en-US");
        assert_eq!(near("en-US", true), "en");
        assert_eq!(near("dee", false), "de");
        assert_eq!(near("klingon", false), "");
        assert_eq!(near("us", false), "en-US");
        assert_eq!(near("us", true), "en");
        assert_eq!(near("EN-us", false), "");
    }

    #[test]
    fn suggests_variants_if_the_base_language_is_not_a_target_language() {
        let english = r#"[{"lang":"en","usable_as_source":true,"usable_as_target":false},
            {"lang":"en-GB","usable_as_target":true},{"lang":"en-US","usable_as_target":true}]"#;
        let list: Vec<WithRaw<SupportedLanguage>> = serde_json::from_str(english).unwrap();
        let resource = serde_json::from_str(r#"{"name":"write","features":[]}"#).unwrap();
        let role = LanguageRole { code: "en".parse().unwrap(), is_source: false };
        assert_eq!(role.near_codes(&list), ["en-GB", "en-US"]);
        assert_eq!(missing_support(&list, &resource, &[role], &[]), ["en is not a target language of write"]);
    }

    #[test]
    fn reports_an_unknown_feature() {
        assert_eq!(found(None, Some("de"), &["song"]), ["translate_text has no feature song"]);
    }

    #[test]
    fn sends_an_include_parameter_for_each_value() {
        use crate::http::encoding::encode_pairs;
        use crate::http::endpoint::fields;
        let include = vec![OpenValue::Known(LanguageInclude::Beta), OpenValue::Other("new".to_owned())];
        let request = ListLanguages { resource: "voice".into(), include };
        let query = encode_pairs(&fields(&request, "true", "false").unwrap());
        assert_eq!(query, "include=beta&include=new&resource=voice");
    }
}
