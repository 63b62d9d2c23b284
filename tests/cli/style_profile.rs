//! `tulk style profile`: requests as literal JSON, names and IDs, refusals and their hints, lost replies.

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// Returns a bench with two glossaries, three style rule lists and two memories, and a function from names to IDs.
fn bench(flags: &[&str]) -> (Bench, impl Fn(&str) -> String) {
    let memory = |name: &str, id: &str| json!({"translation_memory_id": id, "name": name, "source_language": "en", "target_languages": ["de"]});
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("memories.json");
    let memories = json!([
        memory("Manuals", "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a01"),
        memory("Letters", "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a02"),
    ]);
    std::fs::write(&path, memories.to_string()).unwrap();
    let bench = Bench::with(&[&["--memories", path.to_str().unwrap()][..], flags].concat());
    bench.write("k.tsv", "kettle\tWasserkocher\n");
    let mut ids = std::collections::BTreeMap::new();
    for name in ["Kitchen", "Garden"] {
        let create = ["glossary", "create", name, "--dictionary", "en:de=k.tsv", "--columns", "glossary_id"];
        ids.insert(name.to_owned(), bench.run(create).code(0).out().trim().to_owned());
    }
    for (name, language) in [("Shop", "de"), ("Store", "de"), ("Boutique", "fr")] {
        let create = ["style", "create", name, "--language", language, "--columns", "style_id"];
        ids.insert(name.to_owned(), bench.run(create).code(0).out().trim().to_owned());
    }
    for memory in memories.as_array().unwrap() {
        let text = |field: &str| memory[field].as_str().unwrap().to_owned();
        ids.insert(text("name"), text("translation_memory_id"));
    }
    (bench, move |name| ids[name].clone())
}

fn profile<'a>(bench: &Bench, args: impl IntoIterator<Item = &'a str>) -> crate::common::Run {
    bench.run(["style", "profile"].into_iter().chain(args))
}

fn requests(bench: &Bench, run: impl FnOnce()) -> Vec<String> {
    let before = bench.requests().len();
    run();
    let text = |request: &Value, field: &str| request[field].as_str().unwrap().to_owned();
    bench.requests()[before..].iter().map(|r| format!("{} {}", text(r, "method"), text(r, "path"))).collect()
}

#[test]
fn creates_shows_edits_and_deletes_a_profile() {
    let (bench, id) = bench(&[]);
    let create = ["create", "Parts", "--industry", "Machinery", "--glossary", "Kitchen,Garden", "--style", "Shop"];
    let more = ["--style", "Boutique", "--translation-memory", "Manuals", "--glossary-priority-order", "--json"];
    let created = profile(&bench, create.into_iter().chain(more)).code(0).json();
    let body = json!({"name": "Parts", "industry": "Machinery", "glossary_ids": [id("Kitchen"), id("Garden")],
        "style_rule_ids": [id("Shop"), id("Boutique")], "translation_memory_ids": [id("Manuals")],
        "glossary_priority_order_enabled": true});
    assert_eq!(bench.sent().pop().unwrap(), ("POST /v3/style_profiles".to_owned(), body));
    let own = created["style_profile_id"].as_str().unwrap();
    assert_eq!(profile(&bench, ["show", "Parts", "--json"]).code(0).json(), created);
    assert_eq!(profile(&bench, ["show", own, "--json"]).code(0).json(), created);

    let edit = ["edit", "Parts", "--description", "For the shop", "--industry", "", "--clear", "memories,styles"];
    let edited = profile(&bench, edit.into_iter().chain(["--glossary-priority-order=false", "--json"])).code(0).json();
    let body = json!({"description": "For the shop", "industry": "", "style_rule_ids": [], "translation_memory_ids": [],
        "glossary_priority_order_enabled": false});
    assert_eq!(bench.sent().pop().unwrap(), (format!("PATCH /v3/style_profiles/{own}"), body));
    let expected = json!({"style_profile_id": own, "name": "Parts", "description": "For the shop",
        "glossary_ids": [id("Kitchen"), id("Garden")], "style_rule_ids": [], "translation_memory_ids": [],
        "glossary_priority_order_enabled": false, "creation_time": created["creation_time"],
        "updated_time": edited["updated_time"]});
    assert_eq!(edited, expected);

    profile(&bench, ["edit", own, "--name", "Spare parts", "--glossary", "Garden"]).code(0);
    let body = json!({"name": "Spare parts", "glossary_ids": [id("Garden")]});
    assert_eq!(bench.sent().pop().unwrap(), (format!("PATCH /v3/style_profiles/{own}"), body));
    let columns = "name,glossary_ids,industry,glossary_priority_order_enabled";
    let listed = profile(&bench, ["list", "--columns", columns]).code(0);
    listed.prints(format!("Spare parts\t{}\t\tfalse\n", id("Garden")));

    profile(&bench, ["delete", "Spare parts"]).code(2).says("--yes");
    profile(&bench, ["delete", "Spare parts", "--yes"])
        .code(0)
        .prints("")
        .says(&format!("deleted style profile {own}"));
    profile(&bench, ["show", own]).code(4).says("hint: `tulk style profile list` lists all style profiles");
    profile(&bench, ["show", "Parts"]).code(4).says("no style profile named `Parts`");
    profile(&bench, ["list", "--json"]).code(0).prints("[]\n");
    bench.run(["glossary", "show", "Garden"]).code(0);
}

