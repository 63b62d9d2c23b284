//! Planned changes as edits: lines that go, and lines and items that are new.
//!
//! Input: the removed and the new entries of each map and list. Output: edits that do not overlap.

use std::collections::BTreeMap;

use super::edit::YamlPlanner;
use super::parse::{YamlEntry, YamlNode, YamlShape};
use super::place::{YamlPlace, indentation, indentation_in_brackets, place};
use crate::lines::{insert_lines, join_removals, next_line};
use crate::new_level::NewLevel;
use crate::{CatalogError, Edit};

impl<'c> YamlPlanner<'_, '_, 'c> {
    /// Returns the edits.
    pub(super) fn finish(mut self) -> Result<Vec<Edit>, CatalogError> {
        self.remove_empty()?;
        let inserted = std::mem::take(&mut self.inserted);
        let mut touched: BTreeMap<usize, Vec<(usize, NewLevel<'c>)>> = BTreeMap::new();
        for (parent, _) in &self.removed {
            // What is in a removed entry goes with it.
            let node = self.tree.nodes.get(*parent);
            if !node.and_then(|node| node.parent).is_some_and(|place| self.removed.contains(&place)) {
                touched.entry(*parent).or_default();
            }
        }
        for ((parent, slot), level) in inserted {
            match parent {
                Some(parent) => touched.entry(parent).or_default().push((slot, level)),
                None => self.fill_file(&level)?,
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

    /// Writes the entries of a file that has none.
    fn fill_file(&mut self, level: &NewLevel<'_>) -> Result<(), CatalogError> {
        let lines = self.style.block_lines(level, "")?;
        self.insert_lines(self.text.len(), &lines);
        Ok(())
    }

    /// Writes entries where a key has no value.
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
                // Behind a `?` the colon would belong to the key.
                Some((parent, entry)) if !parent.is_flow => {
                    [self.style.newline, &indentation(self.text, entry), ": "].concat()
                }
                Some(_) => ": ".to_owned(),
            };
            self.edits.push(Edit::replace(node.at..node.end, [blank.as_str(), &text].concat()));
            return Ok(());
        }
        if !node.is_empty() {
            let start = self.text.get(..node.at).map_or(0, |before| before.trim_end_matches([' ', '\t']).len());
            self.edits.push(Edit::remove(start..node.end));
        }
        let indent = parent.map(|(_, entry)| indentation(self.text, entry));
        let step = if level.is_list() { self.style.list_step } else { self.style.step };
        let indent = indent.map_or(String::new(), |indent| indent + &" ".repeat(step));
        let lines = self.style.block_lines(level, &indent)?;
        self.insert_lines(next_line(self.text, node.end), &lines);
        Ok(())
    }

    /// Inserts whole lines where a line begins, or at the end.
    fn insert_lines(&mut self, at: usize, lines: &[String]) {
        let newline = self.style.newline;
        self.edits.push(insert_lines(self.text, at, &lines.join(newline), newline));
    }

    /// Removes and inserts entries of a map or list.
    fn change_node(
        &mut self,
        id: usize,
        node: &YamlNode<'_>,
        levels: &[(usize, NewLevel<'_>)],
    ) -> Result<(), CatalogError> {
        let is_kept = |position: &usize| !self.removed.contains(&(id, *position));
        let kept: Vec<usize> = (0..node.entries.len()).filter(is_kept).collect();
        let place = |position: usize| node.entries.get(position).map(|entry| place(self.text, self.tree, node, entry));
        let is_compact = place(0).is_some_and(|first| first.is_compact);
        let last_end = place(node.entries.len().saturating_sub(1)).map_or(0, |last| last.own.end);
        let mut edits = Vec::new();
        for (_, position) in self.removed.range((id, 0)..=(id, usize::MAX)) {
            let Some(own) = place(*position) else { continue };
            let next = kept.binary_search(position).unwrap_or_else(|next| next);
            let previous = next.checked_sub(1).and_then(|at| kept.get(at)).and_then(|previous| place(*previous));
            let next = kept.get(next).and_then(|next| place(*next));
            let range = match (previous, next) {
                (Some(previous), _) if node.is_flow => previous.own.end..own.own.end,
                (None, Some(next)) if node.is_flow => own.own.start..next.own.start,
                (None, Some(next)) if is_compact => own.own.start..first_text(self.text, &next),
                (None, None) if node.is_flow || is_compact => own.own.start..last_end,
                _ => own.lines,
            };
            edits.push(Edit::remove(range));
        }
        self.edits.append(&mut edits);
        for (slot, level) in levels {
            let next = kept.partition_point(|kept| kept < slot);
            let previous = next.checked_sub(1).and_then(|at| kept.get(at)).copied();
            self.insert_level(node, level, previous, kept.get(next).copied())?;
        }
        Ok(())
    }

    /// Inserts entries behind an entry that stays, or before one.
    fn insert_level(
        &mut self,
        node: &YamlNode<'_>,
        level: &NewLevel<'_>,
        previous: Option<usize>,
        next: Option<usize>,
    ) -> Result<(), CatalogError> {
        let beside = previous.or(next).or_else(|| (!node.entries.is_empty()).then_some(0));
        let sibling = beside.and_then(|beside| node.entries.get(beside));
        let style = self.style.beside(self.text, self.tree, sibling);
        let place = sibling.map(|sibling| place(self.text, self.tree, node, sibling));
        let (Some(entry), Some(place)) = (sibling, place) else {
            self.edits.push(Edit::insert(node.at + 1, style.flow_entries(level, ", ")?));
            return Ok(());
        };
        let indent = indentation_beside(self.text, node, entry, &place);
        if node.is_flow {
            let separator = if place.is_compact { ", ".to_owned() } else { [",", style.newline, &indent].concat() };
            let text = style.flow_entries(level, &separator)?;
            self.edits.push(match (previous, next) {
                (Some(_), _) => Edit::insert(place.own.end, [separator, text].concat()),
                (_, Some(_)) => Edit::insert(place.own.start, [text, separator].concat()),
                _ => Edit::insert(place.own.start, text),
            });
            return Ok(());
        }
        let lines = style.block_lines(level, &indent)?;
        let compact = || {
            let joined = lines.join(style.newline);
            joined.get(indent.len()..).unwrap_or_default().to_owned()
        };
        match (previous, next) {
            (Some(_), _) => self.insert_lines(place.lines.end, &lines),
            (_, Some(_)) if place.is_compact => {
                self.edits.push(Edit::insert(place.own.start, [&compact(), style.newline, &indent].concat()));
            }
            _ if place.is_compact => self.edits.push(Edit::insert(place.own.start, compact())),
            _ => self.insert_lines(place.lines.start, &lines),
        }
        Ok(())
    }
}

/// Returns where the first text of the lines of an entry is.
fn first_text(text: &str, place: &YamlPlace) -> usize {
    let lines = text.get(place.lines.clone()).unwrap_or_default();
    place.lines.start + lines.len() - lines.trim_start_matches([' ', '\t']).len()
}

/// Returns the indentation of an entry beside another one.
fn indentation_beside(text: &str, node: &YamlNode<'_>, entry: &YamlEntry, place: &YamlPlace) -> String {
    match (node.is_flow, place.is_compact) {
        (true, true) => String::new(),
        (true, false) => indentation_in_brackets(text, entry),
        (false, _) => indentation(text, entry),
    }
}
