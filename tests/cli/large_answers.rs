//! Answers and listings beyond what a command may hold in memory: they are refused with the limit, using little memory.

#[cfg(target_os = "linux")]
use std::process::Stdio;
#[cfg(target_os = "linux")]
use std::time::Duration;

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

fn bench(server: &ScriptedServer) -> Bench {
    Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-1").env("TULK_ADMIN_KEY", "k-2")
}

fn path(request: &str) -> &str {
    request.split(['?', ' ']).nth(1).unwrap_or_default()
}

fn page(request: &str) -> usize {
    let query = request.split(' ').nth(1).and_then(|target| target.split_once('?')).map_or("", |(_, query)| query);
    query.split('&').find_map(|pair| pair.strip_prefix("page=")?.parse().ok()).unwrap_or(0)
}

fn list(path: &str, items: &str) -> String {
    match path {
        "/v3/style_rules" => format!(r#"{{"style_rules":[{items}]}}"#),
        "/v3/style_profiles" => format!(r#"{{"style_profiles":[{items}]}}"#),
        "/v3/translation_memories" => format!(r#"{{"translation_memories":[{items}]}}"#),
        "/v3/glossaries" | "/v2/glossaries" => format!(r#"{{"glossaries":[{items}]}}"#),
        "/v3/spoken-terms" => format!(r#"{{"spoken_terms":[{items}]}}"#),
        _ => format!("[{items}]"),
    }
}

const READERS: &[&str] = &[
    "usage",
    "glossary list",
    "glossary show Tea",
    "glossary v2 list",
    "style list",
    "style show Tea",
    "style profile list",
    "tm list",
    "admin keys list",
    "admin usage --start 2026-01-01 --end 2026-01-02",
    "admin tags --start 2026-01-01 --end 2026-01-02",
    "voice terms list",
    "api /v2/usage --jq length",
    "api /v2/usage --paginate",
];

#[cfg(target_os = "linux")]
#[test]
fn refuses_a_million_objects_before_holding_them_in_memory() {
    for item in [r#"{"glossary_id":"a","name":"n","style_id":"a","key_id":"k","label":"l"},"#, "{},", "[],"] {
        let server =
            ScriptedServer::start(move |request| answer(200, &[], list(path(request), &item.repeat(1_000_000))));
        let bench = bench(&server);
        for command in READERS {
            // Enough for the program; the answer would need several times as much.
            let run = bench.bash(&format!("ulimit -v 400000; tulk {command}"));
            let run = run.code(8).prints("").says("has more than 50,000 objects and lists");
            assert!(run.stderr.len() < 600, "{command}: {run}");
        }
    }
}

/// Returns how much more memory in MiB each command needs at its peak than `glossary list`, for a dictionary of `entries` short entries.
#[cfg(target_os = "linux")]
fn memory_of_entries(entries: usize, commands: &[&str]) -> Vec<(String, u64)> {
    let tsv: String = (0..entries).map(|n| format!("{n:x}\tb\n")).collect();
    let server = ScriptedServer::start(move |request| match path(request) {
        "/v2/glossaries/K" | "/v3/glossaries/K" => answer(404, &[], ""),
        path if path.starts_with("/v2") && path.ends_with("/entries") => answer(200, &[], &tsv),
        path if path.ends_with("/entries") => {
            let dictionary =
                serde_json::json!({"source_lang": "en", "target_lang": "de", "entries": tsv, "entries_format": "tsv"});
            answer(200, &[], serde_json::json!({ "dictionaries": [dictionary] }).to_string())
        }
        path => {
            let pair = r#""source_lang":"en","target_lang":"de""#;
            let one = format!(r#"{{"glossary_id":"g","name":"K",{pair},"dictionaries":[{{{pair}}}]}}"#);
            answer(200, &[], if path.ends_with("/g") { one } else { list(path, &one) })
        }
    });
    let bench = bench(&server);
    bench.write("small.tsv", "q\tr\n");
    let peak = |line: &str| {
        let args = line.split(' ');
        let mut child = bench.command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (status, mut peak) = (format!("/proc/{}/status", child.id()), 0);
        while child.try_wait().unwrap().is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let kib: Option<u64> =
                text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
            peak = peak.max(kib.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(4));
        }
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(i32::from(line.contains("diff"))), "{line}");
        peak / 1024
    };
    // The peak of a process that ends between two looks is too low.
    let base = (0..3).map(|_| peak("glossary list")).max().unwrap();
    commands.iter().map(|line| ((*line).to_owned(), peak(line).saturating_sub(base))).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn dictionary_entries_are_not_held_as_rows() {
    // The entries take 406 KiB. As rows they would take 40 MiB. A chunk of 10,000 rows takes up to 16 MiB.
    let some = ["glossary entries K", "glossary sync K en:de=small.tsv --dry-run", "glossary v2 entries K --json"];
    for (command, memory) in memory_of_entries(60_000, &some) {
        assert!(memory < 28, "{command}: {memory} MiB");
    }
}

#[test]
fn refuses_far_more_entries_than_a_dictionary_may_have() {
    let server = ScriptedServer::start(|request| match path(request) {
        path if path.ends_with("/entries") => {
            answer(200, &[], format!(r#"{{"entries":"a\\t{}"}}"#, "x".repeat(17 * 1024 * 1024)))
        }
        path => answer(200, &[], list(path, r#"{"glossary_id":"g","name":"K"}"#)),
    });
    let run = bench(&server).run(["glossary", "entries", "K", "en:de"]).code(8).prints("");
    run.says("error: the service's entries for en:de are larger than 16 MiB\n");
}

#[test]
fn entries_printed_in_chunks_form_one_listing() {
    let tsv: String = (0..20_001).map(|n| format!("{n}\tb\n")).collect();
    let server = ScriptedServer::start(move |request| match path(request) {
        path if path.ends_with("/entries") => answer(200, &[], &tsv),
        path => answer(200, &[], list(path, r#"{"glossary_id":"g","name":"K","source_lang":"en","target_lang":"de"}"#)),
    });
    let bench = bench(&server);
    let entries =
        |flags: &[&str]| bench.run([&["glossary", "v2", "entries", "K"], flags].concat()).code(0).out().to_owned();
    assert_eq!(entries(&["--columns", "source,target", "--header"]), format!("source\ttarget\n{}", entries(&[])));
    let all: serde_json::Value = serde_json::from_str(&entries(&["--json"])).unwrap();
    assert_eq!((all.as_array().unwrap().len(), &all[20_000]["source"]), (20_001, &"20000".into()));
    assert!(entries(&["--json"]).starts_with("[\n  {\n    \"source\": \"0\",\n    \"target\": \"b\"\n  },\n  {\n"));
    assert_eq!(entries(&["--format", "jsonl"]).lines().count(), 20_001);
    assert_eq!(entries(&["--format", "table"]).matches("SOURCE").count(), 3, "a header for each piece");
    assert_eq!(entries(&["--jq", "length"]), "20001\n");
}

#[test]
fn the_size_limit_of_a_translation_depends_on_the_sent_text() {
    let server = ScriptedServer::start(|_| {
        answer(200, &[], format!(r#"{{"translations":[{{"text":"{}"}}]}}"#, "x".repeat(2_000_000)))
    });
    let bench = bench(&server);
    bench.run(["translate", "--to", "de", "x"]).code(8).prints("").says("it is larger than 1,0");
    let text = "x".repeat(100_000);
    bench.run(["translate", "--to", "de", &text]).code(0);
}

#[test]
fn endless_pages_are_cut_at_the_size_limit_of_one_answer() {
    let server = ScriptedServer::start(|request| {
        let number = page(request);
        let items = |id: &str, count: usize| {
            let one =
                |n| format!(r#"{{"{id}":"{number}-{n}","name":"n","custom_tag":"{number}-{n}","x":[{{}},{{}}]}}"#);
            (0..count).map(one).collect::<Vec<_>>().join(",")
        };
        let body = match path(request) {
            path @ "/v3/style_rules" => list(path, &items("style_id", 5000)),
            path @ "/v3/translation_memories" => list(path, &items("translation_memory_id", 5000)),
            _ => {
                let (next, usage) = (number + 1, items("id", 5000));
                format!(r#"{{"custom_tag_usage_report":{{"next_page":{next},"usage":[{usage}]}}}}"#)
            }
        };
        answer(200, &[], body)
    });
    let bench = bench(&server);
    for command in [
        "style list",
        "style show Tea",
        "tm list",
        "translate --to de --translation-memory Tea x",
        "admin tags --start 2026-01-01 --end 2026-01-02",
    ] {
        let before = server.requests().len();
        let run = bench.run(command.split(' ')).code(8).prints("");
        run.says("error: the list has more than 50,000 objects and lists\n").says("hint: use an ID instead of a name");
        assert_eq!(server.requests().len() - before, 3, "{command}");
    }
    let run = bench.run(["style", "list", "--limit", "60000"]).code(0);
    assert_eq!(run.out().lines().count(), 60_000, "more than the usual limit if they are wanted");
}

#[test]
fn api_prints_pages_as_they_arrive_up_to_the_limit() {
    let server = ScriptedServer::start(|request| {
        let (number, next) = (page(request), page(request) + 1);
        let next = if path(request) == "/v9/endless" || next < 40 { next.to_string() } else { "null".to_owned() };
        let size = if path(request) == "/v9/endless" { 1 } else { 1_000_000 };
        let text = "x".repeat(size);
        answer(
            200,
            &[],
            format!(r#"{{"next_page":{next},"items":[{{"id":{number},"text":"{text}"}}],"page":{number}}}"#),
        )
    });
    let bench = bench(&server);
    let run = bench.bash("ulimit -v 400000; tulk api /v9/items --paginate > all.json").code(0);
    run.says("/v9/items: 40 pages: the last one has no `next_page`\n");
    let all = bench.read("all.json");
    assert!(all.starts_with(r#"{"items":[{"id":0,"text":"xxx"#), "the list comes first");
    assert!(all.ends_with(r#"xxx"}],"next_page":null,"page":39}"#), "other fields are of the last page");
    assert_eq!(all.matches(r#"{"id":"#).count(), 40);
    bench.run(["api", "/v9/items", "--paginate", "-o", "file.json"]).code(0).prints("");
    assert_eq!(bench.read("file.json"), all);
    let run = bench.run(["api", "/v9/items", "--paginate", "--jq", ".items | length"]).code(8).prints("");
    run.says("the response is larger than 16 MiB").says("write it to a file with -o");

    let before = server.requests().len();
    let run = bench.run(["api", "/v9/endless", "--paginate", "-o", "endless.json"]).code(8).prints("");
    run.says("error: the list has more than 1,000 pages\n")
        .says("hint: -F page=1000 requests the rest; a larger page_size needs fewer pages\n");
    assert_eq!(server.requests().len() - before, 1000);
    assert!(!bench.path("endless.json").exists());
}

#[test]
fn an_ambiguous_name_lists_five_ids_and_a_count() {
    let server = ScriptedServer::start(|request| {
        let one = |n: usize| format!(r#"{{"glossary_id":"g{n}","style_id":"s{n}","name":"Tea"}}"#);
        let count = if path(request) == "/v3/style_rules" { 20 } else { 40_000 };
        answer(200, &[], list(path(request), &(0..count).map(one).collect::<Vec<_>>().join(",")))
    });
    let bench = bench(&server);
    let run = bench.run(["glossary", "show", "Tea"]).code(2).prints("");
    run.says("error: 40,000 glossaries are named `Tea`\n")
        .says("hint: use one of their IDs: g0, g1, g2, g3, g4 and 39,995 more\n");
    let run = bench.run(["style", "show", "Tea"]).code(2);
    run.says("hint: use one of their IDs: s0, s1, s2, s3, s4 and 15 more\n");
}

#[cfg(unix)]
#[test]
fn a_confirmation_shows_twenty_rows_of_the_plan_and_a_count() {
    let bench = Bench::new();
    let instructions: String =
        (10..40).map(|n| format!("[[custom_instructions]]\nlabel = \"i{n}\"\nprompt = \"p\"\n")).collect();
    let head = "name = \"S\"\nlanguage = \"de\"\n";
    bench.write("many.toml", format!("{head}{instructions}"));
    bench.write("none.toml", format!("{head}custom_instructions = []\n"));
    bench.run(["style", "apply", "many.toml"]).code(0);
    let labels = |text: &str| text.matches("  instruction  ").count();
    let asked = bench.on_terminal(80, ["style", "apply", "none.toml"]).code(2);
    assert_eq!(labels(asked.out()), 20, "{asked}");
    asked.says("and 10 more; --dry-run shows all\n").says("confirmation required: remove 30 instructions");
    let piped = bench.run(["style", "apply", "none.toml"]).code(2).prints("");
    assert_eq!(piped.stderr.matches("remove instruction i").count(), 20, "{piped}");
    piped.says("and 10 more; --dry-run shows all\n");
    let planned = bench.on_terminal(80, ["style", "apply", "none.toml", "--dry-run"]).code(0);
    assert_eq!(labels(planned.out()), 30, "{planned}");
    let applied = bench.on_terminal(80, ["style", "apply", "none.toml", "--yes"]).code(0);
    assert_eq!(labels(applied.out()), 30, "{applied}");
}
