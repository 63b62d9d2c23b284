//! SIGKILL at random moments: at most the requests in flight are sent again, no file is half written, and lock and files agree.

use std::collections::BTreeSet;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{UNITS, own_entries, start, targets, texts_of, write_project};
use crate::common::Bench;

const IN_FLIGHT: usize = 3;
/// After this many runs in a round, the next one is not killed, so the round ends.
const MAX_KILLED_RUNS: usize = 12;

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_killed_run_resumes_and_repeats_only_requests_in_flight() {
    let wanted: usize = std::env::var("TULK_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40);
    let seed = fastrand::u64(..);
    #[allow(clippy::print_stdout)] // the seed repeats a failure
    {
        println!("seed {seed}");
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let bench = Bench::with(&["--engine", "upper", "--latency", "5ms-40ms"]);
    let (mut kills, mut round) = (0, 0);
    // Measures the duration of a run on this machine, so that kills are spread over all of it.
    let mut longest = Duration::from_millis(300);
    while kills < wanted {
        round += 1;
        write_project(&bench, "", &format!("Round {round}"));
        let mut runs = 0;
        loop {
            runs += 1;
            let started = Instant::now();
            let mut child = start(&bench, &["--reporting-tag", &tag(round, runs)]);
            let moment = started + longest.mul_f64(random.f64() * 1.1);
            let is_last = kills >= wanted || runs > MAX_KILLED_RUNS;
            let ended = wait_or_kill(&mut child, (!is_last).then_some(moment));
            check_targets(&bench, round, seed);
            if let Some(status) = ended {
                assert!(status.success(), "seed {seed}: {status}");
                longest = longest.max(started.elapsed());
                break;
            }
            kills += 1;
        }
        check_requests(&bench.requests(), (round, runs), seed);
        assert_eq!((targets(&bench).len(), own_entries(&bench)), (UNITS, UNITS), "seed {seed}");
        bench.run(["sync", "--check", "--strict"]).code(0);
    }
    let before = bench.requests().len();
    bench.run(["sync"]).code(0).says("everything is up to date");
    assert_eq!(bench.requests().len(), before);
    for lang in ["de", "fr"] {
        let names = std::fs::read_dir(bench.path(lang)).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        assert_eq!(names, ["f0.json", "f1.json"], "seed {seed}");
    }
}

fn tag(round: usize, run: usize) -> String {
    format!("round-{round}-run-{run}")
}

/// Waits for the end of a run, or kills it at `moment`. Returns the exit status if it ended first.
fn wait_or_kill(child: &mut Child, moment: Option<Instant>) -> Option<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if moment.is_some_and(|moment| Instant::now() >= moment) {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        sleep(Duration::from_millis(1));
    }
}

/// Checks that every unit was sent, and that later runs repeated only the requests in flight at a kill.
fn check_requests(requests: &[Value], (round, runs): (usize, usize), seed: u64) {
    let by_run: Vec<Vec<BTreeSet<String>>> = (1..=runs).map(|run| requests_of(requests, &tag(round, run))).collect();
    let sent =
        |runs: &[Vec<BTreeSet<String>>]| -> BTreeSet<String> { runs.iter().flatten().flatten().cloned().collect() };
    assert_eq!(sent(&by_run).len(), UNITS, "seed {seed}");
    for (run, own) in (1..).zip(&by_run) {
        let later = sent(&by_run[run..]);
        let repeated = own.iter().filter(|texts| !texts.is_disjoint(&later)).count();
        assert!(repeated <= IN_FLIGHT, "seed {seed}: {repeated} requests of run {run} of round {round} were repeated");
        let texts: usize = own.iter().map(BTreeSet::len).sum();
        assert_eq!(sent(std::slice::from_ref(own)).len(), texts, "seed {seed}: run {run} of round {round}");
    }
}

fn requests_of(requests: &[Value], tag: &str) -> Vec<BTreeSet<String>> {
    let has_tag = |request: &&Value| {
        let mut headers = request["headers"].as_object().into_iter().flatten();
        headers.any(|(_, value)| value == tag)
    };
    requests.iter().filter(has_tag).map(texts_of).collect()
}

/// Checks that every text in a target is a translation of this or the previous round.
fn check_targets(bench: &Bench, round: usize, seed: u64) {
    for (place, text) in targets(bench) {
        let (_, key) = place.split_once(' ').unwrap();
        let is_of = |round: usize| text.starts_with(&format!("ROUND {round} FILE "));
        assert!(is_of(round) || is_of(round - 1), "seed {seed}: {place}: {text}");
        let numbers = format!("GROUP {} KEY {}", &key[1..2], &key[4..5]);
        assert!(text.ends_with(&numbers), "seed {seed}: {place}: {text}");
    }
}
