//! Every input mode with every kind of output: the common behavior of lines, tables, JSON lines, subtitles and Markdown.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::scripted::{self, ScriptedServer};
use crate::common::{Bench, Run};

struct Mode {
    args: &'static [&'static str],
    input: &'static str,
    /// Number of entries including blank ones, and number of sent entries.
    entries: [usize; 2],
    /// Line, and column or field, of the last entry; line 0 if the mode has no positions.
    last: (u64, Option<(&'static str, &'static str)>),
}

const MODES: &[Mode] = &[
    Mode { args: &["--lines"], input: "one\r\n\n two\nthree", entries: [4, 3], last: (0, None) },
    Mode { args: &["--nul"], input: "one\n\0\0 two\0three", entries: [4, 3], last: (0, None) },
    Mode { args: &[], input: "\u{feff}one\n\ntwo\r\n", entries: [1, 1], last: (0, None) },
    Mode {
        args: &["--csv", "--column", "text"],
        input: "id,text\r\n1,one\r\n2,\"a \"\"b\"\",\nc\"\r\n3,\r\n\"4\",three",
        entries: [4, 3],
        last: (6, Some(("column", "text"))),
    },
    Mode {
        args: &["--tsv", "--column", "2", "--no-header-row"],
        input: "1\tone\n2\t\n3\ttwo\n",
        entries: [3, 2],
        last: (3, Some(("column", "2"))),
    },
    Mode {
        args: &["--jsonl", "--field", "/text"],
        input: "{\"n\":12345678901234567890, \"text\":\"o\\u006ee\"}\n{\"text\" : \"\",\"v\":1.10}\n{\"text\":\"two\"}",
        entries: [3, 2],
        last: (3, Some(("field", "/text"))),
    },
    Mode {
        args: &["--as", "srt"],
        input: "\u{feff}1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>one</i>\r\ntwo\r\n\r\n\
                2\r\n00:00:03,000 --> 00:00:04,000\r\nthree\r\n",
        entries: [2, 2],
        last: (8, None),
    },
    Mode {
        args: &["--as", "vtt"],
        input: "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 line:0\n<v Ann>one\n\n00:03.000 --> 00:04.000\ntwo & three",
        entries: [2, 2],
        last: (9, None),
    },
    Mode {
        args: &["--as", "markdown"],
        input: "# One `code`\n\n```sh\nls\n```\n\nTwo *and* [three](http://x.example)\n",
        entries: [2, 2],
        last: (7, None),
    },
];

impl Mode {
    fn run(&self, bench: &Bench, args: &[&str]) -> Run {
        bench.run([&["translate", "--to", "de", "-q"], self.args, args].concat())
    }

    fn pipe(&self, bench: &Bench, args: &[&str]) -> Run {
        bench.pipe(self.input, [&["translate", "--to", "de", "-q"], self.args, args].concat())
    }
}

#[test]
fn every_mode_is_a_no_op_with_the_echo_engine() {
    let bench = Bench::new();
    for mode in MODES {
        let name = format!("{:?}", mode.args);
        let read = |path: &str| assert_eq!(bench.read(path), mode.input, "{name}: {path}");
        let write = |path: &str| bench.write(path, mode.input);
        write("a.x");
        write("b.x");
        mode.pipe(&bench, &[]).code(0).prints(mode.input);
        mode.run(&bench, &["-i", "a.x"]).code(0).prints(mode.input);
        mode.run(&bench, &["-i", "a.x", "-i", "b.x"]).code(0).prints([mode.input, mode.input].concat());
        mode.run(&bench, &["-i", "a.x", "-o", "out/c.x", "--concurrency", "1"]).code(0).prints("");
        read("out/c.x");
        mode.run(&bench, &["-i", "a.x", "-i", "b.x", "--to", "fr", "-o", "{stem}.{lang}{ext}"]).code(0);
        for path in ["a.de.x", "b.de.x", "a.fr.x", "b.fr.x"] {
            read(path);
        }
        mode.run(&bench, &["-i", "a.x", "-i", "b.x", "--in-place"]).code(0).prints("");
        read("a.x");
        read("b.x");
        mode.run(&bench, &["-i", "a.x", "-o", "a.de.x", "--resume"]).code(0);
        read("a.de.x");
    }
}

