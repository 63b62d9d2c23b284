//! `tulk sync status`: how complete each file is.

use serde_json::json;

use super::{PROJECT, project, project_of, tulk};

#[test]
fn each_file_and_language_has_a_row() {
    let bench = project_of(
        &(PROJECT.to_owned() + "exclude_keys = [\"debug.*\"]\n"),
        &[
            ("locales/en/app.json", "{\"a\": \"One\", \"b\": \"Two\", \"debug\": {\"x\": \"X\"}}\n"),
            ("locales/de/app.json", "{\"a\": \"Eins\", \"old\": \"Alt\"}\n"),
        ],
    );
    let run = tulk(&bench, "sync status --header").code(0);
    assert_eq!(
        run.out(),
        "file\ttarget_lang\tunits\tcurrent\tmissing\tstale\treview\tfailed\tinvalid\textra\tskipped\n\
         locales/en/app.json\tde\t2\t1\t1\t0\t0\t0\t0\t1\t1\n\
         locales/en/app.json\tfr\t2\t0\t2\t0\t0\t0\t0\t0\t1\n"
    );
    let run = tulk(&bench, "sync status --to de --key a --json").code(0);
    assert_eq!(
        run.json(),
        json!([{
            "file": "locales/en/app.json", "target_lang": "de", "units": 1, "current": 1, "missing": 0, "stale": 0, "review": 0,
            "failed": 0, "invalid": 0, "extra": 0, "skipped": 1
        }])
    );
    assert!(bench.requests().is_empty());
    tulk(&bench, "sync").code(0);
    let rows = tulk(&bench, "sync status --columns target_lang,units,current,extra").code(0);
    assert_eq!(rows.out(), "de\t2\t2\t1\nfr\t2\t2\t0\n");
}

#[test]
fn names_a_language_without_a_rule() {
    let bench = project_of(
        &(PROJECT.to_owned() + "target_langs = [\"de\"]\n"),
        &[("locales/en/app.json", "{\"a\": \"One\"}\n")],
    );
    tulk(&bench, "sync status --columns target_lang,missing")
        .code(0)
        .prints("de\t1\n")
        .says("warning: fr is in `target_langs` of [sync], but in no rule; add it to those under [[sync.files]]\n");
    tulk(&bench, "sync --to fr").code(0).says("warning: fr is in `target_langs` of [sync]");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_gauges() {
    let bench = project(&[
        ("locales/en/app.json", "{\"a\": \"One\", \"b\": \"Two\"}\n"),
        ("locales/de/app.json", "{\"a\": \"Eins\"}\n"),
        ("locales/en/b.json", "{\"c\": \"Three\"}\n"),
    ]);
    let run = bench.bash("COLUMNS=100 script -qec 'tulk sync status' /dev/null").code(0);
    assert_eq!(
        run.out().replace('\r', ""),
        "locales/en/app.json  de  ███████████████░░░░░░░░░░░░░░░   50.0 %   1 of 2 texts, 1 missing\n\
         locales/en/app.json  fr  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0 %   0 of 2 texts, 2 missing\n\
         locales/en/b.json    de  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0 %   0 of 1 text, 1 missing\n\
         locales/en/b.json    fr  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0 %   0 of 1 text, 1 missing\n"
    );
}

#[test]
fn copies_values_that_are_not_texts_and_counts_skipped_ones() {
    const YAML: &str = "a: One # first\nmax: 1.50\nbeta: true\nday: 2026-01-02\nnone: ~\nb: &two Two\nagain: *two\n";
    const YAML_DE: &str = "a: ONE # first\nmax: 1.50\nbeta: true\nday: 2026-01-02\nnone: ~\nb: &two TWO\nagain: *two\n";
    for (ending, text, target, skipped) in [
        ("json", "{\"a\": \"One\", \"max\": 1.50, \"beta\": true, \"none\": null, \"list\": [2e3, \"Two\"]}\n", "", 0),
        ("arb", "{\n  \"@@locale\": \"en\",\n  \"a\": \"One\",\n  \"max\": 1.50,\n  \"beta\": false\n}\n", "", 0),
        ("yaml", YAML, YAML_DE, 1),
        ("toml", "a = \"One\"\nmax = 1.50\nbeta = true\nday = 2026-01-02\n[b]\nc = [1, \"Two\"]\n", "", 0),
        ("ftl", "a = One\nbroken = { $x\n    more\nbeta\n\nb = Two\n", "", 2),
        ("php", "<?php\nreturn [\n  'a' => 'One',\n  'max' => 5,\n  'on' => true,\n  'b' => FOO . 'x',\n];\n", "", 3),
    ] {
        let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"en.X\"\ntarget = \"{lang}.X\"\n";
        let (en, de) = (format!("en.{ending}"), format!("de.{ending}"));
        let bench = project_of(&config.replace('X', ending), &[(&en, text)]);
        let rows = tulk(&bench, "sync status --columns units,missing,skipped").code(0);
        let units = text.matches("One").count() + text.matches("Two").count();
        assert_eq!(rows.out(), format!("{units}\t{units}\t{skipped}\n"), "{ending}");
        tulk(&bench, "sync").code(0);
        let made = text.replace("One", "ONE").replace("Two", "TWO").replace("\"en\"", "\"de\"");
        assert_eq!(bench.read(&de), if target.is_empty() { made.as_str() } else { target }, "{ending}");
        let run = tulk(&bench, "sync").code(0);
        assert_eq!(bench.read(&de), if target.is_empty() { made } else { target.to_owned() }, "{ending}: {run}");
    }
}

#[test]
fn skips_xcode_keys_that_are_stale_or_without_letters() {
    let source = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"%lld\" : {\n\n    },\n    \"Old\" : {\n      \"extractionState\" : \"stale\"\n    },\n    \"—\" : {\n\n    }\n  },\n  \"version\" : \"1.0\"\n}\n";
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"A.xcstrings\"\n";
    let bench = project_of(config, &[("A.xcstrings", source)]);
    tulk(&bench, "sync status --columns units,missing,skipped").code(0).prints("0\t0\t3\n");
    tulk(&bench, "sync").code(0).prints("A.xcstrings\tde\tskipped\t3\t0\t0\n");
    assert_eq!(bench.read("A.xcstrings"), source);
    assert!(bench.requests().is_empty());
    let run = tulk(&bench, "translate --to de --as xcstrings -i A.xcstrings").code(0);
    assert_eq!(run.out(), source);
    run.says("hint: 3 texts skipped: no longer used by the program 1, without letters 2\n");
}
