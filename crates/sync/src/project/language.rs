//! Languages of a project: validated BCP 47 tags, and their notation in paths.

use std::fmt;

use icu_locale_core::Locale;
use serde::Deserialize;
use tulk_base::suggest::one_line;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names;

/// Codes of ISO 639-1, and former codes that are still in use.
const TWO_LETTER_CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de \
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it \
    iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na \
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss \
    st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// New codes and the old ones they replaced. Android still looks up resources by the old codes.
pub const OLD_CODES: [(&str, &str); 3] = [("he", "iw"), ("yi", "ji"), ("id", "in")];

const LANGS_WITH_EXTENDED_SUBTAGS: [&str; 8] = ["ar", "kok", "lv", "ms", "sgn", "sw", "uz", "zh"];

const MAX_TAG_BYTES: usize = 63;

/// A valid BCP 47 tag in canonical case: `de`, `pt-BR`, `zh-Hant-TW`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LangTag(String);

impl LangTag {
    /// Parses a tag in upper or lower case. The error suggests the tag that was probably meant.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_TAG_BYTES {
            return Err(format!("a language has at most {MAX_TAG_BYTES} characters"));
        }
        Self::if_valid(text).ok_or_else(|| {
            let meant = guess_tag(text).map(|tag| tag.0);
            let meant = meant.or_else(|| Some(language_names::similar_to(text).first()?.code.to_owned()));
            let hint = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "write a code such as de, pt-BR or zh-Hant".to_owned(),
            };
            format!("`{}` is not a language of BCP 47; {hint}", one_line(text))
        })
    }

    /// Parses a tag like `parse`, but without an error message.
    pub fn if_valid(text: &str) -> Option<Self> {
        let tag = Some(text).filter(|text| text.len() <= MAX_TAG_BYTES).and_then(Self::if_well_formed);
        tag.filter(|tag| !is_unknown_language(tag.base()) && lang_of_country(text).is_none())
    }

    fn if_well_formed(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        let parts: Vec<&str> = lower.split('-').collect();
        // Unicode locales have no extended subtags, such as `zh-yue`.
        if let [language, extended, ..] = parts.as_slice()
            && LANGS_WITH_EXTENDED_SUBTAGS.contains(language)
            && is_alpha(extended, 3)
            && !extended.starts_with('r')
        {
            let Self(rest) = Self::if_well_formed(&lower.replacen(&format!("-{extended}"), "", 1))?;
            return Some(Self(rest.replacen(language, &format!("{language}-{extended}"), 1)));
        }
        Locale::try_from_str(text).ok().map(|locale| Self(locale.to_string()))
    }

    /// Returns the tag in canonical case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the language without script, region and variants.
    pub fn base(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for LangTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The syntax allows up to eight letters (`english`), but language codes have at most three.
fn is_unknown_language(language: &str) -> bool {
    language.len() > 3 || language.len() == 2 && !TWO_LETTER_CODES.split_whitespace().any(|code| code == language)
}

fn is_alpha(part: &str, length: usize) -> bool {
    part.len() == length && part.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Recognizes a country code that was used as a language by mistake, such as `jp`.
fn lang_of_country(text: &str) -> Option<&'static str> {
    // Without this check, longer words would be compared with the names of all languages.
    text.split(['-', '_']).next().filter(|country| country.len() == 2)?;
    text.parse::<LangCode>().ok()?.of_country()
}

/// Guesses the valid tag for another notation or a country code: `pt_BR`, `pt-rBR`, `b+sr+Latn`, `sr@latin`, `jp`.
pub fn guess_tag(text: &str) -> Option<LangTag> {
    if let Some(code) = lang_of_country(text) {
        return Some(LangTag(code.to_owned()));
    }
    let other = match text.strip_prefix("b+") {
        Some(rest) => rest.replace('+', "-"),
        None => without_encoding(text).replace("@latin", "-Latn").replace(['_', ' '], "-"),
    };
    let region = |part| str::strip_prefix(part, 'r').filter(|region| is_alpha(region, 2)).unwrap_or(part);
    let other = other.split('-').map(region).collect::<Vec<&str>>().join("-");
    if other == text { None } else { LangTag::if_valid(&other) }
}

/// Strips the encoding of a POSIX locale such as `de_DE.UTF-8`.
fn without_encoding(text: &str) -> &str {
    let is_encoding = |name: &str| ["utf", "iso"].iter().any(|start| name.to_ascii_lowercase().starts_with(start));
    text.split_once('.').filter(|(_, name)| is_encoding(name)).map_or(text, |(locale, _)| locale)
}

/// Notation of languages in paths.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum LangStyle {
    /// As written in `tulk.toml`: `pt-BR`.
    #[default]
    Bcp47,
    /// `pt_BR`.
    Posix,
    /// `pt-rBR`, `b+sr+Latn`, and the old codes of three languages.
    Android,
    /// `pt-br`.
    Lower,
}

