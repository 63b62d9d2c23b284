//! The requests for catalogues: tags, contexts, only what a target needs, and the effect of flags.

use serde_json::{Value, json};

use super::{bodies, translate};
use crate::common::Bench;

const NOTES: &str = "\
msgid \"\"
msgstr \"\"
\"Language: de\\n\"

#. A button
msgid \"Open\"
msgstr \"\"

msgid \"Tom & %s <b>here</b>\"
msgstr \"\"

#. A button
msgid \"Close\"
msgstr \"\"

#. The shop
msgid \"Open\"
msgstr \"\"
";

#[test]
fn notes_become_contexts_and_separate_equal_texts() {
    let bench = Bench::with(&["--engine", "upper"]);
    let file = NOTES.replacen("#. The shop\nmsgid \"Open\"", "#. The shop\nmsgctxt \"shop\"\nmsgid \"Open\"", 1);
    let one_by_one = ["--from", "en", "--to", "de", "--context", "An app", "--concurrency", "1"];
    translate(&bench, file, "po", &one_by_one).code(0);
    let body = |text: &[&str], context: &str| {
        json!({
            "text": text, "source_lang": "EN", "target_lang": "DE", "tag_handling": "xml", "ignore_tags": ["x"],
            "non_splitting_tags": ["g", "x"], "context": context
        })
    };
    let sent = [
        body(&["Open", "Close", "Tom &amp; <x id=\"1\">%s</x> <g id=\"2\">here</g>"], "An app\nOpen, Close: A button"),
        body(&["Open"], "An app\nThe shop"),
    ];
    assert_eq!(bodies(&bench), sent);
}

#[test]
fn sends_only_the_sentences_that_a_target_needs() {
    let bench = Bench::new();
    let file = bench.write("en.json", "{\"n_one\": \"{{count}} file\", \"n_other\": \"{{count}} files\"}\n");
    let args = ["translate", "--from", "en", "--to", "de,pl,ja", "--as", "json", "-o", "{lang}.json", "-i"];
    bench.run(args.iter().copied().chain([file.to_str().unwrap()])).code(0);
    let mut sent: Vec<(String, Value)> = bodies(&bench)
        .into_iter()
        .map(|body| (body["target_lang"].as_str().unwrap().to_owned(), body["text"].clone()))
        .collect();
    sent.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(sent[0], ("DE".to_owned(), json!(["1 file", "2 files"])));
    assert_eq!(sent[1], ("JA".to_owned(), json!(["2 files"])));
    assert_eq!(sent[2].1.as_array().unwrap().len(), 4, "{:?}", sent[2]);
    assert_eq!(bench.read("ja.json"), "{\"n_other\": \"{{count}} files\"}\n");
}

#[test]
fn protect_adds_to_the_placeholders_of_the_format() {
    let bench = Bench::with(&["--engine", "upper"]);
    let file = "{\"a\": \"Open {{name}} in ACME-x\"}\n";
    let run = translate(&bench, file, "json", &["--to", "de", "--dialect", "i18next", "--protect", "re:ACME-x"]);
    run.code(0).prints("{\"a\": \"OPEN {{name}} IN ACME-x\"}\n");
    let text = &bodies(&bench)[0]["text"][0];
    assert_eq!(text, "Open <x id=\"1\">{{name}}</x> in <x id=\"2\">ACME-x</x>");
}

#[test]
fn listed_results_have_keys_and_the_plural_forms_of_their_target() {
    let bench = Bench::with(&["--engine", "upper"]);
    let file = bench.write(
        "en.json",
        "{\n  \"a\": {\"b.c\": \"Open\"},\n  \"n_one\": \"{{count}} file\",\n  \"n_other\": \"{{count}} files\"\n}\n",
    );
    let file = file.to_str().unwrap();
    let flags = ["translate", "--from", "en", "--as", "json", "--to", "de,ja", "--json", "-i", file];
    let listed = bench.run(flags).code(0).json();
    let results = |number: usize| -> Vec<(Value, Value, Value)> {
        let list = listed[number]["translations"].as_array().unwrap();
        list.iter().map(|result| (result["line"].clone(), result["key"].clone(), result["text"].clone())).collect()
    };
    let result = |line: u64, key: &str, text: &str| (json!(line), json!(key), json!(text));
    let open = result(2, "a.b\\.c", "OPEN");
    assert_eq!(results(0)[0], open);
    assert_eq!(results(0).len(), 3);
    assert_eq!(results(1).len(), 2, "{:?}", results(1));
    assert!(results(1)[1].2.as_str().unwrap().contains("{{count}}"), "{:?}", results(1));
}

#[test]
fn a_dry_run_counts_what_would_be_sent() {
    let bench = Bench::new();
    let file = "{\"a\": \"Open\", \"b\": \"Open\", \"c\": \"12\", \"d\": {\"e\": \"Close it\"}}\n";
    let run = translate(&bench, file, "json", &["--to", "de,fr", "--dry-run", "-o", "{lang}.json"]).code(0);
    run.says("would send: 3 texts, 24 characters, 2 requests");
    assert!(bench.requests().is_empty());
}

#[test]
fn takes_results_from_the_cache() {
    let bench = Bench::with(&["--engine", "upper"]);
    let file = "{\"n_one\": \"{{count}} file\", \"n_other\": \"{{count}} files\", \"a\": \"Open\"}\n";
    let expected = "{\"n_one\": \"{{count}} FILE\", \"n_other\": \"{{count}} FILES\", \"a\": \"OPEN\"}\n";
    for hits in [0, 3] {
        let run = translate(&bench, file, "json", &["--from", "en", "--to", "de", "--cache", "--stats"]).code(0);
        run.says(&format!("cache hits {hits}")).prints(expected);
    }
    assert_eq!(bodies(&bench).len(), 1);
}

#[test]
fn sends_nothing_of_a_file_that_cannot_be_written() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = translate(&bench, "[en]\na = \"One %{x}\"\n", "toml", &["--to", "de", "--dialect", "rails"]).code(2);
    run.prints("").says("a TOML file has no key at its root that names the language");
    assert!(bodies(&bench).is_empty());
}

#[test]
fn keeps_literal_braces_of_fluent_and_translates_their_content() {
    let bench = Bench::with(&["--engine", "upper"]);
    let source = "key = Write {\"{\"} name {\"}\"} in { $field }\nother = Press {\"{\"} twice\n";
    let run = translate(&bench, source, "ftl", &["--to", "de"]).code(0);
    run.prints("key = WRITE {\"{\"} NAME {\"}\"} IN { $field }\nother = PRESS {\"{\"} TWICE\n");
    let variants = "n =\n    { $n ->\n        [one] Set {\"{\"} one {\"}\"}\n       *[other] Set {\"{\"} { $n } {\"}\"} here\n    }\n";
    let run = translate(&bench, variants, "ftl", &["--to", "de"]).code(0);
    run.prints(variants.replace("Set", "SET").replace("\"} one", "\"} ONE").replace("here", "HERE"));
}
