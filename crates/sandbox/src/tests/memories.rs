//! `/v3/translation_memories`: the list, segments and their cursors, the life of imports and exports, and what is refused.

use reqwest::Method;
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

const PATH: &str = "/v3/translation_memories";
const TMX: &str = r#"<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de-DE" segtype="sentence"/><body>
<tu><tuv xml:lang="de-DE"><seg>Ventil <bpt i="1"/>schließen<ept i="1"/>.</seg></tuv>
<tuv xml:lang="en-GB"><seg>Close the valve.</seg></tuv><tuv xml:lang="fr-FR"><seg>Fermer la vanne.</seg></tuv></tu>
<tu><tuv xml:lang="DE"><seg>Öl &amp; Wasser</seg></tuv><tuv xml:lang="en-gb"><seg>Oil &amp; water</seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>Ohne Ziel</seg></tuv></tu>
</body></tmx>
"#;

fn options(polls: u64) -> SandboxOptions {
    SandboxOptions { engine: Engine::Upper, memory_job_polls: polls, ..SandboxOptions::default() }
}

async fn get(server: &TestServer, path: &str) -> (u16, Value) {
    answer(server.get(path).send().await.unwrap()).await
}

async fn post(server: &TestServer, path: &str, body: &Value) -> (u16, Value) {
    answer(server.post(path, body).send().await.unwrap()).await
}

fn import_body(bytes: usize) -> Value {
    json!({"source_file": {"file_name": "pumps.tmx", "content_length": bytes}, "parameters": {"display_name": "Pumps"}})
}

async fn create(server: &TestServer, bytes: usize) -> Value {
    let (status, created) = post(server, &format!("{PATH}/import"), &import_body(bytes)).await;
    assert_eq!(status, 202, "{created}");
    created
}

async fn put(server: &TestServer, created: &Value, file: impl Into<Vec<u8>>) -> (u16, Value) {
    let url = created["upload_url"].as_str().unwrap();
    let request = server.client.request(Method::PUT, url).header("Content-Type", "application/xml");
    answer(request.body(file.into()).send().await.unwrap()).await
}

async fn job(server: &TestServer, created: &Value) -> Value {
    let (status, job) = get(server, &format!("{PATH}/jobs/{}", created["job_id"].as_str().unwrap())).await;
    assert_eq!(status, 200, "{job}");
    job
}

/// Imports a file and returns the result of the job.
async fn import(server: &TestServer, file: impl Into<Vec<u8>>) -> Value {
    let file = file.into();
    let created = create(server, file.len()).await;
    assert_eq!(put(server, &created, file).await, (200, json!("")));
    job(server, &created).await["results"][0].clone()
}

#[tokio::test]
async fn an_import_goes_from_waiting_to_a_memory() {
    let server = TestServer::start(options(1)).await;
    let created = create(&server, TMX.len()).await;
    let id = created["job_id"].as_str().unwrap();
    let address = created["upload_url"].as_str().unwrap();
    let token = address.strip_prefix(&format!("{}{PATH}/files/{id}/", server.base)).unwrap();
    assert_eq!(token.len(), 48);
    let waiting = job(&server, &created).await;
    let times = (&waiting["creation_time"], &waiting["updated_time"]);
    let expected = json!({
        "job_id": id, "product": "translation_memory", "operation": "import",
        "creation_time": times.0, "updated_time": times.1,
        "source_file": {"content_type": "application/xml", "content_length": TMX.len()},
        "parameters": {"display_name": "Pumps"},
        "results": [{
            "status": "awaiting_input", "status_metadata": {"required_action": "Upload the file to the upload_url."}
        }],
    });
    assert_eq!(waiting, expected);
    assert_eq!(job(&server, &created).await["results"][0]["status"], "awaiting_input");
    assert_eq!(put(&server, &created, TMX).await, (200, json!("")));
    // The answer may have been lost.
    assert_eq!(put(&server, &created, TMX).await, (200, json!("")));
    assert_eq!(job(&server, &created).await["results"], waiting["results"]);
    assert_eq!(job(&server, &created).await["results"], json!([{"status": "processing"}]));
    let done = job(&server, &created).await;
    let memory = &done["results"][0]["translation_memory_id"];
    let completed = json!([{"status": "completed", "translation_memory_id": memory, "skipped_segment_count": 1}]);
    assert_eq!(done["results"], completed);
    assert_eq!(job(&server, &created).await, done);

    let path = format!("{PATH}/{}", memory.as_str().unwrap());
    let (status, shown) = get(&server, &path).await;
    let expected = json!({
        "translation_memory_id": memory, "name": "Pumps", "source_language": "de", "target_languages": ["en-gb", "fr"],
        "segment_count": 2, "creation_time": shown["creation_time"], "updated_time": shown["creation_time"],
    });
    assert_eq!((status, &shown), (200, &expected));
    assert_eq!(get(&server, PATH).await, (200, json!({"translation_memories": [shown], "total_count": 1})));
}

