//! gettext, with and without Django: `locale/de/LC_MESSAGES/django.po`, `po/de.po`.
//!
//! A catalogue holds its source texts. A template beside the catalogues is the source where there is one.

use std::collections::BTreeSet;

use super::FoundRule;
use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of, has_ending, join, value_after};

/// The folder in that of a language.
const MESSAGES: &str = "/LC_MESSAGES/";

/// Returns the folders with catalogues of languages in folders.
fn folders(tree: &ProjectTree) -> BTreeSet<&str> {
    // locale/de/LC_MESSAGES/app.po
    tree.files_ending(".po").filter_map(|path| path.split_once(MESSAGES)).map(|(lang, _)| folder_of(lang)).collect()
}

fn is_of_django(template: &str) -> bool {
    template.ends_with("/django.po") || template.ends_with("/djangojs.po")
}

/// Adds rules whose targets hold their source texts.
fn add_alone(draft: &mut LayoutDraft, files: &LangFiles) {
    files.written().into_iter().for_each(|lang| draft.add_lang(lang));
    for target in files.patterns(None) {
        draft.add_rule(FoundRule { target: Some(target), ..FoundRule::default() });
    }
}

/// Finds the files of Django and its applications.
pub fn django(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in folders(tree) {
        let files =
            LangFiles::find(tree, folder, LangSpot::Folder(""), ".po").and_then(|files| files.filter(is_of_django));
        if let Some(files) = files {
            add_alone(draft, &files);
        }
    }
    let settings = tree.files_named("settings.py").chain(tree.files_named("base.py"));
    for path in settings {
        draft.set_source(value_after(&tree.text(path), "LANGUAGE_CODE"));
    }
}

/// Finds the other files of gettext.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in folders(tree) {
        let is_other = |path: &str| path.contains(MESSAGES) && !is_of_django(path);
        let files = LangFiles::find(tree, folder, LangSpot::Folder(""), ".po").and_then(|files| files.filter(is_other));
        for files in files.iter().flat_map(LangFiles::each) {
            let name = files.templates().next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
            let template = name.replace(".po", ".pot");
            let places = [join(folder, &template), join(folder_of(folder), &template)];
            add_with_template(tree, draft, &files, places.into_iter().find(|path| tree.has(path)));
        }
    }
    for folder in tree.folders_named(&["po", "i18n", "locale", "locales", "translations", "lang", "languages"]) {
        let files = LangFiles::find(tree, folder, LangSpot::FileName, ".po").and_then(LangFiles::direct);
        if let Some(files) = files {
            let mut templates = tree.below(folder).filter(|path| has_ending(path, "pot") && !path.contains('/'));
            let template = templates.next().filter(|_| templates.next().is_none()).map(|path| join(folder, path));
            add_with_template(tree, draft, &files, template);
        }
    }
}

fn add_with_template(tree: &ProjectTree, draft: &mut LayoutDraft, files: &LangFiles, template: Option<String>) {
    let Some(source) = template.filter(|path| tree.has(path)) else { return add_alone(draft, files) };
    files.written().into_iter().for_each(|lang| draft.add_lang(lang));
    for target in files.patterns(None) {
        draft.add_rule(FoundRule { source: Some(source.clone()), target: Some(target), ..FoundRule::default() });
    }
}
