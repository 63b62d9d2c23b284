//! Results without their placeholders: the text is retried alone once, then it is an error, or with `--keep-going` the source is kept.

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

fn with_phrases(engine: &str, phrases: &str) -> Bench {
    let files = Bench::bare();
    let path = files.write("p.tsv", phrases);
    Bench::with(&["--engine", engine, "--phrases", path.to_str().unwrap()])
}

/// The service loses the placeholder of `tea %s`, repeats the placeholder of `cup %s`, and otherwise answers in upper case.
fn losing_placeholders() -> Bench {
    let cup = "*\tde\tcup <x id=\"1\">%s</x>\t<x id=\"1\">%s</x>Tasse<x id=\"1\">%s</x>\n";
    with_phrases("upper", &format!("*\tde\ttea <x id=\"1\">%s</x>\tTee\n{cup}"))
}

const PROTECT: [&str; 6] = ["translate", "--to", "de", "--protect", "printf", "--lines"];

fn texts(bench: &Bench) -> Vec<Value> {
    bench.requests().into_iter().map(|request| request["body"]["text"].clone()).collect()
}

#[test]
fn a_text_that_loses_a_placeholder_is_retried_alone_once() {
    let bench = losing_placeholders();
    let run = bench.pipe("one %s\ntea %s\ntwo\n", PROTECT).code(5).prints("ONE %s\n");
    run.says("stdin:2:1: the service lost `%s`").says("--keep-going");
    let alone = json!(["tea <x id=\"1\">%s</x>"]);
    let all = json!(["one <x id=\"1\">%s</x>", "tea <x id=\"1\">%s</x>", "two"]);
    assert_eq!(texts(&bench), [all, alone]);
}

#[test]
fn keep_going_copies_the_source_and_keeps_the_order() {
    let bench = losing_placeholders();
    let input = "one %s\ntea %s\ncup %s\ntea %s\n\nlast %d\n";
    let run = bench.pipe(input, PROTECT.iter().chain(&["--keep-going"])).code(9);
    let run = run.prints("ONE %s\ntea %s\ncup %s\ntea %s\n\nLAST %d\n");
    run.says("stdin:2:1: to de: the service lost `%s`").says("stdin:3:1: to de: the service repeated `%s`");
}

#[test]
fn write_keeps_a_text_that_loses_a_placeholder() {
    let phrases = "*\ten\tDelete %s.\tDelete it.\n*\ten\tMove %s.\tMove %s to %s.\n*\ten\tbad %s\tgood %s\n";
    let bench = with_phrases("echo", phrases);
    let write = |flags: &[&str], text: &str| {
        bench.run(["write", "correct", "--to", "en", "--protect", "printf"].iter().chain(flags).chain(&[text]))
    };
    write(&[], "bad %s").code(0).prints("good %s\n");
    write(&["--diff"], "bad %s").code(0).says_nothing();
    write(&["--check"], "bad %s").code(1).prints("TEXT 1\n");
    write(&[], "Delete %s.").code(9).prints("Delete %s.\n").says("the service lost `%s`; copied unchanged");
    write(&["--check"], "Delete %s.").code(9).prints("").says("the service lost `%s`");
    write(&[], "Move %s.").code(9).says("the service repeated `%s`");
    write(&["--keep-going"], "Delete %s.").code(9).prints("Delete %s.\n");
}

#[test]
fn resumes_only_with_the_same_protection() {
    let bench = losing_placeholders();
    bench.write("in.txt", "one %s\ntea %s\ntwo %s\n");
    let args = PROTECT.iter().copied().chain(["-i", "in.txt", "-o", "out.txt"]);
    bench.run(args.clone()).code(5).says("--resume");
    let other =
        ["translate", "--to", "de", "--protect", "braces", "--lines", "-i", "in.txt", "-o", "out.txt", "--resume"];
    bench.run(other).code(2);
    bench.run(args.chain(["--resume", "--keep-going"])).code(9);
    assert_eq!(bench.read("out.txt"), "ONE %s\ntea %s\nTWO %s\n");
}

#[test]
fn accepts_moved_and_reformatted_tags() {
    let server = ScriptedServer::start(|request| {
        let body = request.split("\r\n\r\n").nth(1).unwrap();
        assert!(body.contains(r#""Delete <x id=\"1\">%1$s</x> and <x id=\"2\">%2$s</x> &amp; go""#), "{body}");
        let text = " <X ID='2' />  und <x id=\"1\" >%1$S</x>l\u{f6}schen &#38; &quot;gehen&quot; ";
        answer(200, &[], json!({"translations": [{"detected_source_language": "EN", "text": text}]}).to_string())
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
    let args = ["translate", "--to", "de", "--protect", "printf", "Delete %1$s and %2$s & go"];
    bench.run(args).code(0).prints("%2$s  und %1$sl\u{f6}schen & \"gehen\"\n");
}

#[test]
fn a_closed_pipe_is_quiet() {
    let bench = Bench::new();
    bench.write("in.txt", "a %s b\n".repeat(20_000));
    let script = "tulk translate --to de --protect printf --lines --progress none -i in.txt | head -n 1";
    bench.bash(script).code(0).says_nothing().prints("a %s b\n");
}
