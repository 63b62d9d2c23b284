//! `tulk style export` and `apply`: style rule lists as files.

use serde_json::json;

use crate::common::Bench;

const FILE: &str = r#"name = "Shop"
language = "en"

[configured_rules.punctuation]
serial_comma = "use"

[[custom_instructions]]
label = "voice"
prompt = "Address the customer directly"
source_language = "de"

[[custom_instructions]]
label = "length"
prompt = """Be brief.
And kind."""
"#;

/// Applies a file and returns the methods of the requests.
fn apply(bench: &Bench, text: &str) -> Vec<String> {
    bench.write("f.toml", text);
    let before = bench.requests().len();
    bench.run(["style", "apply", "f.toml"]).code(0);
    bench.requests()[before..].iter().map(|r| r["method"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn creates_a_list_with_one_request_and_a_second_run_changes_nothing() {
    let bench = Bench::new();
    assert_eq!(apply(&bench, FILE), ["GET", "POST"]);
    let body = json!({
        "name": "Shop", "language": "en",
        "configured_rules": {"punctuation": {"serial_comma": "use"}},
        "custom_instructions": [
            {"label": "voice", "prompt": "Address the customer directly", "source_language": "de"},
            {"label": "length", "prompt": "Be brief.\nAnd kind."},
        ],
    });
    assert_eq!(bench.sent().pop().unwrap(), ("POST /v3/style_rules".into(), body));
    assert_eq!(apply(&bench, FILE), ["GET"]);
    bench.run(["style", "apply", "f.toml"]).code(0).prints("").says("nothing to change");
}

#[test]
fn an_exported_file_changes_nothing() {
    let bench = Bench::new();
    apply(&bench, FILE);
    let run = bench.run(["style", "export", "Shop"]).code(0);
    assert!(run.out().starts_with("style_id = \""), "{run}");
    assert_eq!(apply(&bench, run.out()), ["GET"]);
    let again = bench.run(["style", "export", "Shop"]).code(0);
    assert_eq!(again.out(), run.out());
    bench.run(["style", "export", "Shop", "--json"]).code(2);
}

#[test]
fn sends_only_what_differs() {
    let bench = Bench::new();
    apply(&bench, FILE);
    let exported = bench.run(["style", "export", "Shop"]).code(0).out().to_owned();
    assert_eq!(apply(&bench, &exported.replace("\"Shop\"", "\"Store\"")), ["GET", "PATCH"]);
    assert_eq!(apply(&bench, &FILE.replace("Shop", "Store").replace("\"use\"", "\"do_not_use\"")), ["GET", "PUT"]);
    let changed = FILE.replace("Shop", "Store").replace("\"use\"", "\"do_not_use\"").replace("directly", "by name");
    assert_eq!(apply(&bench, &changed), ["GET", "PUT"]);
    let other = changed.replace("\"length\"", "\"size\"");
    bench.write("other.toml", &other);
    let plan = bench.run(["style", "apply", "other.toml", "--dry-run", "--columns", "action,object,name"]).code(0);
    assert_eq!(plan.out(), "remove\tinstruction\tlength\nadd\tinstruction\tsize\n");
    assert_eq!(apply(&bench, &other), ["GET", "DELETE", "POST"]);
    assert_eq!(apply(&bench, &other), ["GET"]);
}

#[test]
fn refuses_another_language_an_unknown_id_and_an_invalid_file() {
    let bench = Bench::new();
    apply(&bench, FILE);
    bench.write("de.toml", FILE.replace("\"en\"", "\"de\""));
    bench.run(["style", "apply", "de.toml"]).code(2).says("language de").says("is in en");
    bench.write("id.toml", format!("style_id = \"5f6b2f4c-0000-4000-8000-000000000000\"\n{FILE}"));
    bench.run(["style", "apply", "id.toml"]).code(4).says("remove style_id from the file");
    bench.write("typo.toml", FILE.replace("[[custom_instructions]]", "[[custom_instruction]]"));
    bench.run(["style", "apply", "typo.toml"]).code(2).says("typo.toml:7:").says("custom_instruction");
    bench.write("bare.toml", "language = \"en\"\n");
    bench.run(["style", "apply", "bare.toml"]).code(2).says("neither style_id nor name");
    bench.run(["style", "apply", "none.toml"]).code(2).says("none.toml");
    assert_eq!(bench.sent().iter().filter(|(path, _)| !path.starts_with("GET")).count(), 1);
}

#[test]
fn warns_about_unknown_rules_and_sends_them() {
    let bench = Bench::new();
    let text = FILE.replace("serial_comma = \"use\"", "serial_comma = \"sometimes\"\nnew_mark = \"x\"");
    bench.write("f.toml", &text);
    bench
        .run(["style", "apply", "f.toml"])
        .code(0)
        .says("`sometimes` of `punctuation.serial_comma`")
        .says("punctuation.new_mark");
    let rules = bench.run(["style", "rules", "show", "Shop", "--json"]).code(0).json();
    assert_eq!(rules, json!({"punctuation": {"new_mark": "x", "serial_comma": "sometimes"}}));
}
