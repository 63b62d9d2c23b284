//! SIGKILL at random moments: at most the requests in flight are sent again, no file is half written, and lock and files agree.

use std::collections::BTreeSet;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{UNITS, own_entries, start, targets, texts_of, write_project};
use crate::common::Bench;

/// `--concurrency` of the runs.
const IN_FLIGHT: usize = 3;

#[test]
fn a_killed_run_is_continued_and_pays_only_for_the_requests_in_flight_twice() {
    let wanted: usize = std::env::var("TULK_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40);
    let seed = fastrand::u64(..);
    #[allow(clippy::print_stdout)] // to repeat a failure
    {
        println!("seed {seed}");
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let bench = Bench::with(&["--engine", "upper", "--latency", "5ms-40ms"]);
    let (mut kills, mut round) = (0, 0);
    // How long a run takes on this machine, so that kills fall into all of it.
    let mut longest = Duration::from_millis(300);
    while kills < wanted {
        round += 1;
        write_project(&bench, "", &format!("Round {round}"));
        let first = bench.requests().len();
        let mut killed_at = first;
        let mut in_flight: Vec<BTreeSet<String>> = Vec::new();
        loop {
            let started = Instant::now();
            let mut child = start(&bench, &[]);
            let moment = started + longest.mul_f64(random.f64() * 1.1);
            let is_last = kills >= wanted || in_flight.len() > 12;
            let ended = wait_or_kill(&mut child, (!is_last).then_some(moment));
            let requests = bench.requests();
            let before: Vec<BTreeSet<String>> = requests[first..killed_at].iter().map(texts_of).collect();
            let again: BTreeSet<String> = requests[killed_at..].iter().flat_map(texts_of).collect();
            let repeated = before.iter().filter(|texts| !texts.is_disjoint(&again)).count();
            let allowed = (in_flight.len() * IN_FLIGHT).min(before.len());
            assert!(
                repeated <= allowed,
                "seed {seed}: {repeated} requests were repeated after {} kills",
                in_flight.len()
            );
            check_targets(&bench, round, seed);
            killed_at = requests.len();
            if let Some(status) = ended {
                assert!(status.success(), "seed {seed}: {status}");
                longest = longest.max(started.elapsed());
                break;
            }
            kills += 1;
            in_flight.push(again);
        }
        let requests = bench.requests();
        let sent: usize = requests[first..].iter().map(|request| texts_of(request).len()).sum();
        let different: BTreeSet<String> = requests[first..].iter().flat_map(texts_of).collect();
        assert_eq!(different.len(), UNITS, "seed {seed}");
        let most = UNITS + in_flight.len() * IN_FLIGHT * 6;
        assert!(sent <= most, "seed {seed}: {sent} texts for {UNITS} units after {} kills", in_flight.len());
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

/// Waits for the end of a run, or kills it at a moment. Returns how it ended by itself.
fn wait_or_kill(child: &mut Child, moment: Option<Instant>) -> Option<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if moment.is_some_and(|moment| Instant::now() >= moment) {
            child.kill().unwrap();
            child.wait().unwrap();
            // The sandbox records a request as it arrives.
            sleep(Duration::from_millis(5));
            return None;
        }
        sleep(Duration::from_millis(1));
    }
}

/// Every text in a target is a translation: of this round, or of the one before.
fn check_targets(bench: &Bench, round: usize, seed: u64) {
    for (place, text) in targets(bench) {
        let (_, key) = place.split_once(' ').unwrap();
        let is_of = |round: usize| text.starts_with(&format!("ROUND {round} FILE "));
        assert!(is_of(round) || is_of(round - 1), "seed {seed}: {place}: {text}");
        let numbers = format!("GROUP {} KEY {}", &key[1..2], &key[4..5]);
        assert!(text.ends_with(&numbers), "seed {seed}: {place}: {text}");
    }
}
