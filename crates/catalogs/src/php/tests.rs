//! Tests of PHP files.

use proptest::prelude::*;

use super::*;
use crate::{Change, UnitKey, apply_edits, invariants};

const LARAVEL: &str = include_str!("../../tests/files/laravel.php");

/// Files without list items: removing an item would change the keys of those after it.
const SMALL_FILES: &[&str] = &[
    "<?php return ['a' => 'b', 'c' => ['d' => 'e'],];",
    "<?php return ['a' => ['b' => 'c', 'd' => 'e'], 'f' => ['g' => 'h'], 'i' => 'j'];",
    "<?php\nreturn array (\n  'a' => \n  array (\n    'b' => 'c',\n  ),\n);\n",
    "<?php return [ 'a' => 'b', // note\n   'c' => 'd' ];",
    "<?php\nreturn [\n\t'a' => 'b', 'c' => 'd',\n\t/** Note */ 'e' => 'f' // end\n];\n?>\n",
    "<?php\nreturn [\n\n    /* Top */\n\n    // Note\n    'a' => 'b',\n    'c' => [\n        'd' => 'e', 'f' => 'g', 'h' => 'i',\n        'j' => 'k'],\n    'l' => [ 'm' => 'n',\n    'o' => 'p' ], 'q' => 'r'\n];",
];

fn read(text: &str) -> Catalog {
    PhpFormat.read(text, &ReadOptions::default()).unwrap()
}

fn keys(text: &str) -> Vec<String> {
    read(text).units.iter().map(|unit| unit.key.to_string()).collect()
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn change(text: &str, units: Vec<Change<'_>>) -> String {
    let changes = CatalogChanges { units, ..CatalogChanges::default() };
    apply_edits(text, PhpFormat.edits(text, &ReadOptions::default(), &changes).unwrap()).unwrap()
}

fn unit_of(text: &str, key: &str) -> usize {
    read(text).units.iter().find(|unit| unit.key.to_string() == key).unwrap_or_else(|| panic!("{key} in {text}")).id
}

fn set(text: &str, key: &str, to: &str) -> String {
    change(text, vec![Change::Set { unit: unit_of(text, key), text: &single(to), markup: &[] }])
}

fn remove(text: &str, keys: &[&str]) -> String {
    change(text, keys.iter().map(|key| Change::Remove { unit: unit_of(text, key) }).collect())
}

/// Inserts a unit for each of `keys` after `after`. Its text is its key.
fn insert(text: &str, after: &str, keys: &[&[&str]]) -> String {
    let units: Vec<Unit> =
        keys.iter().map(|key| Unit { key: UnitKey::names(key.iter().copied()), ..Unit::default() }).collect();
    let texts: Vec<UnitText> = keys.iter().map(|key| single(&key.join("."))).collect();
    let after = (!after.is_empty()).then(|| unit_of(text, after));
    let before = after.is_none().then_some(0).filter(|_| !read(text).units.is_empty());
    let changes = units.iter().zip(&texts).map(|(like, text)| Change::Insert { like, text, after, before });
    change(text, changes.collect())
}

#[test]
fn removes_a_comment_that_ends_at_a_carriage_return() {
    let text = "<?php return [\n'a' => 'b', // c\r'd' => 'e',\r];\n";
    assert_eq!(remove(text, &["a"]), "<?php return [\r'd' => 'e',\r];\n");
}

#[test]
fn an_empty_array_keeps_its_whitespace() {
    for text in ["<?php return [\n  ];", "<?php\nreturn array( );\n", "<?php return ['a' => [\n]];"] {
        invariants::check_no_changes(&PhpFormat, text, &ReadOptions::default());
    }
}

#[test]
fn string_literals_are_units() {
    let catalog = read(LARAVEL);
    let found: Vec<(String, &str)> =
        catalog.units.iter().map(|unit| (unit.key.to_string(), unit.text.texts().next().unwrap())).collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(key, text)| (key.as_str(), *text)).collect();
    assert_eq!(
        found,
        [
            ("accepted", "The :attribute must be accepted."),
            ("quoted", "It's \"here\":\n\t$5 éAA \\q"),
            ("raw", "C:\\temp\\ it's"),
            ("apples", "One apple|Many apples"),
            ("between.array", "Between :min and :max."),
            ("between.file", "From :min"),
            ("between.string", "To :max"),
            ("old.a", "b"),
            ("old.0", "c"),
            ("list.0", "First"),
            ("list.1.title", "Second"),
            ("list.12", "Twelve"),
            ("list.13", "Thirteen"),
            ("options.yes", "Yes"),
            ("options.no", "No"),
        ]
    );
    assert_eq!(catalog.units[9].key.0[1], UnitKeyPart::Item(0));
    assert_eq!(catalog.units[11].key.0[1], UnitKeyPart::Name("12".to_owned()));
    assert_eq!(catalog.units[0].note, None);
    assert_eq!(catalog.units[1].note.as_deref(), Some("Shown below the field.\nIn red."));
    assert!(catalog.units.iter().all(|unit| unit.skip.is_none()));
}

