//! Placeholders and tags that a result has and its source has not.
//!
//! Input: how a text marks placeholders, the text that was sent with its tokens, and the result with its tokens restored. Output: the
//! first part of the result that the service added.

use std::collections::HashMap;

use super::spellings::PlaceholderSpellings;
use crate::inline::InlineToken;
use crate::placeholders::Syntax;

/// How the texts of a unit mark what is not translated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextMarks {
    /// Its placeholders.
    pub syntax: Syntax,
    /// The markup of the file in it; see [`crate::Unit::markup`].
    pub markup: Vec<String>,
}

impl TextMarks {
    /// Fails if a result has a placeholder or tag more often than the text that was sent. The error names it.
    ///
    /// Lost placeholders are not found: whoever restores them knows.
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
        // What is before a placeholder can decide whether it is one, and a message with branches marks more than its syntax finds.
        let mut known = counts(own);
        let in_source = self.syntax.tokens(source, &self.markup);
        for (spelling, count) in counts(spelled(source, &in_source)) {
            let known = known.entry(spelling).or_default();
            *known = count.max(*known);
        }
        let mut found = spelled(result, &found);
        found.find(|token| !is_prose(self.syntax, token) && !take(&mut known, token)).map(str::to_owned)
    }

    /// Looks for arguments outside of the known ones. Apostrophes are text there, since quotes are written again.
    fn added_argument<'s>(&self, source: &'s str, own: impl Iterator<Item = &'s str>, result: &str) -> Option<String> {
        let own: Vec<&str> = own.collect();
        let spellings = PlaceholderSpellings::new(own.iter().copied());
        let mut known = counts(own.iter().copied());
        let mut places = spellings.places(result).into_iter().map(|(_, spelling)| spelling);
        let twice = places.find(|spelling| !take(&mut known, spelling) && spelling.starts_with(['{', '<']));
        if let Some(twice) = twice {
            return Some(twice.to_owned());
        }
        let (source, result) = (without(source, &spellings), without(result, &spellings));
        let (in_source, found) = (self.syntax.tokens(&source, &self.markup), self.syntax.tokens(&result, &self.markup));
        let mut known = counts(spelled(&source, &in_source));
        spelled(&result, &found).find(|token| !take(&mut known, token)).map(str::to_owned)
    }
}

/// Returns a text with control characters in the place of its placeholders, and without apostrophes.
fn without(text: &str, spellings: &PlaceholderSpellings<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, _) in spellings.places(text) {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push('\u{1}');
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out.replace('\'', "\u{1}")
}

fn spelled<'a, 't>(text: &'a str, tokens: &'t [InlineToken]) -> impl Iterator<Item = &'a str> + use<'a, 't> {
    tokens.iter().filter_map(|token| text.get(token.byte_range()))
}

fn counts<'a>(spellings: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    spellings.for_each(|spelling| *counts.entry(spelling).or_default() += 1);
    counts
}

/// Takes one off the count of a spelling. Returns whether there was any.
fn take(known: &mut HashMap<&str, usize>, spelling: &str) -> bool {
    let left = known.get_mut(spelling).filter(|left| **left > 0);
    left.map(|left| *left -= 1).is_some()
}

/// Returns whether a directive of printf is a percent sign in prose, with a blank as in "50 % de".
fn is_prose(syntax: Syntax, token: &str) -> bool {
    let flags = token.strip_prefix('%').filter(|_| syntax.is_printf());
    flags.is_some_and(|rest| rest.trim_start_matches(['-', '+', '0', '#', ',']).starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(syntax: Syntax, source: &str, result: &str) -> Result<(), String> {
        let marks = TextMarks { syntax, markup: vec!["<x/>".to_owned()] };
        marks.check_added(source, &syntax.tokens(source, &[]), result)
    }

    #[test]
    fn an_additional_placeholder_is_found() {
        for (syntax, source, result, added) in [
            (Syntax::Printf, "Extra %d", "Plus %s et {y} %d", "%s"),
            (Syntax::Printf, "Extra %d", "Plus %d et %d", "%d"),
            (Syntax::Printf, "Sure", "100 %%", "%%"),
            (Syntax::Printf, "%d", "%%d", "%%"),
            (Syntax::Braces, "Extra", "Plus {y}", "{y}"),
            (Syntax::I18next, "a {{n}}", "{{n}} {{m}}", "{{m}}"),
            (Syntax::Vue, "a", "@:b", "@:b"),
            (Syntax::Laravel, "a :name", ":name :other", ":other"),
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
            (Syntax::Plain, "a <b>c</b> <x/>", "<x/> <b>c</b> a %s {y} < 3"),
            (Syntax::Laravel, "a", "Note : b 12:30"),
        ] {
            assert_eq!(check(syntax, source, result), Ok(()), "{source}");
        }
    }
}
