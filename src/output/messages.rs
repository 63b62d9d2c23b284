//! Messages on stderr: status, warnings, hints, log lines and errors, as text or as JSON objects.
//!
//! Adds the flags for server, key, profile and network to the commands inside messages, including the note about an empty table.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use tulk_base::error::{ErrorReport, Kind};
use tulk_base::json;

use super::color::TextStyle;
use super::error_text::{error_object, error_text};
use super::escape;
use super::settings::OutputSettings;
use super::stderr::StderrWriter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    Status,
    Warning,
    Hint,
    /// A logged request, header or body.
    Log,
    /// A line that a flag requested, such as statistics, or a line of progress. Always printed.
    Requested,
}

/// Writes messages to stderr. Cheap to clone.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools)] // each is one setting
pub struct Messages {
    stderr: Arc<StderrWriter>,
    json: bool,
    quiet: bool,
    verbose: bool,
    is_terminal: bool,
    /// Whether the terminal supports escape sequences.
    moves_cursor: bool,
    color: bool,
    command_flags: Arc<str>,
}

impl Messages {
    pub fn new(stderr: Arc<StderrWriter>, settings: &OutputSettings) -> Self {
        Self {
            stderr,
            json: settings.messages_are_json,
            quiet: settings.quiet,
            verbose: settings.verbosity > 0,
            is_terminal: settings.stderr_is_terminal,
            moves_cursor: settings.stderr_moves_cursor,
            color: settings.color_stderr,
            command_flags: settings.command_flags.as_str().into(),
        }
    }

    /// Writes a message, unless `-q` or JSON output silences its kind.
    pub fn print(&self, kind: MessageKind, text: &str) {
        if !self.is_shown(kind) {
            return;
        }
        let text = &*with_flags(text, &self.command_flags);
        if self.json {
            let object = match kind {
                MessageKind::Warning => serde_json::json!({ "warning": text }),
                MessageKind::Hint => serde_json::json!({ "log": format!("hint: {text}") }),
                MessageKind::Status | MessageKind::Log | MessageKind::Requested => serde_json::json!({ "log": text }),
            };
            self.json_line(&object.to_string());
            return;
        }
        let text = self.escape(text);
        let line = match kind {
            MessageKind::Status | MessageKind::Requested => text,
            MessageKind::Warning => format!("{} {text}", TextStyle::Yellow.paint("warning:", self.color)),
            MessageKind::Hint => format!("{} {text}", TextStyle::Cyan.paint("hint:", self.color)),
            MessageKind::Log => {
                text.lines().map(|line| TextStyle::Dim.paint(line, self.color)).collect::<Vec<_>>().join("\n")
            }
        };
        self.stderr.line(&line);
    }

    pub fn is_shown(&self, kind: MessageKind) -> bool {
        match kind {
            MessageKind::Requested => true,
            MessageKind::Warning | MessageKind::Log => !self.quiet,
            MessageKind::Status | MessageKind::Hint => !self.quiet && (!self.json || self.verbose),
        }
    }

    pub fn error(&self, report: &ErrorReport, usage: Option<&str>) {
        if report.failure.kind == Kind::PipeClosed || report.message.is_empty() {
            return;
        }
        let report = &self.with_flags(report);
        if self.json {
            self.json_line(&error_object(report));
        } else {
            // The terminal may show `^C` on this line: overwrite it.
            let clear = if report.failure.kind.is_stop() && self.moves_cursor { "\r\u{1b}[K" } else { "" };
            let start = format!("{clear}{}", TextStyle::Red.paint("error:", self.color));
            self.stderr.line(&self.error_lines(&start, report, usage));
        }
    }

    /// Writes a line that says that a task has succeeded. Silent with `-q` and JSON.
    pub fn succeeded(&self, label: &str, result: &str) {
        if !self.quiet && !self.json {
            let mark = TextStyle::Green.paint(if self.stderr.is_utf8() { "✓" } else { "ok" }, self.color);
            self.stderr.line(format!("{mark} {label}  {}", self.escape(result)).trim_end());
        }
    }

    /// Writes the error of a failed task. `label` must be escaped already.
    pub fn failed(&self, label: &str, report: &ErrorReport) {
        if self.json {
            return self.error(report, None);
        }
        let mark = TextStyle::Red.paint(if self.stderr.is_utf8() { "✗" } else { "x" }, self.color);
        self.stderr.line(&self.error_lines(&format!("{mark} {label} "), &self.with_flags(report), None));
    }

