//! Checks whether a human translation agrees with its source.
//!
//! Input: the source and the target of a unit. Output: missing plural forms, and a text about the first wrong
//! placeholder, tag or argument. Differences that a correct translation may have are not reported.

use std::collections::{BTreeMap, BTreeSet};

use super::forms::count_key;
use super::structure::{MessageShape, Placeholders, placeholder_key, placeholders, variable_of};
use super::tree::{ChoiceKind, MessageChoice, MessagePart, visit};
use super::{FluentPattern, MessageRules, fluent, markup_ranges, parse_message};
use crate::catalog::{PluralText, UnitText};
use crate::icu::{IcuMessage, IcuQuoting};
use crate::inline::InlineToken;
use crate::placeholders::{Syntax, has_date, is_date_format};
use crate::plural::{PluralCategory, PluralForm, PluralKind, PluralTarget};

/// Returns the plural forms of a translation, each with the index of the source form to translate; empty for a text
/// without plural forms.
pub fn plural_forms(source: &UnitText, rules: &MessageRules<'_>) -> Vec<(PluralForm, usize)> {
    let UnitText::Plural(kind, source) = source else { return Vec::new() };
    let source: Vec<PluralForm> = source.iter().map(|form| form.form).collect();
    let target = PluralTarget::new(rules.source_lang, rules.target_lang, *kind, rules.target_forms);
    let from = |form: PluralForm| {
        let number = target.numbers(form, &source, 0).next().filter(|_| matches!(form, PluralForm::Index(_)));
        let found = number.and_then(|number| target.source_form(number, &source, 0));
        found.or_else(|| PluralTarget::source_form_of(form, &source)).unwrap_or_default()
    };
    target.forms(&source, 0).into_iter().map(|form| (form, from(form))).collect()
}

/// Returns the plural forms that a target lacks.
///
/// A category such as `few` is missing if the source has it and the target language uses it for a number from 1 to 999
/// that has no exact form in the target. `zero` is never missing. `other` is missing if a number below 1,000 has no form;
/// a message always needs it, except in Fluent.
///
/// A form with only whitespace counts as missing, unless the same form of the source has only whitespace too, or all forms
/// of the target do.
pub fn missing_forms(source: &UnitText, target: &UnitText, rules: &MessageRules<'_>) -> Vec<PluralForm> {
    let plural_target = |kind| PluralTarget::new(rules.source_lang, rules.target_lang, kind, rules.target_forms);
    match (source, target) {
        (UnitText::Plural(kind, source), UnitText::Plural(_, target)) => {
            let has_text = |form: &&PluralText| !form.text.trim().is_empty();
            let forms: Vec<PluralForm> = target.iter().filter(has_text).map(|form| form.form).collect();
            if forms.is_empty() {
                return Vec::new();
            }
            let is_blank = |form: &PluralForm| source.iter().any(|other| other.form == *form && !has_text(&other));
            let source: Vec<PluralForm> = source.iter().map(|form| form.form).collect();
            let missing = plural_target(*kind).missing_forms(&source, &forms, 0);
            missing.into_iter().filter(|form| !is_blank(form)).collect()
        }
        (UnitText::Single(source), UnitText::Single(target)) if may_have_placeholders(source, rules) => {
            let (Some(source), Some(target)) = (parse_message(source, rules), parse_message(target, rules)) else {
                return Vec::new();
            };
            let source = plurals(&source.parts);
            let mut missing = Vec::new();
            for choice in all_plurals(&target.parts) {
                let ChoiceKind::Plural { kind, offset } = choice.kind else { continue };
                let Some(forms) = source.get(&(choice.argument.as_str(), kind)) else { continue };
                let mut own = choice.forms();
                let other = PluralForm::Category(PluralCategory::Other);
                // In Fluent, the default variant covers all other numbers.
                if rules.syntax != Syntax::Fluent && !own.contains(&other) {
                    missing.push(other);
                }
                own.push(other);
                missing.extend(plural_target(kind).missing_forms(forms, &own, offset));
            }
            missing.sort_unstable();
            missing.dedup();
            missing
        }
        _ => Vec::new(),
    }
}

