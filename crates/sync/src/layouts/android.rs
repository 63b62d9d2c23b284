//! Android: `app/src/main/res/values/strings.xml` and `values-de/strings.xml`.

use std::collections::BTreeMap;

use super::FoundRule;
use super::draft::LayoutDraft;
use super::lang_files::lang_of;
use super::tree::{ProjectTree, has_ending, join};

/// The file whose name says what it is.
const STRINGS: &str = "strings.xml";

/// Finds the resources of each module.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in tree.folders_named(&["res"]) {
        // The files of `values`, each with the languages that have it too.
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let in_folders = || tree.below(folder).filter_map(|path| path.split_once('/'));
        for (_, name) in in_folders().filter(|(values, name)| *values == "values" && has_ending(name, "xml")) {
            files.insert(name, Vec::new());
        }
        for (values, name) in in_folders() {
            // Other qualifiers, such as `night` and `sw600dp`, are no languages.
            let lang = values.strip_prefix("values-").filter(|lang| lang_of(lang).is_some());
            if let (Some(lang), Some(langs)) = (lang, files.get_mut(name)) {
                langs.push(lang);
            }
        }
        for (name, langs) in files.into_iter().filter(|(name, langs)| *name == STRINGS || !langs.is_empty()) {
            for lang in langs {
                draft.add_lang(lang);
            }
            draft.add_rule(FoundRule {
                source: Some(join(folder, &format!("values/{name}"))),
                target: Some(join(folder, &format!("values-{{lang}}/{name}"))),
                format: (name != STRINGS).then_some("android"),
                ..FoundRule::default()
            });
        }
    }
}
