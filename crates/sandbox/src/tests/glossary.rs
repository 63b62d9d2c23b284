//! Glossaries of v2 and v3: requests that the commands never send, and the exact answers.

use serde_json::{Value, json};

use super::server::{ID, TestServer, answer};

async fn create_glossary(server: &TestServer) -> Value {
    let body = json!({"name": "Kitchen", "dictionaries": [
        {"source_lang": "EN", "target_lang": "de", "entries": "kettle\tWasserkocher", "entries_format": "tsv"}]});
    let (status, answer) = answer(server.post("/v3/glossaries", &body).send().await.unwrap()).await;
    assert_eq!(status, 201, "{answer}");
    answer
}

async fn send(server: &TestServer, method: reqwest::Method, path: &str, body: &Value) -> (u16, Value) {
    let request = server.client.request(method, format!("{}{path}", server.base));
    let request = request.header("Authorization", "Service-Auth-Key sandbox");
    let request = if body.is_null() { request } else { request.json(body) };
    answer(request.send().await.unwrap()).await
}

#[tokio::test]
async fn v3_answers_with_the_documented_fields() {
    let server = TestServer::echo().await;
    let created = create_glossary(&server).await;
    assert_eq!(created["ready"], true);
    assert_has_milliseconds(&created["creation_time"]);
    assert_eq!(created["dictionaries"], json!([{"source_lang": "en", "target_lang": "de", "entry_count": 1}]));
    let id = created["glossary_id"].as_str().unwrap();
    let (_, response) =
        answer(server.get(&format!("/v3/glossaries/{}", id.to_uppercase())).send().await.unwrap()).await;
    assert_eq!(response.get("ready"), None);
    assert_eq!(response["creation_time"], created["creation_time"]);
    let path = format!("/v3/glossaries/{id}");
    let content = json!({"source_lang": "en", "target_lang": "de", "entries": "pan,Pfanne", "entries_format": "csv"});
    let edit = json!({"name": "K2", "dictionaries": [content]});
    let (status, edited) = send(&server, reqwest::Method::PATCH, &path, &edit).await;
    assert_eq!((status, &edited["name"], &edited["dictionaries"][0]["entry_count"]), (200, &json!("K2"), &json!(2)));
    let put = send(&server, reqwest::Method::PUT, &format!("{path}/dictionaries"), &content).await;
    assert_eq!(put, (200, json!({"source_lang": "en", "target_lang": "de", "entry_count": 1})));
    let entries = format!("{path}/entries?source_lang=EN&target_lang=DE");
    let (_, read) = answer(server.get(&entries).send().await.unwrap()).await;
    assert_eq!(
        read,
        json!({"dictionaries": [{"source_lang": "en", "target_lang": "de",
            "entries": "pan\tPfanne", "entries_format": "tsv"}]})
    );
    assert_eq!(send(&server, reqwest::Method::DELETE, &path, &Value::Null).await.0, 204);
    assert_eq!(send(&server, reqwest::Method::DELETE, &path, &Value::Null).await.0, 404);
}

/// Some clients accept only times with milliseconds.
fn assert_has_milliseconds(time: &Value) {
    let text = time.as_str().unwrap();
    assert_eq!((text.len(), text.get(19..20), text.get(23..)), (24, Some("."), Some("Z")), "{text}");
}

#[tokio::test]
async fn v3_accepts_forms() {
    let server = TestServer::echo().await;
    let form = "application/x-www-form-urlencoded";
    let two = "name=Tea+room&dictionaries[0].source_lang=en&dictionaries[0].target_lang=de\
               &dictionaries[0].entries=kettle%09Wasserkocher&dictionaries[0].entries_format=tsv\
               &dictionaries%5B1%5D.source_lang=en&dictionaries%5B1%5D.target_lang=fr\
               &dictionaries%5B1%5D.entries=kettle%2Cbouilloire&dictionaries%5B1%5D.entries_format=csv";
    let (status, created) = answer(server.post_text("/v3/glossaries", form, two).send().await.unwrap()).await;
    assert_eq!((status, &created["name"]), (201, &json!("Tea room")), "{created}");
    assert_has_milliseconds(&created["creation_time"]);
    let pairs = json!([{"source_lang": "en", "target_lang": "de", "entry_count": 1},
        {"source_lang": "en", "target_lang": "fr", "entry_count": 1}]);
    assert_eq!(created["dictionaries"], pairs);

    let path = format!("/v3/glossaries/{}", created["glossary_id"].as_str().unwrap());
    let send_form = async |method: reqwest::Method, path: &str, body: &'static str| {
        let request = server.client.request(method, format!("{}{path}", server.base));
        let request = request.header("Authorization", "Service-Auth-Key sandbox").header("Content-Type", form);
        answer(request.body(body).send().await.unwrap()).await
    };
    let content = "dictionaries[0].source_lang=en&dictionaries[0].target_lang=de\
                   &dictionaries[0].entries=pan%09Pfanne&dictionaries[0].entries_format=tsv";
    let (status, edited) = send_form(reqwest::Method::PATCH, &path, content).await;
    assert_eq!((status, &edited["dictionaries"][0]["entry_count"]), (200, &json!(2)), "{edited}");
    let (status, renamed) = send_form(reqwest::Method::PATCH, &path, "name=Coffee").await;
    assert_eq!((status, &renamed["name"]), (200, &json!("Coffee")), "{renamed}");
    let content = "source_lang=en&target_lang=de&entries=pan%09Pfanne&entries_format=tsv";
    let put = send_form(reqwest::Method::PUT, &format!("{path}/dictionaries"), content).await;
    assert_eq!(put, (200, json!({"source_lang": "en", "target_lang": "de", "entry_count": 1})));

    for wrong in ["name=x", "name=x&dictionaries[1].source_lang=en", "name=x&dictionaries[x].source_lang=en"] {
        let (status, answer) = send_form(reqwest::Method::POST, "/v3/glossaries", wrong).await;
        assert_eq!(status, 400, "{wrong}: {answer}");
    }
}

