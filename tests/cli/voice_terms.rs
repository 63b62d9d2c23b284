//! `tulk voice terms` against the sandbox: each operation with its literal request, all formats, names and questions.

use serde_json::{Value, json};

use crate::common::Bench;

/// An ID that no collection has.
pub const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";
/// English terms of [`create_talk`].
pub const EN: &str = "Kubernetes\nJane Doe\nÜbergröße\n";
const DE: &str = "Grüße\n";

pub fn terms<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["voice", "terms"], args].concat()
}

/// Creates a collection with an English and a German list and returns its ID.
pub fn create_talk(bench: &Bench) -> String {
    bench.write("en.txt", EN);
    bench.write("de.txt", DE);
    let run = bench.run(terms(&["create", "Talk", "en=en.txt", "de=de.txt", "--json", "--no-check"])).code(0);
    run.json()["spoken_terms_id"].as_str().unwrap().to_owned()
}

/// Returns method, path, query and body of the requests after the first `skip`.
pub fn requests(bench: &Bench, skip: usize) -> Value {
    let row = |r: &Value| json!([r["method"], r["path"], r["query"], r["body"]]);
    bench.requests()[skip..].iter().map(row).collect()
}

/// Returns whether only GET requests were sent after the first `skip`.
pub fn has_only_reads(bench: &Bench, skip: usize) -> bool {
    bench.requests()[skip..].iter().all(|r| r["method"] == "GET")
}

/// Returns the requests printed by a dry run: method, path and query of the address, and body.
fn planned(bench: &Bench, args: &[&str]) -> Value {
    let before = bench.requests().len();
    let run = bench.run(terms(&[args, &["--dry-run"]].concat())).code(0).says_not("deleted").says_not("created");
    assert!(has_only_reads(bench, before), "{run}");
    let row = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        json!([line["method"], line["url"].as_str().unwrap().strip_prefix(bench.url()), line["body"]])
    };
    run.out().lines().map(row).collect()
}

#[test]
fn each_operation_sends_the_documented_request() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    let (one, lists) = (format!("/v3/spoken-terms/{id}"), format!("/v3/spoken-terms/{id}/term-lists"));
    let by_id = |args: &[&str]| {
        let before = bench.requests().len();
        bench.run(terms(args)).code(0);
        requests(&bench, before)
    };
    let create = json!({"name": "Talk", "term_lists": [
        {"lang": "en", "entries": "Kubernetes\nJane Doe\nÜbergröße"}, {"lang": "de", "entries": "Grüße"}]});
    assert_eq!(requests(&bench, 0), json!([["POST", "/v3/spoken-terms", "", create]]));
    assert_eq!(by_id(&["list"]), json!([["GET", "/v3/spoken-terms", "", ""]]));
    assert_eq!(by_id(&["show", &id]), json!([["GET", one, "", ""]]));
    let patch = json!(["PATCH", one, "", {"name": "Keynote"}]);
    assert_eq!(by_id(&["rename", &id, "Keynote"]), json!([["GET", "/v3/spoken-terms", "", ""], patch]));
    assert_eq!(by_id(&["rename", &id, "Keynote", "--no-check"]), json!([patch]));
    let read = json!(["GET", format!("{one}/entries"), "lang=en", ""]);
    assert_eq!(by_id(&["entries", &id, "EN"]), json!([read]));
    bench.write("more.txt", "Helm\nJane Doe\n");
    let merge = json!({"term_lists": [{"lang": "en", "entries": "Helm"}]});
    assert_eq!(by_id(&["merge", &id, "en", "more.txt"]), json!([read, ["PATCH", one, "", merge]]));
    let set = json!({"lang": "en", "entries": "Helm\nJane Doe"});
    assert_eq!(by_id(&["set", &id, "en", "more.txt"]), json!([read, ["PUT", lists, "", set]]));
    assert_eq!(by_id(&["delete-list", &id, "De", "-y"]), json!([["DELETE", lists, "lang=de", ""]]));
    assert_eq!(by_id(&["delete", &id, "--yes"]), json!([["DELETE", one, "", ""]]));
    let headers = &bench.requests()[0]["headers"];
    assert_eq!(headers["content-type"], "application/json");
}

