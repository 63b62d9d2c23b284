//! `--jq` filters the JSON of any command and prints only the result.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use crate::common::scripted::ScriptedServer;
use crate::common::{Bench, Run};
use crate::progress::{self, Stdout};
use crate::signals::Waiting;
use crate::voice;

fn bench_with_glossaries() -> Bench {
    let bench = Bench::new();
    bench.write("a.tsv", "Hello\tHallo\nworld\tWelt\n");
    for name in ["kitchen", "it's \"new\""] {
        bench.run(["glossary", "create", name, "--dictionary", "en:de=a.tsv", "-q"]).code(0);
    }
    bench
}

#[test]
fn strings_are_raw_and_everything_else_is_compact_json() {
    let bench = bench_with_glossaries();
    let filter = |filter: &str| bench.run(["glossary", "list", "--jq", filter]).code(0).says_nothing().out().to_owned();
    assert_eq!(filter(".[].name"), "kitchen\nit's \"new\"\n");
    assert_eq!(filter("length, map(.dictionaries | length)"), "2\n[1,1]\n");
    assert_eq!(filter(".[0].dictionaries[0]"), "{\"entry_count\":2,\"source_lang\":\"en\",\"target_lang\":\"de\"}\n");
    assert_eq!(filter(".[] | [.name, .dictionaries[0].entry_count] | @tsv"), "kitchen\t2\nit's \"new\"\t2\n");
    assert_eq!(filter(".[1] | @sh \"echo \\(.name)\""), "echo 'it'\\''s \"new\"'\n");
    assert_eq!(filter(".[1] | [.name] | @csv"), "\"it's \"\"new\"\"\"\n");
    assert_eq!(filter("empty"), "");
    assert_eq!(filter("null"), "null\n");
    bench.run(["glossary", "show", "kitchen", "--jq", ".name"]).code(0).prints("kitchen\n");
    bench.run(["glossary", "list", "--format", "jsonl", "--jq", ".name | length"]).code(0).prints("7\n10\n");
}

#[test]
fn errors_on_a_terminal_are_text() {
    let bench = Bench::new();
    let args = ["glossary", "show", "none", "--jq", ".name"];
    let what = "no glossary named `none`";
    let error = |args: &[&str]| {
        let ended = progress::run(&bench, Stdout::Pipe, args);
        assert_eq!(ended.code, Some(4));
        ended.screen
    };
    assert_eq!(error(&args)[0], format!("error: {what}"));
    let object = format!("{{\"error\":{{\"kind\":\"not_found\",\"message\":\"{what}\",");
    bench.run(args).code(4).says(&object);
    assert!(error(&["glossary", "show", "none", "--json"])[0].starts_with(&object));
    let ended = progress::run(&bench, Stdout::Pipe, &["usage", "--jq", ".", "--tow"]);
    assert_eq!(ended.screen[0], "error: unexpected argument '--tow' found");
}

