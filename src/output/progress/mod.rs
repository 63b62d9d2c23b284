//! Reports progress on stderr: bars on a terminal, else a plain line from time to time.
//!
//! It takes tasks and how much of each is done, and draws bars (with indicatif) or prints lines. A thread does that while
//! tasks are running, so the work itself never waits for the terminal.

mod display;
mod state;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

pub use self::display::ProgressDisplay;

use self::state::{TaskDisplay, TaskState};
use super::messages::Messages;
use super::stderr::StderrWriter;
use super::{escape, panic};
use crate::secrets;

/// All tasks of a run, and the thread that draws them. Cheap to clone.
#[derive(Clone)]
pub struct ProgressReporter {
    display: ProgressDisplay,
    stderr: Arc<StderrWriter>,
    messages: Messages,
    running: Arc<Mutex<RunningTasks>>,
}

#[derive(Default)]
struct RunningTasks {
    tasks: Vec<Weak<TaskState>>,
    has_thread: bool,
}

impl ProgressReporter {
    /// Returns a reporter without tasks.
    pub fn new(display: ProgressDisplay, stderr: Arc<StderrWriter>, messages: Messages) -> Self {
        Self { display, stderr, messages, running: Arc::default() }
    }

    /// Starts a task. `total` is in the unit that the task counts.
    pub fn start(&self, label: &str, total: Option<u64>, group: Option<&ProgressTask>) -> ProgressTask {
        let state = Arc::new(TaskState {
            // indicatif draws the bars itself, so secrets are struck here.
            label: escape::cell(&secrets::strike(label), true).into_owned(),
            total: Mutex::new(total),
            done: AtomicU64::new(0),
            in_bytes: AtomicBool::new(false),
            message: Mutex::default(),
            started: Instant::now(),
            group: group.map(|task| Arc::clone(&task.state)),
            display: Mutex::new(TaskDisplay::Pending { lines: 0 }),
            stderr: Arc::clone(&self.stderr),
            messages: self.messages.clone(),
        });
        if self.display != ProgressDisplay::Hidden {
            self.add(&state);
        }
        ProgressTask { state }
    }

    /// Ends all tasks and removes their bars.
    pub fn stop_all(&self) {
        let tasks = std::mem::take(&mut lock(&self.running).tasks);
        for state in tasks.iter().filter_map(Weak::upgrade) {
            state.finish();
        }
    }

    fn add(&self, state: &Arc<TaskState>) {
        let mut running = lock(&self.running);
        running.tasks.push(Arc::downgrade(state));
        if running.has_thread {
            return;
        }
        let reporter = self.clone();
        running.has_thread = std::thread::Builder::new().name("progress".into()).spawn(move || reporter.draw()).is_ok();
    }

    /// Draws the tasks until none is left.
    fn draw(&self) {
        let interval = match self.display {
            ProgressDisplay::Lines => Duration::from_secs(1),
            ProgressDisplay::Bars | ProgressDisplay::Hidden => Duration::from_millis(100),
        };
        loop {
            std::thread::sleep(interval);
            let tasks: Vec<_> = {
                let mut running = lock(&self.running);
                running.tasks.retain(|task| task.strong_count() > 0);
                if running.tasks.is_empty() {
                    running.has_thread = false;
                    return;
                }
                running.tasks.iter().filter_map(Weak::upgrade).collect()
            };
            if panic::is_panicking() {
                return;
            }
            for task in tasks {
                match self.display {
                    ProgressDisplay::Lines => task.print_line(task.started.elapsed()),
                    ProgressDisplay::Bars | ProgressDisplay::Hidden => task.draw_bar(task.started.elapsed()),
                }
            }
        }
    }
}

/// A running task. Cheap to clone; its bar disappears with the last clone.
#[derive(Clone)]
pub struct ProgressTask {
    state: Arc<TaskState>,
}

impl ProgressTask {
    /// Counts bytes, so that numbers are written like `1.20 MiB`.
    #[must_use]
    pub fn in_bytes(self) -> Self {
        self.state.in_bytes.store(true, Ordering::Relaxed);
        self
    }

    /// Sets how much is done.
    pub fn set(&self, done: u64) {
        self.state.done.store(done, Ordering::Relaxed);
    }

    /// Adds to what is done.
    pub fn inc(&self, amount: u64) {
        self.state.done.fetch_add(amount, Ordering::Relaxed);
    }

    /// Sets the total once it is known.
    pub fn set_total(&self, total: Option<u64>) {
        *lock(&self.state.total) = total;
    }

