//! Finds the leaves that are forms of the same plural.

use std::collections::HashMap;

use super::numbered::numbered_groups;
use super::source_plurals::SourcePlurals;
use super::{Leaf, UnitKey};
use crate::catalog::UnitKeyPart;
use crate::dialect::Dialect;
use crate::plural::{PluralCategory, PluralKind};

/// Keys that go-i18n has next to the plural forms of a message.
const GO_METADATA: &[&str] = &["description", "hash", "id", "leftDelim", "rightDelim", "leftdelim", "rightdelim"];
/// Precedes the category in the name of an ordinal.
const ORDINAL: &str = "_ordinal";

#[derive(Clone, Debug, Default)]
pub(super) struct PluralGroup {
    /// Includes the root key.
    pub(super) key: UnitKey,
    pub(super) kind: PluralKind,
    /// The categories with their leaves, in the order of the file.
    pub(super) forms: Vec<(PluralCategory, usize)>,
    /// Leaves of the plural that are not texts to translate.
    pub(super) metadata: Vec<usize>,
    pub(super) description: Option<usize>,
    /// Whether the forms are named as in i18next before version 21.
    pub(super) is_numbered: bool,
}

/// Finds the plurals of a file. `root_len` is the number of leading key parts that name the language: 0 or 1. A key that
/// is a plural in the source is also a plural here, regardless of its texts.
pub(super) fn plural_groups(
    leaves: &[Leaf],
    dialect: Dialect,
    root_len: usize,
    source: Option<&SourcePlurals>,
    target_lang: Option<&str>,
) -> Vec<PluralGroup> {
    match dialect {
        Dialect::I18next => {
            let groups = suffix_groups(leaves, source);
            if groups.is_empty() { numbered_groups(leaves, source, target_lang) } else { groups }
        }
        Dialect::Rails | Dialect::GoI18n => mapping_groups(leaves, dialect, root_len, source),
        Dialect::None | Dialect::Icu | Dialect::Vue | Dialect::Spring | Dialect::Laravel => Vec::new(),
    }
}

/// Splits the name of a plural form: `x_one` into `x`, cardinal and one. The base of an ordinal keeps `_ordinal`
/// (`x_ordinal_one`), because a cardinal may have the same name.
pub(super) fn split_suffix(name: &str) -> Option<(&str, PluralKind, PluralCategory)> {
    let (base, suffix) = name.rsplit_once('_')?;
    let category = PluralCategory::from_name(suffix)?;
    let kind = if base.ends_with(ORDINAL) { PluralKind::Ordinal } else { PluralKind::Cardinal };
    (!base.is_empty()).then_some((base, kind, category))
}

/// Returns whether any leaf could be an `other` form, which every plural has.
fn has_other_form(leaves: &[Leaf], is_other: fn(&str) -> bool) -> bool {
    leaves.iter().any(|leaf| matches!(leaf.key.0.last(), Some(UnitKeyPart::Name(name)) if is_other(name)))
}

fn suffix_groups(leaves: &[Leaf], source: Option<&SourcePlurals>) -> Vec<PluralGroup> {
    let has_plurals = source.is_some_and(SourcePlurals::has_plurals);
    if !has_plurals && !has_other_form(leaves, |name| name.ends_with("_other")) {
        return Vec::new();
    }
    let mut found: Vec<(PluralGroup, bool)> = Vec::new();
    let mut numbers: HashMap<(&[UnitKeyPart], &str), usize> = HashMap::new();
    for (at, leaf) in leaves.iter().enumerate() {
        let (Some(UnitKeyPart::Name(name)), Some(text)) = (leaf.key.0.last(), &leaf.text) else { continue };
        let Some((base, kind, category)) = split_suffix(name) else { continue };
        let number = *numbers.entry((leaf.key.parent(), base)).or_insert_with(|| {
            let key = UnitKey(leaf.key.parent().to_vec()).with(UnitKeyPart::Name(base.to_owned()));
            found.push((PluralGroup { key, kind, ..PluralGroup::default() }, false));
            found.len() - 1
        });
        if let Some((group, has_count)) = found.get_mut(number) {
            group.forms.push((category, at));
            *has_count |= has_i18next_count(text);
        }
    }
    let has_other = |group: &PluralGroup| group.forms.iter().any(|(category, _)| *category == PluralCategory::Other);
    found.retain(|(group, has_count)| {
        let in_source = source.and_then(|source| source.is_plural(group));
        in_source.unwrap_or_else(|| *has_count && has_other(group))
    });
    let mut groups: Vec<PluralGroup> = found.into_iter().map(|(group, _)| group).collect();
    keep_keys_unique(leaves, &mut groups);
    if let Some(source) = source {
        for group in &mut groups {
            source.rename(group);
        }
    }
    groups
}

