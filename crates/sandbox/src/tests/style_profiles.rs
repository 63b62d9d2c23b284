//! Style profiles: the exact answers and refusals of the routes.

use reqwest::Method;
use serde_json::{Value, json};

use super::server::{ID, TestServer, answer, dir_with, dir_with_glossary};
use crate::SandboxOptions;
use crate::state::{StateStore, kind};

const PROFILES: &str = "/v3/style_profiles";
const DE_STYLE: &str = "0f1e2d3c-4b5a-4697-8899-aabbccddee01";
const DE_STYLE_2: &str = "0f1e2d3c-4b5a-4697-8899-aabbccddee02";
const FR_STYLE: &str = "0f1e2d3c-4b5a-4697-8899-aabbccddee03";
const EN_MEMORY: &str = "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a01";
const EN_MEMORY_2: &str = "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a02";
const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// Starts a sandbox with a glossary, three style rule lists and two memories.
async fn server() -> (TestServer, tempfile::TempDir) {
    let dir = dir_with_glossary();
    let state = StateStore::open(Some(dir.path())).unwrap();
    for (id, language) in [(DE_STYLE, "de"), (DE_STYLE_2, "de"), (FR_STYLE, "fr")] {
        let list = json!({"style_id": id, "name": language, "language": language, "version": 1, "creation_time": "",
            "updated_time": "", "configured_rules": {}, "custom_instructions": []});
        state.put(kind::STYLE, id, "sandbox", &list).unwrap();
    }
    for id in [EN_MEMORY, EN_MEMORY_2] {
        let memory = json!({"name": "Manuals", "source_language": "en", "target_languages": ["de"]});
        state.put(kind::MEMORY, id, "sandbox", &memory).unwrap();
    }
    let state_dir = Some(dir.path().to_owned());
    (TestServer::start(SandboxOptions { state_dir, ..SandboxOptions::default() }).await, dir)
}

async fn send(server: &TestServer, method: Method, path: &str, body: &Value) -> (u16, Value) {
    let request = server.client.request(method, format!("{}{path}", server.base)).body(body.to_string());
    let request =
        request.header("Authorization", "Service-Auth-Key sandbox").header("Content-Type", "application/json");
    answer(request.send().await.unwrap()).await
}

async fn create(server: &TestServer, body: &Value) -> Value {
    let (status, profile) = send(server, Method::POST, PROFILES, body).await;
    assert_eq!(status, 201, "{profile}");
    profile
}

fn path(profile: &Value) -> String {
    format!("{PROFILES}/{}", profile["style_profile_id"].as_str().unwrap())
}

/// Removes the times of a profile, after checking that they have milliseconds.
fn without_times(mut profile: Value) -> Value {
    for field in ["creation_time", "updated_time"] {
        let time = profile.as_object_mut().unwrap().remove(field).unwrap();
        let time = time.as_str().unwrap();
        assert!(time.len() == 24 && time.ends_with('Z') && time.as_bytes()[19] == b'.', "{time}");
    }
    profile
}

#[tokio::test]
async fn a_profile_has_all_fields_except_unset_texts() {
    let (server, _dir) = server().await;
    let body = json!({"name": "Spare parts", "industry": "Machinery", "glossary_ids": [ID.to_uppercase(), ID],
        "style_rule_ids": [DE_STYLE, FR_STYLE]});
    let profile = create(&server, &body).await;
    let id = &profile["style_profile_id"];
    let expected = json!({"style_profile_id": id, "name": "Spare parts", "industry": "Machinery", "glossary_ids": [ID],
        "style_rule_ids": [DE_STYLE, FR_STYLE], "translation_memory_ids": [], "glossary_priority_order_enabled": false});
    assert_eq!(without_times(profile.clone()), expected);
    assert_eq!(answer(server.get(&path(&profile)).send().await.unwrap()).await, (200, profile.clone()));

    let edit = json!({"industry": "", "description": "For the shop", "style_rule_ids": [], "translation_memory_ids": [EN_MEMORY],
        "glossary_priority_order_enabled": true});
    let (status, edited) =
        send(&server, Method::PATCH, &path(&profile).to_uppercase().replace("/V3/STYLE_PROFILES", PROFILES), &edit)
            .await;
    let expected = json!({"style_profile_id": id, "name": "Spare parts", "description": "For the shop", "glossary_ids": [ID],
        "style_rule_ids": [], "translation_memory_ids": [EN_MEMORY], "glossary_priority_order_enabled": true});
    assert_eq!((status, without_times(edited.clone())), (200, expected));
    assert_eq!(edited["creation_time"], profile["creation_time"]);

    let (status, _) = send(&server, Method::DELETE, &path(&profile), &json!(null)).await;
    assert_eq!(status, 204);
    assert_eq!(answer(server.get(&format!("/v3/style_rules/{DE_STYLE}")).send().await.unwrap()).await.0, 200);
    for method in [Method::GET, Method::PATCH, Method::DELETE] {
        let (status, refusal) = send(&server, method, &path(&profile), &json!({})).await;
        assert_eq!((status, &refusal["message"]), (404, &json!("Style profile not found.")));
    }
}

