//! `--style-profile`: which requests name a profile, what replaces its parts, and how cached results depend on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::cached_results::sent_by;
use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};
use crate::sync;

const ID: &str = "6a1d7c3e-2f40-4b8a-9d5e-71c0e2b3a4f5";
const MEMORY: &str = "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b";
const CONFIG: &str = ".config/tulk/config.toml";

/// Starts a sandbox with a glossary, a style rule list, a translation memory, and a profile of all three.
fn bench() -> Bench {
    let bench = Bench::bare();
    bench.write(
        "memories.json",
        json!([{"translation_memory_id": MEMORY, "name": "Manuals", "source_language": "en",
            "target_languages": ["de"], "segments": [{"source": "Two cups?", "target_lang": "de", "target": "Zwei Tassen?"}]}])
        .to_string(),
    );
    let memories = bench.path("memories.json").display().to_string();
    let flags = ["--engine", "pseudo", "--document-queue", "0", "--document-translate", "0", "--memories", &memories];
    let bench = Bench::with(&flags);
    bench.write("parts.tsv", "pump\tPumpe\n");
    bench.run(["glossary", "create", "Parts", "--dictionary", "en:de=parts.tsv"]).code(0);
    bench.run(["style", "create", "House", "--language", "de"]).code(0);
    let parts = ["--glossary", "Parts", "--style", "House", "--translation-memory", "Manuals"];
    bench.run(["style", "profile", "create", "Shop"].iter().chain(&parts)).code(0);
    bench
}

fn shop(bench: &Bench) -> String {
    bench.run(["style", "profile", "show", "Shop", "--jq", ".style_profile_id"]).code(0).out().trim().to_owned()
}

fn last_body(bench: &Bench) -> Value {
    bench.requests().pop().unwrap()["body"].clone()
}

#[test]
fn looks_up_a_name_and_sends_an_id_unchanged() {
    let bench = bench();
    let id = shop(&bench);
    for profile in ["Shop", &id] {
        let before = bench.requests().len();
        bench.run(["translate", "--to", "de", "--style-profile", profile, "pump"]).code(0).prints("Pumpe\n");
        let sent: Vec<(String, Value)> = bench.sent().split_off(before);
        let translation =
            ("POST /v2/translate".to_owned(), json!({"text": ["pump"], "target_lang": "DE", "style_profile_id": id}));
        match profile {
            "Shop" => assert_eq!(sent, [("GET /v3/style_profiles".to_owned(), json!("")), translation]),
            _ => assert_eq!(sent, [translation]),
        }
    }
    bench
        .run(["translate", "--to", "de", "--style-profile", "Shp", "pump"])
        .code(4)
        .says("error: no style profile named `Shp`\n  hint: did you mean `Shop`? `tulk style profile list`");
    let plan = bench.run(["translate", "--to", "de", "--style-profile", &id, "-n", "pump"]).code(0).json();
    assert_eq!(plan["body"], json!({"text": ["pump"], "target_lang": "DE", "style_profile_id": id}));
}

#[test]
fn matching_parts_apply_unless_flags_replace_them() {
    let bench = bench();
    bench.write("other.tsv", "pump\tFörderer\n");
    bench.run(["glossary", "create", "Other", "--dictionary", "en:de=other.tsv"]).code(0);
    let run = |flags: &[&str], text: &str| {
        let args = ["translate", "--style-profile", "Shop"];
        bench.run(args.iter().chain(flags).chain(&[text])).code(0)
    };
    run(&["--to", "de", "--from", "en"], "pump").prints("Pumpe\n").says_nothing();
    run(&["--to", "de"], "Two cups?").prints("Zwei Tassen?\n");
    // No part of the profile supports French, so the translation is plain.
    let plain = bench.run(["translate", "--to", "fr", "pump"]).code(0);
    run(&["--to", "fr"], "pump").prints(plain.out());
    let replaced = run(&["--to", "de", "--from", "en", "--glossary", "Other", "-v"], "pump").prints("Förderer\n");
    let replaced = replaced.says("--glossary replaces the glossaries of the style profile\n");
    replaced.says_not("--style ").says_not("--translation-memory ");
    let others = run(&["--to", "de", "--style", "House", "--translation-memory", "Manuals", "-v"], "pump");
    let others = others.prints("Pumpe\n").says("--style replaces the style rule lists of the style profile\n");
    others
        .says("--translation-memory replaces the translation memories of the style profile\n")
        .says_not("--glossary ");
    let all = ["--from", "en", "--to", "de", "--glossary", "Other", "--style", "House", "--translation-memory", MEMORY];
    run(&all, "pump").prints("Förderer\n").says_not("replaces");
    let mut body = last_body(&bench);
    for field in ["glossary_id", "style_id", "style_profile_id"] {
        assert_eq!(body.as_object_mut().unwrap().remove(field).unwrap().as_str().unwrap().len(), 36, "{field}");
    }
    assert_eq!(
        body,
        json!({"text": ["pump"], "source_lang": "EN", "target_lang": "DE", "translation_memory_id": MEMORY})
    );
}

