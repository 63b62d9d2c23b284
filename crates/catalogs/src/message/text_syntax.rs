//! Finds placeholders in a result: the known ones, and those that the service added.

use std::collections::HashMap;
use std::ops::Range;

use crate::inline::InlineToken;
use crate::placeholders::Syntax;

/// Placeholder syntax and markup of a unit's texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextSyntax {
    /// Placeholder syntax.
    pub syntax: Syntax,
    /// Markup of the file format in the texts; see [`crate::Unit::markup`].
    pub markup: Vec<String>,
}

impl TextSyntax {
    /// Fails if `result` has a placeholder or tag more often than `source`, which was sent; the error names it. Lost
    /// placeholders are not reported here: restoring the tokens finds them.
    pub fn check_added(&self, source: &str, tokens: &[InlineToken], result: &str) -> Result<(), String> {
        let own = || tokens.iter().filter_map(|token| source.get(token.byte_range()));
        let added = match self.syntax {
            Syntax::Icu | Syntax::MessageFormat => self.added_argument(source, own(), result),
            _ => self.added_token(source, own(), result),
        };
        added.map_or(Ok(()), |added| Err(format!("the service added `{added}`")))
    }

    fn added_token<'s>(&self, source: &'s str, own: impl Iterator<Item = &'s str>, result: &str) -> Option<String> {
        let found = self.syntax.tokens(result, &self.markup);
        if found.is_empty() {
            return None;
        }
        // Allow the tokens that were sent, and those that the syntax finds in the source. They can differ: the text before a
        // placeholder may decide whether it is one, and the syntax does not find all tokens of messages with branches.
        let mut known = count_each(own);
        let in_source = self.syntax.tokens(source, &self.markup);
        for (placeholder, count) in count_each(token_texts(source, &in_source)) {
            let known = known.entry(placeholder).or_default();
            *known = count.max(*known);
        }
        let added = found.iter().find(|token| {
            let token_text = result.get(token.byte_range()).unwrap_or_default();
            !self.is_entity_or_percent(token_text)
                && !take_one(&mut known, token_text)
                && !self.syntax.may_be_prose(result, token)
        });
        added.and_then(|token| result.get(token.byte_range())).map(str::to_owned)
    }

    /// Ignores apostrophes: quoting is added later, so they are plain text here.
    fn added_argument<'s>(&self, source: &'s str, own: impl Iterator<Item = &'s str>, result: &str) -> Option<String> {
        let own: Vec<&str> = own.collect();
        let matcher = PlaceholderMatcher::new(own.iter().copied());
        let mut known = count_each(own.iter().copied());
        // The source may have tokens that an apostrophe hides from the syntax.
        for (placeholder, count) in count_each(matcher.find_all(source).into_iter().map(|(_, placeholder)| placeholder))
        {
            let known = known.entry(placeholder).or_default();
            *known = count.max(*known);
        }
        let mut positions = matcher.find_all(result).into_iter().map(|(_, placeholder)| placeholder);
        let twice =
            positions.find(|placeholder| !take_one(&mut known, placeholder) && placeholder.starts_with(['{', '<']));
        if let Some(twice) = twice {
            return Some(twice.to_owned());
        }
        let (source, result) = (mask_known(source, &matcher), mask_known(result, &matcher));
        let (in_source, found) = (self.syntax.tokens(&source, &self.markup), self.syntax.tokens(&result, &self.markup));
        let mut known = count_each(token_texts(&source, &in_source));
        token_texts(&result, &found)
            .find(|token| !self.is_entity_or_percent(token) && !take_one(&mut known, token))
            .map(str::to_owned)
    }

    /// Returns whether a token is an HTML entity, or a percent sign in prose with a space after it, as in "50 % de".
    fn is_entity_or_percent(&self, token: &str) -> bool {
        let is_entity = token.starts_with('&') && !self.markup.iter().any(|part| part == token);
        let flags = token.strip_prefix('%').filter(|_| self.syntax.is_printf());
        is_entity || flags.is_some_and(|rest| rest.trim_start_matches(['-', '+', '0', '#', ',']).starts_with(' '))
    }
}

/// Replaces known placeholders and apostrophes with control characters.
fn mask_known(text: &str, matcher: &PlaceholderMatcher<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, _) in matcher.find_all(text) {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push('\u{1}');
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out.replace('\'', "\u{1}")
}

fn token_texts<'a, 't>(text: &'a str, tokens: &'t [InlineToken]) -> impl Iterator<Item = &'a str> + use<'a, 't> {
    tokens.iter().filter_map(|token| text.get(token.byte_range()))
}

fn count_each<'a>(placeholders: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    placeholders.for_each(|placeholder| *counts.entry(placeholder).or_default() += 1);
    counts
}

/// Uses up one occurrence of `placeholder`. Returns whether one was left.
fn take_one(known: &mut HashMap<&str, usize>, placeholder: &str) -> bool {
    let left = known.get_mut(placeholder).filter(|left| **left > 0);
    left.map(|left| *left -= 1).is_some()
}

#[derive(Debug)]
pub(super) struct PlaceholderMatcher<'a> {
    sorted: Vec<&'a str>,
}

