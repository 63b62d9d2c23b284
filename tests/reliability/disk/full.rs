//! The disk becomes full at every possible moment. The message names file and cause, old files stay, texts whose results are on the disk
//! are not sent again, and with more room the next run completes everything.

use std::collections::BTreeMap;

use serde_json::Value;

use super::small_disk::SmallDisk;
use crate::common::{Bench, Run};

const CAUSE: &str = "No space left on device";
const LINES: usize = 240;
const TEXTS_PER_REQUEST: usize = 50;

fn upper() -> Bench {
    Bench::with(&["--engine", "upper", "--document-queue", "0s", "--document-translate", "0s"])
}

fn input() -> String {
    (1..=LINES).map(|line| format!("line {line} of the text on the full disk\n")).collect()
}

/// Counts how often each (text, language) pair was sent after the first `from` requests.
fn sent(bench: &Bench, from: usize) -> BTreeMap<(String, String), usize> {
    let mut all = BTreeMap::new();
    for request in bench.requests().iter().skip(from) {
        let lang = request["body"]["target_lang"].as_str().unwrap_or_default().to_lowercase();
        for text in request["body"]["text"].as_array().into_iter().flatten() {
            *all.entry((lang.clone(), text.as_str().unwrap().to_owned())).or_default() += 1;
        }
    }
    all
}

fn uploads(bench: &Bench, from: usize) -> usize {
    let requests = bench.requests();
    requests.iter().skip(from).filter(|r| r["path"] == "/v2/document" && r["status"] == 200).count()
}

fn downloads(bench: &Bench, from: usize) -> usize {
    let is_result = |path: &Value| path.as_str().is_some_and(|path| path.ends_with("/result"));
    bench.requests().iter().skip(from).filter(|request| is_result(&request["path"]) && request["status"] == 200).count()
}

/// Asserts exit code 70, or 9 if other results were written, and messages that name the cause and a file on the disk.
#[track_caller]
fn check_failure(run: &Run, free: usize) {
    let is_partly = run.code == 9 && run.stderr.contains("error: 1 of 2 results failed");
    assert!(run.code == 70 || is_partly, "{free} pages free\n{run}");
    let errors: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(!errors.is_empty(), "{free} pages free\n{run}");
    assert!(errors.iter().any(|line| line.contains(CAUSE) && line.contains("disk/")), "{free} pages free\n{run}");
}

#[test]
fn a_translation_on_a_full_disk_resumes_with_more_room() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    bench.write("in.txt", input());
    let args = ["translate", "--from", "en", "--lines", "--to", "de,fr", "-i", "in.txt", "-o", "disk/out.{lang}.txt"];
    let resume: Vec<&str> = args.iter().copied().chain(["--resume"]).collect();
    let mut failures = 0;
    for free in 0.. {
        disk.clear();
        disk.write("out.de.txt", "old\n");
        disk.fill(free);
        let from = bench.requests().len();
        let run = disk.run(&bench, &args);
        let is_done = run.code == 0;
        if !is_done {
            failures += 1;
            check_failure(&run, free);
            let now = disk.read("out.de.txt");
            assert!(now == "old\n" || now == input().to_uppercase(), "{free}: {now}");
            let part = disk.read("out.de.txt.part");
            assert!(input().to_uppercase().starts_with(&part), "{free}: {part}");
        }
        // Rows that are already on the disk are not sent again.
        let recorded: Vec<(&str, usize)> = ["de", "fr"].map(|lang| (lang, recorded(&disk, lang))).to_vec();
        let before_resume = bench.requests().len();
        disk.empty();
        if !is_done {
            let run = disk.run(&bench, &resume);
            assert_eq!(run.code, 0, "{free} pages free\n{run}");
        }
        let again = sent(&bench, before_resume);
        for (lang, rows) in recorded {
            let twice =
                input().lines().take(rows).filter(|line| again.contains_key(&(lang.into(), (*line).into()))).count();
            assert_eq!(twice, 0, "{free}: {rows} rows of {lang} were on the disk");
        }
        assert!(free > 0 || before_resume == from, "something was sent without any room for it");
        for lang in ["de", "fr"] {
            assert_eq!(disk.read(&format!("out.{lang}.txt")), input().to_uppercase(), "{free}");
        }
        assert_eq!(disk.files().iter().filter(|name| !name.ends_with(".lock")).count(), 2, "{:?}", disk.files());
        if is_done {
            break;
        }
    }
    assert!(failures > 5, "only {failures} runs failed");
}

fn recorded(disk: &SmallDisk, lang: &str) -> usize {
    let rows = |name: String| disk.read(&name).matches('\n').count();
    match rows(format!("out.{lang}.txt")) {
        LINES => LINES,
        _ => rows(format!("out.{lang}.txt.part")),
    }
}

