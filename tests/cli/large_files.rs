//! Large and wide files in the modes of `tulk translate`: only texts change, and every entry has its position.

use serde_json::Value;

use crate::common::Bench;

const CUES: usize = 2_000;

fn wide_table(translate: impl Fn(usize, String) -> String) -> String {
    let header: Vec<String> = (1..=50).map(|column| format!("c{column}")).collect();
    let record = |row: usize| {
        let cell = |column: usize| match (row + column) % 5 {
            0 => String::new(),
            1 => format!("\"{}\"", translate(column, format!("a line {row}\r\n\r\nand, \"\"line\"\" {column}"))),
            2 => format!("\"{}\"", translate(column, format!("one\nline {row}"))),
            _ => translate(column, format!("cell {row} of {column}")),
        };
        (1..=50).map(cell).collect::<Vec<_>>().join(",")
    };
    let records: Vec<String> = (1..=300).map(record).collect();
    format!("{}\r\n{}\r\n", header.join(","), records.join("\r\n"))
}

#[test]
fn translates_a_table_of_50_columns_with_line_breaks_in_cells() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("wide.csv", wide_table(|_, text| text));
    let translate = ["translate", "--to", "de", "--csv", "--column", "c7", "--column", "50", "-i", "wide.csv"];
    let is_chosen = |column| column == 7 || column == 50;
    let upper = |column, text: String| if is_chosen(column) { text.to_uppercase() } else { text };
    bench.run(translate).code(0).prints(wide_table(upper));
    let listed = bench.run(translate.iter().chain(&["--json"])).code(0).json();
    let listed = listed["translations"].as_array().unwrap();
    assert_eq!(listed.len(), 600);
    assert_eq!((&listed[599]["column"], &listed[598]["column"]), (&Value::from("c50"), &Value::from("c7")));
    let echo = Bench::with(&["--engine", "echo"]);
    echo.write("wide.csv", wide_table(|_, text| text));
    echo.run(translate).code(0).prints(wide_table(|_, text| text));
}

/// Returns a film of 2,000 cues with markup and two lines each.
fn film(translate: impl Fn(&str) -> String) -> String {
    let cue = |n: usize| {
        let (minute, second) = (n / 60, n % 60);
        let [first, second_line] = [format!("the first line of {n}"), format!("and tom & ann in line {n}")];
        let (first, last) = (translate(&first), translate(&second_line));
        format!("{n}\n00:{minute:02}:{second:02},000 --> 00:{minute:02}:{second:02},900\n<i>{first}</i>\n{last}\n\n")
    };
    (1..=CUES).map(cue).collect()
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn translates_a_film_of_2000_cues() {
    for (engine, expected) in [("echo", film(str::to_owned)), ("upper", film(str::to_uppercase))] {
        let bench = Bench::with(&["--engine", engine]);
        bench.write("film.srt", film(str::to_owned));
        let translate = ["translate", "--to", "de", "--as", "srt", "-i", "film.srt"];
        bench.run(translate.iter().chain(&["-o", "film.de.srt", "--stats"])).code(0).says("texts 2000, requests ");
        assert!(bench.read("film.de.srt") == expected, "{engine}");
    }
}