fn all_plurals(parts: &[MessagePart]) -> Vec<&MessageChoice> {
    let mut found = Vec::new();
    visit(parts, &mut |part| match part {
        MessagePart::Choice(choice) if choice.kind != ChoiceKind::Select => found.push(choice),
        _ => {}
    });
    found
}

fn plurals(parts: &[MessagePart]) -> BTreeMap<(&str, PluralKind), Vec<PluralForm>> {
    let mut forms: BTreeMap<(&str, PluralKind), Vec<PluralForm>> = BTreeMap::new();
    for choice in all_plurals(parts) {
        if let ChoiceKind::Plural { kind, .. } = choice.kind {
            forms.entry((&choice.argument, kind)).or_default().extend(choice.forms());
        }
    }
    forms
}

/// Fails if a target differs from its source in placeholders, tags, arguments or keywords. The error says which.
pub fn check_target(source: &UnitText, target: &UnitText, rules: &MessageRules<'_>) -> Result<(), String> {
    match (source, target) {
        (UnitText::Single(source), UnitText::Single(target)) => check_single(source, target, rules),
        (UnitText::Plural(kind, source), UnitText::Plural(_, target)) => check_forms(*kind, source, target, rules),
        (UnitText::Plural(kind, source), UnitText::Single(text)) => {
            let form = PluralForm::Category(PluralCategory::Other);
            check_forms(*kind, source, &[PluralText { form, text: text.clone() }], rules)
        }
        (UnitText::Single(source), UnitText::Plural(_, target)) => {
            target.iter().try_for_each(|form| check_single(source, &form.text, rules))
        }
    }
}

/// A quick test, because sync checks every text of a project.
fn may_have_placeholders(text: &str, rules: &MessageRules<'_>) -> bool {
    let is_syntax = |byte| matches!(byte, b'<' | b'{' | b'}' | b'%' | b'$' | b'@' | b':');
    !rules.markup.is_empty() || text.bytes().any(is_syntax)
}

fn check_single(source: &str, target: &str, rules: &MessageRules<'_>) -> Result<(), String> {
    if !may_have_placeholders(source, rules) && !may_have_placeholders(target, rules) {
        return Ok(());
    }
    let read: fn(&str, &MessageRules<'_>) -> Result<Vec<MessagePart>, String> = match rules.syntax {
        Syntax::Icu => icu_parts,
        Syntax::Fluent => fluent_parts,
        syntax if syntax.may_have_choices() && parse_message(source, rules).is_some() => icu_parts,
        _ => return check_simple(source, target, rules),
    };
    let Ok(source_parts) = read(source, rules) else { return check_simple(source, target, rules) };
    let target_parts = read(target, rules)?;
    let source_shape = MessageShape::of(&source_parts, rules.markup);
    let target_shape = MessageShape::of(&target_parts, rules.markup);
    compare(&source_shape.tags, &target_shape.tags, "tag")?;
    if rules.syntax == Syntax::Fluent {
        return check_variables(&source_parts, &target_parts);
    }
    compare_arguments(&source_shape, &target_shape, rules)?;
    for (argument, keywords) in &source_shape.keywords {
        if target_shape.keywords.get(argument) != Some(keywords) {
            return Err(format!("the keywords of the select {{{argument}}} differ from the source"));
        }
    }
    Ok(())
}

fn icu_parts(text: &str, rules: &MessageRules<'_>) -> Result<Vec<MessagePart>, String> {
    let message = IcuMessage::parse(text, IcuQuoting::Optional, &markup_ranges(text, rules.markup));
    message.map(|message| message.parts).map_err(|error| format!("{} (byte {})", error.what, error.at))
}

fn fluent_parts(text: &str, _: &MessageRules<'_>) -> Result<Vec<MessagePart>, String> {
    let pattern = FluentPattern::parse(text);
    pattern
        .map(|pattern| fluent::message_parts(&pattern))
        .map_err(|at| format!("the placeable at byte {at} is not valid"))
}

