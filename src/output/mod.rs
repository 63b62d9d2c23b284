//! The ways out: results to stdout in the chosen form, everything else to stderr.
//!
//! One [`Output`] a run, made from the global flags; it looks at the terminals once and locks inside. What a reply looks
//! like is its [`View`]. Files are not its business. Spec: command line, "Streams and formats".

mod around;
mod ask;
mod color;
mod columns;
mod crash;
mod escape;
mod progress;
mod screen;
mod table;
mod terminal;
mod text;
mod tsv;
mod view;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use clap::ValueEnum;
use indicatif::{MultiProgress, ProgressDrawTarget};
use serde_json::value::RawValue;

pub use self::color::Paint;
pub use self::crash::panic_hook;
pub use self::escape::{cell as escape_cell, field as escape_field, terminal as escape_terminal};
pub use self::progress::{Meter, Meters};
pub use self::terminal::Terminal;
pub use self::view::{Cell, List, One, Row, Table, View};

use self::around::Surroundings;
use self::ask::Answers;
use self::progress::{Board, Setting, Shown};
use self::screen::{Line, Screen};
use self::table::Place;
use crate::config::{GlobalArgs, OutputFormat};
use crate::error::{ErrorReport, Failure, Kind, io_message};
use crate::json::{self, Kept};

/// Stdout and stderr of a run, and how they are to be written. Cheap to clone.
#[derive(Clone)]
pub struct Output {
    out: Arc<Mutex<Box<dyn Write + Send>>>,
    screen: Arc<Screen>,
    board: Board,
    answers: Arc<Mutex<Answers>>,
    columns: Arc<[String]>,
    manner: Manner,
}

/// What the flags and the terminals decide once.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is one flag or one stream
struct Manner {
    asked: OutputFormat,
    header: bool,
    quiet: bool,
    verbosity: u8,
    out_terminal: bool,
    err_terminal: bool,
    can_ask: bool,
    color_out: bool,
    color_err: bool,
    width: Option<u16>,
}

impl Output {
    /// The process's own stdout and stderr.
    pub fn new(args: &GlobalArgs) -> Self {
        Self::with(args, Surroundings::of_process())
    }

    fn with(args: &GlobalArgs, around: Surroundings) -> Self {
        let asked = args.format();
        let json = is_json(asked);
        let manner = Manner {
            asked,
            header: args.header,
            quiet: args.quiet,
            verbosity: args.verbose,
            out_terminal: around.out_terminal,
            err_terminal: around.err_terminal,
            can_ask: around.in_terminal && around.err_terminal,
            color_out: !json && color::wanted(args.color, &around.color, around.out_terminal),
            color_err: !json && color::wanted(args.color, &around.color, around.err_terminal),
            width: around.width,
        };
        let setting = Setting {
            silent: args.quiet || json,
            terminal: around.err_terminal && !around.color.dumb(),
            ci: around.ci,
        };
        let shown = progress::shown(args.progress, setting);
        let target = if shown == Shown::Bars { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let screen = Arc::new(Screen::new(around.err, bars, json, around.err_terminal, manner.color_err));
        if json {
            crash::speak_json();
        }
        Self {
            out: Arc::new(Mutex::new(around.out)),
            board: Board::new(shown, Arc::clone(&screen)),
            screen,
            answers: Arc::new(Mutex::new(around.answers)),
            columns: args.columns.as_slice().into(),
            manner,
        }
    }

    /// The form of listings: what was asked for, else a table on a terminal and TSV in a pipe.
    pub fn format(&self) -> OutputFormat {
        self.format_or(if self.manner.out_terminal { OutputFormat::Table } else { OutputFormat::Tsv })
    }

    /// The form of a command that has its own usual one, such as translate with `OutputFormat::Text`.
    pub fn format_or(&self, usual: OutputFormat) -> OutputFormat {
        if self.manner.asked == OutputFormat::Auto { usual } else { self.manner.asked }
    }

    /// Whether results and the lines on stderr are JSON.
    pub fn is_json(&self) -> bool {
        is_json(self.manner.asked)
    }

    /// How often `-v` was given.
    pub fn verbosity(&self) -> u8 {
        self.manner.verbosity
    }

    /// Whether only errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.manner.quiet
    }

    /// Whether stdout is a terminal.
    pub fn is_terminal_out(&self) -> bool {
        self.manner.out_terminal
    }

