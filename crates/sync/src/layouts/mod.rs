//! Where common frameworks keep their message catalogues.
//!
//! Input: a folder. Output: a [`FoundLayout`] for each framework whose files are there, and the text of a project file for them.
//! A framework is recognized by names of files and by what it declares, such as a dependency in `package.json`.
//!
//! | file | what it does |
//! |---|---|
//! | `frameworks` | the frameworks, and how the files of each are found |
//! | `lang_files` | files with a language in their path, and patterns for them |
//! | `named` | files that a user names |
//! | `tree` | the names of the files of a project |
//! | `render` | the project file |

mod frameworks;
mod lang_files;
mod named;
mod render;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tulk_catalogs::Dialect;

use self::lang_files::{LangFiles, lang_of};
use self::tree::ProjectTree;
use super::project::{LangStyle, LangTag};

pub use self::named::named_layout;
pub use self::render::{example_target, render_config};

/// A layout that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLayout {
    /// The name of the framework.
    pub name: &'static str,
    /// Its files.
    pub rules: Vec<FoundRule>,
    /// The source language, if the files say it.
    pub source_lang: Option<String>,
    /// The other languages of its files, sorted.
    pub target_langs: Vec<String>,
    /// Languages that are written in paths in another way than the style of the rules says, with that spelling.
    pub lang_paths: Vec<(String, String)>,
}

/// A rule for files that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundRule {
    /// The pattern of the sources.
    pub source: Option<String>,
    /// The pattern of the targets.
    pub target: Option<String>,
    /// What their texts mean.
    pub dialect: Option<Dialect>,
    /// How languages are written in the paths.
    pub lang_style: LangStyle,
    /// The format, if the names of the files do not say it.
    pub format: Option<&'static str>,
}

/// Returns the layouts of a folder, in the order of the frameworks. Links are not followed. `source` is the source language if the
/// user says it.
pub fn find_layouts(root: &Path, source: Option<&LangTag>) -> Vec<FoundLayout> {
    let tree = ProjectTree::scan(root);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut layouts = Vec::new();
    for layout in frameworks::LAYOUTS.iter().chain([&frameworks::OTHER]) {
        if layout.name == OTHER_FILES && !layouts.is_empty() {
            break;
        }
        let mut draft = LayoutDraft::new(layout.name, layout.lang_style);
        draft.set_source(source.map(LangTag::as_str));
        (layout.find)(&tree, &mut draft);
        let mut found = draft.finish();
        found.rules.retain(|rule| rule.source.iter().chain(&rule.target).all(|path| !taken.contains(path)));
        taken.extend(found.rules.iter().flat_map(|rule| rule.source.iter().chain(&rule.target).cloned()));
        if !found.rules.is_empty() {
            layouts.push(found);
        }
    }
    layouts
}

/// The name of files of no known framework.
const OTHER_FILES: &str = "your files";
/// The source language where nothing says it.
const SOURCE_LANG: &str = "en";

/// A layout that is put together.
#[derive(Debug)]
struct LayoutDraft {
    name: &'static str,
    lang_style: LangStyle,
    /// The source language that the project declares.
    source: Option<LangTag>,
    /// Files of which those of the source language are the sources.
    files: Vec<(LangFiles, Option<Dialect>)>,
    rules: Vec<FoundRule>,
    /// Languages with the number of times that they occur in files, and how they are written.
    langs: BTreeMap<LangTag, (usize, String)>,
}

impl LayoutDraft {
    /// A layout without files.
    pub fn new(name: &'static str, lang_style: LangStyle) -> Self {
        Self { name, lang_style, source: None, files: Vec::new(), rules: Vec::new(), langs: BTreeMap::new() }
    }

    /// Sets the source language that the project declares, if it is one.
    pub fn set_source(&mut self, declared: Option<&str>) {
        if self.source.is_none() {
            self.source = declared.and_then(lang_of);
        }
    }

    /// Adds a language as it is written in a path.
    pub fn add_lang(&mut self, written: &str) {
        if let Some(tag) = lang_of(written) {
            self.langs.entry(tag).or_insert_with(|| (0, written.to_owned())).0 += 1;
        }
    }

    /// Adds files of which those of the source language are the sources.
    pub fn add_files(&mut self, files: Option<LangFiles>, dialect: Option<Dialect>) {
        let Some(files) = files else { return };
        for written in files.written() {
            self.add_lang(written);
        }
        self.files.push((files, dialect));
    }

    /// Adds a rule whose sources have no language in their path, or which has no sources.
    pub fn add_rule(&mut self, rule: FoundRule) {
        if !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
    }

    /// Returns what was found.
    pub fn finish(mut self) -> FoundLayout {
        let source = self.source_lang();
        for (files, dialect) in std::mem::take(&mut self.files) {
            let is_source = |written: &&&str| lang_of(written).is_some_and(|tag| Some(&tag) == source.as_ref());
            let Some(lang) = files.written().iter().find(is_source).map(|lang| (*lang).to_owned()) else { continue };
            for target in files.patterns(Some(&lang)) {
                let source = Some(target.replace("{lang}", &lang));
                self.add_rule(FoundRule { source, target: Some(target), dialect, ..FoundRule::default() });
            }
        }
        // The source language without its region is no target: `en` of a project in `en-US`.
        let (from, base) = source.as_ref().map_or((SOURCE_LANG, SOURCE_LANG), |tag| (tag.as_str(), tag.base()));
        let is_target = |tag: &LangTag| tag.as_str() != from && tag.as_str() != base;
        let langs = self.langs.iter().map(|(tag, (_, written))| (tag, written.as_str()));
        let langs: Vec<(&LangTag, &str)> = langs.filter(|(tag, _)| is_target(tag)).collect();
        let fitting = |style: LangStyle| langs.iter().filter(|(tag, path)| style.path(tag.as_str()) == *path).count();
        let others = LangStyle::ALL
            .into_iter()
            .map(|(other, _)| other)
            .filter(|other| fitting(*other) > fitting(self.lang_style));
        let style = others.max_by_key(|other| fitting(*other)).unwrap_or(self.lang_style);
        for rule in self.rules.iter_mut().filter(|rule| rule.target.is_some()) {
            rule.lang_style = style;
        }
        let differs = |(tag, path): &&(&LangTag, &str)| style.path(tag.as_str()) != *path;
        FoundLayout {
            name: self.name,
            source_lang: source.map(|tag| tag.to_string()),
            target_langs: langs.iter().map(|(tag, _)| tag.to_string()).collect(),
            lang_paths: langs.iter().filter(differs).map(|(tag, path)| (tag.to_string(), (*path).to_owned())).collect(),
            rules: self.rules,
        }
    }

    /// Returns the source language: that of the project, English, or the one with the most files. `None` if nothing says it.
    fn source_lang(&self) -> Option<LangTag> {
        if let Some(declared) = &self.source
            && (self.files.is_empty() || self.langs.contains_key(declared))
        {
            return Some(declared.clone());
        }
        if self.files.is_empty() {
            return None;
        }
        let rank = |tag: &LangTag| match tag.as_str() {
            SOURCE_LANG => 3,
            "en-US" => 2,
            _ => u8::from(tag.base() == SOURCE_LANG),
        };
        let key =
            |(tag, (count, _)): &(&LangTag, &(usize, String))| (rank(tag), *count, std::cmp::Reverse((*tag).clone()));
        self.langs.iter().max_by_key(key).map(|(tag, _)| tag.clone())
    }
}

#[cfg(test)]
mod tests;
