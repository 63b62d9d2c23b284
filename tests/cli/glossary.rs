//! `tulk glossary` against the sandbox: edits, lookups, confirmations, lost replies.

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// Returns the ID. Another glossary may have the same name.
pub(super) fn create_kitchen(bench: &Bench) -> String {
    bench.write("kitchen.tsv", "kettle\tWasserkocher\nwhisk\tSchneebesen\n");
    let create = ["glossary", "create", "Kitchen", "--dictionary", "en:de=kitchen.tsv", "--json", "--no-check"];
    bench.run(create).code(0).json()["glossary_id"].as_str().unwrap().to_owned()
}

pub(super) fn last_request(bench: &Bench, method: &str) -> Value {
    bench.requests().into_iter().rfind(|r| r["method"] == method).unwrap_or_default()
}

fn methods(bench: &Bench) -> Vec<String> {
    bench.requests().iter().map(|r| r["method"].as_str().unwrap().to_owned()).collect()
}

fn entries(bench: &Bench) -> String {
    bench.run(["glossary", "entries", "Kitchen", "en:de"]).code(0).out().to_owned()
}

#[test]
fn create_sends_the_dictionaries_and_shows_the_glossary() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    let sent = last_request(&bench, "POST");
    assert_eq!(sent["path"], "/v3/glossaries");
    assert_eq!(
        sent["body"],
        json!({"name": "Kitchen", "dictionaries": [{
            "source_lang": "en", "target_lang": "de",
            "entries": "kettle\tWasserkocher\nwhisk\tSchneebesen", "entries_format": "tsv"}]})
    );
    let run = bench.run(["glossary", "show", "Kitchen", "--json"]).code(0);
    assert_eq!(run.json()["dictionaries"], json!([{"source_lang": "en", "target_lang": "de", "entry_count": 2}]));
    let run = bench.run(["glossary", "list", "--columns", "glossary_id,name,dictionaries,entry_count,ready"]).code(0);
    run.prints(format!("{id}\tKitchen\ten:de\t2\ttrue\n"));
}

#[test]
fn an_empty_list_is_not_an_error() {
    let bench = Bench::new();
    bench.run(["glossary", "list"]).code(0).prints("");
    assert_eq!(bench.run(["glossary", "list", "--json"]).code(0).json(), json!([]));
    assert_eq!(bench.run(["glossary", "v2", "list", "--json"]).code(0).json(), json!([]));
}

#[test]
fn limit_ends_a_list_after_n_rows() {
    let bench = Bench::new();
    bench.write("t.tsv", "a\tb\n");
    for name in ["One", "Two", "Three"] {
        bench.run(["glossary", "create", name, "--dictionary", "en:de=t.tsv"]).code(0);
        bench.run(["glossary", "v2", "create", name, "--dictionary", "en:fr=t.tsv", "--no-check"]).code(0);
    }
    bench.run(["glossary", "list", "--limit", "2", "--columns", "name"]).code(0).prints("One\nOne\n");
    bench.run(["glossary", "v2", "list", "--limit", "2", "--columns", "name"]).code(0).prints("One\nTwo\n");
    assert_eq!(bench.run(["glossary", "v2", "pairs", "--limit", "1"]).code(0).out(), "ar\tbg\n");
    assert_eq!(bench.run(["glossary", "list", "--limit", "9", "--json"]).code(0).json().as_array().unwrap().len(), 6);
}

#[test]
fn converts_csv_and_counts_skipped_rows_of_other_pairs() {
    let bench = Bench::new();
    bench.write("t.csv", "\"a, b\",\"say \"\"x\"\"\"\nc,d,EN,DE\ne,f,en,fr\n");
    bench
        .run(["glossary", "create", "T", "--dictionary", "en:de=t.csv"])
        .code(0)
        .says("skipped 1 row for other language pairs");
    let content = &last_request(&bench, "POST")["body"]["dictionaries"][0];
    assert_eq!(content["entries"], "a, b\tsay \"x\"\nc\td");
    assert_eq!(content["entries_format"], "tsv");
    bench.write("o.csv", "e,f,en,fr\n");
    let count = bench.requests().len();
    bench.run(["glossary", "set", "T", "en:de", "o.csv"]).code(2).says("the file has no row for this language pair");
    assert_eq!(bench.requests().len(), count, "nothing was sent");
}

