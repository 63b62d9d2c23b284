//! `tulk write` with structured files: only texts are sent, and lost code or placeholders are detected.

use serde_json::json;

use crate::common::Bench;

/// Returns a bench whose service corrects `teh`, but loses `%s` in one text and the code in another.
fn corrector() -> Bench {
    let files = Bench::bare();
    let phrases = "*\ten\tteh door\tthe door\n\
                   *\ten\tRun {1} teh.\tRun it the.\n\
                   *\ten\tteh door %s\tthe door\n\
                   *\ten\tTeh *door* is {1}open{2} or {3}.\tThe *door* is {3} or {1}OPEN{2}.\n";
    let path = files.write("p.tsv", phrases);
    Bench::with(&["--engine", "echo", "--phrases", path.to_str().unwrap()])
}

fn texts(bench: &Bench) -> Vec<serde_json::Value> {
    bench.requests().into_iter().map(|request| request["body"]["text"].clone()).collect()
}

const CORRECT: [&str; 4] = ["write", "correct", "--to", "en"];

#[test]
fn sends_only_the_prose_of_markdown() {
    let bench = corrector();
    bench.write("a.md", "# teh door\n\n```sh\nteh ls\n```\n\nTeh *door* is [open](http://teh.example) or `teh`.\n");
    let run = bench.run(CORRECT.iter().chain(&["-i", "a.md"])).code(0);
    assert_eq!(run.stderr, "reading a.md as markdown (--as text reads it as plain text)\n");
    let corrected = "# the door\n\n```sh\nteh ls\n```\n\nThe *door* is `teh` or [OPEN](http://teh.example).\n";
    assert_eq!(run.out(), corrected);
    assert_eq!(texts(&bench), [json!(["teh door", "Teh *door* is {1}open{2} or {3}."])]);
    bench.pipe(bench.read("a.md"), CORRECT.iter().chain(&["--as", "markdown"])).code(0).prints(corrected);
    bench.run(CORRECT.iter().chain(&["-i", "a.md", "--check", "-q"])).code(1).prints("a.md\n");
    let diff = bench.run(CORRECT.iter().chain(&["-i", "a.md", "--diff", "-q"])).code(0);
    assert!(diff.out().contains("-# teh door\n+# the door\n"), "{diff}");
    bench.run(CORRECT.iter().chain(&["-i", "a.md", "--in-place"])).code(0);
    assert_eq!(bench.read("a.md"), corrected);
}

#[test]
fn an_entry_that_loses_code_or_a_placeholder_keeps_its_text() {
    let bench = corrector();
    bench.write("a.md", "Run `teh ls` teh.\n\nteh door\n");
    let run = bench.run(CORRECT.iter().chain(&["-i", "a.md"])).code(9).prints("Run `teh ls` teh.\n\nthe door\n");
    run.says("a.md:1:1: to en: the service lost ``teh ls``; copied unchanged");
    let lines = CORRECT.iter().chain(&["--lines", "--protect", "printf"]);
    let run = bench.pipe("teh door\nteh door %s\n", lines).code(9).prints("the door\nteh door %s\n");
    run.says("stdin:2:1: to en: the service lost `%s`; copied unchanged");
}

#[test]
fn improves_records_subtitles_and_catalogues() {
    let bench = corrector();
    bench.write("a.csv", "id,text\nteh,teh door\n");
    bench
        .run(CORRECT.iter().chain(&["-i", "a.csv"]))
        .code(2)
        .says("no column is selected")
        .says("columns: `id`, `text`");
    bench.run(CORRECT.iter().chain(&["-i", "a.csv", "--column", "text"])).code(0).prints("id,text\nteh,the door\n");
    let append = CORRECT.iter().chain(&["--csv", "--column", "text", "--append", "-i", "a.csv"]);
    bench.run(append).code(0).prints("id,text,text_en\nteh,teh door,the door\n");
    let unknown = ["write", "correct", "--csv", "--column", "text", "--append", "-i", "a.csv"];
    bench.run(unknown).code(2).says("--append needs --to");
    bench.write("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nteh door\n");
    let srt = "1\n00:00:01,000 --> 00:00:02,000\nthe door\n";
    bench.run(["write", "correct", "-i", "a.srt"]).code(0).prints(srt);
    bench.write("en.json", "{\"teh\": \"teh door\"}\n");
    bench.run(["write", "correct", "-i", "en.json"]).code(0).prints("{\"teh\": \"the door\"}\n");
    bench.write("app_en.arb", "{\"@@locale\": \"en\", \"a\": \"teh door\"}\n");
    let arb = "{\"@@locale\": \"en\", \"a\": \"the door\"}\n";
    bench.run(["write", "correct", "-i", "app_en.arb"]).code(0).prints(arb);
}

#[test]
fn refuses_a_file_with_two_languages() {
    let bench = corrector();
    bench.write("de.po", "msgid \"teh door\"\nmsgstr \"\"\n");
    let run = bench.run(CORRECT.iter().chain(&["-i", "de.po"])).code(2).prints("");
    run.says("po files cannot be improved: they hold a text and its translation");
    assert_eq!(bench.requests().len(), 0);
    bench.run(CORRECT.iter().chain(&["--as", "text", "-i", "de.po"])).code(0);
}
