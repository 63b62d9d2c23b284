//! Computes the plural forms of a target file, sample numbers for each, and the source form for a number.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use super::gettext::GettextPlural;
use super::rules::{SAMPLE_LIMIT, sample_order};
use super::{PluralCategory, PluralForm, PluralKind, PluralRules, TargetForms};
use crate::tree::NumberedForms;

/// For each index, its numbers below 1,000, preferred samples first.
type IndexSamples = Arc<Vec<Vec<u64>>>;

/// A cache of parsed headers, which grows with the number of languages.
static KNOWN_HEADERS: RwLock<BTreeMap<String, Option<IndexSamples>>> = RwLock::new(BTreeMap::new());

/// Decides which forms a plural has in a target file.
#[derive(Clone, Debug)]
pub struct PluralTarget {
    source: Arc<PluralRules>,
    target: Arc<PluralRules>,
    /// Only in a PO file.
    indices: Option<IndexSamples>,
    left_out: Vec<PluralCategory>,
}

impl PluralTarget {
    /// If a `Plural-Forms` header is invalid, the categories of the language are used instead.
    pub fn new(source_lang: &str, target_lang: &str, kind: PluralKind, forms: &TargetForms) -> Self {
        let target = PluralRules::of(target_lang, kind);
        let indices = match forms {
            TargetForms::OfLanguage | TargetForms::WithoutOne | TargetForms::Numbered => None,
            TargetForms::Gettext(header) => Some(index_samples(header).unwrap_or_else(|| language_indices(&target))),
        };
        let left_out = match forms {
            TargetForms::WithoutOne => vec![PluralCategory::One],
            TargetForms::Numbered => {
                let numbered = NumberedForms::of(target_lang);
                PluralCategory::ALL.into_iter().filter(|category| !numbered.has(*category)).collect()
            }
            _ => Vec::new(),
        };
        Self { source: PluralRules::of(source_lang, kind), target, indices, left_out }
    }

    /// Returns the forms to write. Forms that the source has keep its order. `offset` is subtracted from a number before
    /// its category is looked up.
    pub fn forms(&self, source: &[PluralForm], offset: u64) -> Vec<PluralForm> {
        if let Some(indices) = &self.indices {
            return (0..indices.len()).map(PluralForm::Index).collect();
        }
        let stays = |form: &PluralForm| match form {
            PluralForm::Category(category) if self.left_out.contains(category) => false,
            PluralForm::Exact(_) | PluralForm::Category(PluralCategory::Zero) => true,
            PluralForm::Category(category) => self.target.categories().contains(category),
            PluralForm::Index(_) => false,
        };
        let mut forms: Vec<PluralForm> = source.iter().copied().filter(stays).collect();
        let exact: BTreeSet<u64> = exact_numbers(source).collect();
        for category in self.target.categories() {
            let form = PluralForm::Category(*category);
            let samples = self.target.samples(*category);
            let is_covered = !samples.is_empty() && samples.iter().all(|n| exact.contains(&(n + offset)));
            if forms.contains(&form)
                || self.left_out.contains(category)
                || is_covered && *category != PluralCategory::Other
            {
                continue;
            }
            let later = |other: &PluralForm| matches!(other, PluralForm::Category(_)) && *other > form;
            let at = forms.iter().position(later).unwrap_or(forms.len());
            forms.insert(at, form);
        }
        forms
    }

    /// Returns sample numbers of a form, preferred ones first, as a sentence shows them: the offset is already subtracted.
    pub fn numbers(&self, form: PluralForm, source: &[PluralForm], offset: u64) -> impl Iterator<Item = u64> {
        let mut single = None;
        let samples = match (form, &self.indices) {
            (PluralForm::Exact(n), _) => {
                single = n.checked_sub(offset);
                &[]
            }
            (PluralForm::Index(index), Some(indices)) => indices.get(index).map(Vec::as_slice).unwrap_or_default(),
            (PluralForm::Index(_), None) => &[],
            (PluralForm::Category(category), _) => self.target.samples(category),
        };
        if samples.is_empty() && form == PluralForm::Category(PluralCategory::Zero) {
            single = Some(0);
        }
        let exact: BTreeSet<u64> = exact_numbers(source).collect();
        single.into_iter().chain(samples.iter().copied().filter(move |n| !exact.contains(&(n + offset))))
    }

    /// Returns the index of the source form for a shown number.
    pub fn source_form(&self, number: u64, source: &[PluralForm], offset: u64) -> Option<usize> {
        let position = |form: PluralForm| source.iter().position(|other| *other == form);
        let zero = || (number == 0).then(|| position(PluralForm::Category(PluralCategory::Zero))).flatten();
        position(PluralForm::Exact(number.saturating_add(offset)))
            .or_else(zero)
            .or_else(|| position(PluralForm::Category(self.source.category(number))))
            .or_else(|| position(PluralForm::Category(PluralCategory::Other)))
            .or_else(|| position(PluralForm::Index(usize::from(number != 1))))
            .or_else(|| source.len().checked_sub(1))
    }

