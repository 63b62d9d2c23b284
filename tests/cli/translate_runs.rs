//! `tulk translate`: batches, limits, failures, and resuming.

use serde_json::json;

use crate::common::Bench;

fn texts(bench: &Bench) -> Vec<Vec<String>> {
    let list = |r: &serde_json::Value| serde_json::from_value(r["body"]["text"].clone()).unwrap();
    bench.requests().iter().filter(|r| r["path"] == "/v2/translate").map(list).collect()
}

#[test]
fn batches_have_50_entries_and_keep_order() {
    let bench = Bench::with(&["--engine", "echo", "--latency", "1ms-30ms"]);
    let input: String = (0..1234).map(|i| format!("line {i}\n")).collect();
    bench.pipe(&input, ["translate", "--to", "de", "--lines"]).code(0).prints(&input);
    let sent = texts(&bench);
    assert_eq!(sent.len(), 25);
    assert!(sent.iter().all(|t| t.len() <= 50));
}

#[test]
fn encoded_bodies_stay_within_the_limit() {
    let bench = Bench::new();
    let line = "\u{1}\"ж".repeat(2000);
    let input: String = (0..40).map(|i| format!("{i}{line}\n")).collect();
    let context = "c\u{1}".repeat(5000);
    bench.pipe(&input, ["translate", "--to", "de", "--lines", "--context", &context]).code(0).prints(&input);
    assert!(bench.requests().len() > 1);
    for request in bench.requests() {
        let size: usize = request["headers"]["content-length"].as_str().unwrap().parse().unwrap();
        assert!(size <= 131_072, "{size}");
    }
}

#[test]
fn sends_equal_entries_once() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench
        .pipe("a\nb\na\na\n", ["translate", "--to", "de", "--lines", "--stats"])
        .code(0)
        .prints("A\nB\nA\nA\n")
        .says("2");
    assert_eq!(texts(&bench), [["a", "b"]]);
}

#[test]
fn resume_never_resends_finished_entries() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input: String = (0..400).map(|i| format!("line {i}\n")).collect();
    bench.write("in.txt", &input);
    let args = ["translate", "--to", "de", "--lines", "-i", "in.txt", "-o", "out.txt", "--concurrency", "2"];
    // The characters of the first three batches and a few more.
    let run = bench.run(args.iter().copied().chain(["--max-characters", "1200"])).code(6);
    assert!(bench.path("out.txt.part").exists(), "{run}");
    assert!(run.stderr.contains("--resume"), "{run}");
    let before = texts(&bench).len();
    assert!(before > 0);
    bench.run(args).code(2).says("out.txt.part");
    bench.run(args.iter().copied().chain(["--resume", "--formality", "less"])).code(2);
    bench.write("in.txt", input.replace("line 3\n", "line three\n"));
    let other = bench.run(args.iter().copied().chain(["--resume"])).code(2).says("the input has changed since");
    other.says("start over with --force").says_not("--resume");
    bench.write("in.txt", &input);
    bench.run(args.iter().copied().chain(["--resume"])).code(0);
    assert_eq!(bench.read("out.txt"), input.to_uppercase());
    let mut sent: Vec<String> = texts(&bench).into_iter().flatten().collect();
    let all = sent.len();
    sent.sort();
    sent.dedup();
    assert_eq!((all, sent.len()), (400, 400), "a text was sent twice");
}

#[test]
fn keep_going_copies_a_refused_entry() {
    // With tag handling v2, the sandbox refuses malformed XML.
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "one\ntwo\n<broken\nfour\n";
    let args = ["translate", "--to", "de", "--lines", "--tag-handling", "xml", "--tag-handling-version", "v2"];
    bench.pipe(input, args).code(5);
    let run = bench.pipe(input, args.iter().copied().chain(["--keep-going"])).code(9);
    run.prints("ONE\nTWO\n<broken\nFOUR\n").says("stdin:3");
}

#[test]
fn too_few_translations_never_shift_results() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "short;path=/v2/translate"]);
    bench.pipe("a\nb\n", ["translate", "--to", "de", "--lines"]).code(8).prints("");
    let bench = Bench::with(&["--engine", "upper", "--fault", "garbage;path=/v2/translate"]);
    bench.run(["translate", "--to", "de", "a"]).code(8).prints("");
}

#[test]
fn context_lines_sends_the_lines_before_the_batch() {
    let bench = Bench::new();
    let input: String = (0..60).map(|i| format!("l{i}\n")).collect();
    bench
        .pipe(
            &input,
            ["translate", "--to", "de", "--lines", "--context", "C", "--context-lines", "2", "--concurrency", "1"],
        )
        .code(0)
        .prints(&input);
    let requests = bench.requests();
    assert_eq!(requests[0]["body"]["context"], "C");
    assert_eq!(requests[1]["body"]["context"], "C\nl48\nl49");
}

#[test]
fn never_exceeds_max_characters() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "--max-characters", "3", "äöü"]).code(0).prints("ÄÖÜ\n");
    bench
        .run(["translate", "--to", "de,fr", "--max-characters", "3", "äöü"])
        .code(9)
        .prints("de\tÄÖÜ\n")
        .says("to fr: ");
    bench
        .run(["translate", "--to", "de,fr", "--max-characters", "3", "-n", "äöü"])
        .code(6)
        .says("to fr: ")
        .says("(3 characters would be sent)");
    bench.run(["translate", "--to", "de", "--max-characters", "2", "äöü"]).code(6).prints("").says("2");
}

#[test]
fn prints_billed_characters_to_stderr() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "--show-billed-characters", "äöü"]).code(0).prints("ÄÖÜ\n").says("3");
}

#[test]
fn dry_run_prints_the_requests_without_key_and_sends_nothing() {
    let bench = Bench::bare();
    let run = bench.run(["translate", "--server", "http://127.0.0.1:9", "--to", "de", "-n", "Hi"]).code(0);
    assert_eq!(
        run.json(),
        json!({"method": "POST", "url": "http://127.0.0.1:9/v2/translate", "headers": {"content-type": "application/json"},
               "body": {"text": ["Hi"], "target_lang": "DE"}})
    );
    bench
        .run([
            "translate",
            "--server",
            "http://127.0.0.1:9",
            "--to",
            "de",
            "-n",
            "--translation-memory-threshold",
            "101",
            "Hi",
        ])
        .code(2);
}

#[test]
fn translates_pending_lines_when_the_input_idles() {
    use std::io::{BufRead as _, Write as _};
    let bench = Bench::with(&["--engine", "upper"]);
    let mut child = bench
        .command()
        .args(["translate", "--to", "de", "--lines"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    for word in ["one", "two"] {
        writeln!(stdin, "{word}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{}\n", word.to_uppercase()));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
