//! Traces a program and kills it at its n-th system call that changes a file, or runs an action then. This reaches every intermediate
//! state of the disk.

use std::collections::HashSet;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::common::tools::skip;

/// Outcome of a traced program.
#[derive(Clone, Copy, Debug)]
pub struct TracedEnd {
    pub calls: usize,
    /// `None` after a kill.
    pub code: Option<i32>,
}

/// Kills the command before its `at`-th call that changes a file, counted from 1. Returns `None` if tracing is not permitted; the command
/// has not run then.
pub fn run_until_call(command: &Command, stdin: Stdio, at: usize) -> Option<TracedEnd> {
    run(command, stdin, |tracer| {
        tracer.run(at, &mut |pid| {
            let _ = kill(pid, Signal::SIGKILL);
        })
    })
}

/// Calls `action` before the command's `at`-th call that changes a file. Returns `None` if tracing is not permitted.
pub fn run_with_call(command: &Command, stdin: Stdio, at: usize, action: &mut dyn FnMut()) -> Option<TracedEnd> {
    let mut is_done = false;
    run(command, stdin, |tracer| {
        tracer.run(at, &mut |_| {
            if !std::mem::replace(&mut is_done, true) {
                action();
            }
        })
    })
}

#[allow(clippy::zombie_processes)] // the tracer waits for it
fn run(command: &Command, stdin: Stdio, trace: impl FnOnce(Tracer) -> TracedEnd) -> Option<TracedEnd> {
    // The shell stops itself, so that tracing begins before it becomes the program.
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(dir) = command.get_current_dir() {
        shell.current_dir(dir);
    }
    shell.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    // In the process group of the tests, a stopped process could make the kernel send SIGHUP to all of them: it does so when a group that
    // belongs to no shell loses a process.
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    let child = shell.spawn().unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    assert!(matches!(waitpid(pid, Some(WaitPidFlag::WUNTRACED)), Ok(WaitStatus::Stopped(..))));
    let options = Options::PTRACE_O_EXITKILL
        | Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC;
    if ptrace::seize(pid, options).is_err() {
        kill(pid, Signal::SIGKILL).unwrap();
        waitpid(pid, None).unwrap();
        skip("programs cannot be traced here");
        return None;
    }
    kill(pid, Signal::SIGCONT).unwrap();
    Some(trace(Tracer { main_thread: pid, has_begun: false, threads_in_call: HashSet::new(), calls: 0 }))
}

struct Tracer {
    main_thread: Pid,
    /// Whether the shell has been replaced by the program.
    has_begun: bool,
    threads_in_call: HashSet<Pid>,
    calls: usize,
}

impl Tracer {
    /// Follows the program to its end. `action` gets the main thread before the `at`-th call and each later one.
    fn run(mut self, at: usize, action: &mut dyn FnMut(Pid)) -> TracedEnd {
        // Waits only for children of this thread: other test threads have children too.
        let own = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        loop {
            let resumed = match waitpid(None, Some(own)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == self.main_thread => return self.end(Some(code)),
                Ok(WaitStatus::Signaled(pid, ..)) if pid == self.main_thread => return self.end(None),
                Ok(WaitStatus::PtraceSyscall(pid)) => {
                    if self.threads_in_call.insert(pid) {
                        if self.has_begun && changes_a_file(pid) {
                            self.calls += 1;
                        }
                        if self.calls >= at {
                            // A killed thread does not enter the call: the kernel checks for signals first.
                            action(self.main_thread);
                        }
                    } else {
                        self.threads_in_call.remove(&pid);
                    }
                    ptrace::syscall(pid, None)
                }
                Ok(WaitStatus::PtraceEvent(pid, _, event)) => {
                    let is_exec = event == ptrace::Event::PTRACE_EVENT_EXEC as i32;
                    self.has_begun |= is_exec;
                    // Both of these happen during a call.
                    if !is_exec && event != ptrace::Event::PTRACE_EVENT_CLONE as i32 {
                        self.threads_in_call.remove(&pid);
                    }
                    ptrace::syscall(pid, None)
                }
                Ok(WaitStatus::Stopped(pid, signal)) => ptrace::syscall(pid, signal),
                Ok(_) => Ok(()),
                Err(Errno::ECHILD) => return self.end(None),
                Err(error) => panic!("waitpid: {error}"),
            };
            // The thread may have exited already.
            assert!(matches!(resumed, Ok(()) | Err(Errno::ESRCH)), "{resumed:?}");
        }
    }

    fn end(&self, code: Option<i32>) -> TracedEnd {
        TracedEnd { calls: self.calls, code }
    }
}

/// Returns whether the system call that a thread is about to make changes a file.
#[cfg(target_arch = "x86_64")]
fn changes_a_file(pid: Pid) -> bool {
    use nix::libc;
    let Ok(registers) = ptrace::getregs(pid) else { return false };
    let is_regular = |fd: u64| {
        let path = std::fs::read_link(format!("/proc/{pid}/fd/{fd}")).unwrap_or_default();
        path.is_absolute() && !path.starts_with("/dev") && !path.starts_with("/proc")
    };
    let creates = |flags: u64| flags & libc::O_CREAT as u64 != 0;
    match registers.orig_rax.cast_signed() {
        libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_writev | libc::SYS_pwritev => is_regular(registers.rdi),
        libc::SYS_open => creates(registers.rsi),
        libc::SYS_openat => creates(registers.rdx),
        libc::SYS_rename
        | libc::SYS_renameat
        | libc::SYS_renameat2
        | libc::SYS_link
        | libc::SYS_linkat
        | libc::SYS_unlink
        | libc::SYS_unlinkat
        | libc::SYS_truncate
        | libc::SYS_ftruncate
        | libc::SYS_fallocate
        | libc::SYS_copy_file_range
        | libc::SYS_fsync
        | libc::SYS_fdatasync
        | libc::SYS_mkdir
        | libc::SYS_mkdirat
        | libc::SYS_chmod
        | libc::SYS_fchmod
        | libc::SYS_fchmodat
        | libc::SYS_flock
        | libc::SYS_exit_group => true,
        _ => false,
    }
}

/// On other architectures, all calls count.
#[cfg(not(target_arch = "x86_64"))]
fn changes_a_file(_: Pid) -> bool {
    true
}
