//! Restores the tokens in a result with tags, verifies them in a result without tags, and describes lost tokens.

use std::fmt;

use super::wire_tag::{WireElement, WireTag, reference_at, tag_at};
use super::{TaggedText, TokenElement};

/// Fails if a token is missing, repeated, misplaced or unknown.
pub(super) fn restore(text: &TaggedText, result: &str) -> Result<String, TokenLoss> {
    let out = String::with_capacity(result.len());
    let mut restorer = Restorer {
        text,
        out,
        seen: vec![false; text.elements.len()],
        open: Vec::new(),
        after_token: 0,
        last_ordered: 0,
    };
    let mut rest = result;
    while let Some(at) = memchr::memchr2(b'<', b'&', rest.as_bytes()) {
        let (before, from) = rest.split_at(at);
        restorer.push_text(before);
        let len = if from.starts_with('&') { restorer.push_reference(from) } else { restorer.push_tag(from)? };
        rest = from.get(len..).unwrap_or_default();
    }
    restorer.push_text(rest);
    restorer.finish()
}

struct Restorer<'a> {
    text: &'a TaggedText,
    out: String,
    /// Whether the result had the element, by index.
    seen: Vec<bool>,
    /// Open elements, as indices into `text.elements`.
    open: Vec<usize>,
    after_token: usize,
    /// Index of the last restored token whose order matters.
    last_ordered: usize,
}

impl<'a> Restorer<'a> {
    fn push_text(&mut self, text: &str) {
        let is_start = self.out.is_empty() && !self.text.has_outer_whitespace[0];
        self.out.push_str(if is_start { text.trim_start() } else { text });
    }

    /// Appends the referenced character, or `&` if `from` does not start with a reference. Returns the consumed length.
    fn push_reference(&mut self, from: &str) -> usize {
        let (character, len) = reference_at(from).unwrap_or(('&', 1));
        self.push_text(character.encode_utf8(&mut [0; 4]));
        len
    }

    /// Appends the token of a tag, or `<` if `from` does not start with a tag. Returns the consumed length, including the
    /// content of a fixed token.
    fn push_tag(&mut self, from: &str) -> Result<usize, TokenLoss> {
        match tag_at(from) {
            None => {
                self.push_text("<");
                Ok(1)
            }
            Some((WireTag::Start(WireElement::Fixed, id, is_empty), len)) => {
                let (number, element) = self.claim_element(id, WireElement::Fixed)?;
                let source = self.text.sources_of(element).0;
                self.check_order(number, source)?;
                self.push_token(source);
                if is_empty {
                    return Ok(len);
                }
                let content = from.get(len..).unwrap_or_default();
                let end = len_to_fixed_end(content).ok_or_else(|| self.loss(TokenProblem::Broken, Some(number)))?;
                Ok(len + end)
            }
            Some((WireTag::Start(WireElement::Pair, id, is_empty), len)) => {
                let (number, element) = self.claim_element(id, WireElement::Pair)?;
                let (start, end) = self.text.sources_of(element);
                self.push_token(start);
                if is_empty {
                    self.push_token(end.unwrap_or_default());
                } else {
                    self.open.push(number);
                }
                Ok(len)
            }
            Some((WireTag::End(WireElement::Pair), len)) => {
                let Some(element) = self.open.pop().and_then(|number| self.text.elements.get(number)) else {
                    return Err(self.loss(TokenProblem::Broken, None));
                };
                self.push_token(self.text.sources_of(element).1.unwrap_or_default());
                Ok(len)
            }
            Some((WireTag::End(WireElement::Fixed), _)) => Err(self.loss(TokenProblem::Broken, None)),
        }
    }

    /// Fails if the text lacks the element, or if it was seen before.
    fn claim_element(&mut self, id: usize, kind: WireElement) -> Result<(usize, &'a TokenElement), TokenLoss> {
        let number = id.wrapping_sub(1);
        let element = self.text.elements.get(number);
        let element = element.filter(|element| element.end.is_some() == (kind == WireElement::Pair));
        let (Some(element), Some(seen)) = (element, self.seen.get_mut(number)) else {
            return Err(self.loss(TokenProblem::Unknown, None));
        };
        if std::mem::replace(seen, true) {
            return Err(self.loss(TokenProblem::Repeated, Some(number)));
        }
        Ok((number, element))
    }

