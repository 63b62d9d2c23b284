//! `tulk translate --csv` and `--tsv`: which cells change, which bytes are kept, and what is refused.

use serde_json::json;

use crate::common::Bench;

const PRODUCTS: &str = "id,title,\"note\",price\r\n\
                        1,chair,\"wood, \"\"oak\"\"\",10\r\n\
                        2, table ,\"line one\r\nline two\",\"20,5\"\r\n\
                        \r\n\
                        3,,\"\",30\r\n";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

fn texts(bench: &Bench) -> Vec<Vec<String>> {
    let list = |r: &serde_json::Value| serde_json::from_value(r["body"]["text"].clone()).unwrap();
    bench.requests().iter().filter(|r| r["path"] == "/v2/translate").map(list).collect()
}

#[test]
fn changes_only_the_named_columns() {
    let bench = upper();
    let csv = ["translate", "--to", "de", "--csv", "--column"];
    bench.pipe(PRODUCTS, csv.iter().chain(&["title"])).code(0).says_nothing().prints(
        "id,title,\"note\",price\r\n\
         1,CHAIR,\"wood, \"\"oak\"\"\",10\r\n\
         2, TABLE ,\"line one\r\nline two\",\"20,5\"\r\n\
         \r\n\
         3,,\"\",30\r\n",
    );
    let both = "id,title,\"note\",price\r\n\
                1,CHAIR,\"WOOD, \"\"OAK\"\"\",10\r\n\
                2, TABLE ,\"LINE ONE\r\nLINE TWO\",\"20,5\"\r\n\
                \r\n\
                3,,\"\",30\r\n";
    for columns in [&["title", "--column", "note"][..], &["note,title"], &["3,title"], &["2", "--column", "3"]] {
        bench.pipe(PRODUCTS, csv.iter().chain(columns)).code(0).prints(both);
    }
    assert_eq!(texts(&bench)[1], ["chair", "wood, \"oak\"", "table", "line one\nline two"]);
    bench.pipe("t\n\"a\r\r\nb\"\n", csv.iter().chain(&["t"])).code(0).prints("t\n\"A\r\r\nB\"\n");
}

#[test]
fn supports_tabs_and_other_delimiters() {
    let bench = upper();
    let to = ["translate", "--to", "de"];
    let tsv = "id\ttext\n1\tone, two\n2\t\"a\tb\"\n";
    bench
        .pipe(tsv, to.iter().chain(&["--tsv", "--column", "text"]))
        .code(0)
        .prints("id\ttext\n1\tONE, TWO\n2\t\"A\tB\"\n");
    let semicolons = "sep=;\r\nid;text\r\n1;one, two\r\n2;\"a;b\"\r\n";
    bench
        .pipe(semicolons, to.iter().chain(&["--csv", "--delimiter", ";", "--column", "text"]))
        .code(0)
        .prints("sep=;\r\nid;text\r\n1;ONE, TWO\r\n2;\"A;B\"\r\n");
    bench
        .pipe("a,b\nc,d\n", to.iter().chain(&["--csv", "--no-header-row", "--column", "2"]))
        .code(0)
        .prints("a,B\nc,D\n");
}

