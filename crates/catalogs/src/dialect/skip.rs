//! Values that are not translated, by the rules of a dialect.

use super::Dialect;
use crate::catalog::SkipReason;
use crate::placeholders::{Syntax, braces};
use crate::unit_key::UnitKeyPart;

/// Names of Rails below `date`, `time`, `datetime` and `number` whose values are patterns or signs.
const PATTERN_NAMES: &[&str] = &["delimiter", "format", "negative_format", "order", "round_mode", "separator", "unit"];

/// Returns why a value is not translated. `key` is its path without the language of the file.
pub(crate) fn skip_reason(dialect: Dialect, key: &[UnitKeyPart], text: &str) -> Option<SkipReason> {
    if is_message_format_2(text) {
        return Some(SkipReason::MessageFormat2);
    }
    match dialect {
        Dialect::Vue => {
            let whole = text.trim();
            if braces::linked_len(whole) == Some(whole.len()) {
                return Some(SkipReason::Reference);
            }
            text.contains(" | ").then_some(SkipReason::PluralPipes)
        }
        Dialect::I18next => {
            let whole = text.trim();
            let is_reference = whole.starts_with("$t(")
                && matches!(Syntax::I18next.tokens(whole, &[]).as_slice(), [token] if token.byte_range() == (0..whole.len()));
            is_reference.then_some(SkipReason::Reference)
        }
        Dialect::Rails => is_pattern(key, text).then_some(SkipReason::Pattern),
        _ => None,
    }
}

/// Returns whether a value of Rails says how dates and numbers are written.
fn is_pattern(key: &[UnitKeyPart], text: &str) -> bool {
    let names = || {
        key.iter().filter_map(|part| match part {
            UnitKeyPart::Name(name) => Some(name.as_str()),
            UnitKeyPart::Item(_) => None,
        })
    };
    let has_formats = key.split_last().is_some_and(|(_, parents)| {
        parents.iter().any(|part| matches!(part, UnitKeyPart::Name(name) if name == "formats"))
    });
    if !matches!(names().next(), Some("date" | "time" | "datetime" | "number")) {
        return has_formats && is_strftime(text);
    }
    has_formats || names().skip(1).last().is_some_and(|name| PATTERN_NAMES.contains(&name))
}

/// Returns whether a text has directives of `strftime`, such as `%d` and `%-m`.
fn is_strftime(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'%', rest.as_bytes()) {
        rest = rest.get(at + 1..).unwrap_or_default();
        if rest.trim_start_matches(['-', '^', '0']).starts_with(|c: char| c.is_ascii_alphabetic()) {
            return true;
        }
    }
    false
}

/// Returns whether a text is a message of MessageFormat 2 with declarations or variants: `.input {$n :number} .match $n …`.
pub(super) fn is_message_format_2(text: &str) -> bool {
    let text = text.trim_start();
    let argument = |keyword| text.strip_prefix(keyword).map(str::trim_start);
    argument(".input").is_some_and(|rest| rest.starts_with("{$") || rest.starts_with("{ $"))
        || argument(".local").or_else(|| argument(".match")).is_some_and(|rest| rest.starts_with('$'))
}
