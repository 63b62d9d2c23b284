//! Reports progress on stderr: a line for each running task on a terminal, otherwise a plain line from time to time.
//!
//! Input: tasks, their phases, the amount done of each, and how each ended. A thread draws while tasks are running, so the work
//! itself never waits for the terminal. `task` has the state of a task and the layout of its line; indicatif draws on `terminal`.

mod countdown;
mod task;
mod terminal;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use indicatif::ProgressStyle;

pub use self::task::{ProgressGroup, ProgressTask, ProgressUnit, TaskName};
use self::task::{TaskRole, TaskState};
pub use self::terminal::{ProgressTerminal, SharedStream, size_of_stderr};
use super::messages::{MessageKind, Messages};
use super::panic;
use super::stderr::StderrWriter;
use super::terminals::Terminals;
use crate::config::ProgressChoice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressDisplay {
    Hidden,
    /// Bars that are redrawn in place.
    Bars,
    /// A plain line from time to time.
    Lines,
}

impl ProgressDisplay {
    /// Returns the requested display; by default, bars on a terminal and lines elsewhere. `silent` means `-q` or JSON.
    pub fn choose(choice: Option<ProgressChoice>, silent: bool, terminals: &Terminals) -> Self {
        let moves_cursor = terminals.stderr && !terminals.dumb;
        match choice.unwrap_or_default() {
            ProgressChoice::None => Self::Hidden,
            ProgressChoice::Auto if silent => Self::Hidden,
            ProgressChoice::Bar if moves_cursor => Self::Bars,
            ProgressChoice::Auto if moves_cursor && !terminals.ci => Self::Bars,
            ProgressChoice::Auto | ProgressChoice::Bar | ProgressChoice::Plain => Self::Lines,
        }
    }
}

/// Nothing is drawn before a task has run for this time.
const DRAW_DELAY: Duration = Duration::from_millis(250);
/// Labels of running tasks are cut to a third of the terminal, but not to less than this width.
const MIN_LABEL_WIDTH: usize = 19;
/// Labels of finished tasks are aligned up to this width.
const MAX_ALIGNED_LABEL: usize = 40;

/// All tasks of a run, and the thread that draws them. Cheap to clone.
#[derive(Clone)]
pub struct ProgressReporter {
    display: ProgressDisplay,
    stderr: Arc<StderrWriter>,
    messages: Messages,
    running: Arc<Mutex<RunningTasks>>,
    /// The task that all current retries share.
    retries: Arc<Mutex<Weak<ProgressTask>>>,
}

#[derive(Default)]
struct RunningTasks {
    tasks: Vec<Weak<TaskState>>,
    has_thread: bool,
    label_width: usize,
}

impl ProgressReporter {
    pub fn new(display: ProgressDisplay, stderr: Arc<StderrWriter>, messages: Messages) -> Self {
        Self { display, stderr, messages, running: Arc::default(), retries: Arc::default() }
    }

    pub fn display(&self) -> ProgressDisplay {
        self.display
    }

    pub fn single(&self, name: TaskName) -> ProgressTask {
        self.start(name, TaskRole::Single)
    }

    pub fn retries(&self) -> Arc<ProgressTask> {
        let mut shared = lock(&self.retries);
        shared.upgrade().unwrap_or_else(|| {
            let task = Arc::new(self.single(TaskName::new("retrying")));
            *shared = Arc::downgrade(&task);
            task
        })
    }

    fn start(&self, name: TaskName, role: TaskRole) -> ProgressTask {
        let task = ProgressTask::new(self, name, role);
        if self.display != ProgressDisplay::Hidden {
            self.add(&task.state);
        }
        task
    }

    pub fn stop_all(&self) {
        let tasks = std::mem::take(&mut lock(&self.running).tasks);
        tasks.iter().filter_map(Weak::upgrade).for_each(|task| task.finish());
    }

    fn add(&self, state: &Arc<TaskState>) {
        let mut running = lock(&self.running);
        running.tasks.push(Arc::downgrade(state));
        if !matches!(state.role, TaskRole::Group { .. }) {
            running.label_width = running.label_width.max(state.label_width(self.stderr.is_utf8()));
        }
        if running.has_thread {
            return;
        }
        let reporter = self.clone();
        running.has_thread = std::thread::Builder::new().name("progress".into()).spawn(move || reporter.run()).is_ok();
    }

    /// Shows the tasks until all have ended.
    fn run(&self) {
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
            if self.display == ProgressDisplay::Lines {
                for line in tasks.iter().filter_map(|task| task.due_plain_line(task.started.elapsed())) {
                    self.messages.print(MessageKind::Requested, &line);
                }
            } else if tasks.iter().any(|task| task.started.elapsed() >= DRAW_DELAY || task.is_shown()) {
                self.draw(&tasks);
            }
        }
    }

    /// Draws tasks. The summary of a group is the last line.
    fn draw(&self, tasks: &[Arc<TaskState>]) {
        let has_summary = tasks.iter().any(|task| task.role == TaskRole::Group { has_summary: true });
        let (utf8, (columns, _)) = (self.stderr.is_utf8(), self.stderr.size());
        let label_width = lock(&self.running).label_width.min((columns / 3).max(MIN_LABEL_WIDTH));
        for task in tasks {
            let template = task.template(utf8, columns, label_width);
            let Some(Ok(style)) = template.map(|template| ProgressStyle::with_template(&template)) else { continue };
            task.bar.set_style(if utf8 { style } else { style.tick_chars("-\\|/ ").progress_chars("#-") });
            if !task.is_shown() {
                self.stderr.bars().insert_from_back(usize::from(has_summary), task.bar.clone());
            }
            task.tick();
        }
    }

    /// If progress is shown as bars, prints the final line of a task above the lines of the others.
    fn print_end(&self, state: &TaskState, print: impl FnOnce(&Messages, &str)) {
        if self.display == ProgressDisplay::Bars {
            let utf8 = self.stderr.is_utf8();
            let width = lock(&self.running).label_width.min(MAX_ALIGNED_LABEL).max(state.label_width(utf8));
            print(&self.messages, &state.label(width, utf8));
        }
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