#[test]
fn strings_keep_their_quotes() {
    assert_eq!(set(LARAVEL, "raw", "it's \\n"), LARAVEL.replace(r"'C:\temp\\ it\'s'", r"'it\'s \\n'"));
    assert_eq!(
        set(LARAVEL, "accepted", "a\nb$x"),
        LARAVEL.replace("'The :attribute must be accepted.'", r#""a\nb\$x""#)
    );
    assert_eq!(
        set("<?php return [\"a\" => \"b\"];", "a", "'{$x}\"\u{1}"),
        "<?php return [\"a\" => \"'{\\$x}\\\"\\x01\"];"
    );
    assert_eq!(set("<?php return ['a' => 'b\n c'];", "a", "d\ne"), "<?php return ['a' => 'd\ne'];");
    assert_eq!(set(LARAVEL, "raw", "C:\\temp\\ it's"), LARAVEL);
}

#[test]
fn items_are_inserted_next_to_their_siblings() {
    let has = |after: &str, keys: &[&[&str]], old: &str, new: &str| {
        assert!(LARAVEL.contains(old), "{old}");
        assert_eq!(insert(LARAVEL, after, keys), LARAVEL.replace(old, new));
    };
    has("apples", &[&["x"], &["y"]], "// a plural\n", "// a plural\n    'x' => 'x',\n    'y' => 'y',\n");
    has("", &[&["x"]], "\n\n    'accepted'", "\n\n    'x' => 'x',\n    'accepted'");
    has("between.file", &[&["between", "x"]], "From :min',", "From :min', 'x' => 'between.x',");
    has(
        "quoted",
        &[&["x", "y"], &["x", "z", "1"]],
        " \\q\",\n",
        " \\q\",\n    \"x\" => [\n        \"y\" => \"x.y\",\n        \
         \"z\" => [\n            1 => \"x.z.1\",\n        ],\n    ],\n",
    );
    has("old.a", &[&["old", "x"]], "'a' => 'b', 'c'", "'a' => 'b', 'x' => 'old.x', 'c'");
    has("old.0", &[&["old", "x", "y"]], "'b', 'c')", "'b', 'c', 'x' => array('y' => 'old.x.y'))");
    has(
        "options.no",
        &[&["options", "x"], &["options", "y"]],
        "'No'\n",
        "'No',\n        'x' => 'options.x',\n        'y' => 'options.y'\n",
    );
    has("options.no", &[&["x"]], "'No'\n    ]\n", "'No'\n    ],\n    'x' => 'x'\n");
    has(
        "between.string",
        &[&["between", "empty", "x"]],
        "'empty' => []",
        "'empty' => [\n            'x' => 'between.empty.x',\n        ]",
    );
    assert_eq!(insert("<?php return [];\r\n", "", &[&["a"]]), "<?php return [\r\n    'a' => 'a',\r\n];\r\n");
    assert_eq!(insert("<?php return ['b' => 'c'];", "", &[&["a"]]), "<?php return ['a' => 'a', 'b' => 'c'];");
    let tabs = "<?php\r\nreturn array(\r\n\t'a'=>'b'\r\n);";
    assert_eq!(
        insert(tabs, "a", &[&["c", "d"]]),
        "<?php\r\nreturn array(\r\n\t'a'=>'b',\r\n\t'c'=>array(\r\n\t\t'd'=>'c.d',\r\n\t)\r\n);"
    );
}

#[test]
fn removes_an_item_with_its_comments_and_line() {
    let has = |keys: &[&str], old: &str, new: &str| {
        assert!(LARAVEL.contains(old), "{old}");
        assert_eq!(remove(LARAVEL, keys), LARAVEL.replace(old, new));
    };
    has(&["apples"], "    'apples' => 'One apple|Many apples', // a plural\n", "");
    has(&["between.file"], "'file' => 'From :min', ", "");
    has(&["between.string"], " 'string' => 'To :max',", "");
    has(&["between.file", "between.string"], "        'file' => 'From :min', 'string' => 'To :max',\n", "");
    has(&["old.0"], "'b', 'c'", "'b'");
    has(&["old.0", "old.a"], "    'old' => array('a' => 'b', 'c'),\n", "");
    has(&["list.1.title"], "        ['title' => 'Second'],\n", "");
    has(&["options.no"], "'Yes',\n        'no' => 'No'\n", "'Yes'\n");
    let without = remove(LARAVEL, &["options.no", "options.yes"]);
    assert!(without.ends_with("    'both' => ['a' => 'b'] + ['c' => 'd']\n];\n"), "{without}");
    let without = remove(LARAVEL, &["quoted"]);
    assert!(without.contains("accepted.',\n    'raw'"), "{without}");
    assert_eq!(remove("<?php return [\n  'a' => 'b',\n];", &["a"]), "<?php return [];");
}

#[test]
fn the_last_duplicate_key_wins() {
    let text = "<?php return ['a' => ['x' => '1', 'y' => '2'], 'b' => '3', 'a' => ['x' => '4'], 'b' => '5', 2 => '6', '7', '2' => '8'];";
    assert_eq!(keys(text), ["a.x", "b", "3", "2"]);
    let duplicates: Vec<String> = read(text).duplicates.iter().map(|other| other.key.to_string()).collect();
    assert_eq!(duplicates, ["a.x", "a.y", "b", "2"]);
    assert_eq!(set(text, "a.x", "9"), text.replace("'4'", "'9'"));
    assert_eq!(remove(text, &["b"]), text.replace(" 'b' => '3',", "").replace(" 'b' => '5',", ""));
}

#[test]
fn refuses_to_insert_a_text_where_the_file_has_another_kind_of_value() {
    let insert = |key: &[&str]| {
        let like = Unit { key: UnitKey::names(key.iter().copied()), ..Unit::default() };
        let text = single("x");
        let units = vec![Change::Insert { like: &like, text: &text, after: None, before: None }];
        let changes = CatalogChanges { units, ..CatalogChanges::default() };
        PhpFormat.edits(LARAVEL, &ReadOptions::default(), &changes).unwrap_err().what
    };
    assert_eq!(insert(&["constant"]), "the key `constant` has a different kind of value here");
    assert_eq!(insert(&["accepted", "x"]), "the key `accepted.x` has a different kind of value here");
}

#[test]
fn a_file_that_returns_nothing_has_no_texts() {
    for (text, code) in [("<?php", 0), ("<?php\n// later\n?>\n", 0), ("<?php function f() { return []; }", 1)] {
        let catalog = PhpFormat.read(text, &ReadOptions::default()).unwrap();
        assert_eq!(catalog.units, []);
        assert_eq!(catalog.other_values.get(&SkipReason::Expression).copied().unwrap_or_default(), code, "{text}");
        assert_eq!(PhpFormat.edits(text, &ReadOptions::default(), &CatalogChanges::default()).unwrap(), []);
        let like = Unit { key: UnitKey::name("a"), ..Unit::default() };
        let new = single("x");
        let units = vec![Change::Insert { like: &like, text: &new, after: None, before: None }];
        let changes = CatalogChanges { units, ..CatalogChanges::default() };
        let error = PhpFormat.edits(text, &ReadOptions::default(), &changes).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (text.len(), "the file returns no array"));
    }
}

