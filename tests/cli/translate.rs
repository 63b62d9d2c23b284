//! `tulk translate` against the sandbox and against scripted faults.

use serde_json::json;

use crate::common::Bench;

fn body(bench: &Bench, index: usize) -> serde_json::Value {
    bench.requests()[index]["body"].clone()
}

fn texts(bench: &Bench) -> Vec<Vec<String>> {
    let list = |r: &serde_json::Value| serde_json::from_value(r["body"]["text"].clone()).unwrap();
    bench.requests().iter().filter(|r| r["path"] == "/v2/translate").map(list).collect()
}

#[test]
fn translates_an_argument_and_sends_nothing_nobody_asked_for() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "Hello"]).code(0).prints("HELLO\n").says_not("warning");
    assert_eq!(bench.sent(), [("POST /v2/translate".into(), json!({"text": ["Hello"], "target_lang": "DE"}))]);
    let headers = &bench.requests()[0]["headers"];
    assert_eq!(headers["authorization"], "Service-Auth-Key sandbox");
    assert_eq!(headers["content-type"], "application/json");
    assert!(headers["user-agent"].as_str().unwrap().starts_with("tulk/"));
}

#[test]
fn every_parameter_reaches_the_wire() {
    let bench = Bench::new();
    bench.write("context.txt", "a menu\n");
    let args = [
        "translate",
        "--to",
        "De",
        "--from",
        "EN",
        "--model-type",
        "quality-optimized",
        "--split-sentences",
        "nonewlines",
        "--preserve-formatting",
        "--formality",
        "prefer-more",
        "--custom-instruction",
        "be brief",
        "--custom-instruction",
        "be kind",
        "--translation-memory-threshold",
        "80",
        "--show-billed-characters",
        "--tag-handling",
        "xml",
        "--tag-handling-version",
        "v2",
        "--no-outline-detection",
        "--non-splitting-tags",
        "a, b",
        "--splitting-tags",
        "p",
        "--ignore-tags",
        "code",
        "--ignore-tags",
        "kbd",
        "--context",
        "a menu",
        "--reporting-tag",
        "docs-site",
        "--param",
        "new_field={\"x\":1.10}",
        "<p>Hi</p>",
    ];
    bench.run(args).code(0).prints("<p>Hi</p>\n");
    assert_eq!(
        body(&bench, 0),
        json!({
            "text": ["<p>Hi</p>"], "target_lang": "DE", "source_lang": "EN", "context": "a menu",
            "model_type": "quality_optimized", "split_sentences": "nonewlines", "preserve_formatting": true,
            "formality": "prefer_more", "custom_instructions": ["be brief", "be kind"],
            "translation_memory_threshold": 80, "show_billed_characters": true, "tag_handling": "xml",
            "tag_handling_version": "v2", "outline_detection": false, "non_splitting_tags": ["a", "b"],
            "splitting_tags": ["p"], "ignore_tags": ["code", "kbd"], "new_field": {"x": 1.10}
        })
    );
    assert_eq!(bench.requests()[0]["headers"]["x-service-reporting-tag"], "docs-site");
}

#[test]
fn the_services_field_names_are_aliases() {
    let bench = Bench::new();
    bench.run(["translate", "--target-lang", "fr", "--source-lang", "en", "Hi"]).code(0);
    assert_eq!(body(&bench, 0), json!({"text": ["Hi"], "target_lang": "FR", "source_lang": "EN"}));
}

#[test]
fn the_result_ends_as_the_input_did() {
    let bench = Bench::new();
    for text in ["a", "a\n", "a\r\n", "a\n\n\n", " \n a \n", "\u{feff}a\n", "a\r\nb\r\n", "a\r\nb\n"] {
        bench.pipe(text, ["translate", "--to", "de"]).code(0).prints(text);
        bench.pipe(text, ["translate", "--to", "de", "--lines"]).code(0).prints(text);
    }
    for sent in texts(&bench).into_iter().flatten() {
        assert!(!sent.starts_with(['\u{feff}', ' ', '\n']) && !sent.ends_with(['\n', '\r', ' ']), "{sent:?} was sent");
        assert!(!sent.contains('\r') || sent == "a\r\nb", "{sent:?}");
    }
}

