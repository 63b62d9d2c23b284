//! `tulk translate`: formats, several targets and files, and the state after a failure.

use serde_json::{Value, json};

use crate::common::Bench;

#[test]
fn several_targets_cannot_share_stdout_as_text() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de,fr", "--format", "text", "x"]).code(2).prints("").says("--format tsv");
    assert!(bench.requests().is_empty());
    bench.run(["translate", "--to", "de", "--format", "text", "x"]).code(0).prints("x\n");
}

#[test]
fn columns_select_and_order_fields() {
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
fn checks_all_files_before_the_first_request() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("good.txt", "good\n");
    bench.write("bad.txt", b"bad\xff");
    bench.write("long.txt", format!("ok\n{}\n", "x".repeat(131_072)));
    bench
        .run(["translate", "--to", "de", "--in-place", "-i", "good.txt", "-i", "bad.txt"])
        .code(2)
        .says("bad.txt:1:4: invalid UTF-8 at byte 3");
    bench
        .run(["translate", "--to", "de", "--lines", "-i", "good.txt", "-i", "long.txt", "-o", "{stem}.{lang}{ext}"])
        .code(2)
        .says("long.txt:2:1: ");
    let first = bench.run(["translate", "--to", "de", "--in-place", "-i", "bad.txt", "-i", "good.txt"]).code(2);
    first.says("bad.txt:1:4: invalid UTF-8 at byte 3; not started: good.txt");
    for how in ["--in-place", "--check"] {
        bench.run(["write", "correct", how, "-i", "good.txt", "-i", "bad.txt"]).code(2).says("bad.txt");
    }
    assert!(bench.requests().is_empty());
    assert_eq!(bench.read("good.txt"), "good\n");
    assert!(!bench.path("good.de.txt").exists());
}

#[test]
fn reports_a_failed_target_with_what_was_written() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = bench.pipe("a\nb\n", ["translate", "--to", "de,xx", "--lines"]).code(9).prints("de\tA\nde\tB\n");
    run.says("stdin:1:1: to xx: ").says("`tulk langs list --target`").says_not("written");
    let run = bench.pipe("a\nb\n", ["translate", "--to", "de,xx", "--lines", "--json", "-o", "both.json"]).code(9);
    run.says("to xx").says_not("--resume");
    let both: Value = serde_json::from_str(&bench.read("both.json")).unwrap();
    assert_eq!((both[0]["translations"].as_array().unwrap().len(), both[1]["target_lang"].as_str()), (2, Some("xx")));
}

#[test]
fn a_run_that_wrote_nothing_cannot_be_resumed() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "xx", "-o", "out.txt", "a"]).code(5).says_not("--resume");
    let protected = bench.run(["translate", "--to", "xx", "--protect", "printf", "a"]).code(5);
    protected.says("`tulk langs list --target`");
    assert!(!bench.path("out.txt.part").exists() && !bench.path("out.txt.part.state").exists());
}

#[test]
fn an_incomplete_list_of_several_targets_is_still_valid() {
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
fn starts_no_further_file_after_max_wait() {
    let bench = Bench::with(&["--fault", "429;retry-after=600;path=/v2/translate"]);
    bench.write("a.txt", "a\n");
    bench.write("b.txt", "b\n");
    let files = ["translate", "--to", "de", "-i", "a.txt", "-i", "b.txt", "-o", "{stem}.{lang}{ext}"];
    bench.run(files.iter().copied().chain(["--max-wait", "1s"])).code(10).says("--max-wait");
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn the_services_refusal_of_a_language_option_gets_a_hint() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "ko", "--formality", "more", "x"]).code(5).says(
        "hint: --formality prefer_more applies only if the language supports it; \
         `tulk langs check --to ko --feature formality` checks whether it does\n",
    );
    bench.run(["translate", "--to", "ko", "--formality", "less", "x"]).code(5).says("hint: --formality prefer_less");
    let unknown = "00000000-0000-4000-8000-000000000000";
    for flags in [["--glossary", unknown, "--from", "en"], ["--style", unknown, "--from", "en"]] {
        let run = bench.run(["translate", "--to", "de", "x"].iter().chain(&flags)).code(4);
        run.says(
            "hint: each data center has its own glossaries, style rule lists and translation memories: check the ID",
        );
    }
    let instructed = ["translate", "--to", "pl", "--custom-instruction", "Be brief", "x"];
    bench.run(instructed).code(5).says("hint: `tulk langs check --to pl --feature style_rules` checks whether");
    let list = bench.run(["style", "create", "Short", "--language", "fr", "--json"]).code(0).json();
    bench.run(["translate", "--to", "de", "--style", "Short", "x"]).code(5).says(&format!(
        "hint: the style rule list must be in the target language or its base language (`tulk style show {}`), and `tulk \
         langs check --to de --feature style_rules` checks whether the language supports it\n",
        list["style_id"].as_str().unwrap()
    ));
    let rude = ["translate", "--no-check", "--formality", "rude", "--to", "de", "hi"];
    bench.run(rude).code(5).says("'formality'").says_not("hint");
    let markup = ["translate", "--to", "ko", "--tag-handling", "xml", "--tag-handling-version", "v2", "<broken"];
    bench.run(markup).code(5).says_not("hint");
}

