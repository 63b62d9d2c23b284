//! `tulk glossary lint`, `diff`, `sync` and `export`: glossaries as files under version control.

use serde_json::{Value, json};

use super::glossary::{create_kitchen, last_request};
use crate::common::Bench;

fn changes(bench: &Bench) -> Vec<String> {
    let all = bench.requests();
    let changing = all.iter().filter(|r| r["method"] != "GET");
    changing.map(|r| format!("{} {}", r["method"].as_str().unwrap(), r["path"].as_str().unwrap())).collect()
}

#[test]
fn lint_reports_every_problem_with_its_position_offline() {
    let bench = Bench::bare();
    bench.write("a.tsv", "a\tb\r\n\r\nA\tb\r\na\t c\r\nx\u{2028}\ty\r\n");
    bench.write("b.csv", "a,b\n\"two\nlines\",x\na,b,c\n");
    bench.write("ok.tsv", "\u{feff}a\tb\n");
    bench
        .run(["glossary", "lint", "a.tsv", "b.csv", "ok.tsv"])
        .code(1)
        .says("found 5 problems\n")
        .says_not("error:")
        .prints(
            "a.tsv:4:1: duplicate: the source phrase is already on line 1\n\
         a.tsv:4:3: whitespace: the target phrase starts with whitespace\n\
         a.tsv:5:2: newline: the source phrase contains the line break U+2028\n\
         b.csv:2:5: newline: the source phrase contains the line break U+000A\n\
         b.csv:4:5: columns: an entry needs 2 or 4 fields; this one has 3\n",
        );
    bench.run(["glossary", "lint", "ok.tsv"]).code(0).prints("");
    assert_eq!(bench.run(["glossary", "lint", "ok.tsv", "--json"]).code(0).json(), json!([]));
    let run = bench.run(["glossary", "lint", "a.tsv", "--json"]).code(1);
    assert_eq!(
        run.json()[0],
        json!({"file": "a.tsv", "line": 4, "column": 1, "rule": "duplicate",
            "message": "the source phrase is already on line 1", "first_line": 1})
    );
    bench
        .run(["glossary", "lint", "a.tsv", "--format", "tsv", "--columns", "line,rule"])
        .code(1)
        .prints("4\tduplicate\n4\twhitespace\n5\tnewline\n");
}

#[test]
fn lint_checks_the_rows_of_a_pair_and_reads_stdin() {
    let bench = Bench::bare();
    bench.write("t.csv", "a,b,en,fr\n");
    bench.run(["glossary", "lint", "t.csv"]).code(0);
    bench
        .run(["glossary", "lint", "en:de=t.csv"])
        .code(1)
        .prints("t.csv: no_row: the file has no row for this language pair (1 row for others)\n");
    bench.pipe("a\t\n", ["glossary", "lint", "-"]).code(1).prints("stdin:1:3: empty: the target phrase is empty\n");
    bench.pipe("h\tH\na\tb\n", ["glossary", "lint", "-", "--header-row"]).code(0);
    bench.run(["glossary", "lint", "-", "-"]).code(2);
    bench.run(["glossary", "lint", "missing.tsv"]).code(2).says("missing.tsv");
    let mut bytes = b"a\tb\ngr\xc3\xbc".to_vec();
    bytes.extend_from_slice(b"\xff\tx\n");
    bench.write("bad.tsv", bytes);
    bench.run(["glossary", "lint", "bad.tsv"]).code(1).prints("bad.tsv:2:4: utf8: invalid UTF-8 at byte offset 8\n");
}

#[test]
fn lint_refuses_more_than_10_mb() {
    let bench = Bench::bare();
    let file: String = (0..10_241).map(|i| format!("{i:0>1000}\t{}\n", "x".repeat(23))).collect();
    bench.write("big.tsv", file);
    bench
        .run(["glossary", "lint", "big.tsv"])
        .code(1)
        .prints("big.tsv: size: the entries have 10,497,024 bytes; the limit is 10,485,760\n");
}

