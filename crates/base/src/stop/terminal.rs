//! Restores the terminal however the process ends: settings that a hidden prompt or a child process changed, and the rows of the
//! progress display.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of progress rows on the terminal of stderr. The cursor is in the last one.
static DRAWN_ROWS: AtomicUsize = AtomicUsize::new(0);

/// Records the number of progress rows on the terminal of stderr, so that a sudden end can remove them.
pub fn set_drawn_rows(rows: usize) {
    DRAWN_ROWS.store(rows, Ordering::SeqCst);
}

/// Returns the number of progress rows on the terminal of stderr.
pub fn drawn_rows() -> usize {
    DRAWN_ROWS.load(Ordering::SeqCst)
}

/// Returns the escape sequence that removes rows. The cursor must be in the last one.
pub fn clear_rows(rows: usize) -> String {
    let mut text = "\r".to_owned();
    if rows > 1 {
        // Writing to a String does not fail.
        let _ = write!(text, "\u{1b}[{}A", rows - 1);
    }
    text.push_str("\u{1b}[J");
    text
}

/// Removes the progress rows, unless output to the terminal is paused (Ctrl-S).
pub(super) fn remove_drawn_rows() {
    use std::io::Write as _;
    use std::sync::mpsc;
    const PATIENCE: std::time::Duration = std::time::Duration::from_millis(50);
    let rows = drawn_rows();
    if rows == 0 {
        return;
    }
    let (sender, receiver) = mpsc::channel();
    let remove = move || {
        let _ = std::io::stderr().write_all(clear_rows(rows).as_bytes());
        let _ = sender.send(());
    };
    let _ = crate::machine::spawn("clear rows", remove);
    let _ = receiver.recv_timeout(PATIENCE);
}

/// Saved settings of the terminal. Restored on drop, or when a second signal ends the process.
pub struct SavedTerminal(());

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

    use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

    use super::SavedTerminal;

    /// Saved settings, oldest first.
    static SAVED: Mutex<Vec<Termios>> = Mutex::new(Vec::new());

    fn saved() -> MutexGuard<'static, Vec<Termios>> {
        SAVED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl SavedTerminal {
        /// Saves the settings of stdin if it is a terminal.
        pub fn save() -> Option<Self> {
            let settings = tcgetattr(io::stdin()).ok()?;
            saved().push(settings);
            Some(Self(()))
        }

        /// Saves the settings and turns off echo.
        pub fn hide_input() -> Option<Self> {
            let saved = Self::save()?;
            let mut hidden = tcgetattr(io::stdin()).ok()?;
            hidden.local_modes.remove(LocalModes::ECHO);
            hidden.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON);
            tcsetattr(io::stdin(), OptionalActions::Now, &hidden).ok()?;
            Some(saved)
        }
    }

    impl Drop for SavedTerminal {
        fn drop(&mut self) {
            let settings = saved().pop();
            settings.iter().for_each(restore);
        }
    }

    /// Restores the oldest settings before the process exits immediately.
    pub(in crate::stop) fn restore_all() {
        let settings = saved().first().cloned();
        settings.iter().for_each(restore);
    }

    /// Restores the oldest settings after a panic, which may have occurred during a change of the settings.
    pub fn restore_after_panic() {
        let settings = match SAVED.try_lock() {
            Ok(saved) => saved.first().cloned(),
            Err(TryLockError::Poisoned(saved)) => saved.into_inner().first().cloned(),
            Err(TryLockError::WouldBlock) => None,
        };
        settings.iter().for_each(restore);
    }

    fn restore(settings: &Termios) {
        // A partly typed key must not appear in the shell.
        let was_hidden = tcgetattr(io::stdin()).is_ok_and(|now| !now.local_modes.contains(LocalModes::ECHO));
        if was_hidden {
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        }
        // Do not wait for pending output: a terminal paused with Ctrl-S never finishes it.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, settings);
    }

    /// Returns whether the process has a terminal, even if no stream is connected to it.
    pub(in crate::stop) fn is_present() -> bool {
        std::fs::File::open("/dev/tty").is_ok()
    }
}

#[cfg(unix)]
pub use self::unix::restore_after_panic;
#[cfg(unix)]
pub(super) use self::unix::{is_present, restore_all};

#[cfg(not(unix))]
impl SavedTerminal {
    /// Does nothing, because this platform restores its consoles.
    pub fn save() -> Option<Self> {
        None
    }
}

#[cfg(not(unix))]
pub(super) fn restore_all() {}

/// Does nothing, because this platform restores its consoles.
#[cfg(not(unix))]
pub fn restore_after_panic() {}

#[cfg(not(unix))]
pub(super) fn is_present() -> bool {
    true
}
