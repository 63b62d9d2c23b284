//! The predefined rules and options known when this was written, for warnings and for `style rules catalogue`.
//!
//! An open set: nothing is refused by it. The data do not say which rule belongs to which language.
//! Spec: "Style rule lists", configured rules.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;

use super::ConfiguredRules;
use crate::suggest::closest;

/// One rule that can be configured.
#[derive(Serialize, Clone, Debug)]
pub struct CatalogueRule {
    /// Its category, such as `punctuation`.
    pub category: &'static str,
    /// Its name within the category.
    pub rule: &'static str,
    /// The options it takes.
    pub options: Vec<&'static str>,
}

static RULES: LazyLock<Vec<CatalogueRule>> = LazyLock::new(|| {
    include_str!("catalogue.tsv")
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('\t');
            let (category, rule, options) = (cells.next()?, cells.next()?, cells.next()?);
            Some(CatalogueRule { category, rule, options: options.split(',').collect() })
        })
        .collect()
});

/// All rules, by category.
pub fn rules() -> &'static [CatalogueRule] {
    &RULES
}

/// A warning for each category, rule or option that is not known.
pub fn unknown_names(configured: &ConfiguredRules) -> Vec<String> {
    let mut warnings = Vec::new();
    for (category, inner) in configured {
        if !rules().iter().any(|r| r.category == category) {
            let near = meant(category, rules().iter().map(|r| r.category));
            warnings.push(format!("tulk does not know the category `{category}`{near}"));
            continue;
        }
        for (name, option) in inner.as_object().into_iter().flatten() {
            let Some(rule) = rules().iter().find(|r| r.category == category && r.rule == name) else {
                let near = meant(name, rules().iter().filter(|r| r.category == category).map(|r| r.rule));
                warnings.push(format!("tulk does not know the rule `{category}.{name}`{near}"));
                continue;
            };
            let option = option.as_str().map_or_else(|| option.to_string(), str::to_owned);
            if !rule.options.contains(&option.as_str()) {
                let known = rule.options.len();
                warnings.push(format!(
                    "tulk does not know the option `{option}` of `{category}.{name}` \
                     (it knows {known}: tulk style rules catalogue {category}.{name})"
                ));
            }
        }
    }
    warnings
}

/// What a name that is not known may stand for, as the end of a warning.
fn meant(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    closest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Why this is no set of rules, if its shape is wrong: category to rule to text.
pub fn shape_error(rules: &ConfiguredRules) -> Option<String> {
    rules.iter().find_map(|(category, inner)| match inner {
        Value::Object(inner) => inner
            .iter()
            .find(|(_, option)| !option.is_string())
            .map(|(rule, _)| format!("the option of `{category}.{rule}` is no text")),
        _ => Some(format!("`{category}` is no table of rules")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_159_rules_and_518_options() {
        assert_eq!(rules().len(), 159);
        assert_eq!(rules().iter().map(|r| r.options.len()).sum::<usize>(), 518);
        let mut categories: Vec<_> = rules().iter().map(|r| r.category).collect();
        categories.dedup();
        assert_eq!(
            categories,
            [
                "dates_and_times",
                "formatting",
                "numbers",
                "punctuation",
                "spelling_and_grammar",
                "style_and_tone",
                "vocabulary"
            ]
        );
        for (category, rule, option) in [
            ("dates_and_times", "calendar_era", "use_bc_and_ad"),
            ("punctuation", "periods_in_academic_degrees", "do_not_use"),
            ("punctuation", "apostrophe", "use_curly_apostrophes"),
            ("style_and_tone", "abbreviations", "use_abbreviations_and_symbols"),
            ("style_and_tone", "short_vs_long_words", "use_short_words"),
        ] {
            let found = rules().iter().find(|r| r.category == category && r.rule == rule).unwrap();
            assert!(found.options.contains(&option), "{category}.{rule}={option}");
        }
    }

    #[test]
    fn names_what_it_does_not_know() {
        let rules = serde_json::from_str(
            r#"{"punctuation":{"serial_comma":"use","comma":"x","apostrophe":"none"},"weather":{"a":"b"}}"#,
        )
        .unwrap();
        let warnings = unknown_names(&rules);
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        assert!(warnings[0].contains("`none` of `punctuation.apostrophe`"));
        assert!(warnings[1].contains("rule `punctuation.comma`"));
        assert!(warnings[2].contains("category `weather`"));
    }
}
