//! Writes results to stdout. While it writes to a terminal, the progress on stderr is hidden.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::value::RawValue;
use tulk_base::error::{Failure, io_message};
use tulk_base::json;

use super::Output;
use super::escape;
use super::filter::{FilterWriter, ResultFilter};
use super::settings::OutputSettings;
use super::stderr::StderrWriter;
use super::workflow::WorkflowGuard;

/// Stdout of a run. Cheap to clone; the clones share one lock.
#[derive(Clone)]
pub struct StdoutWriter {
    stream: Arc<Mutex<Box<dyn Write + Send>>>,
    stderr: Arc<StderrWriter>,
    is_terminal: bool,
    jsonl: bool,
    /// Set if a GitHub workflow may read stdout.
    guard: Option<Arc<Mutex<WorkflowGuard>>>,
    filter: Arc<OnceLock<Arc<ResultFilter>>>,
}

impl StdoutWriter {
    pub(super) fn new(stream: Box<dyn Write + Send>, stderr: Arc<StderrWriter>, settings: &OutputSettings) -> Self {
        Self {
            stream: Arc::new(Mutex::new(stream)),
            stderr,
            is_terminal: settings.stdout_is_terminal,
            jsonl: settings.is_jsonl(),
            guard: WorkflowGuard::of_stdout().map(|guard| Arc::new(Mutex::new(guard))),
            filter: Arc::default(),
        }
    }

    /// Writes bytes unchanged, except in a GitHub workflow. The caller must have escaped untrusted parts of a text.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        Self::check(self.write_unchanged(bytes))
    }

    /// Writes bytes unchanged everywhere: a document, a sound, or workflow commands.
    pub fn write_unguarded(&self, bytes: &[u8]) -> Result<(), Failure> {
        Self::check(self.write_bytes(bytes))
    }

    fn check(done: io::Result<()>) -> Result<(), Failure> {
        done.map_err(|error| match (Failure::stopped(&error), error.kind()) {
            (Some(stopped), _) => stopped,
            (None, io::ErrorKind::BrokenPipe) => Failure::pipe_closed(),
            (None, _) => Failure::internal(format!("cannot write to stdout: {}", io_message(&error))).hint_for(&error),
        })
    }

    /// Writes result text: unchanged in a pipe, with control characters escaped on a terminal.
    ///
    /// On a terminal, pass complete lines, so that no character is split.
    pub fn text(&self, text: &[u8]) -> Result<(), Failure> {
        if self.is_terminal {
            self.write(escape::terminal(&String::from_utf8_lossy(text)).as_bytes())
        } else {
            self.write(text)
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    pub(super) fn set_filter(&self, filter: ResultFilter) {
        let _ = self.filter.set(Arc::new(filter));
    }

    pub(super) fn filter(&self) -> Option<&Arc<ResultFilter>> {
        self.filter.get()
    }

    /// Returns a writer that filters JSON texts, one per line, if there is a filter.
    pub fn filter_writer(&self) -> Option<FilterWriter> {
        self.filter().map(|filter| FilterWriter::new(Arc::clone(filter), self.clone()))
    }

    /// Like [`StdoutWriter::text`], but if there is a filter, each line is JSON and is filtered.
    pub fn json_lines(&self, lines: &str) -> Result<(), Failure> {
        match self.filter() {
            Some(filter) => lines.lines().try_for_each(|line| filter.apply(self, line.to_owned())),
            None => self.text(lines.as_bytes()),
        }
    }

    /// Writes JSON text: filtered, or on one line with `--format jsonl`, or indented. Without a filter, text that is not JSON is
    /// written like result text.
    pub fn json(&self, text: impl AsRef<str> + Into<String>) -> Result<(), Failure> {
        if let Some(filter) = self.filter() {
            return filter.apply(self, text.into());
        }
        let text = text.as_ref();
        if serde_json::from_str::<&RawValue>(text).is_err() {
            return self.text(text.as_bytes());
        }
        let layout = if self.jsonl { json::compact } else { json::indent };
        self.write((layout(text, self.is_terminal) + "\n").as_bytes())
    }

    /// Returns whether a GitHub workflow may read stdout. All text must then go through this writer.
    pub fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    pub(super) fn write_unchanged(&self, bytes: &[u8]) -> io::Result<()> {
        match &self.guard {
            None => self.write_bytes(bytes),
            Some(guard) => {
                let guarded = guard.lock().unwrap_or_else(PoisonError::into_inner).pass(bytes);
                self.write_bytes(&guarded)
            }
        }
    }

    fn write_bytes(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
            stream.write_all(bytes).and_then(|()| stream.flush())
        };
        // Hide progress only while writing to a terminal. A write to a pipe may take long, because its reader may be slow.
        if self.is_terminal { self.stderr.without_progress(write) } else { write() }
    }
}

/// Writes result text that arrives in chunks.
impl Write for StdoutWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_unchanged(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Fails if stdout is a terminal, because output that is not text may garble it. `what` names the output in the message.
pub fn check_no_terminal(what: &str, out: &Output) -> Result<(), Failure> {
    if !out.settings().stdout_is_terminal {
        return Ok(());
    }
    Err(Failure::usage(format!("stdout is a terminal, and {what} may not be text"))
        .hint("redirect stdout to a file, or pass a file with -o; --force prints it anyway"))
}

/// Escapes control characters and hides progress while it writes.
///
/// Bytes that may be part of a character or of a CRLF wait for the next write. Dropping the writer writes the remaining bytes, and a
/// line ending if the text has none.
pub struct TerminalWriter {
    stdout: StdoutWriter,
    /// Whether the text is JSON and must stay valid JSON.
    json: bool,
    pending: Vec<u8>,
    /// Whether the cursor is inside a line.
    in_line: bool,
}

impl TerminalWriter {
    pub(super) fn new(stdout: StdoutWriter, json: bool) -> Self {
        Self { stdout, json, pending: Vec::new(), in_line: false }
    }

    fn write_escaped(&self, bytes: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(bytes);
        let escaped = if self.json { json::escape_controls(&text) } else { escape::terminal(&text) };
        self.stdout.write_unchanged(escaped.as_bytes())
    }
}

/// Returns the number of bytes at the end that may belong to a character or CRLF that continues in the next bytes.
fn incomplete_len(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return 1;
    }
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        _ => 0,
    }
}

impl Write for TerminalWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut ready = std::mem::take(&mut self.pending);
        ready.extend_from_slice(bytes);
        self.pending = ready.split_off(ready.len() - incomplete_len(&ready));
        self.in_line = ready.last().map_or(self.in_line, |byte| *byte != b'\n');
        self.write_escaped(&ready)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for TerminalWriter {
    fn drop(&mut self) {
        let _ = self.write_escaped(&self.pending);
        // Otherwise, the prompt of the shell would follow the text.
        if self.in_line || !self.pending.is_empty() {
            let _ = self.stdout.write_unchanged(b"\n");
        }
    }
}