#[test]
fn creates_a_profile_without_parts_and_shows_only_set_fields() {
    let (bench, id) = bench(&[]);
    profile(&bench, ["create", "Empty"]).code(0);
    assert_eq!(bench.sent().pop().unwrap().1, json!({"name": "Empty"}));
    profile(&bench, ["create", "Parts", "--glossary", "Kitchen", "--industry", "Machinery"]).code(0);
    let shown =
        bench.on_terminal(100, ["style", "profile", "show", "Parts", "--columns", "name,industry,glossary_ids"]);
    let glossary = id("Kitchen");
    shown.code(0).prints(format!("NAME        Parts\nINDUSTRY    Machinery\nGLOSSARIES  {glossary}\n"));
    let listed = bench.on_terminal(80, ["style", "profile", "list"]).code(0);
    let lines: Vec<&str> = listed.out().lines().collect();
    assert_eq!(lines.len(), 4, "{listed}");
    assert_eq!(lines[0], "ID                                    NAME   INDUSTRY   UPDATED");
    assert!(lines[2].contains("  Parts  Machinery  20"), "{listed}");
    assert_eq!(lines[3], "not shown: glossary_ids, creation_time (wider terminal, --json, or --columns)");
    profile(&bench, ["list", "--limit", "1", "--columns", "name"]).code(0).prints("Empty\n");
}

#[test]
fn looks_up_names_with_one_request_per_kind() {
    let (bench, id) = bench(&[]);
    let (kitchen, garden, shop, manuals) = (id("Kitchen"), id("Garden"), id("Shop"), id("Manuals"));
    let ids = ["--glossary", &kitchen, "--style", &shop, "--translation-memory", &manuals];
    let sent = requests(&bench, || drop(profile(&bench, ["create", "P", "--no-check"].into_iter().chain(ids)).code(0)));
    assert_eq!(sent, ["POST /v3/style_profiles"]);
    let both = format!("Kitchen,{garden}");
    let sent = requests(&bench, || drop(profile(&bench, ["create", "Q", "--glossary", &both]).code(0)));
    assert_eq!(sent, ["GET /v3/style_profiles", "GET /v3/glossaries", "POST /v3/style_profiles"]);
    // A part named twice is sent once.
    let twice = format!("Kitchen,{garden},Garden,{}", kitchen.to_uppercase());
    profile(&bench, ["edit", "Q", "--glossary", &twice]).code(0);
    assert_eq!(bench.sent().pop().unwrap().1, json!({"glossary_ids": [kitchen, garden]}));
    let own = profile(&bench, ["show", "Q", "--columns", "style_profile_id"]).code(0).out().trim().to_owned();
    let sent = requests(&bench, || drop(profile(&bench, ["edit", &own, "--industry", "Tea"]).code(0)));
    assert_eq!(sent, [format!("PATCH /v3/style_profiles/{own}")]);
    profile(&bench, ["edit", "Q", "--glossary", "Kitchn"]).code(4).says("did you mean `Kitchen`?");
    profile(&bench, ["create", "R", "--style", "Shp"]).code(4).says("no style rule list named `Shp`");
    profile(&bench, ["create", "R", "--translation-memory", "x"]).code(4).says("no translation memory named `x`");
}

