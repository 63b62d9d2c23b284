//! Language codes: read in any case, sent in the case that each endpoint expects.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// A language code in the case of BCP 47 (`en-US`, `zh-Hant`). Any code is accepted; the service decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct LangCode(String);

impl LangCode {
    /// Returns the code in the case of BCP 47, for v3, Write and voice.
    pub fn bcp47(&self) -> &str {
        &self.0
    }

    /// Returns the code in upper case, for v2 translation, documents and languages.
    pub fn upper(&self) -> String {
        self.0.to_ascii_uppercase()
    }

    /// Returns the language without region and script.
    pub fn base(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }

    /// Serializes in upper case, for `serialize_with`.
    pub fn serialize_upper<S: Serializer>(code: &Self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&code.upper())
    }

    /// Serializes an optional code in upper case, for `serialize_with`.
    #[allow(clippy::ref_option)] // the signature that serde requires
    pub fn serialize_upper_opt<S: Serializer>(code: &Option<Self>, serializer: S) -> Result<S::Ok, S::Error> {
        match code {
            Some(code) => serializer.serialize_str(&code.upper()),
            None => serializer.serialize_none(),
        }
    }
}

impl FromStr for LangCode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim().replace('_', "-");
        let is_valid = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if text.is_empty() || !text.split('-').all(is_valid) {
            return Err(format!("invalid language code `{text}`; write a code such as de, en-US or zh-Hant"));
        }
        let cased = text.split('-').enumerate().map(|(i, part)| match (i, part.len()) {
            (0, _) => part.to_ascii_lowercase(),
            (_, 2) => part.to_ascii_uppercase(),
            (_, 4) if part.bytes().all(|b| b.is_ascii_alphabetic()) => {
                let lower = part.to_ascii_lowercase();
                let mut chars = lower.chars();
                chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
            }
            _ => part.to_ascii_lowercase(),
        });
        Ok(Self(cased.collect::<Vec<_>>().join("-")))
    }
}

impl TryFrom<String> for LangCode {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for LangCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for LangCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_any_case_and_underscores() {
        for (text, bcp47, upper) in [
            ("DE", "de", "DE"),
            ("en_us", "en-US", "EN-US"),
            ("ZH-HANT", "zh-Hant", "ZH-HANT"),
            ("es-419", "es-419", "ES-419"),
            ("sr-latn-rs", "sr-Latn-RS", "SR-LATN-RS"),
            ("xyz", "xyz", "XYZ"),
        ] {
            let code: LangCode = text.parse().unwrap();
            assert_eq!((code.bcp47(), code.upper().as_str()), (bcp47, upper), "{text}");
        }
    }

    #[test]
    fn refuses_invalid_codes() {
        for text in ["", "-", "de-", "d e", "de;", "deutschland", "../x"] {
            assert!(text.parse::<LangCode>().is_err(), "{text:?}");
        }
    }
}
