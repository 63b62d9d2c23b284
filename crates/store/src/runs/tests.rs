//! Tests of run records: which run finds them, what it finds, and when they are removed.

use super::*;

fn key(name: &str) -> OutputKey {
    OutputKey::new(&["server", "options", name])
}

fn keys(names: &[&str]) -> Vec<OutputKey> {
    names.iter().map(|name| key(name)).collect()
}

fn begin(store: &RunStore, names: &[&str], earlier: &FinishedOutputs) -> RunRecord {
    store.begin(keys(names), earlier).unwrap().unwrap()
}

fn finish(record: &RunRecord, name: &str, result: &str) {
    let source = SharedDigest::default();
    source.update(name.as_bytes());
    record.output(key(name), source).finished(result);
}

fn results(store: &RunStore) -> Vec<String> {
    let mut results: Vec<String> = store.finished().into_values().map(|output| output.result).collect();
    results.sort();
    results
}

fn records(store: &RunStore) -> usize {
    store.paths().len()
}

#[test]
fn finds_an_unfinished_run_and_removes_a_complete_one() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let store = RunStore::at(&dir.path().join("runs"));
    let record = begin(&store, &["a", "b"], &HashMap::new());
    assert!(!record.has_finished());
    finish(&record, "a", "A");
    assert!(record.end(false).is_none());
    let found = store.finished();
    assert_eq!(found[&key("a")], FinishedOutput { source: files::sha256_hex(b"a"), result: "A".into() });
    // The order of the outputs does not matter.
    let record = begin(&store, &["b", "a"], &found);
    assert!(record.has_finished());
    finish(&record, "b", "B");
    assert_eq!((results(&store), records(&store)), (vec!["A".into(), "B".into()], 1));
    assert!(record.end(true).is_none());
    assert_eq!(records(&store), 0);
}

#[test]
fn runs_share_the_results_of_common_outputs() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let store = RunStore::at(dir.path());
    let all = begin(&store, &["a", "b", "c"], &HashMap::new());
    finish(&all, "a", "A");
    all.end(false);
    let two = begin(&store, &["a", "b"], &store.finished());
    finish(&two, "b", "B");
    two.end(true);
    assert_eq!(results(&store), ["A", "B"], "the first run still knows");
    let one = begin(&store, &["a"], &HashMap::new());
    finish(&one, "a", "A2");
    one.end(true);
    assert_eq!(results(&store), ["A2", "B"], "the latest result counts");
    let last = begin(&store, &["c", "x"], &HashMap::new());
    finish(&last, "c", "C");
    finish(&last, "x", "X");
    last.end(true);
    assert_eq!(records(&store), 0, "all outputs of the first run are finished");
}

#[test]
fn only_one_process_runs_the_same_outputs() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let store = RunStore::at(dir.path());
    let held = begin(&store, &["a", "b"], &HashMap::new());
    assert!(store.begin(keys(&["b", "a"]), &HashMap::new()).unwrap().is_none());
    begin(&store, &["a"], &HashMap::new());
    drop(held);
    assert_eq!(records(&store), 0, "nothing was finished");
}

#[test]
fn does_not_append_to_a_line_that_was_cut_off() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let store = RunStore::at(dir.path());
    let record = begin(&store, &["a", "b"], &HashMap::new());
    finish(&record, "a", "A");
    record.end(false);
    let path = store.paths().remove(0);
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}{}", whole.get(whole.len() - 20..whole.len() - 1).unwrap())).unwrap();
    assert_eq!(results(&store), ["A"]);
    let record = begin(&store, &["a", "b"], &store.finished());
    finish(&record, "b", "B");
    record.end(false);
    assert_eq!(results(&store), ["A", "B"]);
    // A run that starts over replaces the record.
    begin(&store, &["a", "b"], &HashMap::new());
    assert_eq!(records(&store), 0);
}

#[cfg(unix)]
#[test]
fn records_are_private_and_contain_no_names() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let store = RunStore::at(&dir.path().join("runs"));
    let record = begin(&store, &["secret.txt", "b"], &HashMap::new());
    finish(&record, "secret.txt", &files::sha256_hex(b"result"));
    let path = store.paths().remove(0);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(&store.dir)), (0o600, 0o700));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains("secret") && !text.contains("server"), "{text}");
}
