//! Writes results to stdout in the chosen format, and everything else to stderr.
//!
//! It takes replies as [`View`]s, result text, messages, questions and progress, and writes bytes to the two streams of the
//! process. Files are written elsewhere.
//!
//! One [`Output`] per run owns the parts: what flags and terminals decided ([`OutputSettings`]), the results
//! ([`StdoutWriter`]), the messages, the questions and the progress reports.

mod color;
mod column;
mod command_formats;
mod commands;
mod error_text;
mod escape;
mod locale;
mod messages;
mod panic;
mod progress;
mod prompt;
mod render;
mod settings;
mod stderr;
mod stdout;
mod terminal_writer;
mod terminals;
mod view;

use std::sync::Arc;

use indicatif::{MultiProgress, ProgressDrawTarget};

pub use self::color::TextStyle;
pub use self::column::{Column, ColumnKind, StatusWord, TableColumn};
pub use self::command_formats::{CommandFormats, LISTING, RESULTS, TEXT_ONLY, TEXT_OR_JSON};
pub use self::escape::terminal as escape_terminal;
pub use self::panic::install_panic_hook;
pub use self::progress::{ProgressGroup, ProgressTask};
pub use self::settings::OutputSettings;
pub use self::stdout::StdoutWriter;
pub use self::terminal_writer::TerminalWriter;
pub use self::view::{Cell, CommandColumns, ListView, ObjectView, Row, Table, View};

use self::messages::{MessageKind, Messages};
use self::progress::{ProgressDisplay, ProgressReporter};
use self::prompt::Prompt;
pub use self::prompt::read_hidden;
use self::stderr::StderrWriter;
use self::terminals::{Streams, Terminals};
use crate::config::{GlobalArgs, OutputFormat};
use crate::error::{ErrorReport, Failure};
use crate::json::Kept;

/// The output of a run: results, messages, questions and progress.
///
/// Can be used from several threads at once; each stream has its own lock.
pub struct Output {
    settings: OutputSettings,
    stdout: StdoutWriter,
    messages: Messages,
    prompt: Prompt,
    progress: ProgressReporter,
}

impl Output {
    /// Returns the output to the process's own stdout and stderr.
    pub fn new(args: &GlobalArgs) -> Self {
        Self::with_streams(args, &Terminals::detect(), Streams::from_process())
    }

    fn with_streams(args: &GlobalArgs, terminals: &Terminals, streams: Streams) -> Self {
        let settings = OutputSettings::new(args, terminals);
        let display = ProgressDisplay::choose(args.progress, settings.is_quiet() || settings.is_json(), terminals);
        let target =
            if display == ProgressDisplay::Bars { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let stderr = Arc::new(StderrWriter::new(streams.stderr, MultiProgress::with_draw_target(target)));
        if settings.is_json() {
            panic::use_json();
        }
        let messages = Messages::new(Arc::clone(&stderr), &settings);
        Self {
            stdout: StdoutWriter::new(streams.stdout, Arc::clone(&stderr), &settings),
            prompt: Prompt::new(streams.answers, Arc::clone(&stderr), settings.can_ask()),
            progress: ProgressReporter::new(display, stderr, messages.clone()),
            messages,
            settings,
        }
    }

    /// Returns what the flags and the terminals decided.
    pub fn settings(&self) -> &OutputSettings {
        &self.settings
    }

    /// Returns stdout, for results that are not a [`View`].
    pub fn stdout(&self) -> &StdoutWriter {
        &self.stdout
    }

    /// Returns a writer for results that arrive in pieces, if stdout is a terminal.
    pub fn terminal_writer(&self) -> Option<TerminalWriter> {
        let settings = &self.settings;
        settings.stdout_is_terminal().then(|| TerminalWriter::new(self.stdout.clone(), settings.is_json()))
    }

    /// Prints a reply in the chosen format.
    pub fn show(&self, view: &impl View) -> Result<(), Failure> {
        self.show_as(self.settings.format(), view)
    }

    /// Prints a reply in a given format. Nothing is written unless the whole reply can be rendered.
    fn show_as(&self, format: OutputFormat, view: &impl View) -> Result<(), Failure> {
        let text = render::render(view, format, &self.settings)?;
        self.stdout.write(text.as_bytes())
    }

    /// Prints a list of objects; as JSON it is an array.
    pub fn list<T: Row>(&self, items: &[Kept<T>]) -> Result<(), Failure> {
        self.show(&ListView::new(items))
    }

    /// Prints one object.
    pub fn one<T: Row>(&self, item: &Kept<T>) -> Result<(), Failure> {
        self.show(&ObjectView(item))
    }

    /// Prints result text; see [`StdoutWriter::text`].
    pub fn text(&self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.stdout.text(text.as_ref())
    }

    /// Prints what is happening. Silent with `-q`, and with JSON unless `-v` is given.
    pub fn status(&self, message: &str) {
        self.messages.print(MessageKind::Status, message);
    }

    /// Prints what the user can do next. Silent when [`Output::status`] is.
    pub fn hint(&self, message: &str) {
        self.messages.print(MessageKind::Hint, message);
    }

    /// Prints a line that a flag asked for, such as statistics, even with `-q`.
    pub fn requested(&self, line: &str) {
        self.messages.print(MessageKind::Requested, line);
    }

    /// Prints a warning. Silent with `-q`.
    pub fn warn(&self, message: &str) {
        self.messages.print(MessageKind::Warning, message);
    }

    /// Prints a log line. Silent with `-q`.
    ///
    /// The caller checks [`OutputSettings::verbosity`] and removes secrets.
    pub fn log(&self, line: &str) {
        self.messages.print(MessageKind::Log, line);
    }

    /// Prints the error that ends the run, and removes the progress bars. A closed pipe prints nothing.
    pub fn error(&self, report: &ErrorReport) {
        self.progress.stop_all();
        self.messages.error(report);
    }

    /// Prints a help text as the result.
    pub fn help(&self, text: &clap::builder::StyledStr) -> Result<(), Failure> {
        let text = if self.settings.color_stdout() { text.ansi().to_string() } else { text.to_string() };
        self.stdout.write(text.as_bytes())
    }

    /// Prints the error of a wrong command line as the parser has worded it.
    pub fn usage_error(&self, text: &clap::builder::StyledStr) {
        self.messages.usage_error(text);
    }

    /// Prints the error of one item while the others continue.
    pub fn item_error(&self, report: &ErrorReport) {
        self.messages.error(report);
    }

    /// Asks for confirmation, unless `yes` is set; see [`Prompt::confirm`].
    pub fn confirm(&self, question: &str, yes: bool) -> Result<(), Failure> {
        if yes { Ok(()) } else { self.prompt.confirm(question) }
    }

    /// Starts reporting the progress of one task, in entries, bytes or seconds.
    pub fn progress(&self, label: &str, total: Option<u64>) -> ProgressTask {
        self.progress.start(label, total, None)
    }

    /// Starts reporting the progress of several tasks and their total.
    pub fn progress_group(&self, label: &str, total: Option<u64>) -> ProgressGroup {
        ProgressGroup::new(&self.progress, label, total)
    }
}

#[cfg(test)]
mod tests;
