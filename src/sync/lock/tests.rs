//! Tests of the lock.

use proptest::prelude::*;

use super::*;
use crate::catalogs::UnitKey;

fn digest(text: &str) -> TextDigest {
    TextDigest::of_text(text)
}

fn entry(author: TargetAuthor, source: &str, target: &str) -> LockEntry {
    LockEntry { author, source: digest(source), note: None, target: Some(digest(target)) }
}

fn lookup(lock: &Lock, language: &str, source: &str, target: &str) -> Option<LockEntry> {
    let language = lock.language_number(language)?;
    lock.unit("en.json", "a")?.entry(language, Some(digest(source)), Some(digest(target)))
}

#[test]
fn lines_and_languages_are_sorted() {
    let mut lock = Lock::default();
    let failed = LockEntry { target: None, note: Some(digest("n")), ..entry(TargetAuthor::Failed, "Save", "") };
    lock.set("en.json", "b", "fr", entry(TargetAuthor::Person, "Save", "Enregistrer"));
    lock.set("en.json", "b", "de", entry(TargetAuthor::Tulk, "Save", "Sichern"));
    lock.set("en.json", "a\tb", "de", failed);
    lock.set("a\\b.po", "x", "de", entry(TargetAuthor::Tulk, "Save", "Sichern"));
    let text = "a\\\\b.po\tx\tde:t:FQn1YfI:ViwmXJM\n\
        en.json\ta\\tb\tde:x:FQn1YfI:-:Gxax31M\n\
        en.json\tb\tde:t:FQn1YfI:ViwmXJM\tfr:p:FQn1YfI:cdx0hz4\n";
    assert_eq!(lock.write(), text);
    assert_eq!(Lock::parse(text).write(), text);
    assert_eq!(Lock::parse(&text.replace('\n', "\r\n")).write(), text);
    let de = lock.language_number("de").unwrap();
    assert_eq!(lock.unit("en.json", "a\tb").unwrap().entry(de, None, None), Some(failed));
}

#[test]
fn a_run_for_one_language_changes_its_fields_only() {
    let mut lock = Lock::parse("en.json\ta\tde:t:FQn1YfI:ViwmXJM\tfr:p:FQn1YfI:cdx0hz4\n");
    lock.set("en.json", "a", "de", entry(TargetAuthor::Tulk, "Save all", "Alles sichern"));
    assert!(lock.write().ends_with("\tfr:p:FQn1YfI:cdx0hz4\n"), "{}", lock.write());
    lock.remove("en.json", "a", "de");
    assert_eq!(lock.write(), "en.json\ta\tfr:p:FQn1YfI:cdx0hz4\n");
    lock.remove("en.json", "a", "fr");
    assert_eq!(lock.write(), "");
}

#[test]
fn both_sides_of_a_merge_are_read_field_by_field() {
    let (ours, theirs) = (entry(TargetAuthor::Tulk, "1", "eins"), entry(TargetAuthor::Person, "1", "Eins!"));
    let mut lines = [Lock::default(), Lock::default()];
    lines[0].set("en.json", "a", "de", ours);
    lines[0].set("en.json", "a", "fr", ours);
    lines[1].set("en.json", "a", "de", theirs);
    lines[1].set("en.json", "a", "fr", ours);
    let [ours_text, theirs_text] = [lines[0].write(), lines[1].write()];
    let ancestor = "en.json\ta\tde:t:AAAAAAA:AAAAAAA\n";
    for text in [
        format!("<<<<<<< HEAD\n{ours_text}=======\n{theirs_text}>>>>>>> topic\n"),
        format!("<<<<<<< HEAD\n{ours_text}||||||| base\n{ancestor}=======\n{theirs_text}>>>>>>> topic\n"),
        format!("{ours_text}{theirs_text}"),
    ] {
        let lock = Lock::parse(&text);
        assert!(lock.unreadable.is_empty());
        assert_eq!(lookup(&lock, "de", "1", "eins"), Some(ours));
        assert_eq!(lookup(&lock, "de", "1", "Eins!"), Some(theirs));
        assert_eq!(lookup(&lock, "de", "1", "one"), None, "nothing fits");
        assert_eq!(lookup(&lock, "fr", "2", "zwei"), Some(ours), "both sides agree");
    }
}