#[test]
fn refuses_wrong_usage_before_sending() {
    let (bench, _) = bench(&[]);
    let sent = requests(&bench, || {
        profile(&bench, ["create", " "]).code(2).says("the name of the style profile is empty");
        profile(&bench, ["edit", "P", "--name", ""]).code(2).says("the name of the style profile is empty");
        profile(&bench, ["edit", "P"]).code(2).says("error: nothing to change\n").says("hint: add --name,");
        profile(&bench, ["edit", "P", "--glossary", "Kitchen", "--clear", "glossaries"])
            .code(2)
            .says("error: --glossary and --clear glossaries cannot be used together\n")
            .says("hint: --glossary alone replaces all glossaries\n");
        profile(&bench, ["edit", "P", "--clear", "styles,memories", "--translation-memory", "x"])
            .code(2)
            .says("--translation-memory and --clear memories cannot be used together");
        profile(&bench, ["edit", "P", "--clear", "rules"]).code(2).says("valid values: glossaries, styles, memories");
        profile(&bench, ["delete", UNKNOWN]).code(2).says("--yes");
    });
    assert_eq!(sent, Vec::<String>::new());
    profile(&bench, ["create", "P", "--style", "Shop,Boutique"]).code(0);
    let sent = requests(&bench, || {
        profile(&bench, ["create", "Q", "--style", "Shop", "--style", "Store"])
            .code(2)
            .says(
                "error: --style: `Shop` and `Store` both have the language de; a style profile has at most one style rule list \
                 per target language\n",
            )
            .says("hint: leave one of them out; --no-check lets the service decide\n");
        profile(&bench, ["edit", "P", "--translation-memory", "Manuals,Letters"])
            .code(2)
            .says("`Manuals` and `Letters` both have the language en; a style profile has at most one translation memory per source");
        profile(&bench, ["create", "P"])
            .code(2)
            .says("error: a style profile named `P` exists: ")
            .says("hint: `tulk style profile edit P` changes it; choose another name, or create another one with --no-check\n");
    });
    assert!(sent.iter().all(|request| request.starts_with("GET ")), "{sent:?}");
    profile(&bench, ["create", "Other"]).code(0);
    profile(&bench, ["edit", "Other", "--name", "P"]).code(2).says("a style profile named `P` exists");
    profile(&bench, ["create", "P", "--no-check"]).code(0);
    profile(&bench, ["show", "P"]).code(2).says("2 style profiles are named `P`");
}

#[test]
fn a_refused_part_is_reported_with_its_option_and_value() {
    let (bench, id) = bench(&[]);
    let both = format!("Kitchen,{UNKNOWN}");
    profile(&bench, ["create", "P", "--glossary", &both])
        .code(5)
        .says("Check 'glossary_ids'")
        .says(&format!("hint: check --glossary `Kitchen`, `{UNKNOWN}`: `tulk glossary list` shows those that exist\n"));
    let two = format!("{},{}", id("Shop"), id("Store"));
    let hint = "`tulk style list` shows those that exist and their languages\n";
    profile(&bench, ["create", "P", "--style", &two]).code(5).says("Check 'style_rule_ids'").says(hint);
    profile(&bench, ["create", "P"]).code(0);
    profile(&bench, ["edit", "P", "--style", "Shop,Store", "--no-check"]).code(5).says(hint);
    profile(&bench, ["edit", "P", "--translation-memory", UNKNOWN]).code(5).says(&format!(
        "hint: check --translation-memory `{UNKNOWN}`: `tulk tm list` shows those that exist and their languages\n"
    ));
    profile(&bench, ["edit", "P", "--name", "", "--no-check"]).code(5).says("Parameter 'name' must not be empty");
    assert_eq!(profile(&bench, ["list"]).code(0).out().lines().count(), 1, "nothing else was created");
}

#[test]
fn after_a_lost_reply_repeats_edits_but_not_creations() {
    let (bench, _) = bench(&["--fault", "drop;total=1;path=/v3/style_profiles"]);
    let sent = requests(&bench, || {
        profile(&bench, ["create", "P", "--no-check"]).code(8).says("check before you send it again");
    });
    assert_eq!(sent, ["POST /v3/style_profiles"]);
    // The sandbox executes the request, then closes the connection. The 404 of the second deletion is not a failure.
    for (method, command) in
        [("PATCH", "style profile edit ID --industry Tea"), ("DELETE", "style profile delete ID -y")]
    {
        let (bench, _) = self::bench(&["--fault", "drop;total=1;path=/v3/style_profiles/*"]);
        let created = profile(&bench, ["create", "P", "--columns", "style_profile_id"]).code(0);
        let id = created.out().trim();
        let sent = requests(&bench, || drop(bench.run(command.replace("ID", id).split(' ')).code(0)));
        assert_eq!(sent, vec![format!("{method} /v3/style_profiles/{id}"); 2]);
    }
}

