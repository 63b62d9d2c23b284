//! Small inputs that are read whole: request bodies, contexts, keys. Texts to translate are streamed by `source`.
//!
//! A signal ends the wait for stdin or a FIFO.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::check_stdin;
use tulk_base::stop;

/// Returns the bytes of a file, or of stdin for `-`.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path == Path::new("-") {
        check_stdin()?;
        stop::interruptible(|| {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        })?
    } else {
        stop::read_file(path)
    };
    read.file_context("read", path)
}

/// Returns the bytes of a file, or of stdin for `-`; `None` if there are more than `limit`, without reading them.
pub fn read_bytes_up_to(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, Failure> {
    if path == Path::new("-") {
        check_stdin()?;
    }
    let (past_limit, file) = (limit as u64 + 1, path.to_owned());
    let read = stop::interruptible(move || {
        let mut bytes = Vec::new();
        if file == Path::new("-") {
            std::io::stdin().lock().take(past_limit).read_to_end(&mut bytes)?;
        } else {
            File::open(file)?.take(past_limit).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    })?;
    let bytes = read.file_context("read", path)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// Returns the text of a file, or of stdin for `-`; it must be UTF-8.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    decode_text(path, read_bytes(path)?)
}

/// Returns the text of bytes that were read from a file. Fails unless they are UTF-8.
pub fn decode_text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", path.display()))
    })
}
