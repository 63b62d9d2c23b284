//! Insertions and removals in various layouts of files.

use super::{edited, insert, key, leaf_of, remove};
use crate::tree::LeafChange;

const NESTED: &str = r#"{
  "cart": {
    "empty": "Your cart is empty",
    "total": "Total"
  },
  "steps": [
    "First",
    "Second"
  ],
  "count": 3
}
"#;

#[test]
fn new_members_get_a_line_next_to_a_sibling() {
    assert_eq!(
        insert(NESTED, &[("cart/checkout", "Pay")], "cart/empty", "cart/total"),
        NESTED.replace("is empty\",\n", "is empty\",\n    \"checkout\": \"Pay\",\n")
    );
    assert_eq!(
        insert(NESTED, &[("cart/x", "X"), ("cart/y", "Y")], "cart/total", "steps/0"),
        NESTED.replace("\"Total\"\n", "\"Total\",\n    \"x\": \"X\",\n    \"y\": \"Y\"\n")
    );
    assert_eq!(
        insert(NESTED, &[("cart/first", "F")], "", "cart/empty"),
        NESTED.replace("    \"empty\"", "    \"first\": \"F\",\n    \"empty\"")
    );
    assert_eq!(insert(NESTED, &[("top", "T")], "", "cart/empty"), NESTED.replacen("{\n", "{\n  \"top\": \"T\",\n", 1));
    assert_eq!(
        insert(NESTED, &[("end", "E")], "", ""),
        NESTED.replace("\"count\": 3", "\"count\": 3,\n  \"end\": \"E\"")
    );
    assert_eq!(
        insert(NESTED, &[("steps/2", "Third")], "steps/1", "count"),
        NESTED.replace("\"Second\"", "\"Second\",\n    \"Third\"")
    );
}

#[test]
fn missing_levels_are_inserted() {
    let new = [("shop/list/0", "a"), ("shop/list/1", "b"), ("shop/title/long", "c")];
    assert_eq!(
        insert(NESTED, &new, "cart/total", "steps/0"),
        NESTED.replace(
            "  \"steps\"",
            r#"  "shop": {
    "list": [
      "a",
      "b"
    ],
    "title": {
      "long": "c"
    }
  },
  "steps""#
        )
    );
    assert_eq!(
        insert(r#"{"a":{"b":"x"},"c":"y"}"#, &[("n/m/0", "z"), ("n/o", "p")], "a/b", "c"),
        r#"{"a":{"b":"x"},"n":{"m":["z"],"o":"p"},"c":"y"}"#
    );
}

#[test]
fn inserts_an_object_into_a_list() {
    let text = "[\n\t{\"id\": 1, \"t\": \"a\"}\n]\n";
    assert_eq!(
        insert(text, &[("1/t", "b"), ("1/u", "c")], "0/t", ""),
        "[\n\t{\"id\": 1, \"t\": \"a\"},\n\t{\n\t\t\"t\": \"b\",\n\t\t\"u\": \"c\"\n\t}\n]\n"
    );
}

#[test]
fn keeps_tabs_and_line_endings() {
    let text = "{\r\n\t\"a\": {\r\n\t\t\"b\": \"x\"\r\n\t}\r\n}";
    assert_eq!(
        insert(text, &[("a/c/d", "y")], "a/b", ""),
        "{\r\n\t\"a\": {\r\n\t\t\"b\": \"x\",\r\n\t\t\"c\": {\r\n\t\t\t\"d\": \"y\"\r\n\t\t}\r\n\t}\r\n}"
    );
    let four = "{\n    \"a\": \"x\"\n}";
    assert_eq!(
        insert(four, &[("n/m", "y")], "a", ""),
        "{\n    \"a\": \"x\",\n    \"n\": {\n        \"m\": \"y\"\n    }\n}"
    );
}

