//! People and version control systems change targets and the lock, between runs or during a run.

use super::{UNITS, start, targets, write_project};
use crate::common::{Bench, Run, wait_until};

#[test]
#[ignore = "long; .ci/run includes it"]
fn keeps_a_unit_edited_before_or_after_its_answer() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "400ms"]);
    write_project(&bench, "", "Text");
    bench.run(["sync", "--to", "de"]).code(0);
    let first = bench.requests().len();
    write_project(&bench, "", "New text");
    let child = start(&bench, &["--to", "de"]);
    wait_until("the first answers", || bench.requests().len() >= first + 3);
    let edited = bench.read("de/f0.json");
    let edited =
        edited.replace("TEXT FILE 0 GROUP 0 KEY 0", "Answered").replace("TEXT FILE 0 GROUP 7 KEY 2", "Waiting");
    bench.write("de/f0.json", edited);
    let run = Run::unlisted(child.wait_with_output().unwrap());
    assert_eq!(run.code, 0, "{run}");
    for key in ["g0.k0", "g7.k2"] {
        assert!(
            run.stderr.contains(&format!("de/f0.json: {key} (de): it was changed in the meantime; it was kept")),
            "{run}"
        );
    }
    let texts = targets(&bench);
    assert_eq!((texts["de/f0.json g0.k0"].as_str(), texts["de/f0.json g7.k2"].as_str()), ("Answered", "Waiting"));
    assert_eq!(texts.values().filter(|text| text.starts_with("NEW TEXT")).count(), UNITS / 2 - 2);
    let before = bench.requests().len();
    bench.run(["sync", "--to", "de"]).code(0);
    assert_eq!((bench.requests().len(), bench.read("tulk.lock").matches(":p:").count()), (before, 2));
    bench.run(["sync", "--to", "de", "--check", "--strict"]).code(0);
}

#[test]
fn reads_a_lock_with_merge_conflicts_field_by_field() {
    let bench = Bench::with(&["--engine", "upper"]);
    write_project(&bench, "", "Text");
    bench.run(["sync"]).code(0);
    let base = bench.read("tulk.lock");
    // One side has translated a new text, the other has a translation by hand.
    bench.write("en/f0.json", bench.read("en/f0.json").replace("group 0 key 0", "group 0 key 0!"));
    bench.run(["sync"]).code(0);
    let ours = bench.read("tulk.lock");
    bench.write("de/f0.json", bench.read("de/f0.json").replace("GROUP 1 KEY 1", "Hand"));
    bench.write("tulk.lock", &base);
    bench.run(["sync", "--key", "g1.*"]).code(0);
    let theirs = bench.read("tulk.lock");
    let before = bench.requests().len();
    let lines = |text: &str| text.lines().take(8).map(|line| format!("{line}\n")).collect::<String>();
    let rest: String = ours.lines().skip(8).map(|line| format!("{line}\n")).collect();
    let (left, right) = (lines(&ours), lines(&theirs));
    for merged in [
        format!("<<<<<<< HEAD\n{left}=======\n{right}>>>>>>> theirs\n{rest}"),
        format!("<<<<<<< HEAD\n{left}||||||| 1234567\n{}=======\n{right}>>>>>>> theirs\n{rest}", lines(&base)),
        format!("{left}{right}{rest}"),
        format!("{right}{rest}{left}"),
    ] {
        bench.write("tulk.lock", &merged);
        bench.run(["sync", "--check", "--strict"]).code(0);
        assert_eq!(bench.read("tulk.lock"), merged, "a check changes nothing");
        bench.run(["sync"]).code(0);
        let lock = bench.read("tulk.lock");
        assert_eq!((lock.lines().count(), lock.matches(":p:").count()), (UNITS / 2, 1), "{lock}");
        assert_eq!(lock.matches(":t:").count(), UNITS - 1);
        assert_eq!(bench.requests().len(), before, "nothing is sent");
    }
    assert_eq!(targets(&bench)["de/f0.json g1.k1"], "TEXT FILE 0 Hand");
    // A translation that matches neither side of the merge is by a person.
    bench.write("de/f0.json", bench.read("de/f0.json").replace("Hand", "Third"));
    bench.write("tulk.lock", format!("{left}{right}{rest}"));
    bench.run(["sync"]).code(0);
    assert_eq!(bench.read("tulk.lock").matches(":p:").count(), 1);
    assert_eq!(bench.requests().len(), before);
}
