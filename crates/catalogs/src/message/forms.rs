//! Builds a sentence for each plural form of the target, with a sample number in place of the count's placeholder, and
//! finds that placeholder.

use std::collections::BTreeSet;
use std::ops::Range;

use super::digits::numbers;
use super::{MessageRules, Sentence};
use crate::catalog::PluralText;
use crate::inline::InlineToken;
use crate::placeholders::Syntax;
use crate::plural::{PluralForm, PluralKind, PluralTarget};

struct SourceForm<'a> {
    text: &'a str,
    tokens: Vec<InlineToken>,
    /// The byte range of the count's placeholder.
    count: Option<Range<usize>>,
    /// The numbers that the text itself contains.
    numbers: BTreeSet<u64>,
}

pub(super) fn form_sentences(
    kind: PluralKind,
    forms: &[PluralText],
    rules: &MessageRules<'_>,
) -> Vec<(PluralForm, Sentence)> {
    let target = PluralTarget::new(rules.source_lang, rules.target_lang, kind, rules.target_forms);
    let keys: Vec<PluralForm> = forms.iter().map(|form| form.form).collect();
    let sources = source_forms(forms, rules);
    let text_syntax = rules.text_syntax();
    let sentence = |form: PluralForm| {
        let choices = sources.iter().map(|source| (source.count.is_some(), &source.numbers));
        let chosen = choose_number(&target, form, &keys, 0, &choices.collect::<Vec<_>>());
        let source = sources.get(chosen.source)?;
        let count = source.count.clone().zip(chosen.sample);
        Some((form, Sentence::new(source.text.to_owned(), source.tokens.clone(), &text_syntax, count)))
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
        count: key.as_ref().and_then(|key| count_range(rules.syntax, &form.text, &tokens, key)),
        numbers: numbers(&form.text).into_iter().filter_map(|found| found.value).collect(),
        text: &form.text,
        tokens,
    };
    forms.iter().zip(tokens).map(source).collect()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ChosenNumber {
    pub(super) source: usize,
    /// `None` if no number below 1,000 has this form.
    pub(super) number: Option<u64>,
    /// The number to send; `None` if every candidate already occurs in the text, or if the text does not show the count.
    pub(super) sample: Option<u64>,
}

/// Chooses a source form and a sample number for a target form. Each of `sources` tells whether a source form shows the
/// count, and which other numbers it contains.
///
/// If no source form shows the count, the one with the same category is best. For example, French `one` is used for 0 and
/// 1, and the English `one` ("A file") fits it better than the English form for 0 ("Files").
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

/// Identifies the placeholder of the count. The same placeholder with other flags has an equal key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CountKey {
    rank: CountRank,
    name: String,
}

/// How likely it is that a placeholder is the count, most likely first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CountRank {
    /// It has a usual name for a count.
    Named,
    /// It takes the next integer argument.
    NextInteger,
    Integer,
    /// It may be anything, so it counts only if it is the only placeholder.
    Any,
}

/// `forms` are the texts of the plural with their tokens.
pub(super) fn count_key(syntax: Syntax, forms: &[(&str, &[InlineToken])]) -> Option<CountKey> {
    let mut keys: Vec<CountKey> = Vec::new();
    for (text, tokens) in forms {
        keys.extend(tokens.iter().filter_map(|token| parse_count_key(syntax, text.get(token.byte_range())?)));
    }
    keys.sort();
    keys.dedup();
    let key = keys.first()?;
    (key.rank != CountRank::Any || keys.len() == 1).then(|| key.clone())
}

/// Returns the byte range of the count in a form; `None` if it is missing or ambiguous.
pub(super) fn count_range(syntax: Syntax, text: &str, tokens: &[InlineToken], key: &CountKey) -> Option<Range<usize>> {
    let mut positions = tokens.iter().map(InlineToken::byte_range).filter(|range| {
        let source = text.get(range.clone());
        source.and_then(|source| parse_count_key(syntax, source)).is_some_and(|other| other == *key)
    });
    let position = positions.next()?;
    (key.rank == CountRank::NextInteger || positions.next().is_none()).then_some(position)
}

/// Returns the key of a placeholder; `None` if it cannot be a count.
fn parse_count_key(syntax: Syntax, source: &str) -> Option<CountKey> {
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
        Syntax::Printf | Syntax::Mobile | Syntax::Python | Syntax::Qt => printf_count_key(source),
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

fn printf_count_key(source: &str) -> Option<CountKey> {
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
        let position = |(text, tokens): &(&str, &[InlineToken])| {
            key.as_ref()
                .and_then(|key| count_range(syntax, text, tokens, key))
                .and_then(|range| text.get(range))
                .map(str::to_owned)
        };
        forms.iter().map(position).collect()
    }

    #[test]
    fn finds_the_count_in_each_syntax() {
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