#[test]
fn every_mode_lists_entries_in_order_with_positions() {
    let bench = Bench::with(&["--engine", "upper"]);
    for mode in MODES {
        let (name, [all, sent]) = (format!("{:?}", mode.args), mode.entries);
        bench.write("a.x", mode.input);
        let list = mode.run(&bench, &["-i", "a.x", "--json"]).code(0).json();
        let list = list["translations"].as_array().unwrap();
        assert_eq!(list.len(), all, "{name}: {list:?}");
        let entry = list.last().unwrap();
        let (line, place) = mode.last;
        assert_eq!(entry.get("line"), (line > 0).then(|| json!(line)).as_ref(), "{name}: {entry}");
        if let Some((key, place)) = place {
            assert_eq!(entry[key], place, "{name}");
        }
        let run = mode.run(&bench, &["-i", "a.x", "-i", "a.x", "--to", "fr", "--format", "jsonl"]).code(0);
        let lines: Vec<Value> = run.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4 * sent, "{name}: {run}");
        let row = lines.last().unwrap();
        assert_eq!((&row["entry"], &row["target_lang"], &row["input"]), (&json!(2 * all), &json!("fr"), &json!("a.x")));
        assert!(lines.iter().all(|line| !line["text"].as_str().unwrap().contains('<') || mode.last.1.is_none()));
        let rows = mode.run(&bench, &["-i", "a.x", "--format", "tsv", "--columns", "text"]).code(0);
        let counted = if mode.args.is_empty() { sent } else { all };
        assert_eq!(rows.out().lines().count(), counted, "{name}: {rows}");
    }
}

