//! Writes results to stdout in the chosen format, and everything else to stderr.
//!
//! Input: replies as [`View`]s, result text, messages, questions and progress. Output: bytes on the two streams of the process.
//! Files are written elsewhere, except the file of results on which `--jq` fails.
//!
//! One [`Output`] per run owns the parts: the settings from flags and terminals ([`OutputSettings`]), the results
//! ([`StdoutWriter`]), the messages, the questions and the progress reports.

mod chunks;
mod color;
mod column;
mod error_text;
mod escape;
mod filter;
mod jq;
mod messages;
mod panic;
mod progress;
mod prompt;
mod render;
mod settings;
mod stderr;
mod stdout;
mod terminals;
mod view;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::json::WithRaw;

pub use self::color::TextStyle;
pub use self::column::{Column, ColumnKind, StatusWord, TableColumn};
pub use self::escape::terminal as escape_terminal;
#[cfg(feature = "fuzzing")]
pub use self::jq::{JqProgram, JqRunError, to_json as jq_to_json};
pub use self::messages::EmptyNote;
pub use self::panic::install_panic_hook;
pub use self::progress::{ProgressGroup, ProgressTask, ProgressUnit, TaskName};
pub use self::render::shorten::wrap;
pub use self::render::{from_home, table_text};
pub use self::settings::OutputSettings;
pub use self::stdout::StdoutWriter;
pub use self::stdout::{TerminalWriter, check_no_terminal};
pub use self::view::{Cell, ListView, ObjectView, Row, Table, View};
pub use self::view::{Chart, DayAmount, DayChart, DaySeries, Gauge, GaugeChart};
pub use self::workflow::{Annotation, AnnotationLevel};

use self::filter::ResultFilter;
use self::messages::{MessageKind, Messages};
use self::progress::{ProgressDisplay, ProgressReporter, size_of_stderr};
use self::prompt::Prompt;
pub use self::prompt::read_hidden;
use self::stderr::StderrWriter;
use self::terminals::{Streams, Terminals};
use crate::config::{GlobalArgs, OutputFormat, ProgressChoice};

/// Several threads can use it concurrently; each stream has its own lock.
pub struct Output {
    settings: OutputSettings,
    stdout: StdoutWriter,
    messages: Messages,
    prompt: Prompt,
    progress: ProgressReporter,
    /// Whether `--progress bar` was given.
    bars_requested: bool,
    may_have_changed: AtomicBool,
}

impl Output {
    /// Creates the output to the process's own stdout and stderr.
    pub fn new(args: &GlobalArgs) -> Self {
        Self::with_streams(args, &Terminals::detect(), Streams::from_process())
    }

    fn with_streams(args: &GlobalArgs, terminals: &Terminals, streams: Streams) -> Self {
        let settings = OutputSettings::new(args, terminals);
        let display = ProgressDisplay::choose(args.progress, settings.quiet || settings.messages_are_json, terminals);
        let stderr = Arc::new(StderrWriter::new(streams.stderr, size_of_stderr, terminals.utf8));
        if settings.messages_are_json {
            panic::use_json();
        }
        let messages = Messages::new(Arc::clone(&stderr), &settings);
        Self {
            stdout: StdoutWriter::new(streams.stdout, Arc::clone(&stderr), &settings),
            prompt: Prompt::new(streams.answers, Arc::clone(&stderr), settings.can_ask),
            progress: ProgressReporter::new(display, stderr, messages.clone()),
            messages,
            may_have_changed: AtomicBool::new(false),
            bars_requested: args.progress == Some(ProgressChoice::Bar),
            settings,
        }
    }

    pub fn settings(&self) -> &OutputSettings {
        &self.settings
    }

    /// Returns stdout, for results that are not a [`View`].
    pub fn stdout(&self) -> &StdoutWriter {
        &self.stdout
    }

    pub fn annotations(&self, annotations: &[Annotation]) -> Result<(), Failure> {
        let repository = workflow::repository();
        let lines: String = annotations.iter().map(|one| one.command(repository.as_deref())).collect();
        self.stdout.write_unguarded(lines.as_bytes())
    }

    /// Filters all JSON results with the expression of `--jq`. Fails if the expression is invalid.
    pub fn filter_results(&self, expression: &str) -> Result<(), Failure> {
        ResultFilter::new(expression).map(|filter| self.stdout.set_filter(filter))
    }

