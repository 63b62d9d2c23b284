//! The stderr stream, shared by messages, questions and progress. All text on stderr goes through this module, except
//! the question for hidden input.
//!
//! Every text passes through [`secrets::redact`], so that no part of a secret remains: the texts of progress before they are cut, all
//! other texts when they are written.

use std::borrow::Cow;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressDrawTarget};
use tulk_base::secrets;

use super::progress::{ProgressTerminal, SharedStream};
use super::workflow::WorkflowGuard;

const DRAWS_PER_SECOND: u8 = 10;

/// Stderr of a run. Ignores write errors, because there is nowhere to report them.
pub struct StderrWriter {
    stream: SharedStream,
    /// Lines of running tasks. They are removed while something else is written to the terminal.
    bars: MultiProgress,
    size: fn() -> (usize, usize),
    utf8: bool,
    /// Set if a GitHub workflow may read stderr.
    guard: Option<WorkflowGuard>,
}

impl StderrWriter {
    /// Creates a writer to `stream`. `size` returns the columns and rows for progress; without `utf8`, only ASCII is drawn.
    pub fn new(stream: Box<dyn Write + Send>, size: fn() -> (usize, usize), utf8: bool) -> Self {
        let stream = Arc::new(Mutex::new(stream));
        let terminal = ProgressTerminal::new(Arc::clone(&stream), size, utf8);
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal), DRAWS_PER_SECOND);
        let bars = MultiProgress::with_draw_target(target);
        Self { stream, bars, size, utf8, guard: WorkflowGuard::of_process() }
    }

    /// Removes the lines of running tasks while `action` uses the terminal.
    pub fn without_progress<R>(&self, action: impl FnOnce() -> R) -> R {
        self.bars.suspend(action)
    }

    pub fn line(&self, line: &str) {
        self.without_progress(|| self.write(&format!("{line}\n")));
    }

    /// Writes text. The caller must have removed the lines of running tasks.
    pub fn write(&self, text: &str) {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = stream.write_all(self.clean(text).as_bytes()).and_then(|()| stream.flush());
    }

    /// Removes secrets, and commands for a GitHub workflow.
    fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let text = secrets::redact(text);
        match self.guard {
            Some(guard) => guard.text(&text).into(),
            None => text,
        }
    }

    pub fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    pub fn size(&self) -> (usize, usize) {
        (self.size)()
    }

    pub fn is_utf8(&self) -> bool {
        self.utf8
    }
}

/// Writes text to the process's stderr without a [`StderrWriter`]: before it exists, and in a panic.
pub fn write_directly(text: &str) -> std::io::Result<()> {
    std::io::stderr().write_all(secrets::redact(text).as_bytes())
}
