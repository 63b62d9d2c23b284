//! Kills of `tulk config set`, `tulk config unset` and `tulk auth login`: each file is the old or the new one, and private.

use fastrand::Rng;

use super::Scenario;
use super::leftovers::{check_end, check_state, files, mode};
use super::world::{STDIN, World};
use crate::common::Bench;

pub const SCENARIO: Scenario = Scenario { name: "settings", sandbox: &["--engine", "echo"], round };

const SETTINGS: &str = ".config/tulk/config.toml";
const KEYS: &str = ".config/tulk/credentials.toml";
const OLD: &str = "# Mine\ndefault_profile = \"work\"\n\n[profiles.work]\ntarget_lang = \"fr\" # for now\n";
const OLD_KEYS: &str = "[profiles.work]\nkey = \"old-key-0001\"\nserver = \"http://127.0.0.1:9/\"\n";

fn prepare(bench: &Bench) {
    bench.write(SETTINGS, OLD);
    bench.write(KEYS, OLD_KEYS);
    make_keys_private(bench);
    // Key for `auth login`.
    bench.write(STDIN, "sandbox\n");
}

fn make_keys_private(bench: &Bench) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(bench.path(KEYS), std::fs::Permissions::from_mode(0o600)).unwrap();
}

fn round(world: &mut World, rng: &mut Rng) {
    let url = world.url().to_owned();
    let (kind, args): (_, Vec<&str>) = match rng.u8(0..3) {
        0 => ("config set", vec!["config", "set", "profiles.work.target_lang", "de"]),
        1 => ("config unset", vec!["config", "unset", "profiles.work.target_lang"]),
        _ => ("auth login", vec!["auth", "login", "--server", &url]),
    };
    world.measure(kind, &args, prepare);
    prepare(&world.bench);
    let new = {
        let bench = world.other_bench();
        prepare(&bench);
        let mut command = bench.command();
        let stdin = std::fs::File::open(bench.path(STDIN)).unwrap();
        assert!(command.args(&args).stdin(stdin).output().unwrap().status.success());
        contents(&bench)
    };
    let mut code = None;
    while code.is_none() {
        // A setting cannot be unset twice.
        let is_gone = kind == "config unset" && contents(&world.bench) == new;
        if rng.u8(0..3) > 0 {
            (_, code) = world.kill(&args, rng);
        } else {
            code = Some(world.run(&args).1.code);
        }
        let expected = if is_gone { 4 } else { 0 };
        assert!(code.is_none_or(|code| code == expected), "{}: exit code {code:?}", world.label());
        check_files(world, &new);
    }
    assert_eq!(contents(&world.bench), new, "{}", world.label());
    check_end(&world.bench, world.label());
    assert_eq!(files(&world.bench, ".config"), [SETTINGS, KEYS], "{}", world.label());
}

fn contents(bench: &Bench) -> (String, String) {
    (bench.read(SETTINGS), bench.read(KEYS))
}

fn check_files(world: &mut World, (settings, keys): &(String, String)) {
    check_state(&world.bench, world.label());
    let (now_settings, now_keys) = contents(&world.bench);
    let label = world.label();
    assert!(now_settings == OLD || now_settings == *settings, "{label}: {SETTINGS}: {now_settings}");
    assert!(now_keys == OLD_KEYS || now_keys == *keys, "{label}: {KEYS}: {now_keys}");
    assert_eq!(mode(&world.bench, KEYS), 0o600, "{label}");
    for name in files(&world.bench, ".config").iter().filter(|name| name.ends_with(".tmp")) {
        let text = world.bench.read(name);
        let is_secret = text.contains("key");
        assert!(!is_secret || mode(&world.bench, name) == 0o600, "{label}: {name}: {text}");
    }
    // Both files are readable, and a key is returned only for the server it was stored for.
    let bench = &world.bench;
    let (get, token) = (
        bench.run(["config", "list"]),
        bench.command().env_remove("TULK_API_KEY").env_remove("TULK_SERVER").args(["auth", "token"]).output().unwrap(),
    );
    assert_eq!(get.code, 0, "{label}\n{get}");
    let token = crate::common::Run::unlisted(token);
    let is_new = now_keys != OLD_KEYS;
    let knows_server = now_settings.contains(world.url());
    if token.code == 0 {
        assert!(token.out() == if is_new { "sandbox\n" } else { "old-key-0001\n" }, "{label}\n{token}");
        assert!(knows_server || !is_new, "{label}\n{token}");
    } else {
        assert_eq!(token.code, 3, "{label}\n{token}");
    }
}
