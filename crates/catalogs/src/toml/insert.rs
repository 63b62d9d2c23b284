//! New keys and tables.
//!
//! Input: keys with their texts and neighbours. Output: edits that write each key into its own table, and tables that do not exist
//! behind the tables beside them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::edit::TomlRemovals;
use super::parse::{TomlContainer, TomlOwner, TomlTree, lines};
use super::render::{MemberStyle, NewMember, names_of, write_keys};
use crate::edit::{insert_lines, line_start, next_line};
use crate::new_level::{NewLevel, NewValue};
use crate::{CatalogError, Edit, UnitKey, UnitKeyPart};

/// A table that is to be written.
struct NewTable<'c> {
    path: Vec<UnitKeyPart>,
    /// The section that it stands behind, or before.
    place: (usize, bool),
    members: Vec<NewMember<'c>>,
}

/// Where something was planned.
#[derive(Clone, Copy)]
enum PlannedPlace {
    Member((TomlOwner, usize), usize),
    Table(usize),
    TableMember(usize),
}

/// What is inserted.
pub(super) struct TomlInserts<'t, 'c> {
    text: &'t str,
    tree: &'t TomlTree,
    newline: &'static str,
    known: HashSet<&'t [UnitKeyPart]>,
    /// The first and the last section whose path begins in some way.
    ranges: HashMap<&'t [UnitKeyPart], (usize, usize)>,
    members: BTreeMap<(TomlOwner, usize), Vec<NewMember<'c>>>,
    tables: Vec<NewTable<'c>>,
    planned: HashMap<Vec<UnitKeyPart>, PlannedPlace>,
}

impl<'t, 'c> TomlInserts<'t, 'c> {
    pub fn new(text: &'t str, tree: &'t TomlTree, newline: &'static str) -> Self {
        let known = tree.leaves.iter().map(|leaf| leaf.path.as_slice()).collect();
        let mut ranges = HashMap::new();
        for (number, section) in tree.sections.iter().enumerate() {
            for length in 0..=section.path.len() {
                let range = ranges.entry(section.path.get(..length).unwrap_or_default()).or_insert((number, number));
                range.1 = number;
            }
        }
        let (members, planned) = (BTreeMap::new(), HashMap::new());
        Self { text, tree, newline, known, ranges, members, tables: Vec::new(), planned }
    }

    /// Returns whether something is inserted into a table or array.
    pub fn has(&self, owner: TomlOwner) -> bool {
        self.members.range((owner, 0)..=(owner, usize::MAX)).next().is_some()
    }

    /// Returns whether a table is inserted below a path.
    pub fn has_table_in(&self, path: &[UnitKeyPart]) -> bool {
        self.tables.iter().any(|table| table.path.starts_with(path))
    }