    /// Adds the flags for server, key, profile and network to the commands in a report.
    fn with_flags(&self, report: &ErrorReport) -> ErrorReport {
        let mut report = report.clone();
        report.failure.hint = report.failure.hint.map(|hint| with_flags(&hint, &self.command_flags).into_owned());
        report.message = with_flags(&report.message, &self.command_flags).into_owned();
        report
    }

    /// Returns the lines of an error. `start` is `error:`, or a symbol and the label of the failed task.
    fn error_lines(&self, start: &str, report: &ErrorReport, usage: Option<&str>) -> String {
        let mut text = format!("{start} {}", self.escape(&error_text(report)));
        if let Some(hint) = &report.failure.hint {
            let _ = write!(text, "\n  {} {}", TextStyle::Cyan.paint("hint:", self.color), self.escape(hint));
        }
        for line in usage.unwrap_or_default().lines() {
            let _ = write!(text, "\n  {} {}", TextStyle::Dim.paint("usage:", self.color), self.escape(line.trim()));
        }
        text
    }

    pub fn help(&self, text: &clap::builder::StyledStr) {
        let text = if self.color { text.ansi().to_string() } else { text.to_string() };
        self.stderr.line(text.trim_end_matches('\n'));
    }

    fn json_line(&self, text: &str) {
        self.stderr.line(&json::compact(text, self.is_terminal));
    }

    fn escape(&self, text: &str) -> String {
        if self.is_terminal { escape::terminal(text).into_owned() } else { text.to_owned() }
    }
}

/// A note about an empty list, for people: a pipe never gets it.
#[derive(Clone, Debug)]
pub struct EmptyNote {
    text: Cow<'static, str>,
    command: Option<Cow<'static, str>>,
}

impl EmptyNote {
    /// Creates a note such as `No glossaries yet.`
    pub const fn new(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), command: None }
    }

    /// Creates a note whose text depends on the arguments.
    pub const fn from_text(text: String) -> Self {
        Self { text: Cow::Owned(text), command: None }
    }

    /// Adds what to do next, such as `Create one`, and the command for it, which starts with `tulk`.
    #[must_use]
    pub fn next(self, what: &str, command: &str) -> Self {
        Self { text: format!("{} {what}:", self.text).into(), command: Some(command.to_owned().into()) }
    }

    /// Returns the note as a line, with `flags` in its command: those for server, key, profile and network.
    pub(super) fn line(&self, flags: &str) -> String {
        match &self.command {
            Some(command) => format!("{} {}", self.text, with_flags(&format!("`{command}`"), flags).trim_matches('`')),
            None => self.text.clone().into_owned(),
        }
    }
}

const COMMAND_START: &str = "`tulk ";

/// Adds `flags` to the commands in a message. The flags are quoted for a shell. Commands that start with a flag have their own flags
/// and stay unchanged.
pub fn with_flags<'a>(message: &'a str, flags: &str) -> Cow<'a, str> {
    if flags.is_empty() || !message.contains(COMMAND_START) {
        return Cow::Borrowed(message);
    }
    let mut parts = message.split(COMMAND_START);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(COMMAND_START);
        if part.starts_with(|c: char| c.is_ascii_lowercase()) {
            text.push_str(flags);
            text.push(' ');
        }
        text.push_str(part);
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_has_the_flags_of_the_run() {
        let note = EmptyNote::new("No documents yet.").next("Translate one", "tulk doc translate FILE --to de");
        assert_eq!(note.line(""), "No documents yet. Translate one: tulk doc translate FILE --to de");
        assert_eq!(
            note.line("--sandbox -p 'my work'"),
            "No documents yet. Translate one: tulk --sandbox -p 'my work' doc translate FILE --to de"
        );
        assert_eq!(EmptyNote::new("No languages match.").line("--sandbox"), "No languages match.");
    }

    #[test]
    fn every_command_gets_the_flags_unless_it_has_its_own() {
        let message = "run `tulk auth login`, or `tulk --sandbox usage`; see `tulk langs check --to de`";
        assert_eq!(
            with_flags(message, "-p 'my work'"),
            "run `tulk -p 'my work' auth login`, or `tulk --sandbox usage`; see `tulk -p 'my work' langs check --to de`"
        );
        assert_eq!(with_flags(message, ""), message);
        assert_eq!(with_flags("`tulk <b>`, tulk usage", "-p x"), "`tulk <b>`, tulk usage");
    }
}
