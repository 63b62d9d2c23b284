//! A terminal of a given size, in which tmux runs a script.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::common::{Bench, binary, wait_until};

pub const END: &str = "=== end of screen ===";

pub struct Terminal<'a> {
    bench: &'a Bench,
    socket: PathBuf,
}

impl<'a> Terminal<'a> {
    /// Starts a script in a terminal of this size. `name` must be unique in the bench.
    pub fn start(bench: &'a Bench, name: &str, (columns, rows): (u16, u16), script: &str) -> Self {
        let file = bench.write(&format!(".screens/{name}.sh"), script);
        let terminal = Self { bench, socket: bench.path(&format!(".screens/{name}.socket")) };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let arguments = ["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows, "bash", "--norc"];
        let started = terminal.tmux(arguments.iter().map(|a| (*a).to_owned()).chain([file.display().to_string()]));
        assert!(started.status.success(), "tmux: {}", String::from_utf8_lossy(&started.stderr));
        terminal
    }

    pub fn press(&self, keys: &[&str]) {
        self.tmux(["send-keys"].iter().chain(keys).map(|key| (*key).to_owned()));
    }

    /// Returns the screen and the scrollback. Lines wrapped by the terminal are joined.
    ///
    /// `attributes` keeps colours as escape sequences.
    pub fn capture(&self, attributes: bool) -> String {
        let flags = if attributes { "-pJeS" } else { "-pJS" };
        let captured = self.tmux(["capture-pane", flags, "-"].map(str::to_owned));
        String::from_utf8(captured.stdout).unwrap()
    }

    /// Returns the lines of the screen, each as the parts into which the terminal wrapped it.
    pub fn lines(&self) -> Vec<Vec<String>> {
        let captured = self
            .tmux("capture-pane -pNS - ; display-message -p &&& ; capture-pane -pJS -".split(' ').map(str::to_owned));
        let text = String::from_utf8(captured.stdout).unwrap();
        let (rows, lines) = text.split_once("&&&\n").unwrap();
        let mut rows = rows.lines();
        let pieces = |line: &str| {
            let mut pieces: Vec<String> = Vec::new();
            while pieces.is_empty() || pieces.concat().trim_end().len() < line.trim_end().len() {
                pieces.push(rows.next().unwrap_or_else(|| panic!("{line:?} is not on the screen")).to_owned());
            }
            assert_eq!(pieces.concat().trim_end(), line.trim_end());
            pieces
        };
        lines.lines().map(pieces).collect()
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        wait_until(&format!("{text:?} on the screen"), || self.capture(false).contains(text));
    }

    #[track_caller]
    pub fn wait_for_end(&self) {
        self.wait_for(END);
    }

    pub fn settle(&self) {
        let mut before = self.capture(false);
        wait_until("a screen at rest", || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            let now = self.capture(false);
            let is_settled = now == before;
            before = now;
            is_settled
        });
    }

    fn tmux(&self, arguments: impl IntoIterator<Item = String>) -> Output {
        let plain = self.bench.command();
        let mut command = Command::new("tmux");
        command.current_dir(self.bench.dir()).env_clear();
        for (name, value) in plain.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        let bin = binary();
        let path = format!("{}:{}", bin.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
        command.env("PATH", path).env("TERM", "xterm-256color").stdin(Stdio::null());
        command.arg("-u").arg("-S").arg(&self.socket).args(arguments).output().unwrap()
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        self.tmux(["kill-server".to_owned()]);
    }
}

/// Returns a script that prints each command after a prompt, runs it, and finally prints [`END`].
pub fn script(commands: &[&str]) -> String {
    let mut script = String::new();
    for (i, command) in commands.iter().enumerate() {
        let blank = if i > 0 { "echo\n" } else { "" };
        let shown = shlex::try_quote(command).unwrap();
        let _ = writeln!(script, "{blank}printf '$ %s\\n' {shown}\n{command}");
    }
    let _ = writeln!(script, "echo\necho '{END}'\nexec cat");
    script
}
