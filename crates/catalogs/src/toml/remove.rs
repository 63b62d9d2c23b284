//! Removes lines, entries and tables.

use std::collections::HashSet;

use super::{NewText, TomlKind, TomlNode, TomlTree};
use crate::Edit;
use crate::edit::next_line;

impl TomlTree {
    /// Also removes parents that become empty, unless something is inserted there.
    pub(super) fn removals(&self, text: &str, leaves: &HashSet<usize>, new: &[NewText<'_>]) -> Vec<Edit> {
        let needed: HashSet<_> = new.iter().map(|new| new.key.parent()).collect();
        let children = |node: usize| self.children.get(&node).map(Vec::as_slice).unwrap_or_default();
        let mut removed = HashSet::new();
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let is_empty = !children(number).is_empty() && children(number).iter().all(|child| removed.contains(child));
            let is_needed = || needed.contains(node.path.as_slice());
            if leaves.contains(&number) || is_empty && !is_needed() {
                removed.insert(number);
            }
        }
        let mut edits = Vec::new();
        let mut parents = HashSet::new();
        for number in &removed {
            let Some(node) = self.nodes.get(*number) else { continue };
            match node.kind {
                TomlKind::Table => edits.push(Edit::remove(table_lines(text, node))),
                _ if node.parent.is_some_and(|parent| removed.contains(&parent)) => {}
                TomlKind::Line => edits.push(Edit::remove(node.outer_start..next_line(text, node.end))),
                TomlKind::Entry => parents.extend(node.parent),
            }
        }
        for parent in parents {
            let entries: Vec<_> = children(parent).iter().filter_map(|child| self.nodes.get(*child)).collect();
            let end = self.nodes.get(parent).map_or(0, |parent| parent.end - 1);
            let mut last_end = None;
            let mut follows_kept = false;
            for (at, (child, entry)) in children(parent).iter().zip(&entries).enumerate() {
                if removed.contains(child) {
                    // Include the comma before the entry, or the comma after it if all entries before it are removed.
                    edits.push(Edit::remove(match last_end.filter(|_| follows_kept) {
                        Some(last_end) => last_end..entry.end,
                        None => entry.start..entries.get(at + 1).map_or(end, |next| next.start),
                    }));
                } else {
                    follows_kept = true;
                }
                last_end = Some(entry.end);
            }
        }
        edits
    }
}

/// If blank lines are on both sides of the table, one of them is included.
fn table_lines(text: &str, table: &TomlNode) -> std::ops::Range<usize> {
    let end = next_line(text, table.end);
    let after = text.get(end..).unwrap_or_default();
    let blank_after = after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n");
    if table.outer_start == 0 {
        return 0..if blank_after { next_line(text, end) } else { end };
    }
    let before = text.get(..table.outer_start).unwrap_or_default();
    let line_before = before.strip_suffix('\n').map(|before| before.strip_suffix('\r').unwrap_or(before));
    let blank_before = line_before.filter(|before| before.ends_with('\n'));
    blank_before.filter(|_| blank_after).map_or(table.outer_start, str::len)..end
}
