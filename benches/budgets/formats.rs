//! File formats against `--lines` on the same bytes: CPU time, speed and memory. Most of the time is spent on the bytes that are sent:
//! every byte with `--lines`, but only the texts with a file format.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::{run, run_alternately, run_for_peak_memory};
use super::setup::Setup;
use super::stub::Stub;
use super::table::Figure;

const COLUMNS: u64 = 50;

struct Shape {
    name: &'static str,
    flags: &'static [&'static str],
    /// The text before the records.
    header: fn() -> String,
    record: fn(u64) -> String,
    bytes: u64,
    /// Maximum growth of the memory, as a ratio, if the input is ten times as large.
    growth: Option<f64>,
}

const SHAPES: [Shape; 4] = [
    Shape {
        name: "CSV, 1 of 50 columns",
        flags: &["--csv", "--column", "c7"],
        header: column_names,
        record: row,
        bytes: 10_000_000,
        growth: Some(1.1),
    },
    Shape {
        name: "JSON lines, 1 KB each",
        flags: &["--jsonl", "--field", "/title"],
        header: String::new,
        record: object,
        bytes: 10_000_000,
        growth: Some(1.1),
    },
    Shape {
        name: "SRT",
        flags: &["--as", "srt", "--context-lines", "0"],
        header: String::new,
        record: cue,
        bytes: 10_000_000,
        growth: Some(1.1),
    },
    // A Markdown file is held in memory, so its size is limited.
    Shape {
        name: "Markdown",
        flags: &["--as", "markdown"],
        header: String::new,
        record: section,
        bytes: 1_500_000,
        growth: None,
    },
];

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let stub = Stub::start();
    SHAPES.iter().flat_map(|shape| shape.measure(setup, &stub)).collect()
}

impl Shape {
    fn measure(&self, setup: &Setup, stub: &Stub) -> Vec<Figure> {
        let input = setup.dir().join("input");
        let bytes = self.write(&input, self.bytes);
        let command = |flags: &[&str]| translate(setup, stub, &input, flags);
        let pairs = run_alternately(setup.rounds, || run(command(self.flags)), || run(command(&["--lines"])));
        let small = run_for_peak_memory(command(self.flags));
        let what = |text: &str| format!("{}: {text}", self.name);
        let mega = bytes as f64 / 1e6;
        let mut figures = vec![
            Figure::ratio(what("processor time against --lines"), pairs.ratio(|c| c.cpu)).at_most(2.0),
            Figure::amount(what("speed"), mega / pairs.first(|c| c.wall), "MB/s"),
            Figure::amount(what("bytes per second of processor time"), mega / pairs.first(|c| c.cpu), "MB/s"),
            Figure::amount(what(&format!("peak memory for {mega:.0} MB")), small, "MiB"),
        ];
        self.write(&input, self.bytes * 10);
        let ratio = run_for_peak_memory(command(self.flags)) / small;
        let growth = Figure::ratio(what("peak memory with 10 times the input"), ratio);
        figures.push(self.growth.map_or(growth.clone(), |most| growth.at_most(most)));
        figures
    }

    /// Writes records until the file has at least `bytes` bytes. Returns its size.
    fn write(&self, path: &Path, bytes: u64) -> u64 {
        let mut file = BufWriter::new(File::create(path).expect("a file"));
        let mut write = |text: String| {
            file.write_all(text.as_bytes()).expect("a record");
            text.len() as u64
        };
        let mut written = write((self.header)());
        for number in 1.. {
            if written >= bytes {
                break;
            }
            written += write((self.record)(number));
        }
        file.flush().expect("a file");
        written
    }
}

fn translate(setup: &Setup, stub: &Stub, input: &PathBuf, flags: &[&str]) -> Command {
    let mut command = setup.tulk(&stub.url(), &["translate", "--to", "de", "-o", "/dev/null", "-i"]);
    command.arg(input).args(flags);
    command
}

fn column_names() -> String {
    (0..COLUMNS).map(|column| format!("c{column}")).collect::<Vec<_>>().join(",") + "\n"
}

fn row(number: u64) -> String {
    let cell = |column: u64| match column {
        7 => format!("\"Row {number}, a short text\""),
        _ => format!("{}", number * 1000 + column),
    };
    (0..COLUMNS).map(cell).collect::<Vec<_>>().join(",") + "\n"
}

fn object(number: u64) -> String {
    let filler = "Words that are not translated, and numbers: 1234567890. ".repeat(15);
    format!(
        "{{\"id\": {number}, \"title\": \"Title number {number} of the list\", \"price\": 1.10, \"tags\": [\"a\", \"b\"], \
         \"body\": \"{filler}\", \"ok\": true}}\n"
    )
}

fn cue(number: u64) -> String {
    let (minutes, seconds) = (number / 60 % 60, number % 60);
    let hours = number / 3600 % 100;
    format!(
        "{number}\n{hours:02}:{minutes:02}:{seconds:02},000 --> {hours:02}:{minutes:02}:{seconds:02},900\n\
         This is what somebody says in cue {number},\nand it has a second line.\n\n"
    )
}

fn section(number: u64) -> String {
    format!(
        "## Section {number}\n\nA paragraph with *emphasis*, `code {number}` and a [link](https://example.com/{number}).\n\
         It goes on in a second line.\n\n- one of {number}\n- **two** of {number}\n\n```sh\nls -l {number}\n```\n\n"
    )
}