#[test]
fn filters_every_kind_of_result() {
    let bench = bench_with_glossaries().env("TULK_ADMIN_KEY", "sandbox");
    bench.write("a.txt", "Hello");
    bench.write("bad.tsv", "Hello\n");
    bench.write("b.tsv", "Hello\tHi\n");
    bench.run(["config", "set", "profiles.default.formality", "more"]).code(0);
    for (code, args, prints) in [
        (0, &["translate", "--to", "de", "a", "b", "--jq", ".translations[].text"][..], "a\nb\n"),
        (0, &["translate", "--to", "de,fr", "a", "--jq", ".[].target_lang"], "de\nfr\n"),
        (
            0,
            &["translate", "--to", "de", "a", "b", "--format", "jsonl", "--jq", "\"\\(.entry): \\(.text)\""],
            "1: a\n2: b\n",
        ),
        (0, &["write", "correct", "ok", "--jq", ".improvements[0].text"], "ok\n"),
        (0, &["doc", "translate", "a.txt", "--to", "de", "--jq", ".[] | .path, .status"], "a.de.txt\ndone\n"),
        (0, &["doc", "list", "--jq", "map(.status)"], "[\"done\"]\n"),
        (0, &["usage", "--jq", ".character_limit | type"], "number\n"),
        (0, &["admin", "keys", "create", "ci", "--jq", ".label"], "ci\n"),
        (0, &["admin", "keys", "list", "--jq", ".[].label"], "ci\n"),
        (0, &["langs", "list", "--jq", "any(.lang == \"de\")"], "true\n"),
        (0, &["style", "list", "--jq", "length"], "0\n"),
        (0, &["tm", "list", "--jq", "type"], "array\n"),
        (0, &["auth", "status", "--jq", ".[] | .profile"], "default\n"),
        (0, &["config", "list", "--jq", ".[0].value"], "more\n"),
        (0, &["config", "get", "profiles.default.formality", "--jq", "."], "more\n"),
        (0, &["cache", "stats", "--jq", ".[].cache"], "languages\nnames\nresults\n"),
        (0, &["api", "GET", "/v2/usage", "--jq", "keys[0]"], "api_key_character_count\n"),
        (0, &["api", "GET", "/v3/glossaries", "--paginate", "--jq", ".glossaries | length"], "2\n"),
        (
            0,
            &[
                "api",
                "POST",
                "/v2/translate",
                "-F",
                "text[]=Hi",
                "-F",
                "target_lang=de",
                "--jq",
                ".translations[0].text",
            ],
            "Hi\n",
        ),
        (1, &["glossary", "lint", "bad.tsv", "--jq", ".[] | \"\\(.line): \\(.rule)\""], "1: columns\n"),
        (1, &["glossary", "diff", "kitchen", "en:de", "b.tsv", "--jq", "map(.change)"], "[\"changed\",\"removed\"]\n"),
        (0, &["write", "correct", "ok", "--check", "--jq", "length"], "0\n"),
    ] {
        bench.run(args).code(code).prints(prints);
    }
}

#[test]
fn filters_transcripts_line_by_line() {
    let bench = voice::bench(&[]);
    let run = voice::stream(&bench, &["--to", "de", "--format", "jsonl", "--jq", ".language"]).code(0);
    assert!(run.out().lines().count() > 1 && run.out().lines().all(|line| line == "de"), "{run}");
    voice::stream(&bench, &["--to", "de", "--jq", "."]).code(2).says("--jq needs --format jsonl here");
    voice::stream(&bench, &["--to", "de", "--jq", ".", "--format", "srt"]).code(2).says("hint: use --format jsonl\n");
    bench
        .run(["style", "export", "x", "--jq", ".", "--format", "text"])
        .code(2)
        .says("error: --jq needs a result in JSON, which this command does not print\n");
    let to_file = ["--format", "jsonl", "-o", "x.jsonl", "--jq", "."];
    voice::stream(&bench, &to_file).code(2).says("--jq filters what is printed: it cannot be used with -o");
}

#[test]
fn keeps_numbers_and_unknown_fields_and_the_order_of_fields() {
    let body = r#"{"zulu": 12345678901234567890, "alpha": 1.10, "character_count": 1, "character_limit": 2}"#;
    let answer =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let server = ScriptedServer::start(move |_| answer.clone().into_bytes());
    let bench = Bench::bare().env("TULK_API_KEY", "sandbox").env("TULK_SERVER", &server.url);
    let run = bench.run(["usage", "--jq", "., .zulu, .alpha"]).code(0);
    let object = r#"{"zulu":12345678901234567890,"alpha":1.10,"character_count":1,"character_limit":2}"#;
    run.prints(format!("{object}\n12345678901234567890\n1.10\n"));
}

