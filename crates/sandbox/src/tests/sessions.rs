//! Sessions: stored objects, usage and failures of one session do not affect another.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;
use crate::sessions::{SessionName, Sessions};

const SESSION: &str = "X-Tulk-Sandbox-Session";

async fn send(request: RequestBuilder, session: &str) -> (u16, Value) {
    answer(request.header(SESSION, session).send().await.unwrap()).await
}

async fn translate(server: &TestServer, session: &str, text: &str) -> u16 {
    send(server.post("/v2/translate", &json!({"text": [text], "target_lang": "de"})), session).await.0
}

async fn number_of_glossaries(server: &TestServer, session: &str) -> usize {
    send(server.get("/v3/glossaries"), session).await.1["glossaries"].as_array().unwrap().len()
}

async fn characters(server: &TestServer, session: &str) -> Value {
    send(server.get("/v2/usage"), session).await.1["character_count"].clone()
}

#[tokio::test]
async fn each_session_has_its_own_objects_and_usage() {
    let server = TestServer::ephemeral().await;
    let glossary = json!({"name": "Tea", "dictionaries": [
        {"source_lang": "en", "target_lang": "de", "entries": "tea\tTee", "entries_format": "tsv"}]});
    let (status, created) = send(server.post("/v3/glossaries", &glossary), "one").await;
    assert_eq!(status, 201);
    let path = format!("/v3/glossaries/{}", created["glossary_id"].as_str().unwrap());
    assert_eq!(send(server.get(&path), "one").await.0, 200);
    for other in ["two", "One", ""] {
        assert_eq!((send(server.get(&path), other).await.0, number_of_glossaries(&server, other).await), (404, 0));
    }
    assert_eq!(translate(&server, "one", "three").await, 200);
    assert_eq!((characters(&server, "one").await, characters(&server, "two").await), (json!(5), json!(0)));
}

#[tokio::test]
async fn each_session_has_its_own_limits_and_faults() {
    let options = SandboxOptions {
        character_limit: Some(10),
        faults: vec!["503;total=1".parse().unwrap()],
        ..SandboxOptions::default()
    };
    let server = TestServer::start(options).await;
    for session in ["one", "two", ""] {
        assert_eq!(translate(&server, session, "12345678").await, 503, "{session}");
        assert_eq!(translate(&server, session, "12345678").await, 200, "{session}");
        assert_eq!(translate(&server, session, "12345678").await, 456, "{session}");
    }
}

#[tokio::test]
async fn sessions_are_kept_on_disk_without_a_shutdown() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = || SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options()).await;
    let glossary = json!({"name": "Tea", "dictionaries": [
        {"source_lang": "en", "target_lang": "de", "entries": "tea\tTee", "entries_format": "tsv"}]});
    assert_eq!(send(server.post("/v3/glossaries", &glossary), "one").await.0, 201);
    // The first server is still running: sessions must be on disk without a shutdown.
    let other = TestServer::start(options()).await;
    assert_eq!((number_of_glossaries(&other, "one").await, number_of_glossaries(&other, "two").await), (1, 0));
}

#[tokio::test]
async fn the_least_recently_used_session_is_removed_above_a_thousand() {
    let server = TestServer::ephemeral().await;
    for session in ["oldest", "kept"] {
        assert_eq!(translate(&server, session, "12345").await, 200);
    }
    for n in 0..999 {
        if n == 500 {
            assert_eq!(translate(&server, "kept", "1").await, 200);
        }
        assert_eq!(send(server.get("/v3/glossaries"), &n.to_string()).await.0, 200);
    }
    assert_eq!(characters(&server, "kept").await, json!(6));
    assert_eq!(characters(&server, "oldest").await, json!(0));
}

#[test]
fn sessions_of_an_earlier_run_count_towards_the_maximum() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = || SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let name = |n: usize| SessionName::new(&format!("{n:04}")).unwrap();
    let earlier = Sessions::open(options()).unwrap();
    for n in 0..1000 {
        earlier.get(&name(n)).unwrap();
    }
    let sessions = Sessions::open(options()).unwrap();
    for n in [0, 1000, 1001] {
        sessions.get(&name(n)).unwrap();
    }
    let names = sessions.names().unwrap();
    assert_eq!(
        (names.len(), [0, 1, 2, 3, 1001].map(|n| names.contains(&name(n)))),
        (1000, [true, false, false, true, true])
    );
}

#[tokio::test]
async fn refuses_a_session_name_that_is_too_long() {
    let server = TestServer::ephemeral().await;
    let (status, body) = send(server.get("/v2/usage"), &"a".repeat(129)).await;
    assert_eq!(
        (status, body),
        (400, json!({"message": "The name of a session has at most 128 printable ASCII characters."}))
    );
}

#[tokio::test]
async fn refuses_two_names() {
    let server = TestServer::ephemeral().await;
    let request = server.get("/v2/usage").header("X-Tulk-Sandbox-Session", "one");
    let (status, body) = send(request, "two").await;
    assert_eq!((status, body), (400, json!({"message": "A request belongs to one session: send its header once."})));
}

#[tokio::test]
async fn only_an_accepted_key_creates_a_session() {
    let server = TestServer::ephemeral().await;
    let names = async || {
        let state = server.get("/_sandbox/state").send().await.unwrap();
        answer(state).await.1["sessions"].clone()
    };
    let usage = |key: &str| {
        let request = server.client.get(format!("{}/v2/usage", server.base));
        request.header("Authorization", format!("DeepL-Auth-Key {key}"))
    };
    assert_eq!(send(usage("wrong"), "one").await.0, 403);
    let before = names().await;
    assert_eq!(send(usage("sandbox"), "one").await.0, 200);
    assert!(!before.to_string().contains("one") && names().await.to_string().contains("one"), "{before}");
}
