//! The known predefined rules and their options, for checks and for `style rules catalogue`.
//!
//! The service may have added rules, which are sent with `--no-check`. It is not known which rules apply to which language.

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

/// A category, rule or option that is not in the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The unknown category, rule or option, for messages.
    pub unknown: String,
    /// The valid names, or the command that lists them, for messages.
    pub known: String,
}

/// Returns all categories, rules and options that are not in the catalogue.
pub fn unknown_names(configured: &ConfiguredRules) -> Vec<UnknownName> {
    let mut unknown = Vec::new();
    for (category, inner) in configured {
        let of_category: Vec<&CatalogueRule> = rules().iter().filter(|rule| rule.category == category).collect();
        if of_category.is_empty() {
            let mut known: Vec<&str> = rules().iter().map(|rule| rule.category).collect();
            known.dedup();
            unknown.push(UnknownName {
                unknown: format!("unknown category `{category}`"),
                known: format!("{}categories: {}", did_you_mean(category, &known), known.join(", ")),
            });
            continue;
        }
        for (name, option) in inner.as_object().into_iter().flatten() {
            let Some(rule) = of_category.iter().find(|rule| rule.rule == name) else {
                let known: Vec<&str> = of_category.iter().map(|rule| rule.rule).collect();
                let near = did_you_mean(name, &known);
                unknown.push(UnknownName {
                    unknown: format!("unknown rule `{category}.{name}`"),
                    known: format!("{near}`tulk style rules catalogue {category}` lists the rules"),
                });
                continue;
            };
            let option = option.as_str().map_or_else(|| option.to_string(), str::to_owned);
            if !rule.options.contains(&option.as_str()) {
                unknown.push(UnknownName {
                    unknown: format!("unknown option `{option}` of `{category}.{name}`"),
                    known: format!("options: {}", rule.options.join(", ")),
                });
            }
        }
    }
    unknown
}

/// Returns the start of a hint that suggests a similar known name. Empty if there is none.
fn did_you_mean(name: &str, known: &[&str]) -> String {
    closest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default()
}

/// Returns an error text if `rules` is not a table of options by category and rule.
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
    fn lists_known_names_for_unknown_ones() {
        let rules = serde_json::from_str(
            r#"{"punctuation":{"serial_comma":"use","comma":"x","apostrophe":"none"},"weather":{"a":"b"}}"#,
        )
        .unwrap();
        let unknown = unknown_names(&rules);
        let texts: Vec<_> = unknown.iter().map(|name| (name.unknown.as_str(), name.known.as_str())).collect();
        assert_eq!(
            texts,
            [
                (
                    "unknown option `none` of `punctuation.apostrophe`",
                    "options: use_curly_apostrophes, use_straight_apostrophes"
                ),
                ("unknown rule `punctuation.comma`", "`tulk style rules catalogue punctuation` lists the rules"),
                (
                    "unknown category `weather`",
                    "categories: dates_and_times, formatting, numbers, punctuation, spelling_and_grammar, style_and_tone, vocabulary"
                ),
            ]
        );
    }
}