#[test]
fn blank_input_sends_nothing() {
    let bench = Bench::new();
    for text in ["", "\n", " \t\r\n\n", "\u{feff}\n"] {
        bench.pipe(text, ["translate", "--to", "de"]).code(0).prints(text);
        bench.pipe(text, ["translate", "--to", "de", "--lines"]).code(0).prints(text);
        bench.pipe(text, ["translate", "--to", "de", "-0"]).code(0).prints(text);
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn a_hyphen_is_stdin_and_a_positional_is_never_a_file() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("hello", "file content");
    bench.pipe("from stdin", ["translate", "--to", "de", "-"]).code(0).prints("FROM STDIN");
    bench.run(["translate", "--to", "de", "hello"]).code(0).prints("HELLO\n");
    bench.pipe("x", ["translate", "--to", "de", "-i", "-", "-i", "-"]).code(2);
}

#[test]
fn text_goes_with_no_file() {
    let bench = Bench::new();
    bench.write("a.txt", "a");
    bench.run(["translate", "--to", "de", "-i", "a.txt", "text"]).code(2);
    bench.run(["translate", "--to", "de", "--lines", "text"]).code(2);
    assert!(bench.requests().is_empty());
}

#[test]
fn several_arguments_are_one_entry_each() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "one", "two"]).code(0).prints("ONE\nTWO\n");
    assert_eq!(texts(&bench), [["one", "two"]]);
}

#[test]
fn lines_keep_their_number() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench
        .pipe("a\n\n b \nc\u{b}d\u{2028}e\nlast", ["translate", "--to", "de", "--lines"])
        .code(0)
        .prints("A\n\n B \nC\u{b}D\u{2028}E\nLAST");
    assert_eq!(texts(&bench), [["a", "b", "c\u{b}d\u{2028}e", "last"]]);
}

#[test]
fn nul_separated_entries() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.pipe("a\nb\0\0c\0", ["translate", "--to", "de", "-0"]).code(0).prints("A\nB\0\0C\0");
    assert_eq!(texts(&bench), [["a\nb", "c"]]);
}

#[test]
fn batches_hold_50_entries_and_order_is_kept() {
    let bench = Bench::with(&["--engine", "echo", "--latency", "1ms-30ms"]);
    let input: String = (0..1234).map(|i| format!("line {i}\n")).collect();
    bench.pipe(&input, ["translate", "--to", "de", "--lines"]).code(0).prints(&input);
    let sent = texts(&bench);
    assert_eq!(sent.len(), 25);
    assert!(sent.iter().all(|t| t.len() <= 50));
}

#[test]
fn bodies_are_bounded_as_encoded() {
    let bench = Bench::new();
    let line = "\u{1}\"ж".repeat(2000);
    let input: String = (0..40).map(|i| format!("{i}{line}\n")).collect();
    let context = "c\u{1}".repeat(5000);
    bench.pipe(&input, ["translate", "--to", "de", "--lines", "--context", &context]).code(0).prints(&input);
    for request in bench.requests() {
        let size: usize = request["headers"]["content-length"].as_str().unwrap().parse().unwrap();
        assert!(size <= 131_072, "{size}");
    }
}

#[test]
fn a_long_text_is_cut_and_joined() {
    let bench = Bench::new();
    let paragraph = "Ein Satz mit Wörtern. Noch einer! 97 Prozent? ".repeat(300);
    let input: String = (0..40).map(|i| format!("{i} {paragraph}\n\n")).collect();
    bench.pipe(&input, ["translate", "--to", "de"]).code(0).prints(&input);
    assert!(bench.requests().len() > 3);
    let run = bench.pipe(&input, ["translate", "--to", "de", "--json"]).code(0);
    assert_eq!(run.json()["translations"].as_array().unwrap().len(), 1);
    assert_eq!(run.json()["translations"][0]["text"], input.trim_end());
}

#[test]
fn a_line_over_the_limit_is_refused_with_its_number() {
    let bench = Bench::new();
    let input = format!("ok\n{}\n", "x".repeat(131_072));
    bench.pipe(&input, ["translate", "--to", "de", "--lines"]).code(2).prints("").says("stdin:2").says("131072");
    bench.write("big.txt", &input);
    bench.run(["translate", "--to", "de", "--lines", "-i", "big.txt"]).code(2).prints("").says("big.txt:2");
    assert!(bench.requests().is_empty());
}

#[test]
fn equal_entries_are_sent_once() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench
        .pipe("a\nb\na\na\n", ["translate", "--to", "de", "--lines", "--stats"])
        .code(0)
        .prints("A\nB\nA\nA\n")
        .says("2");
    assert_eq!(texts(&bench), [["a", "b"]]);
}

