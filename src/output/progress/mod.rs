//! Reports progress on stderr: a line for each running task on a terminal, else a plain line from time to time.
//!
//! Input: tasks, their phases, how much of each is done, and how each ended. A thread draws while tasks are running, so
//! the work itself never waits for the terminal.
//!
//! | file | what it does |
//! |---|---|
//! | here | decides between lines that move, plain lines and nothing; the thread |
//! | `task` | what a command reports |
//! | `amount`, `line` | how that looks: pure functions |
//! | `screen` | draws and removes the lines of a terminal |

mod amount;
mod line;
mod screen;
mod task;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

pub use self::amount::{ProgressUnit, grouped};
use self::line::SummaryLine;
pub use self::line::{ProgressCharacters, ProgressFrame};
pub use self::screen::ProgressScreen;
pub use self::task::{ProgressGroup, ProgressTask, TaskName};
use self::task::{TaskRole, TaskState};
use super::messages::{MessageKind, Messages};
use super::panic;
use super::stderr::StderrWriter;
use super::terminals::Terminals;
use crate::config::ProgressChoice;

/// How progress is shown in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressDisplay {
    /// Not at all.
    Hidden,
    /// As bars that move.
    Bars,
    /// As a plain line from time to time.
    Lines,
}

impl ProgressDisplay {
    /// Returns the requested display, else bars on a terminal and lines elsewhere. `silent` means `-q` or JSON.
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

/// Nothing is drawn before a task has run for so long.
const DRAW_DELAY: Duration = Duration::from_millis(250);
/// Labels of finished tasks are aligned up to this width.
const MAX_ALIGNED_LABEL: usize = 40;

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
    /// Width of the widest label so far.
    label_width: usize,
}

impl ProgressReporter {
    /// Returns a reporter without tasks.
    pub fn new(display: ProgressDisplay, stderr: Arc<StderrWriter>, messages: Messages) -> Self {
        Self { display, stderr, messages, running: Arc::default() }
    }

    /// Returns how progress is shown.
    pub fn display(&self) -> ProgressDisplay {
        self.display
    }

    /// Starts a task that is not part of a group.
    pub fn single(&self, name: TaskName) -> ProgressTask {
        self.start(name, TaskRole::Single)
    }

    fn start(&self, name: TaskName, role: TaskRole) -> ProgressTask {
        let task = ProgressTask::new(self, name, role);
        if self.display != ProgressDisplay::Hidden {
            self.add(&task.state);
        }
        task
    }

    /// Ends all tasks and removes their lines.
    pub fn stop_all(&self) {
        let tasks = std::mem::take(&mut lock(&self.running).tasks);
        for state in tasks.iter().filter_map(Weak::upgrade) {
            state.finish();
        }
        self.refresh();
    }

    fn add(&self, state: &Arc<TaskState>) {
        let mut running = lock(&self.running);
        running.tasks.push(Arc::downgrade(state));
        running.label_width = running.label_width.max(self.label_width(state));
        if running.has_thread {
            return;
        }
        let reporter = self.clone();
        running.has_thread = std::thread::Builder::new().name("progress".into()).spawn(move || reporter.run()).is_ok();
    }

    /// Shows the tasks until none is left.
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
            match self.display {
                ProgressDisplay::Lines => {
                    for line in tasks.iter().filter_map(|task| task.due_plain_line(task.started.elapsed())) {
                        self.messages.print(MessageKind::Requested, &line);
                    }
                }
                ProgressDisplay::Bars | ProgressDisplay::Hidden => {
                    let is_due = tasks.iter().any(|task| task.started.elapsed() >= DRAW_DELAY);
                    self.draw(&tasks, is_due);
                }
            }
        }
    }

    /// Draws the tasks again if they are visible.
    fn refresh(&self) {
        if self.display == ProgressDisplay::Bars && !panic::is_panicking() {
            let tasks: Vec<_> = lock(&self.running).tasks.iter().filter_map(Weak::upgrade).collect();
            self.draw(&tasks, false);
        }
    }

    /// Draws tasks. The caller owns them until the lines are drawn: a task that is dropped draws the others again.
    fn draw(&self, tasks: &[Arc<TaskState>], is_due: bool) {
        self.stderr.show(|is_visible| (is_visible || is_due).then(|| frame(tasks)));
    }

    /// Prints how a task ended, above the lines of the others. Nothing unless lines are drawn.
    fn print_end(&self, state: &TaskState, print: impl FnOnce(&Messages, &str)) {
        if self.display != ProgressDisplay::Bars {
            return;
        }
        let width = lock(&self.running).label_width;
        let label = self.label(state);
        let blanks = width.min(MAX_ALIGNED_LABEL).saturating_sub(self.label_width(state));
        print(&self.messages, &format!("{label}{}", " ".repeat(blanks)));
    }

    fn label(&self, state: &TaskState) -> String {
        self.stderr.characters().label(state.name.name(), state.name.target())
    }

    fn label_width(&self, state: &TaskState) -> usize {
        match state.role {
            TaskRole::Group { .. } => 0,
            TaskRole::Single | TaskRole::Member => unicode_width::UnicodeWidthStr::width(&*self.label(state)),
        }
    }
}

/// Returns what is shown of these tasks now.
fn frame(tasks: &[Arc<TaskState>]) -> ProgressFrame {
    let summary = |task: &Arc<TaskState>| match (task.role, task.done()) {
        (TaskRole::Group { has_summary: true }, (done, Some(total))) if !task.is_finished() => {
            Some(SummaryLine { noun: task.name.name().to_owned(), done, total, elapsed: task.started.elapsed() })
        }
        _ => None,
    };
    let summary = tasks.iter().find_map(summary);
    ProgressFrame { tasks: tasks.iter().filter_map(|task| task.line()).collect(), summary }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