/// A target may drop a selector, or select by a variable that the source shows. If the source has no variables, as in many
/// terms, the target may select by any, for example by a grammatical case.
fn check_variables(source: &[MessagePart], target: &[MessagePart]) -> Result<(), String> {
    let (source, target) = (FluentVariables::of(source), FluentVariables::of(target));
    if let Some(name) = source.shown.iter().find(|name| !target.has(name)) {
        return Err(format!("the variable {name} is missing"));
    }
    if let Some(name) = source.references.difference(&target.references).next() {
        return Err(format!("the reference to {name} is missing"));
    }
    if let Some(name) = target.references.difference(&source.references).next() {
        return Err(format!("the reference to {name} is not in the source"));
    }
    let is_term = source.shown.is_empty() && source.chosen_by.is_empty();
    let chosen_by = target.chosen_by.iter().filter(|_| !is_term);
    match target.shown.iter().chain(chosen_by).find(|name| !source.has(name)) {
        Some(name) => Err(format!("the variable {name} is not in the source")),
        None => Ok(()),
    }
}

#[derive(Default)]
struct FluentVariables<'a> {
    shown: BTreeSet<&'a str>,
    chosen_by: BTreeSet<&'a str>,
    references: BTreeSet<&'a str>,
}

impl<'a> FluentVariables<'a> {
    fn of(parts: &'a [MessagePart]) -> Self {
        let mut found = Self::default();
        visit(parts, &mut |part| match part {
            MessagePart::Argument { name, .. } => match reference_of(name) {
                Some(reference) => found.references.extend([reference]),
                None => found.shown.extend(variable_of(name)),
            },
            MessagePart::Choice(choice) => found.chosen_by.extend(variable_of(&choice.argument)),
            _ => {}
        });
        found
    }

    fn has(&self, name: &str) -> bool {
        self.shown.contains(name) || self.chosen_by.contains(name)
    }
}

/// Returns the message or term that a Fluent placeable refers to, without call arguments: `name.attribute`, `-term`.
fn reference_of(placeable: &str) -> Option<&str> {
    let name = if placeable.starts_with('-') { placeable.split('(').next()?.trim() } else { placeable };
    let letters = name.strip_prefix('-').unwrap_or(name);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (letters.starts_with(|c: char| c.is_ascii_alphabetic()) && letters.chars().all(is_part)).then_some(name)
}

fn compare_arguments(source: &MessageShape, target: &MessageShape, rules: &MessageRules<'_>) -> Result<(), String> {
    let names = |shape: &MessageShape| -> Placeholders {
        shape.arguments.keys().map(|name| (name.clone(), ["{", name, "}"].concat())).collect()
    };
    let has_one_form =
        |kind| PluralTarget::new(rules.source_lang, rules.target_lang, kind, rules.target_forms).has_one_form();
    let without_forms = |types: &BTreeSet<String>| {
        types.iter().all(|name| match name.as_str() {
            "plural" => has_one_form(PluralKind::Cardinal),
            "selectordinal" => has_one_form(PluralKind::Ordinal),
            _ => false,
        })
    };
    let mut needed = names(source);
    // A translation may drop the argument of a plural if it is not shown and the target language has only one form.
    needed.retain(|name, _| {
        let types = source.arguments.get(name);
        target.arguments.contains_key(name) || source.shown.contains(name) || !types.is_some_and(without_forms)
    });
    compare(&needed, &names(target), "argument")?;
    for (name, types) in &source.arguments {
        let mut wanted = types.clone();
        let mut found = target.arguments.get(name).cloned().unwrap_or_default();
        if source.is_plural(name) {
            // The target may write `{n}` for `#`.
            for types in [&mut wanted, &mut found] {
                types.remove("number");
            }
            if found.is_empty() && without_forms(&wanted) {
                continue;
            }
        }
        if wanted != found {
            return Err(format!("the type of the argument {{{name}}} differs from the source"));
        }
    }
    Ok(())
}

