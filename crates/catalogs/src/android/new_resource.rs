//! New resources of an Android file: complete strings, plurals and arrays, and items to append to arrays.

use std::collections::{BTreeMap, HashMap};

use super::super::CatalogError;
use super::super::catalog::{Unit, UnitText, by_category};
use super::super::plural::PluralCategory;
use super::super::xml::{XmlInsertions, XmlTree, escape_attribute, escape_comment, invalid_char_error};
use super::decode::AndroidStyle;
use super::encode::encode;
use super::resources::{ResourceFile, ResourceKind};
use crate::catalog::{UnitKey, UnitKeyPart};

/// The indentation if the file has none.
pub const DEFAULT_INDENT: &str = "    ";
pub const ONLY_CATEGORIES: &str = "Android supports only plural categories";

#[derive(Debug)]
pub struct NewResource {
    pub key: UnitKey,
    pub note: Option<String>,
    pub content: NewContent,
    /// The resource next to which the new one is inserted; `true` means after it.
    pub beside: Option<(usize, bool)>,
}

#[derive(Debug)]
pub enum NewContent {
    Text(String),
    Plural(Vec<String>),
    Array(Vec<NewItem>),
}

#[derive(Debug)]
pub struct NewItem {
    value: String,
    note: Option<String>,
}

impl NewContent {
    pub fn new(text: &UnitText, markup: &[String], at: usize) -> Result<Self, CatalogError> {
        let style = AndroidStyle::default();
        let forms = match text {
            UnitText::Single(text) => return written(text, markup, style, at).map(Self::Text),
            UnitText::Plural(_, forms) => forms,
        };
        let mut sorted = by_category(forms, at, ONLY_CATEGORIES)?;
        sorted.sort_by_key(|(category, _)| *category);
        let lines = sorted.iter().map(|(category, text)| form_line(*category, text, markup, style, at));
        lines.collect::<Result<_, _>>().map(Self::Plural)
    }
}

impl NewResource {
    /// Returns the lines of the resource, without the indentation that the insertion adds to each of them.
    pub fn lines(&self, tree: &XmlTree<'_>, file: &ResourceFile) -> Result<Vec<String>, CatalogError> {
        let step = tree.indent_step(DEFAULT_INDENT);
        let outer = file.resources.first().map_or(step, |resource| tree.line_indent(resource.span.element));
        let comment = |note: &str, indent: &str| escape_comment(note, tree.line_end(), indent);
        let mut lines: Vec<String> = self.note.iter().map(|note| comment(note, outer)).collect();
        let tag = match self.content {
            NewContent::Text(_) => "string",
            NewContent::Plural(_) => "plurals",
            NewContent::Array(_) => "string-array",
        };
        let start = self.start_tag(tag)?;
        let end = format!("</{tag}>");
        match &self.content {
            NewContent::Text(value) => lines.push([start, value.clone(), end].concat()),
            NewContent::Plural(forms) => {
                lines.push(start);
                lines.extend(forms.iter().map(|form| [step, form].concat()));
                lines.push(end);
            }
            NewContent::Array(items) => {
                let mut notes = items.iter().filter(|item| !item.value.is_empty()).map(|item| item.note.as_ref());
                let common = notes.next().flatten();
                let is_common = notes.all(|note| note == common);
                lines.extend(common.filter(|_| is_common).map(|note| comment(note, outer)));
                lines.push(start);
                for item in items {
                    let own = item.note.as_ref().filter(|_| !is_common);
                    lines.extend(own.map(|note| [step, &comment(note, &[outer, step].concat())].concat()));
                    lines.push([step, "<item>", &item.value, "</item>"].concat());
                }
                lines.push(end);
            }
        }
        Ok(lines)
    }

    fn start_tag(&self, tag: &str) -> Result<String, CatalogError> {
        let mut start = ["<", tag].concat();
        for (part, attribute) in self.key.0.iter().zip(["name", "product"]) {
            if let UnitKeyPart::Name(value) = part {
                let value = escape_attribute(value).map_err(|c| invalid_char_error(c, 0))?;
                start.extend([" ", attribute, "=\"", &value, "\""]);
            }
        }
        start.push('>');
        Ok(start)
    }
}