impl<'a> PlaceholderMatcher<'a> {
    pub(super) fn new(placeholders: impl Iterator<Item = &'a str>) -> Self {
        let mut sorted: Vec<&str> = placeholders.filter(|placeholder| !placeholder.is_empty()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { sorted }
    }

    /// Returns the occurrences in order, without overlaps. The longest match wins.
    pub(super) fn find_all<'t>(&self, text: &'t str) -> Vec<(Range<usize>, &'t str)> {
        let mut starts = [false; 256];
        for byte in self.sorted.iter().filter_map(|placeholder| placeholder.bytes().next()) {
            if let Some(start) = starts.get_mut(usize::from(byte)) {
                *start = true;
            }
        }
        let mut positions = Vec::new();
        let mut at = 0;
        while let Some(byte) = text.as_bytes().get(at) {
            let can_start = starts.get(usize::from(*byte)).copied().unwrap_or_default();
            let found = can_start.then(|| text.get(at..).and_then(|rest| self.longest_at(rest))).flatten();
            if let Some(placeholder) = found {
                positions.push((at..at + placeholder.len(), placeholder));
            }
            at += found.map_or(1, str::len);
        }
        positions
    }

    fn longest_at<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let mut prefix = rest;
        loop {
            let before = self.sorted.partition_point(|placeholder| *placeholder <= prefix).checked_sub(1)?;
            let placeholder = self.sorted.get(before)?;
            let common = common_len(placeholder, prefix);
            if common == placeholder.len() {
                return rest.get(..common);
            }
            // `rest` and this placeholder agree only up to `common`. A placeholder can match only if it ends there or earlier.
            prefix = rest.get(..common).filter(|common| !common.is_empty())?;
        }
    }
}

fn common_len(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(syntax: Syntax, source: &str, result: &str) -> Result<(), String> {
        let text_syntax = TextSyntax { syntax, markup: vec!["<x/>".to_owned()] };
        text_syntax.check_added(source, &syntax.tokens(source, &[]), result)
    }

    #[test]
    fn reports_an_added_placeholder() {
        for (syntax, source, result, added) in [
            (Syntax::Printf, "Extra %d", "Plus %s et {y} %d", "%s"),
            (Syntax::Printf, "Extra %d", "Plus %d et %d", "%d"),
            (Syntax::Printf, "Sure", "100 %%", "%%"),
            (Syntax::Printf, "%d", "%%d", "%%"),
            (Syntax::Braces, "Extra", "Plus {y}", "{y}"),
            (Syntax::I18next, "a {{n}}", "{{n}} {{m}}", "{{m}}"),
            (Syntax::Vue, "a", "@:b", "@:b"),
            (Syntax::Laravel, "a :name", ":name :other", ":other"),
            (Syntax::Laravel, "a|b", "a|b|c", "|"),
            (Syntax::Icu, "a {n}", "{n} l'{y}", "{y}"),
            (Syntax::Icu, "a {n}", "l'{n} '{y}'", "{y}"),
            (Syntax::Icu, "a {n}", "{n} {n}", "{n}"),
            (Syntax::MessageFormat, "a {0}", "l'{0} {1}", "{1}"),
            (Syntax::Fluent, "a", "{ $b }", "{ $b }"),
            (Syntax::Plain, "a <b>c</b>", "<b>a</b> <b>c</b>", "<b>"),
            (Syntax::Plain, "a", "a<br/>", "<br/>"),
            (Syntax::Plain, "a", "<x/>", "<x/>"),
        ] {
            assert_eq!(check(syntax, source, result), Err(format!("the service added `{added}`")), "{source}");
        }
    }

    #[test]
    fn prose_is_not_a_placeholder() {
        for (syntax, source, result) in [
            (Syntax::Printf, "50% off, %d left", "50 % de rabais, 20 % d'eau, % d, %d"),
            (Syntax::Printf, "%d of %d", "%d/%d"),
            (Syntax::Printf, "<file> %s", "%s <Datei>"),
            (Syntax::Printf, "a", "{y} :name"),
            (Syntax::Icu, "Use {n} #", "l'{n} # '' d'"),
            (Syntax::Icu, "'{' and '}' {n}", "{n} '{' und '}'"),
            (Syntax::MessageFormat, "a {0}", "d'{0} l'a"),
            (Syntax::MessageFormat, "{0}<br/> n'a<br/>", "{0}<br/> n'a<br/>"),
            (Syntax::Plain, "a <b>c</b> <x/>", "<x/> <b>c</b> a %s {y} < 3"),
            (Syntax::Laravel, "a", "Note : b 12:30"),
            (Syntax::Braces, "a {x}", "&laquo; {x}"),
            (Syntax::Icu, "a {x}", "a&nbsp;{x}"),
            (Syntax::Laravel, "a :name", "欢迎:name 邮箱:b@example.com 链接:https://example.com"),
        ] {
            assert_eq!(check(syntax, source, result), Ok(()), "{source}");
        }
    }

    #[test]
    fn the_longest_placeholder_is_found() {
        let matcher = PlaceholderMatcher::new(["%s", "%s1", "{a}", "{ab}", "#", "'#'"].into_iter());
        let positions = matcher.find_all("%s %s1 {a}{ab}{abc}'#'#'");
        let found: Vec<&str> = positions.iter().map(|(_, placeholder)| *placeholder).collect();
        assert_eq!(found, ["%s", "%s1", "{a}", "{ab}", "'#'", "#"]);
    }
}
