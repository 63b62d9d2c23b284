//! Wrong, missing and conflicting servers, keys and settings: what is refused, and with which message.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Bench, Run};

const FILE: &str = ".config/tulk/config.toml";

#[test]
fn a_refused_server_address_with_a_key_is_not_quoted() {
    let bench = Bench::bare();
    for address in ["http://h.example/?auth_key=SECRET", "https://SECRET@h.example", "h.example?k=SECRET", "x#SECRET"] {
        let run = bench.run(["translate", "--to", "de", "--server", address, "x"]).code(2);
        assert!(run.stderr.starts_with("error: invalid server address: ") && !run.stderr.contains("SECRET"), "{run}");
    }
    bench.run(["translate", "--to", "de", "--server", "h.example", "x"]).code(2).says("`h.example`");
}

#[test]
fn refuses_a_proxy_of_an_unknown_scheme() {
    let bench = Bench::bare().env("TULK_SERVER", "https://h.example").env("TULK_API_KEY", "k");
    let args = ["translate", "--to", "de", "--retries", "0", "x"];
    let run = bench.run(args.iter().chain(&["--proxy", "ftp://u:pw@h.example:21"])).code(2);
    assert!(!run.stderr.contains("pw@"), "{run}");
    run.says("--proxy: unknown proxy scheme `ftp`").says("socks5h://HOST:PORT");
    bench.write(
        "c.toml",
        "[profiles.work]\nproxy = \"ftp://u:pw@h.example:21\"\n[profiles.off]\nproxy = \"http://h:port\"\n",
    );
    let run = bench.run(args.iter().chain(&["--config", "c.toml", "-p", "work"])).code(2);
    run.says("error: profiles.work.proxy: unknown proxy scheme `ftp`\n").says_not("pw@");
    let run = bench.run(args.iter().chain(&["--config", "c.toml", "-p", "off"])).code(2);
    run.says("error: invalid address for profiles.off.proxy\n");
    let bench = bench.env("HTTPS_PROXY", "ftp://h.example:21");
    bench.run(args).code(2).says("HTTPS_PROXY: unknown proxy scheme `ftp`");
    // An unparsable address is refused too, not ignored.
    for address in ["http://u:pw@[", "http://", "http://h.example:port"] {
        let bench = Bench::bare().env("TULK_SERVER", "https://h.example").env("TULK_API_KEY", "k");
        let run = bench.env("https_proxy", address).run(args).code(2).says("invalid address for https_proxy");
        assert!(!run.stderr.contains("pw@"), "{run}");
    }
}

#[cfg(unix)]
#[test]
fn never_runs_a_key_command_from_settings_writable_by_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::bare();
    let marker = bench.path("ran");
    let command = format!("touch {}; echo k", marker.display());
    let text = format!("[profiles.default]\nserver = \"http://127.0.0.1:9\"\nkey_command = '{command}'\n");
    let file = bench.write(FILE, text);
    for mode in [0o666, 0o646] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let run = bench.run(["auth", "token"]).code(2).says(&format!("can be written by others (mode {mode:o})"));
        run.says(&format!("run: chmod go-w {}", file.display()));
        assert!(!marker.exists());
    }
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    bench.run(["auth", "token"]).code(0).prints("k\n");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn status_tries_each_key_once_and_concurrently() {
    let bench = Bench::bare();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let profile = |n| format!("[profiles.p{n}]\nserver = \"http://127.0.0.1:{port}/{n}\"\n");
    let text: String = (0..5).map(profile).collect();
    bench.write(FILE, format!("default_profile = \"p0\"\n{text}"));
    let bench = bench.env("TULK_API_KEY", "some-long-key-123");
    let begin = Instant::now();
    let run = bench.run(["auth", "status", "--json"]).code(8);
    // One after the other, the five time-outs of three seconds would take 15.
    assert!(begin.elapsed() < Duration::from_secs(9), "{:?}", begin.elapsed());
    let rows = run.json();
    assert_eq!(rows.as_array().unwrap().len(), 5);
    for row in rows.as_array().unwrap() {
        assert_eq!(row["works"], serde_json::Value::Null);
        assert!(row["problem"].as_str().unwrap().contains("within 3 s"), "{row}");
    }
    // A server that is down is not tried again.
    let run = bench.run(["auth", "status", "--server", "http://127.0.0.1:1"]).code(8);
    assert!(!run.stderr.contains("retrying"), "{run}");
}

