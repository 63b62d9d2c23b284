//! Kills of `tulk translate --cache`: the next run sends only what is not in the store.

use fastrand::Rng;

use super::Scenario;
use super::leftovers::{check_end, files, mode};
use super::world::World;
use crate::common::Bench;

pub const SCENARIO: Scenario =
    Scenario { name: "cache", sandbox: &["--engine", "upper", "--latency", "0ms-4ms"], round };

const LINES: usize = 330;
const ARGS: [&str; 11] =
    ["translate", "--from", "en", "--to", "de", "--lines", "--cache", "--concurrency", "3", "-i", "in.txt"];

fn input() -> String {
    (1..=LINES).map(|line| format!("line {line}\n")).collect()
}

fn prepare(bench: &Bench) {
    bench.write("in.txt", input());
}

fn round(world: &mut World, rng: &mut Rng) {
    world.measure("lines", &ARGS, prepare);
    prepare(&world.bench);
    let mut code = None;
    while code.is_none() {
        let stored = count_stored_results(&world.bench, world.label());
        let run;
        if rng.u8(0..3) > 0 {
            (run, code) = world.kill(&ARGS, rng);
        } else {
            let ended;
            (run, ended) = world.run_ok(&ARGS);
            assert_eq!(ended.out(), input().to_uppercase(), "{}", world.label());
            code = Some(0);
        }
        assert!(matches!(code, None | Some(0)), "{}: exit code {code:?}", world.label());
        let sent = world.texts(|sender| sender == run);
        let is_whole = code.is_some();
        let missing = LINES - stored;
        assert!(
            if is_whole { sent.len() == missing } else { sent.len() <= missing },
            "{}: {stored} were stored, {} sent",
            world.label(),
            sent.len()
        );
        world.count_sent_again(run);
    }
    assert_eq!(count_stored_results(&world.bench, world.label()), LINES, "{}", world.label());
    let (last, run) = world.run_ok(&ARGS);
    assert_eq!(run.out(), input().to_uppercase(), "{}", world.label());
    assert_eq!(world.texts(|sender| sender == last).len(), 0, "{}", world.label());
    check_end(&world.bench, world.label());
}

/// Returns the number of stored results. Asserts that their files are private.
fn count_stored_results(bench: &Bench, label: &str) -> usize {
    for name in files(bench, ".cache") {
        assert_eq!(mode(bench, &name), 0o600, "{label}: {name}");
    }
    let stats = bench.run(["cache", "stats", "--json"]);
    assert_eq!((stats.code, stats.stderr.as_str()), (0, ""), "{label}\n{stats}");
    usize::try_from(stats.json()[2]["entries"].as_u64().unwrap()).unwrap()
}