    /// Plans a key.
    pub fn add(
        &mut self,
        key: &UnitKey,
        text: &'c str,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        let parts = key.0.as_slice();
        let fail = |what: &str| Err(CatalogError::new(0, ["the key ", &key.to_string(), what].concat()));
        let mut depth = parts.len().min(128).saturating_sub(1);
        if parts.is_empty() || parts.len() > 128 {
            return fail(" does not have between 1 and 128 levels");
        }
        // An item may push another one back.
        let taken = parts.len() - usize::from(matches!(parts.last(), Some(UnitKeyPart::Item(_))));
        if (1..=taken).any(|length| parts.get(..length).is_some_and(|path| self.known.contains(path))) {
            return fail(" stands where another value is");
        }
        let container = loop {
            let path = parts.get(..depth).unwrap_or_default();
            if let Some(container) = self.tree.containers.get(path) {
                break container;
            }
            if depth == 0 {
                return fail(" has no place in the file");
            }
            depth -= 1;
        };
        let (path, missing) = parts.split_at_checked(depth).unwrap_or((&[], parts));
        let names = missing.iter().take_while(|part| matches!(part, UnitKeyPart::Name(_))).count();
        match container {
            TomlContainer::Array(_) | TomlContainer::Tables if names > 0 => fail(" is a name where a list is"),
            TomlContainer::Table { .. } | TomlContainer::Implicit if names == 0 => fail(" is an item where a table is"),
            TomlContainer::Array(inline) => {
                let owner = TomlOwner::Inline(*inline);
                let is_item = missing.len() == 1;
                let member = if is_item { None } else { parts.get(..=depth) };
                self.add_member(owner, Vec::new(), member, missing.get(1..), text, (after, before))
            }
            TomlContainer::Table { owner: owner @ TomlOwner::Inline(_), prefix } => {
                let names = [prefix.as_slice(), &names_of(missing.get(..1).unwrap_or_default())].concat();
                self.add_member(*owner, names, parts.get(..=depth), missing.get(1..), text, (after, before))
            }
            TomlContainer::Table { owner, prefix } if names == 1 || !prefix.is_empty() => {
                let all = [prefix.as_slice(), &names_of(missing.get(..names).unwrap_or_default())].concat();
                let member = parts.get(..depth + names);
                self.add_member(*owner, all, member, missing.get(names..), text, (after, before))
            }
            TomlContainer::Table { .. } | TomlContainer::Implicit => {
                let table = parts.get(..depth + names - 1).unwrap_or_default();
                self.add_to_table(path, table, parts, text, (after, before))
            }
            TomlContainer::Tables => {
                let table = parts.get(..=depth).unwrap_or_default();
                if missing.get(1).is_none_or(|part| matches!(part, UnitKeyPart::Item(_))) {
                    return fail(" is a text where a table is");
                }
                self.add_to_table(path, table, parts, text, (after, before))
            }
        }
    }

    fn add_member(
        &mut self,
        owner: TomlOwner,
        names: Vec<String>,
        path: Option<&[UnitKeyPart]>,
        rest: Option<&[UnitKeyPart]>,
        text: &'c str,
        near: (Option<usize>, Option<usize>),
    ) -> Result<(), CatalogError> {
        let rest = rest.unwrap_or_default();
        let planned = path.and_then(|path| self.planned.get(path)).copied();
        if let Some(PlannedPlace::Member(slot, position)) = planned {
            let member = self.members.get_mut(&slot).and_then(|members| members.get_mut(position));
            return add_below(member, rest, text);
        }
        let slot = (owner, self.slot(owner, near));
        let members = self.members.entry(slot).or_default();
        if let Some(path) = path {
            self.planned.insert(path.to_vec(), PlannedPlace::Member(slot, members.len()));
        }
        members.push(NewMember { names, value: new_value(rest, text)? });
        Ok(())
    }

    /// Plans a key of a table that does not exist, whose parent may.
    fn add_to_table(
        &mut self,
        parent: &[UnitKeyPart],
        table: &[UnitKeyPart],
        parts: &[UnitKeyPart],
        text: &'c str,
        near: (Option<usize>, Option<usize>),
    ) -> Result<(), CatalogError> {
        let number = match self.planned.get(table) {
            Some(PlannedPlace::Table(number)) => *number,
            Some(_) => return Err(CatalogError::new(0, "new keys contradict each other")),
            None => {
                let number = self.tables.len();
                self.tables.push(NewTable {
                    path: table.to_vec(),
                    place: self.place(parent, near),
                    members: Vec::new(),
                });
                self.planned.insert(table.to_vec(), PlannedPlace::Table(number));
                number
            }
        };
        let missing = parts.get(table.len()..).unwrap_or_default();
        let names = missing.iter().take_while(|part| matches!(part, UnitKeyPart::Name(_))).count();
        let (names, rest) = missing.split_at_checked(names).unwrap_or((missing, &[]));
        let path = parts.get(..table.len() + names.len()).unwrap_or_default().to_vec();
        let planned = self.planned.get(&path).copied();
        let Some(table) = self.tables.get_mut(number) else { return Ok(()) };
        if let Some(PlannedPlace::TableMember(position)) = planned {
            return add_below(table.members.get_mut(position), rest, text);
        }
        self.planned.insert(path, PlannedPlace::TableMember(table.members.len()));
        table.members.push(NewMember { names: names_of(names), value: new_value(rest, text)? });
        Ok(())
    }