#[test]
fn reports_every_problem_before_anything_is_sent() {
    let bench = Bench::new();
    bench.write("bad.tsv", "a\tb\na\tc\nno tab\n");
    bench
        .run(["glossary", "create", "Bad", "--dictionary", "en:de=bad.tsv"])
        .code(2)
        .says("error: bad.tsv:2:1: the source phrase is already on line 1")
        .says("error: bad.tsv:3:1: an entry needs a tab between source and target")
        .says("error: 2 problems in dictionary files; nothing was sent");
    assert_eq!(bench.requests().len(), 0);
    bench.write("one.tsv", "a\t\n");
    bench
        .run(["glossary", "create", "Bad", "--dictionary", "en:de=one.tsv"])
        .code(2)
        .says("error: one.tsv:1:3: the target phrase is empty");
    let run = bench.run(["glossary", "create", "Bad", "--dictionary", "en:de=bad.tsv", "--json"]).code(2);
    let lines: Vec<Value> = run.stderr.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["error"]["kind"], "usage");
}

#[test]
fn no_check_sends_files_unchanged() {
    let bench = Bench::new();
    bench.write("bad.csv", "a,b\na,c\n");
    bench
        .run(["glossary", "create", "Bad", "--dictionary", "en:de=bad.csv", "--no-check"])
        .code(5)
        .says("entry 2 repeats the source phrase of entry 1");
    let content = &last_request(&bench, "POST")["body"]["dictionaries"][0];
    assert_eq!((&content["entries"], &content["entries_format"]), (&json!("a,b\na,c\n"), &json!("csv")));
}

#[test]
fn limits_names_to_1024_bytes() {
    let bench = Bench::new();
    bench.write("k.tsv", "a\tb\n");
    let name = "ä".repeat(513);
    let args = ["glossary", "create", &name, "--dictionary", "en:de=k.tsv"];
    bench.run(args).code(2).says("1,026 bytes; the limit is 1,024");
    assert_eq!(bench.requests().len(), 0);
    bench.run(args.into_iter().chain(["--no-check"])).code(5).says("too long");
}

#[test]
fn prints_the_entries_of_one_dictionary_as_a_file() {
    let bench = Bench::new();
    bench.write("k.tsv", "back\\slash\t\"quoted\"\nb\tc\n");
    bench.run(["glossary", "create", "K", "--dictionary", "en:de=k.tsv"]).code(0);
    let one = ["glossary", "entries", "K", "en:de"];
    bench.run(one).code(0).prints("back\\slash\t\"quoted\"\nb\tc\n");
    bench.run(one.into_iter().chain(["--header"])).prints("source\ttarget\nback\\slash\t\"quoted\"\nb\tc\n");
    bench.run(["glossary", "entries", "K"]).code(0).prints("en\tde\tback\\\\slash\t\"quoted\"\nen\tde\tb\tc\n");
    let run = bench.run(one.into_iter().chain(["--json"]));
    assert_eq!(
        run.json(),
        json!({"dictionaries": [{"source_lang": "en", "target_lang": "de",
            "entries": "back\\slash\t\"quoted\"\nb\tc", "entries_format": "tsv"}]})
    );
    bench.run(one.into_iter().chain(["--format", "jsonl"])).prints(
        "{\"source_lang\":\"en\",\"target_lang\":\"de\",\"source\":\"back\\\\slash\",\"target\":\"\\\"quoted\\\"\"}\n\
         {\"source_lang\":\"en\",\"target_lang\":\"de\",\"source\":\"b\",\"target\":\"c\"}\n",
    );
    bench.run(["glossary", "entries", "K", "en:fr"]).code(4);
}

