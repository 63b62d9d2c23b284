//! The configured rules that the service is known to have: categories, rules and options.
//!
//! The service has one list for all languages and does not say which rule is for which. See docs/service.md, "Style
//! rules".

use std::collections::BTreeMap;

use crate::reply::Refusal;

/// Category, rule and options of each rule, sorted.
const TABLE: &str = include_str!("style_rules.tsv");

/// Refuses categories, rules and options that are not in the list with 400.
pub(crate) fn check_rules(rules: &BTreeMap<String, BTreeMap<String, String>>) -> Result<(), Refusal> {
    for (category, rules) in rules {
        if !table().any(|(known, ..)| known == category) {
            let mut known: Vec<&str> = table().map(|(category, ..)| category).collect();
            known.dedup();
            return Err(unknown("category", category, &known.join(", ")));
        }
        for (rule, option) in rules {
            let found = table().find(|(in_category, known, _)| in_category == category && known == rule);
            let Some((.., options)) = found else {
                let known = table().filter(|(in_category, ..)| in_category == category).map(|(_, rule, _)| rule);
                return Err(unknown("rule", &format!("{category}.{rule}"), &known.collect::<Vec<_>>().join(", ")));
            };
            let options: Vec<&str> = options.split('\t').collect();
            if !options.contains(&option.as_str()) {
                return Err(unknown("option", &format!("{category}.{rule}={option}"), &options.join(", ")));
            }
        }
    }
    Ok(())
}

fn table() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter_map(|line| {
        let (category, rest) = line.split_once('\t')?;
        let (rule, options) = rest.split_once('\t')?;
        Some((category, rule, options))
    })
}

fn unknown(what: &str, name: &str, known: &str) -> Refusal {
    Refusal::bad(format!("Style {what} '{name}' not supported."))
        .detail(format!("known (--strict): {known}"))
        .code("unknown_style_rule")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(category: &str, rule: &str, option: &str) -> BTreeMap<String, BTreeMap<String, String>> {
        BTreeMap::from([(category.to_owned(), BTreeMap::from([(rule.to_owned(), option.to_owned())]))])
    }

    #[test]
    fn the_table_is_complete_sorted_and_without_repetition() {
        let all: Vec<_> = table().collect();
        assert_eq!(all.len(), TABLE.lines().count());
        assert_eq!(all.len(), 159);
        assert!(all.is_sorted_by_key(|(category, rule, _)| (*category, *rule)));
        assert!(all.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1)));
        let mut options = 0;
        for (_, rule, list) in all {
            let list: Vec<&str> = list.split('\t').collect();
            assert!(list.is_sorted() && list.windows(2).all(|pair| pair[0] != pair[1]), "{rule}");
            options += list.len();
        }
        assert_eq!(options, 518);
    }

    #[test]
    fn refuses_what_is_not_in_the_table() {
        assert_eq!(check_rules(&rules("punctuation", "serial_comma", "use")), Ok(()));
        assert_eq!(check_rules(&BTreeMap::new()), Ok(()));
        for (category, rule, option, message) in [
            ("colours", "x", "y", "Style category 'colours' not supported."),
            ("punctuation", "x", "y", "Style rule 'punctuation.x' not supported."),
            ("punctuation", "serial_comma", "y", "Style option 'punctuation.serial_comma=y' not supported."),
            ("numbers", "serial_comma", "use", "Style rule 'numbers.serial_comma' not supported."),
        ] {
            let refusal = check_rules(&rules(category, rule, option)).unwrap_err();
            assert_eq!((refusal.status, refusal.message()), (400, message));
        }
    }
}
