//! Reads the start of stdin or a file, to find out before the first request whether it has any text.

use std::io::{self, Read};

/// Maximum number of bytes of leading whitespace; after that, the input is assumed to have text.
const MAX_AHEAD_BYTES: usize = 64 * 1024;

/// The start of an input.
#[derive(Clone, Debug)]
pub struct InputStart {
    /// All bytes that were read.
    pub bytes: Vec<u8>,
    /// Whether the input ended without any text.
    pub is_blank: bool,
}

/// Reads until the first text. `terminator` separates entries and is not text.
pub fn read_start(mut input: impl Read, terminator: Option<char>) -> io::Result<InputStart> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8 * 1024]);
    loop {
        let read = match input.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        bytes.extend_from_slice(chunk.get(..read).unwrap_or_default());
        let is_blank = is_blank(&bytes, terminator, read == 0);
        if read == 0 || !is_blank || bytes.len() > MAX_AHEAD_BYTES {
            return Ok(InputStart { bytes, is_blank: is_blank && read == 0 });
        }
    }
}

/// Returns whether there is no text yet. An incomplete character at the end is text only if the input has ended.
fn is_blank(bytes: &[u8], terminator: Option<char>, is_all: bool) -> bool {
    let (text, is_valid) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            (std::str::from_utf8(valid).unwrap_or_default(), error.error_len().is_none() && !is_all)
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    is_valid && text.chars().all(|c| c.is_whitespace() || Some(c) == terminator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &[u8], terminator: Option<char>) -> (usize, bool) {
        let start = read_start(text, terminator).unwrap();
        (start.bytes.len(), start.is_blank)
    }

    #[test]
    fn only_whitespace_is_blank() {
        assert_eq!(start(b"", None), (0, true));
        assert_eq!(start("\u{feff}\u{3000}\r\n".as_bytes(), None), (8, true));
        assert_eq!(start(b" \n a", None), (4, false));
        assert_eq!((start(b"\0\n\0", None), start(b"\0\n\0", Some('\0'))), ((3, false), (3, true)));
        assert_eq!(start(b" \xff", None), (2, false));
        assert_eq!(start(b" \xe3\x80", None), (3, false));
        assert!(!start(&vec![b' '; 1 << 20], None).1, "the rest of a long input is not read");
    }
}
