//! Patterns of paths: `locales/en/**/*.json`, `locales/{lang}/**/*.json`.
//!
//! Input: a pattern and paths, with `/` and relative to the project. Output: what the wildcards match, and paths with that in
//! the place of the wildcards. `*` is any part of a name, `**` any folders; neither matches a name that begins with a dot, and
//! `**` does not match `node_modules`. All else, such as brackets, means itself.

use tulk_base::suggest::one_line;

use super::path_check::check_path;

/// What stands for the language.
const LANG: &str = "{lang}";

/// A pattern of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    parts: Vec<PathPart>,
}

/// A part of a pattern, between two slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathPart {
    /// `**`.
    Folders,
    /// A name, with or without stars.
    Name(NamePattern),
}

/// The pattern of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamePattern {
    /// What stands before, between and after the stars. `{lang}` stands in it.
    texts: Vec<String>,
}

impl PathPattern {
    /// Reads a pattern. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("./").unwrap_or(text);
        check_path(text)?;
        let parts = text.split('/').map(|part| match part {
            "**" => Ok(PathPart::Folders),
            _ if part.contains("**") => {
                Err(format!("`{}`: `**` stands for folders, so that it must stand between slashes", one_line(text)))
            }
            _ => {
                let rest = part.replace(LANG, "");
                if rest.contains(['{', '}']) {
                    return Err(format!("`{}`: the only placeholder is {LANG}", one_line(text)));
                }
                Ok(PathPart::Name(NamePattern { texts: part.split('*').map(str::to_owned).collect() }))
            }
        });
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        if parts.last() == Some(&PathPart::Folders) {
            return Err(format!(
                "`{}` ends with folders; add the names of the files, such as `**/*.json`",
                one_line(text)
            ));
        }
        if parts.windows(2).any(|pair| pair == [PathPart::Folders, PathPart::Folders]) {
            return Err(format!("`{}`: one `**` is enough", one_line(text)));
        }
        Ok(Self { parts })
    }

    /// Returns whether the language is part of the path.
    pub fn has_lang(&self) -> bool {
        self.names().any(|name| name.texts.iter().any(|text| text.contains(LANG)))
    }

    /// Returns whether it has wildcards.
    pub fn has_wildcards(&self) -> bool {
        !self.wildcards().is_empty()
    }

    /// Returns the wildcards in order.
    pub fn wildcards(&self) -> Vec<&'static str> {
        let of_part = |part: &PathPart| match part {
            PathPart::Folders => vec!["**"],
            PathPart::Name(name) => vec!["*"; name.texts.len() - 1],
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// Returns the pattern for a language.
    #[must_use]
    pub fn with_lang(&self, lang: &str) -> Self {
        let of_part = |part: &PathPart| match part {
            PathPart::Folders => PathPart::Folders,
            PathPart::Name(name) => {
                let texts = name.texts.iter().map(|text| text.replace(LANG, lang)).collect();
                PathPart::Name(NamePattern { texts })
            }
        };
        Self { parts: self.parts.iter().map(of_part).collect() }
    }

    /// Returns whether a path fits.
    pub fn matches(&self, path: &str) -> bool {
        self.captures(path).is_some()
    }

    /// Returns what the wildcards match in a path, in order; `None` if the path does not fit. Each matches as little as it can.
    pub fn captures(&self, path: &str) -> Option<Vec<String>> {
        let names: Vec<&str> = path.split('/').collect();
        let groups: Vec<&[PathPart]> = self.parts.split(|part| *part == PathPart::Folders).collect();
        let [first, rest @ ..] = groups.as_slice() else { return None };
        let mut captures = Vec::new();
        let (head, mut names) = names.split_at_checked(first.len())?;
        group_captures(first, head, &mut captures)?;
        let [middle @ .., last] = rest else { return names.is_empty().then_some(captures) };
        let (body, tail) = names.split_at_checked(names.len().checked_sub(last.len())?)?;
        names = body;
        for group in middle {
            let mut found = Vec::new();
            let at = (0..=names.len().checked_sub(group.len())?).find(|at| {
                found.clear();
                let window = names.get(*at..at + group.len()).unwrap_or_default();
                group_captures(group, window, &mut found).is_some()
            })?;
            captures.push(folders(names.get(..at)?)?);
            captures.append(&mut found);
            names = names.get(at + group.len()..)?;
        }
        captures.push(folders(names)?);
        group_captures(last, tail, &mut captures)?;
        Some(captures)
    }

    /// Returns the path with captures in the place of the wildcards.
    pub fn fill(&self, captures: &[String]) -> String {
        let mut captures = captures.iter().map(String::as_str);
        let mut path = String::new();
        for part in &self.parts {
            let start = path.len();
            match part {
                PathPart::Folders => path.push_str(captures.next().unwrap_or_default()),
                PathPart::Name(name) => {
                    for (at, text) in name.texts.iter().enumerate() {
                        if at > 0 {
                            path.push_str(captures.next().unwrap_or_default());
                        }
                        path.push_str(text);
                    }
                }
            }
            if path.len() > start {
                path.push('/');
            }
        }
        path.pop();
        path
    }

    /// Returns the pattern of the last name, as text.
    pub fn file_name(&self) -> String {
        self.names().last().map(|name| name.texts.join("*")).unwrap_or_default()
    }

    pub(super) fn parts(&self) -> &[PathPart] {
        &self.parts
    }

    /// Returns whether a part of the pattern is a certain name without wildcards.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names().any(|pattern| pattern.literal() == Some(name))
    }

    fn names(&self) -> impl Iterator<Item = &NamePattern> {
        self.parts.iter().filter_map(|part| match part {
            PathPart::Folders => None,
            PathPart::Name(name) => Some(name),
        })
    }
}

