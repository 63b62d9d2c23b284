//! Reads small inputs completely: request bodies, contexts, keys. Texts to translate are streamed by `source`.
//!
//! A signal interrupts waiting for stdin or a FIFO.

use std::path::Path;

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{SizeLimit, read_bounded, read_stdin_bounded};

/// Reads a file, or stdin for `-`.
pub fn read_bytes(path: &Path, limit: SizeLimit) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        return read_stdin_bounded(limit);
    }
    read_bounded(path, limit).file_context("read", path)
}

/// Reads a UTF-8 file, or stdin for `-`.
pub fn read_text(path: &Path, limit: SizeLimit) -> Result<String, Failure> {
    decode_text(path, read_bytes(path, limit)?)
}

/// Decodes the content of a file; fails unless it is UTF-8. `path` is used in messages.
pub fn decode_text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", path.display()))
    })
}
