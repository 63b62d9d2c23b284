//! `tulk translate`: flags, requests and input.

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
fn translates_an_argument_and_sends_no_other_field() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "Hello"]).code(0).prints("HELLO\n").says_not("warning");
    assert_eq!(bench.sent(), [("POST /v2/translate".into(), json!({"text": ["Hello"], "target_lang": "DE"}))]);
    let headers = &bench.requests()[0]["headers"];
    assert_eq!(headers["authorization"], "Service-Auth-Key sandbox");
    assert_eq!(headers["content-type"], "application/json");
    assert!(headers["user-agent"].as_str().unwrap().starts_with("tulk/"));
}

#[test]
fn sends_every_parameter() {
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
fn keeps_whitespace_and_line_endings_around_the_text() {
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
fn a_hyphen_is_stdin_and_a_positional_argument_is_never_a_file() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("hello", "file content");
    bench.pipe("from stdin", ["translate", "--to", "de", "-"]).code(0).prints("FROM STDIN");
    bench.run(["translate", "--to", "de", "hello"]).code(0).prints("HELLO\n");
    bench.pipe("x", ["translate", "--to", "de", "-i", "-", "-i", "-"]).code(2);
}

#[test]
fn text_arguments_and_files_exclude_each_other() {
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
fn supports_entries_separated_by_nul() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.pipe("a\nb\0\0c\0", ["translate", "--to", "de", "-0"]).code(0).prints("A\nB\0\0C\0");
    assert_eq!(texts(&bench), [["a\nb", "c"]]);
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
    bench.pipe(&input, ["translate", "--to", "de", "--lines"]).code(2).prints("").says("stdin:2").says("131,072");
    bench.write("big.txt", &input);
    bench.run(["translate", "--to", "de", "--lines", "-i", "big.txt"]).code(2).prints("").says("big.txt:2");
    assert!(bench.requests().is_empty());
}

#[test]
fn checks_the_rules_of_the_service_before_sending() {
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
    let fast = ["translate", "--to", "de", "x", "--no-check", "--model-type", "latency_optimized"];
    let v2 = ["--tag-handling", "xml", "--tag-handling-version", "v2"];
    for (flag, flags) in
        [("--custom-instruction", &["--custom-instruction", "x"][..]), ("--tag-handling-version v2", &v2)]
    {
        let hint = format!("hint: {flag} needs the quality model, which --model-type quality_optimized selects\n");
        bench.run(fast.iter().chain(flags)).code(5).says(&hint);
    }
}

#[test]
fn outline_detection_can_be_off_without_splitting_tags() {
    let bench = Bench::new();
    let flags = ["--no-outline-detection", "--tag-handling", "xml", "<p>x</p>"];
    let run = bench.run(["translate", "--to", "de,fr", "--json"].iter().chain(&flags)).code(0);
    assert_eq!(run.stderr, "");
    let run = bench.run(["translate", "--to", "de,fr"].iter().chain(&flags)).code(0);
    assert_eq!(run.stderr, "hint: list the tags to split at with --splitting-tags when using --no-outline-detection\n");
    assert!(bench.requests().iter().all(|sent| sent["body"]["outline_detection"] == false));
}

#[test]
fn refuses_a_missing_target() {
    let bench = Bench::new();
    bench.run(["translate", "x"]).code(2).says("--to");
}

#[test]
fn refuses_invalid_utf8_with_its_offset() {
    let bench = Bench::new();
    bench.write("bad.txt", b"abc\xffdef");
    bench.run(["translate", "--to", "de", "-i", "bad.txt"]).code(2).prints("").says("bad.txt").says("byte 3");
    bench.pipe(b"ab\xc3", ["translate", "--to", "de"]).code(2).prints("").says("byte 2");
    assert!(bench.requests().is_empty());
    bench.run(["translate", "--to", "de", "-i", "bad.txt", "--lossy"]).code(0).prints("abc\u{fffd}def");
}

#[test]
fn names_unreadable_files() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de", "-i", "none.txt"]).code(2).says("none.txt");
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.run(["translate", "--to", "de", "-i", "empty"]).code(2).says("error: empty has no files\n");
}

#[test]
fn strip_ansi_removes_escape_sequences() {
    let bench = Bench::new();
    bench.pipe("\u{1b}[1mbold\u{1b}[0m\n", ["translate", "--to", "de", "--strip-ansi"]).code(0).prints("bold\n");
}

#[test]
fn the_embedded_sandbox_needs_no_setup() {
    let bench = Bench::bare();
    let run = bench.run(["--sandbox", "translate", "--to", "de", "Hello, world"]).code(0);
    assert_ne!(run.out(), "Hello, world\n");
    let again = bench.run(["translate", "--sandbox", "--to", "de", "Hello, world"]).code(0);
    assert_eq!(run.out(), again.out());
    bench.run(["--sandbox", "--server", "http://127.0.0.1:9", "translate", "--to", "de", "x"]).code(2);
}
