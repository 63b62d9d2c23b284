//! Killed runs: after any prefix of the journal, the next run gives the same result and sends nothing twice.

use std::path::PathBuf;

use super::{Choices, Kind, Tree, failure, no_requests, upper};

const FILES: &[(&str, &str)] =
    &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\", \"c\": \"Three\", \"d\": \"Four\", \"e\": \"Five\"}")];
const TARGET: &str =
    "{\"a\": \"de ONE\", \"b\": \"de TWO\", \"c\": \"de THREE\", \"d\": \"de FOUR\", \"e\": \"de FIVE\"}";

impl Tree {
    fn journal_path(&self) -> PathBuf {
        let files = std::fs::read_dir(self.state.path()).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "jsonl")).unwrap()
    }
}

/// The journal just before the end of a run: answers, then targets.
fn complete_journal() -> Vec<u8> {
    let tree = Tree::json("de", FILES);
    let journal = tree.journal_path_of_a_killed_run();
    std::fs::read(journal).unwrap()
}

impl Tree {
    /// Keeps the journal by making the lock unwritable.
    fn journal_path_of_a_killed_run(&self) -> PathBuf {
        std::fs::create_dir(self.dir.path().join("tulk.lock")).unwrap();
        self.sync(upper);
        std::fs::remove_dir(self.dir.path().join("tulk.lock")).unwrap();
        self.journal_path()
    }
}

#[test]
fn sends_nothing_twice_after_any_prefix_of_the_journal() {
    let journal = complete_journal();
    let text = String::from_utf8(journal.clone()).unwrap();
    assert_eq!((text.matches("\"answer\"").count(), text.matches("\"target\"").count()), (5, 5));
    for end in (0..=journal.len()).step_by(41) {
        let prefix = &text[..end];
        let answers = prefix.matches("}\n").filter(|_| true).count().min(5);
        let is_written = text.lines().take(5).map(|line| line.len() + 1).sum::<usize>() < end;
        for target in [None, is_written.then_some(TARGET)].into_iter().flatten().map(Some).chain([None]) {
            let tree = Tree::json("de", FILES);
            tree.journal();
            let path = tree.state.path().join(journal_name(&tree));
            std::fs::write(&path, &journal[..end]).unwrap();
            // A run writes the target after the complete journal. If it was killed in between, the target is missing.
            if let Some(target) = target.filter(|_| end == journal.len()) {
                tree.write("de/a.json", target);
            }
            let run = tree.sync(upper);
            assert_eq!(run.is_clean().sent().len(), 5 - answers, "{end}");
            assert_eq!(tree.read("de/a.json"), TARGET);
            assert_eq!(tree.authors().iter().filter(|line| line.ends_with(" t")).count(), 5);
            assert!(!path.exists());
            tree.sync(no_requests).is_clean();
        }
    }
}

fn journal_name(tree: &Tree) -> String {
    tree.journal_path().file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_target_in_the_journal_but_not_in_the_lock_counts_as_written_by_tulk() {
    let tree = Tree::json("de", FILES);
    tree.journal_path_of_a_killed_run();
    assert_eq!((tree.read("de/a.json"), tree.find("tulk.lock")), (TARGET.to_owned(), None));
    tree.edit("de/a.json", "de TWO", "Zwei");
    tree.edit("en/a.json", "Three", "Tre");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Tre"]);
    let authors = ["a t", "b p", "c t", "d t", "e t"].map(|line| format!("en/a.json {}", line.replace(' ', " de ")));
    assert_eq!(tree.authors(), authors);
}

#[test]
fn answers_of_a_language_that_failed_later_are_kept() {
    let tree = Tree::json("de", FILES);
    let run = tree.sync(|lang, text| if text == "Four" { Err(failure(Kind::Network)) } else { upper(lang, text) });
    assert_eq!(run.outcome.failures.len(), 1);
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de ONE\", \"b\": \"de TWO\", \"c\": \"de THREE\"}");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Five", "de: Four"]);
    assert_eq!(tree.read("de/a.json"), TARGET);
}

#[test]
fn a_run_for_one_language_keeps_the_journal_of_others() {
    let to = |lang| Choices { to: vec![lang], ..Choices::default() };
    for has_targets in [true, false] {
        let tree = Tree::json("de fr", FILES);
        let journal = tree.journal_path_of_a_killed_run();
        if !has_targets {
            let text = std::fs::read_to_string(&journal).unwrap();
            let answers: Vec<&str> = text.split_inclusive('\n').filter(|line| line.contains("\"answer\"")).collect();
            std::fs::write(&journal, answers.concat()).unwrap();
            tree.remove("de/a.json");
            tree.remove("fr/a.json");
        }
        tree.sync_with(Choices { key: Some("b"), ..to("de") }, no_requests).is_clean();
        tree.sync_with(to("de"), no_requests).is_clean();
        assert!(journal.exists());
        tree.sync_with(to("fr"), no_requests).is_clean();
        assert_eq!(tree.read("de/a.json"), TARGET);
        assert_eq!(tree.authors().iter().filter(|line| line.ends_with(" t")).count(), 10, "{:?}", tree.authors());
        tree.sync(no_requests).is_clean();
        assert!(!journal.exists());
    }
}

#[test]
fn after_a_second_kill_an_older_target_still_counts_as_written_by_tulk() {
    let tree = Tree::json("de", FILES);
    tree.journal_path_of_a_killed_run();
    tree.edit("en/a.json", "Three", "Tre");
    tree.journal_path_of_a_killed_run();
    assert_eq!(tree.read("de/a.json"), TARGET.replace("THREE", "TRE"));
    // The second run was killed after it recorded the target in the journal, but before it wrote the target.
    tree.write("de/a.json", TARGET);
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("de/a.json"), TARGET.replace("THREE", "TRE"));
    assert_eq!(tree.authors().iter().filter(|line| line.ends_with(" t")).count(), 5);
}
