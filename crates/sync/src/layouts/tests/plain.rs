//! Catalogues without a framework.

use super::config;

fn rules(files: &[&str]) -> Vec<(String, String)> {
    let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "")).collect();
    let text = config(&files);
    let values = |name: &str| {
        let start = format!("{name} = ");
        let values = text.lines().filter_map(|line| line.strip_prefix(start.as_str()));
        values.map(|value| value.trim_matches('"').to_owned()).collect::<Vec<_>>()
    };
    let (sources, targets) = (values("source"), values("target"));
    if sources.is_empty() {
        return targets.into_iter().map(|target| (String::new(), target)).collect();
    }
    sources.into_iter().zip(targets).collect()
}

#[test]
fn files_are_found_by_the_language_in_their_path() {
    for (files, source, target) in [
        (["locales/en.json", "locales/de.json"], "locales/en.json", "locales/{lang}.json"),
        (["src/strings/en-us.json", "src/strings/de.json"], "src/strings/en-us.json", "src/strings/{lang}.json"),
        (["i18n/en.toml", "i18n/pt.toml"], "i18n/en.toml", "i18n/{lang}.toml"),
        (["locales/en.yaml", "locales/de.yaml"], "locales/en.yaml", "locales/{lang}.yaml"),
        (["locales/app.en.yaml", "locales/app.de.yaml"], "locales/app.en.yaml", "locales/app.{lang}.yaml"),
        (["i18n/en/app.json", "i18n/de/app.json"], "i18n/en/app.json", "i18n/{lang}/app.json"),
        (
            ["resources/lang/en/app.php", "resources/lang/de/app.php"],
            "resources/lang/en/app.php",
            "resources/lang/{lang}/app.php",
        ),
        (["en.json", "de.json"], "en.json", "{lang}.json"),
        (
            ["_locales/en/messages.json", "_locales/pt_BR/messages.json"],
            "_locales/en/messages.json",
            "_locales/{lang}/messages.json",
        ),
        (["l10n/App_en.properties", "l10n/App_de.properties"], "l10n/App_en.properties", "l10n/App_{lang}.properties"),
        (["any/en-US/app.ftl", "any/de/app.ftl"], "any/en-US/app.ftl", "any/{lang}/app.ftl"),
        (["ls/texts/en.ftl", "ls/texts/de.ftl"], "ls/texts/en.ftl", "ls/texts/{lang}.ftl"),
        (["core/templates/app.ftl", "core/de/app.ftl"], "core/templates/app.ftl", "core/{lang}/app.ftl"),
        (["en/app.ftl", "de/app.ftl"], "en/app.ftl", "{lang}/app.ftl"),
        (["de.po", "fr.po"], "", "{lang}.po"),
        (["texts/de.po", "texts/app.pot"], "texts/app.pot", "texts/{lang}.po"),
        (["packages/lib/texts/en/web.po", "packages/lib/texts/de/web.po"], "", "packages/lib/texts/{lang}/web.po"),
        (["languages/shop-pt_BR.po", "languages/shop.pot"], "languages/shop.pot", "languages/shop-{lang}.po"),
    ] {
        assert_eq!(rules(&files), [(source.to_owned(), target.to_owned())], "{files:?}");
    }
}

#[test]
fn hugo_sites_have_a_dialect() {
    let text = config(&[("theme.toml", ""), ("i18n/en.yaml", ""), ("i18n/zh-cn.yaml", "")]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["zh-CN"]

# Hugo
[[sync.files]]
source = "i18n/en.yaml"
target = "i18n/{lang}.yaml"
dialect = "go-i18n"
lang_style = "lower"
"#
    );
}

#[test]
fn symfony_bundles_have_deeper_folders() {
    let composer = ("composer.json", "{\"require\": {\"symfony/translation-contracts\": \"^3\"}}");
    let text = config(&[
        composer,
        ("src/Resources/translations/validators.en.xlf", ""),
        ("src/Resources/translations/validators.pt_BR.xlf", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["pt-BR"]

# Symfony
[[sync.files]]
source = "src/Resources/translations/validators.en.xlf"
target = "src/Resources/translations/validators.{lang}.xlf"
lang_style = "posix"
"#
    );
}
