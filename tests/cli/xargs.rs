//! Several processes under `xargs -P`: documents and files, failures, and repeating the same command.

use std::collections::BTreeSet;

use crate::common::{Bench, Run};

/// Runs a script whose processes may print in any order.
fn run(bench: &Bench, script: &str) -> Run {
    Run::unlisted(bench.shell(script).output().unwrap())
}

fn uploads(bench: &Bench) -> usize {
    bench.requests().iter().filter(|request| request["path"] == "/v2/document").count()
}

const DOCUMENTS: &str = "find texts -name '*.txt' ! -name '*.de.txt' -print0 | \
                         xargs -0 -n 1 -P 4 tulk doc translate --to de --if-newer";

fn with_documents(flags: &[&str]) -> Bench {
    let bench = Bench::with(&[&["--engine", "upper", "--document-queue", "0s"], flags].concat());
    for i in 0..12 {
        bench.write(&format!("texts/{}/{i} it's.txt", i % 3), format!("document {i}\n"));
    }
    bench
}

#[cfg(unix)]
#[test]
fn the_next_run_repeats_only_failed_documents() {
    let fault = "document-error;total=1;name=7*";
    let bench = with_documents(&["--document-translate", "0s", "--fault", fault]);
    let first = run(&bench, DOCUMENTS).code(123).says("7 it's.txt");
    assert_eq!((first.out().matches("\tdone\n").count(), uploads(&bench)), (11, 12), "{first}");
    let second = run(&bench, DOCUMENTS).code(0);
    assert_eq!((second.out().matches("\tdone\n").count(), uploads(&bench)), (1, 13), "{second}");
    for i in 0..12 {
        assert_eq!(bench.read(&format!("texts/{}/{i} it's.de.txt", i % 3)), format!("DOCUMENT {i}\n"));
    }
}

#[cfg(unix)]
#[test]
#[ignore = "long; .ci/run includes it"]
fn does_not_upload_unfinished_documents_again() {
    let bench = with_documents(&["--document-translate", "5s"]);
    run(&bench, &format!("{DOCUMENTS} --max-wait 1s")).code(123).says("tulk doc resume");
    assert_eq!(uploads(&bench), 12);
    run(&bench, DOCUMENTS).code(0);
    assert_eq!(uploads(&bench), 12);
    for i in 0..12 {
        assert_eq!(bench.read(&format!("texts/{}/{i} it's.de.txt", i % 3)), format!("DOCUMENT {i}\n"));
    }
}

#[cfg(unix)]
#[test]
fn each_file_has_its_own_process_and_result() {
    let bench = Bench::with(&["--engine", "upper"]);
    for i in 0..40 {
        bench.write(&format!("texts/{i}.txt"), format!("file {i}\n\nend\n"));
    }
    let translate = "find texts -name '*.txt' -print0 | \
                     xargs -0 -P 8 -I{} tulk translate --to de --lines -i {} -o {}.de";
    run(&bench, translate).code(0).says_nothing().prints("");
    for i in 0..40 {
        assert_eq!(bench.read(&format!("texts/{i}.txt.de")), format!("FILE {i}\n\nEND\n"));
    }
    std::fs::write(bench.path("texts/7.txt"), b"a\xff\n").unwrap();
    run(&bench, translate).code(123).says("texts/7.txt:1:2: invalid UTF-8");
    assert_eq!(bench.read("texts/7.txt.de"), "FILE 7\n\nEND\n", "the old result was lost");
}

/// A command in the body of `while read` must not consume the list.
#[cfg(unix)]
#[test]
fn files_are_translated_without_reading_stdin() {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0s", "--document-translate", "0s"]);
    bench.write("a.txt", "a\n");
    bench.write("b.txt", "b\n");
    let script = "printf 'a\\nb\\n' | while read -r name; do\n\
                  tulk translate --to de -i $name.txt -o $name.de; tulk doc translate --to de $name.txt; done";
    run(&bench, script).code(0);
    for (name, text) in [("a", "A\n"), ("b", "B\n")] {
        assert_eq!(
            (bench.read(&format!("{name}.de")), bench.read(&format!("{name}.de.txt"))),
            (text.into(), text.into())
        );
    }
}

#[cfg(unix)]
#[test]
fn concurrent_first_runs_print_the_sandbox_notice_once() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("TULK_SANDBOX_ENGINE", "upper");
    let script = "seq 16 | xargs -P 16 -I{} sh -c 'echo line {} | tulk translate --to de --lines'";
    let run = run(&bench, script).code(0);
    let lines: BTreeSet<&str> = run.out().lines().collect();
    let expected: Vec<String> = (1..=16).map(|i| format!("LINE {i}")).collect();
    assert_eq!(run.out().lines().count(), 16, "{run}");
    assert_eq!(lines, expected.iter().map(String::as_str).collect());
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
}
