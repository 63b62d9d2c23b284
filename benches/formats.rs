//! Measures the formats of records and subtitles against `--lines` on the same bytes: processor time, speed and memory.
//!
//! `cargo bench --bench formats`. The service is the sandbox in the same process, with engine echo and without latency, so that
//! most of the time is that of the entries. Compare the ratios of one run; absolute figures vary with the machine. Linux only.

#![allow(missing_docs, clippy::cast_precision_loss, clippy::expect_used)] // a program whose figures are only printed

mod measure;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use measure::{children_ticks, peak, with_args};

/// Size of the inputs.
const BYTES: u64 = 100_000_000;
/// Columns of the table.
const COLUMNS: u64 = 50;

/// A kind of input, and the flags that read it.
struct Shape {
    name: &'static str,
    flags: &'static [&'static str],
    /// Returns the record with this number.
    record: fn(u64) -> String,
    /// What precedes the records.
    header: fn() -> String,
}

const SHAPES: [Shape; 3] = [
    Shape { name: "CSV, 1 of 50 columns", flags: &["--csv", "--column", "c7"], record: row, header: column_names },
    Shape {
        name: "JSON lines, 1 field of 1 KB",
        flags: &["--jsonl", "--field", "/title"],
        record: object,
        header: String::new,
    },
    Shape { name: "srt", flags: &["--as", "srt", "--context-lines", "0"], record: cue, header: String::new },
];

/// What a run took.
struct Cost {
    cpu: f64,
    wall: f64,
    mib: f64,
}

fn main() {
    let tulk = env!("CARGO_BIN_EXE_tulk");
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut out = std::io::stdout().lock();
    for shape in &SHAPES {
        let input = home.path().join("input");
        let bytes = shape.write(&input, BYTES / 10);
        let small = run(tulk, home.path(), &input, shape.flags);
        let total = shape.write(&input, BYTES);
        let lines = run(tulk, home.path(), &input, &["--lines"]);
        let cost = run(tulk, home.path(), &input, shape.flags);
        let mega = total as f64 / 1e6;
        let _ = writeln!(
            out,
            "{}: {:.2} times the processor time of --lines (limit 2), {:.0} MB/s ({:.0} MB/s with --lines), \
             {:.0} MB per second of processor time, {:.1} MiB ({:.1} with --lines), {:.2} times the memory of {:.0} MB (limit 1.10)",
            shape.name,
            cost.cpu / lines.cpu,
            mega / cost.wall,
            mega / lines.wall,
            mega / cost.cpu,
            cost.mib,
            lines.mib,
            cost.mib / small.mib,
            bytes as f64 / 1e6,
        );
    }
}

impl Shape {
    /// Writes records until the file has at least this size. Returns its size.
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

/// Translates a file to /dev/null.
fn run(tulk: &str, home: &Path, input: &Path, flags: &[&str]) -> Cost {
    let command = || -> Command {
        let mut command = with_args(tulk, &["translate", "--to", "de", "-o", "/dev/null", "-i"]);
        command.arg(input).args(flags).env_clear().env("HOME", home);
        command.env("TULK_SANDBOX", "1").env("TULK_SANDBOX_ENGINE", "echo");
        command
    };
    let before = children_ticks();
    let start = Instant::now();
    let mib = peak(command());
    let wall = start.elapsed().as_secs_f64();
    Cost { cpu: (children_ticks() - before).max(1) as f64 / 100.0, wall, mib }
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