#[test]
fn a_document_on_a_full_disk_completes_with_more_room() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let text = input();
    bench.write("a.txt", &text);
    let args = ["doc", "translate", "a.txt", "--to", "de", "-o", "disk/a.de.txt"];
    let mut failures = 0;
    for free in 0.. {
        disk.clear();
        disk.fill(free);
        let from = bench.requests().len();
        let run = disk.run(&bench, &args);
        let is_done = run.code == 0;
        if !is_done {
            failures += 1;
            check_failure(&run, free);
            let now = disk.read("a.de.txt");
            assert!(now.is_empty() || now == text.to_uppercase(), "{free}\n{run}");
            // The service returns a result only once.
            assert!(downloads(&bench, from) == 0 || !now.is_empty(), "{free}: the only download is lost\n{run}");
        }
        disk.empty();
        let before = uploads(&bench, from);
        finish_document(&bench, &disk, &args, free, before);
        assert_eq!(disk.read("a.de.txt"), text.to_uppercase(), "{free}");
        let left: Vec<String> = disk.files().into_iter().filter(|name| !name.starts_with("state/")).collect();
        assert_eq!(left, ["a.de.txt"], "{free}");
        assert!(free > 0 || before == 0, "the document was uploaded without room for its record");
        if is_done {
            break;
        }
    }
    assert!(failures > 3, "only {failures} runs failed");
}

/// Finishes a document after a failure, following the printed messages. An uploaded document is uploaded again only on request.
fn finish_document(bench: &Bench, disk: &SmallDisk, args: &[&str], free: usize, uploaded: usize) {
    let from = bench.requests().len();
    let status = disk.run(bench, &["doc", "list", "--columns", "status"]);
    assert_eq!(status.code, 0, "{free}\n{status}");
    assert!(status.out() != "" || uploaded == 0, "{free}: the service has a document without a record");
    if status.out() == "done\n" {
        return;
    }
    let run = disk.run(bench, args);
    let second = uploads(bench, from);
    assert!(second == 0 || uploaded == 0, "{free}: uploaded again\n{status}{run}");
    if run.code != 0 {
        // The upload is in doubt: the message says so and prints the command.
        assert!(run.stderr.contains("--again"), "{free}\n{status}{run}");
        let run = disk.run(bench, &[args, &["--again", "--force"]].concat());
        assert_eq!(run.code, 0, "{free} pages free, {status}{run}");
    }
}

#[test]
fn a_result_survives_a_failed_write_of_its_record() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    bench.write("a.txt", input());
    let mut failures = 0;
    for free in 0.. {
        disk.clear();
        disk.fill(free);
        let from = bench.requests().len();
        // Only the records are on the full disk, not the result.
        let run = disk.run(&bench, &["doc", "translate", "a.txt", "--to", "de"]);
        let result = std::fs::read_to_string(bench.path("a.de.txt")).unwrap_or_default();
        let has_result = result == input().to_uppercase();
        assert!(has_result || result.is_empty(), "{free}\n{run}");
        assert!(has_result || downloads(&bench, from) == 0, "{free}: the only download is lost\n{run}");
        assert!(!bench.path("a.de.txt.part").exists(), "{free}\n{run}");
        if run.code == 0 {
            break;
        }
        failures += 1;
        check_failure(&run, free);
        let _ = std::fs::remove_file(bench.path("a.de.txt"));
    }
    assert!(failures > 1, "only {failures} runs failed");
}

