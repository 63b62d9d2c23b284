//! `tulk usage`.

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};
use crate::voice;

#[test]
fn shows_counts_limits_and_percent() {
    let bench = Bench::with(&["--engine", "echo", "--character-limit", "1000"]);
    bench.run(["style", "list"]).code(0).prints("");
    let run = bench.run(["usage", "--header", "--columns", "counter,count,limit,percent,unit"]).code(0);
    assert!(
        run.out().starts_with("counter\tcount\tlimit\tpercent\tunit\ncharacter\t0\t1000\t0.0\tcharacters\n"),
        "{run}"
    );
    assert!(run.out().contains("\nspeech_to_text_minutes\t0\t"), "{run}");
    assert!(run.out().contains("\nproducts.write\t0\t\t\tcharacters\n"), "{run}");
    let json = bench.run(["usage", "--json"]).code(0).json();
    assert_eq!((&json["character_count"], &json["character_limit"]), (&0.into(), &1000.into()));
    assert_eq!(bench.sent().last().unwrap().0, "GET /v2/usage");
}

#[test]
fn fails_above_a_share_of_the_limit() {
    let bench = Bench::with(&["--engine", "echo", "--character-limit", "1000"]);
    let body = format!(r#"{{"text":["{}"]}}"#, "x".repeat(805));
    let status = post(&bench, "/v2/write/correct", &body);
    assert_eq!(status, 200);
    bench.run(["usage", "--fail-above", "80.5%"]).code(0);
    bench
        .run(["usage", "--fail-above", "80"])
        .code(1)
        .says("all text: 80.5 % used (805 of 1,000)\n")
        .says_not("error:");
    bench.run(["usage", "--fail-above", "eighty"]).code(2).says("invalid percentage `eighty`");
    bench.run(["usage", "--fail-above", "0", "--json"]).code(1).says_nothing();
    bench.run(["usage", "--fail-above", "0", "-q"]).code(1).says_nothing();
}

/// Posts JSON without tulk, so that the count does not depend on another command.
fn post(bench: &Bench, path: &str, body: &str) -> u16 {
    use std::io::{Read as _, Write as _};
    let host = bench.url().trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Service-Auth-Key sandbox\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn each_kind_of_failure_has_its_exit_code() {
    let bench = Bench::with(&["--fault", "403:1"]);
    bench.run(["usage"]).code(3).prints("");
    let bench = Bench::with(&["--fault", "500:1"]);
    bench.run(["usage", "--retries", "0"]).code(7);
}

fn serve(json: &'static str) -> ScriptedServer {
    ScriptedServer::start(move |_| answer(200, &["content-type: application/json"], json))
}

#[test]
fn shows_speech_products_and_period_with_64_bit_counts() {
    let bench = Bench::new();
    let server = serve(
        r#"{"character_count":9007199254740993,"character_limit":18014398509481986,
            "products":[{"product_type":"write","character_count":7,"api_key_character_count":3},
                        {"product_type":"paint","billing_unit":"strokes","account_unit_count":5}],
            "speech_to_text_milliseconds_count":61000,"speech_to_text_milliseconds_limit":1000000000000,
            "speech_to_text_minutes_count":2,"speech_to_text_minutes_limit":600,
            "start_time":"2026-02-03T00:00:00Z","end_time":"2026-03-03T00:00:00Z"}"#,
    );
    let run = bench.run(["usage", "--server", &server.url]).code(0);
    let rows = [
        "character\t9007199254740993\t18014398509481986\t50.0\tcharacters\t",
        "speech_to_text_minutes\t2\t600\t0.3\tminutes\t",
        "products.write\t7\t\t\tcharacters\t3",
        "products.paint\t5\t\t\tstrokes\t",
    ];
    let expected: Vec<_> =
        rows.iter().map(|row| format!("{row}\t2026-02-03T00:00:00Z\t2026-03-03T00:00:00Z")).collect();
    assert_eq!(run.out().lines().collect::<Vec<_>>(), expected);
    assert!(bench.run(["usage", "--server", &server.url, "--json"]).code(0).out().contains("9007199254740993"));
    bench
        .run(["usage", "--server", &server.url, "--fail-above", "0.3"])
        .code(1)
        .says("speech to text: 0.3 % used (2 of 600 min)\n");
    bench.run(["usage", "--server", &server.url, "--fail-above", "50%"]).code(0);
}

/// An answer in which the counters of speech and documents exceed their limits. The limits differ, and one is 0.
const ALL_COUNTERS: &str = r#"{"character_count":1,"character_limit":500000,
 "products":[{"product_type":"speechToSpeech","billing_unit":"minutes","api_key_unit_count":4,"account_unit_count":12,
              "api_key_character_count":0,"character_count":0}],
 "speech_to_speech_minutes_count":12,"speech_to_speech_minutes_limit":10,
 "document_count":9007199254740993,"document_limit":9007199254740992,
 "team_document_count":1,"team_document_limit":0,
 "start_time":"2026-02-03T00:00:00Z","end_time":"2026-03-03T00:00:00Z"}"#;