impl std::fmt::Display for PathPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0 {
                f.write_str("/")?;
            }
            match part {
                PathPart::Folders => f.write_str("**")?,
                PathPart::Name(name) => f.write_str(&name.texts.join("*"))?,
            }
        }
        Ok(())
    }
}

impl NamePattern {
    /// Returns the name if there is no star in it.
    pub(super) fn literal(&self) -> Option<&str> {
        if let [only] = self.texts.as_slice() { Some(only) } else { None }
    }

    /// Returns whether a name fits.
    pub(super) fn matches(&self, name: &str) -> bool {
        self.captures(name, &mut Vec::new()).is_some()
    }

    fn captures(&self, name: &str, captures: &mut Vec<String>) -> Option<()> {
        let [first, middle @ .., last] = self.texts.as_slice() else {
            return (self.literal() == Some(name)).then_some(());
        };
        if first.is_empty() && name.starts_with('.') {
            return None;
        }
        let mut rest = name.strip_prefix(first.as_str())?.strip_suffix(last.as_str())?;
        for text in middle {
            let at = rest.find(text.as_str())?;
            captures.push(rest.get(..at)?.to_owned());
            rest = rest.get(at + text.len()..)?;
        }
        captures.push(rest.to_owned());
        Some(())
    }
}

fn group_captures(group: &[PathPart], names: &[&str], captures: &mut Vec<String>) -> Option<()> {
    group.iter().zip(names).try_for_each(|(part, name)| match part {
        PathPart::Name(pattern) => pattern.captures(name, captures),
        PathPart::Folders => None,
    })
}

/// Returns folders that `**` matches.
fn folders(names: &[&str]) -> Option<String> {
    names.iter().all(|name| is_open(name)).then(|| names.join("/"))
}

