//! `/v3/detect/language`: the status of each text, and refused requests.

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;

const PATH: &str = "/v3/detect/language";

async fn detect(server: &TestServer, body: Value) -> (u16, Value) {
    answer(server.post(PATH, &body).send().await.unwrap()).await
}

#[tokio::test]
async fn each_text_has_a_status_in_request_order() {
    let server = TestServer::ephemeral().await;
    let texts = ["Dobrý den, jak se máte?", "1234 !", "Qx", "ሰላም ለዓለም", "The kettle is on the stove."];
    let expected = json!({"results": [
        {"detection_status": "success", "detected_language": "cs"},
        {"detection_status": "no_language_detected"},
        {"detection_status": "insufficient_confidence"},
        {"detection_status": "unsupported_language"},
        {"detection_status": "success", "detected_language": "en"},
    ]});
    assert_eq!(detect(&server, json!({"text": texts})).await, (200, expected));
}

#[tokio::test]
async fn accepts_forms_too() {
    let server = TestServer::ephemeral().await;
    let form = "text=Wo+ist+der+Bahnhof%3F&text=";
    let request = server.post_text(PATH, "application/x-www-form-urlencoded", form);
    let expected = json!({"results": [
        {"detection_status": "success", "detected_language": "de"},
        {"detection_status": "no_language_detected"},
    ]});
    assert_eq!(answer(request.send().await.unwrap()).await, (200, expected));
}

#[tokio::test]
async fn takes_1_to_50_texts() {
    let server = TestServer::ephemeral().await;
    let (status, body) = detect(&server, json!({"text": vec!["Hello"; 50]})).await;
    assert_eq!((status, body["results"].as_array().unwrap().len()), (200, 50));
    for (body, message) in [
        (json!({"text": vec!["Hello"; 51]}), "Too many texts: the maximum is 50."),
        (json!({"text": []}), "Parameter 'text' not specified."),
        (json!({}), "Parameter 'text' not specified."),
        (
            json!({"text": "Hello"}),
            "Bad request. Reason: invalid type: string \"Hello\", expected a sequence at line 1 column 15.",
        ),
        (
            json!({"text": [1]}),
            "Bad request. Reason: invalid type: integer `1`, expected a string at line 1 column 10.",
        ),
    ] {
        assert_eq!(detect(&server, body).await, (400, json!({"message": message})));
    }
}

#[tokio::test]
async fn refuses_other_bodies_and_requests_without_a_key() {
    let server = TestServer::ephemeral().await;
    let request = server.post_text(PATH, "text/plain", "Hello");
    assert_eq!(answer(request.send().await.unwrap()).await, (415, json!({"message": "Unsupported Content-Type"})));
    let request = server.client.post(format!("{}{PATH}", server.base)).json(&json!({"text": ["Hello"]}));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 403);
    assert_eq!(response.headers()["x-trace-id"].len(), 32);
}

#[tokio::test]
async fn a_phrase_determines_the_language_of_a_text() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let phrases = dir.path().join("phrases.tsv");
    std::fs::write(&phrases, "pt-BR\tde\tQx\tFrage\n").unwrap();
    let server = TestServer::start(SandboxOptions { phrases: Some(phrases), ..SandboxOptions::default() }).await;
    let expected = json!({"results": [{"detection_status": "success", "detected_language": "pt"}]});
    assert_eq!(detect(&server, json!({"text": ["Qx"]})).await, (200, expected));
}