#[test]
fn one_line_stays_one_line() {
    assert_eq!(insert(r#"{"a": "x"}"#, &[("b", "y")], "a", ""), r#"{"a": "x", "b": "y"}"#);
    assert_eq!(insert(r#"{"a":"x"}"#, &[("b", "y")], "", "a"), r#"{"b":"y","a":"x"}"#);
    assert_eq!(insert(r#"{ "a": "x", "c": "z" }"#, &[("b", "y")], "a", "c"), r#"{ "a": "x", "b": "y", "c": "z" }"#);
    assert_eq!(insert(r#"{ "a": "x" , }"#, &[("b", "y")], "a", ""), r#"{ "a": "x" , "b": "y", }"#);
    assert_eq!(
        insert("{\n  \"l\": [\"x\", \"y\"]\n}", &[("l/2", "z")], "l/1", ""),
        "{\n  \"l\": [\"x\", \"y\", \"z\"]\n}"
    );
    assert_eq!(insert("{ a : 'x' }", &[("b", "y"), ("c-d", "z")], "a", ""), "{ a : 'x', b : 'y', 'c-d' : 'z' }");
}

#[test]
fn an_empty_object_is_filled() {
    assert_eq!(insert("{}\n", &[("a", "x"), ("b", "y")], "", ""), "{\n  \"a\": \"x\",\n  \"b\": \"y\"\n}\n");
    assert_eq!(
        edited("{\r\n}", &[LeafChange::Insert { key: key("a"), text: "x", after: None, before: None }]),
        "{\r\n  \"a\": \"x\"\r\n}"
    );
    let inner = "{\n    \"a\": \"x\",\n    \"b\": {}\n}\n";
    assert_eq!(
        edited(inner, &[LeafChange::Insert { key: key("b/c"), text: "y", after: None, before: None }]),
        "{\n    \"a\": \"x\",\n    \"b\": {\n        \"c\": \"y\"\n    }\n}\n"
    );
    assert_eq!(
        edited("{\"b\":{}}", &[LeafChange::Insert { key: key("b/c"), text: "y", after: None, before: None }]),
        "{\"b\":{\"c\":\"y\"}}"
    );
    assert_eq!(insert("{ // soon\n}\n", &[("a", "x")], "", ""), "{ // soon\n  \"a\": \"x\"\n}\n");
    assert_eq!(insert("{\n  // soon\n}\n", &[("a", "x")], "", ""), "{\n  \"a\": \"x\"\n  // soon\n}\n");
}

const COMMENTED: &str = r#"{
  // about a
  "a": "x", // behind a

  // a section

  /* about b */
  "b": "y" // behind b
  // the end
}
"#;

#[test]
fn comments_stay_with_their_members() {
    assert_eq!(
        insert(COMMENTED, &[("n", "z")], "a", "b"),
        COMMENTED.replace("behind a\n", "behind a\n  \"n\": \"z\",\n")
    );
    assert_eq!(
        insert(COMMENTED, &[("n", "z")], "b", ""),
        COMMENTED.replace("\"y\" // behind b\n", "\"y\", // behind b\n  \"n\": \"z\"\n")
    );
    assert_eq!(
        insert(COMMENTED, &[("n", "z")], "", "a"),
        COMMENTED.replace("  // about a\n", "  \"n\": \"z\",\n  // about a\n")
    );
    assert_eq!(
        remove(COMMENTED, &["a"]),
        "{\n\n  // a section\n\n  /* about b */\n  \"b\": \"y\" // behind b\n  // the end\n}\n"
    );
    assert_eq!(
        remove(COMMENTED, &["b"]),
        "{\n  // about a\n  \"a\": \"x\" // behind a\n\n  // a section\n\n  // the end\n}\n"
    );
    assert_eq!(remove(COMMENTED, &["a", "b"]), "{\n\n  // a section\n\n  // the end\n}\n");
    let tail = "{ \"a\": \"x\" // note\n}";
    assert_eq!(insert(tail, &[("b", "y")], "a", ""), "{ \"a\": \"x\", // note\n  \"b\": \"y\"\n}");
}

#[test]
fn a_trailing_comma_stays() {
    let text = "{\n  \"a\": \"x\",\n  \"b\": \"y\", // last\n}\n";
    assert_eq!(insert(text, &[("c", "z")], "b", ""), text.replace("last\n", "last\n  \"c\": \"z\",\n"));
    assert_eq!(remove(text, &["b"]), "{\n  \"a\": \"x\",\n}\n");
}

#[test]
fn members_are_removed_with_their_lines() {
    assert_eq!(remove(NESTED, &["cart/total"]), NESTED.replace("empty\",\n    \"total\": \"Total\"", "empty\""));
    assert_eq!(remove(NESTED, &["cart/empty"]), NESTED.replace("    \"empty\": \"Your cart is empty\",\n", ""));
    assert_eq!(
        remove(NESTED, &["cart/empty", "cart/total"]),
        "{\n  \"steps\": [\n    \"First\",\n    \"Second\"\n  ],\n  \"count\": 3\n}\n"
    );
    assert_eq!(remove(NESTED, &["cart/empty", "cart/total", "steps/0", "steps/1"]), "{\n  \"count\": 3\n}\n");
    assert_eq!(remove(NESTED, &["steps/0"]), NESTED.replace("    \"First\",\n", ""));
    assert_eq!(remove("{\"a\": \"x\"}", &["a"]), "{}");
    assert_eq!(remove("{\"l\": [\"a\", \"b\", \"c\", \"d\"]}", &["l/1", "l/3"]), "{\"l\": [\"a\", \"c\"]}");
    assert_eq!(remove("{\"l\": [\"a\", \"b\", \"c\", \"d\"]}", &["l/0", "l/1"]), "{\"l\": [\"c\", \"d\"]}");
    assert_eq!(remove("{\"l\": [\"a\", \"b\", \"c\"]}", &["l/1", "l/2"]), "{\"l\": [\"a\"]}");
}

#[test]
fn a_new_member_replaces_a_removed_one() {
    for text in [
        "{\n  \"a\": \"x\",\n  \"b\": \"y\"\n}\n",
        "{\"a\": \"x\", \"b\": \"y\"}",
        "{\n  \"a\": \"x\",\n  \"b\": \"y\" }",
    ] {
        for (at, path, other) in [(0, "a", "b"), (1, "b", "a")] {
            for (after, before) in [(Some(at), None), (None, Some(at))] {
                let changes = [
                    LeafChange::Insert { key: key("n"), text: "z", after, before },
                    LeafChange::Remove { leaf: leaf_of(text, path) },
                ];
                let value = if at == 0 { "x" } else { "y" };
                let wanted = text.replace(&format!("\"{path}\": \"{value}\""), "\"n\": \"z\"");
                assert_eq!(edited(text, &changes), wanted);
                let all = [changes[0].clone(), changes[1].clone(), LeafChange::Remove { leaf: leaf_of(text, other) }];
                let keys: Vec<String> = super::leaves(&edited(text, &all)).iter().map(|l| l.key.to_string()).collect();
                assert_eq!(keys, ["n"]);
            }
        }
    }
    assert_eq!(
        edited(
            r#"{"a": "x"}"#,
            &[
                LeafChange::Insert { key: key("a/b"), text: "y", after: Some(0), before: None },
                LeafChange::Remove { leaf: 0 },
            ]
        ),
        r#"{"a": {"b": "y"}}"#
    );
}

#[test]
fn line_comments_keep_their_line_endings() {
    let mixed = "{\"a\": \"x\", // c\n\"b\": \"y\",  \"d\": \"z\"}";
    assert_eq!(remove(mixed, &["b"]), "{\"a\": \"x\", // c\n\"d\": \"z\"}");
    assert_eq!(remove(mixed, &["b", "d"]), "{\"a\": \"x\" // c\n}");
    assert_eq!(
        insert(mixed, &[("n", "new")], "b", "d"),
        "{\"a\": \"x\", // c\n\"b\": \"y\", \"n\": \"new\",  \"d\": \"z\"}"
    );
    assert_eq!(remove("{\"a\": \"x\",\n  // c\n  \"b\": \"y\"}", &["a"]), "{\n  // c\n  \"b\": \"y\"}");
    assert_eq!(insert("{\"a\": \"x\"/* c */}", &[("n", "y")], "a", ""), "{\"a\": \"x\"/* c */, \"n\": \"y\"}");
    assert_eq!(insert("{\"a\": \"x\",/* c */}", &[("n", "y")], "a", ""), "{\"a\": \"x\", \"n\": \"y\",/* c */}");
}

#[test]
fn leading_commas_stay() {
    let text = "{\n  \"a\": \"x\"\n  // about b\n, \"b\": \"y\"\n, \"c\": \"z\"\n}";
    assert_eq!(remove(text, &["b"]), "{\n  \"a\": \"x\"\n  // about b\n, \"c\": \"z\"\n}");
    assert_eq!(insert(text, &[("n", "w")], "b", "c"), text.replace(", \"c\"", ", \"n\": \"w\", \"c\""));
}