#[test]
fn the_embedded_sandbox_is_shown_by_name_and_not_by_address() {
    let bench = Bench::bare();
    let plan = |args: &[&str]| bench.run(["--sandbox"].iter().chain(args)).code(0).stdout;
    let args = ["translate", "--to", "de", "-n", "x"];
    assert_eq!(plan(&args), plan(&args));
    assert!(String::from_utf8(plan(&args)).unwrap().contains(r#""url":"sandbox/v2/translate""#));
    let status = bench.run(["--sandbox", "auth", "status", "--json"]).code(0).json();
    assert_eq!(status[0]["server"], "sandbox");
    bench.run(["--sandbox", "api", "GET", "/v2/nothing"]).code(4).says("sandbox/v2/nothing").says_not("127.0.0.1");
}

#[test]
fn login_reports_missing_settings_before_it_asks_for_the_key() {
    let bench = Bench::bare();
    // Nothing is written to this pipe, so a command that reads it would hang.
    let (reader, _writer) = std::io::pipe().unwrap();
    let run = |args: &[&str]| -> Run {
        let stdin: Stdio = reader.try_clone().unwrap().into();
        bench.command().args(args).stdin(stdin).output().unwrap().into()
    };
    run(&["auth", "login"]).code(3).says("no server is set").says("a preset (service, deepl)");
    run(&["auth", "login", "--service", "nonsense"]).code(2).says("unknown service `nonsense`");
    run(&["auth", "login", "--server", "nonsense"]).code(2).says("invalid server address");
}

#[test]
fn a_public_service_key_for_a_generic_server_gets_a_hint() {
    let bench = Bench::with(&["--key", "other"]).without("TULK_API_KEY").env("DEEPL_AUTH_KEY", "key-of-deepl-1");
    let run = bench.run(["usage"]).code(3).says("no key is set for http://127.0.0.1:");
    run.says("DEEPL_AUTH_KEY is for the preset `deepl`").says("`tulk config set profiles.default.service deepl`");
    bench.run(["config", "set", "profiles.default.service", "deepl"]).code(0);
    bench.run(["usage"]).code(3).says("; the key was sent as `DeepL-Auth-Key`, which the profile's `service` setting");
}

#[test]
fn the_sandbox_overrides_the_server_variable_but_not_the_flag() {
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:9");
    bench.run(["--sandbox", "usage"]).code(0);
    bench.run(["usage", "--sandbox", "--retries", "0"]).code(0);
    bench.run(["--sandbox", "usage", "--server", "http://127.0.0.1:9"]).code(2).says("--sandbox cannot be used with");
    let bench = bench.env("TULK_SANDBOX", "1");
    bench.run(["usage"]).code(0);
    bench.run(["usage", "--server", "http://127.0.0.1:9"]).code(2).says("TULK_SANDBOX counts as --sandbox");
}

#[test]
fn environment_variables_do_not_change_the_usage_in_an_error() {
    let bench = Bench::bare();
    let plain = bench.run(["translate", "--no-such-flag"]).code(2);
    let bench = bench.env("TULK_SERVER", "http://127.0.0.1:9").env("TULK_PROFILE", "work");
    let run = bench.run(["translate", "--no-such-flag"]).code(2).says_not("--server").says_not("--profile");
    assert_eq!(run.stderr, plain.stderr);
}

#[test]
fn global_flags_work_after_the_value_of_a_setting() {
    let bench = Bench::bare();
    let run = bench.run(["config", "set", "profiles.w.target_lang", "de", "-n"]).code(0);
    run.says(r#"config.toml: profiles.w.target_lang = "de""#);
    assert!(!bench.path(FILE).exists());
    bench.run(["config", "set", "profiles.w.target_lang", "de", "--config", "other.toml"]).code(0);
    assert_eq!(bench.read("other.toml"), "[profiles.w]\ntarget_lang = \"de\"\n");
    assert!(!bench.path(FILE).exists());
    bench.run(["config", "set", "profiles.w.context", "-x"]).code(2).says("-- -x");
    bench.run(["config", "set", "-n", "profiles.w.retries", "--", "-1"]).code(2).says("`-1` is less than 0");
    bench.run(["config", "unset", "profiles.w.target_lang", "--config", "other.toml", "-n"]).code(0).says("remove");
}

#[test]
fn json_prints_paths_and_keys_as_objects() {
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:9").env("TULK_API_KEY", "k-123");
    let path = bench.run(["config", "path", "--json"]).code(0).json();
    assert_eq!(path, serde_json::json!({ "path": bench.path(FILE) }));
    let key = bench.run(["auth", "token", "--json"]).code(0).json();
    assert_eq!(key, serde_json::json!({ "key": "k-123", "source": "TULK_API_KEY" }));
}

#[cfg(unix)]
#[test]
fn names_an_argument_that_is_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::bare();
    let cafe = OsStr::from_bytes(b"caf\xe9");
    let with = |args: &[&str]| bench.run(args.iter().map(OsStr::new).chain([cafe]));
    with(&["translate", "--to", "de"]).code(2).says(r"invalid UTF-8 in an argument: `caf\xe9`");
    with(&["translate", "--json", "--to", "de"]).code(2).says(r"caf\\xe9").says(r#""kind":"usage""#);
    with(&["translate", "--no-such-flag"]).code(2).says("--no-such-flag");
    with(&["--no-such-flag", "--json"]).code(2).says("--no-such-flag");
}

#[cfg(unix)]
#[test]
fn the_sandbox_continues_without_a_state_directory() {
    let bench = Bench::bare();
    // A file in place of the directory: not even root can write there.
    bench.write("file", "");
    let state = bench.path("file").display().to_string();
    let bench = bench.env("XDG_STATE_HOME", &state);
    let run = bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(0);
    assert_eq!(run.stderr.lines().filter(|line| line.contains("keeps no state in this run")).count(), 1, "{run}");
    run.says(&format!("{state}/tulk/sandbox"));
    let home = bench.path("file").display().to_string();
    let bench = bench.env("HOME", &home).env("XDG_CONFIG_HOME", &home).env("XDG_CACHE_HOME", &home);
    bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(0).says("keeps no state in this run");
    bench.run(["config", "list"]).code(0).says("no settings in ");
    bench.run(["doc", "list"]).code(0);
    bench.run(["sandbox", "status"]).code(0);
    bench.run(["config", "set", "default_profile", "x"]).code(2).says("cannot create directory");
}
