//! Plural rules of a language, from CLDR 48, the version in current runtimes: its categories, the category of a number,
//! and the numbers below 1,000 of a category.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use icu_locale_core::LanguageIdentifier;
use icu_plurals::{PluralRuleType, PluralRules as CldrRules};

use super::own_rules::{own_rule, resolve_alias};
use super::{PluralCategory, PluralKind};

/// Exclusive.
pub(super) const SAMPLE_LIMIT: u64 = 1_000;

#[derive(Debug)]
pub struct PluralRules {
    /// The base language, or `pt-PT`.
    lang: String,
    kind: PluralKind,
    categories: Vec<PluralCategory>,
    /// The category of each number below [`SAMPLE_LIMIT`].
    table: Vec<PluralCategory>,
    /// The sample numbers of each category, preferred ones first.
    samples: BTreeMap<PluralCategory, Vec<u64>>,
}

type RulesByLanguage = BTreeMap<(String, PluralKind), Arc<PluralRules>>;

/// A cache, which grows with the number of languages.
static KNOWN_RULES: RwLock<RulesByLanguage> = RwLock::new(BTreeMap::new());

impl PluralRules {
    /// Ignores subtags such as scripts, except in `pt-PT`. An unknown language has only the category `other`.
    pub fn of(lang: &str, kind: PluralKind) -> Arc<Self> {
        let key = (rules_name(lang), kind);
        if let Some(rules) = KNOWN_RULES.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(rules);
        }
        let rules = Arc::new(Self::new(&key.0, kind));
        KNOWN_RULES.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&rules));
        rules
    }

    fn new(lang: &str, kind: PluralKind) -> Self {
        let rule = LanguageRule::new(lang, kind);
        let table: Vec<PluralCategory> = (0..SAMPLE_LIMIT).map(|n| rule.category(n)).collect();
        let mut samples: BTreeMap<PluralCategory, Vec<u64>> = BTreeMap::new();
        for n in sample_order() {
            samples.entry(rule.category(n)).or_default().push(n);
        }
        let mut categories = rule.categories();
        categories.extend(samples.keys());
        categories.sort_unstable();
        categories.dedup();
        Self { lang: lang.to_owned(), kind, categories, table, samples }
    }

    pub fn category(&self, n: u64) -> PluralCategory {
        let known = usize::try_from(n).ok().and_then(|n| self.table.get(n));
        known.copied().unwrap_or_else(|| LanguageRule::new(&self.lang, self.kind).category(n))
    }

    /// In the order in which files list them. `other` is always included.
    pub fn categories(&self) -> &[PluralCategory] {
        &self.categories
    }

    /// The numbers below 1,000 of a category: from 2 up, then 0, then 1.
    pub fn samples(&self, category: PluralCategory) -> &[u64] {
        self.samples.get(&category).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The numbers below 1,000, preferred samples first.
pub(super) fn sample_order() -> impl Iterator<Item = u64> {
    (2..SAMPLE_LIMIT).chain([0, 1])
}

/// Returns the base language of a tag, or `pt-PT`, which has other rules.
fn rules_name(lang: &str) -> String {
    let lower = lang.to_ascii_lowercase();
    let mut parts = lower.split(['-', '_']);
    let base = resolve_alias(parts.next().unwrap_or_default());
    if base == "pt" && parts.any(|part| part == "pt") { "pt-PT".to_owned() } else { base.to_owned() }
}

enum LanguageRule {
    Cldr(CldrRules),
    Own(super::own_rules::OwnRule),
    /// A language that has only `other`.
    Unknown,
}

impl LanguageRule {
    fn new(lang: &str, kind: PluralKind) -> Self {
        if let Some(rule) = own_rule(lang, kind) {
            return Self::Own(rule);
        }
        let rule_type = match kind {
            PluralKind::Cardinal => PluralRuleType::Cardinal,
            PluralKind::Ordinal => PluralRuleType::Ordinal,
        };
        let rules = lang
            .parse::<LanguageIdentifier>()
            .ok()
            .and_then(|lang| CldrRules::try_new((&lang).into(), rule_type.into()).ok());
        rules.map_or(Self::Unknown, Self::Cldr)
    }

    fn category(&self, n: u64) -> PluralCategory {
        match self {
            Self::Cldr(rules) => from_cldr(rules.category_for(n)),
            Self::Own(rule) => (rule.category)(n),
            Self::Unknown => PluralCategory::Other,
        }
    }

    fn categories(&self) -> Vec<PluralCategory> {
        match self {
            Self::Cldr(rules) => rules.categories().map(from_cldr).chain([PluralCategory::Other]).collect(),
            Self::Own(rule) => rule.categories.to_vec(),
            Self::Unknown => vec![PluralCategory::Other],
        }
    }
}

fn from_cldr(category: icu_plurals::PluralCategory) -> PluralCategory {
    match category {
        icu_plurals::PluralCategory::Zero => PluralCategory::Zero,
        icu_plurals::PluralCategory::One => PluralCategory::One,
        icu_plurals::PluralCategory::Two => PluralCategory::Two,
        icu_plurals::PluralCategory::Few => PluralCategory::Few,
        icu_plurals::PluralCategory::Many => PluralCategory::Many,
        icu_plurals::PluralCategory::Other => PluralCategory::Other,
    }
}
