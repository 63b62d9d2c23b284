//! Path patterns: `locales/en/**/*.json`, `locales/{lang}/**/*.json`. `*` matches a part of a name, `**` any number of
//! folders; neither matches a name that starts with a dot. All other characters, such as brackets, are literal. Paths
//! are relative to the project, with `/`.

use std::fmt;
use std::sync::OnceLock;

use regex::Regex;
use tulk_base::suggest::one_line;

use super::path_check::check_path;

const LANG_PLACEHOLDER: &str = "{lang}";
/// Limits the memory of the regex.
const MAX_WILDCARDS: usize = 32;

/// A path pattern. The regex is compiled on first use.
#[derive(Clone, Debug)]
pub struct PathPattern {
    text: String,
    /// `None` if the regex would be too large. Then no path matches.
    regex: OnceLock<Option<Regex>>,
}

impl PathPattern {
    /// Parses a pattern. The error is a message for the user.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("./").unwrap_or(text);
        check_path(text)?;
        let quoted = one_line(text);
        if text.split('/').any(|part| part != "**" && part.contains("**")) {
            return Err(format!("`{quoted}`: `**` must be a complete part of the path, such as `a/**/b`"));
        }
        if text.replace(LANG_PLACEHOLDER, "").contains(['{', '}']) {
            return Err(format!("`{quoted}`: the only placeholder is {LANG_PLACEHOLDER}"));
        }
        if text.ends_with("**") {
            return Err(format!("`{quoted}` matches only folders; add a file name, such as `**/*.json`"));
        }
        if text.contains("**/**") {
            return Err(format!("`{quoted}`: one `**` is enough"));
        }
        let pattern = Self::new(text.to_owned());
        if pattern.wildcards().len() > MAX_WILDCARDS {
            return Err(format!("a pattern has more than {MAX_WILDCARDS} wildcards"));
        }
        Ok(pattern)
    }

    fn new(text: String) -> Self {
        Self { text, regex: OnceLock::new() }
    }

    /// Returns whether the pattern contains `{lang}`.
    pub fn has_lang(&self) -> bool {
        self.text.contains(LANG_PLACEHOLDER)
    }

    /// Returns the wildcards in order, as `*` and `**/`.
    pub fn wildcards(&self) -> Vec<&'static str> {
        self.split().0.into_iter().map(|(_, wildcard, _)| wildcard).collect()
    }

    /// Fills in the language.
    #[must_use]
    pub fn with_lang(&self, lang: &str) -> Self {
        Self::new(self.text.replace(LANG_PLACEHOLDER, lang))
    }

    /// Returns whether the complete path matches.
    pub fn matches(&self, path: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(path))
    }

    /// Returns the text of each wildcard, in order; `None` if the path does not match. Matching is lazy, and the text of `**`
    /// includes the slash after it.
    pub fn captures(&self, path: &str) -> Option<Vec<String>> {
        let captures = self.regex()?.captures(path)?;
        Some(captures.iter().skip(1).flatten().map(|capture| capture.as_str().to_owned()).collect())
    }

    /// Replaces the wildcards by captures.
    pub fn fill(&self, captures: &[String]) -> String {
        let (wildcards, end) = self.split();
        let filled = wildcards.iter().zip(captures).map(|((before, ..), capture)| format!("{before}{capture}"));
        filled.collect::<String>() + end
    }

    /// Returns the last path segment, possibly with wildcards.
    pub fn file_name(&self) -> &str {
        self.parts().next_back().unwrap_or_default()
    }

    pub(super) fn fixed_folder(&self) -> &str {
        let before = self.text.split('*').next().unwrap_or_default();
        before.rsplit_once('/').map_or("", |(folders, _)| folders)
    }

    pub(super) fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.text.split('/')
    }

    /// Returns as many segments of the pattern as `path` has; `None` if they contain `**` or are the complete pattern.
    pub(super) fn folder_of_depth(&self, path: &str) -> Option<Self> {
        let count = path.split('/').count();
        let folders: Vec<&str> = self.parts().take(count).collect();
        let is_folder = !folders.contains(&"**") && count < self.parts().count();
        is_folder.then(|| Self::new(folders.join("/")))
    }

    /// Splits the pattern at its wildcards. Returns for each wildcard the text between it and the previous one, the wildcard,
    /// and the complete rest of the pattern. Also returns the text after the last wildcard.
    fn split(&self) -> (Vec<(&str, &'static str, &str)>, &str) {
        let (mut wildcards, mut rest) = (Vec::new(), self.text.as_str());
        while let Some((before, after)) = rest.split_once('*') {
            let (wildcard, after) = after.strip_prefix("*/").map_or(("*", after), |after| ("**/", after));
            wildcards.push((before, wildcard, after));
            rest = after;
        }
        (wildcards, rest)
    }

    fn regex(&self) -> Option<&Regex> {
        let build = || {
            let (wildcards, end) = self.split();
            let mut regex = "^".to_owned();
            for (before, wildcard, after) in wildcards {
                let begins_name = before.is_empty() || before.ends_with('/');
                regex += &regex::escape(before);
                regex += match wildcard {
                    "**/" => "((?:[^/.][^/]*/)*?)",
                    _ if begins_name && after.starts_with('.') => "([^/.][^/]*?)",
                    _ if begins_name => "((?:[^/.][^/]*?)?)",
                    _ => "([^/]*?)",
                };
            }
            Regex::new(&format!("{regex}{}$", regex::escape(end))).ok()
        };
        self.regex.get_or_init(build).as_ref()
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pattern() -> impl Strategy<Value = String> {
        let name = prop_oneof!["[ab*]{1,4}", Just("**".to_owned())].prop_filter("stars", |part| !part.contains("***"));
        prop::collection::vec(name, 1..5).prop_map(|parts| parts.join("/"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn filling_in_captures_restores_the_path(pattern in pattern(), path in "[ab.]{1,3}(/[ab.]{1,3}){0,4}") {
            if let (Ok(pattern), Ok(())) = (PathPattern::parse(&pattern), check_path(&path))
                && let Some(captures) = pattern.captures(&path)
            {
                prop_assert_eq!(captures.len(), pattern.wildcards().len());
                prop_assert_eq!(pattern.fill(&captures), path);
            }
        }

        #[test]
        fn matches_paths_filled_from_the_pattern(pattern in pattern(), texts in prop::collection::vec("[ab]{1,2}", 24)) {
            if let Ok(pattern) = PathPattern::parse(&pattern) {
                let captures: Vec<String> =
                    pattern.wildcards().iter().zip(texts).map(|(wildcard, text)| text + wildcard.trim_start_matches('*')).collect();
                prop_assert!(pattern.matches(&pattern.fill(&captures)), "{}", pattern.fill(&captures));
            }
        }
    }

    fn captures(pattern: &str, path: &str) -> Option<Vec<String>> {
        PathPattern::parse(pattern).unwrap().captures(path)
    }

    #[test]
    fn captures_fill_the_target_pattern() {
        let source = PathPattern::parse("locales/en/**/*.json").unwrap();
        let target = PathPattern::parse("locales/{lang}/**/*.json").unwrap().with_lang("de");
        assert_eq!(source.wildcards(), target.wildcards());
        for (path, expected) in [
            ("locales/en/a.json", "locales/de/a.json"),
            ("locales/en/shop/cart/a.b.json", "locales/de/shop/cart/a.b.json"),
        ] {
            assert_eq!(target.fill(&source.captures(path).unwrap()), expected);
        }
        for path in ["locales/en", "locales/en/.json", "locales/fr/a.json", "locales/en/.x/a.json"] {
            assert_eq!(source.captures(path), None, "{path}");
        }
    }

    #[test]
    fn wildcards_are_lazy() {
        assert_eq!(captures("a-*-*.x", "a-1-2-3.x").unwrap(), ["1", "2-3"]);
        assert_eq!(captures("**/en/**/*.json", "a/b/en/c/en/x.json").unwrap(), ["a/b/", "c/en/", "x"]);
        assert_eq!(captures("**/*/en.json", "a/b/c/en.json").unwrap(), ["a/b/", "c"]);
        assert_eq!(captures("**/en.json", "en.json").unwrap(), [""]);
        assert_eq!(captures("**/x/**/x/y", "x/y"), None);
        assert_eq!(captures("*/x", "a/b/x"), None);
        assert_eq!(captures("app/[lang]/x.json", "app/[lang]/x.json").unwrap(), [""; 0]);
    }

    #[test]
    fn the_language_may_occur_anywhere() {
        let pattern = PathPattern::parse("lang/{lang}/x.{lang}.json").unwrap();
        assert!(pattern.has_lang() && pattern.wildcards().is_empty());
        assert_eq!(pattern.with_lang("pt_BR").to_string(), "lang/pt_BR/x.pt_BR.json");
        assert_eq!(pattern.fill(&[]), "lang/{lang}/x.{lang}.json");
        assert_eq!(PathPattern::parse("./a/*.x").unwrap().to_string(), "a/*.x");
        assert_eq!(pattern.file_name(), "x.{lang}.json");
    }

    #[test]
    fn refuses_invalid_patterns() {
        for text in [
            "", "/a", "a//b", "a/", "a/**", "a/**b/c", "a/***/c", "**/**/a", "../a", "a/../b", "{x}/a", "a/{lang",
            "a}b", "a\\b",
        ] {
            assert!(PathPattern::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn patterns_with_many_wildcards_are_matched() {
        assert!(PathPattern::parse(&"a*".repeat(33)).is_err());
        let pattern = PathPattern::parse(&format!("{}z", "a*".repeat(32))).unwrap();
        assert_eq!(pattern.captures(&"a".repeat(4000)), None);
        assert!(pattern.captures(&format!("{}z", "a".repeat(4000))).is_some());
        let pattern = PathPattern::parse(&format!("{}z", "**/a/".repeat(32))).unwrap();
        assert_eq!(pattern.captures(&format!("{}y", "a/".repeat(120))), None);
    }
}
