//! A TOML file as tables, members and leaves with their bytes.
//!
//! Input: the text of a file. Output: a [`TomlTree`].

use std::collections::HashMap;
use std::ops::Range;

use toml_edit::{Document, InlineTable, Item, Key, Table, Value};

use crate::edit::{line_start, next_line};
use crate::{CatalogError, UnitKeyPart};

/// What holds members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum TomlOwner {
    /// A table with a header, or the root: position in [`TomlTree::sections`].
    Section(usize),
    /// An inline table or array: position in [`TomlTree::inlines`].
    Inline(usize),
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub(super) enum TomlContainer {
    /// A table. Members of dotted keys have a prefix there.
    Table { owner: TomlOwner, prefix: Vec<String> },
    /// An array of values.
    Array(usize),
    /// A table that only headers of tables below it name.
    Implicit,
    /// An array of tables.
    Tables,
}

/// The lines of a table: its header and members.
#[derive(Debug)]
pub(super) struct TomlSection {
    pub path: Vec<UnitKeyPart>,
    /// The bytes of the header; `None` for the root.
    pub header: Option<Range<usize>>,
    pub members: Vec<TomlMember>,
}

/// An inline table or an array.
#[derive(Debug)]
pub(super) struct TomlInline {
    pub range: Range<usize>,
    pub members: Vec<TomlMember>,
    /// The owner of the member that this is the value of, and its position there.
    pub place: (TomlOwner, usize),
}

/// A key with its value, or an item of an array.
#[derive(Clone, Debug)]
pub(super) struct TomlMember {
    /// Where its key begins.
    pub start: usize,
    pub key_end: usize,
    pub value: Range<usize>,
}

/// A string or another value that is no table and no array.
#[derive(Debug)]
pub(super) struct TomlLeaf {
    pub path: Vec<UnitKeyPart>,
    pub text: Option<String>,
    pub value: Range<usize>,
    pub place: (TomlOwner, usize),
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct TomlTree {
    pub sections: Vec<TomlSection>,
    pub inlines: Vec<TomlInline>,
    /// The leaves in the order of the file.
    pub leaves: Vec<TomlLeaf>,
    pub containers: HashMap<Vec<UnitKeyPart>, TomlContainer>,
    /// The ends of all values.
    ends: Vec<usize>,
}

impl TomlTree {
    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, CatalogError> {
        let document = Document::parse(text).map_err(|error| {
            let what = ["the file is not valid TOML: ", error.message()].concat();
            CatalogError::new(error.span().map_or(0, |span| span.start), what)
        })?;
        let mut tree = Self::default();
        tree.section(document.as_table(), Vec::new(), None);
        tree.order();
        tree.ends = tree.leaves.iter().map(|leaf| leaf.value.end).collect();
        tree.ends.extend(tree.inlines.iter().map(|inline| inline.range.end));
        tree.ends.sort_unstable();
        for leaf in &mut tree.leaves {
            let is_multi = text
                .get(leaf.value.clone())
                .is_some_and(|value| value.starts_with(['"', '\'']) && value.contains("\r\n"));
            if is_multi {
                leaf.text = leaf.text.take().map(|text| text.replace("\r\n", "\n"));
            }
        }
        Ok(tree)
    }

    pub fn members(&self, owner: TomlOwner) -> &[TomlMember] {
        match owner {
            TomlOwner::Section(section) => self.sections.get(section).map_or(&[], |section| &section.members),
            TomlOwner::Inline(inline) => self.inlines.get(inline).map_or(&[], |inline| &inline.members),
        }
    }

    fn section(&mut self, table: &Table, path: Vec<UnitKeyPart>, header: Option<Range<usize>>) {
        let number = self.sections.len();
        self.sections.push(TomlSection { path: path.clone(), header, members: Vec::new() });
        self.table(table, path, number, Vec::new());
    }

    /// Reads a table whose members stand in a section, with a prefix if it is one of dotted keys.
    fn table(&mut self, table: &Table, path: Vec<UnitKeyPart>, section: usize, prefix: Vec<String>) {
        let owner = TomlOwner::Section(section);
        for (name, item) in table {
            let path = joined(&path, UnitKeyPart::Name(name.to_owned()));
            match item {
                Item::Value(value) => {
                    let key = table.key(name).and_then(Key::span).unwrap_or_default();
                    self.member(owner, &key, value, path);
                }
                Item::Table(inner) if inner.is_dotted() => {
                    let prefix = [prefix.as_slice(), &[name.to_owned()]].concat();
                    self.table(inner, path, section, prefix);
                }
                Item::Table(inner) if inner.is_implicit() => self.implicit(inner, path),
                Item::Table(inner) => self.section(inner, path, inner.span()),
                Item::ArrayOfTables(tables) => {
                    for (number, table) in tables.iter().enumerate() {
                        self.section(table, joined(&path, UnitKeyPart::Item(number)), table.span());
                    }
                    self.containers.insert(path, TomlContainer::Tables);
                }
                Item::None => {}
            }
        }
        self.containers.insert(path, TomlContainer::Table { owner, prefix });
    }

