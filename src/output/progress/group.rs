//! Several tasks that are shown together, and what is known about all of them.

use super::ProgressReporter;
use super::task::{ProgressTask, TaskName, TaskRole};

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
