//! Frameworks of web frontends: i18next, next-intl, vue-i18n.
//!
//! They are found by their packages in `package.json`; their files are where they are by custom, such as `locales/en/app.json`
//! and `messages/en.json`.

use tulk_catalogs::Dialect;

use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of};

/// The folders of catalogues.
const FOLDERS: [&str; 9] =
    ["locales", "locale", "i18n", "lang", "langs", "languages", "translations", "messages", "intl"];
/// The tables of `package.json` with packages.
const TABLES: [&str; 3] = ["dependencies", "devDependencies", "peerDependencies"];

/// Finds the files of i18next.
pub fn i18next(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let packages = [
        "i18next",
        "react-i18next",
        "next-i18next",
        "remix-i18next",
        "angular-i18next",
        "i18next-vue",
        "svelte-i18next",
    ];
    find(tree, draft, &packages, &[".json"], Dialect::I18next);
}

/// Finds the files of next-intl.
pub fn next_intl(tree: &ProjectTree, draft: &mut LayoutDraft) {
    find(tree, draft, &["next-intl", "use-intl"], &[".json"], Dialect::Icu);
}

/// Finds the files of vue-i18n.
pub fn vue_i18n(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let packages = ["vue-i18n", "@nuxtjs/i18n", "@intlify/unplugin-vue-i18n", "@intlify/vite-plugin-vue-i18n"];
    find(tree, draft, &packages, &[".json", ".json5", ".yaml", ".yml"], Dialect::Vue);
}

/// Returns whether a `package.json` has one of several packages.
fn depends_on(tree: &ProjectTree, path: &str, packages: &[&str]) -> bool {
    let json = tree.json(path);
    TABLES
        .iter()
        .any(|table| packages.iter().any(|package| json.get(table).and_then(|table| table.get(package)).is_some()))
}

fn find(tree: &ProjectTree, draft: &mut LayoutDraft, packages: &[&str], endings: &[&'static str], dialect: Dialect) {
    let declared: Vec<&str> =
        tree.files_named("package.json").filter(|path| depends_on(tree, path, packages)).map(folder_of).collect();
    let is_within = |folder: &str| {
        declared
            .iter()
            .any(|package| package.is_empty() || folder.strip_prefix(package).is_some_and(|rest| rest.starts_with('/')))
    };
    for folder in tree.folders_named(&FOLDERS).filter(|folder| is_within(folder)) {
        for ending in endings {
            draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(""), ending), Some(dialect));
            draft.add_files(
                LangFiles::find(tree, folder, LangSpot::FileName, ending).and_then(LangFiles::direct),
                Some(dialect),
            );
        }
    }
}
