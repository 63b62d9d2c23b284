//! Language codes: parsed in upper or lower case, and sent in the letter case that each endpoint expects.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use tulk_base::error::ServiceError;
use tulk_base::suggest::one_of;
use tulk_base::value_error::ValueError;

use super::language_names::{self, LanguageUse};

/// A language code in the letter case of BCP 47 (`en-US`, `zh-Hant`). Unknown codes are accepted, because the service may support them.
/// Names of languages are refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct LangCode(String);

impl LangCode {
    /// Returns the code in the letter case of BCP 47, which v3, Write and voice expect.
    pub fn bcp47(&self) -> &str {
        &self.0
    }

    /// Returns the code in upper case, which v2 translation, documents and languages expect.
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

/// Maximum length of the language in a code, such as `de` or `ceb`.
const MAX_LANGUAGE_LETTERS: usize = 3;

/// Country codes that people write for the language of the country. They are not language codes themselves.
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

/// Valid codes for which the service uses another code.
const SERVICE_CODES: [(&str, &str); 21] = [
    ("az-Latn", "az"),
    ("bs-Latn", "bs"),
    ("cmn", "zh"),
    ("fa-AF", "prs"),
    ("fil", "tl"),
    ("in", "id"),
    ("iw", "he"),
    ("ji", "yi"),
    ("jw", "jv"),
    ("kk-Cyrl", "kk"),
    ("mn-Cyrl", "mn"),
    ("mo", "ro"),
    ("no", "nb"),
    ("pa-Guru", "pa"),
    ("sr-Cyrl", "sr"),
    ("uz-Latn", "uz"),
    ("zh-CN", "zh-Hans"),
    ("zh-HK", "zh-Hant"),
    ("zh-MO", "zh-Hant"),
    ("zh-SG", "zh-Hans"),
    ("zh-TW", "zh-Hant"),
];

/// Variants that the service offers in place of other regional variants: language, code of the offered variant, other regions.
const REGION_VARIANTS: [(&str, &str, &str); 3] = [
    ("en", "en-GB", "AU CA GH HK IE IN KE MT MY NG NZ PK SG ZA"),
    ("es", "es-419", "AR BO CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE"),
    ("pt", "pt-PT", "AO CH CV GQ GW LU MO MZ ST TL"),
];

/// Regions where a language is written in another script than the service uses.
const OTHER_SCRIPTS: [&str; 6] = ["az-IR", "kk-CN", "mn-CN", "pa-PK", "sr-ME", "uz-AF"];

/// Words that other tools use for "detect the source language".
const DETECTION_WORDS: [&str; 3] = ["auto", "autodetect", "detect"];

impl LangCode {
    /// Returns the language of a country, if this is one of the country codes in `COUNTRIES`.
    pub fn of_country(&self) -> Option<&'static str> {
        COUNTRIES.iter().find(|(country, _)| *country == self.0).map(|(_, code)| *code)
    }

