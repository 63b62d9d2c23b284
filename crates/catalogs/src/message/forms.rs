//! The forms of a plural as sentences.
//!
//! Input: the forms of the source. Output: a sentence for each form of the target, with a number in the place of its placeholder.

use std::collections::BTreeSet;
use std::ops::Range;

use super::count::{count_key, count_place};
use super::digits::numbers;
use super::{MessageRules, Sentence};
use crate::catalog::PluralText;
use crate::inline::InlineToken;
use crate::plural::{PluralForm, PluralKind, PluralTarget};

/// A form of the source.
struct SourceForm<'a> {
    text: &'a str,
    tokens: Vec<InlineToken>,
    /// The place of the number.
    count: Option<Range<usize>>,
    /// The numbers that stand in the text.
    numbers: BTreeSet<u64>,
}

/// Returns the sentence of each form of the target.
pub(super) fn form_sentences(
    kind: PluralKind,
    forms: &[PluralText],
    rules: &MessageRules<'_>,
) -> Vec<(PluralForm, Sentence)> {
    let target = PluralTarget::new(rules.source_lang, rules.target_lang, kind, rules.target_forms);
    let keys: Vec<PluralForm> = forms.iter().map(|form| form.form).collect();
    let sources = source_forms(forms, rules);
    let marks = rules.marks();
    let sentence = |form: PluralForm| {
        let choices = sources.iter().map(|source| (source.count.is_some(), &source.numbers));
        let chosen = choose_number(&target, form, &keys, 0, &choices.collect::<Vec<_>>());
        let source = sources.get(chosen.source)?;
        let count = source.count.clone().zip(chosen.sample);
        Some((form, Sentence::new(source.text.to_owned(), source.tokens.clone(), &marks, count)))
    };
    target.forms(&keys, 0).into_iter().filter_map(sentence).collect()
}

fn source_forms<'a>(forms: &'a [PluralText], rules: &MessageRules<'_>) -> Vec<SourceForm<'a>> {
    let tokens: Vec<Vec<InlineToken>> =
        forms.iter().map(|form| rules.syntax.tokens(&form.text, rules.markup)).collect();
    let texts: Vec<(&str, &[InlineToken])> =
        forms.iter().zip(&tokens).map(|(form, tokens)| (form.text.as_str(), tokens.as_slice())).collect();
    let key = count_key(rules.syntax, &texts);
    let source = |(form, tokens): (&'a PluralText, Vec<InlineToken>)| SourceForm {
        count: key.as_ref().and_then(|key| count_place(rules.syntax, &form.text, &tokens, key)),
        numbers: numbers(&form.text).into_iter().filter_map(|found| found.value).collect(),
        text: &form.text,
        tokens,
    };
    forms.iter().zip(tokens).map(source).collect()
}

/// Which form of the source a form of the target is made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChosenNumber {
    /// The position of the source form.
    pub(super) source: usize,
    /// A number that the form is for, if there is one below 1,000.
    pub(super) number: Option<u64>,
    /// The number to send: it does not stand in the text already.
    pub(super) sample: Option<u64>,
}

/// Chooses a number for a form of the target. `sources` says of each form of the source whether the number stands in it, and which
/// other numbers do.
///
/// Without the number in any of them, the form itself is the best source: French `one` is for 0, too, but "A file" says more than
/// "Files".
pub(super) fn choose_number(
    target: &PluralTarget,
    form: PluralForm,
    keys: &[PluralForm],
    offset: u64,
    sources: &[(bool, &BTreeSet<u64>)],
) -> ChosenNumber {
    let mut with_count = None;
    let mut same_form = None;
    let mut first = None;
    for number in target.numbers(form, keys, offset) {
        let Some(source) = target.source_form(number, keys, offset) else { continue };
        let Some((has_count, others)) = sources.get(source) else { continue };
        if *has_count && !others.contains(&number) {
            return ChosenNumber { source, number: Some(number), sample: Some(number) };
        }
        let chosen = ChosenNumber { source, number: Some(number), sample: None };
        if *has_count {
            with_count.get_or_insert(chosen);
        }
        if keys.get(source) == Some(&form) {
            same_form.get_or_insert(chosen);
        }
        first.get_or_insert(chosen);
    }
    with_count.or(same_form).or(first).unwrap_or_else(|| {
        let source = PluralTarget::source_form_of(form, keys).unwrap_or_default();
        ChosenNumber { source, number: None, sample: None }
    })
}
