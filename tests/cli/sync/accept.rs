//! `tulk sync accept`: translations are recorded as a person's without changing them.

use super::{project_of, tulk};
use crate::common::Bench;

fn project() -> Bench {
    let source = "{\n  \"a\": \"One\",\n  \"b\": \"Brand\",\n  \"c\": \"Hello {name}\"\n}\n";
    let target = "{\n  \"a\": \"Eins\",\n  \"b\": \"Brand\",\n  \"c\": \"Hallo\"\n}\n";
    let files = [("locales/en/app.json", source), ("locales/de/app.json", target)];
    let bench = project_of(&super::PROJECT.replace("\"de\", \"fr\"", "\"de\""), &files);
    tulk(&bench, "sync").code(9);
    bench.write("locales/en/app.json", source.replace("One", "The first"));
    bench
}

fn states(bench: &Bench) -> String {
    tulk(bench, "sync --check --strict --columns key,state").out().to_owned()
}

#[test]
fn accepted_units_stay_accepted_until_they_change() {
    let bench = project();
    assert_eq!(states(&bench), "a\treview\nb\tsame\nc\tbroken\n");
    let lock = bench.read("tulk.lock");
    let rows = "locales/en/app.json\tde\treview\t1\t0\t0\n\
                locales/en/app.json\tde\tbroken\t1\t0\t0\n\
                locales/en/app.json\tde\tsame\t1\t0\t0\n";
    tulk(&bench, "sync accept --dry-run").code(0).prints(rows);
    assert_eq!(bench.read("tulk.lock"), lock);
    tulk(&bench, "sync accept --key b").code(0).prints("locales/en/app.json\tde\tsame\t1\t0\t0\n");
    assert_eq!(states(&bench), "a\treview\nc\tbroken\n");
    tulk(&bench, "sync accept").code(0);
    assert_eq!(states(&bench), "");
    tulk(&bench, "sync accept").code(0).prints("").says("nothing to accept\n");
    tulk(&bench, "sync").code(0).says("everything is up to date\n");
    // A unit whose source changes is no longer accepted.
    let source = bench.read("locales/en/app.json").replace("Brand", "Brands").replace("The first", "First");
    bench.write("locales/en/app.json", source);
    assert_eq!(states(&bench), "a\treview\nb\treview\n");
    assert!(bench.requests().is_empty());
}

#[test]
fn a_stale_unit_can_be_kept() {
    let bench = project_of(super::PROJECT, &[("locales/en/app.json", "{\"a\": \"Colour\"}\n")]);
    tulk(&bench, "sync").code(0);
    let sent = bench.requests().len();
    bench.write("locales/en/app.json", "{\"a\": \"Color\"}\n");
    tulk(&bench, "sync accept --to de").code(0).prints("locales/en/app.json\tde\tstale\t1\t0\t0\n");
    let rows = tulk(&bench, "sync -n").code(0);
    assert_eq!(rows.out(), "locales/en/app.json\tfr\tstale\t1\t5\t1\n");
    assert_eq!(bench.requests().len(), sent);
}