    /// Stdout for results that come piece by piece, if it is a terminal.
    pub fn terminal(&self) -> Option<Terminal> {
        self.manner.out_terminal.then(|| Terminal::new(Arc::clone(&self.out), Arc::clone(&self.screen), self.is_json()))
    }

    /// Whether stderr is a terminal.
    pub fn is_terminal_err(&self) -> bool {
        self.manner.err_terminal
    }

    /// Whether what is made for people on stdout (tables, diffs) has colour.
    pub fn color_out(&self) -> bool {
        self.manner.color_out
    }

    /// Whether stderr has colour.
    pub fn color_err(&self) -> bool {
        self.manner.color_err
    }

    /// Columns of the terminal that stdout is; `None` in a pipe.
    pub fn width(&self) -> Option<u16> {
        self.manner.width
    }

    /// What `--columns` names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Refuses formats that a command does not have, before it sends anything.
    pub fn refuse_formats(&self, refused: &[OutputFormat]) -> Result<(), Failure> {
        let asked = self.manner.asked;
        if !refused.contains(&asked) {
            return Ok(());
        }
        let has: Vec<_> =
            OutputFormat::value_variants().iter().filter(|f| !refused.contains(f)).map(|f| word(*f)).collect();
        Err(Failure::usage(format!("this command has no format `{}`", word(asked)))
            .hint(format!("choose one of {}", has.join(", "))))
    }

    /// Refuses what listings cannot do: `srt` and `vtt`, `--columns` and `--header` with forms that have no columns.
    pub fn check_listing(&self) -> Result<(), Failure> {
        self.refuse_formats(&[OutputFormat::Srt, OutputFormat::Vtt])?;
        self.check_columns(self.format())
    }

    /// Refuses `--columns` and `--header` with a form that has no columns; `form` is what the command will print.
    pub fn check_columns(&self, form: OutputFormat) -> Result<(), Failure> {
        let flag = match form {
            OutputFormat::Table | OutputFormat::Tsv | OutputFormat::Auto => return Ok(()),
            _ if !self.columns.is_empty() => "--columns",
            _ if self.manner.header => "--header",
            _ => return Ok(()),
        };
        Err(Failure::usage(format!("{flag} has no meaning with the format `{}`", word(form)))
            .hint("choose --format table or --format tsv"))
    }

    /// Refuses `--columns` that name none of a row's columns: before a change is sent, so that its answer can be shown.
    pub fn check_row<T: Row>(&self) -> Result<(), Failure> {
        match self.columns.iter().find(|name| !T::COLUMNS.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(columns::unknown(name, T::COLUMNS.iter().copied())),
        }
    }

    /// Shows a reply in the chosen form.
    pub fn show(&self, view: &impl View) -> Result<(), Failure> {
        self.show_as(self.format(), view)
    }

    /// Shows a list of objects; its JSON is an array.
    pub fn list<T: Row>(&self, items: &[Kept<T>]) -> Result<(), Failure> {
        self.show(&List::new(items))
    }

    /// Shows one object.
    pub fn one<T: Row>(&self, item: &Kept<T>) -> Result<(), Failure> {
        self.show(&One(item))
    }

    /// Shows a reply in a given form: rendered as a whole, then written at once.
    pub fn show_as(&self, format: OutputFormat, view: &impl View) -> Result<(), Failure> {
        let rendered = self.render(format, view)?;
        self.write(rendered.as_bytes())
    }

    fn render(&self, format: OutputFormat, view: &impl View) -> Result<String, Failure> {
        self.check_columns(format)?;
        let terminal = self.manner.out_terminal;
        let picked = || columns::pick(view.table(), &self.columns, &view.items());
        Ok(match format {
            OutputFormat::Json => {
                let text = serde_json::to_string(view).map_err(|e| Failure::internal(e.to_string()))?;
                json::indent(&text, terminal) + "\n"
            }
            OutputFormat::Jsonl => view.items().iter().map(|item| json::compact(item.get(), terminal) + "\n").collect(),
            OutputFormat::Tsv => tsv::render(&picked()?, self.manner.header, terminal),
            OutputFormat::Table | OutputFormat::Auto => {
                table::render(&picked()?, Place { width: self.manner.width, terminal, color: self.manner.color_out })
            }
            OutputFormat::Text => match view.text() {
                Some(text) if terminal => escape::terminal(&text).into_owned(),
                Some(text) => text,
                None => text::render(&view.table(), terminal),
            },
            OutputFormat::Srt | OutputFormat::Vtt => {
                return Err(Failure::usage(format!("this command has no format `{}`", word(format))));
            }
        })
    }

