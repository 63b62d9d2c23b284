//! `tulk admin`.

use serde_json::json;

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run, wait_for_a_whole_minute_of_today};

/// Starts a sandbox whose user key is `user-key` and whose admin key is `admin-key`.
fn bench() -> Bench {
    wait_for_a_whole_minute_of_today();
    Bench::with(&["--engine", "echo", "--key", "user-key", "--admin-key", "admin-key"])
        .env("TULK_API_KEY", "user-key")
        .env("TULK_ADMIN_KEY", "admin-key")
}

/// Creates a key and returns its ID, which is also the secret in the sandbox.
fn create(bench: &Bench, label: &str) -> String {
    let key = bench.run(["admin", "keys", "create", label, "--json"]).code(0).json();
    assert_eq!(key["label"], label);
    key["key_id"].as_str().unwrap().to_owned()
}

fn translate(bench: &Bench, key: &str, text: &str, tag: &str) -> Run {
    let mut command = bench.command();
    command.args(["translate", "--to", "de", text]).env("TULK_API_KEY", key);
    if !tag.is_empty() {
        command.args(["--reporting-tag", tag]);
    }
    command.output().unwrap().into()
}

/// In UTC, as the service counts days.
fn today(bench: &Bench) -> String {
    first_day(bench, "today")
}

fn first_day(bench: &Bench, start: &str) -> String {
    let run = bench.run(["admin", "usage", "--start", start, "--end", "today", "--json"]).code(0).json();
    run["usage_report"]["start_date"].as_str().unwrap().split('T').next().unwrap().to_owned()
}

#[test]
fn creates_renames_limits_and_deactivates_a_key() {
    let bench = bench();
    let id = create(&bench, "ci");
    translate(&bench, &id, "Hello", "").code(0).prints("Hello\n");
    let renamed = bench.run(["admin", "keys", "rename", "ci", "build", "--json"]).code(0).json();
    assert_eq!((renamed["key_id"].as_str(), renamed["label"].as_str()), (Some(id.as_str()), Some("build")));
    let limit =
        ["admin", "keys", "limit", "build", "--characters", "8", "--speech-to-text-milliseconds", "0", "--json"];
    let limited = bench.run(limit).code(0).json();
    assert_eq!(limited["usage_limits"], json!({"characters": 8, "speech_to_text_milliseconds": 0}));
    translate(&bench, &id, "World", "").code(6).says("quota");
    bench.run(["admin", "keys", "limit", "build", "--characters", "none"]).code(0);
    translate(&bench, &id, "World", "").code(0);
    bench.run(["admin", "keys", "deactivate", "build"]).code(2).says("--yes");
    translate(&bench, &id, "World", "").code(0);
    let deactivated = bench.run(["admin", "keys", "deactivate", "build", "--yes", "--json"]).code(0).json();
    assert_eq!(deactivated["is_deactivated"], true);
    translate(&bench, &id, "World", "").code(3);
    bench.run(["admin", "keys", "rename", "build", "x"]).code(4).says("the developer key `build` is deactivated");
    let list = bench.run(["admin", "keys", "list"]).code(0);
    assert!(list.out().starts_with(&format!("{id}\tbuild\ttrue\t")), "{list}");
}

#[test]
fn limits_the_list_of_keys_to_n_rows() {
    let bench = bench();
    for label in ["one", "two", "three"] {
        create(&bench, label);
    }
    bench.run(["admin", "keys", "list", "--limit", "2", "--columns", "label"]).code(0).prints("one\ntwo\n");
    assert_eq!(
        bench.run(["admin", "keys", "list", "--limit", "1", "--json"]).code(0).json().as_array().unwrap().len(),
        1
    );
}

