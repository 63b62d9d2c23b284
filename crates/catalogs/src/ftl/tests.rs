//! Tests with literal files.

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::*;
use crate::{Change, UnitKeyPart, apply_edits, invariants};

const FIREFOX: &str = r#"# This Source Code Form is licensed.

### Strings of the browser

-brand-name = Firefox
    .gender = masculine

## Tabs

# Variables:
#   $count (Number): tabs
tabs-close =
    { $count ->
        [0] No tabs
        [one] Close one tab
       *[other] Close { $count } tabs
    }
# A button
button = Save
    .title = Save the page
    .accesskey =
        S
multi = First line
    second line
      indented

    last { -brand-name(case: "dative") } { DATETIME($date, month: "long") }
inline = { $n ->
        [one] One
       *[other] Many
    } files

only-attributes =
    .label = Label

broken = { $x
    junk
special = {"["}a{" "}
end = { button.title }{""}"#;

fn fixtures() -> Vec<String> {
    vec![
        FIREFOX.to_owned(),
        [&FIREFOX.replace('\n', "\r\n"), "\r\n"].concat(),
        "a = x\n\nb = y\n\n# c\nc = z\n".to_owned(),
    ]
}

fn options() -> ReadOptions {
    ReadOptions::default()
}

fn units(text: &str) -> Vec<Unit> {
    FtlFormat.read(text, &options()).unwrap().units
}

fn text_at(text: &str, key: &str) -> String {
    let unit = units(text).into_iter().find(|unit| unit.key.to_string() == key);
    unit.unwrap_or_else(|| panic!("no {key}")).text.texts().collect()
}

fn changed(text: &str, units: Vec<Change<'_>>) -> String {
    let changes = CatalogChanges { units, ..CatalogChanges::default() };
    apply_edits(text, FtlFormat.edits(text, &options(), &changes).unwrap()).unwrap()
}

fn id(text: &str, key: &str) -> usize {
    units(text).into_iter().find(|unit| unit.key.to_string() == key).unwrap_or_else(|| panic!("no {key}")).id
}

fn set(text: &str, key: &str, new: &str) -> String {
    let new = UnitText::Single(new.to_owned());
    changed(text, vec![Change::Set { unit: id(text, key), text: &new, markup: &[] }])
}

fn remove(text: &str, keys: &[&str]) -> String {
    changed(text, keys.iter().map(|key| Change::Remove { unit: id(text, key) }).collect())
}

fn insert(text: &str, keys: &[&str], note: Option<&str>, after: Option<&str>) -> String {
    let new = UnitText::Single("New".to_owned());
    let likes: Vec<Unit> = keys
        .iter()
        .map(|key| Unit { key: UnitKey::names(key.split('.')), note: note.map(str::to_owned), ..Unit::default() })
        .collect();
    let after = after.map(|after| id(text, after));
    let inserts = likes.iter().map(|like| Change::Insert { like, text: &new, after, before: None });
    changed(text, inserts.collect())
}

#[test]
fn messages_terms_and_attributes_are_units() {
    let keys: Vec<String> = units(FIREFOX).iter().map(|unit| unit.key.to_string()).collect();
    let expected = "-brand-name -brand-name.gender tabs-close button button.title button.accesskey multi inline \
                    only-attributes.label special end";
    assert_eq!(keys.join(" "), expected);
    assert_eq!(units(FIREFOX)[1].skip, Some(SkipReason::Untranslatable));
    let notes: Vec<Option<String>> = units(FIREFOX).into_iter().map(|unit| unit.note).collect();
    assert_eq!(notes[0], None);
    assert_eq!(notes[2].as_deref(), Some("Variables:\n$count (Number): tabs"));
    assert_eq!(notes[5].as_deref(), Some("A button"));
    assert_eq!(notes[6], None);
}

#[test]
fn texts_have_no_indentation() {
    for text in fixtures().iter().take(2) {
        assert_eq!(
            text_at(text, "tabs-close"),
            "{ $count ->\n    [0] No tabs\n    [one] Close one tab\n   *[other] Close { $count } tabs\n}"
        );
        assert_eq!(
            text_at(text, "multi"),
            "First line\nsecond line\n  indented\n\nlast { -brand-name(case: \"dative\") } { DATETIME($date, month: \"long\") }"
        );
        assert_eq!(text_at(text, "inline"), "{ $n ->\n    [one] One\n   *[other] Many\n} files");
        assert_eq!(text_at(text, "button.accesskey"), "S");
        assert_eq!(text_at(text, "special"), "[a ");
        assert_eq!(text_at(text, "end"), "{ button.title }");
    }
}

#[test]
fn literal_braces_stay_literal() {
    let text = |pattern: &str| text_at(&format!("a = {pattern}\n"), "a");
    // A brace that does not start a placeable is text.
    assert_eq!(text("a {\"{\"} b { $c } {\"}\"}"), "a { b { $c } }");
    assert_eq!(text("{\"{\"} my name {\"}\"}"), "{ my name }");
    for literal in [
        "Write {\"{\"} name {\"}\"} in the field",
        "{ \"{\" }$name{ \"}\" } is { $name }",
        "{\"{\"} { $x } {\"}\"}",
        "{\"{\"}\"{\"{\"}\"{\"}\"}",
    ] {
        assert_eq!(text(literal), literal);
        assert_eq!(set("a = x\n", "a", literal), format!("a = {literal}\n"));
    }
}

#[test]
fn setting_writes_a_line_or_a_block() {
    assert_eq!(set(FIREFOX, "button", "Sichern"), FIREFOX.replace("= Save\n", "= Sichern\n"));
    assert_eq!(set(FIREFOX, "button.accesskey", "*"), FIREFOX.replace("        S\n", "        {\"*\"}\n"));
    assert_eq!(
        set(FIREFOX, "button", "[a\n[b\n c"),
        FIREFOX.replace("= Save\n", "=\n    {\"[\"}a\n    {\"[\"}b\n     c\n")
    );
    assert_eq!(set(FIREFOX, "button", "[a] { b } c{"), FIREFOX.replace("= Save\n", "= [a] { b } c{\"{\"}\n"));
    assert_eq!(
        set(FIREFOX, "button", "{ $x} {$ } }"),
        FIREFOX.replace("= Save\n", "= { $x} {\"{\"}$ {\"}\"} {\"}\"}\n")
    );
    assert_eq!(set(FIREFOX, "button", ""), FIREFOX.replace("= Save\n", "= {\"\"}\n"));
    assert_eq!(set(FIREFOX, "button", " a "), FIREFOX.replace("= Save\n", "= {\" \"}a{\" \"}\n"));
    let select = "{ $n ->\n    [one] Eine\n   *[other] Viele\n}";
    assert_eq!(
        set(FIREFOX, "tabs-close", select),
        FIREFOX
            .replace(
                "        [0] No tabs\n        [one] Close one tab\n       *[other] Close { $count } tabs\n",
                "        [one] Eine\n       *[other] Viele\n"
            )
            .replace("{ $count ->", "{ $n ->")
    );
    let written = "= { $n ->\n        [one] Eine\n       *[other] Viele\n    }\n";
    assert_eq!(set(FIREFOX, "button", select), FIREFOX.replace("= Save\n", written));
    let crlf = FIREFOX.replace('\n', "\r\n");
    assert_eq!(set(&crlf, "button", select), crlf.replace("= Save\r\n", &written.replace('\n', "\r\n")));
}

#[test]
fn a_multiline_value_stays_on_the_line_of_its_key() {
    let file = "a = First\n    second\n      third\nb = x\n";
    assert_eq!(
        set(file, "a", "Erste\nzweite\n  dritte"),
        file.replace("First", "Erste").replace("second", "zweite").replace("third", "dritte")
    );
    assert_eq!(set(file, "a", "{ $x }\n\n[a"), "a = { $x }\n\n    {\"[\"}a\nb = x\n");
    // On the line of the key, Fluent would read the two spaces as indentation.
    assert_eq!(set(file, "a", "Erste\n  zweite"), "a =\n    Erste\n      zweite\nb = x\n");
    let select = "a = { $n ->\n    [one] One\n   *[other] Many\n  }\nb =\n    x\n";
    assert_eq!(set(select, "a", &text_at(select, "a").replace("One", "Eine")), select.replace("One", "Eine"));
    assert_eq!(set(file, "b", "x\ny"), "a = First\n    second\n      third\nb =\n    x\n    y\n");
}

#[test]
fn new_messages_follow_their_siblings() {
    let added = |line: &str, after: &str| FIREFOX.replacen(after, &[after, line].concat(), 1);
    assert_eq!(insert(FIREFOX, &["new"], Some("A\nB"), Some("multi")), added("# A\n# B\nnew = New\n", "\"long\") }\n"));
    assert_eq!(insert(FIREFOX, &["button.new"], None, Some("button")), added("    .new = New\n", "= Save\n"));
    assert_eq!(insert(FIREFOX, &["button.new"], None, Some("button.title")), added("    .new = New\n", "the page\n"));
    assert_eq!(insert(FIREFOX, &["only-attributes"], None, None), added(" New", "only-attributes ="));
    assert_eq!(
        insert(FIREFOX, &["new.a", "new", "new.b"], None, Some("end")),
        [FIREFOX, "\nnew = New\n    .a = New\n    .b = New"].concat()
    );
    assert_eq!(insert("# c\n", &["new"], None, None), "# c\n\nnew = New\n");
    assert_eq!(insert("", &["-new"], None, None), "-new = New\n");
    assert_eq!(insert("a =\n  .x = y\n", &["a.b"], None, None), "a =\n  .x = y\n  .b = New\n");
    for key in ["1a", "a b", "-", "-a.b.c", ""] {
        let like = Unit { key: UnitKey::names(key.split('.')), ..Unit::default() };
        let new = UnitText::Single("x".to_owned());
        let insert = Change::Insert { like: &like, text: &new, after: None, before: None };
        let changes = CatalogChanges { units: vec![insert], ..CatalogChanges::default() };
        let error = FtlFormat.edits("", &options(), &changes).unwrap_err();
        assert_eq!(error.what, ["the key ", &like.key.to_string(), " cannot be written in Fluent"].concat());
    }
}

#[test]
fn messages_are_removed_with_their_comments() {
    assert_eq!(
        remove(FIREFOX, &["button", "button.accesskey", "button.title"]),
        FIREFOX.replace("# A button\nbutton = Save\n    .title = Save the page\n    .accesskey =\n        S\n", "")
    );
    assert_eq!(remove(FIREFOX, &["button"]), FIREFOX.replace("button = Save", "button ="));
    assert_eq!(remove(FIREFOX, &["button.title"]), FIREFOX.replace("\n    .title = Save the page", ""));
    assert_eq!(remove(FIREFOX, &["end", "special"]), FIREFOX.split("\nspecial").next().unwrap());
    assert_eq!(remove("a = x\n\n# y\nb = y\n\nc = z\n", &["b"]), "a = x\n\nc = z\n");
    assert_eq!(remove("a = x\nb = y\na = z\n", &["a"]), "b = y\n");
    assert_eq!(remove("-a = x\n  .b = y\nc = z\n", &["-a"]), "c = z\n");
}

#[test]
fn invalid_entries_are_not_units() {
    for text in [
        "a",
        "a =",
        "a =\n",
        "a = {",
        "a = }",
        "a = { $x -> }",
        "a = { $x ->\n [b] c\n }",
        "a = {\"\n\"}",
        "a = {f()}",
        "a = {\"\\x\"}",
        "-a =\n  .b = c",
        " a = b",
        "1 = a",
        "a = { $x -> [b] c\n *[d] e\n }",
        "a = {-}",
        "a = {$}",
        "a = { F(1: 2) }",
    ] {
        assert_eq!(units(text), [], "{text:?}");
    }
    for text in [
        "a = {F()}",
        "a = { F($x, 1, b: \"c\",) }",
        "a = {-1.5}",
        "a={{$a}}",
        "a = {\"\\u0041\\\"\"}",
        "a = {b.c}",
        "a=\n{1}",
    ] {
        assert_eq!(units(text).len(), 1, "{text:?}");
    }
    let catalog = FtlFormat.read("a = x\na = y\n", &options()).unwrap();
    assert_eq!(catalog.duplicates, [DuplicateKey { key: UnitKey(vec![UnitKeyPart::Name("a".to_owned())]), at: 10 }]);
}

#[test]
fn reading_and_setting_take_linear_time() {
    for piece in ["{", "a = {", "a = { $b ->\n [c] ", "a = b\n", "#\n", " {$a}", "a = { F(", "\n", "{ $a ->\n[x] {$b} "]
    {
        let text = |n| ["a = ", &piece.repeat(n)].concat();
        assert_linear(piece, 1000, text, |text| {
            units(text);
            set("a = b\n", "a", text);
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn invariants_hold(new in invariants::texts(), number in 0..3_usize) {
        invariants::check_all(&FtlFormat, &fixtures()[number], &options(), &new);
    }

    #[test]
    fn any_text_is_read_back(new in "[ \\n\\[\\]*.{}$a\"\\-#=>]{0,24}") {
        // A placeable that escapes a brace is read as the brace.
        prop_assume!(!new.contains("{\"{\"}") && !new.contains("{\"}\"}"));
        for file in ["a = x\n", "a =\n  x", "a = x\n    .b = y\r\n", "a = x\n  y\n"] {
            for unit in units(file) {
                let key = unit.key.to_string();
                let written = set(file, &key, &new);
                prop_assert_eq!(text_at(&written, &key), new.as_str(), "{:?}", written);
            }
        }
    }

    #[test]
    fn corrupted_files_do_not_panic(cuts in prop::collection::vec((0..900_usize, 0..4_usize, 0..7_usize), 1..8)) {
        let mut text = FIREFOX.to_owned();
        for (cut, length, piece) in cuts {
            let floor = |at: usize| text.floor_char_boundary(at.min(text.len()));
            text.replace_range(floor(cut)..floor(cut + length), ["", "{", "}", "\n", "[", "\"", "é"][piece]);
        }
        invariants::check_all(&FtlFormat, &text, &options(), "new");
    }
}
