//! Language codes: read in any case, sent in the case that each endpoint expects.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use tulk_base::suggest::one_of;
use tulk_base::value_error::ValueError;

use super::language_names;

/// A language code in the case of BCP 47 (`en-US`, `zh-Hant`). Any code is accepted, since the service decides; the name of a
/// language is not a code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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

/// Maximum length of the language in a code: `de`, `ceb`.
const LETTERS: usize = 3;

/// Codes of countries that are written for the language of the country, and no codes of languages themselves.
const COUNTRIES: [(&str, &str); 12] = [
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("en-UK", "en-GB"),
    ("gb", "en-GB"),
    ("gr", "el"),
    ("il", "he"),
    ("ir", "fa"),
    ("jp", "ja"),
    ("rs", "sr"),
    ("ua", "uk"),
    ("us", "en-US"),
];

impl LangCode {
    /// Returns the code that was probably meant by a code that the service does not know.
    pub fn probably_meant(&self) -> Option<&'static str> {
        COUNTRIES.iter().find(|(country, _)| *country == self.0).map(|(_, code)| *code)
    }

    /// Adds to a hint for a refused request what was probably meant by these codes.
    pub fn add_probably_meant<'a>(codes: impl IntoIterator<Item = &'a Self>, hint: &str) -> String {
        let meant: Vec<&str> = codes.into_iter().filter_map(Self::probably_meant).collect();
        if meant.is_empty() { hint.to_owned() } else { format!("did you mean {}? {hint}", one_of(&meant)) }
    }
}

/// Returns the error for text that is similar to the name of a language.
fn invalid(text: &str) -> Option<ValueError> {
    let codes: Vec<&str> = language_names::similar_to(text).iter().map(|language| language.code).collect();
    (!codes.is_empty()).then(|| {
        ValueError::new(text, format!("`{text}` is not a language code"))
            .hint(format!("did you mean {}?", one_of(&codes)))
    })
}

impl FromStr for LangCode {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let text = text.trim().replace('_', "-");
        let text = text.as_str();
        let is_valid = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if text.is_empty() || !text.split('-').all(is_valid) {
            return Err(invalid(text).unwrap_or_else(|| {
                ValueError::new(text, format!("invalid language code `{text}`"))
                    .hint("write a code such as de, en-US or zh-Hant")
            }));
        }
        // No code has more letters, but a name that is not known may be a code of the future.
        if text.split('-').next().is_some_and(|language| language.len() > LETTERS)
            && let Some(error) = invalid(text)
        {
            return Err(error);
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
    type Error = ValueError;
    fn try_from(text: String) -> Result<Self, ValueError> {
        text.parse()
    }
}

impl fmt::Display for LangCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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

    #[test]
    fn a_name_is_refused_with_its_code() {
        let refused = |text: &str| text.parse::<LangCode>().unwrap_err().to_string();
        assert_eq!(refused("german"), "`german` is not a language code; did you mean `de`?");
        assert_eq!(refused("Deutsch"), "`Deutsch` is not a language code; did you mean `de`?");
        assert_eq!(refused("日本語"), "`日本語` is not a language code; did you mean `ja`?");
        assert_eq!(
            refused("Brazilian Portuguese"),
            "`Brazilian Portuguese` is not a language code; did you mean `pt-BR`?"
        );
        assert_eq!(
            refused("chinese_simplified"),
            "`chinese-simplified` is not a language code; did you mean `zh-Hans`?"
        );
        assert_eq!(refused("Frensh"), "`Frensh` is not a language code; did you mean `fr`?");
        for code in ["klingon", "lao", "ewe", "xyz", "de-german"] {
            assert!(code.parse::<LangCode>().is_ok(), "{code}");
        }
    }

    #[test]
    fn the_code_of_a_country_may_mean_its_language() {
        let meant = |code: &str| code.parse::<LangCode>().unwrap().probably_meant();
        assert_eq!(meant("GR"), Some("el"));
        assert_eq!(meant("en_uk"), Some("en-GB"));
        assert_eq!(meant("xx"), None);
        for (country, code) in COUNTRIES {
            assert!(language_names::all().iter().all(|language| language.code != country), "{country}");
            assert!(language_names::all().iter().any(|language| language.code == code), "{code}");
        }
        let codes: Vec<LangCode> = ["jp", "de"].iter().map(|code| code.parse().unwrap()).collect();
        assert_eq!(LangCode::add_probably_meant(&codes, "see x"), "did you mean `ja`? see x");
        assert_eq!(LangCode::add_probably_meant(&codes[1..], "see x"), "see x");
    }
}
