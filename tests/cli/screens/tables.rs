//! Screens of listings, single objects, gauges and reports over time.

use serde_json::json;

use super::check;
use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

/// A machine that uses the embedded sandbox, whose notice has already been printed.
fn bench() -> Bench {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.run(["usage"]).code(0);
    bench
}

/// Waits for the next second of the clock: lists are sorted by time of creation in seconds.
fn next_second() {
    std::thread::sleep(std::time::Duration::from_millis(1010));
}

fn answering(body: &serde_json::Value) -> (Bench, ScriptedServer) {
    let body = body.to_string();
    let server = ScriptedServer::start(move |_| answer(200, &["content-type: application/json"], &body));
    let bench = Bench::bare().env("TULK_SERVER", &server.url);
    (bench.env("TULK_API_KEY", "key").env("TULK_ADMIN_KEY", "key"), server)
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn documents() {
    let bench = bench();
    bench.write("report-2.txt", "The report of the second quarter.\n");
    bench.write("minutes/a very long name of a document about many things.txt", "Minutes.\n");
    bench.run(["doc", "translate", "report-2.txt", "--to", "de"]).code(0);
    next_second();
    bench.run(["doc", "upload", "report-2.txt", "--to", "fr"]).code(0);
    next_second();
    bench
        .run(["doc", "translate", "minutes/a very long name of a document about many things.txt", "--to", "ja"])
        .code(0);
    check(&bench, "doc-list", &["tulk doc list", "tulk doc list --columns status,source"]);
}

#[test]
fn glossaries() {
    let bench = bench();
    bench.write("en-de.tsv", "kettle\tWasserkocher\nlid\tDeckel\n");
    bench.write("en-ja.tsv", "kettle\tやかん\nlid\tふた 🫖\ncup\tكوب\n");
    let dictionaries = ["--dictionary", "en:de=en-de.tsv", "--dictionary", "en:ja=en-ja.tsv"];
    bench.run(["glossary", "create", "Kitchen"].iter().chain(&dictionaries)).code(0);
    next_second();
    bench.run(["glossary", "create", "台所の用語集 👩‍🍳 مطبخ", "--dictionary", "en:ja=en-ja.tsv"]).code(0);
    let commands = ["tulk glossary list", "tulk glossary show Kitchen", "tulk glossary entries Kitchen"];
    check(&bench, "glossary-list", &commands);
}

#[test]
fn developer_keys() {
    let bench = bench();
    for label in ["continuous integration", "website"] {
        bench.run(["admin", "keys", "create", label]).code(0);
        next_second();
    }
    bench.run(["admin", "keys", "limit", "website", "--characters", "1500000"]).code(0);
    check(&bench, "admin-keys-list", &["tulk admin keys list"]);
}

#[test]
fn languages() {
    check(&bench(), "langs-list", &["tulk langs list --resource write", "tulk langs resources"]);
}

#[test]
fn empty_results() {
    let commands = [
        "tulk glossary list",
        "tulk style list",
        "tulk doc list",
        "tulk voice terms list",
        "tulk admin tags --start -7d --end today",
        "tulk glossary list | wc -c",
    ];
    check(&bench(), "empty-results", &commands);
}

#[test]
fn usage() {
    let (bench, _server) = answering(&json!({
        "character_count": 572_345, "character_limit": 1_000_000,
        "products": [
            {"product_type": "translate", "character_count": 512_345, "api_key_character_count": 512_345},
            {"product_type": "write", "character_count": 60_000, "api_key_character_count": 0},
        ],
        "speech_to_text_minutes_count": 42, "document_count": 19, "document_limit": 20,
        "start_time": "2024-11-01T00:00:00Z", "end_time": "2024-12-01T00:00:00Z",
    }));
    check(&bench, "usage", &["tulk usage", "tulk usage --fail-above 90%; echo \"exit code $?\""]);
}

#[test]
fn usage_by_key_and_day() {
    let row = |key: &str, label: &str, day: u64, count: u64| {
        json!({"api_key": key, "api_key_label": label, "usage_date": format!("2024-11-{day:02}T00:00:00Z"),
            "usage": {"total_characters": count, "text_translation_characters": count}})
    };
    let (ci, website) = ("0f2a4c8d-6f4c-4d6b-9b0e-0d6dd1a81e3f", "7d2a4c8d-6f4c-4d6b-9b0e-0d6dd1a81e3f");
    let days = 1..=14u64;
    let rows: Vec<_> = days
        .flat_map(|day| {
            [row(ci, "ci", day, day * 1000), row(website, "website", day, if day == 9 { 812_000 } else { 40 })]
        })
        .collect();
    let total: u64 = 105_000 + 812_000 + 13 * 40;
    let (bench, _server) = answering(&json!({"usage_report": {
        "total_usage": {"total_characters": total, "text_translation_characters": total},
        "start_date": "2024-11-01T00:00:00Z", "end_date": "2024-11-14T00:00:00Z", "group_by": "key_and_day",
        "key_and_day_usages": rows,
    }}));
    let command = "tulk admin usage --by key-and-day --start 2024-11-01 --end 2024-11-14";
    check(&bench, "admin-usage", &[command, &format!("{command} --columns usage_date,total_characters | tail -n 2")]);
}

#[test]
fn usage_by_tag_and_day() {
    let row = |tag: &str, day: u64, count: u64| {
        json!({"custom_tag": tag, "usage_date": format!("2024-11-{day:02}T00:00:00Z"),
            "breakdown": {"total_characters": count, "text_translation_characters": count}})
    };
    let rows: Vec<_> =
        (1..=30).flat_map(|day| [row("docs", day, day * day), row("приложение", day, 900 - day)]).collect();
    let (bench, _server) =
        answering(&json!({"custom_tag_usage_report": {"aggregate_by": "day", "next_page": null, "usage": rows}}));
    check(&bench, "admin-tags", &["tulk admin tags --by day --start 2024-11-01 --end 2024-11-30"]);
}