#[test]
fn diff_prints_what_set_would_change() {
    let bench = Bench::new();
    create_kitchen(&bench);
    bench.write("new.tsv", "kettle\tKessel\npan\tPfanne\n");
    let diff = ["glossary", "diff", "Kitchen", "en:de", "new.tsv"];
    bench
        .run(diff)
        .code(1)
        .says("1 added, 1 changed, 1 removed")
        .prints("changed\tkettle\tWasserkocher\tKessel\nadded\tpan\t\tPfanne\nremoved\twhisk\tSchneebesen\t\n");
    bench
        .run(diff.into_iter().chain(["--header", "--columns", "new_target,change"]))
        .code(1)
        .prints("new_target\tchange\nKessel\tchanged\nPfanne\tadded\n\tremoved\n");
    bench
        .run(diff.into_iter().chain(["--format", "text"]))
        .code(1)
        .prints("~ kettle\tWasserkocher -> Kessel\n+ pan\tPfanne\n- whisk\tSchneebesen\n");
    let run = bench.run(diff.into_iter().chain(["--format", "text", "--color", "always"])).code(1);
    assert!(run.out().contains("\u{1b}[32m+ pan\tPfanne\u{1b}[0m\n"), "{run}");
    let run = bench.run(diff.into_iter().chain(["--json"])).code(1);
    assert_eq!(
        run.json(),
        json!([
            {"change": "changed", "source": "kettle", "target": "Wasserkocher", "new_target": "Kessel"},
            {"change": "added", "source": "pan", "new_target": "Pfanne"},
            {"change": "removed", "source": "whisk", "target": "Schneebesen"},
        ])
    );
    bench.run(["glossary", "diff", "Kitchen", "en:de", "kitchen.tsv"]).code(0).prints("");
    bench.run(["glossary", "diff", "Kitchen", "en:fr", "new.tsv"]).code(4);
}

#[test]
fn sync_creates_then_sends_only_differences_and_is_idempotent() {
    let bench = Bench::new();
    bench.write("de.tsv", "kettle\tWasserkocher\nwhisk\tSchneebesen\n");
    bench.write("fr.csv", "kettle,bouilloire\n");
    let sync = ["glossary", "sync", "Kitchen", "en:de=de.tsv", "en:fr=fr.csv"];
    bench.run(sync).code(0).prints("create\ten\tde\t2\t0\t0\t0\ncreate\ten\tfr\t1\t0\t0\t0\n");
    assert_eq!(changes(&bench), ["POST /v3/glossaries"]);
    bench.run(sync).code(0).prints("same\ten\tde\t0\t0\t0\t0\nsame\ten\tfr\t0\t0\t0\t0\n");
    bench.run(sync.into_iter().chain(["--prune"])).code(0);
    assert_eq!(changes(&bench).len(), 1, "existing entries are not sent");

    bench.write("de.tsv", "kettle\tKessel\npan\tPfanne\n");
    let dry = bench.run(sync.into_iter().chain(["-n"])).code(0);
    dry.prints("merge\ten\tde\t1\t1\t0\t1\nsame\ten\tfr\t0\t0\t0\t0\n");
    assert_eq!(changes(&bench).len(), 1, "a dry run sends nothing");
    bench.run(sync).code(0).says("only on the service: en:de: whisk");
    assert_eq!(last_request(&bench, "PATCH")["body"]["dictionaries"][0]["entries"], "kettle\tKessel\npan\tPfanne");
    let count = changes(&bench).len();
    bench.run(sync).code(0).prints("same\ten\tde\t0\t0\t0\t1\nsame\ten\tfr\t0\t0\t0\t0\n");
    assert_eq!(changes(&bench).len(), count);
}

#[test]
fn sync_prunes_after_confirmation() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.run(["glossary", "add", &id, "en:fr", "lid", "couvercle"]).code(0);
    bench.write("de.tsv", "kettle\tWasserkocher\n");
    bench.write("es.tsv", "lid\ttapa\n");
    let count = changes(&bench).len();
    let kept = bench.run(["glossary", "sync", "Kitchen", "en:de=de.tsv"]).code(0);
    let kept = kept.says("only on the service: dictionary en:fr");
    kept.prints("same\ten\tde\t0\t0\t0\t1\nkeep\ten\tfr\t0\t0\t0\t1\n");
    let prune = ["glossary", "sync", "Kitchen", "en:de=de.tsv", "en:es=es.tsv", "--prune"];
    bench.run(prune).code(2).says("remove 1 entry and 1 dictionary from glossary `Kitchen`");
    assert_eq!(changes(&bench).len(), count);
    let run = bench.run(prune.into_iter().chain(["--yes"])).code(0);
    run.prints("replace\ten\tde\t0\t0\t1\t0\nadd\ten\tes\t1\t0\t0\t0\ndelete\ten\tfr\t0\t0\t1\t0\n");
    assert_eq!(
        changes(&bench)[count..],
        [
            format!("PUT /v3/glossaries/{id}/dictionaries"),
            format!("PUT /v3/glossaries/{id}/dictionaries"),
            format!("DELETE /v3/glossaries/{id}/dictionaries"),
        ]
    );
    bench.run(["glossary", "entries", "Kitchen"]).prints("en\tde\tkettle\tWasserkocher\nen\tes\tlid\ttapa\n");
}