#[test]
fn sends_nothing_without_texts() {
    let bench = upper();
    for input in ["", "\n", "id,text", "\u{feff}id,text\r\n", "id,text\n1,\n2, \n\n"] {
        bench
            .pipe(input, ["translate", "--to", "de", "--csv", "--column", "text"])
            .code(0)
            .says_nothing()
            .prints(input);
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn refuses_missing_columns_before_sending() {
    let bench = upper();
    bench.write("a.csv", PRODUCTS);
    bench.write("b.csv", "id;title\n1;one\n");
    bench.write("c.csv", "a,b,a\n1,2,3\n");
    let refused = |file: &str, column: &str| {
        bench.run(["translate", "--to", "de", "--csv", "-i", "a.csv", "-i", file, "--column", column]).code(2)
    };
    refused("a.csv", "titel")
        .says("error: a.csv:1:1: there is no column `titel`")
        .says("hint: did you mean `title`? columns: `id`, `title`, `note`, `price`");
    refused("a.csv", "9").says("a.csv:1:1: there is no column 9; the table has 4 columns");
    refused("a.csv", "title,").says("--column is empty");
    refused("b.csv", "title").says("b.csv:1:1: there is no column `title`").says("use --csv --delimiter ';'");
    let c = ["translate", "--to", "de", "--csv", "-i", "c.csv", "--column"];
    bench
        .run(c.iter().chain(&["a"]))
        .code(2)
        .says("c.csv:1:1: 2 columns are named `a`")
        .says("--column 1 or --column 3");
    bench.run(c.iter().chain(&["a", "--no-header-row"])).code(2).says("without a header, columns have no names");
    assert!(bench.requests().is_empty());
    bench.run(c.iter().chain(&["3"])).code(0).prints("a,b,a\n1,2,3\n");
}

#[test]
fn table_flags_need_a_table() {
    let bench = Bench::bare();
    let refused = |flags: &[&str]| bench.pipe("a\n", ["translate", "--to", "de"].iter().chain(flags)).code(2);
    refused(&["--column", "a"]).says("--column needs --csv or --tsv");
    refused(&["--no-header-row"]).says("--no-header-row needs --csv or --tsv");
    refused(&["--append"]).says("--append needs --csv, --tsv or --jsonl");
    refused(&["--csv"]).says("--column");
    refused(&["--csv", "--column", "a", "--field", "/a"]).says("--field needs --jsonl");
    refused(&["--csv", "--column", "1", "--front-matter", "a"]).says("--front-matter needs --as markdown");
    refused(&["--csv", "--tsv", "--column", "a"]).says("--tsv");
    refused(&["--tsv", "--delimiter", ";", "--column", "a"]).says("--delimiter needs --csv");
    refused(&["--csv", "--delimiter", "||", "--column", "a"]).says("expected one ASCII character");
    refused(&["--csv", "--delimiter", "\t", "--column", "a"]).says("for tabs use --tsv instead of --csv");
    refused(&["--csv", "--lines", "--column", "a"]).says("--lines");
}

#[test]
fn refuses_malformed_records_with_their_line() {
    let bench = upper();
    bench.write("ragged.csv", "id,text\n1,\"a\nb\"\n2,c,d\n3,e\n");
    bench.write("open.csv", "id,text\n1,a\n2,\"b\n3,c\n");
    let csv = ["translate", "--to", "de", "--csv", "--column", "text", "-i"];
    bench
        .run(csv.iter().chain(&["ragged.csv"]))
        .code(2)
        .prints("")
        .says("ragged.csv:4:1: the record has 3 cells; the header has 2");
    bench
        .run(csv.iter().chain(&["open.csv"]))
        .code(2)
        .prints("")
        .says("open.csv:3:3: the quote that begins here is not closed before the end of the input");
    assert!(bench.requests().is_empty());
}

#[test]
fn listed_results_have_line_and_column() {
    let bench = upper();
    let csv = ["translate", "--to", "de", "--from", "en", "--csv", "--column", "title,note"];
    let run = bench.pipe(PRODUCTS, csv.iter().chain(&["--json"])).code(0);
    let item = |line: u64, column: &str, text: &str| json!({"line": line, "column": column, "detected_source_language": "EN", "text": text});
    assert_eq!(
        run.json(),
        json!({"translations": [
            item(2, "title", "CHAIR"),
            item(2, "note", "WOOD, \"OAK\""),
            item(3, "title", "TABLE"),
            item(3, "note", "LINE ONE\nLINE TWO"),
            {"line": 6, "column": "title", "text": ""},
            {"line": 6, "column": "note", "text": ""},
        ]})
    );
    let run = bench.pipe("a,b\n", csv.iter().take(6).chain(&["--column", "2", "--no-header-row", "--json"])).code(0);
    assert_eq!(run.json()["translations"], json!([item(1, "2", "B")]));
}