#[test]
fn json_has_the_fields_of_the_service() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = bench.run(["translate", "--to", "de", "--from", "en", "--json", "Hi", "Ho"]).code(0);
    assert_eq!(
        run.json(),
        json!({"translations": [
            {"detected_source_language": "EN", "text": "HI"},
            {"detected_source_language": "EN", "text": "HO"}
        ]})
    );
    bench.run(["translate", "--to", "de", "--jq", ".translations[0].text", "Hi"]).code(0).prints("HI\n");
    let run = bench.run(["translate", "--to", "de,fr", "--from", "en", "--json", "Hi"]).code(0);
    assert_eq!(
        run.json()[1],
        json!({"target_lang": "fr", "translations": [{"detected_source_language": "EN", "text": "HI"}]})
    );
}

#[test]
fn jsonl_has_entry_and_target() {
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
fn writes_results_to_files_by_template() {
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
    bench
        .run(["translate", "--to", "de", "-i", "in/a.txt", "-o", "in/a.txt"])
        .code(2)
        .says("both an input and an output");
    bench.run(["translate", "--to", "de", "-i", "in/a.txt", "--in-place"]).code(0);
    assert_eq!(bench.read("in/a.txt"), "A\n");
}

#[test]
fn in_place_takes_one_target_except_for_tables_with_added_columns() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.txt", "one\n");
    bench.write("a.csv", "id,text\n1,one\n");
    let both = ["translate", "--to", "de,fr", "--in-place"];
    let run = bench.run(both.iter().chain(&["-i", "a.txt"])).code(2);
    run.says("--in-place takes one target").says("hint: use -o '{stem}.{lang}{ext}' for several");
    assert!(bench.requests().is_empty());
    bench.run(both.iter().chain(&["--csv", "--column", "text", "--append", "-i", "a.csv"])).code(0);
    assert_eq!(bench.read("a.txt"), "one\n");
    assert_eq!(bench.read("a.csv"), "id,text,text_de,text_fr\n1,one,ONE,ONE\n");
}

#[test]
fn an_error_keeps_the_old_file() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "500:1"]);
    bench.write("out.txt", "old");
    bench.run(["translate", "--to", "de", "--retries", "0", "-o", "out.txt", "a"]).code(7);
    assert_eq!(bench.read("out.txt"), "old");
}

#[test]
fn force_without_an_output_file_gets_a_hint() {
    let bench = Bench::new();
    for command in [&["translate", "--to", "de"][..], &["write", "correct"]] {
        let hints = |args: &[&str]| {
            let run = bench.run([command, args].concat()).code(0);
            run.stderr.matches("--force has no effect without -o").count()
        };
        assert_eq!((hints(&["--force", "x"]), hints(&["--force", "-o", "-", "x"])), (1, 1));
        assert_eq!((hints(&["x"]), hints(&["--force", "-o", "out.txt", "x"])), (0, 0));
    }
}

#[test]
fn writes_devices_directly() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de", "-o", "/dev/null", "a"]).code(0).prints("");
    bench.run(["translate", "--to", "de", "-o", "-", "a"]).code(0).prints("a\n");
}

#[cfg(unix)]
#[test]
fn refuses_to_replace_both_a_file_and_a_link_to_it() {
    let bench = Bench::new();
    let file = bench.write("a.txt", "a\n");
    std::os::unix::fs::symlink(file, bench.path("link.txt")).unwrap();
    let run = bench.run(["translate", "--to", "de", "--in-place", "-i", "a.txt", "-i", "link.txt"]).code(2);
    run.says("a.txt and link.txt").says("list each file only once").says_not("-o");
    assert!(bench.requests().is_empty());
    assert_eq!(bench.read("a.txt"), "a\n");
}
