//! go-i18n: `active.en.toml`, or `locales/en.toml` of a module that uses it.

use tulk_catalogs::Dialect;

use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of};

/// The folders of catalogues.
const FOLDERS: [&str; 7] = ["locales", "locale", "i18n", "lang", "langs", "translations", "messages"];
const ENDINGS: [&str; 4] = [".toml", ".json", ".yaml", ".yml"];

/// Finds the message files of go-i18n.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for ending in ENDINGS {
        let mut folders: Vec<&str> = tree
            .files_ending(ending)
            .filter(|path| path.rsplit('/').next().is_some_and(|name| name.starts_with("active.")))
            .map(folder_of)
            .collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            let files = LangFiles::find(tree, folder, LangSpot::Suffix('.'), ending).and_then(LangFiles::direct);
            draft.add_files(
                files.and_then(|files| files.filter(|path| path.starts_with("active."))),
                Some(Dialect::GoI18n),
            );
        }
    }
    if !tree.files_named("go.mod").any(|path| tree.text(path).contains("/go-i18n")) {
        return;
    }
    for folder in tree.folders_named(&FOLDERS) {
        for ending in ENDINGS {
            let files = LangFiles::find(tree, folder, LangSpot::FileName, ending).and_then(LangFiles::direct);
            draft.add_files(files, Some(Dialect::GoI18n));
            draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(""), ending), Some(Dialect::GoI18n));
        }
    }
}
