//! Child processes: a signal to this process ends them too. Command lines of the user, such as `key_command` and the editor,
//! run in the shell of the platform.

use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Stop;
use super::blocking::{WaitLimits, WaitOutcome, wait};
use crate::error::Kind;

/// How long a child process may take to exit after it was asked to.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// How the wait for a child process ended.
#[derive(Debug)]
pub enum ChildEnd<T> {
    /// The child exited; the value is the result of `follow`.
    Ended(T),
    /// The child was killed after the timeout.
    TimedOut,
    /// The child was killed because of a signal.
    Stopped(Kind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunningChild {
    id: u32,
    /// Whether it leads a process group, so that its children can be killed with it.
    leads_group: bool,
}

/// Children to kill if the process exits immediately.
static RUNNING: Mutex<Vec<RunningChild>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<RunningChild>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command, and lets `follow` read its output and wait for its end on another thread.
///
/// Kills the child after `timeout` or at the first signal. Processes that the child started are killed too, except on Unix with a
/// terminal: the child then stays in tulk's process group, so that it can ask questions on the terminal. Changes that a child made to
/// the terminal are undone.
pub fn run_child<T: Send + 'static>(
    command: &mut Command,
    timeout: Option<Duration>,
    follow: impl FnOnce(&mut Child) -> T + Send + 'static,
) -> io::Result<ChildEnd<T>> {
    let leads_group = !super::terminal::is_present();
    #[cfg(unix)]
    if leads_group {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }
    let _terminal = super::SavedTerminal::save();
    super::listen();
    let mut child = command.spawn()?;
    let entry = RunningChild { id: child.id(), leads_group };
    running().push(entry);
    let (ended, end) = channel();
    let work = move || {
        let result = follow(&mut child);
        running().retain(|other| *other != entry);
        let _ = ended.send(());
        result
    };
    let limits = WaitLimits { timeout, ..WaitLimits::default() };
    Ok(match wait(Stop::of_process(), limits, work) {
        WaitOutcome::Done(result) => ChildEnd::Ended(result),
        WaitOutcome::TimedOut => {
            kill(entry, true);
            let _ = end.recv_timeout(EXIT_GRACE);
            ChildEnd::TimedOut
        }
        WaitOutcome::Stopped(kind) => {
            kill(entry, false);
            if end.recv_timeout(EXIT_GRACE).is_err() {
                kill(entry, true);
            }
            ChildEnd::Stopped(kind)
        }
        WaitOutcome::NotStarted(failure) => {
            kill(entry, true);
            return Err(std::io::Error::other(failure));
        }
    })
}

pub(super) fn kill_all() {
    // Copied, because `kill` needs the lock.
    let children = running().clone();
    for child in children {
        kill(child, true);
    }
}

/// Asks a child to exit, or kills it. Ignores a child that has already exited.
#[cfg(unix)]
fn kill(child: RunningChild, by_force: bool) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    if !running().contains(&child) {
        return;
    }
    let signal = if by_force { Signal::KILL } else { Signal::TERM };
    let Some(id) = i32::try_from(child.id).ok().and_then(Pid::from_raw) else { return };
    let _ = if child.leads_group { kill_process_group(id, signal) } else { kill_process(id, signal) };
}

#[cfg(not(unix))]
fn kill(child: RunningChild, _: bool) {
    if running().contains(&child) {
        let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &child.id.to_string()]).output();
    }
}

/// The editor if none is set.
pub const DEFAULT_EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Returns the command that runs a command line in the shell.
#[cfg(not(windows))]
pub fn shell(line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]);
    shell
}

/// Returns the command that runs a command line with a file as its last argument.
#[cfg(not(windows))]
pub fn shell_with_file(line: &str, file: &Path) -> Command {
    let mut shell = shell(&format!("{line} \"$1\""));
    shell.arg("sh").arg(file);
    shell
}

/// Returns the command that runs a command line in the shell.
///
/// `cmd` gets the line unchanged between two quotes, which `/S` removes. It would not understand escaped quotes.
#[cfg(windows)]
pub fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut shell = Command::new("cmd");
    shell.args(["/D", "/S", "/C"]).raw_arg(format!("\"{line}\""));
    shell
}

/// Returns the command that runs a command line with a file as its last argument. File names cannot contain quotes on Windows.
#[cfg(windows)]
pub fn shell_with_file(line: &str, file: &Path) -> Command {
    shell(&format!("{line} \"{}\"", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_keeps_its_quotes_and_ends_with_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("my file");
        std::fs::write(&file, "text").unwrap();
        let printed = |command: &mut Command| {
            let printed = command.output().unwrap().stdout;
            String::from_utf8(printed).unwrap().trim_end().to_owned()
        };
        let (print, quoted) = if cfg!(windows) { ("type", "\"a b\"") } else { ("cat", "a b") };
        assert_eq!(printed(&mut shell_with_file(print, &file)), "text");
        assert_eq!(printed(&mut shell("echo \"a b\"")), quoted, "cmd prints the quotes too");
        assert_eq!(printed(&mut shell(&format!("{print} \"{}\"", file.display()))), "text");
    }
}
