//! Operations that may block on another process: each runs on its own thread, and the caller waits for it or for a signal.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Stop, io_error, listen};
use crate::error::{Failure, Kind};
use crate::machine;

/// Extra time after a signal for operations that usually end soon.
pub(super) const STOP_GRACE: Duration = Duration::from_millis(250);

/// After `Stopped` and `TimedOut`, the operation continues until the process exits.
#[derive(Debug)]
pub(super) enum WaitOutcome<T> {
    Done(T),
    Stopped(Kind),
    TimedOut,
    /// The machine allows no more threads.
    NotStarted(Failure),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WaitLimits {
    pub timeout: Option<Duration>,
    /// Maximum wait after a signal.
    pub after_stop: Duration,
}

/// Runs an operation that may block. The first signal ends the wait with the failure of a stopped command.
pub fn interruptible<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    match wait(Stop::of_process(), WaitLimits::default(), work) {
        WaitOutcome::Done(result) => Ok(result),
        WaitOutcome::Stopped(kind) => Err(Stop::failure(kind, None)),
        WaitOutcome::NotStarted(failure) => Err(failure),
        WaitOutcome::TimedOut => Err(Failure::internal("an operation without a time limit timed out")),
    }
}

/// Like [`interruptible`], for work that usually ends soon: it may start after a signal, and gets 250 ms to finish.
pub fn interruptible_soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let limits = WaitLimits { after_stop: STOP_GRACE, ..WaitLimits::default() };
    match wait(Stop::of_process(), limits, work) {
        WaitOutcome::Done(result) => Ok(result),
        WaitOutcome::Stopped(kind) => Err(Stop::failure(kind, None)),
        WaitOutcome::NotStarted(failure) => Err(failure),
        WaitOutcome::TimedOut => Err(Failure::internal("an operation without a time limit timed out")),
    }
}

/// Like [`interruptible`], for operations that return an I/O error. [`Failure::stopped`] recovers the failure from it.
pub(crate) fn interruptible_io<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    match wait(Stop::of_process(), WaitLimits::default(), work) {
        WaitOutcome::Done(result) => result,
        WaitOutcome::Stopped(kind) => Err(io_error(kind)),
        WaitOutcome::NotStarted(failure) => Err(io::Error::other(failure)),
        WaitOutcome::TimedOut => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Runs an operation on a thread and waits for its end, a signal or the timeout.
pub(super) fn wait<T: Send + 'static>(
    stop: &Stop,
    limits: WaitLimits,
    work: impl FnOnce() -> T + Send + 'static,
) -> WaitOutcome<T> {
    listen();
    if let Some(kind) = stop.raised().filter(|_| limits.after_stop.is_zero()) {
        return WaitOutcome::Stopped(kind);
    }
    let slot = Arc::new(Mutex::new(None));
    let (filled, waker) = (Arc::clone(&slot), stop.clone());
    let run = move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        *filled.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        waker.wake_threads();
    };
    if let Err(failure) = machine::spawn("blocking", run) {
        return WaitOutcome::NotStarted(failure);
    }
    let take = || slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let begin = Instant::now();
    let mut stopped_at = None;
    let mut gate = stop.gate();
    loop {
        match take() {
            Some(Ok(result)) => return WaitOutcome::Done(result),
            Some(Err(panic)) => resume_unwind(panic),
            None => {}
        }
        let now = Instant::now();
        let raised = stop.raised();
        if raised.is_some() && stopped_at.is_none() {
            stopped_at = Some(now);
        }
        let left_after_stop = stopped_at.map(|at| limits.after_stop.saturating_sub(now - at));
        if let (Some(kind), Some(Duration::ZERO)) = (raised, left_after_stop) {
            return WaitOutcome::Stopped(kind);
        }
        let left = limits.timeout.map(|timeout| timeout.saturating_sub(now - begin));
        if left == Some(Duration::ZERO) {
            return WaitOutcome::TimedOut;
        }
        let changed = &stop.inner.changed;
        gate = match left.into_iter().chain(left_after_stop).min() {
            Some(left) => changed.wait_timeout(gate, left).unwrap_or_else(PoisonError::into_inner).0,
            None => changed.wait(gate).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// Returns whether reading or writing a file may wait for another process: a FIFO, a socket, a terminal, a device.
pub(crate) fn may_block(metadata: &Metadata) -> bool {
    !metadata.is_file() && !metadata.is_dir()
}

/// Opens a file. For a FIFO, waits until the other end is open or a signal comes.
pub fn open_file(options: &OpenOptions, path: &Path) -> io::Result<File> {
    if !path.metadata().is_ok_and(|metadata| may_block(&metadata)) {
        return options.open(path);
    }
    let (options, path) = (options.clone(), path.to_owned());
    interruptible_io(move || options.open(path))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn returns_what_the_operation_returns() {
        let waited = wait(&Stop::default(), WaitLimits::default(), || 7);
        assert!(matches!(waited, WaitOutcome::Done(7)));
    }

    #[test]
    fn a_stop_ends_the_wait() {
        let stop = Stop::default();
        let (entered, wait_for_entry) = channel();
        let raiser = stop.clone();
        let raise = std::thread::spawn(move || {
            wait_for_entry.recv().unwrap();
            raiser.raise(Kind::Terminated);
        });
        let (_never, end) = channel::<()>();
        let waited = wait(&stop, WaitLimits::default(), move || {
            entered.send(()).unwrap();
            let _ = end.recv();
        });
        assert!(matches!(waited, WaitOutcome::Stopped(Kind::Terminated)), "{waited:?}");
        raise.join().unwrap();
        // No operation starts after a stop.
        assert!(matches!(wait(&stop, WaitLimits::default(), || 7), WaitOutcome::Stopped(Kind::Terminated)));
        // Unless the operation gets extra time.
        let patient = WaitLimits { after_stop: Duration::from_secs(30), ..WaitLimits::default() };
        assert!(matches!(wait(&stop, patient, || 7), WaitOutcome::Done(7)));
    }

    #[test]
    fn the_wait_ends_at_the_timeout() {
        let (_never, end) = channel::<()>();
        let limits = WaitLimits { timeout: Some(Duration::from_millis(20)), ..WaitLimits::default() };
        let waited = wait(&Stop::default(), limits, move || {
            let _ = end.recv();
        });
        assert!(matches!(waited, WaitOutcome::TimedOut), "{waited:?}");
    }
}
