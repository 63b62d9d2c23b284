//! `--cache`: what is sent again and what is not, for every kind of input and output.

use serde_json::{Value, json};

use crate::common::Bench;

pub fn texts(bench: &Bench) -> Vec<Vec<String>> {
    let is_text = |request: &Value| {
        ["/v2/translate", "/v2/write/"].iter().any(|path| request["path"].as_str().unwrap().starts_with(path))
    };
    let list = |request: &Value| serde_json::from_value(request["body"]["text"].clone()).unwrap();
    bench.requests().iter().filter(|request| is_text(request)).map(list).collect()
}

#[track_caller]
pub fn sent_by(bench: &Bench, run: impl FnOnce()) -> Vec<Vec<String>> {
    let before = texts(bench).len();
    run();
    texts(bench).split_off(before)
}

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

const NOTHING: [Vec<String>; 0] = [];

#[test]
fn sends_only_the_changed_lines_of_10000() {
    let bench = upper();
    let mut lines: Vec<String> = (0..10_000).map(|n| format!("line number {n}\n")).collect();
    bench.write("in.txt", lines.concat());
    let args = ["translate", "--from", "en", "--to", "de", "--lines", "-i", "in.txt", "--cache", "--stats"];
    let first = bench.run(args).code(0).prints(lines.concat().to_uppercase());
    first.says("texts 10000, requests 200, ").says(", cache hits 0, characters saved 0\n");
    let changes = [(7, "The first change\n"), (4999, "The second one\n"), (9990, "And the last\n")];
    for (at, line) in changes {
        lines[at] = line.to_owned();
    }
    bench.write("in.txt", lines.concat());
    let sent = sent_by(&bench, || {
        let run = bench.run(args).code(0).prints(lines.concat().to_uppercase());
        run.says("characters 42, ").says(", duplicates 0, ").says(", cache hits 9997, characters saved 158845\n");
    });
    assert_eq!(sent.concat(), ["The first change", "The second one", "And the last"]);
    let again = sent_by(&bench, || {
        let run = bench.run(args).code(0).prints(lines.concat().to_uppercase());
        run.says("texts 10000, requests 0, characters 0, ").says(", cache hits 10000, ");
    });
    assert_eq!(again, NOTHING);
}

#[test]
fn without_the_flag_the_store_is_neither_created_nor_opened() {
    let bench = upper();
    for _ in 0..2 {
        let run = bench.run(["translate", "--to", "de", "--stats", "tea"]).code(0).prints("TEA\n");
        run.says_not("cache").says_not("saved");
    }
    assert_eq!(texts(&bench).len(), 2);
    assert!(!bench.path(".cache/tulk/results").exists());
    let sent = sent_by(&bench, || drop(bench.run(["translate", "--to", "de", "--cache", "tea"]).code(0)));
    assert_eq!(sent, [["tea"]]);
}

#[test]
fn a_profile_turns_the_cache_on_for_translate_and_write() {
    let bench = upper();
    bench.write(".config/tulk/config.toml", "[profiles.default]\ncache = true\n");
    for args in [&["translate", "--to", "de"][..], &["write", "correct"], &["write", "rephrase"]] {
        let run = |flags: &[&str]| {
            sent_by(&bench, || drop(bench.run(args.iter().chain(flags).chain(&["we was late"])).code(0)))
        };
        assert_eq!(run(&[]), [["we was late"]], "{args:?}");
        assert_eq!(run(&[]), NOTHING, "{args:?}");
        assert_eq!(run(&["--no-cache"]), [["we was late"]], "{args:?}");
        assert_eq!(run(&["--cache"]), NOTHING, "{args:?}");
        bench
            .run(args.iter().chain(&["--cache", "--no-cache", "x"]))
            .code(2)
            .says("error: the argument '--cache' cannot be used with '--no-cache'");
    }
    bench.run(["config", "set", "profiles.default.cache", "maybe"]).code(2);
    bench.run(["config", "set", "profiles.default.cache", "false"]).code(0);
    let run = || drop(bench.run(["translate", "--to", "de", "we was late"]).code(0));
    assert_eq!(sent_by(&bench, run), [["we was late"]]);
}

