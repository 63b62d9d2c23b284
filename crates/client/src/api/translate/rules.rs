//! Checks for values and combinations of options that the service would refuse. See `docs/service.md`, "Text translation" and "Limits".

use tulk_base::error::ServiceError;
use tulk_base::limits;
use tulk_base::numbers::counted;

use super::{Formality, ModelType, TagHandling, TranslateText};
use crate::api::assets::{BrokenRule, broken_threshold};
use crate::api::language_code::LangCode;
use crate::api::language_names::LanguageUse;
use crate::{OpenValue, OptionalFlag as _, Service};

/// Returns the first rule that a request breaks.
pub fn broken_rule(request: &TranslateText, service: &Service) -> Option<BrokenRule> {
    broken_model_rule(request, service)
        .or_else(|| broken_instruction_rule(request))
        // The public service needs no source language: it detects the language, and then selects the dictionary.
        .or_else(|| request.assets.broken_rule(request.source_lang.is_none() && !service.is_public))
        .or_else(|| broken_threshold(request.options.translation_memory_threshold.given().copied()))
}

/// `latency_optimized` cannot be combined with features that need the quality model. The public service has no such rule.
fn broken_model_rule(request: &TranslateText, service: &Service) -> Option<BrokenRule> {
    let (flag, field) = request.quality_with_latency().filter(|_| !service.is_public)?;
    Some(BrokenRule::new(
        format!("{flag} needs the quality model and cannot be used with --model-type latency_optimized"),
        "remove one of the two",
        &["model_type", field],
    ))
}

fn broken_instruction_rule(request: &TranslateText) -> Option<BrokenRule> {
    let list = request.options.custom_instructions.as_deref()?;
    let limit = limits::CUSTOM_INSTRUCTIONS;
    if list.len() > limit {
        let what = format!("{} custom instructions; the limit is {limit}", list.len());
        return Some(BrokenRule::new(what, "combine or remove some instructions", &["custom_instructions"]));
    }
    let limit = limits::CUSTOM_INSTRUCTION_CHARS;
    let (number, count) =
        list.iter().enumerate().map(|(i, text)| (i + 1, text.chars().count())).find(|(_, count)| *count > limit)?;
    let what = format!("custom instruction {number} has {}; the limit is {limit}", counted(count, "character"));
    Some(BrokenRule::new(what, "shorten it", &["custom_instructions"]))
}

/// Returns a hint about an option that has no effect without another one.
pub fn options_without_effect(request: &TranslateText) -> Option<String> {
    let options = &request.options;
    if options.tag_handling.is_none() {
        let unused = [
            (options.tag_handling_version.is_some(), "--tag-handling-version"),
            (options.outline_detection.is_some(), "--no-outline-detection"),
            (options.non_splitting_tags.is_some(), "--non-splitting-tags"),
            (options.splitting_tags.is_some(), "--splitting-tags"),
            (options.ignore_tags.is_some(), "--ignore-tags"),
        ];
        if let Some((_, flag)) = unused.into_iter().find(|(on, _)| *on) {
            return Some(format!("{flag} has no effect without --tag-handling"));
        }
    }
    if options.tag_handling.given() == Some(&TagHandling::Html) {
        let unused = [
            (options.outline_detection.is_some(), "--no-outline-detection"),
            (options.non_splitting_tags.is_some(), "--non-splitting-tags"),
            (options.splitting_tags.is_some(), "--splitting-tags"),
        ];
        if let Some((_, flag)) = unused.into_iter().find(|(on, _)| *on) {
            return Some(format!("{flag} is for XML and has no effect with --tag-handling html"));
        }
    }
    if options.outline_detection.given() == Some(&false) && options.splitting_tags.is_none() {
        return Some("list the tags to split at with --splitting-tags when using --no-outline-detection".to_owned());
    }
    if options.translation_memory_threshold.is_some() && !request.assets.has_memory() {
        return Some(
            "--translation-memory-threshold has no effect without --translation-memory or --style-profile".to_owned(),
        );
    }
    None
}

impl TranslateText {
    /// Returns flag and setting of an option that needs the quality model, if the request uses `latency_optimized`.
    fn quality_with_latency(&self) -> Option<(&'static str, &'static str)> {
        let options = &self.options;
        if options.model_type.given().and_then(OpenValue::known) != Some(&ModelType::LatencyOptimized) {
            return None;
        }
        let v2 = options.tag_handling_version.given().is_some_and(|version| version == "v2");
        [
            (self.assets.style_id.is_some(), ("--style", "style")),
            (options.custom_instructions.is_some(), ("--custom-instruction", "custom_instructions")),
            (self.assets.translation_memory_id.is_some(), ("--translation-memory", "translation_memory")),
            (v2, ("--tag-handling-version v2", "tag_handling_version")),
        ]
        .into_iter()
        .find_map(|(on, names)| on.then_some(names))
    }

