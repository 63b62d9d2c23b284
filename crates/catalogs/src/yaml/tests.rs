//! Tests with literal files.

use tulk_growth::assert_linear;

use super::*;
use crate::apply_edits;

const RAILS: &str = "\
# Files of the shop
en:
  # Shown on top
  title: Welcome # short
  cart:
    add: \"Add to cart\"
    empty: 'It''s empty'

    # Many
    items:
      one: 1 item
      other: \"%{count} items\"
  list:
    - First
    - \"Second: x\"
    # third
    - name: Third
      hint: Hint
  long: |
    Line one

      indented
  folded: >-
    some words
    more words

    next
  count: 5
  flag: no
  none:
  date: 2026-01-02
";

const SYMFONY: &str = "---\r\nlogin: 'Log in'\r\nerrors: { wrong: 'Wrong, sorry', 'no': Never }\r\nsteps: [a, \"b\"]\r\nkeep: |+\r\n    text\r\n\r\nlast: end";

const ANCHORS: &str = "\
%YAML 1.2
---
base: &base
    hello: &hello Hello
    tagged: !!str 123
    bare: ! 'A tag'
    bare_number: ! 12
    number: !!int '5'
en:
    <<: *base
    again: *hello
    ? asked
    : Asked text
    more: &z \"x\"
- x
";

const FLOW: &str = "{\n  \"a\": \"Text\", # first\n  \"b\": {\"c\": \"x\", \"d\": [\"y\", \"z\"]},\n  \"e\": 1\n}\n";

#[test]
fn a_rails_file_has_one_language() {
    let text = "en:\n  title: Home\n  more: '%{x}'\nde:\n  title: Start\n  de_title: x\n";
    for dialect in [None, Some(crate::Dialect::Rails)] {
        let options = crate::ReadOptions { dialect, ..crate::ReadOptions::default() };
        let error = KIND.format.read(text, &options).unwrap_err();
        assert_eq!(
            (error.at, error.what.as_str()),
            (text.find("de:").unwrap(), "the file has texts in several languages")
        );
    }
    let symfony = "no: { a: Never }\nid: { a: x }\n";
    assert!(KIND.format.read(symfony, &crate::ReadOptions::default()).is_ok());
}

pub(super) fn fixtures() -> Vec<String> {
    let anchors = ANCHORS.trim_end_matches("- x\n").to_owned();
    let mut all = vec![RAILS.to_owned(), RAILS.replace('\n', "\r\n"), SYMFONY.to_owned(), anchors, FLOW.to_owned()];
    all.push("a: x\nb: y".to_owned());
    all.push("- x\n-   y: 1\n    z: text\n- - deep\n  - \"deeper\"\n".to_owned());
    all
}

pub(super) fn leaves(text: &str) -> LeafTree {
    YamlFormat.leaves(text).unwrap_or_else(|error| panic!("{error:?} in {text:?}"))
}

fn texts(text: &str) -> Vec<(String, Option<String>)> {
    leaves(text).leaves.into_iter().map(|leaf| (leaf.key.to_string(), leaf.text)).collect()
}

