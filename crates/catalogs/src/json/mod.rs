//! JSON catalogues: nested or flat objects of texts. Comments and JSON5 syntax are accepted.
//!
//! Input: the text of a file, and changes of its leaves. Output: the leaves, or minimal edits. All formats that are
//! JSON share the tree and the edits ([`JsonPatch`]).
//!
//! | file | what it does |
//! |---|---|
//! | `node` | parses a tree with byte ranges, finds members by name |
//! | `gap` | finds commas and comments between members |
//! | `style`, `new_value` | detect the style of the file, write new values in it |
//! | `patch`, `container` | collect changes by container, make the edits of one container |

mod container;
mod gap;
mod new_value;
mod node;
mod patch;
mod style;
#[cfg(test)]
mod tests;

pub use self::new_value::NewJson;
pub use self::node::{JsonIndex, JsonNode, JsonShape, parse_json};
pub use self::patch::{JsonInsertPosition, JsonPatch, JsonPath};

use self::gap::{JsonGap, comments_to_note, inner_comments};
use self::node::JsonMember;
use super::CatalogError;
use super::Dialect;
use super::catalog::{DuplicateKey, SkipReason, UnitKey, UnitKeyPart};
use super::edit::Edit;
use super::tree::{Leaf, LeafChange, LeafFormat, LeafTree};
use crate::{CatalogKind, TreeFormat};

pub const KIND: CatalogKind = CatalogKind {
    name: "json",
    help: "JSON of i18next, vue-i18n, next-intl, Laravel",
    extensions: &["json", "jsonc", "json5"],
    format: &TreeFormat(JsonFormat),
    syntax: None,
    is_bilingual: false,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct JsonFormat;

impl LeafFormat for JsonFormat {
    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::I18next, Dialect::Icu, Dialect::Vue, Dialect::GoI18n, Dialect::Rails, Dialect::Laravel]
    }

    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError> {
        let root = parse_json(text)?;
        let bytes = text.as_bytes();
        let mut reader = JsonLeafReader {
            text,
            may_have_comments: [b"//", b"/*"].iter().any(|mark| memchr::memmem::find(bytes, *mark).is_some()),
            index: JsonIndex::default(),
            key: Vec::new(),
            tree: LeafTree::default(),
        };
        reader.read(&root);
        Ok(reader.tree)
    }

    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let root = parse_json(text)?;
        let mut paths = Vec::new();
        leaf_paths(&root, &mut JsonIndex::default(), &mut Vec::new(), &mut paths);
        let path_of = |leaf: usize| {
            paths.get(leaf).map(Vec::as_slice).ok_or_else(|| CatalogError::new(0, format!("there is no leaf {leaf}")))
        };
        let mut patch = JsonPatch::new(text, &root, 0);
        let mut edits = Vec::new();
        for change in changes {
            if let LeafChange::Remove { leaf } = change {
                patch.remove(path_of(*leaf)?);
            }
        }
        for change in changes {
            match change {
                LeafChange::Set { leaf, text } => patch.set_text(path_of(*leaf)?, text),
                LeafChange::Insert { key, text, after, before } => {
                    let position = JsonInsertPosition::Near {
                        after: after.map(path_of).transpose()?,
                        before: before.map(path_of).transpose()?,
                    };
                    patch.put(key, NewJson::Text((*text).to_owned()), position)?;
                }
                LeafChange::RenameRoot { name } => edits.extend(rename_root(text, &root, name)?),
                LeafChange::Remove { .. } => {}
            }
        }
        edits.extend(patch.finish());
        Ok(edits)
    }
}

struct JsonLeafReader<'t, 'n> {
    text: &'t str,
    may_have_comments: bool,
    index: JsonIndex<'n>,
    key: Vec<UnitKeyPart>,
    tree: LeafTree,
}

impl<'n> JsonLeafReader<'_, 'n> {
    fn read(&mut self, container: &'n JsonNode<'n>) {
        let is_unique = self.index.is_unique(container);
        for (position, member) in container.members().iter().enumerate() {
            let part = key_part(container, position, member);
            if !is_unique && !is_effective(&mut self.index, container, position, member) {
                self.tree.duplicates.push(DuplicateKey { key: self.key_with(part), at: member.start() });
            } else if member.node.is_container() {
                self.key.push(part);
                self.read(&member.node);
                self.key.pop();
            } else {
                if member.node.is_number_or_boolean(self.text) {
                    self.tree.count_other_value(SkipReason::Number);
                }
                self.tree.leaves.push(Leaf {
                    key: self.key_with(part),
                    text: member.node.text().map(str::to_owned),
                    note: self.note(container, position, member),
                    at: member.node.span.start,
                });
            }
        }
    }

    fn key_with(&self, part: UnitKeyPart) -> UnitKey {
        let mut parts = Vec::with_capacity(self.key.len() + 1);
        parts.extend_from_slice(&self.key);
        parts.push(part);
        UnitKey(parts)
    }

    fn note(&self, container: &JsonNode<'_>, position: usize, member: &JsonMember<'_>) -> Option<String> {
        if !self.may_have_comments {
            return None;
        }
        let before = JsonGap::before(self.text, container, position).leading;
        let inside = inner_comments(self.text, member.name_span.end, member.node.span.start);
        let behind = JsonGap::before(self.text, container, position + 1).trailing;
        let comments = before.into_iter().chain(inside).chain(behind);
        comments_to_note(comments.filter_map(|comment| self.text.get(comment)))
    }
}

/// Collects the paths of the leaves, in the same order as [`JsonLeafReader`].
fn leaf_paths<'n>(
    container: &'n JsonNode<'n>,
    index: &mut JsonIndex<'n>,
    path: &mut JsonPath,
    paths: &mut Vec<JsonPath>,
) {
    let is_unique = index.is_unique(container);
    for (position, member) in container.members().iter().enumerate() {
        if !is_unique && !is_effective(index, container, position, member) {
            continue;
        }
        path.push(position);
        if member.node.is_container() {
            leaf_paths(&member.node, index, path, paths);
        } else {
            paths.push(path.clone());
        }
        path.pop();
    }
}

/// Returns whether a member is the last with its name; it overrides the others.
fn is_effective<'n>(
    index: &mut JsonIndex<'n>,
    container: &'n JsonNode<'_>,
    position: usize,
    member: &JsonMember<'_>,
) -> bool {
    matches!(container.shape, JsonShape::Array(_)) || index.position(container, &member.name) == Some(position)
}

fn key_part(container: &JsonNode<'_>, position: usize, member: &JsonMember<'_>) -> UnitKeyPart {
    match container.shape {
        JsonShape::Array(_) => UnitKeyPart::Item(position),
        _ => UnitKeyPart::Name(member.name.clone().into_owned()),
    }
}

fn rename_root(text: &str, root: &JsonNode<'_>, name: &str) -> Result<Option<Edit>, CatalogError> {
    let [member] = root.members() else {
        return Err(CatalogError::new(root.span.start, "the file must have exactly one key at its root"));
    };
    if member.name_span.is_empty() {
        return Err(CatalogError::new(root.span.start, "the file is a list, so it has no key at its root"));
    }
    if member.name == name {
        return Ok(None);
    }
    let quote = match text.as_bytes().get(member.start()) {
        Some(b'\'') => '\'',
        _ => '"',
    };
    let mut quoted = String::new();
    style::JsonStyle::of(text, root).escapes.write_quoted(&mut quoted, quote, name);
    Ok(Some(Edit::replace(member.name_span.clone(), quoted)))
}