#[test]
fn set_merge_and_add_report_what_changed() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.write("new.tsv", "kettle\tKessel\npan\tPfanne\n");
    let run = bench.run(["glossary", "merge", "Kitchen", "en:de", "new.tsv"]).code(0);
    let run = run.says("1 added, 1 changed, 0 removed, 3 in total");
    run.prints(format!("{id}\ten\tde\t3\t1\t1\t0\n"));
    assert_eq!(
        last_request(&bench, "PATCH")["body"],
        json!({"dictionaries": [{"source_lang": "en", "target_lang": "de",
            "entries": "kettle\tKessel\npan\tPfanne", "entries_format": "tsv"}]})
    );
    let run = bench.run(["glossary", "set", "Kitchen", "en:de", "new.tsv", "--json"]).code(0);
    assert_eq!(
        run.json(),
        json!({"glossary_id": id, "source_lang": "en", "target_lang": "de", "entry_count": 2,
            "added": 0, "changed": 0, "removed": 1})
    );
    assert_eq!(entries(&bench), "kettle\tKessel\npan\tPfanne\n");
    bench.run(["glossary", "add", "Kitchen", "en:de", "lid", "Deckel"]).code(0).says("1 added");
    bench.run(["glossary", "add", "Kitchen", "en:de", "lid", "Klappe"]).code(0).says("0 added, 1 changed");
    let patches = methods(&bench).iter().filter(|m| *m == "PATCH").count();
    bench.run(["glossary", "add", "Kitchen", "en:de", "lid", "Klappe"]).code(0).says("0 added, 0 changed");
    assert_eq!(methods(&bench).iter().filter(|m| *m == "PATCH").count(), patches, "an existing entry is not sent");
    bench.run(["glossary", "add", "Kitchen", "en:de", " lid", "x"]).code(2).says("starts with whitespace");
    bench.run(["glossary", "add", "Kitchen", "en:fr", "lid", "couvercle"]).code(0);
    bench.run(["glossary", "entries", "Kitchen", "en:fr"]).prints("lid\tcouvercle\n");
}

#[test]
fn only_one_file_can_be_read_from_stdin() {
    let bench = Bench::new();
    create_kitchen(&bench);
    bench.pipe("a,b\n", ["glossary", "set", "Kitchen", "en:de", "-", "--entries-format", "csv"]).code(0);
    assert_eq!(entries(&bench), "a\tb\n");
    bench
        .pipe("a\tb\n", ["glossary", "create", "X", "--dictionary", "en:de=-", "--dictionary", "en:fr=-"])
        .code(2)
        .says("en:de=-, en:fr=-");
    bench
        .run(["glossary", "create", "X", "--dictionary", "en:de=a", "--dictionary", "EN:DE=b"])
        .code(2)
        .says("two files");
}

#[test]
fn remove_replaces_the_dictionary_and_verifies_it() {
    let bench = Bench::new();
    create_kitchen(&bench);
    let before = bench.requests().len();
    bench.run(["glossary", "remove", "Kitchen", "en:de", "kettle"]).code(0).says("1 removed, 1 in total");
    let all = bench.requests();
    let sent: Vec<_> = all[before..].iter().map(|r| r["method"].as_str().unwrap()).collect();
    assert_eq!(sent, ["GET", "GET", "PUT", "GET"], "look up, read, replace, verify");
    assert_eq!(last_request(&bench, "PUT")["body"]["entries"], "whisk\tSchneebesen");
    assert_eq!(entries(&bench), "whisk\tSchneebesen\n");
    bench.run(["glossary", "remove", "Kitchen", "en:de", "Whisk"]).code(4).says("no entry `Whisk`");
}

#[test]
fn removing_the_last_entry_deletes_the_dictionary_after_confirmation() {
    let bench = Bench::new();
    create_kitchen(&bench);
    let both = ["glossary", "remove", "Kitchen", "en:de", "kettle", "whisk"];
    bench.run(both).code(2).says("confirmation required: ");
    assert_eq!(entries(&bench).lines().count(), 2);
    bench.run(both.into_iter().chain(["--yes"])).code(0).says("2 removed");
    assert_eq!(bench.run(["glossary", "show", "Kitchen", "--json"]).json()["dictionaries"], json!([]));
}

#[test]
fn looks_up_names_and_refuses_unknown_and_ambiguous_ones() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.run(["glossary", "show", "kitchn"]).code(4).says("did you mean `Kitchen`?");
    bench.run(["glossary", "show", &id]).code(0);
    let second = create_kitchen(&bench);
    let run = bench.run(["glossary", "delete", "Kitchen", "-y"]).code(2).says("2 glossaries are named `Kitchen`");
    let _ = run.says(&id).says(&second);
    assert!(!methods(&bench).contains(&"DELETE".to_owned()));
    let pairs = format!("hint: `tulk glossary show {id}` lists its language pairs; each data center");
    bench.run(["glossary", "entries", &id, "en:es"]).code(4).says(&pairs);
    bench.run(["glossary", "show", UNKNOWN]).code(4).says("each data center has its own glossaries");
}

