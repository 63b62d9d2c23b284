//! Reads keys from a file, from stdin, or from the output of a command.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::files::check_stdin;
use tulk_base::stop::{self, ChildEnd, Stop};
use tulk_client::ApiKey;

use super::ResolvedKey;

/// How long to wait for the end of a line once the command has exited.
const AFTER_EXIT: Duration = Duration::from_secs(1);

/// Reads the first line of a file, or of stdin for `-`.
pub fn key_file(file: &Path) -> Result<ResolvedKey, Failure> {
    let source = format!("--key-file {}", file.display());
    let read = if file == Path::new("-") {
        check_stdin()?;
        stop::interruptible(|| {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).map(|_| line.into_bytes())
        })?
    } else {
        stop::read_file(file)
    };
    let bytes = read.map_err(|e| {
        let failure = Failure::file("read", file, &e);
        if failure.hint.is_some() || failure.kind.is_stop() { failure } else { failure.hint("check --key-file") }
    })?;
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    Ok(ResolvedKey { secret: ApiKey::new(String::from_utf8_lossy(line).trim_end(), &source)?, source })
}

/// Runs a command from the settings and returns the first line that it prints.
///
/// The command may ask a question on a terminal. A piped stdin is not passed on, because it is the text to translate.
/// Kills the command after `timeout`.
pub fn key_command(command: &str, setting: &str, timeout: Duration) -> Result<ResolvedKey, Failure> {
    use std::io::IsTerminal as _;
    let failed = |what: String| Failure::new(Kind::Key, what).hint("run the command yourself to see why");
    let stdin = if std::io::stdin().is_terminal() { Stdio::inherit() } else { Stdio::null() };
    let mut shell = stop::shell(command);
    shell.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let end = stop::run_child(&mut shell, Some(timeout), first_line_and_status)
        .map_err(|e| failed(format!("cannot run {setting}: {}", io_message(&e))))?;
    let (text, status) = match end {
        ChildEnd::Ended((text, status)) => (text, status),
        ChildEnd::TimedOut => return Err(failed(format!("{setting} timed out after {} s", timeout.as_secs()))),
        ChildEnd::Stopped(kind) => return Err(Stop::failure(kind, None)),
    };
    let status = status.map_err(|e| failed(format!("cannot wait for {setting}: {}", io_message(&e))))?;
    if !status.success() {
        return Err(failed(format!("{setting} failed ({status})")));
    }
    let Some(line) = text else { return Err(failed(format!("{setting} did not close its output"))) };
    Ok(ResolvedKey { secret: ApiKey::new(&String::from_utf8_lossy(&line), setting)?, source: setting.to_owned() })
}

/// Reads the first line that a process prints, and waits for its end.
fn first_line_and_status(child: &mut Child) -> (Option<Vec<u8>>, std::io::Result<ExitStatus>) {
    let (sender, printed) = std::sync::mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        // Not joined: a background process of the command may keep the pipe open forever.
        std::thread::spawn(move || {
            let mut line = Vec::new();
            let mut stdout = BufReader::new(stdout);
            let read = stdout.read_until(b'\n', &mut line).map(|_| line);
            let _ = sender.send(read);
            // Read to the end, so that a command that prints more does not fail.
            let _ = std::io::copy(&mut stdout, &mut std::io::sink());
        });
    }
    let status = child.wait();
    (printed.recv_timeout(AFTER_EXIT).ok().and_then(Result::ok), status)
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Instant;

    use super::*;

    fn run(command: &str) -> Result<ResolvedKey, Failure> {
        key_command(command, "key_command", Duration::from_millis(400))
    }

    #[test]
    fn returns_the_first_line() {
        assert_eq!(run("echo k-1; echo k-2").unwrap().secret.expose(), "k-1");
        assert_eq!(run("printf k-1; sleep 0").unwrap().secret.expose(), "k-1");
        assert_eq!(run("echo k-1; sleep 1 & exit 0").unwrap().secret.expose(), "k-1");
    }

    #[test]
    fn a_failure_has_the_status_and_not_the_output() {
        let failure = run("echo k-secret; exit 7").unwrap_err();
        assert_eq!(failure.kind, Kind::Key);
        assert!(failure.what.contains("exit status: 7") && !failure.what.contains("k-secret"), "{}", failure.what);
        assert!(run("true").unwrap_err().what.contains("empty"));
    }

    #[test]
    fn does_not_wait_forever() {
        let begin = Instant::now();
        assert!(run("exec sleep 20").unwrap_err().what.contains("timed out"));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_key_file_gives_its_first_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        std::fs::write(&path, "k-1\r\nnotes\n").unwrap();
        assert_eq!(key_file(&path).unwrap().secret.expose(), "k-1");
        assert_eq!(key_file(&dir.path().join("none")).unwrap_err().kind, Kind::Usage);
    }
}
