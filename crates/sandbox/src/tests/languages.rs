//! The language lists of v2 and v3.

use serde_json::{Value, json};

use super::server::{TestServer, answer};

async fn get(server: &TestServer, path: &str) -> (u16, Value) {
    answer(server.get(path).send().await.unwrap()).await
}

fn find_language<'a>(list: &'a Value, lang: &str) -> Option<&'a Value> {
    list.as_array().unwrap().iter().find(|row| row["lang"] == lang)
}

#[tokio::test]
async fn lists_stable_languages_by_default() {
    let server = TestServer::ephemeral().await;
    let (status, list) = get(&server, "/v3/languages?resource=translate_text").await;
    assert_eq!((status, list.as_array().unwrap().len()), (200, 121));
    assert_eq!(
        find_language(&list, "pt-BR").unwrap(),
        &json!({"lang": "pt-BR", "name": "Portuguese (Brazilian)", "usable_as_source": false, "usable_as_target": true,
            "status": "stable", "features": {"formality": {"status": "stable"}, "glossary": {"status": "stable"},
            "tag_handling": {"status": "stable"}}})
    );
    assert!(find_language(&list, "de-CH").is_none());
    let (_, list) = get(&server, "/v3/languages?resource=translate_text&include=beta").await;
    assert_eq!(find_language(&list, "de-CH").unwrap()["status"], "beta");
    let (_, list) = get(&server, "/v3/languages?resource=voice").await;
    assert_eq!(find_language(&list, "ar").unwrap()["features"], json!({"glossary": {"status": "stable"}}));
    let (_, list) = get(&server, "/v3/languages?resource=voice&include=beta&include=external").await;
    assert_eq!(
        find_language(&list, "ar").unwrap()["features"]["translated_speech"],
        json!({"status": "beta", "external": true})
    );
    for (lang, name) in [("hi", "Hindi"), ("ms", "Malay"), ("ta", "Tamil")] {
        assert_eq!(
            find_language(&list, lang).unwrap(),
            &json!({"lang": lang, "name": name, "usable_as_source": true, "usable_as_target": true, "status": "stable",
                "features": {"spoken_terms": {"status": "beta", "external": true},
                    "transcription": {"status": "stable", "external": true},
                    "translated_speech": {"status": "beta", "external": true}}})
        );
    }
}

#[tokio::test]
async fn refuses_unknown_resources_and_the_old_parameter() {
    let server = TestServer::ephemeral().await;
    for query in ["", "?resource=tea", "?product=translate_text", "?resource=voice&include=alpha"] {
        let (status, body) = get(&server, &format!("/v3/languages{query}")).await;
        assert_eq!((status, body["message"].is_string()), (400, true), "{query}");
    }
}

#[tokio::test]
async fn lists_resources_and_whether_features_need_source_or_target_support() {
    let server = TestServer::ephemeral().await;
    let (_, list) = get(&server, "/v3/languages/resources").await;
    let find = |name: &str| list.as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap().clone();
    assert_eq!(
        find("write"),
        json!({"name": "write", "features": [
            {"name": "auto_detection", "needs_source_support": true, "needs_target_support": false},
            {"name": "tone", "needs_source_support": false, "needs_target_support": true},
            {"name": "writing_style", "needs_source_support": false, "needs_target_support": true},
        ]})
    );
    assert_eq!(find("glossary"), json!({"name": "glossary", "features": []}));
    assert_eq!(list.as_array().unwrap().len(), 7);
}

#[tokio::test]
async fn serves_the_v2_lists() {
    let server = TestServer::ephemeral().await;
    let (_, sources) = get(&server, "/v2/languages").await;
    assert_eq!(sources.as_array().unwrap().len(), 33);
    assert_eq!(sources[0], json!({"language": "AR", "name": "Arabic"}));
    let (_, targets) = get(&server, "/v2/languages?type=target").await;
    assert_eq!(targets.as_array().unwrap().len(), 35);
    assert_eq!(targets[5], json!({"language": "EL", "name": "Greek", "supports_formality": false}));
    assert_eq!(targets[32], json!({"language": "ZH", "name": "Chinese (simplified)", "supports_formality": false}));
    assert_eq!(get(&server, "/v2/languages?type=both").await.0, 400);
}
