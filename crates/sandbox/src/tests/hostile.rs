//! Malformed and hostile requests: each gets a sensible answer or none, and the server still serves the next client.

use super::raw::{HalfClose, RawAnswer, assert_alive};
use super::server::TestServer;

const KEY: &str = "Authorization: Service-Auth-Key sandbox\r\n";
const JSON: &str = "Content-Type: application/json\r\n";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";
const TEXT: &str = r#"{"text":["a"],"target_lang":"de"}"#;

async fn exchange(server: &TestServer, request: &[u8]) -> RawAnswer {
    super::raw::exchange(server, request, HalfClose::WhenAnswered).await.unwrap()
}

/// Sends a request and checks the status; 0 means no answer. An answer of 400 or more must have a message, or no body.
async fn assert_status(server: &TestServer, request: impl AsRef<[u8]>, expected: &[u16]) {
    let request = request.as_ref();
    let shown = String::from_utf8_lossy(request.get(..200).unwrap_or(request)).into_owned();
    let answer = exchange(server, request).await;
    assert!(expected.contains(&answer.status), "{shown}\n{answer:?}");
    assert!(answer.status < 400 || answer.body.is_empty() || answer.message().is_some(), "{shown}\n{answer:?}");
    assert_alive(server).await;
}

fn get(target: &str, headers: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}{headers}\r\n")
}

