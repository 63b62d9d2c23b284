//! The lines that a terminal shows of running tasks: a pure function of the tasks, the size of the terminal and its characters.

use std::time::Duration;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::amount::{ProgressUnit, clock};
use crate::output::render::shorten;

/// Columns of a bar.
const BAR_WIDTH: u64 = 14;
/// Blanks between the columns label, phase and the rest.
const COLUMN_GAP: &str = "   ";
/// Blanks between the parts of the rest.
const PART_GAP: &str = "  ";
/// Labels are not cut to less, nor to less than their file name if it takes at most half of the line.
const MIN_LABEL_WIDTH: usize = 12;
/// Columns that stay free at the end of each line, for the `^C` that a terminal adds.
const FREE_COLUMNS: usize = 2;

/// The characters of progress on a terminal, which depend on its character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressCharacters {
    pub(super) full: char,
    pub(super) empty: char,
    pub(super) arrow: &'static str,
    pub(super) ellipsis: &'static str,
    /// The mark of something that is done.
    pub done: &'static str,
    /// The mark of something that failed.
    pub failed: &'static str,
}

impl ProgressCharacters {
    const UTF8: Self = Self { full: '█', empty: '░', arrow: "→", ellipsis: "…", done: "✓", failed: "✗" };
    const ASCII: Self = Self { full: '#', empty: '-', arrow: "->", ellipsis: "...", done: "ok", failed: "x" };

    /// Returns the characters of a terminal with or without UTF-8.
    pub fn new(utf8: bool) -> Self {
        if utf8 { Self::UTF8 } else { Self::ASCII }
    }

    /// Returns a source with its target, such as `a.txt → de`.
    pub fn label(&self, name: &str, target: Option<&str>) -> String {
        match target {
            Some(target) => format!("{name} {} {target}", self.arrow),
            None => name.to_owned(),
        }
    }

    /// Returns a bar that is filled to a percentage.
    fn bar(&self, percent: u64) -> String {
        let full = percent.min(100) * BAR_WIDTH / 100;
        (0..BAR_WIDTH).map(|at| if at < full { self.full } else { self.empty }).collect()
    }
}

/// What is shown of one task.
#[derive(Clone, Debug, Default)]
pub(super) struct TaskLine {
    pub(super) name: String,
    pub(super) target: Option<String>,
    pub(super) phase: String,
    /// What the phase counts.
    pub(super) count: Option<TaskCount>,
    /// More words about the phase.
    pub(super) detail: String,
    pub(super) elapsed: Option<Duration>,
    /// Whether the task only waits for its turn.
    pub(super) is_waiting: bool,
}

/// How much of a task is done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TaskCount {
    pub(super) done: u64,
    pub(super) total: Option<u64>,
    pub(super) unit: ProgressUnit,
    pub(super) per_second: u64,
}

/// The line below the tasks of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct SummaryLine {
    pub(super) noun: String,
    pub(super) done: u64,
    pub(super) total: u64,
    pub(super) elapsed: Duration,
}

/// Everything that is shown at one moment.
#[derive(Clone, Debug, Default)]
pub struct ProgressFrame {
    pub(super) tasks: Vec<TaskLine>,
    pub(super) summary: Option<SummaryLine>,
}

impl ProgressFrame {
    /// Returns the lines for a terminal of this size. None is wider than the terminal, and one row stays free.
    pub(super) fn lines(&self, (width, height): (usize, usize), characters: &ProgressCharacters) -> Vec<String> {
        let width = width.saturating_sub(FREE_COLUMNS).max(1);
        let rows = height.saturating_sub(1).max(1);
        let all = self.tasks.len() + usize::from(self.summary.is_some());
        let mut shown: Vec<&TaskLine> = self.tasks.iter().collect();
        if all > rows {
            shown.retain(|task| !task.is_waiting);
            // The last row says how many are not shown.
            shown.truncate(rows - 1);
        }
        let hidden = self.tasks.len() - shown.len();
        let mut lines = task_lines(&shown, width, characters);
        lines.extend(self.last_line(hidden).map(|line| cut_end(&line, width, characters.ellipsis)));
        lines
    }

    fn last_line(&self, hidden: usize) -> Option<String> {
        let summary = self
            .summary
            .as_ref()
            .map(|SummaryLine { noun, done, total, elapsed }| format!("{done} of {total} {noun}, {}", clock(*elapsed)));
        match (summary, hidden) {
            (summary, 0) => summary,
            (Some(summary), hidden) => Some(format!("{summary}, {hidden} more not shown")),
            (None, hidden) => Some(format!("{hidden} more not shown")),
        }
    }
}

