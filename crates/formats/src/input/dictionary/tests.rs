//! Tests of reading, checking and comparing dictionaries.

use super::*;
use crate::input::problem::FileRule as _;

fn check(format: DictionaryFormat, bytes: &[u8]) -> CheckedDictionary {
    CheckedDictionary::read(bytes, &DictionaryReadOptions { format, ..DictionaryReadOptions::TSV })
}

fn places(checked: &CheckedDictionary) -> Vec<String> {
    checked.problems.iter().map(|p| format!("{} {}", p.origin("f"), p.rule.word())).collect()
}

fn entries(checked: &CheckedDictionary) -> Vec<(&str, &str)> {
    checked.dictionary.entries().collect()
}

#[test]
fn reads_tsv_with_byte_order_mark_crlf_and_blank_lines() {
    let checked = check(DictionaryFormat::Tsv, "\u{feff}kettle\tWasserkocher\r\n\r\n\"a\"\tb, c\n".as_bytes());
    assert_eq!(places(&checked), [""; 0]);
    assert_eq!(entries(&checked), [("kettle", "Wasserkocher"), ("\"a\"", "b, c")]);
    assert_eq!(checked.dictionary.tsv(), "kettle\tWasserkocher\n\"a\"\tb, c");
    assert_eq!(checked.dictionary.to_file_text(), "kettle\tWasserkocher\n\"a\"\tb, c\n");
}

#[test]
fn a_file_keeps_an_entry_that_begins_like_a_byte_order_mark() {
    let checked = check(DictionaryFormat::Csv, "\"\u{feff}tea\",Tee\n".as_bytes());
    assert_eq!(entries(&checked), [("\u{feff}tea", "Tee")]);
    let again = check(DictionaryFormat::Tsv, checked.dictionary.to_file_text().as_bytes());
    assert_eq!(again.dictionary, checked.dictionary);
}

#[test]
fn finds_every_problem_of_a_tsv_file_in_one_pass() {
    let long = "ä".repeat(513);
    let file = format!(
        "a\tb\na\tc\n\tx\nx\t\nno tab\na\tb\tc\n\u{7}y\tz\nu\u{2028}v\tw\n lead\ttrail\u{a0}\n{long}\tok\nq\tr\u{85}s\n"
    );
    let mut bytes = file.into_bytes();
    bytes.extend_from_slice(b"gr\xc3\xbc\xff\tx\n");
    let checked = check(DictionaryFormat::Tsv, &bytes);
    assert_eq!(
        places(&checked),
        [
            "f:2:1 duplicate",
            "f:3:1 empty",
            "f:4:3 empty",
            "f:5:1 columns",
            "f:6:4 columns",
            "f:7:1 control",
            "f:8:2 newline",
            "f:9:1 whitespace",
            "f:9:12 whitespace",
            "f:10:1 length",
            "f:11:4 newline",
            "f:12:4 utf8",
        ]
    );
    assert_eq!(checked.problems[0].rule.to_string(), "the source phrase is already on line 1");
    assert_eq!(checked.problems[9].rule.to_string(), "the source phrase has 1,026 bytes; the limit is 1,024");
    let offset = bytes.iter().position(|&b| b == 0xff).unwrap();
    assert_eq!(checked.problems[11].rule.to_string(), format!("invalid UTF-8 at byte offset {offset}"));
}

#[test]
fn a_byte_offset_includes_the_byte_order_mark() {
    let checked = check(DictionaryFormat::Tsv, b"\xef\xbb\xbfa\t\xff");
    assert_eq!(checked.problems, [DictionaryProblem { line: 1, column: 3, rule: DictionaryRule::Utf8 { offset: 5 } }]);
}

#[test]
fn accepts_del_and_phrases_at_the_length_limit() {
    let file = format!("{}\t{}\nd\u{7f}\te", "x".repeat(1024), "ä".repeat(512));
    assert_eq!(places(&check(DictionaryFormat::Tsv, file.as_bytes())), [""; 0]);
}

