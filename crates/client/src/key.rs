//! API keys: a type that never shows its value, and the kind of key that a request needs.

use std::fmt;

use tulk_base::error::{Failure, Kind};
use tulk_base::secrets;

/// The kind of key that a request needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyKind {
    /// The API key of an account.
    #[default]
    Account,
    /// The admin key. Used only for paths under `/v2/admin`.
    Admin,
}

/// An API key. It has no `Display`, and `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    text: String,
    source: String,
}

impl ApiKey {
    /// Creates a key and registers it as a secret. Surrounding whitespace is removed. Fails if the key is empty or cannot be sent in a
    /// header. `source` is where the key came from, such as the name of a variable; messages show it.
    pub fn new(text: &str, source: &str) -> Result<Self, Failure> {
        let key = text.trim();
        if key.is_empty() {
            return Err(Failure::new(Kind::Key, format!("the key from {source} is empty")));
        }
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(Failure::new(
                Kind::Key,
                format!("the key from {source} contains whitespace or non-ASCII characters"),
            )
            .hint("a key is one word on the first line"));
        }
        secrets::register(key);
        Ok(Self { text: key.to_owned(), source: source.to_owned() })
    }

    /// Returns the same key with another source.
    #[must_use]
    pub fn with_source(self, source: String) -> Self {
        Self { source, ..self }
    }

    /// Returns where the key came from, for messages.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the key itself, to send, store or compare it. Only `auth token` prints it.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Returns `****` and the last four characters. A key of fewer than 16 characters is hidden completely.
    pub fn masked(&self) -> String {
        let tail: String = self.text.chars().skip(self.text.len().saturating_sub(4)).collect();
        if self.text.len() >= 16 { format!("****{tail}") } else { "****".to_owned() }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = ApiKey::new("0123456789abcdef:fx\n", "stdin").unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey(…)");
        assert_eq!(key.masked(), "****f:fx");
        assert_eq!(ApiKey::new("k-2", "stdin").unwrap().masked(), "****");
        assert_eq!(key.expose(), "0123456789abcdef:fx");
    }

    #[test]
    fn refuses_keys_that_cannot_be_sent_in_a_header() {
        for text in ["", " \n", "two words", "käse", "a\nb"] {
            let error = ApiKey::new(text, "stdin").unwrap_err();
            assert!(text.trim().is_empty() || !error.what.contains(text.trim()), "{}", error.what);
        }
    }
}
