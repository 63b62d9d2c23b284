//! `tulk translate --jsonl` with other features of translate: files, targets, limits, failures, resuming, long lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Bench, wait_until};

const TRANSLATE: [&str; 6] = ["translate", "--to", "de", "--jsonl", "--field", "/t"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    TRANSLATE.iter().chain(more).copied().collect()
}

fn texts(bench: &Bench) -> Vec<String> {
    let list = |r: &Value| -> Vec<String> { serde_json::from_value(r["body"]["text"].clone()).unwrap() };
    bench.requests().iter().filter(|r| r["path"] == "/v2/translate").flat_map(list).collect()
}

fn numbered(lines: usize) -> String {
    (0..lines).fold(String::new(), |text, i| text + &format!("{{\"n\":{i}.10,\"t\":\"line {i}\"}}\n"))
}

fn upper(text: &str) -> String {
    text.replace("line", "LINE")
}

#[test]
fn writes_files_by_template_or_in_place() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.jsonl", "{\"t\":\"one\"}");
    bench.write("b.jsonl", "{\"t\":\"two\"}\n");
    let files = ["-i", "a.jsonl", "-i", "b.jsonl"];
    bench.run(with(&files)).code(0).prints("{\"t\":\"ONE\"}{\"t\":\"TWO\"}\n");
    bench.run(with(&[&files[..], &["--to", "fr", "-o", "out/{stem}.{lang}{ext}"]].concat())).code(0);
    assert_eq!(bench.read("out/a.fr.jsonl"), "{\"t\":\"ONE\"}");
    assert_eq!(bench.read("out/b.de.jsonl"), "{\"t\":\"TWO\"}\n");
    bench.run(with(&[&files[..], &["--in-place"]].concat())).code(0);
    assert_eq!(bench.read("a.jsonl") + &bench.read("b.jsonl"), "{\"t\":\"ONE\"}{\"t\":\"TWO\"}\n");
}

#[test]
fn each_file_must_have_the_fields() {
    let bench = Bench::new();
    bench.write("a.jsonl", "{\"t\":\"one\"}\n");
    bench.write("b.jsonl", "{\"u\":\"two\"}\n");
    for more in [&["-o", "{stem}.{lang}{ext}"][..], &["--in-place"], &[]] {
        let run = bench.run(with(&[&["-i", "a.jsonl", "-i", "b.jsonl"], more].concat())).code(2).prints("");
        run.says("b.jsonl: no line has the field /t");
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn a_bad_line_of_a_pipe_stops_the_run_after_the_lines_before_it() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.pipe("{\"t\":1}\n{\"t\":\"x\"}\n", TRANSLATE).code(2).prints("");
    assert!(bench.requests().is_empty());
    let input = numbered(400);
    let bad = input.replace("{\"n\":390.10", "{n:390.10");
    let good = input.split_inclusive('\n').take(390).collect::<String>();
    let run = bench.pipe(bad, TRANSLATE).code(9).prints(upper(&good));
    run.says("stdin:391:2: invalid JSON: expected the name of a member in quotes");
    let run = bench.pipe(&input, with(&["--field", "/u"])).code(9).prints(upper(&input));
    run.says("stdin: no line has the field /u");
}

#[test]
fn keep_going_copies_bad_lines_and_lists_them() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "{\"t\":\"one\"}\n{\"t\":12}\n{\"t\" \"x\"}\r\n{\"t\":\"two\"}\n";
    let run = bench.pipe(input, with(&["--keep-going"])).code(9);
    let run = run.prints("{\"t\":\"ONE\"}\n{\"t\":12}\n{\"t\" \"x\"}\r\n{\"t\":\"TWO\"}\n");
    run.says("stdin:2:6: the field /t is a number, not a string").says("stdin:3:6: invalid JSON: expected `:`");
    let run = bench.pipe("{\"t\":\"one\"}\n", with(&["--keep-going", "--field", "/u"])).code(9);
    run.prints("{\"t\":\"ONE\"}\n").says("stdin: no line has the field /u");
}

#[test]
fn reports_a_refused_entry_with_its_position() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "{\"é\":1,\"t\":\"one\"}\n{\"é\":1,\"t\":\"<b\"}\n{\"t\":\"two\"}\n";
    let xml = ["--tag-handling", "xml", "--tag-handling-version", "v2"];
    bench.pipe(input, with(&xml)).code(5).prints("").says("stdin:2:13");
    let run = bench.pipe(input, with(&[&xml[..], &["--keep-going"]].concat())).code(9);
    run.prints("{\"é\":1,\"t\":\"ONE\"}\n{\"é\":1,\"t\":\"<b\"}\n{\"t\":\"TWO\"}\n").says("stdin:2:13");
    let run = bench.pipe(input, with(&[&xml[..], &["--keep-going", "--append"]].concat())).code(9);
    assert!(run.out().contains("\"t\":\"<b\",\"t_de\":\"<b\"}"), "{run}");
}

