//! XML: translates character data; keeps tags, attributes, comments, processing instructions and the document type.
//!
//! The result has the encoding of the source (from its byte-order mark or declaration) and its character references.
//! References to whitespace, control characters and declared entities separate texts.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use quick_xml::events::Event;
use tulk_base::xml::referenced_char;

use super::translation::{DocumentError, DocumentTranslator, SourceForms, read_whole};
use crate::xml::{XmlEvents, document_error};

/// Returns the number of billed characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let file = XmlFile::read(source)?;
    let mut texts = TextRuns::default();
    let mut events = XmlEvents::new(&file.text);
    loop {
        match events.next().map_err(not_well_formed)? {
            (Event::Eof, _) => break,
            (event, range) => texts.add(&event, &range),
        }
    }
    let TextRuns(runs) = texts;
    let mut translation = XmlTranslation::new(&file, translator);
    translation.refuse_same_language(runs.iter())?;
    let translated = translation.translate(0..file.text.len(), &runs);
    file.write(result, &translated)?;
    Ok(translation.characters)
}

const CDATA_START: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// Contiguous character data without markup, as a byte range of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextRun {
    pub(super) range: Range<usize>,
    /// Whether it is in a CDATA section, where references are not resolved.
    in_cdata: bool,
}

/// The texts of a document or an element, in document order.
#[derive(Default)]
pub(super) struct TextRuns(pub(super) Vec<TextRun>);

impl TextRuns {
    /// Adds the character data of an event. Extends the last text if the event directly follows it.
    pub(super) fn add(&mut self, event: &Event, range: &Range<usize>) {
        let in_cdata = match event {
            Event::Text(_) => false,
            Event::GeneralRef(name) if is_translated(name) => false,
            Event::CData(_) => true,
            _ => return,
        };
        let mut range = range.clone();
        if in_cdata {
            range = range.start + CDATA_START.len()..range.end - CDATA_END.len();
        }
        match self.0.last_mut() {
            Some(last) if !in_cdata && !last.in_cdata && last.range.end == range.start => last.range.end = range.end,
            _ => self.0.push(TextRun { range, in_cdata }),
        }
    }
}

/// Returns whether a reference belongs to a text, rather than separating two texts.
fn is_translated(name: &str) -> bool {
    referenced_char(name).is_some_and(|c| !c.is_whitespace() && !c.is_control())
}

pub(super) struct XmlTranslation<'a> {
    file: &'a XmlFile,
    translator: &'a DocumentTranslator<'a>,
    pub(super) characters: u64,
}

impl<'a> XmlTranslation<'a> {
    pub(super) fn new(file: &'a XmlFile, translator: &'a DocumentTranslator<'a>) -> Self {
        Self { file, translator, characters: 0 }
    }

    /// Fails if the first texts are already in the target language.
    pub(super) fn refuse_same_language(&self, runs: impl Iterator<Item = &'a TextRun>) -> Result<(), DocumentError> {
        self.translator.refuse_same_language(runs.map(|run| self.text(run)))
    }

    pub(super) fn translate(&mut self, part: Range<usize>, runs: &[TextRun]) -> String {
        let source = |range: Range<usize>| self.file.text.get(range).unwrap_or_default();
        let mut out = String::with_capacity(part.len() * 2);
        let mut done = part.start;
        for run in runs {
            let text = self.text(run);
            if text.trim().is_empty() {
                continue;
            }
            out.push_str(source(done..run.range.start));
            self.characters += self.translator.characters(&text);
            let translated = self.translator.translate(&text);
            match self.to_xml(&translated, run) {
                Some(xml) if translated != text => out.push_str(&xml),
                _ => out.push_str(source(run.range.clone())),
            }
            done = run.range.end;
        }
        out.push_str(source(done..part.end));
        out
    }