#[test]
fn a_dry_run_counts_entries_and_sends_nothing() {
    let bench = Bench::new();
    for mode in MODES {
        bench.write("a.x", mode.input);
        let args = [&["translate", "--to", "de", "-i", "a.x", "-o", "out.x", "--dry-run"], mode.args].concat();
        bench
            .run(args)
            .code(0)
            .says(&format!("would send: 1 file, {}, ", tulk_base::numbers::counted(mode.entries[1], "text")));
        assert!(!bench.path("out.x").exists() && !bench.path("out.x.part").exists());
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn a_closed_pipe_is_quiet_but_a_full_disk_is_an_error() {
    let bench = Bench::new();
    for mode in MODES {
        bench.write("a.x", mode.input);
        let args = [&["translate", "--to", "de", "-q", "-i", "a.x"], mode.args].concat();
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::from(bench.command().args(&args).stdin(Stdio::null()).stdout(full).output().unwrap());
        run.code(70).says("cannot write stdout");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = bench.command().args(&args).stdin(Stdio::null()).stdout(writer).output().unwrap();
        Run::from(closed).code(0).says_nothing();
    }
}

/// A service that always loses the element of each text that contains `lose`.
fn losing_server() -> ScriptedServer {
    ScriptedServer::start(|request| {
        let (_, body) = request.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        let results = body["text"].as_array().unwrap().iter().map(|text| {
            let text = text.as_str().unwrap();
            let lost = text.find('<').filter(|_| text.contains("lose")).map(|at| text[..at].to_owned());
            json!({"detected_source_language": "EN", "text": lost.unwrap_or_else(|| text.to_owned())})
        });
        let body = json!({"translations": results.collect::<Vec<_>>()}).to_string();
        scripted::answer(200, &["content-type: application/json"], body)
    })
}

#[test]
fn an_entry_that_loses_a_token_is_reported_or_copied() {
    let server = losing_server();
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "key");
    let input = "# Keep `a`\n\nThen lose `b`\n\nAnd `c`\n";
    bench.write("a.md", input);
    let args = ["translate", "--to", "de", "--as", "markdown", "-i", "a.md"];
    let run = bench.run(args.iter().chain(&["--stats"])).code(5).prints("");
    run.says("error: a.md:3:1: the service lost `").says("requests 2,").says("--keep-going").says_not("<x");
    let run = bench.run(args.iter().chain(&["--keep-going"])).code(9).prints(input);
    run.says("a.md:3:1: ").says("copied unchanged").says("1 text was refused and copied unchanged");
    let list = bench.run(args.iter().chain(&["--keep-going", "--json"])).code(9);
    assert_eq!(list.json()["translations"][1], json!({"line": 3, "text": "Then lose `b`"}));
}

#[test]
fn a_too_long_entry_is_refused_or_copied_and_listed_once() {
    let bench = Bench::with(&["--engine", "upper"]);
    let long = "y".repeat(140_000);
    bench.write("a.csv", format!("id,text,other\n1,one,x\n2,{long},z\n"));
    let args = ["translate", "--to", "de,fr", "--csv", "--column", "text,other", "--append", "-i", "a.csv"];
    let what = "error: a.csv:3:3: the text needs a request of 140,032 bytes; the limit is 131,072";
    let hint = "\n  hint: split the text";
    bench.run(args).code(2).prints("").says(&format!("{what}{hint}; --keep-going copies it unchanged\n"));
    assert!(bench.requests().is_empty());
    let run = bench.run(args.iter().chain(&["--keep-going"])).code(9);
    let run = run.says(&format!("{what}; copied unchanged{hint}\nerror: 1 part of the input was copied unchanged\n"));
    let rows = format!("1,one,x,ONE,ONE,X,X\n2,{long},z,{long},{long},Z,Z\n");
    run.prints(format!("id,text,other,text_de,text_fr,other_de,other_fr\n{rows}"));
}

#[test]
fn a_too_long_line_is_refused_or_copied() {
    let bench = Bench::with(&["--engine", "upper"]);
    let long = "y".repeat(140_000);
    let what = "error: stdin:2:2: the text needs a request of 140,032 bytes; the limit is 131,072";
    for (flag, end) in [("--lines", "\n"), ("--nul", "\0")] {
        let (input, args) =
            (format!("one{end} {long}{end}{end}two"), ["translate", "--to", "de", flag, "--keep-going"]);
        let what = if flag == "--nul" { what.replace(":2:2:", ":1:6:") } else { what.to_owned() };
        let run = bench.pipe(&input, &args[..4]).code(2).prints("");
        run.says(&format!("{what}\n  hint: omit {flag} to split the text where needed, or use --keep-going"));
        let run = bench.pipe(&input, args).code(9).prints(format!("ONE{end} {long}{end}{end}TWO"));
        run.says(&format!("{what}; copied unchanged\n  hint: omit {flag} to split the text where needed\n"));
    }
    // A line too long for memory is always an error.
    let run = bench.pipe("y".repeat(3_000_000), ["translate", "--to", "de", "--lines", "--keep-going"]).code(2);
    run.says("hint: split the line\n");
}

#[test]
fn keep_going_copies_malformed_records_in_every_record_format() {
    let bench = Bench::with(&["--engine", "upper"]);
    let cue = |times: &str, text: &str| format!("1\n{times} --> 00:00:02,000\n{text}\n\n");
    let srt =
        |bad: &str, text: [&str; 2]| cue("00:00:01,000", text[0]) + &cue("bad", bad) + &cue("00:00:01,000", text[1]);
    let cases = [
        (
            &["--csv", "--column", "text"][..],
            "text,n\none,1\nbad\ntwo,2\n".to_owned(),
            "text,n\nONE,1\nbad\nTWO,2\n".to_owned(),
        ),
        (
            &["--jsonl", "--field", "/a"],
            "{\"a\":\"one\"}\nbad\n{\"a\":\"two\"}\n".to_owned(),
            "{\"a\":\"ONE\"}\nbad\n{\"a\":\"TWO\"}\n".to_owned(),
        ),
        (&["--as", "srt"], srt("bad", ["one", "two"]), srt("bad", ["ONE", "TWO"])),
    ];
    for (mode, input, output) in cases {
        bench.write("a.x", &input);
        let args = [&["translate", "--to", "de", "-i", "a.x"], mode].concat();
        bench.run(&args).code(2).prints("").says("error: a.x:");
        let keep_going = [&args[..], &["--keep-going"]].concat();
        bench.run(&keep_going).code(9).prints(&output).says("; copied unchanged").says("error: 1 part of the input");
        let list = bench.run([&keep_going[..], &["--json"]].concat()).code(9).json();
        assert_eq!(list["translations"].as_array().unwrap().len(), 2, "{list}");
        // With two targets in files, the position is listed once.
        let both = [&keep_going[..], &["--to", "fr", "-o", "{stem}.{lang}{ext}", "--force"]].concat();
        let run = bench.run(both).code(9);
        assert_eq!(run.stderr.matches("; copied unchanged").count(), 1, "{run}");
        assert_eq!((bench.read("a.de.x"), bench.read("a.fr.x")), (output.clone(), output));
    }
}

#[test]
fn context_consists_of_the_preceding_entries_without_their_markup() {
    let bench = Bench::new();
    let cues: String =
        (1..=51).map(|n| format!("{n}\n00:00:01,000 --> 00:00:02,000\n<i>cue</i> {n}\nmore\n\n")).collect();
    bench.write("a.srt", cues);
    let cells: String = (1..=26).map(|n| format!("a {n},b {n}\n")).collect();
    bench.write("a.csv", format!("a,b\n{cells}"));
    let contexts = |args: &[&str]| -> Vec<Value> {
        let run = bench.run([&["translate", "--to", "de", "--dry-run", "-i"], args].concat()).code(0);
        let lines = run.out().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|request| request["body"]["context"].clone()).collect()
    };
    let cues = json!("cue 48 more\ncue 49 more\ncue 50 more");
    assert_eq!(contexts(&["a.srt", "--as", "srt"]), [Value::Null, cues], "three without the flag");
    assert_eq!(contexts(&["a.srt", "--as", "srt", "--context-lines", "0"]), [Value::Null, Value::Null]);
    let table = ["a.csv", "--csv", "--column", "a,b"];
    assert_eq!(contexts(&table), [Value::Null, Value::Null]);
    assert_eq!(contexts(&[&table[..], &["--context-lines", "2"]].concat()), [Value::Null, json!("a 25\nb 25")]);
}
