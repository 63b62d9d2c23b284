//! Turns changes of a `.stringsdict` file into edits of strings, and insertions and removals of entries. An entry is
//! removed with its last unit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::super::CatalogError;
use super::super::catalog::{Unit, UnitText, by_category};
use super::super::edit::Edit;
use super::super::xml::{XmlInsertions, XmlTree, escape_comment, escape_text, invalid_char_error};
use super::PlistEntry;
use super::new_text::{DictWriter, NewDictEntry, NewDictPart, ONLY_CATEGORIES, key_names};
use super::{DictOrigin, FORMAT_KEY, StringsDict, is_variable};
use crate::catalog::Change;

const DEFAULT_INDENT: &str = "\t";

pub fn edits(tree: &XmlTree<'_>, file: &StringsDict, changes: &[Change<'_>]) -> Result<Vec<Edit>, CatalogError> {
    let writer = DictWriter { tree, step: tree.indent_step(DEFAULT_INDENT) };
    let mut editor = DictEditor { tree, file, writer, edits: Vec::new(), insertions: XmlInsertions::default() };
    let mut removed = BTreeSet::new();
    let mut new = NewDictEntries::default();
    for change in changes {
        match change {
            Change::Set { unit, text, .. } => editor.set(*unit, text)?,
            Change::Insert { like, text, after, before } => {
                new.add(file, &key_names(&like.key)?, (*after, *before), NewDictPart { like, text });
            }
            Change::Remove { unit } => drop(removed.insert(*unit)),
        }
    }
    editor.remove(&removed, &new.dicts);
    for new in &new.entries {
        editor.insert(new)?;
    }
    let mut edits = editor.edits;
    edits.extend(editor.insertions.finish(tree, DEFAULT_INDENT));
    Ok(edits)
}

#[derive(Default)]
struct NewDictEntries<'a> {
    entries: Vec<PositionedEntry<'a>>,
    /// Indices into `entries`, by dictionary and name.
    entry_index: HashMap<(usize, &'a str), usize>,
    /// The existing dictionaries that get new entries, and the dictionaries around them.
    dicts: HashSet<usize>,
}

struct PositionedEntry<'a> {
    dict: usize,
    /// The number of entries around the dictionary.
    depth: usize,
    name: &'a str,
    neighbours: Neighbours,
    entry: NewDictEntry<'a>,
}

/// The existing units before and after a new one.
type Neighbours = (Option<usize>, Option<usize>);

impl<'a> NewDictEntries<'a> {
    /// Adds a unit to a new entry in the innermost existing dictionary on its path.
    fn add(&mut self, file: &StringsDict, path: &[&'a str], neighbours: Neighbours, part: NewDictPart<'a>) {
        let (mut dict, mut rest) = (file.dict, path);
        while let [name, inner @ ..] = rest
            && let Some(entry) = file.dicts.get(&dict).and_then(|entries| entries.by_name.get(*name))
            && file.dicts.contains_key(&entry.value)
            && !inner.is_empty()
        {
            (dict, rest) = (entry.value, inner);
            self.dicts.insert(dict);
        }
        let [name, inner @ ..] = rest else { return };
        let next = self.entries.len();
        let number = *self.entry_index.entry((dict, name)).or_insert(next);
        if number == next {
            let depth = path.len() - rest.len();
            self.entries.push(PositionedEntry { dict, depth, name, neighbours, entry: NewDictEntry::new(name) });
        }
        if let Some(positioned) = self.entries.get_mut(number) {
            positioned.entry.add(inner, part);
        }
    }
}

struct DictEditor<'a> {
    tree: &'a XmlTree<'a>,
    file: &'a StringsDict,
    writer: DictWriter<'a>,
    edits: Vec<Edit>,
    insertions: XmlInsertions,
}

