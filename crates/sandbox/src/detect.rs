//! Detects the language of a text.
//!
//! `whatlang` recognises scripts and long texts. Latin and Cyrillic texts are often too short for it, so they are first
//! compared with lists of common words.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use whatlang::{Detector, Lang, Script};

use super::languages;
use super::markup::{TagMeter, entity_len};
use super::placeholders::placeholder_len;

/// The source language of a translation if it cannot be detected.
const DEFAULT_LANGUAGE: &str = "en";
/// Number of bytes examined at the start of a text, not counting tags.
const SAMPLE_BYTES_MAX: usize = 2048;
const WORDS_MAX: usize = 80;
/// Points for a word that only one language has. A word of several languages gives one point to each.
const UNIQUE_WORD_POINTS: u32 = 4;
/// Minimum points for a result; fewer are inconclusive.
const POINTS_MIN: u32 = 2;
/// Minimum number of letters for a result from trigrams.
const LETTERS_MIN: usize = 12;
/// Minimum confidence of `whatlang`. Below it, not even the likeliest language is returned.
const CONFIDENCE_MIN: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageJudgment {
    /// Base code in lower case.
    Detected(&'static str),
    /// The likeliest of several languages.
    Unsure(&'static str),
    /// A language that the service does not translate.
    Unsupported,
    NoLanguage,
}

use LanguageJudgment::{Detected, NoLanguage, Unsupported, Unsure};

/// Returns the likeliest language of a text, ignoring tags, as a base code in lower case. The default is English.
pub fn detect(text: &str) -> &'static str {
    match judge(text) {
        Detected(code) | Unsure(code) => code,
        Unsupported | NoLanguage => DEFAULT_LANGUAGE,
    }
}

/// Returns the language of a text, ignoring tags and quotations, as a base code in lower case, but only if it is certain: the
/// text must not be short, and no other language may have more than half the points of the best one. Words and trigrams
/// must agree, so that a misspelt word does not decide.
pub fn detect_certain(text: &str) -> Option<&'static str> {
    let text = sample(text);
    let unquoted: Vec<&str> = text.split(['"', '“', '”', '„', '«', '»']).step_by(2).collect();
    let text: Cow<'_, str> = Cow::Owned(unquoted.join(" "));
    let points = word_points(&text);
    let most = points.values().copied().max().unwrap_or(0);
    if points.values().filter(|of_language| **of_language * 2 > most).count() > 1 {
        return None;
    }
    let by_trigrams =
        whatlang::detect(&text).filter(|_| has_enough_letters(&text)).and_then(|info| supported_code(info.lang()));
    by_trigrams.filter(|code| judge_sample(text.clone()) == Detected(code))
}

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
    let (points, by_words) = if is_shared { best_by_words(&text) } else { (0, None) };
    if let Some(code) = by_words.filter(|_| points >= POINTS_MIN) {
        return Detected(code);
    }
    let Some(info) = whatlang::detect(&text) else { return Unsure(DEFAULT_LANGUAGE) };
    match supported_code(info.lang()) {
        found if !is_shared || info.is_reliable() && has_enough_letters(&text) => found.map_or(Unsupported, Detected),
        found => Unsure(by_words.or(found.filter(|_| info.confidence() >= CONFIDENCE_MIN)).unwrap_or(DEFAULT_LANGUAGE)),
    }
}

fn has_enough_letters(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).nth(LETTERS_MIN - 1).is_some()
}

/// Returns the code of a language, if the service translates it.
fn supported_code(lang: Lang) -> Option<&'static str> {
    let name = match lang {
        Lang::Cmn => "Chinese",
        Lang::Nob => "Norwegian (bokmål)",
        Lang::Slv => "Slovenian",
        other => other.eng_name(),
    };
    languages::all().iter().find(|language| language.name == name).map(|language| language.lang)
}

/// Maps common words to the languages that have them. All these languages use the Latin or Cyrillic script.
static WORDS: LazyLock<HashMap<&str, Vec<Lang>>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, Vec<Lang>> = HashMap::new();
    for line in include_str!("detect/words.txt").lines() {
        let (name, words) = line.split_once(' ').unwrap_or_default();
        let lang = Lang::from_code(name);
        words.split(' ').for_each(|word| languages.entry(word).or_default().extend(lang));
    }
    languages
});

fn words(lower: &str) -> impl Iterator<Item = &str> {
    let words = lower.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’').filter(|word| !word.is_empty());
    words.take(WORDS_MAX)
}

/// Converts a text to lower case as in the word lists: `İ` becomes `i`, without its combining dot.
fn to_lower(text: &str) -> String {
    text.to_lowercase().replace('\u{307}', "")
}

/// Counts the points of each language that shares words with a text.
fn word_points(text: &str) -> HashMap<Lang, u32> {
    let mut points: HashMap<Lang, u32> = HashMap::new();
    for word in words(&to_lower(text)) {
        let found = WORDS.get(word.trim_matches(['\'', '’'])).map_or(&[][..], Vec::as_slice);
        let each = if found.len() == 1 { UNIQUE_WORD_POINTS } else { 1 };
        for lang in found {
            *points.entry(*lang).or_default() += each;
        }
    }
    points
}

/// Returns the highest number of points, and the language that has them. Trigrams break ties.
fn best_by_words(text: &str) -> (u32, Option<&'static str>) {
    let (points, lower) = (word_points(text), to_lower(text));
    let most = points.values().copied().max().unwrap_or(0);
    let best: Vec<Lang> = Lang::all().iter().copied().filter(|lang| points.get(lang) == Some(&most)).collect();
    let lang = match best[..] {
        [] => None,
        [lang] => Some(lang),
        // A single word shared by many languages is inconclusive.
        _ if words(&lower).nth(1).is_none() => None,
        _ => Detector::with_allowlist(best).detect_lang(&lower),
    };
    (most, lang.and_then(supported_code))
}

/// Returns the start of a text, in which spaces replace everything that is not language: tags, scripts and style sheets,
/// entities, placeholders and addresses.
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

/// Extends the length of a tag, in bytes, by the content of the element if it is a script or a style sheet.
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