/// If a text has the same name as a plural (`x` next to `x_other`), names the plural after its `other` form: `x_other`.
fn keep_keys_unique(leaves: &[Leaf], groups: &mut [PluralGroup]) {
    let mut numbers: HashMap<UnitKey, usize> =
        groups.iter().enumerate().map(|(number, group)| (group.key.clone(), number)).collect();
    if numbers.is_empty() {
        return;
    }
    for leaf in leaves {
        let group = numbers.remove(&leaf.key).and_then(|number| groups.get_mut(number));
        let Some(group) = group else { continue };
        if let Some(UnitKeyPart::Name(name)) = group.key.0.last_mut() {
            name.push_str("_other");
        }
    }
}

/// Returns whether the name of a plural ends with `_other` because a text has the name without it. i18next shows that text
/// for missing forms.
pub(super) fn shares_name_with_text(group: &PluralGroup) -> bool {
    group.kind == PluralKind::Cardinal
        && matches!(group.key.0.last(), Some(UnitKeyPart::Name(name)) if name.ends_with("_other"))
}

/// Returns whether a text contains `{{count}}`, also with a format.
pub(super) fn has_i18next_count(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b"{{").any(|at| {
        let content = text.get(at + 2..).unwrap_or_default().trim_start_matches(['{', '-', ' ']);
        content.strip_prefix("count").is_some_and(|rest| rest.trim_start().starts_with(['}', ',']))
    })
}

#[derive(Debug, Default)]
struct FormMapping {
    group: PluralGroup,
    has_non_forms: bool,
}

/// Returns the mappings whose keys are all plural categories, ignoring metadata of go-i18n.
fn form_mappings(leaves: &[Leaf], root_len: usize, has_metadata: bool) -> Vec<PluralGroup> {
    if !has_other_form(leaves, |name| name == PluralCategory::Other.name()) {
        return Vec::new();
    }
    let mut found: Vec<FormMapping> = Vec::new();
    let mut numbers: HashMap<&[UnitKeyPart], usize> = HashMap::new();
    for (at, leaf) in leaves.iter().enumerate() {
        let mut parent = leaf.key.parent();
        let mut number = number_of(parent, &mut numbers, &mut found);
        if let Some(mapping) = found.get_mut(number) {
            mapping.add(at, leaf, has_metadata);
        }
        // A mapping with mappings inside is not a plural.
        while let Some((_, above)) = parent.split_last() {
            parent = above;
            number = number_of(parent, &mut numbers, &mut found);
            match found.get_mut(number) {
                Some(mapping) if !mapping.has_non_forms => mapping.has_non_forms = true,
                _ => break,
            }
        }
    }
    let is_plural = |mapping: &FormMapping| {
        let group = &mapping.group;
        let has_other = group.forms.iter().any(|(category, _)| *category == PluralCategory::Other);
        !mapping.has_non_forms && has_other && group.key.0.len() > root_len
    };
    found.into_iter().filter(is_plural).map(|mapping| mapping.group).collect()
}

fn number_of<'a>(
    key: &'a [UnitKeyPart],
    numbers: &mut HashMap<&'a [UnitKeyPart], usize>,
    found: &mut Vec<FormMapping>,
) -> usize {
    *numbers.entry(key).or_insert_with(|| {
        let group = PluralGroup { key: UnitKey(key.to_vec()), ..PluralGroup::default() };
        found.push(FormMapping { group, has_non_forms: false });
        found.len() - 1
    })
}