#[test]
fn renames_and_deletes_a_glossary() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.run(["glossary", "rename", "Kitchen", "Cooking"]).code(0);
    assert_eq!(last_request(&bench, "PATCH")["body"], json!({"name": "Cooking"}));
    bench.run(["glossary", "delete", "Cooking"]).code(2).says("confirmation required: ");
    bench.run(["glossary", "add", &id, "de:en", "Topf", "pot"]).code(0);
    bench.run(["glossary", "delete-dictionary", "Cooking", "DE:en", "--yes"]).code(0);
    let sent = last_request(&bench, "DELETE");
    assert_eq!(sent["path"], format!("/v3/glossaries/{id}/dictionaries"));
    assert_eq!(sent["query"], "source_lang=de&target_lang=en");
    bench.run(["glossary", "delete", "Cooking", "--yes"]).code(0).says("deleted").prints("");
    bench.run(["glossary", "show", &id]).code(4);
}

#[test]
fn a_delete_whose_reply_was_lost_counts_as_done() {
    let bench = Bench::with(&["--fault", "drop;total=1;path=/v3/glossaries/*"]);
    let id = create_kitchen(&bench);
    bench.run(["glossary", "delete", &id, "--yes"]).code(0).says("deleted");
    let all = bench.requests();
    let statuses: Vec<_> = all.iter().filter(|r| r["method"] == "DELETE").map(|r| r["status"].clone()).collect();
    assert_eq!(statuses.len(), 2, "{statuses:?}");
    assert_eq!(statuses[1], 404);
    bench.run(["glossary", "delete", &id, "--yes"]).code(4);
}

#[test]
fn does_not_repeat_a_creation_whose_reply_was_lost() {
    let bench = Bench::with(&["--fault", "drop;total=1;path=/v3/glossaries"]);
    bench.write("k.tsv", "a\tb\n");
    bench
        .run(["glossary", "create", "K", "--dictionary", "en:de=k.tsv", "--no-check"])
        .code(8)
        .says("check before you send it again");
    assert_eq!(methods(&bench), ["POST"]);
}

#[test]
fn waits_for_a_glossary_that_is_not_ready() {
    let bench = Bench::with(&["--glossary-ready-delay", "5s"]);
    bench.write("k.tsv", "a\tb\n");
    let create = ["glossary", "create", "K", "--dictionary", "en:de=k.tsv", "--json"];
    assert_eq!(bench.run(create).code(0).json()["ready"], false);
    bench.run(["glossary", "wait", "K", "--max-wait", "0"]).code(10).says("tulk glossary wait");
    let run = bench.run(["glossary", "wait", "K", "--columns", "name,ready"]).code(0);
    let run = run.says("waiting for glossary");
    run.prints("K\ttrue\n");
    let mut create = create;
    create[2] = "K2";
    let run = bench.run(create.into_iter().chain(["--wait"])).code(0);
    assert_ne!(run.json()["ready"], json!(false));
}