#[test]
fn a_dry_run_prints_only_requests_that_change_something() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    let (one, lists) = (format!("/v3/spoken-terms/{id}"), format!("/v3/spoken-terms/{id}/term-lists"));
    let create = json!({"name": "New", "term_lists": [{"lang": "fr", "entries": "Grüße"}]});
    assert_eq!(planned(&bench, &["create", "New", "fr=de.txt"]), json!([["POST", "/v3/spoken-terms", create]]));
    let put = json!({"lang": "en", "entries": "Grüße"});
    assert_eq!(planned(&bench, &["set", "Talk", "en", "de.txt"]), json!([["PUT", lists, put]]));
    let merge = json!({"term_lists": [{"lang": "en", "entries": "Grüße"}]});
    assert_eq!(planned(&bench, &["merge", "Talk", "en", "de.txt"]), json!([["PATCH", one, merge]]));
    let put = json!({"lang": "fr", "entries": "Grüße"});
    assert_eq!(planned(&bench, &["merge", "Talk", "fr", "de.txt"]), json!([["PUT", lists, put]]));
    assert_eq!(planned(&bench, &["rename", "Talk", "Keynote"]), json!([["PATCH", one, {"name": "Keynote"}]]));
    let delete_list = json!([["DELETE", format!("{lists}?lang=en"), null]]);
    assert_eq!(planned(&bench, &["delete-list", "Talk", "en"]), delete_list);
    assert_eq!(planned(&bench, &["delete", "Talk"]), json!([["DELETE", one, null]]));
}

#[test]
fn collections_are_shown_in_every_format() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    let all = bench.run(terms(&["list", "--json"])).code(0);
    let time = all.json()[0]["creation_time"].as_str().unwrap().to_owned();
    let row = format!("{id}\tTalk\ten,de\t4\t{time}\n");
    let header = "spoken_terms_id\tname\tterm_lists\tentry_count\tcreation_time\n";
    let object = json!({"spoken_terms_id": id, "name": "Talk", "creation_time": time,
        "term_lists": [{"lang": "en", "entry_count": 3}, {"lang": "de", "entry_count": 1}]});
    assert_eq!(all.json(), json!([object]));
    assert_eq!(bench.run(terms(&["show", "Talk", "--json"])).code(0).json(), object);
    for verb in [&["list"][..], &["show", "Talk"], &["show", &id]] {
        let run = |flags: &[&str]| bench.run(terms(&[verb, flags].concat())).code(0).says_nothing();
        run(&[]).prints(&row);
        run(&["--header"]).prints(format!("{header}{row}"));
        run(&["--columns", "term_lists,name"]).prints("en,de\tTalk\n");
        let line = run(&["--format", "jsonl"]);
        assert_eq!(line.out().lines().count(), 1, "{line}");
        assert_eq!(line.json(), object);
        run(&["--format", "text"]).prints(format!(
            "spoken_terms_id: {id}\nname: Talk\nterm_lists: en,de\nentry_count: 4\ncreation_time: {time}\n"
        ));
        let table = run(&["--format", "table", "--columns", "name,entry_count"]);
        if verb[0] == "list" {
            table.prints("NAME  TERMS\nTalk      4\n")
        } else {
            table
        };
        bench.run(terms(&[verb, &["--columns", "nmae"]].concat())).code(2).says("spoken_terms_id, name, ");
        bench.run(terms(&[verb, &["--format", "srt"]].concat())).code(2).says("does not support the format `srt`");
    }
}

