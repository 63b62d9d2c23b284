//! XML files in their encodings. The encoding of a file is the one that it starts with or declares, and it stays.

use std::path::Path;

use encoding_rs::Encoding;
use quick_xml::events::Event;

use super::translator::DocumentError;
use crate::sandbox::xml::XmlEvents;
use crate::sandbox::xml_document::document_error;

/// How the text of a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum XmlEncoding {
    Utf8,
    Utf16Little,
    Utf16Big,
    /// An encoding that has ASCII characters in one byte each, and not all other characters.
    Other(&'static Encoding),
}

/// The text of a well-formed XML document.
pub(super) struct XmlFile {
    /// The text, without a byte order mark.
    pub(super) text: String,
    encoding: XmlEncoding,
    has_byte_order_mark: bool,
}

impl XmlFile {
    /// Reads a file. Fails if its bytes do not match its encoding, or if it is not well formed.
    pub(super) fn read(path: &Path) -> Result<Self, DocumentError> {
        let file = Self::decode(&std::fs::read(path)?).map_err(DocumentError::document)?;
        match document_error(&file.text) {
            Some(error) => Err(not_well_formed(error)),
            None => Ok(file),
        }
    }

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        let utf_16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
            String::from_utf16(&units).ok().filter(|_| rest.is_empty()).ok_or("The file is not valid UTF-16.")
        };
        let (text, encoding, has_byte_order_mark) = match bytes {
            [0xef, 0xbb, 0xbf, rest @ ..] => (utf_8(rest)?, XmlEncoding::Utf8, true),
            [0xff, 0xfe, rest @ ..] => (utf_16(rest, u16::from_le_bytes)?, XmlEncoding::Utf16Little, true),
            [0xfe, 0xff, rest @ ..] => (utf_16(rest, u16::from_be_bytes)?, XmlEncoding::Utf16Big, true),
            [b'<', 0, ..] => (utf_16(bytes, u16::from_le_bytes)?, XmlEncoding::Utf16Little, false),
            [0, b'<', ..] => (utf_16(bytes, u16::from_be_bytes)?, XmlEncoding::Utf16Big, false),
            _ => {
                let name = declared_encoding(bytes).unwrap_or_else(|| "UTF-8".to_owned());
                let encoding = Encoding::for_label(name.as_bytes()).filter(|encoding| encoding.is_ascii_compatible());
                let encoding = encoding.ok_or_else(|| format!("The encoding '{name}' is not supported."))?;
                let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
                // Text that is not changed must be written as it came.
                let text = text.filter(|text| *encoding.encode(text).0 == *bytes);
                let text = text.ok_or_else(|| format!("The file is not valid {name}."))?;
                let is_utf_8 = encoding == encoding_rs::UTF_8;
                (text.into_owned(), if is_utf_8 { XmlEncoding::Utf8 } else { XmlEncoding::Other(encoding) }, false)
            }
        };
        Ok(Self { text, encoding, has_byte_order_mark })
    }

    /// Returns whether a character must be written as a reference.
    pub(super) fn needs_reference(&self, c: char) -> bool {
        // Programs do not agree about the other characters of these encodings.
        matches!(self.encoding, XmlEncoding::Other(_)) && !c.is_ascii()
    }

    /// Writes a text in the encoding of this file.
    pub(super) fn write(&self, path: &Path, text: &str) -> Result<(), DocumentError> {
        let mark = if self.has_byte_order_mark { "\u{feff}" } else { "" };
        let units = mark.encode_utf16().chain(text.encode_utf16());
        let bytes: Vec<u8> = match self.encoding {
            XmlEncoding::Utf8 => [mark, text].concat().into_bytes(),
            XmlEncoding::Utf16Little => units.flat_map(u16::to_le_bytes).collect(),
            XmlEncoding::Utf16Big => units.flat_map(u16::to_be_bytes).collect(),
            XmlEncoding::Other(encoding) => encoding.encode(text).0.into_owned(),
        };
        Ok(std::fs::write(path, bytes)?)
    }
}

fn utf_8(bytes: &[u8]) -> Result<String, String> {
    String::from_utf8(bytes.to_vec()).map_err(|_| "The file is not valid UTF-8.".to_owned())
}

/// Returns the encoding in the XML declaration that a file starts with.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|&byte| byte == b'>')?;
    let declaration = std::str::from_utf8(bytes.get(..=end)?).ok()?;
    match XmlEvents::new(declaration).next().ok()?.0 {
        Event::Decl(declaration) => Some(declaration.encoding()?.ok()?.into_owned()),
        _ => None,
    }
}

/// The document is at fault: it is not well formed.
pub(super) fn not_well_formed(error: impl std::fmt::Display) -> DocumentError {
    DocumentError::document(format!("The file is not well-formed XML: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Result<(String, XmlEncoding, bool), String> {
        XmlFile::decode(bytes).map(|file| (file.text, file.encoding, file.has_byte_order_mark))
    }

    #[test]
    fn reads_the_encoding_that_a_file_has() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
        let expected = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".to_owned();
        assert_eq!(decode(latin), Ok((expected, XmlEncoding::Other(encoding_rs::WINDOWS_1252), false)));
        assert_eq!(decode(b"\xef\xbb\xbf<a/>"), Ok(("<a/>".to_owned(), XmlEncoding::Utf8, true)));
        assert_eq!(decode(b"<\0a\0/\0>\0"), Ok(("<a/>".to_owned(), XmlEncoding::Utf16Little, false)));
        assert_eq!(decode(b"\xfe\xff\0<\0a\0/\0>"), Ok(("<a/>".to_owned(), XmlEncoding::Utf16Big, true)));
    }

    #[test]
    fn a_file_that_is_not_in_its_encoding_is_refused() {
        for (bytes, error) in [
            (&b"<a>\xff</a>"[..], "The file is not valid UTF-8."),
            (b"\xff\xfe<\0a", "The file is not valid UTF-16."),
            (b"\xff\xfe<\0\0\xd8", "The file is not valid UTF-16."),
            (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "The encoding 'UTF-16' is not supported."),
            (b"<?xml version='1.0' encoding='x-mine'?><a/>", "The encoding 'x-mine' is not supported."),
            (b"<?xml version='1.0' encoding='Shift_JIS'?><a>\xff</a>", "The file is not valid Shift_JIS."),
        ] {
            assert_eq!(decode(bytes), Err(error.to_owned()));
        }
    }
}
