//! Developer keys and the usage reports.

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::state::{StateStore, kind};
use crate::{SandboxOptions, clock};

async fn put(server: &TestServer, what: &str, body: Value) -> (u16, Value) {
    let request = server.client.put(format!("{}/v2/admin/developer-keys/{what}", server.base));
    answer(request.header("Authorization", "Service-Auth-Key sandbox").json(&body).send().await.unwrap()).await
}

async fn create(server: &TestServer, body: Value) -> (u16, Value) {
    answer(server.post("/v2/admin/developer-keys", &body).send().await.unwrap()).await
}

async fn new_key(server: &TestServer, label: &str) -> String {
    let (status, key) = create(server, json!({ "label": label })).await;
    assert_eq!(status, 200, "{key}");
    key["key_id"].as_str().unwrap().to_owned()
}

async fn report(server: &TestServer, path: &str) -> (u16, Value) {
    answer(server.get(&format!("/v2/admin/analytics{path}")).send().await.unwrap()).await
}

/// Sends a translation request with a key and a reporting tag (unless it is empty), and returns the status.
async fn translate(server: &TestServer, key: &str, text: &str, tag: &str) -> u16 {
    let mut request = server
        .client
        .post(format!("{}/v2/translate", server.base))
        .header("Authorization", format!("Service-Auth-Key {key}"));
    if !tag.is_empty() {
        request = request.header("X-Service-Reporting-Tag", tag);
    }
    request.json(&json!({"text": [text], "target_lang": "de"})).send().await.unwrap().status().as_u16()
}

fn today() -> String {
    clock::day(clock::now_ms())
}

#[tokio::test]
async fn a_developer_key_can_be_renamed_and_deactivated() {
    let server = TestServer::ephemeral().await;
    let (status, mut key) = create(&server, json!({})).await;
    assert_eq!(status, 200);
    let id = key["key_id"].as_str().unwrap().to_owned();
    let created = key.as_object_mut().unwrap().remove("creation_time").unwrap();
    assert_eq!(
        key,
        json!({
            "key_id": id, "label": "API Key", "is_deactivated": false,
            "usage_limits": {"characters": null, "speech_to_text_milliseconds": null},
        })
    );
    assert_eq!(id.len(), 73);
    assert!(created.as_str().unwrap().ends_with('Z'), "{created}");
    let (status, renamed) = put(&server, "label", json!({"key_id": id, "label": "ci"})).await;
    assert_eq!((status, &renamed["label"], &renamed["creation_time"]), (200, &json!("ci"), &created));
    assert_eq!(translate(&server, &id, "abc", "").await, 200);
    let (status, ended) = put(&server, "deactivate", json!({"key_id": id})).await;
    assert_eq!((status, &ended["is_deactivated"]), (200, &json!(true)));
    assert_eq!(translate(&server, &id, "abc", "").await, 403);
    let (_, again) = put(&server, "deactivate", json!({"key_id": id})).await;
    assert_eq!(again["deactivated_time"], ended["deactivated_time"]);
    // A deactivated key can still be renamed.
    let (status, _) = put(&server, "label", json!({"key_id": id, "label": "old ci"})).await;
    assert_eq!(status, 200);
    let (_, all) = answer(server.get("/v2/admin/developer-keys").send().await.unwrap()).await;
    assert_eq!(all.as_array().unwrap().len(), 1);
    assert_eq!(all[0]["label"], "old ci");
}

#[tokio::test]
async fn setting_one_limit_keeps_the_other_and_limits_are_monthly() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server =
        TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() }).await;
    let id = new_key(&server, "ci").await;
    let limits = |(status, key): (u16, Value)| {
        assert_eq!(status, 200, "{key}");
        key["usage_limits"].clone()
    };
    assert_eq!(
        limits(put(&server, "limits", json!({"key_id": id, "characters": 5})).await),
        json!({"characters": 5, "speech_to_text_milliseconds": null})
    );
    assert_eq!(
        limits(put(&server, "limits", json!({"key_id": id, "speech_to_text_milliseconds": 9})).await),
        json!({"characters": 5, "speech_to_text_milliseconds": 9})
    );
    // Usage of another month does not count.
    StateStore::open(Some(dir.path()))
        .unwrap()
        .with_tables(|s| s.add_count("month 2020-01", &format!("text {id}"), 99))
        .unwrap();
    assert_eq!(translate(&server, &id, "abcde", "").await, 200);
    assert_eq!(translate(&server, &id, "a", "").await, 456);
    assert_eq!(translate(&server, "sandbox", "a", "").await, 200);
    assert_eq!(
        limits(put(&server, "limits", json!({"key_id": id, "characters": null})).await),
        json!({"characters": null, "speech_to_text_milliseconds": 9})
    );
    assert_eq!(translate(&server, &id, "a", "").await, 200);
    put(&server, "limits", json!({"key_id": id, "characters": 0})).await;
    assert_eq!(translate(&server, &id, "a", "").await, 456);
}

