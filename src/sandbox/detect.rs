//! Language detection: by script, then by common words. English if nothing else matches.
//!
//! Good enough for an answer that must name a language, and much simpler than the models of a real service.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Guesses the language of a text. Returns its base code in upper case.
pub fn detect(text: &str) -> &'static str {
    by_script(text).unwrap_or_else(|| by_words(text))
}

/// Number of non-ASCII letters that are examined.
const LETTERS_MAX: usize = 200;
/// Number of words that are examined.
const WORDS_MAX: usize = 40;

fn by_script(text: &str) -> Option<&'static str> {
    if text.is_ascii() {
        return None;
    }
    let mut ideographs = false;
    let mut cyrillic = false;
    for c in text.chars().filter(|c| !c.is_ascii()).take(LETTERS_MAX) {
        match c {
            '\u{3040}'..='\u{30ff}' => return Some("JA"),
            '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}' => return Some("KO"),
            '\u{4e00}'..='\u{9fff}' => ideographs = true,
            '\u{0590}'..='\u{05ff}' => return Some("HE"),
            '\u{0600}'..='\u{06ff}' => return Some("AR"),
            '\u{0e00}'..='\u{0e7f}' => return Some("TH"),
            '\u{0370}'..='\u{03ff}' => return Some("EL"),
            'і' | 'ї' | 'є' | 'ґ' | 'І' | 'Ї' | 'Є' | 'Ґ' => return Some("UK"),
            '\u{0400}'..='\u{04ff}' => cyrillic = true,
            _ => {}
        }
    }
    match (ideographs, cyrillic) {
        (true, _) => Some("ZH"),
        (false, true) if ["ът ", "ята ", " се ", " на ", " да "].iter().filter(|w| text.contains(**w)).count() >= 2 => {
            Some("BG")
        }
        (false, true) => Some("RU"),
        (false, false) => None,
    }
}

/// Languages, their most common words, and letters that no other language in this list uses.
const LATIN: &[(&str, &[&str], &str)] = &[
    ("EN", &["the", "and", "is", "of", "to", "you", "with", "this", "that", "are", "for", "it", "not", "have"], ""),
    (
        "DE",
        &["der", "die", "das", "und", "ist", "nicht", "ein", "eine", "ich", "sie", "mit", "auf", "zu", "guten"],
        "ß",
    ),
    ("FR", &["le", "la", "les", "et", "est", "une", "des", "je", "vous", "pas", "pour", "dans", "bonjour", "du"], "œù"),
    ("ES", &["el", "los", "las", "y", "es", "una", "por", "con", "para", "que", "no", "hola", "está", "muy"], "ñ¿¡"),
    ("IT", &["il", "lo", "gli", "e", "è", "una", "che", "per", "con", "non", "sono", "di", "della", "ciao"], ""),
    ("PT", &["o", "os", "as", "e", "é", "uma", "que", "não", "para", "com", "você", "do", "da", "olá"], "ã"),
    ("NL", &["de", "het", "een", "en", "is", "niet", "van", "ik", "je", "met", "voor", "dat", "zijn", "hallo"], ""),
    ("PL", &["i", "w", "nie", "się", "na", "jest", "że", "do", "to", "dzień", "dobry", "jak", "czy", "z"], "łąęśż"),
    ("CS", &["a", "je", "se", "na", "že", "to", "není", "dobrý", "den", "jsem", "jak", "pro", "ale", "s"], "řěů"),
    ("SV", &["och", "är", "att", "det", "en", "ett", "inte", "jag", "som", "på", "för", "med", "hej", "av"], ""),
    ("DA", &["og", "er", "at", "det", "en", "et", "ikke", "jeg", "som", "på", "til", "med", "hej", "af"], ""),
    ("FI", &["ja", "on", "ei", "se", "että", "minä", "hän", "oli", "kun", "niin", "mutta", "hei", "tämä", "ovat"], ""),
    ("ET", &["ja", "on", "ei", "see", "et", "ma", "ta", "oli", "kui", "aga", "tere", "mis", "kas", "üks"], "õ"),
    ("HU", &["a", "az", "és", "nem", "hogy", "egy", "van", "jó", "napot", "meg", "is", "de", "ez", "már"], "őű"),
    ("RO", &["și", "este", "nu", "în", "o", "un", "la", "cu", "pe", "că", "bună", "ziua", "de", "mai"], "țșă"),
    (
        "TR",
        &["ve", "bir", "bu", "için", "ile", "değil", "ne", "ben", "çok", "var", "merhaba", "daha", "gibi", "mi"],
        "ığ",
    ),
    (
        "ID",
        &["dan", "yang", "di", "ini", "itu", "tidak", "dengan", "untuk", "saya", "ada", "ke", "dari", "apa", "akan"],
        "",
    ),
];

/// The languages of each common word, as bits in the order of [`LATIN`]: one look-up per word for all languages.
static WORDS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u32> = HashMap::new();
    for (at, (_, words, _)) in LATIN.iter().enumerate() {
        for word in *words {
            *languages.entry(word).or_default() |= 1 << at;
        }
    }
    languages
});

fn by_words(text: &str) -> &'static str {
    let mut scores = [0_usize; LATIN.len()];
    let mut word = String::new();
    for part in text.split(|c: char| !c.is_alphabetic()).filter(|part| !part.is_empty()).take(WORDS_MAX) {
        word.clear();
        if part.is_ascii() {
            word.push_str(part);
            word.make_ascii_lowercase();
        } else {
            word.extend(part.chars().flat_map(char::to_lowercase));
            for (score, (.., letters)) in scores.iter_mut().zip(LATIN) {
                *score += 3 * word.chars().filter(|c| letters.contains(*c)).count();
            }
        }
        let languages = WORDS.get(word.as_str()).copied().unwrap_or(0);
        if languages != 0 {
            for (at, score) in scores.iter_mut().enumerate() {
                *score += 2 * usize::from(languages >> at & 1 == 1);
            }
        }
    }
    // If scores are equal, the first language wins: English.
    let best = scores.iter().zip(LATIN).rev().max_by_key(|(score, _)| **score);
    best.map_or("EN", |(_, (code, ..))| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_common_languages() {
        for (text, code) in [
            ("The kettle is on.", "EN"),
            ("Der Kessel ist nicht auf dem Herd.", "DE"),
            ("Je ne suis pas dans la maison.", "FR"),
            ("¿Dónde está el agua?", "ES"),
            ("De ketel is niet warm en het regent.", "NL"),
            ("Dzień dobry, jak się masz?", "PL"),
            ("お湯が沸きました。", "JA"),
            ("水开了。", "ZH"),
            ("주전자", "KO"),
            ("Чайник кипит.", "RU"),
            ("Чайник кипить, їжа готова.", "UK"),
            ("Ο βραστήρας", "EL"),
            ("", "EN"),
            ("12345 !?", "EN"),
        ] {
            assert_eq!(detect(text), code, "{text}");
        }
    }
}
