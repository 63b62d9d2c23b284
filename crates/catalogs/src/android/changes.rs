//! Changes of an Android file as edits.

use std::collections::{BTreeMap, BTreeSet};

use super::super::CatalogError;
use super::super::catalog::{UnitText, by_category};
use super::super::edit::Edit;
use super::super::plural::PluralCategory;
use super::super::xml::{XmlInsertions, XmlTree, escape_attribute, invalid_char_error};
use super::decode::AndroidStyle;
use super::encode::encode;
use super::new_resource::{DEFAULT_INDENT, NewContent, NewResource, NewResources, ONLY_CATEGORIES, form_line};
use super::resources::{LOCALE, Resource, ResourceFile, ResourceItem, ResourceKind};
use crate::catalog::{CatalogChanges, Change, UnitKeyPart};

pub fn edits(tree: &XmlTree<'_>, file: &ResourceFile, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
    let left_out = |resource: &Resource| {
        changes.is_new_target && (!resource.is_translatable || resource.kind == ResourceKind::Other)
    };
    let removed = file.resources.iter().enumerate().filter(|(_, resource)| left_out(resource));
    let mut editor = ResourceEditor {
        tree,
        file,
        is_new_target: changes.is_new_target,
        edits: Vec::new(),
        insertions: XmlInsertions::default(),
        removed: removed.map(|(number, _)| number).collect(),
        removed_items: BTreeMap::new(),
    };
    let mut new = NewResources::new(file);
    for change in &changes.units {
        match change {
            Change::Set { unit, text, markup } => editor.set(*unit, text, markup)?,
            Change::Insert { like, text, after, before } => new.add(like, text, (*after, *before))?,
            Change::Remove { unit } => editor.remove(*unit),
        }
    }
    if let Some(language) = changes.language
        && let Some(locale) = tree.attributes(tree.root()).find(|attribute| attribute.name == LOCALE)
        && locale.decoded() != language.path
    {
        let at = locale.range.start;
        let value = escape_attribute(&language.path).map_err(|c| invalid_char_error(c, at))?;
        editor.edits.push(Edit::replace(locale.range, value));
    }
    editor.finish(new)
}

struct ResourceEditor<'a> {
    tree: &'a XmlTree<'a>,
    file: &'a ResourceFile,
    is_new_target: bool,
    edits: Vec<Edit>,
    insertions: XmlInsertions,
    removed: BTreeSet<usize>,
    removed_items: BTreeMap<usize, BTreeSet<usize>>,
}

