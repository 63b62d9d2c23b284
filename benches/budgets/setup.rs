//! What every subject uses: the program, an empty home directory, the number of rounds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program, a directory for files, and how often things are measured.
pub struct Setup {
    /// A copy of the program, because an installed program is one: the system reads a file that a linker wrote in smaller pieces.
    pub program: PathBuf,
    home: tempfile::TempDir,
    /// Rounds of processes that run for milliseconds.
    pub short_rounds: usize,
    /// Rounds of everything else.
    pub rounds: usize,
}

/// Copies a program to a directory, as `tulk`.
fn copy(file: &Path, dir: &Path) -> PathBuf {
    let program = dir.join("tulk");
    std::fs::copy(file, &program).expect("a copy of the program");
    program
}

impl Setup {
    pub fn new() -> Self {
        let home = tempfile::Builder::new().prefix("tulk-bench").tempdir().expect("a temporary directory");
        let program = copy(Path::new(env!("CARGO_BIN_EXE_tulk")), home.path());
        Self { program, home, short_rounds: 61, rounds: 15 }
    }

    /// Measures another build.
    pub fn set_program(&mut self, file: &Path) {
        self.program = copy(file, self.dir());
    }

    /// Measures less often.
    pub fn be_quick(&mut self) {
        (self.short_rounds, self.rounds) = (21, 3);
    }

    /// A directory for files, which is the home directory too.
    pub fn dir(&self) -> &Path {
        self.home.path()
    }

    /// tulk with these arguments, without input and output, for a server.
    pub fn tulk(&self, url: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.program, arguments);
        command.env("TULK_SERVER", url).env("TULK_API_KEY", "key");
        command
    }

    /// Whether a command has a flag.
    pub fn has_flag(&self, command: &str, flag: &str) -> bool {
        let help = self.command(&self.program, &[command, "--help"]).stdout(Stdio::piped()).output().expect("help");
        String::from_utf8_lossy(&help.stdout).contains(flag)
    }

    /// curl that posts JSON.
    pub fn curl(&self, address: &str, json: &str) -> Command {
        let headers = ["-H", "Authorization: Service-Auth-Key key", "-H", "Content-Type: application/json"];
        let mut command = self.command("curl", &["-s"]);
        command.args(headers).args(["-d", json, address]);
        command
    }

    /// A program without input and output, with an environment that has only the home directory.
    pub fn command(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("HOME", self.dir()).env("PATH", path);
        command
    }
}
