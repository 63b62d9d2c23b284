//! The character data of an XML document: where it is, and how its translation is written.
//!
//! A reference to a character stays as it is spelled. References to spaces, control characters and declared entities are
//! the borders of texts.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::events::Event;

use super::spellings::Spellings;
use super::translator::{DocumentError, DocumentTranslator};
use super::xml_file::XmlFile;
use crate::xml_document::referenced_char;

/// Number of texts from which the language is detected.
const SAMPLE_TEXTS: usize = 50;
const CDATA_START: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// Character data without markup between, by its bytes in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPiece {
    pub(super) range: Range<usize>,
    /// Whether it is in a CDATA section, which has no references.
    in_cdata: bool,
}

/// The texts of a document or of an element, in order.
#[derive(Default)]
pub(super) struct TextPieces(pub(super) Vec<TextPiece>);

impl TextPieces {
    /// Adds the character data of an event. What directly follows the last piece belongs to it.
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
            _ => self.0.push(TextPiece { range, in_cdata }),
        }
    }
}

/// Returns whether a reference is part of a text.
fn is_translated(name: &str) -> bool {
    referenced_char(name).is_some_and(|c| !c.is_whitespace() && !c.is_control())
}

/// The translation of a document's texts.
pub(super) struct XmlTranslation<'a> {
    file: &'a XmlFile,
    translator: &'a DocumentTranslator<'a>,
    /// Characters of the texts so far.
    pub(super) characters: u64,
}

impl<'a> XmlTranslation<'a> {
    /// Starts a translation.
    pub(super) fn new(file: &'a XmlFile, translator: &'a DocumentTranslator<'a>) -> Self {
        Self { file, translator, characters: 0 }
    }

    /// Fails if the first texts are in the target language.
    pub(super) fn refuse_same_language(
        &self,
        pieces: impl Iterator<Item = &'a TextPiece>,
    ) -> Result<(), DocumentError> {
        let texts = pieces.map(|piece| self.text(piece)).filter(|text| !text.trim().is_empty());
        let sample: Vec<Cow<str>> = texts.take(SAMPLE_TEXTS).collect();
        if sample.is_empty() { Ok(()) } else { self.translator.refuse_same_language(&sample.join("\n")) }
    }

    /// Returns a part of the document with its texts translated.
    pub(super) fn translate(&mut self, part: Range<usize>, pieces: &[TextPiece]) -> String {
        let source = |range: Range<usize>| self.file.text.get(range).unwrap_or_default();
        let mut out = String::with_capacity(part.len() * 2);
        let mut done = part.start;
        for piece in pieces {
            let text = self.text(piece);
            if text.trim().is_empty() {
                continue;
            }
            out.push_str(source(done..piece.range.start));
            self.characters += self.translator.characters(&text);
            let translated = self.translator.translate(&text);
            match self.spell(&translated, piece) {
                Some(spelled) if translated != text => out.push_str(&spelled),
                _ => out.push_str(source(piece.range.clone())),
            }
            done = piece.range.end;
        }
        out.push_str(source(done..part.end));
        out
    }

    /// Returns a text with its references resolved.
    fn text(&self, piece: &TextPiece) -> Cow<'a, str> {
        let source = self.source(piece);
        if piece.in_cdata || !source.contains('&') {
            return Cow::Borrowed(source);
        }
        chars(source).map(|(c, _)| c).collect()
    }

    fn source(&self, piece: &TextPiece) -> &'a str {
        self.file.text.get(piece.range.clone()).unwrap_or_default()
    }

    /// Writes a translation as XML. `None` if the encoding of the document has not all of its characters.
    fn spell(&self, translated: &str, piece: &TextPiece) -> Option<String> {
        if piece.in_cdata {
            let is_spelled = !translated.contains(|c| self.file.needs_reference(c));
            return is_spelled.then(|| translated.replace(CDATA_END, "]]]]><![CDATA[>"));
        }
        let mut spellings = Spellings::new(chars(self.source(piece)));
        let mut out = String::with_capacity(translated.len());
        for c in translated.chars() {
            match (c, spellings.next(c)) {
                ('>', None | Some(">")) if out.ends_with("]]") => out.push_str("&gt;"),
                (_, Some(spelling)) => out.push_str(spelling),
                ('&', _) => out.push_str("&amp;"),
                ('<', _) => out.push_str("&lt;"),
                _ if self.file.needs_reference(c) => out.extend(["&#", &u32::from(c).to_string(), ";"]),
                _ => out.push(c),
            }
        }
        Some(out)
    }
}

/// Returns the characters of a text with their spellings.
fn chars(source: &str) -> impl Iterator<Item = (char, &str)> + Clone {
    let mut rest = source;
    std::iter::from_fn(move || {
        let plain = rest.chars().next()?;
        let name = rest.strip_prefix('&').and_then(|rest| Some(rest.split_once(';')?.0));
        let referenced = name.and_then(|name| Some((referenced_char(name)?, name.len() + "&;".len())));
        let (c, len) = referenced.unwrap_or((plain, plain.len_utf8()));
        let (spelling, after) = rest.split_at(len);
        rest = after;
        Some((c, spelling))
    })
}
