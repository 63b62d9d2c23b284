//! Faults as a client sees them: refusals, answers that are late, slow or missing, and documents whose name makes them fail.

use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

const HEADER: &str = "X-Tulk-Sandbox-Fault";

#[tokio::test]
async fn a_status_fault_counts_the_retries_of_each_request() {
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
async fn clients_and_sessions_are_counted_separately() {
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
async fn a_request_with_a_dropped_answer_is_executed_and_billed() {
    let server = TestServer::echo().await;
    let request = server.post("/v2/translate", &json!({"text": ["abc"], "target_lang": "de"}));
    let lost = request.header(HEADER, "drop").send().await.unwrap_err();
    assert!(lost.is_request() && !lost.is_timeout(), "{lost:?}");
    let (_, body) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    assert_eq!(body["character_count"], 3);
}

#[tokio::test]
async fn the_cut_fault_breaks_the_connection_in_the_body() {
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

async fn server(faults: &[&str]) -> TestServer {
    TestServer::start(SandboxOptions {
        engine: Engine::Echo,
        document_queue: Duration::ZERO,
        document_translate: Duration::ZERO,
        faults: faults.iter().map(|rule| rule.parse().unwrap()).collect(),
        ..SandboxOptions::default()
    })
    .await
}

async fn upload(server: &TestServer, name: &'static str, fault: &'static str) -> Value {
    let file = Part::bytes(vec![b'x'; 300]).file_name(name);
    let form = Form::new().text("target_lang", "de").part("file", file);
    let mut request = server.client.post(format!("{}/v2/document", server.base)).multipart(form);
    if !fault.is_empty() {
        request = request.header(HEADER, fault);
    }
    let request = request.header("Authorization", "Service-Auth-Key sandbox");
    let (status, body) = answer(request.send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    body
}

/// Returns the message of a failed document; `null` if it is done.
async fn error_message(server: &TestServer, handle: &Value) -> Value {
    let path = format!("/v2/document/{}", handle["document_id"].as_str().unwrap());
    let body = json!({"document_key": handle["document_key"]});
    answer(server.post(&path, &body).send().await.unwrap()).await.1["message"].clone()
}

#[tokio::test]
async fn documents_fail_by_name_or_header() {
    let server =
        server(&["document-error;name=bad*;message=The file is broken.", "document-error;total=1;name=one"]).await;
    for (name, fault, expected) in [
        ("good.txt", "", Value::Null),
        ("bad.txt", "", json!("The file is broken.")),
        ("bad too.txt", "", json!("The file is broken.")),
        ("Bad.txt", "", Value::Null),
        ("good.txt", "document-error", json!("This fault was requested.")),
        ("good.txt", "document-error;message=No text.", json!("No text.")),
        ("good.txt", "document-error;name=*.srt", Value::Null),
    ] {
        let handle = upload(&server, name, fault).await;
        assert_eq!(error_message(&server, &handle).await, expected, "{name} {fault}");
    }
}

#[tokio::test]
async fn a_refused_upload_does_not_use_up_a_document_error() {
    let server = server(&["document-error;total=1"]).await;
    let form = Form::new().text("target_lang", "xx").part("file", Part::bytes(b"Tea").file_name("a.txt"));
    let request = server.client.post(format!("{}/v2/document", server.base)).multipart(form);
    let request = request.header("Authorization", "Service-Auth-Key sandbox");
    assert_eq!(request.send().await.unwrap().status(), 400);
    for expected in [json!("This fault was requested."), Value::Null] {
        let handle = upload(&server, "a.txt", "").await;
        assert_eq!(error_message(&server, &handle).await, expected);
    }
}

#[tokio::test]
async fn the_never_fault_leaves_a_request_unexecuted_and_unanswered() {
    let server = server(&["never;path=/v2/languages;total=1"]).await;
    let body = json!({"text": ["abc"], "target_lang": "de"});
    let waiting = [
        server.post("/v2/translate", &body).header(HEADER, "never").timeout(Duration::from_secs(3)).send(),
        server.get("/v2/languages").timeout(Duration::from_secs(3)).send(),
    ];
    for result in futures_util::future::join_all(waiting).await {
        assert!(result.unwrap_err().is_timeout());
    }
    let (_, usage) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    assert_eq!(usage["character_count"], 0);
    assert_eq!(server.get("/v2/languages").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_request_without_an_answer_does_not_delay_the_shutdown() {
    let server = server(&[]).await;
    let request = server.get("/v2/languages").header(HEADER, "never");
    let waiting = tokio::spawn(async move { request.send().await });
    // When another request on a new connection is answered, the first one has arrived.
    assert_eq!(server.get("/v2/usage").send().await.unwrap().status(), 200);
    let start = Instant::now();
    server.stop().await;
    assert!(start.elapsed() < Duration::from_secs(5));
    waiting.abort();
}

#[tokio::test]
async fn the_slow_fault_limits_the_bytes_per_second() {
    let server = server(&["slow:1000/s;path=/v2/document/*/result"]).await;
    let handle = upload(&server, "a.txt", "").await;
    let path = format!("/v2/document/{}/result", handle["document_id"].as_str().unwrap());
    let start = Instant::now();
    let request = server.post(&path, &json!({"document_key": handle["document_key"]}));
    let response = request.send().await.unwrap();
    assert_eq!(response.content_length(), Some(300));
    assert_eq!(response.bytes().await.unwrap().len(), 300);
    assert!(start.elapsed() >= Duration::from_millis(300), "{:?}", start.elapsed());

    let start = Instant::now();
    let body = json!({"text": ["b".repeat(200)], "target_lang": "de"});
    let request = server.post("/v2/translate", &body).header(HEADER, "slow:1000/s;times=1");
    let response = request.send().await.unwrap();
    assert!(response.content_length().is_some_and(|length| length > 200));
    assert_eq!(answer(response).await.1["translations"][0]["text"], "b".repeat(200));
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_status_fault_sends_its_message_and_retry_after_date() {
    let server = server(&[]).await;
    let ask = |fault: &'static str| {
        let request = server.get("/v2/usage").header(HEADER, fault);
        async { request.send().await.unwrap() }
    };
    let response = ask("503;retry-after-date=1h;message=Back soon.").await;
    let date = response.headers()["retry-after"].to_str().unwrap().to_owned();
    let ahead = httpdate(&date) - crate::clock::now_ms();
    assert!((3_500_000..=3_600_000).contains(&ahead), "{date}");
    assert_eq!(answer(response).await, (503, json!({"message": "Back soon.", "code": "sandbox_fault"})));
    let response = ask("429;retry-after=Wed, 21 Oct 2026 07:28:00 GMT").await;
    assert_eq!(response.headers()["retry-after"], "Wed, 21 Oct 2026 07:28:00 GMT");
}

/// Parses the date of a header, in milliseconds since 1970.
fn httpdate(text: &str) -> i64 {
    jiff::fmt::rfc2822::parse(text).unwrap().timestamp().as_millisecond()
}