#[test]
fn a_profile_works_with_the_fast_model_and_a_threshold() {
    let bench = bench();
    let args = ["translate", "--to", "de", "--style-profile", "Shop", "--model-type", "latency_optimized"];
    bench.run(args.iter().chain(&["--translation-memory-threshold", "100", "Two cups!"])).code(0).says_nothing();
    assert_eq!(
        last_body(&bench),
        json!({"text": ["Two cups!"], "target_lang": "DE", "style_profile_id": shop(&bench),
               "model_type": "latency_optimized", "translation_memory_threshold": 100})
    );
    bench
        .run(["translate", "--to", "de", "--translation-memory-threshold", "80", "x"])
        .code(0)
        .says("hint: --translation-memory-threshold has no effect without --translation-memory or --style-profile\n");
    let twice = ["--glossary", "Parts", "--glossary", "Parts", "--glossary", "Parts", "--glossary", "Parts"];
    let six = ["translate", "--to", "de", "--from", "en", "--style-profile", "Shop", "--glossary", "Parts,Parts"];
    bench.run(six.iter().chain(&twice).chain(&["x"])).code(2).says("6 glossaries; the limit is 5");
}

#[test]
fn the_value_none_drops_a_default_of_the_profile() {
    let bench = bench();
    let id = shop(&bench);
    bench.run(["config", "set", "profiles.default.style_profile", "Shop"]).code(0);
    bench.run(["config", "set", "profiles.default.translation_memory_threshold", "90"]).code(0);
    bench.run(["translate", "--to", "de", "pump"]).code(0).prints("Pumpe\n");
    assert_eq!(
        last_body(&bench),
        json!({"text": ["pump"], "target_lang": "DE", "style_profile_id": id, "translation_memory_threshold": 90})
    );
    bench.write("a.txt", "pump");
    let planned = bench.run(["doc", "upload", "a.txt", "--to", "de", "-n"]).code(0).json();
    assert_eq!(
        planned["body"],
        json!({"target_lang": "DE", "style_profile_id": id, "translation_memory_threshold": "90",
               "file": {"file": "a.txt", "bytes": 4}})
    );
    for args in [&["translate", "pump"][..], &["doc", "translate", "a.txt"]] {
        let dropped = ["--to", "de", "--style-profile", "none", "--translation-memory-threshold", "none", "-n"];
        let run = bench.run(args.iter().chain(&dropped)).code(0);
        assert!(!run.out().contains("style_profile_id"), "{run}");
    }
    bench.write(CONFIG, "[profiles.default]\nstyle_profile = 7\n");
    bench.run(["translate", "--to", "de", "pump"]).code(2).says("config.toml:2").says("expected text in quotes");
}

#[test]
fn uploads_and_resumes_documents_with_their_profile() {
    let bench = bench();
    let id = shop(&bench);
    bench.write("a.txt", "the pump\n");
    let upload = ["doc", "upload", "a.txt", "--to", "de", "--style-profile"];
    bench.run(upload.iter().chain(&["Shop"])).code(0);
    let form = last_body(&bench);
    assert!(form.as_str().unwrap().contains(&format!("name=\"style_profile_id\"\r\n\r\n{id}\r\n")), "{form}");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--style-profile", &id]).code(0).says("resuming document");
    let result = bench.read("a.de.txt");
    assert!(result.ends_with(" Pumpe\n"), "{result}");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--force"]).code(0).says_not("resuming document");
    assert!(!bench.read("a.de.txt").contains("Pumpe"));
    let forms = bench.sent().into_iter().filter(|(operation, _)| operation == "POST /v2/document");
    assert_eq!(forms.filter(|(_, form)| form.as_str().unwrap().contains("style_profile_id")).count(), 1);
}