#[test]
fn sends_exactly_the_given_fields() {
    let bench = bench();
    let id = create(&bench, "ci");
    for args in [
        &["admin", "keys", "rename", &id, "web"][..],
        &["admin", "keys", "limit", &id, "--characters", "5000000000"],
        &["admin", "keys", "limit", &id, "--characters", "none", "--speech-to-text-milliseconds", "60000"],
        &["admin", "keys", "limit", &id, "--speech-to-text-milliseconds", "none"],
        &["admin", "keys", "deactivate", &id, "--yes"],
    ] {
        bench.run(args).code(0);
    }
    assert_eq!(
        bench.sent(),
        [
            ("POST /v2/admin/developer-keys".to_owned(), json!({"label": "ci"})),
            ("PUT /v2/admin/developer-keys/label".to_owned(), json!({"key_id": id, "label": "web"})),
            ("PUT /v2/admin/developer-keys/limits".to_owned(), json!({"key_id": id, "characters": 5_000_000_000_u64})),
            (
                "PUT /v2/admin/developer-keys/limits".to_owned(),
                json!({"key_id": id, "characters": null, "speech_to_text_milliseconds": 60000})
            ),
            (
                "PUT /v2/admin/developer-keys/limits".to_owned(),
                json!({"key_id": id, "speech_to_text_milliseconds": null})
            ),
            ("PUT /v2/admin/developer-keys/deactivate".to_owned(), json!({"key_id": id})),
        ]
    );
}

#[test]
fn refuses_unknown_and_ambiguous_labels() {
    let bench = bench();
    let (one, two) = (create(&bench, "web"), create(&bench, "web"));
    let run = bench
        .run(["admin", "keys", "limit", "web", "--characters", "1"])
        .code(2)
        .says("2 developer keys are named `web`");
    for id in [&one, &two] {
        let ends = format!("{}****{} (created 20", id.get(..4).unwrap(), id.get(id.len() - 4..).unwrap());
        assert!(run.stderr.contains(&ends) && !run.stderr.contains(id), "{run}");
    }
    bench.run(["admin", "keys", "limit", "wep", "--characters", "1"]).code(4).says("did you mean `web`?");
    let unknown = "11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000";
    bench.run(["admin", "keys", "rename", unknown, "x"]).code(4).says("keys list").says_not(unknown);
}

#[test]
fn a_limit_is_a_number_or_none() {
    let bench = bench();
    let id = create(&bench, "web");
    bench.run(["admin", "keys", "limit", &id]).code(2).says("--characters <N|none>");
    for wrong in ["-1", "many", "1.5", ""] {
        bench.run(["admin", "keys", "limit", &id, "--characters", wrong]).code(2).says("a whole number or none");
    }
    assert_eq!(bench.sent().len(), 1, "the creation only");
}

#[test]
fn reports_usage_by_key_and_day_with_totals() {
    let bench = bench();
    let id = create(&bench, "ci");
    translate(&bench, &id, "Hello", "").code(0);
    translate(&bench, &id, "World!", "").code(0);
    let masked = format!("{}****{}", id.get(..4).unwrap(), id.get(id.len() - 4..).unwrap());
    let usage = |more: &[&str]| {
        let args = ["admin", "usage", "--start", "-1d", "--end", "today"];
        bench.run(args.iter().chain(more)).code(0)
    };
    usage(&["--by", "key"]).prints(format!("{masked}\tci\t11\t11\t0\t0\t0\t\n"));
    let day = today(&bench);
    usage(&["--by", "key-and-day"]).prints(format!("{masked}\tci\t{day}T00:00:00Z\t11\t11\t0\t0\t0\t\n"));
    let table = usage(&["--by", "key", "--format", "table"]);
    let (yesterday, day) = (first_day(&bench, "-1d"), day.as_str());
    table.prints(format!(
        "KEY           LABEL  TOTAL  TEXT  DOCUMENTS  WRITE  SPEECH MIN\n\
         {masked}  ci        11    11          0      0           0\n\
         total                   11    11          0      0           0\n\
         {yesterday} to {day}\n"
    ));
    let table = usage(&["--by", "key-and-day", "--format", "table"]);
    let last: Vec<&str> = table.out().lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(last, ["total", "11", "11", "0", "0", "0"], "{table}");
    let json = usage(&["--by", "key", "--json"]).json();
    assert_eq!(json["usage_report"]["total_usage"]["total_characters"], 11);
    assert_eq!(json["usage_report"]["key_usages"][0]["api_key_label"], "ci");
}

