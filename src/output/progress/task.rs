//! One running task: its phase, its numbers, and the layout of its line. indicatif draws its bar or spinner, and estimates its rate.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget};
use tulk_base::error::ErrorReport;
use tulk_base::numbers::{counted, grouped};
use tulk_base::secrets;
use unicode_width::UnicodeWidthStr;

use super::countdown::{Countdown, WorkEstimate};
use super::{ProgressReporter, lock};
use crate::output::escape;
use crate::output::render::shorten;

/// A longer estimate of the service is shown as this.
const MAX_ESTIMATE: Duration = Duration::from_secs(365 * 86_400);
/// Time between two plain lines, and before the first.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Narrower terminals show no bar.
const MIN_COLUMNS_OF_BARS: usize = 78;
/// Gap between label, phase and the other parts.
const COLUMN_GAP: &str = "   ";
/// Gap between the other parts.
const PART_GAP: &str = "  ";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgressUnit {
    /// Things without a unit, such as documents.
    #[default]
    Items,
    Bytes,
    Texts,
    /// Seconds of audio.
    Seconds,
}

impl ProgressUnit {
    fn format(self, count: u64) -> String {
        match self {
            Self::Items | Self::Texts => grouped(count),
            Self::Bytes => HumanBytes(count).to_string(),
            Self::Seconds => clock(Duration::from_secs(count)),
        }
    }

    fn amount(self, done: u64, total: Option<u64>) -> String {
        let last = |count| if self == Self::Texts { counted(count, "text") } else { self.format(count) };
        match total {
            Some(total) => format!("{} of {}", self.format(done), last(total)),
            None => last(done),
        }
    }
}

/// Formats an estimate, such as `about 12 s left`.
pub(super) fn time_left(left: Duration) -> String {
    match left.as_millis().div_ceil(1000) {
        seconds @ ..120 => format!("about {seconds} s left"),
        _ => format!("about {} left", HumanDuration(left)),
    }
}

/// Formats a time, such as `0:14` or `1:02:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// What a task works on: a source, and the target language if there is one.
#[derive(Clone, Debug, Default)]
pub struct TaskName {
    name: String,
    target: String,
}

impl TaskName {
    pub fn new(name: &str) -> Self {
        // indicatif writes to stderr directly, so remove secrets here.
        Self { name: clean(name), ..Self::default() }
    }

    pub fn with_target(name: &str, target: &str) -> Self {
        Self { target: clean(target), ..Self::new(name) }
    }

    fn arrow_and_target(&self, utf8: bool) -> String {
        match &*self.target {
            "" => String::new(),
            target => format!(" {} {target}", if utf8 { "→" } else { "->" }),
        }
    }
}

impl From<&str> for TaskName {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

fn clean(text: &str) -> String {
    escape::cell(&secrets::redact(text), true).into_owned()
}

/// A running task. Cheap to clone; its line disappears with the last clone.
#[derive(Clone)]
pub struct ProgressTask {
    pub(super) state: Arc<TaskState>,
    _end: Arc<FinishOnDrop>,
}

/// Finishes a task when its last user drops it, even while the drawing thread holds its state.
struct FinishOnDrop(Arc<TaskState>);

impl Drop for FinishOnDrop {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Role of a task, which decides whether it has its own line on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskRole {
    /// A task that is not part of a group.
    Single,
    /// One of several tasks. It has no plain lines.
    GroupMember,
    /// All tasks of a group together. With a summary, it has a line below its tasks on a terminal.
    Group { has_summary: bool },
}

pub(super) struct TaskState {
    pub(super) name: TaskName,
    pub(super) role: TaskRole,
    pub(super) started: Instant,
    pub(super) bar: ProgressBar,
    reporter: ProgressReporter,
    details: Mutex<TaskDetails>,
}

/// State of the current phase. Workers change only this, because the bar's lock is held while it is drawn.
#[derive(Clone, Default)]
struct TaskDetails {
    /// Empty while the task waits for its turn.
    phase: String,
    detail: String,
    /// Start of the phase, and its end as the service estimates it.
    estimate: Option<(Instant, Countdown)>,
    /// End as estimated from the work done.
    work: WorkEstimate,
    unit: ProgressUnit,
    is_counted: bool,
    done: u64,
    total: Option<u64>,
    is_finished: bool,
    /// Number of plain lines that have been due so far.
    plain_lines: u64,
}

impl ProgressTask {
    pub(super) fn new(reporter: &ProgressReporter, name: TaskName, role: TaskRole) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let details = TaskDetails { is_counted: matches!(role, TaskRole::Group { .. }), ..TaskDetails::default() };
        let (reporter, details) = (reporter.clone(), Mutex::new(details));
        let state = Arc::new(TaskState { name, role, started: Instant::now(), bar, reporter, details });
        Self { _end: Arc::new(FinishOnDrop(Arc::clone(&state))), state }
    }

    /// Starts a phase that counts nothing, such as `translating`.
    pub fn phase(&self, phase: &str) {
        self.phase_with(phase, "");
    }

