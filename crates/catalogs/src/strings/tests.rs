//! Tests of `.strings` files.

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::super::{PluralKind, apply_edits, invariants};
use super::*;
use crate::catalog::Change;

/// A file as written by Xcode and genstrings.
const FILE: &str = r#"/*
  Localizable.strings
  Demo
*/

/* Title of the
   login screen */
"login.title" = "Log in, %@";

/* No comment provided by engineer. */
"say \"%1$@\"" = "Say \"%1$@\"\n\U00e9\101\tto %lld"; // behind

// Plain
key_1 = 'it\'s'; other = word;
"only key";

/* Section */

"last" /* in */ = "multi
line";
"#;

#[test]
fn invalid_lines_are_skipped_on_request() {
    let text = "\"a\" = \"One\";\nstray line\n\"b\" = \"Two\"\n/* note */\n\"c\" = \"Three\";\n\"d\" = \"Four;\n\"e\" = \"Five\";\n";
    assert_eq!(StringsFormat.read(text, &ReadOptions::default()).unwrap_err().at, text.find(" line").unwrap());
    let options = ReadOptions { skips_broken: true, ..ReadOptions::default() };
    let catalog = StringsFormat.read(text, &options).unwrap();
    let keys: Vec<String> = catalog.units.iter().map(|unit| unit.key.to_string()).collect();
    assert_eq!(keys, ["a", "c", "e"]);
    let broken: Vec<_> = catalog.broken.iter().map(|error| text.get(..error.at).unwrap().lines().count()).collect();
    assert_eq!(broken, [2, 3, 7]);
    assert_eq!(catalog.units[1].note.as_deref(), Some("note"));
    let new = single("Neu");
    let set = catalog.units.iter().map(|unit| Change::Set { unit: unit.id, text: &new, markup: &[] }).collect();
    let changes = CatalogChanges { units: set, ..CatalogChanges::default() };
    let written = apply_edits(text, StringsFormat.edits(text, &options, &changes).unwrap()).unwrap();
    assert_eq!(written, text.replace("\"One", "\"Neu").replace("Three", "Neu").replace("Five", "Neu"));
}