#[test]
fn of_two_entries_for_a_target_the_one_with_the_source_counts() {
    let old = entry(TargetAuthor::Tulk, "1", "eins");
    let new = entry(TargetAuthor::Tulk, "2", "eins");
    let mut lines = [Lock::default(), Lock::default()];
    lines[0].set("en.json", "a", "de", new);
    lines[1].set("en.json", "a", "de", old);
    let lock = Lock::parse(&(lines[0].write() + &lines[1].write()));
    assert_eq!(lookup(&lock, "de", "2", "eins"), Some(new));
    assert_eq!(lookup(&lock, "de", "1", "eins"), Some(old));
}

#[test]
fn of_two_entries_for_a_target_and_a_source_the_note_counts_then_a_person() {
    let with_note = |author, note| LockEntry { note: Some(digest(note)), ..entry(author, "1", "eins") };
    let [old, new, own] = [
        with_note(TargetAuthor::Person, "old"),
        with_note(TargetAuthor::Tulk, "new"),
        with_note(TargetAuthor::Person, "new"),
    ];
    for (entries, expected) in [([old, new], new), ([new, old], new), ([new, own], own), ([own, new], own)] {
        let mut text = String::new();
        for entry in entries {
            let mut lock = Lock::default();
            lock.set("en.json", "a", "de", entry);
            text += &lock.write();
        }
        let lock = Lock::parse(&text);
        let language = lock.language_number("de").unwrap();
        let source = Some((digest("1"), Some(digest("new"))));
        let unit = lock.unit("en.json", "a").unwrap();
        assert_eq!(unit.entry_with_note(language, source, Some(digest("eins"))), Some(expected));
    }
}

#[test]
fn lines_that_cannot_be_read_are_named() {
    let text = "en.json\ta\n\nx\nen.json\ta\tde:t:FQn1YfI:ViwmXJM\nen.json\ta\tde:q:FQn1YfI:ViwmXJM\n\
        en.json\ta\tde:t:FQn1YfI\nen.json\t\\q\tde:t:FQn1YfI:ViwmXJM\n";
    let lock = Lock::parse(text);
    assert_eq!(lock.unreadable, [1, 3, 5, 6, 7]);
    assert_eq!(lock.write(), "en.json\ta\tde:t:FQn1YfI:ViwmXJM\n");
}

#[test]
fn long_keys_are_cut_and_stay_different() {
    let keys = [format!("{}a", "ä".repeat(150)), format!("{}b", "ä".repeat(150))];
    let [a, b] = keys.map(|key| lock_key(&UnitKey::name(key)));
    assert_ne!(a, b);
    assert_eq!((a.len(), a.starts_with("ää")), (208, true));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_lock_is_read_back(units in prop::collection::vec((".{1,9}", ".{0,9}", "[a-z]{2}", any::<u8>()), 0..20)) {
        let mut lock = Lock::default();
        for (file, key, language, n) in &units {
            let author = [TargetAuthor::Tulk, TargetAuthor::Person, TargetAuthor::Failed][usize::from(n % 3)];
            let note = (n % 2 == 0).then(|| digest(key));
            lock.set(file, key, language, LockEntry { note, ..entry(author, &n.to_string(), key) });
        }
        let text = lock.write();
        let again = Lock::parse(&text);
        prop_assert!(again.unreadable.is_empty());
        prop_assert_eq!(again.write(), text);
    }

    #[test]
    fn any_text_is_read(text in "[a-z:\t\n<=>|\\\\-]{0,200}") {
        let lock = Lock::parse(&text);
        prop_assert_eq!(Lock::parse(&lock.write()).write(), lock.write());
    }
}
