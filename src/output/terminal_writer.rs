//! Writes results that arrive in pieces to a terminal.
//!
//! `escape` decides how control characters look.

use std::io::{self, Write};

use tulk_base::json;

use super::escape;
use super::stdout::StdoutWriter;

/// Escapes control characters and hides progress while it writes.
///
/// Bytes that may be half a character or half a CRLF wait for the next write, or until the writer is dropped. The text then
/// gets a line end if it has none.
pub struct TerminalWriter {
    stdout: StdoutWriter,
    /// Whether the text is JSON and has to stay valid JSON.
    json: bool,
    pending: Vec<u8>,
    /// Whether the cursor is not at the start of a line.
    in_line: bool,
}

impl TerminalWriter {
    pub(super) fn new(stdout: StdoutWriter, json: bool) -> Self {
        Self { stdout, json, pending: Vec::new(), in_line: false }
    }

    fn write_escaped(&self, bytes: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(bytes);
        // NUL, which separates results with `--nul`, has no effect on a terminal.
        let parts =
            text.split('\0').map(|part| if self.json { json::escape_controls(part) } else { escape::terminal(part) });
        self.stdout.write_unchanged(parts.collect::<Vec<_>>().join("\0").as_bytes())
    }
}

/// Returns how many bytes at the end may belong to a character or CRLF that continues in the next bytes.
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
        // The prompt of the shell would follow the text.
        if self.in_line || !self.pending.is_empty() {
            let _ = self.stdout.write_unchanged(b"\n");
        }
    }
}
