//! Xcode: string catalogues, and `en.lproj/Localizable.strings`.

use std::collections::BTreeSet;

use super::FoundRule;
use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of, value_after};

/// The ending of folders of a language.
const FOLDER: &str = ".lproj";

/// Finds the catalogues of Xcode projects and packages.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_ending(".pbxproj") {
        let text = tree.text(path);
        draft.set_source(value_after(&text, "developmentRegion"));
        let regions = text.split_once("knownRegions").and_then(|(_, rest)| rest.split_once(')'));
        let regions = regions.map(|(regions, _)| regions).unwrap_or_default();
        for region in regions.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)) {
            draft.add_lang(region);
        }
    }
    for path in tree.files_ending(".xcstrings") {
        let json = tree.json(path);
        draft.set_source(json.get("sourceLanguage").and_then(|lang| lang.as_str()));
        for lang in langs_of(&json) {
            draft.add_lang(lang);
        }
        draft.add_rule(FoundRule { source: Some(path.to_owned()), ..FoundRule::default() });
    }
    for ending in [".strings", ".stringsdict"] {
        // App/en.lproj/Localizable.strings
        let folders: BTreeSet<&str> =
            tree.files_ending(ending).map(folder_of).filter(|folder| folder.ends_with(FOLDER)).map(folder_of).collect();
        for folder in folders {
            draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(FOLDER), ending), None);
        }
    }
}

/// Returns the languages of a string catalogue.
fn langs_of(json: &serde_json::Value) -> BTreeSet<&str> {
    let strings = json.get("strings").and_then(|strings| strings.as_object()).into_iter().flatten();
    let langs = strings.filter_map(|(_, unit)| unit.get("localizations")?.as_object()).flatten();
    langs.map(|(lang, _)| lang.as_str()).collect()
}
