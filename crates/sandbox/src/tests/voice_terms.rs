//! Spoken terms: exact answers and refusals of every operation, in both body types; limits of size and number; and the
//! use of collections by other routes.

use reqwest::Method;
use serde_json::{Value, json};

use super::server::{ID, TestServer, answer};
use crate::state::StateStore;
use crate::{SandboxOptions, status};

const PATH: &str = "/v3/spoken-terms";
const FORM: &str = "application/x-www-form-urlencoded";

/// Sends a request with a JSON body, or without a body if it is `null`.
async fn send(server: &TestServer, method: Method, path: &str, body: &Value) -> (u16, Value) {
    let request = server.client.request(method, format!("{}{path}", server.base));
    let request = request.header("Authorization", "Service-Auth-Key sandbox");
    let request = if body.is_null() { request } else { request.json(body) };
    answer(request.send().await.unwrap()).await
}

async fn send_form(server: &TestServer, method: Method, path: &str, body: &'static str) -> (u16, Value) {
    let request = server.client.request(method, format!("{}{path}", server.base));
    let request = request.header("Authorization", "Service-Auth-Key sandbox").header("Content-Type", FORM);
    answer(request.body(body).send().await.unwrap()).await
}

async fn get(server: &TestServer, path: &str) -> (u16, Value) {
    send(server, Method::GET, path, &Value::Null).await
}

async fn create_terms(server: &TestServer, entries: &str) -> String {
    let body = json!({"name": "Talk", "term_lists": [{"lang": "en", "entries": entries}]});
    let (status, created) = send(server, Method::POST, PATH, &body).await;
    assert_eq!(status, 201, "{created}");
    format!("{PATH}/{}", created["spoken_terms_id"].as_str().unwrap())
}

async fn terms(server: &TestServer, path: &str) -> String {
    let (status, list) = get(server, &format!("{path}/entries?lang=en")).await;
    assert_eq!((status, &list["lang"]), (200, &json!("en")), "{list}");
    list["entries"].as_str().unwrap().to_owned()
}

fn refusal(message: &str, detail: &str) -> Value {
    json!({"message": message, "detail": detail})
}

#[tokio::test]
async fn every_operation_answers_with_the_documented_fields() {
    let server = TestServer::ephemeral().await;
    assert_eq!(get(&server, PATH).await, (200, json!({"spoken_terms": []})));
    let body = json!({"name": "Talk", "term_lists": [
        {"lang": "en", "entries": "Kubernetes\netcd"}, {"lang": "DE", "entries": "Straßenbahn"}]});
    let (status, created) = send(&server, Method::POST, PATH, &body).await;
    let (id, time) = (&created["spoken_terms_id"], &created["creation_time"]);
    let lists = json!([{"lang": "en", "entry_count": 2}, {"lang": "de", "entry_count": 1}]);
    let expected = json!({"spoken_terms_id": id, "name": "Talk", "term_lists": lists, "creation_time": time});
    assert_eq!((status, &created), (201, &expected));
    let time = time.as_str().unwrap();
    assert_eq!((time.len(), time.get(19..20), time.get(23..)), (24, Some("."), Some("Z")), "{time}");

    let path = format!("{PATH}/{}", id.as_str().unwrap());
    assert_eq!(get(&server, PATH).await, (200, json!({"spoken_terms": [created]})));
    assert_eq!(get(&server, &path).await, (200, created.clone()));
    assert_eq!(get(&server, &path.to_uppercase().replace("/V3/SPOKEN-TERMS", PATH)).await, (200, created.clone()));
    let read = get(&server, &format!("{path}/entries?lang=EN")).await;
    assert_eq!(read, (200, json!({"lang": "en", "entries": "Kubernetes\netcd"})));

    let edit = json!({"name": "Keynote", "term_lists": [{"lang": "fr", "entries": "fromage"}]});
    let lists = json!([{"lang": "en", "entry_count": 2}, {"lang": "de", "entry_count": 1},
        {"lang": "fr", "entry_count": 1}]);
    let expected = json!({"spoken_terms_id": id, "name": "Keynote", "term_lists": lists, "creation_time": time});
    assert_eq!(send(&server, Method::PATCH, &path, &edit).await, (200, expected));

    let list = json!({"lang": "en", "entries": "Helm\nIstio\nEnvoy"});
    let put = send(&server, Method::PUT, &format!("{path}/term-lists"), &list).await;
    assert_eq!(put, (200, json!({"lang": "en", "entry_count": 3})));
    assert_eq!(terms(&server, &path).await, "Helm\nIstio\nEnvoy");
    let list = json!({"lang": "hi", "entries": "नमस्ते"});
    let put = send(&server, Method::PUT, &format!("{path}/term-lists"), &list).await;
    assert_eq!(put, (200, json!({"lang": "hi", "entry_count": 1})));

    assert_eq!(send(&server, Method::DELETE, &path, &Value::Null).await, (204, json!("")));
    let id = id.as_str().unwrap();
    let gone = refusal("Spoken terms not found.", &format!("spoken_terms_id {id}"));
    assert_eq!(send(&server, Method::DELETE, &path, &Value::Null).await, (404, gone));
}

