//! Test bench for the binary: an empty home directory, a cleared environment, a sandbox on a free port.

#![allow(dead_code, missing_docs, clippy::missing_panics_doc, clippy::expect_used, clippy::unwrap_used, clippy::panic)] // each test binary uses a part; tests panic

pub mod help_tree;
pub mod https;
pub mod messages;
pub mod scripted;
pub mod service_commands;
#[cfg(target_os = "linux")]
pub mod terminal;
pub mod tools;

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_tulk"))
}

/// A user's machine: an empty home directory and optionally a sandbox on loopback.
pub struct Bench {
    home: tempfile::TempDir,
    server: Option<Server>,
    env: Vec<(String, String)>,
}

pub struct Server {
    child: Child,
    pub url: String,
    log: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Run {
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub code: i32,
}

impl Run {
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("stdout is UTF-8")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("stdout is not JSON: {e}\n{self}"))
    }

    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "exit code\n{self}");
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "stderr lacks {text:?}\n{self}");
        self
    }

    #[track_caller]
    pub fn says_not(self, text: &str) -> Self {
        assert!(!self.stderr.contains(text), "stderr contains {text:?}\n{self}");
        self
    }

    #[track_caller]
    pub fn says_nothing(self) -> Self {
        assert!(self.stderr.is_empty(), "stderr is not empty\n{self}");
        self
    }

    #[track_caller]
    pub fn prints(self, text: impl AsRef<[u8]>) -> Self {
        let (got, want) = (String::from_utf8_lossy(&self.stdout), String::from_utf8_lossy(text.as_ref()).into_owned());
        assert!(self.stdout == text.as_ref(), "stdout is {got:?}, not {want:?}\n{self}");
        self
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let out = String::from_utf8_lossy(&self.stdout);
        write!(f, "--- stdout\n{out}--- stderr\n{}--- code {}\n", self.stderr, self.code)
    }
}

#[track_caller]
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out waiting for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Undoes the effect of `nohup` on the commands that the tests start: a signal with a handler has its default effect in a child process.
#[cfg(unix)]
fn let_commands_receive_hangup() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if tulk_streams::ignores_hangup() {
            signal_hook::flag::register(signal_hook::consts::SIGHUP, std::sync::Arc::default()).expect("a handler");
        }
    });
}

/// If the UTC day ends within a minute, waits for the next one, for tests that compare reports of one day.
pub fn wait_for_a_whole_minute_of_today() {
    let left = 86_400 - SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() % 86_400;
    if left < 60 {
        std::thread::sleep(Duration::from_secs(left + 1));
    }
}

impl Run {
    /// A run whose messages depend on timing, so they are not compared with the golden list.
    pub fn unlisted(output: Output) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Self { stdout: output.stdout, stderr, code: output.status.code().unwrap_or(-1) }
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let run = Self::unlisted(output);
        messages::check(&run.stderr);
        run
    }
}

impl Bench {
    pub fn bare() -> Self {
        let home = tulk_base::files::temporary_dir(".tmp").expect("a temporary directory");
        Self { home, server: None, env: Vec::new() }
    }

    pub fn new() -> Self {
        Self::with(&["--engine", "echo"])
    }

    pub fn with(flags: &[&str]) -> Self {
        let mut bench = Self::bare();
        let server = bench.serve(flags);
        bench.env.push(("TULK_SERVER".into(), server.url.clone()));
        bench.env.push(("TULK_API_KEY".into(), "sandbox".into()));
        bench.env.push(("TULK_ADMIN_KEY".into(), "sandbox".into()));
        bench.server = Some(server);
        bench
    }