    /// Returns the codes that were probably meant: another code for the same language, the language without its region, or else all
    /// codes with the same base language. Returns nothing if this code is usable itself.
    pub fn meant_among<'a>(&self, usable: &[&'a str]) -> Vec<&'a str> {
        let find = |code: &str| usable.iter().copied().find(|other| other.eq_ignore_ascii_case(code));
        if find(&self.0).is_some() {
            return Vec::new();
        }
        let other_name = SERVICE_CODES.iter().find(|(name, _)| *name == self.0).map(|(_, code)| *code);
        let meant = self.of_country().or(other_name).unwrap_or(&self.0);
        let mut start = meant;
        while let Some((shorter, _)) = start.rsplit_once('-') {
            if let Some(code) = find(start) {
                return vec![code];
            }
            start = shorter;
        }
        let base = |code: &str| code.split('-').next().is_some_and(|base| base.eq_ignore_ascii_case(start));
        usable.iter().copied().filter(|code| base(code)).collect()
    }

    /// Returns the code to send for this language: the code itself, another code for it, the variant that the service offers in its place
    /// (`en-GB` for `en-AU`), or the language without its region or variant. Never changes the script: `sr-Latn` does not become `sr`.
    pub fn fallback_among<'a>(&self, usable: &[&'a str]) -> Option<&'a str> {
        let find = |code: &str| usable.iter().copied().find(|other| other.eq_ignore_ascii_case(code));
        let mut code = self.0.as_str();
        loop {
            if let Some(found) = find(code) {
                return Some(found);
            }
            if let Some((_, other)) = SERVICE_CODES.iter().find(|(name, _)| *name == code) {
                code = other;
                continue;
            }
            let (shorter, last) = code.rsplit_once('-')?;
            let near = REGION_VARIANTS
                .iter()
                .find(|(language, _, regions)| *language == shorter && regions.split(' ').any(|region| region == last));
            if let Some(found) = near.and_then(|(_, near, _)| find(near)) {
                return Some(found);
            }
            if is_script(last) || shorter.ends_with("-x") || OTHER_SCRIPTS.contains(&code) {
                return None;
            }
            code = shorter;
        }
    }

    /// Returns whether the service is known to support this code in a role.
    pub fn is_known(&self, wanted: LanguageUse, as_source: bool) -> bool {
        language_names::codes_for(wanted, as_source).iter().any(|code| code.eq_ignore_ascii_case(&self.0))
    }

    /// Returns a "did you mean" question, if the service is not known to support this code and similar codes exist.
    pub fn did_you_mean(&self, wanted: LanguageUse, as_source: bool) -> Option<String> {
        // For style rule lists, suggest base languages, as for glossaries: not every service has lists for variants, but a list for a
        // base language covers its variants.
        let wanted = if wanted == LanguageUse::Style { LanguageUse::Glossary } else { wanted };
        let usable = language_names::codes_for(wanted, as_source);
        // Do not suggest a target language in another script.
        if !as_source && self.0.split('-').skip(1).any(is_script) && self.fallback_among(&usable).is_none() {
            return None;
        }
        let meant = self.meant_among(&usable);
        (!meant.is_empty()).then(|| format!("did you mean {}?", one_of(&meant)))
    }

    /// Returns a hint for a request whose language the service refused: the code that was probably meant, or else the command that lists
    /// the languages. `None` if the service did not mention a language parameter. `roles` has the languages of the request, each with its
    /// parameter and whether it is the source language.
    pub fn hint_when_refused<'a>(
        wanted: LanguageUse,
        service: &ServiceError,
        roles: impl IntoIterator<Item = (&'static str, &'a Self, bool)>,
    ) -> Option<String> {
        let named: Vec<_> = roles.into_iter().filter(|(parameter, ..)| service.names(parameter)).collect();
        let meant = named.iter().find_map(|(_, code, as_source)| code.did_you_mean(wanted, *as_source));
        meant.or_else(|| named.first().map(|(.., as_source)| wanted.list_hint(*as_source)))
    }
}

