//! `tulk translate --csv` with several files and targets, new columns, bad records, interruptions and pipes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{Bench, Run, wait_until};

const CSV: [&str; 6] = ["translate", "--to", "de", "--csv", "--column", "text"];

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

fn table(rows: usize) -> String {
    let row = |i: usize| match i % 4 {
        0 => format!("{i},plain {i},x\n"),
        1 => format!("{i},\"quoted \"\"{i}\"\"\",\"a\nb\"\n"),
        2 => format!("{i},\"two\nlines {i}\",\n"),
        _ => format!("{i},,\"\"\n"),
    };
    std::iter::once("id,text,note\n".to_owned()).chain((0..rows).map(row)).collect()
}

fn capitals(rows: usize) -> String {
    ["plain", "quoted", "two", "lines"].iter().fold(table(rows), |text, word| text.replace(word, &word.to_uppercase()))
}

#[test]
fn adds_results_as_columns() {
    let bench = upper();
    bench.write("a.csv", "id,title,\"text\"\r\n1,one,\"a, b\"\r\n2,,\"\"\r\n3, two,c\r\n");
    let all = ["translate", "--to", "de,pt-br", "--csv", "--column", "text,title", "--append"];
    let both = "id,title,\"text\",title_de,title_pt-BR,\"text_de\",\"text_pt-BR\"\r\n\
                1,one,\"a, b\",ONE,ONE,\"A, B\",\"A, B\"\r\n\
                2,,\"\",,,\"\",\"\"\r\n\
                3, two,c, TWO, TWO,C,C\r\n";
    bench.run(all.iter().chain(&["-i", "a.csv"])).code(0).prints(both);
    bench.run(all.iter().chain(&["-i", "a.csv", "-o", "b.csv"])).code(0).says_nothing();
    assert_eq!(bench.read("b.csv"), both);
    bench
        .run(all.iter().chain(&["-i", "b.csv"]))
        .code(2)
        .says("b.csv:1:1: the table already has a column `title_de`")
        .says("omit --append");
    bench.run(all.iter().chain(&["-i", "a.csv", "--in-place"])).code(0);
    assert_eq!(bench.read("a.csv"), both);
    let numbers = ["translate", "--to", "de", "--csv", "--column", "1", "--append", "--no-header-row"];
    bench.pipe("a;b,1\n", numbers).code(0).prints("a;b,1,A;B\n");
}

#[test]
fn a_file_per_target_has_only_the_column_of_its_target() {
    let bench = upper();
    bench.write("a.csv", "text\nx\n");
    let args = ["translate", "--to", "de,fr", "--csv", "--column", "text", "-i", "a.csv", "-o", "{stem}.{lang}{ext}"];
    bench.run(args).code(0);
    assert_eq!([bench.read("a.de.csv"), bench.read("a.fr.csv")], ["text\nX\n", "text\nX\n"]);
    bench.run(args.iter().chain(&["--append", "--force"])).code(0);
    assert_eq!([bench.read("a.de.csv"), bench.read("a.fr.csv")], ["text,text_de\nx,X\n", "text,text_fr\nx,X\n"]);
}

#[test]
fn a_target_that_fails_leaves_its_column_empty() {
    let bench = upper();
    let args = ["translate", "--to", "xx,de", "--csv", "--column", "text", "--append"];
    bench
        .pipe("id,text\n1,a\n2,b\n", args)
        .code(9)
        .prints("id,text,text_xx,text_de\n1,a,,A\n2,b,,B\n")
        .says("Value for 'target_lang' not supported");
}

