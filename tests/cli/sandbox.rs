//! The sandbox, embedded in a command and served.

use serde_json::json;

use crate::common::Bench;

#[test]
fn a_notice_is_printed_once_per_state_directory() {
    let bench = Bench::bare();
    bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(0).says("does not translate meaning");
    bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(0).says_not("does not translate");
}

#[test]
fn variables_override_the_settings_file() {
    let bench = Bench::bare();
    bench.write(".config/tulk/config.toml", "[sandbox]\nengine = \"upper\"\n");
    bench.run(["--sandbox", "translate", "--to", "de", "abc"]).code(0).prints("ABC\n");
    let bench = bench.env("TULK_SANDBOX_ENGINE", "echo").env("TULK_SANDBOX", "1");
    bench.run(["translate", "--to", "de", "abc"]).code(0).prints("abc\n");
    let bench = bench.env("TULK_SANDBOX_ENGINE", "nonsense");
    bench.run(["translate", "--to", "de", "abc"]).code(2).says("TULK_SANDBOX_ENGINE");
}

#[test]
fn state_is_kept_between_runs_until_it_is_reset() {
    let bench = Bench::bare();
    let usage = || bench.run(["sandbox", "status", "--json"]).code(0).json()["usage"].clone();
    bench.run(["--sandbox", "translate", "--to", "de", "abc"]).code(0);
    assert_eq!(usage(), json!({"text": 3}));
    bench.run(["--sandbox", "translate", "--to", "de", "de"]).code(0);
    assert_eq!(usage(), json!({"text": 5}));
    bench.run(["sandbox", "reset"]).code(2).says("--yes");
    bench.run(["sandbox", "reset", "--dry-run"]).code(0).says("would delete the state");
    assert_eq!(usage(), json!({"text": 5}));
    bench.run(["sandbox", "reset", "--yes"]).code(0);
    assert_eq!(usage(), json!({}));
}

#[test]
fn phrases_are_translated_exactly() {
    let bench = Bench::with(&["--engine", "pseudo"]);
    bench.write("p.tsv", "en\tde\tGood day\tGuten Tag\n");
    let server = bench.serve(&["--phrases", "p.tsv"]);
    let run = bench.run(["translate", "--server", &server.url, "--from", "en", "--to", "de", "Good day"]);
    run.code(0).prints("Guten Tag\n");
}

#[test]
fn serve_listens_on_loopback_until_a_signal() {
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
fn an_unknown_variable_is_refused_with_a_suggestion() {
    let bench = Bench::bare().env("TULK_SANDBOX_ENGIN", "upper");
    let run = bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(2);
    run.says("unknown setting `TULK_SANDBOX_ENGIN`").says("did you mean `TULK_SANDBOX_ENGINE`?");
}
