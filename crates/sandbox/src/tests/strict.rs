//! Unknown fields and parameters of each operation, which a strict sandbox refuses and other sandboxes ignore.

use reqwest::Method;
use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

const FORM: &str = "application/x-www-form-urlencoded";

async fn strict_server() -> TestServer {
    TestServer::start(SandboxOptions { engine: Engine::Echo, strict: true, ..SandboxOptions::default() }).await
}

async fn send(server: &TestServer, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let mut request = server
        .client
        .request(method, format!("{}{path}", server.base))
        .header("Authorization", "Service-Auth-Key sandbox");
    if let Some(body) = body {
        request = request.header("Content-Type", "application/json").body(body.to_string());
    }
    answer(request.send().await.unwrap()).await
}

fn refusal(names: &str, detail: &str) -> Value {
    let s = if names.contains(',') { "s" } else { "" };
    json!({"message": format!("Parameter{s} {names} not supported."), "detail": format!("{detail} (--strict)"),
        "code": "unknown_parameter"})
}

#[tokio::test]
async fn refuses_unknown_fields_of_each_operation() {
    let server = strict_server().await;
    let id = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69";
    let text = json!({"text": ["Tea"], "target_lang": "de"});
    let dictionary = json!({"source_lang": "en", "target_lang": "de", "entries": "a\tb", "entries_format": "tsv"});
    let v2 = json!({"name": "n", "source_lang": "en", "target_lang": "de", "entries": "a\tb", "entries_format": "tsv"});
    let terms = json!({"name": "n", "term_lists": [{"lang": "en", "entries": "tea"}]});
    for (method, operation, body) in [
        ("POST", "/v2/translate", text.clone()),
        ("POST", "/v2/write/rephrase", text.clone()),
        ("POST", "/v2/write/correct", text),
        ("POST", "/v2/document/{document_id}", json!({"document_key": "k"})),
        ("POST", "/v2/document/{document_id}/result", json!({"document_key": "k"})),
        ("POST", "/v3/glossaries", json!({"name": "n", "dictionaries": [dictionary]})),
        ("PATCH", "/v3/glossaries/{glossary_id}", json!({"name": "n"})),
        ("PUT", "/v3/glossaries/{glossary_id}/dictionaries", dictionary.clone()),
        ("POST", "/v2/glossaries", v2),
        ("POST", "/v3/style_profiles", json!({"name": "n"})),
        ("PATCH", "/v3/style_profiles/{style_profile_id}", json!({"name": "n"})),
        ("POST", "/v3/style_rules", json!({"name": "n", "language": "en"})),
        ("PATCH", "/v3/style_rules/{style_id}", json!({"name": "n"})),
        ("POST", "/v3/style_rules/{style_id}/custom_instructions", json!({"label": "l", "prompt": "p"})),
        (
            "PUT",
            "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}",
            json!({"label": "l", "prompt": "p"}),
        ),
        ("POST", "/v3/spoken-terms", terms.clone()),
        ("PATCH", "/v3/spoken-terms/{spoken_terms_id}", terms),
        ("PUT", "/v3/spoken-terms/{spoken_terms_id}/term-lists", json!({"lang": "en", "entries": "tea"})),
        ("POST", "/v2/admin/developer-keys", json!({"label": "l"})),
        ("PUT", "/v2/admin/developer-keys/deactivate", json!({"key_id": "k"})),
        ("PUT", "/v2/admin/developer-keys/label", json!({"key_id": "k", "label": "l"})),
        ("PUT", "/v2/admin/developer-keys/limits", json!({"key_id": "k", "characters": 1})),
        ("POST", "/v3/voice/realtime", json!({"source_media_content_type": "audio/ogg", "target_languages": ["de"]})),
    ] {
        let mut body = body;
        body["colour"] = json!({"deep": [1]});
        let path = operation.split('/').map(|part| if part.starts_with('{') { id } else { part });
        let path = path.collect::<Vec<_>>().join("/");
        let expected = refusal("'colour'", &format!("{method} {operation} has no such field"));
        assert_eq!(send(&server, method, &path, Some(&body)).await, (400, expected), "{operation}");
    }
}

#[tokio::test]
async fn names_unknown_fields_in_nested_objects_and_forms() {
    let server = strict_server().await;
    let dictionary = json!({"source_lang": "en", "target_lang": "de", "entries": "a\tb", "entries_format": "tsv"});
    let mut second = dictionary.clone();
    second["entry_count"] = json!(1);
    let body = json!({"id": 1, "name": "n", "dictionaries": [dictionary, second]});
    let expected = refusal("'dictionaries[1].entry_count', 'id'", "POST /v3/glossaries has no such fields");
    assert_eq!(send(&server, "POST", "/v3/glossaries", Some(&body)).await, (400, expected));
    let body = "name=n&dictionaries[0].source_lang=en&dictionaries[0].target_lang=de&dictionaries[0].entries=a%09b\
        &dictionaries[0].entries_format=tsv&dictionaries[0].size=3";
    let expected = refusal("'dictionaries[0].size'", "POST /v3/glossaries has no such field");
    assert_eq!(answer(server.post_text("/v3/glossaries", FORM, body).send().await.unwrap()).await, (400, expected));
    let body = "text=Tea&target_lang=DE&tag_handlin=xml&auto_correct=1";
    let expected = refusal("'auto_correct', 'tag_handlin'", "POST /v2/translate has no such fields");
    assert_eq!(answer(server.post_text("/v2/translate", FORM, body).send().await.unwrap()).await, (400, expected));
}