#[test]
fn resuming_after_a_kill_repeats_only_requests_in_flight() {
    for append in [&[][..], &["--append", "--to", "fr"]] {
        let bench = Bench::with(&["--engine", "upper", "--latency", "100ms"]);
        bench.write("in.jsonl", numbered(600));
        let args = with(&[&["-i", "in.jsonl", "-o", "out.jsonl", "--concurrency", "1"], append].concat());
        let mut child = bench.command().args(&args).stdin(Stdio::null()).spawn().unwrap();
        let part = bench.path("out.jsonl.part");
        wait_until("a part", || std::fs::metadata(&part).is_ok_and(|part| part.len() > 5000));
        child.kill().unwrap();
        child.wait().unwrap();
        // At most the texts of the requests in flight are sent again.
        bench.run(args.iter().copied().chain(["--resume"])).code(0);
        let expected = numbered(600);
        if append.is_empty() {
            assert_eq!(bench.read("out.jsonl"), upper(&expected));
        } else {
            let text = bench.read("out.jsonl");
            assert!(text.ends_with("{\"n\":599.10,\"t\":\"line 599\",\"t_de\":\"LINE 599\",\"t_fr\":\"LINE 599\"}\n"));
            assert_eq!(text.lines().count(), 600);
        }
        let targets = if append.is_empty() { 1 } else { 2 };
        let sent = texts(&bench).len();
        assert!(sent <= targets * 600 + 100, "{sent} texts were sent");
    }
}

#[test]
fn a_dry_run_and_limits_count_the_values() {
    let bench = Bench::new();
    bench.write("in.jsonl", "{\"t\":\"one\",\"u\":\"not this\"}\n{\"t\":\"four\"}\n{\"t\":\"one\"}\n");
    let run = bench.run(with(&["-i", "in.jsonl", "--dry-run"])).code(0);
    let request: Value = serde_json::from_str(run.out().lines().next().unwrap()).unwrap();
    assert_eq!(request["body"]["text"], serde_json::json!(["one", "four"]), "{run}");
    run.says("would send: 1 file, 3 texts, 7 characters, 1 request");
    bench.run(with(&["-i", "in.jsonl", "--max-characters", "6"])).code(6).prints("");
    assert!(bench.requests().is_empty());
    bench.run(with(&["-i", "in.jsonl", "--max-characters", "7", "--stats"])).code(0);
}

#[test]
fn translates_a_pipe_while_it_is_open() {
    let bench = Bench::with(&["--engine", "upper"]);
    let mut child = bench.command().args(TRANSLATE).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for word in ["one", "two"] {
        stdin.write_all(format!("{{\"t\":\"{word}\"}}\n").as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{{\"t\":\"{}\"}}\n", word.to_uppercase()));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let bench = Bench::new();
    bench.write("in.jsonl", numbered(20_000));
    let run =
        bench.bash("tulk translate --to de --jsonl --field /t -i in.jsonl | head -n 1; echo \"${PIPESTATUS[0]}\"");
    run.code(0).prints("{\"n\":0.10,\"t\":\"line 0\"}\n0\n").says_nothing();
}

#[test]
fn translates_lines_of_a_megabyte() {
    let bench = Bench::with(&["--engine", "upper"]);
    let filler = "\"\\u00e9 x\",".repeat(100_000);
    let line = |n: usize, text: &str| format!("{{\"other\":[{filler}{n}],\"t\":\"{text}\"}}\n");
    let input: String = (0..4).map(|n| line(n, &format!("line {n}"))).collect();
    let expected: String = (0..4).map(|n| line(n, &format!("LINE {n}"))).collect();
    let run = bench.pipe(input, TRANSLATE).code(0);
    assert!(run.stdout == expected.as_bytes(), "other bytes");
    let long = format!("\n{{\"t\":\"{}\"}}\n", "x".repeat(200_000));
    bench.pipe(long, TRANSLATE).code(2).says("stdin:2:7: the text needs a request of").says("the limit is 131,072");
    let longer = format!("{{\"u\":\"{}\"}}\n", "x".repeat(16 << 20));
    bench.pipe(longer, TRANSLATE).code(2).says("stdin:1:1: the line has more than 16,777,216 bytes");
}
