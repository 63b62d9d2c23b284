//! A kill between renaming the output and removing the record of the run: nothing is sent again, and lines appended to the input are
//! not silently ignored.

use super::tracer::run_until_call;
use crate::common::{Bench, Run};

const ARGS: [&str; 10] = ["translate", "--from", "en", "--to", "de", "--lines", "-i", "in.txt", "-o", "out.txt"];

fn bench() -> Bench {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("in.txt", "one\ntwo\n");
    bench
}

/// Returns whether the command was still running at system call `at`, or `None` if tracing is not possible.
fn kill(bench: &Bench, resume: bool, at: usize) -> Option<bool> {
    let mut command = bench.command();
    command.args(ARGS).args(resume.then_some("--resume"));
    Some(run_until_call(&command, std::process::Stdio::null(), at)?.code.is_none())
}

/// Leaves a finished output with its state file. Returns false if tracing is not possible here.
fn finish_and_kill(bench: &Bench) -> bool {
    for at in 1.. {
        let _ = std::fs::remove_file(bench.path("out.txt"));
        match kill(bench, false, at) {
            None => return false,
            Some(killed) => assert!(killed, "no call between the name of the output and the end of its state"),
        }
        if bench.path("out.txt").exists() && bench.path("out.txt.part.state").exists() {
            return true;
        }
        let _ = std::fs::remove_file(bench.path("out.txt.part"));
        let _ = std::fs::remove_file(bench.path("out.txt.part.state"));
    }
    false
}

#[test]
fn killing_a_resumed_run_keeps_records_of_finished_outputs() {
    let bench = bench();
    if !finish_and_kill(&bench) {
        return;
    }
    let state = bench.read("out.txt.part.state");
    let sent = bench.requests().len();
    for at in 1.. {
        bench.write("out.txt.part.state", &state);
        let _ = std::fs::remove_file(bench.path("out.txt.part"));
        let killed = kill(&bench, true, at).unwrap();
        if !bench.path("out.txt.part.state").exists() {
            // There is nothing left to resume.
            assert_eq!(bench.read("out.txt"), "ONE\nTWO\n");
            break;
        }
        assert!(killed);
        bench.run(ARGS.iter().chain(&["--resume"])).code(0);
        assert_eq!(bench.requests().len(), sent, "sent again after a kill at call {at}");
        assert_eq!(bench.read("out.txt"), "ONE\nTWO\n", "killed at call {at}");
        assert!(!bench.path("out.txt.part").exists() && !bench.path("out.txt.part.state").exists(), "call {at}");
    }
}

#[test]
fn an_input_that_has_grown_since_the_kill_is_refused() {
    let bench = bench();
    if !finish_and_kill(&bench) {
        return;
    }
    let sent = bench.requests().len();
    bench.write("in.txt", "one\ntwo\nthree\n");
    let run = bench.command().args(ARGS).arg("--resume").output().unwrap();
    let run = Run::unlisted(run).code(2);
    run.says("out.txt: the input has changed since the earlier run").says("start over with --force");
    assert_eq!(bench.requests().len(), sent);
    assert_eq!(bench.read("out.txt"), "ONE\nTWO\n");
    bench.run(ARGS.iter().chain(&["--force"])).code(0);
    assert_eq!(bench.read("out.txt"), "ONE\nTWO\nTHREE\n");
}