#[test]
fn reports_tags_from_all_pages() {
    let bench = bench();
    for n in 0..25 {
        let tag = format!("tag-{n:03}");
        bench.run(["translate", "--to", "de", "--reporting-tag", &tag, "Hi"]).code(0);
    }
    let args = ["admin", "tags", "--start", "today", "--end", "today"];
    let run = bench.run(args).code(0);
    assert_eq!(run.out().lines().count(), 25, "{run}");
    assert_eq!(run.out().lines().next().unwrap(), "tag-000\t2\t2\t0\t0\t0");
    let pages = bench.requests().iter().filter(|r| r["path"] == "/v2/admin/analytics/custom-tags").count();
    assert_eq!(pages, 3);
    let by_day = bench.run(args.iter().chain(&["--by", "day"])).code(0);
    assert_eq!(by_day.out().lines().next().unwrap(), format!("tag-000\t{}T00:00:00Z\t2\t2\t0\t0\t0", today(&bench)));
    let json = bench.run(args.iter().chain(&["--by", "day", "--json"])).code(0).json();
    let report = &json["custom_tag_usage_report"];
    assert_eq!((report["usage"].as_array().unwrap().len(), &report["next_page"]), (25, &json!(null)));
    let table = bench.run(args.iter().chain(&["--format", "table"])).code(0);
    let end: Vec<&str> = table.out().lines().skip(26).collect();
    let today = today(&bench);
    assert_eq!(end, ["total       50    50      0", &format!("{today} to {today}")], "{table}");
}

#[test]
fn reports_speech_to_speech_minutes() {
    let server = ScriptedServer::start(|request| {
        let body = if request.starts_with("GET /v2/admin/analytics/custom-tags?") {
            r#"{"custom_tag_usage_report":{"start_date":"2026-04-01T00:00:00","end_date":"2026-04-02T00:00:00","next_page":null,
                "usage":[{"custom_tag":"a","breakdown":{"total_characters":9,"text_translation_characters":9,
                "text_improvement_characters":0,"speech_to_text_minutes":1.5,"speech_to_speech_minutes":2}}]}}"#
        } else {
            r#"{"usage_report":{"start_date":"2026-04-01T00:00:00","end_date":"2026-04-02T00:00:00",
                "total_usage":{"total_characters":9,"speech_to_text_minutes":1.5,"speech_to_speech_minutes":2.5}}}"#
        };
        answer(200, &["Content-Type: application/json"], body)
    });
    let bench = bench().env("TULK_SERVER", &server.url);
    let run = |command: &str, more: &[&str]| {
        let args = ["admin", command, "--start", "2026-04-01", "--end", "2026-04-02"];
        bench.run(args.iter().chain(more)).code(0)
    };
    run("usage", &["--columns", "total_characters,speech_to_text_minutes,speech_to_speech_minutes"])
        .prints("9\t1.5\t2.5\n");
    run("tags", &[]).prints("a\t9\t9\t0\t1.5\t2\n");
    run("tags", &["--format", "table"]).prints(
        "TAG    TOTAL  TEXT  WRITE  SPEECH MIN  TO SPEECH MIN\n\
         a          9     9      0         1.5              2\n\
         total      9     9      0         1.5              2\n\
         2026-04-01 to 2026-04-02\n",
    );
}

