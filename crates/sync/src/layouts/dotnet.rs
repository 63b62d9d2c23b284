//! .NET: `Resources.resx` and `Resources.de.resx`.

use super::FoundRule;
use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, file_name, folder_of, join, value_after};

/// Files of texts, by custom. Others are of texts if another language has them: those of windows hold sizes and images.
const NAMES: [&str; 6] = ["Resources", "AppResources", "Strings", "SharedResource", "SharedResources", "Messages"];

/// Finds the resources of projects.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_ending(".csproj") {
        draft.set_source(value_after(&tree.text(path), "<NeutralLanguage"));
    }
    let mut folders: Vec<&str> = tree.files_ending(".resx").map(folder_of).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let files = LangFiles::find(tree, folder, LangSpot::Suffix('.'), ".resx").and_then(LangFiles::direct);
        let translated: Vec<String> =
            files.iter().flat_map(LangFiles::templates).map(|path| path.replace(".{lang}", "")).collect();
        for lang in files.iter().flat_map(LangFiles::written) {
            draft.add_lang(lang);
        }
        let names = tree.below(folder).filter(|path| !path.contains('/')).filter_map(|path| path.strip_suffix(".resx"));
        for stem in names.map(file_name) {
            let name = format!("{stem}.resx");
            if translated.contains(&name) || NAMES.contains(&stem) {
                let target = Some(join(folder, &format!("{stem}.{{lang}}.resx")));
                draft.add_rule(FoundRule { source: Some(join(folder, &name)), target, ..FoundRule::default() });
            }
        }
    }
}
