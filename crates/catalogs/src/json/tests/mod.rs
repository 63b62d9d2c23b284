//! Tests of JSON catalogues with files in the layouts of common frameworks.

mod invariants;
mod layouts;

use super::*;
use crate::edit::apply_edits;

fn leaves(text: &str) -> Vec<Leaf> {
    JsonFormat.leaves(text).unwrap_or_else(|error| panic!("{error:?} in {text:?}")).leaves
}

fn edited(text: &str, changes: &[LeafChange<'_>]) -> String {
    let edits = JsonFormat.leaf_edits(text, changes).unwrap_or_else(|error| panic!("{error:?} in {text:?}"));
    apply_edits(text, edits.clone()).unwrap_or_else(|| panic!("{edits:?} overlap in {text:?}"))
}

fn key(path: &str) -> UnitKey {
    let part = |part: &str| match part.parse() {
        Ok(number) => UnitKeyPart::Item(number),
        Err(_) => UnitKeyPart::Name(part.to_owned()),
    };
    UnitKey(path.split('/').map(part).collect())
}

fn leaf_of(text: &str, path: &str) -> usize {
    let key = key(path);
    leaves(text).iter().position(|leaf| leaf.key == key).unwrap_or_else(|| panic!("no {key} in {text:?}"))
}

fn set(text: &str, path: &str, new: &str) -> String {
    edited(text, &[LeafChange::Set { leaf: leaf_of(text, path), text: new }])
}

fn remove(text: &str, paths: &[&str]) -> String {
    let changes: Vec<_> = paths.iter().map(|path| LeafChange::Remove { leaf: leaf_of(text, path) }).collect();
    edited(text, &changes)
}

/// Inserts texts between the given leaves (either may be empty), and checks that removing them restores the text.
fn insert(text: &str, new: &[(&str, &str)], after: &str, before: &str) -> String {
    let neighbour = |path: &str| (!path.is_empty()).then(|| leaf_of(text, path));
    let changes: Vec<_> = new
        .iter()
        .map(|(path, text)| LeafChange::Insert {
            key: key(path),
            text,
            after: neighbour(after),
            before: neighbour(before),
        })
        .collect();
    let with = edited(text, &changes);
    let paths: Vec<&str> = new.iter().map(|(path, _)| *path).collect();
    assert_eq!(remove(&with, &paths), text, "not the same after {with}");
    with
}

fn error_of(text: &str) -> (usize, String) {
    let error = JsonFormat.leaves(text).map(|tree| tree.leaves).unwrap_err();
    (error.at, error.what)
}

#[test]
fn leaves_are_read_in_the_order_of_the_file() {
    let text = r#"{"b": "x", "a": {"c.d": "y\u00e9", "n": 1.10, "t": true, "z": null}, "steps": ["one", {"two": "2"}], "e": {}}"#;
    let read: Vec<(String, Option<String>)> =
        leaves(text).into_iter().map(|leaf| (leaf.key.to_string(), leaf.text)).collect();
    let wanted = [
        ("b", Some("x")),
        (r"a.c\.d", Some("yé")),
        ("a.n", None),
        ("a.t", None),
        ("a.z", None),
        ("steps.0", Some("one")),
        ("steps.1.two", Some("2")),
    ];
    let wanted: Vec<_> = wanted.map(|(key, text)| (key.to_owned(), text.map(str::to_owned))).into();
    assert_eq!(read, wanted);
    assert_eq!(leaves(text)[1].at, text.find(r#""y"#).unwrap());
}

#[test]
fn the_last_duplicate_key_wins() {
    let text = "{\n  \"a\": \"1\",\n  \"b\": {\"x\": \"2\"},\n  \"a\": \"3\",\n  \"b\": {\"y\": \"4\"}\n}\n";
    let tree = JsonFormat.leaves(text).unwrap();
    let keys: Vec<String> = tree.leaves.iter().map(|leaf| leaf.key.to_string()).collect();
    assert_eq!(keys, ["a", "b.y"]);
    let duplicates: Vec<(String, usize)> = tree.duplicates.iter().map(|d| (d.key.to_string(), d.at)).collect();
    assert_eq!(duplicates, [("a".to_owned(), 4), ("b".to_owned(), 16)]);
    assert_eq!(set(text, "a", "neu"), text.replace("\"3\"", "\"neu\""));
    // If only the last were removed, the others would become effective.
    assert_eq!(remove(text, &["a"]), "{\n  \"b\": {\"x\": \"2\"},\n  \"b\": {\"y\": \"4\"}\n}\n");
    assert_eq!(remove(text, &["b/y"]), "{\n  \"a\": \"1\",\n  \"a\": \"3\"\n}\n");
}

#[test]
fn comments_are_notes() {
    let text = "{ // whole file\n  // Title of the page\n  //  - short\n  \"title\": \"Hi\", // max 20\n\n  /*\n   * Verb.\n   */\n  \"open\": /* imperative */ \"Open\",\n  // A section\n\n  \"a\": \"b\" /* tail */\n  // end\n}\n";
    let notes: Vec<Option<String>> = leaves(text).into_iter().map(|leaf| leaf.note).collect();
    let wanted = ["Title of the page\n- short\nmax 20", "Verb.\nimperative", "tail"];
    assert_eq!(notes, wanted.map(|note| Some(note.to_owned())));
    let inline = r#"{ /* first */ "a": "http://x", /* second */ "b": "y" /* also */, "c": "z" }"#;
    let notes: Vec<Option<String>> = leaves(inline).into_iter().map(|leaf| leaf.note).collect();
    assert_eq!(notes, [Some("first".to_owned()), Some("second\nalso".to_owned()), None]);
}

#[test]
fn strings_keep_their_quotes() {
    let text = "{ \"a\": \"x\", b: 'y', 'c': 'z', n: 1 }";
    assert_eq!(
        set(text, "a", "it's \"q\" \\ \n\t\u{1}\u{7f}\u{2028}é😀"),
        text.replace("\"x\"", r#""it's \"q\" \\ \n\t\u0001\u007f\u2028é😀""#)
    );
    assert_eq!(set(text, "b", "it's \"q\""), text.replace("'y'", r#"'it\'s "q"'"#));
    assert_eq!(set(text, "n", "one"), text.replace('1', "\"one\""));
}

#[test]
fn escapes_follow_the_file() {
    let ascii = r#"{"a": "Gr\u00fc\u00dfe", "b": "x"}"#;
    assert_eq!(set(ascii, "b", "é😀"), r#"{"a": "Gr\u00fc\u00dfe", "b": "\u00e9\ud83d\ude00"}"#);
    let upper = r#"{"a": "\u00FC", "b": "x"}"#;
    assert_eq!(set(upper, "b", "ê\u{1f}"), r#"{"a": "\u00FC", "b": "\u00EA\u001F"}"#);
    let mixed = r#"{"a": "\u00fc", "b": "é"}"#;
    assert_eq!(set(mixed, "b", "ü"), r#"{"a": "\u00fc", "b": "ü"}"#);
    let invisible = r#"{"a": "5\u00a0km", "b": "x"}"#;
    assert_eq!(set(invisible, "b", "ü"), r#"{"a": "5\u00a0km", "b": "ü"}"#);
    let slashes = r#"{"a": "<\/b>", "b": "x"} // no / here"#;
    assert_eq!(set(slashes, "b", "a/b"), r#"{"a": "<\/b>", "b": "a\/b"} // no / here"#);
    assert_eq!(set(r#"{"a": "<\/b>", "b": "x/y"}"#, "b", "a/b"), r#"{"a": "<\/b>", "b": "a/b"}"#);
}

#[test]
fn an_equal_text_keeps_its_bytes() {
    let text = r#"{"a": "\u0041\/b", "b": 'A'}"#;
    assert_eq!(set(text, "a", "A/b"), text);
    assert_eq!(set(text, "b", "A"), text);
}

#[test]
fn syntax_errors_have_a_position_and_a_reason() {
    for (text, at, what) in [
        ("{\"a\": \"x\"\n \"b\": \"y\"}", 9, "a comma is missing"),
        ("[\"a\" \"b\"]", 4, "a comma is missing"),
        ("{\"a\" \"x\"}", 5, "a colon is missing after a key"),
        ("{\"a\": \"x\"", 0, "an object is not closed"),
        ("{\"a\": [\"x\"", 6, "a list is not closed"),
        ("{\"a\": \"x}", 6, "a string is not closed"),
        ("{\"a\": \"x\\q\\ud800\"}", 10, "an escape is half of a surrogate pair"),
        ("{\"a\": \"\\udc00\"}", 7, "an escape is half of a surrogate pair"),
        ("{\"a\": \"\\uZZ\"}", 7, "an escape is not valid in JSON"),
        ("{\"a\": 1} x", 9, "there is text after the end of the JSON value"),
        ("{/* \"a\": 1}", 1, "a comment is not closed"),
        ("", 0, "the file is empty"),
        (" // only\n", 0, "the file is empty"),
        ("\"text\"", 0, "the file contains a single value, not an object"),
        ("{\"a\": ,}", 6, "there is a comma where a value is expected"),
    ] {
        assert_eq!(error_of(text), (at, what.to_owned()), "{text}");
    }
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| ["[".repeat(depth), "\"x\"".to_owned(), "]".repeat(depth)].concat();
    assert_eq!(leaves(&nested(128)).len(), 1);
    for depth in [129, 400, 5_000, 1_000_000] {
        assert_eq!(error_of(&nested(depth)).1, "values are nested more than 128 levels deep");
    }
    assert!(error_of(&"{\"a\":".repeat(100_000)).1.contains("128"));
    assert!(error_of(&"[".repeat(100_000)).1.contains("128"));
}

#[test]
fn the_only_key_at_the_root_is_renamed() {
    let text = "{\n  \"en\": {\n    \"a\": \"x\"\n  }\n}\n";
    let change = LeafChange::RenameRoot { name: "pt-BR" };
    assert_eq!(edited(text, std::slice::from_ref(&change)), text.replace("\"en\"", "\"pt-BR\""));
    assert_eq!(edited("{en: {a: 'x'}}", std::slice::from_ref(&change)), "{\"pt-BR\": {a: 'x'}}");
    assert!(JsonFormat.leaf_edits(r#"{"a": "x", "b": "y"}"#, &[change]).is_err());
}

#[test]
fn conflicting_keys_are_refused() {
    let insert = |text: &str, path: &str| {
        let change = LeafChange::Insert { key: key(path), text: "x", after: None, before: None };
        JsonFormat.leaf_edits(text, &[change]).map(|edits| apply_edits(text, edits).unwrap())
    };
    let error = insert(r#"{"a": "text"}"#, "a/b").unwrap_err();
    assert_eq!((error.at, error.what.as_str()), (6, "the key a.b cannot be inserted: another value is in its place"));
    let error = insert(r#"{"a": {"b": "c"}}"#, "a").unwrap_err();
    assert_eq!((error.at, error.what.as_str()), (6, "the key a cannot be inserted: there are keys below it"));
    assert!(insert(r#"{"a": {"b": "c"}}"#, "a/0").is_err());
    assert!(insert(r#"["a"]"#, "b").is_err());
    assert_eq!(insert(r#"{"a": null}"#, "a/b").unwrap(), r#"{"a": {"b": "x"}}"#);
    assert_eq!(insert(r#"{"a": ""}"#, "a/0").unwrap(), r#"{"a": ["x"]}"#);
    assert_eq!(insert(r#"{"a": []}"#, "a/b").unwrap(), r#"{"a": {"b": "x"}}"#);
    assert_eq!(insert(r#"{"a": 12}"#, "a").unwrap(), r#"{"a": "x"}"#);
}