#[test]
fn each_file_has_its_own_header() {
    let bench = upper();
    bench.write("a.csv", "id,text\n1,a\n");
    bench.write("b.csv", "\u{feff}text;id\r\nb;1\r\n");
    bench.write("c.csv", "text,id,x\nc,1,\n");
    let run = |files: &[&str]| {
        bench.run(CSV.iter().chain(&["--from", "en"]).copied().chain(files.iter().flat_map(|file| ["-i", file])))
    };
    run(&["a.csv", "c.csv"]).code(0).prints("id,text\n1,A\ntext,id,x\nC,1,\n");
    run(&["a.csv", "b.csv"]).code(2).prints("").says("b.csv:1:1: there is no column `text`");
    let args = CSV.iter().chain(&["--from", "en", "--format", "jsonl", "-i", "a.csv", "-i", "c.csv"]);
    let rows: Vec<Value> =
        bench.run(args).code(0).out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |entry: u64, input: &str, text: &str| {
        json!({"entry": entry, "target_lang": "de", "input": input, "line": 2, "column": "text",
               "detected_source_language": "EN", "text": text})
    };
    assert_eq!(rows, [row(1, "a.csv", "A"), row(2, "c.csv", "C")]);
}

#[test]
fn bad_records_are_copied_with_keep_going() {
    let bench = upper();
    let input = "id,text\n1,a\n2,b,c\n3,\"d\n4\"\n5\n6,e\n";
    let run = bench.pipe(input, CSV.iter().chain(&["--keep-going"])).code(9);
    let run = run.prints("id,text\n1,A\n2,b,c\n3,\"D\n4\"\n5\n6,E\n");
    run.says("stdin:3:1: the record has 3 cells; the header has 2")
        .says("stdin:6:1: the record has 1 cell; the header");
    let run = bench.pipe(input, CSV.iter().chain(&["--keep-going", "--append"])).code(9);
    run.prints("id,text,text_de\n1,a,A\n2,b,c\n3,\"d\n4\",\"D\n4\"\n5\n6,e,E\n");
    // After an unclosed quote, the records in the rest of the file cannot be told apart.
    bench
        .pipe("id,text\n1,a\n2,\"b\n3,c\n", CSV.iter().chain(&["--keep-going"]))
        .code(2)
        .says("stdin:3:3: the quote that begins here is not closed before the end of the input");
}

#[test]
fn a_late_bad_record_stops_the_run_after_the_records_before_it() {
    let bench = upper();
    let input = format!("{}bad\n", table(4000));
    let run = bench.pipe(&input, CSV).code(9);
    let run = run.prints(capitals(4000));
    run.says("the record has 1 cell; the header has 3");
}

#[test]
fn prints_finished_records_while_the_input_idles() {
    let bench = upper();
    let mut child = bench.command().args(CSV).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for (input, output) in
        [("id,text\n1,one\r\n", "id,text\n1,ONE\r\n"), ("2,\"a\nb\"\n3,\"c", "2,\"A\nB\"\n"), ("\"\n", "3,\"C\"\n")]
    {
        stdin.write_all(input.as_bytes()).unwrap();
        let mut read = vec![0; output.len()];
        stdout.read_exact(&mut read).unwrap();
        assert_eq!(String::from_utf8(read).unwrap(), output);
    }
    drop(stdin);
    assert_eq!(stdout.lines().count(), 0);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let bench = Bench::new();
    bench.write("in.csv", table(100_000));
    let run = bench.bash("tulk translate --to de --csv --column text -i in.csv | head -n 1; echo ${PIPESTATUS[0]} >&2");
    assert_eq!((run.out(), run.stderr.trim()), ("id,text,note\n", "0"), "{run}");
    assert!(bench.requests().len() < 1000, "requests were sent after the pipe was closed");
}

#[test]
fn costs_are_counted_and_limited() {
    let bench = upper();
    let input = "id,text\n1,abc\n2,abc\n3,\" de \"\n";
    bench.pipe(input, CSV.iter().chain(&["--dry-run"])).code(0).says("would send: 3 texts, 5 characters, 1 request");
    bench.pipe(input, CSV.iter().chain(&["--max-characters", "4"])).code(6);
    assert!(bench.requests().is_empty());
    bench.pipe(input, CSV.iter().chain(&["--stats"])).code(0).says("texts 3, requests 1, characters 5, duplicates 1");
}

