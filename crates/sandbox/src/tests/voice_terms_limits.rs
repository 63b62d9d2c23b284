//! Spoken terms: refusals by key, content type, size and number, and what other routes do with collections.

use reqwest::Method;
use serde_json::{Value, json};

use super::server::{ID, TestServer, answer};
use crate::state::StateStore;
use crate::{SandboxOptions, status};

const PATH: &str = "/v3/spoken-terms";

fn collection() -> Value {
    json!({"name": "Talk", "term_lists": [{"lang": "en", "entries": "Helm"}]})
}

/// Creates a collection and returns its ID.
async fn make(server: &TestServer) -> String {
    let (status, created) = answer(server.post(PATH, &collection()).send().await.unwrap()).await;
    assert_eq!(status, 201, "{created}");
    created["spoken_terms_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn other_content_types_are_refused() {
    let server = TestServer::ephemeral().await;
    let path = format!("{PATH}/{}", make(&server).await);
    let refused = (415, json!({"message": "Unsupported Content-Type"}));
    for (method, path) in
        [(Method::POST, PATH.to_owned()), (Method::PATCH, path.clone()), (Method::PUT, format!("{path}/term-lists"))]
    {
        for content_type in ["text/plain", "multipart/form-data; boundary=x", "application/xml"] {
            let request = server.client.request(method.clone(), format!("{}{path}", server.base));
            let request = request.header("Authorization", "Service-Auth-Key sandbox");
            let request = request.header("Content-Type", content_type).body(collection().to_string());
            assert_eq!(answer(request.send().await.unwrap()).await, refused, "{method} {content_type}");
        }
    }
    let broken = server.post_text(PATH, "application/json", "{\"name\": ").send().await.unwrap();
    let (status, answer) = answer(broken).await;
    let message = "Malformed JSON: EOF while parsing a value at line 1 column 9.";
    assert_eq!((status, answer), (400, json!({"message": message})));
}

#[tokio::test]
async fn a_body_of_more_than_1_mib_is_too_large() {
    let server = TestServer::ephemeral().await;
    let sized = |bytes: usize| {
        let text = collection().to_string();
        let padded = format!("{text}{}", " ".repeat(bytes - text.len()));
        server.post_text(PATH, "application/json", &padded)
    };
    let message = "Request size exceeds the maximum of 1048576 bytes.";
    let refused = answer(sized(1_048_577).send().await.unwrap()).await;
    assert_eq!(refused, (413, json!({"message": message})));
    assert_eq!(sized(1_048_576).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn the_101st_collection_is_refused_until_one_is_deleted() {
    let server = TestServer::ephemeral().await;
    let mut id = String::new();
    for _ in 0..100 {
        id = make(&server).await;
    }
    let full = json!({"message": "The limit of spoken terms collections is reached.",
        "detail": "an account has 100 collections at most"});
    let create = || server.post(PATH, &collection()).send();
    assert_eq!(answer(create().await.unwrap()).await, (456, full));
    // A wrong request is called wrong first.
    let wrong = server.post(PATH, &json!({"name": "", "term_lists": []})).send().await.unwrap();
    assert_eq!(wrong.status(), 400);
    let delete = server.client.delete(format!("{}{PATH}/{id}", server.base));
    let delete = delete.header("Authorization", "Service-Auth-Key sandbox").send().await.unwrap();
    assert_eq!(delete.status(), 204);
    assert_eq!(create().await.unwrap().status(), 201);
}

#[tokio::test]
async fn a_wrong_key_is_refused_before_anything_else() {
    let server = TestServer::ephemeral().await;
    for (method, path) in [
        (Method::GET, PATH.to_owned()),
        (Method::POST, PATH.to_owned()),
        (Method::GET, format!("{PATH}/talk")),
        (Method::PATCH, format!("{PATH}/talk")),
        (Method::DELETE, format!("{PATH}/talk")),
        (Method::GET, format!("{PATH}/talk/entries")),
        (Method::PUT, format!("{PATH}/talk/term-lists")),
        (Method::DELETE, format!("{PATH}/talk/term-lists")),
    ] {
        let request = server.client.request(method.clone(), format!("{}{path}", server.base));
        let request = request.header("Authorization", "Service-Auth-Key other").header("Content-Type", "text/plain");
        assert_eq!(request.body("x").send().await.unwrap().status(), 403, "{method} {path}");
    }
}

#[tokio::test]
async fn a_voice_session_needs_a_collection_that_exists() {
    let server = TestServer::ephemeral().await;
    let id = make(&server).await;
    let start = async |id: &str| {
        let body = json!({"source_media_content_type": "audio/ogg", "target_languages": ["de"], "spoken_terms_id": id});
        answer(server.post("/v3/voice/realtime", &body).send().await.unwrap()).await
    };
    assert_eq!(start(&id).await.0, 200);
    assert_eq!(start(&id.to_uppercase()).await.0, 200);
    let unknown = json!({"message": "Spoken terms not found.", "detail": format!("spoken_terms_id {ID}")});
    assert_eq!(start(ID).await, (404, unknown));
    let wrong = json!({"message": "Value for 'spoken_terms_id' not supported: 'talk' is not a UUID."});
    assert_eq!(start("talk").await, (400, wrong));
}

#[tokio::test]
async fn collections_are_stored_counted_and_reset() {
    let dir = tempfile::tempdir().unwrap();
    let options = || SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options()).await;
    let id = make(&server).await;
    server.stop().await;
    assert_eq!(status(dir.path()).unwrap().objects, [("spoken_terms".to_owned(), 1)].into());

    let server = TestServer::start(options()).await;
    let read = server.get(&format!("{PATH}/{id}/entries?lang=en")).send().await.unwrap();
    assert_eq!(answer(read).await, (200, json!({"lang": "en", "entries": "Helm"})));
    let reset = server
        .client
        .post(format!("{}/_sandbox/reset", server.base))
        .header("X-Tulk-Sandbox", "1")
        .send()
        .await
        .unwrap();
    assert_eq!(reset.status(), 204);
    assert_eq!(answer(server.get(PATH).send().await.unwrap()).await, (200, json!({"spoken_terms": []})));
    assert_eq!(StateStore::open(Some(dir.path())).unwrap().list("spoken_terms").unwrap(), []);
}