#[tokio::test]
async fn an_export_is_used_again_until_the_memory_is_deleted() {
    let server = TestServer::start(options(1)).await;
    let created = create(&server, TMX.len()).await;
    put(&server, &created, TMX).await;
    for _ in 0..2 {
        job(&server, &created).await;
    }
    let memory = job(&server, &created).await["results"][0]["translation_memory_id"].clone();
    let path = format!("{PATH}/{}/export", memory.as_str().unwrap());
    let (status, export) = post(&server, &path, &Value::Null).await;
    let expected = json!({"job_id": export["job_id"], "parameters": {"translation_memory_id": memory}});
    assert_eq!((status, &export), (202, &expected));
    let running = (409, json!({"message": "An export of this translation memory is running."}));
    assert_eq!(post(&server, &path, &Value::Null).await, running);
    assert_eq!(job(&server, &export).await["results"], json!([{"status": "processing"}]));
    let done = job(&server, &export).await;
    let result = &done["results"][0];
    let url = result["download_url"].as_str().unwrap();
    assert_eq!(*result, json!({"status": "completed", "download_url": url, "expires_at": result["expires_at"]}));
    assert_eq!((&done["operation"], &done["source_file"]), (&json!("export"), &Value::Null));
    assert_eq!(post(&server, &path, &Value::Null).await, (200, expected));
    for _ in 0..2 {
        let response = server.client.get(url).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"application/xml".parse().unwrap())
        );
        let version = env!("CARGO_PKG_VERSION");
        let header = format!(
            r#"<header creationtool="tulk sandbox" creationtoolversion="{version}" segtype="sentence" o-tmf="tulk" adminlang="en" srclang="de" datatype="plaintext"/>"#
        );
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
  {header}
  <body>
    <tu tuid="s-1">
      <tuv xml:lang="de"><seg>Ventil schließen.</seg></tuv>
      <tuv xml:lang="en-gb"><seg>Close the valve.</seg></tuv>
      <tuv xml:lang="fr"><seg>Fermer la vanne.</seg></tuv>
    </tu>
    <tu tuid="s-2">
      <tuv xml:lang="de"><seg>Öl &amp; Wasser</seg></tuv>
      <tuv xml:lang="en-gb"><seg>Oil &amp; water</seg></tuv>
    </tu>
  </body>
</tmx>
"#
        );
        assert_eq!(response.text().await.unwrap(), expected);
    }
    let memory = format!("{PATH}/{}", memory.as_str().unwrap());
    let delete =
        || server.client.delete(format!("{}{memory}", server.base)).header("Authorization", "DeepL-Auth-Key sandbox");
    assert_eq!(answer(delete().send().await.unwrap()).await, (204, json!("")));
    for (status, body) in [
        answer(delete().send().await.unwrap()).await,
        get(&server, &memory).await,
        get(&server, &format!("{memory}/segments")).await,
        post(&server, &path, &Value::Null).await,
    ] {
        assert_eq!((status, &body["message"]), (404, &json!("Translation memory not found.")));
    }
}
