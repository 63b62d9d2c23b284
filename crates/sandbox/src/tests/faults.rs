//! Faults, as a client sees them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

const HEADER: &str = "X-Tulk-Sandbox-Fault";

#[tokio::test]
async fn a_status_fault_counts_identical_requests() {
    let server = TestServer::echo().await;
    let ask = |text: &str| {
        let request = server.post("/v2/translate", &json!({"text": [text], "target_lang": "de"}));
        async { request.header(HEADER, "429;retry-after=2;times=2").send().await.unwrap() }
    };
    for _ in 0..2 {
        let response = ask("a").await;
        assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (429, &"2".parse().unwrap()));
        assert_eq!(response.headers()["x-trace-id"].len(), 32);
    }
    assert_eq!(ask("a").await.status(), 200);
    assert_eq!(ask("b").await.status(), 429);
    assert_eq!(ask("a").await.status(), 429, "a new request is counted from the start");
}

#[tokio::test]
async fn clients_and_sessions_are_counted_apart() {
    let keys = vec!["one".to_owned(), "two".to_owned()];
    let server = TestServer::start(SandboxOptions { keys, ..SandboxOptions::default() }).await;
    let ask = |key: &str, session: &str| {
        let request = server.client.get(format!("{}/v2/usage", server.base));
        let request = request.header("Authorization", format!("Service-Auth-Key {key}")).header(HEADER, "503;times=1");
        let request = request.header("X-Tulk-Sandbox-Session", session);
        async { request.send().await.unwrap().status().as_u16() }
    };
    for (key, session) in [("one", "a"), ("two", "a"), ("one", "b")] {
        assert_eq!(ask(key, session).await, 503, "{key} {session}");
    }
    for (key, session) in [("one", "a"), ("two", "a"), ("one", "b")] {
        assert_eq!(ask(key, session).await, 200, "{key} {session}");
    }
}

#[tokio::test]
async fn a_reset_forgets_everything() {
    let rules = vec!["500;total=1;path=/v2/usage".parse().unwrap()];
    let server =
        TestServer::start(SandboxOptions { faults: rules, engine: Engine::Echo, ..SandboxOptions::default() }).await;
    let usage = || async { answer(server.get("/v2/usage").send().await.unwrap()).await };
    let failing = || server.get("/v2/languages").header(HEADER, "429;times=2");
    assert_eq!((usage().await.0, usage().await.0, failing().send().await.unwrap().status().as_u16()), (500, 200, 429));
    server.translate(json!({"text": ["abc"], "target_lang": "de"})).await;
    let reset = || server.client.post(format!("{}/_sandbox/reset", server.base)).header("X-Tulk-Sandbox", "1");
    assert_eq!(reset().header("Origin", "http://page.example").send().await.unwrap().status(), 403);
    assert_eq!(usage().await.1["character_count"], 3);
    assert_eq!(reset().send().await.unwrap().status(), 204);
    assert_eq!(usage().await.0, 500);
    assert_eq!(usage().await.1["character_count"], 0);
    for status in [429, 429, 200] {
        assert_eq!(failing().send().await.unwrap().status(), status);
    }
}

#[tokio::test]
async fn a_dropped_answer_is_executed_and_billed() {
    let server = TestServer::echo().await;
    let request = server.post("/v2/translate", &json!({"text": ["abc"], "target_lang": "de"}));
    let lost = request.header(HEADER, "drop").send().await.unwrap_err();
    assert!(lost.is_request() && !lost.is_timeout(), "{lost:?}");
    let (_, body) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    assert_eq!(body["character_count"], 3);
}

#[tokio::test]
async fn a_cut_answer_breaks_in_its_body() {
    let server = TestServer::echo().await;
    let request = server.post("/v2/translate", &json!({"text": ["abc"], "target_lang": "de"}));
    let response = request.header(HEADER, "cut").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.bytes().await.is_err());
}

#[tokio::test]
async fn other_faults_change_the_answer() {
    let server = TestServer::echo().await;
    let ask = |fault: &'static str| {
        let request = server.post("/v2/translate", &json!({"text": ["a", "b"], "target_lang": "de"}));
        async move { request.header(HEADER, fault).send().await.unwrap() }
    };
    let (status, body) = answer(ask("garbage").await).await;
    assert!(status == 200 && matches!(body, Value::String(_)), "{body}");
    let (_, body) = answer(ask("short").await).await;
    assert_eq!(body["translations"].as_array().unwrap().len(), 1);
    let response = ask("redirect=http://127.0.0.1:1/x").await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["location"]),
        (307, &"http://127.0.0.1:1/x".parse().unwrap())
    );
    let (status, body) = answer(ask("explode").await).await;
    assert_eq!((status, body["message"].is_string()), (400, true));
}

#[tokio::test]
async fn rules_in_the_options_apply_to_matching_paths() {
    let rules = ["503;times=1;path=/v2/usage", "500;after=1;total=1;path=/v2/lang*"];
    let faults = rules.map(|rule| rule.parse().unwrap()).into();
    let server = TestServer::start(SandboxOptions { faults, ..SandboxOptions::default() }).await;
    let ask = |path: &'static str| async { server.get(path).send().await.unwrap().status().as_u16() };
    assert_eq!((ask("/v2/usage").await, ask("/v2/usage").await), (503, 200));
    assert_eq!((ask("/v2/languages").await, ask("/v2/languages").await, ask("/v2/languages").await), (200, 500, 200));
}

#[tokio::test]
async fn latency_and_delays_add_up() {
    let options = SandboxOptions { latency: "60ms".parse().unwrap(), ..SandboxOptions::default() };
    let server = TestServer::start(options).await;
    let start = Instant::now();
    server.get("/v2/languages").header(HEADER, "delay=60ms").send().await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(120));
}

#[tokio::test(flavor = "current_thread")]
async fn shutdown_does_not_wait_for_idle_connections() {
    let server = TestServer::start(SandboxOptions { engine: Engine::Echo, ..SandboxOptions::default() }).await;
    server.get("/v2/languages").send().await.unwrap();
    let start = Instant::now();
    server.stop().await;
    assert!(start.elapsed() < Duration::from_secs(5));
}
