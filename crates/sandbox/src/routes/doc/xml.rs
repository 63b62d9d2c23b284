//! XML: character data is translated; tags, attributes, comments, instructions and the document type stay.

use std::path::Path;

use quick_xml::events::Event;

use super::translator::{DocumentError, DocumentTranslator};
use super::xml_file::{XmlFile, not_well_formed};
use super::xml_text::{TextPieces, XmlTranslation};
use crate::markup::MarkupSyntax;
use crate::xml::XmlEvents;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::None;

/// Translates an XML file and returns its characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let file = XmlFile::read(source)?;
    let mut texts = TextPieces::default();
    let mut events = XmlEvents::new(&file.text);
    loop {
        match events.next().map_err(not_well_formed)? {
            (Event::Eof, _) => break,
            (event, range) => texts.add(&event, &range),
        }
    }
    let TextPieces(pieces) = texts;
    let mut translation = XmlTranslation::new(&file, translator);
    translation.refuse_same_language(pieces.iter())?;
    let translated = translation.translate(0..file.text.len(), &pieces);
    file.write(result, &translated)?;
    Ok(translation.characters)
}
