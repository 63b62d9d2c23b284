//! Verifies the tokens of a text that was sent without tags.

use super::loss::TokenProblem;
use super::{TaggedText, TokenLoss};

/// Fails if a token is in a result more or less often than in the text.
pub(super) fn verify(text: &TaggedText, result: &str) -> Result<(), TokenLoss> {
    for (at, element) in text.elements.iter().enumerate() {
        let token = text.sources_of(element).0;
        let is_known = |earlier: &super::TokenElement| text.sources_of(earlier).0 == token;
        if text.elements.iter().take(at).any(is_known) {
            continue;
        }
        let wanted = text.elements.iter().filter(|other| is_known(other)).count();
        // A token that is a part of a word in the text may be one in the result; others may not: `$X` is not in `$XY`.
        let whole = count(&text.sent, token, true);
        let (in_text, in_result) = if whole >= wanted {
            (whole, count(result, token, true))
        } else {
            (count(&text.sent, token, false), count(result, token, false))
        };
        let problem = match in_result.cmp(&in_text) {
            std::cmp::Ordering::Equal => continue,
            std::cmp::Ordering::Less => TokenProblem::Missing,
            std::cmp::Ordering::Greater => TokenProblem::Repeated,
        };
        return Err(TokenLoss::new(problem, text, Some(element)));
    }
    Ok(())
}

/// Returns how often a token is in a text. With `is_word`, letters and digits do not continue it on either side.
fn count(text: &str, token: &str, is_word: bool) -> usize {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = (token.chars().next(), token.chars().next_back());
    text.match_indices(token)
        .filter(|(at, _)| {
            let before = text.get(..*at).and_then(|before| before.chars().next_back());
            let after = text.get(at + token.len()..).and_then(|after| after.chars().next());
            !is_word || !(is_part(before) && is_part(first) || is_part(last) && is_part(after))
        })
        .count()
}
