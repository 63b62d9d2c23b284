//! The values of a mapping by path, for the front matter of Markdown.

use std::ops::Range;

use granit_parser::ScalarStyle;

use super::parse::{YamlNode, YamlShape, YamlTree};
use super::{YamlFormat, block, text_of};
use crate::{CatalogError, LeafChange, LeafFormat, apply_edits};

/// A value in a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlValue {
    /// The keys from the root to the value, separated by dots.
    pub path: String,
    /// Its bytes, including quotes or the header of a block.
    pub range: Range<usize>,
    /// The text; `None` if it is a number, a boolean, a date or null.
    pub text: Option<String>,
    /// Whether it is a scalar, as opposed to a mapping, a list or an alias.
    pub is_scalar: bool,
}

/// Returns the values of a mapping and of all nested mappings, in the order of the file.
pub fn yaml_values(text: &str) -> Result<Vec<YamlValue>, CatalogError> {
    let tree = YamlTree::parse(text)?;
    let mut found = Vec::new();
    if let Some(root) = tree.root.and_then(|root| tree.nodes.get(root)) {
        collect_values(text, &tree, root, "", &mut found);
    }
    Ok(found)
}

fn collect_values(text: &str, tree: &YamlTree<'_>, mapping: &YamlNode<'_>, path: &str, found: &mut Vec<YamlValue>) {
    for entry in mapping.entries.iter().filter(|entry| !entry.is_overridden) {
        let Some((name, node)) = entry.name.as_ref().zip(tree.nodes.get(entry.value)) else { continue };
        let path = if path.is_empty() { name.clone() } else { [path, ".", name].concat() };
        let start = match node.shape {
            YamlShape::Scalar(ScalarStyle::Literal | ScalarStyle::Folded) => block::header(text, node.start).start,
            _ => node.content_start,
        };
        found.push(YamlValue {
            path: path.clone(),
            range: start..node.end,
            text: text_of(node).map(str::to_owned),
            is_scalar: matches!(node.shape, YamlShape::Scalar(_)),
        });
        collect_values(text, tree, node, &path, found);
    }
}

/// Replaces the text of `value`, which is YAML, and keeps its style if possible. Trailing line feeds stay.
pub fn yaml_with_text(value: &str, text: &str) -> Option<String> {
    let mapping = ["k: ", value, "\n"].concat();
    let leaf = YamlFormat.leaves(&mapping).ok()?.leaves.into_iter().next()?;
    let old = leaf.text.unwrap_or_default();
    let ends = old.get(old.trim_end_matches('\n').len()..)?;
    let text = [text.trim_end_matches('\n'), ends].concat();
    let edits = YamlFormat.leaf_edits(&mapping, &[LeafChange::Set { leaf: 0, text: &text }]).ok()?;
    Some(apply_edits(&mapping, edits)?.strip_prefix("k: ")?.strip_suffix('\n')?.to_owned())
}
