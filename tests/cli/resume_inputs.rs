//! The input of `--resume`: a file, stdin or another pipe is compared with what the earlier run read.

use serde_json::Value;

use crate::common::Bench;

#[test]
fn compares_stdin_before_sending() {
    let bench = Bench::with(&["--engine", "upper"]);
    let args = ["translate", "--lines", "-o", "out.{lang}.txt", "--to", "de,xx", "--concurrency", "1"];
    bench.pipe("a\nb\n", args).code(9).says("to xx").says("--resume`");
    assert_eq!(bench.read("out.de.txt"), "A\nB\n");
    let before = bench.requests().len();
    let other = bench.pipe("a\nc\n", args.iter().chain(&["--resume"])).code(2);
    other.says("stdin has changed since out.de.txt was written");
    assert_eq!(bench.requests().len(), before);
    bench.pipe("a\nb\n", args.iter().chain(&["--resume"])).code(5).says("stdin:1");
    let targets: Vec<Value> = bench.requests().iter().map(|r| r["body"]["target_lang"].clone()).collect();
    assert_eq!(targets, ["DE", "XX", "XX"]);
}

#[cfg(target_os = "linux")]
#[test]
fn compares_a_named_pipe_like_stdin() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.bash("mkfifo lines").code(0);
    bench.write("stdin", "of another input\n");
    let run = |text: &'static str, flag: &str| {
        let pipe = bench.path("lines");
        // Opening the pipe blocks until there is a reader.
        std::thread::spawn(move || std::fs::write(pipe, text));
        let args = format!("--lines -i lines -o 'out.{{lang}}.txt' --to de,xx --concurrency 1 {flag}");
        bench.bash(&format!("timeout 60 tulk translate {args} < stdin"))
    };
    run("a\nb\n", "").code(9).says("lines:1:1: to xx: ");
    assert_eq!(bench.read("out.de.txt"), "A\nB\n");
    let before = bench.requests().len();
    run("a\nc\n", "--resume").code(2).says("lines has changed since out.de.txt was written");
    assert_eq!(bench.requests().len(), before);
    run("a\nb\n", "--resume").code(5).says("lines:1:1");
    let last = bench.requests().pop().unwrap();
    assert_eq!((&last["body"]["target_lang"], &last["body"]["text"]), (&"XX".into(), &vec!["a", "b"].into()));
}

#[test]
fn copies_only_a_pipe_to_a_temporary_file() {
    let bench = Bench::with(&["--engine", "upper"]).env("TMPDIR", "/dev/null/none");
    bench.write("in.txt", "a\nb\n");
    let args = ["translate", "--lines", "-o", "out.{lang}.txt", "--to", "de,xx", "--concurrency", "1"];
    let file = [&args[..], &["-i", "in.txt"]].concat();
    bench.run(&file).code(9).says("in.txt:1:1: to xx: ");
    bench.run(file.iter().chain(&["--resume"])).code(5).says("in.txt:1:1");
    bench.run(["translate", "--to", "de", "--in-place", "--resume", "-i", "in.txt"]).code(0);
    bench.pipe("a\nb\n", args.iter().chain(&["--force"])).code(9);
    let run = bench.pipe("a\nb\n", args.iter().chain(&["--resume"])).code(2);
    run.says("cannot write to the directory /dev/null/none: Not a directory").says("hint: set TMPDIR");
}
