//! Tests of lines of JSON from reader to writer, and of properties of generated lines.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::test_records::read_all;
use crate::{BlankEntry, EntryResult, Record, ResultRow};

fn options(fields: &[&str], added: &[&str]) -> JsonLinesOptions {
    let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    JsonLinesOptions::new(&owned(fields), &owned(added)).unwrap()
}

fn records(options: &JsonLinesOptions, text: &str, step: usize) -> Result<Vec<Record>, Failure> {
    read_all(&mut JsonLinesReader::new(options), text.as_bytes(), step)
}

fn texts(records: &[Record]) -> Vec<String> {
    let of_record = |record: &Record| -> Vec<String> {
        (0..record.slots.len()).map(|slot| record.text(slot).unwrap().to_owned()).collect()
    };
    records.iter().flat_map(of_record).collect()
}

fn written(options: &JsonLinesOptions, records: Vec<Record>, change: impl Fn(&str, &str) -> String) -> String {
    let targets = if options.added.is_empty() { vec!["de".to_owned()] } else { options.added.clone() };
    let mut writer = JsonLinesWriter::new(options, &targets);
    let mut out = Vec::new();
    for record in records {
        let result = |target: &str, slot| {
            let text = Some(change(target, record.text(slot).unwrap()));
            Arc::new(EntryResult { text, ..EntryResult::default() })
        };
        let results =
            targets.iter().map(|target| Some((0..record.slots.len()).map(|slot| result(target, slot)).collect()));
        let row = ResultRow { results: results.collect(), record: Arc::new(record) };
        writer.write(&row, &mut out).unwrap();
    }
    String::from_utf8(out).unwrap()
}

fn upper(_: &str, text: &str) -> String {
    text.to_uppercase()
}

fn translated(fields: &[&str], added: &[&str], text: &str) -> String {
    let options = options(fields, added);
    written(&options, records(&options, text, 1000).unwrap(), |target, text| {
        if added.is_empty() { upper(target, text) } else { format!("{target} {text}") }
    })
}

/// Returns the failure of the first unusable line, and its hint.
fn fault(fields: &[&str], added: &[&str], text: &str) -> (String, String) {
    let failure = match records(&options(fields, added), text, 1000) {
        Ok(records) => *records.into_iter().find_map(|record| record.fault).unwrap(),
        Err(failure) => failure,
    };
    (failure.to_string(), failure.hint.unwrap_or_default())
}

#[test]
fn only_the_selected_strings_change() {
    let text = "\u{feff}{ \"n\":12345678901234567890, \"t\" : \"  a\\nb \" ,\"x\":1.10e5,\"t2\":\"\\u0061\"}\r\n\r\n\t\n{\"t\":\"c\"}";
    let expected = "\u{feff}{ \"n\":12345678901234567890, \"t\" : \"  A\\nB \" ,\"x\":1.10e5,\"t2\":\"\\u0061\"}\r\n\r\n\t\n{\"t\":\"C\"}";
    assert_eq!(translated(&["/t"], &[], text), expected);
}

#[test]
fn entries_have_numbers_and_locations() {
    let text = "{\"b\":\" \",\"a\":\"x\"}\n\n{\"a\":null,\"b\":\"é y\"}\n{\"b\":\"\",\"a\":\"\\n\"}\n{\"a\":\"z\"}\n";
    let all = records(&options(&["/a", "/b"], &[]), text, 3).unwrap();
    assert_eq!(all.iter().map(|record| record.entry).collect::<Vec<_>>(), [1, 3, 3, 4, 6]);
    let labels = all[0].labels.clone().unwrap();
    assert_eq!((labels.key, &labels.names[..]), (Some("field"), &["/a".to_owned(), "/b".to_owned()][..]));
    assert_eq!(all[0].blanks, [BlankEntry { before_slot: 0, name: 1, start: 6, end: 7 }]);
    assert_eq!((all[2].slots[0].name, all[2].slot_origin(0).to_string()), (1, "stdin:3:16".to_owned()));
    assert_eq!(texts(&all), ["x", "é y", "z"]);
}

