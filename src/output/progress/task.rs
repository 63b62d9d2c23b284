//! One running task: its phase, its numbers, and what a line shows of them.
//!
//! The numbers are kept by a bar of indicatif that is never drawn, which also estimates their rate.
//!
//! The tasks of a group are shown together, with what is known about all of them.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget};
use tulk_base::error::ErrorReport;
use tulk_base::secrets;

use super::amount::{ProgressUnit, clock};
use super::line::{TaskCount, TaskLine};
use super::{ProgressDisplay, ProgressReporter, lock};
use crate::output::escape;

/// Time between two plain lines, and before the first.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// What a task works on.
#[derive(Clone, Debug)]
pub struct TaskName {
    name: String,
    target: Option<String>,
    /// Another name, for plain lines.
    plain: Option<String>,
}

impl TaskName {
    /// Names a task without a target.
    pub fn new(name: &str) -> Self {
        // Lines are drawn without the usual checks of stderr, so secrets are struck here.
        Self { name: clean(name), target: None, plain: None }
    }

    /// Names a source and the language of its result.
    pub fn with_target(name: &str, target: &str) -> Self {
        Self { target: Some(clean(target)).filter(|target| !target.is_empty()), ..Self::new(name) }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    /// Names a source and the language of its result, which plain lines do not show.
    pub fn of_output(name: &str, target: &str) -> Self {
        Self { plain: Some(clean(name)), ..Self::with_target(name, target) }
    }

    /// Names a task that has another name in plain lines.
    pub fn with_plain(name: &str, plain: &str) -> Self {
        Self { plain: Some(clean(plain)), ..Self::new(name) }
    }

    /// Returns the name in plain lines, such as `a.txt (de)`.
    fn plain(&self) -> String {
        match (&self.plain, &self.target) {
            (Some(plain), _) => plain.clone(),
            (None, Some(target)) => format!("{} ({target})", self.name),
            (None, None) => self.name.clone(),
        }
    }
}

impl From<&str> for TaskName {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

fn clean(text: &str) -> String {
    escape::cell(&secrets::strike(text), true).into_owned()
}

/// A running task. Cheap to clone; its line disappears with the last clone.
#[derive(Clone)]
pub struct ProgressTask {
    pub(super) state: Arc<TaskState>,
}

/// Whether a task has a line of its own on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskRole {
    /// A task that is not part of a group.
    Single,
    /// One of several tasks. Plain lines do not show it.
    Member,
    /// All tasks of a group. A terminal shows it as a line below them, if it has a summary.
    Group { has_summary: bool },
}

/// What a task has done.
pub(super) struct TaskState {
    pub(super) name: TaskName,
    pub(super) role: TaskRole,
    pub(super) started: Instant,
    pub(super) reporter: ProgressReporter,
    /// `None` if nothing is shown.
    counter: Option<ProgressBar>,
    details: Mutex<TaskDetails>,
}

/// What is known about a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PhaseKind {
    /// It has not begun: the task waits for its turn.
    Waiting,
    /// Words only.
    #[default]
    Words,
    /// How much is done.
    Counted,
}

#[derive(Default)]
struct TaskDetails {
    phase: String,
    detail: String,
    unit: ProgressUnit,
    kind: PhaseKind,
    is_finished: bool,
    /// Whether the task was part of what was drawn.
    was_shown: bool,
    /// Plain lines that were due so far.
    plain_lines: u64,
}

impl ProgressTask {
    pub(super) fn new(reporter: &ProgressReporter, name: TaskName, role: TaskRole) -> Self {
        let details = match role {
            TaskRole::Member => {
                TaskDetails { phase: "queued".to_owned(), kind: PhaseKind::Waiting, ..TaskDetails::default() }
            }
            TaskRole::Single | TaskRole::Group { .. } => TaskDetails::default(),
        };
        let state = TaskState {
            name,
            role,
            started: Instant::now(),
            reporter: reporter.clone(),
            counter: (reporter.display() != ProgressDisplay::Hidden)
                .then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())),
            details: Mutex::new(details),
        };
        Self { state: Arc::new(state) }
    }

    /// Starts a phase that counts nothing, such as `translating`.
    pub fn phase(&self, phase: &str) {
        self.phase_with(phase, "");
    }

    /// Starts a phase that counts nothing, or changes what is known about it, such as `about 12 s left`.
    pub fn phase_with(&self, phase: &str, detail: &str) {
        if self.state.counter.is_none() {
            return;
        }
        let mut details = lock(&self.state.details);
        (details.phase, details.detail) = (clean(phase), clean(detail));
        details.kind = PhaseKind::Words;
    }

    /// Starts a phase that counts, from 0 to a total if that is known.
    pub fn count(&self, phase: &str, unit: ProgressUnit, total: Option<u64>) {
        let Some(counter) = &self.state.counter else { return };
        {
            let mut details = lock(&self.state.details);
            *details = TaskDetails {
                phase: clean(phase),
                unit,
                kind: PhaseKind::Counted,
                plain_lines: details.plain_lines,
                is_finished: details.is_finished,
                was_shown: details.was_shown,
                ..TaskDetails::default()
            };
        }
        counter.reset();
        self.set_total(total);
    }

    /// Sets how much is done.
    pub fn set(&self, done: u64) {
        if let Some(counter) = &self.state.counter {
            counter.set_position(done);
        }
    }

    /// Adds to what is done.
    pub fn inc(&self, amount: u64) {
        if let Some(counter) = &self.state.counter {
            counter.inc(amount);
        }
    }

    /// Sets the total once it is known.
    pub fn set_total(&self, total: Option<u64>) {
        match (&self.state.counter, total) {
            (Some(counter), Some(total)) => counter.set_length(total),
            (Some(counter), None) => counter.unset_length(),
            (None, _) => {}
        }
    }

    /// Ends the task: removes its line and prints no more.
    pub fn finish(&self) {
        self.state.finish();
    }

    /// Ends a task that succeeded, and prints a line with its label and these words, if lines are drawn.
    pub fn succeeded(&self, result: &str) {
        self.finish();
        self.state.reporter.print_end(&self.state, |messages, label| messages.succeeded(label, result));
    }

    /// Ends a task that succeeded, and leaves what it has done on the terminal if it was shown there.
    pub fn keep(&self) {
        match self.state.shown_result() {
            Some(result) => self.succeeded(&result),
            None => self.finish(),
        }
    }

    /// Ends a task that failed, and prints a line with its label and the error, if lines are drawn.
    pub fn failed(&self, report: &ErrorReport) {
        self.finish();
        self.state.reporter.print_end(&self.state, |messages, label| messages.failed(label, report));
    }
}

