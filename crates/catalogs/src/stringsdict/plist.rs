//! Property lists in XML: dictionaries and their entries.
//!
//! Input: the XML of the file. Output: the entries of a dictionary, each with the place of its key and its value together.

use super::super::CatalogError;
use super::super::xml::{XmlPlace, XmlTree};

/// An entry of a dictionary: a `<key>` and the element behind it.
#[derive(Clone, Debug)]
pub struct PlistEntry {
    pub name: String,
    /// The place of both.
    pub place: XmlPlace,
    /// The element of the value.
    pub value: usize,
}

impl PlistEntry {
    /// Returns whether the value is a dictionary.
    pub fn is_dict(&self, tree: &XmlTree<'_>) -> bool {
        tree.name(self.value) == "dict"
    }

    /// Returns the value if it is a string.
    pub fn string(&self, tree: &XmlTree<'_>) -> Option<String> {
        tree.plain_text(self.value).filter(|_| tree.name(self.value) == "string")
    }
}

/// Returns the dictionary of a file.
///
/// Fails if the file is not a property list that contains one.
pub fn root(tree: &XmlTree<'_>) -> Result<usize, CatalogError> {
    let root = tree.root();
    let dict = tree.elements(root).next().filter(|dict| tree.name(root) == "plist" && tree.name(*dict) == "dict");
    dict.ok_or_else(|| CatalogError::new(tree.node(root).range.start, "this is not a property list with a dictionary"))
}

/// Returns the entries of a dictionary, in their order.
///
/// Fails if a key has no value, or a value no key.
pub fn entries(tree: &XmlTree<'_>, dict: usize) -> Result<Vec<PlistEntry>, CatalogError> {
    let mut entries = Vec::new();
    let mut places = tree.places(dict).into_iter();
    while let Some(key) = places.next() {
        let at = tree.node(key.element).range.start;
        let name = tree.plain_text(key.element).filter(|_| tree.name(key.element) == "key");
        let name = name.ok_or_else(|| CatalogError::new(at, "a <key> is expected here"))?;
        let value = places.next().filter(|value| tree.name(value.element) != "key");
        let value = value.ok_or_else(|| CatalogError::new(at, format!("the key '{name}' has no value")))?;
        let place = XmlPlace { outer: key.outer.start..value.outer.end, ..key };
        entries.push(PlistEntry { name, place, value: value.element });
    }
    Ok(entries)
}
