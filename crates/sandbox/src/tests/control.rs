//! The control endpoints over HTTP: recent requests, state, reset and health.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;

const SESSION: &str = "X-Tulk-Sandbox-Session";

/// Creates a request without a key.
fn get(server: &TestServer, path: &str) -> RequestBuilder {
    server.client.get(format!("{}{path}", server.base))
}

fn post(server: &TestServer, path: &str) -> RequestBuilder {
    server.client.post(format!("{}{path}", server.base)).header("X-Tulk-Sandbox", "1")
}

async fn requests(server: &TestServer, query: &str) -> Vec<Value> {
    let (status, body) = answer(get(server, &format!("/_sandbox/requests{query}")).send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    body["requests"].as_array().unwrap().clone()
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn shows_requests_with_their_answers() {
    let server = TestServer::echo().await;
    server.translate(json!({"text": ["a"], "target_lang": "de"})).await;
    let form = server.post_text("/v2/translate?x=1", "application/x-www-form-urlencoded", "text=a");
    form.header(SESSION, "forms").send().await.unwrap();
    server.get("/v2/usage").header("X-Tulk-Sandbox-Fault", "drop").send().await.unwrap_err();
    server.get("/v2/usage").header(SESSION, "x".repeat(200)).send().await.unwrap();
    get(&server, "/v2/usage").send().await.unwrap();
    let rows = requests(&server, "").await;
    let short = |row: &Value| {
        json!([
            row["id"],
            row["session"],
            row["method"],
            row["path"],
            row["query"],
            row["body"],
            row["status"],
            row["answer"]
        ])
    };
    assert_eq!(
        rows.iter().take(3).map(short).collect::<Value>(),
        json!([
            [1, "", "POST", "/v2/translate", "", {"text": ["a"], "target_lang": "de"}, 200,
                {"translations": [{"detected_source_language": "EN", "text": "a"}]}],
            [2, "forms", "POST", "/v2/translate", "x=1", "text=a", 400,
                {"message": "Parameters in the query are not supported. Send them in the body."}],
            [3, "", "GET", "/v2/usage", "", null, null, null],
        ])
    );
    assert_eq!(rows.iter().skip(3).map(|row| row["status"].clone()).collect::<Vec<_>>(), [400, 403]);
    for row in &rows {
        assert!(row["ms"].is_number() && row["time"].as_str().unwrap().ends_with('Z'), "{row}");
        assert_eq!(row["headers"].get("authorization"), None);
    }
    assert_eq!(rows[0]["answer_headers"]["x-trace-id"].as_str().unwrap().len(), 32);
    assert_eq!((requests(&server, "?session=forms").await.len(), requests(&server, "?session=").await.len()), (1, 4));
    let after = requests(&server, "?after=2&limit=2").await;
    assert_eq!(after.iter().map(|row| row["id"].clone()).collect::<Vec<_>>(), [4, 5]);
    let body = answer(get(&server, "/_sandbox/requests").header(SESSION, "forms").send().await.unwrap()).await.1;
    assert_eq!((body["requests"].as_array().unwrap().len(), &body["last_id"]), (1, &json!(5)));
    for query in ["sesion=a", "after=x", "limit=-1", "id=1,b"] {
        assert_eq!(status(get(&server, &format!("/_sandbox/requests?{query}"))).await, 400, "{query}");
    }
}

#[tokio::test]
async fn a_request_is_shown_while_it_is_open() {
    let server = TestServer::echo().await;
    let slow = tokio::spawn(server.get("/v2/usage").header("X-Tulk-Sandbox-Fault", "delay=300s").send());
    while requests(&server, "").await.is_empty() {
        tokio::task::yield_now().await;
    }
    let rows = requests(&server, "").await;
    assert_eq!((&rows[0]["status"], &rows[0]["ms"]), (&Value::Null, &Value::Null));
    slow.abort();
    while requests(&server, "").await[0]["ms"].is_null() {
        tokio::task::yield_now().await;
    }
    assert_eq!(requests(&server, "?id=1").await[0]["status"], Value::Null);
}

#[tokio::test]
async fn uploads_show_their_fields_and_downloads_their_size() {
    let options = SandboxOptions {
        engine: crate::Engine::Echo,
        document_queue: std::time::Duration::ZERO,
        document_translate: std::time::Duration::ZERO,
        ..SandboxOptions::default()
    };
    let server = TestServer::start(options).await;
    let body = "--b\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nDE\r\n--b\r\nContent-Disposition: form-data; \
                name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n";
    let upload = server.post_text("/v2/document", "multipart/form-data; boundary=b", body);
    let (_, document) = answer(upload.send().await.unwrap()).await;
    let path = format!("/v2/document/{}/result", document["document_id"].as_str().unwrap());
    let key = json!({"document_key": document["document_key"]});
    assert_eq!(status(server.post(&path, &key)).await, 200);
    let rows = requests(&server, "").await;
    assert_eq!(
        rows[0]["body"],
        json!([{"name": "target_lang", "value": "DE"}, {"name": "file", "filename": "a.txt", "bytes": 5}])
    );
    assert_eq!(rows[1]["answer"], Value::Null);
    assert_eq!((&rows[1]["body"], &rows[1]["answer_bytes"]), (&key, &json!(5)));
}

#[tokio::test]
async fn hides_startup_keys_and_developer_keys() {
    let keys = vec!["my-own-secret-key-1".to_owned()];
    let server = TestServer::start(SandboxOptions { keys, ..SandboxOptions::default() }).await;
    let send = |request: RequestBuilder, key: &str| request.header("Authorization", format!("Service-Auth-Key {key}"));
    let create = server.client.post(format!("{}/v2/admin/developer-keys", server.base)).json(&json!({"label": "x"}));
    let (status, created) = answer(send(create, "my-own-secret-key-1").send().await.unwrap()).await;
    assert_eq!(status, 200, "{created}");
    let key_id = created["key_id"].as_str().unwrap();
    let usage = get(&server, &format!("/v2/usage?note={key_id}")).header("X-Note", format!("key {key_id}"));
    assert_eq!(send(usage, key_id).send().await.unwrap().status(), 200);
    let text = Value::from(requests(&server, "").await).to_string();
    assert!(text.contains("/v2/admin/developer-keys") && !text.contains(key_id) && !text.contains("my-own"), "{text}");
}

#[tokio::test]
async fn a_reset_empties_one_session_or_all() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = || SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options()).await;
    let fill = async || {
        for session in ["", "one", "two"] {
            let request = server.post("/v2/translate", &json!({"text": ["abc"], "target_lang": "de"}));
            assert_eq!(status(request.header(SESSION, session)).await, 200);
        }
    };
    let state =
        async |query: &str| answer(get(&server, &format!("/_sandbox/state{query}")).send().await.unwrap()).await.1;
    let used = async || {
        let state = state("").await;
        let sessions = state["sessions"].as_array().unwrap().clone();
        sessions.iter().filter(|row| row["requests"] == 1).map(|row| row["session"].clone()).collect::<Value>()
    };
    fill().await;
    assert_eq!(used().await, json!(["", "one", "two"]));
    let one = json!({"session": "one", "objects": {}, "usage": {"text": 3}, "requests": 1});
    let mut shown = state("?session=one").await;
    assert_eq!(shown.as_object_mut().unwrap().remove("sessions").unwrap()[1], one);
    assert_eq!(shown, one);
    assert_eq!(status(post(&server, "/_sandbox/reset?session=one")).await, 204);
    assert_eq!((used().await, requests(&server, "").await.len()), (json!(["", "two"]), 2));
    assert_eq!(state("?session=one").await["usage"], json!({}));
    assert_eq!(status(post(&server, "/_sandbox/reset").header(SESSION, "two")).await, 204);
    assert_eq!(used().await, json!([""]));
    assert_eq!(status(post(&server, "/_sandbox/reset")).await, 204);
    assert_eq!(used().await, json!([]));
    fill().await;
    // A second server on the same directory sees these as sessions of an earlier run. A reset on the first server removes them
    // from the second one too.
    let other = TestServer::start(options()).await;
    assert_eq!(status(post(&other, "/_sandbox/reset?all=true&session=one")).await, 400);
    assert_eq!(status(post(&server, "/_sandbox/reset?all=true")).await, 204);
    let unnamed = json!([{"session": "", "objects": {}, "usage": {}, "requests": 0}]);
    for server in [&server, &other] {
        let (_, state) = answer(get(server, "/_sandbox/state").send().await.unwrap()).await;
        assert_eq!((&state["sessions"], requests(server, "").await.len()), (&unnamed, 0));
    }
}

