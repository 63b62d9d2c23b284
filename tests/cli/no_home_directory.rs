//! Users without a home directory, as in containers and on cluster nodes.

#![cfg(unix)]

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::tools::skip;
use crate::common::{Bench, Run, binary, wait_until};

/// A user ID that does not exist on any machine.
const NOBODY: u32 = 54_321;

/// Copies the binary to where every user can run it. Returns `None` if this user cannot switch users; the test is then skipped.
fn public_binary(bench: &Bench) -> Option<PathBuf> {
    std::fs::set_permissions(bench.dir(), PermissionsExt::from_mode(0o755)).unwrap();
    let copy = bench.path("tulk");
    std::fs::copy(binary(), &copy).unwrap();
    let run = || Command::new(&copy).arg("--version").uid(NOBODY).gid(NOBODY).stdout(Stdio::null()).status();
    let mut status = run();
    // A child that another test has just started may still have the copy open for writing.
    while status.as_ref().is_err_and(|error| error.kind() == ErrorKind::ExecutableFileBusy) {
        std::thread::sleep(Duration::from_millis(10));
        status = run();
    }
    let can_run = status.is_ok_and(|status| status.success());
    if !can_run {
        skip("only root can run commands as another user");
    }
    can_run.then_some(copy)
}

/// Runs the binary as a user without an account, with only these variables.
fn run_as_nobody(bench: &Bench, tulk: &Path, variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = Command::new(tulk);
    command.env_clear().envs(variables.iter().copied()).uid(NOBODY).gid(NOBODY).current_dir("/");
    if variables.iter().all(|(name, _)| *name != "TULK_SANDBOX") {
        command.env("TULK_SERVER", bench.url());
    }
    command.args(args).stdin(std::fs::File::open(bench.path("in.txt")).unwrap()).output().unwrap().into()
}

#[test]
fn translates_text_without_a_home_directory() {
    let bench = Bench::new();
    let Some(tulk) = public_binary(&bench) else { return };
    bench.write("in.txt", "é\n\nb\n");
    let key = ("TULK_API_KEY", "sandbox");
    let lines = ["translate", "--to", "de", "--lines"];
    run_as_nobody(&bench, &tulk, &[key], &lines).code(0).prints("é\n\nb\n").says_nothing();
    run_as_nobody(&bench, &tulk, &[key, ("LC_ALL", "C")], &lines).code(0).prints("é\n\nb\n").says_nothing();
    run_as_nobody(&bench, &tulk, &[key, ("HOME", "/nonexistent")], &lines).code(0).prints("é\n\nb\n").says_nothing();
    run_as_nobody(&bench, &tulk, &[key], &["langs", "list", "--columns", "lang"]).code(0).says_nothing();
    run_as_nobody(&bench, &tulk, &[], &lines).code(3).says("set TULK_API_KEY");
    let key_file = bench.write("key", "sandbox\n").display().to_string();
    let with_file = [&lines[..], &["--key-file", &key_file]].concat();
    run_as_nobody(&bench, &tulk, &[], &with_file).code(0).prints("é\n\nb\n").says_nothing();
    // An explicitly named profile is not ignored.
    let run = run_as_nobody(&bench, &tulk, &[key], &[&lines[..], &["--profile", "work"]].concat());
    run.code(2).says("cannot find the home directory");
}

#[test]
fn warns_about_and_ignores_settings_in_the_home_directory_of_another_user() {
    let bench = Bench::new();
    let Some(tulk) = public_binary(&bench) else { return };
    bench.write("in.txt", "a\n");
    let settings = bench.write("home/.config/tulk/config.toml", "[profiles.default]\ntarget_lang = \"fr\"\n");
    let home = bench.path("home");
    std::fs::set_permissions(&home, PermissionsExt::from_mode(0o700)).unwrap();
    let variables = [("TULK_API_KEY", "sandbox"), ("HOME", home.to_str().unwrap())];
    let lines = ["translate", "--to", "de", "--lines"];
    let run = run_as_nobody(&bench, &tulk, &variables, &lines).code(0).prints("a\n");
    run.says("warning: cannot read the settings file").says("Permission denied; continuing without settings");
    let run = run_as_nobody(&bench, &tulk, &variables[1..], &lines).code(3);
    run.says("set TULK_API_KEY");
    let run = run_as_nobody(&bench, &tulk, &variables, &["doctor"]).code(1);
    let path = settings.display();
    run.says(&format!(
        "error: settings: cannot read the settings file {path}: Permission denied\n  hint: make the file readable, or"
    ));
    // A settings file that is visible, or named by a flag, must be readable.
    let config = [&lines[..], &["--config", settings.to_str().unwrap()]].concat();
    run_as_nobody(&bench, &tulk, &variables, &config).code(2).says("Permission denied");
    std::fs::set_permissions(&home, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(&settings, PermissionsExt::from_mode(0o600)).unwrap();
    run_as_nobody(&bench, &tulk, &variables, &lines).code(2).says("Permission denied");
}

#[test]
fn documents_need_a_directory_for_their_keys() {
    let bench = Bench::with(&["--engine", "echo", "--document-queue", "0s", "--document-translate", "0s"]);
    let Some(tulk) = public_binary(&bench) else { return };
    let text = bench.write("in.txt", "a\n").display().to_string();
    let dir = bench.path("public");
    std::fs::create_dir(&dir).unwrap();
    std::fs::set_permissions(&dir, PermissionsExt::from_mode(0o777)).unwrap();
    let dir = dir.to_str().unwrap();
    let key = ("TULK_API_KEY", "sandbox");
    let translate = ["doc", "translate", "--to", "de", "--out-dir", dir, &text];
    let run = run_as_nobody(&bench, &tulk, &[key], &translate).code(2);
    run.says("error: cannot find the home directory").says("hint: set HOME or XDG_STATE_HOME");
    assert!(bench.requests().is_empty());
    let state = format!("{dir}/state");
    run_as_nobody(&bench, &tulk, &[key, ("XDG_STATE_HOME", &state)], &translate).code(0);
    assert_eq!(bench.read("public/in.de.txt"), "a\n");
    wait_until("the state", || Path::new(&state).join("tulk").is_dir());
}

#[test]
fn the_embedded_sandbox_works_without_a_state_directory() {
    let bench = Bench::new();
    let Some(tulk) = public_binary(&bench) else { return };
    bench.write("in.txt", "a\n");
    let variables = [("TULK_SANDBOX", "1"), ("TULK_SANDBOX_ENGINE", "upper")];
    let run = run_as_nobody(&bench, &tulk, &variables, &["translate", "--to", "de", "--lines"]).code(0).prints("A\n");
    run.says("the sandbox keeps no state in this run");
}