    /// Returns a hint for a request that the service refused with 400. Rules that depend on the languages cannot be checked before sending,
    /// so options that break them are likely causes if the service named no parameter.
    pub fn hint_when_refused(&self, service: &ServiceError) -> Option<String> {
        if let Some((flag, _)) = self.quality_with_latency().filter(|_| service.may_be_about(&["model_type"])) {
            return Some(format!("{flag} needs the quality model, which --model-type quality_optimized selects"));
        }
        let options = &self.options;
        let prefer = match options.formality.given().and_then(OpenValue::known) {
            Some(Formality::More) => Some("prefer_more"),
            Some(Formality::Less) => Some("prefer_less"),
            _ => None,
        };
        let from = self.source_lang.as_ref().map(|code| format!(" --from {}", code.bcp47())).unwrap_or_default();
        let check = format!("tulk langs check{from} --to {}", self.target_lang.bcp47());
        if let Some(prefer) = prefer.filter(|_| service.may_be_about(&["formality"])) {
            return Some(format!(
                "--formality {prefer} applies only if the language supports it; `{check} --feature formality` checks \
                 whether it does"
            ));
        }
        if self.assets.has_glossary() && service.may_be_about(&["glossary_id", "glossary_ids"]) {
            let all = self.assets.glossary_id.iter().chain(self.assets.glossary_ids.iter().flatten());
            let show: Vec<String> = all.map(|id| format!("`tulk glossary show {id}`")).collect();
            return Some(format!("the glossary needs a dictionary for the languages ({})", show.join(", ")));
        }
        // If the service refuses a target language that it is known to support, the style rule list may be in another language.
        let is_about_style = service.may_be_about(&["style_id"])
            || service.names("target_lang") && self.target_lang.is_known(LanguageUse::Text, false);
        if let Some(style_id) = self.assets.style_id.as_ref().filter(|_| is_about_style) {
            return Some(format!(
                "the style rule list must be in the target language or its base language (`tulk style show {style_id}`), and `{check} \
                 --feature style_rules` checks whether the language supports it"
            ));
        }
        if options.custom_instructions.is_some() && service.may_be_about(&["custom_instructions"]) {
            return Some(format!("`{check} --feature style_rules` checks whether the language supports it"));
        }
        let source = self.source_lang.as_ref().map(|code| ("source_lang", code, true));
        let roles = source.into_iter().chain([("target_lang", &self.target_lang, false)]);
        LangCode::hint_when_refused(LanguageUse::Text, service, roles)
    }
}

impl TranslateText {
    /// Returns a hint for a request that the service answered with 404.
    pub fn hint_when_not_found(&self, service: &ServiceError) -> Option<String> {
        self.assets.hint_when_not_found(service)
    }
}

#[cfg(test)]
mod tests {
    use super::super::TranslateOptions;
    use super::*;
    use crate::Defaulted;
    use crate::ExtraFields;
    use crate::api::assets::AssetIds;
    fn service(is_public: bool) -> Service {
        Service {
            name: "service".into(),
            base_url: "http://localhost".into(),
            auth_scheme: "Service-Auth-Key".into(),
            reporting_tag_header: "X-Service-Reporting-Tag".into(),
            is_public,
        }
    }

    fn request(options: TranslateOptions) -> TranslateText {
        TranslateText {
            target_lang: "de".parse().unwrap(),
            source_lang: None,
            assets: AssetIds::default(),
            options,
            params: ExtraFields::default(),
            reporting_tag: None,
        }
    }

    #[test]
    fn only_the_generic_service_refuses_quality_features_with_the_fast_model() {
        let options = TranslateOptions {
            model_type: Some(Defaulted::Set(OpenValue::Known(ModelType::LatencyOptimized))),
            custom_instructions: Some(vec!["be brief".into()]),
            ..TranslateOptions::default()
        };
        assert!(broken_rule(&request(options.clone()), &service(false)).is_some());
        assert!(broken_rule(&request(options), &service(true)).is_none());
    }

    #[test]
    fn allows_10_instructions_of_300_characters() {
        let with = |count: usize, chars: usize| {
            let options = TranslateOptions {
                custom_instructions: Some(vec!["ä".repeat(chars); count]),
                ..TranslateOptions::default()
            };
            broken_rule(&request(options), &service(false)).map(|r| r.problem)
        };
        assert_eq!(with(10, 300), None);
        assert_eq!(with(11, 1).unwrap(), "11 custom instructions; the limit is 10");
        assert_eq!(with(1, 301).unwrap(), "custom instruction 1 has 301 characters; the limit is 300");
    }
}