#[tokio::test]
async fn other_web_sites_reach_nothing() {
    let server = TestServer::ephemeral().await;
    for path in ["/_sandbox/requests", "/_sandbox/state"] {
        assert_eq!(status(get(&server, path)).await, 200);
        assert_eq!(status(get(&server, path).header("Host", "evil.example")).await, 403);
        assert_eq!(status(get(&server, path).header("Origin", "http://evil.example")).await, 403);
        assert_eq!(
            status(server.client.request(reqwest::Method::OPTIONS, format!("{}{path}", server.base))).await,
            405
        );
    }
    let plain = server.client.post(format!("{}/_sandbox/reset", server.base));
    let (code, body) = answer(plain.send().await.unwrap()).await;
    assert_eq!(
        (code, body),
        (403, json!({"message": "A change to the sandbox needs the header 'X-Tulk-Sandbox: 1'."}))
    );
    assert_eq!(status(post(&server, "/_sandbox/reset").header("Origin", "http://evil.example")).await, 403);
    assert_eq!(status(post(&server, "/_sandbox/reset").header("Origin", &server.base)).await, 204);
    assert_eq!(status(server.post("/_sandbox/reset", &Value::Null)).await, 204, "with a key");
    let response = get(&server, "/_sandbox/requests").header("Origin", &server.base).send().await.unwrap();
    assert!(!response.headers().keys().any(|name| name.as_str().starts_with("access-control")));
    assert_eq!(response.headers()["cross-origin-resource-policy"], "same-origin");
    let health = get(&server, "/_sandbox/health").header("Host", "sandbox.internal").send().await.unwrap();
    assert_eq!(answer(health).await, (200, json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")})));
}

#[tokio::test]
async fn the_page_permits_only_its_own_script() {
    let server = TestServer::ephemeral().await;
    let moved = get(&server, "/_sandbox").send().await.unwrap();
    assert_eq!((moved.status().as_u16(), &moved.headers()["location"]), (308, &"/_sandbox/".parse().unwrap()));
    let page = get(&server, "/_sandbox/").send().await.unwrap();
    assert_eq!((page.status().as_u16(), &page.headers()["x-frame-options"]), (200, &"DENY".parse().unwrap()));
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    let nonce = policy.split_once("script-src 'nonce-").unwrap().1.split_once('\'').unwrap().0.to_owned();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    let text = page.text().await.unwrap();
    assert_eq!((text.matches(&format!("nonce=\"{nonce}\"")).count(), text.matches("{nonce}").count()), (2, 0));
    for banned in
        ["innerHTML", "insertAdjacentHTML", "outerHTML", "document.write", "eval(", "http://", "https://", "onclick="]
    {
        assert!(!text.contains(banned), "{banned}");
    }
}
