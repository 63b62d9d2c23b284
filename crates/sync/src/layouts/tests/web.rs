//! Frameworks of web applications.

use super::config;

#[test]
fn i18next_with_a_folder_for_each_language() {
    let text = config(&[
        ("package.json", "{\"dependencies\": {\"i18next\": \"^25.0.0\", \"react-i18next\": \"^15\"}}"),
        ("public/locales/en/translation.json", "{}"),
        ("public/locales/en/pages/home.json", "{}"),
        ("public/locales/de/translation.json", "{}"),
        ("public/locales/pt-BR/translation.json", "{}"),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "pt-BR"]

# i18next
[[sync.files]]
source = "public/locales/en/**/*.json"
target = "public/locales/{lang}/**/*.json"
dialect = "i18next"
"#
    );
}

#[test]
fn i18next_with_one_file_and_other_notations() {
    let text = config(&[
        ("web/package.json", "{\"devDependencies\": {\"next-i18next\": \"15\"}}"),
        ("web/src/i18n/en/common.json", "{}"),
        ("web/src/i18n/pt_BR/common.json", "{}"),
        ("web/src/i18n/zh_Hans/common.json", "{}"),
        ("web/src/i18n/cn/other.json", "{}"),
        ("other/locales/en.json", "{}"),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["pt-BR", "zh", "zh-Hans"]

# i18next
[[sync.files]]
source = "web/src/i18n/en/common.json"
target = "web/src/i18n/{lang}/common.json"
dialect = "i18next"
lang_style = "posix"

[sync.langs.zh]
path = "cn"
"#
    );
}

#[test]
fn next_intl_and_a_source_that_is_not_english() {
    let text = config(&[
        ("package.json", "{\"dependencies\": {\"next-intl\": \"4\"}}"),
        ("messages/de.json", "{}"),
        ("messages/fr.json", "{}"),
        ("messages/README.json", "{}"),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "de"
target_langs = ["fr"]

# next-intl
[[sync.files]]
source = "messages/de.json"
target = "messages/{lang}.json"
dialect = "icu"
"#
    );
}

#[test]
fn vue_i18n_in_json_and_yaml() {
    let text = config(&[
        ("package.json", "{\"dependencies\": {\"vue\": \"3\", \"vue-i18n\": \"11\"}}"),
        ("src/locales/en-US.json", "{}"),
        ("src/locales/ja.json", "{}"),
        ("src/components/i18n/en-US.yaml", ""),
        ("src/components/i18n/ja.yaml", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en-US"
target_langs = ["ja"]

# vue-i18n
[[sync.files]]
source = "src/components/i18n/en-US.yaml"
target = "src/components/i18n/{lang}.yaml"
dialect = "vue"

[[sync.files]]
source = "src/locales/en-US.json"
target = "src/locales/{lang}.json"
dialect = "vue"
"#
    );
}

#[test]
fn rails_with_gems_views_and_folders() {
    let text = config(&[
        ("Gemfile", "gem \"rails\""),
        ("config/application.rb", "# config.i18n.default_locale = :de\nconfig.i18n.default_locale = :en\n"),
        ("config/locales/en.yml", ""),
        ("config/locales/de.yml", ""),
        ("config/locales/devise.en.yml", ""),
        ("config/locales/simple_form.en.yml", ""),
        ("config/locales/simple_form.de.yml", ""),
        ("engines/shop/config/locales/views/en.yml", ""),
        ("engines/shop/config/locales/models/en.yml", ""),
        ("config/locales/en/mail.yml", ""),
        ("config/locales/defaults.yml", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de"]

# Rails
[[sync.files]]
source = "config/locales/en.yml"
target = "config/locales/{lang}.yml"
dialect = "rails"

[[sync.files]]
source = "config/locales/*.en.yml"
target = "config/locales/*.{lang}.yml"
dialect = "rails"

[[sync.files]]
source = "config/locales/en/mail.yml"
target = "config/locales/{lang}/mail.yml"
dialect = "rails"

# These files have no translations yet: remove the leading `# ` to translate them.
# [[sync.files]]
# source = "engines/shop/config/locales/**/en.yml"
# target = "engines/shop/config/locales/**/{lang}.yml"
# dialect = "rails"
"#
    );
}

#[test]
fn no_file_matches_two_patterns() {
    let text = config(&[
        ("config/locales/views/en.yml", ""),
        ("config/locales/models/en.yml", ""),
        ("config/locales/en/en.yml", ""),
        ("config/locales/models/de.yml", ""),
        ("config/locales/views/de.yml", ""),
        ("config/locales/de/de.yml", ""),
    ]);
    let sources: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("source = ")).collect();
    assert_eq!(
        sources,
        ["\"config/locales/models/en.yml\"", "\"config/locales/views/en.yml\"", "\"config/locales/en/en.yml\""]
    );
}

#[test]
fn symfony_with_plain_and_icu_messages() {
    let text = config(&[
        ("composer.json", "{\"require\": {\"symfony/translation\": \"7.*\"}}"),
        ("config/packages/translation.yaml", "framework:\n    default_locale: fr\n"),
        ("translations/messages.fr.yaml", ""),
        ("translations/messages.pt_BR.yaml", ""),
        ("translations/messages+intl-icu.fr.yaml", ""),
        ("translations/extra.fr.yaml", ""),
        ("translations/validators.fr.xlf", ""),
        ("translations/security.fr.xlf", ""),
        ("vendor/a/translations/messages.de.yaml", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "fr"
target_langs = ["pt-BR"]

# Symfony
[[sync.files]]
source = "translations/messages+intl-icu.fr.yaml"
target = "translations/messages+intl-icu.{lang}.yaml"
dialect = "icu"
lang_style = "posix"

[[sync.files]]
source = "translations/extra.fr.yaml"
target = "translations/extra.{lang}.yaml"
dialect = "none"
lang_style = "posix"

[[sync.files]]
source = "translations/messages.fr.yaml"
target = "translations/messages.{lang}.yaml"
dialect = "none"
lang_style = "posix"

[[sync.files]]
source = "translations/*.fr.xlf"
target = "translations/*.{lang}.xlf"
lang_style = "posix"
"#
    );
}

#[test]
fn laravel_with_arrays_and_json() {
    let text = config(&[
        ("artisan", ""),
        ("composer.json", "{\"require\": {\"laravel/framework\": \"^12.0\"}}"),
        ("lang/en/auth.php", "<?php"),
        ("lang/en/passwords.php", "<?php"),
        ("lang/de/auth.php", "<?php"),
        ("lang/en.json", "{}"),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de"]

# Laravel
[[sync.files]]
source = "lang/en/*.php"
target = "lang/{lang}/*.php"
lang_style = "posix"

[[sync.files]]
source = "lang/en.json"
target = "lang/{lang}.json"
dialect = "laravel"
lang_style = "posix"
"#
    );
}

#[test]
fn angular_with_the_languages_of_angular_json() {
    let angular = r#"{"projects": {"app": {"i18n": {"sourceLocale": {"code": "en-US"}, "locales": {"fr": "src/locale/messages.fr.xlf", "de": {"translation": "x"}}}}}}"#;
    let text =
        config(&[("angular.json", angular), ("src/locale/messages.xlf", ""), ("src/locale/messages.fr.xlf", "")]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en-US"
target_langs = ["de", "fr"]

# Angular
[[sync.files]]
source = "src/locale/messages.xlf"
target = "src/locale/messages.{lang}.xlf"
"#
    );
}
