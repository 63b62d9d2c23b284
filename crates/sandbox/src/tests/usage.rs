//! Usage, limits, and limits of developer keys.

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::server::{TestServer, answer, dir_with};
use crate::sessions::Sessions;
use crate::state::kind;
use crate::{SandboxOptions, status};

const KEY: &str = "11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000";

async fn translate_with_key(server: &TestServer, key: &str, text: &str) -> u16 {
    let request = server
        .client
        .post(format!("{}/v2/translate", server.base))
        .header("Authorization", format!("DeepL-Auth-Key {key}"));
    request.json(&json!({"text": [text], "target_lang": "de"})).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn counts_by_product_and_key() {
    let server = TestServer::start(SandboxOptions { character_limit: Some(1000), ..SandboxOptions::default() }).await;
    server.translate(json!({"text": ["Tee für 2", "茶"], "target_lang": "fr"})).await;
    // Beta languages are free of charge.
    server.translate(json!({"text": ["Tea"], "target_lang": "de-CH"})).await;
    let (status, mut body) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    let times: Vec<Value> =
        ["start_time", "end_time"].map(|name| body.as_object_mut().unwrap().remove(name).unwrap()).into();
    assert!(times.iter().all(|time| time.as_str().unwrap().ends_with("-01T00:00:00.000Z")), "{times:?}");
    assert_eq!(status, 200);
    assert_eq!(
        body,
        json!({
            "character_count": 10, "character_limit": 1000,
            "products": [
                {"product_type": "translate", "billing_unit": "characters", "api_key_unit_count": 10, "account_unit_count": 10,
                 "api_key_character_count": 10, "character_count": 10},
                {"product_type": "write", "billing_unit": "characters", "api_key_unit_count": 0, "account_unit_count": 0,
                 "api_key_character_count": 0, "character_count": 0},
                {"product_type": "speechToText", "billing_unit": "minutes", "api_key_unit_count": 0, "account_unit_count": 0,
                 "api_key_character_count": 0, "character_count": 0},
                {"product_type": "speechToSpeech", "billing_unit": "minutes", "api_key_unit_count": 0,
                 "account_unit_count": 0, "api_key_character_count": 0, "character_count": 0},
            ],
            "api_key_character_count": 10, "api_key_character_limit": 1_000_000_000_000_u64,
            "speech_to_text_milliseconds_count": 0, "speech_to_text_milliseconds_limit": 1_000_000_000_000_u64,
            "speech_to_text_minutes_count": 0, "speech_to_text_minutes_limit": 1_000_000_000_000_u64,
            "speech_to_speech_minutes_count": 0, "speech_to_speech_minutes_limit": 1_000_000_000_000_u64,
        })
    );
}

#[tokio::test]
async fn requests_over_the_account_limit_are_refused_and_not_counted() {
    let server = TestServer::start(SandboxOptions { character_limit: Some(5), ..SandboxOptions::default() }).await;
    assert_eq!(translate_with_key(&server, "sandbox", "abc").await, 200);
    assert_eq!(translate_with_key(&server, "sandbox", "abc").await, 456);
    assert_eq!(translate_with_key(&server, "sandbox", "ab").await, 200);
    assert_eq!(translate_with_key(&server, "sandbox", "").await, 456);
    let (_, body) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    assert_eq!(body["character_count"], 5);
}

async fn upload(server: &TestServer, key: &str, target: &'static str) -> (u16, Value) {
    let file = Part::bytes(b"Tea").file_name("a.txt");
    let form = Form::new().text("target_lang", target).part("file", file);
    let request = server.client.post(format!("{}/v2/document", server.base)).multipart(form);
    answer(request.header("Authorization", format!("Service-Auth-Key {key}")).send().await.unwrap()).await
}

async fn document_counters(server: &TestServer, key: &str) -> Value {
    let request = server.client.get(format!("{}/v2/usage", server.base));
    let (_, body) =
        answer(request.header("Authorization", format!("Service-Auth-Key {key}")).send().await.unwrap()).await;
    let fields = body.as_object().unwrap().iter().filter(|(name, _)| name.contains("document"));
    Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
}

#[tokio::test]
async fn uploads_over_the_document_limit_are_refused_and_leave_nothing() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = SandboxOptions {
        team_document_limit: Some(3),
        keys: vec!["one".to_owned(), "other".to_owned()],
        state_dir: Some(dir.path().to_owned()),
        ..SandboxOptions::default()
    };
    let server = TestServer::start(options).await;
    assert_eq!(document_counters(&server, "one").await, json!({"team_document_count": 0, "team_document_limit": 3}));
    assert_eq!(upload(&server, "one", "de").await.0, 200);
    assert_eq!(upload(&server, "one", "xx").await.0, 400);
    assert_eq!(upload(&server, "one", "de").await.0, 200);
    assert_eq!(upload(&server, "other", "de").await.0, 200);
    let before = status(dir.path()).unwrap();
    for key in ["one", "other"] {
        assert_eq!(
            upload(&server, key, "de").await,
            (
                456,
                json!({"message": "Quota for this billing period has been exceeded.", "detail": "the document limit of the account is 3"})
            )
        );
    }
    let after = status(dir.path()).unwrap();
    assert_eq!((&after.objects, &after.usage), (&before.objects, &before.usage));
    assert_eq!(after.usage, [("document_upload".to_owned(), 3)].into());
    assert_eq!(std::fs::read_dir(dir.path().join("files")).unwrap().count(), 3);
    assert_eq!(translate_with_key(&server, "one", "abc").await, 200, "texts are not documents");
    assert_eq!(document_counters(&server, "other").await, json!({"team_document_count": 3, "team_document_limit": 3}));
}

