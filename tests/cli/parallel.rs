//! `tulk translate --lines` as a job of GNU parallel: blocks of a file, translated concurrently with the commands of docs/scale.md.

use std::path::Path;
use std::process::Command;

use crate::common::tools::has_gnu_parallel;
use crate::common::{Bench, Run, Server};

/// Returns distinct lines, some of which are hard to count: blank, or with tabs or several kinds of line endings. The last line has none.
fn lines(count: usize) -> String {
    let line = |i: usize| match i % 10 {
        3 => "\n".to_owned(),
        5 => format!("{i}\tof a row\t\n"),
        6 => format!(" line {i} \r\n"),
        7 => format!("half {i}\rof a line \u{2028} and \u{85}\n"),
        _ => format!("line {i}\n"),
    };
    (0..count).map(line).collect::<String>() + "last line"
}

/// Runs a script that uses a server. The output of jobs is not compared with the golden list of messages.
fn run(bench: &Bench, server: &Server, script: &str) -> Run {
    let mut command: Command = bench.shell(&format!("timeout 120 {script}"));
    command.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    Run::unlisted(command.output().unwrap())
}

/// Returns block and exit code of each entry in a job log, in the order of the blocks.
fn exit_codes(bench: &Bench) -> Vec<(usize, String)> {
    let log = bench.read("jobs.tsv");
    let mut codes: Vec<_> = log.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()).collect();
    codes.sort_by_key(|row| row[0].parse::<usize>().unwrap());
    codes.into_iter().map(|row| (row[0].parse().unwrap(), row[6].to_owned())).collect()
}

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn blocks_of_a_file_give_the_result_of_one_run() {
    if !has_gnu_parallel() {
        return;
    }
    let bench = Bench::bare();
    let server = bench.serve(&[]);
    let source = lines(20_000);
    bench.write("in.txt", &source);
    run(&bench, &server, "tulk translate --to de --lines -i in.txt -o one.txt").code(0);
    assert_eq!(bench.read("one.txt").matches('\n').count(), 20_000);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scale.md");
    let page = std::fs::read_to_string(page).unwrap();
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("$ parallel ")).collect();
    assert_eq!(commands.len(), 3, "docs/scale.md shows other commands");
    for command in commands {
        assert!(command.contains(" --block 10M ") && command.ends_with(" > out.txt"), "{command}");
        // A slow job prints its progress on stderr.
        let command = command.replace("10M", "50k").replace("tulk translate", "tulk translate --progress none");
        let script = format!("env LC_ALL=C parallel {command}");
        run(&bench, &server, &script).code(0).says_nothing();
        assert!(bench.read("out.txt") == bench.read("one.txt"), "{command}: the result differs");
    }
}

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn repeating_a_failed_job_neither_loses_nor_doubles_a_line() {
    if !has_gnu_parallel() {
        return;
    }
    let bench = Bench::bare();
    let source = lines(10_000);
    bench.write("in.txt", &source);
    let fault = "503;total=1;after=60;path=/v2/translate";
    let parallel = "parallel --pipe --block 20k -k --joblog jobs.tsv";
    let tulk = "tulk translate --to de --lines --retries 0";
    // Without retries, the lines of a failed job are missing, and the exit code is the number of failed jobs.
    let server = bench.serve(&["--engine", "upper", "--fault", fault]);
    run(&bench, &server, &format!("{parallel} {tulk} < in.txt > out.txt")).code(1);
    assert!(bench.read("out.txt").len() < source.len());
    let failed: Vec<_> = exit_codes(&bench).into_iter().filter(|(_, code)| code != "0").collect();
    assert!(matches!(&failed[..], [(_, code)] if code == "7"), "{failed:?}");
    // With `--halt`, GNU parallel stops at the failure, with the job's exit code. Version 20221122 never exits if `--halt soon` is used
    // with `--pipe`, so use `--pipepart`.
    let server = bench.serve(&["--engine", "upper", "--fault", fault]);
    let script = format!("parallel --pipepart -a in.txt --block 20k -k --halt soon,fail=1 {tulk} > out.txt");
    run(&bench, &server, &script).code(7);
    let server = bench.serve(&["--engine", "upper", "--fault", fault]);
    run(&bench, &server, &format!("{parallel} --retries 3 {tulk} < in.txt > out.txt")).code(0);
    assert!(bench.read("out.txt") == source.to_uppercase(), "the repeated job lost or doubled lines");
    assert!(exit_codes(&bench).iter().all(|(_, code)| code == "0"));
    let refused = server.requests().iter().filter(|request| request["status"] == 503).count();
    assert_eq!(refused, 1);
}
