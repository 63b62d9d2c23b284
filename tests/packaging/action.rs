//! Runs the script of action.yml against a local server instead of the releases, with the variables of a runner.

use std::process::Command;
use std::sync::Arc;

use super::{files_below, root, unpacked_release, write_program};
use crate::common::Run;
use crate::common::scripted::{ScriptedServer, answer};
use crate::common::tools::has;

const NAME: &str = "tulk-1.2.3-x86_64-unknown-linux-musl";

/// A Linux runner on x86-64, and a server with release 1.2.3.
struct Runner {
    directory: tempfile::TempDir,
    server: ScriptedServer,
    env: Vec<(String, String)>,
}

impl Runner {
    /// `change` modifies the archive after its checksum was computed.
    fn with_archive(change: impl Fn(&mut Vec<u8>)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let made = directory.path().join("made");
        unpacked_release(&made.join(NAME), "1.2.3");
        std::fs::create_dir(directory.path().join("temp")).unwrap();
        let archive = directory.path().join(format!("{NAME}.tar.gz"));
        let tar = Command::new("tar").arg("-C").arg(&made).arg("-czf").arg(&archive).arg(NAME).status().unwrap();
        assert!(tar.success());
        let sums =
            Command::new("sha256sum").arg(format!("{NAME}.tar.gz")).current_dir(directory.path()).output().unwrap();
        let mut bytes = std::fs::read(&archive).unwrap();
        change(&mut bytes);
        let (sums, bytes) = (Arc::new(sums.stdout), Arc::new(bytes));
        let server = ScriptedServer::start(move |request| match request.split(' ').nth(1).unwrap() {
            "/releases/latest" => answer(302, &["location: /releases/tag/v1.2.3"], ""),
            "/releases/tag/v1.2.3" | "/portal/latest" => answer(200, &[], ""),
            "/releases/download/v1.2.3/SHA256SUMS" => answer(200, &[], &*sums),
            path if path == format!("/releases/download/v1.2.3/{NAME}.tar.gz") => answer(200, &[], &*bytes),
            _ => answer(404, &[], "Not Found"),
        });
        let mut runner = Self { directory, env: Vec::new(), server };
        runner.set("RUNNER_OS", "Linux");
        runner.set("RUNNER_ARCH", "X64");
        runner.set("INPUT_RELEASES", &format!("{}/releases", runner.server.url));
        for (variable, file) in [("RUNNER_TEMP", "temp"), ("GITHUB_PATH", "path"), ("GITHUB_OUTPUT", "output")] {
            let path = runner.directory.path().join(file).display().to_string();
            runner.set(variable, &path);
        }
        runner
    }

    fn new() -> Self {
        Self::with_archive(|_| {})
    }

    fn set(&mut self, variable: &str, value: &str) {
        self.env.retain(|(name, _)| name != variable);
        self.env.push((variable.to_owned(), value.to_owned()));
    }

    fn run(&self, step: &str) -> Run {
        let mut command = Command::new("sh");
        command.arg(root().join("packaging/action.sh")).arg(step).current_dir(self.directory.path());
        command.env_clear().env("PATH", std::env::var("PATH").unwrap()).envs(self.env.iter().cloned());
        Run::unlisted(command.output().unwrap())
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.directory.path().join(name)).unwrap_or_default()
    }

    /// Asserts that the installation fails with this message and leaves nothing on the path.
    #[track_caller]
    fn refuses(&self, message: &str) {
        let run = self.run("install");
        assert!(run.code == 1 && run.out().contains(&format!("::error title=tulk::{message}")), "{run}");
        assert_eq!((self.file("path"), self.file("output")), (String::new(), String::new()));
        let programs = files_below(&self.directory.path().join("temp"));
        assert!(!programs.iter().any(|file| file.ends_with("/tulk")), "{programs:?}");
    }
}

