//! The languages of the sandbox, with their roles and features on each resource.
//!
//! The data is compiled in from `languages.jsonl`, one language per line. Each resource field of a language has the format
//! `ROLES STATUS FEATURE[:beta][:external]...`, where the roles are `s` (source) and `t` (target). Under the rules of
//! the public service, the field `RESOURCE@deepl` replaces the field `RESOURCE`. `v2` gives the roles in the deprecated
//! v2 lists. See docs/service.md, "Languages".

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::options::ServiceRules;

#[derive(Debug)]
pub struct SandboxLanguage {
    /// BCP 47 code, such as `en-US` or `zh-Hant`.
    pub lang: &'static str,
    /// English name.
    pub name: &'static str,
    pub v2_source: bool,
    pub v2_target: bool,
    resources: Vec<(&'static str, LanguageSupport)>,
    /// Support under the rules of the public service, for each resource where it differs.
    public: Vec<(&'static str, LanguageSupport)>,
}

#[derive(Debug)]
pub struct LanguageSupport {
    pub source: bool,
    pub target: bool,
    /// `stable` or `beta`.
    pub status: &'static str,
    /// Features, in the order of the answer.
    pub features: Vec<FeatureSupport>,
}

#[derive(Debug)]
pub struct FeatureSupport {
    pub name: &'static str,
    /// `stable` or `beta`.
    pub status: &'static str,
    /// Whether a third party provides it.
    pub external: bool,
}

pub struct SandboxResource {
    pub name: &'static str,
    /// Feature name, whether the source language must support it, whether the target language must.
    pub features: &'static [(&'static str, bool, bool)],
}

/// All resources, in the order of the answer.
pub const RESOURCES: &[SandboxResource] = &[
    SandboxResource {
        name: "translate_text",
        features: &[
            ("auto_detection", true, false),
            ("formality", false, true),
            ("glossary", true, true),
            ("style_rules", false, true),
            ("tag_handling", true, true),
            ("translation_memory", true, true),
        ],
    },
    SandboxResource {
        name: "translate_document",
        features: &[
            ("auto_detection", true, false),
            ("formality", false, true),
            ("glossary", true, true),
            ("tag_handling", true, true),
        ],
    },
    SandboxResource {
        name: "voice",
        features: &[
            ("auto_detection", true, false),
            ("formality", false, true),
            ("glossary", true, true),
            ("spoken_terms", true, false),
            ("transcription", true, false),
            ("translated_speech", false, true),
        ],
    },
    SandboxResource {
        name: "write",
        features: &[("auto_detection", true, false), ("tone", false, true), ("writing_style", false, true)],
    },
    SandboxResource { name: "glossary", features: &[] },
    SandboxResource { name: "style_rules", features: &[] },
    SandboxResource { name: "translation_memory", features: &[] },
];

static LANGUAGES: LazyLock<Vec<SandboxLanguage>> =
    LazyLock::new(|| include_str!("languages.jsonl").lines().filter_map(parse_language).collect());

pub fn all() -> &'static [SandboxLanguage] {
    &LANGUAGES
}

/// Finds a language by its code, in upper or lower case.
pub fn find(code: &str) -> Option<&'static SandboxLanguage> {
    LANGUAGES.iter().find(|language| language.lang.eq_ignore_ascii_case(code))
}

pub fn find_target(resource: &str, code: &str) -> Option<(&'static SandboxLanguage, &'static LanguageSupport)> {
    let language = find(code)?;
    Some((language, language.support_on(resource).filter(|support| support.target)?))
}

pub fn find_source(resource: &str, code: &str) -> Option<(&'static SandboxLanguage, &'static LanguageSupport)> {
    let language = find(code)?;
    Some((language, language.support_on(resource).filter(|support| support.source)?))
}

/// Returns the base language of a code: `pt` for `pt-BR`.
pub fn base_code(code: &str) -> &str {
    code.split('-').next().unwrap_or(code)
}

pub fn have_same_base(one: &str, other: &str) -> bool {
    base_code(one).eq_ignore_ascii_case(base_code(other))
}