    /// Starts a phase that counts nothing, or changes its detail, such as `12 rows`.
    pub fn phase_with(&self, phase: &str, detail: &str) {
        let mut details = lock(&self.state.details);
        (details.phase, details.detail) = (clean(phase), clean(detail));
        (details.is_counted, details.estimate, details.work) = (false, None, WorkEstimate::default());
    }

    /// Starts a phase with an estimate of the remaining time, or changes the estimate.
    pub fn estimate(&self, phase: &str, left: Duration) {
        let now = Instant::now();
        // The service may send any number.
        let left = left.min(MAX_ESTIMATE);
        let earlier = lock(&self.state.details).estimate;
        let (started, mut countdown) = earlier.unwrap_or((now, Countdown::new(now, left)));
        countdown.set_estimate(now, left);
        self.phase(phase);
        lock(&self.state.details).estimate = Some((started, countdown));
    }

    /// Starts a phase that counts up from 0, to `total` if it is known.
    pub fn count(&self, phase: &str, unit: ProgressUnit, total: Option<u64>) {
        self.phase(phase);
        let mut details = lock(&self.state.details);
        (details.is_counted, details.unit, details.done, details.total) = (true, unit, 0, total);
    }

    pub fn set(&self, done: u64) {
        lock(&self.state.details).set(done);
    }

    pub fn inc(&self, amount: u64) {
        let mut details = lock(&self.state.details);
        let done = details.done + amount;
        details.set(done);
    }

    pub fn set_total(&self, total: Option<u64>) {
        lock(&self.state.details).total = total;
    }

    /// Ends the task: removes its line and prints nothing more.
    pub fn finish(&self) {
        self.state.finish();
    }

    /// Ends a task that succeeded. If progress is shown as bars, prints a line with its label and `result`.
    pub fn succeeded(&self, result: &str) {
        self.finish();
        self.state.reporter.print_end(&self.state, |messages, label| messages.succeeded(label, result));
    }

    /// Ends a task that succeeded. If its line was shown, prints what it has done: `2,000 texts in 0:14`.
    pub fn finish_with_amount(&self) {
        if self.state.is_shown() {
            let TaskDetails { unit, done, .. } = *lock(&self.state.details);
            self.succeeded(&format!("{} in {}", unit.amount(done, None), clock(self.state.started.elapsed())));
        } else {
            self.finish();
        }
    }

    /// Ends a task that failed. If progress is shown as bars, prints a line with its label and the error.
    pub fn failed(&self, report: &ErrorReport) {
        self.finish();
        self.state.reporter.print_end(&self.state, |messages, label| messages.failed(label, report));
    }
}

impl TaskDetails {
    fn set(&mut self, done: u64) {
        if done != self.done {
            self.done = done;
            self.work.progress(Instant::now(), done, self.total);
        }
    }

    /// Returns the position in the phase, and its end if that is known: in milliseconds if the phase has an estimate that has not passed
    /// yet, otherwise in counted units.
    fn position(&self) -> (u64, Option<u64>) {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let now = Instant::now();
        match self.estimate.map(|(start, countdown)| (now - start, countdown.left(now))) {
            Some((passed, Some(left))) => (milliseconds(passed), Some(milliseconds(passed + left))),
            None if self.is_counted => (self.done, self.total.filter(|total| *total > 0)),
            _ => (0, None),
        }
    }
}

impl TaskState {
    /// Returns the line on a terminal as a template of indicatif; `None` if the task has no line, waits for its turn, or has ended.
    pub(super) fn template(&self, utf8: bool, columns: usize, label_width: usize) -> Option<String> {
        let details = lock(&self.details).clone();
        if details.is_finished {
            return None;
        }
        Some(match self.role {
            TaskRole::Group { has_summary: false } => return None,
            TaskRole::Group { has_summary: true } => {
                let amount = details.unit.amount(details.done, details.total);
                format!("{amount} {}, {}", self.name.name, clock(self.started.elapsed()))
            }
            TaskRole::GroupMember if details.phase.is_empty() && !details.is_counted => return None,
            TaskRole::Single | TaskRole::GroupMember => {
                // Most phases of members are no wider than `translating`.
                let phase_width = if self.role == TaskRole::GroupMember { 11 } else { 0 };
                let mut head = self.label(label_width, utf8);
                if !details.phase.is_empty() {
                    head = format!("{head}{COLUMN_GAP}{:phase_width$}", details.phase);
                }
                let (bar, bar_width) = match details.position() {
                    (_, Some(_)) if columns >= MIN_COLUMNS_OF_BARS => ("{bar:14}  ", 16),
                    _ => ("", 0),
                };
                let used = "- ".len() + head.width() + COLUMN_GAP.len() + bar_width;
                let mut parts = self.parts(&details);
                while !parts.is_empty() && used + parts.join(PART_GAP).width() > columns {
                    parts.pop();
                }
                let literal = |text: &str| text.replace('{', "{{").replace('}', "}}");
                format!("{{spinner}} {}{COLUMN_GAP}{bar}{}", literal(&head), literal(&parts.join(PART_GAP)))
            }
        })
    }