#[test]
fn create_and_rename_show_the_collection() {
    let bench = Bench::new();
    bench.write("en.txt", EN);
    let columns = ["--columns", "name,term_lists,entry_count"];
    let run = bench.run(terms(&[&["create", "東京 / שלום", "en=en.txt"][..], &columns].concat())).code(0);
    let run = run.says("created spoken terms ").prints("東京 / שלום\ten\t3\n");
    let id = run.stderr.trim().rsplit(' ').next().unwrap().to_owned();
    let run = bench.run(terms(&["rename", "東京 / שלום", "Talk 2", "--columns", "spoken_terms_id,name"])).code(0);
    run.says_nothing().prints(format!("{id}\tTalk 2\n"));
    bench.run(terms(&["show", "東京 / שלום"])).code(4);
    bench.run(terms(&["create", "Quiet", "en=en.txt", "-q", "--columns", "name"])).says_nothing().prints("Quiet\n");
}

#[test]
fn prints_one_list_as_a_file_and_several_as_rows() {
    let bench = Bench::new();
    create_talk(&bench);
    let one = |flags: &[&str]| bench.run(terms(&[&["entries", "Talk", "en"], flags].concat())).code(0).says_nothing();
    one(&[]).prints(EN);
    one(&["--format", "text"]).prints(EN);
    one(&["--header"]).prints(format!("term\n{EN}"));
    one(&["--columns", "term,lang"]).prints("Kubernetes\ten\nJane Doe\ten\nÜbergröße\ten\n");
    one(&["--format", "table"])
        .prints("LANGUAGE  TERM\nen        Kubernetes\nen        Jane Doe\nen        Übergröße\n");
    assert_eq!(one(&["--json"]).json(), json!({"lang": "en", "entries": "Kubernetes\nJane Doe\nÜbergröße"}));
    let lines = "{\"lang\":\"en\",\"term\":\"Kubernetes\"}\n{\"lang\":\"en\",\"term\":\"Jane Doe\"}\n\
                 {\"lang\":\"en\",\"term\":\"Übergröße\"}\n";
    one(&["--format", "jsonl"]).prints(lines);
    let all = |flags: &[&str]| bench.run(terms(&[&["entries", "Talk"], flags].concat())).code(0).says_nothing();
    let rows = "en\tKubernetes\nen\tJane Doe\nen\tÜbergröße\nde\tGrüße\n";
    all(&[]).prints(rows);
    all(&["--header"]).prints(format!("lang\tterm\n{rows}"));
    all(&["--columns", "term"]).prints("Kubernetes\nJane Doe\nÜbergröße\nGrüße\n");
    all(&["--format", "jsonl"]).prints(format!("{lines}{{\"lang\":\"de\",\"term\":\"Grüße\"}}\n"));
    assert_eq!(
        all(&["--json"]).json(),
        json!([{"lang": "en", "entries": "Kubernetes\nJane Doe\nÜbergröße"}, {"lang": "de", "entries": "Grüße"}])
    );
    // `set` accepts the output of `entries` as a file without changes.
    bench.write("again.txt", one(&[]).out());
    bench.run(terms(&["set", "Talk", "en", "again.txt"])).code(0).says("en: 0 added, 0 removed, 3 in total");
    bench.run(terms(&["entries", "Talk", "--format", "vtt"])).code(2).says("does not support the format `vtt`");
}

#[test]
fn edits_report_what_they_changed() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    bench.write("more.txt", "Helm\nJane Doe\nkubernetes\n");
    let run = bench.run(terms(&["merge", "Talk", "en", "more.txt"])).code(0);
    run.says("en: 2 added, 0 removed, 5 in total\n").prints(format!("{id}\ten\t5\t2\t0\n"));
    let entries = ["entries", "Talk", "en"];
    bench.run(terms(&entries)).prints(format!("{EN}Helm\nkubernetes\n"));
    let run = bench.run(terms(&["set", "Talk", "en", "more.txt", "--json"])).code(0).prints(format!(
        "{{\n  \"spoken_terms_id\": \"{id}\",\n  \"lang\": \"en\",\n  \"entry_count\": 3,\n  \"added\": 0,\n  \"removed\": 2\n}}\n"
    ));
    run.says_not("total");
    bench.run(terms(&entries)).prints("Helm\nJane Doe\nkubernetes\n");
    let run = bench.run(terms(&["set", "Talk", "fr", "more.txt", "--header", "--columns", "lang,added"])).code(0);
    run.prints("lang\tadded\nfr\t3\n");
    let run = bench.run(terms(&["merge", "Talk", "es", "more.txt", "--format", "jsonl"])).code(0);
    run.prints(format!(
        "{{\"spoken_terms_id\":\"{id}\",\"lang\":\"es\",\"entry_count\":3,\"added\":3,\"removed\":0}}\n"
    ));
    bench.run(terms(&["show", "Talk", "--columns", "term_lists"])).prints("en,de,fr,es\n");
}