#[test]
fn waits_for_a_glossary_given_by_id_or_name() {
    let bench = Bench::with(&["--engine", "pseudo", "--glossary-ready-delay", "5s"]);
    bench.write("a.txt", "kettle\n");
    let translate = |id: &str| bench.run(["translate", "--from", "en", "--to", "de", "--glossary", id, "kettle"]);
    translate(&create_kitchen(&bench)).code(0).says("waiting for glossary").prints("Wasserkocher\n");
    let id = create_kitchen(&bench);
    bench.run(["doc", "translate", "a.txt", "--from", "en", "--to", "de", "--glossary", &id]).code(0);
    assert_eq!(bench.read("a.de.txt"), "Wasserkocher\n");
    let id = create_kitchen(&bench);
    let run = bench.run(["translate", "--from", "en", "--to", "de", "--glossary", &id, "kettle", "--max-wait", "0"]);
    run.code(10).says(&format!("  hint: run `tulk glossary wait {id}` to wait longer\n"));
    let before = bench.requests().len();
    bench.run(["translate", "--from", "en", "--to", "de", "--glossary", &id, "kettle", "-n"]).code(0);
    assert_eq!(bench.requests().len(), before, "a dry run does not wait");
    // The service may know a glossary that the lookup does not find.
    translate(UNKNOWN).code(4);
    let id = create_kitchen(&bench);
    bench.write("more.tsv", "lid\tDeckel\n");
    bench.run(["glossary", "sync", &id, "en:de=more.tsv"]).code(0).says("waiting for glossary");
    let v2 = ["glossary", "v2", "create", "Tea", "--dictionary", "en:de=kitchen.tsv", "--columns", "ready"];
    bench.run(v2).code(0).prints("false\n");
    let tea = bench.run(["glossary", "v2", "list", "--columns", "glossary_id"]).code(0).out().trim().to_owned();
    translate(&tea).code(0).says("waiting for glossary").prints("Wasserkocher\n");
    bench.run(v2.into_iter().chain(["--no-check", "--wait"])).code(0).prints("true\n").says("waiting for glossary");
    let run = bench.run(v2.into_iter().chain(["--no-check", "--wait", "--max-wait", "0"])).code(10);
    run.says("  hint: `tulk glossary v2 show ");
}

#[test]
fn translates_with_a_glossary_that_the_key_may_not_read() {
    let server = ScriptedServer::start(|request| {
        if request.starts_with("GET /v3/glossaries/") {
            return answer(403, &[], "{\"message\": \"Forbidden\"}");
        }
        let body = "{\"translations\": [{\"detected_source_language\": \"EN\", \"text\": \"Kessel\"}]}";
        answer(200, &["content-type: application/json"], body)
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
    bench.run(["translate", "--from", "en", "--to", "de", "--glossary", UNKNOWN, "kettle"]).code(0).prints("Kessel\n");
    assert!(server.requests()[1].contains(UNKNOWN));
}

#[test]
fn the_hint_names_an_unsuitable_glossary() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    let translate = ["translate", "--from", "en", "--to", "fr", "--glossary", &id, "kettle", "--no-check"];
    let run = bench.run(translate).code(5);
    run.says(&format!("hint: the glossary needs a dictionary for the languages (`tulk glossary show {id}`)"));
    bench.write("a.txt", "kettle\n");
    bench.run(["doc", "translate", "a.txt", "--from", "en", "--to", "de", "--glossary", UNKNOWN]).code(4).says(
        "hint: each data center has its own glossaries, style rule lists and translation memories: check the ID and --server\n",
    );
}

#[test]
fn a_second_glossary_with_the_same_name_requires_the_no_check_flag() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.write("my file.tsv", "pan\tPfanne\npot\tTopf\n");
    let create =
        ["glossary", "create", "Kitchen", "--dictionary", "en:de=kitchen.tsv", "--dictionary", "en:fr=my file.tsv"];
    let before = bench.requests().len();
    let run = bench.run(create).code(2).prints("");
    run.says(&format!("error: a glossary named `Kitchen` exists: {id}\n")).says(
        "  hint: `tulk glossary sync Kitchen en:de=kitchen.tsv en:fr='my file.tsv'` updates it, `tulk glossary set Kitchen en:de \
         kitchen.tsv` replaces a dictionary; --no-check creates another one\n",
    );
    assert_eq!(bench.requests().len(), before + 1);
    bench.run(create.into_iter().chain(["--entries-format", "tsv", "--header-row"])).code(2).says(
        "`tulk glossary sync Kitchen en:de=kitchen.tsv en:fr='my file.tsv' --entries-format tsv --header-row` updates it, `tulk \
         glossary set Kitchen en:de kitchen.tsv --entries-format tsv --header-row` replaces a dictionary;",
    );
    bench.run(["glossary", "sync", "Kitchen", "en:de=kitchen.tsv", "en:fr=my file.tsv"]).code(0);
    bench.write("t.tsv", "a\tb\n");
    bench.run(["glossary", "create", "Pans", "--dictionary", "en:de=t.tsv"]).code(0);
    let rename = ["glossary", "rename", "Pans", "Kitchen"];
    let run = bench.run(rename).code(2).says(&format!("error: a glossary named `Kitchen` exists: {id}\n"));
    run.says("  hint: choose another name; --no-check uses this one\n");
    bench.run(["glossary", "rename", "Kitchen", "Kitchen"]).code(0);
    bench.run(["glossary", "rename", &id.to_uppercase(), "Kitchen"]).code(0);
    bench.run(rename.into_iter().chain(["--no-check"])).code(0);
    bench.run(create.into_iter().chain(["--no-check"])).code(0);
    bench.run(["glossary", "delete", "Kitchen", "-y"]).code(2).says("3 glossaries are named `Kitchen`");
    let v2 = |name: &'static str| ["glossary", "v2", "create", name, "--dictionary", "en:de=t.tsv"];
    bench.run(v2("Kitchen")).code(2).says("error: a glossary named `Kitchen` exists: ");
    let v2 = v2("Tea");
    bench.run(v2).code(0);
    let run = bench.run(v2).code(2).says("error: a glossary named `Tea` exists: ");
    run.says("  hint: choose another name; --no-check creates another one\n");
    bench.run(v2.into_iter().chain(["--no-check"])).code(0);
}

