//! The project file for several layouts.

use super::super::super::project::LangTag;
use super::super::super::project::tests::project;
use super::super::{FoundLayout, FoundRule, render_config};
use super::{config, config_of, tree};

#[test]
fn several_frameworks_share_a_project() {
    let text = config(&[
        ("web/package.json", "{\"dependencies\": {\"i18next\": \"25\", \"vue-i18n\": \"11\"}}"),
        ("web/locales/en.json", "{}"),
        ("web/locales/pt-br.json", "{}"),
        ("app/src/main/res/values/strings.xml", ""),
        ("app/src/main/res/values-pt-rBR/strings.xml", ""),
        ("app/src/main/res/values-de/strings.xml", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "pt-BR"]

# i18next
[[sync.files]]
source = "web/locales/en.json"
target = "web/locales/{lang}.json"
dialect = "i18next"
lang_style = "lower"
target_langs = ["pt-BR"]

# Android
[[sync.files]]
source = "app/src/main/res/values/strings.xml"
target = "app/src/main/res/values-{lang}/strings.xml"
lang_style = "android"
"#
    );
}

fn layout(name: &'static str, source: &str, langs: &[&str], paths: &[(&str, &str)]) -> FoundLayout {
    let rule = FoundRule {
        source: Some(format!("{name}/x.json")),
        target: Some(format!("{name}/{{lang}}.json")),
        ..FoundRule::default()
    };
    FoundLayout {
        name,
        rules: vec![rule],
        source_lang: Some(source.to_owned()),
        target_langs: langs.iter().map(|lang| (*lang).to_owned()).collect(),
        lang_paths: paths.iter().map(|(lang, path)| ((*lang).to_owned(), (*path).to_owned())).collect(),
    }
}

#[test]
fn conflicting_layouts_become_comments() {
    let text = render_config(&[
        layout("One", "en", &["fr", "zh", "sr"], &[("zh", "cn"), ("sr", "rs")]),
        layout("Two", "de", &["en", "zh"], &[]),
    ]);
    assert_eq!(
        text.split_once("\n\n").unwrap().1,
        r#"[sync]
source_lang = "en"
target_langs = ["fr", "sr", "zh"]

# One
[[sync.files]]
source = "One/x.json"
target = "One/{lang}.json"

# Two
# These files are in de, not in en: they need a separate project.
# [[sync.files]]
# source = "Two/x.json"
# target = "Two/{lang}.json"

[sync.langs.sr]
path = "rs"

# [sync.langs.zh]
# path = "cn"
"#
    );
    let dir = tree(&[]);
    assert_eq!(project(dir.path(), &text).unwrap().settings.langs.len(), 3);
}

#[test]
fn rules_without_translations_are_comments() {
    let dir = tree(&[
        ("app/src/main/res/values/strings.xml", ""),
        ("app/src/main/res/values-de/strings.xml", ""),
        ("app/src/main/res/values-de/plurals.xml", ""),
        ("app/src/main/res/values/plurals.xml", ""),
        ("app/src/main/res/values-fr/strings.xml", ""),
        ("app/src/debug/res/values/strings.xml", ""),
        ("app/src/tv/res/values/strings.xml", ""),
    ]);
    let (mut layouts, text) = config_of(dir.path());
    assert_eq!(
        text.split_once("\n\n").unwrap().1,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]

# Android
[[sync.files]]
source = "app/src/main/res/values/plurals.xml"
target = "app/src/main/res/values-{lang}/plurals.xml"
as = "android"
lang_style = "android"

[[sync.files]]
source = "app/src/main/res/values/strings.xml"
target = "app/src/main/res/values-{lang}/strings.xml"
lang_style = "android"

# These files have no translations yet: remove the leading `# ` to translate them.
# [[sync.files]]
# source = "app/src/debug/res/values/strings.xml"
# target = "app/src/debug/res/values-{lang}/strings.xml"
# lang_style = "android"
#
# [[sync.files]]
# source = "app/src/tv/res/values/strings.xml"
# target = "app/src/tv/res/values-{lang}/strings.xml"
# lang_style = "android"
"#
    );
    layouts[0].set_targets(&[LangTag::parse("es").unwrap()]);
    let text = render_config(&layouts);
    assert!(text.contains("target_langs = [\"es\"]\n") && text.matches("target_langs").count() == 1, "{text}");
}

#[test]
fn merges_many_similar_rules() {
    let mut files = vec![("parts/core/locales/fr.json".to_owned(), "{}")];
    for part in ["core", "web", "mail", "shop", "admin", "test"] {
        files.push((format!("parts/{part}/locales/en.json"), "{}"));
        files.push((format!("parts/{part}/locales/de.json"), "{}"));
        files.push((format!("src/org/{part}/Texts.properties"), ""));
        files.push((format!("src/org/{part}/Texts_de.properties"), ""));
    }
    files.extend(["src/org/a/b/Texts.properties", "src/org/a/b/Texts_de.properties"].map(|path| (path.to_owned(), "")));
    // This file is not translated, so the merged pattern must not match it.
    files.push(("src/com/Texts.properties".to_owned(), ""));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    assert_eq!(
        config(&files),
        r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]

# Spring
[[sync.files]]
source = "src/org/**/Texts.properties"
target = "src/org/**/Texts_{lang}.properties"
lang_style = "posix"
target_langs = ["de"]

# your files
[[sync.files]]
source = "parts/*/locales/en.json"
target = "parts/*/locales/{lang}.json"
"#
    );
}

#[test]
fn a_config_without_translations_is_valid() {
    let dir = tree(&[("active.en.toml", "")]);
    let (layouts, text) = config_of(dir.path());
    assert_eq!(layouts[0].target_langs, [""; 0]);
    assert!(
        text.contains("# No translations were found: list the languages that you want.\ntarget_langs = [\"de\"]\n"),
        "{text}"
    );
}

#[cfg(unix)] // Windows does not allow these names
#[test]
fn special_characters_in_paths_are_quoted_or_left_out() {
    let dir = tree(&[("a\"b/active.en.toml", ""), ("a*b/active.en.toml", ""), ("{lang}/active.en.toml", "")]);
    let (layouts, text) = config_of(dir.path());
    assert_eq!(layouts[0].rules.len(), 1, "{text}");
    assert!(text.contains("source = 'a\"b/active.en.toml'\n"), "{text}");
    assert_eq!(super::super::find_layouts(dir.path(), None), layouts);
}

#[test]
fn the_source_language_may_be_unknown() {
    let dir = tree(&[("po/en.po", ""), ("po/de.po", "")]);
    let (layouts, text) = config_of(dir.path());
    assert_eq!(
        (layouts[0].source_lang.as_deref(), layouts[0].target_langs.as_slice()),
        (None, ["de".to_owned()].as_slice())
    );
    assert!(text.contains("source_lang = \"en\"\ntarget_langs = [\"de\"]\n"), "{text}");
}
