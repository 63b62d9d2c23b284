//! Values of sets that the service may extend: a word that is not known is refused, and sent with `--no-check`.

use crate::common::Bench;

#[test]
fn an_unknown_word_is_sent_with_no_check_only() {
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
fn write_takes_fields_that_are_not_known() {
    let bench = Bench::new();
    let args = ["write", "rephrase", "--dry-run", "-q", "--param", "level={\"a\": 1.10}", "hello"];
    let run = bench.run(args).code(0);
    assert!(run.out().contains("\"level\":{\"a\": 1.10}"), "{run}");
    let twice = ["write", "rephrase", "--tone", "friendly", "--param", "tone=\"x\"", "hello"];
    bench.run(twice).code(2).says("--param tone: this field is already set");
    bench.run(["write", "correct", "--param", "level", "hello"]).code(2).says("--param `level` is not KEY=JSON");
}