fn post(target: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

#[tokio::test]
async fn handles_broken_framing() {
    let server = TestServer::ephemeral().await;
    let head = format!("POST /v2/translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}{JSON}");
    for (rest, expected) in [
        ("Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", [400].as_slice()),
        ("Content-Length: -1\r\n\r\n", &[400]),
        ("Content-Length: 99999999999999999999\r\n\r\n", &[400]),
        ("Content-Length: 18446744073709551615\r\n\r\n", &[400, 413, 431]),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", &[400]),
        ("Transfer-Encoding: gzip\r\n\r\n", &[400, 501]),
        ("Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", &[400, 501]),
        ("Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", &[400]),
        ("Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\na", &[400]),
        ("Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n", &[400]),
        ("Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n", &[400]),
        ("Transfer-Encoding: chunked\r\n\r\n2;name=\"value\r\n{}\r\n0\r\n\r\n", &[400]),
        ("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: a\r\nContent-Length: 7\r\n\r\n", &[400]),
        ("Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}", &[400, 417]),
    ] {
        assert_status(&server, format!("{head}{rest}"), expected).await;
    }
}

#[tokio::test]
async fn handles_broken_request_lines_and_headers() {
    let server = TestServer::ephemeral().await;
    for (request, expected) in [
        ("\r\n\r\n\r\n".to_owned(), [0, 400].as_slice()),
        ("GET /v2/usage\r\n\r\n".to_owned(), &[400]),
        ("GET / HTTP/9.9\r\n\r\n".to_owned(), &[400, 505]),
        ("GET /v2/usage HTTP/1.1\nHost: a\n\n".to_owned(), &[403]),
        ("get /v2/usage HTTP/1.1\r\nHost: a\r\n\r\n".to_owned(), &[400, 403, 405]),
        (format!("{} / HTTP/1.1\r\nHost: a\r\n\r\n", "A".repeat(70_000)), &[0, 400, 404, 405, 431]),
        (get(&format!("/{}", "a".repeat(9000)), ""), &[404, 414]),
        (get(&format!("/{}", "a".repeat(70_000)), ""), &[0, 414, 431]),
        (get("/v2/usage", &format!("X: {}\r\n", "a".repeat(20_000))), &[431]),
        (get("/v2/usage", &"X: a\r\n".repeat(99)), &[200, 431]),
        (get("/v2/usage", &"X: a\r\n".repeat(5000)), &[431]),
        (get("/v2/usage", "X : a\r\n"), &[400]),
        (get("/v2/usage", " folded: a\r\n"), &[400]),
        (get("/v2/usage", "X: a\0b\r\n"), &[400]),
        (get("/v2/usage", "\u{1}: b\r\n"), &[400]),
        (get("/v2/usage", "X-Tulk-Sandbox-Session: \u{e4}\r\n"), &[400]),
        (get("/v2/usage", "X-Tulk-Sandbox-Fault: 429;times=99999999999999999999\r\n"), &[400]),
        (get("/v2/usage", "X-Tulk-Sandbox-Fault: \u{e4}\r\n"), &[400]),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\ngarbage that is no frame at all".to_owned(), &[0]),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0\u{7f}\u{7f}\u{7f}\u{1}\u{5}".to_owned(), &[0]),
        (
            get("/v2/usage", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nConnection: Upgrade, HTTP2-Settings\r\n"),
            &[200],
        ),
        (get("/v3/voice/realtime/connect?token=a", "Upgrade: websocket\r\nConnection: Upgrade\r\n"), &[400]),
        (
            get(
                "/v3/voice/realtime/connect?token=a",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
            ),
            &[400, 403, 404],
        ),
    ] {
        assert_status(&server, request, expected).await;
    }
}

#[tokio::test]
async fn answers_odd_addresses_without_normalising_paths() {
    let server = TestServer::ephemeral().await;
    for (target, expected) in [
        ("http://elsewhere/v2/usage", 200),
        ("/v2/usage/", 404),
        ("//v2/usage", 404),
        ("/v2//usage", 404),
        ("/v2/./usage", 404),
        ("/v2/../v2/usage", 404),
        ("/v2%2Fusage", 404),
        ("/%76%32/usage", 404),
        ("/v2/usage%00", 404),
        ("/v2/usage?%ff=%ff", 200),
        ("/v2/usage?a=%zz", 200),
        ("/v2/document/%ff", 404),
        ("/v2/document/%00", 404),
        ("/v3/glossaries/%ff", 404),
        ("/v3/glossaries/..%2f..%2fetc", 404),
        ("/v3/style_rules/%F0%9F%98%80", 404),
        ("*", 404),
        ("/", 404),
        ("", 400),
    ] {
        let (low, high) = if expected == 404 || expected == 400 { (400, 405) } else { (expected, expected) };
        let answer = exchange(&server, get(target, "").as_bytes()).await;
        assert!((low..=high).contains(&answer.status), "{target}: {answer:?}");
        assert!(answer.status < 400 || answer.body.is_empty() || answer.message().is_some(), "{target}: {answer:?}");
    }
    assert_status(&server, "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", &[404, 405]).await;
    assert_status(&server, "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", &[400, 403, 404, 405]).await;
}

#[tokio::test]
async fn survives_odd_bodies() {
    let server = TestServer::ephemeral().await;
    let deep = format!(r#"{{"text":{}"a"{},"target_lang":"de"}}"#, "[".repeat(50_000), "]".repeat(50_000));
    let fields = "text=a&".repeat(10_000) + "target_lang=de";
    let distinct: String = (0..9000).map(|n| format!("f{n}=a&")).collect();
    let parts = "--x\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nde\r\n".repeat(2000) + "--x--\r\n";
    let multipart = "Content-Type: multipart/form-data; boundary=x\r\n";
    for (request, expected) in [
        (post("/v2/translate", JSON, &deep), [400].as_slice()),
        (post("/v2/translate", JSON, r#"{"text":["\u0000\ud800"],"target_lang":"de"}"#), &[400]),
        (post("/v2/translate", JSON, r#"{"text":["\u0000"],"target_lang":"de"}"#), &[200]),
        (post("/v2/translate", JSON, r#"{"text":["a"],"target_lang":"de","target_lang":"fr"}"#), &[200, 400]),
        (post("/v2/translate", JSON, r#"{"text":["a"],"target_lang":1e999}"#), &[400]),
        (post("/v2/translate", FORM, &fields), &[400]),
        (post("/v2/translate", FORM, &distinct), &[400]),
        (post("/v2/translate", FORM, "text=%ff%fe&target_lang=de"), &[200, 400]),
        (post("/v2/translate", &format!("{JSON}Content-Encoding: gzip\r\n"), TEXT), &[200, 400, 415]),
        (post("/v2/translate", "Content-Type: application/json; charset=\"\r\n", TEXT), &[200, 400, 415]),
        (post("/v2/translate", "", TEXT), &[200]),
        (post("/v2/document", multipart, &parts), &[400]),
        (post("/v2/document", "Content-Type: multipart/form-data\r\n", &parts), &[400, 415]),
        (post("/v2/document", &multipart.replace("=x", "=\"\""), &parts), &[400, 415]),
        (
            post(
                "/v2/document",
                multipart,
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\0\"\r\n\r\n",
            ),
            &[400],
        ),
        (post("/v3/glossaries", JSON, "null"), &[400]),
        (post("/v3/glossaries", JSON, "[[[[]]]]"), &[400]),
        (post("/v3/voice/realtime", JSON, &deep), &[400]),
    ] {
        assert_status(&server, request, expected).await;
    }
    let mut invalid = post("/v2/translate", JSON, TEXT).into_bytes();
    let end = invalid.len() - 25;
    invalid[end] = 0xff;
    assert_status(&server, invalid, &[400]).await;
}

#[tokio::test]
async fn head_has_no_body_and_preflight_requests_are_refused() {
    let server = TestServer::ephemeral().await;
    let head = |path: &str, key: &str| format!("HEAD {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{key}\r\n");
    for (path, key, expected) in [("/v2/usage", KEY, 200), ("/v2/usage", "", 403), ("/v2/nothing", KEY, 404)] {
        let answer = exchange(&server, head(path, key).as_bytes()).await;
        assert_eq!((answer.status, answer.body.as_str()), (expected, ""), "{path}");
    }
    // Other web sites cannot use the sandbox: it refuses their preflight requests.
    for path in ["/v2/translate", "/_sandbox/reset", "/_sandbox/requests"] {
        let response = server.client.request(reqwest::Method::OPTIONS, format!("{}{path}", server.base));
        let response = response.header("Origin", "http://example.com").header("Access-Control-Request-Method", "POST");
        let response = response.send().await.unwrap();
        assert!([403, 404, 405].contains(&response.status().as_u16()), "{path}: {}", response.status());
        assert!(!response.headers().keys().any(|name| name.as_str().starts_with("access-control")), "{path}");
    }
}
