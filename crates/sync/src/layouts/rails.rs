//! Rails: `config/locales/en.yml`, `config/locales/devise.en.yml`, `config/locales/en/views.yml`.

use tulk_catalogs::Dialect;

use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, join, value_after};

/// Finds the files of Rails and its engines.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in tree.folders_named(&["locales"]) {
        let Some(config) =
            folder.strip_suffix("/locales").filter(|config| *config == "config" || config.ends_with("/config"))
        else {
            continue;
        };
        let settings = tree.text(&join(config, "application.rb"));
        draft.set_source(value_after(&settings, "i18n.default_locale"));
        for ending in [".yml", ".yaml"] {
            let in_folders = LangFiles::find(tree, folder, LangSpot::Folder(""), ending);
            // `en/en.yml` has its language in both.
            let has_folder =
                |path: &str| path.split_once('/').is_some_and(|(first, _)| super::lang_files::lang_of(first).is_some());
            for spot in [LangSpot::FileName, LangSpot::Suffix('.')] {
                let named = LangFiles::find(tree, folder, spot, ending)
                    .and_then(|files| files.filter(|path| !has_folder(path)));
                draft.add_files(named, Some(Dialect::Rails));
            }
            draft.add_files(in_folders, Some(Dialect::Rails));
        }
    }
}
