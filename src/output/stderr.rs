//! The stderr stream, shared by messages, questions and progress: the one place where bytes go to stderr.
//!
//! Every text passes [`secrets::strike`] as a whole, before it is cut or painted, so that no part of a secret is left.

use std::borrow::Cow;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tulk_base::secrets;

use super::progress::{ProgressCharacters, ProgressFrame, ProgressScreen};
use super::workflow::WorkflowGuard;

/// Stderr of a run. Write errors are ignored: there is nowhere to report them.
pub struct StderrWriter {
    stream: Mutex<Box<dyn Write + Send>>,
    /// The lines of running tasks. Locked while something else is written to the terminal.
    screen: Mutex<ProgressScreen>,
    /// Set if a workflow may read stderr.
    guard: Option<WorkflowGuard>,
}

impl StderrWriter {
    /// Returns a writer to `stream`, on which `screen` is drawn.
    pub fn new(stream: Box<dyn Write + Send>, screen: ProgressScreen) -> Self {
        Self { stream: Mutex::new(stream), screen: Mutex::new(screen), guard: WorkflowGuard::of_process() }
    }

    /// Removes the lines of running tasks while `action` uses the terminal.
    pub fn without_progress<R>(&self, action: impl FnOnce() -> R) -> R {
        let mut screen = self.lock_screen();
        self.write_unchanged(&screen.clear());
        let result = action();
        self.write_unchanged(&screen.redraw(""));
        result
    }

    /// Writes a line.
    pub fn line(&self, line: &str) {
        let mut screen = self.lock_screen();
        self.write_unchanged(&screen.redraw(&self.clean(&format!("{line}\n"))));
    }

    /// Writes text; the caller has removed the lines of running tasks.
    pub fn write(&self, text: &str) {
        self.write_unchanged(&self.clean(text));
    }

    /// Removes secrets, and commands for a workflow.
    fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let text = secrets::strike(text);
        match self.guard {
            Some(guard) => guard.text(&text).into(),
            None => text,
        }
    }

    /// Shows running tasks. `frame` is called with whether any are shown, and returns `None` to change nothing.
    pub fn show(&self, frame: impl FnOnce(bool) -> Option<ProgressFrame>) {
        let mut screen = self.lock_screen();
        if let Some(frame) = frame(screen.is_visible()) {
            self.write_unchanged(&screen.show(frame));
        }
    }

    /// Returns the characters for labels and marks.
    pub fn characters(&self) -> ProgressCharacters {
        self.lock_screen().characters()
    }

    fn write_unchanged(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    }

    fn lock_screen(&self) -> MutexGuard<'_, ProgressScreen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes text to the process's stderr when there is no [`StderrWriter`]: before it is made, and in a panic.
pub fn write_directly(text: &str) -> std::io::Result<()> {
    std::io::stderr().write_all(secrets::strike(text).as_bytes())
}
