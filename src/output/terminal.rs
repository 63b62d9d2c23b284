//! Stdout for results that are written piece by piece, when it is a terminal.
//!
//! What odd characters become is `escape`'s. Spec: command line, "Streams and formats".

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::escape;
use super::screen::Screen;
use crate::json;

/// Escapes odd characters and keeps the bars out of the way.
///
/// What may be half a character or half a CRLF waits for the next bytes, at most until it is dropped.
pub struct Terminal {
    out: Arc<Mutex<Box<dyn Write + Send>>>,
    screen: Arc<Screen>,
    /// Whether it is JSON, and to stay that.
    json: bool,
    waits: Vec<u8>,
}

impl Terminal {
    pub(super) fn new(out: Arc<Mutex<Box<dyn Write + Send>>>, screen: Arc<Screen>, json: bool) -> Self {
        Self { out, screen, json, waits: Vec::new() }
    }

    fn show(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(bytes);
        // NUL, which parts the results of `--nul`, does nothing to a terminal.
        let parts =
            text.split('\0').map(|part| if self.json { json::escape_controls(part) } else { escape::terminal(part) });
        let shown = parts.collect::<Vec<_>>().join("\0");
        self.screen.aside(|| {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            out.write_all(shown.as_bytes()).and_then(|()| out.flush())
        })
    }
}

/// How many bytes at the end may go on in the next ones.
fn unsettled(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return 1;
    }
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        _ => 0,
    }
}

impl Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.waits);
        all.extend_from_slice(bytes);
        self.waits = all.split_off(all.len() - unsettled(&all));
        self.show(&all)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.show(&self.waits);
    }
}
