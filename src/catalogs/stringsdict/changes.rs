//! Changes of a `.stringsdict` file as edits.
//!
//! Input: the units of the file, and changes. Output: edits of strings, entries inserted and removed; of a text whose parts are all
//! removed, the whole entry.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::CatalogError;
use super::super::catalog::{Unit, UnitText};
use super::super::change::Change;
use super::super::edit::Edit;
use super::super::xml::{XmlInsertions, XmlPlace, XmlTree, escape_text};
use super::new_text::{DictWriter, NewDictPart, category, refused};
use super::plist::PlistEntry;
use super::{DictOrigin, StringsDict};

/// The indentation where a file has none.
const STEP: &str = "\t";

/// Returns the edits that carry out changes.
pub fn edits(tree: &XmlTree<'_>, file: &StringsDict, changes: &[Change<'_>]) -> Result<Vec<Edit>, CatalogError> {
    let writer = DictWriter { tree, step: tree.indent_step(STEP) };
    let mut editor = DictEditor { tree, file, writer, edits: Vec::new(), insertions: XmlInsertions::default() };
    let mut removed = BTreeSet::new();
    let mut new = NewDictTexts::default();
    for change in changes {
        match change {
            Change::Set { unit, text, .. } => editor.set(*unit, text)?,
            Change::Insert { like, text, after, before } => {
                let (name, part) = NewDictPart::new(like, text)?;
                new.add(name, (*after, *before), part);
            }
            Change::Remove { unit } => drop(removed.insert(*unit)),
        }
    }
    editor.remove(&removed);
    editor.insert(&new)?;
    let mut edits = editor.edits;
    edits.extend(editor.insertions.finish(tree, STEP));
    Ok(edits)
}

/// The texts that are inserted, or whose parts are.
#[derive(Default)]
struct NewDictTexts<'a> {
    texts: Vec<NewDictText<'a>>,
    numbers: HashMap<&'a str, usize>,
}

struct NewDictText<'a> {
    name: &'a str,
    parts: Vec<(Neighbours, NewDictPart<'a>)>,
}

/// The units before and after a new one.
type Neighbours = (Option<usize>, Option<usize>);