#[test]
fn refuses_a_wrong_expression_before_sending() {
    let bench = Bench::new();
    let run = bench.run(["translate", "--to", "de", "a", "--jq", ".translations[0].text |"]).code(2).prints("");
    assert_eq!(
        run.stderr,
        "{\"error\":{\"kind\":\"usage\",\"message\":\"--jq:1:24: expected a filter, found the end\",\
        \"status\":null,\"code\":null,\"trace_id\":null,\"hint\":null}}\n"
    );
    for (expression, message) in [
        (".[", "--jq:1:2: `[` without `]`"),
        (".a\n| upper", "--jq:2:3: unknown function `upper`"),
        ("$ENV.TULK_API_KEY", "--jq:1:1: unknown variable `$ENV`"),
        ("env", "it has no environment, input or exit code"),
        ("include \"x\"; .", "--jq:1:1: modules are not supported"),
        ("-", "--jq:1:2: expected a filter, found the end"),
    ] {
        bench.run(["usage", "--jq", expression]).code(2).says(message).prints("");
    }
    assert_eq!(bench.requests().len(), 0);
}

#[test]
fn a_filter_needs_json_on_stdout() {
    let bench = Bench::new();
    bench.write("a.txt", "Hello");
    for (args, message) in [
        (&["usage", "--format", "table"][..], "--jq cannot be used with the format `table`"),
        (&["translate", "--to", "de", "a", "--format", "text"], "--jq cannot be used with the format `text`"),
        (&["usage", "--columns", "count"], "--columns cannot be used with the format `json`"),
        (&["glossary", "delete", "x"], "--jq needs a result in JSON"),
        (&["style", "export", "x"], "--jq needs a result in JSON"),
        (&["completions", "bash"], "--jq needs a result in JSON"),
        (&["translate", "--to", "de", "a", "-o", "x.json"], "--jq filters what is printed: it cannot be used with -o"),
        (&["translate", "--to", "de", "-i", "a.txt", "--in-place"], "--in-place cannot be used with the format `json`"),
        (&["write", "correct", "a", "-o", "x.json"], "it cannot be used with -o"),
        (&["write", "correct", "a", "--diff"], "--diff cannot be used with the format `json`"),
        (&["api", "GET", "/v2/usage", "-o", "x.json"], "it cannot be used with -o"),
        (&["api", "GET", "/v2/usage", "--include"], "it cannot be used with --include"),
        (&["api", "GET", "/v2/usage", "--silent"], "it cannot be used with --silent"),
        (&["doc", "translate", "a.txt", "--to", "de", "-o", "-"], "it cannot be used with a document on stdout"),
    ] {
        bench.run([args, &["--jq", "."]].concat()).code(2).says(message).prints("");
    }
    assert_eq!(bench.requests().len(), 0);
}

#[test]
fn a_failing_expression_exits_with_5_after_its_outputs() {
    let bench = Bench::new();
    let run = bench.run(["usage", "--jq", "1, (.nothing | keys)"]).code(5).prints("1\n");
    assert_eq!(
        run.stderr,
        "{\"error\":{\"kind\":\"refused\",\
        \"message\":\"--jq: cannot use null as iterable (array or object)\",\
        \"status\":null,\"code\":null,\"trace_id\":null,\"hint\":\"--json shows the result without the filter\"}}\n"
    );
    bench.run(["usage", "--jq", "error(\"too much\")"]).code(5).says("\"--jq: too much\"");
    // An answer that is not JSON, and an error.
    bench.run(["api", "GET", "/_sandbox/nothing", "--jq", ".message"]).code(4).says("404");
}

fn kept_file(stderr: &str) -> std::path::PathBuf {
    let (_, rest) = stderr.split_once("the results without the filter are in ").unwrap_or_else(|| panic!("{stderr}"));
    rest.split('"').next().unwrap().trim().into()
}

#[test]
fn a_failing_expression_keeps_a_billed_result_in_a_file() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("tmp")).unwrap();
    let dir = bench.path("tmp");
    let bench = bench.env("TMPDIR", dir.to_str().unwrap());
    let command = ["translate", "--to", "de", "a", "b", "--jq", ".translations[].txt | length | error"];
    let run = Run::unlisted(bench.command().args(command).output().unwrap()).code(5).prints("");
    let file = kept_file(&run.stderr);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(kept["translations"][1]["text"], "b");
    // If the filter fails for one result, the others are still filtered. All results for which it fails are kept in the file.
    let filter = "if .entry == 2 then .text else error(\"no\") end";
    let lines = ["translate", "--to", "de", "a", "b", "c", "--format", "jsonl", "--jq", filter];
    let run = Run::unlisted(bench.command().args(lines).output().unwrap())
        .code(5)
        .prints("b\n")
        .says("--jq: no (2 results failed, this is the first error)");
    let kept = std::fs::read_to_string(kept_file(&run.stderr)).unwrap();
    let entries: Vec<&str> = kept.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(entries, ["{\"entry\":1", "{\"entry\":3"]);
}