/// Returns whether `**` matches a folder.
pub(super) fn is_open(name: &str) -> bool {
    !name.starts_with('.') && name != "node_modules"
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
        fn what_wildcards_match_gives_the_path_back(pattern in pattern(), path in "[ab.]{1,3}(/[ab.]{1,3}){0,4}") {
            if let (Ok(pattern), Ok(())) = (PathPattern::parse(&pattern), check_path(&path)) {
                prop_assert_eq!(PathPattern::parse(&pattern.to_string()), Ok(pattern.clone()));
                if let Some(captures) = pattern.captures(&path) {
                    prop_assert_eq!(captures.len(), pattern.wildcards().len());
                    prop_assert_eq!(pattern.fill(&captures), path);
                }
            }
        }

        #[test]
        fn a_path_that_was_filled_in_fits(pattern in pattern(), texts in prop::collection::vec("[ab]{1,2}", 24)) {
            if let Ok(pattern) = PathPattern::parse(&pattern) {
                prop_assert!(pattern.matches(&pattern.fill(&texts)), "{}", pattern.fill(&texts));
            }
        }
    }

    fn captures(pattern: &str, path: &str) -> Option<Vec<String>> {
        PathPattern::parse(pattern).unwrap().captures(path)
    }

    #[test]
    fn wildcards_are_carried_over() {
        let source = PathPattern::parse("locales/en/**/*.json").unwrap();
        let target = PathPattern::parse("locales/{lang}/**/*.json").unwrap().with_lang("de");
        assert_eq!(source.wildcards(), target.wildcards());
        for (path, expected) in [
            ("locales/en/a.json", "locales/de/a.json"),
            ("locales/en/shop/cart/a.b.json", "locales/de/shop/cart/a.b.json"),
        ] {
            assert_eq!(target.fill(&source.captures(path).unwrap()), expected);
        }
        for path in [
            "locales/en",
            "locales/en/.json",
            "locales/fr/a.json",
            "locales/en/.x/a.json",
            "locales/en/node_modules/a.json",
        ] {
            assert_eq!(source.captures(path), None, "{path}");
        }
    }

    #[test]
    fn several_wildcards_match_as_little_as_they_can() {
        assert_eq!(captures("a-*-*.x", "a-1-2-3.x").unwrap(), ["1", "2-3"]);
        assert_eq!(captures("**/en/**/*.json", "a/b/en/c/en/x.json").unwrap(), ["a/b", "c/en", "x"]);
        assert_eq!(captures("**/*/en.json", "a/b/c/en.json").unwrap(), ["a/b", "c"]);
        assert_eq!(captures("**/en.json", "en.json").unwrap(), [""]);
        assert_eq!(captures("**/x/**/x/y", "x/y"), None);
        assert_eq!(captures("*/x", "a/b/x"), None);
        assert_eq!(captures("app/[lang]/x.json", "app/[lang]/x.json").unwrap(), [""; 0]);
    }

    #[test]
    fn the_language_may_stand_anywhere() {
        let pattern = PathPattern::parse("lang/{lang}/x.{lang}.json").unwrap();
        assert!(pattern.has_lang() && !pattern.has_wildcards());
        assert_eq!(pattern.with_lang("pt_BR").to_string(), "lang/pt_BR/x.pt_BR.json");
        assert_eq!(pattern.fill(&[]), "lang/{lang}/x.{lang}.json");
        assert_eq!(PathPattern::parse("./a/*.x").unwrap().to_string(), "a/*.x");
        assert_eq!(pattern.file_name(), "x.{lang}.json");
    }

    #[test]
    fn invalid_patterns_are_refused() {
        for text in [
            "", "/a", "a//b", "a/", "a/**", "a/**b/c", "a/***/c", "**/**/a", "../a", "a/../b", "{x}/a", "a/{lang",
            "a}b", "a\\b",
        ] {
            assert!(PathPattern::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let pattern = PathPattern::parse(&format!("{}z", "a*".repeat(2000))).unwrap();
        assert!(!pattern.matches(&"a".repeat(4000)));
        let pattern = PathPattern::parse(&format!("{}z", "**/a/".repeat(60))).unwrap();
        assert!(!pattern.matches(&format!("{}y", "a/".repeat(120))));
    }
}
