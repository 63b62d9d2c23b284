//! Frameworks for apps and servers.

use super::{config, tree};
use crate::layouts::find_layouts;

#[test]
fn django_with_several_applications() {
    let text = config(&[
        ("manage.py", ""),
        ("mysite/settings.py", "LANGUAGE_CODE = \"en-us\"\nTIME_ZONE = \"UTC\"\n"),
        ("locale/en/LC_MESSAGES/django.po", ""),
        ("locale/de/LC_MESSAGES/django.po", ""),
        ("locale/de/LC_MESSAGES/djangojs.po", ""),
        ("locale/pt_BR/LC_MESSAGES/django.po", ""),
        ("polls/locale/zh_Hans/LC_MESSAGES/django.po", ""),
        ("shop/locale/de/LC_MESSAGES/django.po", ""),
        ("shop/locale/de/LC_MESSAGES/djangojs.po", ""),
        ("shop/locale/de/LC_MESSAGES/other.po", ""),
        ("venv/lib/django/locale/fr/LC_MESSAGES/django.po", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en-US"
target_langs = ["de", "pt-BR", "zh-Hans"]

# Django
[[sync.files]]
target = "locale/{lang}/LC_MESSAGES/*.po"
lang_style = "posix"
target_langs = ["de", "pt-BR"]

[[sync.files]]
target = "polls/locale/{lang}/LC_MESSAGES/django.po"
lang_style = "posix"
target_langs = ["zh-Hans"]

[[sync.files]]
target = "shop/locale/{lang}/LC_MESSAGES/django.po"
lang_style = "posix"
target_langs = ["de"]

[[sync.files]]
target = "shop/locale/{lang}/LC_MESSAGES/djangojs.po"
lang_style = "posix"
target_langs = ["de"]

# gettext
[[sync.files]]
target = "shop/locale/{lang}/LC_MESSAGES/other.po"
lang_style = "posix"
target_langs = ["de"]
"#
    );
}

#[test]
fn gettext_with_and_without_templates() {
    let text = config(&[
        ("po/app.pot", ""),
        ("po/de.po", ""),
        ("po/sr@latin.po", ""),
        ("messages.pot", ""),
        ("translations/de/LC_MESSAGES/messages.po", ""),
        ("lib/locale/fr/LC_MESSAGES/lib.po", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "fr", "sr-Latn"]

# gettext
[[sync.files]]
target = "lib/locale/{lang}/LC_MESSAGES/lib.po"
lang_style = "posix"
target_langs = ["fr"]

[[sync.files]]
source = "messages.pot"
target = "translations/{lang}/LC_MESSAGES/messages.po"
lang_style = "posix"
target_langs = ["de"]

[[sync.files]]
source = "po/app.pot"
target = "po/{lang}.po"
lang_style = "posix"
target_langs = ["de", "sr-Latn"]

[sync.langs.sr-Latn]
path = "sr@latin"
"#
    );
}

#[test]
fn gettext_with_many_files_of_a_language() {
    let text = config(&[("texts/de/a.po", ""), ("texts/de/b.po", ""), ("texts/fr/b.po", "")]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]

# gettext
[[sync.files]]
target = "texts/{lang}/*.po"
lang_style = "posix"
"#
    );
}

#[test]
fn flutter_source_language_from_l10n_yaml() {
    let text = config(&[
        ("pubspec.yaml", ""),
        (
            "l10n.yaml",
            "arb-dir: lib/l10n\ntemplate-arb-file: my_app_en_US.arb\noutput-localization-file: app_localizations.dart\n",
        ),
        ("lib/l10n/my_app_en_US.arb", "{}"),
        ("lib/l10n/my_app_pt_BR.arb", "{}"),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en-US"
target_langs = ["pt-BR"]

# Flutter
[[sync.files]]
source = "lib/l10n/my_app_en_US.arb"
target = "lib/l10n/my_app_{lang}.arb"
lang_style = "posix"
"#
    );
}

#[test]
fn android_ignores_qualifiers_that_are_not_languages() {
    let text = config(&[
        ("app/build.gradle.kts", ""),
        ("app/src/main/res/values/strings.xml", ""),
        ("app/src/main/res/values/arrays.xml", ""),
        ("app/src/main/res/values/colors.xml", ""),
        ("app/src/main/res/values-night/colors.xml", ""),
        ("app/src/main/res/values-v31/strings.xml", ""),
        ("app/src/main/res/values-sw600dp/strings.xml", ""),
        ("app/src/main/res/values-car/strings.xml", ""),
        ("app/src/main/res/values-de/strings.xml", ""),
        ("app/src/main/res/values-de/arrays.xml", ""),
        ("app/src/main/res/values-pt-rBR/strings.xml", ""),
        ("app/src/main/res/values-b+sr+Latn/strings.xml", ""),
        ("app/src/main/res/values-iw/strings.xml", ""),
        ("app/src/main/res/values-in/strings.xml", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "he", "id", "pt-BR", "sr-Latn"]

# Android
[[sync.files]]
source = "app/src/main/res/values/arrays.xml"
target = "app/src/main/res/values-{lang}/arrays.xml"
as = "android"
lang_style = "android"

[[sync.files]]
source = "app/src/main/res/values/strings.xml"
target = "app/src/main/res/values-{lang}/strings.xml"
lang_style = "android"
"#
    );
}

#[test]
fn xcode_with_catalogues_and_folders() {
    let text = config(&[
        (
            "App.xcodeproj/project.pbxproj",
            "developmentRegion = en;\nhasScannedForEncodings = 0;\nknownRegions = (\n\ten,\n\tBase,\n\t\"pt-BR\",\n);\n",
        ),
        (
            "App/Localizable.xcstrings",
            r#"{"sourceLanguage": "en", "strings": {"Hello": {"localizations": {"de": {}, "zh-Hans": {}}}}, "version": "1.0"}"#,
        ),
        ("App/en.lproj/InfoPlist.strings", ""),
        ("App/de.lproj/InfoPlist.strings", ""),
        ("App/Base.lproj/Main.storyboard", ""),
        ("App/en.lproj/Localizable.strings", ""),
        ("App/en.lproj/Localizable.stringsdict", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "pt-BR", "zh-Hans"]

# Xcode
[[sync.files]]
source = "App/Localizable.xcstrings"

[[sync.files]]
source = "App/en.lproj/*.strings"
target = "App/{lang}.lproj/*.strings"

[[sync.files]]
source = "App/en.lproj/Localizable.stringsdict"
target = "App/{lang}.lproj/Localizable.stringsdict"
"#
    );
}

#[test]
fn xcode_with_source_texts_in_base() {
    let text = config(&[
        (
            "App.xcodeproj/project.pbxproj",
            "developmentRegion = en;\nknownRegions = (\n\ten,\n\tBase,\n\tde,\n\tfr,\n);\n",
        ),
        ("App/Base.lproj/Localizable.strings", ""),
        ("App/Base.lproj/Main.storyboard", ""),
        ("App/de.lproj/Localizable.strings", ""),
        ("App/de.lproj/Main.strings", ""),
        ("App/fr.lproj/Localizable.strings", ""),
        ("App/Base.lproj/Rows.strings", ""),
        ("App/en.lproj/Rows.strings", ""),
        ("App/de.lproj/Rows.strings", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]

# Xcode
[[sync.files]]
source = "App/Base.lproj/Localizable.strings"
target = "App/{lang}.lproj/Localizable.strings"

[[sync.files]]
source = "App/en.lproj/Rows.strings"
target = "App/{lang}.lproj/Rows.strings"
"#
    );
    let dir = tree(&[("App/de.lproj/Main.strings", ""), ("App/fr.lproj/Main.strings", "")]);
    assert_eq!(find_layouts(dir.path(), None), [], "a translation is no source");
}

#[test]
fn dotnet_with_folders_of_languages() {
    let text = config(&[
        ("src/App/App.csproj", "<Project></Project>"),
        ("src/App/Strings/en-US/Resources.resw", ""),
        ("src/App/Strings/de-DE/Resources.resw", ""),
        ("src/App/Strings/zh-Hans/Resources.resw", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en-US"
target_langs = ["de-DE", "zh-Hans"]

# .NET
[[sync.files]]
source = "src/App/Strings/en-US/Resources.resw"
target = "src/App/Strings/{lang}/Resources.resw"
"#
    );
}

#[test]
fn dotnet_ignores_resx_files_of_forms() {
    let text = config(&[
        (
            "App/App.csproj",
            "<Project><PropertyGroup><NeutralLanguage>en-US</NeutralLanguage></PropertyGroup></Project>",
        ),
        ("App/Properties/Resources.resx", ""),
        ("App/Properties/Resources.de.resx", ""),
        ("App/Properties/Resources.zh-Hans.resx", ""),
        ("App/Shared.resx", ""),
        ("App/Form1.resx", ""),
        ("App/Strings.resx", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en-US"
target_langs = ["de", "zh-Hans"]

# .NET
[[sync.files]]
source = "App/Properties/Resources.resx"
target = "App/Properties/Resources.{lang}.resx"

# These files have no translations yet: remove the leading `# ` to translate them.
# [[sync.files]]
# source = "App/Strings.resx"
# target = "App/Strings.{lang}.resx"
"#
    );
}

#[test]
fn spring_and_other_bundles() {
    let text = config(&[
        ("pom.xml", "<artifactId>spring-boot-starter</artifactId>"),
        ("src/main/resources/application.properties", ""),
        ("src/main/resources/application-dev.properties", ""),
        ("src/main/resources/messages.properties", ""),
        ("src/main/resources/messages_pt_BR.properties", ""),
        ("src/main/resources/errors.properties", ""),
        ("src/main/resources/errors_de.properties", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de", "pt-BR"]

# Spring
[[sync.files]]
source = "src/main/resources/errors.properties"
target = "src/main/resources/errors_{lang}.properties"
dialect = "spring"
lang_style = "posix"

[[sync.files]]
source = "src/main/resources/messages.properties"
target = "src/main/resources/messages_{lang}.properties"
dialect = "spring"
lang_style = "posix"
"#
    );
}

#[test]
fn go_i18n_by_file_name_or_go_mod() {
    let text = config(&[
        ("active.en.toml", ""),
        ("active.de.toml", ""),
        ("translate.de.toml", ""),
        ("go.mod", "require github.com/nicksnyder/go-i18n/v2 v2.4.0"),
        ("internal/locales/en.yaml", ""),
        ("internal/locales/de.yaml", ""),
    ]);
    assert_eq!(
        text,
        r#"[sync]
source_lang = "en"
target_langs = ["de"]

# go-i18n
[[sync.files]]
source = "active.en.toml"
target = "active.{lang}.toml"
dialect = "go-i18n"

[[sync.files]]
source = "internal/locales/en.yaml"
target = "internal/locales/{lang}.yaml"
dialect = "go-i18n"
"#
    );
}
