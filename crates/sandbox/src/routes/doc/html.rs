//! HTML: the words of a page are translated; tags, comments, scripts and style sheets stay.

use std::path::Path;

use super::translator::{DocumentError, DocumentTranslator, read_text};
use crate::markup::MarkupSyntax;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::Html;

/// Translates a page and returns its characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let text = read_text(source)?;
    translator.refuse_same_language(&text)?;
    std::fs::write(result, translator.translate(&text))?;
    Ok(translator.characters(&text))
}
