//! The known predefined rules and options, for warnings and for `style rules catalogue`.
//!
//! The service may have added others, so nothing is refused. Which rule applies to which language is not known.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;
use tulk_base::suggest::closest;

use super::ConfiguredRules;

/// A predefined rule.
#[derive(Serialize, Clone, Debug)]
pub struct CatalogueRule {
    /// Category, such as `punctuation`.
    pub category: &'static str,
    /// Name within the category.
    pub rule: &'static str,
    /// Options.
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

/// Returns all rules, sorted by category.
pub fn rules() -> &'static [CatalogueRule] {
    &RULES
}

/// Returns a warning for each unknown category, rule or option.
pub fn unknown_names(configured: &ConfiguredRules) -> Vec<String> {
    let mut warnings = Vec::new();
    for (category, inner) in configured {
        if !rules().iter().any(|r| r.category == category) {
            let near = did_you_mean(category, rules().iter().map(|r| r.category));
            warnings.push(format!("unknown category `{category}`{near}"));
            continue;
        }
        for (name, option) in inner.as_object().into_iter().flatten() {
            let Some(rule) = rules().iter().find(|r| r.category == category && r.rule == name) else {
                let near = did_you_mean(name, rules().iter().filter(|r| r.category == category).map(|r| r.rule));
                warnings.push(format!("unknown rule `{category}.{name}`{near}"));
                continue;
            };
            let option = option.as_str().map_or_else(|| option.to_string(), str::to_owned);
            if !rule.options.contains(&option.as_str()) {
                let known = rule.options.len();
                warnings.push(format!(
                    "unknown option `{option}` of `{category}.{name}` \
                     (`tulk style rules catalogue {category}.{name}` lists {known})"
                ));
            }
        }
    }
    warnings
}

/// Returns the end of a warning: a known name that is similar to an unknown one.
fn did_you_mean(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    closest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Returns what is wrong if this is not a table of options by category and rule.
pub fn shape_error(rules: &ConfiguredRules) -> Option<String> {
    rules.iter().find_map(|(category, inner)| match inner {
        Value::Object(inner) => inner
            .iter()
            .find(|(_, option)| !option.is_string())
            .map(|(rule, _)| format!("the option of `{category}.{rule}` is not text")),
        _ => Some(format!("`{category}` is not a table of rules")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contains_159_rules_and_518_options() {
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
    fn warns_about_unknown_names() {
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