fn edited(text: &str, units: Vec<Change<'_>>) -> String {
    let changes = CatalogChanges { units, ..CatalogChanges::default() };
    let edits = StringsFormat.edits(text, &ReadOptions::default(), &changes).unwrap();
    apply_edits(text, edits).unwrap()
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn texts(text: &str) -> Vec<(String, String)> {
    let units = StringsFormat.read(text, &ReadOptions::default()).unwrap().units;
    units.iter().map(|unit| (unit.key.to_string(), unit.text.texts().collect())).collect()
}

fn foreign_unit(key: &str, note: Option<&str>) -> Unit {
    Unit { key: UnitKey::name(key), note: note.map(str::to_owned), ..Unit::default() }
}

#[test]
fn entries_are_units() {
    let units = StringsFormat.read(FILE, &ReadOptions::default()).unwrap().units;
    let found: Vec<_> = units.into_iter().map(|unit| (unit.key, unit.text, unit.note)).collect();
    let expected = [
        ("login.title", "Log in, %@", Some("Title of the\nlogin screen")),
        ("say \"%1$@\"", "Say \"%1$@\"\néA\tto %lld", None),
        ("key_1", "it's", Some("Plain")),
        ("other", "word", None),
        ("only key", "only key", None),
        ("last", "multi\nline", None),
    ];
    let unit =
        |(key, text, note): (&str, &str, Option<&str>)| (UnitKey::name(key), single(text), note.map(str::to_owned));
    assert_eq!(found, expected.map(unit));
}

#[test]
fn escapes_are_decoded() {
    for (raw, text) in [
        (r"\a\b\f\v\r\\\'\q", "\u{7}\u{8}\u{c}\u{b}\r\\'q"),
        (r"\Ud83d\Ude00\Ud83dx\U41", "😀\u{fffd}xA"),
        (r"\0\101\341\400", "\0AÆĀ"),
        (r"\u0041", "u0041"),
    ] {
        let file = format!("\"a\" = \"{raw}\";");
        assert_eq!(texts(&file), [("a".to_owned(), text.to_owned())], "{raw}");
    }
}

#[test]
fn values_are_set() {
    let text = single("\"x\" \\n\n\u{1}\r;");
    let changes = (0..6).map(|unit| Change::Set { unit, text: &text, markup: &[] });
    let new = r#""\"x\" \\n\n\U0001\r;""#;
    let expected = FILE
        .replace("\"Log in, %@\"", new)
        .replace(r#""Say \"%1$@\"\n\U00e9\101\tto %lld""#, new)
        .replace(r"'it\'s'", new)
        .replace("= word", &["= ", new].concat())
        .replace("\"only key\"", &["\"only key\" = ", new].concat())
        .replace("\"multi\nline\"", new);
    assert_eq!(edited(FILE, changes.collect()), expected);
}

#[test]
fn entries_are_inserted_like_their_siblings() {
    let (a, b) = (foreign_unit("a", Some("One */\ntwo")), foreign_unit("b\"", None));
    let text = single("x");
    let insert = |like, after, before| Change::Insert { like, text: &text, after, before };
    let found = edited(FILE, vec![insert(&a, Some(0), Some(1)), insert(&b, None, Some(5)), insert(&b, Some(5), None)]);
    let expected = FILE
        .replace("\"Log in, %@\";", "\"Log in, %@\";\n\n/* One * /\n   two */\n\"a\" = \"x\";")
        .replace("\"last\"", "\"b\\\"\" = \"x\";\n\"last\"")
        .replace("line\";", "line\";\n\"b\\\"\" = \"x\";");
    assert_eq!(found, expected);
    let crlf = "\t\"k\"=\"v\";\r\n\t\"l\"=\"w\";\r\n";
    let found = edited(crlf, vec![insert(&a, Some(0), None)]);
    assert_eq!(found, "\t\"k\"=\"v\";\r\n\t/* One * /\r\n\t   two */\r\n\t\"a\"=\"x\";\r\n\t\"l\"=\"w\";\r\n");
}

#[test]
fn no_entry_is_inserted_in_a_comment() {
    let (a, text) = (foreign_unit("a", None), single("x"));
    let insert = |after| vec![Change::Insert { like: &a, text: &text, after, before: None }];
    let file = "k;l = \"v\"; // c\nm;\n";
    assert_eq!(edited(file, insert(Some(1))), "k;l = \"v\"; // c\n\"a\" = \"x\";\nm;\n");
    assert_eq!(edited(file, insert(Some(0))), "k;\"a\" = \"x\";l = \"v\"; // c\nm;\n");
}

#[test]
fn entries_are_inserted_into_files_without_entries() {
    let (a, b) = (foreign_unit("a", None), foreign_unit("b", None));
    let text = single("x");
    let insert = |like| Change::Insert { like, text: &text, after: None, before: None };
    for (file, expected) in [
        ("", "\"a\" = \"x\";\n\"b\" = \"x\";"),
        ("\n", "\"a\" = \"x\";\n\"b\" = \"x\";\n"),
        ("/* h */", "/* h */\n\n\"a\" = \"x\";\n\"b\" = \"x\";"),
        ("/* h */\n", "/* h */\n\n\"a\" = \"x\";\n\"b\" = \"x\";\n"),
        ("/* h */\n\n", "/* h */\n\n\"a\" = \"x\";\n\"b\" = \"x\";\n"),
    ] {
        assert_eq!(edited(file, vec![insert(&a), insert(&b)]), expected);
    }
}

#[test]
fn entries_are_removed_with_their_comments() {
    let remove = |units: &[usize]| units.iter().map(|unit| Change::Remove { unit: *unit }).collect::<Vec<_>>();
    let head = "/*\n  Localizable.strings\n  Demo\n*/\n\n";
    let found = edited(FILE, remove(&[0, 1]));
    assert_eq!(found, [head, FILE.get(FILE.find("// Plain").unwrap()..).unwrap()].concat());
    let found = edited(FILE, remove(&[1, 2, 3, 4]));
    let login = FILE.get(head.len()..FILE.find("\n\n/* No").unwrap()).unwrap();
    let section = FILE.get(FILE.find("\n\n/* Section").unwrap()..).unwrap();
    assert_eq!(found, [head, login, section].concat());
    assert_eq!(
        edited(FILE, remove(&[0, 1, 2, 3, 4, 5])),
        "/*\n  Localizable.strings\n  Demo\n*/\n\n\n/* Section */\n\n"
    );
    let (text, a) = (single("x"), foreign_unit("a", None));
    for after in [Some(0), Some(1), None] {
        let mut changes = remove(&[0, 1]);
        changes.push(Change::Insert { like: &a, text: &text, after, before: None });
        assert_eq!(edited("// h\n\n\"k\" = \"v\";\n\"l\" = \"w\";\n", changes), "// h\n\n\"a\" = \"x\";\n");
    }
}

#[test]
fn the_last_duplicate_key_wins() {
    let file = "\"a\" = \"1\"; \"b\" = \"2\"; \"a\" = \"3\";";
    let catalog = StringsFormat.read(file, &ReadOptions::default()).unwrap();
    assert_eq!(catalog.duplicates, [DuplicateKey { key: UnitKey::name("a"), at: 0 }]);
    let expected = [("b", "2"), ("a", "3")].map(|(key, text)| (key.to_owned(), text.to_owned()));
    assert_eq!(texts(file), expected);
}

#[test]
fn errors_have_positions() {
    for (file, at, what) in [
        ("\"a\" = \"b\"", 9, "a ';' is missing after the text"),
        ("\"a\" = \"b\"\n\"c\"", 9, "a ';' is missing after the text"),
        ("\"a\" = ;", 6, "a text is expected here"),
        ("\"a\" = { x = y; };", 6, "a text is expected here"),
        ("= x;", 0, "a key is expected here"),
        ("<?xml version=\"1.0\"?>\n<plist/>", 0, "the file is a property list in XML"),
        ("\"a\" = \"b\\\";", 6, "a string is not closed"),
        ("x; /* y", 3, "a comment is not closed"),
    ] {
        let error = StringsFormat.read(file, &ReadOptions::default()).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (at, what), "{file}");
    }
    let plural = UnitText::Plural(PluralKind::Cardinal, Vec::new());
    let units = vec![Change::Set { unit: 0, text: &plural, markup: &[] }];
    let changes = CatalogChanges { units, ..CatalogChanges::default() };
    let error = StringsFormat.edits("a = b;", &ReadOptions::default(), &changes).unwrap_err();
    assert_eq!(error.what, "a .strings file has no plurals");
}

#[test]
fn reading_takes_linear_time() {
    let entries = |n| (0..n).map(|n| format!("/* n */\n\"k{n}\" = \"v\";\n\n")).collect::<String>();
    assert_eq!(texts(&entries(1000)).len(), 1000);
    assert_linear("entries", 4000, entries, |text| drop(texts(text)));
    let read = |text: &String| StringsFormat.read(text, &ReadOptions::default());
    assert_linear("comments", 1 << 14, |n| "/* x */".repeat(n), |text| assert!(read(text).is_ok()));
    assert_linear("unclosed comments", 1 << 14, |n| "/*".repeat(n), |text| assert!(read(text).is_err()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn invariants_hold(new in invariants::texts()) {
        let options = ReadOptions::default();
        for file in [FILE, "a = b;", "a=b;c=d;", "\"a\" = \"b\";\n", "// h\n\na = b;\n\n\nc = d;\n"] {
            invariants::check_all(&StringsFormat, file, &options, &new);
            invariants::check_all(&StringsFormat, &file.replace('\n', "\r\n"), &options, &new);
        }
    }

    #[test]
    fn corrupted_files_do_not_panic(cut in 0..FILE.len(), from in 0..FILE.len()) {
        let (start, end) = (FILE.get(..cut).unwrap_or_default(), FILE.get(from..).unwrap_or_default());
        for text in [start, end, &[start, end].concat()] {
            let _ = StringsFormat.read(text, &ReadOptions::default());
        }
    }
}

#[test]
fn notes_of_interface_builder_are_not_sent() {
    let text = concat!(
        "/* Class = \"NSButton\"; title = \"Open\"; ObjectID = \"a-1\"; */\n\"a\" = \"Open\";\n",
        "/* Class = \"NSMenu\"; title = \"File\"; ObjectID = \"b\"; Note = \"In the menu bar\"; */\n\"b\" = \"File\";\n",
        "/* Class of a ship */\n\"c\" = \"Class\";\n",
    );
    let units = StringsFormat.read(text, &ReadOptions::default()).unwrap().units;
    let sent: Vec<_> = units.iter().map(Unit::note_to_send).collect();
    assert_eq!(
        sent.iter().map(Option::as_deref).collect::<Vec<_>>(),
        [None, Some("In the menu bar"), Some("Class of a ship")]
    );
    assert!(units[0].note.as_deref().is_some_and(|note| note.starts_with("Class = ")), "it stays in the file");
}