    /// Returns the index of the source form for a target form that has no sample number.
    pub fn source_form_of(form: PluralForm, source: &[PluralForm]) -> Option<usize> {
        let position = |form: PluralForm| source.iter().position(|other| *other == form);
        position(form)
            .or_else(|| position(PluralForm::Category(PluralCategory::Other)))
            .or_else(|| source.len().checked_sub(1))
    }

    /// Returns the forms that a target lacks. A PO file needs all of its forms.
    ///
    /// In other files, a category such as `few` is missing if the source has it and the target language uses it for a number
    /// from 1 to 999 that has no exact form in the target. `zero` is never missing. `other` is missing if a number below 1,000
    /// has no form.
    pub fn missing_forms(&self, source: &[PluralForm], target: &[PluralForm], offset: u64) -> Vec<PluralForm> {
        if let Some(indices) = &self.indices {
            let all = (0..indices.len()).map(PluralForm::Index);
            return all.filter(|form| !target.contains(form)).collect();
        }
        let exact: BTreeSet<u64> = exact_numbers(target).collect();
        let lacks = |category: PluralCategory| !target.contains(&PluralForm::Category(category));
        let is_missing = |category: &PluralCategory| match category {
            // `other` is also used for a category without a form.
            PluralCategory::Other => self.target.categories().iter().any(|category| {
                let mut samples = self.target.samples(*category).iter();
                lacks(*category) && samples.any(|n| !exact.contains(&(n + offset)))
            }),
            PluralCategory::Zero => false,
            _ => {
                let mut samples = self.target.samples(*category).iter();
                // A category needed only for 0 is not missing. For example, French uses `one` for 0 and 1. If the target has an exact
                // form for 1, only 0 is left for `one`, and `other` may be right for 0.
                let is_open = |n: &u64| *n > 0 && !exact.contains(&(n + offset));
                source.contains(&PluralForm::Category(*category)) && samples.any(is_open)
            }
        };
        let written = self.target.categories().iter().copied().filter(|category| !self.left_out.contains(category));
        written.filter(|category| lacks(*category) && is_missing(category)).map(PluralForm::Category).collect()
    }

    /// Returns whether the text of the form may omit the number. In most languages, such a form covers only one or two numbers.
    pub fn may_leave_out_number(&self, form: PluralForm) -> bool {
        match form {
            PluralForm::Exact(_) => true,
            PluralForm::Category(category) => {
                matches!(category, PluralCategory::Zero | PluralCategory::One | PluralCategory::Two)
            }
            PluralForm::Index(index) => {
                let indices = self.indices.as_deref();
                indices.and_then(|indices| indices.get(index)).is_none_or(|numbers| numbers.len() <= 2)
            }
        }
    }

    pub fn has_one_form(&self) -> bool {
        self.indices.as_ref().map_or(self.target.categories().len(), |indices| indices.len()) <= 1
    }
}

fn exact_numbers(forms: &[PluralForm]) -> impl Iterator<Item = u64> {
    forms.iter().filter_map(|form| match form {
        PluralForm::Exact(n) => Some(*n),
        _ => None,
    })
}

/// Returns the sample numbers of each index; `None` if the header is invalid.
fn index_samples(header: &str) -> Option<IndexSamples> {
    if let Some(known) = KNOWN_HEADERS.read().unwrap_or_else(PoisonError::into_inner).get(header) {
        return known.clone();
    }
    let samples = GettextPlural::parse(header).ok().filter(|plural| plural.count() > 0).map(|plural| {
        let mut samples: Vec<Vec<u64>> = vec![Vec::new(); plural.count().min(MAX_INDICES)];
        for n in sample_order() {
            if let Some(numbers) = samples.get_mut(plural.index(n)) {
                numbers.push(n);
            }
        }
        Arc::new(samples)
    });
    KNOWN_HEADERS.write().unwrap_or_else(PoisonError::into_inner).insert(header.to_owned(), samples.clone());
    samples
}

/// No language has this many forms, so a header with more is hostile.
const MAX_INDICES: usize = 16;

/// Returns an index for each category that has a number below 1,000.
fn language_indices(rules: &PluralRules) -> IndexSamples {
    let samples = rules.categories().iter().map(|category| rules.samples(*category).to_vec());
    let mut samples: Vec<Vec<u64>> = samples.filter(|numbers| !numbers.is_empty()).collect();
    if samples.is_empty() {
        samples.push((0..SAMPLE_LIMIT).collect());
    }
    Arc::new(samples)
}
