//! The languages of a project: BCP 47, checked, and how each is written in paths.
//!
//! Input: a language as it is written in `tulk.toml` or in a path. Output: a [`LangTag`], or what is wrong with it.

use std::fmt;

use tulk_base::suggest::one_line;

/// Languages of ISO 639-1, and older codes that are still in use.
const TWO_LETTERS: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de \
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it \
    iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na \
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss \
    st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Codes of countries that are written for the language of the country.
const COUNTRIES: [(&str, &str); 12] = [
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gb", "en-GB"),
    ("gr", "el"),
    ("il", "he"),
    ("ir", "fa"),
    ("jp", "ja"),
    ("rs", "sr"),
    ("ua", "uk"),
    ("us", "en-US"),
    ("vn", "vi"),
];

/// Languages whose resources Android looks for under an older code.
const ANDROID_CODES: [(&str, &str); 3] = [("he", "iw"), ("yi", "ji"), ("id", "in")];

/// The languages that have extended languages.
const EXTENDED: [&str; 8] = ["ar", "kok", "lv", "ms", "sgn", "sw", "uz", "zh"];

/// Maximum length of a language.
const TAG_BYTES: usize = 63;

/// A valid language of BCP 47 in its usual case: `de`, `pt-BR`, `zh-Hant-TW`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LangTag(String);

impl LangTag {
    /// Reads a language in any case. The error says what is wrong, and what was probably meant.
    pub fn parse(text: &str) -> Result<Self, String> {
        let quoted = one_line(text);
        let wrong = |why: &str| match probably_meant(text) {
            Some(meant) => format!("`{quoted}` is not a language of BCP 47: {why}; did you mean `{meant}`?"),
            None => format!("`{quoted}` is not a language of BCP 47: {why}; write a code such as de, pt-BR or zh-Hant"),
        };
        if text.is_empty() {
            return Err(wrong("it is empty"));
        }
        if text.len() > TAG_BYTES {
            return Err("a language has at most 63 characters".to_owned());
        }
        if text.contains('_') {
            return Err(wrong("its parts are separated by `-`"));
        }
        let parts: Vec<&str> = text.split('-').collect();
        well_formed(&parts).map_err(|why| wrong(&why))?;
        let tag = usual_case(&parts);
        match parts.as_slice() {
            [language, ..] if is_unknown(language) => Err(wrong(&format!("`{}` is no language", one_line(language)))),
            ["en" | "EN", "UK" | "uk"] => Err(wrong("`UK` is no region")),
            _ => Ok(Self(tag)),
        }
    }

