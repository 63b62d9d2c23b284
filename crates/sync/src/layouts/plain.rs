//! Fluent files, the catalogues of Hugo, and catalogues without a framework in the usual folders.

use tulk_catalogs::Dialect;

use super::frameworks::WEB_FOLDERS;
use super::lang_files::{LangFiles, LangSpot, lang_folders};
use super::rule::rule_langs;
use super::tree::{ProjectTree, join};
use super::{FoundRule, LayoutDraft, is_english};

/// Folder of source texts next to the language folders, on some translation platforms.
const TEMPLATES: &str = "templates";

/// Fluent files in any folder: `locales/en/app.ftl`, `locales/en.ftl`, `templates/app.ftl` next to `de/app.ftl`.
pub(super) fn fluent(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let (of_folders, of_files) = lang_folders(tree, ".ftl");
    // A single file or folder may look like a language by accident.
    let is_clear = |files: &LangFiles| {
        files.written_langs().len() > 1 || files.written_langs().iter().any(|lang| is_english(lang))
    };
    for folder in of_folders {
        let files = LangFiles::find(tree, folder, LangSpot::Folder(""), ".ftl");
        let patterns = files.iter().flat_map(|files| files.patterns(None));
        for (target, langs) in patterns {
            let source = target.replace("{lang}", TEMPLATES);
            if !tree.files_matching(&source).is_empty() {
                let langs = rule_langs(langs);
                draft.add_rule(FoundRule { source: Some(source), target: Some(target), langs, ..FoundRule::default() });
            }
        }
        draft.add_files(files.filter(|files| is_clear(files) && !tree.is_folder(&join(folder, TEMPLATES))), None);
    }
    for folder in of_files {
        let files = LangFiles::find(tree, folder, LangSpot::FileName, ".ftl").and_then(LangFiles::without_subfolders);
        draft.add_files(files.filter(is_clear), None);
    }
}

const HUGO_FILES: [&str; 6] = ["hugo.toml", "hugo.yaml", "hugo.json", "config.toml", "config.yaml", "theme.toml"];

/// Hugo sites and themes: `i18n/en.toml`.
pub(super) fn hugo(tree: &ProjectTree, draft: &mut LayoutDraft) {
    if !HUGO_FILES.iter().any(|name| tree.files_named(name).next().is_some()) {
        return;
    }
    for folder in tree.folders_named(&["i18n"]) {
        for ending in [".toml", ".yaml", ".yml", ".json"] {
            let files =
                LangFiles::find(tree, folder, LangSpot::FileName, ending).and_then(LangFiles::without_subfolders);
            draft.add_files(files, Some(Dialect::GoI18n));
        }
    }
}

const OTHER_FOLDERS: [&str; 7] = ["_locales", "l10n", "localization", "nls", "strings", "texts", "trans"];
const OTHER_ENDINGS: [&str; 8] = [".json", ".json5", ".yaml", ".yml", ".toml", ".php", ".properties", ".xlf"];

/// Files in the usual folders that have a language in their path, and files such as `en.json` in the project root.
pub(super) fn usual_folders(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in tree.folders_named(&WEB_FOLDERS).chain(tree.folders_named(&OTHER_FOLDERS)) {
        add_folder(tree, draft, folder, &OTHER_ENDINGS, None);
        for ending in OTHER_ENDINGS {
            for c in ['.', '_', '-'] {
                let files =
                    LangFiles::find(tree, folder, LangSpot::Suffix(c), ending).and_then(LangFiles::without_subfolders);
                draft.add_files(files, None);
            }
        }
    }
    for ending in OTHER_ENDINGS {
        draft.add_files(
            LangFiles::find(tree, "", LangSpot::FileName, ending).and_then(LangFiles::without_subfolders),
            None,
        );
    }
}

pub(super) fn add_folder(
    tree: &ProjectTree,
    draft: &mut LayoutDraft,
    folder: &str,
    extensions: &[&'static str],
    dialect: Option<Dialect>,
) {
    for ending in extensions {
        draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(""), ending), dialect);
        let named = LangFiles::find(tree, folder, LangSpot::FileName, ending).and_then(LangFiles::without_subfolders);
        draft.add_files(named, dialect);
    }
}