impl ResourceEditor<'_> {
    fn set(&mut self, unit: usize, text: &UnitText, markup: &[String]) -> Result<(), CatalogError> {
        let Some((old, origin)) = self.file.units.get(unit) else { return Ok(()) };
        let Some(resource) = self.file.resources.get(origin.resource) else { return Ok(()) };
        if self.removed.contains(&origin.resource) {
            return Ok(());
        }
        let is_same =
            |old_text: &str, new: &str| old_text == new && old.markup.iter().all(|part| markup.contains(part));
        match (text, &old.text) {
            (UnitText::Single(new), UnitText::Single(old_text)) => {
                if let Some(item) = resource.items.get(origin.item).filter(|_| !is_same(old_text, new)) {
                    self.set_value(item, new, markup)?;
                }
            }
            (UnitText::Plural(_, forms), UnitText::Plural(_, old_forms)) => {
                let mut new = BTreeMap::from_iter(by_category(forms, old.at, ONLY_CATEGORIES)?);
                for (item, old_form) in resource.items.iter().zip(old_forms) {
                    match item.category.and_then(|category| new.remove(&category)) {
                        Some(text) if is_same(&old_form.text, text) => {}
                        Some(text) => self.set_value(item, text, markup)?,
                        None => self.edits.push(Edit::remove(item.span.outer.clone())),
                    }
                }
                self.add_forms(resource, &new, markup, old.at)?;
            }
            _ => self.replace(resource, text, markup, old.at)?,
        }
        Ok(())
    }

    /// Changes a string into a plural, or a plural into a string.
    fn replace(
        &mut self,
        resource: &Resource,
        text: &UnitText,
        markup: &[String],
        at: usize,
    ) -> Result<(), CatalogError> {
        let new = NewResource {
            key: resource.key.clone(),
            note: None,
            content: NewContent::new(text, markup, at)?,
            beside: None,
        };
        let lines = new.lines(self.tree, self.file)?;
        let indent = self.tree.line_indent(resource.span.element);
        let text = lines.join(&[self.tree.line_end(), indent].concat());
        self.edits.push(Edit::replace(self.tree.node(resource.span.element).range.clone(), text));
        Ok(())
    }

    fn set_value(&mut self, item: &ResourceItem, text: &str, markup: &[String]) -> Result<(), CatalogError> {
        let at = item.value.range.start;
        let value = encode(text, markup, item.value.style).map_err(|what| CatalogError::new(at, what))?;
        self.edits.push(match self.tree.expand_self_closing(item.span.element, &value) {
            Some(edit) => edit,
            None => Edit::replace(item.value.range.clone(), value),
        });
        Ok(())
    }

    fn add_forms(
        &mut self,
        resource: &Resource,
        new: &BTreeMap<PluralCategory, &str>,
        markup: &[String],
        at: usize,
    ) -> Result<(), CatalogError> {
        let style = resource.items.first().map_or_else(AndroidStyle::default, |item| item.value.style);
        for (category, text) in new {
            let line = form_line(*category, text, markup, style, at)?;
            let before = resource.items.iter().rev().find(|item| item.category < Some(*category));
            let first = resource.items.first().map(|item| (&item.span, false));
            let beside = before.map(|item| (&item.span, true)).or(first);
            self.insertions.insert(self.tree, beside, resource.span.element, [line]);
        }
        Ok(())
    }

    fn remove(&mut self, unit: usize) {
        let Some((unit, origin)) = self.file.units.get(unit) else { return };
        if matches!(unit.key.0.last(), Some(UnitKeyPart::Item(_))) {
            self.removed_items.entry(origin.resource).or_default().insert(origin.item);
        } else {
            self.removed.insert(origin.resource);
        }
    }

    fn finish(mut self, mut new: NewResources<'_>) -> Result<Vec<Edit>, CatalogError> {
        for (number, items) in std::mem::take(&mut self.removed_items) {
            self.remove_items(number, &items, new.items.contains_key(&number));
        }
        new.items.retain(|number, _| !self.removed.contains(number));
        new.insert_into(self.tree, &mut self.insertions)?;
        let removed = self.removed.iter().filter_map(|number| self.file.resources.get(*number));
        let mut edits = self.edits;
        edits.extend(removed.map(|resource| Edit::remove(resource.span.outer.clone())));
        edits.extend(self.insertions.finish(self.tree, DEFAULT_INDENT));
        Ok(edits)
    }

    /// Removes items of an array. In a new target, an item before other items is only emptied, so that those items keep
    /// their positions.
    fn remove_items(&mut self, number: usize, items: &BTreeSet<usize>, is_extended: bool) {
        let Some(resource) = self.file.resources.get(number).filter(|_| !self.removed.contains(&number)) else {
            return;
        };
        if items.len() == resource.items.len() && !is_extended {
            self.removed.insert(number);
            return;
        }
        let last_kept = (0..resource.items.len()).rev().find(|item| !items.contains(item));
        for (position, item) in resource.items.iter().enumerate().filter(|(position, _)| items.contains(position)) {
            let range = if self.is_new_target && Some(position) < last_kept {
                item.value.range.clone()
            } else {
                item.span.outer.clone()
            };
            self.edits.push(Edit::remove(range));
        }
    }
}