    /// Returns the tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the language without script, region and anything else.
    pub fn base(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for LangTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_unknown(language: &str) -> bool {
    let lower = language.to_ascii_lowercase();
    lower.len() == 2 && !TWO_LETTERS.split_whitespace().any(|code| code == lower)
}

fn is_alpha(part: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic())
}

fn is_alphanumeric(part: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Returns whether a part can be an extended language, such as `yue` in `zh-yue`. Of regions as Android writes them none is.
fn is_extended(language: &str, part: &str) -> bool {
    let language = language.to_ascii_lowercase();
    EXTENDED.contains(&language.as_str()) && (language == "sgn" || !part.starts_with(['r', 'R']))
}

fn is_region(part: &str) -> bool {
    is_alpha(part, 2..=2) || part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit())
}

fn is_variant(part: &str) -> bool {
    is_alphanumeric(part, 5..=8) || is_alphanumeric(part, 4..=4) && part.starts_with(|c: char| c.is_ascii_digit())
}

/// Checks the grammar of BCP 47: language, extended languages, script, region, variants, extensions, private use.
fn well_formed(parts: &[&str]) -> Result<(), String> {
    let Some((language, mut rest)) = parts.split_first() else { return Err("it is empty".to_owned()) };
    if !is_alpha(language, 2..=3) {
        return Err("a language has two or three letters".to_owned());
    }
    if let [part, after @ ..] = rest
        && is_alpha(part, 3..=3)
        && is_extended(language, part)
    {
        rest = after;
    }
    if let [part, after @ ..] = rest
        && is_alpha(part, 4..=4)
    {
        rest = after;
    }
    if let [part, after @ ..] = rest
        && is_region(part)
    {
        rest = after;
    }
    while let [part, after @ ..] = rest
        && is_variant(part)
    {
        rest = after;
    }
    while let [singleton, after @ ..] = rest
        && is_alphanumeric(singleton, 1..=1)
    {
        let shortest = if singleton.eq_ignore_ascii_case("x") { 1 } else { 2 };
        let count = after.iter().take_while(|part| is_alphanumeric(part, shortest..=8)).count();
        if count == 0 {
            return Err(format!("nothing follows `{singleton}`"));
        }
        rest = after.get(count..).unwrap_or_default();
    }
    match rest {
        [] => Ok(()),
        ["", ..] => Err("a part of it is empty".to_owned()),
        [part, ..] => Err(format!("`{}` is no script, region or variant", one_line(part))),
    }
}

/// Returns parts in the case in which they are usually written.
fn usual_case(parts: &[&str]) -> String {
    let mut is_extension = false;
    let cased = parts.iter().enumerate().map(|(at, part)| {
        let lower = part.to_ascii_lowercase();
        let is_script = is_alpha(part, 4..=4);
        let cased = match at {
            0 => lower,
            _ if is_extension => lower,
            _ if part.len() == 2 => lower.to_ascii_uppercase(),
            _ if is_script => {
                let mut chars = lower.chars();
                chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
            }
            _ => lower,
        };
        is_extension |= part.len() == 1;
        cased
    });
    cased.collect::<Vec<_>>().join("-")
}

/// Returns the valid language that an invalid one stands for: `pt_BR`, `pt-rBR`, `b+sr+Latn`, `sr@latin`, `jp`.
pub fn probably_meant(text: &str) -> Option<LangTag> {
    let lower = text.to_ascii_lowercase();
    if let Some((_, code)) = COUNTRIES.iter().find(|(country, _)| *country == lower) {
        return Some(LangTag((*code).to_owned()));
    }
    if matches!(lower.as_str(), "en-uk" | "en_uk") {
        return Some(LangTag("en-GB".to_owned()));
    }
    let other = match text.strip_prefix("b+") {
        Some(rest) => rest.replace('+', "-"),
        None => without_encoding(text).replace("@latin", "-Latn").replace(['_', ' '], "-"),
    };
    let region = |part: &str| part.strip_prefix('r').filter(|region| is_alpha(region, 2..=2)).map(str::to_owned);
    let parts: Vec<String> = other.split('-').map(|part| region(part).unwrap_or_else(|| part.to_owned())).collect();
    let other = parts.join("-");
    if other == text { None } else { LangTag::parse(&other).ok() }
}

/// Returns a locale of POSIX such as `de_DE.UTF-8` without its encoding.
fn without_encoding(text: &str) -> &str {
    let is_encoding = |name: &str| ["utf", "iso"].iter().any(|start| name.to_ascii_lowercase().starts_with(start));
    text.split_once('.').filter(|(_, name)| is_encoding(name)).map_or(text, |(locale, _)| locale)
}

/// How languages are written in paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LangStyle {
    /// As in `tulk.toml`: `pt-BR`.
    #[default]
    Bcp47,
    /// `pt_BR`.
    Posix,
    /// `pt-rBR`, `b+sr+Latn`, and older codes for three languages.
    Android,
    /// `pt-br`.
    Lower,
}

impl LangStyle {
    /// The styles with their names in `tulk.toml`.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Bcp47, "bcp47"), (Self::Posix, "posix"), (Self::Android, "android"), (Self::Lower, "lower")];

    /// Returns the name of the style in `tulk.toml`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(style, _)| *style == self).map_or("bcp47", |(_, name)| name)
    }

    /// Returns how a language is written in paths.
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
    let parts: Vec<&str> = tag.split('-').collect();
    let old = |language: &str| {
        let code = ANDROID_CODES.iter().find(|(new, _)| new.eq_ignore_ascii_case(language));
        code.map_or_else(|| language.to_ascii_lowercase(), |(_, old)| (*old).to_owned())
    };
    match parts.as_slice() {
        [language] => old(language),
        [language, region] if is_alpha(region, 2..=2) => format!("{}-r{}", old(language), region.to_ascii_uppercase()),
        _ => format!("b+{}", usual_case(&parts).replace('-', "+")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_languages_get_their_usual_case() {
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
    fn what_is_meant_by_an_invalid_language_is_suggested() {
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
            "`pt-rBR` is not a language of BCP 47: `rBR` is no script, region or variant; did you mean `pt-BR`?"
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
            LangTag::parse("german").unwrap_err(),
            "`german` is not a language of BCP 47: a language has two or three letters; write a code such as de, pt-BR or zh-Hant"
        );
    }

    #[test]
    fn each_style_has_its_spelling() {
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
