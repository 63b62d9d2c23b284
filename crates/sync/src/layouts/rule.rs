//! A rule for detected files. Many rules that differ only in a folder become one with a wildcard: `src/*/locales/en.ftl`.

use std::collections::{BTreeMap, BTreeSet};

use tulk_catalogs::Dialect;

use super::lang_files::lang_of;
use super::tree::{ProjectTree, file_name, folder_of};
use crate::project::{LangStyle, LangTag, PathPattern};

/// Languages, and their notation in paths.
pub type RuleLangs = BTreeMap<LangTag, String>;

/// A rule for detected files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundRule {
    /// Pattern of the sources; `None` if the targets hold the source texts.
    pub source: Option<String>,
    /// Pattern of the targets; `None` if the sources hold all languages.
    pub target: Option<String>,
    /// Dialect of the texts.
    pub dialect: Option<Dialect>,
    /// How languages are written in paths.
    pub lang_style: LangStyle,
    /// The format, unless the file names show it.
    pub format: Option<&'static str>,
    /// Languages of the existing translations, and their notation in paths.
    pub langs: BTreeMap<LangTag, String>,
}

/// Parses languages as written in paths. The first notation of a language wins.
pub fn rule_langs<'a>(written: impl IntoIterator<Item = &'a str>) -> RuleLangs {
    let mut langs = RuleLangs::new();
    for written in written {
        if let Some(tag) = lang_of(written) {
            langs.entry(tag).or_insert_with(|| written.to_owned());
        }
    }
    langs
}

const TEST_FOLDERS: [&str; 7] = ["tests", "__tests__", "testdata", "test-data", "fixtures", "spec", "androidTest"];
const MIN_MERGED_RULES: usize = 5;

impl FoundRule {
    /// Returns the fixed part of the folder: up to the language or the first wildcard.
    pub fn folder(&self) -> String {
        let path = self.target.as_ref().or(self.source.as_ref()).map_or("", String::as_str);
        let fixed = path.split(['{', '*']).next().unwrap_or(path);
        folder_of(fixed).to_owned()
    }

    /// The source files; without sources, the targets.
    fn sources(&self, tree: &ProjectTree) -> BTreeSet<String> {
        match &self.source {
            Some(source) => tree.files_matching(source).into_iter().collect(),
            None => self.targets(tree),
        }
    }

    fn targets(&self, tree: &ProjectTree) -> BTreeSet<String> {
        let paths = |target: &String| {
            let langs = self.langs.values();
            langs.flat_map(|written| tree.files_matching(&target.replace("{lang}", written))).collect()
        };
        self.target.as_ref().map(paths).unwrap_or_default()
    }

    /// Returns all sources and targets that exist.
    pub fn files(&self, tree: &ProjectTree) -> BTreeSet<String> {
        self.sources(tree).into_iter().chain(self.targets(tree)).collect()
    }

    /// Returns whether the files belong to tests, judging by their folders.
    pub fn is_for_tests(&self) -> bool {
        let path = self.source.as_ref().or(self.target.as_ref()).map_or("", String::as_str);
        let is_test = |name: &str| TEST_FOLDERS.contains(&name) || name.ends_with("-tests");
        // In other folders, `test` may be the name of a component.
        path.starts_with("test/") || path.contains("src/test/") || folder_of(path).split('/').any(is_test)
    }

    fn patterns(&self) -> impl Iterator<Item = &str> {
        self.source.iter().chain(&self.target).map(String::as_str)
    }
}

/// Merges many rules that differ only in a folder into one with a wildcard, unless it would match other files too.
pub fn merge_rules(rules: Vec<FoundRule>, tree: &ProjectTree) -> Vec<FoundRule> {
    let mut groups: Vec<Vec<FoundRule>> = Vec::new();
    for rule in rules {
        // Do not merge translated rules with untranslated ones.
        let is_alike = |group: &&mut Vec<FoundRule>| {
            group.first().is_some_and(|first| {
                first.patterns().map(file_name).eq(rule.patterns().map(file_name))
                    && (first.source.is_some(), first.dialect, first.format, first.langs.is_empty())
                        == (rule.source.is_some(), rule.dialect, rule.format, rule.langs.is_empty())
            })
        };
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.push(rule),
            None => groups.push(vec![rule]),
        }
    }
    groups.into_iter().flat_map(|group| merge_group(group, tree)).collect()
}

