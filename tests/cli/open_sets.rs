//! Flags whose valid values the service may extend: an unknown value is refused, but `--no-check` sends it.

use crate::common::Bench;

#[test]
fn sends_an_unknown_word_only_with_no_check() {
    let bench = Bench::new();
    for (command, flag, field) in [
        ("write rephrase", "--style", "writing_style"),
        ("write rephrase", "--tone", "tone"),
        ("translate --to de", "--formality", "formality"),
        ("translate --to de", "--model-type", "model_type"),
    ] {
        let args = || command.split(' ').chain([flag, "pirate", "--dry-run", "-q", "hello"]);
        let run = bench.run(args()).code(2).prints("").says(&format!("error: {flag}: invalid value `pirate`\n"));
        run.says("valid values: ").says("; --no-check sends any other word\n");
        let run = bench.run(args().chain(["--no-check"])).code(0);
        assert!(run.out().contains(&format!("\"{field}\":\"pirate\"")), "{run}");
    }
    bench.run(["translate", "--to", "de", "--formality", "mroe", "hello"]).code(2).says("did you mean `more`?");
    bench.run(["write", "rephrase", "--style", "none", "hello"]).code(2);
    bench.run(["translate", "--to", "de", "--formality", "none", "hello"]).code(0);
}

#[test]
fn write_accepts_unknown_fields() {
    let bench = Bench::new();
    let args = ["write", "rephrase", "--dry-run", "-q", "--param", "level={\"a\": 1.10}", "hello"];
    let run = bench.run(args).code(0);
    assert!(run.out().contains("\"level\":{\"a\": 1.10}"), "{run}");
    let twice = ["write", "rephrase", "--tone", "friendly", "--param", "tone=\"x\"", "hello"];
    bench.run(twice).code(2).says("--param tone: this field is already set");
    bench.run(["write", "correct", "--param", "level", "hello"]).code(2).says("--param `level` is not KEY=JSON");
}

#[test]
fn voice_also_accepts_unknown_words_with_no_check() {
    let bench = Bench::new();
    let session = ["voice", "session", "--to", "de", "--content-type", "audio/ogg", "--formality", "rude"];
    let run = bench.run(session).code(2).says("error: --formality: invalid value `rude`\n");
    run.says("valid values: default, formal, more, informal, less; --no-check sends any other word\n");
    assert!(bench.requests().is_empty());
    bench.run(session.into_iter().chain(["--no-check"])).code(5).says("'formality'");
}

#[test]
fn stores_and_uses_an_unknown_setting_with_no_check() {
    let bench = Bench::new();
    let set = ["config", "set", "profiles.default.formality", "rude"];
    let levels = "`rude` is not one of default, more, less, prefer_more, prefer_less";
    bench
        .run(set)
        .code(2)
        .says(&format!("error: profiles.default.formality: {levels}\n  hint: --no-check stores any other word\n"));
    bench.run(set.into_iter().chain(["--no-check"])).code(0);
    bench.run(["config", "get", "profiles.default.formality"]).code(0).prints("rude\n");
    bench.run(["config", "set", "profiles.default.source_lang", "en"]).code(0);
    bench.run(["usage"]).code(0);
    bench.write("a.txt", "One");
    let before = bench.requests().len();
    for line in
        ["translate --to de hello", "doc translate a.txt --to de", "voice session --to de --content-type audio/ogg"]
    {
        let run = bench.run(line.split(' ')).code(2).says(&format!(": profiles.default.formality: {levels}\n"));
        run.says("config.toml:2:1: ").says("\n  hint: --no-check accepts any other word\n");
    }
    assert_eq!(bench.requests().len(), before);
    bench.run(["translate", "--to", "de", "--formality", "more", "hello"]).code(0);
    bench.run(["translate", "--to", "de", "--formality", "none", "hello"]).code(0);
    bench.run(["write", "correct", "hello"]).code(0);
    let run = bench.run(["translate", "--to", "de", "--dry-run", "-q", "--no-check", "hello"]).code(0);
    assert!(run.out().contains(r#""formality":"rude""#), "{run}");
    let voice = ["voice", "session", "--to", "de", "--content-type", "audio/ogg", "--dry-run", "-q", "--no-check"];
    let run = bench.run(voice).code(0);
    assert!(run.out().contains(r#""formality":"rude""#), "{run}");
}

#[test]
fn uses_unknown_words_of_a_project_file_with_no_check() {
    let bench = Bench::new();
    bench.write("en.json", r#"{"a": "Tea"}"#);
    let rest = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    let table = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n";
    bench.write("tulk.toml", format!("{table}formality = \"mroe\"\n{rest}"));
    for command in ["sync", "sync --check", "sync status"] {
        bench.run(command.split(' ')).code(2).says(
            "error: tulk.toml:4:13: sync.formality: `mroe` is not one of default, more, less, prefer_more, prefer_less\n  hint: \
             did you mean `more`? --no-check accepts any other word\n",
        );
    }
    assert!(bench.requests().is_empty());
    bench.run(["sync", "--no-check"]).code(5).says("'formality'");
}
