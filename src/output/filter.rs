//! `--jq` on results: filters each JSON text before it is written to stdout, and keeps results on which the expression fails.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jaq_json::Val;
use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::numbers::counted;
use tulk_base::{json, stop};

use super::escape;
use super::jq::{JqProgram, JqRunError, to_json};
use super::stdout::StdoutWriter;

/// Number of bytes of output that are collected before they are written.
const BUFFER_BYTES: usize = 8 * 1024;

pub struct ResultFilter {
    program: JqProgram,
    /// Whether results cannot be requested again for free: a request changed something or was billed.
    must_keep_results: AtomicBool,
    failures: Mutex<FilterFailures>,
}

#[derive(Default)]
struct FilterFailures {
    count: usize,
    /// Message of the first failure.
    first: String,
    /// The file that keeps the results on which the expression failed, or the error that prevented keeping them.
    kept: Option<io::Result<(PathBuf, File)>>,
}

impl ResultFilter {
    pub fn new(expression: &str) -> Result<Self, Failure> {
        let program = JqProgram::compile(expression)?;
        Ok(Self { program, must_keep_results: AtomicBool::new(false), failures: Mutex::default() })
    }

    /// Records that results cannot be requested again for free, so that results on which the expression fails are kept in a file.
    pub fn keep_results(&self) {
        self.must_keep_results.store(true, Ordering::Relaxed);
    }

    /// Filters a JSON text and writes the outputs. The first signal stops the wait for an endless expression.
    ///
    /// Succeeds even if the expression fails on the text, so that later results are filtered too: see [`ResultFilter::failure`].
    pub fn apply(self: &Arc<Self>, stdout: &StdoutWriter, text: String) -> Result<(), Failure> {
        let (filter, stdout) = (Arc::clone(self), stdout.clone());
        stop::interruptible_soon(move || filter.run(&stdout, &text))?
    }

    fn run(&self, stdout: &StdoutWriter, text: &str) -> Result<(), Failure> {
        let mut lines = String::new();
        let done = self.program.run(text, |value| {
            push_line(&mut lines, value, stdout.is_terminal());
            if lines.len() < BUFFER_BYTES { Ok(()) } else { stdout.write(std::mem::take(&mut lines).as_bytes()) }
        });
        match done {
            Ok(()) => stdout.write(lines.as_bytes()),
            Err(JqRunError::Output(failure)) => Err(failure),
            Err(JqRunError::Program(message)) => {
                self.add_failure(message, text);
                stdout.write(lines.as_bytes())
            }
        }
    }

    fn add_failure(&self, message: String, text: &str) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.count += 1;
        if failures.count == 1 {
            failures.first = message;
        }
        if self.must_keep_results.load(Ordering::Relaxed) {
            let kept = failures.kept.get_or_insert_with(create_private_file);
            if let Ok((_, file)) = kept
                && let Err(error) = writeln!(file, "{}", text.trim_end())
            {
                *kept = Err(error);
            }
        }
    }

    /// Returns the failure to report if the expression failed on a result.
    pub fn failure(&self) -> Option<Failure> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let what = match failures.count {
            0 => return None,
            1 => format!("--jq: {}", failures.first),
            count => format!("--jq: {} ({} failed, this is the first error)", failures.first, counted(count, "result")),
        };
        let hint = match &failures.kept {
            Some(Ok((path, _))) => format!("the results without the filter are in {}", path.display()),
            Some(Err(error)) => {
                format!("the results without the filter could not be kept in a file: {}", io_message(error))
            }
            None => "--json shows the result without the filter".to_owned(),
        };
        Some(Failure::new(Kind::Refused, what).hint(hint))
    }
}

/// Appends an output as a line: a string without quotes, anything else as JSON, indented on a terminal.
fn push_line(lines: &mut String, value: &Val, terminal: bool) {
    match value {
        Val::TStr(bytes) | Val::BStr(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            lines.push_str(&if terminal { escape::terminal(&text) } else { text });
        }
        other if terminal => lines.push_str(&json::indent(&to_json(other), true)),
        other => lines.push_str(&to_json(other)),
    }
    lines.push('\n');
}

/// Creates a file that only this user can read.
fn create_private_file() -> io::Result<(PathBuf, File)> {
    let file = tempfile::Builder::new().prefix("tulk-result-").suffix(".json").tempfile()?;
    file.keep().map(|(file, path)| (path, file)).map_err(|error| error.error)
}

/// Filters JSON texts that arrive in chunks, one text per line.
pub struct FilterWriter {
    filter: Arc<ResultFilter>,
    stdout: StdoutWriter,
    pending: Vec<u8>,
}

impl FilterWriter {
    pub(super) fn new(filter: Arc<ResultFilter>, stdout: StdoutWriter) -> Self {
        Self { filter, stdout, pending: Vec::new() }
    }

    fn filter(&self, line: &[u8]) -> io::Result<()> {
        let line = String::from_utf8_lossy(line).into_owned();
        self.filter.apply(&self.stdout, line).map_err(|failure| match failure.kind {
            Kind::PipeClosed => io::ErrorKind::BrokenPipe.into(),
            _ => io::Error::other(failure),
        })
    }
}

impl Write for FilterWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        while let Some(end) = memchr::memchr(b'\n', &self.pending) {
            let rest = self.pending.split_off(end + 1);
            let line = std::mem::replace(&mut self.pending, rest);
            self.filter(&line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
