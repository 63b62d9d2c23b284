//! Frameworks in PHP: Symfony with `translations/messages.en.yaml`, Laravel with `lang/en/auth.php` and `lang/en.json`.

use tulk_catalogs::Dialect;

use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of, join, value_after};

/// What the names of Symfony's files in ICU's syntax contain.
const ICU: &str = "+intl-icu.";

/// Returns the folders of packages whose `composer.json` names a package that begins with this.
fn packages<'a>(tree: &'a ProjectTree, start: &'a str) -> impl Iterator<Item = &'a str> {
    let needs = move |path: &&str| {
        let json = tree.json(path);
        let names = |table: &str| {
            json.get(table).and_then(|table| table.as_object()).into_iter().flatten().map(|(name, _)| name)
        };
        names("require").chain(names("require-dev")).any(|name| name.starts_with(start))
    };
    tree.files_named("composer.json").filter(needs).map(folder_of)
}

/// Finds the files of Symfony.
pub fn symfony(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for package in packages(tree, "symfony/") {
        let settings = tree.text(&join(package, "config/packages/translation.yaml"));
        draft.set_source(value_after(&settings, "default_locale"));
        let folder = join(package, "translations");
        for ending in [".yaml", ".yml", ".xlf", ".xliff", ".json", ".php", ".po"] {
            let has_dialect = matches!(ending, ".yaml" | ".yml" | ".json");
            for (icu, dialect) in [(true, Dialect::Icu), (false, Dialect::None)] {
                let files = LangFiles::find(tree, &folder, LangSpot::Suffix('.'), ending).and_then(LangFiles::direct);
                let files = files.and_then(|files| files.filter(|path| path.contains(ICU) == icu));
                draft.add_files(files, has_dialect.then_some(dialect));
            }
        }
    }
}

/// Finds the files of Laravel.
pub fn laravel(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let mut folders: Vec<&str> = packages(tree, "laravel/").chain(tree.files_named("artisan").map(folder_of)).collect();
    folders.sort_unstable();
    folders.dedup();
    for package in folders {
        draft.set_source(value_after(&tree.text(&join(package, "config/app.php")), "'locale' => "));
        for folder in ["lang", "resources/lang"] {
            let folder = join(package, folder);
            draft.add_files(LangFiles::find(tree, &folder, LangSpot::Folder(""), ".php"), None);
            let json = LangFiles::find(tree, &folder, LangSpot::FileName, ".json").and_then(LangFiles::direct);
            draft.add_files(json, Some(Dialect::None));
        }
    }
}