#[test]
fn a_merge_without_new_terms_sends_nothing() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    let before = bench.requests().len();
    let run = bench.run(terms(&["merge", "Talk", "en", "en.txt"])).code(0);
    run.says("en: 0 added, 0 removed, 3 in total").prints(format!("{id}\ten\t3\t0\t0\n"));
    assert_eq!(
        requests(&bench, before),
        json!([["GET", "/v3/spoken-terms", "", ""], ["GET", format!("/v3/spoken-terms/{id}/entries"), "lang=en", ""]])
    );
}

#[test]
fn empty_lists_are_not_an_error() {
    let bench = Bench::new();
    bench.run(terms(&["list"])).code(0).says_nothing().prints("");
    bench.run(terms(&["list", "--json"])).code(0).prints("[]\n");
    bench.run(terms(&["list", "--format", "jsonl"])).code(0).prints("");
    bench.run(terms(&["list", "--header", "--columns", "name"])).code(0).prints("name\n");
    create_talk(&bench);
    for lang in ["en", "de"] {
        bench.run(terms(&["delete-list", "Talk", lang, "-y"])).code(0).says(&format!("deleted the {lang} list"));
    }
    bench.run(terms(&["show", "Talk", "--columns", "name,term_lists,entry_count"])).code(0).prints("Talk\t\t0\n");
    bench.run(terms(&["entries", "Talk"])).code(0).says_nothing().prints("");
    bench.run(terms(&["entries", "Talk", "--json"])).code(0).prints("[]\n");
}

#[test]
fn limit_ends_the_list_after_n_collections() {
    let bench = Bench::new();
    bench.write("en.txt", EN);
    for name in ["One", "Two", "Three"] {
        bench.run(terms(&["create", name, "en=en.txt"])).code(0);
    }
    bench.run(terms(&["list", "--limit", "2", "--columns", "name"])).code(0).prints("One\nTwo\n");
    bench.run(terms(&["list", "--limit", "9", "--columns", "name"])).code(0).prints("One\nTwo\nThree\n");
    assert_eq!(bench.run(terms(&["list", "--limit", "1", "--json"])).json().as_array().unwrap().len(), 1);
    bench.run(terms(&["list", "--limit", "0"])).code(0).prints("");
    bench.run(terms(&["list", "--limit", "-1"])).code(2);
}

/// The commands that take a name or an ID, with further arguments.
const WITH_COLLECTION: [(&str, &[&str]); 8] = [
    ("show", &[]),
    ("entries", &["en"]),
    ("set", &["en", "en.txt"]),
    ("merge", &["en", "en.txt"]),
    ("rename", &["Other"]),
    ("delete", &["-y"]),
    ("delete-list", &["en", "-y"]),
    ("sync", &["en=en.txt"]),
];

#[test]
fn a_second_collection_with_the_same_name_requires_the_no_check_flag() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    let exists = format!("error: a spoken terms collection named `Talk` exists: {id}\n");
    let create = terms(&["create", "Talk", "en=en.txt", "de=de.txt"]);
    bench.run(create).code(2).says(&format!(
        "{exists}  hint: `tulk voice terms sync Talk en=en.txt de=de.txt` updates it, `tulk voice terms set Talk en en.txt` \
         replaces a term list; --no-check creates another one\n"
    ));
    bench.run(terms(&["create", "Other", "en=en.txt"])).code(0);
    let run = bench.run(terms(&["rename", "Other", "Talk"])).code(2).says(&exists);
    run.says("  hint: choose another name; --no-check uses this one\n");
    bench.run(terms(&["rename", "Other", "Talk", "--no-check"])).code(0);
    bench.run(terms(&["show", "Talk"])).code(2).says("2 spoken terms collections are named `Talk`");
}

