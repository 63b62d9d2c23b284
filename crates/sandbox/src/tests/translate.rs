//! Text translation.

use std::time::Duration;

use serde_json::{Value, json};

use super::server::{ID, TestServer, answer, dir_with, dir_with_glossary, put_glossary};
use crate::state::{StateStore, kind};
use crate::{Engine, SandboxOptions};

#[tokio::test]
async fn answers_in_order_with_the_requested_fields() {
    let server = TestServer::echo().await;
    let response = server
        .post(
            "/v2/translate",
            &json!({"text": ["<b>Two</b> cups?", "Tea"], "source_lang": "en", "target_lang": "de", "show_billed_characters": true,
                "model_type": "latency_optimized", "tag_handling": "xml"}),
        )
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["x-trace-id"].len(), 32);
    assert_eq!(
        response.text().await.unwrap(),
        concat!(
            r#"{"translations":[{"detected_source_language":"EN","text":"<b>Two</b> cups?","billed_characters":9,"#,
            r#""model_type_used":"latency_optimized","tag_handling_version":"v1"},{"detected_source_language":"EN","#,
            r#""text":"Tea","billed_characters":3,"model_type_used":"latency_optimized","tag_handling_version":"v1"}]}"#
        )
    );
    let (status, body) =
        server.translate(json!({"text": ["Ich bin nicht da und das ist gut"], "target_lang": "EN-us"})).await;
    assert_eq!(
        (status, body),
        (
            200,
            json!({"translations": [{"detected_source_language": "DE", "text": "Ich bin nicht da und das ist gut"}]})
        )
    );
}

#[tokio::test]
async fn accepts_forms() {
    let server = TestServer::start(SandboxOptions { engine: Engine::Upper, ..SandboxOptions::default() }).await;
    let form = "text=a%20%3Cx%3Eb%3C/x%3E+c&text=d&target_lang=DE&source_lang=EN&tag_handling=xml&ignore_tags=y,x\
        &show_billed_characters=1&preserve_formatting=0&translation_memory_threshold=80";
    let response = server.post_text("/v2/translate", "application/x-www-form-urlencoded", form).send().await.unwrap();
    let (status, body) = answer(response).await;
    assert_eq!(
        (status, body),
        (
            200,
            json!({"translations": [
                {"detected_source_language": "EN", "text": "A <x>b</x> C", "billed_characters": 5, "tag_handling_version": "v1"},
                {"detected_source_language": "EN", "text": "D", "billed_characters": 1, "tag_handling_version": "v1"},
            ]})
        )
    );
}

/// Sends requests to `de` with the given fields and checks that each is refused with this status and message.
async fn assert_refused(server: &TestServer, cases: &[(Value, u16, &str)]) {
    for (fields, status, part) in cases {
        let mut request = json!({"text": ["a"], "target_lang": "de"});
        for (name, value) in fields.as_object().unwrap() {
            request[name] = value.clone();
        }
        let (actual, body) = server.translate(request.clone()).await;
        let message = body["message"].as_str().unwrap_or_default();
        assert!(actual == *status && message.contains(part), "{request}: {actual} {body}");
    }
}

#[tokio::test]
async fn requires_text_and_target_language() {
    let server = TestServer::ephemeral().await;
    for (request, part) in [
        (json!({"target_lang": "de"}), "'text' not specified"),
        (json!({"text": ["a"]}), "'target_lang' not specified"),
    ] {
        let (status, body) = server.translate(request).await;
        assert_eq!(status, 400);
        assert!(body["message"].as_str().unwrap().contains(part), "{body}");
    }
}