#[test]
fn line_endings_in_a_string_are_sent_as_lf() {
    let text = "{\"a\":\"one\\r\\ntwo\\u000d\\u000a\"}\n{\"a\":\"one\\r\\ntwo\\nx\"}\n";
    let options = options(&["/a"], &[]);
    let all = records(&options, text, 1000).unwrap();
    assert_eq!(texts(&all), ["one\ntwo", "one\r\ntwo\nx"]);
    assert_eq!(written(&options, all, upper), "{\"a\":\"ONE\\r\\nTWO\\u000d\\u000a\"}\n{\"a\":\"ONE\\r\\nTWO\\nX\"}\n");
}

#[test]
fn added_members_follow_their_source_in_its_style() {
    for (line, expected) in [
        (r#"{"t":"x","u":1}"#, r#"{"t":"x","t_de":"de x","t_fr":"fr x","u":1}"#),
        (r#"{"t": "x", "u": 1}"#, r#"{"t": "x", "t_de": "de x", "t_fr": "fr x", "u": 1}"#),
        (r#"{"u": 1, "t": "x"}"#, r#"{"u": 1, "t": "x", "t_de": "de x", "t_fr": "fr x"}"#),
        (r#"{"t": "x"}"#, r#"{"t": "x", "t_de": "de x", "t_fr": "fr x"}"#),
        (r#"{ "t" : " x\n" }"#, r#"{ "t" : " x\n", "t_de" : " de x\n", "t_fr" : " fr x\n" }"#),
        (r#"{"\u0074":"\u00e9"}"#, r#"{"\u0074":"\u00e9","\u0074_de":"de \u00e9","\u0074_fr":"fr \u00e9"}"#),
        (r#"{"t":"","u":" \" "}"#, r#"{"t":"","t_de":"","t_fr":"","u":" \" "}"#),
        (r#"{"t":null}"#, r#"{"t":null}"#),
        (r#"{"t_de":"x"}"#, r#"{"t_de":"x"}"#),
        (r#"{"t":1,"\"t":2,"t":"\"x\\"}"#, r#"{"t":1,"\"t":2,"t":"\"x\\","t_de":"de \"x\\","t_fr":"fr \"x\\"}"#),
    ] {
        assert_eq!(translated(&["/t"], &["de", "fr"], line), expected);
    }
    let nested = translated(&["/a/0/b\\\"", "/c"], &["pt-BR"], r#"{"a":[{"b\\\"":"\ty"}],"c":"z"}"#);
    assert_eq!(nested, r#"{"a":[{"b\\\"":"\ty","b\\\"_pt-BR":"\tpt-BR y"}],"c":"z","c_pt-BR":"pt-BR z"}"#);
}

#[test]
fn refuses_untranslatable_values_with_their_position() {
    for (line, expected) in [
        ("{\"é\":0,\"t\":12}", "stdin:2:12: the field /t is a number, not a string"),
        ("{\"t\":{}}", "stdin:2:6: the field /t is an object, not a string"),
        ("{\"t\":[\"x\"]}", "stdin:2:6: the field /t is an array, not a string"),
        ("{\"t\":true}", "stdin:2:6: the field /t is a boolean, not a string"),
        ("{\"t\":\"é\\ud800\"}", "stdin:2:8: the field /t has half of a surrogate pair, which is not a character"),
        ("\"x\"", "stdin:2:1: the line is a string, not an object"),
        ("{\"é\":1,}", "stdin:2:8: invalid JSON: trailing comma"),
    ] {
        let text = format!("{{\"t\":\"x\"}}\n{line}\r\n{{\"t\":\"y\"}}");
        assert_eq!(fault(&["/t"], &[], &text).0, expected);
        let all = records(&options(&["/t"], &[]), &text, 1).unwrap();
        assert_eq!(texts(&all), ["x", "y"], "the lines around it");
        assert_eq!(all[1].bytes, format!("{line}\r\n").as_bytes());
    }
    let (message, hint) = fault(&["/t"], &[], "\u{feff}[\n{\"t\":\"x\"}\n]\n");
    assert_eq!(message, "stdin:1:2: invalid JSON: the line ends within an array");
    assert_eq!(hint, "each line must be one JSON value, as `jq -c` writes them");
}

#[test]
fn refuses_members_that_cannot_be_added() {
    let (message, _) = fault(&["/t/1"], &["de"], "{\"t\":[1,\"x\"]}");
    assert_eq!(message, "stdin:1:9: --append needs a member of an object; /t/1 is an item of an array");
    let (message, _) = fault(&["/t"], &["de", "fr"], "{\"t_fr\":1,\"t\":\"x\"}");
    assert_eq!(message, "stdin:1:9: the field /t_fr, which --append would add, already exists");
    let fields = ["/t".to_owned(), "/t_de".to_owned()];
    let failure = JsonLinesOptions::new(&fields, &["de".to_owned()]).unwrap_err();
    assert_eq!(failure.what, "--append adds /t_de, which is a field to translate");
}

#[test]
fn refuses_a_field_that_no_line_has_and_suggests_similar_ones() {
    let (message, hint) =
        fault(&["/titel"], &[], "\n{\"id\":1,\"title\":\"x\",\"by\":{\"a/b\":\"y\"}}\n{\"titl\":\"z\"}");
    assert_eq!(message, "stdin: no line has the field /titel");
    assert_eq!(hint, "did you mean `/title`? the strings of line 2 are /by/a~1b, /title");
    let (_, hint) = fault(&["/b"], &[], "{\"a\\n::error\":\"x\"}");
    assert_eq!(hint, "the strings of line 1 are /a\\n::error", "one line");
    assert_eq!(
        fault(&["/a/*"], &[], "{\"a\":[\"x\"]}").1,
        "wildcards are not supported; give each item of an array by its index, from 0"
    );
    assert_eq!(fault(&["/a"], &[], "[1]").1, "line 1 has no strings");
    let many: String = (0..12).map(|i| format!("\"k{i:02}\":\"x\",")).collect();
    let hint = fault(&["/zz"], &[], &format!("{{{many}\"n\":0}}")).1;
    assert!(hint.ends_with("/k08, /k09 and 2 more"), "{hint}");
    for text in ["", "\n\n", "{\"a\":null}", "{\"a\":\"\"}\n{}"] {
        let all = records(&options(&["/a"], &[]), text, 1).unwrap();
        assert!(all.iter().all(|record| record.fault.is_none()), "{text:?}");
    }
}

#[test]
fn refuses_a_line_over_the_limit_before_it_fills_memory() {
    let long = format!("{{\"a\":\"x\"}}\n{{\"a\":\"{}\"}}", "x".repeat(17 << 20));
    let (message, _) = fault(&["/a"], &[], &long);
    assert_eq!(message, "stdin:2:1: the line has more than 16,777,216 bytes");
}

fn one_of(list: &'static [&'static str]) -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(list)
}

/// Generates the content of a string, with all kinds of escapes.
fn any_string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => one_of(&["", "ab", "Two words", " ", ",", "]}", ": {[", "x"]),
        1 => one_of(&["é", "漢", "ß/", "\u{a0}", "\u{2028}é", "🙂"]),
        3 => one_of(&[
            "\\n", "\\r\\n", "\\r", "\\t", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\u0020", "\\u00a0", "\\u00E9", "\\u0000",
            "\\ud83d\\uDe42", "\\u0022", "\\u005c", "\\u000A", "\\uFEFF",
        ]),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn any_space() -> impl Strategy<Value = &'static str> {
    one_of(&["", "", "", "", " ", "\t", "\r "])
}

fn any_name() -> impl Strategy<Value = String> {
    let known = one_of(&["t", "a", "o", "\\u0074", "t_x", "T", "0", "a/b", "\\\"t", "\\\\"]);
    prop_oneof![6 => known.prop_map(str::to_owned), 1 => any_string()]
}

fn any_number() -> impl Strategy<Value = String> {
    let part = |list| one_of(list);
    (part(&["", "-"]), part(&["0", "7", "12345678901234567890"]), part(&["", ".10"]), part(&["", "e5", "E+09", "e-1"]))
        .prop_map(|(sign, number, fraction, exponent)| format!("{sign}{number}{fraction}{exponent}"))
}

fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => any_string().prop_map(|text| format!("\"{text}\"")),
        1 => any_number(),
        1 => one_of(&["true", "false", "null"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let item = (any_space(), inner.clone(), any_space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let items = prop::collection::vec(item, 0..4).prop_map(|items| format!("[{}]", items.join(",")));
        prop_oneof![items, any_object(inner)]
    })
}

fn any_object(value: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let member = (any_space(), any_name(), any_space(), any_space(), value, any_space())
        .prop_map(|(a, name, b, c, value, d)| format!("{a}\"{name}\"{b}:{c}{value}{d}"));
    prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(",")))
}

fn any_lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        8 => any_object(any_json().boxed()),
        1 => Just(String::new()),
        1 => prop::collection::vec(any_json(), 0..3).prop_map(|items| format!("[{}]", items.join(","))),
    ];
    let line =
        (any_space(), line, one_of(&["\n", "\r\n", " \n"])).prop_map(|(a, line, end)| a.to_owned() + &line + end);
    (prop::collection::vec(line, 1..4), any::<bool>(), any::<bool>()).prop_map(|(lines, mark, newline)| {
        let text = if mark { "\u{feff}" } else { "" }.to_owned() + &lines.concat();
        if newline { text } else { text.trim_end_matches('\n').to_owned() }
    })
}

const FIELDS: &[&str] = &["/t", "/o/t", "/a/1", "/0"];

fn with_results(mut value: Value) -> Value {
    for field in FIELDS {
        if let Some(Value::String(text)) = value.pointer_mut(field) {
            let kept = text.trim();
            let crlf = kept.contains("\r\n") && !kept.replace("\r\n", "").contains('\n');
            let result = kept.to_uppercase();
            assert!(!crlf || result.contains("\r\n"));
            *text = text.replacen(kept, &result, usize::from(!kept.is_empty()));
        }
    }
    value
}

proptest! {
    #[test]
    fn generated_lines_keep_every_byte_that_is_not_translated(text in any_lines(), step in 1usize..40) {
        let options = options(FIELDS, &[]);
        let all = records(&options, &text, step).unwrap();
        let joined: Vec<u8> = all.iter().flat_map(|record| record.bytes.clone()).collect();
        prop_assert_eq!(&joined, text.as_bytes());
        for (record, text) in all.iter().flat_map(|record| (0..record.slots.len()).map(move |i| (record, record.text(i).unwrap()))) {
            prop_assert!(!text.is_empty() && text.trim() == text, "{:?} in {:?}", text, record);
        }
        prop_assert_eq!(written(&options, all, |_, text| text.to_owned()), text.as_str());
        let all = records(&options, &text, 1000).unwrap();
        let faults: Vec<bool> = all.iter().map(|record| record.fault.is_some()).collect();
        let upper = written(&options, all, upper);
        for ((line, result), is_fault) in text.split_inclusive('\n').zip(upper.split_inclusive('\n')).zip(faults) {
            let json = line.trim_start_matches('\u{feff}');
            if is_fault || json.trim().is_empty() {
                prop_assert_eq!(line, result);
                continue;
            }
            let value: Value = serde_json::from_str(json).unwrap();
            let got: Value = serde_json::from_str(result.trim_start_matches('\u{feff}')).unwrap();
            prop_assert_eq!(got, with_results(value), "{} became {}", line, result);
        }
    }

    #[test]
    fn added_members_leave_the_others_as_they_are(line in any_object(any_json().boxed())) {
        let options = options(&["/t", "/o/t"], &["x-1", "y"]);
        let all = records(&options, &line, 1000).unwrap();
        if all.first().is_some_and(|record| record.fault.is_some()) {
            prop_assert_eq!(written(&options, all, upper), line);
            return Ok(());
        }
        let result = written(&options, all, |target, text| format!("{target}é{text}"));
        let mut got: Value = serde_json::from_str(&result).unwrap();
        let expected: Value = serde_json::from_str(&line).unwrap();
        for (parent, source) in [("", "/t"), ("/o", "/o/t")] {
            let source = expected.pointer(source).and_then(Value::as_str).map(str::to_owned);
            for language in ["x-1", "y"] {
                let object = got.pointer_mut(parent).and_then(Value::as_object_mut);
                let added = object.and_then(|object| object.remove(&format!("t_{language}")));
                let want = source.as_ref().map(|text| {
                    let kept = text.trim();
                    Value::from(text.replacen(kept, &format!("{language}é{kept}"), usize::from(!kept.is_empty())))
                });
                prop_assert_eq!(added, want, "{} became {}", line, result);
            }
        }
        prop_assert_eq!(got, expected, "{} became {}", line, result);
    }
}
