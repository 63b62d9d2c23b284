//! Keys: where they come from, where they go, and that they stay secret.

use serde_json::json;

use crate::common::Bench;

#[test]
fn login_checks_and_stores_and_status_masks() {
    let bench = Bench::bare();
    let server = bench.serve(&["--key", "first-key-0123456789"]);
    let login = |bench: &Bench, key: &str| bench.pipe(format!("{key}\n"), ["auth", "login", "--server", &server.url]);
    login(&bench, "wrong-key-0123456789").code(3);
    assert!(!bench.path(".config/tulk/credentials.toml").exists());
    login(&bench, "first-key-0123456789").code(0).prints("");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |name: &str| bench.path(name).metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(".config/tulk/credentials.toml"), 0o600);
    }
    assert!(!bench.read(".config/tulk/config.toml").contains("first-key"));
    let run = bench.run(["auth", "status", "--json"]).code(0);
    assert_eq!(run.json()[0]["key"], "****6789");
    assert_eq!(run.json()[0]["source"], "credentials.toml");
    assert_eq!(run.json()[0]["works"], true);
    bench.run(["translate", "--to", "de", "x"]).code(0);
    bench.run(["auth", "token"]).code(0).prints("first-key-0123456789\n");
    bench.run(["auth", "logout"]).code(0);
    bench.run(["auth", "logout"]).code(4);
    bench.run(["translate", "--to", "de", "x"]).code(3).says("TULK_API_KEY");
}

#[test]
fn a_stored_key_goes_only_to_its_server() {
    let bench = Bench::bare();
    let own = bench.serve(&[]);
    let other = bench.serve(&[]);
    bench.pipe("sandbox\n", ["auth", "login", "--server", &own.url]).code(0);
    bench.run(["translate", "--server", &other.url, "--to", "de", "x"]).code(3);
    assert!(other.requests().is_empty());
    bench.write("key", "sandbox\n");
    bench.run(["translate", "--server", &other.url, "--key-file", "key", "--to", "de", "x"]).code(0);
}

#[test]
fn sources_have_an_order() {
    let bench = Bench::bare();
    let server = bench.serve(&["--key", "k-file", "--key", "k-env", "--key", "k-command", "--key", "k-stored"]);
    bench.pipe("k-stored", ["auth", "login", "--server", &server.url]).code(0);
    let used = |run: crate::common::Run| {
        run.code(0);
        let last = server.requests().pop().unwrap();
        last["headers"]["authorization"].as_str().unwrap().to_owned()
    };
    assert_eq!(used(bench.run(["translate", "--to", "de", "x"])), "Service-Auth-Key k-stored");
    bench.run(["config", "set", "profiles.default.key_command", "echo k-command; echo more"]).code(0);
    assert_eq!(used(bench.run(["translate", "--to", "de", "x"])), "Service-Auth-Key k-command");
    let bench = bench.env("TULK_API_KEY", "k-env");
    assert_eq!(used(bench.run(["translate", "--to", "de", "x"])), "Service-Auth-Key k-env");
    bench.write("file", "k-file\n");
    assert_eq!(used(bench.run(["translate", "--key-file", "file", "--to", "de", "x"])), "Service-Auth-Key k-file");
    assert_eq!(
        used(bench.pipe("k-file\n", ["translate", "--key-file", "-", "--to", "de", "x"])),
        "Service-Auth-Key k-file"
    );
    bench.pipe("k-file", ["translate", "--key-file", "-", "--to", "de"]).code(2).says("stdin");
}

#[test]
fn a_failing_key_command_is_named() {
    let bench = Bench::bare();
    bench.write(
        ".config/tulk/config.toml",
        "[profiles.default]\nserver = \"http://127.0.0.1:9\"\nkey_command = \"exit 3\"\n",
    );
    bench.run(["translate", "--to", "de", "x"]).code(3).says("key_command");
}

#[test]
fn credentials_that_others_can_read_are_refused() {
    let bench = Bench::bare();
    let server = bench.serve(&[]);
    bench.pipe("sandbox", ["auth", "login", "--server", &server.url]).code(0);
    assert!(
        std::process::Command::new("chmod")
            .arg("644")
            .arg(bench.path(".config/tulk/credentials.toml"))
            .status()
            .unwrap()
            .success()
    );
    bench.run(["translate", "--to", "de", "x"]).code(2).says("chmod 600");
}

#[test]
fn presets_are_data() {
    let bench = Bench::bare().env("DEEPL_AUTH_KEY", "0123456789:fx");
    let run = bench.run(["translate", "--to", "de", "-n", "--reporting-tag", "t", "x"]).code(0);
    assert_eq!(run.json()["url"], "https://api-free.deepl.com/v2/translate");
    assert_eq!(run.json()["headers"], json!({"content-type": "application/json", "x-deepl-reporting-tag": "t"}));
    let bench = bench.env("DEEPL_AUTH_KEY", "0123456789");
    let run = bench
        .run(["translate", "--to", "de", "-n", "x", "--model-type", "latency_optimized", "--custom-instruction", "i"])
        .code(0);
    assert_eq!(run.json()["url"], "https://api.deepl.com/v2/translate");
    bench.write(".config/tulk/config.toml", "[profiles.us]\nservice = \"deepl\"\nendpoint = \"us\"\n[profiles.own]\nservice = \"inhouse\"\n[services.inhouse]\nbase_url = \"https://t.example/\"\nauth_scheme = \"Own\"\n");
    let url = |p: &str| bench.run(["-p", p, "translate", "--to", "de", "-n", "x"]).code(0).json()["url"].clone();
    assert_eq!(url("us"), "https://api-us.deepl.com/v2/translate");
    assert_eq!(url("own"), "https://t.example/v2/translate");
}