#[tokio::test]
async fn v3_refuses_invalid_requests() {
    let server = TestServer::echo().await;
    let created = create_glossary(&server).await;
    let path = format!("/v3/glossaries/{}", created["glossary_id"].as_str().unwrap());
    let good = json!({"source_lang": "en", "target_lang": "de", "entries": "a\tb", "entries_format": "tsv"});
    let with = |field: &str, value: &str| {
        let mut content = good.clone();
        content[field] = json!(value);
        json!({"name": "n", "dictionaries": [content]})
    };
    let mut no_format = good.clone();
    no_format.as_object_mut().unwrap().remove("entries_format");
    for body in [
        json!({"name": "n", "dictionaries": []}),
        json!({"name": "n", "dictionaries": [good, good]}),
        json!({"name": "", "dictionaries": [good]}),
        json!({"name": "x".repeat(1025), "dictionaries": [good]}),
        json!({"dictionaries": [good]}),
        json!({"name": "n", "dictionaries": [no_format]}),
        with("target_lang", "pt-BR"),
        with("target_lang", "en"),
        with("entries_format", "xlsx"),
        with("entries", ""),
    ] {
        let (status, answer) = answer(server.post("/v3/glossaries", &body).send().await.unwrap()).await;
        assert_eq!(status, 400, "{body} {answer}");
        assert!(answer["message"].is_string(), "{answer}");
    }
    let two = json!({"dictionaries": [good, good]});
    assert_eq!(send(&server, reqwest::Method::PATCH, &path, &two).await.0, 400);
    for (path, status) in [
        ("/v3/glossaries/not-an-id".to_owned(), 400),
        (format!("/v3/glossaries/{ID}"), 404),
        (format!("{path}/entries"), 400),
        (format!("{path}/entries?source_lang=en&target_lang=fr"), 404),
    ] {
        assert_eq!(server.get(&path).send().await.unwrap().status(), status, "{path}");
    }
    let form = server.post_text("/v3/glossaries", "text/plain", "x").send().await.unwrap();
    assert_eq!(form.status(), 415);
}

#[tokio::test]
async fn a_dictionary_of_more_than_10_mib_is_too_large() {
    let server = TestServer::echo().await;
    let lines: Vec<String> = (0..10_241).map(|i| format!("{i:0>1000}\t{}", "x".repeat(23))).collect();
    let content =
        json!({"source_lang": "en", "target_lang": "de", "entries": lines.join("\n"), "entries_format": "tsv"});
    let body = json!({"name": "n", "dictionaries": [content]});
    assert_eq!(server.post("/v3/glossaries", &body).send().await.unwrap().status(), 413);
}

#[tokio::test]
async fn v2_accepts_forms_and_returns_only_tsv() {
    let server = TestServer::echo().await;
    let form = "name=Tea&source_lang=en&target_lang=fr&entries=kettle%2Cbouilloire&entries_format=csv";
    let response = server.post_text("/v2/glossaries", "application/x-www-form-urlencoded", form).send().await.unwrap();
    let (status, created) = answer(response).await;
    assert_eq!((status, &created["ready"], &created["entry_count"]), (201, &json!(true), &json!(1)));
    assert_has_milliseconds(&created["creation_time"]);
    let path = format!("/v2/glossaries/{}", created["glossary_id"].as_str().unwrap());
    let response = server.get(&format!("{path}/entries")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/tab-separated-values; charset=UTF-8");
    assert_eq!(response.text().await.unwrap(), "kettle\tbouilloire");
    let json = server.get(&format!("{path}/entries")).header("Accept", "application/json").send().await.unwrap();
    assert_eq!(json.status(), 415);
    let v3 = path.replace("/v2/", "/v3/");
    let edit = json!({"name": "Other"});
    assert_eq!(send(&server, reqwest::Method::PATCH, &v3, &edit).await.0, 200);
    assert_eq!(send(&server, reqwest::Method::DELETE, &path, &Value::Null).await.0, 400);
    assert_eq!(send(&server, reqwest::Method::DELETE, &v3, &Value::Null).await.0, 204);
    let (_, pairs) = answer(server.get("/v2/glossary-language-pairs").send().await.unwrap()).await;
    assert_eq!(pairs["supported_languages"].as_array().map(Vec::len), Some(33 * 32));
}
