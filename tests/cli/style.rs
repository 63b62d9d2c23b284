//! `tulk style`: lists, rules and custom instructions.

use serde_json::{Value, json};

use crate::common::Bench;

/// Returns the ID. Another list may have the same name.
fn create_list(bench: &Bench, name: &str) -> String {
    let run = bench.run(["style", "create", name, "--language", "EN", "--columns", "style_id", "--no-check"]).code(0);
    run.out().trim().to_owned()
}

fn show(bench: &Bench, name: &str) -> Value {
    bench.run(["style", "show", name, "--json"]).code(0).json()
}

#[test]
fn creates_shows_renames_and_deletes_a_list() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    assert_eq!(bench.sent()[0], ("POST /v3/style_rules".into(), json!({"name": "Shop", "language": "en"})));
    let list = show(&bench, &id);
    assert_eq!((&list["name"], &list["language"], &list["version"]), (&json!("Shop"), &json!("en"), &json!(1)));
    bench.run(["style", "rename", "Shop", "Store"]).code(0);
    let (path, body) = bench.sent().pop().unwrap();
    assert_eq!((path, body), (format!("PATCH /v3/style_rules/{id}"), json!({"name": "Store"})));
    assert_eq!(show(&bench, "Store")["version"], 2);
    bench.run(["style", "show", "Shop"]).code(4).says("no style rule list named `Shop`");
    bench.run(["style", "show", "store"]).code(4).says("did you mean `Store`?");
    bench.run(["style", "delete", "Store"]).code(2).says("--yes");
    assert_eq!(bench.run(["style", "list"]).code(0).out().lines().count(), 1);
    bench.run(["style", "delete", "Store", "--yes"]).code(0).prints("");
    bench
        .run(["style", "show", &id])
        .code(4)
        .says("each data center has its own glossaries, style rules and translation memories");
    bench.run(["style", "list", "--json"]).code(0).prints("[]\n");
}

#[test]
fn lists_all_pages_and_refuses_an_ambiguous_name() {
    let bench = Bench::new();
    for n in 0..27 {
        create_list(&bench, if n < 2 { "Twin" } else { "Other" });
    }
    let before = bench.requests().len();
    assert_eq!(bench.run(["style", "list"]).code(0).out().lines().count(), 27);
    let queries: Vec<_> = bench.requests()[before..].iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
    assert_eq!(queries, ["page=0&page_size=25", "page=1&page_size=25"]);
    assert_eq!(bench.run(["style", "list", "--limit", "3"]).code(0).out().lines().count(), 3);
    assert_eq!(bench.requests().len(), before + 3);
    bench.run(["style", "show", "Twin"]).code(2).says("2 style rule lists are named `Twin`");
    let detailed = bench.run(["style", "list", "--detailed", "--limit", "1", "--json"]).code(0).json();
    assert_eq!(detailed[0]["configured_rules"], json!({}));
}

#[test]
fn rules_set_changes_only_the_given_rules() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    let path = format!("PUT /v3/style_rules/{id}/configured_rules");
    bench
        .run(["style", "rules", "set", "Shop", "punctuation.serial_comma=use", "numbers.new_rule=x", "--no-check"])
        .code(0);
    bench.run(["style", "rules", "set", &id, "punctuation.dash=use_hyphen", "numbers.new_rule="]).code(0);
    let rules = json!({"punctuation": {"dash": "use_hyphen", "serial_comma": "use"}});
    assert_eq!(bench.sent().pop().unwrap(), (path.clone(), rules.clone()));
    assert_eq!(bench.run(["style", "rules", "show", "Shop", "--json"]).code(0).json(), rules);
    bench
        .run(["style", "rules", "show", "Shop"])
        .code(0)
        .prints("punctuation\tdash\tuse_hyphen\npunctuation\tserial_comma\tuse\n");
    bench.write(
        "rules.toml",
        "[vocabulary]\nabbreviations = \"write_original_term_then_abbreviation_and_explanation\"\n",
    );
    let before = bench.requests().len();
    bench.run(["style", "rules", "set", &id, "--file", "rules.toml"]).code(0);
    assert_eq!(bench.requests().len(), before + 1, "a file replaces all rules, so the list is not read");
    bench.run(["style", "rules", "set", &id, "--replace"]).code(0).prints("");
    assert_eq!(bench.sent().pop().unwrap(), (path, json!({})));
    bench.run(["style", "rules", "set", &id]).code(2).says("no rules given");
    bench.run(["style", "rules", "set", &id, "serial_comma=use"]).code(2).says("CATEGORY.RULE=OPTION");
}