    /// Returns the parts after the phase, the most important first.
    fn parts(&self, details: &TaskDetails) -> Vec<String> {
        let TaskDetails { unit, done, total, .. } = *details;
        let (mut parts, now) = (Vec::new(), Instant::now());
        if details.is_counted {
            let percent = total.and_then(|total| done.saturating_mul(100).checked_div(total));
            parts.extend(percent.map(|percent| format!("{:>3} %", percent.min(100))));
            if done > 0 || total.is_some() {
                parts.push(unit.amount(done, total));
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // for display only
            let rate = self.bar.per_sec() as u64;
            // Audio is sent at its own pace, so its rate is not shown.
            if rate > 0 && unit != ProgressUnit::Seconds {
                parts.push(format!("{}/s", unit.format(rate)));
                let left = total.and_then(|_| details.work.left(now));
                parts.extend(left.map(time_left));
            }
        }
        let left = details.estimate.and_then(|(_, countdown)| countdown.left(now)).map(time_left);
        parts.extend(left.or_else(|| Some(details.detail.clone()).filter(|detail| !detail.is_empty())));
        if unit != ProgressUnit::Seconds {
            parts.push(clock(self.started.elapsed()));
        }
        parts
    }

    /// Updates the bar and the spinner, and draws the line if the task has one on the terminal.
    pub(super) fn tick(&self) {
        let (position, length) = lock(&self.details).position();
        if position == 0 {
            // Measure the rate from the first progress, not from the start of the phase.
            self.bar.reset_eta();
        }
        self.bar.update(|state| {
            state.set_pos(position);
            state.set_len(length.unwrap_or(position));
        });
    }

    pub(super) fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Returns the source with its target, such as `a.txt → de`, in this width. Folders are cut first, then the middle of the file name.
    pub(super) fn label(&self, width: usize, utf8: bool) -> String {
        let target = self.name.arrow_and_target(utf8);
        let name_width = width.saturating_sub(target.width());
        let label = shorten::path(&self.name.name, name_width, shorten::ellipsis(utf8)).into_owned() + &target;
        let padding = width.saturating_sub(label.width());
        label + &" ".repeat(padding)
    }

    /// Returns the width of the label if it is not cut.
    pub(super) fn label_width(&self, utf8: bool) -> usize {
        self.name.name.width() + self.name.arrow_and_target(utf8).width()
    }

    /// Returns a plain line if one is due after the task has run for `elapsed`.
    pub(super) fn due_plain_line(&self, elapsed: Duration) -> Option<String> {
        self.tick();
        let mut details = lock(&self.details);
        let due = elapsed.as_secs() / LINE_INTERVAL.as_secs();
        if self.role == TaskRole::GroupMember || details.is_finished || due <= details.plain_lines {
            return None;
        }
        details.plain_lines = due;
        let details = details.clone();
        let mut parts = self.parts(&details);
        // A count of texts or items is clear without the phase.
        if !details.phase.is_empty() && (!details.is_counted || details.unit == ProgressUnit::Bytes) {
            parts.insert(0, details.phase);
        }
        let utf8 = self.reporter.stderr.is_utf8();
        let label = self.label(self.label_width(utf8), utf8);
        Some(format!("{label}: {}", parts.join(", ").trim_start()))
    }

    pub(super) fn finish(&self) {
        if !std::mem::replace(&mut lock(&self.details).is_finished, true) {
            self.bar.finish_and_clear();
        }
    }
}

/// Several tasks, each with a line on a terminal. Plain lines report only the group.
#[derive(Clone)]
pub struct ProgressGroup {
    reporter: ProgressReporter,
    overall: ProgressTask,
}

impl ProgressGroup {
    /// Starts a group. Its last line counts its tasks: `1 of 4 documents, 0:14`.
    pub fn counted(reporter: &ProgressReporter, noun: &str, total: u64) -> Self {
        let group = Self::new(reporter, noun, TaskRole::Group { has_summary: true });
        group.overall.set_total(Some(total));
        group
    }

    /// Starts a group without a summary on a terminal. Plain lines show `name`.
    pub fn named(reporter: &ProgressReporter, name: &str) -> Self {
        Self::new(reporter, name, TaskRole::Group { has_summary: false })
    }

    fn new(reporter: &ProgressReporter, name: &str, role: TaskRole) -> Self {
        Self { reporter: reporter.clone(), overall: reporter.start(TaskName::new(name), role) }
    }

    /// Adds a task, which is shown from its first phase on.
    pub fn add(&self, name: TaskName) -> ProgressTask {
        self.reporter.start(name, TaskRole::GroupMember)
    }

    /// Returns the task that counts for the complete group. The caller updates it.
    pub fn overall(&self) -> &ProgressTask {
        &self.overall
    }
}