#[test]
fn installs_a_release_whose_checksum_matches() {
    if !has("curl") || !has("sha256sum") {
        return;
    }
    let mut runner = Runner::new();
    for version in ["1.2.3", "v1.2.3"] {
        runner.set("INPUT_VERSION", version);
        runner.run("install").code(0).prints("tulk 1.2.3\n");
    }
    let folder = runner.directory.path().join("temp/tulk-1.2.3/bin");
    assert_eq!(runner.file("path"), format!("{0}\n{0}\n", folder.display()));
    assert_eq!(runner.file("output"), "version=1.2.3\nversion=1.2.3\n");
    assert_eq!(files_below(&folder), ["tulk"]);
}

#[test]
fn installs_the_version_of_the_action_or_the_newest_by_default() {
    if !has("curl") || !has("sha256sum") {
        return;
    }
    let mut runner = Runner::new();
    for reference in ["v1.2.3", "main", "v1", ""] {
        runner.set("ACTION_REF", reference);
        runner.run("install").code(0).prints("tulk 1.2.3\n");
    }
    let asked = runner.server.requests().iter().filter(|request| request.starts_with("HEAD /releases/latest ")).count();
    assert_eq!(asked, 3);
    runner.set("ACTION_REF", "v9.9.9");
    let _ = std::fs::remove_file(runner.directory.path().join("path"));
    let _ = std::fs::remove_file(runner.directory.path().join("output"));
    let _ = std::fs::remove_dir_all(runner.directory.path().join("temp/tulk-1.2.3"));
    runner.refuses("cannot download http://127.0.0.1:");
}

#[test]
fn refuses_an_archive_with_a_wrong_checksum() {
    if !has("curl") || !has("sha256sum") {
        return;
    }
    let mut runner = Runner::with_archive(|bytes| *bytes.last_mut().unwrap() ^= 1);
    runner.set("INPUT_VERSION", "1.2.3");
    runner.refuses(&format!("{NAME}.tar.gz has the checksum "));
}

#[test]
fn names_a_version_without_a_release_or_an_unsupported_runner() {
    if !has("curl") {
        return;
    }
    let mut runner = Runner::new();
    runner.set("INPUT_VERSION", "1.2.4");
    runner.refuses(&format!(
        "cannot download {}/releases/download/v1.2.4/SHA256SUMS: is there a release 1.2.4?",
        runner.server.url
    ));
    runner.set("INPUT_VERSION", "1.2.3");
    runner.set("RUNNER_ARCH", "ARM64");
    runner.refuses("release 1.2.3 has no tulk-1.2.3-aarch64-unknown-linux-musl.tar.gz");
    for (system, processor) in [("Windows", "X64"), ("Linux", "ARM")] {
        runner.set("RUNNER_OS", system);
        runner.set("RUNNER_ARCH", processor);
        runner.refuses(&format!("this action does not support this runner ({system}, {processor})"));
    }
}

#[test]
fn does_not_mistake_an_unexpected_page_for_a_version() {
    if !has("curl") {
        return;
    }
    let mut runner = Runner::new();
    let portal = format!("{}/portal", runner.server.url);
    runner.set("INPUT_RELEASES", &portal);
    runner.refuses(&format!("cannot determine the newest release from {portal}/latest; set the input `version`"));
}

#[test]
fn downloads_releases_over_https_from_the_repository_of_the_action() {
    let mut runner = Runner::new();
    // This curl records the requested addresses and fails.
    write_program(&runner.directory.path().join("bin/curl"), "#!/bin/sh\necho \"$@\" >> requests\nexit 6\n");
    let path = std::env::var("PATH").unwrap();
    runner.set("PATH", &format!("{}/bin:{path}", runner.directory.path().display()));
    runner.set("INPUT_VERSION", "1.2.3");
    runner.set("INPUT_RELEASES", "");
    runner.set("GITHUB_SERVER_URL", "https://forge.example");
    let url = "https://forge.example/OWNER/tulk/releases/download/v1.2.3/SHA256SUMS";
    runner.set("ACTION_REPOSITORY", "OWNER/tulk");
    runner.refuses(&format!("cannot download {url}"));
    runner.set("ACTION_REPOSITORY", "");
    runner.set("GITHUB_ACTION_PATH", "/home/runner/_actions/OWNER/tulk/v1");
    runner.refuses(&format!("cannot download {url}"));
    runner.set("GITHUB_ACTION_PATH", "/somewhere/else");
    runner.refuses("cannot determine the repository of this action");
    runner.set("INPUT_RELEASES", "http://mirror.example/releases");
    runner.refuses("cannot download http://mirror.example/");
    let requests = runner.file("requests");
    assert_eq!(requests.lines().count(), 3, "{requests}");
    assert!(requests.lines().all(|request| request.contains(" --proto =https ")), "{requests}");
}

