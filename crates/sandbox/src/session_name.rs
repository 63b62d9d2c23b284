//! The name of a session: what keeps the requests of one test apart from those of another.

use axum::http::HeaderMap;
use data_encoding::HEXLOWER;

use super::reply::Refusal;

/// Header with the name of the session.
pub(super) const SESSION_HEADER: &str = "x-tulk-sandbox-session";
/// Maximum length of a name, in bytes.
const NAME_MAX: usize = 128;

/// The name of a session. Empty for requests without one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName(String);

impl SessionName {
    /// Reads the name of the session of a request.
    pub fn of_request(headers: &HeaderMap) -> Result<Self, Refusal> {
        let mut values = headers.get_all(SESSION_HEADER).iter();
        let Some(value) = values.next() else { return Ok(Self::default()) };
        if values.next().is_some() {
            return Err(Refusal::bad("A request belongs to one session: send its header once."));
        }
        Self::new(value.to_str().map_err(|_| invalid())?)
    }

    /// Checks a name: at most 128 printable ASCII characters. A name of spaces alone is no name.
    pub fn new(name: &str) -> Result<Self, Refusal> {
        let name = name.trim();
        let is_printable = name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if name.len() > NAME_MAX || !is_printable {
            return Err(invalid());
        }
        Ok(Self(name.to_owned()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is the session of requests without a name.
    pub fn is_unnamed(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the session to a token or an address, for requests that cannot carry the header.
    pub fn mark(&self, token: String) -> String {
        if self.is_unnamed() { token } else { format!("{token}.{}", HEXLOWER.encode(self.0.as_bytes())) }
    }

    /// Returns the session of a marked token; the unnamed one if it has none, or none that can be read.
    pub fn of_token(token: &str) -> Self {
        let name = token.split_once('.').and_then(|(_, name)| HEXLOWER.decode(name.as_bytes()).ok());
        name.and_then(|name| Self::new(std::str::from_utf8(&name).ok()?).ok()).unwrap_or_default()
    }
}

fn invalid() -> Refusal {
    Refusal::bad(format!("The name of a session has at most {NAME_MAX} printable ASCII characters."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_session() {
        for name in ["", "a", "Test 7: names.and dots"] {
            let session = SessionName::new(name).unwrap();
            assert_eq!(SessionName::of_token(&session.mark("0A1B".to_owned())), session, "{name}");
        }
        for token in ["0A1B.xyz", "0A1B.0", "0A1B.00", ".", ""] {
            assert!(SessionName::of_token(token).is_unnamed(), "{token}");
        }
    }

    #[test]
    fn refuses_long_names_and_control_characters() {
        assert!(SessionName::new(&"a".repeat(128)).is_ok());
        for name in [&"a".repeat(129), "a\tb", "ä"] {
            assert!(SessionName::new(name).is_err(), "{name}");
        }
    }
}