#[tokio::test]
async fn a_collection_stays_when_its_last_list_is_deleted() {
    let server = TestServer::ephemeral().await;
    let path = create_terms(&server, "Helm").await;
    let list = format!("{path}/term-lists?lang=En");
    assert_eq!(send(&server, Method::DELETE, &list, &Value::Null).await, (204, json!("")));
    assert_eq!(get(&server, &path).await.1["term_lists"], json!([]));
    let missing = (404, refusal("Term list not found.", "lang en"));
    assert_eq!(send(&server, Method::DELETE, &list, &Value::Null).await, missing);
    assert_eq!(get(&server, &format!("{path}/entries?lang=en")).await, missing);
}

#[tokio::test]
async fn merging_keeps_the_order_and_adds_unseen_terms_at_the_end() {
    let server = TestServer::ephemeral().await;
    let path = create_terms(&server, "beta\nalpha").await;
    let edit = json!({"term_lists": [{"lang": "EN", "entries": "gamma\nalpha\nAlpha\nbeta"}]});
    let (status, edited) = send(&server, Method::PATCH, &path, &edit).await;
    let lists = json!([{"lang": "en", "entry_count": 4}]);
    assert_eq!((status, &edited["name"], &edited["term_lists"]), (200, &json!("Talk"), &lists));
    assert_eq!(terms(&server, &path).await, "beta\nalpha\ngamma\nAlpha");
    // As with glossaries, an edit without known fields changes nothing.
    for nothing in [json!({}), json!({"term_lists": []}), json!({"name": null, "other": 1})] {
        assert_eq!(send(&server, Method::PATCH, &path, &nothing).await, (200, edited.clone()), "{nothing}");
    }
}

#[tokio::test]
async fn drops_blank_lines_surrounding_whitespace_and_repeated_terms() {
    let server = TestServer::ephemeral().await;
    let path = create_terms(&server, "  New York \r\n\n \u{3000}\nHelm\nNew York\nnew york\n").await;
    assert_eq!(terms(&server, &path).await, "New York\nHelm\nnew york");
    assert_eq!(get(&server, &path).await.1["term_lists"], json!([{"lang": "en", "entry_count": 3}]));
}

#[tokio::test]
async fn a_list_has_300_characters_at_most() {
    let server = TestServer::ephemeral().await;
    let lists = format!("{}/term-lists", create_terms(&server, "x").await);
    let path = lists.trim_end_matches("/term-lists");
    let long = |n: usize| json!({"lang": "en", "entries": "ä".repeat(n)});
    let too_long = |n: usize| {
        let detail = format!("the list for 'en' has {n} characters, 300 are allowed");
        (400, refusal("The term list is too long.", &detail))
    };
    assert_eq!(send(&server, Method::PUT, &lists, &long(301)).await, too_long(301));
    let create = json!({"name": "n", "term_lists": [long(301)]});
    assert_eq!(send(&server, Method::POST, PATH, &create).await, too_long(301));
    assert_eq!(terms(&server, path).await, "x");
    // The line break counts: 1 + 1 + 298 characters.
    let edit = |n: usize| json!({"name": "Renamed", "term_lists": [{"lang": "de", "entries": "y"}, long(n)]});
    assert_eq!(send(&server, Method::PATCH, path, &edit(299)).await, too_long(301));
    let (_, unchanged) = get(&server, path).await;
    assert_eq!(
        (&unchanged["name"], &unchanged["term_lists"]),
        (&json!("Talk"), &json!([{"lang": "en", "entry_count": 1}]))
    );
    assert_eq!(terms(&server, path).await, "x");
    assert_eq!(send(&server, Method::PATCH, path, &edit(298)).await.0, 200);
    assert_eq!(terms(&server, path).await, format!("x\n{}", "ä".repeat(298)));
    assert_eq!(send(&server, Method::PUT, &lists, &long(300)).await.0, 200);
}

