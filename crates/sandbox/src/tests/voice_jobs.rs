//! `/v1/jobs/voice/translate`: the statuses of a job, its results, signed URLs, failures, refused requests and the
//! number of jobs.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::server::{ID, TestServer, answer};
use crate::state::{StateStore, kind};
use crate::{Engine, SandboxOptions};

pub const PATH: &str = "/v1/jobs/voice/translate";

pub fn options() -> SandboxOptions {
    SandboxOptions {
        engine: Engine::Upper,
        document_queue: Duration::ZERO,
        document_translate: Duration::ZERO,
        ..SandboxOptions::default()
    }
}

/// Returns a silent WAV file: 16 kHz, 16 bit, one channel.
pub fn wav(ms: u32) -> Vec<u8> {
    let size = ms * 32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((size + 36).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.resize(bytes.len() + usize::try_from(size).unwrap(), 0);
    bytes
}

pub fn body(content_type: &str, bytes: usize, targets: &[(&str, &str)]) -> Value {
    let targets: Vec<Value> = targets.iter().map(|(language, t)| json!({"language": language, "type": t})).collect();
    json!({
        "source_file": {"name": "memo", "content_type": content_type, "content_length": bytes},
        "targets": targets,
    })
}

pub async fn create(server: &TestServer, body: &Value) -> Value {
    let (status, created) = answer(server.post(PATH, body).send().await.unwrap()).await;
    assert_eq!(status, 201, "{created}");
    created
}

fn file_request(server: &TestServer, method: Method, url: &Value, signature: &Value) -> RequestBuilder {
    let signature = format!("DeepL-Signature {}", signature.as_str().unwrap());
    server.client.request(method, url.as_str().unwrap()).header("Authorization", signature)
}

pub async fn put(server: &TestServer, created: &Value, bytes: Vec<u8>) -> (u16, Value) {
    answer(
        file_request(server, Method::PUT, &created["upload_url"], &created["signature"])
            .body(bytes)
            .send()
            .await
            .unwrap(),
    )
    .await
}

async fn job(server: &TestServer, created: &Value) -> (u16, Value) {
    answer(server.get(&format!("{PATH}/{}", created["job_id"].as_str().unwrap())).send().await.unwrap()).await
}

async fn results(server: &TestServer, content_type: &str, bytes: Vec<u8>, targets: &[(&str, &str)]) -> Vec<Value> {
    let created = create(server, &body(content_type, bytes.len(), targets)).await;
    assert_eq!(put(server, &created, bytes).await, (204, json!("")));
    job(server, &created).await.1["results"].as_array().unwrap().clone()
}

async fn download(server: &TestServer, result: &Value) -> (u16, Vec<u8>) {
    let request = file_request(server, Method::GET, &result["download_url"], &result["signature"]);
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn a_job_goes_from_pending_to_downloaded() {
    let server = TestServer::start(options()).await;
    let audio = wav(2200);
    let mut request = body("audio/WAV", audio.len(), &[("DE", "text/plain"), ("fr", "application/x-subrip; ")]);
    request["parameters"] = json!({"source_language": "EN"});
    let created = create(&server, &request).await;
    let id = created["job_id"].as_str().unwrap();
    assert_eq!(created["upload_url"], format!("{}/v1/jobs/files/{id}/source", server.base));
    assert_eq!(created.as_object().unwrap().len(), 3, "{created}");

    let (status, pending) = job(&server, &created).await;
    let expected = json!({
        "job_id": id, "product": "voice", "operation": "translate",
        "created_at": pending["created_at"], "updated_at": pending["created_at"], "usage": {"storage_used": 0},
        "source_file": {"name": "memo", "content_type": "audio/wav", "content_length": 70_444},
        "parameters": {"source_language": "en"},
        "targets": [{"language": "de", "type": "text/plain"}, {"language": "fr", "type": "application/x-subrip"}],
        "results": [{"status": "pending"}, {"status": "pending"}],
    });
    assert_eq!((status, &pending), (200, &expected));
    assert_eq!(put(&server, &created, audio.clone()).await, (204, json!("")));
    assert_eq!(put(&server, &created, audio).await.0, 409);

    let (_, complete) = job(&server, &created).await;
    assert!(complete["updated_at"].as_str() >= complete["created_at"].as_str());
    assert_eq!(complete["usage"], json!({"storage_used": 70_444 + 47 + 145}));
    let results = complete["results"].as_array().unwrap();
    let url = format!("{}/v1/jobs/files/{id}/results/0", server.base);
    assert_eq!(results[0], json!({"status": "complete", "download_url": url, "signature": results[0]["signature"]}));
    let text = (200, b"GOOD MORNING. THIS IS THE SANDBOX SPEAKING. IT\n".to_vec());
    assert_eq!(download(&server, &results[0]).await, text);

    let (_, one) = job(&server, &created).await;
    assert_eq!((&one["results"][0], &one["results"][1]), (&json!({"status": "downloaded"}), &results[1]));
    assert_eq!(one["usage"], json!({"storage_used": 70_444 + 145}));
    assert_eq!(download(&server, &results[0]).await.0, 404);
    let subtitles = "1\n00:00:00,000 --> 00:00:00,500\nGOOD MORNING.\n\n\
        2\n00:00:00,500 --> 00:00:01,750\nTHIS IS THE SANDBOX SPEAKING.\n\n3\n00:00:01,750 --> 00:00:02,000\nIT\n";
    assert_eq!(download(&server, &results[1]).await, (200, subtitles.as_bytes().to_vec()));
    let gone = (404, json!({"message": "The job was not found, or it has expired."}));
    assert_eq!(job(&server, &created).await, gone);
}

#[tokio::test]
async fn a_job_takes_as_long_as_a_document() {
    for (queue, translate, status) in [(100, 0, "uploaded"), (0, 100, "processing")] {
        let server = TestServer::start(SandboxOptions {
            document_queue: Duration::from_secs(queue),
            document_translate: Duration::from_secs(translate),
            ..options()
        })
        .await;
        let results = results(&server, "audio/wav", wav(1000), &[("de", "text/plain")]).await;
        assert_eq!(results, [json!({"status": status})]);
    }
}

#[tokio::test]
async fn signed_addresses_need_neither_key_nor_session() {
    let server = TestServer::start(options()).await;
    let audio = wav(600);
    let session = ("X-Tulk-Sandbox-Session", "Test 7/a.b");
    let request =
        server.post(&format!("{PATH}?include=signed_url"), &body("audio/wav", audio.len(), &[("de", "text/plain")]));
    let (status, created) = answer(request.header(session.0, session.1).send().await.unwrap()).await;
    assert_eq!(status, 201, "{created}");
    let url = created["signed_upload_url"].as_str().unwrap();
    let expected =
        format!("{}?signature={}", created["upload_url"].as_str().unwrap(), created["signature"].as_str().unwrap());
    assert_eq!(url, expected);
    assert_eq!(server.client.put(url).body(audio).send().await.unwrap().status(), 204);
    let path = format!("{PATH}/{}?include=signed_url", created["job_id"].as_str().unwrap());
    assert_eq!(server.get(&path).send().await.unwrap().status(), 404, "another session");
    let (_, job) = answer(server.get(&path).header(session.0, session.1).send().await.unwrap()).await;
    let url = job["results"][0]["signed_download_url"].as_str().unwrap();
    let response = server.client.get(url).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
    assert_eq!(answer(response).await, (200, json!("GOOD MORNING.\n")));
    let wrong = server.get(&format!("{path}&include=x")).header(session.0, session.1).send().await.unwrap();
    assert_eq!(answer(wrong).await, (400, json!({"message": "Value for 'include' not supported."})));
}

#[tokio::test]
async fn only_the_signature_of_a_file_opens_it() {
    let server = TestServer::start(options()).await;
    let audio = wav(600);
    let request = body("audio/wav", audio.len(), &[("de", "text/plain"), ("fr", "text/plain")]);
    let (one, two) = (create(&server, &request).await, create(&server, &request).await);
    let url = one["upload_url"].as_str().unwrap();
    let with = |value: &str| server.client.put(url).header("Authorization", value).body(audio.clone());
    for value in ["DeepL-Auth-Key sandbox", "Service-Auth-Key sandbox", "DeepL-Signature ", "Bearer x"] {
        let (status, refusal) = answer(with(value).send().await.unwrap()).await;
        let expected = "A signature is needed: send 'Authorization: Service-Signature <signature>' or 'DeepL-Signature <signature>'.";
        assert_eq!((status, refusal), (401, json!({"message": expected})), "{value}");
    }
    assert_eq!(server.client.put(url).body(audio.clone()).send().await.unwrap().status(), 401);
    let refused = (403, json!({"message": "The signature does not belong to this file."}));
    for signature in ["x", two["signature"].as_str().unwrap()] {
        let response = with(&format!("deepl-signature {signature}")).send().await.unwrap();
        assert_eq!(response.headers()["x-trace-id"].len(), 32);
        assert_eq!(answer(response).await, refused);
    }
    let typed =
        file_request(&server, Method::PUT, &one["upload_url"], &one["signature"]).header("Content-Type", "audio/wav");
    assert_eq!(typed.body(audio.clone()).send().await.unwrap().status(), 415);
    let neutral = with(&format!("Service-Signature {}", one["signature"].as_str().unwrap()));
    let sent = neutral.header("Content-Type", "application/octet-stream").send().await.unwrap();
    assert_eq!(sent.status(), 204);
    let results = job(&server, &one).await.1["results"].clone();
    for signature in [&one["signature"], &results[1]["signature"]] {
        let request = file_request(&server, Method::GET, &results[0]["download_url"], signature);
        assert_eq!(answer(request.send().await.unwrap()).await, refused);
    }
    assert_eq!(download(&server, &results[0]).await.0, 200);
    let missing = json!(format!("{}/v1/jobs/files/{}/results/2", server.base, one["job_id"].as_str().unwrap()));
    let request = file_request(&server, Method::GET, &missing, &one["signature"]);
    assert_eq!(answer(request.send().await.unwrap()).await, (404, json!({"message": "There is no such result."})));
}

#[tokio::test]
async fn files_that_cannot_be_translated_fail() {
    let server = TestServer::start(options()).await;
    // One FLAC header announces 3 hours and one sample, the other exactly 3 hours.
    let flac = |samples: u32| {
        let mut bytes = b"fLaC\x80\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x03\xe8\x00\xf0".to_vec();
        bytes.extend(samples.to_be_bytes());
        bytes.resize(64, 0);
        bytes
    };
    let text = [("de", "text/plain")];
    for (content_type, bytes, code, message) in [
        ("audio/mpeg", b"This is not audio.".to_vec(), "invalid_content_type", "The file is not audio/mpeg."),
        ("audio/ogg", wav(500), "invalid_content_type", "The file is not audio/ogg."),
        ("audio/wav", wav(200), "no_speech", "No speech was found in the file."),
        ("audio/flac", flac(172_800_001), "audio_too_long", "The audio is longer than 3 hours."),
    ] {
        let expected = json!({"status": "failed", "error": {"message": message, "code": code}});
        assert_eq!(results(&server, content_type, bytes, &text).await, [expected]);
    }
    let longest = results(&server, "audio/flac", flac(172_800_000), &text).await;
    assert_eq!(longest[0]["status"], "complete");
    for bytes in [wav(500), wav(700)] {
        let created = create(&server, &body("audio/wav", wav(600).len(), &text)).await;
        assert_eq!(put(&server, &created, bytes.clone()).await.0, 204);
        let message = format!("The file has {} bytes, not 19244.", bytes.len());
        let error = json!({"message": message, "code": "invalid_content_length"});
        assert_eq!(job(&server, &created).await.1["results"], json!([{"status": "failed", "error": error}]));
    }
    let fault = server
        .post(PATH, &body("audio/wav", wav(600).len(), &text))
        .header("X-Tulk-Sandbox-Fault", "document-error;name=me*");
    let (_, created) = answer(fault.send().await.unwrap()).await;
    assert_eq!(put(&server, &created, wav(600)).await.0, 204);
    let error = json!({"message": "This fault was requested.", "code": "sandbox_fault"});
    assert_eq!(job(&server, &created).await.1["results"], json!([{"status": "failed", "error": error}]));
}

#[tokio::test]
async fn speech_is_written_in_each_content_type() {
    let server = TestServer::start(options()).await;
    let types: [(&str, &[u8]); 16] = [
        ("audio/opus", b"OggS"),
        ("audio/flac", b"fLaC"),
        ("audio/pcm;encoding=s16le;rate=16000", b""),
        ("audio/pcm;encoding=s16le;rate=24000", b""),
        ("audio/pcm;encoding=ulaw;rate=8000", b""),
        ("audio/pcm; encoding=alaw; rate=8000", b""),
        ("audio/x-matroska;codecs=aac", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=flac", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=opus", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=pcm_s16le;rate=16000", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=pcm_s16le;rate=24000", b"\x1A\x45\xDF\xA3"),
        ("video/mp2t;codecs=aac", b"\x47\x40"),
        ("video/mp2t;codecs=opus", b"\x47\x40"),
        ("audio/ogg;codecs=flac", b"OggS"),
        ("audio/ogg;codecs=opus", b"OggS"),
        ("audio/webm;codecs=opus", b"\x1A\x45\xDF\xA3"),
    ];
    let targets: Vec<(&str, &str)> = types.iter().map(|(name, _)| ("de", *name)).collect();
    let results = results(&server, "audio/wav", wav(2000), &targets).await;
    for ((content_type, start), result) in types.iter().zip(results) {
        let (status, bytes) = download(&server, &result).await;
        assert!(status == 200 && bytes.starts_with(start) && bytes.len() > 50, "{content_type}: {}", bytes.len());
        if *content_type == "audio/pcm;encoding=s16le;rate=16000" {
            assert_eq!(bytes.len(), 64_000, "2 seconds");
        }
    }
    let (_, usage) = answer(server.get("/v2/usage").send().await.unwrap()).await;
    assert_eq!(usage["speech_to_text_minutes_count"], json!(1), "{usage}");
    assert_eq!(usage["speech_to_speech_minutes_count"], json!(1), "{usage}");
}

async fn abort_upload(server: &TestServer, created: &Value) {
    let address = server.base.trim_start_matches("http://");
    let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
    let (url, signature) = (created["upload_url"].as_str().unwrap(), created["signature"].as_str().unwrap());
    let path = url.trim_start_matches(server.base.as_str());
    let head =
        format!("PUT {path}?signature={signature} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 19244\r\n\r\nRIFF");
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.shutdown().await.unwrap();
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&answer));
}

