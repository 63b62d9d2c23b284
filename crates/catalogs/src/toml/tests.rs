//! Tests with literal files, and invariants of leaves.

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::*;
use crate::{UnitKeyPart, apply_edits, invariants};

const GO: &str = "\
# Texts of the shop
title = \"Shop\" # short
count = 5

# Shown first
[hello]
description = 'Greeting'
other = \"Hello {{.Name}}\"

[cart]
one = \"{{.Count}} item\"
other = '''
# {{.Count}}
items'''
\"a key\" = \"\"\"x \\\"\"\"y\"\"\"

[cart.empty]
other = \"Empty\u{2028}cart\"
";

const HUGO: &str = "
menu.home = \"Home\"
menu.sub.about = 'About'
steps = [\"a\", 'b', { name = \"c\", x.y = \"d\" }]
lines = [
  \"one\",
  \"two\", # second
]

[[list]]
name=\"first\"
[list.more]
text=\"m\"
[[list]]
  name=\"second\"
[a.b]
c = \"d\"";

fn fixtures() -> Vec<String> {
    vec![
        GO.to_owned(),
        GO.replace('\n', "\r\n"),
        HUGO.to_owned(),
        HUGO.replace('\n', "\r\n"),
        "a = \"x\"\nb = 'y'".to_owned(),
    ]
}

fn leaves(text: &str) -> Vec<Leaf> {
    TomlFormat.leaves(text).unwrap_or_else(|error| panic!("{error:?} in {text:?}")).leaves
}

fn edited(text: &str, changes: &[LeafChange<'_>]) -> String {
    let edits = TomlFormat.leaf_edits(text, changes).unwrap_or_else(|error| panic!("{error:?} in {text:?}"));
    apply_edits(text, edits).unwrap_or_else(|| panic!("edits overlap in {text:?}"))
}

fn key(path: &str) -> UnitKey {
    let part = |part: &str| part.parse().map_or_else(|_| UnitKeyPart::Name(part.to_owned()), UnitKeyPart::Item);
    UnitKey(path.split('.').map(part).collect())
}

fn position(text: &str, path: &str) -> usize {
    leaves(text).iter().position(|leaf| leaf.key == key(path)).unwrap_or_else(|| panic!("no {path} in {text:?}"))
}

fn set(text: &str, path: &str, new: &str) -> String {
    edited(text, &[LeafChange::Set { leaf: position(text, path), text: new }])
}

fn remove(text: &str, paths: &[&str]) -> String {
    let changes: Vec<_> = paths.iter().map(|path| LeafChange::Remove { leaf: position(text, path) }).collect();
    edited(text, &changes)
}

fn insert(text: &str, paths: &[&str], after: Option<&str>, before: Option<&str>) -> String {
    let place = |path: Option<&str>| path.map(|path| position(text, path));
    let (after, before) = (place(after), place(before));
    let change = |path: &&str| LeafChange::Insert { key: key(path), text: "New", after, before };
    edited(text, &paths.iter().map(change).collect::<Vec<_>>())
}

#[test]
fn strings_of_all_kinds_are_texts() {
    for text in [GO, &GO.replace('\n', "\r\n")] {
        let found: Vec<(String, Option<String>)> =
            leaves(text).into_iter().map(|leaf| (leaf.key.to_string(), leaf.text)).collect();
        let expected = [
            ("title", Some("Shop")),
            ("count", None),
            ("hello.description", Some("Greeting")),
            ("hello.other", Some("Hello {{.Name}}")),
            ("cart.one", Some("{{.Count}} item")),
            ("cart.other", Some("# {{.Count}}\nitems")),
            ("cart.a key", Some("x \"\"\"y")),
            ("cart.empty.other", Some("Empty\u{2028}cart")),
        ];
        assert_eq!(found, expected.map(|(key, text)| (key.to_owned(), text.map(str::to_owned))));
    }
    let keys: Vec<String> = leaves(HUGO).iter().map(|leaf| leaf.key.to_string()).collect();
    assert_eq!(
        keys.join(" "),
        "menu.home menu.sub.about steps.0 steps.1 steps.2.name steps.2.x.y lines.0 lines.1 list.0.name list.0.more.text \
         list.1.name a.b.c"
    );
    let notes: Vec<(String, String)> =
        leaves(GO).into_iter().filter_map(|leaf| Some((leaf.key.to_string(), leaf.note?))).collect();
    assert_eq!(notes, [("title".to_owned(), "Texts of the shop\nshort".to_owned())]);
}

#[test]
fn strings_keep_their_kind() {
    let line = |path: &str, new: &str| {
        let changed = set(GO, path, new);
        let is_new = |line: &&str| !GO.lines().any(|old| old == *line);
        changed.lines().find(is_new).unwrap_or_default().to_owned()
    };
    assert_eq!(line("title", "Laden \"A\"\n\u{1}"), "title = \"Laden \\\"A\\\"\\n\\u0001\" # short");
    assert_eq!(line("hello.description", "Gruß \\"), "description = 'Gruß \\'");
    assert_eq!(line("hello.description", "It's"), "description = \"It's\"");
    assert_eq!(set(GO, "cart.other", "a\nb"), GO.replace("# {{.Count}}\nitems", "a\nb"));
    assert_eq!(set(GO, "cart.other", "a''\n"), GO.replace("# {{.Count}}\nitems", "a''\n"));
    assert_eq!(set(GO, "cart.a key", "\n\"\"\"\\\""), GO.replace("x \\\"\"\"y", "\n\n\"\"\\\"\\\\\""));
    assert_eq!(set(GO, "count", "five"), GO.replace("count = 5", "count = \"five\""));
    assert_eq!(set(HUGO, "steps.2.x.y", "z"), HUGO.replace("\"d\" }", "\"z\" }"));
}

#[test]
fn new_keys_go_into_their_tables() {
    let added = |line: &str, after: &str| GO.replacen(after, &[after, line].concat(), 1);
    assert_eq!(insert(GO, &["subtitle"], Some("count"), None), added("subtitle = \"New\"\n", "count = 5\n"));
    assert_eq!(insert(GO, &["first"], None, Some("title")), ["first = \"New\"\n", GO].concat());
    assert_eq!(insert(GO, &["subtitle"], Some("cart.empty.other"), None), added("subtitle = \"New\"\n", "count = 5\n"));
    assert_eq!(insert(GO, &["hello.few"], Some("hello.description"), None), added("few = 'New'\n", "'Greeting'\n"));
    assert_eq!(
        insert(GO, &["cart.full.other", "cart.full.a b"], Some("cart.empty.other"), None),
        [GO, "\n[cart.full]\nother = \"New\"\n\"a b\" = \"New\"\n"].concat()
    );
    assert_eq!(
        insert(GO, &["bye.other", "bye.list.0", "bye.list.1"], Some("hello.other"), Some("cart.one")),
        added("\n[bye]\nother = 'New'\nlist = ['New', 'New']\n", "Hello {{.Name}}\"\n")
    );
    assert_eq!(insert("", &["a.b.c", "d"], None, None), "d = \"New\"\n[a.b]\nc = \"New\"\n");
    assert_eq!(
        insert("[a]\nx = \"y\"", &["b.c", "z"], Some("a.x"), None),
        "z = \"New\"\n[a]\nx = \"y\"\n\n[b]\nc = \"New\""
    );
    let error =
        TomlFormat.leaf_edits(GO, &[LeafChange::Insert { key: key("title.x"), text: "", after: None, before: None }]);
    assert_eq!(error.unwrap_err().what, "the key title.x conflicts with an existing value");
}

#[test]
fn new_items_go_into_their_arrays() {
    let replaced = |old: &str, new: &str| HUGO.replacen(old, new, 1);
    assert_eq!(insert(HUGO, &["steps.1"], Some("steps.0"), None), replaced("\"a\", ", "\"a\", \"New\", "));
    assert_eq!(insert(HUGO, &["steps.2.z"], Some("steps.2.name"), None), replaced("\"c\", ", "\"c\", z = \"New\", "));
    assert_eq!(insert(HUGO, &["lines.1"], Some("lines.0"), None), replaced("\"one\",", "\"one\",\n  \"New\","));
    assert_eq!(
        insert(HUGO, &["menu.sub.x"], Some("menu.sub.about"), None),
        replaced("'About'\n", "'About'\nmenu.sub.x = 'New'\n")
    );
    assert_eq!(
        insert(HUGO, &["list.1.x"], Some("list.1.name"), None),
        replaced("\"second\"\n", "\"second\"\n  x=\"New\"\n")
    );
    assert_eq!(
        insert(HUGO, &["list.2.x"], Some("list.1.name"), None),
        replaced("\"second\"\n", "\"second\"\n[[list]]\n  x=\"New\"\n")
    );
    assert_eq!(insert(HUGO, &["a.x"], Some("a.b.c"), None), [HUGO, "\n\n[a]\nx = \"New\""].concat());
    assert_eq!(insert("a = []\n", &["a.0", "a.1.b"], None, None), "a = [\"New\", { b = \"New\" }]\n");
}

#[test]
fn new_tables_are_indented_like_their_neighbours() {
    let text = "[list]\n    section = \"x\"\n\n    [list.page]\n        one = \"x\"\n\n[search]\n    title = \"x\"\n";
    assert_eq!(
        insert(text, &["list.sub.one", "list.sub.other"], Some("list.page.one"), None),
        text.replace("\n\n[search]", "\n\n    [list.sub]\n        one = \"New\"\n        other = \"New\"\n\n[search]")
    );
    assert_eq!(
        insert(text, &["search.hint.one"], Some("search.title"), None),
        [text, "\n[search.hint]\none = \"New\"\n"].concat()
    );
    assert_eq!(
        insert(text, &["footer.note"], Some("search.title"), None),
        [text, "\n[footer]\n    note = \"New\"\n"].concat()
    );
}

#[test]
fn tables_are_removed_with_their_last_key() {
    assert_eq!(remove(GO, &["title"]), GO.replace("# Texts of the shop\ntitle = \"Shop\" # short\n", ""));
    assert_eq!(
        remove(GO, &["hello.other", "hello.description"]),
        GO.replace("# Shown first\n[hello]\ndescription = 'Greeting'\nother = \"Hello {{.Name}}\"\n\n", "")
    );
    assert_eq!(remove(GO, &["cart.a key"]), GO.replace("\"a key\" = \"\"\"x \\\"\"\"y\"\"\"\n", ""));
    assert_eq!(remove(GO, &["cart.empty.other"]), GO.split("\n[cart.empty]").next().unwrap());
    assert_eq!(remove(HUGO, &["a.b.c"]), HUGO.replace("\n[a.b]\nc = \"d\"", ""));
    assert_eq!(remove(HUGO, &["list.0.name"]), HUGO.replace("name=\"first\"\n", ""));
    assert_eq!(
        remove(HUGO, &["list.0.name", "list.0.more.text"]),
        HUGO.replace("[[list]]\nname=\"first\"\n[list.more]\ntext=\"m\"\n", "")
    );
    assert_eq!(remove(HUGO, &["steps.0", "steps.1"]), HUGO.replace("\"a\", 'b', ", ""));
    assert_eq!(
        remove(HUGO, &["lines.0", "lines.1"]),
        HUGO.replace("lines = [\n  \"one\",\n  \"two\", # second\n]\n", "")
    );
    assert_eq!(remove(HUGO, &["steps.2.name", "steps.2.x.y"]), HUGO.replace(", { name = \"c\", x.y = \"d\" }", ""));
}

#[test]
fn invalid_files_are_errors() {
    let error = TomlFormat.leaves("a = \"x\"\nb = \n").unwrap_err();
    assert_eq!(error.at, 12);
    assert!(error.what.starts_with("the file is not valid TOML: "), "{error:?}");
    for text in
        ["[".repeat(100_000), "a = ".to_owned() + &"[".repeat(100_000), "a = ".to_owned() + &"{a=".repeat(50_000)]
    {
        TomlFormat.leaves(&text).unwrap_err();
    }
    let dots = "a.".repeat(20_000);
    TomlFormat.leaves(&["[", &dots, "a]\n"].concat()).unwrap_err();
    TomlFormat.leaves(&[&dots, "a = \"x\"\n"].concat()).unwrap_err();
}

#[test]
fn editing_takes_linear_time() {
    let file = |tables| {
        let table = |n: usize| format!("[k{n}]\nother = \"text\"\none = 'x'\n\n");
        (0..tables).map(table).collect::<String>()
    };
    assert_linear("tables", 500, file, |text| {
        let keys = leaves(text).len();
        let mut all: Vec<_> = (0..keys).step_by(2).map(|leaf| LeafChange::Remove { leaf }).collect();
        all.extend((0..keys / 2).map(|number| LeafChange::Insert {
            key: UnitKey::names([["n", &number.to_string()].concat(), "other".to_owned()]),
            text: "x",
            after: Some(number),
            before: None,
        }));
        assert_eq!(leaves(&edited(text, &all)).len(), keys);
    });
}

fn check_set(text: &str, new: &str) {
    let before = leaves(text);
    for (number, leaf) in before.iter().enumerate().filter(|(_, leaf)| leaf.text.is_some()) {
        let changed = edited(text, &[LeafChange::Set { leaf: number, text: new }]);
        for (position, (old, now)) in before.iter().zip(leaves(&changed)).enumerate() {
            let text = if position == number { Some(new) } else { old.text.as_deref() };
            assert_eq!(
                (&now.key, now.text.as_deref(), &now.note),
                (&old.key, text, &old.note),
                "{} in {changed:?}",
                leaf.key
            );
        }
    }
}

fn check_insert(text: &str, new: &str) {
    let before = leaves(text);
    for (number, leaf) in before.iter().enumerate() {
        let without = edited(text, &[LeafChange::Remove { leaf: number }]);
        let rest = leaves(&without);
        let others = before.iter().filter(|other| other.key != leaf.key);
        if rest.iter().zip(others).any(|(a, b)| a.key != b.key) {
            continue;
        }
        let (after, before) = (number.checked_sub(1), (number < rest.len()).then_some(number));
        let insert = LeafChange::Insert { key: leaf.key.clone(), text: new, after, before };
        let with = edited(&without, &[insert]);
        let again = leaves(&with);
        let found = again.iter().position(|other| other.key == leaf.key).unwrap_or_else(|| panic!("{with:?}"));
        assert_eq!(again[found].text.as_deref(), Some(new), "{with:?}");
        assert_eq!(again.len(), rest.len() + 1, "{with:?}");
        assert_eq!(edited(&with, &[LeafChange::Remove { leaf: found }]), without, "{} inserted in {with:?}", leaf.key);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn invariants_hold(new in invariants::texts(), at in 0..5_usize) {
        let text = &fixtures()[at];
        prop_assert_eq!(edited(text, &[]), text.as_str());
        check_set(text, &new);
        check_insert(text, &new);
    }

    #[test]
    fn corrupted_files_do_not_panic(at in 0..5_usize, cuts in prop::collection::vec((0..400_usize, 0..4_usize, 0..8_usize), 1..5)) {
        let mut text = fixtures()[at].clone();
        for (cut, length, piece) in cuts {
            let piece = ["", "\"", "'", "\n", "[", "}", ".x", "#"][piece];
            let floor = |at: usize| text.floor_char_boundary(at.min(text.len()));
            text.replace_range(floor(cut)..floor(cut + length), piece);
        }
        let count = TomlFormat.leaves(&text).map_or(0, |tree| tree.leaves.len());
        for leaf in 0..count {
            let sibling = UnitKey([leaves(&text)[leaf].key.parent(), &[UnitKeyPart::Name("n".to_owned())]].concat());
            for change in [
                LeafChange::Set { leaf, text: "new\ntext" },
                LeafChange::Remove { leaf },
                LeafChange::Insert { key: sibling, text: "x", after: Some(leaf), before: None },
            ] {
                if let Ok(edits) = TomlFormat.leaf_edits(&text, std::slice::from_ref(&change)) {
                    let changed = apply_edits(&text, edits).unwrap();
                    prop_assert!(TomlFormat.leaves(&changed).is_ok(), "{:?} makes {:?} of {:?}", change, changed, text);
                }
            }
        }
    }
}
