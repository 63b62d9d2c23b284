//! The sandbox as users meet it: in process and served.

use crate::common::Bench;

#[test]
fn says_once_that_it_does_not_translate() {
    let bench = Bench::bare();
    bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(0).says("does not translate meaning");
    bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(0).says_not("does not translate");
}

#[test]
fn settings_come_from_file_and_environment() {
    let bench = Bench::bare();
    bench.write(".config/tulk/config.toml", "[sandbox]\nengine = \"upper\"\n");
    bench.run(["--sandbox", "translate", "--to", "de", "abc"]).code(0).prints("ABC\n");
    let bench = bench.env("TULK_SANDBOX_ENGINE", "echo").env("TULK_SANDBOX", "1");
    bench.run(["translate", "--to", "de", "abc"]).code(0).prints("abc\n");
    let bench = bench.env("TULK_SANDBOX_ENGINE", "nonsense");
    bench.run(["translate", "--to", "de", "abc"]).code(2).says("TULK_SANDBOX_ENGINE");
}

#[test]
fn keeps_state_between_runs_and_resets() {
    let bench = Bench::bare();
    bench.run(["--sandbox", "translate", "--to", "de", "abc"]).code(0);
    let status = bench.run(["sandbox", "status", "--json"]).code(0);
    assert!(status.out().contains('3'), "{status}");
    bench.run(["sandbox", "reset"]).code(2).says("--yes");
    bench.run(["sandbox", "reset", "--yes"]).code(0);
}

#[test]
fn phrases_give_exact_answers() {
    let bench = Bench::with(&["--engine", "pseudo"]);
    bench.write("p.tsv", "en\tde\tGood day\tGuten Tag\n");
    let server = bench.serve(&["--phrases", "p.tsv"]);
    let run = bench.run(["translate", "--server", &server.url, "--from", "en", "--to", "de", "Good day"]);
    run.code(0).prints("Guten Tag\n");
}

#[test]
fn listens_on_loopback_and_ends_well_by_a_signal() {
    use std::io::BufRead as _;
    let bench = Bench::bare();
    let mut child = bench
        .command()
        .args(["sandbox", "serve", "--port", "0", "--ephemeral"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_variable_that_sets_nothing_is_refused() {
    let bench = Bench::bare().env("TULK_SANDBOX_ENGIN", "upper");
    let run = bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(2);
    run.says("unknown setting `TULK_SANDBOX_ENGIN`").says("did you mean `TULK_SANDBOX_ENGINE`?");
}
