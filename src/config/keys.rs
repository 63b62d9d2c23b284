//! Looks up keys, and decides to which server each may be sent.
//!
//! The order of sources is `--key-file`, variables, the profile's command, the stored key. A stored key and a command each belong to
//! one server.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::files::{self, check_stdin};
use tulk_base::limits::{self, KEY_FILE};
use tulk_base::machine;
use tulk_base::stop::{self, ChildEnd, Stop};
use tulk_client::{ApiKey, KeyKind};

use super::service::{PUBLIC_NAME, ServiceDefinition, is_same};
use super::{Config, StoredKey, env};

#[derive(Clone, Debug)]
pub struct ResolvedKey {
    pub secret: ApiKey,
    /// A variable, `--key-file`, `key_command`, `credentials.toml` or `sandbox`.
    pub source: String,
}

/// The sources of keys. Each is read only once, because it may be stdin or a command. Failures are kept too.
#[derive(Debug, Default)]
pub struct KeySources {
    from_file: OnceLock<Result<ResolvedKey, Failure>>,
    account: OnceLock<Result<FoundKey, Failure>>,
    admin: OnceLock<Result<FoundKey, Failure>>,
}

/// Result of a lookup, before it is known whether the key may be sent to the server.
#[derive(Clone, Debug)]
enum FoundKey {
    /// Given for this run, or printed by the profile's command.
    Given(ResolvedKey),
    /// Stored for the server with this address.
    Stored(ResolvedKey, String),
    /// No key was found. This setting has a command, but the command is for another server.
    CommandElsewhere(&'static str),
    Missing,
}

impl KeySources {
    /// Returns the key if it may be sent to one of `addresses`.
    pub fn find(
        &self,
        config: &Config,
        kind: KeyKind,
        service: &str,
        addresses: &[&str],
    ) -> Result<ResolvedKey, Failure> {
        let cell = if kind == KeyKind::Admin { &self.admin } else { &self.account };
        let found = cell.get_or_init(|| self.look_up(config, kind, service)).clone()?;
        let variable = variable_of(kind);
        let what = if kind == KeyKind::Admin { "admin key" } else { "key" };
        let to = addresses.first().copied().unwrap_or("the service");
        let failure = |what: String| Failure::new(Kind::Key, what);
        match found {
            FoundKey::Given(key) => Ok(key),
            FoundKey::Stored(key, server) if addresses.iter().any(|address| is_same(address, &server)) => Ok(key),
            FoundKey::Stored(_, server) => {
                Err(failure(format!("the stored {what} is for {server} and is not sent to {to}"))
                    .hint(format!("set {variable}, pass --key-file, or run `tulk auth login` again")))
            }
            FoundKey::CommandElsewhere(setting) => {
                Err(failure(format!("{setting} is for the profile's own server and is not run for {to}"))
                    .hint(format!("set {variable} or pass --key-file")))
            }
            FoundKey::Missing => {
                if let Some(hint) = hint_of_public_key(config, kind, service) {
                    return Err(failure(format!("no {what} is set for {to}")).hint(hint));
                }
                let login = if kind == KeyKind::Admin { "tulk auth login --admin" } else { "tulk auth login" };
                Err(failure(format!("no {what} is set for {to}"))
                    .hint(format!("set {variable}, pass --key-file, or run `{login}`")))
            }
        }
    }

    /// Returns the key for the embedded sandbox. Uses a key from a variable only if it is one that the sandbox accepts, or if it
    /// has the form of a developer key. The sandbox gets no other key from a variable.
    pub fn sandbox_key(&self, config: &Config, kind: KeyKind) -> Result<ResolvedKey, Failure> {
        if let Some(key) = self.key_from_file_flag(config) {
            return key;
        }
        let settings = config.sandbox()?;
        let mut accepted = settings.list("key");
        if accepted.is_empty() {
            accepted.push("sandbox".to_owned());
        }
        let admin = settings.list("admin-key");
        if kind == KeyKind::Admin && !admin.is_empty() {
            accepted = admin;
        }
        let variable = variable_of(kind);
        let given = env::text(variable).filter(|key| accepted.contains(key) || is_developer_key(key));
        let source = if given.is_some() { variable } else { "sandbox" };
        let text = given.or_else(|| accepted.into_iter().next()).unwrap_or_default();
        Ok(ResolvedKey { secret: ApiKey::new(&text, source)?, source: source.to_owned() })
    }

    /// Reads `--key-file` only once: it may be stdin or a pipe, and both kinds of key may be requested.
    fn key_from_file_flag(&self, config: &Config) -> Option<Result<ResolvedKey, Failure>> {
        let file = config.args.key_file.as_ref()?;
        Some(self.from_file.get_or_init(|| key_file(file)).clone())
    }

