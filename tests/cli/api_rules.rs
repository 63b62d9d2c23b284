//! `tulk api` follows the rules of all commands for keys, secrets, retries, files and pages.

use serde_json::json;

use crate::common::Bench;

#[test]
fn writes_the_answer_to_stdout_unchanged() {
    let bench = Bench::new();
    let run = bench.run(["api", "GET", "/v2/usage"]).code(0);
    assert_eq!(run.json()["character_count"], 0);
    assert!(!run.out().ends_with('\n'), "a newline was added");
    bench.run(["api", "get", "v2/usage", "--silent"]).code(0).prints("");
}

#[test]
fn fields_have_types_and_become_a_json_body() {
    let bench = Bench::new();
    bench
        .run([
            "api", "POST", "/v2/translate", "-F", "target_lang=de", "-F", "text[]=Hello", "--raw-field", "text[]=42",
            "-F", "show_billed_characters=true",
        ])
        .code(0)
        .prints(
            r#"{"translations":[{"detected_source_language":"EN","text":"Hello","billed_characters":5},{"detected_source_language":"EN","text":"42","billed_characters":2}]}"#,
        );
    assert_eq!(
        bench.sent(),
        [(
            "POST /v2/translate".to_owned(),
            json!({"target_lang": "de", "text": ["Hello", "42"], "show_billed_characters": true})
        )]
    );
}

#[test]
fn fields_of_get_and_delete_become_the_query() {
    let bench = Bench::new();
    bench.run(["api", "GET", "/v3/languages?x=1", "-F", "resource=voice", "-F", "include[]=beta"]).code(0);
    bench.run(["api", "DELETE", "/v3/none", "-F", "a[b]=ä c"]).code(4);
    let queries: Vec<_> = bench.requests().iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
    assert_eq!(queries, ["x=1&resource=voice&include=beta", "a%5Bb%5D=%C3%A4%20c"]);
}

#[test]
fn a_refusal_prints_the_body_and_the_error() {
    let bench = Bench::new();
    let run = bench.run(["api", "GET", "/v9/none"]).code(4).says("There is nothing at this address");
    assert_eq!(run.json()["message"], "There is nothing at this address.");
    bench.run(["api", "POST", "/v2/translate", "-F", "target_lang=de"]).code(5);
    bench.run(["api", "GET", "/v9/none", "--silent"]).code(4).prints("");
    bench.run(["--json", "api", "GET", "/v9/none"]).code(4).says(r#""kind":"not_found""#);
    Bench::new().env("TULK_API_KEY", "wrong").run(["api", "GET", "/v2/usage"]).code(3);
}

#[test]
fn input_is_the_body_and_fields_become_the_query() {
    let bench = Bench::new();
    let body = r#"{"target_lang":"de","text":["Hello"]}"#;
    bench.pipe(body, ["api", "POST", "/v9/x", "--input", "-", "-F", "x=1"]).code(4);
    bench.write("body.json", body);
    bench.run(["api", "POST", "/v2/translate", "--input", "body.json"]).code(0);
    bench.run(["api", "POST", "/v2/translate", "--input", "none.json"]).code(2).says("none.json");
    bench.run(["api", "POST", "/x", "--input", "-", "-F", "a=@-"]).code(2).says("--input and -F a=@- both read stdin");
    let requests = bench.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0]["query"], "x=1");
    assert!(requests.iter().all(|r| r["body"] == json!({"target_lang": "de", "text": ["Hello"]})));
}

#[test]
fn a_form_with_a_file_becomes_multipart() {
    let bench = Bench::new();
    bench.run(["api", "POST", "/v2/translate", "--form", "-F", "target_lang=de", "-F", "text[]=a b"]).code(0);
    bench.write("note.txt", "Hello");
    let run = bench.run(["api", "POST", "/v2/document", "-F", "target_lang=de", "-F", "file=@note.txt"]).code(0);
    assert!(run.json()["document_key"].is_string(), "{run}");
    let requests = bench.requests();
    assert_eq!(requests[0]["headers"]["content-type"], "application/x-www-form-urlencoded");
    assert_eq!(requests[0]["body"], "target_lang=de&text=a%20b");
    assert!(requests[1]["headers"]["content-type"].as_str().unwrap().starts_with("multipart/form-data; boundary="));
    assert!(requests[1]["body"].as_str().unwrap().contains("filename=\"note.txt\""));
}