    /// Writes result text as it is; on a terminal odd characters are escaped, so whole lines should come at once.
    pub fn text(&self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        let bytes = text.as_ref();
        if self.manner.out_terminal {
            self.write(escape::terminal(&String::from_utf8_lossy(bytes)).as_bytes())
        } else {
            self.write(bytes)
        }
    }

    /// Writes what is made here for people and may have colour; what came from outside must be escaped in it.
    pub fn made(&self, text: &str) -> Result<(), Failure> {
        self.write(text.as_bytes())
    }

    /// Writes a file's bytes, never changed.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write(bytes)
    }

    /// Writes JSON that is not a view's: indented, or packed into a line under `jsonl`; what is no JSON as it came.
    pub fn json_raw(&self, text: &str) -> Result<(), Failure> {
        if serde_json::from_str::<&RawValue>(text).is_err() {
            return self.text(text);
        }
        let terminal = self.manner.out_terminal;
        let form = if self.manner.asked == OutputFormat::Jsonl { json::compact } else { json::indent };
        self.write((form(text, terminal) + "\n").as_bytes())
    }

    /// Writes one JSON value as one line, whatever the format: the requests of a dry run, live events.
    pub fn json_line(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|e| Failure::internal(e.to_string()))?;
        self.write((json::compact(&text, self.manner.out_terminal) + "\n").as_bytes())
    }

    fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            out.write_all(bytes).and_then(|()| out.flush())
        };
        // A pipe may take long to be read; only a terminal shares its lines with the bars.
        let written = if self.manner.out_terminal { self.screen.aside(write) } else { write() };
        written.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::pipe_closed(),
            _ => Failure::internal(format!("cannot write to stdout: {}", io_message(&error))),
        })
    }

    /// Says what is going on; nothing with `-q`, and nothing under JSON without `-v`.
    pub fn status(&self, message: &str) {
        self.notice(Line::Status, message);
    }

    /// Says what could be done next; as silent as [`Output::status`].
    pub fn hint(&self, message: &str) {
        self.notice(Line::Hint, message);
    }

    fn notice(&self, line: Line, message: &str) {
        if !self.manner.quiet && (!self.is_json() || self.manner.verbosity > 0) {
            self.screen.say(line, message);
        }
    }

    /// Warns; nothing with `-q`.
    pub fn warn(&self, message: &str) {
        if !self.manner.quiet {
            self.screen.say(Line::Warning, message);
        }
    }

    /// Writes a log line; the caller has compared [`Output::verbosity`] and taken secrets out.
    pub fn log(&self, line: &str) {
        if !self.manner.quiet {
            self.screen.say(Line::Log, line);
        }
    }

    /// Prints the error that ends a run; the bars go first. A closed pipe says nothing.
    pub fn error(&self, report: &ErrorReport) {
        self.board.clear();
        self.screen.error(report);
    }

    /// Prints the error of one of several things, while the others go on.
    pub fn error_aside(&self, report: &ErrorReport) {
        self.screen.error(report);
    }

    /// Asks before what cannot be undone, unless `yes` was given.
    ///
    /// Without a terminal, and when the answer is not yes, it fails with `Kind::Usage`; a signal ends the wait.
    /// Blocks its thread. Spec: command line, "Asking, waiting, stopping".
    pub fn confirm(&self, question: &str, yes: bool) -> Result<(), Failure> {
        if yes {
            return Ok(());
        }
        let question = question.trim_end_matches('?');
        if !self.manner.can_ask {
            return Err(Failure::usage(format!("refused without --yes: {question}"))
                .hint("there is no terminal to ask on; add --yes to go ahead"));
        }
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = self.screen.aside(|| {
            self.screen.ask(&format!("{question}?"));
            ask::answer(&mut answers)
        })?;
        if ask::is_yes(&answer) {
            Ok(())
        } else {
            Err(Failure::new(Kind::Usage, format!("not confirmed: {question}")).hint("nothing was changed"))
        }
    }

    /// Starts a meter: entries, bytes or seconds, with or without a known total.
    pub fn progress(&self, label: &str, total: Option<u64>) -> Meter {
        self.board.start(label, total, None)
    }

    /// Starts a group of meters with one for all of them.
    pub fn meters(&self, label: &str, total: Option<u64>) -> Meters {
        Meters::new(&self.board, label, total)
    }
}

fn is_json(format: OutputFormat) -> bool {
    matches!(format, OutputFormat::Json | OutputFormat::Jsonl)
}

fn word(format: OutputFormat) -> String {
    format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
