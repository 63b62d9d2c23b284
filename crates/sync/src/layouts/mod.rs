//! Detection of the message catalogues of common frameworks.
//!
//! Input: a folder. Output: a [`FoundLayout`] for each framework found, and the text of a project file for them.
//! Frameworks are recognized by file names and by declarations, such as a dependency in `package.json`.
//!
//! | file | contents |
//! |---|---|
//! | `frameworks` | known frameworks and how to find their files |
//! | `plain` | Fluent, Hugo, and catalogues without a framework |
//! | `lang_files` | files with a language in their path, and patterns for them |
//! | `rule` | a rule for files, and merging of similar rules |
//! | `named` | files given by the user |
//! | `tree` | file names of a project |
//! | `render` | the text of the project file |

mod frameworks;
mod lang_files;
mod named;
mod plain;
mod render;
mod rule;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tulk_catalogs::Dialect;

use self::lang_files::{LangFiles, lang_of};
use self::rule::{RuleLangs, merge_rules, rule_langs};
use self::tree::ProjectTree;
use super::project::{LangStyle, LangTag};

pub use self::named::layout_of_patterns;
pub use self::render::{example_target, render_config};
pub use self::rule::FoundRule;

/// The catalogues of one framework in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLayout {
    /// The name of the framework.
    pub name: &'static str,
    /// Rules for its files.
    pub rules: Vec<FoundRule>,
    /// The source language, if the files show it.
    pub source_lang: Option<String>,
    /// The other languages of the files, sorted.
    pub target_langs: Vec<String>,
    /// Languages whose notation in paths differs from the style of their rule, with that notation.
    pub lang_paths: Vec<(String, String)>,
}

impl FoundLayout {
    /// Replaces the target languages with the languages that the user gave.
    pub fn set_targets(&mut self, targets: &[LangTag]) {
        self.target_langs = targets.iter().map(ToString::to_string).collect();
        for rule in &mut self.rules {
            if !rule.langs.is_empty() {
                rule.langs = targets.iter().map(|tag| (tag.clone(), rule.lang_style.path(tag.as_str()))).collect();
            }
        }
    }
}

/// Finds the layouts of a folder, in the order of the frameworks. Does not follow symbolic links. `source` is the
/// source language if the user gave it.
pub fn find_layouts(root: &Path, source: Option<&LangTag>) -> Vec<FoundLayout> {
    let tree = ProjectTree::scan(root);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut layouts = Vec::new();
    for layout in frameworks::LAYOUTS.iter().chain([&frameworks::USUAL_FOLDERS]) {
        let mut draft = LayoutDraft::new(layout.name, layout.lang_style);
        draft.set_source(source.map(LangTag::as_str));
        (layout.find)(&tree, &mut draft);
        let (mut found, style) = draft.finish();
        if layout.name == OTHER_FILES && !layouts.is_empty() {
            // If a framework was found, other files count only if they are translated. Their source must be English, unless
            // the user gave a source.
            let is_known = source.is_some() || found.source_lang.as_deref().is_none_or(is_english);
            found.rules.retain(|rule| is_known && !rule.langs.is_empty());
        }
        found.rules.retain(|rule| {
            let files = rule.files(&tree);
            let is_free = files.is_disjoint(&taken);
            taken.extend(files.into_iter().filter(|_| is_free));
            is_free
        });
        if !found.rules.is_empty() {
            layouts.push((found, style));
        }
    }
    drop_test_files(&mut layouts);
    share_langs(&mut layouts);
    let finished = layouts.into_iter().map(|(mut layout, style)| {
        layout.rules = merge_rules(layout.rules, &tree);
        layout.choose_lang_styles(style);
        layout
    });
    finished.collect()
}

fn is_english(lang: &str) -> bool {
    lang.split(['-', '_']).next() == Some(SOURCE_LANG)
}

/// Drops files of tests, unless there are no other files.
fn drop_test_files(layouts: &mut Vec<(FoundLayout, LangStyle)>) {
    if layouts.iter().flat_map(|(layout, _)| &layout.rules).any(|rule| !rule.is_for_tests()) {
        for (layout, _) in layouts.iter_mut() {
            layout.rules.retain(|rule| !rule.is_for_tests());
        }
        layouts.retain(|(layout, _)| !layout.rules.is_empty());
    }
}

/// Gives all rules of a folder the same languages, so that an untranslated file gets those of its neighbours.
fn share_langs(layouts: &mut [(FoundLayout, LangStyle)]) {
    let mut by_folder: BTreeMap<String, RuleLangs> = BTreeMap::new();
    for rule in layouts.iter().flat_map(|(layout, _)| &layout.rules) {
        by_folder.entry(rule.folder()).or_default().extend(rule.langs.clone());
    }
    for rule in layouts.iter_mut().flat_map(|(layout, _)| &mut layout.rules) {
        for (tag, written) in by_folder.get(&rule.folder()).into_iter().flatten() {
            rule.langs.entry(tag.clone()).or_insert_with(|| written.clone());
        }
    }
}

