//! Splits Laravel texts at their pipes, to send the parts of a plural one by one.
//!
//! The pipes and conditions of `{0} No files|{1} One file|[2,*] :count files` are fixed. A translation has as many parts
//! as its source, each with the same condition and placeholders.

use crate::inline::InlineToken;
use crate::placeholders::Syntax;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PipedPiece<'a> {
    Fixed(&'a str),
    Text(&'a str),
}

/// Returns `None` if the text must be sent as one: `Choose A | B | C` has spaces around its pipes, and neither
/// conditions nor placeholders.
pub(super) fn pieces<'a>(text: &'a str, markup: &[String]) -> Option<Vec<PipedPiece<'a>>> {
    memchr::memchr(b'|', text.as_bytes())?;
    let tokens = Syntax::Laravel.tokens(text, markup);
    let ranges = tokens.iter().map(InlineToken::byte_range);
    let pipes: Vec<usize> =
        ranges.filter(|range| text.get(range.clone()) == Some("|")).map(|range| range.start).collect();
    let mut parts = Vec::with_capacity(pipes.len() + 1);
    let mut done = 0;
    for pipe in pipes.iter().copied().chain([text.len()]) {
        parts.push(text.get(done..pipe)?);
        done = pipe + 1;
    }
    let (starts, ends) = (parts.iter().skip(1), parts.iter().take(pipes.len()));
    let is_spaced = starts.copied().all(|part| part.starts_with(char::is_whitespace))
        && ends.copied().all(|part| part.ends_with(char::is_whitespace));
    let has_placeholders = tokens.len() > pipes.len();
    if is_spaced && !has_placeholders && parts.iter().all(|part| condition_len(part) == 0) {
        return None;
    }
    // A text with a pipe inside a pair of tags cannot be split.
    let in_parts: usize = parts.iter().map(|part| Syntax::Laravel.tokens(part, markup).len()).sum();
    if pipes.is_empty() || in_parts + pipes.len() != tokens.len() {
        return None;
    }
    let mut pieces = Vec::with_capacity(parts.len() * 4);
    for (at, part) in parts.into_iter().enumerate() {
        let (condition, rest) = part.split_at_checked(condition_len(part))?;
        let text = rest.trim();
        let (before, after) = rest.split_at_checked(rest.len() - rest.trim_start().len())?;
        let after = after.strip_prefix(text)?;
        let pipe = if at == 0 { "" } else { "|" };
        let all = [
            PipedPiece::Fixed(pipe),
            PipedPiece::Fixed(condition),
            PipedPiece::Fixed(before),
            PipedPiece::Text(text),
            PipedPiece::Fixed(after),
        ];
        pieces.extend(all.into_iter().filter(|piece| !matches!(piece, PipedPiece::Fixed("") | PipedPiece::Text(""))));
    }
    Some(pieces)
}

/// A condition is `{0}` or `[2,*]`, for example; the length is 0 if there is none.
fn condition_len(part: &str) -> usize {
    let Some(content) = part.strip_prefix(['{', '[']) else { return 0 };
    let end = content.find(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '?' | '*' | ',' | '.'));
    let end = end.unwrap_or(content.len());
    let is_closed = content.get(end..).is_some_and(|rest| rest.starts_with(['}', ']']));
    if end > 0 && is_closed { end + 2 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts angle brackets around the texts to translate.
    fn with_texts_in_brackets(text: &str) -> Option<String> {
        let pieces = pieces(text, &[])?;
        let show = |piece: &PipedPiece<'_>| match piece {
            PipedPiece::Fixed(text) => (*text).to_owned(),
            PipedPiece::Text(text) => format!("⟨{text}⟩"),
        };
        Some(pieces.iter().map(show).collect())
    }

    #[test]
    fn sends_the_parts_of_a_plural_one_by_one() {
        for (text, expected) in [
            ("apple|apples", "⟨apple⟩|⟨apples⟩"),
            (":n star | :n stars", "⟨:n star⟩ | ⟨:n stars⟩"),
            ("{0} None|{1}One|[2,*] :count files ", "{0} ⟨None⟩|{1}⟨One⟩|[2,*] ⟨:count files⟩ "),
            ("{0,1} Now | In :count seconds", "{0,1} ⟨Now⟩ | ⟨In :count seconds⟩"),
            ("[-5,-1] below|[*,0] a", "[-5,-1] ⟨below⟩|[*,0] ⟨a⟩"),
            ("One <b>page</b>|<b>Pages</b>", "⟨One <b>page</b>⟩|⟨<b>Pages</b>⟩"),
            ("a||b", "⟨a⟩||⟨b⟩"),
            ("|a", "|⟨a⟩"),
        ] {
            assert_eq!(with_texts_in_brackets(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn sends_other_texts_undivided() {
        for text in ["Choose A | B | C", "Step 2 | Rights", "a", "Use <b>a|b</b>", "<img alt=\"a|b\">", "a | ", "{1} a"]
        {
            assert_eq!(with_texts_in_brackets(text), None, "{text}");
        }
    }
}