#[tokio::test]
async fn refuses_a_26th_active_key() {
    let server = TestServer::ephemeral().await;
    let mut last = String::new();
    for n in 0..25 {
        last = new_key(&server, &format!("key {n}")).await;
    }
    let (status, body) = create(&server, json!({"label": "one more"})).await;
    assert_eq!((status, &body["message"]), (400, &json!("The maximum of 25 active developer keys is reached.")));
    put(&server, "deactivate", json!({"key_id": last})).await;
    new_key(&server, "one more").await;
}

#[tokio::test]
async fn refuses_invalid_requests() {
    let server = TestServer::ephemeral().await;
    let id = new_key(&server, "ci").await;
    for (what, body, status) in [
        ("label", json!({"key_id": "nobody", "label": "x"}), 404),
        ("label", json!({"key_id": id}), 400),
        ("label", json!({"label": "x"}), 400),
        ("deactivate", json!({}), 400),
        ("deactivate", json!({"key_id": "nobody"}), 404),
        ("limits", json!({"key_id": "nobody", "characters": 1}), 404),
        ("limits", json!({"key_id": id, "characters": -1}), 400),
        ("limits", json!({"key_id": id, "characters": "1"}), 400),
        ("limits", json!({"key_id": id, "characters": 1.5}), 400),
    ] {
        assert_eq!(put(&server, what, body.clone()).await.0, status, "{what} {body}");
    }
    let form = server.post_text("/v2/admin/developer-keys", "application/x-www-form-urlencoded", "label=x");
    assert_eq!(form.send().await.unwrap().status(), 415);
    for query in [
        "",
        "?start_date=2026-01-01",
        "?start_date=2026-01-02&end_date=2026-01-01",
        "?start_date=2025-01-01&end_date=2026-01-02",
        "?start_date=1.1.2026&end_date=2026-01-02",
        "?start_date=2026-01-01&end_date=2026-01-02&group_by=day",
        "?start_date=2026-01-01&end_date=2026-01-02&aggregate_by=key&page=1",
    ] {
        if !query.contains("aggregate_by") {
            assert_eq!(report(&server, query).await.0, 400, "{query}");
        }
        if !query.contains("group_by") {
            assert_eq!(report(&server, &format!("/custom-tags{query}")).await.0, 400, "{query}");
        }
    }
}

#[tokio::test]
async fn admin_keys_work_only_for_administration() {
    let options = SandboxOptions { admin_keys: vec!["boss".to_owned()], ..SandboxOptions::default() };
    let server = TestServer::start(options).await;
    assert_eq!(create(&server, json!({})).await.0, 403);
    let as_boss = server.client.get(format!("{}/v2/admin/developer-keys", server.base));
    let as_boss = as_boss.header("Authorization", "Service-Auth-Key boss").send().await.unwrap();
    assert_eq!(answer(as_boss).await, (200, json!([])));
    assert_eq!(translate(&server, "boss", "abc", "").await, 403);
}

#[tokio::test]
async fn reports_usage_by_key_and_day() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server =
        TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() }).await;
    let id = new_key(&server, "build farm").await;
    assert_eq!(translate(&server, &id, "abc", "").await, 200);
    assert_eq!(translate(&server, "sandbox", "ab", "").await, 200);
    let state = StateStore::open(Some(dir.path())).unwrap();
    for (name, n) in [("write", 4), ("document", 8), ("speech", 90_000)] {
        state.with_tables(|s| s.add_count("day", &format!("2026-04-01 {name} {id}"), n)).unwrap();
    }
    let (today, masked) = (today(), format!("{}****{}", id.get(..4).unwrap(), id.get(id.len() - 4..).unwrap()));
    let usage = |text: u64| {
        json!({
            "total_characters": text, "text_translation_characters": text, "document_translation_characters": 0,
            "text_improvement_characters": 0, "speech_to_text_minutes": 0.0,
        })
    };
    let (status, body) = report(&server, &format!("?start_date={today}&end_date={today}")).await;
    let bounds = format!("{today}T00:00:00Z");
    assert_eq!(status, 200);
    assert_eq!(body, json!({"usage_report": {"total_usage": usage(5), "start_date": bounds, "end_date": bounds}}));
    let (_, body) = report(&server, &format!("?start_date={today}&end_date={today}&group_by=key")).await;
    let mut keys = body["usage_report"]["key_usages"].as_array().unwrap().clone();
    keys.sort_by_key(|key| key["api_key_label"].to_string());
    assert_eq!(
        keys,
        [
            json!({"api_key": "****", "api_key_label": "Sandbox", "usage": usage(2)}),
            json!({"api_key": masked, "api_key_label": "build farm", "usage": usage(3)}),
        ]
    );
    assert_eq!(body["usage_report"]["group_by"], "key");
    let (_, body) = report(&server, "?start_date=2026-04-01&end_date=2026-04-02&group_by=key_and_day").await;
    assert_eq!(
        body["usage_report"]["key_and_day_usages"],
        json!([{
            "api_key": masked, "api_key_label": "build farm", "usage_date": "2026-04-01T00:00:00Z",
            "usage": {
                "total_characters": 12, "text_translation_characters": 0, "document_translation_characters": 8,
                "text_improvement_characters": 4, "speech_to_text_minutes": 1.5,
            },
        }])
    );
    assert_eq!(state.list(kind::DEVELOPER_KEY).unwrap().len(), 1);
}