    /// Returns the position in a table or array that is next to a leaf.
    fn slot(&self, owner: TomlOwner, (after, before): (Option<usize>, Option<usize>)) -> usize {
        let position = |leaf: Option<usize>| {
            let mut place = self.tree.leaves.get(leaf?)?.place;
            while place.0 != owner {
                let TomlOwner::Inline(inline) = place.0 else { return None };
                place = self.tree.inlines.get(inline)?.place;
            }
            Some(place.1)
        };
        let end = self.tree.members(owner).len();
        position(after).map(|position| position + 1).or_else(|| position(before)).unwrap_or(end)
    }

    /// Returns the section that a new table stands behind, or before if the flag is set.
    fn place(&self, parent: &[UnitKeyPart], (after, before): (Option<usize>, Option<usize>)) -> (usize, bool) {
        let group = |leaf: Option<usize>| {
            let leaf = self.tree.leaves.get(leaf?)?;
            let mut place = leaf.place;
            while let TomlOwner::Inline(inline) = place.0 {
                place = self.tree.inlines.get(inline)?.place;
            }
            let TomlOwner::Section(section) = place.0 else { return None };
            let path = &self.tree.sections.get(section)?.path;
            let group = path.get(..=parent.len()).filter(|path| path.starts_with(parent))?;
            self.ranges.get(group).copied()
        };
        let last = || self.ranges.get(parent).or_else(|| self.ranges.get([].as_slice())).map_or(0, |range| range.1);
        match (group(after), group(before)) {
            (Some((_, last)), _) => (last, false),
            (None, Some((first, _))) => (first, true),
            _ => (last(), false),
        }
    }

    /// Writes everything that was planned.
    pub fn write(&self, removals: &TomlRemovals<'_>, edits: &mut Vec<Edit>) {
        let mut known = None;
        for ((owner, slot), new) in &self.members {
            let kept = match known.take() {
                Some((of, kept)) if of == *owner => kept,
                _ => removals.kept(*owner),
            };
            let next = kept.partition_point(|kept| kept < slot);
            let previous = next.checked_sub(1).and_then(|at| kept.get(at)).copied();
            match owner {
                TomlOwner::Section(section) => {
                    edits.push(self.write_lines(*section, new, previous, kept.get(next).copied()));
                }
                TomlOwner::Inline(inline) => {
                    edits.extend(self.write_items(*inline, new, previous, kept.get(next).copied()));
                }
            }
            known = Some((*owner, kept));
        }
        for table in &self.tables {
            edits.push(self.write_table(table));
        }
    }

