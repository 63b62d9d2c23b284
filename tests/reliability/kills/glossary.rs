//! Kills of `tulk glossary sync`: the next run completes what the killed one began and creates no second glossary.

use fastrand::Rng;

use super::Scenario;
use super::leftovers::check_end;
use super::world::World;
use crate::common::Bench;

pub const SCENARIO: Scenario =
    Scenario { name: "glossary sync", sandbox: &["--engine", "upper", "--latency", "0ms-3ms"], round };

const NEW_DE: &str = "kettle\tWasserkocher\npan\tPfanne\nwhisk\tSchneebesen\n";
const NEW_FR: &str = "kettle\tbouilloire\n";
const OLD_DE: &str = "kettle\tKessel\nlid\tDeckel\n";

fn prepare(bench: &Bench) {
    bench.write("de.tsv", NEW_DE);
    bench.write("fr.tsv", NEW_FR);
}

fn args(name: &str) -> [&str; 7] {
    ["glossary", "sync", name, "en:de=de.tsv", "en:fr=fr.tsv", "--prune", "--yes"]
}

fn round(world: &mut World, rng: &mut Rng) {
    let name = format!("Kitchen {}", world.round);
    world.measure("a new glossary", &args("Usual"), prepare);
    prepare(&world.bench);
    let other = world.other_bench();
    let had_one = rng.bool();
    if had_one {
        other.write("old.tsv", OLD_DE);
        other.run(["glossary", "create", &name, "--dictionary", "en:de=old.tsv"]).code(0);
    }
    let mut code = None;
    while code.is_none() {
        if rng.u8(0..3) > 0 {
            (_, code) = world.kill(&args(&name), rng);
        } else {
            world.run_ok(&args(&name));
            code = Some(0);
        }
        assert!(matches!(code, None | Some(0)), "{}: exit code {code:?}", world.label());
        check_service(&other, &name, had_one, world.label());
    }
    let (_, run) = world.run_ok(&args(&name));
    let rows = "same\ten\tde\t0\t0\t0\t0\nsame\ten\tfr\t0\t0\t0\t0\n";
    assert_eq!(run.out(), rows, "{}", world.label());
    for (pair, entries) in [("en:de", NEW_DE), ("en:fr", NEW_FR)] {
        assert_eq!(other.run(["glossary", "entries", &name, pair]).code(0).out(), entries, "{}", world.label());
    }
    check_end(&world.bench, world.label());
    assert_eq!(world.bench.read("de.tsv"), NEW_DE);
}

/// Checks the service after a kill: at most one glossary, each of whose dictionaries is old or new.
fn check_service(other: &Bench, name: &str, had_one: bool, label: &str) {
    let list = other.run(["glossary", "list", "--columns", "name"]).code(0);
    let count = list.out().lines().filter(|line| *line == name).count();
    assert!(count <= 1 && (count == 1 || !had_one), "{label}: {count} glossaries\n{list}");
    if count == 1 {
        let entries = other.run(["glossary", "entries", name, "en:de"]);
        assert!(entries.code == 4 || [OLD_DE, NEW_DE].contains(&entries.out()), "{label}\n{entries}");
    }
}
