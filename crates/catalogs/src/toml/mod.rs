//! TOML: go-i18n.
//!
//! Input: the text of a file. Output: its leaves, or edits of texts and lines, which keep the rest of the file. A new key
//! goes into the table that it belongs to, and a table is removed with its last key.

mod insert;
mod remove;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use toml_edit::{Document, Item, Key, Value};
use toml_writer::{ToTomlValue as _, TomlStringBuilder};

use self::insert::{NewText, insert};
use super::edit::{apply_edits, join_removals, line_end, line_start, newline_of, smallest_edit};
use super::tree::{Leaf, LeafChange, LeafFormat, LeafTree};
use super::{CatalogError, Edit, SkipReason, UnitKey, UnitKeyPart};
use crate::{CatalogKind, TreeFormat};

pub const KIND: CatalogKind = CatalogKind {
    name: "toml",
    help: "TOML of go-i18n",
    extensions: &["toml"],
    format: &TreeFormat(TomlFormat),
    syntax: None,
    is_bilingual: false,
};

#[derive(Debug)]
pub struct TomlFormat;

impl LeafFormat for TomlFormat {
    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError> {
        let tree = TomlTree::parse(text)?;
        let mut found = LeafTree::default();
        for leaf in &tree.leaves {
            if leaf.text.is_none() {
                found.count_other_value(SkipReason::Number);
            }
            let Some(node) = tree.nodes.get(leaf.node) else { continue };
            found.leaves.push(Leaf {
                key: UnitKey(node.path.clone()),
                text: leaf.text.clone(),
                note: note(text, node),
                at: leaf.value.start,
            });
        }
        Ok(found)
    }

    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let tree = TomlTree::parse(text)?;
        let leaf_at = |leaf: usize| {
            tree.leaves.get(leaf).ok_or_else(|| CatalogError::new(0, "there is no such text in the file"))
        };
        let path_of = |leaf: Option<usize>| {
            let node = tree.nodes.get(tree.leaves.get(leaf?)?.node)?;
            Some(node.path.as_slice())
        };
        let newline = newline_of(text);
        let (mut edits, mut removed, mut new) = (Vec::new(), HashSet::new(), Vec::new());
        for change in changes {
            match change {
                LeafChange::Set { leaf, text: new } => {
                    let leaf = leaf_at(*leaf)?;
                    if leaf.text.as_deref() != Some(*new) {
                        let old = text.get(leaf.value.clone()).unwrap_or_default();
                        let value = quoted(new, old).replace('\n', newline);
                        edits.push(Edit::replace(leaf.value.clone(), value));
                    }
                }
                LeafChange::Insert { key, text, after, before } => {
                    new.push(NewText { key, text, after: path_of(*after), before: path_of(*before) });
                }
                LeafChange::Remove { leaf } => {
                    removed.insert(leaf_at(*leaf)?.node);
                }
                LeafChange::RenameRoot { .. } => {
                    return Err(CatalogError::new(0, "a TOML file has no key at its root that names the language"));
                }
            }
        }
        edits.extend(tree.removals(text, &removed, &new));
        let edits = join_removals(text, edits);
        if new.is_empty() {
            return Ok(edits);
        }
        let rest = apply_edits(text, edits).ok_or_else(|| CatalogError::new(0, "the changes of the file overlap"))?;
        Ok(smallest_edit(text, &insert(&rest, &new)?).into_iter().collect())
    }
}

