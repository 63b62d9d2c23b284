//! Apple: plurals and variants in `Localizable.stringsdict`.
//!
//! Input: a property list. Output: a unit for each variable with plural forms, each format that is more than a variable and each variant
//! of a text by width or device; edits of their strings.

mod changes;
mod new_text;
mod plist;
#[cfg(test)]
mod tests;

use crate::catalogs::{CatalogKind, Syntax};
use std::collections::HashMap;

use super::catalog::{Catalog, DuplicateKey, PluralText, Unit, UnitText};
use super::change::CatalogChanges;
use super::edit::Edit;
use super::plural::{PluralCategory, PluralForm, PluralKind};
use super::unit_key::UnitKey;
use super::xml::XmlTree;
use super::{CatalogError, CatalogFormat, ReadOptions};
use plist::PlistEntry;

/// The key of the text in which variables stand.
const FORMAT_KEY: &str = "NSStringLocalizedFormatKey";
const SPEC_KEY: &str = "NSStringFormatSpecTypeKey";
const PLURAL_RULE: &str = "NSStringPluralRuleType";
const VALUE_KEY: &str = "NSStringFormatValueTypeKey";
/// Rules whose entries are variants of the text.
const VARIANT_RULES: [&str; 2] = ["NSStringVariableWidthRuleType", "NSStringDeviceSpecificRuleType"];

/// The format with its names.
pub const KIND: CatalogKind = CatalogKind {
    name: "stringsdict",
    help: "Apple Localizable.stringsdict",
    endings: &["stringsdict"],
    format: &StringsDictFormat,
    syntax: Some(Syntax::Printf),
    is_bilingual: false,
};

/// The format.
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

/// Where a unit stands.
#[derive(Clone, Debug)]
struct DictOrigin {
    /// Position in [`StringsDict::entries`].
    entry: usize,
    /// The entry of the variable, format or variant.
    own: PlistEntry,
    /// The entry of the rule that a variant belongs to.
    rule: Option<PlistEntry>,
    /// The forms of a plural, by category.
    forms: Vec<(PluralCategory, PlistEntry)>,
}

/// What is in a file.
#[derive(Debug)]
struct StringsDict {
    /// The dictionary of the file.
    dict: usize,
    /// Its entries that count, with those in them.
    entries: Vec<(PlistEntry, Vec<PlistEntry>)>,
    units: Vec<(Unit, DictOrigin)>,
    duplicates: Vec<DuplicateKey>,
}

impl StringsDict {
    fn read(tree: &XmlTree<'_>) -> Result<Self, CatalogError> {
        let dict = plist::root(tree)?;
        let mut file = Self { dict, entries: Vec::new(), units: Vec::new(), duplicates: Vec::new() };
        let entries = plist::entries(tree, dict)?;
        let last: HashMap<String, usize> =
            entries.iter().enumerate().map(|(number, entry)| (entry.name.clone(), number)).collect();
        for (number, entry) in entries.into_iter().enumerate() {
            if last.get(&entry.name) != Some(&number) {
                let at = tree.node(entry.place.element).range.start;
                file.duplicates.push(DuplicateKey { key: UnitKey::name(entry.name), at });
                continue;
            }
            let inner = if entry.is_dict(tree) { plist::entries(tree, entry.value)? } else { Vec::new() };
            file.add_entry(tree, &entry, &inner)?;
            file.entries.push((entry, inner));
        }
        Ok(file)
    }

    fn add_entry(&mut self, tree: &XmlTree<'_>, entry: &PlistEntry, inner: &[PlistEntry]) -> Result<(), CatalogError> {
        let note = tree.comment_text(&entry.place.comments);
        let format = inner.iter().find(|own| own.name == FORMAT_KEY).and_then(|own| own.string(tree));
        for own in inner {
            let key = [entry.name.as_str(), &own.name];
            if let Some(text) = own.string(tree).filter(|text| own.name == FORMAT_KEY && !is_variable(text)) {
                let unit = Unit { key: UnitKey::names(key), text: UnitText::Single(text), ..Unit::default() };
                self.add_unit(tree, unit, own, note.as_ref(), None, Vec::new());
            } else if VARIANT_RULES.contains(&own.name.as_str()) && own.is_dict(tree) {
                for variant in plist::entries(tree, own.value)? {
                    let Some(text) = variant.string(tree) else { continue };
                    let key = UnitKey::names(key.into_iter().chain([variant.name.as_str()]));
                    let unit = Unit { key, text: UnitText::Single(text), ..Unit::default() };
                    self.add_unit(tree, unit, &variant, note.as_ref(), Some(own), Vec::new());
                }
            } else if own.is_dict(tree) {
                let (forms, texts) = plural_forms(tree, own)?;
                if !forms.is_empty() {
                    let unit = Unit {
                        key: UnitKey::names(key),
                        text: UnitText::Plural(PluralKind::Cardinal, texts),
                        // Such a format is not a unit, so it goes along for the file that lacks it.
                        markup: format.clone().into_iter().filter(|format| is_variable(format)).collect(),
                        ..Unit::default()
                    };
                    self.add_unit(tree, unit, own, note.as_ref(), None, forms);
                }
            }
        }
        Ok(())
    }

    fn add_unit(
        &mut self,
        tree: &XmlTree<'_>,
        unit: Unit,
        own: &PlistEntry,
        note: Option<&String>,
        rule: Option<&PlistEntry>,
        forms: Vec<(PluralCategory, PlistEntry)>,
    ) {
        let first = forms.first().map_or(own.value, |(_, form)| form.value);
        let unit = Unit {
            id: self.units.len(),
            note: tree.comment_text(&own.place.comments).or_else(|| note.cloned()),
            at: tree.node(first).content.start,
            ..unit
        };
        let origin = DictOrigin { entry: self.entries.len(), own: own.clone(), rule: rule.cloned(), forms };
        self.units.push((unit, origin));
    }
}

/// The forms of a variable: their entries, and their texts.
type DictForms = (Vec<(PluralCategory, PlistEntry)>, Vec<PluralText>);

fn plural_forms(tree: &XmlTree<'_>, variable: &PlistEntry) -> Result<DictForms, CatalogError> {
    let (mut forms, mut texts): DictForms = (Vec::new(), Vec::new());
    for entry in plist::entries(tree, variable.value)? {
        let Some(category) = PluralCategory::from_name(&entry.name) else { continue };
        let Some(text) = entry.string(tree).filter(|_| forms.iter().all(|(other, _)| *other != category)) else {
            continue;
        };
        texts.push(PluralText { form: PluralForm::Category(category), text });
        forms.push((category, entry));
    }
    Ok((forms, texts))
}

/// Returns whether a format is one variable and nothing else: `%#@name@`.
fn is_variable(format: &str) -> bool {
    let name = format.strip_prefix('%').and_then(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix('$').unwrap_or(rest).strip_prefix("#@")?.strip_suffix('@')
    });
    name.is_some_and(|name| !name.is_empty() && !name.contains('@'))
}
