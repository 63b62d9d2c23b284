//! Files of `tulk voice terms`: `lint`, the checks before an upload, `sync`, and the effect of `--spoken-terms`.

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};
use crate::doc_recovery::client;
use crate::voice_terms::{EN, UNKNOWN, create_talk, has_only_reads, requests, terms};

/// A file with every kind of problem that a line can have.
const BAD: &str = "API\n\n API\na\tb\u{7}\nu\u{2028}v\n";
const BAD_LINES: &str = "bad.txt:2:1: blank: the line is blank\n\
                         bad.txt:3:2: duplicate: the term is already on line 1\n\
                         bad.txt:4:2: tab: the term contains a tab\n\
                         bad.txt:4:4: control: the term contains the control character U+0007\n\
                         bad.txt:5:2: newline: the term contains the line break U+2028\n";

fn sync(bench: &Bench, args: &[&str]) -> Run {
    bench.run(terms(&[&["sync", "Talk"], args].concat()))
}

fn methods(bench: &Bench, skip: usize) -> Vec<String> {
    bench.requests()[skip..].iter().map(|r| r["method"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn lint_reports_every_problem_of_every_file() {
    let bench = Bench::bare();
    bench.write("good.txt", format!("\u{feff}{}", EN.replace('\n', "\r\n")));
    bench.write("bad.txt", BAD);
    bench.write("long.txt", format!("{}\n{}\n", "ä".repeat(200), "ö".repeat(100)));
    let run = bench.run(terms(&["lint", "good.txt", "bad.txt", "long.txt"])).code(1);
    let long = "long.txt:2:100: length: the list has 301 characters; the limit of 300 is exceeded here\n";
    let run = run.prints(format!("{BAD_LINES}{long}"));
    run.says("found 6 problems\n");
    bench.run(terms(&["lint", "good.txt"])).code(0).prints("");
    let rows = bench.run(terms(&["lint", "bad.txt", "--json"])).code(1).json();
    assert_eq!(
        rows[1],
        json!({"file": "bad.txt", "line": 3, "column": 2, "rule": "duplicate", "first_line": 1,
            "message": "the term is already on line 1"})
    );
    assert_eq!(rows.as_array().unwrap().len(), 5);
    let tsv = bench.run(terms(&["lint", "bad.txt", "--format", "tsv", "--columns", "line,rule", "--header"])).code(1);
    tsv.prints("line\trule\n2\tblank\n3\tduplicate\n4\ttab\n4\tcontrol\n5\tnewline\n");
}

#[test]
fn lint_reads_stdin_once_and_refuses_other_files() {
    let bench = Bench::bare();
    bench
        .pipe("a\nb\na", terms(&["lint", "-"]))
        .code(1)
        .prints("stdin:3:1: duplicate: the term is already on line 1\n");
    bench.pipe("", terms(&["lint", "-"])).code(1).prints("stdin: no_term: the file has no terms\n");
    let twice = bench.pipe("a", terms(&["lint", "-", "-"])).code(2);
    twice.says("error: only one argument can read stdin: -, -\n");
    bench.write("large.txt", "0123456\n".repeat(10_000));
    let large = bench.run(terms(&["lint", "large.txt"])).code(2).prints("");
    let large =
        large.says("error: large.txt is larger than 64 KiB, the limit of a file of terms: it has 80,000 bytes\n");
    large.says("hint: a term list has at most 300 characters\n");
    std::fs::create_dir(bench.path("dir")).unwrap();
    bench.run(terms(&["lint", "dir"])).code(2).says("cannot read dir: ");
    bench.run(terms(&["lint", "none.txt"])).code(2).says("cannot read none.txt: ");
    bench.write("-odd = name.txt", "a\n");
    bench.run(terms(&["lint", "--", "-odd = name.txt"])).code(0).prints("");
}

#[test]
fn sends_nothing_while_a_file_has_problems() {
    let bench = Bench::new();
    create_talk(&bench);
    bench.write("bad.txt", BAD);
    bench.write("worse.txt", b"x\n\xff\n");
    let before = bench.requests().len();
    for args in [
        &["create", "New", "en=en.txt", "de=bad.txt"][..],
        &["set", "Talk", "en", "bad.txt"],
        &["merge", "Talk", "en", "bad.txt"],
        &["sync", "Talk", "en=bad.txt"],
    ] {
        let run = bench.run(terms(args)).code(2).prints("");
        let run =
            run.says("error: bad.txt:2:1: the line is blank\n").says("error: bad.txt:5:2: the term contains the line");
        let run = run.says("error: 5 problems in files of terms; nothing was sent\n");
        run.says("`tulk voice terms lint bad.txt` shows all problems of a file; --no-check sends the files anyway\n");
    }
    let one = bench.run(terms(&["create", "New", "en=worse.txt", "--no-check"])).code(2);
    one.says("error: worse.txt:2:1: invalid UTF-8 at byte offset 2\n  hint: save the file as UTF-8\n");
    assert_eq!(bench.requests().len(), before);
}

#[test]
fn no_check_sends_a_file_unchanged() {
    let bench = Bench::new();
    create_talk(&bench);
    let before = bench.requests().len();
    bench.write("bad.txt", "\u{feff}API\n\nAPI\n");
    bench.run(terms(&["set", "Talk", "en", "bad.txt", "--no-check", "--columns", "entry_count"])).code(0).prints("1\n");
    let sent = requests(&bench, before);
    assert_eq!(sent[2][3], json!({"lang": "en", "entries": "API\n\nAPI\n"}));
}

#[test]
fn accepts_300_characters_in_a_list_but_not_301() {
    let bench = Bench::new();
    let full = format!("{}\n{}\n", "ä".repeat(149), "ö".repeat(150));
    bench.write("full.txt", &full);
    bench.run(terms(&["create", "Talk", "en=full.txt"])).code(0);
    bench.run(terms(&["entries", "Talk", "en"])).code(0).prints(full.as_str());
    bench.write("more.txt", "x\n");
    let before = bench.requests().len();
    let merge = bench.run(terms(&["merge", "Talk", "en", "more.txt"])).code(2).prints("");
    let what =
        "error: the merged en list would have 302 characters (300 on the service, 1 in new terms); the limit is 300\n";
    merge.says(what).says("hint: replace the list with `tulk voice terms set`\n");
    sync(&bench, &["en=more.txt"]).code(2).prints("").says(what).says("hint: --prune removes the terms that are not");
    assert!(has_only_reads(&bench, before));
    bench.write("long.txt", format!("{full}x"));
    bench
        .run(terms(&["set", "Talk", "en", "long.txt"]))
        .code(2)
        .says("error: long.txt:3:1: the list has 302 characters; the limit of 300 is exceeded here\n");
    assert!(has_only_reads(&bench, before));
}

#[test]
fn sync_creates_changes_and_prunes_and_is_idempotent() {
    let bench = Bench::new();
    bench.write("en.txt", "a\nb\n");
    bench.write("de.txt", "c\n");
    sync(&bench, &["en=en.txt", "de=de.txt", "-n"]).code(0).prints("create\ten\t2\t0\t0\ncreate\tde\t1\t0\t0\n");
    assert!(has_only_reads(&bench, 0));
    sync(&bench, &["en=en.txt", "de=de.txt"]).code(0).prints("create\ten\t2\t0\t0\ncreate\tde\t1\t0\t0\n");
    assert_eq!(methods(&bench, 1), ["GET", "POST"]);
    bench.write("en.txt", "b\nd\n");
    bench.write("fr.txt", "e\n");
    let before = bench.requests().len();
    let run = sync(&bench, &["en=en.txt", "fr=fr.txt"]).code(0);
    let run = run.prints("merge\ten\t1\t0\t1\nadd\tfr\t1\t0\t0\nkeep\tde\t0\t0\t1\n");
    run.says("only on the service: en: a\n").says("only on the service: term list de\n");
    assert_eq!(methods(&bench, before), ["GET", "GET", "PATCH", "PUT"]);
    let patch = &requests(&bench, before)[2][3];
    assert_eq!(patch, &json!({"term_lists": [{"lang": "en", "entries": "d"}]}));
    bench.run(terms(&["entries", "Talk"])).code(0).prints("en\ta\nen\tb\nen\td\nde\tc\nfr\te\n");
    let pruned = "replace\ten\t0\t1\t0\nsame\tfr\t0\t0\t0\ndelete\tde\t0\t1\t0\n";
    let before = bench.requests().len();
    let asked = sync(&bench, &["en=en.txt", "fr=fr.txt", "--prune"]).code(2).prints("");
    let asked = asked.says("replace en: 1 removed\ndelete de: 1 removed\n");
    asked.says("error: confirmation required: remove 1 term and 1 term list from spoken terms `Talk`\n");
    assert!(has_only_reads(&bench, before));
    sync(&bench, &["en=en.txt", "fr=fr.txt", "--prune", "-y"]).code(0).prints(pruned);
    let before = bench.requests().len();
    for _ in 0..2 {
        let run = sync(&bench, &["en=en.txt", "fr=fr.txt", "--prune"]).code(0);
        run.prints("same\ten\t0\t0\t0\nsame\tfr\t0\t0\t0\n");
    }
    assert!(has_only_reads(&bench, before));
    bench.run(terms(&["entries", "Talk"])).code(0).prints("en\tb\nen\td\nfr\te\n");
}

#[test]
fn the_next_sync_completes_a_failed_one() {
    let bench = Bench::new();
    bench.write("en.txt", "a\n");
    bench.write("xx.txt", "b\n");
    sync(&bench, &["en=en.txt"]).code(0);
    bench.write("en.txt", "a\nb\n");
    sync(&bench, &["en=en.txt", "xx=xx.txt"]).code(5).says("Value for 'lang' not supported");
    bench.run(terms(&["entries", "Talk", "en"])).code(0).prints("a\nb\n");
    sync(&bench, &["en=en.txt", "fr=xx.txt"]).code(0).prints("same\ten\t0\t0\t0\nadd\tfr\t1\t0\t0\n");
}

#[test]
fn status_456_for_a_new_collection_names_the_limit_of_the_plan() {
    let server = ScriptedServer::start(|request| match request {
        r if r.starts_with("GET ") => answer(200, &[], r#"{"spoken_terms":[]}"#),
        r if r.contains("/v3/voice/") => answer(456, &[], r#"{"message":"Quota exceeded."}"#),
        _ => answer(456, &[], r#"{"message":"The limit of spoken terms collections is reached."}"#),
    });
    let bench = client(&server);
    bench.write("en.txt", EN);
    let hint = "hint: the plan allows no more collections of spoken terms: delete one (`tulk voice terms delete`), ";
    for args in [&["create", "Talk", "en=en.txt"][..], &["sync", "Talk", "en=en.txt"]] {
        let before = server.requests().len();
        let run = bench
            .run(terms(args))
            .code(6)
            .says("error: the service refused the request: The limit of spoken terms collections is reached. (456)\n");
        run.says(hint);
        let posts = server.requests()[before..].iter().filter(|r| r.starts_with("POST ")).count();
        assert_eq!(posts, 1, "a retry does not help");
    }
    let api = bench.run(["api", "POST", "/v3/spoken-terms", "-F", "name=n"]).code(6);
    api.says("error: the service refused the request: The limit of spoken terms collections is reached. (456)\n")
        .says(hint);
    let session = bench.run(["voice", "session", "--content-type", "audio/ogg"]).code(6);
    session
        .says("error: the service refused the request: Quota exceeded. (456)\n")
        .says("hint: the quota of this usage period is used up; `tulk usage`");
}

#[test]
fn the_sandbox_allows_100_collections() {
    let bench = Bench::new();
    bench.write("en.txt", EN);
    let body = json!({"name": "n", "term_lists": [{"lang": "en", "entries": "a"}]}).to_string();
    bench.write("body.json", body);
    let create = "for i in $(seq 100); do tulk api POST /v3/spoken-terms --input body.json --silent; done";
    bench.bash(create).code(0);
    let run = bench.run(terms(&["create", "One more", "en=en.txt"])).code(6);
    run.says(": The limit of spoken terms collections is reached: an account has 100 collections at most (456, trace ");
}

#[test]
fn a_session_sends_its_spoken_terms() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    for name in ["Talk", &id] {
        let before = bench.requests().len();
        bench.run(["voice", "session", "--content-type", "audio/ogg", "--spoken-terms", name]).code(0);
        let sent = requests(&bench, before);
        let body = json!({"source_media_content_type": "audio/ogg", "spoken_terms_id": id});
        assert_eq!(sent.as_array().unwrap().last().unwrap()[3], body);
        let reads = usize::from(name == "Talk");
        assert_eq!(sent.as_array().unwrap().len(), reads + 1, "an ID is used without a look-up");
    }
    let planned =
        bench.run(["voice", "session", "--content-type", "audio/ogg", "--spoken-terms", "Talk", "-n"]).code(0);
    let planned: Value = serde_json::from_str(planned.out().trim()).unwrap();
    assert_eq!(planned["body"], json!({"source_media_content_type": "audio/ogg", "spoken_terms_id": id}));
}

#[test]
fn a_stream_with_unknown_spoken_terms_fails_before_it_writes_anything() {
    let bench = Bench::new();
    create_talk(&bench);
    bench.write("quiet.pcm", [0; 3200]);
    let stream = |name: &str| {
        let args = ["voice", "stream", "quiet.pcm", "--content-type", "audio/pcm;encoding=s16le;rate=16000"];
        bench.run([&args[..], &["--to", "de", "-o", "talk.txt", "--spoken-terms", name]].concat())
    };
    stream("Tlak").code(4).says("error: no spoken terms collection named `Tlak`\n  hint: did you mean `Talk`?");
    assert!(!bench.path("talk.txt").exists() && !bench.path("talk.txt.part").exists());
    let unknown = stream(UNKNOWN).code(4).says(": Spoken terms not found: ");
    unknown.says("hint: `tulk voice terms list` lists the spoken terms\n");
    assert!(!bench.path("talk.txt").exists());
    stream("Talk").code(0);
    assert!(bench.path("talk.txt").exists());
}

#[test]
fn refuses_wrong_arguments_before_sending() {
    let bench = Bench::new();
    bench.write("en.txt", EN);
    for (args, message) in [
        (&["create", "T"][..], "<LANG=FILE>..."),
        (&["create", "T", "en"], "`en` is not LANG=FILE, such as en=FILE"),
        (&["create", "T", "en="], "`en=` is not LANG=FILE, such as en=FILE"),
        (&["create", "T", "en-US=en.txt"], "`en-US` is not an ISO 639-1 code (two letters)"),
        (&["set", "T", "eng", "en.txt"], "`eng` is not an ISO 639-1 code (two letters)"),
        (&["create", "T", "en=en.txt", "EN=en.txt"], "the language en has two files: en.txt and en.txt"),
        (&["create", "T", "en=-", "de=-"], "only one argument can read stdin: en=-, de=-"),
        (&["create", " ", "en=en.txt"], "the name of the spoken terms is empty"),
        (&["rename", UNKNOWN, ""], "the name of the spoken terms is empty"),
    ] {
        bench.run(terms(args)).code(2).prints("").says(message);
    }
    let long = "n".repeat(1025);
    let message = "the name of the spoken terms has 1,025 bytes; the limit is 1,024";
    bench.run(terms(&["create", &long, "en=en.txt"])).code(2).says(message);
    assert!(bench.sent().is_empty());
}

#[test]
fn lint_of_a_dash_lists_the_problems_of_stdin() {
    let bench = Bench::new();
    bench.write("stdin", "a\n");
    let hint = "lint -` shows all problems of a file; --no-check sends the files anyway\n";
    let run = bench.pipe("a\na\n\n", terms(&["create", "Talk", "en=-"])).code(2).says("error: stdin:2:1: ");
    run.says(&format!("hint: `tulk voice terms {hint}"));
    let run = bench.pipe("a\nb\n", ["glossary", "create", "G", "--dictionary", "en:de=-"]).code(2);
    run.says("error: stdin:2:1: ").says(&format!("hint: `tulk glossary {hint}"));
    bench.write("stdin", "a\na\n\n");
    bench.run(terms(&["create", "Talk", "en=stdin"])).code(2).says("hint: `tulk voice terms lint stdin` shows");
    assert!(bench.sent().is_empty());
}

#[test]
fn hints_at_a_plan_without_spoken_terms() {
    let server = ScriptedServer::start(|request| {
        let status = if request.starts_with("GET ") { 403 } else { 401 };
        answer(status, &[], r#"{"message":"Not available."}"#)
    });
    let bench = client(&server);
    bench.write("en.txt", EN);
    let refused =
        bench.run(terms(&["list"])).code(3).says("error: the service refused the request: Not available. (403)\n");
    refused.says(" rejected the API key from TULK_API_KEY, or its plan has no spoken terms; `tulk auth status`");
    let unknown = bench.run(terms(&["create", "Talk", "en=en.txt", "--no-check"])).code(3);
    unknown.says(" rejected the API key from TULK_API_KEY; `tulk auth status`").says_not("plan");
    bench.run(["usage"]).code(3).says(" rejected the API key from TULK_API_KEY; `tulk auth status`");
}