    pub fn is_filtered(&self) -> bool {
        self.stdout.filter().is_some()
    }

    /// Records that a request may change something or be billed. Results on which the filter fails are then kept in a file.
    pub fn record_change(&self) {
        self.may_have_changed.store(true, Ordering::Relaxed);
        if let Some(filter) = self.stdout.filter() {
            filter.keep_results();
        }
    }

    /// Returns whether a request was sent that may change something or be billed.
    pub fn may_have_changed(&self) -> bool {
        self.may_have_changed.load(Ordering::Relaxed)
    }

    /// Returns the result of a run. If the filter failed, returns its failure instead, or prints it if the run failed too.
    pub fn end_filter(&self, result: Result<(), anyhow::Error>) -> Result<(), anyhow::Error> {
        let Some(failure) = self.stdout.filter().and_then(|filter| filter.failure()) else { return result };
        match result {
            Err(error) if ErrorReport::new(&error).failure.kind != Kind::No => {
                self.item_error(&ErrorReport::new(&failure.into()));
                Err(error)
            }
            _ => Err(failure.into()),
        }
    }

    /// Returns a writer for results that arrive in chunks, if stdout is a terminal.
    pub fn terminal_writer(&self) -> Option<TerminalWriter> {
        let settings = &self.settings;
        settings.stdout_is_terminal.then(|| TerminalWriter::new(self.stdout.clone(), settings.is_json()))
    }

    pub fn show(&self, view: &impl View) -> Result<(), Failure> {
        self.show_as(self.settings.format(), view)
    }

    /// Prints a reply in a given format. Nothing is written unless the complete reply can be rendered.
    fn show_as(&self, format: OutputFormat, view: &impl View) -> Result<(), Failure> {
        let text = render::render(view, format, &self.settings)?;
        match (self.stdout.filter(), format) {
            (Some(_), OutputFormat::Json) => self.stdout.json(text),
            (Some(_), OutputFormat::Jsonl) => self.stdout.json_lines(&text),
            _ => self.stdout.write(text.as_bytes()),
        }
    }

    /// Prints a list of objects; JSON output is an array.
    pub fn list<T: Row>(&self, items: &[WithRaw<T>]) -> Result<(), Failure> {
        self.show(&ListView::new(items))
    }

    /// Prints a list of objects. If it is empty, prints the note to a terminal.
    pub fn list_or_note<T: Row>(&self, items: &[WithRaw<T>], note: &EmptyNote) -> Result<(), Failure> {
        self.list(items)?;
        if items.is_empty() {
            self.print_empty_note(note);
        }
        Ok(())
    }

    /// Prints a note about an empty table as a status, if stdout is a terminal and the format is a table. Returns whether both are true.
    pub fn print_empty_note(&self, note: &EmptyNote) -> bool {
        let is_for_people = self.settings.stdout_is_terminal && self.settings.format() == OutputFormat::Table;
        if is_for_people {
            self.status(&note.line(&self.settings.command_flags));
        }
        is_for_people
    }

    pub fn object<T: Row>(&self, item: &WithRaw<T>) -> Result<(), Failure> {
        self.show(&ObjectView(item))
    }

    pub fn text(&self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.stdout.text(text.as_ref())
    }

    /// Prints a status message. Silent with `-q`, and with JSON unless `-v` is given.
    pub fn status(&self, message: &str) {
        self.messages.print(MessageKind::Status, message);
    }

    pub fn shows_status(&self) -> bool {
        self.messages.is_shown(MessageKind::Status)
    }

    /// Prints a hint. Silent when [`Output::status`] is.
    pub fn hint(&self, message: &str) {
        self.messages.print(MessageKind::Hint, message);
    }

    /// Prints a line that a flag requested, such as statistics, even with `-q`.
    pub fn requested(&self, line: &str) {
        self.messages.print(MessageKind::Requested, line);
    }

    /// Prints a warning. Silent with `-q`.
    pub fn warn(&self, message: &str) {
        self.messages.print(MessageKind::Warning, message);
    }

    /// Prints a log line. Silent with `-q`. The caller must check [`OutputSettings::verbosity`] and remove secrets.
    pub fn log(&self, line: &str) {
        self.messages.print(MessageKind::Log, line);
    }

