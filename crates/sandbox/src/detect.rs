//! Language detection.
//!
//! `whatlang` recognises scripts and long texts. Latin and Cyrillic texts are often too short for it, so common words are
//! looked up first.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use whatlang::{Detector, Lang, Script};

use super::languages;
use super::markup::{TagMeter, entity_len};
use super::placeholders::placeholder_len;

/// Language that translation assumes if none is detected.
const DEFAULT: &str = "en";
/// Length of the examined start of a text, in bytes and without tags.
const SAMPLE_BYTES_MAX: usize = 2048;
const WORDS_MAX: usize = 80;
/// Points for a word that only one language has. A word of several languages scores one point.
const ONLY_POINTS: u32 = 4;
/// Points below which the words are inconclusive.
const POINTS_MIN: u32 = 2;
/// Letters below which the trigrams of a text are inconclusive.
const LETTERS_MIN: usize = 12;
/// Confidence below which trigrams do not even suggest a language.
const CONFIDENCE_MIN: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageJudgment {
    /// A base code in lower case.
    Detected(&'static str),
    /// Inconclusive. This base code is the likeliest.
    Unsure(&'static str),
    /// A language that the service does not translate.
    Unsupported,
    /// The text has no letters.
    NoLanguage,
}

use LanguageJudgment::{Detected, NoLanguage, Unsupported, Unsure};

/// Returns the likeliest language of a text outside its tags, as a base code in lower case; English if unknown.
pub fn detect(text: &str) -> &'static str {
    match judge(text) {
        Detected(code) | Unsure(code) => code,
        Unsupported | NoLanguage => DEFAULT,
    }
}

/// Returns the language of a text outside its tags and quotations, as a base code in lower case, if it is certain.
///
/// It is certain if the text is long enough, its words and its trigrams agree, so that one misspelt word does not decide, and
/// no other language has more than half as many points.
pub fn detect_certain(text: &str) -> Option<&'static str> {
    let text = sample(text);
    let unquoted: Vec<&str> = text.split(['"', '“', '”', '„', '«', '»']).step_by(2).collect();
    let text: Cow<'_, str> = Cow::Owned(unquoted.join(" "));
    let points = points(&text);
    let most = points.values().copied().max().unwrap_or(0);
    if points.values().filter(|of_language| **of_language * 2 > most).count() > 1 {
        return None;
    }
    let by_trigrams = whatlang::detect(&text).filter(|_| is_long(&text)).and_then(|info| code(info.lang()));
    by_trigrams.filter(|code| judge_sample(text.clone()) == Detected(code))
}

/// Detects the language of a text outside its tags.
pub fn judge(text: &str) -> LanguageJudgment {
    judge_sample(sample(text))
}

fn judge_sample(mut text: Cow<'_, str>) -> LanguageJudgment {
    // An ideograph or syllable counts as three letters, because Japanese text may contain long names in Latin letters.
    if text.chars().filter(|c| *c >= '\u{2e80}' && c.is_alphabetic()).count() * 3
        > text.chars().filter(char::is_ascii_alphabetic).count()
    {
        text = Cow::Owned(text.replace(|c: char| c.is_ascii(), " "));
    }
    if !text.chars().any(char::is_alphabetic) {
        return NoLanguage;
    }
    let is_shared = match whatlang::detect_script(&text) {
        None => return Unsupported,
        Some(script) => matches!(script, Script::Latin | Script::Cyrillic),
    };
    let (points, by_words) = if is_shared { by_words(&text) } else { (0, None) };
    if let Some(code) = by_words.filter(|_| points >= POINTS_MIN) {
        return Detected(code);
    }
    let Some(info) = whatlang::detect(&text) else { return Unsure(DEFAULT) };
    match code(info.lang()) {
        found if !is_shared || info.is_reliable() && is_long(&text) => found.map_or(Unsupported, Detected),
        found => Unsure(by_words.or(found.filter(|_| info.confidence() >= CONFIDENCE_MIN)).unwrap_or(DEFAULT)),
    }
}

/// Returns whether a text has enough letters for its trigrams to be conclusive.
fn is_long(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).nth(LETTERS_MIN - 1).is_some()
}