#[tokio::test]
async fn forms_are_accepted() {
    let server = TestServer::ephemeral().await;
    let two = "name=Tea+room&term_lists[1][lang]=de&term_lists[1][entries]=Stra%C3%9Fe\
               &term_lists%5B0%5D.lang=en&term_lists[0].entries=Earl+Grey%0D%0AOolong";
    let (status, created) = send_form(&server, Method::POST, PATH, two).await;
    assert_eq!((status, &created["name"]), (201, &json!("Tea room")), "{created}");
    let lists = json!([{"lang": "en", "entry_count": 2}, {"lang": "de", "entry_count": 1}]);
    assert_eq!(created["term_lists"], lists);
    let path = format!("{PATH}/{}", created["spoken_terms_id"].as_str().unwrap());
    assert_eq!(terms(&server, &path).await, "Earl Grey\nOolong");

    let edit = "name=Caf%C3%A9&term_lists[0].lang=en&term_lists[0].entries=Assam";
    let (status, edited) = send_form(&server, Method::PATCH, &path, edit).await;
    assert_eq!((status, &edited["name"]), (200, &json!("Café")), "{edited}");
    assert_eq!(terms(&server, &path).await, "Earl Grey\nOolong\nAssam");
    let put = send_form(&server, Method::PUT, &format!("{path}/term-lists"), "lang=en&entries=Sencha%0AGyokuro").await;
    assert_eq!(put, (200, json!({"lang": "en", "entry_count": 2})));
    assert_eq!(terms(&server, &path).await, "Sencha\nGyokuro");

    for (wrong, message) in [
        ("name=x", "Bad request. Reason: missing field `term_lists`."),
        ("name=x&term_lists[0].lang=en", "Bad request. Reason: missing field `entries`."),
        ("name=x&term_lists[1].lang=en", "Parameter 'term_lists[1]' has no predecessor."),
        ("name=x&term_lists[x].lang=en", "Parameter 'term_lists[x].lang' not supported."),
    ] {
        let (status, answer) = send_form(&server, Method::POST, PATH, wrong).await;
        assert_eq!((status, answer["message"].as_str()), (400, Some(message)), "{wrong}");
    }
}