fn merge_group(rules: Vec<FoundRule>, tree: &ProjectTree) -> Vec<FoundRule> {
    if rules.len() < MIN_MERGED_RULES {
        return rules;
    }
    if let Some(rule) = merge_into_one(&rules, tree) {
        return vec![rule];
    }
    let paths: Vec<Vec<&str>> =
        rules.iter().map(|rule| rule.patterns().next().unwrap_or_default().split('/').collect()).collect();
    let start = common_start_len(&paths);
    let names: Vec<Option<String>> = paths.iter().map(|path| path.get(start).map(|name| (*name).to_owned())).collect();
    let mut groups: BTreeMap<Option<String>, Vec<FoundRule>> = BTreeMap::new();
    for (rule, name) in rules.into_iter().zip(names) {
        groups.entry(name).or_default().push(rule);
    }
    groups.into_values().flat_map(|group| merge_group(group, tree)).collect()
}

/// Returns `None` if the merged rule would match other files.
fn merge_into_one(rules: &[FoundRule], tree: &ProjectTree) -> Option<FoundRule> {
    let first = rules.first()?;
    let columns: Vec<Vec<Vec<&str>>> = (0..first.patterns().count())
        .map(|n| rules.iter().filter_map(|rule| Some(rule.patterns().nth(n)?.split('/').collect())).collect())
        .collect();
    let start = columns.iter().map(|paths| common_start_len(paths)).min()?;
    let end = columns.iter().map(|paths| common_start_len(&reversed(paths))).min()?;
    let shortest = columns.iter().flatten().map(Vec::len).min()?;
    let end = end.min(shortest - start);
    let middles = |paths: &[Vec<&str>]| -> Option<Vec<String>> {
        paths.iter().map(|path| Some(path.get(start..path.len() - end)?.join("/"))).collect()
    };
    let all = columns.iter().map(|paths| middles(paths)).collect::<Option<Vec<_>>>()?;
    let (middle, others) = all.split_first()?;
    if others.iter().any(|other| other != middle) || middle.iter().any(|middle| middle.contains(['*', '{'])) {
        return None;
    }
    let is_name = |middle: &String| !middle.is_empty() && !middle.contains('/');
    let wildcard = if middle.iter().all(is_name) { "*" } else { "**" };
    // `**` at the root would search the complete project.
    if start == 0 && wildcard == "**" {
        return None;
    }
    let mut patterns = columns.iter().filter_map(|paths| {
        let path = paths.first()?;
        let parts: Vec<&str> =
            path.get(..start)?.iter().chain([&wildcard]).chain(path.get(path.len() - end..)?).copied().collect();
        Some(parts.join("/"))
    });
    let source = first.source.is_some().then(|| patterns.next()).flatten();
    let target = first.target.is_some().then(|| patterns.next()).flatten();
    if source.iter().chain(&target).any(|pattern| PathPattern::parse(pattern).is_err()) {
        return None;
    }
    let mut langs = RuleLangs::new();
    for (tag, written) in rules.iter().flat_map(|rule| &rule.langs) {
        langs.entry(tag.clone()).or_insert_with(|| written.clone());
    }
    let one = FoundRule { source, target, langs, ..first.clone() };
    let files: BTreeSet<String> = rules.iter().flat_map(|rule| rule.sources(tree)).collect();
    (one.sources(tree) == files).then_some(one)
}

fn common_start_len(paths: &[Vec<&str>]) -> usize {
    let Some((first, others)) = paths.split_first() else { return 0 };
    let is_common = |at: &usize| others.iter().all(|other| other.get(*at) == first.get(*at));
    (0..first.len()).take_while(is_common).count()
}

fn reversed<'a>(paths: &[Vec<&'a str>]) -> Vec<Vec<&'a str>> {
    paths.iter().map(|path| path.iter().rev().copied().collect()).collect()
}
