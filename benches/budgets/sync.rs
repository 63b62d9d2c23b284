//! `tulk sync`: the cost of a check, the texts that are sent, and the time of a first run against the latency.

use std::process::Stdio;

use super::correct_catalogs;
use super::process::{Cost, median, run, run_for_peak_memory};
use super::project::{LANGS, Project, key, write_flat};
use super::setup::Setup;
use super::stub::{Latency, Stub};
use super::table::Figure;

/// Numbers of units in a large and in an ordinary project, and languages of the ordinary one.
const LARGE_UNITS: usize = 100_000;
const ORDINARY_UNITS: usize = 10_000;
const FEW_LANGS: usize = 5;
/// Entries in a request.
const BATCH: usize = 50;
/// Latency of the service in a first run.
const LATENCY_MS: u64 = 50;

pub fn measure(setup: &Setup) -> Vec<Figure> {
    [large(setup), ordinary(setup), vec![lock_size(setup)], first_runs(setup), vec![warnings(setup)]].concat()
}

/// 100,000 units in ten languages: a first run without latency, checks, and runs with nothing to do.
fn large(setup: &Setup) -> Vec<Figure> {
    let (stub, project) = (Stub::start(), Project::flat(setup, "large", &LANGS, LARGE_UNITS));
    let sync = |flags: &[&str]| project.sync(setup, &stub, flags);
    let filling = run(sync(&[]));
    let texts = stub.translated_texts();
    assert_eq!(texts, (LARGE_UNITS * LANGS.len()) as u64, "texts of the first run");
    let checks: Vec<Cost> = (0..setup.rounds).map(|_| run(sync(&["--check"]))).collect();
    let idle: Vec<Cost> = (0..setup.rounds).map(|_| run(sync(&[]))).collect();
    assert_eq!(stub.translated_texts(), texts, "texts of runs with nothing to do");
    vec![
        Figure::amount("100,000 units × 10 languages, --check: wall time", wall(&checks), "s").at_most(1.2),
        Figure::amount("100,000 × 10, --check: processor time", cpu(&checks), "s"),
        Figure::amount("100,000 × 10, --check: peak memory", run_for_peak_memory(sync(&["--check"])), "MiB")
            .at_most(380.0),
        Figure::amount("100,000 × 10, nothing to do: wall time", wall(&idle), "s"),
        Figure::amount("100,000 × 10, nothing to do: processor time", cpu(&idle), "s"),
        Figure::amount("100,000 × 10, nothing to do: peak memory", run_for_peak_memory(sync(&[])), "MiB"),
        Figure::amount("100,000 × 10, first run: processor time per text", filling.cpu * 1e6 / texts as f64, "us"),
    ]
}

/// 10,000 units in five languages: checks, runs with nothing to do, and one changed key.
fn ordinary(setup: &Setup) -> Vec<Figure> {
    let stub = Stub::start();
    let project = Project::flat(setup, "ordinary", &LANGS[..FEW_LANGS], ORDINARY_UNITS);
    let sync = |flags: &[&str]| project.sync(setup, &stub, flags);
    run(sync(&[]));
    let checks: Vec<Cost> = (0..setup.rounds).map(|_| run(sync(&["--check"]))).collect();
    let idle: Vec<Cost> = (0..setup.rounds).map(|_| run(sync(&[]))).collect();
    let text = std::fs::read_to_string(project.source()).expect("the source");
    std::fs::write(project.source(), text.replace("number 1234 of", "number 1234 in")).expect("the source");
    let before = stub.translated_texts();
    let changed = run(sync(&[]));
    let sent = (stub.translated_texts() - before) as f64 / FEW_LANGS as f64;
    vec![
        Figure::amount("10,000 units × 5 languages, --check: processor time", cpu(&checks), "s").at_most(0.1),
        Figure::amount("10,000 × 5, --check: wall time", wall(&checks), "s"),
        Figure::amount("10,000 × 5, nothing to do: processor time", cpu(&idle), "s"),
        Figure::amount("10,000 × 5, one changed key: texts sent for a language", sent, "texts").at_most(1.0),
        Figure::amount("10,000 × 5, one changed key: processor time", changed.cpu, "s"),
    ]
}

/// Compares the lock file with the catalogues, with texts of 20 characters.
fn lock_size(setup: &Setup) -> Figure {
    let stub = Stub::start();
    let langs = &LANGS[..FEW_LANGS];
    let project = Project::flat(setup, "lock", langs, 0);
    write_flat(
        &project.source(),
        (0..ORDINARY_UNITS).map(|number| (key(number), format!("Text of {number:05} chars."))),
    );
    run(project.sync(setup, &stub, &[]));
    let targets: f64 = langs.iter().map(|lang| project.size(&format!("locales/{lang}.json"))).sum();
    let catalogs = targets + project.size("locales/en.json");
    let what = "texts of 20 characters: size of tulk.lock against the catalogues";
    Figure::ratio(what, project.size("tulk.lock") / catalogs).at_most(1.0)
}

/// Compares first runs with the ideal: the latencies of all necessary requests, divided by the requests in flight.
fn first_runs(setup: &Setup) -> Vec<Figure> {
    let stub = Stub::with_latency(Latency::Fixed(LATENCY_MS));
    let langs = &LANGS[..FEW_LANGS];
    let project = Project::flat(setup, "first", langs, ORDINARY_UNITS);
    let start = |concurrency: &str| {
        for path in langs.iter().map(|lang| format!("locales/{lang}.json")).chain(["tulk.lock".to_owned()]) {
            let _ = std::fs::remove_file(project.dir.join(path));
        }
        project.sync(setup, &stub, &["--concurrency", concurrency])
    };
    let requests = ORDINARY_UNITS.div_ceil(BATCH) * langs.len();
    let mut figures = Vec::new();
    for concurrency in [8, 32] {
        let flag = concurrency.to_string();
        let costs: Vec<Cost> = (0..setup.rounds.min(5)).map(|_| run(start(&flag))).collect();
        let ideal = requests as f64 * LATENCY_MS as f64 / 1000.0 / f64::from(concurrency);
        let what = format!("first run of 10,000 × 5 at 50 ms, {concurrency} in flight");
        figures.push(Figure::ratio(format!("{what}: time against ideal"), wall(&costs) / ideal).at_most(1.15));
        figures.push(Figure::amount(format!("{what}: processor time"), cpu(&costs), "s"));
        figures.push(Figure::amount(format!("{what}: peak memory"), run_for_peak_memory(start(&flag)), "MiB"));
    }
    figures
}

/// Counts the lines that a first run and a check print about correct catalogues.
fn warnings(setup: &Setup) -> Figure {
    let (stub, project) = (Stub::start(), correct_catalogs::project(setup));
    let printed = |flags: &[&str]| {
        let mut command = project.sync(setup, &stub, flags);
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().expect("a process");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    };
    let (first, check) = (printed(&[]), printed(&["--check", "--strict"]));
    assert_eq!(stub.translated_texts(), 0, "texts of catalogues that are complete");
    let streams = [first.stderr, check.stdout, check.stderr].concat();
    let lines = String::from_utf8_lossy(&streams).lines().count();
    Figure::amount("correct translations in 4 formats: warnings", lines as f64, "lines").at_most(0.0)
}

fn wall(costs: &[Cost]) -> f64 {
    median(costs.iter().map(|cost| cost.wall))
}

fn cpu(costs: &[Cost]) -> f64 {
    median(costs.iter().map(|cost| cost.cpu))
}
