//! Which placeholder is the number of a plural.
//!
//! Input: the forms of a plural with their placeholders. Output: the placeholder that stands for the number, and its place in each
//! form.

use std::ops::Range;

use crate::inline::InlineToken;
use crate::placeholders::Syntax;

/// Which placeholder is the number, whatever its flags.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CountKey {
    rank: CountRank,
    /// Its name or its number.
    name: String,
}

/// How sure it is that a placeholder is the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CountRank {
    /// It has the name for it.
    Named,
    /// It is the next number of the arguments.
    NextInteger,
    /// It is a number.
    Integer,
    /// It could be anything, so it is only taken if there is no other.
    Any,
}

/// Returns the placeholder that is the number of a plural. `forms` are its texts and their tokens.
pub(super) fn count_key(syntax: Syntax, forms: &[(&str, &[InlineToken])]) -> Option<CountKey> {
    let mut keys: Vec<CountKey> = Vec::new();
    for (text, tokens) in forms {
        keys.extend(tokens.iter().filter_map(|token| key_of(syntax, text.get(token.byte_range())?)));
    }
    keys.sort();
    keys.dedup();
    let key = keys.first()?;
    (key.rank != CountRank::Any || keys.len() == 1).then(|| key.clone())
}

/// Returns the place of the number in a form. `None` if it is not there, or more than once.
pub(super) fn count_place(syntax: Syntax, text: &str, tokens: &[InlineToken], key: &CountKey) -> Option<Range<usize>> {
    let mut places = tokens.iter().map(InlineToken::byte_range).filter(|range| {
        let source = text.get(range.clone());
        source.and_then(|source| key_of(syntax, source)).is_some_and(|other| other == *key)
    });
    let place = places.next()?;
    (key.rank == CountRank::NextInteger || places.next().is_none()).then_some(place)
}

/// Returns what a placeholder is as a number; `None` if it cannot be one.
fn key_of(syntax: Syntax, source: &str) -> Option<CountKey> {
    let key = |rank, name: &str| Some(CountKey { rank, name: name.to_owned() });
    let by_name = |name: &str, names: &[&str]| {
        let name = name.trim();
        let is_count = names.iter().any(|known| known.eq_ignore_ascii_case(name));
        key(if is_count { CountRank::Named } else { CountRank::Any }, name)
    };
    let braced = || source.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
    match syntax {
        Syntax::I18next => {
            let name = braced()?.trim_start().trim_start_matches('-').split(',').next()?.trim();
            (name == "count").then_some(())?;
            key(CountRank::Named, name)
        }
        Syntax::GoTemplate => match braced()?.trim_matches(['-', ' ']) {
            ".PluralCount" => key(CountRank::Named, ""),
            ".Count" => key(CountRank::Integer, ""),
            _ => None,
        },
        Syntax::Ruby => {
            let name = source.strip_prefix("%{").and_then(|rest| rest.strip_suffix('}'));
            let name = name.or_else(|| source.strip_prefix("%<").and_then(|rest| rest.split('>').next()))?;
            (name == "count").then_some(())?;
            key(CountRank::Named, name)
        }
        Syntax::Printf | Syntax::Python | Syntax::Qt => printf_key(source),
        Syntax::Laravel => by_name(source.strip_prefix(':')?, &["count"]),
        Syntax::Braces | Syntax::Vue | Syntax::DotNet | Syntax::MessageFormat | Syntax::Icu | Syntax::Fluent => {
            let rest = source.trim_start_matches(['{', '%', '$', '@']);
            if rest.len() == source.len() || source.starts_with('@') {
                return None;
            }
            let end = rest.find([',', ':', '!', '}', '|', '(']).unwrap_or(rest.len());
            by_name(rest.get(..end)?, &["count", "n", "num", "number"])
        }
        Syntax::Plain => None,
    }
}

