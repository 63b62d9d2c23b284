//! XLIFF 1.2, 2.0 and 2.1: the translation of each unit is written to its `target`; everything else stays.
//!
//! Where the units and their targets are is in `xliff_units`.

use std::ops::Range;
use std::path::Path;

use super::translator::{DocumentError, DocumentTranslator};
use super::xliff_units::{XliffUnits, find_units};
use super::xml_file::XmlFile;
use super::xml_text::XmlTranslation;
use crate::markup::MarkupSyntax;
use crate::xml_document::document_error;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::None;

/// Translates an XLIFF file and returns its characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let file = XmlFile::read(source)?;
    let XliffUnits { units, mut edits } = find_units(&file.text, translator.target())?;
    let mut translation = XmlTranslation::new(&file, translator);
    translation.refuse_same_language(units.iter().flat_map(|unit| &unit.texts.0))?;
    for unit in &units {
        let content = file.text.get(unit.source.clone()).unwrap_or_default();
        let translated = translation.translate(unit.source.clone(), &unit.texts.0);
        // A phrase may have tags.
        let phrase = translator.phrase(content).filter(|phrase| is_content(phrase));
        let (open, close) = &unit.target_tags;
        let target = [open, phrase.unwrap_or(&translated), close].concat();
        edits.push(XmlEdit { range: unit.target.clone(), text: target });
    }
    file.write(result, &with_edits(&file.text, edits))?;
    Ok(translation.characters)
}

/// A change of a document.
pub(super) struct XmlEdit {
    /// The bytes that are replaced.
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// Applies edits that do not overlap.
fn with_edits(text: &str, mut edits: Vec<XmlEdit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for XmlEdit { range, text: new } in edits {
        out.push_str(text.get(done..range.start).unwrap_or_default());
        out.push_str(&new);
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Returns whether a text can be the content of an element.
fn is_content(text: &str) -> bool {
    document_error(&format!("<target>{text}</target>")).is_none()
}
