//! Turns changes of leaves into edits of bytes. Entries are removed with their lines. New entries go next to the nearest
//! entry that stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use granit_parser::ScalarStyle;

use super::parse::{MAX_DEPTH, YamlEntry, YamlNode, YamlShape, YamlTree};
use super::render::FileStyle;
use super::scalar::write_scalar;
use super::span::{YamlEntrySpan, entry_span, indentation, indentation_in_brackets};
use super::{block, visit_leaves};
use crate::edit::{insert_lines, join_removals, next_line};
use crate::new_level::NewLevel;
use crate::tree::LeafChange;
use crate::{CatalogError, Edit, UnitKey, UnitKeyPart};

pub(super) fn edits(text: &str, tree: &YamlTree<'_>, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
    let mut leaves = Vec::new();
    visit_leaves(tree, |node, _, is_duplicate| {
        if !is_duplicate {
            leaves.push(node);
        }
    });
    let style = FileStyle::of(text, tree);
    let mut planner = YamlPlanner::new(text, tree, style, leaves);
    for change in changes {
        match change {
            LeafChange::Set { leaf, text } => planner.set(*leaf, text)?,
            LeafChange::Insert { key, text, after, before } => planner.insert(key, text, *after, *before)?,
            LeafChange::Remove { leaf } => planner.remove(*leaf)?,
            LeafChange::RenameRoot { name } => planner.rename_root(name)?,
        }
    }
    planner.finish()
}

/// Collects all changes first, because removals and insertions affect each other.
pub(super) struct YamlPlanner<'t, 'a, 'c> {
    pub(super) text: &'t str,
    pub(super) tree: &'t YamlTree<'a>,
    pub(super) style: FileStyle,
    leaves: Vec<&'t YamlNode<'a>>,
    pub(super) edits: Vec<Edit>,
    pub(super) removed: BTreeSet<(usize, usize)>,
    /// New entries, by node (`None` for an empty file) and by the position of the entry that follows them.
    pub(super) inserted: BTreeMap<(Option<usize>, usize), NewLevel<'c>>,
    /// The position of each new level in its node.
    pending: HashMap<(Option<usize>, UnitKeyPart), usize>,
    /// The entries of the nodes in `named`, by key part.
    names: HashMap<(usize, UnitKeyPart), usize>,
    named: BTreeSet<usize>,
}

impl<'t, 'a, 'c> YamlPlanner<'t, 'a, 'c> {
    fn new(text: &'t str, tree: &'t YamlTree<'a>, style: FileStyle, leaves: Vec<&'t YamlNode<'a>>) -> Self {
        Self {
            text,
            tree,
            style,
            leaves,
            edits: Vec::new(),
            removed: BTreeSet::new(),
            inserted: BTreeMap::new(),
            pending: HashMap::new(),
            names: HashMap::new(),
            named: BTreeSet::new(),
        }
    }

    fn leaf(&self, leaf: usize) -> Result<&'t YamlNode<'a>, CatalogError> {
        self.leaves.get(leaf).copied().ok_or_else(|| CatalogError::new(0, "there is no such text in the file"))
    }

    fn set(&mut self, leaf: usize, new: &str) -> Result<(), CatalogError> {
        let node = self.leaf(leaf)?;
        if super::text_of(node) == Some(new) {
            return Ok(());
        }
        if node.tag_is_text == Some(false) {
            return Err(CatalogError::new(
                node.content_start,
                "the tag of the value declares another type than a string",
            ));
        }
        let parent = node.parent.and_then(|(parent, position)| {
            self.tree.nodes.get(parent).and_then(|parent| Some((parent, parent.entries.get(position)?)))
        });
        let in_flow = parent.is_some_and(|(parent, _)| parent.is_flow);
        let style = match node.shape {
            YamlShape::Scalar(ScalarStyle::Literal | ScalarStyle::Folded) => {
                self.edits.extend(block::set_block(self.text, node, new, self.style.newline));
                return Ok(());
            }
            YamlShape::Scalar(style) => style,
            _ => return Err(CatalogError::new(node.content_start, "the value is not a text")),
        };
        let value = write_scalar(new, style, self.style.quotes, in_flow);
        if !node.is_empty() {
            self.edits.push(Edit::replace(node.content_start..node.end, value));
            return Ok(());
        }
        let has_indicator = parent.is_none_or(|(_, entry)| entry.value_at.is_some());
        if !has_indicator && !in_flow {
            return Err(CatalogError::new(node.content_start, "the key has no colon, so it cannot get a value"));
        }
        self.edits.push(Edit::insert(node.content_start, [if has_indicator { " " } else { ": " }, &value].concat()));
        Ok(())
    }

