//! Messages of Fluent as trees.
//!
//! Input: a pattern. Output: its parts, with selects on numbers as plurals.

use super::fluent::{FluentPart, FluentPattern, FluentVariant};
use super::tree::{ChoiceKind, ChoiceLayout, MessageBranch, MessageChoice, MessagePart};
use crate::plural::{PluralCategory, PluralForm, PluralKind};

/// Returns the parts of a pattern.
pub(super) fn parts(pattern: &FluentPattern) -> Vec<MessagePart> {
    parts_from(pattern, &mut 0)
}

fn parts_from(pattern: &FluentPattern, choices: &mut usize) -> Vec<MessagePart> {
    let part = |part: &FluentPart| match part {
        FluentPart::Text(text) => MessagePart::Text(text.clone()),
        FluentPart::Placeable(source) => {
            let content = source.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(source).trim();
            let (name, type_name) = match number_argument(content) {
                Some(name) => (name, if name == content { "" } else { "number" }),
                None => (content, "expression"),
            };
            MessagePart::Argument { spelling: source.clone(), name: name.to_owned(), type_name: type_name.to_owned() }
        }
        FluentPart::Select { selector, variants } => MessagePart::Choice(choice(selector, variants, choices)),
    };
    pattern.0.iter().map(part).collect()
}

fn choice(selector: &str, variants: &[FluentVariant], choices: &mut usize) -> MessageChoice {
    let selector = selector.trim();
    let id = *choices;
    *choices += 1;
    let mut branches: Vec<MessageBranch> = Vec::with_capacity(variants.len());
    for variant in variants {
        branches.push(MessageBranch {
            key: variant.key.clone(),
            form: plural_form(&variant.key),
            is_default: variant.is_default,
            parts: parts_from(&variant.pattern, choices),
        });
    }
    let number = number_argument(selector).filter(|_| branches.iter().all(|branch| branch.form.is_some()));
    let kind = match number {
        Some(_) if is_ordinal(selector) => ChoiceKind::Plural { kind: PluralKind::Ordinal, offset: 0 },
        Some(_) => ChoiceKind::Plural { kind: PluralKind::Cardinal, offset: 0 },
        None => ChoiceKind::Select,
    };
    let layout = ChoiceLayout { head: selector.to_owned(), ..ChoiceLayout::default() };
    MessageChoice { id, kind, argument: number.unwrap_or(selector).to_owned(), layout, branches }
}

fn plural_form(key: &str) -> Option<PluralForm> {
    let exact = || key.parse().ok().map(PluralForm::Exact);
    PluralCategory::from_name(key).map(PluralForm::Category).or_else(exact)
}

fn is_ordinal(selector: &str) -> bool {
    selector.contains("\"ordinal\"")
}

/// Returns the variable of `$n` and of `NUMBER($n)`.
fn number_argument(expression: &str) -> Option<&str> {
    let inner = match expression.strip_prefix("NUMBER(") {
        Some(rest) => rest.strip_suffix(')')?.split(',').next()?.trim(),
        None => expression,
    };
    let name = inner.strip_prefix('$')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (is_name && !name.is_empty()).then_some(inner)
}
