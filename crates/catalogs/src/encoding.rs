//! Decodes files in UTF-8, UTF-16 or ISO-8859-1, and encodes them again with the same byte-order mark, if any.

use super::{CatalogError, CatalogKind, Edit};

const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";
const UTF16_LE_BOM: &[u8] = b"\xff\xfe";
const UTF16_BE_BOM: &[u8] = b"\xfe\xff";

/// The start of a compiled property list of Apple.
const BINARY_PLIST: &[u8] = b"bplist0";

/// The text of a catalogue file, with the encoding to write it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogFile {
    /// The text, without byte-order mark.
    pub text: String,
    /// Whether ISO-8859-1 was assumed because the file is not valid UTF-8.
    pub is_assumed_latin1: bool,
    encoding: FileEncoding,
    has_bom: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileEncoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin1,
}

/// A file encoding that a project can configure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// ISO-8859-1.
    Latin1,
}

impl TextEncoding {
    /// All encodings with their names in the configuration.
    pub const ALL: [(Self, &str); 2] = [(Self::Utf8, "utf-8"), (Self::Latin1, "iso-8859-1")];
}

impl CatalogKind {
    /// Returns whether files of this format can be in ISO-8859-1. That is the traditional encoding of Java properties.
    pub fn can_be_latin1(&self) -> bool {
        self.name == super::properties::KIND.name
    }

    /// Decodes a file of this format. Without `encoding`, a format that allows ISO-8859-1 falls back to it if the file
    /// is not UTF-8 and contains no multibyte UTF-8 sequence. Fails at the first invalid byte, with its offset.
    pub fn decode(&self, bytes: &[u8], encoding: Option<TextEncoding>) -> Result<CatalogFile, CatalogError> {
        let has_bom = [UTF8_BOM, UTF16_LE_BOM, UTF16_BE_BOM].iter().any(|mark| bytes.starts_with(mark));
        let latin1 = |is_assumed_latin1| CatalogFile {
            text: bytes.iter().map(|byte| char::from(*byte)).collect(),
            is_assumed_latin1,
            encoding: FileEncoding::Latin1,
            has_bom: false,
        };
        // A file with multibyte UTF-8 sequences is UTF-8 with a damaged byte.
        let is_plain = || bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii());
        match (encoding, CatalogFile::decode(bytes)) {
            (Some(TextEncoding::Latin1), _) => Ok(latin1(false)),
            (None, Err(_)) if self.can_be_latin1() && !has_bom && is_plain() => Ok(latin1(true)),
            (_, decoded) => decoded,
        }
    }
}

impl CatalogFile {
    /// Decodes a file. Without a byte-order mark it is UTF-16 if every second byte at its start is zero, otherwise UTF-8.
    /// Fails at the first invalid byte, with its offset.
    pub fn decode(bytes: &[u8]) -> Result<Self, CatalogError> {
        if bytes.starts_with(BINARY_PLIST) {
            return Err(CatalogError::new(0, "the file is a binary property list, as in a built app")
                .hint("use the source file from the Xcode project; a .stringsdict can be converted with `plutil -convert xml1`"));
        }
        for (mark, encoding) in [(UTF16_LE_BOM, FileEncoding::Utf16Le), (UTF16_BE_BOM, FileEncoding::Utf16Be)] {
            if let Some(rest) = bytes.strip_prefix(mark) {
                let text = decode_utf16(rest, encoding, mark.len())?;
                return Ok(Self { text, is_assumed_latin1: false, encoding, has_bom: true });
            }
        }
        let has_bom = bytes.starts_with(UTF8_BOM);
        let rest = bytes.strip_prefix(UTF8_BOM).unwrap_or(bytes);
        let encoding = match rest {
            [first, 0, second, 0, ..] if !has_bom && *first != 0 && *second != 0 => FileEncoding::Utf16Le,
            [0, first, 0, second, ..] if !has_bom && *first != 0 && *second != 0 => FileEncoding::Utf16Be,
            _ => {
                let text = std::str::from_utf8(rest).map_err(|error| {
                    let at = error.valid_up_to() + if has_bom { UTF8_BOM.len() } else { 0 };
                    CatalogError::new(at, "the file is neither UTF-8 nor UTF-16").hint("convert it to UTF-8")
                })?;
                let (text, encoding) = (text.to_owned(), FileEncoding::Utf8);
                return Ok(Self { text, is_assumed_latin1: false, encoding, has_bom });
            }
        };
        Ok(Self { text: decode_utf16(rest, encoding, 0)?, is_assumed_latin1: false, encoding, has_bom: false })
    }

