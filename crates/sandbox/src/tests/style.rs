//! Style rule lists and custom instructions: the exact answers, and their effect on pseudo-translations.

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

#[tokio::test]
async fn adding_an_instruction_returns_the_list_and_the_instruction() {
    let server = TestServer::echo().await;
    let body = json!({"name": "Shop", "language": "en"});
    let (_, list) = answer(server.post("/v3/style_rules", &body).send().await.unwrap()).await;
    let path = format!("/v3/style_rules/{}/custom_instructions", list["style_id"].as_str().unwrap());

    let body = json!({"label": "voice", "prompt": "Be brief", "source_language": "de"});
    let (status, first) = answer(server.post(&path, &body).send().await.unwrap()).await;
    let added = json!({"id": first["id"], "label": "voice", "prompt": "Be brief", "source_language": "de"});
    assert_eq!(
        (status, &first),
        (
            201,
            &json!({"style_id": list["style_id"], "name": "Shop", "creation_time": list["creation_time"],
                "updated_time": first["updated_time"], "language": "en", "version": 2, "configured_rules": {},
                "custom_instructions": [added], "id": first["id"], "label": "voice", "prompt": "Be brief",
                "source_language": "de"})
        )
    );

    let (_, second) = answer(server.post(&path, &json!({"label": "l", "prompt": "p"})).send().await.unwrap()).await;
    let (_, shown) =
        answer(server.get(&format!("{path}/{}", second["id"].as_str().unwrap())).send().await.unwrap()).await;
    assert_eq!(shown, json!({"id": second["id"], "label": "l", "prompt": "p"}));
    assert_eq!(second["custom_instructions"], json!([added, shown]));
    assert_eq!(second.get("source_language"), None);
}

async fn text(server: &TestServer, options: &Value) -> String {
    let mut body = json!({"text": ["Two %s cups"], "source_lang": "EN", "target_lang": "DE"});
    body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let (status, answer) = server.translate(body).await;
    assert_eq!(status, 200, "{answer}");
    answer["translations"][0]["text"].as_str().unwrap().to_owned()
}

async fn style(server: &TestServer, fields: &Value) -> String {
    let mut body = json!({"name": "Shop", "language": "de"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let (_, list) = answer(server.post("/v3/style_rules", &body).send().await.unwrap()).await;
    list["style_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn instructions_and_style_rules_change_only_pseudo_translations() {
    let server = TestServer::ephemeral().await;
    let empty = style(&server, &json!({})).await;
    let prompt = json!([{"label": "voice", "prompt": "Be brief"}]);
    let brief = style(&server, &json!({"custom_instructions": prompt})).await;
    let rules = json!({"punctuation": {"serial_comma": "use"}});
    let comma = style(&server, &json!({"configured_rules": rules, "custom_instructions": prompt})).await;
    let plain = text(&server, &json!({})).await;
    let instructed = text(&server, &json!({"custom_instructions": ["Be brief"]})).await;
    assert_eq!(text(&server, &json!({"style_id": empty})).await, plain);
    assert_eq!(text(&server, &json!({"style_id": brief})).await, instructed);
    let mut all = vec![
        plain,
        instructed,
        text(&server, &json!({"custom_instructions": ["Be polite"]})).await,
        text(&server, &json!({"custom_instructions": ["Be polite"], "style_id": brief})).await,
        text(&server, &json!({"style_id": comma})).await,
    ];
    assert!(all.iter().all(|text| text.contains(" %s ")), "{all:?}");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 5, "{all:?}");

    let upper = TestServer::start(SandboxOptions { engine: Engine::Upper, ..SandboxOptions::default() }).await;
    assert_eq!(text(&upper, &json!({"custom_instructions": ["Be brief"]})).await, "TWO %s CUPS");
}

#[tokio::test]
async fn the_style_rule_list_of_an_upload_shows_in_the_document() {
    let options = SandboxOptions { ephemeral: true, ..SandboxOptions::default() };
    let server = TestServer::start(SandboxOptions {
        document_queue: std::time::Duration::ZERO,
        document_translate: std::time::Duration::ZERO,
        ..options
    })
    .await;
    let id = style(&server, &json!({"custom_instructions": [{"label": "voice", "prompt": "Be brief"}]})).await;
    let part =
        |name: &str, value: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nTwo %s cups\r\n";
    let body =
        [&part("source_lang", "EN"), &part("target_lang", "DE"), &part("style_id", &id), file, "--x--\r\n"].concat();
    let expected = text(&server, &json!({"custom_instructions": ["Be brief"]})).await;
    assert_eq!(server.document(&body).await, expected);
}