#[test]
fn sync_checks_all_files_before_the_first_request() {
    let bench = Bench::new();
    bench.write("de.tsv", "a\tb\n");
    bench.write("fr.tsv", "a b\n");
    bench
        .run(["glossary", "sync", "K", "en:de=de.tsv", "en:fr=fr.tsv"])
        .code(2)
        .says("fr.tsv:1:1: an entry needs a tab between source and target");
    bench.run(["glossary", "sync", "K", "de.tsv"]).code(2).says("en:de=FILE");
    assert_eq!(bench.requests().len(), 0);
}

#[test]
fn sync_finds_exported_files_unchanged() {
    let bench = Bench::new();
    bench.write("de.csv", "\"a, b\",\"\"\"c\"\"\"\nd,e\n");
    bench.write("en.tsv", "x\ty\n");
    let create = ["glossary", "create", "Küche/1", "--dictionary", "en:de=de.csv,", "--dictionary", "de:en=en.tsv"];
    bench.run(create).code(2);
    let create = create.map(|arg| arg.trim_end_matches(','));
    bench.run(create).code(0);
    bench
        .run(["glossary", "export", "Küche/1", "out/terms"])
        .code(0)
        .prints("out/terms/Küche_1.en-de.tsv\ten\tde\t2\nout/terms/Küche_1.de-en.tsv\tde\ten\t1\n");
    assert_eq!(bench.read("out/terms/Küche_1.en-de.tsv"), "a, b\t\"c\"\nd\te\n");
    let count = changes(&bench).len();
    let files = ["en:de=out/terms/Küche_1.en-de.tsv", "de:en=out/terms/Küche_1.de-en.tsv"];
    let run = bench.run(["glossary", "sync", "Küche/1", files[0], files[1], "--prune"]).code(0);
    run.prints("same\ten\tde\t0\t0\t0\t0\nsame\tde\ten\t0\t0\t0\t0\n");
    assert_eq!(changes(&bench).len(), count);
    // The files already exist with the same content.
    bench.run(["glossary", "export", "Küche/1", "out/terms"]).code(0);
}

#[test]
fn export_replaces_a_differing_file_only_with_force() {
    let bench = Bench::new();
    create_kitchen(&bench);
    bench.write("fr.tsv", "kettle\tbouilloire\n");
    bench.write("es.tsv", "kettle\therv\u{ed}a\n");
    bench.run(["glossary", "set", "Kitchen", "en:fr", "fr.tsv"]).code(0);
    bench.run(["glossary", "set", "Kitchen", "en:es", "es.tsv"]).code(0);
    bench.write("out/Kitchen.en-fr.tsv", "edited\tfile\n");
    let export = ["glossary", "export", "Kitchen", "out"];
    let refused = bench.run(export).code(2).prints("");
    let refused = refused.says("error: out/Kitchen.en-fr.tsv exists and differs from the glossary\n");
    refused.says("hint: nothing was written; --force replaces the file\n");
    bench.run(export.into_iter().chain(["-n"])).code(2).prints("");
    assert!(!bench.path("out/Kitchen.en-de.tsv").exists(), "all files are checked before the first is written");
    bench.write("out/Kitchen.en-es.tsv", "");
    let refused = bench.run(export).code(2).says("error: 2 files exist and differ from the glossary: ");
    refused.says("out/Kitchen.en-fr.tsv, out/Kitchen.en-es.tsv\n").says("--force replaces them");
    assert_eq!(bench.read("out/Kitchen.en-fr.tsv"), "edited\tfile\n");

    let run = bench.run(export.into_iter().chain(["--force", "--json"])).code(0);
    assert_eq!(
        run.json()[1],
        json!({"path": "out/Kitchen.en-fr.tsv", "source_lang": "en", "target_lang": "fr", "entry_count": 1})
    );
    assert_eq!(bench.read("out/Kitchen.en-fr.tsv"), "kettle\tbouilloire\n");
    bench.run(export).code(0);
}

#[test]
fn export_writes_all_files_or_none() {
    let bench = Bench::new();
    create_kitchen(&bench);
    bench.write("fr.tsv", "kettle\tbouilloire\n");
    bench.run(["glossary", "set", "Kitchen", "en:fr", "fr.tsv"]).code(0);
    bench.write("out/Kitchen.en-fr.tsv/x", "");
    bench.run(["glossary", "export", "Kitchen", "out", "--force"]).code(2).says("out/Kitchen.en-fr.tsv");
    assert!(!bench.path("out/Kitchen.en-de.tsv").exists());
}

#[test]
fn a_dry_run_of_export_writes_nothing() {
    let bench = Bench::new();
    create_kitchen(&bench);
    bench.run(["glossary", "export", "Kitchen", "out", "-n"]).code(0).prints("out/Kitchen.en-de.tsv\ten\tde\t2\n");
    assert!(!bench.path("out").exists());
    let _: Value = bench.run(["glossary", "list", "--json"]).json();
}
