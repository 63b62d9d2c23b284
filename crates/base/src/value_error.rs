//! Error of a flag or setting whose text is not a valid value.

use std::fmt;

/// Error of a value parser. `Display` prints `WHAT; HINT`, for callers that have no separate hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The text that `what` quotes: the complete value, or its wrong part.
    pub quoted: String,
    /// The message, without a full stop.
    pub what: String,
    /// A valid value, or how to write one.
    pub hint: Option<String>,
}

impl ValueError {
    /// Creates an error whose message quotes a text.
    pub fn new(quoted: &str, what: impl Into<String>) -> Self {
        Self { quoted: quoted.to_owned(), what: what.into(), hint: None }
    }

    /// Sets the hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}; {hint}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for ValueError {}

impl From<ValueError> for String {
    fn from(error: ValueError) -> Self {
        error.to_string()
    }
}
