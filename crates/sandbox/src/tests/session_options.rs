//! Options of a single session: limits, faults and document times.

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;

const PATH: &str = "/_sandbox/options";

async fn options(server: &TestServer, session: &str) -> Value {
    let request = server.get(PATH).header("X-Tulk-Sandbox-Session", session);
    answer(request.send().await.unwrap()).await.1
}

async fn change(server: &TestServer, session: &str, changes: Value) -> (u16, Value) {
    let request = server.client.patch(format!("{}{PATH}", server.base)).header("X-Tulk-Sandbox", "1");
    answer(request.header("X-Tulk-Sandbox-Session", session).json(&changes).send().await.unwrap()).await
}

async fn translate(server: &TestServer, session: &str, text: &str) -> u16 {
    let request = server.post("/v2/translate", &json!({"text": [text], "target_lang": "de"}));
    request.header("X-Tulk-Sandbox-Session", session).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_session_changes_only_its_own_options() {
    let server = TestServer::start(SandboxOptions { character_limit: Some(100), ..SandboxOptions::default() }).await;
    let defaults = json!({
        "service": "service", "engine": "pseudo", "latency": "0ms", "document_queue": "300ms", "document_translate": "700ms",
        "glossary_ready_delay": "0ms", "fault": [], "seed": null, "rate_limit": null, "character_limit": 100,
        "document_limit": null, "team_document_limit": null, "memory_job_polls": 1, "strict": false,
    });
    assert_eq!(options(&server, "one").await, defaults);
    let sent = json!({
        "service": "deepl", "engine": "upper", "latency": "1ms-2ms", "document_queue": 0, "document_translate": "1.5s",
        "glossary_ready_delay": "1m", "fault": ["429:0.5;times=2", "never;path=/v2/usage"], "seed": 7,
        "rate_limit": "5/s", "character_limit": 9, "document_limit": 1, "team_document_limit": "2",
        "memory_job_polls": 0, "strict": true,
    });
    let changed = json!({
        "service": "deepl", "engine": "upper", "latency": "1ms-2ms", "document_queue": "0ms", "document_translate": "1500ms",
        "glossary_ready_delay": "60000ms", "fault": ["429:0.5;times=2", "never;path=/v2/usage"], "seed": 7,
        "rate_limit": 5.0, "character_limit": 9, "document_limit": 1, "team_document_limit": 2,
        "memory_job_polls": 0, "strict": true,
    });
    assert_eq!(change(&server, "one", sent).await, (200, changed.clone()));
    assert_eq!(options(&server, "one").await, changed);
    for other in ["", "two"] {
        assert_eq!(options(&server, other).await, defaults, "{other}");
    }
    let nulls: serde_json::Map<_, _> =
        changed.as_object().unwrap().keys().map(|name| (name.clone(), Value::Null)).collect();
    assert_eq!(change(&server, "one", Value::Object(nulls)).await, (200, defaults));
}

#[tokio::test]
async fn new_limits_and_faults_apply_immediately_and_usage_is_kept() {
    let server = TestServer::ephemeral().await;
    for session in ["", "one"] {
        assert_eq!(translate(&server, session, "12345").await, 200);
        assert_eq!(change(&server, session, json!({"character_limit": 8})).await.0, 200);
        assert_eq!(translate(&server, session, "1234").await, 456);
        assert_eq!(translate(&server, session, "123").await, 200);
        assert_eq!(change(&server, session, json!({"character_limit": null, "fault": "503;total=1"})).await.0, 200);
        assert_eq!(translate(&server, session, "1").await, 503);
        assert_eq!(translate(&server, session, "1").await, 200);
        assert_eq!(change(&server, session, json!({"document_queue": "1s"})).await.0, 200);
        assert_eq!(translate(&server, session, "1").await, 200, "the faults are the same, and have happened");
    }
    assert_eq!(translate(&server, "two", "12345").await, 200);
}

#[tokio::test]
async fn a_reset_returns_to_the_options_of_the_server() {
    let server = TestServer::ephemeral().await;
    assert_eq!(change(&server, "one", json!({"fault": "500"})).await.0, 200);
    assert_eq!(translate(&server, "one", "1").await, 500);
    let reset = server.client.post(format!("{}/_sandbox/reset", server.base)).header("X-Tulk-Sandbox", "1");
    assert_eq!(reset.header("X-Tulk-Sandbox-Session", "one").send().await.unwrap().status(), 204);
    assert_eq!(translate(&server, "one", "1").await, 200);
}

#[tokio::test]
async fn reading_options_does_not_create_a_session() {
    let server = TestServer::ephemeral().await;
    assert_eq!(options(&server, "one").await["engine"], "pseudo");
    let state = answer(server.get("/_sandbox/state").send().await.unwrap()).await.1;
    assert_eq!(state["sessions"].as_array().unwrap().len(), 1, "{state}");
}

#[tokio::test]
async fn wrong_names_and_values_change_nothing() {
    let server = TestServer::ephemeral().await;
    for (changes, message, detail) in [
        (json!({"seed": 1, "sed": 1}), "Option 'sed' not supported.", "options of a session: service, engine, latency"),
        (json!({"key": "x"}), "Option 'key' not supported.", "options of a session"),
        (json!({"seed": 1, "engine": "loud"}), "Value for 'engine' not supported.", "unknown engine 'loud'"),
        (json!({"character_limit": -1}), "Value for 'character_limit' not supported.", "'-1' is not a whole number"),
        (json!({"rate_limit": 0}), "Value for 'rate_limit' not supported.", "'0' is not a rate: write 5/s"),
        (json!({"fault": ["document"]}), "Value for 'fault' not supported.", "unknown fault 'document'"),
        (json!({"fault": [7]}), "Value for 'fault' not supported.", "a fault must be text"),
        (json!({"strict": "yes"}), "Value for 'strict' not supported.", "it must be true or false"),
        (json!({"latency": []}), "Value for 'latency' not supported.", "it must be text, a number or null"),
    ] {
        let (status, body) = change(&server, "one", changes).await;
        assert_eq!((status, body["message"].as_str().unwrap()), (400, message));
        assert!(body["detail"].as_str().unwrap().starts_with(detail), "{body}");
        assert_eq!(options(&server, "one").await["seed"], Value::Null);
    }
    assert_eq!(change(&server, "one", json!([])).await.0, 400);
}
