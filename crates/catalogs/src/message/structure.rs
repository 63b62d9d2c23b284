//! Extracts what a translation must keep of its source: placeholders, tags, and the arguments of branches.
//!
//! Equivalent placeholders such as `%s` and `%1$s` get the same key, so that texts can be compared by keys.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{ChoiceKind, MessagePart, visit};
use crate::inline::InlineToken;
use crate::placeholders::Syntax;
use crate::plural::PluralKind;

/// The placeholders and tags of a text, by comparison key, each as it first occurs.
pub(super) type Placeholders = BTreeMap<String, String>;

pub(super) fn placeholders(syntax: Syntax, text: &str, tokens: &[InlineToken], markup: &[String]) -> Placeholders {
    let mut position = 0;
    let mut found = Placeholders::new();
    for token in tokens {
        let Some(source) = text.get(token.byte_range()) else { continue };
        let key = placeholder_key(syntax, source, markup, &mut position);
        if let Some(key) = key {
            found.entry(key).or_insert_with(|| source.to_owned());
        }
    }
    found
}

/// `None` if a translation may drop the placeholder.
pub(super) fn placeholder_key(syntax: Syntax, source: &str, markup: &[String], position: &mut usize) -> Option<String> {
    if source.starts_with('<') {
        return Some(tag_key(source, markup.iter().any(|part| part == source)));
    }
    if markup.iter().any(|part| part == source) {
        // A translation may have a character instead of its entity. An escaped tag such as `&lt;b>` must stay.
        return (!source.starts_with('&') || source.ends_with('>')).then(|| source.to_owned());
    }
    // A translation may have a character (a space or a quote) instead of its entity.
    if source.starts_with('&') {
        return None;
    }
    let without_blanks: String = source.chars().filter(|c| !c.is_whitespace()).collect();
    let name =
        |end: &[char]| Some(without_blanks.split(end).next().unwrap_or_default().trim_matches(['{', '}']).to_owned());
    match syntax {
        Syntax::Printf | Syntax::Mobile | Syntax::Python => printf_placeholder_key(source, position),
        // `L` only localizes the number.
        Syntax::Qt => Some(source.replace('L', "")),
        // The number of parts depends on the plural forms of the language.
        Syntax::Laravel => (source != "|").then(|| source.to_lowercase()),
        Syntax::DotNet if matches!(source, "{{" | "}}") => None,
        Syntax::Vue if source.starts_with("{'") => None,
        // The referenced text may need inflection, so translators may write the words out instead.
        Syntax::I18next if source.starts_with("$t(") => None,
        Syntax::Vue if source.starts_with('@') => None,
        Syntax::Icu | Syntax::MessageFormat | Syntax::DotNet => name(&[',', ':']),
        Syntax::I18next if source.starts_with("{{") => {
            let inner = without_blanks.trim_matches(['{', '}']).trim_start_matches('-');
            Some(inner.split(',').next().unwrap_or_default().to_owned())
        }
        Syntax::Braces if matches!(source, "{}") || source.starts_with("{:") => {
            *position += 1;
            Some(["{", &(*position - 1).to_string(), "}"].concat())
        }
        Syntax::Fluent => {
            let inner = without_blanks.trim_matches(['{', '}']);
            (!inner.starts_with('"')).then(|| variable_of(inner).unwrap_or(inner).to_owned())
        }
        _ => Some(without_blanks),
    }
}

/// Returns the first variable in a Fluent expression.
pub(super) fn variable_of(expression: &str) -> Option<&str> {
    let rest = expression.get(expression.find('$')?..)?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let len = rest.get(1..)?.find(|c| !is_part(c)).map_or(rest.len(), |len| len + 1);
    rest.get(..len)
}

