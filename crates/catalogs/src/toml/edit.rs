//! Changes of leaves as edits of bytes: strings that are set, members and tables that go.
//!
//! Input: a tree and changes. Output: edits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::insert::TomlInserts;
use super::parse::{TomlInline, TomlMember, TomlOwner, TomlSection, TomlTree, lines};
use super::render::TomlQuotes;
use crate::edit::{join_removals, newline_of, next_line};
use crate::tree::LeafChange;
use crate::{CatalogError, Edit, UnitKeyPart};

/// Returns the edits that carry out changes.
pub(super) fn edits(text: &str, tree: &TomlTree, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
    let newline = newline_of(text);
    let mut inserts = TomlInserts::new(text, tree, newline);
    let mut removals = TomlRemovals { text, tree, removed: BTreeSet::new(), sections: BTreeSet::new() };
    let mut edits = Vec::new();
    let find =
        |leaf: usize| tree.leaves.get(leaf).ok_or_else(|| CatalogError::new(0, "there is no such text in the file"));
    for change in changes {
        match change {
            LeafChange::Set { leaf, text: new } => {
                let leaf = find(*leaf)?;
                if leaf.text.as_deref() != Some(*new) {
                    let quotes = TomlQuotes::of(text.get(leaf.value.clone()).unwrap_or_default()).unwrap_or_default();
                    edits.push(Edit::replace(leaf.value.clone(), quotes.write(new, newline)));
                }
            }
            LeafChange::Insert { key, text, after, before } => inserts.add(key, text, *after, *before)?,
            LeafChange::Remove { leaf } => {
                removals.removed.insert(find(*leaf)?.place);
            }
            LeafChange::RenameRoot { .. } => {
                return Err(CatalogError::new(0, "a TOML file has no key at its root that names the language"));
            }
        }
    }
    removals.remove_empty(&inserts);
    removals.write(&mut edits);
    inserts.write(&removals, &mut edits);
    Ok(join_removals(text, edits))
}

/// What is removed.
pub(super) struct TomlRemovals<'t> {
    text: &'t str,
    tree: &'t TomlTree,
    removed: BTreeSet<(TomlOwner, usize)>,
    /// Tables that go with their headers.
    sections: BTreeSet<usize>,
}

impl TomlRemovals<'_> {
    /// Returns the positions of the members that stay.
    pub fn kept(&self, owner: TomlOwner) -> Vec<usize> {
        (0..self.tree.members(owner).len()).filter(|position| !self.removed.contains(&(owner, *position))).collect()
    }

    /// Removes what holds nothing any more.
    fn remove_empty(&mut self, inserts: &TomlInserts<'_, '_>) {
        let mut counts: BTreeMap<TomlOwner, usize> = BTreeMap::new();
        for (owner, _) in &self.removed {
            *counts.entry(*owner).or_default() += 1;
        }
        // Inline values come last, and what they contain has greater numbers.
        while let Some((owner, count)) = counts.pop_last() {
            if count < self.tree.members(owner).len() || inserts.has(owner) {
                continue;
            }
            match owner {
                TomlOwner::Inline(inline) => {
                    let Some(TomlInline { place, .. }) = self.tree.inlines.get(inline) else { continue };
                    if self.removed.insert(*place) {
                        *counts.entry(place.0).or_default() += 1;
                    }
                }
                TomlOwner::Section(number) => {
                    let Some(section) = self.tree.sections.get(number) else { continue };
                    if section.header.is_some() && !self.is_needed(number, section, inserts) {
                        self.sections.insert(number);
                    }
                }
            }
        }
    }

    /// Returns whether tables below an item of an array of tables stay.
    fn is_needed(&self, number: usize, section: &TomlSection, inserts: &TomlInserts<'_, '_>) -> bool {
        let is_item = matches!(section.path.last(), Some(UnitKeyPart::Item(_)));
        let next = self.tree.sections.iter().enumerate().skip(number + 1);
        let mut below = next.take_while(|(_, other)| other.path.starts_with(&section.path));
        is_item && (below.any(|(number, _)| !self.sections.contains(&number)) || inserts.has_table_in(&section.path))
    }

    fn write(&self, edits: &mut Vec<Edit>) {
        let mut owners: Vec<TomlOwner> = self.removed.iter().map(|(owner, _)| *owner).collect();
        owners.dedup();
        for owner in owners {
            match owner {
                TomlOwner::Section(number) if self.sections.contains(&number) => {
                    let Some(section) = self.tree.sections.get(number) else { continue };
                    edits.push(Edit::remove(self.section_lines(section)));
                }
                TomlOwner::Section(_) => {
                    for (position, member) in self.tree.members(owner).iter().enumerate() {
                        if self.removed.contains(&(owner, position)) {
                            edits.push(Edit::remove(lines(self.text, self.tree, member.start, member.value.end)));
                        }
                    }
                }
                TomlOwner::Inline(inline) => {
                    // What is in a removed value goes with it.
                    let place = self.tree.inlines.get(inline).map(|inline| inline.place);
                    if !place.is_some_and(|place| self.removed.contains(&place)) {
                        self.write_items(owner, edits);
                    }
                }
            }
        }
    }

    fn write_items(&self, owner: TomlOwner, edits: &mut Vec<Edit>) {
        let members = self.tree.members(owner);
        let kept = self.kept(owner);
        let at = |position: Option<&usize>| position.and_then(|position| members.get(*position));
        for (position, member) in members.iter().enumerate() {
            if !self.removed.contains(&(owner, position)) {
                continue;
            }
            let next = kept.partition_point(|kept| *kept < position);
            let previous: Option<&TomlMember> = at(next.checked_sub(1).and_then(|previous| kept.get(previous)));
            edits.push(Edit::remove(match (previous, at(kept.get(next))) {
                (Some(previous), _) => previous.value.end..member.value.end,
                (None, Some(next)) => member.start..next.start,
                (None, None) => {
                    let last = members.last().map_or(member.value.end, |last| last.value.end);
                    member.start..last
                }
            }));
        }
    }

    /// Returns the lines of a table. If blank lines are on both sides, one of them goes along.
    fn section_lines(&self, section: &TomlSection) -> Range<usize> {
        let header = section.header.clone().unwrap_or_default();
        let end = section.members.last().map_or(header.end, |member| member.value.end);
        let lines = lines(self.text, self.tree, header.start, end);
        let after = self.text.get(lines.end..).unwrap_or_default();
        let blank_after = after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n");
        if lines.start == 0 {
            return if blank_after { 0..next_line(self.text, lines.end) } else { lines };
        }
        let before = self.text.get(..lines.start).unwrap_or_default();
        let line_before = before.strip_suffix('\n').map(|before| before.strip_suffix('\r').unwrap_or(before));
        let blank_before = line_before.filter(|before| before.ends_with('\n'));
        blank_before.filter(|_| blank_after).map_or(lines.start, str::len)..lines.end
    }
}