#[test]
fn speech_to_speech_and_documents_are_ordinary_counters() {
    let (bench, server) = (Bench::new(), serve(ALL_COUNTERS));
    let run = |args: &[&str]| bench.run([&["usage", "--server", &server.url], args].concat());
    let period = "2026-02-03T00:00:00Z\t2026-03-03T00:00:00Z";
    run(&[]).code(0).prints(format!(
        "character\t1\t500000\t0.0\tcharacters\t\t{period}\n\
         speech_to_speech_minutes\t12\t10\t120.0\tminutes\t\t{period}\n\
         document\t9007199254740993\t9007199254740992\t100.0\tdocuments\t\t{period}\n\
         team_document\t1\t0\t\tdocuments\t\t{period}\n\
         products.speechToSpeech\t12\t\t\tminutes\t4\t{period}\n"
    ));
    run(&["--columns", "unit,counter", "--header"]).code(0).prints(
        "unit\tcounter\ncharacters\tcharacter\nminutes\tspeech_to_speech_minutes\ndocuments\tdocument\n\
         documents\tteam_document\nminutes\tproducts.speechToSpeech\n",
    );
    let table = run(&["--format", "table", "--columns", "counter,count,limit"]).code(0);
    let rows: Vec<Vec<&str>> = table.out().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[2], ["speech_to_speech_minutes", "12", "10"]);
    assert_eq!(run(&["--json"]).code(0).json(), serde_json::from_str::<Value>(ALL_COUNTERS).unwrap());
    run(&["--fail-above", "100"]).code(1).says(
        "speech to speech: 120.0 % used (12 of 10 min); \
         documents: 100.0 % used (9,007,199,254,740,993 of 9,007,199,254,740,992); team documents: used (1 of 0)\n",
    );
    run(&["--fail-above", "120"]).code(1).says("team documents: used (1 of 0)\n");
}

#[test]
fn shows_the_documents_of_the_key_and_of_all_keys() {
    let keys = ["--key", "sandbox", "--key", "other"];
    let limits = ["--engine", "echo", "--document-limit", "3", "--team-document-limit", "2"];
    let bench = Bench::with(&[limits.as_slice(), &keys].concat());
    bench.write("a.txt", "Tea");
    let columns = ["usage", "--columns", "counter,count,limit,percent"];
    let documents = |run: crate::common::Run| -> Vec<String> {
        run.out().lines().filter(|line| line.contains("document")).map(str::to_owned).collect()
    };
    assert_eq!(documents(bench.run(columns).code(0)), ["document\t0\t3\t0.0", "team_document\t0\t2\t0.0"]);
    bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
    let bench = bench.env("TULK_API_KEY", "other");
    assert_eq!(documents(bench.run(columns).code(0)), ["document\t0\t3\t0.0", "team_document\t1\t2\t50.0"]);
    bench.run(["doc", "upload", "a.txt", "--to", "fr"]).code(0);
    bench.run(["usage", "--fail-above", "100"]).code(0);
    bench.run(["usage", "--fail-above", "99.9"]).code(1).says("team documents: 100.0 % used (2 of 2)\n");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "es"]).code(6).prints("");
    run.says("Quota for this billing period has been exceeded: the document limit of the account is 2 (456, trace ")
        .says("hint: the quota of this usage period is used up; `tulk usage` shows it");
    bench.run(["translate", "--to", "de", "Tea"]).code(0).prints("Tea\n");
    let json = bench.run(["usage", "--json"]).code(0).json();
    let counts = ["document_count", "document_limit", "team_document_count", "team_document_limit"];
    assert_eq!(counts.map(|name| json[name].clone()), [1, 3, 2, 2].map(Value::from));
    assert_eq!(json["character_count"], 3, "only the text: no document was downloaded");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn counts_the_speech_minutes_of_sessions() {
    let bench = voice::bench(&[]);
    let speech = || {
        let json = bench.run(["usage", "--json"]).code(0).json();
        assert_eq!(json.get("document_count"), None);
        let names = ["speech_to_text_minutes_count", "speech_to_speech_minutes_count"];
        (names.map(|name| json[name].clone()), json["products"][2].clone(), json["products"][3].clone())
    };
    voice::stream(&bench, &["--to", "de"]).code(0);
    assert_eq!(speech().0, [json!(1), json!(0)]);
    voice::stream(&bench, &["--speak", "de", "--audio-out", "speech.webm"]).code(0);
    let product = |name: &str, minutes: u64| {
        json!({
            "product_type": name, "billing_unit": "minutes",
            "api_key_unit_count": minutes, "account_unit_count": minutes,
            "api_key_character_count": 0, "character_count": 0,
        })
    };
    assert_eq!(speech(), ([json!(2), json!(1)], product("speechToText", 2), product("speechToSpeech", 1)));
}

#[test]
fn the_document_limit_of_the_embedded_sandbox_is_a_setting() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("a.txt", "Tea");
    bench.run(["config", "set", "sandbox.document_limit", "1"]).code(0);
    bench.run(["config", "set", "sandbox.document_limit", "one"]).code(2).says("`one` is not a whole number");
    bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
    bench.run(["doc", "upload", "a.txt", "--to", "fr"]).code(6).says("the document limit of the key is 1");
    let status = bench.run(["sandbox", "status", "--json"]).code(0).json();
    assert_eq!(status["usage"], json!({"document_upload": 1}));
    let bench = bench.env("TULK_SANDBOX_DOCUMENT_LIMIT", "2");
    bench.run(["doc", "upload", "a.txt", "--to", "fr"]).code(0);
    bench.run(["usage", "--fail-above", "99"]).code(1).says("documents: 100.0 % used (2 of 2)\n");
    let bench = bench.env("TULK_SANDBOX_DOCUMENT_LIMIT", "many");
    bench.run(["usage"]).code(2).says("TULK_SANDBOX_DOCUMENT_LIMIT: `many` is not a whole number\n");
}
