//! Flutter: `lib/l10n/app_en.arb`, or where `l10n.yaml` says.

use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot, lang_of};
use super::tree::{ProjectTree, file_name, folder_of, value_after};

/// Finds the files of Flutter.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_named("l10n.yaml") {
        // app_en.arb
        let text = tree.text(path);
        let template = value_after(&text, "template-arb-file").and_then(|name| file_name(name).strip_suffix(".arb"));
        let lang = template.and_then(|stem| {
            let mut ends = stem.match_indices('_').filter_map(|(at, _)| stem.get(at + 1..));
            ends.find(|lang| lang_of(lang).is_some())
        });
        draft.set_source(lang);
    }
    let mut folders: Vec<&str> = tree.files_ending(".arb").map(folder_of).collect();
    folders.dedup();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let files = LangFiles::find(tree, folder, LangSpot::Suffix('_'), ".arb").and_then(LangFiles::direct);
        for files in files.iter().flat_map(LangFiles::each) {
            draft.add_files(Some(files), None);
        }
    }
}
