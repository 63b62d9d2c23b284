//! Plurals of i18next before version 21 (`compatibilityJSON: "v3"`): `x` and `x_plural`, or `x`, `x_1`, `x_2` in
//! languages that do not have exactly two forms. i18next falls back to `x`, so `x` is always the form for 1.

use std::collections::HashMap;

use super::groups::{PluralGroup, has_i18next_count};
use super::{Leaf, SourcePlurals, UnitKey};
use crate::catalog::UnitKeyPart;
use crate::plural::{GettextPlural, PluralCategory, PluralKind, PluralRules, gettext_header};

/// The suffix of the plural form in languages with two forms.
const PLURAL: &str = "_plural";
/// Languages that have other rules in i18next 20 than in gettext.
const HEADERS: [(&str, &str); 6] = [
    ("ay bo cgg fa ht ka ky tt ug", "nplurals=1; plural=0;"),
    ("br hy", "nplurals=2; plural=(n > 1);"),
    ("cy", "nplurals=4; plural=(n==1 ? 0 : n==2 ? 1 : n!=8 && n!=11 ? 2 : 3);"),
    ("he iw", "nplurals=4; plural=(n==1 ? 0 : n==2 ? 1 : n>10 && n%10==0 ? 2 : 3);"),
    ("mt", "nplurals=4; plural=(n==1 ? 0 : n==0 || n%100>1 && n%100<11 ? 1 : n%100>10 && n%100<20 ? 2 : 3);"),
    ("sl", "nplurals=4; plural=(n%100==1 ? 1 : n%100==2 ? 2 : n%100==3 || n%100==4 ? 3 : 0);"),
];

#[derive(Clone, Debug)]
pub(crate) struct NumberedForms {
    /// By form number.
    categories: Vec<PluralCategory>,
    category_of_one: PluralCategory,
}

impl NumberedForms {
    /// An unknown language has two forms.
    pub(crate) fn of(lang: &str) -> Self {
        let base = lang.split(['-', '_']).next().unwrap_or_default();
        let has_base = |languages: &str| languages.split(' ').any(|language| language == base);
        let own = HEADERS.iter().find(|(languages, _)| has_base(languages)).map(|(_, header)| *header);
        let rule = own.or_else(|| gettext_header(lang)).and_then(|header| GettextPlural::parse(header).ok());
        let Some(rule) = rule.filter(|rule| rule.count() != 2) else {
            return Self {
                categories: vec![PluralCategory::One, PluralCategory::Other],
                category_of_one: PluralCategory::One,
            };
        };
        let rules = PluralRules::of(lang, PluralKind::Cardinal);
        let category = |index: usize| {
            let number = (2..200).chain([0, 1]).find(|number| rule.index(*number) == index);
            number.map_or(PluralCategory::Other, |number| rules.category(number))
        };
        let categories: Vec<PluralCategory> = (0..rule.count()).map(category).collect();
        let category_of_one = categories.get(rule.index(1)).copied().unwrap_or(PluralCategory::Other);
        Self { categories, category_of_one }
    }

    pub(crate) fn has(&self, category: PluralCategory) -> bool {
        self.categories.contains(&category)
    }

    pub(super) fn names(&self, base: &str, category: PluralCategory) -> Vec<String> {
        if category == self.category_of_one {
            return vec![base.to_owned()];
        }
        if self.categories.len() == 2 {
            return Vec::from_iter((category == PluralCategory::Other).then(|| [base, PLURAL].concat()));
        }
        let numbers = self.categories.iter().enumerate().filter(|(_, other)| **other == category);
        numbers.map(|(number, _)| format!("{base}_{number}")).collect()
    }

    /// The suffix may be empty, `_plural`, or a number such as `_2`.
    pub(super) fn category_of(&self, end: &str) -> Option<PluralCategory> {
        match end {
            "" => Some(self.category_of_one),
            PLURAL => (self.categories.len() == 2).then_some(PluralCategory::Other),
            _ => self.categories.get(end.strip_prefix('_')?.parse::<usize>().ok()?).copied(),
        }
    }
}

/// The plurals of a source are pairs such as `x` and `x_plural`, of which at least one has `{{count}}`.
pub(super) fn numbered_groups(
    leaves: &[Leaf],
    source: Option<&SourcePlurals>,
    target_lang: Option<&str>,
) -> Vec<PluralGroup> {
    let names = || {
        leaves.iter().enumerate().filter_map(|(at, leaf)| match (leaf.key.0.last(), &leaf.text) {
            (Some(UnitKeyPart::Name(name)), Some(text)) => Some((at, leaf.key.parent(), name.as_str(), text.as_str())),
            _ => None,
        })
    };
    let is_possible =
        source.map_or_else(|| names().any(|(.., name, _)| name.ends_with(PLURAL)), SourcePlurals::has_numbered);
    if !is_possible {
        return Vec::new();
    }
    let forms = NumberedForms::of(target_lang.unwrap_or_default());
    let mut found: Vec<PluralGroup> = Vec::new();
    let mut numbers: HashMap<UnitKey, usize> = HashMap::new();
    let texts: HashMap<(&[UnitKeyPart], &str), (usize, &str)> =
        names().map(|(at, parent, name, text)| ((parent, name), (at, text))).collect();
    for (at, parent, name, text) in names() {
        let key = |base: &str| UnitKey(parent.to_vec()).with(UnitKeyPart::Name(base.to_owned()));
        let Some(source) = source else {
            let base = name.strip_suffix(PLURAL).unwrap_or_default();
            let Some((one, one_text)) = texts.get(&(parent, base)) else { continue };
            if has_i18next_count(text) || has_i18next_count(one_text) {
                let mut forms = vec![(PluralCategory::One, *one), (PluralCategory::Other, at)];
                forms.sort_by_key(|(_, leaf)| *leaf);
                found.push(PluralGroup { key: key(base), forms, is_numbered: true, ..PluralGroup::default() });
            }
            continue;
        };
        let is_end = |end: &&str| *end == PLURAL || end.strip_prefix('_').is_some_and(|end| end.parse::<u8>().is_ok());
        let end = name.rfind('_').and_then(|at| name.get(at..)).filter(is_end).unwrap_or_default();
        let bases = [name, name.strip_suffix(end).unwrap_or_default()];
        let Some(base) = bases.into_iter().find(|base| source.has_numbered_key(&key(base))) else { continue };
        let number = *numbers.entry(key(base)).or_insert_with(|| {
            found.push(PluralGroup { key: key(base), is_numbered: true, ..PluralGroup::default() });
            found.len() - 1
        });
        let Some(group) = found.get_mut(number) else { continue };
        match forms.category_of(name.strip_prefix(base).unwrap_or_default()) {
            Some(category) => group.forms.push((category, at)),
            None => group.metadata.push(at),
        }
    }
    found.retain(|group| !group.forms.is_empty());
    found
}