#[test]
fn settings_and_keys_are_unchanged_on_a_full_disk() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let old = "[profiles.default]\ntarget_lang = \"fr\"\n";
    let old_keys = "[profiles.default]\nkey = \"old-key-0001\"\nserver = \"http://127.0.0.1:9/\"\n";
    for free in 0..4 {
        disk.clear();
        disk.write("config/tulk/config.toml", old);
        disk.write("config/tulk/credentials.toml", old_keys);
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(disk.path("config/tulk/credentials.toml"), private).unwrap();
        for (args, input) in
            [(&["config", "set", "profiles.default.target_lang", "de"][..], ""), (&["auth", "login"], "sandbox\n")]
        {
            disk.fill(free);
            let before = disk.read("config/tulk/config.toml");
            let run = disk.run_with(&bench, args, input);
            let settings = disk.read("config/tulk/config.toml");
            let keys = disk.read("config/tulk/credentials.toml");
            if run.code != 0 {
                check_failure(&run, free);
            }
            assert!(free > 0 || settings == before, "{free}\n{settings}");
            assert!(settings.starts_with("[profiles.default]\n") && settings.ends_with('\n'), "{free}\n{settings}");
            assert!(keys == old_keys || (run.code == 0 && keys.contains("\"sandbox\"")), "{free}\n{keys}");
            disk.empty();
            let run = disk.run_with(&bench, args, input);
            assert_eq!(run.code, 0, "{free}\n{run}");
        }
        let left = disk.files();
        let left: Vec<&String> = left.iter().filter(|name| name.ends_with(".tmp")).collect();
        assert!(left.is_empty(), "{free}: {left:?}");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_full_disk_turns_off_the_cache_without_losing_results() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    bench.write("in.txt", input());
    let args = ["translate", "--from", "en", "--to", "de", "--lines", "--cache", "-i", "in.txt"];
    for free in [0, 1, 2, 4, 6, 8, 10, 12, 14, 18, 22, 26] {
        disk.clear();
        disk.fill(free);
        for _ in 0..2 {
            let run = disk.run(&bench, &args);
            assert_eq!((run.code, run.out()), (0, input().to_uppercase().as_str()), "{free}\n{run}");
            assert!(run.stderr.matches("warning: ").count() <= 1, "{free}\n{run}");
            assert!(free > 0 || run.stderr.contains("database or disk is full"), "{free}\n{run}");
        }
        disk.empty();
        let run = disk.run(&bench, &args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{free}\n{run}");
        let from = bench.requests().len();
        let run = disk.run(&bench, &args);
        assert_eq!((run.code, run.out()), (0, input().to_uppercase().as_str()), "{free}\n{run}");
        assert_eq!(sent(&bench, from).len(), 0, "{free}: with room, everything is stored");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_sync_on_a_full_disk_completes_with_more_room() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let keys = |prefix: &str| -> String {
        let lines: Vec<String> = (0..120).map(|key| format!("  \"k{key}\": \"{prefix} {key}\"")).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    };
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n[[sync.files]]\n\
                  source = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n";
    let args = ["sync", "--project", "disk/tulk.toml", "--concurrency", "1"];
    let mut failures = 0;
    for free in 0.. {
        disk.clear();
        disk.write("tulk.toml", config);
        disk.write("en/a.json", &keys("text number"));
        disk.write("de/a.json", "{\n  \"k0\": \"Von Hand\"\n}\n");
        disk.fill(free);
        let from = bench.requests().len();
        let run = disk.run(&bench, &args);
        let is_done = run.code == 0;
        failures += usize::from(!is_done);
        assert!(matches!(run.code, 0 | 9 | 70), "{free}\n{run}");
        assert!(is_done || run.stderr.contains(CAUSE), "{free}\n{run}");
        for name in disk.files().iter().filter(|name| name.starts_with("de/") || name.starts_with("fr/")) {
            let text = disk.read(name);
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{free}: {name} is half written: {text}");
        }
        let answered = sent(&bench, from);
        disk.empty();
        let before = bench.requests().len();
        let run = disk.run(&bench, &args);
        assert_eq!(run.code, 0, "{free}\n{run}");
        let again = sent(&bench, before);
        let twice = again.keys().filter(|key| answered.contains_key(*key)).count();
        // Only the answer to the request in flight could not be stored.
        assert!(twice <= TEXTS_PER_REQUEST, "{free}: {twice} texts were sent twice\n{run}");
        let whole = keys("TEXT NUMBER").replace("\"TEXT NUMBER 0\"", "\"Von Hand\"");
        assert_eq!(disk.read("de/a.json"), whole, "{free}");
        assert_eq!(disk.read("fr/a.json"), keys("TEXT NUMBER"), "{free}");
        assert_eq!(disk.run(&bench, &["sync", "--check", "--strict", "--project", "disk/tulk.toml"]).code, 0, "{free}");
        if is_done {
            break;
        }
    }
    assert!(failures > 3, "only {failures} runs failed");
}

#[test]
fn an_export_to_a_full_disk_is_complete_or_missing() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let entries: String = (0..900).map(|entry| format!("source {entry:04}\ttarget {entry:04}\n")).collect();
    bench.write("de.tsv", &entries);
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=de.tsv"]).code(0);
    for free in 0..8 {
        disk.clear();
        disk.fill(free);
        let run = disk.run(&bench, &["glossary", "export", "Kitchen", "disk/out"]);
        if run.code != 0 {
            check_failure(&run, free);
        }
        let text = disk.read("out/Kitchen.en-de.tsv");
        assert_eq!(text, if run.code == 0 { entries.as_str() } else { "" }, "{free}\n{run}");
        disk.empty();
        let run = disk.run(&bench, &["glossary", "export", "Kitchen", "disk/out"]);
        assert_eq!(run.code, 0, "{free}\n{run}");
        assert_eq!(disk.read("out/Kitchen.en-de.tsv"), entries);
    }
    // The command needs no disk space for itself: it changes the service even if the names cannot be cached.
    disk.fill(0);
    bench.write("de.tsv", "kettle\tKessel\n");
    let run = disk.run(&bench, &["glossary", "sync", "Kitchen", "en:de=de.tsv", "--prune", "--yes"]);
    assert_eq!(run.code, 0, "{run}");
}