/// Returns the lines of tasks, in columns.
fn task_lines(tasks: &[&TaskLine], width: usize, characters: &ProgressCharacters) -> Vec<String> {
    let label = |task: &&TaskLine| characters.label(&task.name, task.target.as_deref());
    let labels: Vec<String> = tasks.iter().map(label).collect();
    let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
    let phase_width = widest(&mut tasks.iter().map(|task| task.phase.width()));
    let rests: Vec<Vec<String>> = tasks.iter().map(|task| task.parts(characters)).collect();
    let rest_width = widest(&mut rests.iter().map(|parts| joined_width(parts)));
    let fixed = phase_width + rest_width + 2 * COLUMN_GAP.len();
    let longest = widest(&mut labels.iter().map(|label| label.width()));
    let with_file_name =
        widest(&mut tasks.iter().zip(&labels).map(|(task, label)| task.label_minimum(label, characters)));
    let minimum = with_file_name.min(width / 2).max(MIN_LABEL_WIDTH);
    let label_width = longest.min(width.saturating_sub(fixed).max(minimum));
    let rest_start = label_width + phase_width + 2 * COLUMN_GAP.len();
    let line = |((label, task), parts): ((&String, &&TaskLine), Vec<String>)| {
        let label = pad(task.cut_label(label, label_width, characters), label_width);
        let phase = pad(task.phase.clone(), phase_width);
        let rest = fit(parts, width.saturating_sub(rest_start)).join(PART_GAP);
        let line = [label, phase, rest].join(COLUMN_GAP);
        cut_end(line.trim_end(), width, characters.ellipsis)
    };
    labels.iter().zip(tasks).zip(rests).map(line).collect()
}

impl TaskLine {
    /// Returns the width of the label with only the file name of its path.
    fn label_minimum(&self, label: &str, characters: &ProgressCharacters) -> usize {
        label.width().saturating_sub(self.name.width()) + shorten::path_minimum(&self.name, characters.ellipsis)
    }

    /// Cuts the label: the folders of its name, then the middle of the file name, and not the target.
    fn cut_label(&self, label: &str, width: usize, characters: &ProgressCharacters) -> String {
        let target = label.width().saturating_sub(self.name.width());
        if target + characters.ellipsis.width() >= width {
            return cut_middle(label, width, characters.ellipsis);
        }
        let name = shorten::path(&self.name, width - target, characters.ellipsis);
        characters.label(&name, self.target.as_deref())
    }

    /// Returns what follows the phase, the most important first.
    fn parts(&self, characters: &ProgressCharacters) -> Vec<String> {
        let mut parts = Vec::new();
        if let Some(TaskCount { done, total, unit, per_second }) = self.count {
            let percent = total.and_then(|total| done.saturating_mul(100).checked_div(total));
            if let Some(percent) = percent {
                parts.push(format!("{} {:>3} %", characters.bar(percent), percent.min(100)));
            }
            parts.extend(unit.amount(done, total));
            parts.extend(unit.rate(per_second).filter(|_| per_second > 0));
        }
        if !self.detail.is_empty() {
            parts.push(self.detail.clone());
        }
        parts.extend(self.elapsed.map(clock));
        parts
    }
}

fn joined_width(parts: &[String]) -> usize {
    parts.iter().map(|part| part.width()).sum::<usize>() + PART_GAP.len() * parts.len().saturating_sub(1)
}

/// Drops parts from the end until they fit. A bar goes before its percentage; words are cut by the caller.
fn fit(mut parts: Vec<String>, width: usize) -> Vec<String> {
    while parts.len() > 1 && joined_width(&parts) > width {
        parts.pop();
    }
    match &mut parts[..] {
        [only] if only.width() > width && only.ends_with('%') => {
            only.drain(..only.find(' ').map_or(0, |at| at + 1));
            if only.width() > width {
                *only = only.trim_start().to_owned();
            }
            parts.retain(|part| part.width() <= width);
        }
        _ => {}
    }
    parts
}

fn pad(text: String, width: usize) -> String {
    let blanks = width.saturating_sub(text.width());
    text + &" ".repeat(blanks)
}

/// Cuts a text at its end.
fn cut_end(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    start_of(text, width.saturating_sub(ellipsis.width())) + start_of(ellipsis, width).as_str()
}

/// Cuts a text in its middle.
fn cut_middle(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(ellipsis.width());
    let start = start_of(text, kept.div_ceil(2));
    let end: String = start_of(&text.chars().rev().collect::<String>(), kept - start.width().min(kept));
    format!("{start}{}{}", start_of(ellipsis, width), end.chars().rev().collect::<String>())
}

/// Returns the longest start that fits.
fn start_of(text: &str, width: usize) -> String {
    let mut used = 0;
    text.chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

#[cfg(test)]
mod tests;