    /// Starts another sandbox, which keeps no state on disk and records its requests.
    pub fn serve(&self, flags: &[&str]) -> Server {
        let log = self.path(&format!("requests-{}.jsonl", fastrand::u64(..)));
        // The server is killed, so it cannot remove its temporary directory itself.
        let temporary = self.path(".sandbox");
        std::fs::create_dir_all(&temporary).expect("a directory");
        let mut child = self
            .command()
            .env("TMPDIR", temporary)
            .args(["sandbox", "serve", "--quiet", "--port", "0", "--ephemeral", "--record"])
            .arg(&log)
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the sandbox starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its stdout");
        BufReader::new(stdout).read_line(&mut line).expect("its address");
        let url = line.trim().to_owned();
        assert!(url.contains("://127.0.0.1:"), "the sandbox printed {url:?}");
        Server { child, url, log }
    }

    /// The home directory, which is also the current directory.
    pub fn dir(&self) -> &Path {
        self.home.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Writes a file in the home directory. A new file is writable only by its owner, whatever the umask.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let (mut dirs, mut file) = (std::fs::DirBuilder::new(), std::fs::File::options());
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
            dirs.mode(0o755);
            file.mode(0o644);
        }
        dirs.recursive(true).create(path.parent().expect("a parent")).expect("its directory");
        let mut file = file.write(true).create(true).truncate(true).open(&path).expect("a file");
        file.write_all(bytes.as_ref()).expect("its content");
        path
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn url(&self) -> &str {
        &self.server.as_ref().expect("a server").url
    }

    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(n, _)| n != name);
        self.env.push((name.into(), value.into()));
        self
    }

    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.env.retain(|(n, _)| n != name);
        self
    }

    pub fn command(&self) -> Command {
        #[cfg(unix)]
        let_commands_receive_hangup();
        let mut command = Command::new(binary());
        command.env_clear().current_dir(self.dir());
        for (name, value) in [
            ("HOME", self.dir().to_path_buf()),
            ("XDG_CONFIG_HOME", self.path(".config")),
            ("XDG_CACHE_HOME", self.path(".cache")),
            ("XDG_STATE_HOME", self.path(".local/state")),
            ("XDG_DATA_HOME", self.path(".local/share")),
            ("TMPDIR", std::env::temp_dir()),
        ] {
            command.env(name, value);
        }
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LANG", "C.UTF-8").env("TERM", "dumb");
        command.envs(self.env.iter().map(|(n, v)| (n, v)));
        command
    }

    pub fn run<A: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Run {
        self.command().args(args).stdin(Stdio::null()).output().expect("a run").into()
    }

    pub fn pipe<A: AsRef<std::ffi::OsStr>>(&self, input: impl AsRef<[u8]>, args: impl IntoIterator<Item = A>) -> Run {
        let mut child = self
            .command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a run");
        let mut stdin = child.stdin.take().expect("its stdin");
        let input = input.as_ref().to_vec();
        let feed = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let run = child.wait_with_output().expect("its end").into();
        feed.join().expect("the feed");
        run
    }

    pub fn bash(&self, script: &str) -> Run {
        self.shell(script).output().expect("bash").into()
    }

    pub fn shell(&self, script: &str) -> Command {
        let bin = binary();
        let bin = bin.parent().expect("its directory");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        let plain = self.command();
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", script]).current_dir(self.dir()).env_clear();
        for (name, value) in plain.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        command.env("PATH", path).stdin(Stdio::null());
        command
    }

    /// The requests that the sandbox received, in order: `method`, `path`, `query`, `headers`, `body`, `status`.
    pub fn requests(&self) -> Vec<serde_json::Value> {
        self.server.as_ref().map(Server::requests).unwrap_or_default()
    }

    /// Method, path and body of each received request, for short comparisons.
    pub fn sent(&self) -> Vec<(String, serde_json::Value)> {
        let short = |r: serde_json::Value| {
            (
                format!("{} {}", r["method"].as_str().unwrap_or("?"), r["path"].as_str().unwrap_or("?")),
                r["body"].clone(),
            )
        };
        self.requests().into_iter().map(short).collect()
    }
}

impl Server {
    /// The requests that this server received. A request that is just being recorded may be missing.
    pub fn requests(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read(&self.log).unwrap_or_default();
        let complete = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&text[..complete]).expect("requests in UTF-8");
        text.lines().map(|l| serde_json::from_str(l).expect("a recorded request")).collect()
    }
}