    fn look_up(&self, config: &Config, kind: KeyKind, service: &str) -> Result<FoundKey, Failure> {
        if let Some(key) = self.key_from_file_flag(config) {
            return key.map(FoundKey::Given);
        }
        let is_admin = kind == KeyKind::Admin;
        let others = if service == PUBLIC_NAME && !is_admin { &env::DEEPL_KEYS[..] } else { &[] };
        for variable in std::iter::once(&variable_of(kind)).chain(others) {
            if let Some(text) = env::text(variable) {
                let secret = ApiKey::new(&text, variable)?;
                return Ok(FoundKey::Given(ResolvedKey { secret, source: (*variable).to_owned() }));
            }
        }
        let setting = if is_admin { "admin_key_command" } else { "key_command" };
        let command = config.setting(setting);
        if let Some(command) = command.filter(|_| !is_other_server(config)) {
            files::check_runnable(&config.file.path, setting)?;
            let mut key = key_command(command, setting, limits::KEY_COMMAND_TIMEOUT)?;
            key.secret = key.secret.with_source(format!("{setting} of profile {}", config.profile));
            return Ok(FoundKey::Given(key));
        }
        let stored = config.stored_keys()?.get(&config.profile, kind);
        Ok(match (stored, command) {
            (Some(stored), _) => {
                let secret = stored.key.with_source(format!("profile {}", config.profile));
                let key = ResolvedKey { secret, source: "credentials.toml".to_owned() };
                FoundKey::Stored(key, stored.server)
            }
            (None, Some(_)) => FoundKey::CommandElsewhere(setting),
            (None, None) => FoundKey::Missing,
        })
    }
}

/// Returns a hint if a key of the public service is set but another service is in use.
fn hint_of_public_key(config: &Config, kind: KeyKind, service: &str) -> Option<String> {
    let variable = env::DEEPL_KEYS.iter().find(|name| env::get(name).is_some())?;
    if kind == KeyKind::Admin || service == PUBLIC_NAME {
        return None;
    }
    let profile = &config.profile;
    Some(format!(
        "{variable} is for the preset `{PUBLIC_NAME}`, but the server is used with `{service}`: run \
         `tulk config set profiles.{profile}.service {PUBLIC_NAME}`, or set TULK_API_KEY"
    ))
}

/// Returns whether a separate admin key is available for a server. With `--key-file` there is none, because that key serves for both kinds.
pub fn has_admin_source(config: &Config, address: &str) -> bool {
    if config.args.key_file.is_some() || config.args.is_sandbox() {
        return config.args.key_file.is_none();
    }
    let is_here = |stored: StoredKey| is_same(&stored.server, address);
    env::get(env::ADMIN_KEY).is_some()
        || (config.setting("admin_key_command").is_some() && !is_other_server(config))
        || config.stored_keys().is_ok_and(|keys| keys.get(&config.profile, KeyKind::Admin).is_some_and(is_here))
}

/// Returns whether `--server` differs from the profile's own server, to which its `key_command` belongs.
fn is_other_server(config: &Config) -> bool {
    let Some(given) = config.args.server.as_deref() else { return false };
    match config.setting("server") {
        Some(own) => !is_same(own, given),
        None => !ServiceDefinition::find(config.setting("service"), &config.file)
            .is_ok_and(|service| service.endpoints.iter().any(|(_, own)| is_same(own, given))),
    }
}

fn variable_of(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::Account => env::API_KEY,
        KeyKind::Admin => env::ADMIN_KEY,
    }
}

/// Returns whether a text is a developer key: two GUIDs joined by a colon.
fn is_developer_key(text: &str) -> bool {
    text.len() == 73
        && text.as_bytes().get(36) == Some(&b':')
        && text.bytes().all(|b| b.is_ascii_hexdigit() || b"-:".contains(&b))
}

/// Time to wait for the end of the line after the command has exited.
const WAIT_AFTER_EXIT: Duration = Duration::from_secs(1);

/// Reads the key from the first line of a file, or of stdin for `-`.
pub fn key_file(file: &Path) -> Result<ResolvedKey, Failure> {
    let source = format!("--key-file {}", file.display());
    let read = if file == Path::new("-") {
        check_stdin()?;
        files::read_stdin_line_bounded(KEY_FILE)
    } else {
        files::read_bounded(file, KEY_FILE)
    };
    let bytes = read.map_err(|e| {
        let failure = Failure::file("read", file, &e);
        if failure.hint.is_some() || failure.kind.is_stop() { failure } else { failure.hint("check --key-file") }
    })?;
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    Ok(ResolvedKey { secret: ApiKey::new(String::from_utf8_lossy(line).trim_end(), &source)?, source })
}

