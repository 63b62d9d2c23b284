//! Keys, errors, size limits, the rate limit and the request log.

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;

#[tokio::test]
async fn accepts_both_schemes_and_no_other_key() {
    let server = TestServer::ephemeral().await;
    let ask = |value: Option<&'static str>| {
        let mut request = server.client.get(format!("{}/v2/usage", server.base));
        if let Some(value) = value {
            request = request.header("Authorization", value);
        }
        async { answer(request.send().await.unwrap()).await }
    };
    for value in ["Service-Auth-Key sandbox", "DeepL-Auth-Key sandbox"] {
        assert_eq!(ask(Some(value)).await.0, 200, "{value}");
    }
    for value in [None, Some("Service-Auth-Key other"), Some("Bearer sandbox"), Some("sandbox")] {
        let (status, body) = ask(value).await;
        assert_eq!((status, body["message"].is_string()), (403, true), "{value:?}");
        assert!(!body.to_string().contains("other"), "{body}");
    }
}

#[tokio::test]
async fn refuses_keys_outside_the_header() {
    let server = TestServer::ephemeral().await;
    let (status, _) = answer(server.get("/v2/usage?auth_key=sandbox").send().await.unwrap()).await;
    assert_eq!(status, 403);
    let (status, _) = server.translate(json!({"text": ["a"], "target_lang": "de", "auth_key": "sandbox"})).await;
    assert_eq!(status, 403);
    let form = server.post_text(
        "/v2/translate",
        "application/x-www-form-urlencoded",
        "text=a&target_lang=de&auth_key=sandbox",
    );
    assert_eq!(form.send().await.unwrap().status(), 403);
    // A text that contains the name of the field is accepted.
    let (status, _) = server.translate(json!({"text": ["{\"auth_key\": 1}"], "target_lang": "de"})).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn separate_admin_keys_are_refused_for_user_requests() {
    let options = SandboxOptions { admin_keys: vec!["boss".into()], ..SandboxOptions::default() };
    let server = TestServer::start(options).await;
    let ask = |key: &str| {
        let request = server
            .client
            .get(format!("{}/v2/usage", server.base))
            .header("Authorization", format!("Service-Auth-Key {key}"));
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!((ask("sandbox").await, ask("boss").await), (200, 403));
}

#[tokio::test]
async fn every_error_is_json_with_a_trace_id() {
    let server = TestServer::ephemeral().await;
    for (request, status) in [
        (server.get("/v2/nothing"), 404),
        (server.get("/"), 404),
        (server.post("/v2/usage", &json!({})), 405),
        (server.get(&format!("/v2/usage?x={}", "y".repeat(9000))), 414),
        (server.get("/v2/usage").header("X-Long", "y".repeat(17_000)), 431),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["x-trace-id"].len(), 32);
        assert_eq!(response.headers()["content-type"], "application/json");
        let (actual, body) = answer(response).await;
        assert_eq!((actual, body["message"].is_string()), (status, true), "{body}");
    }
}

#[tokio::test]
async fn logs_each_request() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let path = dir.path().join("requests.jsonl");
    let server = TestServer::start(SandboxOptions { record: Some(path.clone()), ..SandboxOptions::default() }).await;
    server.translate(json!({"text": ["a"], "target_lang": "de"})).await;
    server.post_text("/v2/translate?x=1", "application/x-www-form-urlencoded", "text=a").send().await.unwrap();
    server.get("/v2/usage").header("X-Tulk-Sandbox-Fault", "drop").send().await.unwrap_err();
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let logged: Vec<Value> = lines
        .iter()
        .map(|line| json!([line["method"], line["path"], line["query"], line["body"], line["status"]]))
        .collect();
    assert_eq!(
        Value::from(logged),
        json!([
            ["POST", "/v2/translate", "", {"text": ["a"], "target_lang": "de"}, 200],
            ["POST", "/v2/translate", "x=1", "text=a", 400],
            ["GET", "/v2/usage", "", "", null],
        ])
    );
    assert_eq!(lines[0]["headers"]["authorization"], "Service-Auth-Key sandbox");
}

#[tokio::test]
async fn the_rate_limit_sets_retry_after() {
    let server = TestServer::start(SandboxOptions { rate_limit: Some(0.01), ..SandboxOptions::default() }).await;
    assert_eq!(server.get("/v2/languages").send().await.unwrap().status(), 200);
    let refused = server.get("/v2/languages").send().await.unwrap();
    assert_eq!(refused.status(), 429);
    let seconds: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=100).contains(&seconds), "{seconds}");
}
