//! `/v1/jobs/voice/translate`: what a request for a job is refused for, and how many jobs there can be.

use serde_json::{Value, json};

use super::server::{ID, TestServer, answer};
use super::voice_jobs::{PATH, body, create, options, put, wav};

#[tokio::test]
async fn ten_jobs_are_in_progress_at_once_and_two_with_large_files() {
    let server = TestServer::start(options()).await;
    let text = [("de", "text/plain")];
    let (small, large) = (body("audio/wav", 19_244, &text), body("audio/wav", 100_000_001, &text));
    let refused = |detail: &str| (429, json!({"message": "Too many jobs.", "detail": detail, "code": "too_many_jobs"}));
    for _ in 0..2 {
        create(&server, &large).await;
    }
    let answered = answer(server.post(PATH, &large).send().await.unwrap()).await;
    assert_eq!(answered, refused("at most 2 jobs with files above 100 MB can be in progress"));
    let mut last = Value::Null;
    for _ in 0..8 {
        last = create(&server, &small).await;
    }
    let answered = answer(server.post(PATH, &small).send().await.unwrap()).await;
    assert_eq!(answered, refused("at most 10 jobs can be in progress"));
    assert_eq!(put(&server, &last, wav(600)).await.0, 204);
    create(&server, &small).await;
}

/// Returns a request with another value of one field; with `null`, without the field.
fn request_with(pointer: &str, value: Value) -> Value {
    let mut request = body("audio/wav", 1000, &[("de", "text/plain")]);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    // The pointer of the whole request is empty.
    let parent = request.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Value::Null => drop(parent.remove(name)),
        value => drop(parent.insert(name.to_owned(), value)),
    }
    request
}

#[tokio::test]
async fn a_job_has_at_most_100_targets() {
    let server = TestServer::start(options()).await;
    let request = |n| body("audio/wav", 1000, &vec![("de", "text/plain"); n]);
    create(&server, &request(100)).await;
    let answered = answer(server.post(PATH, &request(101)).send().await.unwrap()).await;
    assert_eq!(answered, (400, json!({"message": "/targets: Too many values: the maximum is 100"})));
}

#[tokio::test]
async fn wrong_requests_name_the_field() {
    let server = TestServer::start(options()).await;
    for (pointer, value, message) in [
        ("/source_file", Value::Null, "/source_file: Value is required"),
        ("/source_file/name", Value::Null, "/source_file/name: Value is required"),
        ("/source_file/name", json!(""), "/source_file/name: Value is not valid"),
        ("/source_file/content_type", Value::Null, "/source_file/content_type: Value is required"),
        ("/source_file/content_type", json!("audio/aac"), "/source_file/content_type: Value is not valid"),
        ("/source_file/content_length", Value::Null, "/source_file/content_length: Value is required"),
        (
            "/source_file/content_length",
            json!(0),
            "/source_file/content_length: Value must be between 1 and 1073741824",
        ),
        (
            "/source_file/content_length",
            json!(-1),
            "/source_file/content_length: Value must be between 1 and 1073741824",
        ),
        (
            "/source_file/content_length",
            json!(1_073_741_825),
            "/source_file/content_length: Value must be between 1 and 1073741824",
        ),
        ("/targets", Value::Null, "/targets: Value is required"),
        ("/targets", json!([]), "/targets: At least one value is required"),
        ("/targets/0/language", Value::Null, "/targets/0/language: Value is required"),
        ("/targets/0/language", json!("xx"), "/targets/0/language: Value is not valid"),
        ("/targets/0/type", Value::Null, "/targets/0/type: Value is required"),
        ("/targets/0/type", json!("audio/wav"), "/targets/0/type: Value is not valid"),
        ("/parameters", json!({"source_language": "xx"}), "/parameters/source_language: Value is not valid"),
        ("/parameters", json!({"source_language": "en-US"}), "/parameters/source_language: Value is not valid"),
    ] {
        let body = request_with(pointer, value);
        let answered = answer(server.post(PATH, &body).send().await.unwrap()).await;
        assert_eq!(answered, (400, json!({"message": message})));
    }
}

#[tokio::test]
async fn speech_exists_in_some_languages_and_a_file_has_a_gibibyte_at_most() {
    let server = TestServer::start(options()).await;
    let targets = json!([{"language": "vi", "type": "audio/flac"}, {"language": "et", "type": "audio/flac"}]);
    let expected = json!({"message": "/targets/1/language: Value is not valid", "detail": "no speech in 'et'"});
    let silent = request_with("/targets", targets);
    assert_eq!(answer(server.post(PATH, &silent).send().await.unwrap()).await, (400, expected));
    let largest = request_with("/source_file/content_length", json!(1_073_741_824));
    assert_eq!(server.post(PATH, &largest).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn refuses_unknown_jobs_and_requests_without_a_key() {
    let server = TestServer::start(options()).await;
    let unknown = server.get(&format!("{PATH}/{ID}")).send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    let good = request_with("/parameters", json!({}));
    let no_key = server.client.post(format!("{}{PATH}", server.base)).json(&good).send().await.unwrap();
    assert_eq!(no_key.status(), 403);
}

#[tokio::test]
async fn a_download_that_is_cut_off_counts() {
    let server = TestServer::start(options()).await;
    let targets = [("de", "audio/pcm;encoding=s16le;rate=16000"), ("de", "text/plain")];
    let created = create(&server, &body("audio/wav", 19_244, &targets)).await;
    assert_eq!(put(&server, &created, wav(600)).await.0, 204);
    let path = format!("{PATH}/{}?include=signed_url", created["job_id"].as_str().unwrap());
    let job = server.get(&path).send().await.unwrap().json::<Value>().await.unwrap();
    let address = job["results"][0]["signed_download_url"].as_str().unwrap();
    let mut download = server.client.get(address).header("X-Tulk-Sandbox-Fault", "cut").send().await.unwrap();
    let (length, mut received) = (download.content_length().unwrap(), 0);
    while let Ok(Some(block)) = download.chunk().await {
        received += block.len() as u64;
    }
    assert_eq!(received, length / 2);
    let job = server.get(&path).send().await.unwrap().json::<Value>().await.unwrap();
    assert_eq!(job["results"][0], json!({"status": "downloaded"}));
}