    fn rename_root(&mut self, name: &str) -> Result<(), CatalogError> {
        let root = self.tree.root.and_then(|root| self.tree.nodes.get(root));
        let mut names = root.into_iter().flat_map(|root| &root.entries).filter(|entry| entry.name.is_some());
        let (Some(entry), None) = (names.next(), names.next()) else {
            return Err(CatalogError::new(0, "the file must have exactly one key at its root"));
        };
        if entry.name.as_deref() != Some(name) {
            let style = FileStyle::key_style(self.text, Some(entry));
            let in_flow = root.is_some_and(|root| root.is_flow);
            let key = write_scalar(name, style, self.style.key_quotes(style), in_flow);
            self.edits.push(Edit::replace(entry.key.clone(), key));
        }
        Ok(())
    }

    fn remove(&mut self, leaf: usize) -> Result<(), CatalogError> {
        let node = self.leaf(leaf)?;
        let Some((parent, position)) = node.parent else {
            return Err(CatalogError::new(node.content_start, "the file contains nothing but this text"));
        };
        self.remove_entry(parent, position);
        Ok(())
    }

    /// Also removes the duplicates that the entry overrides.
    fn remove_entry(&mut self, parent: usize, position: usize) {
        self.removed.insert((parent, position));
        let Some(node) = self.tree.nodes.get(parent) else { return };
        let Some(entry) = node.entries.get(position) else { return };
        let Some(name) = entry.name.as_ref().filter(|_| self.style.has_duplicates) else { return };
        let is_same = |other: &YamlEntry| other.is_overridden && other.name.as_ref() == Some(name);
        let same = node.entries.iter().enumerate().filter(|(_, other)| is_same(other));
        self.removed.extend(same.map(|(position, _)| (parent, position)));
    }

