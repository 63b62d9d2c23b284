//! XLIFF 1.2 and 2: texts with their translations.
//!
//! Input: a document. Output: a unit for each `<trans-unit>`, or for each `<segment>` of a `<unit>`, and edits of targets
//! and their states. Inline elements are markup, which texts contain as written.

mod changes;
pub(crate) mod content;
pub(crate) mod document;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod segment_tests;
#[cfg(test)]
mod tests;

use self::document::XliffDocument;
use super::catalog::{Catalog, CatalogChanges};
use super::edit::Edit;
use super::xml::XmlTree;
use super::{CatalogError, CatalogFormat, ReadOptions};
use crate::{CatalogKind, Syntax};

pub const KIND: CatalogKind = CatalogKind {
    name: "xliff",
    help: "XLIFF 1.2 and 2.x",
    extensions: &["xlf", "xliff"],
    format: &XliffFormat,
    syntax: Some(Syntax::Braces),
    is_bilingual: true,
};

#[derive(Clone, Copy, Debug)]
pub struct XliffFormat;

impl CatalogFormat for XliffFormat {
    fn read(&self, text: &str, _options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let document = XliffDocument::read(&tree)?;
        Ok(Catalog {
            language: document.language(&tree, ["target-language", "trgLang"]),
            source_language: document.language(&tree, ["source-language", "srcLang"]),
            units: document.units.into_iter().map(|unit| unit.unit).collect(),
            duplicates: document.duplicates,
            ..Catalog::default()
        })
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let document = XliffDocument::read(&tree)?;
        changes::edits(&tree, &document, changes)
    }
}
