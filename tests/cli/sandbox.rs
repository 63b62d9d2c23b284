//! The sandbox, embedded in a command and as a server.

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
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_unknown_variable_is_refused_with_a_suggestion() {
    let bench = Bench::bare().env("TULK_SANDBOX_ENGIN", "upper");
    let run = bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(2);
    run.says("unknown setting `TULK_SANDBOX_ENGIN`").says("did you mean `TULK_SANDBOX_ENGINE`?");
}

#[test]
fn serve_reads_its_files_before_it_prints_its_address() {
    let bench = Bench::bare();
    bench.write("p.tsv", "en\tde\tonly three\n");
    bench.write("m.json", "[{}]");
    for (flag, file, message) in [
        ("--phrases", "p.tsv", "p.tsv:1: a phrase needs four fields"),
        ("--phrases", "missing.tsv", "cannot read missing.tsv: No such file or directory"),
        ("--memories", "m.json", "m.json:1:3: missing field `name`"),
    ] {
        bench.run(["sandbox", "serve", "--ephemeral", flag, file]).code(2).prints("").says(message);
    }
}

#[test]
fn a_full_disk_is_an_internal_error() {
    let bench = Bench::bare();
    for command in ["sandbox serve --port 0", "--sandbox translate --to de x"] {
        let run = bench.bash(&format!("trap '' XFSZ; ulimit -f 0; exec tulk {command}")).code(70);
        run.prints("").says("cannot use the state of the sandbox");
    }
}

#[test]
fn phrases_are_found_in_tags_and_lines() {
    let bench = Bench::bare();
    bench.write(
        "p.tsv",
        "en\tde\tGood day\tGuten Tag\nen\tde\tone\\ttwo\\nthree\teins\\tzwei\\ndrei\nen\tde\tone\tnichts\n",
    );
    let server = bench.serve(&["--engine", "upper", "--phrases", "p.tsv"]);
    let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    let text = "<p>Good day</p>\n  Good day\none\ttwo\nthree\nGood days\n";
    let run = bench.pipe(text, ["translate", "--from", "en", "--to", "de"]);
    run.code(0).prints("<p>Guten Tag</p>\n  Guten Tag\neins\tzwei\ndrei\nGOOD DAYS\n");
    let run = bench.pipe("Good day\nplease\n", ["write", "rephrase", "--to", "en-US"]);
    run.code(0).prints("GOOD DAY\nPLEASE\n");
    bench.write("a.txt", "Good day\nGood days\n");
    bench.run(["doc", "translate", "a.txt", "--from", "en", "--to", "de", "--quiet"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "Guten Tag\nGOOD DAYS\n");
    bench.run(["translate", "--to", "de", "--json", "Good day"]).code(0).says_not("error");
}

#[test]
fn a_fault_without_a_share_applies_to_every_request() {
    let bench = Bench::with(&["--fault", "503;retry-after=0"]);
    for _ in 0..2 {
        bench.run(["usage", "--retries", "1"]).code(7).says("This fault was requested");
    }
}
