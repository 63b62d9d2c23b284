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
fn creates_a_list_with_one_request_and_is_idempotent() {
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
fn applying_an_exported_file_changes_nothing() {
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
fn sends_only_differences() {
    let bench = Bench::new();
    apply(&bench, FILE);
    let exported = bench.run(["style", "export", "Shop"]).code(0).out().to_owned();
    assert_eq!(apply(&bench, &exported.replace("\"Shop\"", "\"Store\"")), ["GET", "GET", "PATCH"]);
    assert_eq!(apply(&bench, &FILE.replace("Shop", "Store").replace("\"use\"", "\"do_not_use\"")), ["GET", "PUT"]);
    let changed = FILE.replace("Shop", "Store").replace("\"use\"", "\"do_not_use\"").replace("directly", "by name");
    assert_eq!(apply(&bench, &changed), ["GET", "PUT"]);
    let other = changed.replace("\"length\"", "\"size\"");
    bench.write("other.toml", &other);
    let plan = bench.run(["style", "apply", "other.toml", "--dry-run", "--columns", "action,object,name"]).code(0);
    assert_eq!(plan.out(), "remove\tinstruction\tlength\nadd\tinstruction\tsize\n");
    bench.run(["style", "apply", "other.toml", "-y"]).code(0);
    assert_eq!(bench.requests().iter().rev().take(3).filter(|sent| sent["method"] != "GET").count(), 2);
    assert_eq!(apply(&bench, &other), ["GET"]);
}

fn changes(bench: &Bench) -> Vec<String> {
    bench.sent().into_iter().map(|(request, _)| request).filter(|request| !request.starts_with("GET")).collect()
}

#[test]
fn asks_before_rules_or_instructions_are_removed() {
    let bench = Bench::new();
    apply(&bench, FILE);
    let count = changes(&bench).len();
    let without_one = FILE.split("[[custom_instructions]]\nlabel = \"length\"").next().unwrap();
    bench.write("one.toml", without_one);
    let plan = ["style", "apply", "one.toml", "--columns", "action,object,name"];
    let refused = bench.run(plan).code(2).prints("").says("remove instruction length\n");
    let refused = refused.says("error: confirmation required: remove 1 instruction from style rule list `Shop`\n");
    refused.says("hint: there is no terminal to ask for confirmation; add --yes to confirm\n");
    bench.run(plan.into_iter().chain(["-n"])).code(0).prints("remove\tinstruction\tlength\n");

    let no_rules = "name = \"Shop\"\ncustom_instructions = []\n[configured_rules.punctuation]\n";
    bench.write("none.toml", no_rules);
    let plan = ["style", "apply", "none.toml", "--columns", "action,object,name"];
    let rows = "set\trules\t\nremove\trule\tpunctuation.serial_comma\n\
                remove\tinstruction\tvoice\nremove\tinstruction\tlength\n";
    bench.run(plan).code(2).prints("").says("remove 1 rule and 2 instructions from style rule list `Shop`");
    assert_eq!(changes(&bench).len(), count);
    bench.run(plan.into_iter().chain(["-y"])).code(0).prints(rows);
    assert_eq!(changes(&bench).len(), count + 3);
    bench.run(plan).code(0).says("nothing to change");
}

#[test]
fn keeps_tables_missing_from_the_file() {
    let bench = Bench::new();
    apply(&bench, FILE);
    assert_eq!(apply(&bench, "name = \"Shop\"\n"), ["GET"]);
    assert_eq!(
        apply(
            &bench,
            "name = \"Shop\"\n[configured_rules.numbers]\ndecimal_separator = \"use_comma_as_decimal_separator\"\n"
        ),
        ["GET", "PUT"]
    );
    let list = bench.run(["style", "show", "Shop", "--json"]).code(0).json();
    assert_eq!(
        list["configured_rules"],
        json!({"numbers": {"decimal_separator": "use_comma_as_decimal_separator"}, "punctuation": {"serial_comma": "use"}})
    );
    assert_eq!(list["custom_instructions"].as_array().map(Vec::len), Some(2));
}

#[test]
fn refuses_a_changed_language_an_unknown_id_and_an_invalid_file() {
    let bench = Bench::new();
    apply(&bench, FILE);
    bench.write("de.toml", FILE.replace("\"en\"", "\"de\""));
    bench.run(["style", "apply", "de.toml"]).code(2).says("language de").says("is in en");
    bench.write("id.toml", format!("style_id = \"5f6b2f4c-0000-4000-8000-000000000000\"\n{FILE}"));
    let unknown = bench.run(["style", "apply", "id.toml"]).code(4).says("remove style_id from the file");
    unknown.says_not("in the file)\n");
    bench.write("typo.toml", FILE.replace("[[custom_instructions]]", "[[custom_instruction]]"));
    bench.run(["style", "apply", "typo.toml"]).code(2).says("typo.toml:7:").says("custom_instruction");
    bench.write("bare.toml", "language = \"en\"\n");
    bench.run(["style", "apply", "bare.toml"]).code(2).says("neither style_id nor name");
    bench
        .pipe("language = \"en\"\n", ["style", "apply", "-"])
        .code(2)
        .says("error: stdin has neither style_id nor name\n");
    bench.run(["style", "apply", "none.toml"]).code(2).says("none.toml");
    assert_eq!(bench.sent().iter().filter(|(path, _)| !path.starts_with("GET")).count(), 1);
}

#[test]
fn sends_unknown_rules_only_with_no_check() {
    let bench = Bench::new();
    let text = FILE.replace("serial_comma = \"use\"", "serial_comma = \"sometimes\"\nnew_mark = \"x\"");
    bench.write("f.toml", &text);
    let run = bench.run(["style", "apply", "f.toml"]).code(2).prints("").says("error: f.toml: unknown rule ");
    run.says(" `punctuation.new_mark`\n")
        .says("error: f.toml: unknown option `sometimes` of `punctuation.serial_comma`\n");
    bench.run(["style", "apply", "f.toml", "--no-check"]).code(0);
    let rules = bench.run(["style", "rules", "show", "Shop", "--json"]).code(0).json();
    assert_eq!(rules, json!({"punctuation": {"new_mark": "x", "serial_comma": "sometimes"}}));
}