    fn text(&self, run: &TextRun) -> Cow<'a, str> {
        let source = self.source(run);
        if run.in_cdata || !source.contains('&') {
            return Cow::Borrowed(source);
        }
        chars_with_forms(source).map(|(c, _)| c).collect()
    }

    fn source(&self, run: &TextRun) -> &'a str {
        self.file.text.get(run.range.clone()).unwrap_or_default()
    }

    /// Writes a translation as XML. Returns `None` for a CDATA section with characters that must be written as references.
    fn to_xml(&self, translated: &str, run: &TextRun) -> Option<String> {
        if run.in_cdata {
            let is_encodable = !translated.contains(|c| self.file.needs_reference(c));
            return is_encodable.then(|| translated.replace(CDATA_END, "]]]]><![CDATA[>"));
        }
        let mut forms = SourceForms::new(chars_with_forms(self.source(run)));
        let mut out = String::with_capacity(translated.len());
        for c in translated.chars() {
            match (c, forms.next(c)) {
                ('>', None | Some(">")) if out.ends_with("]]") => out.push_str("&gt;"),
                (_, Some(form)) => out.push_str(form),
                ('&', _) => out.push_str("&amp;"),
                ('<', _) => out.push_str("&lt;"),
                _ if self.file.needs_reference(c) => out.extend(["&#", &u32::from(c).to_string(), ";"]),
                _ => out.push(c),
            }
        }
        Some(out)
    }
}

/// Returns the characters of a text, each with its source form (itself or a reference).
fn chars_with_forms(source: &str) -> impl Iterator<Item = (char, &str)> + Clone {
    let mut rest = source;
    std::iter::from_fn(move || {
        let plain = rest.chars().next()?;
        let name = rest.strip_prefix('&').and_then(|rest| Some(rest.split_once(';')?.0));
        let referenced = name.and_then(|name| Some((referenced_char(name)?, name.len() + "&;".len())));
        let (c, len) = referenced.unwrap_or((plain, plain.len_utf8()));
        let (form, after) = rest.split_at(len);
        rest = after;
        Some((c, form))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum XmlEncoding {
    Utf8,
    Utf16Little,
    Utf16Big,
    /// ISO-8859-1: the characters up to U+00FF, one byte each.
    Latin1,
    /// The characters up to U+007F.
    Ascii,
}

impl XmlEncoding {
    /// Looks up an encoding by its case-insensitive name. Only encodings that write ASCII characters as single bytes
    /// are found.
    fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Some(Self::Utf8),
            "iso-8859-1" | "latin1" => Some(Self::Latin1),
            "us-ascii" | "ascii" => Some(Self::Ascii),
            _ => None,
        }
    }

    /// Returns `None` if the bytes are invalid.
    fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Ascii if !bytes.is_ascii() => None,
            Self::Latin1 | Self::Ascii => Some(bytes.iter().copied().map(char::from).collect()),
            _ => String::from_utf8(bytes.to_vec()).ok(),
        }
    }

    /// Returns the last character of an encoding with one byte per character; `None` if the encoding has all
    /// characters.
    const fn last_char(self) -> Option<char> {
        match self {
            Self::Latin1 => Some('\u{ff}'),
            Self::Ascii => Some('\u{7f}'),
            Self::Utf8 | Self::Utf16Little | Self::Utf16Big => None,
        }
    }
}

pub(in crate::routes) struct XmlFile {
    /// Without a byte-order mark.
    pub(in crate::routes) text: String,
    encoding: XmlEncoding,
    has_byte_order_mark: bool,
}