#[test]
fn reports_language_pairs_by_key_and_day() {
    let bench = bench();
    let id = create(&bench, "ci");
    for (from, to, text) in [("en", "de", "Hello"), ("en", "fr", "Hello"), ("de", "en", "Hallo Welt")] {
        bench.run(["translate", "--from", from, "--to", to, text]).code(0);
    }
    translate(&bench, &id, "Where is the train station?", "").code(0);
    let pairs = |more: &[&str]| bench.run(["admin", "pairs", "--start", "today"].iter().chain(more)).code(0);
    pairs(&[]).prints("de\ten\t10\t10\t0\t0\t0\t0\nen\tde\t32\t32\t0\t0\t0\t0\nen\tfr\t5\t5\t0\t0\t0\t0\n");
    let (masked, day) = (format!("{}****{}", id.get(..4).unwrap(), id.get(id.len() - 4..).unwrap()), today(&bench));
    let by_key = pairs(&["--by", "key"]);
    assert!(by_key.out().contains(&format!("en\tde\t{masked}\tci\t27\t27\t0\t0\t0\t0\n")), "{by_key}");
    assert!(by_key.out().contains("en\tde\t****\tSandbox\t5\t5\t0\t0\t0\t0\n"), "{by_key}");
    let by_day = pairs(&["--by", "day"]);
    assert!(by_day.out().starts_with(&format!("de\ten\t{day}T00:00:00Z\t10\t10\t")), "{by_day}");
    let both = pairs(&["--by", "key-and-day"]);
    assert!(both.out().contains(&format!("en\tde\t{masked}\tci\t{day}T00:00:00Z\t27\t")), "{both}");
    let queries: Vec<_> = bench
        .requests()
        .iter()
        .filter(|request| request["path"] == "/v2/admin/analytics/language-pairs")
        .map(|request| request["query"].as_str().unwrap().replace(&day, "DAY"))
        .collect();
    let range = "end_date=DAY";
    assert_eq!(
        queries,
        [
            format!("{range}&start_date=DAY"),
            format!("{range}&group_by=key&start_date=DAY"),
            format!("aggregate_by=day&{range}&start_date=DAY"),
            format!("aggregate_by=day&{range}&group_by=key&start_date=DAY"),
        ]
    );
    pairs(&["--format", "table"]).prints(format!(
        "FROM   TO  TOTAL  TEXT  DOCUMENTS  WRITE  SPEECH MIN\n\
         de     en     10    10          0      0           0\n\
         en     de     32    32          0      0           0\n\
         en     fr      5     5          0      0           0\n\
         total         47    47          0      0           0\n\
         {day} to {day}\n"
    ));
}

#[test]
fn a_voice_session_counts_once_per_target() {
    let bench = bench();
    bench.write("a.raw", [0_u8; 3200]);
    let content_type = "audio/pcm;encoding=s16le;rate=16000";
    bench
        .run(["voice", "stream", "a.raw", "--content-type", content_type, "--to", "de,fr", "--format", "jsonl"])
        .code(0);
    bench
        .run(["admin", "pairs", "--start", "today"])
        .code(0)
        .prints("unknown\tde\t0\t0\t0\t0\t1\t0\nunknown\tfr\t0\t0\t0\t0\t1\t0\n");
}

#[test]
fn reads_all_pages_of_language_pairs_including_usage_without_a_key() {
    let server = ScriptedServer::start(|request| {
        let usage = |characters: u64, minutes: f64| {
            json!({"total_characters": characters, "text_translation_characters": characters,
                "document_translation_characters": 0, "text_improvement_characters": 0,
                "speech_to_text_minutes": minutes, "speech_to_speech_minutes": 0})
        };
        let entry = |source: &str, key: &str, label: &str, day: &str, usage| {
            json!({"source_language": source, "target_language": "ja", "api_key": key, "api_key_label": label,
                "usage_date": day, "usage": usage})
        };
        let (group_by, next, entries) = if request.contains("page=17") {
            (json!("key"), json!(null), vec![entry("unknown", "-", "unknown", "2026-11-02", usage(0, 0.2))])
        } else {
            let ci = entry("en", "abcd****wxyz", "ci", "2026-11-01T09:30:00.5", usage(30, 0.1));
            (json!(["key"]), json!(17), vec![ci])
        };
        let report = json!({"group_by": group_by, "aggregate_by": "day", "start_date": "2026-11-01T00:00:00",
            "end_date": "2026-11-02T00:00:00", "next_page": next, "language_pair_usages": entries});
        let body = json!({"language_pair_usage_report": report}).to_string();
        answer(200, &["Content-Type: application/json"], body)
    });
    let bench = bench().env("TULK_SERVER", &server.url);
    let args = ["admin", "pairs", "--start", "2026-11-01", "--end", "2026-11-02", "--by", "key-and-day"];
    bench.run(args).code(0).prints(
        "en\tja\tabcd****wxyz\tci\t2026-11-01T09:30:00.5\t30\t30\t0\t0\t0.1\t0\n\
         unknown\tja\t-\tunknown\t2026-11-02\t0\t0\t0\t0\t0.2\t0\n",
    );
    bench.run(args.iter().chain(&["--format", "table"])).code(0).prints(
        "FROM     TO  KEY           LABEL    DAY         TOTAL  TEXT  DOCUMENTS  WRITE  SPEECH MIN\n\
         en       ja  abcd****wxyz  ci       2026-11-01     30    30          0      0         0.1\n\
         unknown  ja  -             unknown  2026-11-02      0     0          0      0         0.2\n\
         total                                              30    30          0      0         0.3\n\
         2026-11-01 to 2026-11-02\n",
    );
    let json = bench.run(args.iter().chain(&["--json"])).code(0).json();
    let report = &json["language_pair_usage_report"];
    assert_eq!((report["language_pair_usages"].as_array().unwrap().len(), &report["next_page"]), (2, &json!(null)));
    assert_eq!(server.requests().len(), 6);
}

