//! The alphabet of the `pseudo` engine: accented letters that differ by target language, and combining marks that differ
//! by instructions.
//!
//! The result for a sentence differs from the sentence, and nearly always from the results for other targets and with other
//! instructions.

use super::languages;

/// Letters with their accented forms: lower case, upper case.
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

/// Combining marks below letters, which show instructions. No letter in [`ACCENTS`] contains any of them.
const MARKS_BELOW: &[char] = &[
    '\u{316}', '\u{317}', '\u{323}', '\u{324}', '\u{325}', '\u{329}', '\u{32c}', '\u{32d}', '\u{32e}', '\u{32f}',
    '\u{330}', '\u{331}', '\u{333}', '\u{33b}', '\u{33c}', '\u{347}',
];

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

pub(super) struct PseudoAlphabet {
    letters: [char; 128],
    mark: char,
}

/// Combining marks that show which instructions a translation had: one below the first letter of each word, and one below
/// the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionMarks {
    first: char,
    last: char,
}

impl PseudoAlphabet {
    /// Chooses the letters of a target language. The choice depends only on the language.
    pub(super) fn new(target: &str) -> Self {
        let code = target.to_ascii_lowercase();
        let mut letters: [char; 128] = std::array::from_fn(|byte| char::from(u8::try_from(byte).unwrap_or_default()));
        for (plain, small, capital) in ACCENTS {
            let pick = pick_index(&code, *plain, small.chars().count());
            for (letter, set) in [(*plain, small), (plain.to_ascii_uppercase(), capital)] {
                if let (Some(entry), Some(accented)) = (letters.get_mut(letter as usize), set.chars().nth(pick)) {
                    *entry = accented;
                }
            }
        }
        let mark = MARKS.get(pick_index(&code, '\u{300}', MARKS.len())).copied().unwrap_or('\u{301}');
        Self { letters, mark }
    }

    pub(super) fn write(&self, word: &str, out: &mut String) {
        let start = out.len();
        let mut changed = false;
        for c in word.chars() {
            let accented = self.letters.get(c as usize).copied().unwrap_or(c);
            changed |= accented != c;
            out.push(accented);
        }
        if !changed && let Some(first) = word.chars().next() {
            out.insert(start + first.len_utf8(), self.mark);
        }
    }
}

impl InstructionMarks {
    /// Chooses the marks of instructions, which depend only on their texts. `None` if there are no instructions.
    pub fn of<T: AsRef<str>>(instructions: &[T]) -> Option<Self> {
        let mut texts = instructions.iter().map(|text| text.as_ref().trim()).filter(|text| !text.is_empty()).peekable();
        texts.peek()?;
        // 0xff separates the texts, because it never occurs in UTF-8.
        let hash = fnv(FNV_START, texts.flat_map(|text| text.bytes().chain([0xff])));
        let at = |shift: u32| {
            let at = (hash >> shift) % MARKS_BELOW.len() as u64;
            usize::try_from(at).ok().and_then(|at| MARKS_BELOW.get(at)).copied()
        };
        Some(Self { first: at(32)?, last: at(48)? })
    }

    pub(super) fn add(self, start: usize, out: &mut String) {
        let word = out.get(start..).unwrap_or_default();
        let end = word.char_indices().skip(1).find(|(_, c)| !MARKS.contains(c)).map_or(word.len(), |(at, _)| at);
        out.insert(start + end, self.first);
        out.push(self.last);
    }
}

/// Returns a number below `n` that depends only on the language and the letter.
fn pick_index(code: &str, letter: char, n: usize) -> usize {
    let hash =
        fnv(FNV_START, languages::base_code(code).bytes().chain(code.bytes()).chain(u32::from(letter).to_le_bytes()));
    usize::try_from((hash >> 32) % n.max(1) as u64).unwrap_or(0)
}

/// Hashes bytes with FNV-1a, which always gives the same results.
fn fnv(start: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_instructions_have_different_marks() {
        let marks = |texts: &[&str]| InstructionMarks::of(texts);
        assert_eq!(marks(&[]), None);
        assert_eq!(marks(&["", " "]), None);
        let all = [
            marks(&["Be brief"]),
            marks(&["Be polite"]),
            marks(&["Be brief", "Be polite"]),
            marks(&["Be briefBe polite"]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(one.is_some());
            assert!(!all[..at].contains(one), "{at}");
        }
        let mut word = "two te\u{301}a".to_owned();
        InstructionMarks { first: '_', last: '.' }.add(4, &mut word);
        assert_eq!(word, "two t_e\u{301}a.");
    }

    #[test]
    fn changes_lower_and_upper_case_letters() {
        let mut out = String::new();
        PseudoAlphabet::new("de").write("Tea TEA", &mut out);
        assert_eq!(out.to_lowercase().split_once(' ').map(|(small, capital)| small == capital), Some(true));
        assert_ne!(out, "Tea TEA");
    }
}
