//! Turns changes of units into edits of patterns and lines. An entry without remaining parts is removed with its comment.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::entries::FtlEntry;
use super::scan::ScannedPart;
use super::text::{PatternLayout, common_indent, placeable_indent, text_of};
use super::{FtlPart, parts};
use crate::edit::{insert_lines, join_removals, line_end, newline_of, next_line};
use crate::{CatalogError, Change, Edit, Unit, UnitKey, UnitKeyPart};

/// The indentation of lines below their key if the file has none, in spaces.
const INDENT: usize = 4;
const NO_PLURALS: &str = "in Fluent, all forms of a plural are in one text";

pub(super) fn edits(text: &str, entries: &[FtlEntry], changes: &[Change<'_>]) -> Result<Vec<Edit>, CatalogError> {
    let mut planner = FtlPlanner::new(text, entries);
    for change in changes {
        match change {
            Change::Set { unit, text, .. } => planner.set(*unit, text.single(0, NO_PLURALS)?)?,
            Change::Remove { unit } => {
                let key = planner.unit(*unit)?.key(text);
                // Remove duplicates too; otherwise one of them would become effective.
                let all = planner.parts.get(&key).into_iter().flatten();
                planner.removed.extend(all.map(|part| (part.number, part.attribute)));
            }
            Change::Insert { like, text, after, before } => {
                planner.insert(like, text.single(0, NO_PLURALS)?, *after, *before)?;
            }
        }
    }
    planner.finish()
}

#[derive(Debug)]
struct NewFtlEntry<'c> {
    id: &'c str,
    note: Option<&'c str>,
    value: Option<&'c str>,
    attributes: Vec<(&'c str, &'c str)>,
}

struct FtlPlanner<'t, 'c> {
    text: &'t str,
    entries: &'t [FtlEntry],
    units: Vec<FtlPart<'t>>,
    parts: HashMap<UnitKey, Vec<FtlPart<'t>>>,
    ids: HashMap<&'t str, usize>,
    indent: usize,
    newline: &'static str,
    edits: Vec<Edit>,
    removed: BTreeSet<(usize, Option<usize>)>,
    receiving: BTreeSet<usize>,
    inserted: BTreeMap<usize, Vec<NewFtlEntry<'c>>>,
    pending: HashMap<&'c str, (usize, usize)>,
}

impl<'t, 'c> FtlPlanner<'t, 'c> {
    fn new(text: &'t str, entries: &'t [FtlEntry]) -> Self {
        let mut units = Vec::new();
        let mut by_key: HashMap<UnitKey, Vec<FtlPart<'t>>> = HashMap::new();
        for part in parts(entries) {
            let same = by_key.entry(part.key(text)).or_default();
            if same.is_empty() {
                units.push(part);
            }
            same.push(part);
        }
        let mut ids = HashMap::new();
        for (number, entry) in entries.iter().enumerate() {
            ids.entry(text.get(entry.id.clone()).unwrap_or_default()).or_insert(number);
        }
        let indents = entries.iter().flat_map(|entry| {
            let attributes = entry.attributes.iter().map(|attribute| attribute.indent);
            entry.value.as_ref().and_then(common_indent).into_iter().chain(attributes)
        });
        Self {
            text,
            entries,
            units,
            parts: by_key,
            ids,
            indent: indents.into_iter().find(|indent| *indent > 0).unwrap_or(INDENT),
            newline: newline_of(text),
            edits: Vec::new(),
            removed: BTreeSet::new(),
            receiving: BTreeSet::new(),
            inserted: BTreeMap::new(),
            pending: HashMap::new(),
        }
    }

