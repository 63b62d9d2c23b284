//! `tulk doctor` and `tulk --version --verbose`: what is checked, what fails, and that no secret is shown.

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};

const LONG_AGO: &str = "Date: Sun, 06 Nov 1994 08:49:37 GMT";

/// Returns status, detail and hint of a check.
pub fn check_result(run: &Run, check: &str) -> (String, String, Value) {
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
fn all_checks_pass_with_a_server_that_accepts_the_key() {
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
    assert_eq!(check_result(&run, "key").1, "**** from TULK_API_KEY");
    assert_eq!(check_result(&run, "server").1, format!("{} from TULK_SERVER", bench.url()));
    assert_eq!(check_result(&run, "proxy").1, "none");
    assert_eq!(check_result(&run, "clock"), ("ok".to_owned(), "same as the server's".to_owned(), Value::Null));
    assert!(check_result(&run, "connection").1.ends_with(" ms, and accepts the key"));
    assert_eq!(bench.sent().len(), 1, "one free request");
    assert!(!bench.path(".config").exists() && !bench.path(".cache").exists(), "nothing is created");
}

#[test]
fn shows_the_server_with_its_source() {
    let bench = Bench::new();
    let (url, key) = (bench.url().to_owned(), bench.write("key", "sandbox\n"));
    let run = bench.run(["doctor", "--json", "--server", &format!("{url}/prefix")]);
    assert_eq!(check_result(&run, "server").1, format!("{url}/prefix from --server"));
    let bench = bench.without("TULK_SERVER").without("TULK_API_KEY");
    bench.write(".config/tulk/config.toml", format!("[profiles.default]\ntimeout = 5\nserver = \"{url}\"\n"));
    let run = bench.run(["doctor", "--json", "--key-file", key.to_str().unwrap()]);
    let file = bench.path(".config/tulk/config.toml").display().to_string();
    assert_eq!(check_result(&run, "server").1, format!("{url} from {file}:3"));
    assert_eq!(check_result(&run, "settings").1, format!("{file}: 2 settings; profile default"));
    assert_eq!(check_result(&run, "key").1, format!("**** from --key-file {}", key.display()));
    let run = bench.run(["doctor", "--json", "--sandbox"]).code(0);
    assert_eq!(check_result(&run, "server").1, "sandbox");
}

#[test]
fn prints_one_screen_on_a_terminal() {
    let bench = Bench::new();
    let run = bench.run(["doctor", "--format", "table"]).code(0);
    assert!(run.out().lines().count() <= 16, "{}", run.out());
    assert!(run.out().starts_with("CHECK"), "{}", run.out());
}

#[test]
fn skips_further_checks_without_a_server() {
    let bench = Bench::bare();
    bench.run(["doctor"]).code(1).says(
        "error: server: no server is set\n  hint: run `tulk auth login`, set TULK_SERVER, or try --sandbox\n1 check failed\n",
    );
    let run = bench.run(["doctor", "--json"]).code(1).says_nothing();
    assert_eq!(check_result(&run, "server").0, "failed");
    assert!(check_result(&run, "server").2.as_str().unwrap().starts_with("run `tulk auth login`"));
    for check in ["key", "proxy", "certificates", "connection", "clock"] {
        assert_eq!(check_result(&run, check).0, "skipped", "{check}");
    }
    assert_eq!(check_result(&run, "state directory").0, "ok");
}

#[test]
fn a_server_that_requires_a_key_counts_as_reachable() {
    let bench = Bench::new().without("TULK_API_KEY");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "key").0, "failed");
    assert!(check_result(&run, "connection").1.ends_with(" ms, and requires a key"));
    let run = bench.env("TULK_API_KEY", "wrong-key-0123456789").run(["doctor", "--json"]).code(1);
    assert_eq!(
        (check_result(&run, "key").0, check_result(&run, "connection").0),
        ("failed".to_owned(), "ok".to_owned())
    );
    let refused = "****6789 from TULK_API_KEY: the service refused the request: ";
    assert!(check_result(&run, "key").1.starts_with(refused), "{:?}", check_result(&run, "key"));
    assert!(
        check_result(&run, "key").2.as_str().unwrap().contains(" rejected the API key from TULK_API_KEY; "),
        "{:?}",
        check_result(&run, "key")
    );
    assert!(
        check_result(&run, "connection").1.ends_with(" ms, and rejects the key"),
        "{:?}",
        check_result(&run, "connection")
    );
    assert_eq!(check_result(&run, "clock").0, "ok");
    run.says_not("wrong-key");
}

