//! Signal thread, which runs even while the main thread blocks.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

use super::{Stop, child, terminal};
use crate::error::Kind;

/// Number of callers that leave Ctrl-C to a child process on the terminal.
static INTERRUPT_HOLDERS: AtomicUsize = AtomicUsize::new(0);

/// Starts to handle signals: the first sets the flag of the process, the second ends the process.
///
/// SIGHUP stays ignored if the program was started with `nohup`.
///
/// Every operation that may block calls this. The first call starts a thread; until then, signals have their default effect.
pub fn listen() {
    static STARTED: Once = Once::new();
    STARTED.call_once(start);
}

/// Makes a write beyond the limit of `ulimit -f` fail, as on a full disk. By default, a signal kills the process. Child processes get
/// the default again.
pub fn report_file_size_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
}

/// Ignores Ctrl-C until it is dropped, because a child process, such as an editor, handles it.
pub struct InterruptsHeld(());

impl InterruptsHeld {
    /// Begins to ignore Ctrl-C.
    pub fn begin() -> Self {
        listen();
        INTERRUPT_HOLDERS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for InterruptsHeld {
    fn drop(&mut self) {
        INTERRUPT_HOLDERS.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(unix)]
fn start() {
    let hangup = (!tulk_streams::ignores_hangup()).then_some(SIGHUP);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(hangup.into_iter().chain([SIGINT, SIGTERM])) else {
        return;
    };
    let handle = signals.handle();
    let listen = move || {
        for signal in signals.forever() {
            on_signal(match signal {
                SIGHUP => Kind::Hangup,
                SIGTERM => Kind::Terminated,
                _ => Kind::Interrupted,
            });
        }
    };
    if std::thread::Builder::new().name("signals".into()).spawn(listen).is_err() {
        handle.close();
    }
}

#[cfg(not(unix))]
fn start() {
    let listen = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                on_signal(Kind::Interrupted);
            }
        });
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(listen);
}

fn on_signal(kind: Kind) {
    if kind == Kind::Interrupted && INTERRUPT_HOLDERS.load(Ordering::SeqCst) > 0 {
        return;
    }
    let stop = Stop::of_process();
    if stop.raised().is_some() {
        terminal::remove_drawn_rows();
        terminal::restore_all();
        child::kill_all();
        exit(i32::from(kind.code()));
    }
    stop.raise(kind);
}

/// Exits without waiting for anything, not even for the lock of a stream.
#[cfg(unix)]
fn exit(code: i32) {
    signal_hook::low_level::exit(code);
}

#[cfg(not(unix))]
#[allow(clippy::exit)] // the main thread may be stuck
fn exit(code: i32) {
    std::process::exit(code);
}
