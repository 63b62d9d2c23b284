//! Signals: after the first, the command finishes requests that are already sent; the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::Notify;

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
}

impl Stop {
    /// Sets the flag.
    pub fn raise(&self, kind: Kind) {
        let _ = self.inner.code.compare_exchange(0, kind.code(), Ordering::SeqCst, Ordering::SeqCst);
        self.inner.notify.notify_waiters();
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

    /// Returns the failure of a stopped command. `hint` is the command that continues the work.
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

    /// Listens for signals from now on: the first sets the flag, the second ends the process.
    ///
    /// Must be called inside a Tokio runtime.
    pub fn listen(&self) {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let signals = [
                (SignalKind::interrupt(), Kind::Interrupted),
                (SignalKind::terminate(), Kind::Terminated),
                (SignalKind::hangup(), Kind::Hangup),
            ];
            for (signal_kind, kind) in signals {
                let Ok(mut stream) = signal(signal_kind) else { continue };
                let stop = self.clone();
                tokio::spawn(async move {
                    while stream.recv().await.is_some() {
                        stop.received(kind);
                    }
                });
            }
        }
        #[cfg(not(unix))]
        {
            let stop = self.clone();
            tokio::spawn(async move {
                while tokio::signal::ctrl_c().await.is_ok() {
                    stop.received(Kind::Interrupted);
                }
            });
        }
    }

    fn received(&self, kind: Kind) {
        if self.raised().is_some() {
            std::process::exit(i32::from(kind.code()));
        }
        self.raise(kind);
    }
}