impl XmlFile {
    /// Fails if the bytes are invalid in their encoding, or if the document is not well-formed.
    pub(in crate::routes) fn read(path: &Path) -> Result<Self, DocumentError> {
        let file = Self::decode(&read_whole(path)?).map_err(DocumentError::document)?;
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
            [0xef, 0xbb, 0xbf, rest @ ..] => (decode_named(XmlEncoding::Utf8, rest, "UTF-8")?, XmlEncoding::Utf8, true),
            [0xff, 0xfe, rest @ ..] => (utf_16(rest, u16::from_le_bytes)?, XmlEncoding::Utf16Little, true),
            [0xfe, 0xff, rest @ ..] => (utf_16(rest, u16::from_be_bytes)?, XmlEncoding::Utf16Big, true),
            [b'<', 0, ..] => (utf_16(bytes, u16::from_le_bytes)?, XmlEncoding::Utf16Little, false),
            [0, b'<', ..] => (utf_16(bytes, u16::from_be_bytes)?, XmlEncoding::Utf16Big, false),
            _ => {
                let name = declared_encoding(bytes).unwrap_or_else(|| "UTF-8".to_owned());
                let encoding = XmlEncoding::from_name(&name);
                let encoding = encoding.ok_or_else(|| format!("The encoding '{name}' is not supported."))?;
                (decode_named(encoding, bytes, &name)?, encoding, false)
            }
        };
        Ok(Self { text, encoding, has_byte_order_mark })
    }

    /// Returns whether a character must be written as a reference.
    pub(super) fn needs_reference(&self, c: char) -> bool {
        // Write ASCII only: programs interpret the other bytes of these encodings differently.
        self.encoding.last_char().is_some() && !c.is_ascii()
    }

    pub(super) fn write(&self, path: &Path, text: &str) -> Result<(), DocumentError> {
        let mark = if self.has_byte_order_mark { "\u{feff}" } else { "" };
        let units = mark.encode_utf16().chain(text.encode_utf16());
        let bytes: Vec<u8> = match self.encoding {
            XmlEncoding::Utf8 => [mark, text].concat().into_bytes(),
            XmlEncoding::Utf16Little => units.flat_map(u16::to_le_bytes).collect(),
            XmlEncoding::Utf16Big => units.flat_map(u16::to_be_bytes).collect(),
            XmlEncoding::Latin1 | XmlEncoding::Ascii => self.encode_single_bytes(text),
        };
        Ok(std::fs::write(path, bytes)?)
    }

    /// Encodes a text with one byte per character; characters that the encoding lacks become references.
    fn encode_single_bytes(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            match u8::try_from(c) {
                Ok(byte) if self.encoding.last_char().is_some_and(|last| c <= last) => bytes.push(byte),
                _ => bytes.extend(format!("&#{};", u32::from(c)).bytes()),
            }
        }
        bytes
    }
}

/// Decodes bytes, with an error that contains the name of the encoding.
fn decode_named(encoding: XmlEncoding, bytes: &[u8], name: &str) -> Result<String, String> {
    encoding.decode(bytes).ok_or_else(|| format!("The file is not valid {name}."))
}

/// Returns the encoding given in the XML declaration at the start of a file.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|&byte| byte == b'>')?;
    let declaration = std::str::from_utf8(bytes.get(..=end)?).ok()?;
    match XmlEvents::new(declaration).next().ok()?.0 {
        Event::Decl(declaration) => Some(declaration.encoding()?.ok()?.into_owned()),
        _ => None,
    }
}

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
    fn detects_the_encoding_of_a_file() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
        let expected = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".to_owned();
        assert_eq!(decode(latin), Ok((expected, XmlEncoding::Latin1, false)));
        assert_eq!(decode(b"\xef\xbb\xbf<a/>"), Ok(("<a/>".to_owned(), XmlEncoding::Utf8, true)));
        assert_eq!(decode(b"<\0a\0/\0>\0"), Ok(("<a/>".to_owned(), XmlEncoding::Utf16Little, false)));
        assert_eq!(decode(b"\xfe\xff\0<\0a\0/\0>"), Ok(("<a/>".to_owned(), XmlEncoding::Utf16Big, true)));
    }

    #[test]
    fn writes_characters_that_the_encoding_lacks_as_references() {
        let mut file = XmlFile { text: String::new(), encoding: XmlEncoding::Latin1, has_byte_order_mark: false };
        assert_eq!(file.encode_single_bytes("<a>\u{e9}\u{85}\u{142}</a>"), b"<a>\xe9\x85&#322;</a>");
        file.encoding = XmlEncoding::Ascii;
        assert_eq!(file.encode_single_bytes("<a>\u{e9}</a>"), b"<a>&#233;</a>");
    }

    #[test]
    fn refuses_bytes_that_are_invalid_in_the_encoding() {
        for (bytes, error) in [
            (&b"<a>\xff</a>"[..], "The file is not valid UTF-8."),
            (b"\xff\xfe<\0a", "The file is not valid UTF-16."),
            (b"\xff\xfe<\0\0\xd8", "The file is not valid UTF-16."),
            (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "The encoding 'UTF-16' is not supported."),
            (b"<?xml version='1.0' encoding='x-mine'?><a/>", "The encoding 'x-mine' is not supported."),
            (b"<?xml version='1.0' encoding='Shift_JIS'?><a/>", "The encoding 'Shift_JIS' is not supported."),
            (b"<?xml version='1.0' encoding='us-ascii'?><a>\xe9</a>", "The file is not valid us-ascii."),
        ] {
            assert_eq!(decode(bytes), Err(error.to_owned()));
        }
    }
}
