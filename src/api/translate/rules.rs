//! Combinations and limits that the service rejects and that need no list of languages. Spec: section 4.1, rules; section 8.

use super::{Formality, ModelType, TranslateText};
use crate::api::assets::{BrokenRule, broken_threshold};
use crate::config::Service;
use crate::limits;

/// The first rule that a request breaks.
pub fn broken_rule(request: &TranslateText, service: &Service) -> Option<BrokenRule> {
    quality_only(request, service)
        .or_else(|| instructions(request))
        .or_else(|| request.assets.broken_rule(request.source_lang.as_ref()))
        .or_else(|| broken_threshold(request.options.translation_memory_threshold))
        .or_else(|| tags(request))
}

/// `latency_optimized` goes with none of the features that need the quality model, except on services that dropped it.
fn quality_only(request: &TranslateText, service: &Service) -> Option<BrokenRule> {
    let options = &request.options;
    if !service.latency_rule || options.model_type != Some(ModelType::LatencyOptimized) {
        return None;
    }
    let v2 = options.tag_handling_version.as_deref() == Some("v2");
    let (flag, field) = [
        (request.assets.style_id.is_some(), ("--style", "style")),
        (options.custom_instructions.is_some(), ("--custom-instruction", "custom_instructions")),
        (request.assets.translation_memory_id.is_some(), ("--translation-memory", "translation_memory")),
        (v2, ("--tag-handling-version v2", "tag_handling_version")),
    ]
    .into_iter()
    .find_map(|(on, names)| on.then_some(names))?;
    Some(BrokenRule::new(
        format!("{flag} needs the quality model and cannot go with --model-type latency_optimized"),
        "leave out one of the two",
        &["model_type", field],
    ))
}

fn instructions(request: &TranslateText) -> Option<BrokenRule> {
    let list = request.options.custom_instructions.as_deref()?;
    let limit = limits::CUSTOM_INSTRUCTIONS;
    if list.len() > limit {
        let what = format!("{} custom instructions, the limit is {limit}", list.len());
        return Some(BrokenRule::new(what, "join or drop some", &["custom_instructions"]));
    }
    let limit = limits::CUSTOM_INSTRUCTION_CHARS;
    let (number, count) =
        list.iter().enumerate().map(|(i, text)| (i + 1, text.chars().count())).find(|(_, count)| *count > limit)?;
    let what = format!("custom instruction {number} has {count} characters, the limit is {limit}");
    Some(BrokenRule::new(what, "shorten it", &["custom_instructions"]))
}

fn tags(request: &TranslateText) -> Option<BrokenRule> {
    let options = &request.options;
    if options.outline_detection == Some(false) && options.splitting_tags.is_none() {
        return Some(BrokenRule::new(
            "--no-outline-detection needs --splitting-tags",
            "name the tags that carry the structure with --splitting-tags",
            &["outline_detection", "splitting_tags"],
        ));
    }
    None
}

/// An option that changes nothing as things stand: worth one hint.
pub fn without_effect(request: &TranslateText) -> Option<String> {
    let options = &request.options;
    if options.tag_handling.is_none() {
        let idle = [
            (options.tag_handling_version.is_some(), "--tag-handling-version"),
            (options.outline_detection.is_some(), "--no-outline-detection"),
            (options.non_splitting_tags.is_some(), "--non-splitting-tags"),
            (options.splitting_tags.is_some(), "--splitting-tags"),
            (options.ignore_tags.is_some(), "--ignore-tags"),
        ];
        if let Some((_, flag)) = idle.into_iter().find(|(on, _)| *on) {
            return Some(format!("{flag} has no effect without --tag-handling"));
        }
    }
    if options.translation_memory_threshold.is_some() && request.assets.translation_memory_id.is_none() {
        return Some("--translation-memory-threshold has no effect without --translation-memory".to_owned());
    }
    None
}

impl TranslateText {
    /// What may help when the service refuses the request with 400: the rules that depend on its lists of languages are
    /// not checked here.
    pub fn hint_when_refused(&self) -> Option<String> {
        let options = &self.options;
        let prefer = match options.formality {
            Some(Formality::More) => Some("prefer_more"),
            Some(Formality::Less) => Some("prefer_less"),
            _ => None,
        };
        if let Some(prefer) = prefer {
            return Some(format!("--formality {prefer} asks only where the language can"));
        }
        let from = self.source_lang.as_ref().map(|code| format!(" --from {}", code.bcp47())).unwrap_or_default();
        let check = format!("tulk langs check{from} --to {}", self.target_lang.bcp47());
        if self.assets.has_glossary() {
            return Some(format!("`{check} --feature glossary` tells whether the languages can"));
        }
        if self.assets.style_id.is_some() {
            return Some(format!("`{check} --feature style_rules` tells whether the language can"));
        }
        // What else is refused with markup is the markup.
        options.tag_handling.is_none().then(|| format!("`{check}` tells whether the service has it"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::TranslateOptions;
    use super::*;
    use crate::api::assets::AssetIds;

    fn service(latency_rule: bool) -> Service {
        Service {
            name: "service".into(),
            base_url: "http://localhost".into(),
            auth_scheme: "Service-Auth-Key".into(),
            reporting_tag_header: "X-Service-Reporting-Tag".into(),
            latency_rule,
        }
    }

    fn request(options: TranslateOptions) -> TranslateText {
        TranslateText {
            target_lang: "de".parse().unwrap(),
            source_lang: None,
            assets: AssetIds::default(),
            options,
            params: Vec::new(),
            reporting_tag: None,
        }
    }

    #[test]
    fn latency_goes_with_no_quality_feature_unless_the_service_dropped_the_rule() {
        let options = TranslateOptions {
            model_type: Some(ModelType::LatencyOptimized),
            custom_instructions: Some(vec!["be brief".into()]),
            ..TranslateOptions::default()
        };
        assert!(broken_rule(&request(options.clone()), &service(true)).is_some());
        assert!(broken_rule(&request(options), &service(false)).is_none());
    }

    #[test]
    fn ten_instructions_of_300_characters() {
        let with = |count: usize, chars: usize| {
            let options = TranslateOptions {
                custom_instructions: Some(vec!["ä".repeat(chars); count]),
                ..TranslateOptions::default()
            };
            broken_rule(&request(options), &service(true)).map(|r| r.what)
        };
        assert_eq!(with(10, 300), None);
        assert_eq!(with(11, 1).unwrap(), "11 custom instructions, the limit is 10");
        assert_eq!(with(1, 301).unwrap(), "custom instruction 1 has 301 characters, the limit is 300");
    }
}