#[tokio::test]
async fn invalid_fields_are_refused() {
    let server = TestServer::ephemeral().await;
    let good = json!({"lang": "en", "entries": "Helm"});
    let list = |lang: &str, entries: &str| json!({"name": "n", "term_lists": [{"lang": lang, "entries": entries}]});
    let bad = |message: &str| json!({"message": message});
    let no_language = |code: &str| {
        let detail = format!("'{code}' is not a language of spoken terms");
        refusal("Value for 'lang' not supported.", &detail)
    };
    let control = |line: usize| {
        let detail = format!("line {line} of 'en' has a control character or a tab");
        refusal("The terms are not valid.", &detail)
    };
    let long_name = "it has 1025 characters, 1024 are allowed";
    let no_terms = refusal("The term list has no terms.", "lang 'en'");
    for (body, expected) in [
        (json!({"term_lists": [good]}), bad("Bad request. Reason: missing field `name` at line 1 column 47.")),
        (json!({"name": "n"}), bad("Bad request. Reason: missing field `term_lists` at line 1 column 12.")),
        (json!({"name": "n", "term_lists": []}), bad("At least one term list is needed.")),
        (json!({"name": " ", "term_lists": [good]}), bad("The name of the spoken terms is empty.")),
        (
            json!({"name": "ä".repeat(1025), "term_lists": [good]}),
            refusal("The name of the spoken terms is too long.", long_name),
        ),
        (
            json!({"name": "n", "term_lists": [good, list("EN", "etcd")["term_lists"][0]]}),
            refusal("A language may have one term list.", "'en' is given twice"),
        ),
        (list("xx", "Helm"), no_language("xx")),
        // A language that only text translation supports, and a language that is only a target.
        (list("af", "Helm"), no_language("af")),
        (list("en-US", "Helm"), no_language("en-US")),
        (list("", "Helm"), no_language("")),
        (list("en", ""), no_terms.clone()),
        (list("en", " \n\r\n"), no_terms),
        (list("en", "Helm\nIs\ttio"), control(2)),
        (list("en", "\tHelm"), control(1)),
        (list("en", "Helm\n\nx\u{7}"), control(3)),
        (list("en", "a\u{2028}b"), control(1)),
        (list("en", "a\rb"), control(1)),
    ] {
        assert_eq!(send(&server, Method::POST, PATH, &body).await, (400, expected), "{body}");
    }
    let name = json!({"name": "ä".repeat(1024), "term_lists": [good], "unknown": 1});
    assert_eq!(send(&server, Method::POST, PATH, &name).await.0, 201);
    assert_eq!(get(&server, PATH).await.1["spoken_terms"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn changes_are_checked_like_new_collections() {
    let server = TestServer::ephemeral().await;
    let path = create_terms(&server, "Helm").await;
    let lists = format!("{path}/term-lists");
    let good = json!({"lang": "en", "entries": "etcd"});
    for (method, path, body) in [
        (Method::PATCH, &path, json!({"name": ""})),
        (Method::PATCH, &path, json!({"name": "New", "term_lists": [good, good]})),
        (Method::PATCH, &path, json!({"name": "New", "term_lists": [{"lang": "en", "entries": ""}]})),
        (Method::PATCH, &path, json!({"term_lists": [{"lang": "en", "entries": "a\tb"}]})),
        (Method::PATCH, &path, json!([])),
        (Method::PUT, &lists, json!({"lang": "en"})),
        (Method::PUT, &lists, json!({"entries": "etcd"})),
        (Method::PUT, &lists, json!({"lang": "en", "entries": "\n"})),
        (Method::PUT, &lists, json!({"lang": "pt-BR", "entries": "etcd"})),
        (Method::PUT, &lists, json!({"lang": "en", "entries": ["etcd"]})),
    ] {
        let (status, answer) = send(&server, method, path, &body).await;
        assert_eq!((status, answer["message"].is_string()), (400, true), "{body} {answer}");
    }
    assert_eq!(terms(&server, &path).await, "Helm");
    assert_eq!(get(&server, &path).await.1["name"], "Talk");
}

#[tokio::test]
async fn unknown_collections_and_wrong_queries_are_refused() {
    let server = TestServer::ephemeral().await;
    let list = json!({"lang": "en", "entries": "Helm"});
    let missing = (404, refusal("Spoken terms not found.", &format!("spoken_terms_id {ID}")));
    let wrong = (400, json!({"message": "Value for 'spoken_terms_id' not supported: 'talk' is not a UUID."}));
    for (id, expected) in [(ID, missing), ("talk", wrong)] {
        for (method, below, body) in [
            (Method::GET, "", &Value::Null),
            (Method::PATCH, "", &json!({"name": "n"})),
            (Method::DELETE, "", &Value::Null),
            (Method::GET, "/entries?lang=en", &Value::Null),
            (Method::PUT, "/term-lists", &list),
            (Method::DELETE, "/term-lists?lang=en", &Value::Null),
        ] {
            let answer = send(&server, method.clone(), &format!("{PATH}/{id}{below}"), body).await;
            assert_eq!(answer, expected, "{method} {below}");
        }
    }
    let path = create_terms(&server, "Helm").await;
    let no_lang = json!({"message": "Parameter 'lang' not specified."});
    let wrong = refusal("Value for 'lang' not supported.", "'xx' is not a language of spoken terms");
    let no_list = refusal("Term list not found.", "lang fr");
    for (query, expected) in
        [("", (400, &no_lang)), ("?lang=", (400, &no_lang)), ("?lang=xx", (400, &wrong)), ("?lang=fr", (404, &no_list))]
    {
        let (status, answer) = get(&server, &format!("{path}/entries{query}")).await;
        assert_eq!((status, &answer), expected, "{query}");
        let list = format!("{path}/term-lists{query}");
        let (status, answer) = send(&server, Method::DELETE, &list, &Value::Null).await;
        assert_eq!((status, &answer), expected, "{query}");
    }
}

fn collection() -> Value {
    json!({"name": "Talk", "term_lists": [{"lang": "en", "entries": "Helm"}]})
}

async fn create_collection(server: &TestServer) -> String {
    let (status, created) = answer(server.post(PATH, &collection()).send().await.unwrap()).await;
    assert_eq!(status, 201, "{created}");
    created["spoken_terms_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn other_content_types_are_refused() {
    let server = TestServer::ephemeral().await;
    let path = format!("{PATH}/{}", create_collection(&server).await);
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
        id = create_collection(&server).await;
    }
    let full = json!({"message": "The limit of spoken terms collections is reached.",
        "detail": "an account has 100 collections at most"});
    let create = || server.post(PATH, &collection()).send();
    assert_eq!(answer(create().await.unwrap()).await, (456, full));
    // The fields of a request are checked before the number of collections.
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
async fn a_voice_session_refuses_a_collection_that_does_not_exist() {
    let server = TestServer::ephemeral().await;
    let id = create_collection(&server).await;
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
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let options = || SandboxOptions { state_dir: Some(dir.path().to_owned()), ..SandboxOptions::default() };
    let server = TestServer::start(options()).await;
    let id = create_collection(&server).await;
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
