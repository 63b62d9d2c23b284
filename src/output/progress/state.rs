//! The numbers of one task, and what the terminal shows of them: a bar or plain lines.
//!
//! `ProgressReporter` decides when they are drawn.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use super::lock;
use crate::output::messages::{MessageKind, Messages};
use crate::output::panic;
use crate::output::stderr::StderrWriter;

/// Tasks that finish sooner show no bar.
const BAR_DELAY: Duration = Duration::from_millis(250);
/// Time between two plain lines, and before the first.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// What a task has done, and what the terminal shows of it.
pub(super) struct TaskState {
    pub(super) label: String,
    pub(super) total: Mutex<Option<u64>>,
    pub(super) done: AtomicU64,
    pub(super) in_bytes: AtomicBool,
    pub(super) message: Mutex<String>,
    pub(super) started: Instant,
    /// The task that counts the group this one belongs to.
    pub(super) group: Option<Arc<TaskState>>,
    pub(super) display: Mutex<TaskDisplay>,
    pub(super) stderr: Arc<StderrWriter>,
    pub(super) messages: Messages,
}

/// What the terminal shows of a task.
pub(super) enum TaskDisplay {
    /// No bar, and the number of plain lines that are due so far.
    Pending {
        lines: u64,
    },
    Bar(ProgressBar),
    Finished,
}

impl TaskState {
    /// Shows or updates the bar if the task has run for long enough.
    pub(super) fn draw_bar(&self, elapsed: Duration) {
        let mut display = lock(&self.display);
        match &*display {
            TaskDisplay::Pending { .. } if elapsed >= BAR_DELAY => *display = TaskDisplay::Bar(self.add_bar()),
            TaskDisplay::Bar(bar) => self.update(bar),
            TaskDisplay::Pending { .. } | TaskDisplay::Finished => {}
        }
    }

    /// Adds a bar to the terminal: above the bar of its group, or below all others.
    fn add_bar(&self) -> ProgressBar {
        let bar = ProgressBar::no_length();
        let bar = match self.group.as_ref().map(|group| lock(&group.display)).as_deref() {
            Some(TaskDisplay::Bar(overall)) => self.stderr.bars.insert_before(overall, bar),
            _ => self.stderr.bars.add(bar),
        };
        self.stderr.visible_bars.fetch_add(1, Ordering::SeqCst);
        panic::add_visible_bars(1);
        bar.set_style(self.style(false));
        bar.set_prefix(self.label.clone());
        self.update(&bar);
        bar
    }

    fn update(&self, bar: &ProgressBar) {
        let total = *lock(&self.total);
        if bar.length() != total {
            bar.set_style(self.style(total.is_some()));
        }
        match total {
            Some(total) => bar.set_length(total),
            None => bar.unset_length(),
        }
        bar.set_position(self.done.load(Ordering::Relaxed));
        bar.set_message(lock(&self.message).clone());
        bar.tick();
    }

    fn style(&self, has_total: bool) -> ProgressStyle {
        let template = match (has_total, self.in_bytes.load(Ordering::Relaxed)) {
            (true, true) => "{prefix} {bar:24} {bytes}/{total_bytes} {wide_msg}",
            (true, false) => "{prefix} {bar:24} {pos}/{len} {wide_msg}",
            (false, true) => "{spinner} {prefix} {bytes} {elapsed} {wide_msg}",
            (false, false) => "{spinner} {prefix} {pos} {elapsed} {wide_msg}",
        };
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
    }

    /// Prints a plain line if one is due after this time.
    pub(super) fn print_line(&self, elapsed: Duration) {
        if self.group.is_some() {
            return;
        }
        {
            let mut display = lock(&self.display);
            let TaskDisplay::Pending { lines } = &mut *display else { return };
            let due = elapsed.as_secs() / LINE_INTERVAL.as_secs();
            if due <= *lines {
                return;
            }
            *lines = due;
        }
        self.messages.print(MessageKind::Requested, &self.line(elapsed));
    }

    pub(super) fn line(&self, elapsed: Duration) -> String {
        let (done, total) = (self.done.load(Ordering::Relaxed), *lock(&self.total));
        let in_bytes = self.in_bytes.load(Ordering::Relaxed);
        let amount = |n: u64| if in_bytes { HumanBytes(n).to_string() } else { n.to_string() };
        let mut line = format!("{}: ", self.label);
        match total {
            Some(total) => {
                let _ = write!(line, "{} of {}", amount(done), amount(total));
                if let Some(percent) = done.saturating_mul(100).checked_div(total) {
                    let _ = write!(line, " ({percent}%)");
                }
                line.push_str(", ");
            }
            None if done > 0 => {
                let _ = write!(line, "{}, ", amount(done));
            }
            None => {}
        }
        let message = lock(&self.message);
        if !message.is_empty() {
            let _ = write!(line, "{message}, ");
        }
        let _ = write!(line, "{} s so far", elapsed.as_secs());
        line
    }

    /// Removes the bar for good.
    pub(super) fn finish(&self) {
        let display = std::mem::replace(&mut *lock(&self.display), TaskDisplay::Finished);
        if let TaskDisplay::Bar(bar) = display {
            bar.finish_and_clear();
            self.stderr.bars.remove(&bar);
            self.stderr.visible_bars.fetch_sub(1, Ordering::SeqCst);
            panic::add_visible_bars(-1);
        }
    }
}

impl Drop for TaskState {
    fn drop(&mut self) {
        self.finish();
    }
}
