//! Which key `tulk admin` sends, and that a new key is printed only once, on stdout.

use serde_json::json;

use crate::common::Bench;

const ADMIN: &str = "admin-key-0123456789";
const USER: &str = "user-key-0123456789";

fn bench() -> Bench {
    Bench::with(&["--engine", "echo", "--key", USER, "--admin-key", ADMIN])
        .env("TULK_API_KEY", USER)
        .env("TULK_ADMIN_KEY", ADMIN)
}

/// Fails unless `admin` requests used the admin key for administration, and `other` requests used the user key.
#[track_caller]
fn assert_keys(bench: &Bench, admin: usize, other: usize) {
    let requests = bench.requests();
    for request in &requests {
        let path = request["path"].as_str().unwrap();
        let key = if path.starts_with("/v2/admin") { ADMIN } else { USER };
        assert_eq!(request["headers"]["authorization"], format!("Service-Auth-Key {key}"), "{path}");
    }
    let is_admin = |request: &&serde_json::Value| request["path"].as_str().unwrap().starts_with("/v2/admin");
    let got = requests.iter().filter(is_admin).count();
    assert_eq!((got, requests.len() - got), (admin, other));
}

/// Runs one command of each kind: 8 requests with the admin key, 4 with the user key.
fn run_all_commands(bench: &Bench) {
    for args in [
        &["admin", "keys", "create", "ci"][..],
        &["admin", "keys", "rename", "ci", "web"],
        &["admin", "keys", "deactivate", "web", "--yes"],
        &["admin", "usage", "--start", "today", "--end", "today"],
        &["admin", "tags", "--start", "today", "--end", "today"],
        &["api", "GET", "/v2/admin/developer-keys"],
        &["usage"],
        &["translate", "--to", "de", "Hello"],
        &["glossary", "list"],
        &["api", "GET", "/v2/usage"],
    ] {
        bench.run(args).code(0);
    }
}

#[test]
fn sends_each_key_to_its_own_operations_only() {
    let bench = bench();
    run_all_commands(&bench);
    assert_keys(&bench, 8, 4);
}

#[test]
fn neither_key_is_sent_in_place_of_the_other() {
    let bench = bench().without("TULK_ADMIN_KEY");
    bench.run(["admin", "keys", "list"]).code(3).says("TULK_ADMIN_KEY").says("auth login --admin").says_not(USER);
    let bench = bench.without("TULK_API_KEY").env("TULK_ADMIN_KEY", ADMIN);
    bench.run(["usage"]).code(3).says_not(ADMIN);
    assert_eq!(bench.requests().len(), 0);
    let swapped = bench.env("TULK_API_KEY", ADMIN).env("TULK_ADMIN_KEY", USER);
    swapped.run(["usage"]).code(3).says_not(ADMIN);
    swapped.run(["admin", "keys", "list"]).code(3).says("requires an admin key").says_not(USER);
}

#[test]
fn login_keeps_the_admin_key_and_the_user_key() {
    let bench = bench().without("TULK_ADMIN_KEY").without("TULK_API_KEY");
    bench.pipe(format!("{USER}\n"), ["auth", "login", "--no-verify"]).code(0);
    // Login verifies the key with one free admin request.
    bench.pipe(format!("{ADMIN}\n"), ["auth", "login", "--admin"]).code(0);
    run_all_commands(&bench);
    assert_keys(&bench, 9, 4);
    bench.pipe(format!("{USER}\n"), ["auth", "login", "--admin"]).code(3).says_not(USER);
    bench.run(["admin", "keys", "list"]).code(0);
}

#[test]
fn a_configured_command_can_print_the_admin_key() {
    let bench = bench().without("TULK_ADMIN_KEY");
    let settings = format!(
        "default_profile = \"work\"\n\n[profiles.work]\nserver = \"{}\"\nadmin_key_command = \"echo {ADMIN}\"\n",
        bench.url()
    );
    bench.write(".config/tulk/config.toml", settings);
    let bench = bench.without("TULK_SERVER");
    run_all_commands(&bench);
    assert_keys(&bench, 8, 4);
}

#[test]
fn a_new_key_is_printed_once_and_never_logged() {
    let bench = bench();
    let run = bench.run(["admin", "keys", "create", "ci", "-vv"]).code(0).says("developer-keys 200");
    let id = run.out().split('\t').next().unwrap().to_owned();
    assert_eq!((id.len(), run.out().matches(&id).count()), (73, 1), "{run}");
    run.says_not(&id).says_not(ADMIN);
    let list = bench.run(["admin", "keys", "list", "-vv", "--json"]).code(0);
    assert_eq!(list.json()[0]["key_id"], id);
    list.says_not(&id);
    for args in [
        &["admin", "keys", "limit", &id, "--characters", "0", "-vv"][..],
        &["admin", "keys", "deactivate", &id, "-vv"],
        &["admin", "keys", "deactivate", &id, "--yes", "-vv"],
    ] {
        bench.run(args).says_not(&id);
    }
}

#[test]
fn does_not_create_a_key_that_it_could_not_print() {
    let bench = bench();
    bench.run(["admin", "keys", "create", "ci", "--columns", "key_id,secret"]).code(2).says("unknown column `secret`");
    bench.run(["admin", "keys", "create", "ci", "--json", "--header"]).code(2);
    bench.run(["admin", "keys", "create", "ci", "--format", "srt"]).code(2);
    assert_eq!(bench.requests().len(), 0);
    let run = bench.run(["admin", "keys", "create", "ci", "--columns", "label,key_id"]).code(0);
    assert!(run.out().starts_with("ci\t"), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn reports_a_created_key_that_could_not_be_printed() {
    let bench = bench();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = bench.command().args(["admin", "keys", "create", "ci"]).stdout(full).output().unwrap();
    crate::common::Run::from(run).code(70).says("the key was created");
}

#[test]
fn does_not_repeat_a_creation_whose_response_was_lost() {
    let bench = Bench::with(&["--fault", "drop;path=/v2/admin/developer-keys;total=1"]);
    bench.run(["admin", "keys", "create", "ci"]).code(8);
    assert_eq!(bench.sent(), [("POST /v2/admin/developer-keys".to_owned(), json!({"label": "ci"}))]);
    let bench = Bench::with(&["--fault", "503;path=/v2/admin/developer-keys;total=1;retry-after=0"]);
    bench.run(["admin", "keys", "create", "ci"]).code(0);
    assert_eq!(bench.sent().len(), 2);
}