#[test]
fn general_options_work_with_tables() {
    let bench = upper();
    bench.pipe(b"id,text\n1,caf\xe9\n", CSV.iter().chain(&["--lossy"])).code(0).prints("id,text\n1,CAF\u{fffd}\n");
    bench.write("bytes.csv", b"id,text\n1,a\n2,caf\xe9\n");
    bench.run(CSV.iter().chain(&["-i", "bytes.csv"])).code(2).says("bytes.csv:3:6: invalid UTF-8 at byte 17");
    bench.pipe("id,text\n1,\x1b[1mb\x1b[0m\n", CSV.iter().chain(&["--strip-ansi"])).code(0).prints("id,text\n1,B\n");
    let long = format!("id,text\n1,a\n2,\"\n  {}\"\n", "é".repeat(140_000));
    bench.write("long.csv", long);
    bench.run(CSV.iter().chain(&["-i", "long.csv"])).code(2).says("long.csv:4:3: the text needs a request of");
    let other = format!("id,text\n\"{}\",a\n", "x,\n".repeat(400_000));
    bench.pipe(&other, CSV).code(0).prints(other.replace(",a\n", ",A\n"));
}

#[test]
fn keeps_protected_parts_of_cells() {
    let bench = upper();
    let input = "id,text\r\n1,\"pay %d, \"\"now\"\"\r\n& {name}\"\r\n2, a <b> ,\r\n3,{name} x\r\n";
    let args = CSV.iter().chain(&["--protect", "printf,braces", "--keep-going"]);
    let output = "id,text\r\n1,\"PAY %d, \"\"NOW\"\"\r\n& {name}\"\r\n2, a <b> ,\r\n3,{name} X\r\n";
    bench.pipe(input, args).code(9).prints(output).says("stdin:4:1: the record has 3 cells; the header has 2");
}

#[test]
fn append_has_no_effect_on_listed_results() {
    let bench = upper();
    let args = CSV.iter().chain(&["--append", "--format", "tsv"]);
    bench.pipe("text\na\n", args).code(0).prints("de\tA\n").says("--append has no effect on listed results");
}

/// Interrupts and resumes a translation until it is complete. Returns the runs.
fn run_until_complete(bench: &Bench, args: &[&str], signal: &str, part: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    loop {
        let mut command = bench.command();
        command.args(args).args(if runs.is_empty() { &[][..] } else { &["--resume"] });
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let size = || bench.path(part).metadata().map_or(0, |metadata| metadata.len());
        let before = size();
        wait_until("the part to grow", || size() > before + 3000 || child.try_wait().unwrap().is_some());
        let _ = std::process::Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).output();
        let run = Run::unlisted(child.wait_with_output().unwrap());
        let is_done = run.code == 0;
        runs.push(run);
        if is_done {
            return runs;
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_resumes_byte_for_byte() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "100ms"]);
    bench.write("in.csv", table(1600));
    for (signal, out, append) in [("KILL", "kill.csv", false), ("INT", "int.csv", false), ("KILL", "added.csv", true)] {
        let before = bench.requests().len();
        let args = ["-i", "in.csv", "-o", out, "--concurrency", "3"];
        let args: Vec<&str> = CSV.iter().copied().chain(args).chain(append.then_some("--append")).collect();
        let runs = run_until_complete(&bench, &args, signal, &format!("{out}.part"));
        assert!(runs.len() > 1, "the run was not interrupted");
        if append {
            let whole = bench.run(CSV.iter().copied().chain(["--append", "-i", "in.csv"])).code(0);
            assert_eq!(bench.read(out), whole.out());
        } else {
            assert_eq!(bench.read(out), capitals(1600));
        }
        assert!(bench.requests().len() > before);
    }
}