#[test]
fn the_catalogue_needs_no_server() {
    let bench = Bench::bare();
    assert_eq!(bench.run(["style", "rules", "catalogue"]).code(0).out().lines().count(), 159);
    bench
        .run(["style", "rules", "catalogue", "spelling_and_grammar.eszett"])
        .code(0)
        .prints("spelling_and_grammar\teszett\treplace_eszett_with_ss\n");
    bench.run(["style", "rules", "catalogue", "weather"]).code(4);
    bench
        .run(["style", "rules", "catalogue", "spelling_and_grammar.eszet"])
        .code(4)
        .says("did you mean `spelling_and_grammar.eszett`");
}

#[test]
fn adds_edits_and_removes_instructions() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    let add = ["style", "instruction", "add", "Shop", "--label", "voice", "--prompt", "Address the customer"];
    let added = bench.run(add.iter().chain(&["--source-language", "DE", "--json"])).code(0).json();
    assert_eq!(added["source_language"], "de");
    let body = json!({"label": "voice", "prompt": "Address the customer", "source_language": "de"});
    assert_eq!(bench.sent().pop().unwrap(), (format!("POST /v3/style_rules/{id}/custom_instructions"), body));
    let instruction = added["id"].as_str().unwrap();
    bench.run(["style", "instruction", "edit", &id, "voice", "--prompt", "Be brief"]).code(0);
    let path = format!("PUT /v3/style_rules/{id}/custom_instructions/{instruction}");
    let body = json!({"label": "voice", "prompt": "Be brief", "source_language": "de"});
    assert_eq!(bench.sent().pop().unwrap(), (path, body));
    bench.run(["style", "instruction", "edit", &id, instruction, "--source-language", "none"]).code(0);
    let shown = bench.run(["style", "instruction", "show", &id, "voice"]).code(0);
    assert_eq!(shown.out(), format!("{instruction}\tvoice\tBe brief\t\n"));
    let usage = "<--label <LABEL>|--prompt <TEXT>|--source-language <LANG>>";
    bench.run(["style", "instruction", "edit", &id, "voice"]).code(2).says(usage);
    bench.run(["style", "instruction", "edit", &id, "voice", "--prompt", "Be kind", "--label", "tone"]).code(0);
    bench.run(["style", "instruction", "edit", &id, "tone", "--label", "voice"]).code(0);
    bench.run(["style", "instruction", "show", &id, "voices"]).code(4).says("did you mean `voice`?");
    bench.run(["style", "instruction", "remove", &id, "voice"]).code(2).says("--yes");
    bench.run(["style", "instruction", "remove", &id, "voice", "-y"]).code(0).prints("");
    bench.run(["style", "instruction", "list", &id]).code(0).prints("");
    assert_eq!(show(&bench, &id)["version"], 7);
}

#[test]
fn checks_limits_before_anything_is_sent() {
    let bench = Bench::new();
    let long = |n: usize| "ä".repeat(n);
    bench
        .run(["style", "create", &long(1025), "--language", "en"])
        .code(2)
        .says("1,025 characters; the limit is 1,024");
    let add = |label: &str, prompt: &str| {
        bench.run([
            "style",
            "instruction",
            "add",
            "5f6b2f4c-0000-4000-8000-000000000000",
            "--label",
            label,
            "--prompt",
            prompt,
        ])
    };
    add(&long(101), "p").code(2).says("101 characters; the limit is 100");
    add("l", &long(301)).code(2).says("301 characters; the limit is 300");
    add("l", "").code(2).says("empty");
    let entry = "[[custom_instructions]]\nlabel = \"l\"\nprompt = \"p\"\n";
    bench.write("many.toml", format!("name = \"Many\"\nlanguage = \"en\"\n{}", entry.repeat(201)));
    bench
        .run(["style", "apply", "many.toml"])
        .code(2)
        .says("many.toml:603:1: 201 custom instructions; the limit of a style rule list is 200");
    bench.run(["style", "create", "Many", "--file", "many.toml"]).code(2).says("the limit of a style rule list is 200");
    assert_eq!(bench.requests().len(), 0);
    // With --no-check, the service refuses them instead.
    bench.run(["style", "create", &long(1025), "--language", "en", "--no-check"]).code(5).says("1024");
    bench.run(["style", "create", "Many", "--file", "many.toml", "--no-check"]).code(5).says("200");
    bench.run(["style", "create", "Shop", "--language", "nl"]).code(5).says("langs list --resource style_rules");
    assert_eq!(bench.run(["style", "list"]).code(0).out(), "");
}

#[test]
fn a_dry_run_only_reads() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    let before = bench.requests().len();
    let run = bench.run(["-n", "style", "rules", "set", "Shop", "punctuation.serial_comma=use"]).code(0);
    let line: Value = serde_json::from_str(run.out()).unwrap();
    assert_eq!(line["method"], "PUT");
    assert_eq!(line["body"], json!({"punctuation": {"serial_comma": "use"}}));
    bench.run(["-n", "style", "delete", &id]).code(0);
    bench.run(["-n", "style", "create", "X", "-l", "en"]).code(0);
    let methods: Vec<_> = bench.requests()[before..].iter().map(|r| r["method"].clone()).collect();
    assert_eq!(methods, ["GET", "GET", "GET"]);
}