#[test]
fn a_dry_run_reads_and_prints_what_it_would_send() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    let before = bench.requests().len();
    let run = bench.run(["glossary", "remove", "Kitchen", "en:de", "kettle", "-n"]).code(0);
    let line: Value = serde_json::from_str(run.out()).unwrap();
    assert_eq!(line["method"], "PUT");
    assert_eq!(line["body"]["entries"], "whisk\tSchneebesen");
    let run = bench.run(["glossary", "delete", "Kitchen", "-n"]).code(0).says_not("deleted");
    assert!(run.out().contains(&format!("/v3/glossaries/{id}")), "{run}");
    assert!(bench.requests()[before..].iter().all(|r| r["method"] == "GET"));
}

#[test]
fn too_many_glossary_requests_exit_with_7() {
    let bench = Bench::with(&["--fault", "456;path=/v3/glossaries"]);
    bench.run(["glossary", "list", "--retries", "0"]).code(7).says("too many glossary requests");
}

#[test]
fn the_service_decides_which_languages_are_supported() {
    let bench = Bench::new();
    bench.write("k.tsv", "a\tb\n");
    bench.run(["glossary", "create", "K", "--dictionary", "en:pt_br=k.tsv"]).code(5).says("pt-BR");
    bench.run(["glossary", "create", "K", "--dictionary", "en:=k.tsv"]).code(2);
    bench.run(["glossary", "create", "K", "--dictionary", "en:en=k.tsv"]).code(2).says("same language twice");
}

#[test]
fn keeps_v2_and_v3_glossaries_separate() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.write("fr.tsv", "kettle\tbouilloire\n");
    let run = bench.run(["glossary", "v2", "create", "Tea", "--dictionary", "en:fr=fr.tsv", "--json"]).code(0);
    let tea = run.json();
    assert_eq!(
        last_request(&bench, "POST")["body"],
        json!({"name": "Tea", "source_lang": "en", "target_lang": "fr",
            "entries": "kettle\tbouilloire", "entries_format": "tsv"})
    );
    assert_eq!((&tea["ready"], &tea["entry_count"]), (&json!(true), &json!(1)));
    let tea_id = tea["glossary_id"].as_str().unwrap();
    bench.run(["glossary", "v2", "list", "--columns", "name,source_lang,target_lang"]).prints("Tea\ten\tfr\n");
    bench.run(["glossary", "v2", "show", "Tea", "--columns", "glossary_id"]).prints(format!("{tea_id}\n"));
    bench.run(["glossary", "v2", "entries", "Tea"]).prints("kettle\tbouilloire\n");
    assert_eq!(last_request(&bench, "GET")["headers"]["accept"], "text/tab-separated-values");
    bench
        .run(["glossary", "v2", "entries", "Tea", "--json"])
        .prints("[\n  {\n    \"source\": \"kettle\",\n    \"target\": \"bouilloire\"\n  }\n]\n");
    bench.run(["glossary", "v2", "show", &id]).code(4);
    bench.run(["glossary", "v2", "delete", "Tea"]).code(2);
    bench.run(["glossary", "v2", "delete", "Tea", "-y"]).code(0);
    bench.run(["glossary", "v2", "show", tea_id]).code(4);
    let run = bench.run(["glossary", "v2", "pairs"]).code(0);
    let run = run.says("warning: this operation is deprecated; use `tulk langs list --resource glossary`\n");
    assert_eq!(run.out().lines().count(), 33 * 32);
    assert!(run.out().contains("en\tfr\n"));
}

