//! A failing language, a key or a quota that stops the run, a full disk.

use serde_json::{Value, json};

use super::signals::{answered, totals};
use super::{UNITS, own_entries, targets, texts_of, write_project};
use crate::common::scripted::ScriptedServer;
use crate::common::{Bench, Run};

fn refusing(lang: &'static str) -> ScriptedServer {
    ScriptedServer::start(move |request| {
        let body: Value = request.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok()).unwrap();
        let texts = body["text"].as_array().cloned().unwrap_or_default();
        let results = texts.iter().map(|text| json!({"text": text.as_str().unwrap().to_uppercase()}));
        let (status, answer) = if body["target_lang"].as_str().is_some_and(|to| to.eq_ignore_ascii_case(lang)) {
            ("400 Bad Request", json!({"message": "Value for 'target_lang' not supported."}))
        } else {
            ("200 OK", json!({"translations": results.collect::<Vec<_>>()}))
        };
        let answer = answer.to_string();
        let head =
            format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", answer.len());
        format!("{head}Connection: close\r\n\r\n{answer}").into_bytes()
    })
}

#[test]
fn a_failing_language_is_reported_and_the_others_complete() {
    let server = refusing("fr");
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    write_project(&bench, "", "Text");
    let run = Run::unlisted(bench.command().arg("sync").output().unwrap());
    assert_eq!(run.code, 9, "{run}");
    assert!(run.stderr.contains("not supported"), "{run}");
    assert_eq!((targets(&bench).len(), own_entries(&bench)), (UNITS / 2, UNITS / 2));
    assert!(!bench.path("fr").exists());
    let check = Run::unlisted(bench.command().args(["sync", "--check", "--to", "de"]).output().unwrap());
    assert_eq!(check.code, 0, "{check}");
}

#[test]
fn a_refused_key_stops_all_languages() {
    let bench = Bench::with(&["--engine", "upper"]).env("TULK_API_KEY", "invalid");
    write_project(&bench, "", "Text");
    let run = Run::unlisted(bench.command().args(["sync", "--concurrency", "2"]).output().unwrap());
    assert_eq!(run.code, 3, "{run}");
    assert!(bench.requests().len() <= 2, "{} requests", bench.requests().len());
    assert!(targets(&bench).is_empty());
}

#[test]
fn an_exhausted_quota_keeps_what_was_billed() {
    let bench = Bench::with(&["--engine", "upper", "--character-limit", "700"]);
    write_project(&bench, "", "Text");
    let run = Run::unlisted(bench.command().args(["sync", "--concurrency", "1"]).output().unwrap());
    assert_eq!(run.code, 6, "{run}");
    let paid = bench.requests().iter().filter(|request| request["status"] == 200).flat_map(texts_of).count();
    assert!(paid > 0 && paid < UNITS, "{paid}");
    assert_eq!(totals(&run), answered(&bench.requests()), "{run}");
    assert_eq!((targets(&bench).len(), own_entries(&bench)), (paid, paid));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_full_disk_leaves_complete_files_and_the_next_run_finishes() {
    let bench = Bench::with(&["--engine", "upper"]);
    // With the least space the journal fails; with more, a target does, then the lock.
    for (round, blocks) in [1, 2, 3, 4, 5, 6, 8, 12].into_iter().enumerate() {
        write_project(&bench, "", &format!("Round {round}"));
        for blocks in [blocks, blocks, blocks + 1] {
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec tulk sync --concurrency 1");
            let run = Run::unlisted(bench.shell(&script).output().unwrap());
            assert!(matches!(run.code, 0 | 9 | 70), "{blocks}: {run}");
            assert!(run.stderr.matches(".jsonl: ").count() <= 1, "the journal is named once: {run}");
            targets(&bench);
        }
        let run = Run::unlisted(bench.command().arg("sync").output().unwrap());
        assert_eq!(run.code, 0, "{blocks}: {run}");
        assert_eq!((targets(&bench).len(), own_entries(&bench)), (UNITS, UNITS), "{blocks}");
        let expected = format!("ROUND {round} ");
        assert!(targets(&bench).values().all(|text| text.starts_with(&expected)), "{blocks}");
        bench.run(["sync", "--check", "--strict"]).code(0);
    }
}

#[test]
fn translations_written_on_a_full_disk_keep_tulk_as_author() {
    for blocks in [2, 3, 4, 5, 6, 8, 10, 12] {
        let bench = Bench::with(&["--engine", "upper"]);
        write_project(&bench, "", &"Long text ".repeat(6));
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec tulk sync --concurrency 1");
        let run = Run::unlisted(bench.shell(&script).output().unwrap());
        assert!(run.code != 70 || run.stderr.contains("File too large"), "{blocks}: {run}");
        bench.run(["sync"]).code(0);
        assert_eq!((targets(&bench).len(), own_entries(&bench)), (UNITS, UNITS), "{blocks}: {run}");
        let check = Run::unlisted(bench.command().args(["sync", "--check", "--strict"]).output().unwrap());
        assert_eq!(check.code, 0, "{blocks}: {run}{check}");
    }
}
