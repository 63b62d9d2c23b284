//! Small inputs that are read whole: request bodies, contexts, keys. Texts to translate are streamed by `source`.

use std::io::Read as _;
use std::path::Path;

use crate::error::Failure;

/// Returns the bytes of a file, or of stdin for `-`.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    read.map_err(|e| Failure::file("read", path, &e))?;
    Ok(bytes)
}

/// Returns the text of a file, or of stdin for `-`; it must be UTF-8.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", path.display()))
    })
}
