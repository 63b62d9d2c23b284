//! The requests of `tulk sync`: texts, contexts, options, and results from the cache.

use serde_json::{Value, json};

use super::{PROJECT, bodies, project, project_of, tulk};
use crate::common::Bench;

#[test]
fn one_changed_key_sends_one_text_per_language() {
    let bench = project(&[
        ("locales/en/a.json", "{\"a\": \"One\", \"b\": \"Two\", \"c\": \"Three\"}\n"),
        ("locales/en/b.json", "{\"d\": \"Four\"}\n"),
    ]);
    tulk(&bench, "sync").code(0);
    let before = bench.requests().len();
    bench.write("locales/en/a.json", "{\"a\": \"One\", \"b\": \"Second\", \"c\": \"Three\"}\n");
    tulk(&bench, "sync").code(0);
    let mut sent = bodies(&bench, before);
    sent.sort_by_key(|body| body["target_lang"].to_string());
    let body = |target_lang: &str| {
        json!({
            "source_lang": "EN", "target_lang": target_lang, "text": ["Second"],
            "tag_handling": "xml", "non_splitting_tags": ["g", "x"], "ignore_tags": ["x"]
        })
    };
    assert_eq!(sent, [body("DE"), body("FR")]);
    assert_eq!(bench.requests()[before]["path"], "/v2/translate");
}

fn contexts(bench: &Bench) -> Vec<(Value, Value)> {
    let mut sent: Vec<_> =
        bodies(bench, 0).into_iter().map(|body| (body["context"].clone(), body["text"].clone())).collect();
    sent.sort_by_key(|(context, _)| context.to_string());
    sent
}

fn project_with_notes(context: &str) -> Bench {
    let config = PROJECT.replace("\"de\", \"fr\"]", &format!("\"de\"]\n{context}"))
        + "\n[sync.notes]\n\"cart.*\" = \"A web shop\"\n";
    project_of(
        &config,
        &[
            ("locales/en/a.json", "{\"cart\": {\"a\": \"Order\", \"b\": \"Empty\"}, \"c\": \"Order\"}\n"),
            ("locales/en/b.json", "{\"cart\": {\"x\": \"Order\"}, \"z\": \"Order\"}\n"),
        ],
    )
}

#[test]
fn sends_equal_texts_with_equal_notes_once() {
    let bench = project_with_notes("");
    tulk(&bench, "sync").code(0);
    assert_eq!(contexts(&bench), [(json!("A web shop"), json!(["Order", "Empty"])), (Value::Null, json!(["Order"]))]);
    assert_eq!(bench.read("locales/de/b.json"), "{\"cart\": {\"x\": \"ORDER\"}, \"z\": \"ORDER\"}\n");
}

#[test]
fn texts_with_different_notes_share_a_request_but_not_a_cache_key() {
    let config = PROJECT.replace(", \"fr\"", "")
        + "\n[sync.notes]\n\"a\" = \"Place an order\"\n\"b\" = \"The cart has nothing in it\"\n\"c\" = \"Verb\"\n";
    let source = "{\"a\": \"Order\", \"b\": \"Empty\", \"c\": \"Empty\", \"d\": \"Plain\"}\n";
    let bench = project_of(&config, &[("locales/en/a.json", source)]);
    let columns = "--columns characters,requests";
    tulk(&bench, &format!("sync -n {columns}")).code(0).prints("20\t2\n");
    tulk(&bench, &format!("sync --cache {columns}")).code(0).prints("20\t2\n");
    let notes = "Order: Place an order\nEmpty: The cart has nothing in it";
    // The second of two equal texts is sent in a separate request.
    assert_eq!(
        contexts(&bench),
        [(json!(notes), json!(["Order", "Empty", "Plain"])), (json!("Verb"), json!(["Empty"]))]
    );
    // The cache key of a text does not depend on the other texts in its request.
    std::fs::remove_dir_all(bench.path("locales/de")).unwrap();
    std::fs::remove_file(bench.path("tulk.lock")).unwrap();
    bench.write("locales/en/a.json", source.replace("Order", "Buy"));
    tulk(&bench, &format!("sync -n --cache {columns}")).code(0).prints("3\t1\n");
    tulk(&bench, &format!("sync --cache {columns}")).code(0).prints("3\t1\n");
    assert_eq!(bodies(&bench, 2)[0]["context"], "Place an order");
    assert_eq!(
        bench.read("locales/de/a.json"),
        source.replace("Order", "BUY").replace("Empty", "EMPTY").replace("Plain", "PLAIN")
    );
}

#[test]
fn notes_can_be_turned_off() {
    let bench = project_with_notes("context = \"none\"");
    tulk(&bench, "sync").code(0);
    assert_eq!(contexts(&bench), [(Value::Null, json!(["Order", "Empty"]))]);
    // Notes are not sent, so a changed note does not make translations stale.
    bench.write("tulk.toml", bench.read("tulk.toml").replace("A web shop", "Cart"));
    tulk(&bench, "sync --check").code(0);
}

#[test]
fn sends_the_section_as_context() {
    let bench = project_with_notes("context = \"section\"");
    tulk(&bench, "sync --file **/a.json").code(0);
    assert_eq!(
        contexts(&bench),
        [(json!("A web shop\nOrder\nEmpty"), json!(["Order", "Empty"])), (json!("Order"), json!(["Order"])),]
    );
}

#[test]
fn a_changed_note_makes_a_translation_stale() {
    let bench = project_with_notes("");
    tulk(&bench, "sync").code(0);
    bench.write("tulk.toml", bench.read("tulk.toml").replace("A web shop", "Cart"));
    let run = tulk(&bench, "sync -n --columns state,units").code(0).prints("stale\t2\nstale\t1\n");
    run.says("stale: 0 because of a new text, 3 because of a new note\n");
}

#[test]
fn sends_the_options_of_the_project() {
    let config = PROJECT.replace("[[sync", "formality = \"prefer_more\"\n\n[[sync")
        + "\n[sync.langs.fr]\nservice = \"fr-CA\"\nformality = \"prefer_less\"\n";
    let bench = project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    bench.write(".config/tulk/config.toml", "[profiles.default]\nformality = \"less\"\n");
    tulk(&bench, "sync").code(0);
    let mut sent: Vec<_> = bodies(&bench, 0);
    sent.sort_by_key(|body| body["target_lang"].to_string());
    let short: Vec<_> = sent.iter().map(|body| (&body["target_lang"], &body["formality"])).collect();
    assert_eq!(short, [(&json!("DE"), &json!("prefer_more")), (&json!("FR-CA"), &json!("prefer_less"))]);
    assert!(bench.path("locales/fr/a.json").exists());
}

#[test]
fn can_use_results_of_earlier_runs() {
    let bench = project(&[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    tulk(&bench, "sync --cache").code(0);
    let sent = bench.requests().len();
    tulk(&bench, "sync --cache --retranslate all").code(0);
    assert_eq!(bench.requests().len(), sent);
    tulk(&bench, "sync --retranslate all").code(0);
    assert_eq!(bench.requests().len(), sent + 2);
}