#[derive(Debug)]
pub struct NewResources<'a> {
    file: &'a ResourceFile,
    resources: Vec<NewResource>,
    new_arrays: HashMap<UnitKey, usize>,
    arrays: HashMap<&'a UnitKey, usize>,
    /// Items to append to existing arrays, by resource.
    pub items: BTreeMap<usize, Vec<NewItem>>,
}

impl<'a> NewResources<'a> {
    pub fn new(file: &'a ResourceFile) -> Self {
        let arrays = file.resources.iter().enumerate().filter(|(_, resource)| resource.kind == ResourceKind::Array);
        Self {
            file,
            resources: Vec::new(),
            new_arrays: HashMap::new(),
            arrays: arrays.map(|(number, resource)| (&resource.key, number)).collect(),
            items: BTreeMap::new(),
        }
    }

    pub fn add(
        &mut self,
        like: &Unit,
        text: &UnitText,
        (after, before): (Option<usize>, Option<usize>),
    ) -> Result<(), CatalogError> {
        let span = |unit: Option<usize>| self.file.units.get(unit?).map(|(_, origin)| origin.resource);
        let end = self.file.resources.len().checked_sub(1);
        let beside = (span(after).map(|number| (number, true)))
            .or_else(|| span(before).map(|number| (number, false)))
            .or_else(|| end.map(|number| (number, true)));
        let note = like.note.clone();
        let Some(UnitKeyPart::Item(position)) = like.key.0.last() else {
            let content = NewContent::new(text, &like.markup, 0)?;
            self.resources.push(NewResource { key: like.key.clone(), note, content, beside });
            return Ok(());
        };
        let key = UnitKey(like.key.parent().to_vec());
        let value = written(text.texts().next().unwrap_or_default(), &like.markup, AndroidStyle::default(), 0)?;
        if let Some(number) = self.arrays.get(&key) {
            let resource = self.file.resources.get(*number);
            let array_note = resource.and_then(|resource| resource.note.as_ref());
            let note = note.filter(|note| array_note != Some(note));
            let existing = resource.map_or(0, |resource| resource.items.len());
            append(self.items.entry(*number).or_default(), position.saturating_sub(existing), NewItem { value, note });
            return Ok(());
        }
        let next = self.resources.len();
        let number = *self.new_arrays.entry(key.clone()).or_insert(next);
        if number == next {
            let content = NewContent::Array(Vec::new());
            self.resources.push(NewResource { key, note: None, content, beside });
        }
        if let Some(NewContent::Array(items)) = self.resources.get_mut(number).map(|new| &mut new.content) {
            append(items, *position, NewItem { value, note });
        }
        Ok(())
    }

    pub fn insert_into(self, tree: &XmlTree<'_>, insertions: &mut XmlInsertions) -> Result<(), CatalogError> {
        for new in &self.resources {
            let lines = new.lines(tree, self.file)?;
            let span = |number: usize| self.file.resources.get(number).map(|resource| &resource.span);
            let beside = new.beside.and_then(|(number, is_after)| Some((span(number)?, is_after)));
            insertions.insert(tree, beside, tree.root(), lines);
        }
        for (number, items) in &self.items {
            let Some(resource) = self.file.resources.get(*number) else { continue };
            let last = resource.items.last().map(|item| &item.span);
            let indent = last.map_or("", |span| tree.line_indent(span.element));
            for item in items {
                let comment = item.note.as_ref().map(|note| escape_comment(note, tree.line_end(), indent));
                let lines = comment.into_iter().chain([["<item>", &item.value, "</item>"].concat()]);
                insertions.insert(tree, last.map(|last| (last, true)), resource.span.element, lines);
            }
        }
        Ok(())
    }
}

/// Adds an item at `position`, filling a gap before it with empty items.
fn append(items: &mut Vec<NewItem>, position: usize, item: NewItem) {
    while items.len() < position {
        items.push(NewItem { value: String::new(), note: None });
    }
    items.push(item);
}

pub fn form_line(
    category: PluralCategory,
    text: &str,
    markup: &[String],
    style: AndroidStyle,
    at: usize,
) -> Result<String, CatalogError> {
    let value = written(text, markup, style, at)?;
    Ok(["<item quantity=\"", category.name(), "\">", &value, "</item>"].concat())
}

fn written(text: &str, markup: &[String], style: AndroidStyle, at: usize) -> Result<String, CatalogError> {
    encode(text, markup, style).map_err(|what| CatalogError::new(at, what))
}
