//! Tests of properties files.

use proptest::prelude::*;

use super::*;
use crate::{Catalog, CatalogChanges, CatalogFormat, Change, ReadOptions, Unit, UnitText, apply_edits, invariants};

/// Makes each leaf a unit, without a dialect.
#[derive(Debug)]
struct PlainLeaves(PropertiesFormat);

fn single_text(text: &UnitText) -> &str {
    text.texts().next().unwrap()
}

impl CatalogFormat for PlainLeaves {
    fn read(&self, text: &str, _: &ReadOptions) -> Result<Catalog, CatalogError> {
        let tree = self.0.leaves(text)?;
        let unit = |(id, leaf): (usize, Leaf)| Unit {
            id,
            key: leaf.key,
            text: UnitText::Single(leaf.text.unwrap()),
            note: leaf.note,
            at: leaf.at,
            ..Unit::default()
        };
        let units = tree.leaves.into_iter().enumerate().map(unit).collect();
        Ok(Catalog { units, duplicates: tree.duplicates, ..Catalog::default() })
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        let leaf_change = |change: &Change<'_>| match change {
            Change::Set { unit, text, .. } => LeafChange::Set { leaf: *unit, text: leak(single_text(text)) },
            Change::Insert { like, text, after, before } => {
                let (after, before) = (*after, *before);
                LeafChange::Insert { key: like.key.clone(), text: leak(single_text(text)), after, before }
            }
            Change::Remove { unit } => LeafChange::Remove { leaf: *unit },
        };
        self.0.leaf_edits(text, &changes.units.iter().map(leaf_change).collect::<Vec<_>>())
    }
}

fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

const SPRING: &str = "# Messages of the shop\n\n# The title of the page.\n# It is short.\nsite.title=My shop\n\
                      cart.items : {0} items\ncart.empty   Nothing here\n! Greeting\nhello = \\\n    Hello, \\\n    \\ world\\!\n\
                      path=C:\\\\Temp\\n\\tx\nkey\\ with\\:sign\\=s=\\ padded \nempty\numlaut=\\u00e4\\ud83d\\ude00\n#end";

fn leaves(text: &str) -> Vec<(String, String)> {
    let name = |leaf: Leaf| match &leaf.key.0[..] {
        [UnitKeyPart::Name(name)] => (name.clone(), leaf.text.unwrap()),
        other => panic!("{other:?}"),
    };
    PropertiesFormat.leaves(text).unwrap().leaves.into_iter().map(name).collect()
}