#[tokio::test]
async fn reports_tags_in_pages() {
    let server = TestServer::ephemeral().await;
    for n in 0..12 {
        assert_eq!(translate(&server, "sandbox", "abc", &format!("Tag-{n:02}")).await, 200);
    }
    translate(&server, "sandbox", "ab", "tag-00").await;
    let today = today();
    let (status, body) = report(&server, &format!("/custom-tags?start_date={today}&end_date={today}")).await;
    assert_eq!(status, 200);
    let first = &body["custom_tag_usage_report"];
    assert_eq!(first["aggregate_by"], "period");
    assert_eq!(first["usage"].as_array().unwrap().len(), 10);
    assert_eq!(
        first["usage"][0],
        json!({"custom_tag": "tag-00", "breakdown": {
            "total_characters": 5, "text_translation_characters": 5, "text_improvement_characters": 0,
            "speech_to_text_minutes": 0.0, "speech_to_speech_minutes": 0.0,
        }})
    );
    let page = &first["next_page"];
    let next = format!("/custom-tags?start_date={today}&end_date={today}&aggregate_by=day&page={page}");
    let (_, body) = report(&server, &next).await;
    let second = &body["custom_tag_usage_report"];
    assert_eq!(second["usage"].as_array().unwrap().len(), 2);
    assert_eq!(second["usage"][1]["usage_date"], format!("{today}T00:00:00Z"));
    assert_eq!(second["next_page"], Value::Null);
}

#[tokio::test]
async fn reports_language_pairs_in_pages() {
    let server = TestServer::ephemeral().await;
    for target in ["bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hu", "it"] {
        let body = json!({"text": ["abc"], "source_lang": "en", "target_lang": target});
        assert_eq!(server.post("/v2/translate", &body).send().await.unwrap().status(), 200, "{target}");
    }
    let today = today();
    let range = format!("/language-pairs?start_date={today}&end_date={today}");
    let (status, body) = report(&server, &range).await;
    let first = &body["language_pair_usage_report"];
    assert_eq!((status, &first["group_by"], &first["aggregate_by"]), (200, &json!([]), &json!("period")));
    assert_eq!(first["language_pair_usages"].as_array().unwrap().len(), 10);
    let usage = json!({
        "total_characters": 3, "text_translation_characters": 3, "document_translation_characters": 0,
        "text_improvement_characters": 0, "speech_to_text_minutes": 0.0, "speech_to_speech_minutes": 0.0,
    });
    assert_eq!(
        first["language_pair_usages"][0],
        json!({"source_language": "en", "target_language": "bg", "usage": usage})
    );
    let next = format!("{range}&group_by=key&aggregate_by=day&page={}", first["next_page"]);
    let (_, body) = report(&server, &next).await;
    let second = &body["language_pair_usage_report"];
    assert_eq!((&second["group_by"], &second["next_page"]), (&json!(["key"]), &Value::Null));
    assert_eq!(
        second["language_pair_usages"],
        json!([{
            "source_language": "en", "target_language": "it", "api_key": "****", "api_key_label": "Sandbox",
            "usage_date": format!("{today}T00:00:00Z"), "usage": usage,
        }])
    );
    for query in ["&group_by=day", "&aggregate_by=week", "&page=7"] {
        assert_eq!(report(&server, &format!("{range}{query}")).await.0, 400, "{query}");
    }
}