#[test]
fn phrases_that_differ_in_case_or_composition_are_different() {
    let checked = check(DictionaryFormat::Tsv, "Tea\ta\ntea\tb\n\u{e9}\tc\ne\u{301}\td\n".as_bytes());
    assert_eq!(places(&checked), [""; 0]);
}

#[test]
fn reports_a_carriage_return_inside_a_line() {
    assert_eq!(places(&check(DictionaryFormat::Tsv, b"a\rb\tc\r\r\n")), ["f:1:2 newline", "f:1:6 newline"]);
}

#[test]
fn reads_csv_quotes_and_commas() {
    let checked =
        check(DictionaryFormat::Csv, b"kettle,Wasserkocher\n\"a, b\",\"say \"\"hi\"\"\"\r\nplain \"quote,x\n");
    assert_eq!(places(&checked), [""; 0]);
    assert_eq!(entries(&checked), [("kettle", "Wasserkocher"), ("a, b", "say \"hi\""), ("plain \"quote", "x")]);
}

#[test]
fn skips_and_counts_csv_rows_of_other_pairs() {
    let file = b"a,b,EN,DE\nc,d,de,en\ne,f\n";
    let reading =
        DictionaryReadOptions { format: DictionaryFormat::Csv, pair: Some(("en", "de")), ..DictionaryReadOptions::TSV };
    let checked = CheckedDictionary::read(file, &reading);
    assert_eq!((entries(&checked), checked.skipped), (vec![("a", "b"), ("e", "f")], 1));
    let none = CheckedDictionary::read(b"a,b,fr,de\n", &reading);
    assert_eq!(none.problems, [DictionaryProblem { line: 0, column: 0, rule: DictionaryRule::NoRow { skipped: 1 } }]);
}

#[test]
fn finds_duplicates_per_pair_if_no_pair_is_given() {
    assert_eq!(places(&check(DictionaryFormat::Csv, b"a,b,en,de\na,c,en,fr\na,d,EN,DE\n")), ["f:3:1 duplicate"]);
}

#[test]
fn refuses_1_3_and_5_csv_fields() {
    assert_eq!(
        places(&check(DictionaryFormat::Csv, b"a\na,b,en\na,b,en,de,x\n")),
        ["f:1:1 columns", "f:2:5 columns", "f:3:5 columns"]
    );
}

#[test]
fn reports_a_quoted_line_break_and_checks_the_next_lines() {
    let checked = check(DictionaryFormat::Csv, b"ok,fine\n\"two\nlines\",x\nok,again\n\"open,y\nlast,one\n");
    assert_eq!(places(&checked), ["f:2:5 newline", "f:4:1 duplicate", "f:5:1 quotes"]);
    assert_eq!(entries(&checked), [("ok", "fine"), ("ok", "again"), ("last", "one")]);
}

#[test]
fn reports_text_after_a_closing_quote() {
    assert_eq!(places(&check(DictionaryFormat::Csv, b"\"a\"b,c\n")), ["f:1:4 quotes"]);
}

#[test]
fn csv_columns_are_counted_in_characters_including_doubled_quotes() {
    assert_eq!(places(&check(DictionaryFormat::Csv, "\"ä \"\"x\"\"\", y\r\n".as_bytes())), ["f:1:11 whitespace"]);
    assert_eq!(places(&check(DictionaryFormat::Csv, "ä,\"b\" ,c,\n".as_bytes())), ["f:1:6 quotes"]);
}

#[test]
fn csv_fields_may_be_empty_and_lines_may_end_in_crlf() {
    let checked = check(DictionaryFormat::Csv, b"a,\r\n,b\r\n\"c\",\"\"\"d\"\"\"\r\n");
    assert_eq!(places(&checked), ["f:1:3 empty", "f:2:1 empty"]);
    assert_eq!(entries(&checked), [("a", ""), ("", "b"), ("c", "\"d\"")]);
}

