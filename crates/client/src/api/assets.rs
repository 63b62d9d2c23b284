//! IDs of the assets that a translation uses, and the rules about them that text and document translation share.

use serde::{Deserialize, Serialize};
use tulk_base::error::ServiceError;
use tulk_base::limits;

/// IDs of a style profile, glossaries, a style rule list and a translation memory, as fields of the request.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct AssetIds {
    /// A style profile. Each of the other assets replaces the profile's assets of the same kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style_profile_id: Option<String>,
    /// One glossary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glossary_id: Option<String>,
    /// Several glossaries. Never set together with `glossary_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glossary_ids: Option<Vec<String>>,
    /// A style rule list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style_id: Option<String>,
    /// A translation memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation_memory_id: Option<String>,
}

impl AssetIds {
    /// Sets the IDs that are set in `ids`, and keeps the others, such as IDs from `--param`.
    pub fn set(&mut self, ids: &Self) {
        let Self { style_profile_id, glossary_id, glossary_ids, style_id, translation_memory_id } = ids.clone();
        self.style_profile_id = style_profile_id.or(self.style_profile_id.take());
        self.glossary_id = glossary_id.or(self.glossary_id.take());
        self.glossary_ids = glossary_ids.or(self.glossary_ids.take());
        self.style_id = style_id.or(self.style_id.take());
        self.translation_memory_id = translation_memory_id.or(self.translation_memory_id.take());
    }

    /// Sets `glossary_id` for one glossary, or `glossary_ids` for several.
    pub fn set_glossaries(&mut self, mut ids: Vec<String>) {
        (self.glossary_id, self.glossary_ids) = match ids.len() {
            0 => (None, None),
            1 => (ids.pop(), None),
            _ => (None, Some(ids)),
        };
    }

    /// Returns whether the request uses a glossary.
    pub fn has_glossary(&self) -> bool {
        self.glossary_id.is_some() || self.glossary_ids.is_some()
    }

    /// Returns whether the request may use a translation memory, directly or through a style profile.
    pub fn has_memory(&self) -> bool {
        self.translation_memory_id.is_some() || self.style_profile_id.is_some()
    }

    /// Returns whether the request has an asset of a kind that style profiles also contain.
    fn has_profile_assets(&self) -> bool {
        self.has_glossary() || self.style_id.is_some() || self.translation_memory_id.is_some()
    }

    /// Returns whether a refusal means that the style profile does not exist. Nothing else about a profile can cause a refusal.
    pub fn is_unknown_profile(&self, service: &ServiceError) -> bool {
        let is_named = service.names("style_profile_id");
        match service.status {
            Some(400) => self.style_profile_id.is_some() && is_named,
            Some(404) => self.style_profile_id.is_some() && (is_named || !self.has_profile_assets()),
            _ => false,
        }
    }

    /// Returns a hint for a request that the service answered with 404.
    pub fn hint_when_not_found(&self, service: &ServiceError) -> Option<String> {
        if let Some(id) = self.style_profile_id.as_ref().filter(|_| self.is_unknown_profile(service)) {
            return Some(format!(
                "the service does not know the style profile {id}; `tulk style profile list` lists the ones in this data center"
            ));
        }
        let assets = match (self.style_profile_id.is_some(), self.has_profile_assets()) {
            (true, _) => "glossaries, style rule lists, translation memories and style profiles",
            (false, true) => "glossaries, style rule lists and translation memories",
            (false, false) => return None,
        };
        Some(format!("each data center has its own {assets}: check the ID and --server"))
    }

    /// Returns the rule that the glossaries break: there are too many, or they need a source language and `lacks_source` is set.
    pub fn broken_rule(&self, lacks_source: bool) -> Option<BrokenRule> {
        let count = self.glossary_ids.as_ref().map_or(0, Vec::len);
        if count > limits::GLOSSARIES_PER_REQUEST {
            let what = format!("{count} glossaries; the limit is {}", limits::GLOSSARIES_PER_REQUEST);
            return Some(BrokenRule::new(what, "remove some", &["glossary"]));
        }
        if self.has_glossary() && lacks_source {
            let what = "a glossary requires a source language";
            return Some(BrokenRule::new(what, "add --from LANG", &["glossary", "source_lang"]));
        }
        None
    }
}

/// Returns the broken rule if the minimum match is out of range.
pub fn broken_threshold(percent: Option<i64>) -> Option<BrokenRule> {
    let limit = limits::MEMORY_THRESHOLD_MAX;
    let percent = percent.filter(|percent| !(0..=i64::from(limit)).contains(percent))?;
    let what = format!("--translation-memory-threshold must be between 0 and {limit}, not {percent}");
    Some(BrokenRule::new(
        what,
        "it is the minimum match in percent; the default is 75",
        &["translation_memory_threshold"],
    ))
}

/// Minimum translation memory threshold of the public service, in percent. The service raises lower thresholds to this value.
const MIN_THRESHOLD: i64 = 50;

/// Returns a hint if the public service would raise the threshold.
pub fn low_threshold(percent: Option<i64>) -> Option<String> {
    let percent = percent.filter(|percent| (0..MIN_THRESHOLD).contains(percent))?;
    Some(format!("the service treats --translation-memory-threshold {percent} as {MIN_THRESHOLD}, its minimum"))
}

/// A rule that a request breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRule {
    /// Description of the problem, with the value and the limit.
    pub problem: String,
    /// Hint for the user.
    pub hint: &'static str,
    /// The options involved, by the names of their settings.
    pub options: Vec<&'static str>,
}

impl BrokenRule {
    /// Creates a rule that these options break.
    pub fn new(problem: impl Into<String>, hint: &'static str, options: &[&'static str]) -> Self {
        Self { problem: problem.into(), hint, options: options.to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glossary_needs_the_source_language() {
        let mut assets = AssetIds::default();
        assets.set_glossaries(vec!["g".into()]);
        assert_eq!(assets.broken_rule(true).unwrap().hint, "add --from LANG");
        assert!(assets.broken_rule(false).is_none());
        assert!(AssetIds::default().broken_rule(true).is_none());
    }

    #[test]
    fn refuses_a_6th_glossary() {
        let rule = |count: usize| {
            let mut assets = AssetIds::default();
            assets.set_glossaries(vec!["g".into(); count]);
            assets.broken_rule(false).map(|rule| rule.problem)
        };
        assert_eq!(rule(5), None);
        assert_eq!(rule(6).unwrap(), "6 glossaries; the limit is 5");
    }

    #[test]
    fn thresholds_below_50_get_a_hint() {
        assert_eq!([-1, 0, 49, 50, 101].map(|p| low_threshold(Some(p)).is_some()), [false, true, true, false, false]);
        let hint = "the service treats --translation-memory-threshold 49 as 50, its minimum";
        assert_eq!(low_threshold(Some(49)).as_deref(), Some(hint));
    }

    #[test]
    fn accepts_thresholds_from_0_to_100() {
        assert_eq!([-1, 0, 100, 101].map(|p| broken_threshold(Some(p)).is_some()), [true, false, false, true]);
        assert!(broken_threshold(None).is_none());
    }
}
