//! Small inputs that are read whole: request bodies, contexts, keys. Texts to translate are streamed by `source`.
//!
//! A signal ends the wait for stdin or a FIFO.

use std::path::Path;

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{SizeLimit, read_bounded, read_stdin_bounded};

/// Returns the bytes of a file, or of stdin for `-`.
pub fn read_bytes(path: &Path, limit: SizeLimit) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        return read_stdin_bounded(limit);
    }
    read_bounded(path, limit).file_context("read", path)
}

/// Returns the text of a file, or of stdin for `-`; it must be UTF-8.
pub fn read_text(path: &Path, limit: SizeLimit) -> Result<String, Failure> {
    decode_text(path, read_bytes(path, limit)?)
}

/// Returns the text of bytes that were read from a file. Fails unless they are UTF-8.
pub fn decode_text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", path.display()))
    })
}