#[test]
fn other_failures_and_negative_answers_keep_their_exit_code() {
    let bench = Bench::with(&["--engine", "echo", "--character-limit", "10"]);
    bench.run(["translate", "--to", "de", "12345678"]).code(0);
    bench.run(["usage", "--fail-above", "50", "--jq", ".character_count"]).code(1).prints("8\n");
    bench.run(["usage", "--fail-above", "50", "--jq", "keys | keys | .[0] | keys"]).code(5);
    // The body of a refusal is printed unfiltered.
    let refused = bench.run(["api", "POST", "/v2/translate", "-F", "text[]=a", "--jq", ".translations"]).code(5);
    assert!(refused.out().contains("\"message\""), "{refused}");
}

#[test]
fn a_dry_run_prints_unfiltered_requests() {
    let bench = Bench::new();
    let run = bench.run(["translate", "--to", "de", "a", "--dry-run", "--jq", ".translations"]).code(0);
    assert_eq!(run.json()["body"]["target_lang"], "DE", "{run}");
}

#[test]
fn a_closed_pipe_ends_an_endless_expression() {
    let bench = Bench::new();
    let run = bench.bash("tulk usage --jq 'repeat(1)' | head -n 2; echo ${PIPESTATUS[0]}");
    run.code(0).prints("1\n1\n0\n").says_nothing();
}

#[test]
fn a_signal_ends_an_endless_expression() {
    let bench = Bench::new();
    // The first output shows that the expression is running. 9,000 results are more than tulk collects before writing.
    let filter = "limit(9000;repeat(1)),(def\tf:f;f)";
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut waiting = Waiting::start(
            &bench,
            &format!("usage --jq {filter}"),
            std::process::Stdio::null(),
            std::process::Stdio::piped(),
        );
        let mut first = [0; 2];
        std::io::Read::read_exact(waiting.child.stdout.as_mut().unwrap(), &mut first).unwrap();
        waiting.signal(signal);
        waiting.ends(code, Duration::from_secs(20));
    }
}

#[test]
fn filters_several_inputs_in_turn() {
    let bench = Bench::new();
    bench.write("a.txt", "one\ntwo\n");
    bench.write("b.txt", "three\n");
    let files = ["translate", "--to", "de", "--lines", "-i", "a.txt", "-i", "b.txt"];
    bench
        .run([&files[..], &["--jq", "[.translations[].text]"]].concat())
        .code(0)
        .prints("[\"one\",\"two\",\"three\"]\n");
    let lines = bench.run([&files[..], &["--format", "jsonl", "--jq", ".input"]].concat()).code(0);
    lines.prints("a.txt\na.txt\nb.txt\n");
}

#[test]
fn indents_and_escapes_outputs_on_a_terminal() {
    let bench = Bench::new();
    let filter = r#""a\u001b[31mb\tc", {x: [1, "\u001b[0m"]}, [], 6 / 2"#;
    let screen = bench.on_terminal(80, ["usage", "--jq", filter]).code(0);
    screen.prints("a\\u{1b}[31mb\tc\n{\n  \"x\": [\n    1,\n    \"\\u001b[0m\"\n  ]\n}\n[]\n3\n");
}

#[test]
fn a_result_that_cannot_be_kept_is_reported_as_lost() {
    let bench = Bench::new().env("TMPDIR", "/nowhere");
    let command = bench.command().args(["translate", "--to", "de", "a", "--jq", "error(\"no\")"]).output().unwrap();
    Run::unlisted(command)
        .code(5)
        .says("the results without the filter could not be kept in a file: No such file or directory");
}
