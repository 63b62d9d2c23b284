//! Tests of the journal.

use super::*;

fn location(key: &str) -> UnitLocation {
    UnitLocation { file: "en.json".to_owned(), key: key.to_owned() }
}

fn sent(text: &str) -> SentDigest {
    SentDigest::of(text.as_bytes())
}

#[test]
fn complete_lines_survive_a_kill() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let project = Path::new("/some/project");
    let digest = TextDigest::of_text("eins");
    let source = TextDigest::of_text("one");
    let entry = LockEntry { author: TargetAuthor::Tulk, source, note: Some(digest), target: Some(digest) };
    let mut journal = Journal::open_in(dir.path(), project).unwrap();
    assert_eq!(journal.answer(sent("k")), None);
    journal.add_answer(sent("k"), &Ok("eins\n\"zwei\"".to_owned()));
    journal.add_answer(sent("r"), &Err("lost".to_owned()));
    let mut lines = JournalLines::default();
    lines.add_target(("en.json", "a"), "de", entry);
    journal.add_targets(lines);
    journal.file_to_sync().write_all(b"{\"sent\":\"x\",\"ans").unwrap();
    assert!(journal.failure().is_none());
    drop(journal);
    for _ in 0..2 {
        let mut journal = Journal::open_in(dir.path(), project).unwrap();
        assert_eq!(journal.answer(sent("k")), Some(&Ok("eins\n\"zwei\"".to_owned())));
        assert_eq!(journal.answer(sent("r")), Some(&Err("lost".to_owned())));
        assert_eq!(journal.answer(sent("x")), None);
        assert_eq!(journal.written_entry(&location("a"), "de", Some(digest)), Some(entry));
        assert_eq!(journal.written_entry(&location("a"), "de", Some(source)), None, "the target was changed");
        assert_eq!(journal.written_entry(&location("a"), "fr", Some(digest)), None);
        journal.add_answer(sent("l"), &Ok("drei".to_owned()));
    }
    Journal::open_in(dir.path(), project).unwrap().remove().unwrap();
    assert_eq!(Journal::open_in(dir.path(), project).unwrap().answer(sent("l")), None);
}

#[test]
fn refuses_a_second_run_and_names_the_first_process() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let first = Journal::open_in(dir.path(), Path::new("/a")).unwrap();
    let failure = Journal::open_in(dir.path(), Path::new("/a")).unwrap_err();
    let pid = std::process::id();
    assert_eq!(failure.what, format!("another tulk sync is running in this project (process {pid})"));
    Journal::open_in(dir.path(), Path::new("/b")).unwrap();
    drop(first);
    Journal::open_in(dir.path(), Path::new("/a")).unwrap();
}

#[test]
fn keeps_unused_answers_and_targets_missing_in_the_lock() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let project = Path::new("/some/project");
    let digest = TextDigest::of_text;
    let entry = |target: &str| LockEntry {
        author: TargetAuthor::Person,
        source: digest("one"),
        note: None,
        target: Some(digest(target)),
    };
    let mut journal = Journal::open_in(dir.path(), project).unwrap();
    for text in ["used", "unused"] {
        journal.add_answer(sent(text), &Ok("eins".to_owned()));
    }
    let mut lines = JournalLines::default();
    for (key, target) in [("a", "eins"), ("b", "eins"), ("b", "zwei"), ("c", "eins")] {
        lines.add_target(("en.json", key), "de", entry(target));
    }
    journal.add_targets(lines);
    drop(journal);
    let mut lock = Lock::parse("");
    lock.set("en.json", "a", "de", entry("eins"));
    lock.set("en.json", "b", "de", entry("eins"));
    lock.set("en.json", "c", "fr", entry("eins"));
    Journal::open_in(dir.path(), project).unwrap().keep_unused(&lock, |digest| digest == sent("used")).unwrap();
    let journal = Journal::open_in(dir.path(), project).unwrap();
    assert_eq!((journal.answer(sent("used")), journal.answer(sent("unused"))), (None, Some(&Ok("eins".to_owned()))));
    let written = |key, target| journal.written_entry(&location(key), "de", Some(digest(target)));
    assert_eq!((written("a", "eins"), written("b", "eins")), (None, None));
    assert_eq!((written("b", "zwei"), written("c", "eins")), (Some(entry("zwei")), Some(entry("eins"))));
}

#[test]
fn writes_failed_answers_again_when_unused_ones_are_kept() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let path = dir.path().join("x.jsonl");
    std::fs::write(&path, "{\"sent\":\"00000000000000000000000000000000\",\"answer\":\"alt\"}\n").unwrap();
    let open = || Journal::read(path.clone(), File::open(&path).unwrap(), None).unwrap();
    let mut journal = open();
    for text in ["first", "second"] {
        journal.add_answer(sent(text), &Ok(text.to_uppercase()));
        journal.flush();
        assert!(journal.failure().is_some(), "the file cannot be written");
    }
    journal.keep_unused(&Lock::default(), |_| false).unwrap();
    let answers = open().answers.clone();
    let texts: Vec<_> = ["first", "second"].map(|text| answers.get(&sent(text)).cloned()).into_iter().collect();
    assert_eq!((answers.len(), texts), (3, vec![Some(Ok("FIRST".to_owned())), Some(Ok("SECOND".to_owned()))]));
}