#[test]
fn a_file_outside_a_form_is_sent_as_text() {
    let bench = Bench::new();
    bench.write("a.txt", "from a file\n");
    bench.write("a.bin", b"ab\xff");
    bench.run(["api", "POST", "/v9/x", "-F", "a=@a.txt", "--raw-field", "b=@a.txt"]).code(4);
    assert_eq!(bench.requests()[0]["body"], json!({"a": "from a file\n", "b": "@a.txt"}));
    bench.run(["api", "POST", "/v9/x", "-F", "a=@a.bin"]).code(2).says("invalid UTF-8 at byte 2").says("--form");
}

#[test]
fn all_pages_are_printed_as_one() {
    let bench = Bench::new();
    for n in 0..27 {
        let name = format!("name=S{n}");
        bench.run(["api", "POST", "/v3/style_rules", "-F", "language=en", "-F", &name, "--silent"]).code(0);
    }
    let run = bench.run(["api", "GET", "/v3/style_rules", "--paginate"]).code(0);
    assert_eq!(run.json()["style_rules"].as_array().unwrap().len(), 27);
    let run = bench.run(["api", "GET", "/v3/style_rules?page_size=10&page=1", "--paginate"]).code(0);
    assert_eq!(run.json()["style_rules"].as_array().unwrap().len(), 17);
    let requests = bench.requests();
    let queries: Vec<_> = requests[27..].iter().map(|r| r["query"].as_str().unwrap()).collect();
    assert_eq!(queries, ["page_size=25", "page_size=25&page=1", "page_size=10&page=1", "page_size=10&page=2"]);
    bench.run(["api", "POST", "/v3/style_rules", "--paginate"]).code(2).says("--paginate works with GET only");
}

#[test]
fn a_path_cannot_select_another_server() {
    let bench = Bench::new();
    for path in ["https://elsewhere.example/v2/usage", "//elsewhere.example/x", "/v3/../v2/admin/x", "/v2/%2e%2e/x"] {
        bench.run(["api", "GET", path]).code(2);
    }
    bench.run(["api", "/v2/usage", "GET"]).code(2).says("the method comes first");
    let run = bench.run(["api", "GET"]).code(2).prints("");
    assert_eq!(run.stderr, "error: GET needs a path\n  hint: write it after the method: tulk api GET /v2/usage\n");
    assert!(bench.requests().is_empty());
    bench.run(["api", "GET", "/v2/usage", "-H", "X-Tulk-Sandbox-Fault: redirect=http://127.0.0.1:9/x"]).code(8);
}

#[test]
fn only_admin_paths_use_the_admin_key() {
    let bench = Bench::with(&["--key", "user", "--admin-key", "boss"]);
    let bench = bench.env("TULK_API_KEY", "user").env("TULK_ADMIN_KEY", "boss");
    bench.run(["api", "GET", "/v2/admin/developer-keys"]).code(0);
    bench.run(["api", "GET", "/v2/usage"]).code(0);
    let keys: Vec<_> = bench.requests().iter().map(|r| r["headers"]["authorization"].clone()).collect();
    assert_eq!(keys, ["Service-Auth-Key boss", "Service-Auth-Key user"]);
}

#[test]
fn headers_are_sent_and_secrets_are_not_shown() {
    let bench = Bench::new();
    bench.run(["api", "GET", "/v2/usage", "-H", "Authorization: K-SECRET"]).code(2).says_not("K-SECRET");
    bench.run(["api", "GET", "/v2/usage", "-H", "K-SECRET"]).code(2).says_not("K-SECRET");
    let run = bench
        .run(["-vv", "api", "GET", "/v2/usage?token=K-SECRET", "-H", "X-Api-Key: K-SECRET", "-H", "X-Plain: seen"])
        .code(0)
        .says("seen")
        .says_not("K-SECRET");
    assert!(!run.stderr.contains("sandbox\""), "{run}");
    assert_eq!(bench.requests()[0]["headers"]["x-api-key"], "K-SECRET");
}

