//! `tulk langs detect`.

use serde_json::json;

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

#[test]
fn prints_the_language_of_each_text() {
    let bench = Bench::new();
    let run = bench.run(["langs", "detect", "Wo ist der Bahnhof?", "123", "Qx", "ሰላም"]).code(0).says_nothing();
    assert_eq!(
        run.out(),
        "de\tsuccess\tTEXT 1\tWo ist der Bahnhof?\n\tno_language_detected\tTEXT 2\t123\n\
         \tinsufficient_confidence\tTEXT 3\tQx\n\tunsupported_language\tTEXT 4\tሰላም\n"
    );
    assert_eq!(
        bench.run(["langs", "detect", "Wo ist der Bahnhof?", "123", "--json"]).code(0).json(),
        json!([
            {"input": "TEXT 1", "text": "Wo ist der Bahnhof?", "detection_status": "success", "detected_language": "de"},
            {"input": "TEXT 2", "text": "123", "detection_status": "no_language_detected"},
        ])
    );
}

#[test]
fn tables_show_the_status_only_if_a_language_is_missing() {
    let bench = Bench::new();
    let run = bench.on_terminal(80, ["langs", "detect", "Wo ist der Bahnhof?", "The door is open."]).code(0);
    assert_eq!(
        run.out(),
        "LANGUAGE  INPUT   TEXT\nde        TEXT 1  Wo ist der Bahnhof?\nen        TEXT 2  The door is open.\n"
    );
    let run = bench.on_terminal(80, ["langs", "detect", "Wo ist der Bahnhof?", "123"]).code(0);
    assert_eq!(
        run.out(),
        "LANGUAGE  STATUS       INPUT   TEXT\nde        success      TEXT 1  Wo ist der Bahnhof?\n\
         \x20         no language  TEXT 2  123\n"
    );
}

#[test]
fn reads_directories() {
    let bench = Bench::new();
    bench.write("docs/a/de.md", "Wo ist der Bahnhof?\n");
    bench.write("docs/en.txt", "The door is open.\n");
    bench.write("docs/logo.svg", "<svg/>\n");
    let detect = ["langs", "detect", "--columns", "detected_language,input", "-i"];
    let run = bench.run([&detect[..], &["docs"]].concat()).code(0);
    run.prints("de\tdocs/a/de.md\nen\tdocs/en.txt\n").says("docs: skipped 1 file of another format\n");
    let run = bench.run([&detect[..], &["docs", "--glob", "*.md"]].concat()).code(0);
    run.prints("de\tdocs/a/de.md\n").says_nothing();
    bench.run([&detect[..], &["docs/en.txt", "--glob", "*.md"]].concat()).code(2).says("--glob needs a directory");
}

#[test]
fn reads_files_lines_and_stdin() {
    let bench = Bench::new();
    bench.write("de.txt", "Wo ist\nder Bahnhof?\n");
    bench.write("mixed.txt", "The door is open.\n\nWo ist der Bahnhof?\n");
    let run = bench.run(["langs", "detect", "-i", "de.txt", "-i", "mixed.txt", "--columns", "detected_language,input"]);
    assert_eq!(run.code(0).out(), "de\tde.txt\nde\tmixed.txt\n");
    let run = bench.run(["langs", "detect", "--lines", "-i", "mixed.txt"]).code(0);
    assert_eq!(
        run.out(),
        "en\tsuccess\tmixed.txt:1\tThe door is open.\nde\tsuccess\tmixed.txt:3\tWo ist der Bahnhof?\n"
    );
    for args in [&["langs", "detect"][..], &["langs", "detect", "-"], &["langs", "detect", "-i", "-"]] {
        let run = bench.pipe("Wo ist der Bahnhof?\n", args).code(0);
        assert_eq!(run.out(), "de\tsuccess\tstdin\tWo ist der Bahnhof?\n", "{args:?}");
    }
    bench.pipe("", ["langs", "detect"]).code(0).prints("").says_nothing();
    bench.pipe("a\0b\0", ["langs", "detect", "--nul", "--columns", "input"]).code(0).prints("stdin:1\nstdin:1\n");
    bench.pipe(b"Wo ist der \xffBahnhof?", ["langs", "detect"]).code(2).says("stdin:1:12");
    bench
        .run(["langs", "detect", "--lines", "Hello"])
        .code(2)
        .says("--lines and --nul cannot be used with TEXT arguments");
}

#[test]
fn a_request_has_at_most_50_texts() {
    let bench = Bench::new();
    let lines: String = (0..120).map(|n| format!("The door number {n} is open.\n")).collect();
    let run = bench.pipe(lines, ["langs", "detect", "--lines"]).code(0);
    assert_eq!(run.out().lines().count(), 120);
    assert!(run.out().ends_with("en\tsuccess\tstdin:120\tThe door number 119 is open.\n"), "{run}");
    let sent = bench.sent();
    let texts: Vec<_> = sent.iter().map(|(_, body)| body["text"].as_array().unwrap().len()).collect();
    assert_eq!(texts, [50, 50, 20]);
}

#[test]
fn reports_an_account_without_the_operation() {
    let server = ScriptedServer::start(|_| answer(403, &[], r#"{"message": "not enrolled"}"#));
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
    bench.run(["langs", "detect", "Hello"]).code(3).prints("").says("not enrolled");
    let server = ScriptedServer::start(|_| answer(200, &[], r#"{"results": [{"detection_status": "new"}]}"#));
    let bench = bench.env("TULK_SERVER", &server.url);
    bench.run(["langs", "detect", "Hello"]).code(0).prints("\tnew\tTEXT 1\tHello\n");
    bench.run(["langs", "detect", "Hello", "Hi"]).code(8).prints("").says("the number of results is 1, not 2");
}
