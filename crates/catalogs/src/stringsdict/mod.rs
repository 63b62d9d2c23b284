//! Apple: plurals and variants in `Localizable.stringsdict`.
//!
//! Input: a property list. Output: a unit for each variable with plural forms, for each format string with several
//! variables or other text, and for each variant of a text by width or device; and edits of their strings.

mod changes;
mod new_text;

use std::collections::HashMap;

use super::catalog::{Catalog, CatalogChanges, DuplicateKey, PluralText, Unit, UnitKey, UnitText};
use super::edit::Edit;
use super::plural::{PluralCategory, PluralForm, PluralKind};
use super::xml::{XmlElementSpan, XmlTree};
use crate::{CatalogError, CatalogFormat, CatalogKind, ReadOptions, Syntax};

/// The key of the format string, which refers to variables.
const FORMAT_KEY: &str = "NSStringLocalizedFormatKey";
const SPEC_KEY: &str = "NSStringFormatSpecTypeKey";
const PLURAL_RULE: &str = "NSStringPluralRuleType";
const VALUE_KEY: &str = "NSStringFormatValueTypeKey";
/// Rules whose entries are variants of the complete text.
const VARIANT_RULES: [&str; 2] = ["NSStringVariableWidthRuleType", "NSStringDeviceSpecificRuleType"];

pub const KIND: CatalogKind = CatalogKind {
    name: "stringsdict",
    help: "Apple Localizable.stringsdict",
    extensions: &["stringsdict"],
    format: &StringsDictFormat,
    syntax: Some(Syntax::Mobile),
    is_bilingual: false,
};

#[derive(Clone, Copy, Debug)]
pub struct StringsDictFormat;

impl CatalogFormat for StringsDictFormat {
    fn read(&self, text: &str, _options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let file = StringsDict::read(&tree)?;
        let units = file.units.into_iter().map(|(unit, _)| unit).collect();
        Ok(Catalog { units, duplicates: file.duplicates, ..Catalog::default() })
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let file = StringsDict::read(&tree)?;
        changes::edits(&tree, &file, &changes.units)
    }
}

#[derive(Clone, Debug)]
struct DictOrigin {
    /// Outermost first.
    ancestors: Vec<PlistEntry>,
    own: PlistEntry,
    forms: Vec<(PluralCategory, PlistEntry)>,
}

#[derive(Debug)]
struct StringsDict {
    dict: usize,
    /// The entries of each dictionary with texts.
    dicts: HashMap<usize, DictEntries>,
    units: Vec<(Unit, DictOrigin)>,
    duplicates: Vec<DuplicateKey>,
}

#[derive(Debug, Default)]
struct DictEntries {
    by_name: HashMap<String, PlistEntry>,
    last: Option<PlistEntry>,
}

impl DictEntries {
    fn new(entries: &[PlistEntry]) -> Self {
        let by_name = entries.iter().map(|entry| (entry.name.clone(), entry.clone())).collect();
        Self { by_name, last: entries.last().cloned() }
    }
}

impl StringsDict {
    fn read(tree: &XmlTree<'_>) -> Result<Self, CatalogError> {
        let dict = root_dict(tree)?;
        let mut file = Self { dict, dicts: HashMap::new(), units: Vec::new(), duplicates: Vec::new() };
        let entries = dict_entries(tree, dict)?;
        let known = DictEntries::new(&entries);
        for entry in entries {
            if known.by_name.get(&entry.name).is_some_and(|last| last.value != entry.value) {
                let at = tree.node(entry.span.element).range.start;
                file.duplicates.push(DuplicateKey { key: UnitKey::name(entry.name), at });
            } else if entry.is_dict(tree) {
                file.add_text(tree, &mut vec![entry])?;
            }
        }
        file.dicts.insert(dict, known);
        Ok(file)
    }

    fn add_text(&mut self, tree: &XmlTree<'_>, ancestors: &mut Vec<PlistEntry>) -> Result<(), CatalogError> {
        let Some(dict) = ancestors.last().map(|entry| entry.value) else { return Ok(()) };
        let inner = dict_entries(tree, dict)?;
        self.dicts.insert(dict, DictEntries::new(&inner));
        let format = inner.iter().find(|own| own.name == FORMAT_KEY).and_then(|own| own.string(tree));
        for own in inner {
            if let Some(text) = own.string(tree).filter(|text| own.name == FORMAT_KEY && !is_variable(text)) {
                self.add_unit(tree, ancestors, own, UnitText::Single(text), Vec::new());
            } else if VARIANT_RULES.contains(&own.name.as_str()) && own.is_dict(tree) {
                self.add_variants(tree, ancestors, own)?;
            } else if own.is_dict(tree) {
                let (forms, texts) = plural_forms(tree, &own)?;
                if !forms.is_empty() {
                    self.add_unit(tree, ancestors, own, UnitText::Plural(PluralKind::Cardinal, texts), forms);
                    // A format string that is only a variable is not a unit. Keep it, to insert it with the variable into other files.
                    let format = format.clone().filter(|format| is_variable(format));
                    if let Some((unit, _)) = self.units.last_mut() {
                        unit.markup = format.into_iter().collect();
                    }
                }
            }
        }
        Ok(())
    }