    /// Prints the error that ends the run, and removes progress lines. Prints nothing for a closed pipe.
    pub fn error(&self, report: &ErrorReport) {
        self.progress.stop_all();
        self.messages.error(report, None);
    }

    /// Prints the summary and the hint of a check that found something: as a status, because the result is on stdout.
    pub fn finding(&self, report: &ErrorReport) {
        self.progress.stop_all();
        if !report.message.is_empty() {
            self.status(&report.message);
        }
        if let Some(hint) = &report.failure.hint {
            self.hint(hint);
        }
    }

    pub fn help(&self, text: &clap::builder::StyledStr) -> Result<(), Failure> {
        let text = if self.settings.color_stdout { text.ansi().to_string() } else { text.to_string() };
        self.stdout.write(text.as_bytes())
    }

    pub fn help_after_wrong_usage(&self, text: &clap::builder::StyledStr) {
        self.messages.help(text);
    }

    pub fn usage_error(&self, report: &ErrorReport, usage: Option<&str>) {
        self.messages.error(report, usage);
    }

    /// Prints the error of one item while other items continue.
    pub fn item_error(&self, report: &ErrorReport) {
        self.messages.error(report, None);
    }

    /// Asks for confirmation, unless `yes` is set; see [`Prompt::confirm`].
    pub fn confirm(&self, question: &str, yes: bool) -> Result<(), Failure> {
        if yes { Ok(()) } else { self.prompt.confirm(question) }
    }

    pub fn ask(&self, question: &str) -> Result<Option<String>, Failure> {
        self.prompt.ask(question)
    }

    pub fn choose(&self, shown: &str, question: &str, choices: &[(char, &str)]) -> Result<char, Failure> {
        self.prompt.choose(shown, question, choices)
    }

    pub fn progress(&self, name: TaskName) -> ProgressTask {
        self.progress.single(name)
    }

    /// Starts reporting a task that counts nothing, such as `reading entries`. It ends when the returned task is dropped.
    pub fn phase(&self, name: &str, phase: &str) -> ProgressTask {
        let task = self.progress(TaskName::new(name));
        task.phase(phase);
        task
    }

    /// Reports that a request is sent again in some seconds. On a terminal, all retries share one line, which is removed when the last
    /// returned task is dropped; otherwise, prints a status.
    pub fn retry(&self, why: &str, seconds: u64) -> Option<Arc<ProgressTask>> {
        if !self.prints_final_lines() {
            self.status(&format!("{why}; retrying in {seconds} s"));
            return None;
        }
        let task = self.progress.retries();
        task.phase(&format!("in {seconds} s: {why}"));
        Some(task)
    }

    /// Starts reporting the progress of several tasks, which are counted with `noun`.
    pub fn progress_count(&self, noun: &str, total: u64) -> ProgressGroup {
        ProgressGroup::counted(&self.progress, noun, total)
    }

    /// Starts reporting the progress of several tasks that work on the same thing.
    pub fn progress_group(&self, name: &str) -> ProgressGroup {
        ProgressGroup::named(&self.progress, name)
    }

    /// Returns whether progress may be shown while a command writes results as they arrive, to stdout or elsewhere.
    ///
    /// Progress bars need a terminal without other output. The reader of a pipe may write to the same terminal.
    pub fn has_room_for_progress(&self, to_stdout: bool) -> bool {
        match self.progress.display() {
            ProgressDisplay::Hidden => false,
            ProgressDisplay::Lines => true,
            ProgressDisplay::Bars if !to_stdout => true,
            ProgressDisplay::Bars => {
                !self.settings.stdout_is_terminal && (self.bars_requested || terminals::stdout_is_file())
            }
        }
    }

    /// Returns whether the final lines of the tasks already show a person all results, so that rows would only repeat them.
    pub fn final_lines_show_all(&self) -> bool {
        self.prints_final_lines() && self.settings.stdout_is_terminal && self.settings.has_default_listing()
    }

    /// Returns whether a final line is printed to stderr for each task, see [`ProgressTask::succeeded`].
    pub fn prints_final_lines(&self) -> bool {
        self.progress.display() == ProgressDisplay::Bars && !self.settings.quiet && !self.settings.messages_are_json
    }
}

#[cfg(test)]
mod tests;
mod workflow;
