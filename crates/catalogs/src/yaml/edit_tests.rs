//! Tests of changes: what is refused, and what is removed or kept with an entry.

use super::tests::{edited, insert, key, leaves, position, remove, set};
use super::*;

fn refused(text: &str, change: LeafChange<'_>) -> (usize, String) {
    let error = YamlFormat.leaf_edits(text, &[change]).unwrap_err();
    (error.at, error.what)
}

fn insertion(path: &str) -> LeafChange<'static> {
    LeafChange::Insert { key: key(path), text: "New", after: None, before: None }
}

#[test]
fn refuses_to_set_a_key_without_a_colon_unless_it_is_in_braces() {
    assert_eq!(set("{de, en: x}\n", "de", "neu"), "{de: neu, en: x}\n");
    let at_the_key = (3, "the key has no colon, so it cannot get a value".to_owned());
    assert_eq!(refused("? a\n? b\n", LeafChange::Set { leaf: 0, text: "y" }), at_the_key);
}

#[test]
fn removing_a_key_removes_its_overridden_values() {
    assert_eq!(remove("a: 1st\nb: 1st\na: x\nb: y\n", &["a"]), "b: 1st\nb: y\n");
}

#[test]
fn an_emptied_parent_is_removed() {
    assert_eq!(remove("en:\n  a:\n    b: x\n", &["en.a.b"]), "");
    assert_eq!(remove("en:\n  a:\n    b: x\n  c: y\n", &["en.a.b"]), "en:\n  c: y\n");
    assert_eq!(remove("en:\n  a:\n    b: x\n  c: y\n  d: z\n", &["en.a.b", "en.c"]), "en:\n  d: z\n");
}

#[test]
fn a_value_with_an_unused_anchor_is_removed() {
    assert_eq!(remove("a: &x y\nb: z\n", &["a"]), "b: z\n");
    assert_eq!(remove("a: &x y\nb: z\nc: *x\n", &["b"]), "a: &x y\nc: *x\n");
}

#[test]
fn flow_entries_are_removed_with_a_comma() {
    assert_eq!(remove("{\n  a: x,\n  b: y\n}\n", &["a"]), "{\n  b: y\n}\n");
    assert_eq!(remove("{a: x, b: y, c: z}\n", &["b"]), "{a: x, c: z}\n");
    assert_eq!(remove("{a: x, b: y, c: z}\n", &["c"]), "{a: x, b: y}\n");
    assert_eq!(remove("l: [x, y, z]\n", &["l.1", "l.2"]), "l: [x]\n");
}

#[test]
fn a_key_has_between_1_and_128_levels() {
    let levels = |count: usize| LeafChange::Insert {
        key: UnitKey(vec![UnitKeyPart::Name("k".to_owned()); count]),
        text: "New",
        after: None,
        before: None,
    };
    let message = (0, "a key must have between 1 and 128 levels".to_owned());
    assert_eq!(refused("a: x\n", levels(0)), message);
    assert_eq!(refused("a: x\n", levels(129)), message);
    let changed = edited("a: x\n", &[levels(128)]);
    assert_eq!(leaves(&changed).leaves[1].key.0.len(), 128);
}

#[test]
fn an_existing_key_is_not_inserted_again() {
    let message = (6, "the key en.a exists already".to_owned());
    assert_eq!(refused("en:\n  a: x\n", insertion("en.a")), message);
}

#[test]
fn a_key_that_comes_first_in_braces_gets_a_comma() {
    assert_eq!(insert("{a: x}\n", "neu", "z", None, Some("a")), "{neu: z, a: x}\n");
    assert_eq!(insert("{\n  a: x\n}\n", "neu", "z", None, Some("a")), "{\n  neu: z,\n  a: x\n}\n");
}

#[test]
fn a_new_level_is_written_once() {
    let change = |path: &str, text: &'static str, after| LeafChange::Insert {
        key: key(path),
        text,
        after: Some(after),
        before: None,
    };
    let text = "a: x\nb: y\n";
    let changed = edited(text, &[change("new.p", "P", 0), change("new.q", "Q", 1)]);
    assert_eq!(changed, "a: x\nnew:\n  p: P\n  q: Q\nb: y\n");
}

#[test]
fn new_items_keep_their_positions() {
    let text = "- x\n- y\n";
    let change = |text: &'static str, path: &str| LeafChange::Insert {
        key: key("1"),
        text,
        after: Some(position("- x\n- y\n", path)),
        before: None,
    };
    assert_eq!(edited(text, &[change("a", "0"), change("b", "1")]), "- x\n- a\n- y\n- b\n");
}

#[test]
fn inserts_keys_only_where_yaml_allows_them() {
    let what = |text: &str, path: &str| refused(text, insertion(path)).1;
    let is_value = "keys cannot be inserted below a value";
    assert_eq!(what("a: x\n", "a.b"), is_value);
    assert_eq!(what("a: 5\n", "a.b"), is_value);
    assert_eq!(what("a: !!str\nb: x\n", "a.b"), is_value);
    assert_eq!(what("a: !!str null\n", "a.b"), is_value);
    assert_eq!(what("a: \"\"\n", "a.b"), is_value);
    assert_eq!(what("- x\n", "a"), "the file has a list where keys are needed");
    assert_eq!(what("a: x\n", "0"), "the file has keys where a list is needed");
    // The pair has no braces, so it cannot hold a second key.
    assert_eq!(refused("l: [a: x]\n", insertion("l.0.b")).0, 4);
}

#[test]
fn keys_below_an_empty_value_in_braces_or_a_list_are_written_in_braces() {
    assert_eq!(insert("{de: , en: x}\n", "de.a", "b", None, None), "{de: {a: b} , en: x}\n");
    assert_eq!(insert("{de: ~, en: x}\n", "de.a", "b", None, None), "{de: {a: b}, en: x}\n");
    assert_eq!(insert("- ~\n- x\n", "0.a", "b", None, None), "- {a: b}\n- x\n");
    assert_eq!(insert("-\n- x\n", "0.a", "b", None, None), "- {a: b}\n- x\n");
}

#[test]
fn a_key_may_start_with_a_colon_after_an_empty_key() {
    assert_eq!(insert("?\n:a: x\n", "b", "new", Some(":a"), None), "?\n:a: x\nb: new\n");
    assert_eq!(insert("? z\n:a: x\n", "b", "new", Some(":a"), None), "? z\n:a: x\nb: new\n");
}

#[test]
fn a_key_after_a_multiline_text_is_removed_with_its_line() {
    for header in ["|", ">", "|-", ">-", "|+", "|2"] {
        for (above, indent, key) in [("", "", "b"), ("en:\n  z: z\n", "  ", "en.b"), ("- y: y\n", "  ", "0.b")] {
            let text =
                [above, indent, "a: ", header, "\n", indent, "    t\n", indent, "b: x\n", indent, "c: y\n"].concat();
            let expected = text.replace(&[indent, "b: x\n"].concat(), "");
            assert_eq!(remove(&text, &[key]), expected, "{text}");
        }
    }
}
