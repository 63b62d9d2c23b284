//! `adopt`, `--strict`, `--prune` and `--retranslate` together.

use super::{PROJECT, project_of, texts, tulk};
use crate::common::Bench;

/// A project with the target language German and a unit in each of many states.
fn project_in_many_states(adopt: &str) -> Bench {
    let config = PROJECT.replace(", \"fr\"]", &format!("]\nadopt = \"{adopt}\""));
    let bench = project_of(
        &config,
        &[
            ("locales/en/a.json", "{\"a\": \"One\", \"b\": \"Two {x}\", \"c\": \"Three\", \"d\": \"Four\"}\n"),
            (
                "locales/de/a.json",
                "{\"a\": \"Eins\", \"b\": \"Zwei\", \"c\": \"Three\", \"d\": \"Vier\", \"e\": \"Alt\"}\n",
            ),
        ],
    );
    tulk(&bench, "sync").code(if adopt == "person" { 9 } else { 0 });
    let source = bench.read("locales/en/a.json").replace("Four", "Fourth");
    bench.write("locales/en/a.json", source);
    bench
}

fn findings(bench: &Bench, line: &str) -> String {
    tulk(bench, &format!("{line} --columns key,state")).code(1).out().to_owned()
}

#[test]
fn strict_also_reports_extra_and_same() {
    let bench = project_in_many_states("person");
    assert_eq!(findings(&bench, "sync --check"), "b\tbroken\nd\treview\n");
    let strict = findings(&bench, "sync --check --strict");
    let mut strict: Vec<&str> = strict.lines().collect();
    strict.sort_unstable();
    assert_eq!(strict, ["b\tbroken", "c\tsame", "d\treview", "e\textra"]);
}

#[test]
fn retranslates_several_states_together() {
    for (choice, sent) in [
        ("broken", vec!["Two <x id=\"1\">{x}</x>"]),
        ("review", vec!["Fourth"]),
        ("same", vec!["Three"]),
        ("review,same", vec!["Fourth", "Three"]),
        ("edited", vec!["One", "Two <x id=\"1\">{x}</x>"]),
        ("all", vec![]),
        ("failed", vec![]),
        ("all,review,edited,failed,same", vec!["Fourth", "One", "Three", "Two <x id=\"1\">{x}</x>"]),
    ] {
        let bench = project_in_many_states("person");
        let before = bench.requests().len();
        let replaces_broken = choice.contains("broken") || choice.contains("edited");
        let code = if replaces_broken { 0 } else { 9 };
        tulk(&bench, &format!("sync --yes --retranslate {choice}")).code(code);
        let got: Vec<String> = texts(&bench, before).into_iter().map(|(_, text)| text).collect();
        assert_eq!(got, sent, "{choice}");
    }
}

#[test]
fn replaces_a_persons_translation_only_after_confirmation() {
    let bench = project_in_many_states("person");
    let before = bench.requests().len();
    let target = bench.read("locales/de/a.json");
    tulk(&bench, "sync --retranslate edited").code(2).says("--yes");
    tulk(&bench, "sync --prune").code(2).says("--yes");
    assert_eq!((bench.requests().len(), bench.read("locales/de/a.json")), (before, target));
}

#[test]
fn prunes_extra_units_while_retranslating() {
    let bench = project_in_many_states("person");
    let rows = tulk(&bench, "sync --prune --yes --retranslate review,same --columns state,units").code(9);
    rows.prints("review\t1\nsame\t1\npruned\t1\n");
    assert_eq!(
        bench.read("locales/de/a.json"),
        "{\"a\": \"Eins\", \"b\": \"Zwei\", \"c\": \"THREE\", \"d\": \"FOURTH\"}\n"
    );
    assert_eq!(findings(&bench, "sync --check --strict"), "b\tbroken\n");
}

#[test]
fn translations_adopted_with_tulk_as_author_follow_their_source() {
    let bench = project_in_many_states("tulk");
    assert_eq!(findings(&bench, "sync --check --key d"), "d\tstale\n");
    let before = bench.requests().len();
    tulk(&bench, "sync --key d").code(0);
    assert_eq!(texts(&bench, before), [("DE".to_owned(), "Fourth".to_owned())]);
    assert!(bench.read("locales/de/a.json").contains("\"d\": \"FOURTH\""));
    let before = bench.requests().len();
    tulk(&bench, "sync --retranslate all --key a").code(0);
    assert_eq!(texts(&bench, before), [("DE".to_owned(), "One".to_owned())]);
}
