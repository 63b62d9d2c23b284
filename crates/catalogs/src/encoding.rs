//! The encoding of a file: UTF-8 or UTF-16, with or without a byte-order mark, as it was found.

use super::CatalogError;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF16_LE_MARK: &[u8] = b"\xff\xfe";
const UTF16_BE_MARK: &[u8] = b"\xfe\xff";

/// What a compiled property list of Apple begins with.
const BINARY_PLIST: &[u8] = b"bplist0";

/// A catalogue file as text, and how it is written back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogFile {
    /// The text, without byte-order mark.
    pub text: String,
    encoding: FileEncoding,
    has_mark: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileEncoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl CatalogFile {
    /// Decodes a file. Without a mark it is UTF-16 if every second byte at its start is zero, else UTF-8.
    ///
    /// Fails at the first byte that is not valid, with its offset in the file.
    pub fn decode(bytes: &[u8]) -> Result<Self, CatalogError> {
        if bytes.starts_with(BINARY_PLIST) {
            return Err(CatalogError::new(0, "the file is a binary property list, as in a built app")
                .hint("use the file of the project; a .stringsdict can be converted with `plutil -convert xml1`"));
        }
        for (mark, encoding) in [(UTF16_LE_MARK, FileEncoding::Utf16Le), (UTF16_BE_MARK, FileEncoding::Utf16Be)] {
            if let Some(rest) = bytes.strip_prefix(mark) {
                return Ok(Self { text: decode_utf16(rest, encoding, mark.len())?, encoding, has_mark: true });
            }
        }
        let has_mark = bytes.starts_with(UTF8_MARK);
        let rest = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
        let encoding = match rest {
            [first, 0, second, 0, ..] if !has_mark && *first != 0 && *second != 0 => FileEncoding::Utf16Le,
            [0, first, 0, second, ..] if !has_mark && *first != 0 && *second != 0 => FileEncoding::Utf16Be,
            _ => {
                let text = std::str::from_utf8(rest).map_err(|error| {
                    let at = error.valid_up_to() + if has_mark { UTF8_MARK.len() } else { 0 };
                    CatalogError::new(at, "the file is neither UTF-8 nor UTF-16").hint("convert it to UTF-8")
                })?;
                return Ok(Self { text: text.to_owned(), encoding: FileEncoding::Utf8, has_mark });
            }
        };
        Ok(Self { text: decode_utf16(rest, encoding, 0)?, encoding, has_mark: false })
    }

    /// Returns the bytes of another text in the encoding of this file.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + UTF8_MARK.len());
        let bytes: fn(u16) -> [u8; 2] = match self.encoding {
            FileEncoding::Utf8 => {
                if self.has_mark {
                    out.extend_from_slice(UTF8_MARK);
                }
                out.extend_from_slice(text.as_bytes());
                return out;
            }
            FileEncoding::Utf16Le => u16::to_le_bytes,
            FileEncoding::Utf16Be => u16::to_be_bytes,
        };
        if self.has_mark {
            out.extend_from_slice(&bytes(0xfeff));
        }
        out.extend(text.encode_utf16().flat_map(bytes));
        out
    }
}

fn decode_utf16(bytes: &[u8], encoding: FileEncoding, start: usize) -> Result<String, CatalogError> {
    let unit = |pair: &[u8]| match (pair, encoding) {
        ([a, b], FileEncoding::Utf16Be) => u16::from_be_bytes([*a, *b]),
        ([a, b], _) => u16::from_le_bytes([*a, *b]),
        _ => 0,
    };
    if !bytes.len().is_multiple_of(2) {
        return Err(CatalogError::new(
            start + bytes.len() - 1,
            "the file is UTF-16, but its last character is cut off",
        ));
    }
    let mut at = start;
    let mut text = String::with_capacity(bytes.len() / 2);
    for decoded in char::decode_utf16(bytes.chunks_exact(2).map(unit)) {
        let c =
            decoded.map_err(|_| CatalogError::new(at, "the file is UTF-16, but half a surrogate pair is missing"))?;
        at += 2 * c.len_utf16();
        text.push(c);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_in_their_own_encoding() {
        for bytes in [
            b"\xff\xfea\0\x3d\xd8\x00\xde".as_slice(),
            b"\xfe\xff\0a\xd8\x3d\xde\x00",
            b"a\0b\0",
            b"\0a\0b",
            b"\xef\xbb\xbfab",
            "aé\0".as_bytes(),
            b"",
        ] {
            let file = CatalogFile::decode(bytes).unwrap();
            assert_eq!(file.encode(&file.text), bytes);
        }
        assert_eq!(CatalogFile::decode(b"\xff\xfea\0\x3d\xd8\x00\xde").unwrap().text, "a\u{1f600}");
    }

    #[test]
    fn bad_bytes_are_found() {
        assert_eq!(CatalogFile::decode(b"ab\xff").unwrap_err().at, 2);
        assert_eq!(CatalogFile::decode(b"\xff\xfea\0\x3d\xd8").unwrap_err().at, 4);
        assert_eq!(CatalogFile::decode(b"\xff\xfea").unwrap_err().at, 2);
        for bytes in [b"bplist00\xd1\x01\x02QaQb".as_slice(), b"bplist00ab"] {
            let what = "the file is a binary property list, as in a built app";
            assert_eq!(CatalogFile::decode(bytes).unwrap_err().what, what);
        }
    }
}