fn change(text: &str, changes: &[LeafChange<'_>]) -> String {
    apply_edits(text, PropertiesFormat.leaf_edits(text, changes).unwrap()).unwrap()
}

fn set(text: &str, leaf: usize, to: &str) -> String {
    change(text, &[LeafChange::Set { leaf, text: to }])
}

#[test]
fn a_continued_line_does_not_absorb_an_inserted_key() {
    for text in ["a=b\nk \\\r\r\rx=y\n", "a=b\nk \\\n\n\nx=y\n", "a=b\r\nk \\\r\n\r\nx=y\r\n"] {
        invariants::insert_then_remove(&PlainLeaves(PropertiesFormat), text, &ReadOptions::default(), "new");
    }
}

#[test]
fn keys_and_values_are_read_as_in_java() {
    let expected = [
        ("site.title", "My shop"),
        ("cart.items", "{0} items"),
        ("cart.empty", "Nothing here"),
        ("hello", "Hello,  world!"),
        ("path", "C:\\Temp\n\tx"),
        ("key with:sign=s", " padded "),
        ("empty", ""),
        ("umlaut", "ä😀"),
    ];
    let read = leaves(SPRING);
    let read: Vec<(&str, &str)> = read.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    assert_eq!(read, expected);
    let tree = PropertiesFormat.leaves(SPRING).unwrap();
    assert_eq!(tree.leaves[0].note.as_deref(), Some("The title of the page.\nIt is short."));
    assert_eq!(tree.leaves[1].note, None);
    assert_eq!(tree.leaves[3].note.as_deref(), Some("Greeting"));
    for (text, key, value) in [
        ("a==b", "a", "=b"),
        ("a = = b", "a", "= b"),
        ("=b", "", "b"),
        ("a\\\n  b=c", "ab", "c"),
        ("a=b\\", "a", "b"),
        ("a=b\\\n", "a", "b"),
        ("a=b\\\n\nc", "a", "b"),
        ("  a\t\u{c}:\t b ", "a", "b "),
        ("a=\\q\\\"", "a", "q\""),
        ("a=b\\\\\nc=d", "a", "b\\"),
        ("a=b\rc=d", "a", "b"),
        ("\\\n#b\na=c", "a", "c"),
    ] {
        assert_eq!(leaves(text)[0], (key.to_owned(), value.to_owned()), "{text:?}");
    }
}

#[test]
fn values_keep_their_key_separator_and_line_ending() {
    assert_eq!(set(SPRING, 1, "x"), SPRING.replace(": {0} items", ": x"));
    assert_eq!(set(SPRING, 2, "=x"), SPRING.replace("   Nothing here", "   \\=x"));
    assert_eq!(set(SPRING, 3, "x"), SPRING.replace("Hello, \\\n    \\ world\\!", "x"));
    assert_eq!(set(SPRING, 5, " x\ty"), SPRING.replace("\\ padded ", "\\ x\\ty"));
    assert_eq!(set(SPRING, 6, "x"), SPRING.replace("empty\n", "empty=x\n"));
    assert_eq!(
        set(SPRING, 7, "é\u{1f600}\u{1}\\"),
        SPRING.replace("\\u00e4\\ud83d\\ude00", "\\u00e9\\ud83d\\ude00\\u0001\\\\")
    );
    assert_eq!(set("a : \nb=1", 0, ":x"), "a : :x\nb=1");
    assert_eq!(set("a=b\\", 0, "x"), "a=x\\");
    assert_eq!(set(SPRING, 0, "My shop"), SPRING);
}

#[test]
fn characters_are_escaped_unless_the_file_has_them() {
    assert_eq!(set("a=b", 0, "ä"), "a=\\u00E4");
    assert_eq!(set("# ä\na=b", 0, "ä"), "# ä\na=\\u00E4");
    assert_eq!(set("a=b\nc=ö", 0, "ä\u{2028}\u{85}"), "a=ä\u{2028}\\u0085\nc=ö");
}

#[test]
fn keys_are_inserted_next_to_their_siblings_and_removed() {
    let insert = |text: &str, key: &str, value: &str, after: Option<usize>, before: Option<usize>| {
        change(text, &[LeafChange::Insert { key: UnitKey::name(key), text: value, after, before }])
    };
    let text = "# top\r\n\r\n# one\r\na : 1\r\n  b=2";
    assert_eq!(insert(text, "x", "y", Some(0), Some(1)), "# top\r\n\r\n# one\r\na : 1\r\nx : y\r\n  b=2");
    assert_eq!(insert(text, "x", "y", Some(1), None), "# top\r\n\r\n# one\r\na : 1\r\n  b=2\r\n  x=y");
    assert_eq!(insert(text, "#x y", " ", None, Some(0)), "# top\r\n\r\n\\#x\\ y : \\ \r\n# one\r\na : 1\r\n  b=2");
    assert_eq!(insert("", "x", "y", None, None), "x=y\n");
    assert_eq!(insert("# top", "x", "y", None, None), "# top\n\nx=y\n");
    assert_eq!(change(text, &[LeafChange::Remove { leaf: 0 }]), "# top\r\n\r\n  b=2");
    assert_eq!(change(text, &[LeafChange::Remove { leaf: 1 }]), "# top\r\n\r\n# one\r\na : 1");
    let all = [LeafChange::Remove { leaf: 0 }, LeafChange::Remove { leaf: 1 }];
    assert_eq!(change("a=1\nb=2\nc=3\n", &all), "c=3\n");
    assert_eq!(change("# top\n\na=1\nb=2\n", &all), "# top\n");
    let replaced = [
        LeafChange::Insert { key: UnitKey::name("x"), text: "1", after: Some(0), before: Some(1) },
        LeafChange::Insert { key: UnitKey::name("y"), text: "2", after: Some(1), before: None },
        LeafChange::Remove { leaf: 0 },
        LeafChange::Remove { leaf: 1 },
    ];
    assert_eq!(change("a=1\nb=2\n", &replaced), "x=1\ny=2\n");
    assert_eq!(change("#top\n\na=1\nb=2\n", &replaced), "#top\n\nx=1\ny=2\n");
}

#[test]
fn the_last_duplicate_key_wins() {
    let text = "a=1\nb=2\na=3\n";
    let tree = PropertiesFormat.leaves(text).unwrap();
    assert_eq!(tree.duplicates, [DuplicateKey { key: UnitKey::name("a"), at: 0 }]);
    assert_eq!(leaves(text), [("b".to_owned(), "2".to_owned()), ("a".to_owned(), "3".to_owned())]);
    assert_eq!(set(text, 1, "x"), "a=1\nb=2\na=x\n");
    assert_eq!(change(text, &[LeafChange::Remove { leaf: 1 }]), "b=2\n");
}

#[test]
fn errors_have_a_position_and_a_reason() {
    for (text, at, what) in [
        ("a=\\u12g4", 2, "`\\u` must be followed by four hexadecimal digits"),
        ("a=\\u12", 2, "`\\u` must be followed by four hexadecimal digits"),
        ("\\u+123=a", 0, "`\\u` must be followed by four hexadecimal digits"),
        ("a=b\\ud83d", 3, "half a surrogate pair is missing"),
        ("a=\\ud83d\\u0041", 2, "half a surrogate pair is missing"),
        ("a=\\ude00", 2, "half a surrogate pair is missing"),
    ] {
        let error = PropertiesFormat.leaves(text).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (at, what), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn invariants_hold(new in invariants::texts(), is_crlf: bool, is_raw: bool) {
        let text = if is_raw { SPRING.replace("\\u00e4", "ä") } else { SPRING.to_owned() };
        let text = if is_crlf { text.replace('\n', "\r\n") } else { text };
        invariants::check_all(&PlainLeaves(PropertiesFormat), &text, &ReadOptions::default(), &new);
        invariants::check_all(&PlainLeaves(PropertiesFormat), text.trim_end_matches("#end"), &ReadOptions::default(), &new);
        for text in ["a=b\nc : d\\", "# top\n\n# a\na \\\n= b\n", "\n=\na\\\n\n", "a\n\nb\tc"] {
            invariants::check_all(&PlainLeaves(PropertiesFormat), text, &ReadOptions::default(), &new);
        }
    }

    #[test]
    fn combined_changes_do_not_conflict(marks in prop::collection::vec((0..4_usize, any::<bool>()), 8), ends: bool) {
        let text = if ends { SPRING } else { SPRING.trim_end_matches("\n#end") };
        let before = leaves(text);
        let names: Vec<String> = (0..before.len()).map(|leaf| format!("x{leaf}")).collect();
        let mut expected: Vec<(String, String)> = Vec::new();
        let mut changes = Vec::new();
        for (leaf, (mark, is_after)) in marks.iter().enumerate() {
            let (key, value) = &before[leaf];
            match mark {
                1 => changes.push(LeafChange::Set { leaf, text: "new" }),
                2 | 3 => changes.push(LeafChange::Remove { leaf }),
                _ => {}
            }
            if *mark < 2 {
                expected.push((key.clone(), if *mark == 1 { "new".to_owned() } else { value.clone() }));
            }
            if matches!(mark, 1 | 3) {
                let (after, before) = (is_after.then_some(leaf), (!is_after).then_some(leaf));
                changes.push(LeafChange::Insert { key: UnitKey::name(&names[leaf]), text: "new", after, before });
                expected.push((names[leaf].clone(), "new".to_owned()));
            }
        }
        let changed = change(text, &changes);
        let mut found = leaves(&changed);
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected, "{:?}", changed);
    }

    #[test]
    fn corrupted_files_do_not_panic(cut in 0..400_usize, at in 0..400_usize, piece in "[\\\\\n\r =:#u a-f0-9]{0,6}") {
        let mut text: String = SPRING.chars().take(cut).collect();
        text.insert_str(at.min(text.len()), &piece);
        if let Ok(tree) = PropertiesFormat.leaves(&text) {
            for leaf in 0..tree.leaves.len() {
                let new = set(&text, leaf, " x");
                prop_assert_eq!(&leaves(&new)[leaf].1, " x", "{:?}", new);
            }
        }
    }
}