impl FormMapping {
    fn add(&mut self, at: usize, leaf: &Leaf, has_metadata: bool) {
        let name = match leaf.key.0.last() {
            Some(UnitKeyPart::Name(name)) => name.as_str(),
            _ => "",
        };
        match (PluralCategory::from_name(name), &leaf.text) {
            (Some(category), Some(_)) => self.group.forms.push((category, at)),
            (None, _) if has_metadata && GO_METADATA.contains(&name) => {
                self.group.metadata.push(at);
                if name == "description" {
                    self.group.description = Some(at);
                }
            }
            _ => self.has_non_forms = true,
        }
    }
}

fn mapping_groups(
    leaves: &[Leaf],
    dialect: Dialect,
    root_len: usize,
    source: Option<&SourcePlurals>,
) -> Vec<PluralGroup> {
    let in_source = |group: &PluralGroup| {
        group.key.0.get(root_len..).zip(source).is_some_and(|(key, source)| source.is_plural_key(key))
    };
    let mut groups = form_mappings(leaves, root_len, dialect == Dialect::GoI18n);
    if dialect == Dialect::Rails {
        groups.retain(|group| group.forms.len() > 1 || in_source(group) || is_rails_plural(group, leaves, root_len));
    }
    groups
}

/// A mapping with only `other` is a plural if the language has one form, if a part of its key is `models`, or if it has `%{count}`.
fn is_rails_plural(group: &PluralGroup, leaves: &[Leaf], root_len: usize) -> bool {
    const ONE_FORM: &[&str] = &["ja", "zh", "ko", "vi", "th", "id", "ms", "lo", "my", "km", "bo", "dz", "jv", "yue"];
    let is_models = |part: &UnitKeyPart| matches!(part, UnitKeyPart::Name(name) if name == "models");
    let is_one_form = group.key.0.first().filter(|_| root_len > 0).is_some_and(|root| match root {
        UnitKeyPart::Name(name) => ONE_FORM.contains(&name.split(['-', '_']).next().unwrap_or_default()),
        UnitKeyPart::Item(_) => false,
    });
    let has_count = |(_, at): &(PluralCategory, usize)| {
        leaves.get(*at).and_then(|leaf| leaf.text.as_ref()).is_some_and(|text| text.contains("%{count}"))
    };
    is_one_form || group.key.0.iter().any(is_models) || group.forms.iter().any(has_count)
}

/// Returns whether a text of go-i18n has a count. Without one, a message with only `other` is a plain text.
pub(super) fn has_go_count(text: &str) -> bool {
    text.contains(".PluralCount") || text.contains(".Count")
}

/// A mapping that includes `two` may just list numbers, so it counts only if it has metadata of go-i18n.
pub(super) fn has_plural_mapping(leaves: &[Leaf]) -> bool {
    let has_two = |group: &PluralGroup| group.forms.iter().any(|(category, _)| *category == PluralCategory::Two);
    let is_plural = |group: &PluralGroup| !group.metadata.is_empty() || (group.forms.len() > 1 && !has_two(group));
    form_mappings(leaves, 0, true).iter().any(is_plural)
}

/// Returns whether a key is metadata of a list entry, such as its id or description.
pub(super) fn is_go_metadata(key: &UnitKey) -> bool {
    match key.0.as_slice() {
        [.., UnitKeyPart::Item(_), UnitKeyPart::Name(name)] => GO_METADATA.contains(&name.as_str()),
        _ => false,
    }
}

pub(super) fn form_key(group: &UnitKey, dialect: Dialect, category: PluralCategory) -> UnitKey {
    if dialect != Dialect::I18next {
        return group.with(UnitKeyPart::Name(category.name().to_owned()));
    }
    let mut key = group.clone();
    if let Some(UnitKeyPart::Name(name)) = key.0.last_mut() {
        let base = name.strip_suffix("_other").unwrap_or(name).len();
        name.truncate(base);
        name.extend(["_", category.name()]);
    }
    key
}
