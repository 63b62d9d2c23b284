//! Mistakes in a project and on the command line: each message has a helpful hint.

use super::{PROJECT, project, project_of, tulk};
use crate::common::Bench;

#[test]
fn a_file_name_without_its_folder_suggests_the_nearest_source() {
    let bench =
        project(&[("locales/en/common.json", "{\"a\": \"One\"}\n"), ("locales/en/shop.json", "{\"b\": \"Two\"}\n")]);
    let near = "error: --file common.json: the project has no such source\n  hint: did you mean --file locales/en/common.json?\n";
    for command in ["sync", "sync status", "sync accept", "sync --check"] {
        tulk(&bench, &format!("{command} --file common.json")).code(2).prints("").says(near);
    }
    tulk(&bench, "sync --file locales/en/comon.json").code(2).says("did you mean --file locales/en/common.json?\n");
    tulk(&bench, "sync --file src/main.rs").code(2).says("  hint: `tulk sync status` lists the files\n");
}

#[test]
fn suggests_the_code_for_a_language_name() {
    let names = [("english", "en"), ("German", "de"), ("deutsch", "de")];
    for (name, code) in names {
        let bench = project_of(&PROJECT.replace("\"en\"", &format!("\"{name}\"")), &[]);
        let said = format!("`{name}` is not a language of BCP 47; did you mean `{code}`?\n");
        tulk(&bench, "sync status").code(2).says("error: tulk.toml:2:15: ").says(&said);
    }
    let bench = project_of(&PROJECT.replace("\"de\"", "\"klingonish\""), &[]);
    tulk(&bench, "sync status").code(2).says("; write a code such as de, pt-BR or zh-Hant\n");
}

#[test]
fn a_malformed_file_can_be_excluded() {
    let bench = project(&[
        ("locales/en/a.json", "{\n  \"a\": \"One\",,\n}\n"),
        ("locales/en/b.json", "{\"b\": \"Two\"}\n"),
        ("locales/fr/b.json", "{\"b\": \"Deux\"\n"),
    ]);
    let hint = |file: &str| {
        format!(
            "  hint: fix the file, or exclude it: add `exclude = [\"{file}\"]` to its [[sync.files]] in tulk.toml\n"
        )
    };
    tulk(&bench, "sync").code(9).says(&hint("locales/en/a.json")).says(&hint("locales/fr/b.json"));
    tulk(&bench, "sync --check").code(2).says(&hint("locales/en/a.json"));
    let exclude = "exclude = [\"locales/en/a.json\", \"locales/fr/*.json\"]\n";
    bench.write("tulk.toml", [PROJECT, exclude].concat());
    tulk(&bench, "sync --check").code(0).prints("");
    tulk(&bench, "sync status --columns file,target_lang").code(0).prints("locales/en/b.json\tde\n");
    assert_eq!(bench.read("locales/fr/b.json"), "{\"b\": \"Deux\"\n");
}

#[test]
fn check_reports_a_broken_translation_as_broken() {
    let bench = project_of(
        &PROJECT.replace("\"de\", \"fr\"", "\"de\""),
        &[
            ("locales/en/a.json", "{\n  \"hi\": \"Hello {{name}}\",\n  \"b\": \"<b>Two</b>\"\n}\n"),
            ("locales/de/a.json", "{\n  \"hi\": \"Hallo\",\n  \"b\": \"<b>Zwei\"\n}\n"),
            ("tulk.lock", ""),
        ],
    );
    bench.write("tulk.toml", bench.read("tulk.toml").replace("\"none\"", "\"i18next\""));
    let run = tulk(&bench, "sync --check").code(1);
    assert_eq!(
        run.out(),
        "locales/de/a.json\t2\thi\tde\tbroken\tthe placeholder {{name}} is missing\n\
         locales/de/a.json\t3\tb\tde\tbroken\tthe placeholder </b> is missing\n"
    );
    assert_eq!(run.stderr, "2 texts are broken\nhint: `tulk sync --retranslate broken` replaces broken translations\n");
    assert_eq!(tulk(&bench, "sync --check --json").json()[0]["state"], "broken");
    let github = tulk(&bench, "sync --check --format github").code(1);
    assert!(github.out().contains("locales/de/a.json,line=2,title=broken (de)::hi: the placeholder"), "{github}");
    // Earlier versions called this state `invalid`.
    tulk(&bench, "sync --retranslate invalid -n").code(0).prints("locales/en/a.json\tde\tbroken\t2\t17\t1\n");
}

#[test]
fn does_not_report_numbers_and_booleans_of_a_catalogue() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("en.json", "{\"a\": \"One\", \"n\": 3, \"on\": true}\n");
    let run = bench.run(["translate", "--to", "de", "--as", "json", "-i", "en.json"]).code(0);
    assert_eq!((run.out(), run.stderr.as_str()), ("{\"a\": \"ONE\", \"n\": 3, \"on\": true}\n", ""));
}
