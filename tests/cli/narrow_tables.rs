//! Which columns tables show first on a narrow terminal, and reports without dates.

use super::glossary::create_kitchen;
use crate::common::{Bench, wait_for_a_whole_minute_of_today};

#[test]
fn a_narrow_glossary_list_drops_the_id_first() {
    let bench = Bench::new();
    let id = create_kitchen(&bench);
    bench.on_terminal(60, ["glossary", "list"]).code(0).prints(
        "NAME     LANGUAGES  ENTRIES\nKitchen  en:de            2\nnot shown: glossary_id, creation_time (wider terminal,\n--json, or \
         --columns)\n",
    );
    bench.on_terminal(80, ["glossary", "list"]).code(0).prints(format!(
        "ID                                    NAME     LANGUAGES  ENTRIES\n{id}  Kitchen  en:de            2\nnot shown: \
         creation_time (wider terminal, --json, or --columns)\n"
    ));
}

#[test]
fn never_cuts_language_names_and_omits_the_status_if_all_are_stable() {
    let bench = Bench::new();
    for width in [60, 80, 120] {
        let run = bench.on_terminal(width, ["langs", "list", "--target"]).code(0);
        for name in ["Spanish (Latin American)", "Portuguese (Brazilian)", "Chinese (simplified)"] {
            assert!(run.out().contains(name), "{width}: {run}");
        }
        assert!(!run.out().contains("STATUS") && !run.out().contains('…'), "{width}: {run}");
    }
    let run =
        bench.on_terminal(80, ["langs", "list", "--resource", "voice", "--columns", "lang,status", "--limit", "1"]);
    run.code(0).prints("CODE  STATUS\nar    stable\n");
}

#[test]
fn checks_show_relative_paths_like_other_tables() {
    let run = Bench::new().on_terminal(100, ["doctor"]).code(0);
    assert!(run.out().contains("ok       .config/tulk/config.toml: nothing is set; profile default\n"), "{run}");
    assert!(run.out().contains("ok       .cache/tulk (not created yet)\n"), "{run}");
}

#[test]
fn reports_cover_the_last_30_days_by_default() {
    wait_for_a_whole_minute_of_today();
    let bench = Bench::new();
    bench.run(["admin", "usage", "--json"]).code(0);
    bench.run(["admin", "tags", "--end", "2026-03-31", "--by", "day"]).code(0);
    bench.run(["admin", "usage", "--start", "-29d", "--end", "today", "--json"]).code(0);
    let queries: Vec<String> = bench.requests().iter().map(|request| request["query"].to_string()).collect();
    assert_eq!(queries[0], queries[2]);
    assert!(queries[1].contains("2026-03-02") && queries[1].contains("2026-03-31"), "{queries:?}");
}

#[test]
fn a_terminal_shows_a_new_key_with_a_warning() {
    let bench = Bench::new();
    let warning = "warning: store the key now: the service may not show it again\n";
    let run = bench.on_terminal(100, ["admin", "keys", "create", "ci"]).code(0);
    let key = bench.run(["admin", "keys", "list", "--columns", "key_id"]).code(0).out().trim().to_owned();
    assert!(run.out().contains(&key), "{run}");
    run.says(warning);
    bench.run(["admin", "keys", "create", "web"]).code(0).says_not("warning");
}