#[test]
fn json_keeps_what_the_service_said() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = bench.run(["translate", "--to", "de", "--from", "en", "--json", "Hi", "Ho"]).code(0);
    assert_eq!(
        run.json(),
        json!({"translations": [
            {"detected_source_language": "EN", "text": "HI"},
            {"detected_source_language": "EN", "text": "HO"}
        ]})
    );
    let run = bench.run(["translate", "--to", "de,fr", "--from", "en", "--json", "Hi"]).code(0);
    assert_eq!(
        run.json()[1],
        json!({"target_lang": "fr", "translations": [{"detected_source_language": "EN", "text": "HI"}]})
    );
}

#[test]
fn jsonl_names_entry_and_target() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = bench
        .pipe("a\n\nb\n", ["translate", "--to", "pt-br,fr", "--from", "en", "--format", "jsonl", "--lines"])
        .code(0);
    let rows: Vec<serde_json::Value> = run.out().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(rows.len(), 4, "{run}");
    assert!(rows.iter().any(|r| r["target_lang"] == "pt-BR" && r["text"] == "A"));
    assert!(rows.iter().all(|r| r["entry"].is_number()));
}

#[test]
fn several_targets_to_stdout_are_rows() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de,fr", "a\tb"]).code(0).prints("de\tA\\tB\nfr\tA\\tB\n");
}

#[test]
fn results_go_to_files_by_template() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("in/a.txt", "a\n");
    bench.write("in/b.txt", "b\n");
    let run = bench.run([
        "translate",
        "--to",
        "de,pt-br",
        "-i",
        "in/a.txt",
        "-i",
        "in/b.txt",
        "-o",
        "out/{stem}.{lang}{ext}",
    ]);
    run.code(0).prints("");
    assert_eq!(bench.read("out/a.de.txt"), "A\n");
    assert_eq!(bench.read("out/b.pt-BR.txt"), "B\n");
    assert!(!bench.path("out/a.de.txt.part").exists() && !bench.path("out/a.de.txt.part.state").exists());
    bench.run(["translate", "--to", "de,fr", "-i", "in/a.txt", "-o", "out/{stem}.txt"]).code(2).says("out/a.txt");
    bench.run(["translate", "--to", "de", "-i", "in/a.txt", "-o", "in/a.txt"]).code(2).says("--in-place");
    bench.run(["translate", "--to", "de", "-i", "in/a.txt", "--in-place"]).code(0);
    assert_eq!(bench.read("in/a.txt"), "A\n");
}

#[test]
fn an_error_leaves_the_old_file() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "500:1"]);
    bench.write("out.txt", "old");
    bench.run(["translate", "--to", "de", "--retries", "0", "-o", "out.txt", "a"]).code(7);
    assert_eq!(bench.read("out.txt"), "old");
}

#[test]
fn devices_are_written_directly() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de", "-o", "/dev/null", "a"]).code(0).prints("");
    bench.run(["translate", "--to", "de", "-o", "-", "a"]).code(0).prints("a\n");
}

#[test]
fn resume_sends_no_finished_entry_again() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input: String = (0..400).map(|i| format!("line {i}\n")).collect();
    bench.write("in.txt", &input);
    let args = ["translate", "--to", "de", "--lines", "-i", "in.txt", "-o", "out.txt", "--concurrency", "2"];
    // The characters of the first three batches and a little more.
    let run = bench.run(args.iter().copied().chain(["--max-characters", "1200"])).code(6);
    assert!(bench.path("out.txt.part").exists(), "{run}");
    assert!(run.stderr.contains("--resume"), "{run}");
    let before = texts(&bench).len();
    assert!(before > 0);
    bench.run(args).code(2).says("out.txt.part");
    bench.run(args.iter().copied().chain(["--resume", "--formality", "less"])).code(2);
    bench.write("in.txt", input.replace("line 3\n", "line three\n"));
    let other = bench.run(args.iter().copied().chain(["--resume"])).code(2).says("the input is not the one");
    other.says("start anew with --force").says_not("--resume");
    bench.write("in.txt", &input);
    bench.run(args.iter().copied().chain(["--resume"])).code(0);
    assert_eq!(bench.read("out.txt"), input.to_uppercase());
    let mut sent: Vec<String> = texts(&bench).into_iter().flatten().collect();
    let all = sent.len();
    sent.sort();
    sent.dedup();
    assert_eq!((all, sent.len()), (400, 400), "an entry was sent twice");
}

#[test]
fn keep_going_passes_the_guilty_entry_through() {
    // The sandbox refuses strict XML that is ill-formed.
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "one\ntwo\n<broken\nfour\n";
    let args = ["translate", "--to", "de", "--lines", "--tag-handling", "xml", "--tag-handling-version", "v2"];
    bench.pipe(input, args).code(5);
    let run = bench.pipe(input, args.iter().copied().chain(["--keep-going"])).code(9);
    run.prints("ONE\nTWO\n<broken\nFOUR\n").says("stdin:3");
}

