//! Faults that answer late, slowly or never, and documents that fail by name.

use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

const HEADER: &str = "X-Tulk-Sandbox-Fault";

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

/// Uploads a file and returns the handle.
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

/// Returns the message of a document; `null` if it is done.
async fn message(server: &TestServer, handle: &Value) -> Value {
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
        assert_eq!(message(&server, &handle).await, expected, "{name} {fault}");
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
        assert_eq!(message(&server, &handle).await, expected);
    }
}

#[tokio::test]
async fn never_sends_no_answer_and_executes_nothing() {
    let server = server(&["never;path=/v2/languages;total=1"]).await;
    let body = json!({"text": ["abc"], "target_lang": "de"});
    let waiting = [
        server.post("/v2/translate", &body).header(HEADER, "never").timeout(Duration::from_millis(300)).send(),
        server.get("/v2/languages").timeout(Duration::from_millis(300)).send(),
    ];
    for result in futures_util::future::join_all(waiting).await {
        assert!(result.unwrap_err().is_timeout());
    }
    let (_, usage) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    assert_eq!(usage["character_count"], 0);
    assert_eq!(server.get("/v2/languages").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_request_without_an_answer_does_not_delay_the_end() {
    let server = server(&[]).await;
    let request = server.get("/v2/languages").header(HEADER, "never");
    let waiting = tokio::spawn(async move { request.send().await });
    // The request has arrived when another one on a new connection is answered.
    assert_eq!(server.get("/v2/usage").send().await.unwrap().status(), 200);
    let start = Instant::now();
    server.stop().await;
    assert!(start.elapsed() < Duration::from_secs(5));
    waiting.abort();
}

#[tokio::test]
async fn slow_limits_the_bytes_per_second() {
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
async fn a_status_has_a_message_and_a_date_to_retry() {
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

/// Returns the time of a date in a header, in milliseconds since 1970.
fn httpdate(text: &str) -> i64 {
    jiff::fmt::rfc2822::parse(text).unwrap().timestamp().as_millisecond()
}
