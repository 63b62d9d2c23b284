//! Language detection, for answers that must name a language. English if nothing speaks for another.
//!
//! The script decides first. Within a script, a word or a letter that only one language has decides; words of several
//! languages narrow the choice, and the trigrams of `whatlang` choose among what is left.

mod judgment;
mod words;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use whatlang::{Detector, Lang};

pub use self::judgment::{LanguageJudgment, judge};
use self::words::{KnownLanguage, LANGUAGES};
use super::markup::{TagMeter, entity_len};
use super::placeholders::placeholder_len;

/// Number of letters that are examined.
const LETTERS_MAX: usize = 2000;
/// Size of the start of a text that is examined, in bytes and without tags.
const SAMPLE_BYTES_MAX: usize = 2048;
/// Number of words that are examined.
const WORDS_MAX: usize = 80;
/// Points of a word that only one language has; a word of several languages is worth one.
const ONLY_POINTS: u32 = 4;
/// Confidence below which the detector is ignored if no word is known: a few letters say nothing.
const CONFIDENCE_MIN: f64 = 0.5;

/// A script that several languages share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SharedScript {
    Latin,
    Cyrillic,
}

/// Guesses the language of a text outside its tags. Returns its base code in upper case.
pub fn detect(text: &str) -> &'static str {
    let text = sample(text);
    match script(&text) {
        Ok(code) => code,
        Err(script) => by_words(&text, script),
    }
}

/// Returns the start of a text without what is not written in its language: tags, scripts and style sheets, entities,
/// placeholders and addresses. A space stands for each of them.
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

/// Returns the length in bytes of a tag of this length, and of the content if it is a script or a style sheet.
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

/// Returns the language of the script that most letters have, or the script if several languages share it.
fn script(text: &str) -> Result<&'static str, SharedScript> {
    if text.is_ascii() {
        return Err(SharedScript::Latin);
    }
    let mut counts: [(usize, Result<&'static str, SharedScript>); 9] = [
        (0, Err(SharedScript::Latin)),
        (0, Err(SharedScript::Cyrillic)),
        (0, Ok("EL")),
        (0, Ok("HE")),
        (0, Ok("AR")),
        (0, Ok("TH")),
        (0, Ok("KO")),
        (0, Ok("JA")),
        (0, Ok("ZH")),
    ];
    let mut kana = 0;
    for c in text.chars().filter(|c| c.is_alphabetic()).take(LETTERS_MAX) {
        let at = match c {
            '\u{0370}'..='\u{03ff}' | '\u{1f00}'..='\u{1fff}' => 2,
            '\u{0400}'..='\u{052f}' => 1,
            '\u{0590}'..='\u{05ff}' => 3,
            '\u{0600}'..='\u{06ff}' | '\u{0750}'..='\u{077f}' => 4,
            '\u{0e00}'..='\u{0e7f}' => 5,
            '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}' => 6,
            '\u{3040}'..='\u{30ff}' => {
                kana += 1;
                7
            }
            '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' => 8,
            _ => 0,
        };
        if let Some((count, _)) = counts.get_mut(at) {
            // One ideograph or syllable says as much as a few letters.
            *count += if at >= 6 { 3 } else { 1 };
        }
    }
    // Japanese writes most of its nouns with ideographs.
    if kana > 0 {
        let ideographs = counts[8].0;
        counts[7].0 += ideographs;
        counts[8].0 = 0;
    }
    // If counts are equal, the first wins.
    let best = counts.iter().rev().max_by_key(|(count, _)| *count);
    best.map_or(Err(SharedScript::Latin), |(_, language)| *language)
}

/// The languages of each common word, as bits in the order of [`LANGUAGES`]: one look-up per word for all languages.
static WORDS: LazyLock<HashMap<&str, u64>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u64> = HashMap::new();
    for (at, language) in LANGUAGES.iter().enumerate() {
        for word in language.words.split(' ') {
            *languages.entry(word).or_default() |= 1 << at;
        }
    }
    languages
});

fn is_of(language: &KnownLanguage, script: SharedScript) -> bool {
    let is_cyrillic = matches!(language.lang, Lang::Rus | Lang::Ukr | Lang::Bul);
    !language.words.is_empty() && is_cyrillic == (script == SharedScript::Cyrillic)
}

fn by_words(text: &str, script: SharedScript) -> &'static str {
    let mut scores = [0_u32; LANGUAGES.len()];
    // `İ` in lower case is two characters, which no word list has.
    let lower = text.to_lowercase().replace('\u{307}', "");
    let mut count = 0;
    let is_word = |c: char| c.is_alphabetic() || c == '\'' || c == '’';
    for word in lower.split(|c| !is_word(c)).filter(|word| !word.is_empty()).take(WORDS_MAX) {
        let word = word.trim_matches(|c| c == '\'' || c == '’');
        count += 1;
        let found = WORDS.get(word).copied().unwrap_or(0);
        let points = if found.is_power_of_two() { ONLY_POINTS } else { 1 };
        for (at, (score, language)) in
            scores.iter_mut().zip(LANGUAGES).enumerate().filter(|(_, (_, l))| is_of(l, script))
        {
            *score += points * u32::from(found >> at & 1 == 1);
            if !word.is_ascii() && word.chars().any(|c| language.letters.contains(c)) {
                *score += ONLY_POINTS;
            }
        }
    }
    for sign in ['¿', '¡'] {
        if lower.contains(sign)
            && let Some(at) = LANGUAGES.iter().position(|language| language.code == "ES")
        {
            scores[at] += ONLY_POINTS;
        }
    }
    let best = scores.iter().copied().max().unwrap_or(0);
    let candidates: Vec<&KnownLanguage> = LANGUAGES
        .iter()
        .zip(scores)
        .filter(|(language, score)| is_of(language, script) && *score == best)
        .map(|(language, _)| language)
        .collect();
    match candidates.as_slice() {
        [] => "EN",
        [one] => one.code,
        // One word that many languages have says nothing.
        [first, ..] if count < 2 => first.code,
        several => {
            let names = several.iter().map(|language| language.lang).collect();
            let info = Detector::with_allowlist(names).detect(&lower);
            let lang = info.filter(|info| best > 0 || info.confidence() >= CONFIDENCE_MIN).map(|info| info.lang());
            let found = several.iter().find(|language| Some(language.lang) == lang);
            found.or(several.first()).map_or("EN", |language| language.code)
        }
    }
}

#[cfg(test)]
mod tests;
