//! The stderr stream, shared by messages, questions and progress bars: the one place where bytes go to stderr.
//!
//! Every text passes [`secrets::strike`] as a whole, before it is cut or painted, so that no part of a secret is left.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::MultiProgress;

use crate::secrets;

/// Stderr of a run. Write errors are ignored: there is nowhere to report them.
pub struct StderrWriter {
    stream: Mutex<Box<dyn Write + Send>>,
    /// The progress bars, drawn on the same stream.
    pub bars: MultiProgress,
    /// Number of bars on the terminal.
    pub visible_bars: AtomicUsize,
}

impl StderrWriter {
    /// Returns a writer to `stream`; `bars` must draw on the same stream.
    pub fn new(stream: Box<dyn Write + Send>, bars: MultiProgress) -> Self {
        Self { stream: Mutex::new(stream), bars, visible_bars: AtomicUsize::new(0) }
    }

    /// Hides the progress bars while `action` uses the terminal.
    pub fn without_bars<R>(&self, action: impl FnOnce() -> R) -> R {
        if self.visible_bars.load(Ordering::SeqCst) > 0 { self.bars.suspend(action) } else { action() }
    }

    /// Writes a line.
    pub fn line(&self, line: &str) {
        self.without_bars(|| self.write(&format!("{line}\n")));
    }

    /// Writes text; the caller has hidden the bars.
    pub fn write(&self, text: &str) {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = stream.write_all(secrets::strike(text).as_bytes()).and_then(|()| stream.flush());
    }
}

/// Writes text to the process's stderr when there is no [`StderrWriter`]: before it is made, and in a panic.
pub fn write_directly(text: &str) -> std::io::Result<()> {
    std::io::stderr().write_all(secrets::strike(text).as_bytes())
}