#[test]
fn a_wrong_clock_is_a_failure() {
    let server = ScriptedServer::start(|_| {
        answer(200, &[LONG_AGO], json!({"character_count": 1, "character_limit": 2}).to_string())
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-1");
    let run = bench.run(["doctor", "--json"]).code(1);
    let (status, detail, hint) = check_result(&run, "clock");
    assert!(status == "failed" && detail.starts_with("this clock is "), "{detail}");
    assert!(detail.ends_with(" days ahead of the server's"), "{detail}");
    assert_eq!(hint, "check the clock of this machine (`date -u`); if it is right, the server's clock is wrong");
}

#[test]
fn an_unreachable_server_is_a_failure() {
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:1").env("TULK_API_KEY", "k-1");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "connection").0, "failed");
    assert_eq!(
        check_result(&run, "clock"),
        ("skipped".to_owned(), "the server did not answer".to_owned(), Value::Null)
    );
}

#[test]
fn shows_invalid_settings_with_their_position() {
    let bench = Bench::new();
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntimeot = 5\n");
    let run = bench.run(["doctor", "--json"]).code(1);
    let (status, detail, hint) = check_result(&run, "settings");
    assert!(status == "failed" && detail.contains("config.toml:2:1: "), "{detail}");
    assert!(hint.as_str().unwrap().contains("timeout"), "{hint}");
}

#[test]
fn an_unwritable_directory_is_a_failure() {
    let bench = Bench::new();
    bench.write("file", "");
    let dir = bench.path("file/below").display().to_string();
    let run = bench.env("XDG_STATE_HOME", &dir).run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "state directory").0, "failed");
}

#[test]
fn skips_further_checks_after_invalid_settings() {
    let bench = Bench::new();
    let settings = |text: &str| {
        bench.write("own/settings.toml", text);
        bench.run(["doctor", "--json", "--config", "own/settings.toml"]).code(1)
    };
    for text in ["[profiles.default]\ntimeout = \"never\"\n", "[profiles\n"] {
        let run = settings(text);
        assert_eq!(check_result(&run, "settings").2, "correct this line of the settings file");
        for check in ["server", "key", "proxy", "certificates", "connection", "clock"] {
            assert_eq!(check_result(&run, check), ("skipped".to_owned(), "see settings".to_owned(), Value::Null));
        }
    }
    assert!(bench.requests().is_empty());
    let run = bench.run(["doctor", "--json", "--config", "none.toml"]).code(1);
    assert_eq!(check_result(&run, "settings").1, "cannot read the settings file none.toml: No such file or directory");
    assert!(check_result(&run, "settings").2.as_str().unwrap().contains("--config"));
}

#[test]
fn checks_the_directory_of_the_settings_file() {
    let bench = Bench::new();
    bench.write("own/settings.toml", "");
    let own = bench.path("own").canonicalize().unwrap().display().to_string();
    let run = bench.run(["doctor", "--json", "--config", "own/settings.toml"]).code(0);
    assert_eq!(check_result(&run, "settings directory").1, own);
    let bench = bench.env("TULK_CONFIG", "own/settings.toml");
    assert_eq!(check_result(&bench.run(["doctor", "--json"]).code(0), "settings directory").1, own);
    let run = bench.run(["doctor", "--json", "--config", "/dev/null"]).code(0);
    assert_eq!(check_result(&run, "settings directory").0, "skipped");
}