#[test]
fn the_printed_upload_command_has_the_profile() {
    let server = ScriptedServer::start(|_| answer(500, &[], ""));
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
    bench.write("a.txt", "One");
    let args = ["doc", "translate", "a.txt", "--to", "de", "--retries", "0", "--style-profile"];
    bench
        .run(args.iter().chain(&[ID]))
        .code(7)
        .says(&format!("with `tulk doc translate a.txt --to de --style-profile {ID} --again`"));
}

#[test]
fn a_project_may_set_profiles_in_each_table() {
    let bench = bench();
    let id = shop(&bench);
    bench.run(["style", "profile", "create", "French"]).code(0);
    let config = sync::PROJECT.replace("\"fr\"]", "\"fr\", \"es\"]\nstyle_profile = \"Shop\"");
    let config = format!("{config}\n[sync.langs.fr]\nstyle_profile = \"French\"\n[sync.langs.de]\nstyle = \"House\"\n");
    bench.write("tulk.toml", config.replace("dialect = ", "translation_memory_threshold = 80\ndialect = "));
    bench.write("locales/en/a.json", "{\"a\": \"pump\"}\n");
    bench.run(["sync"]).code(0).says_not("has no effect");
    assert_eq!(bench.read("locales/de/a.json"), "{\"a\": \"Pumpe\"}\n");
    let mut bodies: Vec<Value> =
        bench.sent().into_iter().filter(|(op, _)| op == "POST /v2/translate").map(|(_, b)| b).collect();
    bodies.sort_by_key(|body| body["target_lang"].to_string());
    let body = |at: usize| (bodies[at]["target_lang"].clone(), bodies[at]["style_profile_id"].clone());
    assert_eq!(body(0), (json!("DE"), json!(id)));
    assert_eq!(body(1), (json!("ES"), json!(id)));
    assert_ne!(body(2).1, json!(id));
    assert!(bodies[0]["style_id"].is_string() && bodies[1]["style_id"].is_null());
    assert_eq!(bodies[0]["translation_memory_threshold"], 80);
    bench.write("tulk.toml", sync::PROJECT.replace("[[sync", "style_profile = \" \"\n\n[[sync"));
    bench.run(["sync"]).code(2).says("tulk.toml:5:17: sync.style_profile: the text is empty");
}

#[test]
fn an_unknown_profile_is_not_found_whatever_the_status() {
    let hint = format!(
        "hint: the service does not know the style profile {ID}; `tulk style profile list` lists the ones in this data center\n"
    );
    let bench = Bench::new();
    bench.write("a.txt", "One");
    for args in [&["translate", "x"][..], &["doc", "translate", "a.txt"]] {
        let run = bench.run(args.iter().chain(&["--to", "de", "--style-profile", ID])).code(4);
        run.says("Style profile not found").says(&hint);
    }
    // If the request also has a style rule list, tulk cannot tell whether the list or the profile is missing.
    bench.run(["translate", "--to", "de", "--style-profile", ID, "--style", ID, "x"]).code(4).says(
        "hint: each data center has its own glossaries, style rule lists, translation memories and style profiles: ",
    );
    let body = r#"{"message":"Value for 'style_profile_id' not supported."}"#;
    let server = ScriptedServer::start(move |_| answer(400, &["content-type: application/json"], body));
    let other = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
    other.write("a.txt", "One");
    other.run(["translate", "--to", "de", "--style-profile", ID, "x"]).code(4).says(&hint);
    other.run(["doc", "translate", "a.txt", "--to", "de", "--style-profile", ID]).code(4).says(&hint);
}

