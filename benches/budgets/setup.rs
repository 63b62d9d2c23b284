//! Setup of all subjects: the program, a new home directory, and the number of rounds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program, its home directory, and how often to measure.
pub struct Setup {
    /// A copy of the built program. An installed program is a copy too, and the kernel reads a copy in larger units than it reads the
    /// file that the linker wrote.
    pub program: PathBuf,
    home: tempfile::TempDir,
    /// Rounds for processes that run for milliseconds.
    pub short_rounds: usize,
    /// Rounds for all other processes.
    pub rounds: usize,
}

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

    pub fn set_program(&mut self, file: &Path) {
        self.program = copy(file, self.dir());
    }

    pub fn be_quick(&mut self) {
        (self.short_rounds, self.rounds) = (21, 3);
    }

    /// The directory for files, which is also the home directory.
    pub fn dir(&self) -> &Path {
        self.home.path()
    }

    /// A tulk command with a server, without input or output.
    pub fn tulk(&self, url: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.program, arguments);
        command.env("TULK_SERVER", url).env("TULK_API_KEY", "key");
        command
    }

    pub fn has_flag(&self, command: &str, flag: &str) -> bool {
        let help = self.command(&self.program, &[command, "--help"]).stdout(Stdio::piped()).output().expect("help");
        String::from_utf8_lossy(&help.stdout).contains(flag)
    }

    /// A curl command that posts JSON.
    pub fn curl(&self, address: &str, json: &str) -> Command {
        let headers = ["-H", "Authorization: Service-Auth-Key key", "-H", "Content-Type: application/json"];
        let mut command = self.command("curl", &["-s"]);
        command.args(headers).args(["-d", json, address]);
        command
    }

    /// A command without input or output. Its environment has only `HOME` and `PATH`.
    pub fn command(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("HOME", self.dir()).env("PATH", path);
        command
    }
}