    /// Fails if a later placeholder of the text came before this one, and their order matters.
    fn check_order(&mut self, number: usize, source: &str) -> Result<(), TokenLoss> {
        if !self.text.is_ordered || source.starts_with(['<', '&']) {
            return Ok(());
        }
        if number < self.last_ordered {
            return Err(self.loss(TokenProblem::Moved, Some(number)));
        }
        self.last_ordered = number;
        Ok(())
    }

    fn push_token(&mut self, source: &str) {
        self.out.push_str(source);
        self.after_token = self.out.len();
    }

    fn finish(mut self) -> Result<String, TokenLoss> {
        if let Some(number) = self.open.last() {
            return Err(self.loss(TokenProblem::Broken, Some(*number)));
        }
        if let Some(number) = self.seen.iter().position(|seen| !seen) {
            return Err(self.loss(TokenProblem::Missing, Some(number)));
        }
        if !self.text.has_outer_whitespace[1] {
            let end = self.out.trim_end().len().max(self.after_token);
            self.out.truncate(end);
        }
        Ok(self.out)
    }

    fn loss(&self, problem: TokenProblem, number: Option<usize>) -> TokenLoss {
        let element = number.and_then(|number| self.text.elements.get(number));
        TokenLoss::new(problem, self.text, element)
    }
}

/// Returns the length of the content and the end tag of a fixed element; `None` if it has another token or no end.
fn len_to_fixed_end(content: &str) -> Option<usize> {
    let mut starts = memchr::memchr_iter(b'<', content.as_bytes());
    let (at, (tag, len)) = starts.find_map(|at| Some((at, tag_at(content.get(at..)?)?)))?;
    (tag == WireTag::End(WireElement::Fixed)).then_some(at + len)
}

/// Fails if the result has a token more or less often than the text.
pub(super) fn check_token_counts(text: &TaggedText, result: &str) -> Result<(), TokenLoss> {
    for (at, element) in text.elements.iter().enumerate() {
        let token = text.sent_as(element);
        let is_known = |earlier: &super::TokenElement| text.sent_as(earlier) == token;
        if text.elements.iter().take(at).any(is_known) {
            continue;
        }
        let wanted = text.elements.iter().filter(|other| is_known(other)).count();
        // If a token is a complete word in the text, only complete words of the result count: `$XY` does not contain `$X`.
        // If it is a part of a word in the text, it may be a part of a word in the result, too.
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

/// With `is_word`, a match must not be a part of a longer word.
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

/// Maximum length of a token in a message to the user, in characters.
const TOKEN_CHARS: usize = 40;

/// A token that is missing, repeated, misplaced or unknown in the result, so the result cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenLoss {
    problem: TokenProblem,
    /// The token as in the text, with `…` for the text that a pair encloses. Empty if it is unknown.
    token: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenProblem {
    Missing,
    Repeated,
    /// The end of the token is missing or misplaced.
    Broken,
    Unknown,
    /// The token comes after one that it must precede; only the order tells the two apart.
    Moved,
}

impl TokenLoss {
    pub(super) fn new(problem: TokenProblem, text: &TaggedText, element: Option<&TokenElement>) -> Self {
        let token = element.map(|element| match text.sources_of(element) {
            (start, None) => shortened(start, TOKEN_CHARS),
            (start, Some(end)) => format!("{}…{}", shortened(start, TOKEN_CHARS / 2), shortened(end, TOKEN_CHARS / 2)),
        });
        Self { problem, token: token.unwrap_or_default() }
    }
}

impl fmt::Display for TokenLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = &self.token;
        match self.problem {
            TokenProblem::Missing => write!(f, "the service lost `{token}`"),
            TokenProblem::Repeated => write!(f, "the service repeated `{token}`"),
            TokenProblem::Broken if token.is_empty() => write!(f, "the service returned markup that does not match"),
            TokenProblem::Broken => write!(f, "the service returned `{token}` in two parts that do not match"),
            TokenProblem::Moved => {
                write!(f, "the service moved `{token}`, which has neither a name nor a number")
            }
            TokenProblem::Unknown => write!(f, "the service returned a placeholder that the text does not have"),
        }
    }
}

/// Also escapes control characters.
fn shortened(token: &str, chars: usize) -> String {
    let mut all = token.chars();
    let mut short = String::new();
    for c in all.by_ref().take(chars) {
        if c.is_control() { short.extend(c.escape_default()) } else { short.push(c) }
    }
    if all.next().is_some() {
        short.push('…');
    }
    short
}
