//! Tests of reading, checking and comparing term lists.

use super::*;
use crate::input::problem::FileRule as _;

fn problems(bytes: &[u8]) -> Vec<String> {
    let checked = CheckedTermList::read(bytes);
    checked.problems.iter().map(|p| format!("{} {}: {}", p.origin("f"), p.rule.word(), p.rule)).collect()
}

fn list(terms: &[&str]) -> TermList {
    TermList::from_entries(&terms.join("\n"))
}

#[test]
fn reads_terms_with_byte_order_mark_crlf_and_outer_spaces() {
    let checked = CheckedTermList::read("\u{feff}Kubernetes\r\n  Jane Doe \r\nÜbergröße".as_bytes());
    assert_eq!(checked.problems, []);
    assert_eq!(checked.list.entries(), "Kubernetes\nJane Doe\nÜbergröße");
    assert_eq!(checked.list.to_file_text(), "Kubernetes\nJane Doe\nÜbergröße\n");
    assert_eq!((checked.list.len(), checked.list.chars()), (3, 29));
}

#[test]
fn a_file_keeps_a_term_that_begins_like_a_byte_order_mark() {
    let checked = CheckedTermList::read("\u{feff}\u{feff}tea\nwater".as_bytes());
    assert_eq!(checked.list.entries(), "\u{feff}tea\nwater");
    assert_eq!(CheckedTermList::read(checked.list.to_file_text().as_bytes()).list, checked.list);
}

#[test]
fn finds_every_problem_in_one_pass() {
    let mut bytes = "API\n\n \t \n API\na\tb\u{7f}\nu\u{2028}v\nx\ry\n".as_bytes().to_vec();
    bytes.extend_from_slice(b"gr\xc3\xbc\xff\n");
    let offset = bytes.iter().position(|&b| b == 0xff).unwrap();
    assert_eq!(
        problems(&bytes),
        [
            "f:2:1 blank: the line is blank".to_owned(),
            "f:3:1 blank: the line is blank".to_owned(),
            "f:4:2 duplicate: the term is already on line 1".to_owned(),
            "f:5:2 tab: the term contains a tab".to_owned(),
            "f:5:4 control: the term contains the control character U+007F".to_owned(),
            "f:6:2 newline: the term contains the line break U+2028".to_owned(),
            "f:7:2 newline: the term contains the line break U+000D".to_owned(),
            format!("f:8:4 utf8: invalid UTF-8 at byte offset {offset}"),
        ]
    );
}

#[test]
fn terms_are_compared_exactly() {
    assert_eq!(problems("api\nAPI\nu\u{308}\n\u{fc}\n".as_bytes()), [""; 0]);
}

#[test]
fn a_file_without_terms_is_a_problem() {
    assert_eq!(problems(b""), ["f no_term: the file has no terms"]);
    assert_eq!(problems("\u{feff}".as_bytes()), ["f no_term: the file has no terms"]);
    assert_eq!(problems(b"\n"), ["f:1:1 blank: the line is blank"]);
}

#[test]
fn a_list_has_at_most_300_characters_with_the_line_breaks_between_terms() {
    let (a, b) = ("ä".repeat(150), "b".repeat(149));
    assert_eq!(problems(format!("{a}\n{b}\n").as_bytes()), [""; 0], "150 + 1 + 149");
    assert_eq!(
        problems(format!("{a}\n {b}b\nc\n").as_bytes()),
        ["f:2:151 length: the list has 303 characters; the limit of 300 is exceeded here"]
    );
    assert_eq!(
        problems(format!("{a}\n{b}\nc\n").as_bytes()),
        ["f:3:1 length: the list has 302 characters; the limit of 300 is exceeded here"]
    );
    assert_eq!(
        problems("x".repeat(301).as_bytes()),
        ["f:1:301 length: the list has 301 characters; the limit of 300 is exceeded here"]
    );
    let repeated = format!("{a}\n{b}\n{a}\n");
    assert_eq!(problems(repeated.as_bytes()), ["f:3:1 duplicate: the term is already on line 1"]);
}

#[test]
fn a_merge_keeps_the_order_and_adds_new_terms_at_the_end() {
    let (old, new) = (list(&["b", "a"]), list(&["c", "a", "d"]));
    assert_eq!(old.merged_with(&new).entries(), "b\na\nc\nd");
    assert_eq!(new.missing_in(&old).entries(), "c\nd");
    assert_eq!(old.missing_in(&new).entries(), "b");
    assert!(old.missing_in(&old).is_empty());
}

#[test]
fn reads_the_entries_of_the_service_leniently() {
    assert_eq!(TermList::from_entries(" a \r\n\nb\na\n").entries(), "a\nb");
    assert!(TermList::from_entries("").is_empty());
}