fn is_script(part: &str) -> bool {
    part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Returns the error for a text that resembles the name of a language.
fn language_name_error(text: &str) -> Option<ValueError> {
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
        if DETECTION_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Err(ValueError::new(text, format!("`{text}` is not a language code"))
                .hint("leave the source language out to detect it; write a target language as a code such as de"));
        }
        let is_valid = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if text.is_empty() {
            return Err(
                ValueError::new(text, "a language is missing").hint("write a code such as de, en-US or zh-Hant")
            );
        }
        if text.len() < 2 || !text.split('-').all(is_valid) {
            return Err(language_name_error(text).unwrap_or_else(|| {
                ValueError::new(text, format!("invalid language code `{text}`"))
                    .hint("write a code such as de, en-US or zh-Hant")
            }));
        }
        // No known code has such a long language, so the text is probably a name. Otherwise, accept it: it may be a future code.
        if text.split('-').next().is_some_and(|language| language.len() > MAX_LANGUAGE_LETTERS)
            && let Some(error) = language_name_error(text)
        {
            return Err(error);
        }
        let cased = text.split('-').enumerate().map(|(i, part)| match (i, part.len()) {
            (0, _) => part.to_ascii_lowercase(),
            (_, 2) => part.to_ascii_uppercase(),
            _ if is_script(part) => {
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
    fn refuses_a_language_name_and_suggests_its_code() {
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
        let meant = |code: &str| code.parse::<LangCode>().unwrap().of_country();
        assert_eq!(meant("GR"), Some("el"));
        assert_eq!(meant("en_uk"), Some("en-GB"));
        assert_eq!(meant("xx"), None);
        for (country, code) in COUNTRIES {
            assert!(language_names::all().iter().all(|language| language.code != country), "{country}");
            assert!(language_names::all().iter().any(|language| language.code == code), "{code}");
        }
    }

    #[test]
    fn suggests_codes_of_the_same_language_for_a_role() {
        let meant = |code: &str, wanted, as_source| {
            code.parse::<LangCode>().unwrap().meant_among(&language_names::codes_for(wanted, as_source)).join(" ")
        };
        for (code, source, target) in [
            ("zh-TW", "zh", "zh-Hant"),
            ("zh-Hans-CN", "zh", "zh-Hans"),
            ("de-AT", "de", "de de-CH"),
            ("en-GB", "en", ""),
            ("us", "en", "en-US"),
            ("jp", "ja", "ja"),
            ("no", "nb", "nb"),
            ("de", "", ""),
            ("xx", "", ""),
        ] {
            let text = (meant(code, LanguageUse::Text, true), meant(code, LanguageUse::Text, false));
            assert_eq!((text.0.as_str(), text.1.as_str()), (source, target), "{code}");
        }
        assert_eq!(meant("en-GB", LanguageUse::Glossary, false), "en");
        assert_eq!(meant("de-AT", LanguageUse::Document, false), "de de-CH");
        for (code, language) in SERVICE_CODES {
            assert!(language_names::all().iter().all(|known| known.code != code), "{code}");
            assert!(language_names::all().iter().any(|known| known.code == language), "{language}");
        }
    }

    #[test]
    fn falls_back_to_the_language_without_its_region() {
        let target = language_names::codes_for(LanguageUse::Text, false);
        for (code, sent) in [
            ("de-DE", Some("de")),
            ("de-CH", Some("de-CH")),
            ("ja-JP", Some("ja")),
            ("nb-NO", Some("nb")),
            ("no-NO", Some("nb")),
            ("zh-CN", Some("zh-Hans")),
            ("zh-TW", Some("zh-Hant")),
            ("zh-HK", Some("zh-Hant")),
            ("zh-MO", Some("zh-Hant")),
            ("zh-SG", Some("zh-Hans")),
            ("zh-Hant-HK", Some("zh-Hant")),
            ("pt-BR", Some("pt-BR")),
            ("pt-AO", Some("pt-PT")),
            ("pt-XX", Some("pt")),
            ("en-AU", Some("en-GB")),
            ("fa-AF", Some("prs")),
            ("es-419", Some("es-419")),
            ("es-MX", Some("es-419")),
            ("es-ES", Some("es")),
            ("ca-ES-valencia", Some("ca")),
            ("fil-PH", Some("tl")),
            ("sr-Cyrl", Some("sr")),
            ("sr-Cyrl-ME", Some("sr")),
            ("sr-RS", Some("sr")),
            ("sr-ME", None),
            ("pa-PK", None),
            ("sr-Latn", None),
            ("sr-Latn-RS", None),
            ("en-x-pirate", None),
            ("tlh", None),
        ] {
            assert_eq!(code.parse::<LangCode>().unwrap().fallback_among(&target), sent, "{code}");
        }
        // `zh` means the script of mainland China.
        assert_eq!("zh-HK".parse::<LangCode>().unwrap().fallback_among(&["zh", "zh-Hans"]), None);
        assert_eq!("sr-Latn".parse::<LangCode>().unwrap().did_you_mean(LanguageUse::Text, false), None);
        let source = language_names::codes_for(LanguageUse::Text, true);
        assert_eq!("no".parse::<LangCode>().unwrap().fallback_among(&source), Some("nb"));
    }

    #[test]
    fn the_hint_is_about_the_language_that_the_service_named() {
        let code = |code: &str| code.parse::<LangCode>().unwrap();
        let (source, target) = (code("en-GB"), code("zh-TW"));
        let hint = |named: &[&str], source: &LangCode, target: &LangCode| {
            let quoted = named.iter().map(|&name| name.to_owned()).collect();
            let service = ServiceError { quoted, ..ServiceError::default() };
            let roles = [("source_lang", source, true), ("target_lang", target, false)];
            LangCode::hint_when_refused(LanguageUse::Text, &service, roles)
        };
        assert_eq!(hint(&["target_lang"], &source, &target).unwrap(), "did you mean `zh-Hant`?");
        assert_eq!(hint(&["source_lang"], &source, &target).unwrap(), "did you mean `en`?");
        assert_eq!(
            hint(&["target_lang"], &source, &code("xx")).unwrap(),
            "`tulk langs list --target` lists the supported languages"
        );
        assert_eq!(hint(&["formality"], &source, &target), None);
        assert_eq!(hint(&[], &source, &target), None);
    }

    #[test]
    fn refuses_auto_and_detect_as_codes() {
        for text in ["auto", "AUTO", "detect"] {
            assert_eq!(
                text.parse::<LangCode>().unwrap_err().to_string(),
                format!(
                    "`{text}` is not a language code; leave the source language out to detect it; write a target language as a \
                     code such as de"
                )
            );
        }
    }
}
