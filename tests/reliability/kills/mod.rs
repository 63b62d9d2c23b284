//! SIGKILL at random moments: no file is half written, no stored answer is requested again, every loss is reported, and the next run
//! continues.
//!
//! A moment is a request, a time, or a system call that changes a file. Every moment is valid, so no test depends on the speed of the
//! machine. `TULK_KILL_SEED` repeats a failure, `TULK_KILL_TRIALS` sets the number of kills of the long test:
//!
//! `cargo test --test reliability -- --ignored a_thousand_kills --nocapture`

#![cfg(target_os = "linux")]
#![allow(clippy::case_sensitive_file_extension_comparisons)] // tulk writes extensions in lower case

mod cache;
mod documents;
mod finished;
mod glossary;
mod leftovers;
mod proxy;
mod settings;
mod sync;
pub mod tracer;
mod translate;
mod world;

use std::io::Write as _;

use fastrand::Rng;

use self::world::World;

/// A command to kill, and what must hold afterwards.
struct Scenario {
    name: &'static str,
    sandbox: &'static [&'static str],
    /// Starts the command with new files, kills it, resumes it (and sometimes kills that run too), and checks everything.
    round: fn(&mut World, &mut Rng),
}

const SCENARIOS: [Scenario; 6] =
    [translate::SCENARIO, documents::SCENARIO, glossary::SCENARIO, sync::SCENARIO, settings::SCENARIO, cache::SCENARIO];

/// Kills per scenario in the ordinary test.
const USUAL_KILLS: usize = 10;
/// Kills of all scenarios together in the long test.
const MANY_KILLS: usize = 1_000;

impl Scenario {
    fn run(&self, kills: usize) {
        let seed = variable("TULK_KILL_SEED").unwrap_or_else(|| fastrand::u64(..));
        let mut world = World::new(self.sandbox);
        let mut rng = Rng::with_seed(seed);
        for round in 1.. {
            world.begin_round(format!("{}, round {round}, TULK_KILL_SEED={seed}", self.name));
            (self.round)(&mut world, &mut rng);
            if world.kills.all() >= kills {
                break;
            }
        }
        let _ = writeln!(std::io::stderr(), "{}: seed {seed}, {}", self.name, world.kills);
    }
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")))
}

#[test]
fn a_killed_translation_resumes() {
    translate::SCENARIO.run(USUAL_KILLS);
}

#[test]
fn killed_documents_resume() {
    documents::SCENARIO.run(USUAL_KILLS);
}

#[test]
fn the_next_glossary_sync_completes_a_killed_one() {
    glossary::SCENARIO.run(USUAL_KILLS);
}

#[test]
fn the_next_sync_completes_a_killed_one() {
    sync::SCENARIO.run(USUAL_KILLS);
}

#[test]
fn a_kill_leaves_old_or_new_settings_and_keys() {
    settings::SCENARIO.run(USUAL_KILLS);
}

#[test]
fn results_cached_before_a_kill_are_not_sent_again() {
    cache::SCENARIO.run(USUAL_KILLS);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_thousand_kills() {
    let kills = variable("TULK_KILL_TRIALS").map_or(MANY_KILLS, |kills| usize::try_from(kills).unwrap());
    std::thread::scope(|threads| {
        for scenario in SCENARIOS {
            threads.spawn(move || scenario.run(kills.div_ceil(SCENARIOS.len())));
        }
    });
}
