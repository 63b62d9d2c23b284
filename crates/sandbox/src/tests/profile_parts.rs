//! Which parts of a style profile apply to texts and documents.

use serde_json::{Value, json};

use super::server::{ID, TestServer, answer};
use crate::{Engine, SandboxOptions};

async fn server() -> TestServer {
    TestServer::start(SandboxOptions {
        engine: Engine::Upper,
        ephemeral: true,
        document_queue: std::time::Duration::ZERO,
        document_translate: std::time::Duration::ZERO,
        ..SandboxOptions::default()
    })
    .await
}

async fn create(server: &TestServer, path: &str, id: &str, body: Value) -> String {
    let (status, object) = answer(server.post(path, &body).send().await.unwrap()).await;
    assert_eq!(status, 201, "{object}");
    object[id].as_str().unwrap().to_owned()
}

async fn glossary(server: &TestServer, pairs: &[&str], entry: &str) -> String {
    let dictionary = |pair: &&str| {
        let (source, target) = pair.split_once(':').unwrap();
        json!({"source_lang": source, "target_lang": target, "entries": entry, "entries_format": "tsv"})
    };
    let dictionaries: Vec<Value> = pairs.iter().map(dictionary).collect();
    create(server, "/v3/glossaries", "glossary_id", json!({"name": "g", "dictionaries": dictionaries})).await
}

async fn profile(server: &TestServer, mut parts: Value) -> String {
    parts["name"] = "p".into();
    create(server, "/v3/style_profiles", "style_profile_id", parts).await
}

async fn texts(server: &TestServer, fields: Value) -> Vec<String> {
    let mut body =
        json!({"text": ["The pump is in the kitchen.", "La pompe est dans la cuisine."], "target_lang": "DE"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let (status, answer) = server.translate(body).await;
    assert_eq!(status, 200, "{answer}");
    let translations = answer["translations"].as_array().unwrap();
    translations.iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn each_text_uses_the_glossaries_for_its_language() {
    let server = server().await;
    let english = glossary(&server, &["en:de"], "pump\tPumpe").await;
    let french = glossary(&server, &["fr:de", "fr:es"], "pompe\tPumpwerk").await;
    let id = profile(&server, json!({"glossary_ids": [english, french]})).await;
    let plain = texts(&server, json!({})).await;
    assert_eq!(plain, ["THE PUMP IS IN THE KITCHEN.", "LA POMPE EST DANS LA CUISINE."]);
    assert_eq!(
        texts(&server, json!({"style_profile_id": id})).await,
        ["THE Pumpe IS IN THE KITCHEN.", "LA Pumpwerk EST DANS LA CUISINE."]
    );
    let id = id.to_uppercase();
    assert_eq!(
        texts(&server, json!({"style_profile_id": id, "source_lang": "fr"})).await,
        ["THE PUMP IS IN THE KITCHEN.", "LA Pumpwerk EST DANS LA CUISINE."]
    );
    assert_eq!(texts(&server, json!({"style_profile_id": id, "source_lang": "it"})).await, plain);
    let other = glossary(&server, &["en:de"], "kitchen\tKüche").await;
    assert_eq!(
        texts(&server, json!({"style_profile_id": id, "source_lang": "en", "glossary_id": other})).await[0],
        "THE PUMP IS IN THE Küche."
    );
}

#[tokio::test]
async fn more_than_five_glossaries_apply_and_order_counts_only_if_enabled() {
    let server = server().await;
    let mut ids = Vec::new();
    for number in 0..7 {
        ids.push(glossary(&server, &["en:de"], &format!("pump\tPumpe {number}\nthe\tdie {number}")).await);
    }
    let first = |ids: &[String], enabled: bool| {
        let parts = json!({"glossary_ids": ids, "glossary_priority_order_enabled": enabled});
        let server = &server;
        async move {
            let id = profile(server, parts).await;
            texts(server, json!({"style_profile_id": id, "source_lang": "en"})).await[0].clone()
        }
    };
    assert_eq!(first(&ids, true).await, "THE Pumpe 0 IS IN die 0 KITCHEN.");
    let one = first(&ids, false).await;
    ids.reverse();
    assert_eq!(first(&ids, true).await, "THE Pumpe 6 IS IN die 6 KITCHEN.");
    assert_eq!(first(&ids, false).await, one, "the order has no meaning");
    ids.pop();
    let last = glossary(&server, &["en:de"], "kitchen\tKüche").await;
    ids.push(last);
    assert_eq!(first(&ids, true).await, "THE Pumpe 6 IS IN die 6 Küche.");
}

#[tokio::test]
async fn a_text_uses_the_style_rule_list_for_its_target_language() {
    let server = TestServer::ephemeral().await;
    let list = |language: &'static str| {
        let prompt = json!([{"label": "l", "prompt": format!("Be brief in {language}")}]);
        let body = json!({"name": "s", "language": language, "custom_instructions": prompt});
        create(&server, "/v3/style_rules", "style_id", body)
    };
    let (german, french) = (list("de").await, list("fr").await);
    let id = profile(&server, json!({"style_rule_ids": [french, german]})).await;
    let expected = texts(&server, json!({"style_id": german})).await;
    assert_ne!(expected, texts(&server, json!({})).await);
    assert_eq!(texts(&server, json!({"style_profile_id": id})).await, expected);
    let instructed = json!({"style_profile_id": id, "custom_instructions": ["Be kind"]});
    assert_eq!(
        texts(&server, instructed).await,
        texts(&server, json!({"style_id": german, "custom_instructions": ["Be kind"]})).await
    );
    let other = list("de").await;
    assert_eq!(texts(&server, json!({"style_profile_id": id, "style_id": other})).await, expected);
    assert_eq!(texts(&server, json!({"style_profile_id": id, "model_type": "latency_optimized"})).await, expected);
}

#[tokio::test]
async fn a_document_uses_the_glossaries_for_its_language() {
    let server = server().await;
    let english = glossary(&server, &["en:de"], "pump\tPumpe").await;
    let id = profile(&server, json!({"glossary_ids": [english]})).await;
    let part =
        |name: &str, value: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    for (source, translated) in [(None, "Pumpe"), (Some("EN"), "Pumpe"), (Some("FR"), "PUMP")] {
        let source = source.map(|code| part("source_lang", code)).unwrap_or_default();
        let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n\
                    The pump is in the kitchen\r\n--x--\r\n";
        let body = [&source, &part("target_lang", "DE"), &part("style_profile_id", &id), file].concat();
        assert_eq!(server.document(&body).await, format!("THE {translated} IS IN THE KITCHEN"), "{source}");
    }
}

#[tokio::test]
async fn an_unknown_profile_is_refused_with_404() {
    let server = server().await;
    for id in [ID, "x"] {
        let (status, refusal) =
            server.translate(json!({"text": ["a"], "target_lang": "de", "style_profile_id": id})).await;
        assert_eq!(
            (status, refusal),
            (404, json!({"message": "Style profile not found.", "detail": format!("style_profile_id {id}")}))
        );
    }
    let form = format!("text=a&target_lang=de&style_profile_id={ID}");
    let request = server.post_text("/v2/translate", "application/x-www-form-urlencoded", &form);
    assert_eq!(answer(request.send().await.unwrap()).await.0, 404);
}