#[tokio::test]
async fn refuses_unknown_parts_and_two_parts_for_one_language() {
    let (server, _dir) = server().await;
    let profile = create(&server, &json!({"name": "x", "style_rule_ids": [DE_STYLE, DE_STYLE]})).await;
    assert_eq!(profile["style_rule_ids"], json!([DE_STYLE]));
    for (fields, message) in [
        (json!({"glossary_ids": [ID, UNKNOWN]}), "Check 'glossary_ids'"),
        (json!({"glossary_ids": ["Kitchen"]}), "Check 'glossary_ids'"),
        (json!({"style_rule_ids": [ID]}), "Check 'style_rule_ids'"),
        (json!({"style_rule_ids": [DE_STYLE, FR_STYLE, DE_STYLE_2]}), "Check 'style_rule_ids'"),
        (json!({"translation_memory_ids": [DE_STYLE]}), "Check 'translation_memory_ids'"),
        (json!({"translation_memory_ids": [EN_MEMORY, EN_MEMORY_2]}), "Check 'translation_memory_ids'"),
        (json!({"name": " "}), "Parameter 'name' must not be empty."),
    ] {
        let mut new = json!({"name": "y"});
        new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        for (method, path, body) in
            [(Method::POST, PROFILES.to_owned(), &new), (Method::PATCH, path(&profile), &fields)]
        {
            let (status, refusal) = send(&server, method, &path, body).await;
            assert_eq!((status, &refusal["message"]), (400, &json!(message)), "{body}");
        }
    }
    let (status, refusal) = send(&server, Method::POST, PROFILES, &json!({"industry": "x"})).await;
    assert_eq!((status, refusal), (400, json!({"message": "Parameter 'name' not specified."})));
    let all = json!({"style_profiles": [profile], "total_count": 1});
    assert_eq!(answer(server.get(PROFILES).send().await.unwrap()).await, (200, all));
}

#[tokio::test]
async fn a_deleted_part_is_removed_from_its_profiles() {
    let (server, _dir) = server().await;
    let parts = json!({"name": "x", "glossary_ids": [ID], "style_rule_ids": [DE_STYLE, FR_STYLE]});
    let profile = create(&server, &parts).await;
    for part in [format!("/v3/glossaries/{ID}"), format!("/v3/style_rules/{DE_STYLE}")] {
        assert_eq!(send(&server, Method::DELETE, &part, &json!(null)).await.0, 204);
    }
    let mut expected = profile.clone();
    expected["glossary_ids"] = json!([]);
    expected["style_rule_ids"] = json!([FR_STYLE]);
    assert_eq!(answer(server.get(&path(&profile)).send().await.unwrap()).await, (200, expected.clone()));
    let all = json!({"style_profiles": [expected], "total_count": 1});
    assert_eq!(answer(server.get(PROFILES).send().await.unwrap()).await, (200, all));
}

#[tokio::test]
async fn lists_all_profiles_or_requested_pages() {
    let profile = |n: usize| {
        json!({"style_profile_id": n.to_string(), "name": n.to_string(), "glossary_ids": [], "style_rule_ids": [],
            "translation_memory_ids": [], "glossary_priority_order_enabled": false, "creation_time": "", "updated_time": ""})
    };
    let ids: Vec<String> = (0..30).map(|n| n.to_string()).collect();
    let objects: Vec<_> =
        ids.iter().enumerate().map(|(n, id)| (kind::STYLE_PROFILE, id.as_str(), profile(n))).collect();
    let dir = dir_with(&objects);
    let state_dir = Some(dir.path().to_owned());
    let server = TestServer::start(SandboxOptions { state_dir, ..SandboxOptions::default() }).await;
    for (query, names) in
        [("", 0..30), ("?page=0", 0..10), ("?page=1&page_size=20", 20..30), ("?page_size=3", 0..3), ("?page=9", 0..0)]
    {
        let (status, answer) = answer(server.get(&format!("{PROFILES}{query}")).send().await.unwrap()).await;
        let shown: Vec<_> = answer["style_profiles"].as_array().unwrap().iter().map(|p| p["name"].clone()).collect();
        let expected: Vec<_> = names.map(|n| json!(n.to_string())).collect();
        assert_eq!((status, &answer["total_count"], shown), (200, &json!(30), expected), "{query}");
    }
    assert_eq!(server.get(&format!("{PROFILES}?page=-1")).send().await.unwrap().status(), 400);
}