fn printf_key(source: &str) -> Option<CountKey> {
    let rest = source.strip_prefix('%')?;
    if rest == "%" || rest.starts_with('#') || rest.contains("#@") {
        return None;
    }
    if matches!(rest, "arg" | "n" | "Ln") {
        return Some(CountKey { rank: CountRank::Named, name: rest.to_owned() });
    }
    let is_integer = rest.ends_with(['d', 'i', 'u', 'D', 'U']);
    let named = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(name, _)| name);
    let numbered = rest.split_once('$').map(|(number, _)| number);
    let qt = rest.trim_start_matches('L').parse::<u8>().is_ok().then_some(rest);
    let rank = match (is_integer, named, numbered) {
        (true, Some("count" | "n" | "num" | "number"), _) => CountRank::Named,
        (true, None, None) => CountRank::NextInteger,
        (true, ..) => CountRank::Integer,
        (false, ..) => CountRank::Any,
    };
    let text_type = || rest.get(rest.len().saturating_sub(1)..);
    let name = named.or(numbered).or(qt).or_else(|| if is_integer { Some("") } else { text_type() })?;
    Some(CountKey { rank, name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(syntax: Syntax, texts: &[&str]) -> Vec<Option<String>> {
        let tokens: Vec<Vec<InlineToken>> = texts.iter().map(|text| syntax.tokens(text, &[])).collect();
        let forms: Vec<(&str, &[InlineToken])> =
            texts.iter().zip(&tokens).map(|(text, tokens)| (*text, tokens.as_slice())).collect();
        let key = count_key(syntax, &forms);
        let place = |(text, tokens): &(&str, &[InlineToken])| {
            key.as_ref()
                .and_then(|key| count_place(syntax, text, tokens, key))
                .and_then(|range| text.get(range))
                .map(str::to_owned)
        };
        forms.iter().map(place).collect()
    }

    #[test]
    fn the_number_is_found_in_each_syntax() {
        for (syntax, one, other, counts) in [
            (Syntax::Printf, "One file", "%d files", [None, Some("%d")]),
            (Syntax::Printf, "%s: one file", "%s: %lld files", [None, Some("%lld")]),
            (Syntax::Printf, "%1$s: %2$d file", "%1$s: %2$d files", [Some("%2$d"), Some("%2$d")]),
            (Syntax::Printf, "%2$d of %1$d", "%2$d of %1$d", [Some("%1$d"), Some("%1$d")]),
            (Syntax::Printf, "%d of %d file", "%d of %d files", [Some("%d"), Some("%d")]),
            (Syntax::Printf, "%(count)s file", "%(count)s files", [Some("%(count)s"), Some("%(count)s")]),
            (Syntax::Printf, "%(n)d in %(m)d", "%(n)d in %(m)d", [Some("%(n)d"), Some("%(n)d")]),
            (Syntax::Printf, "%s by %@", "%s by %@", [None, None]),
            (Syntax::Printf, "%s file", "%s files", [Some("%s"), Some("%s")]),
            (Syntax::Printf, "%n file", "%n files in %1", [Some("%n"), Some("%n")]),
            (Syntax::Qt, "%n file", "%n files in %1s", [Some("%n"), Some("%n")]),
            (Syntax::Qt, "%1 file", "%1 files", [Some("%1"), Some("%1")]),
            (Syntax::Printf, "%arg file", "%arg files", [Some("%arg"), Some("%arg")]),
            (
                Syntax::I18next,
                "{{count}} file",
                "{{ count, number }} files in {{x}}",
                [Some("{{count}}"), Some("{{ count, number }}")],
            ),
            (Syntax::I18next, "{{n}} file", "{{count}} and {{count}}", [None, None]),
            (Syntax::Ruby, "one", "%{count} files", [None, Some("%{count}")]),
            (Syntax::GoTemplate, "{{.Count}}", "{{.PluralCount}} of {{.Count}}", [None, Some("{{.PluralCount}}")]),
            (Syntax::Braces, "{n} file by {name}", "{n} files by {name}", [Some("{n}"), Some("{n}")]),
            (Syntax::Braces, "{0} file", "{0} files", [Some("{0}"), Some("{0}")]),
            (Syntax::Braces, "{a} {b}", "{a} {b}", [None, None]),
            (Syntax::Laravel, ":count file", ":count files by :name", [Some(":count"), Some(":count")]),
        ] {
            let counts: Vec<Option<String>> = counts.into_iter().map(|count| count.map(str::to_owned)).collect();
            assert_eq!(counted(syntax, &[one, other]), counts, "{one} | {other}");
        }
    }
}
