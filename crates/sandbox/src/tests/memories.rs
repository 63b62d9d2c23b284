//! `/v3/translation_memories`: lists, segments and their cursors, imports and exports, and refused requests.

use reqwest::Method;
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::state::{StateStore, kind};
use crate::{Engine, SandboxOptions, ServiceRules};

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

async fn import(server: &TestServer, file: impl Into<Vec<u8>>) -> Value {
    let file = file.into();
    let created = create(server, file.len()).await;
    assert_eq!(put(server, &created, file).await, (200, json!("")));
    job(server, &created).await["results"][0].clone()
}

#[tokio::test]
async fn an_import_waits_for_its_file_and_becomes_a_memory() {
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
    // A client repeats the upload if the answer was lost.
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
async fn an_export_is_reused_until_the_memory_is_deleted() {
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

#[tokio::test]
async fn segments_are_filtered_and_paged() {
    let server = TestServer::start(options(0)).await;
    let memory = import(&server, TMX).await["translation_memory_id"].as_str().unwrap().to_owned();
    let path = format!("{PATH}/{memory}/segments");
    let used = json!({"text": ["Öl & Wasser"], "target_lang": "EN-GB", "translation_memory_id": memory});
    assert_eq!(server.translate(used).await.1["translations"][0]["text"], "Oil & water");
    let (status, page) = get(&server, &format!("{path}?page_size=1")).await;
    let time = &page["segments"][0]["creation_time"];
    let target = |id: &str, lang: &str, text: &str| {
        json!({
            "target_segment_id": id, "target_language": lang, "target_text": text, "creation_time": time, "updated_time": time,
        })
    };
    let expected = json!({
        "segments": [{
            "source_segment_id": "s-1", "source_text": "Ventil schließen.", "creation_time": time, "updated_time": time,
            "targets": [target("t-1-en-gb", "en-gb", "Close the valve."), target("t-1-fr", "fr", "Fermer la vanne.")],
        }],
        "segment_count": 2, "next_page_cursor": page["next_page_cursor"],
    });
    assert_eq!((status, &page), (200, &expected));
    let cursor = page["next_page_cursor"].as_str().unwrap();
    let (_, last) = get(&server, &format!("{path}?page_size=1000&page_cursor={cursor}")).await;
    assert_eq!((&last["segments"][0]["source_segment_id"], &last["next_page_cursor"]), (&json!("s-2"), &Value::Null));
    let last_use = &last["segments"][0]["last_used_time"];
    assert!(last_use.as_str() >= time.as_str());
    assert_eq!(last["segments"][0]["targets"][0]["last_used_time"], *last_use);

    for (query, found) in [
        ("", 2),
        ("?filter_text=VENTIL", 1),
        ("?filter_text=VENTIL&filter_case_sensitive=true", 0),
        ("?filter_text=vanne&filter_case_sensitive=true", 1),
        ("?filter_text=%C3%B6l", 1),
    ] {
        let (status, page) = get(&server, &format!("{path}{query}")).await;
        assert_eq!((status, page["segments"].as_array().unwrap().len()), (200, found), "{query}");
        assert_eq!(page["segment_count"], 2);
    }
    for (query, name) in [
        ("page_size=0", "page_size"),
        ("page_size=-1", "page_size"),
        ("filter_text=x", "filter_text"),
        ("filter_case_sensitive=yes", "filter_case_sensitive"),
        ("page_cursor=", "page_cursor"),
        ("page_cursor=x", "page_cursor"),
        (&format!("page_cursor={cursor}&filter_text=Ventil"), "page_cursor"),
    ] {
        let (status, body) = get(&server, &format!("{path}?{query}")).await;
        assert!(status == 400 && body["message"].as_str().unwrap().contains(name), "{query}: {body}");
    }
    for (query, status) in [("page_size=0", 400), ("page=-1", 400), ("page_size=101", 200)] {
        assert_eq!(get(&server, &format!("{PATH}?{query}")).await.0, status, "{query}");
    }
}

#[tokio::test]
async fn refused_imports_name_the_invalid_field() {
    let server = TestServer::ephemeral().await;
    let long = format!("{}.tmx", "x".repeat(97));
    for (file, field) in [
        (json!(null), "source_file"),
        (json!({"content_length": 1}), "source_file.file_name"),
        (json!({"file_name": "tmx", "content_length": 1}), "source_file.file_name"),
        (json!({"file_name": 1, "content_length": 1}), "source_file.file_name"),
        (json!({"file_name": long, "content_length": 1}), "source_file.file_name"),
        (json!({"file_name": "a.tmx"}), "source_file.content_length"),
        (json!({"file_name": "a.tmx", "content_length": 0}), "source_file.content_length"),
        (json!({"file_name": "a.tmx", "content_length": "1"}), "source_file.content_length"),
        (json!({"file_name": "a.tmx", "content_length": 1_073_741_825}), "source_file.content_length"),
        (json!({"file_name": "a.tmx", "content_length": 1, "content_type": ""}), "source_file.content_type"),
    ] {
        let (status, answer) = post(&server, &format!("{PATH}/import"), &json!({"source_file": file})).await;
        assert!(status == 400 && answer["message"].as_str().unwrap().contains(&format!("'{field}'")), "{answer}");
    }
    let unnamed = json!({"source_file": {"file_name": "a.tmx", "content_length": 1}});
    let (_, created) = post(&server, &format!("{PATH}/import"), &unnamed).await;
    assert_eq!(job(&server, &created).await["parameters"], json!({"display_name": "a.tmx"}));
    let unknown = json!({"message": "The job was not found."});
    assert_eq!(get(&server, &format!("{PATH}/jobs/x")).await, (404, unknown));
}

#[tokio::test]
async fn an_upload_that_is_refused_leaves_the_job_waiting() {
    let server = TestServer::start(options(0)).await;
    let created = create(&server, TMX.len()).await;
    let url = created["upload_url"].as_str().unwrap();
    assert_eq!(put(&server, &created, "<a/>").await.0, 400);
    let typed = server.client.put(url).header("Content-Type", "text/xml").body(TMX);
    assert_eq!(typed.send().await.unwrap().status(), 403);
    let (start, _) = url.rsplit_once('/').unwrap();
    assert_eq!(server.client.put(format!("{start}/0")).body(TMX).send().await.unwrap().status(), 404);
    assert_eq!(server.client.get(url).send().await.unwrap().status(), 405);
    assert_eq!(job(&server, &created).await["results"][0]["status"], "awaiting_input");
    let with_key = server.client.put(url).header("Content-Type", "application/xml").header("Authorization", "x");
    assert_eq!(with_key.body(TMX).send().await.unwrap().status(), 200);
    assert_eq!(job(&server, &created).await["results"][0]["status"], "completed");
}

#[tokio::test]
async fn files_that_are_not_tmx_fail_and_utf_16_is_read() {
    let server = TestServer::start(options(0)).await;
    let utf_16: Vec<u8> = format!("\u{feff}{TMX}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(import(&server, utf_16).await["skipped_segment_count"], 1);
    for (file, why) in [
        ("<a/>", "The file is not TMX: its root element is 'a'."),
        ("<tmx version='1.4'>", "The file is not well-formed XML: line 1: the root node was opened but never closed."),
        ("<tmx version='1.4'/>", "The file has no unit with a source and a target."),
    ] {
        assert_eq!(import(&server, file).await, json!({"status": "failed", "error": {"message": why}}));
    }
}

#[tokio::test]
async fn a_hundred_memories_are_the_maximum() {
    let server = TestServer::start(options(0)).await;
    for _ in 0..99 {
        import(&server, TMX).await;
    }
    let waiting = create(&server, TMX.len()).await;
    import(&server, TMX).await;
    let full = json!({"message": "Too many translation memories.", "detail": "an account has at most 100"});
    assert_eq!(post(&server, &format!("{PATH}/import"), &import_body(1)).await, (456, full));
    put(&server, &waiting, TMX).await;
    let failed = json!([{"status": "failed", "error": {"message": "Too many translation memories."}}]);
    assert_eq!(job(&server, &waiting).await["results"], failed);
    let (_, list) = get(&server, &format!("{PATH}?page_size=1000")).await;
    assert_eq!((list["translation_memories"].as_array().unwrap().len(), &list["total_count"]), (100, &json!(100)));
}

#[tokio::test]
async fn addresses_and_jobs_expire() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server = TestServer::start(SandboxOptions { state_dir: Some(dir.path().to_owned()), ..options(0) }).await;
    let state = StateStore::open(Some(dir.path())).unwrap();
    let age = |created: &Value, field: &str, minutes: i64| {
        let id = created["job_id"].as_str().unwrap();
        let mut stored = state.get(kind::MEMORY_JOB, id).unwrap().unwrap();
        stored[field] = json!(stored[field].as_i64().unwrap() - minutes * 60_000);
        state.put(kind::MEMORY_JOB, id, "sandbox", &stored).unwrap();
    };
    let memory = import(&server, TMX).await["translation_memory_id"].as_str().unwrap().to_owned();
    let path = format!("{PATH}/{memory}/export");
    let (_, export) = post(&server, &path, &Value::Null).await;
    let url = job(&server, &export).await["results"][0]["download_url"].as_str().unwrap().to_owned();
    age(&export, "ready", 59);
    assert_eq!(post(&server, &path, &Value::Null).await, (200, export.clone()));
    age(&export, "ready", 2);
    assert_eq!(server.client.get(&url).send().await.unwrap().status(), 403);
    assert_eq!(post(&server, &path, &Value::Null).await.0, 202);
    let late = create(&server, TMX.len()).await;
    age(&late, "created", 61);
    assert_eq!(put(&server, &late, TMX).await, (403, json!({"message": "The address has expired."})));
    age(&late, "created", 24 * 60);
    assert_eq!(job(&server, &late).await["results"], json!([{"status": "expired"}]));
}

#[tokio::test]
async fn a_file_upload_uses_the_session_of_its_import_and_hides_its_token() {
    let faults = vec![format!("503;times=1;path={PATH}/files/*").parse().unwrap()];
    let server = TestServer::start(SandboxOptions { faults, ..options(0) }).await;
    let session = ("X-Tulk-Sandbox-Session", "Test 7/a.b");
    let request = server.post(&format!("{PATH}/import"), &import_body(TMX.len())).header(session.0, session.1);
    let (_, created) = answer(request.send().await.unwrap()).await;
    assert_eq!(put(&server, &created, TMX).await.0, 503);
    assert_eq!(put(&server, &created, TMX).await.0, 200);
    assert_eq!(get(&server, PATH).await.1["total_count"], 0);
    let list = server.get(PATH).header(session.0, session.1).send().await.unwrap();
    assert_eq!(answer(list).await.1["total_count"], 1);
    let (start, token) = created["upload_url"].as_str().unwrap().rsplit_once('/').unwrap();
    let requests = server.client.get(format!("{}/_sandbox/requests?session=Test%207/a.b", server.base));
    let text = requests.header("X-Tulk-Sandbox", "1").send().await.unwrap().text().await.unwrap();
    assert!(!text.contains(token) && text.contains(&format!("{start}/***")), "{text}");
}

#[tokio::test]
async fn the_public_service_raises_thresholds_below_50_to_50() {
    for (rules, found) in [(ServiceRules::Generic, "Close the valve."), (ServiceRules::Public, "VENTIL")] {
        let server = TestServer::start(SandboxOptions { rules, ..options(0) }).await;
        let memory = import(&server, TMX).await["translation_memory_id"].clone();
        let body = json!({
            "text": ["Ventil"], "source_lang": "DE", "target_lang": "EN-GB", "translation_memory_id": memory,
            "translation_memory_threshold": 10,
        });
        assert_eq!(server.translate(body).await.1["translations"][0]["text"], found);
    }
}
