//! stdout and stderr: what is written where and in which form, secrets, signals, closed pipes.

use std::io::Read as _;
use std::process::{Child, Stdio};

use crate::common::{Bench, wait_until};

#[test]
fn errors_are_json_with_json_output() {
    let bench = Bench::with(&["--fault", "403:1"]);
    let run = bench.run(["translate", "--json", "--to", "de", "x"]).code(3).prints("");
    let line: serde_json::Value = serde_json::from_str(run.stderr.trim()).unwrap();
    assert_eq!(line["error"]["kind"], "key");
    assert_eq!(line["error"]["status"], 403);
    assert_eq!(line["error"]["trace_id"].as_str().unwrap().len(), 32);
    let run = bench.run(["translate", "--json", "--no-such-flag"]).code(2);
    let line: serde_json::Value = serde_json::from_str(run.stderr.trim()).unwrap();
    assert_eq!(line["error"]["kind"], "usage");
}

#[test]
fn quiet_keeps_results_and_errors_but_not_notices() {
    let bench = Bench::new();
    bench.write("w.tsv", "a\tb\n");
    let create = ["glossary", "create", "X", "--dictionary", "en:de=w.tsv", "--columns", "name", "-q"];
    bench.run(create).code(0).prints("X\n").says_nothing();
    bench.run(["glossary", "list", "--columns", "name", "-q"]).code(0).prints("X\n").says_nothing();
    bench.run(["glossary", "delete", "X", "--yes", "-q"]).code(0).prints("").says_nothing();
    bench.run(["glossary", "delete", "X", "--yes", "-q"]).code(4).prints("").says("error: ");
    let help = bench.run(["help", "options"]).code(0);
    assert!(help.out().contains("Print results and errors only"), "{help}");
}

#[test]
fn never_prints_the_key() {
    let secret = "0123secret-4567";
    let bench = Bench::bare();
    let server = bench.serve(&["--engine", "echo", "--key", secret]);
    let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", secret);
    for args in [
        &["translate", "--to", "de", "-vv", "x"][..],
        &["translate", "--to", "de", "-n", "x"],
        &["translate", "--to", "de", "-vv", "--json", "x"],
        &["translate", "--to", "xx", "-v", "x"],
        &["auth", "status"],
        &["config", "list"],
    ] {
        let run = bench.run(args);
        assert!(!run.to_string().contains(secret), "{args:?}\n{run}");
    }
    let wrong = bench.env("TULK_API_KEY", "other-wrong-key-99");
    let run = wrong.run(["translate", "--to", "de", "-vv", "x"]).code(3);
    assert!(!run.to_string().contains("other-wrong-key-99"), "{run}");
}

#[test]
fn verbose_logs_one_line_per_request() {
    let bench = Bench::new();
    let run = bench.run(["translate", "--to", "de", "-v", "x"]).code(0).prints("x\n");
    assert!(run.stderr.contains("POST /v2/translate 200"), "{run}");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
    let run = bench.run(["translate", "--to", "de", "-vv", "x"]).code(0);
    assert!(run.stderr.contains(r#""text":["x"]"#), "{run}");
}

#[test]
fn quiet_prints_only_errors() {
    let bench = Bench::with(&["--engine", "echo", "--fault", "429;retry-after=0;times=1;path=/v2/translate"]);
    let run = bench.run(["translate", "--to", "de", "-q", "x"]).code(0).prints("x\n");
    assert_eq!(run.stderr, "");
    bench.run(["translate", "--to", "xx", "-q", "x"]).code(5).says("error: ");
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let bench = Bench::new();
    let input: String = (0..200_000).map(|i| format!("line {i}\n")).collect();
    bench.write("in.txt", &input);
    let run = bench.bash("tulk translate --to de --lines -i in.txt | head -n 1; echo ${PIPESTATUS[0]} >&2");
    assert_eq!((run.out(), run.stderr.trim()), ("line 0\n", "0"), "{run}");
    assert!(bench.requests().len() < 2000, "requests were sent after the pipe was closed");
    let run = bench.bash("tulk help formats | true; tulk man | head -c 1 >/dev/null");
    assert_eq!(run.stderr, "");
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

#[cfg(unix)]
fn wait_for_content(path: &std::path::Path) {
    wait_until(&path.display().to_string(), || path.metadata().is_ok_and(|metadata| metadata.len() > 0));
}

#[cfg(unix)]
#[test]
#[ignore = "long; .ci/run includes it"]
fn keeps_finished_entries_after_a_signal_and_can_resume() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "100ms"]);
    let input: String = (0..5000).map(|i| format!("line {i}\n")).collect();
    bench.write("in.txt", &input);
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let out = format!("{name}.txt");
        let mut child = bench
            .command()
            .args(["translate", "--to", "de", "--lines", "-i", "in.txt", "--concurrency", "2", "-o", &out])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_content(&bench.path(&format!("{out}.part")));
        signal(&child, name);
        let status = child.wait().unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("--resume") && stderr.contains(" texts were written, continue at in.txt:"), "{stderr}");
        let part = bench.read(&format!("{out}.part"));
        assert!(!part.is_empty() && input.to_uppercase().starts_with(&part), "the part is not a prefix of the result");
        bench
            .run(["translate", "--to", "de", "--lines", "-i", "in.txt", "-o", &out, "--resume", "--concurrency", "64"])
            .code(0);
        assert_eq!(bench.read(&out), input.to_uppercase());
    }
}

#[cfg(unix)]
#[test]
fn a_signal_during_a_wait_ends_the_command() {
    let bench = Bench::with(&["--fault", "429;retry-after=600;path=/v2/translate"]);
    let mut child = bench
        .command()
        .args(["translate", "--max-wait", "1h", "--to", "de", "x"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut stderr, &mut line).unwrap();
    assert!(line.contains("retrying in 600 s"), "{line}");
    signal(&child, "INT");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), rest.as_str()),
        (Some(130), "error: stopped by Ctrl-C\n  hint: start again with `tulk translate --max-wait 1h --to de x`\n")
    );
}

#[test]
fn pipes_get_no_color_unless_forced() {
    let bench = Bench::new();
    let run = bench.run(["translate", "--to", "xx", "x"]).code(5);
    assert!(!run.stderr.contains('\u{1b}'), "{run}");
    let run = bench.run(["--color", "always", "translate", "--to", "xx", "x"]).code(5);
    assert!(run.stderr.contains('\u{1b}'), "{run}");
}

#[test]
fn help_and_version_go_to_stdout() {
    let bench = Bench::bare();
    assert!(bench.run(["--version"]).code(0).out().starts_with("tulk "));
    assert!(bench.run(["translate", "--help"]).code(0).out().contains("--to"));
    assert!(bench.run(["help", "exit-codes"]).code(0).out().contains("456"));
    assert!(bench.run(["help", "translate"]).code(0).out().contains("--to"));
    bench.run(["help", "nonsense"]).code(2).says("exit-codes");
}