#[test]
fn errors_have_a_position_and_a_reason() {
    let deep = format!("<?php return {}", "[".repeat(100_000));
    for (text, at, what) in [
        ("return [];", 0, "the file has no `<?php`"),
        ("<?php return config('x');", 13, "the file returns something other than an array"),
        ("<?php return ['a' => 'b'", 13, "the array is not closed"),
        ("<?php return ['a' => 'b];", 21, "the string is not closed"),
        ("<?php return ['a' => 'b';", 24, "expected a comma or the end of the array"),
        ("<?php return ['a' => <<<X\n Y", 21, "the text after `<<<` is not closed"),
        ("<?php return [ /* ", 15, "the comment is not closed"),
        ("<?php return [)];", 14, "expected an array item"),
        (&deep, 142, "arrays are nested more than 128 levels deep"),
    ] {
        let error = PhpFormat.read(text, &ReadOptions::default()).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (at, what), "{}", text.chars().take(80).collect::<String>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn invariants_hold(new in invariants::texts(), is_crlf: bool) {
        // A single pipe would separate the parts of a plural.
        let new = new.replace('|', "||");
        let text = if is_crlf { LARAVEL.replace('\n', "\r\n") } else { LARAVEL.to_owned() };
        invariants::check_all(&PhpFormat, &text, &ReadOptions::default(), &new);
        for text in SMALL_FILES {
            invariants::check_all(&PhpFormat, text, &ReadOptions::default(), &new);
        }
    }

    #[test]
    fn combined_changes_do_not_conflict(which in 0..SMALL_FILES.len(), marks in prop::collection::vec((0..4_usize, any::<bool>()), 24)) {
        let text = SMALL_FILES[which];
        let units = read(text).units;
        let new = single("new");
        let mut expected: Vec<(String, bool)> = Vec::new();
        let mut changes = Vec::new();
        // Each unit gets a new one in the same array.
        let others: Vec<Unit> = units
            .iter()
            .map(|unit| Unit { key: UnitKey(unit.key.parent().to_vec()).with(UnitKeyPart::Name(format!("x{}", unit.id))), ..Unit::default() })
            .collect();
        for (unit, (mark, is_after)) in units.iter().zip(marks.iter().cycle()) {
            match mark {
                1 => changes.push(Change::Set { unit: unit.id, text: &new, markup: &[] }),
                2 | 3 => changes.push(Change::Remove { unit: unit.id }),
                _ => {}
            }
            if *mark < 2 {
                expected.push((unit.key.to_string(), *mark == 1));
            }
            if matches!(mark, 1 | 3) {
                let like = &others[unit.id];
                let (after, before) = (is_after.then_some(unit.id), (!is_after).then_some(unit.id));
                changes.push(Change::Insert { like, text: &new, after, before });
                expected.push((like.key.to_string(), true));
            }
        }
        let changed = change(text, changes);
        let mut found: Vec<(String, bool)> =
            read(&changed).units.iter().map(|unit| (unit.key.to_string(), unit.text == new)).collect();
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected, "{}", changed);
    }

    #[test]
    fn damaged_files_fail_or_are_read(cut in 0..1500_usize, at in 0..1500_usize, piece in "[\\[\\]()'\"\\\\,=>{}$#/*<\n a-z0-9]{0,6}") {
        let mut text: String = LARAVEL.chars().take(cut).collect();
        text.insert_str(at.min(text.len()), &piece);
        text.push_str("]];");
        if let Ok(catalog) = PhpFormat.read(&text, &ReadOptions::default()) {
            for unit in catalog.units {
                let new = single("x\ny");
                let changed = change(&text, vec![Change::Set { unit: unit.id, text: &new, markup: &[] }]);
                prop_assert_eq!(&read(&changed).units[unit.id].text, &new, "{}", changed);
                change(&text, vec![Change::Remove { unit: unit.id }]);
            }
        }
    }
}