    fn unit(&self, unit: usize) -> Result<FtlPart<'t>, CatalogError> {
        self.units.get(unit).copied().ok_or_else(|| CatalogError::new(0, "there is no such text in the file"))
    }

    fn layout(&self, levels: usize) -> PatternLayout {
        PatternLayout { indent: self.indent * levels, is_block: false, is_inline: false, newline: self.newline }
    }

    fn set(&mut self, unit: usize, new: &str) -> Result<(), CatalogError> {
        let part = self.unit(unit)?;
        let entry = part.entry;
        let (value_at, pattern, levels) = match part.attribute.and_then(|attribute| entry.attributes.get(attribute)) {
            Some(attribute) => (attribute.value_at, Some(&attribute.value), 2),
            None => (entry.value_at, entry.value.as_ref(), 1),
        };
        let Some(pattern) = pattern.filter(|pattern| text_of(self.text, pattern) != new) else { return Ok(()) };
        let mut layout = self.layout(levels);
        let indent = common_indent(pattern).or_else(|| placeable_indent(self.text, pattern));
        if let Some(indent) = indent.filter(|indent| *indent > 0) {
            layout.indent = indent;
        }
        layout.is_block = pattern.first_indent.is_some();
        layout.is_inline =
            !layout.is_block && pattern.parts.iter().any(|part| matches!(part, ScannedPart::Break { .. }));
        let spaces = if layout.is_block { None } else { self.text.get(value_at..pattern.start) };
        self.edits.push(Edit::replace(value_at..pattern.end, layout.write(new, spaces.unwrap_or(" "))));
        Ok(())
    }

    fn insert(
        &mut self,
        like: &'c Unit,
        new: &'c str,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        let (id, attribute) = entry_and_attribute(&like.key)?;
        if let Some(number) = self.ids.get(id).copied() {
            return self.insert_into(number, &like.key, attribute, new, after, before);
        }
        let place = |unit: Option<usize>| unit.and_then(|unit| self.units.get(unit)).map(|part| part.entry);
        let at = match (place(after), place(before)) {
            (Some(entry), _) => next_line(self.text, entry.end),
            (None, Some(entry)) => entry.start,
            (None, None) => self.text.len(),
        };
        let (at, position) = *self.pending.entry(id).or_insert_with(|| {
            let entries = self.inserted.entry(at).or_default();
            entries.push(NewFtlEntry { id, note: like.note.as_deref(), value: None, attributes: Vec::new() });
            (at, entries.len() - 1)
        });
        let entry = self.inserted.get_mut(&at).and_then(|entries| entries.get_mut(position));
        let Some(entry) = entry else { return Ok(()) };
        match attribute {
            Some(name) if entry.attributes.iter().all(|(known, _)| *known != name) => {
                entry.attributes.push((name, new));
            }
            None if entry.value.is_none() => entry.value = Some(new),
            _ => return Err(key_exists_error(0, &like.key)),
        }
        Ok(())
    }

    fn insert_into(
        &mut self,
        number: usize,
        key: &UnitKey,
        attribute: Option<&str>,
        new: &str,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        let Some(entry) = self.entries.get(number) else { return Ok(()) };
        if self.parts.contains_key(key) {
            return Err(key_exists_error(entry.line, key));
        }
        self.receiving.insert(number);
        let Some(name) = attribute else {
            let text = self.layout(1).write(new, " ");
            self.edits.push(Edit::insert(entry.value_at, text));
            return Ok(());
        };
        let here =
            |unit: Option<usize>| unit.and_then(|unit| self.units.get(unit)).filter(|part| part.number == number);
        let attribute = |part: &FtlPart<'_>| entry.attributes.get(part.attribute?);
        let value_end = line_end(self.text, entry.value.as_ref().map_or(entry.value_at, |value| value.end));
        let at = match (here(after), here(before)) {
            (Some(part), _) => attribute(part).map_or(value_end, |attribute| attribute.end),
            (None, Some(part)) => attribute(part).map_or(value_end, |attribute| attribute.start),
            (None, None) => entry.end,
        };
        let indent = entry.attributes.first().map_or(self.indent, |attribute| attribute.indent);
        let text = [self.newline, &self.attribute(name, new, indent)].concat();
        self.edits.push(Edit::insert(at, text));
        Ok(())
    }

    fn attribute(&self, name: &str, new: &str, indent: usize) -> String {
        let spaces = " ".repeat(indent);
        let layout = PatternLayout { indent: indent + self.indent, ..self.layout(1) };
        [&spaces, ".", name, " =", &layout.write(new, " ")].concat()
    }

    fn new_entry(&self, entry: &NewFtlEntry<'_>) -> Result<String, CatalogError> {
        if entry.id.starts_with('-') && entry.value.is_none() {
            return Err(CatalogError::new(0, "a term of Fluent needs a value before its attributes"));
        }
        let mut lines: Vec<String> = Vec::new();
        for line in entry.note.into_iter().flat_map(str::lines) {
            lines.push(if line.is_empty() { "#".to_owned() } else { ["# ", line].concat() });
        }
        let value = entry.value.map_or(String::new(), |value| self.layout(1).write(value, " "));
        lines.push([entry.id, " =", &value].concat());
        lines.extend(entry.attributes.iter().map(|(name, text)| self.attribute(name, text, self.indent)));
        Ok(lines.join(self.newline))
    }

    fn finish(mut self) -> Result<Vec<Edit>, CatalogError> {
        for (at, entries) in &self.inserted {
            let texts: Vec<String> = entries.iter().map(|entry| self.new_entry(entry)).collect::<Result<_, _>>()?;
            let mut text = texts.join(self.newline);
            let before = self.text.get(..*at).unwrap_or_default();
            if *at == self.text.len() && before.lines().next_back().is_some_and(|line| line.starts_with('#')) {
                // Keep the comment at the end of the file separate from the new message.
                text.insert_str(0, self.newline);
            }
            self.edits.push(insert_lines(self.text, *at, &text, self.newline));
        }
        let touched: BTreeSet<usize> = self.removed.iter().map(|(number, _)| *number).collect();
        for number in touched {
            let Some(entry) = self.entries.get(number) else { continue };
            let is_removed = |attribute: Option<usize>| self.removed.contains(&(number, attribute));
            let value_stays = entry.value.is_some() && !is_removed(None);
            let attributes_stay = (0..entry.attributes.len()).any(|attribute| !is_removed(Some(attribute)));
            let is_term = self.text.as_bytes().get(entry.line) == Some(&b'-');
            // The attributes of a term cannot be used without its value.
            if !value_stays && (is_term || !attributes_stay) && !self.receiving.contains(&number) {
                self.edits.push(Edit::remove(lines_to_remove(self.text, entry)));
                continue;
            }
            if let Some(value) = entry.value.as_ref().filter(|_| !value_stays) {
                if is_term {
                    return Err(CatalogError::new(entry.line, "a term of Fluent needs a value before its attributes"));
                }
                self.edits.push(Edit::remove(entry.value_at..value.end));
            }
            let removed = entry.attributes.iter().enumerate().filter(|(at, _)| is_removed(Some(*at)));
            self.edits.extend(removed.map(|(_, attribute)| Edit::remove(attribute.start..attribute.end)));
        }
        Ok(join_removals(self.text, self.edits))
    }
}

