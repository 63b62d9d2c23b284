//! Moves of renamed keys that take several runs: for one language, file or key at a time, or after a kill.

use std::time::{Duration, Instant};

use super::start;
use crate::common::Bench;

const PROJECT: &str = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n\
    [[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n";
const EXPECTED: [(&str, &str); 4] = [
    ("de/a.json", r#"{"x": "ONE", "s": ["B", "NEW"]}"#),
    ("de/b.json", r#"{"c": "THREE", "b": "Zwei"}"#),
    ("fr/a.json", r#"{"x": "Un", "s": ["B", "NEW"]}"#),
    ("fr/b.json", r#"{"c": "THREE", "b": "TWO"}"#),
];

/// A completely translated project with two target languages and two translations by people. Then a key is renamed, another moves to a
/// different file, and a list loses its first item and gets a new last one.
fn project_with_moved_units() -> Bench {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("tulk.toml", PROJECT);
    bench.write("en/a.json", r#"{"a": "One", "b": "Two", "s": ["a", "b"]}"#);
    bench.write("en/b.json", r#"{"c": "Three"}"#);
    bench.run(["sync"]).code(0);
    bench.write("de/a.json", bench.read("de/a.json").replace("TWO", "Zwei"));
    bench.write("fr/a.json", bench.read("fr/a.json").replace("ONE", "Un"));
    bench.run(["sync"]).code(0);
    bench.write("en/a.json", r#"{"x": "One", "s": ["b", "new"]}"#);
    bench.write("en/b.json", r#"{"c": "Three", "b": "Two"}"#);
    bench
}

/// Checks that only the new item was sent, once per language, and that authors are unchanged.
#[track_caller]
fn check(bench: &Bench, sent: usize) {
    for (name, text) in EXPECTED {
        assert_eq!(bench.read(name), text, "{name}");
    }
    let lock = bench.read("tulk.lock");
    assert_eq!((lock.lines().count(), lock.matches(":t:").count(), lock.matches(":p:").count()), (5, 8, 2), "{lock}");
    let again: Vec<String> =
        bench.requests()[sent..].iter().map(|request| request["body"]["text"].to_string()).collect();
    assert_eq!(again, [r#"["new"]"#; 2]);
    bench.run(["sync", "--check", "--strict"]).code(0);
}

#[test]
fn the_next_run_completes_a_partial_move() {
    let first: [&[&[&str]]; 9] = [
        &[&["--to", "de"]],
        &[&["--to", "fr"], &["--to", "de"]],
        &[&["--to", "de", "--prune", "--yes"]],
        &[&["--file", "en/a.json"]],
        &[&["--file", "en/b.json"], &["--file", "en/a.json", "--prune", "--yes"]],
        &[&["--key", "x"], &["--key", "b"]],
        &[&["--key", "c", "--prune", "--yes"], &["--key", "s.*", "--to", "fr"]],
        &[&["--file", "en/b.json", "--to", "de"], &["--key", "x", "--to", "fr"]],
        &[&["--file", "en/a.json", "--prune", "--yes", "--to", "de"], &["--file", "en/b.json", "--key", "b"]],
    ];
    for runs in first {
        let bench = project_with_moved_units();
        let sent = bench.requests().len();
        for run in runs {
            bench.run(["sync"].iter().chain(*run)).code(0);
        }
        bench.run(["sync"]).code(0);
        check(&bench, sent);
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_move_survives_kills() {
    let seed = fastrand::u64(..);
    #[allow(clippy::print_stdout)] // the seed repeats a failure
    {
        println!("seed {seed}");
    }
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..12 {
        let bench = project_with_moved_units();
        let sent = bench.requests().len();
        // The new item is translated beforehand, so the killed runs only write files.
        let started = Instant::now();
        bench.run(["sync", "--key", "s.*"]).code(0);
        let usual = started.elapsed();
        for number in 0..4 {
            let args: &[&str] = if number % 2 == 0 { &["--to", "de"] } else { &[] };
            let moment = Instant::now() + usual.mul_f64(0.3 + random.f64());
            let mut child = start(&bench, args);
            while child.try_wait().unwrap().is_none() && Instant::now() < moment {
                std::thread::sleep(Duration::from_micros(200));
            }
            let _ = child.kill();
            child.wait().unwrap();
        }
        bench.run(["sync"]).code(0);
        check(&bench, sent);
    }
}

#[test]
fn a_renamed_key_keeps_its_translation_in_review_whichever_language_runs_first() {
    for first in ["de", "fr"] {
        let bench = Bench::with(&["--engine", "upper"]);
        bench.write("tulk.toml", PROJECT);
        bench.write("en/a.json", r#"{"a": "One", "b": "Two"}"#);
        bench.run(["sync"]).code(0);
        bench.write("fr/a.json", bench.read("fr/a.json").replace("ONE", "Un"));
        bench.run(["sync"]).code(0);
        bench.write("en/a.json", r#"{"a": "The first", "b": "Two"}"#);
        bench.run(["sync"]).code(0);
        let sent = bench.requests().len();
        bench.write("en/a.json", r#"{"x": "The first", "b": "Two"}"#);
        bench.run(["sync", "--to", first]).code(0);
        bench.run(["sync"]).code(0).says("1 text needs review");
        assert_eq!(bench.read("fr/a.json"), r#"{"x": "Un", "b": "TWO"}"#);
        assert_eq!((bench.requests().len(), bench.read("tulk.lock").lines().count()), (sent, 2));
        let lock = bench.read("tulk.lock");
        bench.run(["sync"]).code(0);
        assert_eq!(bench.read("tulk.lock"), lock, "nothing is left to do");
    }
}
