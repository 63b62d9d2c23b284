//! Where common frameworks keep their message catalogues.
//!
//! Input: a folder. Output: a [`FoundLayout`] for each framework whose files are there, and the text of a project file for them.
//! A framework is recognized by names of files and by what it declares, such as a dependency in `package.json`.
//!
//! To add a layout: a function here that adds what it finds to a [`LayoutDraft`], and a line in [`LAYOUTS`].
//!
//! | file | what it does |
//! |---|---|
//! | `tree` | the names of the files of a project |
//! | `lang_files` | files with a language in their path, and patterns for them |
//! | `draft` | rules and languages that were found |
//! | `render` | the project file |

mod android;
mod angular;
mod apple;
mod dotnet;
mod draft;
mod flutter;
mod gettext;
mod go;
mod java;
mod lang_files;
mod php;
mod rails;
mod render;
#[cfg(test)]
mod tests;
mod tree;
mod web;

use std::collections::BTreeSet;
use std::path::Path;

use tulk_catalogs::Dialect;

use self::draft::LayoutDraft;
pub use self::render::render_config;
use self::tree::ProjectTree;
use super::project::LangStyle;

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

/// A framework.
struct Layout {
    name: &'static str,
    /// How it writes languages in paths, unless the files show something else.
    lang_style: LangStyle,
    find: fn(&ProjectTree, &mut LayoutDraft),
}

const fn layout(name: &'static str, lang_style: LangStyle, find: fn(&ProjectTree, &mut LayoutDraft)) -> Layout {
    Layout { name, lang_style, find }
}

/// The frameworks. Files that one has found are not offered to the next.
const LAYOUTS: &[Layout] = &[
    layout("i18next", LangStyle::Bcp47, web::i18next),
    layout("next-intl", LangStyle::Bcp47, web::next_intl),
    layout("vue-i18n", LangStyle::Bcp47, web::vue_i18n),
    layout("Rails", LangStyle::Bcp47, rails::find),
    layout("Symfony", LangStyle::Posix, php::symfony),
    layout("Laravel", LangStyle::Posix, php::laravel),
    layout("Django", LangStyle::Posix, gettext::django),
    layout("gettext", LangStyle::Posix, gettext::find),
    layout("Flutter", LangStyle::Posix, flutter::find),
    layout("Android", LangStyle::Android, android::find),
    layout("Xcode", LangStyle::Bcp47, apple::find),
    layout("Angular", LangStyle::Bcp47, angular::find),
    layout(".NET", LangStyle::Bcp47, dotnet::find),
    layout("Spring", LangStyle::Posix, java::find),
    layout("go-i18n", LangStyle::Bcp47, go::find),
];

/// Returns the layouts of a folder, in the order of the frameworks. Links are not followed.
pub fn find_layouts(root: &Path) -> Vec<FoundLayout> {
    let tree = ProjectTree::scan(root);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut layouts = Vec::new();
    for layout in LAYOUTS {
        let mut draft = LayoutDraft::new(layout.name, layout.lang_style);
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