#[test]
fn cached_json_results_equal_those_of_the_service() {
    let bench = upper();
    let run = |flags: &[&str]| bench.run(["translate", "--to", "de", "--cache"].iter().chain(flags)).code(0);
    let object = |text: &str| json!({"detected_source_language": "EN", "text": text});
    run(&["the tea"]);
    let both = json!({"translations": [object("THE TEA"), object("A CUP OF THE TEA")]});
    assert_eq!(run(&["--json", "the tea", "a cup of the tea"]).json(), both);
    assert_eq!(texts(&bench), [["the tea"], ["a cup of the tea"]]);
    assert_eq!(run(&["--json", "the tea", "a cup of the tea"]).json(), both);
    let line = "{\"entry\":1,\"target_lang\":\"de\",\"detected_source_language\":\"EN\",\"text\":\"THE TEA\"}\n";
    run(&["--format", "jsonl", "the tea"]).prints(line);
    run(&["--format", "tsv", "the tea"]).prints("de\tTHE TEA\n");
    let billed = run(&["--json", "--show-billed-characters", "the tea"]).json();
    assert_eq!(billed["translations"][0]["billed_characters"], 0);
    run(&["--show-billed-characters", "the tea"]).prints("THE TEA\n").says("billed characters: 0\n");
    let stats = run(&["--json", "--stats", "--show-billed-characters", "the tea", "new"]);
    stats.says("characters 3, billed 3, ").says("cache hits 1, characters saved 7\"}");
    assert_eq!(texts(&bench).len(), 3);
}

#[test]
fn caches_results_for_several_targets_files_and_columns() {
    let bench = upper();
    bench.write("a.csv", "id,name\n1,tea\n2,cup\n");
    let args = ["translate", "--csv", "--column", "name", "--append", "-i", "a.csv", "--cache"];
    bench.run(args.iter().chain(&["--to", "de"])).code(0).prints("id,name,name_de\n1,tea,TEA\n2,cup,CUP\n");
    let both = "id,name,name_de,name_fr\n1,tea,TEA,TEA\n2,cup,CUP,CUP\n";
    let run = || drop(bench.run(args.iter().chain(&["--to", "de,fr"])).code(0).prints(both));
    let before = bench.requests().len();
    assert_eq!(sent_by(&bench, run), [["tea", "cup"]]);
    assert_eq!(bench.requests()[before]["body"]["target_lang"], "FR");
    assert_eq!(sent_by(&bench, run), NOTHING);
    // The same texts, distributed differently over the files.
    bench.write("a.txt", "tea\nmilk\n");
    bench.write("b.jsonl", "{\"t\":\"cup\"}\n{\"t\":\"milk\"}\n");
    let lines = ["translate", "--to", "de", "--lines", "-i", "a.txt", "--in-place", "--cache"];
    assert_eq!(sent_by(&bench, || drop(bench.run(lines).code(0))), [["milk"]]);
    assert_eq!(bench.read("a.txt"), "TEA\nMILK\n");
    let records = ["translate", "--to", "de", "--jsonl", "--field", "/t", "-i", "b.jsonl", "--cache"];
    let expected = "{\"t\":\"CUP\"}\n{\"t\":\"MILK\"}\n";
    assert_eq!(sent_by(&bench, || drop(bench.run(records).code(0).prints(expected))), NOTHING);
}

#[test]
fn resends_a_changed_cue_and_the_cues_that_have_it_as_context() {
    let bench = upper();
    let cue = |n: usize, text: &str| format!("{n}\n00:00:0{n},000 --> 00:00:0{n},500\n{text}\n\n");
    let file = |changed: &str| -> String {
        (1..=9).map(|n| cue(n, &if n == 3 { changed.to_owned() } else { format!("cue {n}") })).collect()
    };
    bench.write("a.srt", file("cue 3"));
    let args = ["translate", "--to", "de", "--as", "srt", "-i", "a.srt", "--cache"];
    bench.run(args).code(0).prints(file("cue 3").replace("cue", "CUE"));
    bench.write("a.srt", file("tea"));
    let run = || drop(bench.run(args).code(0).prints(file("tea").replace("cue", "CUE").replace("tea", "TEA")));
    assert_eq!(sent_by(&bench, run), [["tea", "cue 4", "cue 5", "cue 6"]]);
    assert_eq!(bench.requests()[1]["body"]["context"], "cue 1\ncue 2");
    assert_eq!(sent_by(&bench, run), NOTHING);
}

