//! Reads and writes tables with any read size, and compares the cells with the `csv` crate.

#![allow(clippy::unwrap_used, clippy::string_slice, clippy::unnecessary_wraps)] // tests; all results have one type

use std::sync::Arc;

use proptest::prelude::*;
use tulk_base::error::Failure;
use tulk_base::limits;

use super::*;
use crate::test_records::read_all;
use crate::{EntryResult, InputFormat, Record, ResultRow};

/// The result of the service for a text; `None` if the target failed.
type Results<'a> = &'a dyn Fn(&str) -> Option<String>;

fn options(columns: &[&str]) -> TableOptions {
    let columns = columns.iter().map(ToString::to_string).collect();
    TableOptions { columns, delimiter: b',', has_header: true, appended: Vec::new() }
}

fn records(bytes: &str, options: &TableOptions, step: usize) -> Result<Vec<Record>, Failure> {
    read_all(&mut TableReader::new(options), bytes.as_bytes(), step)
}

fn written(records: Vec<Record>, options: &TableOptions, results: &[Results]) -> String {
    let targets: Vec<String> = ["de", "pt-BR"].iter().take(results.len()).map(ToString::to_string).collect();
    let mut writer = InputFormat::new(options.clone()).writer(&targets);
    let mut out = Vec::new();
    for record in records {
        let all = |result: Results| {
            let texts = (0..record.slots.len()).map(|slot| result(record.text(slot).unwrap()));
            let results = texts.map(|text| Some(Arc::new(EntryResult { text: Some(text?), ..EntryResult::default() })));
            results.collect()
        };
        let results = results.iter().map(|result| all(*result)).collect();
        writer.write(&ResultRow { record: Arc::new(record), results }, &mut out).unwrap();
    }
    writer.finish(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn upper(text: &str) -> Option<String> {
    Some(text.to_uppercase())
}

fn translated(bytes: &str, options: &TableOptions) -> String {
    written(records(bytes, options, 7).unwrap(), options, &[&upper])
}

fn fault(bytes: &str, options: &TableOptions) -> String {
    let failure = match records(bytes, options, 5) {
        Ok(records) => *records.into_iter().find_map(|record| record.fault).unwrap(),
        Err(failure) => failure,
    };
    failure.to_string()
}

#[test]
fn only_the_selected_cells_change() {
    for (input, output) in [
        ("id,text\n1,one\n2,two\n", "id,text\n1,ONE\n2,TWO\n"),
        ("id,text\r\n1,one\r\n\"2\", \"two\"", "id,text\r\n1,ONE\r\n\"2\", \"TWO\""),
        ("id,text\r1,\"one\"\r2,\" two \"\r", "id,text\r1,\"ONE\"\r2,\" TWO \"\r"),
        ("\u{feff}id,text\n1,\"a \"\"b\"\"\"\n", "\u{feff}id,text\n1,\"A \"\"B\"\"\"\n"),
        ("\u{feff}\n\r\nid,text\n\n1,a\n\n\n", "\u{feff}\n\r\nid,text\n\n1,A\n\n\n"),
        ("text,id\n\"a\nb\r\nc\",\"x\ny\"\n", "text,id\n\"A\nB\r\nC\",\"x\ny\"\n"),
        ("id,text,\n1,a\"b\",\n2,\"a\"b,\n", "id,text,\n1,A\"B\",\n2,\"AB\",\n"),
        ("sep=,\r\nid,text\r\n1,a\r\n", "sep=,\r\nid,text\r\n1,A\r\n"),
        ("text\n\"\"\n  \na\n", "text\n\"\"\n  \nA\n"),
        ("s,text\nsep,sep=\n", "s,text\nsep,SEP=\n"),
        ("text\n", "text\n"),
        ("text", "text"),
        ("\u{feff}", "\u{feff}"),
        ("", ""),
    ] {
        assert_eq!(translated(input, &options(&["text"])), output, "{input:?}");
    }
    let tabs = TableOptions { delimiter: b'\t', ..options(&["2"]) };
    assert_eq!(translated("a\tb\nx,y\t x,y\n\"z\t\"\t\"\tz\"\n", &tabs), "a\tb\nx,y\t X,Y\n\"z\t\"\t\"\tZ\"\n");
    let numbers = TableOptions { has_header: false, ..options(&["1", "3"]) };
    assert_eq!(translated("a,b,c\nd,e,f\n", &numbers), "A,b,C\nD,e,F\n");
}

#[test]
fn results_are_quoted_where_necessary() {
    let changed = |input: &str, result: &str, columns: &[&str]| {
        let options = options(columns);
        written(records(input, &options, 100).unwrap(), &options, &[&|_: &str| Some(result.to_owned())])
    };
    assert_eq!(changed("id,t\n1,a \n", "b, c", &["t"]), "id,t\n1,\"b, c \"\n");
    assert_eq!(changed("id,t\r\n1,\"a\r\nb\"\r\n", "c\nd\ne", &["t"]), "id,t\r\n1,\"c\r\nd\r\ne\"\r\n");
    assert_eq!(changed("t\na\n", "", &["t"]), "t\n\"\"\n", "an empty line would be no record");
    assert_eq!(changed("id,t\n1,a\n", "", &["t"]), "id,t\n1,\n");
    assert_eq!(changed("t,id\n\"a\",1\n", "", &["t"]), "t,id\n\"\",1\n");
}

#[test]
fn texts_are_sent_without_quotes_and_outer_whitespace() {
    let bytes = "\u{feff}id,text,note\n1,\" a \"\"b\"\" \",x\n2,\"c\r\nd\",\n3, , \"y\"\n";
    let records = records(bytes, &options(&["text", "note"]), 3).unwrap();
    let texts: Vec<Vec<&str>> =
        records.iter().map(|r| (0..r.slots.len()).map(|slot| r.text(slot).unwrap()).collect()).collect();
    assert_eq!(texts, [vec![], vec!["a \"b\"", "x"], vec!["c\nd"], vec!["\"y\""]]);
    assert!(records[0].is_header);
    assert_eq!(records.iter().map(|r| r.entry).collect::<Vec<_>>(), [1, 1, 3, 5]);
}

#[test]
fn blank_cells_are_entries_that_are_not_sent() {
    let records = records("a,b,c\n ,x,\n,,\"\"\n", &options(&["a,b,c"]), 100).unwrap();
    let blank = |before_slot, name, start, end| crate::BlankEntry { before_slot, name, start, end };
    assert_eq!(records[1].blanks, [blank(0, 0, 0, 1), blank(1, 2, 4, 4)]);
    assert_eq!(records[2].blanks, [blank(0, 0, 0, 0), blank(0, 1, 1, 1), blank(0, 2, 3, 3)]);
    assert_eq!(records[1].slots[0].name, 1);
    assert_eq!((records[1].entry, records[2].entry), (1, 4));
    assert_eq!(records[1].labels.as_ref().unwrap().names, ["a", "b", "c"]);
    assert_eq!(records[1].labels.as_ref().unwrap().key, Some("column"));
}

#[test]
fn a_slot_starts_at_its_text() {
    let records = records("a,b\n1,\" \n é\"\n\"x\ny\", z\n", &options(&["b"]), 100).unwrap();
    let origin = |record: &Record| record.slot_origin(0).to_string();
    assert_eq!([origin(&records[1]), origin(&records[2])], ["stdin:3:2", "stdin:5:5"]);
}

#[test]
fn faults_have_a_position() {
    let text = options(&["text"]);
    assert_eq!(fault("id,text\n\n1,a,b\n", &text), "stdin:3:1: the record has 3 cells; the header has 2");
    assert_eq!(fault("text,id\na\n", &text), "stdin:2:1: the record has 1 cell; the header has 2");
    let numbers = TableOptions { has_header: false, ..options(&["1"]) };
    assert_eq!(fault("a,b\n\"x\ny\",2\nc,\n ", &numbers), "stdin:5:1: the record has 1 cell; the first record has 2");
    let open = "stdin:3:3: the quote that begins here is not closed before the end of the input";
    assert_eq!(fault("id,text\n1,a\né,\"b\"\"\nc,d\n", &text), open);
    assert_eq!(fault("\nid;text\n", &text), "stdin:2:1: there is no column `text`");
    assert_eq!(
        fault("\u{feff}sep=;\nid;text\n", &text),
        "stdin:1:5: the first line says that cells are separated by `;`, not by `,`"
    );
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn refuses_an_unclosed_quote_at_the_size_limit() {
    let bytes = format!("id,text\n1,\"{}", "x".repeat(limits::TABLE_RECORD_BYTES));
    let failure = records(&bytes, &options(&["text"]), 1 << 20).unwrap_err();
    let expected =
        "stdin:2:3: the quote that begins here is not closed before the limit of 67,108,864 bytes for a record";
    assert_eq!(failure.to_string(), expected);
    let bytes = format!("id,text\n\"\",{}", "x".repeat(limits::TABLE_RECORD_BYTES));
    let failure = records(&bytes, &options(&["text"]), 1 << 20).unwrap_err();
    assert_eq!(failure.to_string(), "stdin:2:1: the record is larger than the limit of 67,108,864 bytes");
}

#[test]
fn invalid_bytes_are_reported_with_their_position() {
    let mut reader = TableReader::new(&options(&["a"]));
    let failure = read_all(&mut reader, b"a,b\r\nx,\xff\n", 1).unwrap_err();
    assert_eq!(failure.to_string(), "stdin:2:3: invalid UTF-8 at byte 7");
}

#[test]
fn results_are_added_by_column_and_target() {
    let added = TableOptions { appended: vec!["de".into(), "pt-BR".into()], ..options(&["title", "body"]) };
    let input = "\u{feff}title,id,\"body\"\r\n one,1,\"two\"\r\n\r\n\"\",2, \r\n\"a\r\nb\",3,c,d\r\nx,4,y";
    let both: [Results; 2] = [&upper, &|text| Some(format!("{text};"))];
    let output = written(records(input, &added, 4).unwrap(), &added, &both);
    let expected = "\u{feff}title,id,\"body\",title_de,title_pt-BR,\"body_de\",\"body_pt-BR\"\r\n\
         one,1,\"two\", ONE, one;,\"TWO\",\"two;\"\r\n\r\n\"\",2, ,\"\",\"\", , \r\n\
         \"a\r\nb\",3,c,d\r\nx,4,y,X,x;,Y,y;";
    assert_eq!(output, expected.replacen("one,1", " one,1", 1));
    let one_failed: [Results; 2] = [&|_| None, &upper];
    let output = written(records("title,body\na,\n", &added, 4).unwrap(), &added, &one_failed);
    assert_eq!(output, "title,body,title_de,title_pt-BR,body_de,body_pt-BR\na,,,A,,\n");
    let numbers = TableOptions { has_header: false, appended: vec!["de".into()], ..options(&["1"]) };
    assert_eq!(translated("a\nb\n", &numbers), "a,A\nb,B\n");
}

fn any_cell() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        4 => "[a-c é]{0,5}",
        2 => "[a,;\t\"\r\n ]{0,4}",
        1 => "\\PC{0,4}",
        1 => Just("\u{feff}".to_owned()),
        1 => Just("sep=;".to_owned()),
        1 => "(a\r\n){1,3}b",
    ];
    (text, 0..4, prop::sample::select(vec!["", " ", "x", "\""])).prop_map(|(text, quoting, after)| match quoting {
        0 => text.replace(['"', ',', ';', '\t', '\r', '\n'], ""),
        1 => format!("\"{}\"{}", text.replace('"', "\"\""), after.replace('"', "")),
        2 => format!("\"{}\"", text.replace('"', "\"\"")),
        _ => format!(" {}{after}", text.replace([',', ';', '\t', '\r', '\n'], "\"")),
    })
}

fn any_table() -> impl Strategy<Value = (String, usize, u8)> {
    let end = prop::sample::select(vec!["\n", "\n", "\r\n", "\r\n", "\r", "\n\n", "\r\r\n", ""]);
    let rows = (1usize..5).prop_flat_map(move |width| {
        prop::collection::vec((prop::collection::vec(any_cell(), width), end.clone()), 1..8)
    });
    (rows, prop::sample::select(vec![b',', b';', b'\t']), prop::sample::select(vec!["", "\u{feff}", "\r\n"])).prop_map(
        |(rows, delimiter, start)| {
            let width = rows[0].0.len();
            let (mut table, last) = (start.to_owned(), rows.len() - 1);
            for (row, (cells, end)) in rows.into_iter().enumerate() {
                table += &cells.join(&char::from(delimiter).to_string());
                table += if end.is_empty() && row < last { "\n" } else { end };
            }
            (table, width, delimiter)
        },
    )
}

fn oracle(table: &str, delimiter: u8) -> Vec<Vec<String>> {
    // Like our reader, the crate skips a byte-order mark only at the start.
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(table.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

proptest! {
    #[test]
    fn only_selected_cells_change_in_any_table(
        (table, width, delimiter) in any_table(),
        column in 0usize..4,
        step in 1usize..30,
        has_header: bool,
    ) {
        let column = column % width;
        let number = (column + 1).to_string();
        let options = TableOptions { delimiter, has_header: false, ..options(&[&number]) };
        let options = TableOptions { has_header: has_header && can_be_header(&options, &table), ..options };
        // A line that names the delimiter is not a record.
        prop_assume!(!table.trim_start_matches('\u{feff}').starts_with("sep="));
        let read = records(&table, &options, step).unwrap();
        let joined: Vec<u8> = read.iter().flat_map(|record| record.bytes.clone()).collect();
        prop_assert_eq!(std::str::from_utf8(&joined).unwrap(), &table);
        prop_assert!(read.iter().all(|record| record.fault.is_none()), "{:?}", table);
        let lines = |records: &[Record]| -> Vec<Vec<u8>> { records.iter().map(|r| r.bytes.clone()).collect() };
        prop_assert_eq!(lines(&read), lines(&records(&table, &options, usize::MAX).unwrap()), "at any read size");
        let echo: Results = &|text| Some(text.to_owned());
        prop_assert_eq!(written(read, &options, &[echo]), &table[..]);

        let read = records(&table, &options, step).unwrap();
        let header = usize::from(options.has_header);
        let changed = written(read, &options, &[&|text| Some(format!("{}\"{}", text.to_uppercase(), char::from(delimiter)))]);
        let (before, after) = (oracle(&table, delimiter), oracle(&changed, delimiter));
        prop_assert_eq!(before.len(), after.len(), "{:?}", changed);
        for (row, (before, after)) in before.iter().zip(&after).enumerate() {
            prop_assert_eq!(before.len(), after.len());
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                if row < header || at != column || before.trim().is_empty() {
                    prop_assert_eq!(before, after);
                    continue;
                }
                let text = before.trim();
                let upper = format!("{}\"{}", text.to_uppercase(), char::from(delimiter));
                let (start, end) = before.split_once(text).unwrap();
                prop_assert_eq!(&format!("{start}{upper}{end}"), after);
            }
        }
    }

    #[test]
    fn append_writes_the_same_cell_as_replacing(
        (table, width, delimiter) in any_table(),
        column in 0usize..4,
    ) {
        let number = (column % width + 1).to_string();
        let replaced = TableOptions { delimiter, has_header: false, ..options(&[&number]) };
        let added = TableOptions { appended: vec!["de".to_owned()], ..replaced.clone() };
        prop_assume!(!table.trim_start_matches('\u{feff}').starts_with("sep="));
        let read = records(&table, &replaced, 1000).unwrap();
        let replaced = written(read, &replaced, &[&upper]);
        let added = written(records(&table, &added, 1000).unwrap(), &added, &[&upper]);
        let (replaced, added, before) = (oracle(&replaced, delimiter), oracle(&added, delimiter), oracle(&table, delimiter));
        prop_assert_eq!(before.len(), added.len());
        for ((before, replaced), added) in before.iter().zip(&replaced).zip(&added) {
            let (new, old) = added.split_last().unwrap();
            prop_assert_eq!(old, &before[..]);
            prop_assert_eq!(new, &replaced[column % width]);
        }
    }
}

/// Returns whether the first record can be a header: the number of a column must not be the name of another.
fn can_be_header(options: &TableOptions, table: &str) -> bool {
    let header = oracle(table.trim_start_matches('\u{feff}'), options.delimiter).into_iter().next().unwrap_or_default();
    !header.iter().any(|name| options.columns.contains(&name.trim().to_owned()))
}