#[tokio::test]
async fn each_key_has_its_own_document_limit() {
    let limits = json!({"usage_limits": {"documents": 1}, "is_deactivated": false, "key_id": KEY});
    let dir = dir_with(&[(kind::DEVELOPER_KEY, KEY, limits)]);
    let options = SandboxOptions {
        document_limit: Some(2),
        team_document_limit: Some(4),
        keys: vec!["one".to_owned(), "other".to_owned()],
        state_dir: Some(dir.path().to_owned()),
        ..SandboxOptions::default()
    };
    let server = TestServer::start(options).await;
    let of_key = |limit: u64| {
        let detail = format!("the document limit of the key is {limit}");
        (456, json!({"message": "The usage limit of this key has been reached.", "detail": detail}))
    };
    for _ in 0..2 {
        assert_eq!(upload(&server, "one", "de").await.0, 200);
    }
    assert_eq!(upload(&server, "one", "de").await, of_key(2));
    assert_eq!(upload(&server, KEY, "de").await.0, 200);
    assert_eq!(upload(&server, KEY, "de").await, of_key(1));
    assert_eq!(upload(&server, "other", "de").await.0, 200);
    let (status, body) = upload(&server, "other", "de").await;
    assert_eq!((status, &body["detail"]), (456, &json!("the document limit of the account is 4")));
    for (key, count, limit) in [("one", 2, 2), ("other", 1, 2), (KEY, 1, 1)] {
        let counters = json!({
            "document_count": count, "document_limit": limit, "team_document_count": 4, "team_document_limit": 4,
        });
        assert_eq!(document_counters(&server, key).await, counters);
    }
}

#[tokio::test]
async fn any_key_still_refuses_deactivated_keys_and_the_key_called_invalid() {
    let deactivated = json!({"key_id": KEY, "is_deactivated": true});
    let dir = dir_with(&[(kind::DEVELOPER_KEY, KEY, deactivated)]);
    let options = SandboxOptions { any_key: true, state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options.clone()).await;
    let admin = |key: &'static str| {
        let request = server.client.get(format!("{}/v2/admin/developer-keys", server.base));
        let request = request.header("Authorization", format!("Service-Auth-Key {key}"));
        async { request.send().await.unwrap().status().as_u16() }
    };
    for (key, status) in [("any", 200), ("sandbox", 200), ("a b:c", 200), ("", 403), ("invalid", 403), (KEY, 403)] {
        assert_eq!(translate_with_key(&server, key, "abc").await, status, "{key}");
    }
    assert_eq!((admin("any").await, admin("").await), (200, 403));
    let server = TestServer::start(SandboxOptions { admin_keys: vec!["root".to_owned()], ..options }).await;
    let admin = |key: &'static str| {
        let request = server.client.get(format!("{}/v2/admin/developer-keys", server.base));
        let request = request.header("Authorization", format!("Service-Auth-Key {key}"));
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(
        (admin("any").await, admin("root").await, translate_with_key(&server, "root", "abc").await),
        (403, 200, 403)
    );
}

