//! Checks the claims about tulk in docs/comparison.md that do not depend on the machine. Other values come from the commands of the
//! page, which `cargo test --test docs` runs. Two claims are tested elsewhere: results arrive while the input is open
//! (`translate_runs::translates_pending_lines_when_the_input_idles`), and waits are respected
//! (`sending::no_request_starts_before_retry_after_has_passed`).

use std::path::Path;
use std::process::Stdio;

use crate::common::{Bench, Run, wait_until};

/// The first cell after the name of a row.
fn cell(row: &str) -> String {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/comparison.md")).unwrap();
    let start = format!("| {row} | ");
    let cells: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(&start)).collect();
    assert_eq!(cells.len(), 1, "rows with the name {row}");
    cells[0].split(" | ").next().unwrap().to_owned()
}

fn numbered(count: usize) -> String {
    (0..count).map(|n| format!("Line {n:6} of a text about a blue kettle.\n")).collect()
}

#[test]
fn only_the_changed_line_of_a_thousand_is_billed_again() {
    let bench = Bench::with(&["--engine", "upper"]);
    let billed = || bench.run(["api", "GET", "/_sandbox/state", "--jq", ".usage.text"]).out().trim().parse::<u64>();
    bench.write("in.txt", numbered(1000));
    let run = ["translate", "--to", "de", "--lines", "--cache", "-i", "in.txt", "-q"];
    bench.run(run).code(0).prints(numbered(1000).to_uppercase());
    let first = billed().unwrap();
    assert_eq!(first, 42_000);
    let changed = numbered(1000).replace("Line    500", "Line x  500");
    bench.write("in.txt", &changed);
    bench.run(run).code(0).prints(changed.to_uppercase());
    let again = billed().unwrap() - first;
    assert_eq!(cell("one of 1,000 lines has changed: billed characters"), format!("{again} of 42,000"));
}

#[test]
fn a_text_above_the_request_limit_takes_two_requests() {
    let bench = Bench::new();
    let text = format!("{}\n\n", "The kettle is blue and the lid is open. ".repeat(99)).repeat(50);
    bench.pipe(&text, ["translate", "--to", "de"]).code(0).prints(&text);
    assert_eq!(cell("a text of 200,000 bytes"), format!("{} requests", bench.requests().len()));
}

#[test]
fn results_before_a_refused_request_are_gapless() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "400;after=9;total=1;path=/v2/translate"]);
    bench.write("in.txt", lines_up_to(1000).to_lowercase());
    let run = Run::unlisted(bench.shell("tulk translate --to de --lines -i in.txt").output().unwrap());
    assert!((1..=19).any(|parts| run.out() == lines_up_to(parts * 50)), "{run}");
    assert_eq!(
        cell("the tenth of 20 requests is refused"),
        format!("about 450 lines without a gap, code {}", run.code)
    );
}

fn lines_up_to(count: usize) -> String {
    (1..=count).map(|n| format!("LINE {n}\n")).collect()
}

#[test]
fn a_killed_run_uploads_its_document_only_once() {
    // The first status request is never answered.
    let flags = ["--engine", "upper", "--document-queue", "0s", "--document-translate", "0s"];
    let fault = ["--fault", "never;path=/v2/document/*;total=1"];
    let bench = Bench::with(&[&flags[..], &fault].concat());
    bench.write("letter.txt", "Good morning.\n");
    let arguments = ["doc", "translate", "letter.txt", "--to", "de", "-o", "out.txt"];
    let mut child = bench.command().args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let asked = || {
        let arrived = bench.run(["api", "GET", "/_sandbox/requests", "--jq", ".requests[].path"]);
        arrived.out().lines().any(|path| path.starts_with("/v2/document/"))
    };
    wait_until("a question about the document", asked);
    child.kill().unwrap();
    child.wait().unwrap();
    Run::unlisted(bench.command().args(arguments).output().unwrap()).code(0);
    assert_eq!(bench.read("out.txt"), "GOOD MORNING.\n");
    let uploads = bench.sent().iter().filter(|(request, _)| request == "POST /v2/document").count();
    assert_eq!(cell("killed while a document is translated, run again"), format!("{uploads} upload"));
}

const PROJECT: &str = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"pl\"]\n\n[[sync.files]]\nsource = \"locales/en.json\"\n\
                       target = \"locales/{lang}.json\"\ndialect = \"i18next\"\n";

const CATALOG: &str = r#"{
    "greeting": "Hello {{userName}}",
    "price": 1.10,
    "list": ["Open", "Shut"],
    "lid_one": "{{count}} lid",
    "lid_other": "{{count}} lids",
    "a": "Open <b>the lid</b>"
}
"#;

#[test]
fn a_catalogue_keeps_everything_but_its_texts() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("tulk.toml", PROJECT);
    bench.write("locales/en.json", CATALOG);
    bench.run(["sync"]).code(0);
    let translated = r#"{
    "greeting": "HELLO {{userName}}",
    "price": 1.10,
    "list": ["OPEN", "SHUT"],
    "lid_one": "{{count}} LID",
    "lid_few": "{{count}} LIDS",
    "lid_many": "{{count}} LIDS",
    "lid_other": "{{count}} LIDS",
    "a": "OPEN <b>THE LID</b>"
}
"#;
    assert_eq!(bench.read("locales/pl.json"), translated);
    for (row, kept) in [
        ("order of keys", "kept"),
        ("four spaces", "kept"),
        ("newline at the end", "kept"),
        ("a number beside texts, `1.10`", "kept"),
        ("a list of texts", "translated"),
        ("plural forms for Polish", "four"),
    ] {
        assert_eq!(cell(row), kept, "{row}");
    }
    let requests: Vec<_> = bench.sent().into_iter().filter(|(request, _)| request == "POST /v2/translate").collect();
    assert!(requests[0].1["text"].to_string().contains(r#"Hello <x id=\"1\">{{userName}}</x>"#), "{requests:?}");
    assert_eq!(requests[0].1["ignore_tags"].to_string(), r#"["x"]"#);
    assert_eq!(cell("placeholders are sent as"), "a tag that is ignored");
    // A person edits one translation, and the source of another text changes.
    bench.write("locales/pl.json", translated.replace("OPEN <b>THE LID</b>", "by <b>hand</b>"));
    bench.write("locales/en.json", CATALOG.replace("\"Shut\"", "\"Closed\""));
    bench.run(["sync", "--check"]).code(1);
    bench.run(["sync"]).code(0);
    let expected = translated.replace("OPEN <b>THE LID</b>", "by <b>hand</b>").replace("SHUT", "CLOSED");
    assert_eq!(bench.read("locales/pl.json"), expected);
    bench.run(["sync", "--check"]).code(0);
    for (row, result) in [
        ("a text of the source changes", "translated again"),
        ("a translation that a person has edited", "kept"),
        ("a check for CI", "yes"),
    ] {
        assert_eq!(cell(row), result, "{row}");
    }
}
