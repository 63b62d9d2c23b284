//! The last line of a run on a terminal: what it did, or for a dry run what it would send and its share of the quota.

use crate::common::Bench;
use crate::progress::{Stdout, run};

/// Returns the last line of stderr without its duration.
#[track_caller]
fn total(bench: &Bench, args: &str) -> String {
    let args: Vec<&str> = args.split(' ').collect();
    let ended = run(bench, Stdout::Pipe, &args);
    assert_eq!(ended.code, Some(0), "{:?}", ended.screen);
    let last = ended.screen.last().cloned().unwrap_or_default();
    match last.rsplit_once(", ").filter(|(_, seconds)| seconds.ends_with(" s")) {
        Some((rest, seconds)) => {
            assert!(seconds.trim_end_matches(" s").parse::<f64>().is_ok_and(|seconds| seconds < 60.0), "{last}");
            rest.to_owned()
        }
        None => last,
    }
}

fn files() -> Bench {
    let bench = Bench::with(&["--engine", "upper"]);
    for file in ["a", "b", "c"] {
        bench.write(&format!("{file}.txt"), (0..1200).map(|line| format!("{file}{line}\n")).collect::<String>());
    }
    bench
}

#[test]
fn a_translation_ends_with_one_line_on_a_terminal() {
    let bench = files();
    let line = "translate --lines -i a.txt -i b.txt -i c.txt -o {stem}.{lang}{ext} --to de";
    assert_eq!(total(&bench, line), "3 files, 3,600 texts, 14,670 characters billed");
    let line = "translate --lines -i a.txt -o x --force --to de --cache";
    assert_eq!(total(&bench, line), "1 file, 1,200 texts, 4,890 characters billed");
    assert_eq!(total(&bench, line), "1 file, 1,200 texts, 1,200 from the cache");
    let line = "translate -i c.txt --to de --show-billed-characters";
    assert_eq!(total(&bench, line), "1 file, 1 text, 6,089 characters billed");
    bench.write("one.txt", "x");
    assert_eq!(total(&bench, "translate -i one.txt --to de"), "1 file, 1 text, 1 character billed");
    assert_eq!(total(&bench, "write correct -i one.txt --to en-US"), "1 file, 1 text, 1 character sent");
}

#[test]
fn typed_texts_and_unattended_runs_have_no_total() {
    let bench = files();
    for args in ["translate --to de hello", "translate -q -i a.txt --to de", "translate --json -i a.txt --to de"] {
        assert_eq!(total(&bench, args), "", "{args}");
    }
    bench.run(["translate", "-i", "a.txt", "--to", "de"]).code(0).says_nothing();
    let stats = total(&bench, "translate --lines -i a.txt --to de --stats");
    assert_eq!(
        stats,
        "texts 1200, requests 24, characters 4890, duplicates 0, retries 0, seconds 0.1"
            .replace("0.1", stats.rsplit(' ').next().unwrap())
    );
}

#[test]
fn a_failed_run_also_has_a_total() {
    let bench = files();
    let line = "translate --to de --lines -i a.txt --max-characters 1000".split(' ').collect::<Vec<_>>();
    let ended = run(&bench, Stdout::Pipe, &line);
    assert!(ended.screen[0].starts_with("1 file, 250 texts, 890 characters billed, "), "{:?}", ended.screen);
    assert!(ended.screen[1].starts_with("error: a.txt:"), "{:?}", ended.screen);
}

#[test]
fn the_total_comes_after_the_failed_files() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("d/a.txt", "one");
    bench.write("d/b.txt", b"\xff");
    for command in ["translate --to de -i d -o out/{stem}", "write correct -i d -o out2/{stem}"] {
        let ended = run(&bench, Stdout::Pipe, &command.split(' ').collect::<Vec<_>>());
        let starts: Vec<_> =
            ended.screen.iter().filter(|line| !line.starts_with([' ', '✓'])).map(|line| &line[..20]).collect();
        assert_eq!(starts[..2], ["error: d/b.txt: inva", "2 files, 1 text, 3 c"], "{:?}", ended.screen);
        assert!(starts[2].starts_with("error: 1 of 2 "), "{:?}", ended.screen);
    }
}

#[test]
fn several_documents_have_a_total() {
    let bench = Bench::with(&["--engine", "echo"]);
    bench.write("a.txt", "One");
    bench.write("b.txt", "x".repeat(5000));
    assert_eq!(total(&bench, "doc translate a.txt b.txt --to de"), "2 documents, 5,003 characters billed");
    assert_eq!(total(&bench, "doc translate a.txt --to fr"), "✓ a.txt → fr  a.fr.txt  3 characters");
}

#[test]
fn a_dry_run_shows_the_share_of_the_quota_it_would_use() {
    let bench = Bench::with(&["--engine", "upper", "--character-limit", "10000"]);
    bench.write("a.txt", "x".repeat(1234));
    assert_eq!(
        total(&bench, "translate -n -i a.txt --to de"),
        "would send: 1 file, 1 text, 1,234 characters, 1 request; 12.3 % of the 10,000 that are left"
    );
    assert_eq!(
        total(&bench, "write correct -n -i a.txt --to en-US"),
        "would send: 1 file, 1 text, 1,234 characters, 1 request; 12.3 % of the 10,000 that are left"
    );
    bench.write("b.docx", "x");
    assert_eq!(
        total(&bench, "doc translate -n a.txt b.docx --to de --no-check"),
        "would send: 2 documents, at least 51,234 characters; more than the 10,000 that are left"
    );
    let run = bench.run(["translate", "-n", "-i", "a.txt", "--to", "de"]).code(0);
    assert_eq!(run.stderr, "would send: 1 file, 1 text, 1,234 characters, 1 request\n");
    assert_eq!(bench.sent().iter().filter(|(request, _)| request == "GET /v2/usage").count(), 3, "not for pipes");
    // Without a key or an answer, the quota is not mentioned.
    let no_key = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:9");
    no_key.write("a.txt", "x");
    assert_eq!(total(&no_key, "translate -n -i a.txt --to de"), "would send: 1 file, 1 text, 1 character, 1 request");
    let no_answer = no_key.env("TULK_API_KEY", "k");
    assert_eq!(
        total(&no_answer, "translate -n -i a.txt --to de"),
        "would send: 1 file, 1 text, 1 character, 1 request"
    );
}
