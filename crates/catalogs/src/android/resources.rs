//! Reads the resources of an Android file, with their positions, and their units.

use std::collections::HashSet;

use super::super::CatalogError;
use super::super::catalog::{DuplicateKey, PluralText, SkipReason, Unit, UnitText};
use super::super::plural::{PluralCategory, PluralForm, PluralKind};
use super::super::xml::{XmlElementSpan, XmlTree};
use super::decode::{self, AndroidValue};
use super::encode::unit_texts;
use crate::catalog::{UnitKey, UnitKeyPart};

/// The attribute with the language of the file.
pub const LOCALE: &str = "tools:locale";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    String,
    Array,
    Plurals,
    /// A resource without units: a colour, a dimension, a duplicate of an earlier string.
    Other,
}

#[derive(Clone, Debug)]
pub struct Resource {
    pub kind: ResourceKind,
    /// The name, and the product if there is one.
    pub key: UnitKey,
    pub span: XmlElementSpan,
    /// The items of an array or plural; a string has one.
    pub items: Vec<ResourceItem>,
    pub is_translatable: bool,
    pub note: Option<String>,
}

#[derive(Clone, Debug)]
pub struct ResourceItem {
    pub span: XmlElementSpan,
    pub category: Option<PluralCategory>,
    pub value: AndroidValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitOrigin {
    pub resource: usize,
    /// The index of the array item; 0 for other resources.
    pub item: usize,
}

#[derive(Debug)]
pub struct ResourceFile {
    pub resources: Vec<Resource>,
    pub units: Vec<(Unit, UnitOrigin)>,
    pub duplicates: Vec<DuplicateKey>,
}

impl ResourceFile {
    /// Fails if the root element is not `resources`.
    pub fn read(tree: &XmlTree<'_>) -> Result<Self, CatalogError> {
        let root = tree.root();
        if tree.name(root) != "resources" {
            let name = tree.name(root);
            return Err(CatalogError::new(
                tree.node(root).range.start,
                format!("the root element is '{name}', not 'resources'"),
            ));
        }
        let mut file = Self { resources: Vec::new(), units: Vec::new(), duplicates: Vec::new() };
        let mut keys = HashSet::new();
        for span in tree.spans(root) {
            let mut resource = read_resource(tree, span);
            // A string and an array may have the same name.
            let is_array = resource.kind == ResourceKind::Array;
            if resource.kind != ResourceKind::Other && !keys.insert((is_array, resource.key.clone())) {
                let at = tree.node(resource.span.element).range.start;
                file.duplicates.push(DuplicateKey { key: resource.key.clone(), at });
                resource.kind = ResourceKind::Other;
            }
            file.add_units(tree, &resource);
            file.resources.push(resource);
        }
        Ok(file)
    }

    fn add_units(&mut self, tree: &XmlTree<'_>, resource: &Resource) {
        match resource.kind {
            ResourceKind::Array => {
                for (item, one) in resource.items.iter().enumerate() {
                    self.add_unit(tree, resource, item, std::slice::from_ref(one));
                }
            }
            ResourceKind::String | ResourceKind::Plurals => self.add_unit(tree, resource, 0, &resource.items),
            ResourceKind::Other => {}
        }
    }

    fn add_unit(&mut self, tree: &XmlTree<'_>, resource: &Resource, item: usize, items: &[ResourceItem]) {
        let values: Vec<&AndroidValue> = items.iter().map(|item| &item.value).collect();
        let (texts, markup) = unit_texts(&values);
        let forms = items.iter().zip(&texts).filter_map(|(item, text)| {
            Some(PluralText { form: PluralForm::Category(item.category?), text: text.clone() })
        });
        let text = match resource.kind {
            ResourceKind::Plurals => UnitText::Plural(PluralKind::Cardinal, forms.collect()),
            _ => UnitText::Single(texts.into_iter().next().unwrap_or_default()),
        };
        let is_array = resource.kind == ResourceKind::Array;
        let above = items.first().filter(|_| is_array).and_then(|item| tree.comment_text(&item.span.comments));
        let note = above.or_else(|| resource.note.clone());
        let inside: Vec<usize> = items.iter().flat_map(|item| decode::comments(tree, item.span.element)).collect();
        let notes: Vec<String> = note.into_iter().chain(tree.comment_text(&inside)).collect();
        let skip = match (resource.is_translatable, values.iter().any(|value| value.is_reference)) {
            (false, _) => Some(SkipReason::Untranslatable),
            (true, true) => Some(SkipReason::Reference),
            (true, false) => None,
        };
        let start = tree.node(resource.span.element).range.start;
        let unit = Unit {
            id: self.units.len(),
            key: if is_array { resource.key.with(UnitKeyPart::Item(item)) } else { resource.key.clone() },
            text,
            markup,
            note: Some(notes.join("\n")).filter(|note| !note.is_empty()),
            skip,
            at: values.first().map_or(start, |value| value.range.start),
            ..Unit::default()
        };
        self.units.push((unit, UnitOrigin { resource: self.resources.len(), item }));
    }
}

fn read_resource(tree: &XmlTree<'_>, span: XmlElementSpan) -> Resource {
    let element = span.element;
    let name = tree.attribute(element, "name");
    let kind = match tree.name(element) {
        _ if name.is_none() => ResourceKind::Other,
        "string" => ResourceKind::String,
        "item" if tree.attribute(element, "type").as_deref() == Some("string") => ResourceKind::String,
        "string-array" => ResourceKind::Array,
        "plurals" => ResourceKind::Plurals,
        _ => ResourceKind::Other,
    };
    let mut items = Vec::new();
    match kind {
        ResourceKind::String => {
            items.push(ResourceItem { value: decode::value(tree, element), span: span.clone(), category: None });
        }
        ResourceKind::Array | ResourceKind::Plurals => {
            let mut seen = HashSet::new();
            for span in tree.spans(element) {
                let quantity = tree.attribute(span.element, "quantity");
                let category = quantity.as_deref().and_then(PluralCategory::from_name);
                let is_item = tree.name(span.element) == "item";
                let is_form = kind == ResourceKind::Array || category.is_some_and(|category| seen.insert(category));
                if is_item && is_form {
                    items.push(ResourceItem { value: decode::value(tree, span.element), span, category });
                }
            }
        }
        ResourceKind::Other => {}
    }
    let translatable = tree.attribute(element, "translatable");
    Resource {
        kind,
        key: UnitKey::names(name.into_iter().chain(tree.attribute(element, "product"))),
        items,
        is_translatable: !translatable.is_some_and(|value| value.eq_ignore_ascii_case("false")),
        note: tree.comment_text(&span.comments),
        span,
    }
}