#[test]
fn refuses_an_invalid_version_before_any_request() {
    let mut runner = Runner::new();
    for (version, shown) in [
        ("../../1.2.3", "../../1.2.3"),
        ("1.2.3/../..", "1.2.3/../.."),
        ("1..2", "1..2"),
        ("$(touch planted)", "$(touch planted)"),
        ("1.2.3; touch planted", "1.2.3; touch planted"),
        ("1.2.3\n::warning::planted", "1.2.3%0A::warning::planted"),
        ("latest", "latest"),
    ] {
        runner.set("INPUT_VERSION", version);
        runner.refuses(&format!("invalid version: {shown}\n"));
    }
    assert!(runner.server.requests().is_empty());
    assert_eq!(runner.file("planted"), "");
}

#[test]
fn masks_the_key_in_logs_and_passes_it_only_to_the_command() {
    let mut runner = Runner::new();
    runner.set("INPUT_API_KEY", "50% of\nthe key\r\n");
    runner.set("INPUT_SERVER", "https://translate.example/$(touch planted)");
    runner.set(
        "INPUT_RUN",
        "printf '%s|' \"$TULK_API_KEY\" \"$TULK_SERVER\" \"${INPUT_API_KEY-unset}\" > seen\nexec env > variables",
    );
    let masks = "::add-mask::50%25 of%0Athe key%0D\n::add-mask::50%25 of\n::add-mask::the key\n";
    runner.run("run").code(0).prints(masks).says_nothing();
    assert_eq!(runner.file("seen"), "50% of\nthe key\r\n|https://translate.example/$(touch planted)|unset|");
    let variables = runner.file("variables");
    assert!(!["INPUT_API_KEY", "INPUT_RUN", "INPUT_SERVER"].iter().any(|name| variables.contains(name)), "{variables}");
    assert_eq!((runner.file("planted"), runner.file("path")), (String::new(), String::new()));
}

#[test]
fn the_step_exits_with_the_code_of_the_command() {
    let mut runner = Runner::new();
    for (command, code) in
        [("exit 9", 9), ("true", 0), ("false\nexit 0", 1), ("(exit 7) | cat", 7), ("no-such-command-here", 127)]
    {
        runner.set("INPUT_RUN", command);
        let run = runner.run("run");
        assert_eq!(run.code, code, "{command}: {run}");
    }
    runner.set("INPUT_RUN", "");
    runner.set("INPUT_API_KEY", "secret");
    let run = runner.run("run").code(1);
    assert!(run.out().ends_with("::error title=tulk::the input `api-key` is for `run` alone: set `run`, or TULK_API_KEY in `env` of your own steps\n"), "{run}");
}

#[test]
fn scripts_read_inputs_from_variables_only() {
    let action = std::fs::read_to_string(root().join("action.yml")).unwrap();
    let scripts: Vec<_> = action.lines().filter(|line| line.trim_start().starts_with("run: ")).collect();
    assert_eq!(scripts.len(), 2, "{scripts:?}");
    assert!(scripts.iter().all(|script| !script.contains("${{") && !script.ends_with('|')), "{scripts:?}");
    let inputs: Vec<_> = action.lines().filter(|line| line.contains("${{ inputs.")).collect();
    assert!(inputs.len() == 5 && inputs.iter().all(|line| line.trim_start().starts_with("INPUT_")), "{inputs:?}");
    let script = std::fs::read_to_string(root().join("packaging/action.sh")).unwrap();
    for line in inputs {
        let variable = line.trim().split(':').next().unwrap();
        assert!(script.contains(variable), "{variable} is not used");
    }
}
