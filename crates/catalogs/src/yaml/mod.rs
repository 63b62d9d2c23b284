//! YAML: Rails, Symfony, Hugo.
//!
//! Input: the text of a file. Output: its leaves, or edits of scalars, keys and lines. Only strings are texts. Aliases
//! are not expanded. Of duplicate keys, the last one wins, as in Ruby.

mod block;
mod edit;
#[cfg(test)]
mod edit_tests;
#[cfg(test)]
mod invariant_tests;
mod parse;
mod render;
mod scalar;
mod span;
#[cfg(test)]
mod tests;
mod values;

use crate::{CatalogKind, TreeFormat};
use granit_parser::ScalarStyle;

pub use self::values::{YamlValue, yaml_values, yaml_with_text};

use self::parse::{YamlEntry, YamlNode, YamlShape, YamlTree};
use super::dialect::{second_language, yaml_language_root};
use super::tree::{Leaf, LeafChange, LeafFormat, LeafTree};
use super::{CatalogError, DuplicateKey, Edit, SkipReason, UnitKey, UnitKeyPart};

pub const KIND: CatalogKind = CatalogKind {
    name: "yaml",
    help: "YAML of Rails, Symfony, Hugo",
    extensions: &["yml", "yaml"],
    format: &TreeFormat(YamlFormat),
    syntax: None,
    is_bilingual: false,
};

#[derive(Debug)]
pub struct YamlFormat;

impl LeafFormat for YamlFormat {
    fn language_root_is_rails(&self) -> bool {
        true
    }

    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError> {
        let tree = YamlTree::parse(text)?;
        let mut found = LeafTree::default();
        let mut switches = Vec::new();
        visit_leaves(&tree, |node, key, is_duplicate| {
            let at = node.content_start;
            if is_duplicate {
                found.duplicates.push(DuplicateKey { key: key(), at });
            } else {
                let value = text_of(node).map(str::to_owned);
                if value.is_none() && is_yaml_1_1_boolean(node) {
                    switches.push((found.leaves.len(), node.text.to_string()));
                } else if value.is_none() && !is_null(node) {
                    found.count_other_value(SkipReason::Number);
                }
                found.leaves.push(Leaf { key: key(), text: value, note: span::note(text, &tree, node), at });
            }
        });
        (0..count_aliases(&tree)).for_each(|_| found.count_other_value(SkipReason::Reference));
        // Only Ruby reads `No` as a boolean; for Symfony, Hugo and JavaScript it is a text.
        let is_ruby = yaml_language_root(&found.leaves, false).is_some() || second_language(&found.leaves).is_some();
        for (leaf, text) in switches {
            match found.leaves.get_mut(leaf) {
                Some(leaf) if !is_ruby => leaf.text = Some(text),
                _ => found.count_other_value(SkipReason::Number),
            }
        }
        Ok(found)
    }

    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        edit::edits(text, &YamlTree::parse(text)?, changes)
    }
}

/// Returns `None` for a number, a boolean, a date or null.
fn text_of<'t>(node: &'t YamlNode<'_>) -> Option<&'t str> {
    let is_text = match node.shape {
        YamlShape::Scalar(ScalarStyle::Plain) => {
            node.tag_is_text.unwrap_or_else(|| !node.is_empty() && scalar::is_text(&node.text))
        }
        YamlShape::Scalar(_) => node.tag_is_text.unwrap_or(true),
        _ => false,
    };
    // The parser represents an empty plain scalar as null.
    is_text.then_some(if node.is_empty() { "" } else { &node.text })
}

fn is_null(node: &YamlNode<'_>) -> bool {
    let is_plain = node.shape == YamlShape::Scalar(ScalarStyle::Plain);
    is_plain && (node.is_empty() || matches!(node.text.as_ref(), "" | "~" | "null" | "Null" | "NULL"))
}

fn is_yaml_1_1_boolean(node: &YamlNode<'_>) -> bool {
    node.shape == YamlShape::Scalar(ScalarStyle::Plain)
        && node.tag_is_text.is_none()
        && scalar::is_yaml_1_1_boolean(&node.text)
}

/// Calls `found` for each leaf, in the order of the file, with its key and whether a later leaf overrides it.
fn visit_leaves<'t, 'a>(tree: &'t YamlTree<'a>, mut found: impl FnMut(&'t YamlNode<'a>, &dyn Fn() -> UnitKey, bool)) {
    let Some(root) = tree.root.and_then(|root| tree.nodes.get(root)) else { return };
    // For each open map or list, the position of the next entry, and whether the node is overridden.
    let mut open: Vec<(&YamlNode<'_>, usize, bool)> = vec![(root, 0, false)];
    let mut path: Vec<UnitKeyPart> = Vec::new();
    while let Some((node, position, is_overridden)) = open.last_mut() {
        let (number, is_overridden) = (*position, *is_overridden);
        let Some(entry) = node.entries.get(number) else {
            open.pop();
            path.pop();
            continue;
        };
        *position += 1;
        let is_overridden = is_overridden || entry.is_overridden;
        let Some(part) = key_part(node, number, entry) else { continue };
        let Some(value) = tree.nodes.get(entry.value) else { continue };
        path.push(part);
        match value.shape {
            YamlShape::Map | YamlShape::List => {
                open.push((value, 0, is_overridden));
                continue;
            }
            YamlShape::Scalar(_) => found(value, &|| UnitKey(path.clone()), is_overridden),
            YamlShape::Alias => {}
        }
        path.pop();
    }
}

fn count_aliases(tree: &YamlTree<'_>) -> usize {
    let values = tree
        .nodes
        .iter()
        .flat_map(|node| node.entries.iter().filter_map(|entry| key_part(node, 0, entry).map(|_| entry)));
    values.filter(|entry| tree.nodes.get(entry.value).is_some_and(|node| node.shape == YamlShape::Alias)).count()
}

/// Returns `None` if the key is not a name.
fn key_part(node: &YamlNode<'_>, position: usize, entry: &YamlEntry) -> Option<UnitKeyPart> {
    match node.shape {
        YamlShape::List => Some(UnitKeyPart::Item(position)),
        _ => entry.name.clone().map(UnitKeyPart::Name),
    }
}
