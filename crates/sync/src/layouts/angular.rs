//! Angular: `src/locale/messages.xlf` and `messages.de.xlf`, in the languages of `angular.json`.

use serde_json::Value;

use super::FoundRule;
use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of, join};

/// Finds the files of Angular's own localization.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_named("angular.json") {
        let workspace = folder_of(path);
        let json = tree.json(path);
        let projects = json.get("projects").and_then(Value::as_object).into_iter().flatten();
        for i18n in projects.filter_map(|(_, project)| project.get("i18n")) {
            let source = i18n.get("sourceLocale");
            draft.set_source(source.and_then(|source| source.as_str().or_else(|| source.get("code")?.as_str())));
            for (lang, _) in i18n.get("locales").and_then(Value::as_object).into_iter().flatten() {
                draft.add_lang(lang);
            }
        }
        for ending in [".xlf", ".xliff"] {
            add_files(tree, draft, workspace, ending);
        }
    }
}

fn add_files(tree: &ProjectTree, draft: &mut LayoutDraft, workspace: &str, ending: &'static str) {
    let paths =
        tree.below(workspace).filter(|path| path.ends_with(ending)).map(|path| join(workspace, folder_of(path)));
    let mut folders: Vec<String> = paths.map(|path| path.trim_end_matches('/').to_owned()).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let name = format!("messages{ending}");
        let source = Some(join(&folder, &name)).filter(|path| tree.has(path));
        let files = LangFiles::find(tree, &folder, LangSpot::Suffix('.'), ending).and_then(LangFiles::direct);
        let files = files.and_then(|files| files.filter(|path| path.starts_with("messages.")));
        if source.is_none() && files.is_none() {
            continue;
        }
        for lang in files.iter().flat_map(LangFiles::written) {
            draft.add_lang(lang);
        }
        let target = Some(join(&folder, &format!("messages.{{lang}}{ending}")));
        draft.add_rule(FoundRule { source, target, ..FoundRule::default() });
    }
}