pub(super) fn edited(text: &str, changes: &[LeafChange<'_>]) -> String {
    let edits = YamlFormat.leaf_edits(text, changes).unwrap_or_else(|error| panic!("{error:?} in {text:?}"));
    apply_edits(text, edits).unwrap_or_else(|| panic!("edits overlap in {text:?}"))
}

pub(super) fn key(path: &str) -> UnitKey {
    UnitKey(
        path.split('.')
            .map(|part| part.parse().map_or_else(|_| UnitKeyPart::Name(part.to_owned()), UnitKeyPart::Item))
            .collect(),
    )
}

pub(super) fn position(text: &str, path: &str) -> usize {
    leaves(text).leaves.iter().position(|leaf| leaf.key == key(path)).unwrap_or_else(|| panic!("no {path} in {text:?}"))
}

pub(super) fn set(text: &str, path: &str, new: &str) -> String {
    edited(text, &[LeafChange::Set { leaf: position(text, path), text: new }])
}

pub(super) fn remove(text: &str, paths: &[&str]) -> String {
    let changes: Vec<_> = paths.iter().map(|path| LeafChange::Remove { leaf: position(text, path) }).collect();
    edited(text, &changes)
}

pub(super) fn insert(text: &str, path: &str, new: &str, after: Option<&str>, before: Option<&str>) -> String {
    let place = |path: Option<&str>| path.map(|path| position(text, path));
    edited(text, &[LeafChange::Insert { key: key(path), text: new, after: place(after), before: place(before) }])
}

#[test]
fn strings_are_texts_and_other_values_are_not() {
    let some = |key: &str, text: &str| (key.to_owned(), Some(text.to_owned()));
    let none = |key: &str| (key.to_owned(), None);
    assert_eq!(
        texts(RAILS),
        [
            some("en.title", "Welcome"),
            some("en.cart.add", "Add to cart"),
            some("en.cart.empty", "It's empty"),
            some("en.cart.items.one", "1 item"),
            some("en.cart.items.other", "%{count} items"),
            some("en.list.0", "First"),
            some("en.list.1", "Second: x"),
            some("en.list.2.name", "Third"),
            some("en.list.2.hint", "Hint"),
            some("en.long", "Line one\n\n  indented\n"),
            some("en.folded", "some words more words\nnext"),
            none("en.count"),
            none("en.flag"),
            none("en.none"),
            none("en.date"),
        ]
    );
    let anchors = ANCHORS.trim_end_matches("- x\n");
    assert_eq!(
        texts(anchors),
        [
            some("base.hello", "Hello"),
            some("base.tagged", "123"),
            some("base.bare", "A tag"),
            none("base.bare_number"),
            none("base.number"),
            some("en.asked", "Asked text"),
            some("en.more", "x"),
        ]
    );
}

#[test]
fn comments_above_and_after_values_are_notes() {
    let notes = |text: &str| -> Vec<(String, String)> {
        leaves(text).leaves.into_iter().filter_map(|leaf| Some((leaf.key.to_string(), leaf.note?))).collect()
    };
    assert_eq!(notes(RAILS), [("en.title".to_owned(), "Shown on top\nshort".to_owned())]);
    assert_eq!(notes(FLOW), [("a".to_owned(), "first".to_owned())]);
    let block = "a: |  # note\n  # text\n# one\n#\n# two\nb: x\n# far\n\nc: y\n";
    assert_eq!(notes(block), [("a".to_owned(), "note".to_owned()), ("b".to_owned(), "one\ntwo".to_owned())]);
    assert_eq!(leaves(block).leaves[0].text.as_deref(), Some("# text\n"));
}

#[test]
fn the_last_duplicate_key_wins() {
    let text = "a: 1st\nb: x\na:\n  c: 2nd\n";
    assert_eq!(texts(text), [("b".to_owned(), Some("x".to_owned())), ("a.c".to_owned(), Some("2nd".to_owned()))]);
    assert_eq!(leaves(text).duplicates, [DuplicateKey { key: key("a"), at: 3 }]);
    assert_eq!(remove(text, &["a.c"]), "b: x\n");
}

#[test]
fn quotes_stay_and_plain_scalars_are_quoted_where_necessary() {
    let line = |path: &str, new: &str| {
        let changed = set(RAILS, path, new);
        changed.lines().find(|line| !RAILS.lines().any(|old| old == *line)).unwrap_or_default().trim_start().to_owned()
    };
    assert_eq!(line("en.title", "Willkommen"), "title: Willkommen # short");
    assert_eq!(line("en.title", "no"), "title: \"no\" # short");
    assert_eq!(line("en.title", "a: b"), "title: \"a: b\" # short");
    assert_eq!(line("en.cart.add", "Say \"x\""), "add: \"Say \\\"x\\\"\"");
    assert_eq!(line("en.cart.empty", "It's: full"), "empty: 'It''s: full'");
    assert_eq!(line("en.cart.empty", "a\nb"), "empty: \"a\\nb\"");
    assert_eq!(line("en.none", "nothing"), "none: nothing");
    assert_eq!(line("en.count", "five"), "count: five");
    assert_eq!(set(FLOW, "b.c", "x, y"), FLOW.replace("\"x\"", "\"x, y\""));
    assert_eq!(set(SYMFONY, "steps.0", "a, b"), SYMFONY.replace("[a", "['a, b'"));
    assert_eq!(set(SYMFONY, "last", "a\r\nb"), SYMFONY.replace("end", "\"a\\r\\nb\""));
    assert_eq!(set("a: {b: }\n", "a.b", "x"), "a: {b: x }\n");
    assert_eq!(set("a: &x\nb: *x\n", "a", "x"), "a: &x x\nb: *x\n");
}

#[test]
fn block_scalars_stay_if_the_text_fits() {
    assert_eq!(
        set(RAILS, "en.long", "Eins\n\n  zwei\n"),
        RAILS.replace("    Line one\n\n      indented\n", "    Eins\n\n      zwei\n")
    );
    assert_eq!(
        set(RAILS, "en.long", "Eins"),
        RAILS.replace("long: |\n    Line one\n\n      indented\n", "long: \"Eins\"\n")
    );
    let folded = set(RAILS, "en.folded", "one\n\ntwo words and a line that is too long for the width of the block");
    let written = "    one\n\n\n    two words and a line that is too long\n    for the width of the block\n";
    assert_eq!(folded, RAILS.replace("    some words\n    more words\n\n    next\n", written));
    assert_eq!(set(SYMFONY, "keep", "neu\n"), SYMFONY.replace("text\r\n\r\n", "neu\r\n"));
    assert_eq!(set(SYMFONY, "keep", "neu"), SYMFONY.replace("|+\r\n    text\r\n\r\n", "\"neu\"\r\n"));
    let keeps = "a:\r\n  b: |+\r\n    x\r\n\r\n  c: |\r\n    y \r\n  d: z\r\n";
    assert_eq!(set(keeps, "a.b", "n"), keeps.replace("|+\r\n    x\r\n\r\n", "\"n\"\r\n"));
    assert_eq!(set(keeps, "a.c", "n"), keeps.replace("|\r\n    y \r\n", "\"n\"\r\n"));
    assert_eq!(set("a: |2\n    x\nb: y\n", "a", "  z\n"), "a: |2\n    z\nb: y\n");
    assert_eq!(set("a: &n !!str >- # c\n  x\n\n\nb: y\n", "a", "\tz"), "a: &n !!str \"\\tz\" # c\n\n\nb: y\n");
}

#[test]
fn new_keys_are_inserted_next_to_their_siblings() {
    let added = |line: &str, after: &str| RAILS.replacen(after, &[after, line].concat(), 1);
    assert_eq!(
        insert(RAILS, "en.cart.buy", "Buy", Some("en.cart.add"), None),
        added("    buy: \"Buy\"\n", "    add: \"Add to cart\"\n")
    );
    assert_eq!(insert(RAILS, "en.sub", "Sub", Some("en.title"), None), added("  sub: Sub\n", "# short\n"));
    assert_eq!(insert(RAILS, "en.head", "Top", None, Some("en.title")), added("  head: Top\n", "en:\n"));
    assert_eq!(
        insert(RAILS, "en.new.no.0", "x", Some("en.list.2.hint"), Some("en.long")),
        added("  new:\n    \"no\":\n      - x\n", "      hint: Hint\n")
    );
    assert_eq!(insert(RAILS, "en.none.x", "Y z", None, None), added("    x: Y z\n", "none:\n"));
    assert_eq!(
        insert(SYMFONY, "errors.x", "y", Some("errors.wrong"), None),
        SYMFONY.replace("sorry',", "sorry', x: 'y',")
    );
    assert_eq!(insert(SYMFONY, "z", "Z", Some("last"), None), [SYMFONY, "\r\nz: Z"].concat());
    assert_eq!(insert(FLOW, "x", "y", Some("b.d.1"), None), FLOW.replace("]},", "]},\n  \"x\": \"y\","));
    assert_eq!(insert("", "en.a", "x", None, None), "en:\n  a: x\n");
    assert_eq!(insert("# c\n", "a.0", "x", None, None), "# c\na:\n  - x\n");
    assert_eq!(insert("de: {}\n", "de.a.b", "x", None, None), "de: {a: {b: x}}\n");
    assert_eq!(
        insert("t: x\nl:\n  ? a\n  ? b c\n\n    d\n", "l.a.m", "x", None, None),
        "t: x\nl:\n  ? a\n  : {m: x}\n  ? b c\n\n    d\n"
    );
    assert_eq!(insert("{de, en: x}\n", "de.a", "b", None, None), "{de: {a: b}, en: x}\n");
    assert_eq!(insert("de: ~ # c\n", "de.a", "x", None, None), "de: # c\n  a: x\n");
    assert_eq!(insert("- a: x\n", "0.b", "z", None, Some("0.a")), "- b: z\n  a: x\n");
}

#[test]
fn several_keys_share_their_new_parents() {
    let after = Some(position(RAILS, "en.title"));
    let change = |path: &str, text: &'static str| LeafChange::Insert { key: key(path), text, after, before: None };
    let changed = edited(
        RAILS,
        &[change("en.new.a", "A"), change("en.new.b.c", "B"), change("en.m", "M"), change("en.new.b.d", "D")],
    );
    let lines = "  new:\n    a: A\n    b:\n      c: B\n      d: D\n  m: M\n";
    assert_eq!(changed, RAILS.replace("# short\n", &["# short\n", lines].concat()));
}

#[test]
fn keys_are_removed_with_lines_comments_and_empty_parents() {
    assert_eq!(remove(RAILS, &["en.title"]), RAILS.replace("  # Shown on top\n  title: Welcome # short\n", ""));
    assert_eq!(
        remove(RAILS, &["en.cart.items.one", "en.cart.items.other"]),
        RAILS.replace("    # Many\n    items:\n      one: 1 item\n      other: \"%{count} items\"\n", "")
    );
    assert_eq!(remove(RAILS, &["en.list.0", "en.list.1"]), RAILS.replace("    - First\n    - \"Second: x\"\n", ""));
    assert_eq!(remove(RAILS, &["en.list.2.name"]), RAILS.replace("name: Third\n      ", ""));
    assert_eq!(remove(SYMFONY, &["last"]), SYMFONY.replace("\r\nlast: end", ""));
    assert_eq!(remove(SYMFONY, &["errors.wrong"]), SYMFONY.replace("wrong: 'Wrong, sorry', ", ""));
    assert_eq!(remove(SYMFONY, &["steps.0", "steps.1"]), SYMFONY.replace("steps: [a, \"b\"]\r\n", ""));
    assert_eq!(remove("a: x\nb: y\nc: z", &["b", "c"]), "a: x");
    assert_eq!(remove("a: x\n", &["a"]), "");
    assert_eq!(remove("{a: x}\n", &["a"]), "{}\n");
    let error = YamlFormat.leaf_edits("a: &x y\nb: *x\n", &[LeafChange::Remove { leaf: 0 }]).unwrap_err();
    assert_eq!(error, CatalogError::new(3, "the value cannot be removed, because an alias refers to it"));
}

#[test]
fn inserts_into_a_parent_that_loses_all_other_keys() {
    let both = |text: &str, path: &str| {
        let insert = LeafChange::Insert { key: key(path), text: "New", after: Some(0), before: None };
        let all = (0..leaves(text).leaves.len()).map(|leaf| LeafChange::Remove { leaf });
        edited(text, &all.chain([insert]).collect::<Vec<_>>())
    };
    assert_eq!(both("en:\n  a: x\n  b: y\n", "en.new"), "en:\n  new: New\n");
    assert_eq!(both("- a: x\n  b: y\n", "0.new"), "- new: New\n");
    assert_eq!(both("en: {a: x, b: y}\n", "en.new"), "en: {new: New}\n");
    assert_eq!(both("a: x\nb: y", "new"), "new: New\n");
}

#[test]
fn renames_the_root_key_to_the_target_language() {
    let rename = |text: &str, name: &str| edited(text, &[LeafChange::RenameRoot { name }]);
    assert_eq!(rename("# c\nen: # d\n  a: x\n", "de"), "# c\nde: # d\n  a: x\n");
    assert_eq!(rename("en:\n  a: x\n", "no"), "\"no\":\n  a: x\n");
    assert_eq!(rename("'no':\r\n  a: x\r\n", "pt-BR"), "'pt-BR':\r\n  a: x\r\n");
    let error = YamlFormat.leaf_edits("a: x\nb: y\n", &[LeafChange::RenameRoot { name: "de" }]).unwrap_err();
    assert_eq!(error.what, "the file must have exactly one key at its root");
}

#[test]
fn invalid_files_are_errors() {
    let error = |text: &str| YamlFormat.leaves(text).unwrap_err();
    assert_eq!(error("a: x\n---\nb: y\n").at, 5);
    assert_eq!(error("a: \"x\n").at, 3);
    let lone = error("a: x\r\nb: y\rc: z\n");
    assert_eq!((lone.at, lone.what.as_str()), (10, "the line ends with a carriage return alone"));
    assert!(error("a:\n\tb: x\n").what.starts_with("the file is not valid YAML: "));
    error(&"[".repeat(100_000));
    error(&"{a: ".repeat(100_000));
    error(&"- ".repeat(100_000));
    let nested: String = (0..100_usize).map(|level| [&" ".repeat(level), "a:\n"].concat()).collect();
    assert_eq!(leaves(&nested).leaves.len(), 1);
    let bomb: String = (1..30).map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}, *a{0}]\n", level - 1)).collect();
    assert_eq!(leaves(&["a0: &a0 x\n", &bomb].concat()).leaves.len(), 1);
}