/// Returns the code of a language, if the service translates it.
fn code(lang: Lang) -> Option<&'static str> {
    let name = match lang {
        Lang::Cmn => "Chinese",
        Lang::Nob => "Norwegian (bokmål)",
        Lang::Slv => "Slovenian",
        other => other.eng_name(),
    };
    languages::all().iter().find(|language| language.name == name).map(|language| language.lang)
}

/// Languages of each common word, for languages with Latin or Cyrillic script.
static WORDS: LazyLock<HashMap<&str, Vec<Lang>>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, Vec<Lang>> = HashMap::new();
    for line in include_str!("detect/words.txt").lines() {
        let (name, words) = line.split_once(' ').unwrap_or_default();
        let lang = Lang::from_code(name);
        words.split(' ').for_each(|word| languages.entry(word).or_default().extend(lang));
    }
    languages
});

/// Returns the first words of a lower-case text.
fn words(lower: &str) -> impl Iterator<Item = &str> {
    let words = lower.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’').filter(|word| !word.is_empty());
    words.take(WORDS_MAX)
}

/// Converts a text to lower case. Drops the combining dot of a lower-case `İ`, which no word list has.
fn lower(text: &str) -> String {
    text.to_lowercase().replace('\u{307}', "")
}

/// Returns the points that each language scores with the words of a text.
fn points(text: &str) -> HashMap<Lang, u32> {
    let mut points: HashMap<Lang, u32> = HashMap::new();
    for word in words(&lower(text)) {
        let found = WORDS.get(word.trim_matches(['\'', '’'])).map_or(&[][..], Vec::as_slice);
        let each = if found.len() == 1 { ONLY_POINTS } else { 1 };
        for lang in found {
            *points.entry(*lang).or_default() += each;
        }
    }
    points
}

/// Returns the highest score and its language. Trigrams choose between languages with equal scores.
fn by_words(text: &str) -> (u32, Option<&'static str>) {
    let (points, lower) = (points(text), lower(text));
    let most = points.values().copied().max().unwrap_or(0);
    let best: Vec<Lang> = Lang::all().iter().copied().filter(|lang| points.get(lang) == Some(&most)).collect();
    let lang = match best[..] {
        [] => None,
        [lang] => Some(lang),
        // A single word that many languages share is inconclusive.
        _ if words(&lower).nth(1).is_none() => None,
        _ => Detector::with_allowlist(best).detect_lang(&lower),
    };
    (most, lang.and_then(code))
}

/// Returns the start of a text without the parts that are in no language: tags, scripts and style sheets, entities,
/// placeholders and addresses. Each is replaced by a space.
fn sample(text: &str) -> Cow<'_, str> {
    let is_marked = |byte: &u8| b"<&%{$:@".contains(byte);
    if text.len() <= SAMPLE_BYTES_MAX && !text.as_bytes().iter().any(is_marked) {
        return Cow::Borrowed(text);
    }
    let mut words = String::with_capacity(text.len().min(SAMPLE_BYTES_MAX));
    let mut rest = text;
    let mut tags = TagMeter::default();
    while let Some(first) = rest.chars().next().filter(|_| words.len() < SAMPLE_BYTES_MAX) {
        let len = match first {
            '<' => element_len(rest, tags.tag_len(rest)),
            '&' => entity_len(rest),
            _ => {
                let starts_word = !words.ends_with(char::is_alphanumeric);
                placeholder_len(rest, starts_word, true)
            }
        };
        words.push(if len > 0 { ' ' } else { first });
        rest = rest.get(len.max(first.len_utf8())..).unwrap_or_default();
    }
    Cow::Owned(words)
}

/// Returns `len`, the length of the first tag in bytes, plus the length of its content if it is a script or a style sheet.
fn element_len(text: &str, len: usize) -> usize {
    let is_start_of = |name: &str| {
        let start = text.get(1..=name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        len > 0 && start && text.as_bytes().get(name.len() + 1).is_some_and(|byte| !byte.is_ascii_alphanumeric())
    };
    let Some(name) = ["script", "style"].into_iter().find(|name| is_start_of(name)) else { return len };
    let end = format!("</{name}");
    memchr::memmem::find_iter(text.as_bytes(), "</")
        .find(|at| text.get(*at..*at + end.len()).is_some_and(|found| found.eq_ignore_ascii_case(&end)))
        .unwrap_or(len)
}

#[cfg(test)]
mod tests;
