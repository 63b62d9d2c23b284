//! Tests of `Lock`.

use proptest::prelude::*;
use tulk_catalogs::UnitKey;

use super::*;

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
fn changes_only_the_fields_of_one_language() {
    let mut lock = Lock::parse("en.json\ta\tde:t:FQn1YfI:ViwmXJM\tfr:p:FQn1YfI:cdx0hz4\n");
    lock.set("en.json", "a", "de", entry(TargetAuthor::Tulk, "Save all", "Alles sichern"));
    assert!(lock.write().ends_with("\tfr:p:FQn1YfI:cdx0hz4\n"), "{}", lock.write());
    lock.remove("en.json", "a", "de");
    assert_eq!(lock.write(), "en.json\ta\tfr:p:FQn1YfI:cdx0hz4\n");
    lock.remove("en.json", "a", "fr");
    assert_eq!(lock.write(), "");
}

#[test]
fn reads_both_sides_of_a_merge_field_by_field() {
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
fn prefers_the_entry_with_the_same_source() {
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
fn prefers_the_entry_with_the_same_note_then_one_by_a_person() {
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
fn lists_invalid_lines() {
    let text = "en.json\ta\n\nx\nen.json\ta\tde:t:FQn1YfI:ViwmXJM\nen.json\ta\tde:q:FQn1YfI:ViwmXJM\n\
        en.json\ta\tde:t:FQn1YfI\nen.json\t\\q\tde:t:FQn1YfI:ViwmXJM\n";
    let lock = Lock::parse(text);
    assert_eq!(lock.unreadable, [1, 3, 5, 6, 7]);
    assert_eq!(lock.write(), "en.json\ta\tde:t:FQn1YfI:ViwmXJM\n");
}

#[test]
fn cut_keys_stay_distinct() {
    let keys = [format!("{}a", "ä".repeat(150)), format!("{}b", "ä".repeat(150))];
    let [a, b] = keys.map(|key| lock_key(&UnitKey::name(key)));
    assert_ne!(a, b);
    assert_eq!((a.len(), a.starts_with("ää")), (208, true));
}

#[test]
fn a_key_is_cut_above_200_bytes() {
    let key = |bytes: usize| lock_key(&UnitKey::name("x".repeat(bytes)));
    assert_eq!(key(200), "x".repeat(200));
    assert_eq!(key(201).len(), 208);
    assert!(key(201).starts_with(&format!("{}~", "x".repeat(200))));
}

#[test]
fn parses_lock_keys_into_names() {
    let names = |names: &[&str]| UnitKey::names(names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>());
    assert_eq!(parse_lock_key("menu.file.open"), names(&["menu", "file", "open"]));
    assert_eq!(parse_lock_key(r"a\.b.c\\d"), names(&["a.b", r"c\d"]));
    assert_eq!(parse_lock_key(""), names(&[""]));
}

#[test]
fn escapes_line_breaks_and_tabs_in_names() {
    let mut lock = Lock::default();
    lock.set("a\nb\rc\td\\.json", "k", "de", entry(TargetAuthor::Tulk, "Save", "Sichern"));
    let text = "a\\nb\\rc\\td\\\\.json\tk\tde:t:FQn1YfI:ViwmXJM\n";
    assert_eq!(lock.write(), text);
    assert_eq!(Lock::parse(text).files().collect::<Vec<_>>(), ["a\nb\rc\td\\.json"]);
}

#[test]
fn only_seven_characters_and_a_space_are_a_merge_marker() {
    let line = |file: &str| format!("{file}\tk\tde:t:FQn1YfI:ViwmXJM\n");
    // The first name has a space as its eighth character, like a marker.
    for file in ["strings of the menu.json", "<<<<<<<.json", "<<<<<<<< ours", "<<<<<< ours"] {
        let lock = Lock::parse(&line(file));
        assert_eq!((lock.files().collect::<Vec<_>>(), lock.unreadable.len()), (vec![file], 0));
    }
    for marker in ["<<<<<<< ours", "=======", ">>>>>>> theirs", "======= x"] {
        let lock = Lock::parse(&format!("{marker}\n{}", line("en.json")));
        assert_eq!((lock.files().collect::<Vec<_>>(), lock.unreadable.len()), (vec!["en.json"], 0), "{marker}");
    }
}

#[test]
fn refuses_fields_with_trailing_text() {
    for rest in ["x", ":", ":Gxax31", ":Gxax31Mx", "-"] {
        let lock = Lock::parse(&format!("en.json\ta\tde:t:FQn1YfI:ViwmXJM{rest}\n"));
        assert_eq!((lock.unreadable.as_slice(), lock.count("en.json")), (&[1][..], 0), "{rest}");
    }
}

#[test]
fn the_hash_differs_between_lock_texts() {
    let [one, two] = ["en.json\ta\tde:t:FQn1YfI:ViwmXJM\n", ""].map(Lock::parse);
    assert!(one.exists && two.exists && !Lock::default().exists);
    assert_eq!((one.hash, two.hash), (text_hash("en.json\ta\tde:t:FQn1YfI:ViwmXJM\n"), text_hash("")));
    assert_ne!(one.hash, two.hash);
}

/// Returns a lock with one unit: German targets by tulk and by a person, and a French one by a person from another
/// source text.
fn merged() -> Lock {
    let mut line = String::new();
    let fields = [
        ("de", entry(TargetAuthor::Tulk, "1", "eins")),
        ("de", entry(TargetAuthor::Person, "1", "Eins!")),
        ("fr", entry(TargetAuthor::Person, "0", "un")),
    ];
    write_line(&mut line, "en.json", "a", fields.into_iter());
    Lock::parse(&line)
}

#[test]
fn counts_entries_and_lists_sources_of_a_language() {
    let lock = merged();
    let unit = lock.unit("en.json", "a").unwrap();
    let [de, fr] = ["de", "fr"].map(|name| lock.language_number(name).unwrap());
    assert_eq!((unit.count(de), unit.count(fr)), (2, 1));
    assert_eq!((unit.has_only_person_targets(de), unit.has_only_person_targets(fr)), (false, true));
    assert_eq!(unit.sources(de), [digest("1")]);
    assert_eq!(unit.sources(fr), [digest("0")]);
    assert_eq!(unit.all_sources().collect::<Vec<_>>(), [digest("1"), digest("1"), digest("0")]);
    assert!(!LockedUnit::default().has_only_person_targets(de));
}

#[test]
fn entries_are_needed_for_moves_if_a_person_translated_another_source_text() {
    use TargetAuthor::{Person, Tulk};
    let is_needed_for_moves = |fields: &[(&str, TargetAuthor, &str)]| {
        let mut line = String::new();
        let fields = fields.iter().map(|(language, author, source)| (*language, entry(*author, source, "x")));
        write_line(&mut line, "en.json", "a", fields);
        let lock = Lock::parse(&line);
        lock.unit("en.json", "a").unwrap().is_needed_for_moves(lock.language_number("de").unwrap_or(LockLanguage(9)))
    };
    assert!(is_needed_for_moves(&[("de", Tulk, "1"), ("fr", Person, "0")]));
    assert!(!is_needed_for_moves(&[("de", Tulk, "1"), ("fr", Person, "1")]), "the same text");
    assert!(!is_needed_for_moves(&[("de", Tulk, "1"), ("fr", Tulk, "0")]), "not a person's");
    assert!(!is_needed_for_moves(&[("de", Tulk, "1"), ("de", Person, "0")]), "no other language");
    assert!(!is_needed_for_moves(&[("fr", Person, "0")]), "nothing is known in German");
}

#[test]
fn targets_only_by_tulk_exclude_texts_that_a_person_also_wrote() {
    let mut lock = Lock::default();
    lock.set("en.json", "a", "de", entry(TargetAuthor::Tulk, "1", "eins"));
    lock.set("en.json", "b", "de", entry(TargetAuthor::Tulk, "2", "zwei"));
    lock.set("en.json", "c", "de", entry(TargetAuthor::Person, "2", "zwei"));
    lock.set("en.json", "d", "fr", entry(TargetAuthor::Tulk, "1", "un"));
    lock.set("x.json", "a", "de", entry(TargetAuthor::Tulk, "3", "drei"));
    let de = lock.language_number("de").unwrap();
    assert_eq!(lock.targets_only_by_tulk("en.json", de), HashSet::from([digest("eins")]));
}

#[test]
fn removes_all_entries_of_a_language_or_file() {
    let text = "en.json\ta\tde:t:FQn1YfI:ViwmXJM\tfr:p:FQn1YfI:cdx0hz4\nen.json\tb\tde:t:FQn1YfI:ViwmXJM\n\
        x.json\ta\tde:t:FQn1YfI:ViwmXJM\n";
    let mut lock = Lock::parse(text);
    assert_eq!(lock.languages().collect::<Vec<_>>(), ["de", "fr"]);
    let mut keys: Vec<&str> = lock.keys("en.json").collect();
    keys.sort_unstable();
    assert_eq!((keys, lock.count("en.json"), lock.count("x.json"), lock.count("y.json")), (vec!["a", "b"], 2, 1, 0));
    lock.remove_languages(&["it".to_owned()]);
    assert_eq!(lock.write(), text);
    lock.remove_languages(&["de".to_owned()]);
    assert_eq!(lock.write(), "en.json\ta\tfr:p:FQn1YfI:cdx0hz4\n");
    assert_eq!((lock.files().collect::<Vec<_>>(), lock.count("en.json")), (vec!["en.json"], 1));
    lock.remove_file("en.json");
    assert_eq!((lock.write(), lock.files().count()), (String::new(), 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_lock_round_trips(units in prop::collection::vec((".{1,9}", ".{0,9}", "[a-z]{2}", any::<u8>()), 0..20)) {
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
    fn any_text_is_parsed(text in "[a-z:\t\n<=>|\\\\-]{0,200}") {
        let lock = Lock::parse(&text);
        prop_assert_eq!(Lock::parse(&lock.write()).write(), lock.write());
    }
}
