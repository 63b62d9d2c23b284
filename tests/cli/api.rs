//! `tulk api`: fields, bodies, answers and pages.

use serde_json::json;

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, wait_until};

#[test]
fn fields_become_json_and_the_answer_is_unchanged() {
    let bench = Bench::new();
    bench
        .run([
            "api",
            "POST",
            "/v2/translate",
            "-F",
            "target_lang=de",
            "-F",
            "text[]=Hello",
            "-F",
            "text[]=1",
            "-f",
            "text[]=1",
        ])
        .code(5);
    bench
        .run([
            "api",
            "post",
            "v2/translate",
            "-F",
            "target_lang=de",
            "-F",
            "text[]=Hello",
            "-F",
            "preserve_formatting=true",
        ])
        .code(0)
        .prints(r#"{"translations":[{"detected_source_language":"EN","text":"Hello"}]}"#);
    assert_eq!(
        bench.sent(),
        [
            ("POST /v2/translate".to_owned(), json!({"target_lang": "de", "text": ["Hello", 1, "1"]})),
            (
                "POST /v2/translate".to_owned(),
                json!({"target_lang": "de", "text": ["Hello"], "preserve_formatting": true})
            ),
        ]
    );
}

#[test]
fn values_can_come_from_files_and_stdin() {
    let bench = Bench::new();
    bench.write("a.txt", "from a file");
    let args = ["api", "POST", "/v2/translate", "-F", "target_lang=de", "-F", "text[]=@a.txt", "-F", "text[]=@-"];
    let run = bench.pipe("from stdin", args).code(0).json();
    assert_eq!(run["translations"][0]["text"], "from a file");
    assert_eq!(run["translations"][1]["text"], "from stdin");
    bench.run(["api", "POST", "/x", "-F", "a=@-", "-F", "b=@-"]).code(2).says("-F a=@- and -F b=@- both read stdin");
    bench.run(["api", "POST", "/x", "-F", "a=@none.txt"]).code(2).says("none.txt");
    bench.write("latin1.txt", b"caf\xe9");
    bench.run(["api", "POST", "/x", "-F", "a=@latin1.txt"]).code(2).says("invalid UTF-8 at byte 3");
}

#[test]
fn fields_become_a_form_a_query_or_a_body() {
    let bench = Bench::new();
    bench
        .run(["api", "POST", "/v2/translate", "--form", "-F", "target_lang=de", "-F", "text[]=a&b", "-F", "text[]=c"])
        .code(0);
    bench.run(["api", "GET", "/v3/style_rules", "-F", "page_size=5", "-F", "detailed=true"]).code(0);
    bench.pipe(r#"{"text":["x"],"target_lang":"de"}"#, ["api", "POST", "/v2/translate", "--input", "-"]).code(0);
    let requests = bench.requests();
    assert_eq!(requests[1]["query"], "page_size=5&detailed=true");
    assert_eq!(requests[2]["body"], json!({"text": ["x"], "target_lang": "de"}));
    bench.pipe("not json", ["api", "POST", "/v2/translate", "--input", "-"]).code(2).says("invalid JSON");
    let typed =
        ["api", "POST", "/v2/translate", "--input", "-", "-H", "content-type: application/x-www-form-urlencoded"];
    bench.pipe("text=hi&target_lang=de", typed).code(0).says_not("error");
    bench.run(["api", "GET", "/v2/usage", "--form"]).code(2);
    let dictionary = [
        "dictionaries[0].source_lang=en",
        "dictionaries[0].target_lang=de",
        "dictionaries[0].entries_format=csv",
        "dictionaries[0].entries=tea,Tee",
    ];
    let fields = ["name=Tea"].into_iter().chain(dictionary).flat_map(|field| ["-f", field]);
    let create = ["api", "POST", "/v3/glossaries"].into_iter().chain(fields);
    bench.run(create.clone()).code(2).says("invalid field name `dictionaries[0].source_lang`");
    bench.run(create.chain(["--form", "--silent"])).code(0);
    bench.run(["glossary", "entries", "Tea", "en:de"]).code(0).prints("tea\tTee\n");
    bench.run(["api", "POST", "/v2/translate", "-F", "a=1", "-H", "Content-Type: text/plain"]).code(2).says("--input");
}

#[test]
fn a_document_is_uploaded_as_multipart() {
    let bench = Bench::new();
    bench.write("a.txt", "Hello");
    let handle = bench.run(["api", "POST", "/v2/document", "-F", "target_lang=de", "-F", "file=@a.txt"]).code(0).json();
    let path = format!("/v2/document/{}", handle["document_id"].as_str().unwrap());
    let key = format!("document_key={}", handle["document_key"].as_str().unwrap());
    wait_until("the translation", || bench.run(["api", "POST", &path, "-F", &key]).code(0).json()["status"] == "done");
    bench.run(["api", "POST", &format!("{path}/result"), "-F", &key]).code(0).prints("Hello");
    bench
        .run(["api", "POST", "/v2/document", "-F", "target_lang=de", "-F", "file=@."])
        .code(2)
        .says("it is a directory");
}

#[test]
fn a_refusal_prints_its_body_and_sets_the_exit_code() {
    let bench = Bench::new();
    let run = bench.run(["api", "POST", "/v2/translate", "-F", "target_lang=xx", "-F", "text[]=a"]).code(5);
    assert!(run.json()["message"].is_string(), "{run}");
    bench.run(["api", "GET", "/v3/nothing"]).code(4).prints(r#"{"message":"There is nothing at this address."}"#);
    bench.run(["api", "GET", "/v3/nothing", "--silent"]).code(4).prints("");
    bench.run(["api", "GET", "/v2/usage", "--silent"]).code(0).prints("");
    bench.env("TULK_API_KEY", "wrong").run(["api", "GET", "/v2/usage"]).code(3);
}

#[test]
fn include_prints_status_and_headers_first() {
    let bench = Bench::new();
    let run = bench.run(["api", "GET", "/v3/nothing", "-i"]).code(4);
    assert!(run.out().starts_with("HTTP 404 Not Found\n"), "{run}");
    assert!(run.out().contains("\ncontent-type: application/json\n"), "{run}");
    assert!(run.out().ends_with("\n\n{\"message\":\"There is nothing at this address.\"}"), "{run}");
    let run = bench.run(["api", "GET", "/v2/usage", "--include", "--silent"]).code(0);
    assert!(run.out().starts_with("HTTP 200 OK\n") && run.out().ends_with("\n\n"), "{run}");
}

#[test]
fn merges_pages() {
    let bench = Bench::new();
    for n in 0..30 {
        bench
            .run(["api", "POST", "/v3/style_rules", "-F", "language=en", "-F", &format!("name=list {n}"), "--silent"])
            .code(0);
    }
    let count = |args: &[&str]| {
        let run = bench.run(["api", "GET"].iter().chain(args).chain(&["--paginate"])).code(0).json();
        run["style_rules"].as_array().unwrap().len()
    };
    assert_eq!(count(&["/v3/style_rules"]), 30);
    assert_eq!(count(&["/v3/style_rules?page_size=7"]), 30);
    assert_eq!(count(&["/v3/style_rules", "-F", "page_size=7", "-F", "page=3"]), 9);
    let queries: Vec<_> = bench.requests().iter().map(|r| r["query"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(queries[30..32], ["page_size=25", "page_size=25&page=1"]);
    let run = bench.run(["api", "GET", "/v3/translation_memories", "--paginate", "--format", "jsonl"]).code(0);
    assert_eq!(run.json()["translation_memories"], json!([]));
    let run = bench.run(["api", "GET", "/v3/style_rules", "--paginate", "--silent"]).code(0);
    run.says("/v3/style_rules: 2 pages: the last one has fewer than 25 elements\n");
    bench
        .run(["api", "GET", "/v3/style_rules?page_size=20", "--paginate", "--silent", "-q"])
        .code(0)
        .says_not(" pages: ");
    bench.run(["api", "GET", "/v2/usage", "--paginate"]).code(0).says("/v2/usage may have no pages");
    bench.run(["api", "POST", "/v2/translate", "--paginate"]).code(2).says("--paginate works with GET only");
}

#[test]
fn follows_cursors_until_an_answer_has_none() {
    let server = ScriptedServer::start(|request| {
        let body = match request.lines().next().unwrap_or_default() {
            "GET /v3/translation_memories/T/segments?page_size=2 HTTP/1.1" => {
                r#"{"segments":[{"source_segment_id":"1"},{"source_segment_id":"2"}],"segment_count":3,"next_page_cursor":"b z="}"#
            }
            "GET /v3/translation_memories/T/segments?page_size=2&page_cursor=b%20z%3D HTTP/1.1" => {
                r#"{"segments":[{"source_segment_id":"3"}],"segment_count":3}"#
            }
            other => panic!("{other}"),
        };
        answer(200, &["Content-Type: application/json"], body)
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-1");
    let path = "/v3/translation_memories/T/segments";
    let run = bench
        .run(["api", "GET", path, "-F", "page_size=2", "--paginate"])
        .code(0)
        .says(&format!("{path}: 2 pages: the last one has no `next_page_cursor`\n"));
    let ids = r#"{"source_segment_id":"1"},{"source_segment_id":"2"},{"source_segment_id":"3"}"#;
    run.prints(format!(r#"{{"segments":[{ids}],"segment_count":3}}"#));
}

#[test]
fn forms_have_booleans_as_numbers_and_keep_brackets() {
    let bench = Bench::new();
    let fields = ["target_lang=de", "text[]=Tea", "show_billed_characters=true", "preserve_formatting=false"];
    let args = ["api", "POST", "/v2/translate", "--form"].into_iter().chain(fields.iter().flat_map(|f| ["-F", f]));
    let run = bench.run(args).code(0).json();
    assert_eq!(run["translations"][0]["billed_characters"], 3);
    let server = ScriptedServer::start(|_| answer(200, &[], "{}"));
    let bench = bench.env("TULK_SERVER", &server.url);
    let body = |args: &[&str]| {
        bench.run([&["api", "POST", "/v9/x", "--form"], args].concat()).code(0);
        server.requests().pop().unwrap().split_once("\r\n\r\n").unwrap().1.to_owned()
    };
    assert_eq!(body(&["-F", "a=true", "-F", "b=false", "-f", "c=true", "-F", "d=1.10"]), "a=1&b=0&c=true&d=1.10");
    let entries = ["-f", "dictionaries[][source_lang]=en", "-f", "dictionaries[][entries]=a", "-f", "m[x][]=y"];
    assert_eq!(
        body(&entries).replace("%5B", "[").replace("%5D", "]"),
        "dictionaries[][source_lang]=en&dictionaries[][entries]=a&m[x]=y"
    );
    bench.write("a.txt", "Tea");
    let multipart = body(&["-F", "file=@a.txt", "-F", "enable_watermark=true"]);
    assert!(multipart.contains("name=\"enable_watermark\"\r\n\r\ntrue\r\n"), "{multipart}");
}

#[test]
fn sends_the_key_only_to_the_server_and_never_shows_it() {
    let bench = Bench::with(&["--key", "secret-key"]).env("TULK_API_KEY", "secret-key");
    for path in
        ["https://example.org/v2/usage", "//example.org/v2/usage", "/v2/admin/../usage", "/v2/%2e%2E/usage", "/v2/a b"]
    {
        bench.run(["api", "GET", path]).code(2);
    }
    for header in ["Authorization: Service-Auth-Key x", "Host: example.org", "Content-Length: 1"] {
        bench
            .run(["api", "GET", "/v2/usage", "-H", header])
            .code(2)
            .says("-H cannot set the header")
            .says_not("Auth-Key x");
    }
    bench.run(["api", "GET", "/v2/usage", "-H", "no colon"]).code(2);
    assert_eq!(bench.requests().len(), 0);
    let run =
        bench.run(["api", "POST", "/v2/translate", "-F", "text[]=a", "-F", "target_lang=de", "-vv", "-i"]).code(0);
    assert!(!run.stderr.contains("secret-key") && !run.out().contains("secret-key"), "{run}");
    let plan = bench.run(["--dry-run", "api", "POST", "/v2/translate", "-F", "text[]=a", "-H", "X-A: b"]).code(0);
    assert_eq!(
        plan.json(),
        json!({
            "method": "POST", "url": format!("{}/v2/translate", bench.url()),
            "headers": {"x-a": "b", "content-type": "application/json"}, "body": {"text": ["a"]},
        })
    );
}

#[test]
fn retries_a_request_to_an_unknown_path_only_if_it_was_not_executed() {
    let bench = Bench::with(&["--fault", "503;times=1;path=/v1/*", "--fault", "500;times=1;path=/v3/unknown"]);
    bench.run(["api", "POST", "/v1/unknown", "-F", "segments[]=x"]).code(4);
    bench.run(["api", "POST", "/v3/unknown"]).code(7);
    let sent: Vec<_> = bench.sent().into_iter().map(|(what, _)| what).collect();
    assert_eq!(sent, ["POST /v1/unknown", "POST /v1/unknown", "POST /v3/unknown"]);
}

#[test]
fn refuses_invalid_arguments() {
    let bench = Bench::new();
    bench.run(["api", "FETCH", "/v2/usage"]).code(2).says("invalid method `FETCH`");
    bench.run(["api", "POST", "/x", "-F", "novalue"]).code(2).says("NAME=VALUE");
    bench.run(["api", "POST", "/x", "-F", "a=1", "-F", "a=2"]).code(2).says("the field a is given twice");
    bench.run(["api", "GET", "/v2/usage", "--format", "table"]).code(2);
}

#[test]
fn the_default_method_is_get_or_post_with_a_body() {
    let bench = Bench::new();
    bench.write("body.json", r#"{"target_lang":"de","text":["Hi"]}"#);
    bench.run(["api", "/v2/usage"]).code(0);
    bench.run(["api", "v2/usage", "-i"]).code(0);
    let answer = r#"{"translations":[{"detected_source_language":"EN","text":"Hi"}]}"#;
    bench.run(["api", "/v2/translate", "-F", "target_lang=de", "-F", "text[]=Hi"]).code(0).prints(answer);
    bench.run(["api", "/v2/translate", "--input", "body.json"]).code(0).prints(answer);
    bench.run(["api", "/v2/translate", "--form", "-f", "target_lang=de", "-f", "text=Hi"]).code(0).prints(answer);
    bench.run(["api", "GET", "/v3/languages", "-F", "resource=glossary"]).code(0);
    let sent: Vec<String> = bench.sent().into_iter().map(|(request, _)| request).collect();
    let post = "POST /v2/translate";
    assert_eq!(sent, ["GET /v2/usage", "GET /v2/usage", post, post, post, "GET /v3/languages"]);
    bench.run(["api", "/v3/languages", "--paginate", "-F", "resource=glossary"]).code(2).says("works with GET only");
}
