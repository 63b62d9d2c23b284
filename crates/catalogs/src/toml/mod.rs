//! TOML: go-i18n.
//!
//! Input: the text of a file. Output: its leaves, or edits of the bytes of strings and lines. A new key is written into its own
//! table, and a table goes with its last key.

mod edit;
mod insert;
mod parse;
mod render;
#[cfg(test)]
mod tests;

use self::parse::{TomlLeaf, TomlOwner, TomlTree, lines};
use super::edit::{line_end, line_start};
use super::tree::{Leaf, LeafChange, LeafFormat, LeafTree};
use super::{CatalogError, Edit, SkipReason, UnitKey};
use crate::{CatalogKind, TreeFormat};

/// The format with its names.
pub const KIND: CatalogKind = CatalogKind {
    name: "toml",
    help: "TOML of go-i18n",
    endings: &["toml"],
    format: &TreeFormat(TomlFormat),
    syntax: None,
    is_bilingual: false,
};

/// TOML as a tree of texts.
#[derive(Debug)]
pub struct TomlFormat;

impl LeafFormat for TomlFormat {
    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError> {
        let tree = TomlTree::parse(text)?;
        let leaf = |leaf: &TomlLeaf| Leaf {
            key: UnitKey(leaf.path.clone()),
            text: leaf.text.clone(),
            note: note(text, &tree, leaf),
            at: leaf.value.start,
        };
        let mut found = LeafTree { leaves: tree.leaves.iter().map(leaf).collect(), ..LeafTree::default() };
        tree.leaves.iter().filter(|leaf| leaf.text.is_none()).for_each(|_| found.count(SkipReason::Number));
        Ok(found)
    }

    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        edit::edits(text, &TomlTree::parse(text)?, changes)
    }
}

/// Returns the comments above a member of a table and behind it.
fn note(text: &str, tree: &TomlTree, leaf: &TomlLeaf) -> Option<String> {
    let (owner @ TomlOwner::Section(_), position) = leaf.place else { return None };
    let member = tree.members(owner).get(position)?;
    let above = lines(text, tree, member.start, member.value.end).start..line_start(text, member.start);
    let behind = text.get(leaf.value.end..line_end(text, leaf.value.end)).unwrap_or_default().trim();
    let lines = text.get(above).unwrap_or_default().lines().chain(behind.starts_with('#').then_some(behind));
    let lines: Vec<&str> =
        lines.map(|line| line.trim().trim_start_matches('#').trim()).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