#[test]
fn skips_a_header_only_on_request() {
    let with = |header| {
        CheckedDictionary::read(
            b"source\ttarget\na\tb\n",
            &DictionaryReadOptions { header, ..DictionaryReadOptions::TSV },
        )
    };
    assert_eq!(entries(&with(true)), [("a", "b")]);
    assert_eq!(entries(&with(false)).len(), 2);
}

#[test]
fn reports_a_file_without_entries() {
    for file in ["", "\n\n", "\u{feff}"] {
        assert_eq!(places(&check(DictionaryFormat::Tsv, file.as_bytes())), ["f no_row"], "{file:?}");
    }
}

#[test]
fn refuses_more_than_10_mb_and_detects_sizes_near_the_limit() {
    let line = |i: usize| format!("{i:0>500}\t{}\n", "x".repeat(523));
    let file: String = (0..10_240).map(line).collect();
    let checked = check(DictionaryFormat::Tsv, file.as_bytes());
    assert_eq!(checked.dictionary.tsv().len(), 10_240 * 1025 - 1);
    assert_eq!(places(&checked), ["f size"]);
    let file: String = (0..9_800).map(line).collect();
    let checked = check(DictionaryFormat::Tsv, file.as_bytes());
    assert_eq!(places(&checked), [""; 0]);
    assert!(checked.is_near_limit());
}

#[test]
fn a_diff_lists_added_changed_and_removed_entries() {
    let old = Dictionary::from_entries([("a", "1"), ("b", "2"), ("c", "3")]);
    let new = Dictionary::from_entries([("d", "4"), ("c", "3"), ("b", "two")]);
    let diff = DictionaryDiff::between(&old, &new);
    assert_eq!((diff.added, diff.changed, diff.removed), (1, 1, 1));
    assert_eq!(diff.to_merge().tsv(), "d\t4\nb\ttwo");
    assert!(DictionaryDiff::between(&old, &Dictionary::from_entries([("c", "3"), ("b", "2"), ("a", "1")])).is_empty());
}

#[test]
fn the_last_entry_of_a_repeated_phrase_counts_in_a_diff() {
    let old = Dictionary::from_entries([("b", "1"), ("a", "x"), ("b", "2"), ("", "e")]);
    let new = Dictionary::from_entries([("b", "3"), ("b", "2"), ("b c", "4"), ("a", "y")]);
    let diff = DictionaryDiff::between(&old, &new);
    let entries: Vec<_> = diff.entries().map(|entry| (entry.change.word(), entry.source, entry.new_entry)).collect();
    assert_eq!(entries, [("added", "b c", Some(2)), ("changed", "a", Some(3)), ("removed", "", None)]);
    assert_eq!((diff.len(), diff.is_empty()), (3, false));
    assert!(DictionaryDiff::between(&Dictionary::default(), &Dictionary::default()).is_empty());
}

#[test]
fn parses_replies_like_files() {
    for tsv in ["", "a\tb", "\u{feff}a\tb\r\n  \n\nc\td\n", "a\t\n\tb\n", "a\tb\n\u{feff}c\td", " \tb\r"] {
        let checked = check(DictionaryFormat::Tsv, tsv.as_bytes());
        assert_eq!(Dictionary::from_reply(tsv).unwrap(), checked.dictionary, "{tsv:?}");
    }
    for tsv in ["a", "a\tb\nä\tb\tc", "a\tb\n\nä\tbb\tc\td", "a\r"] {
        let checked = check(DictionaryFormat::Tsv, tsv.as_bytes());
        let columns =
            checked.problems.iter().find(|one| matches!(one.rule, DictionaryRule::FieldCount { .. })).unwrap();
        assert_eq!(Dictionary::from_reply(tsv).unwrap_err(), *columns, "{tsv:?}");
    }
}