#[test]
fn dry_run_prints_the_request_without_the_key() {
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:9");
    bench.run(["api", "POST", "/v1/new", "-F", "n=1.10", "-n"]).code(0).prints(
        "{\"method\":\"POST\",\"url\":\"http://127.0.0.1:9/v1/new\",\"headers\":{\"content-type\":\"application/json\"},\"body\":{\"n\":1.10}}\n",
    );
    bench
        .run(["api", "GET", "/v1/new", "-F", "a=b", "-n"])
        .code(0)
        .prints("{\"method\":\"GET\",\"url\":\"http://127.0.0.1:9/v1/new?a=b\",\"headers\":{}}\n");
}

#[test]
fn retries_an_unknown_request_only_if_it_was_not_executed() {
    let bench = Bench::new();
    let fault = |what: &str| format!("X-Tulk-Sandbox-Fault: {what}");
    bench.run(["api", "GET", "/v2/usage", "-H", &fault("500;times=1;retry-after=0")]).code(0);
    bench.run(["api", "GET", "/v9/x", "-H", &fault("503;times=1;retry-after=0")]).code(4);
    bench.run(["api", "GET", "/v9/x", "-F", "a=1", "-H", &fault("500;times=1")]).code(7);
    bench.run(["api", "POST", "/v9/x", "-H", &fault("drop;times=1")]).code(8).says("may have received the request");
    let paths: Vec<_> = bench.requests().iter().map(|r| r["path"].as_str().unwrap().to_owned()).collect();
    assert_eq!(paths, ["/v2/usage", "/v2/usage", "/v9/x", "/v9/x", "/v9/x", "/v9/x"]);
}

#[test]
fn an_output_file_appears_only_when_complete() {
    let bench = Bench::new();
    bench.write("usage.json", "old");
    let fault = "X-Tulk-Sandbox-Fault: cut";
    bench.run(["api", "GET", "/v2/usage", "-o", "usage.json", "--retries", "0", "-H", fault]).code(8).prints("");
    assert_eq!(bench.read("usage.json"), "old");
    bench.run(["api", "GET", "/v2/usage", "-o", "usage.json"]).code(0).prints("");
    assert!(bench.read("usage.json").starts_with('{'));
}

#[test]
fn prints_a_truncated_answer_once() {
    let bench = Bench::new();
    let run = bench.run(["api", "GET", "/v2/usage", "-H", "X-Tulk-Sandbox-Fault: cut;times=1"]).code(0);
    assert_eq!(run.json()["character_count"], 0);
    assert_eq!(bench.requests().len(), 2);
}

#[test]
fn can_request_an_operation_without_a_command() {
    let bench = Bench::new();
    bench
        .run([
            "api",
            "POST",
            "/v1/quality-evaluation",
            "-F",
            "metadata[source_language]=en",
            "-F",
            "metadata[target_language]=de",
            "-F",
            "segments[][source]=Two apples.",
            "-F",
            "segments[][target]=Drei Äpfel.",
        ])
        .code(0);
    assert_eq!(
        bench.sent(),
        [(
            "POST /v1/quality-evaluation".to_owned(),
            json!({
                "metadata": {"source_language": "en", "target_language": "de"},
                "segments": [{"source": "Two apples.", "target": "Drei Äpfel."}]
            })
        )]
    );
}

#[test]
fn a_text_translation_sends_the_reporting_tag() {
    let bench = Bench::new();
    let tag = ["--reporting-tag", "docs-site"];
    bench.run(tag.iter().chain(&["api", "POST", "/v2/translate", "-F", "target_lang=de", "-F", "text[]=a"])).code(0);
    bench.run(tag.iter().chain(&["api", "GET", "/v2/usage"])).code(0);
    let tags: Vec<_> = bench.requests().iter().map(|r| r["headers"]["x-service-reporting-tag"].clone()).collect();
    assert_eq!(tags, [json!("docs-site"), json!(null)]);
}
