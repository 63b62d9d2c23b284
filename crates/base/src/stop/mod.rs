//! Signals, and operations that may block on something other than the service.
//!
//! The first signal raises the [`Stop`] of the process: nothing new is sent, waits end, and the command exits with the code of the
//! signal. The second signal ends the process immediately, whatever it waits for. A signal thread starts with the first operation
//! that may block. Reads, writes and child processes that may block go through [`interruptible`] and similar functions.

mod blocking;
mod child;
mod signals;
mod terminal;
mod writer;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::Notify;

pub use self::blocking::{interruptible, interruptible_soon, open_file};
pub(crate) use self::blocking::{interruptible_io, may_block};
pub use self::child::{ChildEnd, DEFAULT_EDITOR, run_child, shell, shell_with_file};
pub use self::signals::{InterruptsHeld, listen, report_file_size_limit};
pub use self::terminal::{SavedTerminal, clear_rows, drawn_rows, restore_after_panic, set_drawn_rows};
pub use self::writer::InterruptibleWriter;
use crate::error::{Failure, Kind};

/// A shared flag that the first signal sets. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    inner: Arc<StopState>,
}

#[derive(Debug, Default)]
struct StopState {
    code: AtomicU8,
    notify: Notify,
    /// Held while waiting threads are woken, so that none of them misses the wakeup.
    gate: Mutex<()>,
    changed: Condvar,
}

impl Stop {
    /// Returns the flag that is set by signals to this process.
    pub fn of_process() -> &'static Self {
        static PROCESS: OnceLock<Stop> = OnceLock::new();
        PROCESS.get_or_init(Self::default)
    }

    /// Sets the flag.
    pub fn raise(&self, kind: Kind) {
        let _ = self.inner.code.compare_exchange(0, kind.code(), Ordering::SeqCst, Ordering::SeqCst);
        self.inner.notify.notify_waiters();
        self.wake_threads();
    }

    /// Returns the signal that set the flag.
    pub fn raised(&self) -> Option<Kind> {
        match self.inner.code.load(Ordering::SeqCst) {
            129 => Some(Kind::Hangup),
            130 => Some(Kind::Interrupted),
            143 => Some(Kind::Terminated),
            _ => None,
        }
    }

    /// Clears the flag. For a command that a signal ends normally, such as a server that runs until Ctrl-C.
    pub fn settle(&self) {
        self.inner.code.store(0, Ordering::SeqCst);
    }

    /// Waits until a signal sets the flag.
    pub async fn wait(&self) -> Kind {
        loop {
            let notified = self.inner.notify.notified();
            if let Some(kind) = self.raised() {
                return kind;
            }
            notified.await;
        }
    }

    /// Creates the failure of a stopped command. `hint` is the command that continues the work.
    pub fn failure(kind: Kind, hint: Option<String>) -> Failure {
        let what = match kind {
            Kind::Hangup => "stopped by SIGHUP",
            Kind::Terminated => "stopped by SIGTERM",
            _ => "stopped by Ctrl-C",
        };
        let mut failure = Failure::new(kind, what);
        failure.hint = hint;
        failure
    }

    /// Wakes the threads that wait in [`interruptible`] or for a child process.
    fn wake_threads(&self) {
        let _gate = self.gate();
        self.inner.changed.notify_all();
    }

    fn gate(&self) -> MutexGuard<'_, ()> {
        self.inner.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the I/O error of an operation that a signal ended. [`Failure::file`] and [`Failure::stopped`] recover the failure.
fn io_error(kind: Kind) -> std::io::Error {
    std::io::Error::other(Stop::failure(kind, None))
}