    fn add_variants(
        &mut self,
        tree: &XmlTree<'_>,
        ancestors: &mut Vec<PlistEntry>,
        rule: PlistEntry,
    ) -> Result<(), CatalogError> {
        let variants = dict_entries(tree, rule.value)?;
        self.dicts.insert(rule.value, DictEntries::new(&variants));
        ancestors.push(rule);
        for variant in variants {
            if let Some(text) = variant.string(tree) {
                self.add_unit(tree, ancestors, variant, UnitText::Single(text), Vec::new());
            } else if variant.is_dict(tree) {
                ancestors.push(variant);
                self.add_text(tree, ancestors)?;
                ancestors.pop();
            }
        }
        ancestors.pop();
        Ok(())
    }

    fn add_unit(
        &mut self,
        tree: &XmlTree<'_>,
        ancestors: &[PlistEntry],
        own: PlistEntry,
        text: UnitText,
        forms: Vec<(PluralCategory, PlistEntry)>,
    ) {
        let first = forms.first().map_or(own.value, |(_, form)| form.value);
        let note = |entry: &PlistEntry| tree.comment_text(&entry.span.comments);
        let unit = Unit {
            id: self.units.len(),
            key: UnitKey::names(ancestors.iter().chain([&own]).map(|entry| entry.name.as_str())),
            text,
            note: note(&own).or_else(|| ancestors.first().and_then(note)),
            at: tree.node(first).content.start,
            ..Unit::default()
        };
        self.units.push((unit, DictOrigin { ancestors: ancestors.to_vec(), own, forms }));
    }
}

/// The plural forms of a variable: their entries, and their texts.
type DictForms = (Vec<(PluralCategory, PlistEntry)>, Vec<PluralText>);

fn plural_forms(tree: &XmlTree<'_>, variable: &PlistEntry) -> Result<DictForms, CatalogError> {
    let (mut forms, mut texts): DictForms = (Vec::new(), Vec::new());
    for entry in dict_entries(tree, variable.value)? {
        let Some(category) = PluralCategory::from_name(&entry.name) else { continue };
        let Some(text) = entry.string(tree).filter(|_| forms.iter().all(|(other, _)| *other != category)) else {
            continue;
        };
        texts.push(PluralText { form: PluralForm::Category(category), text });
        forms.push((category, entry));
    }
    Ok((forms, texts))
}

/// Returns whether a format string is only a variable, such as `%#@name@`.
fn is_variable(format: &str) -> bool {
    let name = format.strip_prefix('%').and_then(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix('$').unwrap_or(rest).strip_prefix("#@")?.strip_suffix('@')
    });
    name.is_some_and(|name| !name.is_empty() && !name.contains('@'))
}

/// A `<key>` and its value.
#[derive(Clone, Debug)]
pub struct PlistEntry {
    pub name: String,
    /// From the key to the end of the value.
    pub span: XmlElementSpan,
    pub value: usize,
}

impl PlistEntry {
    pub fn is_dict(&self, tree: &XmlTree<'_>) -> bool {
        tree.name(self.value) == "dict"
    }

    pub fn string(&self, tree: &XmlTree<'_>) -> Option<String> {
        tree.plain_text(self.value).filter(|_| tree.name(self.value) == "string")
    }
}

fn root_dict(tree: &XmlTree<'_>) -> Result<usize, CatalogError> {
    let root = tree.root();
    let dict = tree.elements(root).next().filter(|dict| tree.name(root) == "plist" && tree.name(*dict) == "dict");
    dict.ok_or_else(|| CatalogError::new(tree.node(root).range.start, "this is not a property list with a dictionary"))
}

/// Fails if a key has no value or a value has no key.
fn dict_entries(tree: &XmlTree<'_>, dict: usize) -> Result<Vec<PlistEntry>, CatalogError> {
    let mut entries = Vec::new();
    let mut spans = tree.spans(dict).into_iter();
    while let Some(key) = spans.next() {
        let at = tree.node(key.element).range.start;
        let name = tree.plain_text(key.element).filter(|_| tree.name(key.element) == "key");
        let name = name.ok_or_else(|| CatalogError::new(at, "a <key> is expected here"))?;
        let value = spans.next().filter(|value| tree.name(value.element) != "key");
        let value = value.ok_or_else(|| CatalogError::new(at, format!("the key '{name}' has no value")))?;
        let span = XmlElementSpan { outer: key.outer.start..value.outer.end, ..key };
        entries.push(PlistEntry { name, span, value: value.element });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests;