/// Returns the comments above and after a line.
fn note(text: &str, node: &TomlNode) -> Option<String> {
    if node.kind != TomlKind::Line {
        return None;
    }
    let above = text.get(node.outer_start..line_start(text, node.start)).unwrap_or_default();
    let behind = text.get(node.end..line_end(text, node.end)).unwrap_or_default().trim();
    let lines = above.lines().chain(behind.starts_with('#').then_some(behind));
    let lines: Vec<&str> =
        lines.map(|line| line.trim().trim_start_matches('#').trim()).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Writes a text as the same kind of string as `like`, or as one that can hold it.
fn quoted(text: &str, like: &str) -> String {
    let text = TomlStringBuilder::new(text);
    let string = match like.as_bytes() {
        [b'\'', b'\'', b'\'', ..] => text.as_ml_literal().unwrap_or_else(|| text.as_ml_basic()),
        [b'"', b'"', b'"', ..] => text.as_ml_basic(),
        [b'\'', ..] => text.as_literal().unwrap_or_else(|| text.as_basic()),
        _ => text.as_basic(),
    };
    string.to_toml_value()
}

fn parse<T: AsRef<str>>(text: T) -> Result<Document<T>, CatalogError> {
    Document::parse(text).map_err(|error| {
        let what = ["the file is not valid TOML: ", error.message()].concat();
        CatalogError::new(error.span().map_or(0, |span| span.start), what)
    })
}

/// Does not search before `low`.
fn comments_start(text: &str, low: usize, at: usize) -> usize {
    let mut start = line_start(text, at);
    while start > low {
        let above = line_start(text, start - 1);
        let line = text.get(above..start).unwrap_or_default();
        if !line.trim_start_matches([' ', '\t']).starts_with('#') {
            break;
        }
        start = above;
    }
    start
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TomlKind {
    /// With its header and lines.
    Table,
    /// In a table or at the root.
    Line,
    /// In an array or an inline table.
    Entry,
}

/// A part of the file that can be removed.
#[derive(Debug)]
struct TomlNode {
    path: Vec<UnitKeyPart>,
    kind: TomlKind,
    /// Removed when its last child is removed.
    parent: Option<usize>,
    outer_start: usize,
    start: usize,
    end: usize,
}

/// A string, or another value that is neither a table nor an array.
#[derive(Debug)]
struct TomlLeaf {
    node: usize,
    text: Option<String>,
    value: Range<usize>,
}

#[derive(Debug, Default)]
struct TomlTree {
    /// Parents precede their children.
    nodes: Vec<TomlNode>,
    leaves: Vec<TomlLeaf>,
    children: HashMap<usize, Vec<usize>>,
}

impl TomlTree {
    fn parse(text: &str) -> Result<Self, CatalogError> {
        let mut tree = Self::default();
        tree.read(text, parse(text)?.as_item(), None, &[], [None; 2]);
        tree.leaves.sort_by_key(|leaf| leaf.value.start);
        for children in tree.children.values_mut() {
            children.sort_by_key(|child| tree.nodes.get(*child).map(|node| node.start));
        }
        Ok(tree)
    }

    /// `value_parent` is the parent of a value, and `table_parent` the parent of a table.
    fn read(
        &mut self,
        text: &str,
        item: &Item,
        key: Option<&Key>,
        path: &[UnitKeyPart],
        [mut value_parent, mut table_parent]: [Option<usize>; 2],
    ) {
        match item {
            Item::Table(table) if !table.is_dotted() => {
                let is_item = matches!(path.last(), Some(UnitKeyPart::Item(_)));
                if let Some(span) = table.span().filter(|_| !table.is_implicit() && !path.is_empty()) {
                    let low = table
                        .decor()
                        .prefix()
                        .and_then(toml_edit::RawString::span)
                        .map_or(span.start, |span| span.start);
                    let outer_start = comments_start(text, low, span.start);
                    value_parent = Some(self.add(path, TomlKind::Table, table_parent, outer_start, span));
                }
                table_parent = if is_item { value_parent } else { table_parent };
            }
            Item::Value(value) if !matches!(value, Value::InlineTable(table) if table.is_dotted()) => {
                let value_span = value.span().unwrap_or_default();
                let is_line = value_parent
                    .and_then(|parent| self.nodes.get(parent))
                    .is_none_or(|node| node.kind == TomlKind::Table);
                let start = key.and_then(Key::span).map_or(value_span.start, |span| span.start);
                let prefix = key.and_then(|key| key.leaf_decor().prefix()).and_then(toml_edit::RawString::span);
                let span = prefix.as_ref().map_or(start, |prefix| prefix.end)..value_span.end;
                let low = prefix.map_or(start, |prefix| prefix.start);
                let (kind, outer_start) = if is_line {
                    (TomlKind::Line, comments_start(text, low, span.start))
                } else {
                    (TomlKind::Entry, span.start)
                };
                let node = self.add(path, kind, value_parent, outer_start, span);
                value_parent = Some(node);
                if !matches!(value, Value::Array(_) | Value::InlineTable(_)) {
                    let is_crlf = text.get(value_span.clone()).is_some_and(|value| value.contains("\r\n"));
                    let text =
                        value.as_str().map(|text| if is_crlf { text.replace("\r\n", "\n") } else { text.to_owned() });
                    self.leaves.push(TomlLeaf { node, text, value: value_span });
                }
            }
            _ => {}
        }
        let below = |part: UnitKeyPart| [path, &[part]].concat();
        if let Some(table) = item.as_table_like() {
            for (name, item) in table.iter() {
                self.read(
                    text,
                    item,
                    table.key(name),
                    &below(UnitKeyPart::Name(name.to_owned())),
                    [value_parent, table_parent],
                );
            }
        }
        for number in 0.. {
            let Some(item) = item.get(number) else { break };
            self.read(text, item, None, &below(UnitKeyPart::Item(number)), [value_parent, table_parent]);
        }
    }

    fn add(
        &mut self,
        path: &[UnitKeyPart],
        kind: TomlKind,
        parent: Option<usize>,
        outer_start: usize,
        span: Range<usize>,
    ) -> usize {
        let number = self.nodes.len();
        if let Some(parent) = parent {
            self.children.entry(parent).or_default().push(number);
            if let Some(table) = self.nodes.get_mut(parent).filter(|_| kind == TomlKind::Line) {
                table.end = table.end.max(span.end);
            }
        }
        self.nodes.push(TomlNode { path: path.to_vec(), kind, parent, outer_start, start: span.start, end: span.end });
        number
    }
}
