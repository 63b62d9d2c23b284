//! `tulk sync init` detects the layouts of frameworks and writes a project file.

use super::tulk;
use crate::common::Bench;

fn machine(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::bare();
    for (name, text) in files {
        bench.write(name, text);
    }
    bench
}

const I18NEXT: &[(&str, &str)] = &[
    ("package.json", "{\"dependencies\": {\"i18next\": \"^25.0.0\"}}\n"),
    ("public/locales/en/app.json", "{\"title\": \"My shop\"}\n"),
    ("public/locales/en/menu/main.json", "{\"open\": \"Open\"}\n"),
    ("public/locales/pt-BR/app.json", "{}\n"),
];

const I18NEXT_CONFIG: &str = r#"# The message catalogues of this project; `tulk sync` translates what is missing or has changed.

[sync]
source_lang = "en"
target_langs = ["pt-BR"]

# i18next
[[sync.files]]
source = "public/locales/en/**/*.json"
target = "public/locales/{lang}/**/*.json"
dialect = "i18next"
"#;

#[test]
fn detects_i18next() {
    let bench = machine(I18NEXT);
    let run = tulk(&bench, "sync init --dry-run").code(0).prints(I18NEXT_CONFIG);
    run.says("found i18next: public/locales/{lang}/**/*.json (en, pt-BR)\n");
    assert!(!bench.path("tulk.toml").exists(), "a dry run writes nothing");
    tulk(&bench, "sync init")
        .code(0)
        .prints("")
        .says("found i18next: public/locales/{lang}/**/*.json (en, pt-BR)\nwrote tulk.toml\n");
    assert_eq!(bench.read("tulk.toml"), I18NEXT_CONFIG);
    let rows = tulk(&bench, "sync status").code(0);
    assert_eq!(
        rows.out(),
        "public/locales/en/app.json\tpt-BR\t1\t0\t1\t0\t0\t0\t0\t0\t0\n\
         public/locales/en/menu/main.json\tpt-BR\t1\t0\t1\t0\t0\t0\t0\t0\t0\n"
    );
}

#[test]
fn detects_rails() {
    let bench = machine(&[
        (
            "config/application.rb",
            "module Shop\n  class Application\n    config.i18n.default_locale = :de\n  end\nend\n",
        ),
        ("config/locales/de.yml", "de:\n  hello: Hallo\n"),
        ("config/locales/en.yml", "en:\n  hello: Hello\n"),
    ]);
    tulk(&bench, "sync init").code(0).says("found Rails: config/locales/{lang}.yml (de, en)\n");
    assert_eq!(
        bench.read("tulk.toml"),
        r#"# The message catalogues of this project; `tulk sync` translates what is missing or has changed.

[sync]
source_lang = "de"
target_langs = ["en"]

# Rails
[[sync.files]]
source = "config/locales/de.yml"
target = "config/locales/{lang}.yml"
dialect = "rails"
"#
    );
}

#[test]
fn detects_android() {
    let strings = "<resources>\n    <string name=\"hello\">Hello</string>\n</resources>\n";
    let bench = machine(&[
        ("app/src/main/res/values/strings.xml", strings),
        ("app/src/main/res/values-pt-rBR/strings.xml", "<resources>\n</resources>\n"),
        ("app/build.gradle", ""),
    ]);
    tulk(&bench, "sync init").code(0).says("found Android: app/src/main/res/values-{lang}/strings.xml (pt-BR)\n");
    assert_eq!(
        bench.read("tulk.toml"),
        r#"# The message catalogues of this project; `tulk sync` translates what is missing or has changed.

[sync]
source_lang = "en"
target_langs = ["pt-BR"]

# Android
[[sync.files]]
source = "app/src/main/res/values/strings.xml"
target = "app/src/main/res/values-{lang}/strings.xml"
lang_style = "android"
"#
    );
    let rows = tulk(&bench, "sync status --columns target_lang,missing").code(0);
    assert_eq!(rows.out(), "pt-BR\t1\n");
}

#[test]
fn never_replaces_an_existing_project_file() {
    let bench = machine(I18NEXT);
    bench.write("tulk.toml", "# mine\n");
    tulk(&bench, "sync init").code(2).says("error: tulk.toml exists\n");
    assert_eq!(bench.read("tulk.toml"), "# mine\n");
    std::fs::remove_file(bench.path("tulk.toml")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("elsewhere.toml", bench.path("tulk.toml")).unwrap();
        tulk(&bench, "sync init").code(2).says("tulk.toml exists");
        assert!(!bench.path("elsewhere.toml").exists());
    }
}

#[test]
fn names_a_directory_without_catalogues() {
    let bench = machine(&[("readme.txt", "Hello\n")]);
    tulk(&bench, "sync init").code(2).says("error: no message catalogues were found in this directory\n");
    assert!(!bench.path("tulk.toml").exists());
    tulk(&bench, "sync --check").code(2).says("error: there is no tulk.toml in this directory or above\n");
}
