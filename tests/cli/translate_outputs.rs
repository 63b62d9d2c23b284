//! `tulk translate` with several targets or files: what goes where, what stands after a failure, what is said of it.

use serde_json::Value;

use crate::common::Bench;

#[test]
fn several_targets_never_share_stdout_as_text() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de,fr", "--format", "text", "x"]).code(2).prints("").says("--format tsv");
    assert!(bench.requests().is_empty());
    bench.run(["translate", "--to", "de", "--format", "text", "x"]).code(0).prints("x\n");
}

#[test]
fn columns_pick_and_order_the_rows() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = bench.run(["translate", "--to", "de,fr", "--columns", "text,target_lang", "--header", "a"]);
    run.code(0).prints("text\ttarget_lang\nA\tde\nA\tfr\n");
    bench.run(["translate", "--to", "de,fr", "--columns", "text", "a"]).code(0).prints("A\nA\n");
    let sent = bench.requests().len();
    bench.run(["translate", "--to", "de,fr", "--columns", "txt", "a"]).code(2).prints("").says("target_lang, text");
    bench.run(["translate", "--to", "de", "--columns", "text", "a"]).code(2).prints("").says("--columns");
    assert_eq!(bench.requests().len(), sent);
}

#[test]
fn all_files_are_looked_through_before_the_first_request() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("good.txt", "good\n");
    bench.write("bad.txt", b"bad\xff");
    bench.write("long.txt", format!("ok\n{}\n", "x".repeat(131_072)));
    bench
        .run(["translate", "--to", "de", "--in-place", "-i", "good.txt", "-i", "bad.txt"])
        .code(2)
        .says("bad.txt: invalid UTF-8 at byte 3");
    bench
        .run(["translate", "--to", "de", "--lines", "-i", "good.txt", "-i", "long.txt", "-o", "{stem}.{lang}{ext}"])
        .code(2)
        .says("long.txt:2");
    for how in ["--in-place", "--check"] {
        bench.run(["write", "correct", how, "-i", "good.txt", "-i", "bad.txt"]).code(2).says("bad.txt");
    }
    assert!(bench.requests().is_empty());
    assert_eq!(bench.read("good.txt"), "good\n");
    assert!(!bench.path("good.de.txt").exists());
}

#[test]
fn a_failed_target_is_said_to_have_what_it_has() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = bench.pipe("a\nb\n", ["translate", "--to", "de,xx", "--lines"]).code(9).prints("de\tA\nde\tB\n");
    run.says("stdin:1: to xx: ").says("`tulk langs check --to xx`").says_not("written");
    let run = bench.pipe("a\nb\n", ["translate", "--to", "de,xx", "--lines", "--json", "-o", "both.json"]).code(9);
    run.says("to xx").says_not("--resume");
    let both: Value = serde_json::from_str(&bench.read("both.json")).unwrap();
    assert_eq!((both[0]["translations"].as_array().unwrap().len(), both[1]["target_lang"].as_str()), (2, Some("xx")));
}

#[test]
fn nothing_begun_is_nothing_to_go_on_with() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "xx", "-o", "out.txt", "a"]).code(5).says_not("--resume");
    assert!(!bench.path("out.txt.part").exists() && !bench.path("out.txt.part.state").exists());
}

#[test]
fn a_list_of_several_targets_that_was_cut_short_can_be_read() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input: String = (0..200).map(|i| format!("line {i}\n")).collect();
    bench.write("in.txt", &input);
    let args = ["translate", "--to", "de,fr", "--lines", "--json", "-i", "in.txt", "-o", "out.json"];
    let run = bench.run(args.iter().copied().chain(["--concurrency", "1", "--max-characters", "1500"])).code(6);
    run.says("--force").says_not("--resume");
    let came: Value = serde_json::from_str(&bench.read("out.json.part")).unwrap();
    assert!(!came[0]["translations"].as_array().unwrap().is_empty(), "{came}");
    bench.run(args.iter().copied().chain(["--resume"])).code(2).says("--force");
    bench.run(args.iter().copied().chain(["--force"])).code(0);
    assert!(!bench.path("out.json.part").exists());
}

#[test]
fn when_waiting_is_over_no_other_file_is_begun() {
    let bench = Bench::with(&["--fault", "429;retry-after=600;path=/v2/translate"]);
    bench.write("a.txt", "a\n");
    bench.write("b.txt", "b\n");
    let files = ["translate", "--to", "de", "-i", "a.txt", "-i", "b.txt", "-o", "{stem}.{lang}{ext}"];
    bench.run(files.iter().copied().chain(["--max-wait", "1s"])).code(10).says("--max-wait");
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn rules_of_languages_are_the_services_and_its_refusal_gets_a_hint() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "ko", "--formality", "more", "x"]).code(5).says("hint: --formality prefer_more");
    bench.run(["translate", "--to", "ko", "--formality", "less", "x"]).code(5).says("hint: --formality prefer_less");
    let markup = ["translate", "--to", "ko", "--tag-handling", "xml", "--tag-handling-version", "v2", "<broken"];
    bench.run(markup).code(5).says_not("hint");
}
