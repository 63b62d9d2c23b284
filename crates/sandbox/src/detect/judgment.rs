//! Whether the language of a text is known, and how surely: for language detection, which may also give no language.
//!
//! Translation must name a language and takes the likeliest; see `detect`.

use whatlang::{Info, Lang, Script, detect as by_trigrams, detect_script};

use super::words::LANGUAGES;
use super::{SharedScript, WORDS, by_words, sample, script};
use crate::languages;

/// Resource whose source languages count as supported.
const RESOURCE: &str = "translate_text";
/// Letters below which the trigrams of a text say nothing.
const LETTERS_MIN: usize = 12;

/// What is known about the language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageJudgment {
    /// It is this language: a base code in lower case.
    Detected(&'static str),
    /// It may be one of several languages.
    Unsure,
    /// It is a language that the service does not translate.
    Unsupported,
    /// The text has no letters.
    NoLanguage,
}

use LanguageJudgment::{Detected, NoLanguage, Unsupported, Unsure};

/// The languages of the trigrams that `words` does not know, as the service writes them.
const OTHERS: &[(Lang, &str)] = &[
    (Lang::Afr, "af"),
    (Lang::Aze, "az"),
    (Lang::Bel, "be"),
    (Lang::Ben, "bn"),
    (Lang::Cat, "ca"),
    (Lang::Cmn, "zh"),
    (Lang::Epo, "eo"),
    (Lang::Guj, "gu"),
    (Lang::Hin, "hi"),
    (Lang::Hrv, "hr"),
    (Lang::Hye, "hy"),
    (Lang::Jav, "jv"),
    (Lang::Kat, "ka"),
    (Lang::Lat, "la"),
    (Lang::Mal, "ml"),
    (Lang::Mar, "mr"),
    (Lang::Mkd, "mk"),
    (Lang::Mya, "my"),
    (Lang::Nep, "ne"),
    (Lang::Pan, "pa"),
    (Lang::Pes, "fa"),
    (Lang::Srp, "sr"),
    (Lang::Tam, "ta"),
    (Lang::Tel, "te"),
    (Lang::Tgl, "tl"),
    (Lang::Tuk, "tk"),
    (Lang::Urd, "ur"),
    (Lang::Uzb, "uz"),
    (Lang::Vie, "vi"),
    (Lang::Yid, "yi"),
    (Lang::Zul, "zu"),
];

/// Judges the language of a text outside its tags.
pub fn judge(text: &str) -> LanguageJudgment {
    let text = sample(text);
    if !text.chars().any(char::is_alphabetic) {
        return NoLanguage;
    }
    match (script(&text), detect_script(&text)) {
        (Ok("AR"), _) => match by_trigrams(&text).filter(|info| info.lang() != Lang::Ara && info.is_reliable()) {
            Some(info) => supported(info.lang()),
            None => Detected("ar"),
        },
        (Ok(code), _) => by_code(code),
        (Err(script), Some(Script::Latin | Script::Cyrillic)) => in_shared_script(&text, script),
        (Err(_), Some(_)) => by_trigrams(&text).map_or(Unsure, |info| supported(info.lang())),
        (Err(_), None) => Unsupported,
    }
}

/// Judges by the words that only few languages have, then by the trigrams of all languages.
fn in_shared_script(text: &str, script: SharedScript) -> LanguageJudgment {
    let code = by_words(text, script);
    if has_words_of(text, code) {
        return by_code(code);
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    match by_trigrams(text).filter(Info::is_reliable) {
        Some(info) if letters >= LETTERS_MIN => supported(info.lang()),
        _ => Unsure,
    }
}

/// Returns whether a text has a word or a letter that only this language has, or several words that it has.
fn has_words_of(text: &str, code: &str) -> bool {
    let Some(at) = LANGUAGES.iter().position(|language| language.code == code) else { return false };
    let letters = LANGUAGES.get(at).map(|language| language.letters).unwrap_or_default();
    let lower = text.to_lowercase();
    if lower.chars().any(|c| letters.contains(c)) {
        return true;
    }
    let words = lower.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’').filter(|word| !word.is_empty());
    let found: Vec<u64> =
        words.filter_map(|word| WORDS.get(word).copied()).filter(|languages| languages >> at & 1 == 1).collect();
    found.len() > 1 || found.iter().any(|languages| languages.is_power_of_two())
}

fn supported(lang: Lang) -> LanguageJudgment {
    let known = LANGUAGES.iter().find(|language| language.lang == lang).map(|language| language.code);
    let other = || OTHERS.iter().find(|(other, _)| *other == lang).map(|(_, code)| *code);
    known.or_else(other).map_or(Unsupported, by_code)
}

fn by_code(code: &str) -> LanguageJudgment {
    languages::source(RESOURCE, code).map_or(Unsupported, |(language, _)| Detected(language.lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_a_language_only_if_something_speaks_for_it() {
        for (text, judgment) in [
            ("The kettle is on the stove.", Detected("en")),
            ("Der Kessel steht auf dem Herd.", Detected("de")),
            ("Dobrý den, jak se máte?", Detected("cs")),
            ("<b>Où est la gare ?</b>", Detected("fr")),
            ("Где находится вокзал?", Detected("ru")),
            ("駅はどこですか", Detected("ja")),
            ("ქართული ენა", Detected("ka")),
            ("आप कैसे हैं", Detected("hi")),
            ("Qx", Unsure),
            ("Lorem", Unsure),
            ("", NoLanguage),
            ("12 + 30 = 42 🙂", NoLanguage),
            ("<p>1</p>", NoLanguage),
            ("ᚠᚢᚦᚨᚱᚲ", Unsupported),
            ("ሰላም ለዓለም", Unsupported),
            ("ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", Unsupported),
        ] {
            assert_eq!(judge(text), judgment, "{text}");
        }
    }

    #[test]
    fn every_language_of_the_table_is_one_of_the_service() {
        for (lang, code) in OTHERS {
            assert_eq!(supported(*lang), Detected(code), "{code}");
        }
    }
}