#[test]
fn a_cached_result_gets_the_markup_of_its_entry() {
    let bench = upper();
    let args = ["translate", "--to", "de", "--as", "markdown", "--cache"];
    bench.pipe("Some *tea* here\n", args).code(0).prints("SOME *TEA* HERE\n");
    let again = || drop(bench.pipe("Some _tea_ here\n", args).code(0).prints("SOME _TEA_ HERE\n"));
    assert_eq!(sent_by(&bench, again), NOTHING);
    let printf = ["translate", "--to", "de", "--lines", "--protect", "printf", "--cache"];
    bench.pipe("%s is hot\r\n", printf).code(0).prints("%s IS HOT\r\n");
    assert_eq!(sent_by(&bench, || drop(bench.pipe("%s is hot\n", printf).code(0).prints("%s IS HOT\n"))), NOTHING);
    assert_eq!(sent_by(&bench, || drop(bench.pipe("%d is hot\n", printf).code(0))).len(), 1);
}

#[test]
fn a_dry_run_counts_only_uncached_texts() {
    let bench = upper();
    let args = ["translate", "--to", "de", "--lines", "--cache"];
    bench.pipe("one\n", args).code(0);
    for _ in 0..2 {
        let run = bench.pipe("one\ntwo\n", args.iter().chain(&["-n"])).code(0);
        run.says("would send: 2 texts, 3 characters, 1 request, 1 from the cache\n");
    }
    let run = bench.pipe("one\ntwo\n", args.iter().chain(&["-n"])).code(0);
    assert_eq!(run.json()["body"], json!({"text": ["two"], "target_lang": "DE"}));
    let limit = |limit| bench.pipe("one\ntwo\n", args.iter().chain(&["-n", "--max-characters", limit]));
    limit("3").code(0);
    limit("2").code(6);
    assert_eq!(texts(&bench), [["one"]]);
    let bare = Bench::bare();
    bare.run(["translate", "--server", "http://127.0.0.1:9", "--to", "de", "-n", "--cache", "Hi"]).code(0);
    assert!(!bare.path(".cache").exists());
}

#[test]
fn cached_characters_are_free_and_a_closed_pipe_is_quiet() {
    let bench = upper();
    let args = ["translate", "--to", "de", "--lines", "--cache"];
    bench.pipe("one\ntwo\n", args).code(0);
    let limited = args.iter().chain(&["--max-characters", "5"]);
    bench.pipe("one\nthree\ntwo\n", limited).code(0).prints("ONE\nTHREE\nTWO\n");
    let input: String = (0..20_000).map(|n| format!("line {}\n", n % 40)).collect();
    bench.write("in.txt", &input);
    bench.run(args.iter().chain(&["-i", "in.txt", "-o", "out.txt"])).code(0);
    let script = "tulk translate --to de --lines --cache -i in.txt | head -n 1";
    assert_eq!(sent_by(&bench, || drop(bench.bash(script).code(0).prints("LINE 0\n").says_nothing())), NOTHING);
}

#[test]
fn write_shows_changes_of_cached_results() {
    let bench = upper();
    bench.write("a.txt", "we was late becuase of rain\n");
    let run =
        |args: &[&str], code| bench.run(["write", "correct", "--cache", "-i", "a.txt"].iter().chain(args)).code(code);
    let first = run(&["--check"], 1).out().to_owned();
    let sent = texts(&bench);
    assert_eq!(sent, [["we was late becuase of rain"]]);
    run(&["--check"], 1).prints(first);
    run(&["--diff"], 0);
    let corrected = run(&[], 0);
    run(&["--in-place"], 0);
    assert_eq!(bench.read("a.txt"), corrected.out());
    assert_eq!(texts(&bench), sent);
}