impl<'a> NewDictTexts<'a> {
    fn add(&mut self, name: &'a str, neighbours: Neighbours, part: NewDictPart<'a>) {
        let next = self.texts.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.texts.push(NewDictText { name, parts: Vec::new() });
        }
        if let Some(text) = self.texts.get_mut(number) {
            text.parts.push((neighbours, part));
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
                let mut new = BTreeMap::new();
                for form in forms {
                    new.insert(category(form.form, old.at)?, form.text.as_str());
                }
                for ((category, entry), old_form) in origin.forms.iter().zip(old_forms) {
                    match new.remove(category) {
                        Some(text) if text == old_form.text => {}
                        Some(text) => self.set_string(entry, text)?,
                        None => self.edits.push(Edit::remove(entry.place.outer.clone())),
                    }
                }
                for (category, text) in new {
                    let lines = self.writer.string(category.name(), text)?;
                    let before = origin.forms.iter().rev().find(|(other, _)| *other < category);
                    let first = origin.forms.first().map(|(_, entry)| (&entry.place, false));
                    let beside = before.map(|(_, entry)| (&entry.place, true)).or(first);
                    self.beside(beside, &lines, origin.own.value);
                }
                Ok(())
            }
            _ => Err(CatalogError::new(
                old.at,
                "a text cannot take the place of plural forms here, nor they that of a text",
            )),
        }
    }

    fn beside(&mut self, beside: Option<(&XmlPlace, bool)>, lines: &[String], parent: usize) {
        match beside {
            Some((place, is_after)) => self.insertions.beside(self.tree, place, is_after, lines),
            None => self.insertions.inside(parent, lines.iter().cloned()),
        }
    }

    fn set_string(&mut self, entry: &PlistEntry, text: &str) -> Result<(), CatalogError> {
        let content = self.tree.node(entry.value).content.clone();
        let new = escape_text(text, self.tree.line_end()).map_err(|c| refused(c, content.start))?;
        let opened = self.tree.opened(entry.value, &new);
        self.edits.push(opened.unwrap_or_else(|| Edit::replace(content, new)));
        Ok(())
    }

    /// Removes units; with all units of an entry, the entry.
    fn remove(&mut self, removed: &BTreeSet<usize>) {
        let mut left: HashMap<(usize, Option<usize>), usize> = HashMap::new();
        for (unit, origin) in &self.file.units {
            let kept = usize::from(!removed.contains(&unit.id));
            *left.entry((origin.entry, None)).or_default() += kept;
            if let Some(rule) = &origin.rule {
                *left.entry((origin.entry, Some(rule.value))).or_default() += kept;
            }
        }
        let is_empty = |entry: usize, rule: Option<usize>| left.get(&(entry, rule)) == Some(&0);
        // By its start, since several units may be removed with one entry.
        let mut ranges = BTreeMap::new();
        for (_, origin) in removed.iter().filter_map(|unit| self.unit(Some(*unit))) {
            let rule = origin.rule.as_ref().filter(|rule| is_empty(origin.entry, Some(rule.value)));
            let whole = self.file.entries.get(origin.entry).filter(|_| is_empty(origin.entry, None));
            let entry = whole.map(|(entry, _)| entry).or(rule).unwrap_or(&origin.own);
            ranges.insert(entry.place.outer.start, entry.place.outer.clone());
        }
        self.edits.extend(ranges.into_values().map(Edit::remove));
    }

    fn insert(&mut self, new: &NewDictTexts<'_>) -> Result<(), CatalogError> {
        let known: HashMap<&str, usize> =
            self.file.entries.iter().enumerate().map(|(number, (entry, _))| (entry.name.as_str(), number)).collect();
        for text in &new.texts {
            match known.get(text.name) {
                Some(number) => self.insert_parts(*number, text)?,
                None => self.insert_text(text)?,
            }
        }
        Ok(())
    }

    fn insert_text(&mut self, text: &NewDictText<'_>) -> Result<(), CatalogError> {
        let place = |unit| self.file.entries.get(self.unit(unit)?.1.entry).map(|(entry, _)| &entry.place);
        let (after, before) = text.parts.first().map_or((None, None), |(neighbours, _)| *neighbours);
        let end = self.file.entries.last().map(|(entry, _)| (&entry.place, true));
        let after = place(after).map(|place| (place, true));
        let beside = after.or_else(|| place(before).map(|place| (place, false))).or(end);
        let indent = beside.map_or(self.writer.step, |(place, _)| self.tree.line_indent(place.element));
        let (name, parts) = (text.name, text.parts.iter());
        let parts: Vec<NewDictPart<'_>> = parts.map(|(_, part)| part.clone()).collect();
        let lines = self.writer.entry(name, &parts, indent)?;
        self.beside(beside, &lines, self.file.dict);
        Ok(())
    }

    /// Inserts parts in a text that the file has.
    fn insert_parts(&mut self, number: usize, text: &NewDictText<'_>) -> Result<(), CatalogError> {
        let Some((entry, inner)) = self.file.entries.get(number) else { return Ok(()) };
        let mut new_rules: Vec<(&str, Vec<String>)> = Vec::new();
        for ((after, before), part) in &text.parts {
            let lines = part.lines(&self.writer)?;
            let name = part.path().first().copied().filter(|_| part.path().len() > 1);
            let rule = inner.iter().find(|own| Some(own.name.as_str()) == name);
            if let (Some(name), None) = (name, rule) {
                match new_rules.iter_mut().find(|(rule, _)| *rule == name) {
                    Some((_, variants)) => variants.extend(lines),
                    None => new_rules.push((name, lines)),
                }
                continue;
            }
            let is_sibling = |origin: &&DictOrigin| {
                origin.entry == number && origin.rule.as_ref().map(|rule| rule.value) == rule.map(|rule| rule.value)
            };
            let place = |unit| Some(&self.unit(unit).map(|(_, origin)| origin).filter(is_sibling)?.own.place);
            let last = match rule {
                Some(rule) => super::plist::entries(self.tree, rule.value)?.pop().map(|entry| entry.place),
                None => inner.last().map(|own| own.place.clone()),
            };
            let after = place(*after).map(|place| (place, true));
            let before = place(*before).map(|place| (place, false));
            let beside = after.or(before).or(last.as_ref().map(|place| (place, true)));
            self.beside(beside, &lines, rule.map_or(entry.value, |rule| rule.value));
        }
        for (rule, variants) in new_rules {
            let lines = self.writer.dict(rule, variants)?;
            self.beside(inner.last().map(|own| (&own.place, true)), &lines, entry.value);
        }
        Ok(())
    }
}