/// The key is the name of the tag and, for markup of the file format, its `id`.
fn tag_key(source: &str, is_markup: bool) -> String {
    let name_end = source.get(1..).and_then(|rest| rest.find([' ', '\t', '\n', '>']).map(|at| at + 1));
    let name = source.get(..name_end.unwrap_or(source.len())).unwrap_or_default().trim_end_matches('/');
    let id = source.split_once(" id=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(id, _)| id);
    match id.filter(|_| is_markup) {
        Some(id) => [name, " id=", id, ">"].concat(),
        None => [name, ">"].concat(),
    }
}

/// The key is the argument and the type. `%s`, `%1$s` and the first of two `%s` are equal; flags, width and length do not
/// matter.
fn printf_placeholder_key(source: &str, position: &mut usize) -> Option<String> {
    let rest = source.strip_prefix('%')?;
    let conversion = match rest.chars().next_back()? {
        '%' => return None,
        'd' | 'i' | 'u' | 'D' | 'U' => 'd',
        'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => 'f',
        's' | 'S' => 's',
        other => other,
    };
    if rest == "arg" || rest == "n" || rest.contains("#@") || rest.starts_with('<') || conversion.is_ascii_digit() {
        return Some(rest.to_owned());
    }
    let named = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(name, _)| name.to_owned());
    let numbered = || rest.split_once('$').map(|(number, _)| number.to_owned());
    let name = named.or_else(numbered).unwrap_or_else(|| {
        *position += 1;
        position.to_string()
    });
    Some([name.as_str(), ":", conversion.encode_utf8(&mut [0; 4])].concat())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MessageShape {
    /// The types of each argument, by name. An untyped argument has the type `number`.
    pub(super) arguments: BTreeMap<String, BTreeSet<String>>,
    /// The arguments whose value is shown, by name or as `#`.
    pub(super) shown: BTreeSet<String>,
    /// The keywords of the selects on each argument, by name.
    pub(super) keywords: BTreeMap<String, BTreeSet<String>>,
    pub(super) tags: Placeholders,
}

impl MessageShape {
    pub(super) fn of(parts: &[MessagePart], markup: &[String]) -> Self {
        let mut shape = Self::default();
        // A tag may contain arguments, so tags are searched in the joined text.
        let mut text = String::new();
        let mut numbers: BTreeMap<usize, &str> = BTreeMap::new();
        visit(parts, &mut |part| match part {
            MessagePart::Text(part) | MessagePart::Markup(part) => text.push_str(part),
            MessagePart::Argument { spelling, name, type_name } => {
                text.push_str(spelling);
                let type_name = if type_name.is_empty() { "number" } else { type_name };
                shape.arguments.entry(name.clone()).or_default().insert(type_name.to_owned());
                shape.shown.insert(name.clone());
            }
            MessagePart::Choice(choice) => {
                numbers.insert(choice.id, &choice.argument);
                let type_name = match choice.kind {
                    ChoiceKind::Plural { kind: PluralKind::Cardinal, .. } => "plural",
                    ChoiceKind::Plural { kind: PluralKind::Ordinal, .. } => "selectordinal",
                    ChoiceKind::Select => "select",
                };
                shape.arguments.entry(choice.argument.clone()).or_default().insert(type_name.to_owned());
                if choice.kind == ChoiceKind::Select {
                    let keys = choice.branches.iter().map(|branch| branch.key.clone());
                    shape.keywords.entry(choice.argument.clone()).or_default().extend(keys);
                }
            }
            MessagePart::Count { plural, .. } => {
                shape.shown.extend(numbers.get(plural).map(|name| (*name).to_owned()));
            }
            MessagePart::Quoted(_) => {}
        });
        let tokens: Vec<InlineToken> = Syntax::Plain.tokens(&text, markup);
        let sources = tokens.iter().filter_map(|token| text.get(token.byte_range()));
        let tags = sources
            .filter_map(|source| Some((placeholder_key(Syntax::Plain, source, markup, &mut 0)?, source.to_owned())));
        shape.tags = tags.collect();
        shape
    }

    pub(super) fn is_plural(&self, argument: &str) -> bool {
        let types = self.arguments.get(argument);
        types.is_some_and(|types| types.contains("plural") || types.contains("selectordinal"))
    }
}