impl SandboxLanguage {
    /// Returns how a resource supports the language under the generic rules; `None` if it does not.
    pub fn support_on(&self, resource: &str) -> Option<&LanguageSupport> {
        self.resources.iter().find(|(name, _)| *name == resource).map(|(_, support)| support)
    }

    /// Like [`SandboxLanguage::support_on`], under the rules of a service.
    pub fn support_under(&self, rules: ServiceRules, resource: &str) -> Option<&LanguageSupport> {
        let public = self.public.iter().find(|(name, _)| rules.is_public() && *name == resource);
        public.map(|(_, support)| support).or_else(|| self.support_on(resource))
    }

    /// Returns the code in the form of v2 answers: `EN-US`.
    pub fn v2_code(&self) -> String {
        self.lang.to_ascii_uppercase()
    }
}

impl LanguageSupport {
    /// Returns whether the feature is supported, stable or beta.
    pub fn has_feature(&self, feature: &str) -> bool {
        self.features.iter().any(|known| known.name == feature)
    }
}

fn parse_language(line: &'static str) -> Option<SandboxLanguage> {
    #[derive(Deserialize)]
    struct LanguageLine {
        lang: &'static str,
        name: &'static str,
        #[serde(default)]
        v2: &'static str,
        #[serde(borrow)]
        resources: BTreeMap<&'static str, &'static str>,
    }
    let line: LanguageLine = serde_json::from_str(line).ok()?;
    let (mut resources, mut public) = (Vec::new(), Vec::new());
    for (name, text) in line.resources {
        match name.strip_suffix("@deepl") {
            Some(name) => public.push((name, parse_support(text)?)),
            None => resources.push((name, parse_support(text)?)),
        }
    }
    let (v2_source, v2_target) = (line.v2.contains('s'), line.v2.contains('t'));
    Some(SandboxLanguage { lang: line.lang, name: line.name, v2_source, v2_target, resources, public })
}

fn parse_support(text: &'static str) -> Option<LanguageSupport> {
    let mut words = text.split(' ');
    let (roles, status) = (words.next()?, words.next()?);
    let features = words
        .map(|word| {
            let mut parts = word.split(':');
            let name = parts.next().unwrap_or_default();
            let (mut status, mut external) = ("stable", false);
            for part in parts {
                if part == "external" { external = true } else { status = part }
            }
            FeatureSupport { name, status, external }
        })
        .collect();
    Some(LanguageSupport { source: roles.contains('s'), target: roles.contains('t'), status, features })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_line() {
        assert_eq!(all().len(), 126);
        assert_eq!(all().iter().filter(|l| l.v2_source).count(), 33);
        assert_eq!(all().iter().filter(|l| l.v2_target).count(), 35);
        let counts = |rules| {
            let on = |resource| all().iter().filter(|l| l.support_under(rules, resource).is_some()).count();
            RESOURCES.iter().map(|r| on(r.name)).collect::<Vec<_>>()
        };
        assert_eq!(counts(ServiceRules::Generic), [123, 120, 51, 14, 33, 8, 12]);
        assert_eq!(counts(ServiceRules::Public), [123, 122, 51, 14, 33, 45, 12]);
    }

    #[test]
    fn languages_have_only_features_of_the_resource() {
        for language in all() {
            for (name, support) in language.resources.iter().chain(&language.public) {
                let resource = RESOURCES.iter().find(|resource| resource.name == *name).unwrap();
                for feature in &support.features {
                    assert!(resource.features.iter().any(|(key, ..)| *key == feature.name), "{name} {}", feature.name);
                }
            }
        }
    }

    #[test]
    fn formality_is_supported_for_the_documented_targets() {
        let expected = ["de", "es", "es-419", "fr", "it", "ja", "nl", "pl", "pt-BR", "pt-PT", "ru"];
        for resource in ["translate_text", "translate_document"] {
            let has_formality =
                |l: &&SandboxLanguage| l.support_on(resource).is_some_and(|support| support.has_feature("formality"));
            assert_eq!(all().iter().filter(has_formality).map(|l| l.lang).collect::<Vec<_>>(), expected, "{resource}");
        }
    }
}
