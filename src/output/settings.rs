//! The output settings that flags and terminals determine once per run: format, columns, colour, verbosity.

use clap::ValueEnum;
use tulk_base::error::Failure;
use tulk_base::shell;

use super::column::Column;
use super::terminals::Terminals;
use super::view::{Row, unknown_column};
use crate::config::{ColorChoice, GlobalArgs, OutputFormat};

#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is one flag or one stream
pub struct OutputSettings {
    requested: OutputFormat,
    pub filters: bool,
    /// Whether messages are JSON. This is so if results are JSON, unless `--jq` filters the results and stderr is a terminal.
    pub messages_are_json: bool,
    pub columns: Vec<String>,
    pub(super) header: bool,
    /// Whether stderr gets only errors, questions, and lines that another flag requests.
    pub quiet: bool,
    /// Number of `-v` flags.
    pub verbosity: u8,
    pub stdout_is_terminal: bool,
    pub stderr_is_terminal: bool,
    /// Whether stderr is a terminal that supports escape sequences.
    pub(super) stderr_moves_cursor: bool,
    /// Whether a person can read a question and answer it.
    pub can_ask: bool,
    /// Whether tables and diffs on stdout have colour.
    pub color_stdout: bool,
    pub color_stderr: bool,
    pub utf8: bool,
    /// Width of the terminal in columns; `None` if stdout is not a terminal.
    pub width: Option<u16>,
    /// Flags for the commands in messages, quoted for a shell.
    pub(super) command_flags: String,
}

impl OutputSettings {
    pub(super) fn new(args: &GlobalArgs, terminals: &Terminals) -> Self {
        let requested = args.format();
        let filters = args.jq.is_some();
        let messages_are_json = is_json(requested) && !(filters && terminals.stderr);
        let color = |is_json: bool, is_supported: bool| match args.color() {
            ColorChoice::Always => !is_json,
            ColorChoice::Auto => !is_json && is_supported,
            ColorChoice::Never => false,
        };
        Self {
            requested,
            filters,
            messages_are_json,
            columns: args.columns.clone(),
            header: args.header,
            quiet: args.quiet,
            verbosity: args.verbose,
            stdout_is_terminal: terminals.stdout,
            stderr_is_terminal: terminals.stderr,
            stderr_moves_cursor: terminals.stderr && !terminals.dumb,
            can_ask: terminals.stdin && terminals.stderr,
            color_stdout: color(is_json(requested), terminals.stdout_color),
            color_stderr: color(messages_are_json, terminals.stderr_color),
            utf8: terminals.utf8,
            width: terminals.width,
            command_flags: shell::command_line(args.repeated()),
        }
    }

    /// Returns the format of listings: the requested format, or else a table on a terminal and TSV in a pipe.
    pub fn format(&self) -> OutputFormat {
        self.format_or(if self.stdout_is_terminal { OutputFormat::Table } else { OutputFormat::Tsv })
    }

    /// Returns the requested format, or the command's default.
    pub fn format_or(&self, default: OutputFormat) -> OutputFormat {
        if self.requested == OutputFormat::Auto { default } else { self.requested }
    }

    /// Returns whether no flag changes the form of listings: neither format, columns nor header.
    pub(super) fn has_default_listing(&self) -> bool {
        self.requested == OutputFormat::Auto && self.columns.is_empty() && !self.header
    }

    pub fn is_json(&self) -> bool {
        is_json(self.requested)
    }

    pub(super) fn is_jsonl(&self) -> bool {
        self.requested == OutputFormat::Jsonl
    }

    pub fn accept_formats(&self, accepted: &[OutputFormat]) -> Result<(), Failure> {
        if accepted.contains(&self.requested) {
            return Ok(());
        }
        Err(unsupported_format(self.requested).hint(supported_formats(accepted)))
    }

    /// Refuses `--jq` if the result has no JSON format, or if another format is requested. `formats` are the formats of the result.
    pub fn accept_filter(&self, formats: &[OutputFormat]) -> Result<(), Failure> {
        let has = |format| formats.contains(&format);
        if !has(OutputFormat::Jsonl) {
            return Err(Failure::usage("--jq needs a result in JSON, which this command does not print"));
        }
        if !is_json(self.requested) {
            let what = format!("--jq cannot be used with the format `{}`", format_name(self.requested));
            let json = if has(OutputFormat::Json) { "json or jsonl" } else { "jsonl" };
            return Err(Failure::usage(what).hint(format!("use --format {json}")));
        }
        if has(self.requested) {
            return Ok(());
        }
        Err(Failure::usage("--jq needs --format jsonl here: this command prints JSON only as lines"))
    }

    /// Refuses `--jq` with a flag that writes the result elsewhere than to stdout.
    pub fn filter_conflicts_with(&self, flag: &str) -> Result<(), Failure> {
        if !self.filters {
            return Ok(());
        }
        let failure = Failure::usage(format!("--jq filters what is printed: it cannot be used with {flag}"));
        Err(if flag == "-o" { failure.hint("redirect stdout to write to a file: > FILE") } else { failure })
    }

    /// Refuses a format that cannot be combined with a flag of the command.
    pub fn accept_format_with_flag(&self, flag: &str, accepted: &[OutputFormat]) -> Result<(), Failure> {
        if accepted.contains(&self.requested) {
            return Ok(());
        }
        let what = format!("{flag} cannot be used with the format `{}`", format_name(self.requested));
        Err(Failure::usage(what).hint(supported_formats(accepted)))
    }

    /// Refuses column options if the format of listings has no columns.
    pub fn check_listing(&self) -> Result<(), Failure> {
        self.check_columns(self.format())
    }

    /// Refuses `--columns` and `--header` if `format`, in which the command will print, has no columns.
    pub fn check_columns(&self, format: OutputFormat) -> Result<(), Failure> {
        let flag = match format {
            OutputFormat::Table | OutputFormat::Tsv | OutputFormat::Auto => return Ok(()),
            _ if !self.columns.is_empty() => "--columns",
            _ if self.header => "--header",
            _ => return Ok(()),
        };
        Err(Failure::usage(format!("{flag} cannot be used with the format `{}`", format_name(format)))
            .hint("use --format table or --format tsv"))
    }

    /// Refuses names in `--columns` that are not columns of a row. Commands that change something call this before the request, so that
    /// a wrong name cannot prevent the reply from being shown.
    pub fn check_row<T: Row>(&self) -> Result<(), Failure> {
        let mut known = T::COLUMNS.iter().map(Column::as_str);
        match self.columns.iter().find(|name| !known.clone().any(|known| known == name.as_str())) {
            None => Ok(()),
            Some(name) => Err(unknown_column(name, &mut known)),
        }
    }
}

pub(super) fn unsupported_format(format: OutputFormat) -> Failure {
    Failure::usage(format!("this command does not support the format `{}`", format_name(format)))
}

fn supported_formats(formats: &[OutputFormat]) -> String {
    let names: Vec<_> = formats.iter().copied().map(format_name).collect();
    format!("supported formats: {}", names.join(", "))
}

fn is_json(format: OutputFormat) -> bool {
    matches!(format, OutputFormat::Json | OutputFormat::Jsonl)
}

fn format_name(format: OutputFormat) -> String {
    format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
