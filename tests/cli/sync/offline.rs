//! What works without a server or a key.

use super::{PROJECT, project_of, tulk};
use crate::common::Bench;

fn offline(config: &str, files: &[(&str, &str)]) -> Bench {
    let bench = Bench::bare();
    bench.write("tulk.toml", config);
    for (name, text) in files {
        bench.write(name, text);
    }
    bench
}

const SOURCE: (&str, &str) = ("locales/en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}\n");

#[test]
fn a_plan_needs_no_server() {
    let bench = offline(PROJECT, &[SOURCE]);
    let rows = "locales/en/a.json\tde\tmissing\t2\t6\t1\nlocales/en/a.json\tfr\tmissing\t2\t6\t1\n";
    tulk(&bench, "sync --dry-run").code(0).prints(rows).says_nothing();
    tulk(&bench, "sync --dry-run --cache").code(0).prints(rows);
    tulk(&bench, "sync --dry-run --server http://127.0.0.1:9").code(0).prints(rows);
    tulk(&bench, "sync").code(3).prints("").says("no server is set");
    assert!(!bench.path("locales/de").exists());
}

#[test]
fn a_plan_without_a_key_looks_up_no_names() {
    let config = PROJECT.replace("[[sync", "glossary = \"Shop\"\nstyle = \"House\"\n\n[[sync");
    let bench = offline(&config, &[SOURCE]);
    tulk(&bench, "sync --dry-run --columns units").code(0).prints("2\n2\n").says_nothing();
    let line = "sync --dry-run --columns units --cache --server http://127.0.0.1:9";
    tulk(&bench, line).code(0).prints("2\n2\n");
}

#[test]
fn a_run_that_sends_nothing_needs_no_server() {
    let files = [SOURCE, ("locales/de/a.json", "{\"a\": \"Eins\", \"b\": \"Zwei\", \"c\": \"Drei\"}\n")];
    let config = PROJECT.replace(", \"fr\"", "").replace("[[sync", "glossary = \"Shop\"\n\n[[sync");
    let bench = offline(&config, &files);
    tulk(&bench, "sync --cache").code(0).says("nothing to translate").says_not("cache");
    assert!(bench.read("tulk.lock").contains("\tde:p:"), "it is recorded");
    bench.write("locales/en/a.json", "{\"a\": \"One\", \"z\": \"Two\"}\n");
    tulk(&bench, "sync --prune --yes --columns state,units").code(0).prints("moved\t1\npruned\t1\n");
    assert_eq!(bench.read("locales/de/a.json"), "{\"a\": \"Eins\", \"z\": \"Zwei\"}\n");
    tulk(&bench, "sync").code(0).says("everything is up to date");
}

#[test]
fn check_status_accept_and_init_need_no_server() {
    let files = [SOURCE, ("locales/de/a.json", "{\"a\": \"Eins\", \"b\": \"Two\"}\n")];
    let bench = offline(&PROJECT.replace(", \"fr\"", ""), &files);
    tulk(&bench, "sync --check --strict").code(1).says("tulk.lock is missing").says_not("server");
    tulk(&bench, "sync status --columns units,current").code(0).prints("2\t2\n").says_nothing();
    tulk(&bench, "sync accept --columns state,units").code(0).prints("same\t1\n").says_nothing();
    tulk(&bench, "sync --check --strict").code(0);
    std::fs::remove_file(bench.path("tulk.toml")).unwrap();
    bench.write("package.json", "{\"dependencies\": {\"i18next\": \"25.0.0\"}}\n");
    tulk(&bench, "sync init --dry-run").code(0).says_not("server");
    tulk(&bench, "sync init").code(0).says_not("server");
}

#[test]
fn a_plan_excludes_cached_texts() {
    let bench = project_of(PROJECT, &[SOURCE]);
    tulk(&bench, "sync --cache --to de").code(0);
    for target in ["de", "fr"] {
        let _ = std::fs::remove_file(bench.path(&format!("locales/{target}/a.json")));
    }
    std::fs::remove_file(bench.path("tulk.lock")).unwrap();
    bench.write(SOURCE.0, "{\"a\": \"One\", \"b\": \"Two\", \"c\": \"Three\"}\n");
    let before = bench.requests().len();
    let plan = tulk(&bench, "sync --cache -n --columns target_lang,characters,requests").code(0);
    plan.prints("de\t5\t1\nfr\t11\t1\n");
    tulk(&bench, "sync -n --columns target_lang,characters,requests").code(0).prints("de\t11\t1\nfr\t11\t1\n");
    tulk(&bench, "sync --cache --max-characters 16").code(0);
    assert_eq!(bench.requests().len(), before + 2);
}