#[test]
fn a_403_explains_that_the_plan_may_lack_language_pair_reports() {
    let server =
        ScriptedServer::start(|_| answer(403, &["Content-Type: application/json"], r#"{"message":"Forbidden"}"#));
    let bench = bench();
    bench
        .run(["admin", "pairs", "--server", &server.url])
        .code(3)
        .prints("")
        .says("or the plan does not have this report; this requires an admin key");
}

#[test]
fn no_check_allows_grouping_by_unknown_words() {
    let bench = bench();
    for (verb, near, known) in [
        ("usage", "key", "key, key-and-day"),
        ("tags", "day", "period, day"),
        ("pairs", "day", "key, day, key-and-day"),
    ] {
        let line = ["admin", verb, "--start", "today", "--end", "today", "--by"];
        let run = bench.run(line.into_iter().chain([format!("{near}s").as_str()])).code(2).prints("");
        run.says(&format!(
            "error: --by: invalid value `{near}s`\n  hint: did you mean `{near}`? valid values: {known}; --no-check sends any \
             other word\n"
        ));
        let before = bench.requests().len();
        let run = bench.run(line.into_iter().chain(["week", "--no-check"]));
        assert_ne!(run.code, 2, "{run}");
        let query = bench.requests()[before]["query"].as_str().unwrap().to_owned();
        assert!(query.contains("_by=week&"), "{query}");
    }
}

#[test]
fn checks_date_ranges_before_sending() {
    let bench = bench();
    for (start, end, message) in [
        ("2026-03-02", "2026-03-01", "before its start"),
        ("2025-01-01", "2026-03-01", "the limit is 366"),
        ("2026-02-29", "2026-03-01", "2026-02-29"),
        ("yesterday", "today", "yesterday"),
        ("-3d", "-9d", "before its start"),
    ] {
        bench.run(["admin", "usage", "--start", start, "--end", end]).code(2).says(message);
        bench.run(["admin", "tags", "--start", start, "--end", end]).code(2).says(message);
        bench.run(["admin", "pairs", "--start", start, "--end", end]).code(2).says(message);
    }
    assert_eq!(bench.requests().len(), 0);
    bench.run(["admin", "usage", "--start", "2024-01-01", "--end", "2024-12-31"]).code(0);
}

#[test]
fn allows_25_active_keys() {
    let bench = bench();
    for n in 0..25 {
        create(&bench, &format!("k{n}"));
    }
    bench.run(["admin", "keys", "create", "k25"]).code(5).says("25");
    bench.run(["admin", "keys", "deactivate", "k0", "--yes"]).code(0);
    create(&bench, "k25");
}

#[test]
fn dry_run_changes_nothing() {
    let bench = bench();
    let id = create(&bench, "ci");
    let run = bench.run(["--dry-run", "admin", "keys", "deactivate", &id]).code(0);
    assert_eq!(run.json()["body"], json!({"key_id": "***"}));
    bench.run(["--dry-run", "admin", "keys", "create", "x"]).code(0);
    translate(&bench, &id, "Hello", "").code(0);
    assert_eq!(bench.run(["admin", "keys", "list"]).code(0).out().lines().count(), 1);
}
