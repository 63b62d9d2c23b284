//! Compares the numbers of a source and its translation.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

/// Numbers that are also recognised when written as words. In every language of [`NUMBER_WORDS`], these words seldom have
/// another meaning.
const WORD_VALUES: [&str; 7] = ["2", "3", "4", "5", "7", "8", "10"];
/// The words for [`WORD_VALUES`], by language.
const NUMBER_WORDS: [(&str, [&str; 7]); 5] = [
    ("de", ["zwei", "drei", "vier", "fünf", "sieben", "acht", "zehn"]),
    ("en", ["two", "three", "four", "five", "seven", "eight", "ten"]),
    ("es", ["dos", "tres", "cuatro", "cinco", "siete", "ocho", "diez"]),
    ("fr", ["deux", "trois", "quatre", "cinq", "sept", "huit", "dix"]),
    ("it", ["due", "tre", "quattro", "cinque", "sette", "otto", "dieci"]),
];

struct FoundNumber {
    /// Digits of the number, without separators.
    digits: String,
    range: Range<usize>,
    is_word: bool,
}

/// Returns the ranges of the numbers that occur only in the source, and of those that occur only in the target, in text order.
/// A number word is reported only if it can be paired with an unmatched number of the other text, because languages also
/// express small numbers in other ways.
pub(super) fn unmatched_numbers(
    source: &str,
    target: &str,
    languages: (&str, &str),
) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let words = |code: &str| NUMBER_WORDS.iter().find(|(known, _)| *known == code).map(|(_, words)| words);
    // Compare words only if both languages are known.
    let (source_words, target_words) = words(languages.0).zip(words(languages.1)).unzip();
    let target_numbers = find_numbers(target, target_words);
    // The indices of the target's numbers that are still unmatched, in text order.
    let mut left: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (at, number) in target_numbers.iter().enumerate() {
        left.entry(&number.digits).or_default().push_back(at);
    }
    let mut only_source = find_numbers(source, source_words);
    only_source.retain(|number| left.get_mut(number.digits.as_str()).and_then(VecDeque::pop_front).is_none());
    let left: HashSet<usize> = left.into_values().flatten().collect();
    let only_target = target_numbers.into_iter().enumerate().filter(|(at, _)| left.contains(at));
    let only_target: Vec<FoundNumber> = only_target.map(|(_, number)| number).collect();
    let pairs = only_source.len().min(only_target.len());
    let ranges = |numbers: Vec<FoundNumber>| {
        let counted = numbers.into_iter().enumerate().filter(|(at, number)| *at < pairs || !number.is_word);
        counted.map(|(_, number)| number.range).collect()
    };
    (ranges(only_source), ranges(only_target))
}

fn find_numbers(text: &str, words: Option<&[&str; 7]>) -> Vec<FoundNumber> {
    let mut found: Vec<FoundNumber> = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find(char::is_alphanumeric).and_then(|at| rest.get(at..)) {
        let start = text.len() - from.len();
        let is_digit = from.starts_with(|c: char| ascii_digit(c).is_some());
        let len = if is_digit { digits_len(from) } else { word_len(from) };
        let part = from.get(..len).unwrap_or_default();
        let digits = if is_digit {
            Some(part.chars().filter_map(ascii_digit).collect())
        } else {
            let part = part.to_lowercase();
            let at = words.and_then(|words| words.iter().position(|word| *word == part));
            at.and_then(|at| WORD_VALUES.get(at)).map(|value| (*value).to_owned())
        };
        if let Some(digits) = digits {
            found.push(FoundNumber { digits, range: start..start + len, is_word: !is_digit });
        }
        rest = from.get(len..).unwrap_or_default();
    }
    found
}

/// Returns the length of a number: digits with single separators between them.
fn digits_len(text: &str) -> usize {
    let mut len = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_mark = ".,'’:\u{a0}\u{202f}".contains(c);
        let before_digit = chars.peek().is_some_and(|(_, next)| ascii_digit(*next).is_some());
        if ascii_digit(c).is_some() {
            len = at + c.len_utf8();
        } else if !(is_mark && before_digit) {
            break;
        }
    }
    len
}

/// Returns the length of a word of letters, digits and hyphens. In a script without spaces, the word ends before a digit.
fn word_len(text: &str) -> usize {
    let mut before = None;
    let is_end = |c: char| {
        let follows = before.replace(c).is_some_and(|before: char| before >= '\u{2e80}');
        !c.is_alphanumeric() && c != '-' || follows && ascii_digit(c).is_some()
    };
    text.find(is_end).unwrap_or(text.len())
}

/// Converts a digit to ASCII. East Asian texts contain full-width digits.
fn ascii_digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(u32::from(c) - u32::from('０'), 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'t>(text: &'t str, words: Option<&[&str; 7]>) -> Vec<(&'t str, String)> {
        find_numbers(text, words).into_iter().map(|number| (text.get(number.range).unwrap(), number.digits)).collect()
    }

    #[test]
    fn compares_numbers_by_their_digits() {
        let found = texts("On 1,000.50 days, 5% of 7:30 (2nd try) x2 4.", None);
        let expected = [("1,000.50", "100050"), ("5", "5"), ("7:30", "730"), ("2", "2"), ("4", "4")];
        assert_eq!(found, expected.map(|(text, digits)| (text, digits.to_owned())));
        assert_eq!(texts("三つ 12個", None), [("12", "12".to_owned())]);
        let found = texts("第3章、カップ1/2、りんご１２個、제4장 x2", None);
        assert_eq!(
            found,
            [("3", "3"), ("1", "1"), ("2", "2"), ("１２", "12"), ("4", "4")].map(|(t, d)| (t, d.to_owned()))
        );
    }

    #[test]
    fn compares_number_words_if_both_languages_are_known() {
        let parts = |source: &str, target: &str, languages| {
            let (missing, added) = unmatched_numbers(source, target, languages);
            let parts = |text: &str, ranges: Vec<Range<usize>>| -> Vec<String> {
                ranges.into_iter().map(|range| text.get(range).unwrap().to_owned()).collect()
            };
            format!("{:?} {:?}", parts(source, missing), parts(target, added))
        };
        for (source, target, languages, expected) in [
            ("Two apples", "2 Äpfel", ("en", "de"), "[] []"),
            ("Two apples", "Drei Äpfel", ("en", "de"), r#"["Two"] ["Drei"]"#),
            ("Two apples", "りんご二つ", ("en", "ja"), "[] []"),
            ("The two of them", "Die beiden", ("en", "de"), "[] []"),
            ("Twenty-two 7", "Zweiundzwanzig", ("en", "de"), r#"["7"] []"#),
            ("3, 4 and 5", "5, 3 und 6", ("en", "de"), r#"["4"] ["6"]"#),
        ] {
            assert_eq!(parts(source, target, languages), expected, "{source}");
        }
    }
}
