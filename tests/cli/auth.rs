//! Keys: their sources, the server each is sent to, and that they stay secret.

use serde_json::json;

use crate::common::Bench;

#[test]
fn login_checks_and_stores_a_key_and_status_masks_it() {
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
fn status_blames_the_network_for_an_unreachable_server() {
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:1").env("TULK_API_KEY", "k-1234567890");
    let what = "cannot connect to http://127.0.0.1:1: Connection refused";
    let run = bench.run(["auth", "status", "--columns", "works,problem"]).code(8).prints(format!("unknown\t{what}\n"));
    let hint = "`tulk doctor` checks the server address, the network and the proxy";
    run.says(&format!("error: {what}\n  hint: {hint}\n")).says_not("no key works");
    let keys = bench.run(["auth", "status", "--json"]).code(8).json();
    assert_eq!((&keys[0]["works"], &keys[0]["problem"]), (&json!(null), &json!(what)));
    let busy = bench.serve(&["--fault", "503"]);
    let bench = bench.env("TULK_SERVER", &busy.url);
    assert_eq!(bench.run(["auth", "status", "--json"]).code(7).json()[0]["works"], json!(null));
    let server = bench.serve(&[]);
    let bench = bench.env("TULK_SERVER", &server.url);
    bench.run(["auth", "status"]).code(3).says("error: no key works\n");
    assert_eq!(bench.run(["auth", "status", "--json"]).code(3).json()[0]["works"], false);
}

#[test]
fn status_blames_an_unusable_proxy() {
    let bench = Bench::bare().env("TULK_API_KEY", "k-1234567890").env("ALL_PROXY", "ftp://proxy.example");
    let server = bench.serve(&[]);
    let bench = bench.env("TULK_SERVER", &server.url);
    let run = bench.run(["auth", "status", "--columns", "works,problem"]).code(2);
    let run = run.prints("unknown\tALL_PROXY: unknown proxy scheme `ftp`\n").says_not("no key works");
    run.says("error: ALL_PROXY: unknown proxy scheme `ftp`\n  hint: write http://HOST:PORT or socks5h://HOST:PORT\n");
}

#[cfg(unix)]
#[test]
fn a_narrow_terminal_shows_each_key_as_a_block_with_its_source() {
    let bench = Bench::bare();
    let server = bench.serve(&["--key", "first-key-0123456789", "--admin-key", "admin-key-0123456789"]);
    bench.pipe("first-key-0123456789\n", ["auth", "login", "--server", &server.url]).code(0);
    bench.pipe("admin-key-0123456789\n", ["auth", "login", "--admin"]).code(0);
    let url = &server.url;
    let block = |kind: &str| {
        format!(
            "PROFILE  default\nSERVER   {url}\nKIND     {kind}\nKEY      ****6789\nSOURCE   credentials.toml\nWORKS    yes\n"
        )
    };
    let blocks = format!("{}\n{}", block("account"), block("admin"));
    bench.on_terminal(60, ["auth", "status"]).code(0).prints(blocks);
    let wide = bench.on_terminal(120, ["auth", "status"]).code(0);
    assert!(wide.out().starts_with("PROFILE  SERVER"), "{wide}");
    let bench = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:1").env("TULK_API_KEY", "k-1234567890");
    let problem = "cannot connect to http://127.0.0.1:1: Connection refused";
    let run = bench.on_terminal(80, ["auth", "status"]).code(8);
    assert!(
        run.out().ends_with(&format!("\nKEY      ****\nSOURCE   TULK_API_KEY\nWORKS    unknown\nPROBLEM  {problem}\n")),
        "{run}"
    );
    let bench = bench.env("TULK_SERVER", &server.url);
    let problem = "the service refused the request: Authorization failure: the key is not known";
    bench.on_terminal(80, ["auth", "status"]).code(3).prints(format!(
        "PROFILE  default\nSERVER   {url}\nKIND     account\nKEY      ****\nSOURCE   TULK_API_KEY\nWORKS    no\nPROBLEM  {problem}\n"
    ));
}

#[test]
fn sends_a_stored_key_only_to_its_server() {
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
fn login_replaces_service_server_and_endpoint() {
    let file = ".config/tulk/config.toml";
    let bench = Bench::bare();
    let server = bench.serve(&[]);
    let login = |key: &str, args: &[&str]| {
        bench.pipe(key, ["auth", "login", "--no-verify"].iter().chain(args)).code(0);
        bench.read(file)
    };
    assert_eq!(
        login("k:fx", &["--service", "deepl", "--endpoint", "us"]),
        "[profiles.default]\nservice = \"deepl\"\nendpoint = \"us\"\n"
    );
    assert_eq!(login("k", &["--endpoint", "jp"]), "[profiles.default]\nservice = \"deepl\"\nendpoint = \"jp\"\n");
    assert_eq!(login("k:fx", &["--service", "deepl"]), "[profiles.default]\nservice = \"deepl\"\n");
    bench.run(["auth", "token"]).code(0).prints("k:fx\n");
    assert!(bench.read(".config/tulk/credentials.toml").contains("https://api-free.deepl.com"));
    bench.pipe("sandbox", ["auth", "login", "--server", &server.url]).code(0);
    assert_eq!(bench.read(file), format!("[profiles.default]\nserver = \"{}\"\n", server.url));
    let last = server.requests().pop().unwrap();
    assert_eq!(last["headers"]["authorization"], "Service-Auth-Key sandbox");
    bench.pipe("k", ["auth", "login", "--endpoint", "us"]).code(2);
    bench.pipe("k", ["auth", "login", "--server", &server.url, "--endpoint", "us"]).code(2);
    bench.pipe("k", ["auth", "login", "--server", "http://t.example/"]).code(2).says("--insecure-http");
    bench.pipe("", ["auth", "login"]).code(2).says("empty");
}

#[test]
fn login_creates_the_profile_and_keeps_both_keys_apart() {
    let bench = Bench::bare();
    let server = bench.serve(&["--key", "k-user", "--admin-key", "k-admin"]);
    bench.pipe("k-user\n", ["auth", "login", "-p", "new", "--server", &server.url]).code(0);
    bench.pipe("k-admin\n", ["auth", "login", "-p", "new", "--admin", "--no-verify"]).code(0);
    bench.run(["-p", "new", "auth", "token"]).code(0).prints("k-user\n");
    bench.run(["-p", "new", "auth", "token", "--admin"]).code(0).prints("k-admin\n");
    let run = bench.run(["-p", "new", "auth", "status", "--columns", "profile,server,kind,key,source"]).code(0);
    let row = |kind: &str| format!("new\t{}\t{kind}\t****\tcredentials.toml\n", server.url);
    assert_eq!(run.out(), row("account") + &row("admin"));
    bench.run(["-p", "new", "auth", "logout", "--admin"]).code(0);
    bench.run(["-p", "new", "auth", "token", "--admin"]).code(3);
    bench.run(["-p", "new", "auth", "token"]).code(0);
}

#[test]
fn never_sends_a_stored_key_to_another_server_of_the_profile() {
    let bench = Bench::bare();
    let own = bench.serve(&[]);
    bench.pipe("sandbox\n", ["auth", "login", "--server", &own.url]).code(0);
    bench.run(["auth", "token"]).code(0).prints("sandbox\n");
    bench.write(".config/tulk/config.toml", "[profiles.default]\nservice = \"deepl\"\n");
    bench.run(["auth", "token"]).code(3).prints("").says(&own.url).says("https://api.deepl.com");
}

#[test]
fn a_key_command_runs_once_for_its_server_without_stdin() {
    let bench = Bench::bare();
    bench.write(
        ".config/tulk/config.toml",
        "[profiles.default]\nservice = \"deepl\"\nkey_command = \"cat; echo k-command; echo ran >> log\"\n",
    );
    bench.pipe("a text to translate\n", ["auth", "token"]).code(0).prints("k-command\n");
    assert_eq!(bench.read("log"), "ran\n");
    bench.run(["auth", "token", "--server", "https://else.example"]).code(3).says("else.example").says("key_command");
    bench.run(["auth", "token", "--server", "https://api-us.deepl.com/v2"]).code(0);
    assert_eq!(bench.read("log"), "ran\nran\n");
    bench.write(
        ".config/tulk/config.toml",
        "[profiles.default]\nservice = \"deepl\"\nkey_command = \"echo ran >> log; exit 7\"\n",
    );
    bench.run(["auth", "token"]).code(3).says("key_command failed").says("7");
    assert_eq!(bench.read("log"), "ran\nran\nran\n");
}

#[test]
fn reads_a_key_from_stdin_once() {
    let bench = Bench::bare();
    bench.write(".config/tulk/config.toml", "[profiles.default]\nservice = \"deepl\"\n");
    bench.pipe("k-1:adm\n", ["auth", "token", "--admin", "--key-file", "-"]).code(0).prints("k-1:adm\n");
}

#[test]
fn key_sources_have_a_precedence() {
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
fn reports_a_failing_key_command() {
    let bench = Bench::bare();
    bench.write(
        ".config/tulk/config.toml",
        "[profiles.default]\nserver = \"http://127.0.0.1:9\"\nkey_command = \"exit 3\"\n",
    );
    bench.run(["translate", "--to", "de", "x"]).code(3).says("key_command");
}

#[test]
fn refuses_a_credentials_file_readable_by_others() {
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
    bench.run(["auth", "token"]).code(2).prints("").says("chmod 600");
    bench.run(["translate", "--to", "de", "x"]).code(2).says("chmod 600");
}

#[test]
fn presets_and_services_set_addresses_and_headers() {
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