    fn write_lines(&self, section: usize, new: &[NewMember<'_>], previous: Option<usize>, next: Option<usize>) -> Edit {
        let owner = TomlOwner::Section(section);
        let members = self.tree.members(owner);
        let beside = members.get(previous.or(next).unwrap_or(0));
        let style = MemberStyle::beside(self.text, beside);
        let texts: Vec<String> =
            new.iter().map(|member| [&style.indent, style.member(member, self.newline).as_str()].concat()).collect();
        let at = match (previous.and(beside), beside) {
            (Some(member), _) => next_line(self.text, member.value.end),
            (None, Some(member)) => lines(self.text, self.tree, member.start, member.value.end).start,
            (None, None) => self.section_start(section),
        };
        insert_lines(self.text, at, &texts.join(self.newline), self.newline)
    }

    /// Returns where the members of a section without members stand.
    fn section_start(&self, section: usize) -> usize {
        let section = self.tree.sections.get(section);
        if let Some(header) = section.and_then(|section| section.header.as_ref()) {
            return next_line(self.text, header.end);
        }
        let first = self.tree.sections.get(1).and_then(|section| section.header.as_ref());
        first.map_or(self.text.len(), |header| lines(self.text, self.tree, header.start, header.end).start)
    }

    fn write_items(
        &self,
        inline: usize,
        new: &[NewMember<'_>],
        previous: Option<usize>,
        next: Option<usize>,
    ) -> Option<Edit> {
        let owner = TomlOwner::Inline(inline);
        let members = self.tree.members(owner);
        let beside = members.get(previous.or(next).unwrap_or(0));
        let style = MemberStyle::beside(self.text, beside);
        let texts: Vec<String> = new.iter().map(|member| style.member(member, self.newline)).collect();
        let Some(member) = beside else {
            return Some(Edit::insert(self.tree.inlines.get(inline)?.range.start + 1, texts.join(", ")));
        };
        let line = line_start(self.text, member.start);
        let blanks = self.text.get(line..member.start)?;
        let is_own_line = line > self.tree.inlines.get(inline)?.range.start && blanks.trim().is_empty();
        let separator = if is_own_line { [",", self.newline, blanks].concat() } else { ", ".to_owned() };
        let text = texts.join(&separator);
        Some(match (previous, next) {
            (Some(_), _) => Edit::insert(member.value.end, [separator, text].concat()),
            (None, Some(_)) => Edit::insert(member.start, [text, separator].concat()),
            (None, None) => Edit::insert(member.start, text),
        })
    }

    fn write_table(&self, table: &NewTable<'_>) -> Edit {
        let is_item = matches!(table.path.last(), Some(UnitKeyPart::Item(_)));
        let (open, close) = if is_item { ("[[", "]]") } else { ("[", "]") };
        let names = names_of(&table.path);
        let header = [open, &write_keys(&names), close].concat();
        let (number, is_before) = table.place;
        let section = self.tree.sections.get(number);
        let beside = section.and_then(|section| section.members.first());
        let style = MemberStyle::beside(self.text, beside);
        // A table of the same level shows how far headers and keys are indented.
        let sibling = section.filter(|section| section.path.len() == table.path.len());
        let sibling = sibling.and_then(|section| section.header.as_ref());
        let blanks = sibling.and_then(|header| self.text.get(line_start(self.text, header.start)..header.start));
        let blanks = blanks.filter(|blanks| blanks.trim().is_empty());
        let indent = if blanks.is_some() { style.indent.as_str() } else { "" };
        let header = [blanks.unwrap_or_default(), header.as_str()].concat();
        let members = table.members.iter().map(|member| [indent, &style.member(member, self.newline)].concat());
        let mut text: String = std::iter::once(header).chain(members).collect::<Vec<_>>().join(self.newline);
        let at = match section {
            Some(section) if is_before => {
                let start = section.header.as_ref().map_or(0, |header| header.start);
                lines(self.text, self.tree, start, start).start
            }
            Some(section) => match section.members.last() {
                Some(member) => next_line(self.text, member.value.end),
                None if section.header.is_none() => self.text.len(),
                None => self.section_start(number),
            },
            None => self.text.len(),
        };
        let before = self.text.get(..at).unwrap_or_default();
        let after = self.text.get(at..).unwrap_or_default();
        if is_before && (at == 0 || before.ends_with("\n\n") || before.ends_with("\n\r\n")) {
            text.push_str(self.newline);
        } else if !is_before && at > 0 && (after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n")) {
            text.insert_str(0, self.newline);
        }
        insert_lines(self.text, at, &text, self.newline)
    }
}

fn new_value<'c>(rest: &[UnitKeyPart], text: &'c str) -> Result<NewValue<'c>, CatalogError> {
    if rest.is_empty() {
        return Ok(NewValue::Text(text));
    }
    let mut level = NewLevel::default();
    level.add(rest, text)?;
    Ok(NewValue::Level(level))
}

fn add_below<'c>(member: Option<&mut NewMember<'c>>, rest: &[UnitKeyPart], text: &'c str) -> Result<(), CatalogError> {
    match member.map(|member| &mut member.value) {
        Some(NewValue::Level(level)) if !rest.is_empty() => level.add(rest, text),
        _ => Err(CatalogError::new(0, "new keys contradict each other")),
    }
}