#[test]
fn asks_for_further_pages_only_if_the_first_answer_lacks_profiles() {
    let body = |names: &[&str], total: &str| {
        let profile =
            |name: &&str| format!(r#"{{"style_profile_id":"{name}","name":"{name}","owner":{{"team":1.0}}}}"#);
        let profiles: Vec<String> = names.iter().map(profile).collect();
        format!(r#"{{"style_profiles":[{}]{total}}}"#, profiles.join(","))
    };
    let total = r#","total_count":3"#;
    for (pages, shown, targets) in [
        (vec![body(&["a", "b", "c"], total)], "a\nb\nc\n", vec![""]),
        (vec![body(&["a"], "")], "a\n", vec![""]),
        (vec![body(&["a", "b"], total), body(&["c"], total)], "a\nb\nc\n", vec!["", "?page=1"]),
        (
            vec![body(&["a"], total), body(&["b"], total), body(&["c"], total)],
            "a\nb\nc\n",
            vec!["", "?page=1", "?page=2"],
        ),
        // The service counts one more than it shows, or ignores the page number.
        (vec![body(&["a", "b"], total), body(&[], total)], "a\nb\n", vec!["", "?page=1"]),
        (vec![body(&["a", "b"], total), body(&["a", "b"], total)], "a\nb\n", vec!["", "?page=1"]),
    ] {
        let count = std::sync::atomic::AtomicUsize::new(0);
        let server = ScriptedServer::start(move |_| {
            let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            answer(200, &["content-type: application/json"], &pages[number])
        });
        let bench = Bench::new();
        let run = bench.run(["style", "profile", "list", "--columns", "name", "--server", &server.url]).code(0);
        run.prints(shown);
        let requests = server.requests();
        let sent: Vec<_> = requests.iter().map(|request| request.lines().next().unwrap().to_owned()).collect();
        let expected: Vec<_> = targets.iter().map(|query| format!("GET /v3/style_profiles{query} HTTP/1.1")).collect();
        assert_eq!(sent, expected);
    }
}

#[test]
fn keeps_unknown_fields_and_accepts_any_success_status() {
    let text = r#"{"style_profile_id":"6a1d7c3e-2f40-4b8a-9d5e-71c0e2b3a4f5","name":"P","example_document_ids":["x"],"weight":1.50}"#;
    let server = ScriptedServer::start(move |request| match request.split(' ').next() {
        Some("POST") => answer(200, &["content-type: application/json"], text),
        _ => answer(200, &[], r#"{"style_profiles":[],"total_count":0}"#),
    });
    let bench = Bench::new();
    let run = bench.run(["style", "profile", "create", "P", "--server", &server.url, "--format", "jsonl"]).code(0);
    run.prints(format!("{text}\n"));
}

#[test]
fn refuses_to_change_a_shared_profile() {
    let server = ScriptedServer::start(|_| answer(403, &[], r#"{"message":"Forbidden"}"#));
    let bench = Bench::new();
    let edit = ["style", "profile", "edit", UNKNOWN, "--industry", "Tea", "--server", &server.url];
    bench.run(edit).code(3).says(", or the style profile is shared with the account, which cannot change it;");
}

#[test]
fn a_dry_run_only_reads() {
    let (bench, id) = bench(&[]);
    let sent = requests(&bench, || {
        let line = profile(&bench, ["create", "P", "--glossary", "Kitchen", "-n"]).code(0).json();
        assert_eq!(
            (&line["method"], &line["body"]),
            (&json!("POST"), &json!({"name": "P", "glossary_ids": [id("Kitchen")]}))
        );
        profile(&bench, ["delete", UNKNOWN, "-n"]).code(0);
        profile(&bench, ["edit", UNKNOWN, "-n", "--clear", "styles"]).code(0);
    });
    assert_eq!(sent, ["GET /v3/style_profiles", "GET /v3/glossaries"]);
}