#[test]
fn rules_missing_from_the_catalogue_require_the_no_check_flag() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    bench.write(
        "shop.toml",
        "name = \"Shop\"\nlanguage = \"en\"\n[configured_rules.punctuation]\nserial_comma = \"x\"\n",
    );
    bench.write("rules.toml", "[punctuation]\nserial_comma = \"x\"\n");
    let before = bench.requests().len();
    for (rule, what, hint) in [
        (
            "punctuation.serial_comma=maybe",
            "unknown option `maybe` of `punctuation.serial_comma`",
            "options: do_not_use, do_not_use_serial_comma_when_using_chinese_comma, use, use_serial_comma_when_using_comma",
        ),
        (
            "punctuation.serial_coma=use",
            "unknown rule `punctuation.serial_coma`",
            "did you mean `serial_comma`? `tulk style rules catalogue punctuation` lists the rules",
        ),
        (
            "weather.rain=use",
            "unknown category `weather`",
            "categories: dates_and_times, formatting, numbers, punctuation, spelling_and_grammar, style_and_tone, vocabulary",
        ),
    ] {
        let run = bench.run(["style", "rules", "set", "Shop", rule]).code(2).prints("");
        run.says(&format!("error: {what}\n  hint: {hint}; --no-check sends the rules as they are\n"));
    }
    let two = ["style", "rules", "set", "Shop", "punctuation.apostrophe=none", "weather.a=b"];
    let run =
        bench.run(two).code(2).says("error: unknown option `none` of `punctuation.apostrophe`\n  hint: options: ");
    run.says("error: unknown category `weather`\n  hint: categories: ");
    for line in ["style rules set Shop --file rules.toml", "style apply shop.toml", "style create New --file shop.toml"]
    {
        let run = bench.run(line.split(' ')).code(2).prints("");
        run.says(
            ".toml: unknown option `x` of `punctuation.serial_comma`\n  hint: options: do_not_use, do_not_use_serial",
        );
    }
    assert_eq!(bench.requests().len(), before, "nothing is looked up");
    bench.run(["style", "rules", "set", &id, "punctuation.serial_comma=maybe", "--no-check"]).code(0);
    bench.run(["style", "apply", "shop.toml", "--no-check"]).code(0);
    assert_eq!(bench.sent().pop().unwrap().1, json!({"punctuation": {"serial_comma": "x"}}));
}

#[test]
fn a_second_list_with_the_same_name_requires_the_no_check_flag() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    create_list(&bench, "Web");
    let create = ["style", "create", "Shop", "--language", "en"];
    let exists = format!("error: a style rule list named `Shop` exists: {id}\n");
    bench.run(create).code(2).says(&format!(
        "{exists}  hint: `tulk style show Shop` shows it; choose another name, or create another one with --no-check\n"
    ));
    let rename = ["style", "rename", "Web", "Shop"];
    bench.run(rename).code(2).says(&format!("{exists}  hint: choose another name; --no-check uses this one\n"));
    bench.run(["style", "rename", "Shop", "Shop"]).code(0);
    let web = bench.run(["style", "show", "Web", "--columns", "style_id"]).out().trim().to_owned();
    bench.write("web.toml", format!("style_id = \"{web}\"\nname = \"Shop\"\n"));
    let run = bench.run(["style", "apply", "web.toml"]).code(2);
    run.says(&format!("{exists}  hint: choose another name in the file; --no-check uses this one\n"));
    bench.run(rename.into_iter().chain(["--no-check"])).code(0);
    bench.run(create.into_iter().chain(["--no-check"])).code(0);
    bench.run(["style", "show", "Shop"]).code(2).says("3 style rule lists are named `Shop`");
}

#[test]
fn translate_accepts_a_list_by_name_or_id() {
    let bench = Bench::new();
    let id = create_list(&bench, "Shop");
    bench.run(["translate", "--to", "en-GB", "--style", "Shop", "x"]).code(0);
    let (path, body) = bench.sent().pop().unwrap();
    assert_eq!((path.as_str(), &body["style_id"]), ("POST /v2/translate", &json!(id)));
    let before = bench.requests().len();
    bench.run(["translate", "--to", "en-GB", "--style", &id, "x"]).code(0);
    assert_eq!(bench.requests().len(), before + 1, "an ID needs no look-up");
    bench.run(["translate", "--to", "de", "--style", "Shop", "x"]).code(5).says("style rule list");
    bench.run(["translate", "--to", "en", "--style", "Shopp", "x"]).code(4).says("did you mean `Shop`?");
}