#[tokio::test]
async fn an_interrupted_upload_can_be_repeated() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server = TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..options() }).await;
    let created = create(&server, &body("audio/wav", 19_244, &[("de", "text/plain")])).await;
    abort_upload(&server, &created).await;
    assert_eq!(job(&server, &created).await.1["results"], json!([{"status": "pending"}]));
    assert_eq!(put(&server, &created, wav(600)).await.0, 204);
    let files = || std::fs::read_dir(dir.path().join("files")).unwrap().count();
    assert_eq!(files(), 1, "the result alone");
    // The first server is still running: jobs must be on disk without a shutdown.
    let other = TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..options() }).await;
    let result = job(&other, &created).await.1["results"][0].clone();
    assert_eq!(download(&other, &result).await, (200, b"GOOD MORNING.\n".to_vec()));
    assert_eq!((files(), job(&server, &created).await.0), (0, 404));
}

#[tokio::test]
async fn a_job_expires_after_5_minutes_without_an_upload_or_an_hour_after_it() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server = TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..options() }).await;
    let state = StateStore::open(Some(dir.path())).unwrap();
    let age = |created: &Value, field: &str, minutes: i64| {
        let id = created["job_id"].as_str().unwrap();
        let mut stored = state.get(kind::VOICE_JOB, id).unwrap().unwrap();
        stored[field] = json!(stored[field].as_i64().unwrap() - minutes * 60_000);
        state.put(kind::VOICE_JOB, id, "sandbox", &stored).unwrap();
    };
    let created = create(&server, &body("audio/wav", 19_244, &[("de", "text/plain")])).await;
    age(&created, "created", 4);
    assert_eq!(put(&server, &created, wav(600)).await.0, 204);
    age(&created, "uploaded", 59);
    let result = job(&server, &created).await.1["results"][0].clone();
    assert_eq!(result["status"], "complete");
    age(&created, "uploaded", 2);
    assert_eq!((job(&server, &created).await.0, download(&server, &result).await.0), (404, 404));
    let late = create(&server, &body("audio/wav", 19_244, &[("de", "text/plain")])).await;
    age(&late, "created", 6);
    assert_eq!((job(&server, &late).await.0, put(&server, &late, wav(600)).await.0), (404, 404));
    create(&server, &body("audio/wav", 19_244, &[("de", "text/plain")])).await;
    assert_eq!(state.list(kind::VOICE_JOB).unwrap().len(), 1, "old jobs are removed");
    assert_eq!(std::fs::read_dir(dir.path().join("files")).unwrap().count(), 0);
}

#[tokio::test]
async fn allows_ten_jobs_in_progress_and_two_with_large_files() {
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

/// Returns a request with another value in one field, or without the field if `value` is `null`.
fn request_with(pointer: &str, value: Value) -> Value {
    let mut request = body("audio/wav", 1000, &[("de", "text/plain")]);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    // An empty pointer refers to the complete request.
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
async fn refusals_name_the_invalid_field() {
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
async fn limits_the_languages_of_speech_and_the_size_of_a_file() {
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
async fn a_download_that_is_cut_off_counts_as_downloaded() {
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