#[test]
fn resume_refuses_a_different_profile() {
    let bench = bench();
    bench.run(["style", "profile", "create", "Other"]).code(0);
    bench.write("long.txt", (0..400).map(|n| format!("pump {n}\n")).collect::<String>());
    let args = ["translate", "--to", "de", "--lines", "-i", "long.txt", "-o", "done.txt", "--concurrency", "1"];
    let run = |flags: &[&str]| bench.run(args.iter().chain(&["--style-profile"]).chain(flags));
    run(&["Shop", "--max-characters", "1500"]).code(6);
    run(&["Other", "--resume"]).code(2).says("error: done.txt.part was started with other options\n");
    run(&["Shop", "--resume"]).code(0);
    assert_eq!(bench.read("done.txt").lines().last(), Some("Pumpe 399"));
}

#[test]
fn changing_a_part_of_a_profile_invalidates_cached_results() {
    let bench = bench();
    let run = |flags: &[&str]| {
        let args = ["translate", "--to", "de", "--cache", "--style-profile", "Shop", "pump"];
        sent_by(&bench, || drop(bench.run(args.iter().chain(flags)).code(0))).len()
    };
    let counts = |flags: &[&str]| (run(flags), run(flags));
    assert_eq!(counts(&[]), (1, 0));
    assert_eq!(counts(&["--from", "en"]), (1, 0));
    // The number of entries is unchanged.
    bench.run(["glossary", "add", "Parts", "en:de", "pump", "Förderer"]).code(0);
    assert_eq!((counts(&[]), counts(&["--from", "en"])), ((1, 0), (1, 0)));
    bench.run(["style", "instruction", "add", "House", "--label", "short", "--prompt", "Be short"]).code(0);
    assert_eq!(counts(&[]), (1, 0));
    bench.run(["style", "profile", "edit", "Shop", "--clear", "memories"]).code(0);
    assert_eq!(counts(&[]), (1, 0));
    bench.run(["style", "profile", "edit", "Shop", "--name", "Store"]).code(0);
    bench.run(["style", "profile", "edit", "Store", "--name", "Shop"]).code(0);
    assert_eq!(run(&[]), 0, "a name and a time change no result");
    // Parts overridden by the request do not matter.
    let replaced = ["--from", "en", "--glossary", "Other", "--style", "House"];
    bench.run(["glossary", "create", "Other", "--dictionary", "en:de=parts.tsv"]).code(0);
    assert_eq!(counts(&replaced), (1, 0));
    bench.run(["glossary", "add", "Parts", "en:de", "pump", "Pumpwerk"]).code(0);
    assert_eq!(counts(&replaced), (0, 0));
    assert_eq!(counts(&[]), (1, 0));
    bench.run(["glossary", "add", "Other", "en:de", "pump", "Pumpwerk"]).code(0);
    assert_eq!(counts(&replaced), (1, 0));
}

#[test]
fn a_part_unreadable_with_the_key_is_identified_by_its_id() {
    let (translations, linked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(1)));
    let (paid, part) = (Arc::clone(&translations), Arc::clone(&linked));
    let server = ScriptedServer::start(move |request| {
        let json = ["content-type: application/json"];
        let path = request.split(' ').nth(1).unwrap_or_default();
        if path.starts_with("/v3/style_profiles/") {
            let part = part.load(Ordering::SeqCst);
            return answer(
                200,
                &json,
                format!(
                    r#"{{"style_profile_id":"{ID}","name":"n","glossary_ids":["{part}"],"style_rule_ids":["s"],
                        "translation_memory_ids":["m"],"glossary_priority_order_enabled":false}}"#
                ),
            );
        }
        match path {
            "/v2/translate" => {
                paid.fetch_add(1, Ordering::SeqCst);
                answer(200, &json, r#"{"translations":[{"text":"Tee"}]}"#)
            }
            _ if path.starts_with("/v3/style_rules") => answer(404, &json, r#"{"message":"no"}"#),
            _ => answer(403, &json, r#"{"message":"no"}"#),
        }
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
    let run = || {
        let args = ["translate", "--from", "en", "--to", "de", "--style-profile", ID, "--cache", "tea"];
        bench.run(args).code(0).prints("Tee\n").says_nothing();
        translations.load(Ordering::SeqCst)
    };
    assert_eq!((run(), run()), (1, 1));
    linked.store(2, Ordering::SeqCst);
    assert_eq!((run(), run()), (2, 2));
}