#[test]
fn looks_up_all_glossary_names_with_one_request() {
    let bench = Bench::with(&["--engine", "pseudo", "--glossary-ready-delay", "5s"]);
    let id = create_kitchen(&bench);
    bench.write("pan.tsv", "pan\tPfanne\n");
    bench.run(["glossary", "create", "Pans", "--dictionary", "en:de=pan.tsv"]).code(0);
    bench.write("a.txt", "kettle and pan\n");
    let doc = ["doc", "translate", "a.txt", "--from", "en", "--to", "de"];
    let before = bench.requests().len();
    bench.run(doc.into_iter().chain(["--glossary", "Kitchen,Pans"])).code(0);
    let text = bench.read("a.de.txt");
    assert!(text.contains("Wasserkocher") && text.contains("Pfanne"), "{text}");
    let all = bench.requests();
    let paths: Vec<_> = all[before..].iter().map(|r| r["path"].as_str().unwrap()).collect();
    assert_eq!(paths.iter().filter(|path| **path == "/v3/glossaries").count(), 1, "{paths:?}");
    let details = format!("/v3/glossaries/{id}");
    assert!(paths.contains(&details.as_str()), "a glossary that is not ready is waited for: {paths:?}");
    let translate =
        ["translate", "--from", "en", "--to", "de", "--glossary", "Kitchen", "--glossary", "Pans", "pan kettle"];
    bench.run(translate).code(0).prints("Pfanne Wasserkocher\n");
    let sent = bench.requests().into_iter().rfind(|r| r["path"] == "/v2/translate").unwrap();
    assert_eq!(sent["body"]["glossary_ids"].as_array().map(Vec::len), Some(2), "{sent}");
    let uploads = || bench.requests().iter().filter(|r| r["path"] == "/v2/document").count();
    assert_eq!(uploads(), 1);
    let again = |name: &str| bench.run(doc.into_iter().chain(["--again", "--force", "--glossary", name]));
    let _ = again("kitchen").code(4).says("did you mean `Kitchen`?");
    let second = create_kitchen(&bench);
    let _ = again("Kitchen").code(2).says(&id).says(&second);
    let _ = again(UNKNOWN).code(4);
    assert_eq!(uploads(), 2, "only the ID was sent, because it needs no look-up");
}

#[test]
fn refuses_subtitle_formats() {
    let bench = Bench::new();
    for verb in [vec!["list"], vec!["show", "x"], vec!["entries", "x"], vec!["v2", "list"]] {
        let run: Run = bench.run(["glossary"].into_iter().chain(verb).chain(["--format", "srt"]));
        let _ = run.code(2).says("does not support the format `srt`");
    }
    assert_eq!(bench.requests().len(), 0);
}

#[test]
fn refuses_a_glossary_without_the_language_pair_before_billing() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.write("a.txt", "kettle\n");
    let message = "error: glossary `Kitchen` has en:de; it needs en:ja\n  \
                   hint: `tulk glossary set Kitchen en:ja FILE` adds it; --no-check sends the request anyway\n";
    for glossary in ["Kitchen", &id] {
        for line in ["translate kettle --to ja", "translate kettle --to de,ja", "doc translate a.txt --to ja"] {
            let options = ["--from", "en", "--glossary", glossary];
            let run = bench.run(line.split(' ').chain(options)).code(2).prints("");
            assert_eq!(run.stderr, message, "{line} {glossary}");
        }
    }
    assert!(bench.sent().iter().all(|(request, _)| !request.contains("/v2/")), "{:?}", bench.sent());
    // A dictionary for a language also applies to its variants.
    bench.run(["translate", "--from", "en-US", "--to", "de", "--glossary", "Kitchen", "kettle", "-n"]).code(0);
    bench.run(["glossary", "set", "Kitchen", "en:ja", "kitchen.tsv"]).code(0);
    bench.run(["translate", "--from", "en", "--to", "de,ja", "--glossary", "Kitchen", "kettle"]).code(0);
}