#[test]
fn too_few_translations_are_never_shifted() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "short;path=/v2/translate"]);
    bench.pipe("a\nb\n", ["translate", "--to", "de", "--lines"]).code(8).prints("");
    let bench = Bench::with(&["--engine", "upper", "--fault", "garbage;path=/v2/translate"]);
    bench.run(["translate", "--to", "de", "a"]).code(8).prints("");
}

#[test]
fn refuses_the_rules_of_the_service_before_sending() {
    let bench = Bench::new();
    let refused: &[(&[&str], &str)] = &[
        (&["--model-type", "latency_optimized", "--custom-instruction", "x"], "latency_optimized"),
        (
            &["--model-type", "latency_optimized", "--tag-handling", "xml", "--tag-handling-version", "v2"],
            "latency_optimized",
        ),
        (&["--translation-memory-threshold", "101"], "100"),
        (&["--translation-memory-threshold", "-1"], "-1"),
        (&["--glossary", "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69"], "--from"),
        (&["--no-outline-detection", "--tag-handling", "xml"], "--splitting-tags"),
        (&["--formality", "rude"], "rude"),
        (&["--reporting-tag", "two words"], "reporting tag"),
        (&["--param", "target_lang=\"fr\""], "target_lang"),
        (&["--param", "x"], "KEY=JSON"),
    ];
    for (flags, says) in refused {
        bench.run(["translate", "--to", "de", "x"].iter().chain(flags.iter())).code(2).prints("").says(says);
    }
    let eleven: Vec<String> = (0..11).flat_map(|i| ["--custom-instruction".to_owned(), i.to_string()]).collect();
    bench.run(["translate", "--to", "de", "x"].map(str::to_owned).into_iter().chain(eleven)).code(2).says("10");
    bench.run(["translate", "--to", "de", "x", "--custom-instruction", &"ä".repeat(301)]).code(2).says("301");
    assert!(bench.requests().is_empty());
    bench
        .run(["translate", "--to", "de", "x", "--no-check", "--translation-memory-threshold", "101"])
        .code(5)
        .says("threshold");
}

#[test]
fn a_missing_target_is_refused_at_once() {
    let bench = Bench::new();
    bench.run(["translate", "x"]).code(2).says("--to");
}

#[test]
fn invalid_utf8_names_its_byte() {
    let bench = Bench::new();
    bench.write("bad.txt", b"abc\xffdef");
    bench.run(["translate", "--to", "de", "-i", "bad.txt"]).code(2).prints("").says("bad.txt").says("byte 3");
    bench.pipe(b"ab\xc3", ["translate", "--to", "de"]).code(2).prints("").says("byte 2");
    assert!(bench.requests().is_empty());
    bench.run(["translate", "--to", "de", "-i", "bad.txt", "--lossy"]).code(0).prints("abc\u{fffd}def");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de", "-i", "none.txt"]).code(2).says("none.txt");
    bench.run(["translate", "--to", "de", "-i", "."]).code(2).says("directory");
}

#[test]
fn strip_ansi_removes_escape_sequences() {
    let bench = Bench::new();
    bench.pipe("\u{1b}[1mbold\u{1b}[0m\n", ["translate", "--to", "de", "--strip-ansi"]).code(0).prints("bold\n");
}

#[test]
fn context_lines_carry_the_lines_before_the_batch() {
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
fn max_characters_is_never_passed() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "--max-characters", "3", "äöü"]).code(0).prints("ÄÖÜ\n");
    bench.run(["translate", "--to", "de,fr", "--max-characters", "3", "äöü"]).code(6);
    bench.run(["translate", "--to", "de", "--max-characters", "2", "äöü"]).code(6).prints("").says("2");
}

#[test]
fn billed_characters_go_to_stderr() {
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
fn live_lines_come_when_the_input_idles() {
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

#[test]
fn the_embedded_sandbox_needs_nothing() {
    let bench = Bench::bare();
    let run = bench.run(["--sandbox", "translate", "--to", "de", "Hello, world"]).code(0);
    assert_ne!(run.out(), "Hello, world\n");
    let again = bench.run(["translate", "--sandbox", "--to", "de", "Hello, world"]).code(0);
    assert_eq!(run.out(), again.out());
    bench.run(["--sandbox", "--server", "http://127.0.0.1:9", "translate", "--to", "de", "x"]).code(2);
}
