//! A result whose tokens are not those of its text, in words.

use std::fmt;

use super::{TaggedText, TokenElement};

/// Maximum length of a token in a message, in characters.
const TOKEN_CHARS: usize = 40;

/// Why a result cannot be used: a token of the text is not in it exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenLoss {
    problem: TokenProblem,
    /// The token as it is in the text; `…` stands for what a pair encloses. Empty if it is unknown.
    token: String,
}

/// What happened to a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenProblem {
    /// It is not in the result.
    Missing,
    /// It is in the result more than once.
    Repeated,
    /// Its end is missing or in the wrong place.
    Broken,
    /// It is no token of the text.
    Unknown,
    /// It stands before one that it stood after, and only their order tells them apart.
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

/// Returns the start of a token on one line.
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