fn check_simple(source: &str, target: &str, rules: &MessageRules<'_>) -> Result<(), String> {
    if rules.syntax.is_printf() && is_date_format(source) && has_date(target) {
        return Ok(());
    }
    let in_source = rules.syntax.tokens(source, rules.markup);
    let mut in_target = rules.syntax.tokens(target, rules.markup);
    in_target.retain(|token| !rules.syntax.may_be_prose(target, token) || source.contains(slice(target, token)));
    let token_texts =
        |text, tokens: &[InlineToken]| -> Vec<_> { tokens.iter().map(|token| slice(text, token)).collect() };
    if token_texts(source, &in_source) == token_texts(target, &in_target) {
        return Ok(());
    }
    let of = |text, tokens: &[InlineToken]| placeholders(rules.syntax, text, tokens, rules.markup);
    compare(&of(source, &in_source), &of(target, &in_target), "placeholder")
}

fn slice<'a>(text: &'a str, token: &InlineToken) -> &'a str {
    text.get(token.byte_range()).unwrap_or_default()
}

fn compare(source: &Placeholders, target: &Placeholders, what: &str) -> Result<(), String> {
    if let Some((_, placeholder)) = source.iter().find(|(key, _)| !target.contains_key(*key)) {
        return Err(format!("the {what} {placeholder} is missing"));
    }
    match target.iter().find(|(key, _)| !source.contains_key(*key) && !is_emphasis(key, target)) {
        Some((_, placeholder)) => Err(format!("the {what} {placeholder} is not in the source")),
        None => Ok(()),
    }
}

/// HTML elements that a translation may add.
const EMPHASIS: &[&str] = &["b", "code", "em", "i", "kbd", "q", "s", "small", "strong", "sub", "sup", "u"];

/// Returns whether a tag is a line break, or one of a pair of [`EMPHASIS`] tags.
fn is_emphasis(key: &str, all: &Placeholders) -> bool {
    let Some(name) = key.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return false };
    let name = name.strip_prefix('/').unwrap_or(name);
    let has = |start: &str| all.contains_key(&[start, name, ">"].concat());
    matches!(name, "br" | "wbr") || EMPHASIS.contains(&name) && has("<") && has("</")
}

/// Fails unless each form has the placeholders of some source form. A form such as `one` may omit the number.
fn check_forms(
    kind: PluralKind,
    source: &[PluralText],
    target: &[PluralText],
    rules: &MessageRules<'_>,
) -> Result<(), String> {
    let plural = PluralTarget::new(rules.source_lang, rules.target_lang, kind, rules.target_forms);
    let count = count_placeholder(source, rules);
    let of = |form: &PluralText| {
        let tokens = rules.syntax.tokens(&form.text, rules.markup);
        placeholders(rules.syntax, &form.text, &tokens, rules.markup)
    };
    let sources: Vec<Placeholders> = source.iter().map(of).collect();
    for form in target.iter().filter(|form| !form.text.trim().is_empty()) {
        let found = of(form);
        let fits = |source: &Placeholders| {
            let same = |count: Option<&String>| {
                let wanted = source.keys().filter(|key| Some(*key) != count);
                wanted.eq(found.keys().filter(|key| Some(*key) != count))
            };
            same(None) || plural.may_leave_out_number(form.form) && same(count.as_ref())
        };
        if !sources.iter().any(fits) {
            // Compare with the source form that has the most placeholders, so that the error names a missing one.
            let fullest = sources.iter().max_by_key(|source| source.len());
            return fullest.map_or(Ok(()), |source| compare(source, &found, "placeholder"));
        }
    }
    Ok(())
}

fn count_placeholder(source: &[PluralText], rules: &MessageRules<'_>) -> Option<String> {
    let tokens: Vec<Vec<InlineToken>> =
        source.iter().map(|form| rules.syntax.tokens(&form.text, rules.markup)).collect();
    let texts: Vec<(&str, &[InlineToken])> =
        source.iter().zip(&tokens).map(|(form, tokens)| (form.text.as_str(), tokens.as_slice())).collect();
    let key = count_key(rules.syntax, &texts)?;
    texts.iter().find_map(|(text, tokens)| {
        let range = super::forms::count_range(rules.syntax, text, tokens, &key)?;
        let mut position = 0;
        tokens.iter().find_map(|token| {
            let found = placeholder_key(rules.syntax, text.get(token.byte_range())?, rules.markup, &mut position);
            (token.byte_range() == range).then_some(found)?
        })
    })
}