    /// Sets the text beside the numbers, such as `translating, 12 s left`.
    pub fn set_message(&self, message: &str) {
        *lock(&self.state.message) = escape::cell(&secrets::strike(message), true).into_owned();
    }

    /// Ends the task: removes its bar and prints no more lines.
    pub fn finish(&self) {
        self.state.finish();
    }
}

/// Several tasks, each with a bar, and a bar for all of them below.
///
/// Plain lines report the group only, not its tasks.
#[derive(Clone)]
pub struct ProgressGroup {
    reporter: ProgressReporter,
    overall: ProgressTask,
}

impl ProgressGroup {
    /// Starts a group.
    pub fn new(reporter: &ProgressReporter, label: &str, total: Option<u64>) -> Self {
        Self { reporter: reporter.clone(), overall: reporter.start(label, total, None) }
    }

    /// Starts a task of the group.
    pub fn add(&self, label: &str, total: Option<u64>) -> ProgressTask {
        self.reporter.start(label, total, Some(&self.overall))
    }

    /// Returns the task that counts the whole group. The caller updates it when one of the tasks ends.
    pub fn overall(&self) -> &ProgressTask {
        &self.overall
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::{SharedBuffer, messages};

    fn reporter(display: ProgressDisplay) -> (ProgressReporter, SharedBuffer) {
        let buffer = SharedBuffer::default();
        let (stderr, messages) = messages(&buffer);
        (ProgressReporter::new(display, stderr, messages), buffer)
    }

    fn visible_bars(reporter: &ProgressReporter) -> usize {
        reporter.stderr.visible_bars.load(Ordering::SeqCst)
    }

    #[test]
    fn prints_a_plain_line_every_ten_seconds() {
        let (reporter, stderr) = reporter(ProgressDisplay::Hidden);
        let task = reporter.start("translating", Some(200), None);
        task.set(50);
        for seconds in [0, 9, 10, 11, 19, 20] {
            task.state.print_line(Duration::from_secs(seconds));
        }
        task.inc(100);
        task.set_message("waiting");
        task.finish();
        task.state.print_line(Duration::from_secs(30));
        assert_eq!(
            stderr.text(),
            "translating: 50 of 200 (25%), 10 s so far\ntranslating: 50 of 200 (25%), 20 s so far\n"
        );
    }

    #[test]
    fn a_line_contains_what_is_known() {
        let (reporter, _) = reporter(ProgressDisplay::Hidden);
        let line = |task: &ProgressTask| task.state.line(Duration::from_secs(12));
        let task = reporter.start("a.docx", None, None).in_bytes();
        assert_eq!(line(&task), "a.docx: 12 s so far");
        task.set(2048);
        task.set_message("uploading");
        assert_eq!(line(&task), "a.docx: 2.00 KiB, uploading, 12 s so far");
        task.set_total(Some(0));
        assert_eq!(line(&task), "a.docx: 2.00 KiB of 0 B, uploading, 12 s so far");
    }

    #[test]
    fn plain_lines_report_only_the_whole_group() {
        let (reporter, stderr) = reporter(ProgressDisplay::Hidden);
        let group = ProgressGroup::new(&reporter, "documents", Some(2));
        let first = group.add("a.docx", None);
        group.overall().inc(1);
        first.state.print_line(Duration::from_secs(10));
        group.overall().state.print_line(Duration::from_secs(10));
        assert_eq!(stderr.text(), "documents: 1 of 2 (50%), 10 s so far\n");
    }

    #[test]
    fn a_bar_appears_after_a_delay_and_disappears_at_the_end() {
        let (reporter, _) = reporter(ProgressDisplay::Hidden);
        let group = ProgressGroup::new(&reporter, "documents", Some(2));
        let task = group.add("a.docx", None);
        task.state.draw_bar(Duration::from_millis(249));
        assert_eq!(visible_bars(&reporter), 0);
        group.overall().state.draw_bar(Duration::from_millis(250));
        task.state.draw_bar(Duration::from_millis(250));
        assert_eq!(visible_bars(&reporter), 2);
        drop(task);
        assert_eq!(visible_bars(&reporter), 1);
        group.overall().finish();
        group.overall().state.draw_bar(Duration::from_secs(1));
        assert_eq!(visible_bars(&reporter), 0);
    }

    #[test]
    fn stopping_the_reporter_ends_every_task() {
        let (reporter, _) = reporter(ProgressDisplay::Bars);
        let task = reporter.start("x", None, None);
        task.state.draw_bar(Duration::from_secs(1));
        reporter.stop_all();
        assert_eq!(visible_bars(&reporter), 0);
        assert!(matches!(*lock(&task.state.display), TaskDisplay::Finished));
    }
}
