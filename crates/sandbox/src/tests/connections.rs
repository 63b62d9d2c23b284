//! Raw requests that are malformed, incomplete, slow or without a key.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::server::TestServer;

const KEY: &str = "Authorization: Service-Auth-Key sandbox\r\n";
const JSON: &str = "Content-Type: application/json\r\n";

async fn send(server: &TestServer, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn answer(stream: &mut TcpStream) -> (String, String) {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    (head.split(' ').nth(1).unwrap_or_default().to_owned(), body.to_owned())
}

async fn assert_answer(server: &TestServer, request: &str, status: &str, part: &str) {
    let (actual, body) = answer(&mut send(server, request).await).await;
    assert!(actual == status && body.contains(part), "{request}\n{actual} {body}");
}

#[tokio::test]
async fn a_request_must_name_its_host() {
    let server = TestServer::ephemeral().await;
    let host = r#"{"message":"A request must have one Host header."}"#;
    assert_answer(&server, &format!("GET /v2/usage HTTP/1.1\r\nConnection: close\r\n{KEY}\r\n"), "400", host).await;
    let twice = format!("GET /v2/usage HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n{KEY}\r\n");
    assert_answer(&server, &twice, "400", host).await;
    assert_answer(&server, &format!("GET /v2/usage HTTP/1.0\r\n{KEY}\r\n"), "200", "character_count").await;
}

#[tokio::test]
async fn a_broken_body_is_a_bad_request() {
    let server = TestServer::ephemeral().await;
    let head = format!("POST /v2/translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}{JSON}");
    let broken = r#"{"message":"The request body is broken or incomplete."}"#;
    assert_answer(&server, &format!("{head}Transfer-Encoding: chunked\r\n\r\nnot a size\r\n"), "400", broken).await;
    let mut stream = send(&server, &format!("{head}Content-Length: 50\r\n\r\n{{\"text\":")).await;
    stream.shutdown().await.unwrap();
    let (status, body) = answer(&mut stream).await;
    assert_eq!((status.as_str(), body.as_str()), ("400", broken));
}

/// The connection stays open for a while, so that the client can read the answer.
#[tokio::test(start_paused = true)]
async fn refuses_a_content_length_above_the_maximum() {
    let server = TestServer::ephemeral().await;
    let head = format!("POST /v2/translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}{JSON}");
    let large = format!("{head}Content-Length: 99000000\r\n\r\n{{");
    assert_answer(&server, &large, "413", "exceeds the maximum of 67108864 bytes").await;
}

#[tokio::test]
async fn the_key_is_checked_before_the_body() {
    let server = TestServer::ephemeral().await;
    for (path, content_type) in [
        ("/v2/translate", "application/json"),
        ("/v3/glossaries", "application/json"),
        ("/v2/document", "multipart/form-data; boundary=x"),
    ] {
        for key in ["", "Authorization: Service-Auth-Key wrong\r\n"] {
            let head = format!("POST {path} HTTP/1.1\r\nHost: a\r\n{key}Content-Type: {content_type}\r\n");
            let mut stream = send(&server, &format!("{head}Content-Length: 50000000\r\n\r\nstart")).await;
            let mut start = [0; 12];
            stream.read_exact(&mut start).await.unwrap();
            assert_eq!(&start, b"HTTP/1.1 403", "{head}");
        }
    }
}

#[tokio::test]
async fn a_client_without_a_key_can_send_its_complete_body() {
    let server = TestServer::ephemeral().await;
    let body = "x".repeat(20_000_000);
    let response = server.client.post(format!("{}/v2/translate", server.base)).body(body).send().await.unwrap();
    assert_eq!(response.status(), 403);
}

#[tokio::test(start_paused = true)]
async fn an_incomplete_request_times_out() {
    let server = TestServer::ephemeral().await;
    let (status, body) = answer(&mut send(&server, "POST /v2/translate HTTP/1.1\r\nHost: a\r\nX-").await).await;
    assert_eq!((status.as_str(), body.as_str()), ("", ""));
    let head = format!("POST /v2/translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}{JSON}");
    let half = format!("{head}Content-Length: 50\r\n\r\n{{\"text\":");
    assert_answer(&server, &half, "408", "nothing arrived for 30 seconds").await;
    let form = format!(
        "POST /v2/document HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{KEY}\
         Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 500\r\n\r\n--x\r\n"
    );
    assert_answer(&server, &form, "400", "The multipart form is broken or incomplete.").await;
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_a_request_times_out() {
    let server = TestServer::ephemeral().await;
    for start in ["", "P", "PRI * HTTP/2.0\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0"] {
        let mut stream = send(&server, start).await;
        let mut received = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(120), stream.read_to_end(&mut received)).await;
        assert!(closed.is_ok(), "{start:?} keeps the connection open");
    }
}

#[tokio::test]
async fn the_parameters_of_a_get_can_be_in_its_body() {
    let server = TestServer::ephemeral().await;
    let get = |path: &str, form: &'static str| {
        let request = server.get(path).header("Content-Type", "application/x-www-form-urlencoded").body(form);
        async { super::server::answer(request.send().await.unwrap()).await }
    };
    let (status, body) = get("/v2/languages", "type=target").await;
    let codes: Vec<&str> = body.as_array().unwrap().iter().map(|each| each["language"].as_str().unwrap()).collect();
    assert!(status == 200 && codes.contains(&"EN-GB"), "{codes:?}");
    assert_eq!(get("/v3/languages?include=beta", "resource=write").await.0, 200);
    assert_eq!(get("/v3/languages", "resource=x%20y%26").await.0, 400);
    assert_eq!(get("/v2/languages", "type=nonsense").await.1["message"], "Value for 'type' not supported.");
    assert_eq!(get("/v2/languages", "auth_key=sandbox").await.0, 403);
}

#[tokio::test]
async fn accepts_http_2_without_tls() {
    let server = TestServer::ephemeral().await;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().unwrap();
    let answer = client.get(format!("{}/v2/usage", server.base)).header("authorization", "DeepL-Auth-Key sandbox");
    let answer = answer.send().await.unwrap();
    assert_eq!((answer.version(), answer.status().as_u16()), (reqwest::Version::HTTP_2, 200));
    server.stop().await;
}