#[tokio::test]
async fn refuses_unknown_fields_of_an_upload() {
    for (strict, status) in [(true, 400), (false, 200)] {
        let server = TestServer::start(SandboxOptions { strict, ..SandboxOptions::default() }).await;
        let part = |name: &str, value: &str| {
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nTea\r\n";
        let body = [
            &part("target_lang", "DE"),
            &part("enable_beta_languages", "1"),
            file,
            &part("colour", "red"),
            "--x--\r\n",
        ]
        .concat();
        let request = server.post_text("/v2/document", "multipart/form-data; boundary=x", &body);
        let (found, body) = answer(request.send().await.unwrap()).await;
        assert_eq!(found, status, "{body}");
        if strict {
            assert_eq!(body, refusal("'colour'", "POST /v2/document has no such field"));
        }
    }
}

#[tokio::test]
async fn refuses_unknown_query_parameters() {
    let server = strict_server().await;
    for (path, name, operation) in [
        ("/v2/usage?from=2026", "from", "GET /v2/usage"),
        ("/v3/languages?resource=voice&colour=", "colour", "GET /v3/languages"),
        ("/v3/glossaries?page=2", "page", "GET /v3/glossaries"),
        ("/v3/style_rules?page=0&details=true", "details", "GET /v3/style_rules"),
    ] {
        let expected = refusal(&format!("'{name}'"), &format!("{operation} has no such query parameter"));
        assert_eq!(answer(server.get(path).send().await.unwrap()).await, (400, expected), "{path}");
    }
    for path in [
        "/v2/languages?type=target",
        "/v3/languages?resource=voice&include=beta&include=external",
        "/v3/style_rules?page=0&page_size=3&detailed=true",
        "/v3/translation_memories?page=0&page_size=3",
        "/v2/admin/analytics?start_date=2026-01-01&end_date=2026-01-02&group_by=key",
        "/v2/admin/analytics/custom-tags?start_date=2026-01-01&end_date=2026-01-02&aggregate_by=day",
        "/v2/admin/analytics/language-pairs?start_date=2026-01-01&end_date=2026-01-02&group_by=key&aggregate_by=day",
        "/v2/usage?",
    ] {
        assert_eq!(answer(server.get(path).send().await.unwrap()).await.0, 200, "{path}");
    }
    // Some clients send the parameters of a GET as a form.
    let form = server.get("/v2/usage").header("Content-Type", FORM).body("from=2026");
    assert_eq!(answer(form.send().await.unwrap()).await.0, 400);
    // A wrong key is reported first.
    let wrong =
        server.client.get(format!("{}/v2/usage?from=1", server.base)).header("Authorization", "Service-Auth-Key x");
    assert_eq!(wrong.send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn refuses_unknown_style_rules() {
    let server = strict_server().await;
    let body = |rules: Value| json!({"name": "Shop", "language": "en", "configured_rules": rules});
    let known = json!({"punctuation": {"serial_comma": "use"}, "numbers": {}});
    let (status, list) = send(&server, "POST", "/v3/style_rules", Some(&body(known.clone()))).await;
    assert_eq!(status, 201);
    let path = format!("/v3/style_rules/{}/configured_rules", list["style_id"].as_str().unwrap());
    let (wrong_option, wrong_rule) =
        (json!({"punctuation": {"serial_comma": "never"}}), json!({"punctuation": {"x": "use"}}));
    for (rules, message) in [
        (&wrong_option, "Style option 'punctuation.serial_comma=never' not supported."),
        (&wrong_rule, "Style rule 'punctuation.x' not supported."),
        (&json!({"colours": {}}), "Style category 'colours' not supported."),
    ] {
        for (method, path, body) in [("POST", "/v3/style_rules", &body(rules.clone())), ("PUT", path.as_str(), rules)] {
            let (status, answer) = send(&server, method, path, Some(body)).await;
            assert_eq!((status, &answer["message"]), (400, &json!(message)), "{method}");
        }
    }
    let (_, answer) = send(&server, "PUT", &path, Some(&wrong_option)).await;
    let options =
        "do_not_use, do_not_use_serial_comma_when_using_chinese_comma, use, use_serial_comma_when_using_comma";
    assert_eq!(answer["detail"], format!("known (--strict): {options}"));
    assert_eq!(send(&server, "PUT", &path, Some(&known)).await.0, 200);
}

#[tokio::test]
async fn a_sandbox_that_is_not_strict_ignores_unknown_fields() {
    let server = TestServer::echo().await;
    let body = json!({"text": ["Tea"], "target_lang": "de", "source_lang": "en", "colour": 1});
    let expected = json!({"translations": [{"detected_source_language": "EN", "text": "Tea"}]});
    assert_eq!(server.translate(body).await, (200, expected));
    assert_eq!(answer(server.get("/v2/usage?from=2026").send().await.unwrap()).await.0, 200);
    let rules = json!({"name": "n", "language": "en", "configured_rules": {"colours": {"x": "y"}}});
    assert_eq!(send(&server, "POST", "/v3/style_rules", Some(&rules)).await.0, 201);
    let voice = json!({"source_media_content_type": "audio/ogg", "target_languages": ["de"], "colour": 1});
    assert_eq!(send(&server, "POST", "/v3/voice/realtime", Some(&voice)).await.0, 200);
}
