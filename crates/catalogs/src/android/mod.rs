//! Android: resources in `strings.xml`.
//!
//! Input: a resource file. Output: a unit for each string, array item and plural, and edits of their values. Other
//! resources stay as they are, but a new target does not get them.

#[cfg(test)]
mod change_tests;
mod changes;
mod decode;
mod encode;
mod markup;
mod new_resource;
mod resources;
#[cfg(test)]
mod tests;

use super::catalog::{Catalog, CatalogChanges};
use super::edit::Edit;
use super::xml::XmlTree;
use super::{CatalogError, CatalogFormat, ReadOptions};
use crate::{CatalogKind, Syntax};
use resources::ResourceFile;

pub const KIND: CatalogKind = CatalogKind {
    name: "android",
    help: "Android resources (strings.xml)",
    extensions: &[],
    format: &AndroidFormat,
    syntax: Some(Syntax::Mobile),
    is_bilingual: false,
};

#[derive(Clone, Copy, Debug)]
pub struct AndroidFormat;

impl CatalogFormat for AndroidFormat {
    fn read(&self, text: &str, _options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let file = ResourceFile::read(&tree)?;
        Ok(Catalog {
            units: file.units.into_iter().map(|(unit, _)| unit).collect(),
            language: tree.attribute(tree.root(), resources::LOCALE),
            duplicates: file.duplicates,
            ..Catalog::default()
        })
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let file = ResourceFile::read(&tree)?;
        changes::edits(&tree, &file, changes)
    }

    fn first_duplicate_wins(&self) -> bool {
        true
    }
}