#[test]
fn names_the_variable_of_a_directory_that_cannot_be_created() {
    let bench = Bench::new().env("TULK_CACHE_DIR", "/proc/x");
    bench.write("file", "");
    let state = bench.path("file/below").display().to_string();
    let run = bench.env("XDG_STATE_HOME", &state).run(["doctor"]).code(1);
    run.says(&format!(
        "error: state directory: cannot create {state}/tulk: Not a directory\n  \
         hint: make the directory writable, or correct XDG_STATE_HOME\n\
         error: cache directory: cannot create /proc/x: No such file or directory\n  \
         hint: make the directory writable, or correct TULK_CACHE_DIR\n2 checks failed\n"
    ));
}

#[test]
fn a_key_file_does_not_set_the_admin_key_and_an_invalid_admin_key_fails() {
    let bench = Bench::new();
    let key = bench.write("key", "sandbox\n").display().to_string();
    let has_row = |run: &Run| names(run).contains(&"admin key".to_owned());
    let run = bench.run(["doctor", "--json"]).code(0);
    assert_eq!(check_result(&run, "admin key").1, "**** from TULK_ADMIN_KEY");
    let bench = bench.without("TULK_ADMIN_KEY");
    assert!(!has_row(&bench.run(["doctor", "--json", "--key-file", &key]).code(0)));
    assert!(!has_row(&bench.run(["doctor", "--json"]).code(0)));
    let bench = bench.env("TULK_ADMIN_KEY", "a\u{1}b");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(
        (check_result(&run, "key").0, check_result(&run, "admin key").0),
        ("ok".to_owned(), "failed".to_owned())
    );
    let bench = bench.without("TULK_ADMIN_KEY");
    let settings = format!("[profiles.default]\nserver = \"{}\"\nadmin_key_command = \"exit 7\"\n", bench.url());
    bench.write(".config/tulk/config.toml", settings);
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "admin key").1, "admin_key_command failed (exit status: 7)");
    let run = bench.run(["doctor", "--json", "--key-file", "none"]).code(1);
    let (status, detail, hint) = check_result(&run, "key");
    assert_eq!((status.as_str(), detail.as_str()), ("failed", "cannot read none: No such file or directory"));
    assert_eq!(hint, "check --key-file");
    assert!(check_result(&run, "connection").1.ends_with(" ms, and requires a key"));
}

#[test]
fn a_check_creates_no_sandbox_state() {
    let bench = Bench::bare();
    let run = bench.run(["doctor", "--json", "--sandbox"]).code(0).says_nothing();
    assert_eq!(check_result(&run, "connection").0, "ok");
    assert!(!bench.path(".local").exists());
}

/// A narrow terminal cuts the detail, so the reason is also printed on stderr.
#[cfg(unix)]
#[test]
fn a_failure_is_not_cut_on_a_narrow_terminal() {
    let bench = Bench::bare().env("TULK_API_KEY", "k-1").env("TULK_SERVER", "http://127.0.0.1:1");
    for columns in [60, 80] {
        let run = bench.on_terminal(columns, ["doctor"]).code(1);
        run.says("error: connection: cannot connect to http://127.0.0.1:1: Connection refused\n  hint: check ");
    }
}

#[test]
fn the_verbose_version_shows_how_the_program_was_built() {
    let bench = Bench::bare();
    let short = bench.run(["--version"]).code(0).out().to_owned();
    for words in [&["--version", "--verbose"][..], &["-vV"], &["-V", "-v"]] {
        let run = bench.run(words).code(0).says_nothing();
        let mut lines = run.out().lines();
        assert_eq!(lines.next(), Some(short.trim_end()));
        let names: Vec<_> = lines.filter_map(|line| Some(line.split_once(": ")?.0)).collect();
        assert_eq!(names, ["target", "profile", "compiler", "features", "TLS", "service API"]);
        assert!(run.out().ends_with("\nservice API: 3.13 (November 2026)\n"), "{run}");
    }
    let refused = bench.run(["--version", "--verbose", "--json"]).code(2).prints("");
    refused.says(r#""message":"--version prints text only""#).says(r#""hint":"leave out --json, --jq and --format""#);
    bench.run(["--version", "--format", "json"]).code(2);
    bench.run(["version"]).code(2).says("hint: `tulk --version` prints the version\n");
}