impl<'a> DictEditor<'a> {
    fn unit(&self, unit: Option<usize>) -> Option<&'a (Unit, DictOrigin)> {
        self.file.units.get(unit?)
    }

    fn set(&mut self, unit: usize, text: &UnitText) -> Result<(), CatalogError> {
        let Some((old, origin)) = self.unit(Some(unit)) else { return Ok(()) };
        match (text, &old.text) {
            (UnitText::Single(new), UnitText::Single(old_text)) if new == old_text => Ok(()),
            (UnitText::Single(new), UnitText::Single(_)) => self.set_string(&origin.own, new),
            (UnitText::Plural(_, forms), UnitText::Plural(_, old_forms)) => {
                let mut new = BTreeMap::from_iter(by_category(forms, old.at, ONLY_CATEGORIES)?);
                for ((category, entry), old_form) in origin.forms.iter().zip(old_forms) {
                    match new.remove(category) {
                        Some(text) if text == old_form.text => {}
                        Some(text) => self.set_string(entry, text)?,
                        None => self.edits.push(Edit::remove(entry.span.outer.clone())),
                    }
                }
                for (category, text) in new {
                    let lines = self.writer.string(category.name(), text)?;
                    let before = origin.forms.iter().rev().find(|(other, _)| *other < category);
                    let first = origin.forms.first().map(|(_, entry)| (&entry.span, false));
                    let beside = before.map(|(_, entry)| (&entry.span, true)).or(first);
                    self.insertions.insert(self.tree, beside, origin.own.value, lines);
                }
                Ok(())
            }
            _ => Err(CatalogError::new(old.at, "a text cannot be changed into a plural here, or a plural into a text")),
        }
    }

    fn set_string(&mut self, entry: &PlistEntry, text: &str) -> Result<(), CatalogError> {
        let content = self.tree.node(entry.value).content.clone();
        let new = escape_text(text, self.tree.line_end()).map_err(|c| invalid_char_error(c, content.start))?;
        let opened = self.tree.expand_self_closing(entry.value, &new);
        self.edits.push(opened.unwrap_or_else(|| Edit::replace(content, new)));
        Ok(())
    }

    /// An entry is removed with its last unit, unless its dictionary is in `kept`.
    fn remove(&mut self, removed: &BTreeSet<usize>, kept: &HashSet<usize>) {
        let mut left: HashMap<usize, usize> = kept.iter().map(|dict| (*dict, 1)).collect();
        for (unit, origin) in &self.file.units {
            for entry in &origin.ancestors {
                *left.entry(entry.value).or_default() += usize::from(!removed.contains(&unit.id));
            }
        }
        // Ranges by their start, so that an entry is removed only once if several units are removed with it.
        let mut ranges = BTreeMap::new();
        for (_, origin) in removed.iter().filter_map(|unit| self.unit(Some(*unit))) {
            let whole = origin.ancestors.iter().find(|entry| left.get(&entry.value) == Some(&0));
            let span = &whole.unwrap_or(&origin.own).span;
            ranges.insert(span.outer.start, span.outer.clone());
        }
        self.edits.extend(ranges.into_values().map(Edit::remove));
    }

    fn insert(&mut self, new: &PositionedEntry<'_>) -> Result<(), CatalogError> {
        let entries = self.file.dicts.get(&new.dict);
        let old = entries.and_then(|entries| entries.by_name.get(new.name));
        self.edits.extend(old.map(|old| Edit::remove(old.span.outer.clone())));
        let format = entries.and_then(|entries| entries.by_name.get(FORMAT_KEY));
        if let (Some(format), Some(own)) = (format, new.entry.own_format())
            && format.string(self.tree).is_some_and(|format| format != own && is_variable(&format))
        {
            self.set_string(format, own)?;
        }
        let span = |unit| {
            let (_, origin) = self.unit(unit)?;
            let mut chain = origin.ancestors.iter().chain([&origin.own]);
            let parent = new.depth.checked_sub(1).and_then(|depth| origin.ancestors.get(depth));
            let is_here = parent.map_or(self.file.dict, |parent| parent.value) == new.dict;
            chain.nth(new.depth).filter(|_| is_here).map(|entry| &entry.span)
        };
        let (after, before) = new.neighbours;
        let last = entries.and_then(|entries| entries.last.as_ref()).map(|entry| (&entry.span, true));
        let after = span(after).map(|span| (span, true));
        let beside = after.or_else(|| span(before).map(|span| (span, false))).or(last);
        let indent = beside.map_or(self.writer.step, |(span, _)| self.tree.line_indent(span.element));
        let note = new.entry.note().filter(|_| new.depth == 0);
        let mut lines: Vec<String> =
            note.into_iter().map(|note| escape_comment(note, self.tree.line_end(), indent)).collect();
        lines.extend(new.entry.lines(&self.writer)?);
        self.insertions.insert(self.tree, beside, new.dict, lines);
        Ok(())
    }
}