/// Runs a command from the settings and returns the first line of its output as the key.
///
/// The command may prompt on a terminal. It does not get a piped stdin, because that is the text to translate.
/// It is killed after `timeout`.
pub fn key_command(command: &str, setting: &str, timeout: Duration) -> Result<ResolvedKey, Failure> {
    use std::io::IsTerminal as _;
    let failed = |what: String| Failure::new(Kind::Key, what).hint("run the command yourself to see why");
    let stdin = if std::io::stdin().is_terminal() { Stdio::inherit() } else { Stdio::null() };
    let mut shell = stop::shell(command);
    shell.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let end = stop::run_child(&mut shell, Some(timeout), first_line_and_status)
        .map_err(|e| e.downcast().unwrap_or_else(|e| failed(format!("cannot run {setting}: {}", io_message(&e)))))?;
    let (line, status) = match end {
        ChildEnd::Ended((line, status)) => (line, status),
        ChildEnd::TimedOut => return Err(failed(format!("{setting} timed out after {} s", timeout.as_secs()))),
        ChildEnd::Stopped(kind) => return Err(Stop::failure(kind, None)),
    };
    if line.as_ref().is_some_and(|line| line.len() as u64 > KEY_FILE.bytes) {
        return Err(Failure { kind: Kind::Key, ..KEY_FILE.exceeded(&format!("the first line of {setting}"), None) });
    }
    let status = status.map_err(|e| {
        e.downcast().unwrap_or_else(|e| failed(format!("cannot wait for {setting}: {}", io_message(&e))))
    })?;
    if !status.success() {
        return Err(failed(format!("{setting} failed ({status})")));
    }
    let Some(line) = line else { return Err(failed(format!("{setting} did not close its output"))) };
    Ok(ResolvedKey { secret: ApiKey::new(&String::from_utf8_lossy(&line), setting)?, source: setting.to_owned() })
}

/// Reads the first line that a process prints, up to one byte over the limit of a key, and waits for the process to exit.
fn first_line_and_status(child: &mut Child) -> (Option<Vec<u8>>, std::io::Result<ExitStatus>) {
    let (sender, printed) = std::sync::mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        // The thread is not joined, because a background process of the command may keep the pipe open forever.
        let read = move || {
            let mut line = Vec::new();
            let mut stdout = BufReader::new(stdout);
            let read = stdout.by_ref().take(KEY_FILE.bytes + 1).read_until(b'\n', &mut line).map(|_| line);
            let is_too_long = read.as_ref().is_ok_and(|line| line.len() as u64 > KEY_FILE.bytes);
            let _ = sender.send(read);
            if is_too_long {
                // Return to close the pipe, which stops a command that prints without end.
                return;
            }
            // Read the rest, so that a command that prints more does not fail.
            let _ = std::io::copy(&mut stdout, &mut std::io::sink());
        };
        if let Err(failure) = machine::spawn("key command", read) {
            let _ = child.kill();
            let _ = child.wait();
            return (None, Err(std::io::Error::other(failure)));
        }
    }
    let status = child.wait();
    (printed.recv_timeout(WAIT_AFTER_EXIT).ok().and_then(Result::ok), status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_developer_keys() {
        assert!(is_developer_key("11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000"));
        assert!(!is_developer_key("11111111-2222-4333-8444-555555555555:fx"));
    }

    #[cfg(unix)]
    mod sources {
        use std::time::Instant;

        use super::*;

        fn run(command: &str) -> Result<ResolvedKey, Failure> {
            key_command(command, "key_command", Duration::from_secs(60))
        }

        #[test]
        fn returns_the_first_line() {
            assert_eq!(run("echo k-1; echo k-2").unwrap().secret.expose(), "k-1");
            assert_eq!(run("printf k-1; sleep 0").unwrap().secret.expose(), "k-1");
            assert_eq!(run("echo k-1; sleep 1 & exit 0").unwrap().secret.expose(), "k-1");
        }

        #[test]
        fn a_failure_shows_the_exit_status_but_not_the_output() {
            let failure = run("echo k-secret; exit 7").unwrap_err();
            assert_eq!(failure.kind, Kind::Key);
            assert!(failure.what.contains("exit status: 7") && !failure.what.contains("k-secret"), "{}", failure.what);
            assert!(run("true").unwrap_err().what.contains("empty"));
        }

        #[test]
        fn kills_a_command_after_its_timeout() {
            let begin = Instant::now();
            let failure = key_command("exec sleep 20", "key_command", Duration::from_millis(400)).unwrap_err();
            assert!(failure.what.contains("timed out"));
            assert!(begin.elapsed() < Duration::from_secs(10));
        }

        #[test]
        fn reads_the_first_line_of_a_key_file() {
            let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
            let path = dir.path().join("key");
            std::fs::write(&path, "k-1\r\nnotes\n").unwrap();
            assert_eq!(key_file(&path).unwrap().secret.expose(), "k-1");
            assert_eq!(key_file(&dir.path().join("none")).unwrap_err().kind, Kind::Usage);
        }
    }
}