/// If blank lines are on both sides of an entry, its lines include one of them.
fn lines_to_remove(text: &str, entry: &FtlEntry) -> std::ops::Range<usize> {
    let end = next_line(text, entry.end);
    let before = text.get(..entry.start).unwrap_or_default();
    let line_before = before.strip_suffix('\n').map(|before| before.strip_suffix('\r').unwrap_or(before));
    let blank_before = line_before.filter(|before| before.is_empty() || before.ends_with('\n'));
    let after = text.get(end..).unwrap_or_default();
    let blank_after = after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n");
    blank_before.filter(|_| blank_after).map_or(entry.start, str::len)..end
}

fn key_exists_error(at: usize, key: &UnitKey) -> CatalogError {
    CatalogError::new(at, ["the key ", &key.to_string(), " exists already"].concat())
}

/// Returns the name of the message or term, and the name of the attribute, if any.
fn entry_and_attribute(key: &UnitKey) -> Result<(&str, Option<&str>), CatalogError> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    match key.0.as_slice() {
        [UnitKeyPart::Name(id)] if is_name(id.strip_prefix('-').unwrap_or(id)) => Ok((id, None)),
        [UnitKeyPart::Name(id), UnitKeyPart::Name(attribute)]
            if is_name(id.strip_prefix('-').unwrap_or(id)) && is_name(attribute) =>
        {
            Ok((id, Some(attribute)))
        }
        _ => Err(CatalogError::new(0, ["the key ", &key.to_string(), " cannot be written in Fluent"].concat())
            .hint("names begin with a letter and consist of letters, digits, - and _")),
    }
}
