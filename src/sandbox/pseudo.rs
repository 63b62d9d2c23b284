//! The alphabet of the `pseudo` engine: accented letters, different for each target language.
//!
//! A result differs from its source and from the results for other targets.

use super::languages;

/// Letters with their accented forms: small, capital.
const ACCENTS: &[(char, &str, &str)] = &[
    ('a', "áàâäãåāăą", "ÁÀÂÄÃÅĀĂĄ"),
    ('c', "çćĉċč", "ÇĆĈĊČ"),
    ('e', "éèêëēĕėęě", "ÉÈÊËĒĔĖĘĚ"),
    ('g', "ĝğġģ", "ĜĞĠĢ"),
    ('i', "íìîïĩīĭį", "ÍÌÎÏĨĪĬĮ"),
    ('n', "ñńņň", "ÑŃŅŇ"),
    ('o', "óòôöõøōŏő", "ÓÒÔÖÕØŌŎŐ"),
    ('s', "śŝşš", "ŚŜŞŠ"),
    ('u', "úùûüũūŭůűų", "ÚÙÛÜŨŪŬŮŰŲ"),
    ('y', "ýÿŷ", "ÝŸŶ"),
    ('z', "źżž", "ŹŻŽ"),
];

/// Combining marks for words without a letter in [`ACCENTS`].
const MARKS: &[char] =
    &['\u{300}', '\u{301}', '\u{302}', '\u{303}', '\u{304}', '\u{306}', '\u{307}', '\u{308}', '\u{30a}'];

/// The accented letters of one target language.
pub(super) struct PseudoAlphabet {
    /// For each letter in [`ACCENTS`]: small, capital.
    letters: Vec<(char, char)>,
    mark: char,
}

impl PseudoAlphabet {
    /// Chooses the letters of a target language, always the same ones.
    pub(super) fn new(target: &str) -> Self {
        let code = target.to_ascii_lowercase();
        let letters = ACCENTS
            .iter()
            .map(|(plain, small, capital)| {
                let pick = pick(&code, *plain, small.chars().count());
                let at = |set: &str| set.chars().nth(pick).unwrap_or(*plain);
                (at(small), at(capital))
            })
            .collect();
        let mark = MARKS.get(pick(&code, '\u{300}', MARKS.len())).copied().unwrap_or('\u{301}');
        Self { letters, mark }
    }

    /// Appends a word with accents to `out`.
    pub(super) fn write(&self, word: &str, out: &mut String) {
        let start = out.len();
        let mut changed = false;
        for c in word.chars() {
            let found = ACCENTS.iter().zip(&self.letters).find(|((plain, ..), _)| c.eq_ignore_ascii_case(plain));
            changed |= found.is_some();
            out.push(match found {
                Some((_, (small, _))) if c.is_ascii_lowercase() => *small,
                Some((_, (_, capital))) => *capital,
                None => c,
            });
        }
        if !changed && let Some(first) = word.chars().next() {
            out.insert(start + first.len_utf8(), self.mark);
        }
    }
}

/// Returns a number below `n` that depends only on the language and the letter (FNV-1a, so that it never changes).
fn pick(code: &str, letter: char, n: usize) -> usize {
    let bytes = languages::base(code).bytes().chain(code.bytes()).chain(u32::from(letter).to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    usize::try_from((hash >> 32) % n.max(1) as u64).unwrap_or(0)
}