impl FoundLayout {
    /// Chooses how languages are written in paths, once the languages of all rules are known. `usual` is the style of the
    /// framework.
    fn choose_lang_styles(&mut self, usual: LangStyle) {
        // The source language without its region, such as `en` in a project in `en-US`, is not a target.
        let from = self.source_lang.as_deref().unwrap_or(SOURCE_LANG);
        let base = from.split('-').next().unwrap_or(from);
        for rule in &mut self.rules {
            rule.langs.retain(|tag, _| tag.as_str() != from && tag.as_str() != base);
        }
        let all: RuleLangs = self.rules.iter().flat_map(|rule| rule.langs.clone()).collect();
        let count_fitting = |langs: &RuleLangs, style: LangStyle| {
            langs.iter().filter(|(tag, path)| style.path(tag.as_str()) == **path).count()
        };
        let mut lang_paths = BTreeMap::new();
        for rule in self.rules.iter_mut().filter(|rule| rule.target.is_some()) {
            let styles = LangStyle::ALL.into_iter().map(|(style, _)| style).rev();
            let key =
                |style: &LangStyle| (count_fitting(&rule.langs, *style), count_fitting(&all, *style), *style == usual);
            rule.lang_style = styles.max_by_key(key).unwrap_or(usual);
            let style = rule.lang_style;
            let differs = |(tag, path): &(&LangTag, &String)| style.path(tag.as_str()) != **path;
            let differing = rule.langs.iter().filter(differs);
            lang_paths.extend(differing.map(|(tag, path)| (tag.to_string(), path.clone())));
        }
        self.lang_paths = lang_paths.into_iter().collect();
        self.target_langs = all.keys().map(ToString::to_string).collect();
    }
}

const OTHER_FILES: &str = "your files";
const SOURCE_LANG: &str = "en";

#[derive(Debug)]
struct LayoutDraft {
    name: &'static str,
    lang_style: LangStyle,
    /// As declared by the project.
    source: Option<LangTag>,
    /// Files with a language in their path. The files in the source language are the sources.
    files: Vec<(LangFiles, Option<Dialect>)>,
    rules: Vec<FoundRule>,
    /// For each language, the number of file groups that have it, and its notation in paths.
    langs: BTreeMap<LangTag, (usize, String)>,
}

impl LayoutDraft {
    pub fn new(name: &'static str, lang_style: LangStyle) -> Self {
        Self { name, lang_style, source: None, files: Vec::new(), rules: Vec::new(), langs: BTreeMap::new() }
    }

    /// The first valid declaration wins.
    pub fn set_source(&mut self, declared: Option<&str>) {
        if self.source.is_none() {
            self.source = declared.and_then(lang_of);
        }
    }

    pub fn is_source(&self, written: &str) -> bool {
        self.source.is_some() && lang_of(written) == self.source
    }

    fn add_lang(&mut self, written: &str) {
        if let Some(tag) = lang_of(written) {
            self.langs.entry(tag).or_insert_with(|| (0, written.to_owned())).0 += 1;
        }
    }

    pub fn add_files(&mut self, files: Option<LangFiles>, dialect: Option<Dialect>) {
        let Some(files) = files else { return };
        for written in files.written_langs() {
            self.add_lang(written);
        }
        self.files.push((files, dialect));
    }

    pub fn add_rule(&mut self, rule: FoundRule) {
        for written in rule.langs.values() {
            self.add_lang(written);
        }
        if !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
    }

    /// Also returns how the framework writes languages in paths.
    pub fn finish(mut self) -> (FoundLayout, LangStyle) {
        let source = self.source_lang();
        for (files, dialect) in std::mem::take(&mut self.files) {
            let is_source = |written: &&&str| lang_of(written).is_some_and(|tag| Some(&tag) == source.as_ref());
            let Some(lang) = files.written_langs().iter().find(is_source).map(|lang| (*lang).to_owned()) else {
                continue;
            };
            for (target, langs) in files.patterns(Some(&lang)) {
                let source_pattern = Some(target.replace("{lang}", &lang));
                // A folder of a language counts even if it lacks the file: `de/other.json` makes German a target of `en/app.json`.
                let mut langs = rule_langs(if files.is_in_folders() { files.written_langs() } else { langs });
                langs.retain(|tag, _| Some(tag) != source.as_ref());
                self.add_rule(FoundRule {
                    source: source_pattern,
                    target: Some(target),
                    dialect,
                    langs,
                    ..FoundRule::default()
                });
            }
        }
        let found = FoundLayout {
            name: self.name,
            source_lang: source.map(|tag| tag.to_string()),
            target_langs: Vec::new(),
            lang_paths: Vec::new(),
            rules: self.rules,
        };
        (found, self.lang_style)
    }

    /// The declared language, else English, else the language with the most files. `None` if the files do not show it.
    fn source_lang(&self) -> Option<LangTag> {
        if let Some(declared) = &self.source
            && (self.files.is_empty() || self.langs.contains_key(declared))
        {
            return Some(declared.clone());
        }
        if self.files.is_empty() {
            return None;
        }
        // If a rule already has a source, the path of this source contains no language. All languages found may then be
        // targets, so guess only `en` or `en-US`.
        let is_open = self.rules.iter().all(|rule| rule.source.is_none());
        let rank = |tag: &LangTag| match tag.as_str() {
            SOURCE_LANG => 3,
            "en-US" => 2,
            _ => u8::from(tag.base() == SOURCE_LANG),
        };
        let key =
            |(tag, (count, _)): &(&LangTag, &(usize, String))| (rank(tag), *count, std::cmp::Reverse((*tag).clone()));
        self.langs.iter().filter(|(tag, _)| is_open || rank(tag) > 1).max_by_key(key).map(|(tag, _)| tag.clone())
    }
}

#[cfg(test)]
mod tests;