#[tokio::test]
async fn refuses_invalid_fields() {
    let server = TestServer::ephemeral().await;
    let long = "x".repeat(301);
    assert_refused(
        &server,
        &[
            (json!({"text": []}), 400, "'text' not specified"),
            (json!({"text": "a"}), 400, "expected a sequence"),
            (json!({"text": [1]}), 400, "expected a string"),
            (json!({"text": vec!["a"; 51]}), 400, "at most 50 in one request"),
            (json!({"target_lang": "xx"}), 400, "Value for 'target_lang' not supported."),
            (json!({"source_lang": "en-US"}), 400, "Value for 'source_lang' not supported."),
            (
                json!({"target_lang": "en-US", "formality": "more"}),
                400,
                "Target language does not support 'formality'.",
            ),
            (json!({"formality": "polite"}), 400, "'formality'"),
            (json!({"model_type": "best"}), 400, "'model_type'"),
            (json!({"split_sentences": "2"}), 400, "'split_sentences'"),
            (json!({"preserve_formatting": "1"}), 400, "expected a boolean"),
            (json!({"tag_handling": "sgml"}), 400, "'tag_handling'"),
            (json!({"tag_handling_version": "v3"}), 400, "'tag_handling_version'"),
            (json!({"custom_instructions": vec!["b"; 11]}), 400, "at most 10."),
            (json!({"custom_instructions": [long]}), 400, "300"),
            (json!({"target_lang": "pl", "custom_instructions": ["b"]}), 400, "'custom_instructions'"),
            (
                json!({"text": ["<a>"], "tag_handling": "xml", "tag_handling_version": "v2"}),
                400,
                "Tag handling parsing failed",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn refuses_unknown_glossaries_style_lists_and_memories() {
    let server = TestServer::ephemeral().await;
    assert_refused(
        &server,
        &[
            (json!({"glossary_id": ID}), 400, "'source_lang'"),
            (json!({"source_lang": "en", "glossary_id": "x"}), 400, "'glossary_id'"),
            (json!({"source_lang": "en", "glossary_id": ID}), 404, "Glossary not found."),
            (json!({"source_lang": "en", "glossary_id": ID, "glossary_ids": [ID]}), 400, "exclude each other"),
            (json!({"source_lang": "en", "glossary_ids": vec![ID; 6]}), 400, "at most 5 in 'glossary_ids'"),
            (json!({"style_id": ID}), 404, "Style rule list not found."),
            (json!({"translation_memory_id": ID}), 404, "Translation memory not found."),
            (json!({"translation_memory_threshold": 101}), 400, "100"),
        ],
    )
    .await;
}

#[tokio::test]
async fn the_latency_optimized_model_excludes_other_features() {
    let server = TestServer::ephemeral().await;
    for (feature, value) in [
        ("style_id", json!(ID)),
        ("custom_instructions", json!(["b"])),
        ("translation_memory_id", json!(ID)),
        ("tag_handling_version", json!("v2")),
    ] {
        let fields = json!({"model_type": "latency_optimized", feature: value});
        assert_refused(&server, &[(fields, 400, "latency_optimized")]).await;
    }
}

#[tokio::test]
async fn accepts_all_documented_fields() {
    let server = TestServer::ephemeral().await;
    for request in [
        json!({"text": vec!["a"; 50], "target_lang": "DE"}),
        json!({"text": [""], "target_lang": "zh-hant"}),
        json!({"text": ["a"], "target_lang": "en-US", "formality": "prefer_more"}),
        json!({"text": ["a"], "target_lang": "en"}),
        json!({"text": ["a"], "target_lang": "ckb"}),
        json!({"text": ["a"], "target_lang": "es-419", "formality": "less", "context": "b", "unknown": 1}),
        json!({"text": ["a"], "target_lang": "de", "outline_detection": false, "splitting_tags": "p,q"}),
        json!({"text": ["<p>a"], "target_lang": "de", "tag_handling": "xml", "outline_detection": false}),
        json!({"text": ["a"], "target_lang": "zh-Hans", "custom_instructions": ["b"], "enable_beta_languages": true}),
        json!({"text": ["<p>a<br>&nbsp;"], "target_lang": "de", "tag_handling": "html", "tag_handling_version": "v2"}),
        json!({"text": ["<a>"], "target_lang": "de", "tag_handling": "xml"}),
        json!({"text": ["a"], "target_lang": "de", "source_lang": null, "glossary_id": null}),
    ] {
        let (status, body) = server.translate(request.clone()).await;
        assert_eq!(status, 200, "{request}: {body}");
    }
}

#[tokio::test]
async fn limits_the_body_to_128_kib() {
    let server = TestServer::echo().await;
    let body = |size: usize| {
        let frame = r#"{"text":[""],"target_lang":"de"}"#;
        frame.replace("\"\"", &format!("\"{}\"", "x".repeat(size - frame.len())))
    };
    for (size, status) in [(131_072, 200), (131_073, 413)] {
        let response = server.post_text("/v2/translate", "application/json", &body(size)).send().await.unwrap();
        assert_eq!(response.status(), status, "{size}");
    }
}

#[tokio::test]
async fn refuses_other_methods_queries_and_bodies() {
    let server = TestServer::ephemeral().await;
    let (status, body) = answer(server.get("/v2/translate?text=a&target_lang=de").send().await.unwrap()).await;
    assert_eq!((status, body["message"].is_string()), (405, true));
    let request = server.post("/v2/translate?target_lang=de", &json!({"text": ["a"], "target_lang": "de"}));
    assert_eq!(request.send().await.unwrap().status(), 400);
    let (status, body) = answer(server.post_text("/v2/translate", "application/json", "{").send().await.unwrap()).await;
    assert_eq!(status, 400);
    assert!(body["message"].as_str().unwrap().starts_with("Malformed JSON"), "{body}");
    let (status, _) = answer(server.post_text("/v2/translate", "text/plain", "a").send().await.unwrap()).await;
    assert_eq!(status, 415);
}

#[tokio::test]
async fn reports_the_model_that_was_used() {
    let server = TestServer::echo().await;
    let model = |body: Value| async { server.translate(body).await.1["translations"][0]["model_type_used"].clone() };
    assert_eq!(model(json!({"text": ["a"], "target_lang": "de"})).await, Value::Null);
    for (asked, source, used) in [
        ("latency_optimized", json!("en"), "latency_optimized"),
        ("latency_optimized", Value::Null, "quality_optimized"),
        ("prefer_quality_optimized", json!("en"), "quality_optimized"),
    ] {
        let request = json!({"text": ["a"], "target_lang": "de", "model_type": asked, "source_lang": source});
        assert_eq!(model(request).await, used);
    }
}

#[tokio::test]
async fn replaces_glossary_terms() {
    let dir = dir_with_glossary();
    let options =
        SandboxOptions { engine: Engine::Upper, state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options.clone()).await;
    let request =
        |target: &str| json!({"text": ["a kettle"], "source_lang": "EN", "target_lang": target, "glossary_ids": [ID]});
    let (_, body) = server.translate(request("DE")).await;
    assert_eq!(body["translations"][0]["text"], "A Wasserkocher");
    let (status, body) = server.translate(request("FR")).await;
    assert_eq!((status, &body["message"]), (400, &json!("No dictionary found for the language pair.")));
    // The next request must use a glossary that another process has changed.
    let other = StateStore::open(Some(dir.path())).unwrap();
    put_glossary(&other, "kettle\tKessel");
    assert_eq!(server.translate(request("DE")).await.1["translations"][0]["text"], "A Kessel");
    server.stop().await;
    let slow = TestServer::start(SandboxOptions { glossary_ready_delay: Duration::from_secs(3600), ..options }).await;
    assert_eq!(slow.translate(request("DE")).await.0, 400);
}

#[tokio::test]
async fn style_rule_lists_must_match_the_target_language() {
    let list = json!({"style_id": ID, "name": "Shop", "language": "en", "version": 1, "configured_rules": {},
        "creation_time": "2026-03-01T08:00:00Z", "updated_time": "2026-03-01T08:00:00Z", "custom_instructions": []});
    let dir = dir_with(&[(kind::STYLE, ID, list)]);
    let server =
        TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() }).await;
    for (target, status) in [("en-GB", 200), ("de", 400)] {
        let (actual, body) = server.translate(json!({"text": ["a"], "target_lang": target, "style_id": ID})).await;
        assert_eq!(actual, status, "{body}");
    }
}

#[tokio::test]
async fn memories_and_phrases_replace_the_engine() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let (memories, phrases) = (dir.path().join("m.json"), dir.path().join("p.tsv"));
    let memory = json!([{"translation_memory_id": ID, "name": "Manuals", "source_language": "en", "target_languages": ["de"],
        "segments": [{"source": "Two cups?", "target_lang": "de", "target": "Zwei Becher?"}]}]);
    std::fs::write(&memories, memory.to_string()).unwrap();
    std::fs::write(&phrases, "en\tde\tTwo cups?\tZwei Tassen?\nnl\tde\tOK\tGut\n").unwrap();
    let server = TestServer::start(SandboxOptions {
        memories: Some(memories),
        phrases: Some(phrases),
        ..SandboxOptions::default()
    })
    .await;
    let text = |body: Value| async { server.translate(body).await.1["translations"][0]["text"].clone() };
    assert_eq!(text(json!({"text": ["Two cups?"], "target_lang": "de"})).await, "Zwei Tassen?");
    let lines = "<b>Two cups?</b>\n12\n Two cups?";
    assert_eq!(text(json!({"text": [lines], "target_lang": "de"})).await, "<b>Zwei Tassen?</b>\n12\n Zwei Tassen?");
    let (_, body) = server.translate(json!({"text": ["OK"], "target_lang": "fr"})).await;
    assert_eq!(body["translations"][0]["detected_source_language"], "NL");
    let with = |text: &str, threshold| json!({"text": [text], "target_lang": "de", "translation_memory_id": ID, "translation_memory_threshold": threshold});
    assert_eq!(text(with("Two cups?", 100)).await, "Zwei Becher?");
    assert_eq!(text(with("Two cups!", 80)).await, "Zwei Becher?");
    assert_ne!(text(with("Two cups!", 100)).await, "Zwei Becher?");
    let (status, _) = server.translate(json!({"text": ["a"], "target_lang": "fr", "translation_memory_id": ID})).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn reporting_tags_are_checked_and_counted_in_lower_case() {
    let server = TestServer::echo().await;
    let request = || server.post("/v2/translate", &json!({"text": ["a"], "target_lang": "de"}));
    let long = "x".repeat(101);
    for (name, tag, status) in [
        ("X-Service-Reporting-Tag", "Docs-Site", 200),
        ("X-DeepL-Reporting-Tag", " docs-site ", 200),
        ("X-Service-Reporting-Tag", "two words", 400),
        ("X-Service-Reporting-Tag", long.as_str(), 400),
    ] {
        let response = request().header(name, tag).send().await.unwrap();
        assert_eq!(response.status(), status, "{tag}");
    }
    let twice = request().header("X-Service-Reporting-Tag", "a").header("X-DeepL-Reporting-Tag", "b");
    assert_eq!(twice.send().await.unwrap().status(), 400);
}