#[tokio::test]
async fn document_limits_are_exact_across_two_sandboxes() {
    let limits = [(Some(7), None), (None, Some(7))];
    for (document_limit, team_document_limit) in limits {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let options = SandboxOptions {
            document_limit,
            team_document_limit,
            state_dir: Some(dir.path().to_owned()),
            ..SandboxOptions::default()
        };
        let (one, other) = (TestServer::start(options.clone()).await, TestServer::start(options).await);
        let uploads = (0..20).map(|n| upload(if n % 2 == 0 { &one } else { &other }, "sandbox", "de"));
        let statuses: Vec<_> =
            futures_util::future::join_all(uploads).await.into_iter().map(|(status, _)| status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 7, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 456).count(), 13, "{statuses:?}");
    }
}

#[tokio::test]
async fn without_a_limit_documents_are_counted_but_not_shown() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options.clone()).await;
    assert_eq!(upload(&server, "sandbox", "de").await.0, 200);
    assert_eq!(document_counters(&server, "sandbox").await, json!({}));
    server.stop().await;
    let app = Sessions::open(options.clone()).unwrap().unnamed();
    assert_eq!(app.quota.by_day_and_key("2000-01-01", "9999-12-31").unwrap(), []);
    let server = TestServer::start(SandboxOptions { document_limit: Some(1), ..options }).await;
    assert_eq!(upload(&server, "sandbox", "de").await.0, 456);
}

#[tokio::test]
async fn key_limits_are_exact_across_two_sandboxes() {
    let dir = dir_with(&[(
        kind::DEVELOPER_KEY,
        KEY,
        json!({"key_id": KEY, "is_deactivated": false, "usage_limits": {"characters": 30}}),
    )]);
    let options = SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let (one, other) = (TestServer::start(options.clone()).await, TestServer::start(options).await);
    let requests = (0..20).map(|n| translate_with_key(if n % 2 == 0 { &one } else { &other }, KEY, "abc"));
    let statuses = futures_util::future::join_all(requests).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 10, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 456).count(), 10, "{statuses:?}");
    let request =
        one.client.get(format!("{}/v2/usage", one.base)).header("Authorization", format!("Service-Auth-Key {KEY}"));
    let (_, body) = answer(request.send().await.unwrap()).await;
    assert_eq!((&body["api_key_character_count"], &body["api_key_character_limit"]), (&json!(30), &json!(30)));
}

#[tokio::test]
async fn a_deactivated_key_is_refused() {
    let dir = dir_with(&[(kind::DEVELOPER_KEY, KEY, json!({"key_id": KEY, "is_deactivated": true}))]);
    let server =
        TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() }).await;
    assert_eq!(translate_with_key(&server, KEY, "abc").await, 403);
}

#[tokio::test]
async fn counts_are_stored_by_day_key_and_tag() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options.clone()).await;
    let request = server.post("/v2/translate", &json!({"text": ["abc"], "target_lang": "de"}));
    request.header("X-Service-Reporting-Tag", "Docs").send().await.unwrap();
    server.stop().await;
    assert_eq!(status(dir.path()).unwrap().usage, [("text".to_owned(), 3)].into());
    let app = Sessions::open(options).unwrap().unnamed();
    let days = app.quota.by_day_and_key("2000-01-01", "9999-12-31").unwrap();
    assert_eq!(days.iter().map(|used| (used.name.as_str(), used.amount)).collect::<Vec<_>>(), [("sandbox", 3)]);
    let tags = app.quota.by_day_and_tag("2000-01-01", "9999-12-31").unwrap();
    assert_eq!(tags.iter().map(|used| (used.name.as_str(), used.amount)).collect::<Vec<_>>(), [("docs", 3)]);
    assert_eq!(app.quota.by_day_and_tag("2000-01-01", "2000-12-31").unwrap(), []);
}
