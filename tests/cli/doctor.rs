//! `tulk doctor` and `tulk --version --verbose`: what is checked, what fails, and that no secret is shown.

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};

/// A date of long ago in the form of HTTP.
const LONG_AGO: &str = "Date: Sun, 06 Nov 1994 08:49:37 GMT";

/// Returns status, detail and hint of a check.
fn found(run: &Run, check: &str) -> (String, String, Value) {
    let checks = run.json();
    let found = checks.as_array().unwrap().iter().find(|found| found["check"] == check);
    let found = found.unwrap_or_else(|| panic!("no check {check} in {checks}"));
    let text = |name: &str| found[name].as_str().unwrap().to_owned();
    (text("status"), text("detail"), found["hint"].clone())
}

fn names(run: &Run) -> Vec<String> {
    run.json().as_array().unwrap().iter().map(|check| check["check"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn all_is_well_with_a_server_that_accepts_the_key() {
    let bench = Bench::new();
    let run = bench.run(["doctor", "--json"]).code(0).says_nothing();
    let all = [
        "version",
        "settings",
        "server",
        "key",
        "proxy",
        "certificates",
        "connection",
        "clock",
        "settings directory",
        "state directory",
        "cache directory",
    ];
    assert_eq!(names(&run).into_iter().filter(|name| name != "admin key").collect::<Vec<_>>(), all);
    assert_eq!(found(&run, "key").1, "**** from TULK_API_KEY");
    assert_eq!(found(&run, "server").1, format!("{} from TULK_SERVER", bench.url()));
    assert_eq!(found(&run, "proxy").1, "none");
    assert_eq!(found(&run, "clock"), ("ok".to_owned(), "as the server's".to_owned(), Value::Null));
    assert!(found(&run, "connection").1.ends_with(" ms, and accepts the key"));
    assert_eq!(bench.sent().len(), 1, "one free request");
    assert!(!bench.path(".config").exists() && !bench.path(".cache").exists(), "nothing is created");
}

#[test]
fn the_server_is_shown_with_what_names_it() {
    let bench = Bench::new();
    let (url, key) = (bench.url().to_owned(), bench.write("key", "a-key-of-a-sandbox\n"));
    let run = bench.run(["doctor", "--json", "--server", &format!("{url}/prefix")]);
    assert_eq!(found(&run, "server").1, format!("{url}/prefix from --server"));
    let bench = bench.without("TULK_SERVER").without("TULK_API_KEY");
    bench.write(".config/tulk/config.toml", format!("[profiles.default]\ntimeout = 5\nserver = \"{url}\"\n"));
    let run = bench.run(["doctor", "--json", "--key-file", key.to_str().unwrap()]);
    let file = bench.path(".config/tulk/config.toml").display().to_string();
    assert_eq!(found(&run, "server").1, format!("{url} from {file}:3"));
    assert_eq!(found(&run, "settings").1, format!("{file}: 2 settings; profile default"));
    assert_eq!(found(&run, "key").1, format!("****dbox from --key-file {}", key.display()));
    let run = bench.run(["doctor", "--json", "--sandbox"]).code(0);
    assert_eq!(found(&run, "server").1, "sandbox");
}

#[test]
fn one_screen_for_people() {
    let bench = Bench::new();
    let run = bench.run(["doctor", "--format", "table"]).code(0);
    assert!(run.out().lines().count() <= 16, "{}", run.out());
    assert!(run.out().starts_with("CHECK"), "{}", run.out());
}

#[test]
fn without_a_server_the_rest_is_skipped() {
    let bench = Bench::bare();
    bench.run(["doctor"]).code(1).says("hint: server: pass --server URL").says("1 check failed");
    let run = bench.run(["doctor", "--json"]).code(1).says_nothing();
    assert_eq!(found(&run, "server").0, "failed");
    assert!(found(&run, "server").2.as_str().unwrap().starts_with("pass --server URL"));
    for check in ["key", "proxy", "certificates", "connection", "clock"] {
        assert_eq!(found(&run, check).0, "skipped", "{check}");
    }
    assert_eq!(found(&run, "state directory").0, "ok");
}

#[test]
fn a_server_that_asks_for_a_key_is_reached() {
    let bench = Bench::new().without("TULK_API_KEY");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(found(&run, "key").0, "failed");
    assert!(found(&run, "connection").1.ends_with(" ms, and asks for a key"));
    let run = bench.env("TULK_API_KEY", "wrong-key-0123456789").run(["doctor", "--json"]).code(1);
    assert_eq!((found(&run, "key").0, found(&run, "connection").0), ("ok".to_owned(), "failed".to_owned()));
    assert!(found(&run, "key").1.starts_with("****6789 from "), "{:?}", found(&run, "key"));
    run.says_not("wrong-key");
}

#[test]
fn a_clock_that_is_wrong_is_a_failure() {
    let server = ScriptedServer::start(|_| {
        answer(200, &[LONG_AGO], json!({"character_count": 1, "character_limit": 2}).to_string())
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-1");
    let run = bench.run(["doctor", "--json"]).code(1);
    let (status, detail, hint) = found(&run, "clock");
    assert!(status == "failed" && detail.ends_with(" ahead of the server's"), "{detail}");
    assert!(hint.as_str().unwrap().starts_with("set the clock"), "{hint}");
}

#[test]
fn a_server_that_is_not_there_is_a_failure() {
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:1").env("TULK_API_KEY", "k-1");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(found(&run, "connection").0, "failed");
    assert_eq!(found(&run, "clock"), ("skipped".to_owned(), "the server did not answer".to_owned(), Value::Null));
}

#[test]
fn the_password_of_a_proxy_is_not_shown() {
    let bench = Bench::bare()
        .env("TULK_SERVER", "https://translate.example")
        .env("TULK_API_KEY", "k-1")
        .env("HTTPS_PROXY", "http://user:pass-word-1@127.0.0.1:1");
    let run = bench.run(["doctor", "--json", "-vv"]).code(1).says_not("pass-word-1");
    let (status, detail, _) = found(&run, "proxy");
    assert_eq!((status.as_str(), detail.as_str()), ("ok", "http://user:***@127.0.0.1:1 from HTTPS_PROXY"));
    let run = bench.env("NO_PROXY", "translate.example").run(["doctor", "--json"]).code(1);
    assert_eq!(found(&run, "proxy").1, "none");
}

#[test]
fn faulty_settings_are_shown_with_their_place() {
    let bench = Bench::new();
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntimeot = 5\n");
    let run = bench.run(["doctor", "--json"]).code(1);
    let (status, detail, hint) = found(&run, "settings");
    assert!(status == "failed" && detail.contains("config.toml:2:1: "), "{detail}");
    assert!(hint.as_str().unwrap().contains("timeout"), "{hint}");
}

#[test]
fn a_directory_that_cannot_be_written_is_a_failure() {
    let bench = Bench::new();
    bench.write("file", "");
    let dir = bench.path("file/below").display().to_string();
    let run = bench.env("XDG_STATE_HOME", &dir).run(["doctor", "--json"]).code(1);
    assert_eq!(found(&run, "state directory").0, "failed");
}

#[test]
fn the_version_says_how_the_program_was_built() {
    let bench = Bench::bare();
    let short = bench.run(["--version"]).code(0).out().to_owned();
    for words in [&["--version", "--verbose"][..], &["-vV"], &["-V", "-v"]] {
        let run = bench.run(words).code(0).says_nothing();
        let mut lines = run.out().lines();
        assert_eq!(lines.next(), Some(short.trim_end()));
        let names: Vec<_> = lines.filter_map(|line| Some(line.split_once(": ")?.0)).collect();
        assert_eq!(names, ["target", "profile", "compiler", "features", "TLS", "service API"]);
    }
    let refused = bench.run(["--version", "--verbose", "--json"]).code(2).prints("");
    refused.says(r#""message":"--version prints text only""#).says(r#""hint":"leave out --json, --jq and --format""#);
    bench.run(["--version", "--format", "json"]).code(2);
    bench.run(["version"]).code(2).says("hint: `tulk --version` prints the version\n");
}