    /// Returns edits that this file's encoding can hold: in ISO-8859-1, non-ASCII characters become escapes such as `\u00E9`.
    pub fn edits_for_encoding(&self, mut edits: Vec<Edit>) -> Vec<Edit> {
        if self.encoding == FileEncoding::Latin1 {
            for edit in edits.iter_mut().filter(|edit| !edit.text.is_ascii()) {
                edit.text = escaped(&edit.text);
            }
        }
        edits
    }

    /// Encodes `text` in the encoding of this file. For ISO-8859-1, pass the edits through [`Self::edits_for_encoding`] first.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + UTF8_BOM.len());
        let bytes: fn(u16) -> [u8; 2] = match self.encoding {
            FileEncoding::Utf8 => {
                if self.has_bom {
                    out.extend_from_slice(UTF8_BOM);
                }
                out.extend_from_slice(text.as_bytes());
                return out;
            }
            FileEncoding::Latin1 => {
                out.extend(text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')));
                return out;
            }
            FileEncoding::Utf16Le => u16::to_le_bytes,
            FileEncoding::Utf16Be => u16::to_be_bytes,
        };
        if self.has_bom {
            out.extend_from_slice(&bytes(0xfeff));
        }
        out.extend(text.encode_utf16().flat_map(bytes));
        out
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")));
        }
    }
    out
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
    fn files_keep_their_encoding() {
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
    fn properties_that_are_not_utf_8_are_latin_1() {
        let java = super::super::properties::KIND;
        let decode = |bytes: &[u8], encoding| java.decode(bytes, encoding).map(|file| file.text);
        let every: Vec<u8> = (0..=255).collect();
        let file = java.decode(&every, None).unwrap();
        assert_eq!(file.encode(&file.text), every);
        assert_eq!(decode(b"a=\xe4", None).unwrap(), "a=ä");
        assert_eq!(decode("a=ä".as_bytes(), None).unwrap(), "a=ä");
        assert_eq!(decode("a=ä".as_bytes(), Some(TextEncoding::Latin1)).unwrap(), "a=\u{c3}\u{a4}");
        assert_eq!(decode(b"a=\xe4", Some(TextEncoding::Utf8)).unwrap_err().at, 2);
        assert_eq!(decode(b"\xef\xbb\xbfa=\xe4", None).unwrap_err().at, 5);
        assert_eq!(super::super::po::KIND.decode(b"\xe4", None).unwrap_err().at, 0);
        assert_eq!(decode(b"a=Gr\xc3\xbc \xff", None).unwrap_err().at, 7);
        let edit = |text: &str| vec![Edit::insert(0, text)];
        assert_eq!(file.edits_for_encoding(edit("aä\u{1f600}")), edit("a\\u00E4\\uD83D\\uDE00"));
        assert_eq!(java.decode(b"", None).unwrap().edits_for_encoding(edit("ä")), edit("ä"));
    }

    #[test]
    fn reports_the_offset_of_invalid_bytes() {
        assert_eq!(CatalogFile::decode(b"ab\xff").unwrap_err().at, 2);
        assert_eq!(CatalogFile::decode(b"\xff\xfea\0\x3d\xd8").unwrap_err().at, 4);
        assert_eq!(CatalogFile::decode(b"\xff\xfea").unwrap_err().at, 2);
        for bytes in [b"bplist00\xd1\x01\x02QaQb".as_slice(), b"bplist00ab"] {
            let what = "the file is a binary property list, as in a built app";
            assert_eq!(CatalogFile::decode(bytes).unwrap_err().what, what);
        }
    }
}