    fn implicit(&mut self, table: &Table, path: Vec<UnitKeyPart>) {
        for (name, item) in table {
            let path = joined(&path, UnitKeyPart::Name(name.to_owned()));
            match item {
                Item::Table(inner) if inner.is_implicit() && !inner.is_dotted() => self.implicit(inner, path),
                Item::Table(inner) => self.section(inner, path, inner.span()),
                Item::ArrayOfTables(tables) => {
                    for (number, table) in tables.iter().enumerate() {
                        self.section(table, joined(&path, UnitKeyPart::Item(number)), table.span());
                    }
                    self.containers.insert(path, TomlContainer::Tables);
                }
                _ => {}
            }
        }
        self.containers.insert(path, TomlContainer::Implicit);
    }

    fn member(&mut self, owner: TomlOwner, key: &Range<usize>, value: &Value, path: Vec<UnitKeyPart>) {
        let range = value.span().unwrap_or_default();
        let member = TomlMember { start: key.start, key_end: key.end, value: range.clone() };
        let members = match owner {
            TomlOwner::Section(section) => self.sections.get_mut(section).map(|section| &mut section.members),
            TomlOwner::Inline(inline) => self.inlines.get_mut(inline).map(|inline| &mut inline.members),
        };
        let Some(members) = members else { return };
        let place = (owner, members.len());
        members.push(member);
        let inline = self.inlines.len();
        match value {
            Value::Array(array) => {
                self.inlines.push(TomlInline { range, members: Vec::new(), place });
                for (number, item) in array.iter().enumerate() {
                    let at = item.span().map_or(0, |span| span.start);
                    let path = joined(&path, UnitKeyPart::Item(number));
                    self.member(TomlOwner::Inline(inline), &(at..at), item, path);
                }
                self.containers.insert(path, TomlContainer::Array(inline));
            }
            Value::InlineTable(table) => {
                self.inlines.push(TomlInline { range, members: Vec::new(), place });
                self.inline_table(table, path, inline, Vec::new());
            }
            _ => {
                let text = value.as_str().map(str::to_owned);
                self.leaves.push(TomlLeaf { path, text, value: range, place });
            }
        }
    }

    fn inline_table(&mut self, table: &InlineTable, path: Vec<UnitKeyPart>, inline: usize, prefix: Vec<String>) {
        let owner = TomlOwner::Inline(inline);
        for (name, value) in table {
            let path = joined(&path, UnitKeyPart::Name(name.to_owned()));
            let key = table.key(name).and_then(Key::span).unwrap_or_default();
            match value {
                Value::InlineTable(inner) if inner.is_dotted() => {
                    self.inline_table(inner, path, inline, [prefix.as_slice(), &[name.to_owned()]].concat());
                }
                _ => self.member(owner, &key, value, path),
            }
        }
        self.containers.insert(path, TomlContainer::Table { owner, prefix });
    }

    /// Puts sections, members and leaves into the order of the file. Dotted keys and headers may be scattered.
    fn order(&mut self) {
        let mut order: Vec<usize> = (0..self.sections.len()).collect();
        let starts: Vec<usize> =
            self.sections.iter().map(|section| section.header.as_ref().map_or(0, |header| header.start + 1)).collect();
        order.sort_by_key(|section| starts.get(*section).copied());
        let mut new_sections = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            if let Some(section) = new_sections.get_mut(*old) {
                *section = new;
            }
        }
        self.sections.sort_by_key(|section| section.header.as_ref().map_or(0, |header| header.start + 1));
        let mut positions: HashMap<usize, usize> = HashMap::new();
        let sections = self.sections.iter_mut().map(|section| &mut section.members);
        for members in sections.chain(self.inlines.iter_mut().map(|inline| &mut inline.members)) {
            members.sort_by_key(|member| member.value.start);
            positions.extend(members.iter().enumerate().map(|(position, member)| (member.value.start, position)));
        }
        let owner = |owner: TomlOwner| match owner {
            TomlOwner::Section(section) => TomlOwner::Section(new_sections.get(section).copied().unwrap_or(section)),
            inline @ TomlOwner::Inline(_) => inline,
        };
        let place = |place: (TomlOwner, usize), start: usize| {
            (owner(place.0), positions.get(&start).copied().unwrap_or(place.1))
        };
        for inline in &mut self.inlines {
            inline.place = place(inline.place, inline.range.start);
        }
        for leaf in &mut self.leaves {
            leaf.place = place(leaf.place, leaf.value.start);
        }
        self.leaves.sort_by_key(|leaf| leaf.value.start);
        for container in self.containers.values_mut() {
            if let TomlContainer::Table { owner: old, .. } = container {
                *old = owner(*old);
            }
        }
    }
}

fn joined(path: &[UnitKeyPart], part: UnitKeyPart) -> Vec<UnitKeyPart> {
    let mut path = path.to_vec();
    path.push(part);
    path
}

/// Returns the lines of a member or header with the comments directly above it.
pub(super) fn lines(text: &str, tree: &TomlTree, start: usize, end: usize) -> Range<usize> {
    let mut first = line_start(text, start);
    // A line of a string that ends above may look like a comment.
    let low = tree.ends.partition_point(|end| *end <= first).checked_sub(1).and_then(|at| tree.ends.get(at));
    while first > 0 {
        let above = line_start(text, first - 1);
        let is_comment =
            text.get(above..first).is_some_and(|line| line.trim_start_matches([' ', '\t']).starts_with('#'));
        if !is_comment || low.is_some_and(|low| above < *low) {
            break;
        }
        first = above;
    }
    first..next_line(text, end)
}