impl TaskState {
    /// Returns the line on a terminal. `None` if the task has none, or has ended.
    pub(super) fn line(&self) -> Option<TaskLine> {
        let mut details = lock(&self.details);
        if details.is_finished || matches!(self.role, TaskRole::Group { .. }) {
            return None;
        }
        details.was_shown = true;
        let ((done, total), unit) = (self.done(), details.unit);
        Some(TaskLine {
            name: self.name.name.clone(),
            target: self.name.target.clone(),
            phase: details.phase.clone(),
            count: (details.kind == PhaseKind::Counted).then(|| TaskCount {
                done,
                total,
                unit,
                per_second: self.per_second(),
            }),
            detail: details.detail.clone(),
            // Audio is a time itself.
            elapsed: (self.role == TaskRole::Single && unit != ProgressUnit::Seconds).then(|| self.started.elapsed()),
            is_waiting: details.kind == PhaseKind::Waiting,
        })
    }

    /// Returns how much is done, and of how much.
    pub(super) fn done(&self) -> (u64, Option<u64>) {
        self.counter.as_ref().map_or((0, None), |counter| (counter.position(), counter.length()))
    }

    fn per_second(&self) -> u64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // for display only
        {
            self.counter.as_ref().map_or(0.0, ProgressBar::per_sec) as u64
        }
    }

    /// Returns a plain line if one is due after this time.
    pub(super) fn due_plain_line(&self, elapsed: Duration) -> Option<String> {
        if self.role == TaskRole::Member {
            return None;
        }
        {
            let mut details = lock(&self.details);
            let due = elapsed.as_secs() / LINE_INTERVAL.as_secs();
            if details.is_finished || due <= details.plain_lines {
                return None;
            }
            details.plain_lines = due;
        }
        Some(self.plain_line(elapsed))
    }

    pub(super) fn plain_line(&self, elapsed: Duration) -> String {
        let ((done, total), per_second) = (self.done(), self.per_second());
        let details = lock(&self.details);
        let in_bytes = details.unit == ProgressUnit::Bytes;
        let amount = |n: u64| if in_bytes { HumanBytes(n).to_string() } else { n.to_string() };
        let mut line = format!("{}: ", self.name.plain());
        // Writing to a String does not fail.
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
        // What is counted and not in bytes says enough.
        let is_counted = details.kind == PhaseKind::Counted;
        let has_phase = !details.phase.is_empty() && (in_bytes || !is_counted);
        if has_phase {
            let _ = write!(line, "{}, ", details.phase);
        }
        if in_bytes && is_counted && done > 0 {
            let _ = write!(line, "{}/s, ", HumanBytes(per_second));
        }
        if !details.detail.is_empty() {
            let _ = write!(line, "{}, ", details.detail);
        }
        let _ = write!(line, "{} s so far", elapsed.as_secs());
        line
    }

    /// Returns whether the task was drawn, and how much it has done in which time: `2,000 entries in 0:14`.
    pub(super) fn shown_result(&self) -> Option<String> {
        let details = lock(&self.details);
        let amount = details.unit.amount(self.done().0, None).unwrap_or_default();
        details.was_shown.then(|| format!("{amount} in {}", clock(self.started.elapsed())))
    }

    pub(super) fn is_finished(&self) -> bool {
        lock(&self.details).is_finished
    }

    /// Removes the line for good.
    pub(super) fn finish(&self) {
        if !std::mem::replace(&mut lock(&self.details).is_finished, true) {
            self.reporter.refresh();
        }
    }
}

impl Drop for TaskState {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Several tasks, each with a line on a terminal. Plain lines report the group only.
#[derive(Clone)]
pub struct ProgressGroup {
    reporter: ProgressReporter,
    overall: ProgressTask,
}

impl ProgressGroup {
    /// Starts a group, whose last line counts its tasks: `1 of 4 documents, 0:14`.
    pub fn counted(reporter: &ProgressReporter, noun: &str, total: u64) -> Self {
        let group = Self::new(reporter, noun, TaskRole::Group { has_summary: true });
        group.overall.set_total(Some(total));
        group
    }

    /// Starts a group that only its tasks show on a terminal. Plain lines show this name.
    pub fn named(reporter: &ProgressReporter, name: &str) -> Self {
        Self::new(reporter, name, TaskRole::Group { has_summary: false })
    }

    fn new(reporter: &ProgressReporter, name: &str, role: TaskRole) -> Self {
        Self { reporter: reporter.clone(), overall: reporter.start(TaskName::new(name), role) }
    }

    /// Adds a task, which is queued until its first phase.
    pub fn add(&self, name: TaskName) -> ProgressTask {
        self.reporter.start(name, TaskRole::Member)
    }

    /// Returns the task that counts the whole group. The caller updates it.
    pub fn overall(&self) -> &ProgressTask {
        &self.overall
    }
}
