//! The completion scripts in interactive bash, zsh and fish: a line is typed, with tabs, and run.
//!
//! `tulk` is a wrapper script: it passes completion requests to the real program and otherwise prints its arguments.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::tools::{has, skip_without};
use crate::common::{Bench, binary};

/// What is typed, and the arguments that the command receives.
const LINES: &[(&str, &str)] = &[
    ("tulk tra\t--to de,fr-\t", "<translate><--to><de,fr-CA>"),
    ("tulk translate --to=de,fr-\t", "<translate><--to=de,fr-CA>"),
    ("tulk -p work gl\tsh\t", "<-p><work><glossary><show>"),
    ("tulk usage --fail-ab\t5", "<usage><--fail-above><5>"),
    ("tulk translate --glossary Tea\\ h\t", "<translate><--glossary><Tea house>"),
    ("tulk translate --glossary \"Tea h\t", "<translate><--glossary><Tea house>"),
    ("tulk translate --glossary 'It\t", "<translate><--glossary><It's tea>"),
    ("tulk translate --glossary It\t", "<translate><--glossary><It's tea>"),
    ("tulk translate --glossary Kü\t", "<translate><--glossary><Küche: \"süß\">"),
    ("tulk translate -i my\t", "<translate><-i><my file.tsv>"),
    ("tulk doc translate my\t--out-dir o\t", "<doc><translate><my file.tsv><--out-dir><out"),
    ("tulk glossary entries x en:\tde\t", "<glossary><entries><x><en:de>"),
    ("tulk glossary create x --dictionary en:de=fi\t", "<glossary><create><x><--dictionary><en:de=fi.tsv>"),
    ("tulk glossary create x --dictionary en:de\tfi\t", "<glossary><create><x><--dictionary><en:de=fi.tsv>"),
    ("tulk translate my\t", "<translate><my>"),
];

fn prepared(shell: &str, script: &str) -> Bench {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("fi.tsv", "a\tb\n");
    for name in ["Tea house", "It's tea", "Küche: \"süß\""] {
        bench.run(["glossary", "create", name, "--dictionary", "en:de=fi.tsv"]).code(0);
    }
    bench.write("my file.tsv", "");
    std::fs::create_dir(bench.path("out")).unwrap();
    let printed = bench.run(["completions", shell]).code(0);
    bench.write(script, printed.out());
    let real = binary();
    let text = format!(
        "#!/bin/sh\nif [ -n \"$TULK_COMPLETE\" ]; then exec '{}' \"$@\"; fi\nprintf '<%s>' \"$@\"; echo\n",
        real.display()
    );
    let tulk = bench.write("bin/tulk", text);
    std::fs::set_permissions(tulk, std::fs::Permissions::from_mode(0o755)).unwrap();
    bench
}

struct Typist {
    child: std::process::Child,
    shown: Arc<Mutex<String>>,
}

impl Typist {
    fn start(bench: &Bench, shell: &str) -> Self {
        let mut command = bench.command();
        let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
        let mut child = Command::new("script")
            .args(["-qefc", shell, "/dev/null"])
            .current_dir(bench.dir())
            .env_clear()
            .envs(command.env("PATH", path).env("TERM", "xterm").get_envs().filter_map(|(n, v)| Some((n, v?))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (shown, mut stdout) = (Arc::new(Mutex::new(String::new())), child.stdout.take().unwrap());
        let seen = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut block = [0; 4096];
            while let Ok(n @ 1..) = stdout.read(&mut block) {
                seen.lock().unwrap().push_str(&String::from_utf8_lossy(&block[..n]));
            }
        });
        let typist = Self { child, shown };
        assert!(typist.is_shown("READY> "), "{shell} has no prompt: {}", typist.shown.lock().unwrap());
        typist
    }

    fn is_shown(&self, text: &str) -> bool {
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            if self.shown.lock().unwrap().contains(text) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }

    /// Types a line, runs it, and checks the arguments that `tulk` got.
    fn check_typed_line(&mut self, line: &str, arguments: &str) {
        self.shown.lock().unwrap().clear();
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
        let shown = self.is_shown(arguments);
        assert!(shown, "{line:?} did not run tulk {arguments}, but: {}", self.shown.lock().unwrap());
    }
}

impl Drop for Typist {
    fn drop(&mut self) {
        // The shell exits when its terminal closes.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn check(bench: &Bench, shell: &str) {
    let mut typist = Typist::start(bench, shell);
    for (line, arguments) in LINES {
        typist.check_typed_line(line, arguments);
    }
}

#[test]
fn bash_completes_with_the_script_in_its_startup_file() {
    if !has("bash") || !has("script") {
        return;
    }
    let bench = prepared("bash", "tulk.bash");
    bench.write(".bashrc", "PS1='READY> '\nsource ~/tulk.bash\n");
    check(&bench, "bash --rcfile .bashrc -i");
}

#[test]
fn bash_completes_with_the_script_where_bash_completion_looks_for_it() {
    let package = "/usr/share/bash-completion/bash_completion";
    if !has("bash") || !has("script") {
        return;
    }
    if !std::path::Path::new(package).exists() {
        skip_without("bash-completion");
        return;
    }
    let bench = prepared("bash", ".local/share/bash-completion/completions/tulk");
    bench.write(".bashrc", format!("PS1='READY> '\nsource {package}\n"));
    check(&bench, "bash --rcfile .bashrc -i");
}

#[test]
fn zsh_completes_with_the_script_in_its_search_path() {
    if !has("zsh") || !has("script") {
        return;
    }
    let bench = prepared("zsh", "functions/_tulk");
    bench.write(".zshrc", "PS1='READY> '\nfpath=(~/functions $fpath)\nautoload -Uz compinit; compinit -u\n");
    check(&bench, "zsh -i");
}

#[test]
fn zsh_completes_with_the_script_in_its_startup_file() {
    if !has("zsh") || !has("script") {
        return;
    }
    let bench = prepared("zsh", "tulk.zsh");
    bench.write(".zshrc", "PS1='READY> '\nautoload -Uz compinit; compinit -u\nsource ~/tulk.zsh\n");
    check(&bench, "zsh -i");
}

#[test]
fn fish_completes_with_the_script_in_its_directory() {
    if !has("fish") || !has("script") {
        return;
    }
    let bench = prepared("fish", ".config/fish/completions/tulk.fish");
    let prompt = "function fish_prompt; echo -n 'READY> '; end\nset -g fish_greeting\n\
                  set -g fish_autosuggestion_enabled 0\n";
    bench.write(".config/fish/config.fish", prompt);
    check(&bench, "fish -i");
}

/// Fish can list candidates without a terminal.
#[test]
fn fish_lists_languages_with_their_names() {
    if !has("fish") {
        return;
    }
    let bench = prepared("fish", ".config/fish/completions/tulk.fish");
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = bench.command();
    let environment = command.env("PATH", path).get_envs();
    let run = Command::new("fish")
        .args(["-c", "complete -C 'tulk translate --to de'"])
        .current_dir(bench.dir())
        .env_clear()
        .envs(environment.filter_map(|(name, value)| Some((name, value?))))
        .output()
        .unwrap();
    let listed = String::from_utf8_lossy(&run.stdout);
    assert_eq!(listed, "de\tGerman (Deutsch)\nde-CH\tGerman (Swiss), Deutsch (Schweiz)\n");
}
