//! Writes results to stdout.
//!
//! On a terminal, writing takes turns with the progress on stderr.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;

use super::escape;
use super::settings::OutputSettings;
use super::stderr::StderrWriter;
use crate::error::{Failure, io_message};
use crate::json;

/// Stdout of a run. Cheap to clone; the clones share one lock.
#[derive(Clone)]
pub struct StdoutWriter {
    stream: Arc<Mutex<Box<dyn Write + Send>>>,
    stderr: Arc<StderrWriter>,
    is_terminal: bool,
    jsonl: bool,
}

impl StdoutWriter {
    pub(super) fn new(stream: Box<dyn Write + Send>, stderr: Arc<StderrWriter>, settings: &OutputSettings) -> Self {
        Self {
            stream: Arc::new(Mutex::new(stream)),
            stderr,
            is_terminal: settings.stdout_is_terminal(),
            jsonl: settings.is_jsonl(),
        }
    }

    /// Writes bytes unchanged: a file, or text whose untrusted parts the caller has escaped.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_unchanged(bytes).map_err(|error| match (Failure::stopped(&error), error.kind()) {
            (Some(stopped), _) => stopped,
            (None, io::ErrorKind::BrokenPipe) => Failure::pipe_closed(),
            (None, _) => Failure::internal(format!("cannot write to stdout: {}", io_message(&error))),
        })
    }

    /// Writes result text: unchanged in a pipe, with control characters escaped on a terminal.
    ///
    /// On a terminal, pass whole lines, so that no character is cut in two.
    pub fn text(&self, text: &[u8]) -> Result<(), Failure> {
        if self.is_terminal {
            self.write(escape::terminal(&String::from_utf8_lossy(text)).as_bytes())
        } else {
            self.write(text)
        }
    }

    /// Writes JSON text: indented, or on one line with `--format jsonl`. Text that is not JSON is written as it is.
    pub fn json(&self, text: &str) -> Result<(), Failure> {
        if serde_json::from_str::<&RawValue>(text).is_err() {
            return self.text(text.as_bytes());
        }
        let layout = if self.jsonl { json::compact } else { json::indent };
        self.write((layout(text, self.is_terminal) + "\n").as_bytes())
    }

    /// Writes one value as one line of JSON in every format: the requests of a dry run, live events.
    pub fn json_line(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|e| Failure::internal(e.to_string()))?;
        self.write((json::compact(&text, self.is_terminal) + "\n").as_bytes())
    }

    pub(super) fn write_unchanged(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
            stream.write_all(bytes).and_then(|()| stream.flush())
        };
        // The reader of a pipe may be slow; only a terminal has to hide progress while it is written to.
        if self.is_terminal { self.stderr.without_progress(write) } else { write() }
    }
}