#[test]
fn refuses_ambiguous_names_with_ids_and_unknown_names_with_suggestions() {
    let bench = Bench::new();
    let first = create_talk(&bench);
    let named = |verb: &str, name: &str, rest: &[&str]| bench.run(terms(&[&[verb, name], rest].concat()));
    for (verb, rest) in WITH_COLLECTION.iter().filter(|(verb, _)| *verb != "sync") {
        let run = named(verb, "talk", rest).code(4).prints("").says("error: no spoken terms collection named `talk`\n");
        run.says("hint: did you mean `Talk`? `tulk voice terms list` lists all of them\n");
    }
    named("show", "", &[]).code(4).says("no spoken terms collection named ``");
    let second = create_talk(&bench);
    let before = bench.requests().len();
    for (verb, rest) in WITH_COLLECTION {
        let run = named(verb, "Talk", rest).code(2).prints("");
        let run = run.says("error: 2 spoken terms collections are named `Talk`\n");
        run.says(&format!("hint: use one of their IDs: {first}, {second}\n"));
    }
    assert!(has_only_reads(&bench, before));
    named("rename", &second.to_uppercase(), &["Other", "--columns", "name"]).code(0).prints("Other\n");
    named("show", "Talk", &["--columns", "spoken_terms_id"]).code(0).prints(format!("{first}\n"));
}

#[test]
fn an_unknown_id_is_not_found() {
    let bench = Bench::new();
    bench.write("en.txt", EN);
    for (verb, rest) in WITH_COLLECTION {
        let run = bench.run(terms(&[&[verb, UNKNOWN], rest].concat())).code(4).prints("");
        let run = run.says(&format!(
            "error: the service refused the request: Spoken terms not found: spoken_terms_id {UNKNOWN} (404, "
        ));
        run.says("`tulk voice terms list` lists all spoken terms and their languages\n");
    }
    let json = bench.run(terms(&["show", UNKNOWN, "--json"])).code(4);
    let error: Value = serde_json::from_str(json.stderr.trim()).unwrap();
    assert_eq!(error["error"]["kind"], "not_found");
    assert_eq!(error["error"]["status"], 404);
    assert_eq!(error["error"]["hint"], "`tulk voice terms list` lists all spoken terms and their languages");
}

#[test]
fn a_missing_list_of_a_collection_is_not_found() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    for args in [&["entries", "Talk", "fr"][..], &["delete-list", "Talk", "fr", "-y"]] {
        let run = bench
            .run(terms(args))
            .code(4)
            .prints("")
            .says("error: the service refused the request: Term list not found: lang fr (404, ");
        run.says(&format!("hint: `tulk voice terms show {id}` lists its languages; `tulk voice terms list` "));
    }
}

#[test]
fn delete_asks_for_confirmation() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    let before = bench.requests().len();
    for (args, question) in [
        (&["delete", "Talk"][..], format!("delete spoken terms `Talk` ({id}) with all their term lists")),
        (&["delete", &id], format!("delete spoken terms {id} with all their term lists")),
        (&["delete-list", "Talk", "de"], format!("delete the de list from spoken terms `Talk` ({id})")),
    ] {
        let run = bench.run(terms(args)).code(2).prints("");
        let run = run.says(&format!("error: confirmation required: {question}\n"));
        run.says("hint: there is no terminal to ask for confirmation; add --yes to confirm\n");
    }
    assert!(has_only_reads(&bench, before));
    let run = bench.run(terms(&["delete-list", "Talk", "de", "-y"])).code(0).prints("");
    run.says(&format!("deleted the de list from spoken terms {id}\n"));
    bench.run(terms(&["delete", "Talk", "-y"])).code(0).prints("").says(&format!("deleted spoken terms {id}\n"));
    bench.run(terms(&["list"])).code(0).prints("");
}