#[test]
fn editing_takes_linear_time() {
    let block = |keys: usize| (0..keys).map(|n| format!("k{n}: \"text\"\n")).collect::<String>();
    let flow = |keys| ["{", &block(keys).replace('\n', ", "), "}"].concat();
    let edit = |text: &String| {
        let keys = leaves(text).leaves.len();
        let mut all: Vec<_> = (0..keys).step_by(2).map(|leaf| LeafChange::Remove { leaf }).collect();
        all.extend((0..keys / 2).map(|number| LeafChange::Insert {
            key: UnitKey::name(["n", &number.to_string()].concat()),
            text: "x",
            after: Some(number),
            before: None,
        }));
        assert_eq!(leaves(&edited(text, &all)).leaves.len(), keys);
    };
    assert_linear("block", 1000, block, edit);
    assert_linear("flow", 1000, flow, edit);
}

#[test]
fn yes_and_no_are_texts_unless_ruby_reads_them() {
    let texts = |text: &str| -> Vec<Option<String>> { leaves(text).leaves.into_iter().map(|leaf| leaf.text).collect() };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(texts("shop:\n  sold: No\n  left: yes\n  all: true\n"), [text("No"), text("yes"), None]);
    assert_eq!(texts("en:\n  sold: No\n  more: !!bool no\n"), [None, None]);
    assert_eq!(texts("en:\n  sold: No\nde:\n  sold: Nein\n"), [None, text("Nein")]);
    assert_eq!(texts("sold: !!bool No\n"), [None]);
    assert_eq!(set("sold: No # short\n", "sold", "Nein"), "sold: Nein # short\n");
    assert_eq!(set("sold: No\n", "sold", "Off"), "sold: \"Off\"\n");
}
