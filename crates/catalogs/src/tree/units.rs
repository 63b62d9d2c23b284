//! Turns leaves into units.

use super::groups::{PluralGroup, has_go_count, is_go_metadata, plural_groups, shares_name_with_text};
use super::{Leaf, NumberedForms, ReadOptions, UnitKey};
use crate::catalog::{PluralText, Unit, UnitText};
use crate::dialect::{Dialect, skip_reason};
use crate::plural::{PluralCategory, PluralForm, TargetForms};

#[derive(Debug)]
pub(super) struct TreeUnits {
    pub(super) units: Vec<TreeUnit>,
    pub(super) dialect: Dialect,
    /// The only root key, if it is a language. Unit keys do not include it.
    pub(super) root: Option<String>,
    pub(super) target_lang: Option<String>,
}

#[derive(Debug)]
pub(super) struct TreeUnit {
    pub(super) unit: Unit,
    pub(super) leaves: UnitLeaves,
}

#[derive(Debug)]
pub(super) enum UnitLeaves {
    Text(usize),
    Forms(Box<PluralGroup>),
}

impl UnitLeaves {
    pub(super) fn all(&self) -> Vec<usize> {
        let mut all = match self {
            Self::Text(leaf) => vec![*leaf],
            Self::Forms(group) => {
                group.forms.iter().map(|(_, leaf)| *leaf).chain(group.metadata.iter().copied()).collect()
            }
        };
        all.sort_unstable();
        all
    }
}

impl TreeUnits {
    /// Returns the forms of old i18next in `target_lang`.
    pub(super) fn numbered_forms(&self) -> NumberedForms {
        NumberedForms::of(self.target_lang.as_deref().unwrap_or_default())
    }

    /// Moves the keys and texts of the leaves into units. `root` is the only root key.
    pub(super) fn new(mut leaves: Vec<Leaf>, dialect: Dialect, root: Option<String>, options: &ReadOptions) -> Self {
        let (source, target_lang) = (options.source_plurals.as_deref(), options.target_lang.as_deref());
        let root_len = usize::from(root.is_some());
        let mut group_of: Vec<Option<usize>> = vec![None; leaves.len()];
        let mut groups: Vec<Option<PluralGroup>> = Vec::new();
        for group in plural_groups(&leaves, dialect, root_len, source, target_lang) {
            for leaf in group.forms.iter().map(|(_, leaf)| leaf).chain(&group.metadata) {
                if let Some(place) = group_of.get_mut(*leaf) {
                    *place = Some(groups.len());
                }
            }
            groups.push(Some(group));
        }
        let mut units = Vec::with_capacity(leaves.len());
        for (at, group) in group_of.iter().enumerate() {
            if let Some(number) = group {
                if let Some(group) = groups.get_mut(*number).and_then(Option::take) {
                    let unit = plural_unit(units.len(), &group, &leaves, dialect, root_len);
                    units.push(TreeUnit { unit, leaves: UnitLeaves::Forms(Box::new(group)) });
                }
                continue;
            }
            let Some(leaf) = leaves.get_mut(at) else { continue };
            let Some(text) = leaf.text.take() else { continue };
            if dialect == Dialect::GoI18n && is_go_metadata(&leaf.key) {
                continue;
            }
            let mut key = std::mem::take(&mut leaf.key);
            key.0.drain(..root_len.min(key.0.len()));
            let unit = Unit {
                id: units.len(),
                skip: skip_reason(dialect, &key.0, &text),
                key,
                text: UnitText::Single(text),
                note: leaf.note.take(),
                at: leaf.at,
                ..Unit::default()
            };
            units.push(TreeUnit { unit, leaves: UnitLeaves::Text(at) });
        }
        Self { units, dialect, root, target_lang: target_lang.map(str::to_owned) }
    }
}

fn plural_unit(id: usize, group: &PluralGroup, leaves: &[Leaf], dialect: Dialect, root_len: usize) -> Unit {
    let text_of = |leaf: usize| leaves.get(leaf).and_then(|leaf| leaf.text.clone()).unwrap_or_default();
    let forms: Vec<PluralText> = group
        .forms
        .iter()
        .map(|(category, leaf)| PluralText { form: PluralForm::Category(*category), text: text_of(*leaf) })
        .collect();
    let mut note_leaves = group.description.iter().chain(group.forms.iter().map(|(_, leaf)| leaf));
    let note = match group.description {
        Some(leaf) => leaves.get(leaf).and_then(|leaf| leaf.text.clone()),
        None => note_leaves.find_map(|leaf| leaves.get(*leaf).and_then(|leaf| leaf.note.clone())),
    };
    let text = match forms.as_slice() {
        [form]
            if dialect == Dialect::GoI18n
                && form.form == PluralForm::Category(PluralCategory::Other)
                && !has_go_count(&form.text) =>
        {
            UnitText::Single(form.text.clone())
        }
        _ => UnitText::Plural(group.kind, forms),
    };
    let key = UnitKey(group.key.0.get(root_len..).unwrap_or_default().to_vec());
    let skip = text.texts().find_map(|text| skip_reason(dialect, &key.0, text));
    let at = group.forms.first().and_then(|(_, leaf)| leaves.get(*leaf)).map_or(0, |leaf| leaf.at);
    let has_one = group.forms.iter().any(|(category, _)| *category == PluralCategory::One);
    let is_without_one = dialect == Dialect::I18next && !has_one && shares_name_with_text(group);
    let own_forms =
        if group.is_numbered { Some(TargetForms::Numbered) } else { is_without_one.then_some(TargetForms::WithoutOne) };
    Unit { id, key, text, note, own_forms, skip, at, ..Unit::default() }
}