    /// Parents have smaller numbers than their children.
    pub(super) fn remove_empty(&mut self) -> Result<(), CatalogError> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for (parent, _) in &self.removed {
            *counts.entry(*parent).or_default() += 1;
        }
        while let Some((id, count)) = counts.pop_last() {
            let Some(node) = self.tree.nodes.get(id) else { continue };
            let receives = self.inserted.range((Some(id), 0)..=(Some(id), usize::MAX)).next().is_some();
            if count < node.entries.len() || receives {
                continue;
            }
            let Some((parent, position)) = node.parent else { continue };
            let before = self.removed.len();
            self.remove_entry(parent, position);
            *counts.entry(parent).or_default() += self.removed.len() - before;
        }
        for (parent, position) in &self.removed {
            let value =
                self.tree.nodes.get(*parent).and_then(|node| node.entries.get(*position)).map(|entry| entry.value);
            let Some(value) = value.and_then(|value| self.tree.nodes.get(value)) else { continue };
            if value.anchor != 0 && self.tree.used_anchors.contains(&value.anchor) {
                let what = "the value cannot be removed, because an alias refers to it";
                return Err(CatalogError::new(value.start, what));
            }
        }
        Ok(())
    }

    fn insert(
        &mut self,
        key: &UnitKey,
        new: &'c str,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        if key.0.is_empty() || key.0.len() > MAX_DEPTH {
            return Err(CatalogError::new(0, "a key must have between 1 and 128 levels"));
        }
        let mut at = self.tree.root;
        let mut missing = key.0.as_slice();
        // The last part must be new, so it is not looked up here.
        while let (Some(id), [part, rest @ ..]) = (at, missing) {
            if rest.is_empty() {
                break;
            }
            match self.entry(id, part)? {
                Some(value) => (at, missing) = (Some(value), rest),
                None => break,
            }
        }
        let Some((part, _)) = missing.split_first() else { return Ok(()) };
        if let Some(id) = at {
            self.check_container(id, part)?;
            let is_new = matches!(part, UnitKeyPart::Item(_)) || self.entry(id, part)?.is_none();
            if missing.len() == 1 && !is_new {
                return Err(CatalogError::new(self.start(id), format!("the key {key} exists already")));
            }
        }
        let slot = match self.pending.get(&(at, part.clone())) {
            Some(slot) if missing.len() > 1 => *slot,
            _ => at.map_or(0, |id| self.insert_position(id, after, before)),
        };
        self.pending.insert((at, part.clone()), slot);
        self.inserted.entry((at, slot)).or_default().add(missing, new)
    }

    fn start(&self, id: usize) -> usize {
        self.tree.nodes.get(id).map_or(0, |node| node.start)
    }

    fn entry(&mut self, id: usize, part: &UnitKeyPart) -> Result<Option<usize>, CatalogError> {
        let Some(node) = self.tree.nodes.get(id) else { return Ok(None) };
        if self.named.insert(id) {
            for (position, entry) in node.entries.iter().enumerate().filter(|(_, entry)| !entry.is_overridden) {
                if let Some(part) = super::key_part(node, position, entry) {
                    self.names.insert((id, part), entry.value);
                }
            }
        }
        if node.shape == YamlShape::Alias {
            return Err(CatalogError::new(node.start, "a key cannot be inserted below an alias")
                .hint("replace the alias by the texts it refers to"));
        }
        Ok(self.names.get(&(id, part.clone())).copied())
    }

    fn check_container(&self, id: usize, part: &UnitKeyPart) -> Result<(), CatalogError> {
        let Some(node) = self.tree.nodes.get(id) else { return Ok(()) };
        let what = match (node.shape, part) {
            (YamlShape::Map, UnitKeyPart::Name(_)) if !node.is_bare_pair(self.text) => return Ok(()),
            (YamlShape::List, UnitKeyPart::Item(_)) => return Ok(()),
            (YamlShape::Scalar(ScalarStyle::Plain), _) if super::text_of(node).is_none() && super::is_null(node) => {
                return Ok(());
            }
            (YamlShape::Map, _) => "the file has keys where a list is needed",
            (YamlShape::List, _) => "the file has a list where keys are needed",
            (YamlShape::Scalar(_), _) => "keys cannot be inserted below a value",
            (YamlShape::Alias, _) => "a key cannot be inserted below an alias",
        };
        Err(CatalogError::new(node.start, what))
    }

    fn insert_position(&self, id: usize, after: Option<usize>, before: Option<usize>) -> usize {
        let position = |leaf: Option<usize>| {
            let mut node = *self.leaves.get(leaf?)?;
            loop {
                let (parent, position) = node.parent?;
                if parent == id {
                    return Some(position);
                }
                node = self.tree.nodes.get(parent)?;
            }
        };
        let end = || self.tree.nodes.get(id).map_or(0, |node| node.entries.len());
        position(after).map(|position| position + 1).or_else(|| position(before)).unwrap_or_else(end)
    }

    pub(super) fn finish(mut self) -> Result<Vec<Edit>, CatalogError> {
        self.remove_empty()?;
        let inserted = std::mem::take(&mut self.inserted);
        let mut touched: BTreeMap<usize, Vec<(usize, NewLevel<'c>)>> = BTreeMap::new();
        for (parent, _) in &self.removed {
            // An entry inside a removed entry is removed with it.
            let node = self.tree.nodes.get(*parent);
            if !node.and_then(|node| node.parent).is_some_and(|position| self.removed.contains(&position)) {
                touched.entry(*parent).or_default();
            }
        }
        for ((parent, slot), level) in inserted {
            match parent {
                Some(parent) => touched.entry(parent).or_default().push((slot, level)),
                // The file has no entries.
                None => self.insert_lines(self.text.len(), &self.style.block_lines(&level, "")?),
            }
        }
        for (id, levels) in touched {
            let Some(node) = self.tree.nodes.get(id) else { continue };
            match node.shape {
                YamlShape::Scalar(_) => {
                    for (_, level) in &levels {
                        self.fill_empty(node, level)?;
                    }
                }
                _ => self.change_node(id, node, &levels)?,
            }
        }
        Ok(join_removals(self.text, self.edits))
    }

    /// Inserts entries below a key that has no value.
    fn fill_empty(&mut self, node: &YamlNode<'_>, level: &NewLevel<'_>) -> Result<(), CatalogError> {
        let parent = node.parent.and_then(|(parent, position)| {
            self.tree.nodes.get(parent).and_then(|parent| Some((parent, parent.entries.get(position)?)))
        });
        let in_line = |(parent, entry): (&YamlNode<'_>, &YamlEntry)| {
            parent.is_flow || parent.shape == YamlShape::List || entry.value_at.is_none()
        };
        if parent.is_some_and(in_line) {
            let text = self.style.flow_level(level)?;
            let without_colon = parent.filter(|(_, entry)| entry.value_at.is_none());
            let blank = match without_colon {
                _ if !node.is_empty() => String::new(),
                None => " ".to_owned(),
                // After a `?`, a colon on the same line would belong to the key, so it starts a new line.
                Some((parent, entry)) if !parent.is_flow => {
                    [self.style.newline, &indentation(self.text, entry), ": "].concat()
                }
                Some(_) => ": ".to_owned(),
            };
            self.edits.push(Edit::replace(node.content_start..node.end, [blank.as_str(), &text].concat()));
            return Ok(());
        }
        if !node.is_empty() {
            let start =
                self.text.get(..node.content_start).map_or(0, |before| before.trim_end_matches([' ', '\t']).len());
            self.edits.push(Edit::remove(start..node.end));
        }
        let indent = parent.map(|(_, entry)| indentation(self.text, entry));
        let step = if level.is_list() { self.style.list_step } else { self.style.step };
        let indent = indent.map_or(String::new(), |indent| indent + &" ".repeat(step));
        let lines = self.style.block_lines(level, &indent)?;
        self.insert_lines(next_line(self.text, node.end), &lines);
        Ok(())
    }

    /// Inserts at the start of a line, or at the end of the file.
    fn insert_lines(&mut self, at: usize, lines: &[String]) {
        let newline = self.style.newline;
        self.edits.push(insert_lines(self.text, at, &lines.join(newline), newline));
    }

    fn change_node(
        &mut self,
        id: usize,
        node: &YamlNode<'_>,
        levels: &[(usize, NewLevel<'_>)],
    ) -> Result<(), CatalogError> {
        let is_kept = |position: &usize| !self.removed.contains(&(id, *position));
        let kept: Vec<usize> = (0..node.entries.len()).filter(is_kept).collect();
        let span_of =
            |position: usize| node.entries.get(position).map(|entry| entry_span(self.text, self.tree, node, entry));
        let is_compact = span_of(0).is_some_and(|first| first.is_compact);
        let last_end = span_of(node.entries.len().saturating_sub(1)).map_or(0, |last| last.range.end);
        for (_, position) in self.removed.range((id, 0)..=(id, usize::MAX)) {
            let Some(removed) = span_of(*position) else { continue };
            let next = kept.binary_search(position).unwrap_or_else(|next| next);
            let previous = next.checked_sub(1).and_then(|at| kept.get(at)).and_then(|previous| span_of(*previous));
            let next = kept.get(next).and_then(|next| span_of(*next));
            let range = match (previous, next) {
                (Some(previous), _) if node.is_flow => previous.range.end..removed.range.end,
                (None, Some(next)) if node.is_flow => removed.range.start..next.range.start,
                (None, Some(next)) if is_compact => removed.range.start..first_non_blank(self.text, &next),
                (None, None) if node.is_flow || is_compact => removed.range.start..last_end,
                _ => removed.lines,
            };
            self.edits.push(Edit::remove(range));
        }
        for (slot, level) in levels {
            let next = kept.partition_point(|kept| kept < slot);
            let previous = next.checked_sub(1).and_then(|at| kept.get(at)).copied();
            self.insert_level(node, level, previous, kept.get(next).copied())?;
        }
        Ok(())
    }

    /// Inserts entries after `previous`, otherwise before `next`.
    fn insert_level(
        &mut self,
        node: &YamlNode<'_>,
        level: &NewLevel<'_>,
        previous: Option<usize>,
        next: Option<usize>,
    ) -> Result<(), CatalogError> {
        let beside = previous.or(next).or_else(|| (!node.entries.is_empty()).then_some(0));
        let sibling = beside.and_then(|beside| node.entries.get(beside));
        let style = self.style.of_sibling(self.text, self.tree, sibling);
        let span = sibling.map(|sibling| entry_span(self.text, self.tree, node, sibling));
        let (Some(entry), Some(span)) = (sibling, span) else {
            self.edits.push(Edit::insert(node.content_start + 1, style.flow_entries(level, ", ")?));
            return Ok(());
        };
        let indent = match (node.is_flow, span.is_compact) {
            (true, true) => String::new(),
            (true, false) => indentation_in_brackets(self.text, entry),
            (false, _) => indentation(self.text, entry),
        };
        if node.is_flow {
            let separator = if span.is_compact { ", ".to_owned() } else { [",", style.newline, &indent].concat() };
            let text = style.flow_entries(level, &separator)?;
            self.edits.push(match (previous, next) {
                (Some(_), _) => Edit::insert(span.range.end, [separator, text].concat()),
                (_, Some(_)) => Edit::insert(span.range.start, [text, separator].concat()),
                _ => Edit::insert(span.range.start, text),
            });
            return Ok(());
        }
        let lines = style.block_lines(level, &indent)?;
        let compact = || {
            let joined = lines.join(style.newline);
            joined.get(indent.len()..).unwrap_or_default().to_owned()
        };
        match (previous, next) {
            (Some(_), _) => self.insert_lines(span.lines.end, &lines),
            (_, Some(_)) if span.is_compact => {
                self.edits.push(Edit::insert(span.range.start, [&compact(), style.newline, &indent].concat()));
            }
            _ if span.is_compact => self.edits.push(Edit::insert(span.range.start, compact())),
            _ => self.insert_lines(span.lines.start, &lines),
        }
        Ok(())
    }
}

fn first_non_blank(text: &str, span: &YamlEntrySpan) -> usize {
    let lines = text.get(span.lines.clone()).unwrap_or_default();
    span.lines.start + lines.len() - lines.trim_start_matches([' ', '\t']).len()
}