impl LangStyle {
    /// All styles and their names in `tulk.toml`.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Bcp47, "bcp47"), (Self::Posix, "posix"), (Self::Android, "android"), (Self::Lower, "lower")];

    /// Returns the name in `tulk.toml`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(style, _)| *style == self).map_or("bcp47", |(_, name)| name)
    }

    /// Converts a tag to its notation in paths.
    pub fn path(self, tag: &str) -> String {
        match self {
            Self::Bcp47 => tag.to_owned(),
            Self::Posix => tag.replace('-', "_"),
            Self::Lower => tag.to_ascii_lowercase(),
            Self::Android => android_path(tag),
        }
    }
}

fn android_path(tag: &str) -> String {
    let (language, region) = tag.split_once('-').map_or((tag, None), |(language, rest)| (language, Some(rest)));
    let old = OLD_CODES.iter().find(|(new, _)| *new == language).map_or(language, |(_, old)| old);
    match region {
        None => old.to_owned(),
        Some(region) if is_alpha(region, 2) => format!("{old}-r{region}"),
        Some(_) => format!("b+{}", tag.replace('-', "+")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_tags_get_canonical_case() {
        for (text, tag) in [
            ("de", "de"),
            ("PT-br", "pt-BR"),
            ("zh-hant-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("zh-yue", "zh-yue"),
            ("fil", "fil"),
            ("de-1996", "de-1996"),
            ("ca-ES-valencia", "ca-ES-valencia"),
            ("en-XA", "en-XA"),
            ("de-DE-u-co-phonebk", "de-DE-u-co-phonebk"),
            ("en-x-AB", "en-x-ab"),
        ] {
            assert_eq!(LangTag::parse(text).as_ref().map(LangTag::as_str), Ok(tag), "{text}");
        }
        assert_eq!(LangTag::parse("pt-BR").unwrap().base(), "pt");
    }

    #[test]
    fn suggests_a_tag_for_an_invalid_language() {
        for (text, meant) in [
            ("pt-rBR", "pt-BR"),
            ("pt_BR", "pt-BR"),
            ("zh-rTW", "zh-TW"),
            ("b+sr+Latn", "sr-Latn"),
            ("zh_Hans_CN", "zh-Hans-CN"),
            ("sr@latin", "sr-Latn"),
            ("de_DE.UTF-8", "de-DE"),
            ("jp", "ja"),
            ("en-UK", "en-GB"),
            ("en_uk", "en-GB"),
        ] {
            let error = LangTag::parse(text).unwrap_err();
            assert!(error.ends_with(&format!("; did you mean `{meant}`?")), "{error}");
        }
        assert_eq!(
            LangTag::parse("pt-rBR").unwrap_err(),
            "`pt-rBR` is not a language of BCP 47; did you mean `pt-BR`?"
        );
    }

    #[test]
    fn invalid_languages_are_refused() {
        for text in
            ["", "german", "d", "de-", "-de", "de--DE", "de DE", "../de", "de/", "de\n", "xq", "de-x", "de-a-b", "123"]
        {
            assert!(LangTag::parse(text).is_err(), "{text:?}");
        }
        assert!(LangTag::parse(&"de-abcde".repeat(1000)).is_err());
        assert_eq!(
            LangTag::parse("words").unwrap_err(),
            "`words` is not a language of BCP 47; write a code such as de, pt-BR or zh-Hant"
        );
    }

    #[test]
    fn converts_tags_to_each_style() {
        for (tag, posix, android, lower) in [
            ("de", "de", "de", "de"),
            ("pt-BR", "pt_BR", "pt-rBR", "pt-br"),
            ("sr-Latn", "sr_Latn", "b+sr+Latn", "sr-latn"),
            ("es-419", "es_419", "b+es+419", "es-419"),
            ("he", "he", "iw", "he"),
            ("he-IL", "he_IL", "iw-rIL", "he-il"),
            ("id", "id", "in", "id"),
            ("yi", "yi", "ji", "yi"),
            ("zh-Hant-TW", "zh_Hant_TW", "b+zh+Hant+TW", "zh-hant-tw"),
        ] {
            let paths =
                [LangStyle::Bcp47, LangStyle::Posix, LangStyle::Android, LangStyle::Lower].map(|style| style.path(tag));
            assert_eq!(paths, [tag, posix, android, lower]);
        }
    }
}
