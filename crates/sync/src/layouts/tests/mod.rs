//! Layouts of frameworks, with files like those that the tools of each framework create.

mod apps;
mod plain;
mod render;
mod web;

use std::path::Path;

use super::super::project::tests::project;
use super::{FoundLayout, find_layouts, render_config};

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// Also checks that the project file is valid and every rule matches files.
fn config_of(dir: &Path) -> (Vec<FoundLayout>, String) {
    let layouts = find_layouts(dir, None);
    let text = render_config(&layouts);
    if !layouts.is_empty() {
        let found = project(dir, &text)
            .and_then(|project| project.files())
            .unwrap_or_else(|failure| panic!("{failure}\n{text}"));
        assert!(found.warnings.is_empty(), "{:?}\n{text}", found.warnings);
    }
    (layouts, text)
}

/// Returns the project file without the comment at its start.
fn config(files: &[(&str, &str)]) -> String {
    let dir = tree(files);
    let (_, text) = config_of(dir.path());
    text.split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn other_folders_have_no_layout() {
    let dir = tree(&[
        ("package.json", "{\"dependencies\": {\"react\": \"19\"}}"),
        ("config/locale.yml", ""),
        ("res/layout/main.xml", ""),
        ("app.properties", ""),
        ("po/notes.txt", ""),
        ("guide/en.md", ""),
    ]);
    assert_eq!(find_layouts(dir.path(), None), []);
    assert_eq!(find_layouts(&dir.path().join("missing"), None), []);
}

#[test]
fn files_without_a_framework_are_found_in_the_usual_folders() {
    let files = [
        ("src/locales/en.json", "{}"),
        ("src/locales/de.json", "{}"),
        ("i18n/en/a.yml", ""),
        ("i18n/en/b.yml", ""),
        ("i18n/de/a.yml", ""),
    ];
    assert_eq!(
        config(&files),
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n# your files\n\
         [[sync.files]]\nsource = \"i18n/en/*.yml\"\ntarget = \"i18n/{lang}/*.yml\"\n\n\
         [[sync.files]]\nsource = \"src/locales/en.json\"\ntarget = \"src/locales/{lang}.json\"\n"
    );
}

#[test]
fn next_to_a_framework_only_translated_files_are_catalogues() {
    let text = config(&[
        ("po/fr.po", ""),
        ("src/locales/en.json", "{}"),
        ("src/locales/de.json", "{}"),
        ("guide/i18n/en.yml", ""),
        ("site/i18n/ar/meta.json", "{}"),
        ("site/i18n/fr/meta.json", "{}"),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]

# gettext
[[sync.files]]
target = "po/{lang}.po"
lang_style = "posix"
target_langs = ["fr"]

# your files
[[sync.files]]
source = "src/locales/en.json"
target = "src/locales/{lang}.json"
target_langs = ["de"]
"#
    );
}

#[test]
fn test_files_are_left_out() {
    let files = [("tests/locales/en.json", "{}"), ("tests/locales/fr.json", "{}")];
    assert!(config(&files).contains("source = \"tests/locales/en.json\"\n"), "there are no others");
    let mut files = files.to_vec();
    files.extend([("src/locales/en.json", "{}"), ("src/locales/de.json", "{}")]);
    assert_eq!(
        config(&files),
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n# your files\n\
         [[sync.files]]\nsource = \"src/locales/en.json\"\ntarget = \"src/locales/{lang}.json\"\n"
    );
}

#[test]
fn dependencies_and_hidden_folders_are_left_out() {
    let package = "{\"dependencies\": {\"i18next\": \"25\"}}";
    let dir = tree(&[
        ("package.json", package),
        ("node_modules/a/locales/en.json", "{}"),
        (".next/locales/en.json", "{}"),
        ("dist/locales/en.json", "{}"),
    ]);
    assert_eq!(find_layouts(dir.path(), None), []);
}

#[test]
fn deep_folders_are_searched() {
    let text = config(&[("1/2/3/4/5/6/7/8/9/10/11/12/locales/en.json", "{}")]);
    assert!(text.contains("source = \"1/2/3/4/5/6/7/8/9/10/11/12/locales/en.json\"\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let outside = tree(&[("locales/en.json", "{}"), ("locales/de.json", "{}")]);
    let dir = tree(&[("package.json", "{\"dependencies\": {\"i18next\": \"25\"}}")]);
    std::os::unix::fs::symlink(outside.path().join("locales"), dir.path().join("locales")).unwrap();
    std::os::unix::fs::symlink("..", dir.path().join("i18n")).unwrap();
    assert_eq!(find_layouts(dir.path(), None), []);
}
