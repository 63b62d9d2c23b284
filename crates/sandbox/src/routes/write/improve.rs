//! The sandbox's improvements of texts: corrects a few misspellings and shortens a few phrases. The result depends only on the text
//! and the target language, and improving it again seldom changes it.

use crate::placeholders::placeholder_len;

/// Misspelt English words and their corrections.
const MISSPELT: &[(&str, &str)] = &[
    ("alot", "a lot"),
    ("becuase", "because"),
    ("definately", "definitely"),
    ("occured", "occurred"),
    ("recieve", "receive"),
    ("seperate", "separate"),
    ("teh", "the"),
    ("thier", "their"),
    ("untill", "until"),
    ("wich", "which"),
];

const WORDY: &[(&str, &str)] = &[
    ("utilize", "use"),
    ("utilise", "use"),
    ("commence", "begin"),
    ("terminate", "end"),
    ("approximately", "about"),
    ("very", ""),
    ("really", ""),
];

/// American and British spellings of the same words.
const VARIANTS: &[(&str, &str)] =
    &[("center", "centre"), ("color", "colour"), ("favorite", "favourite"), ("gray", "grey"), ("theater", "theatre")];

/// Corrects misspelt words, doubled words and spaces, and lower case at the start of a sentence.
pub(super) fn correct(text: &str, target: &str) -> String {
    rewrite(text, target, &[MISSPELT])
}

/// Corrects a text and shortens wordy expressions.
pub(super) fn rephrase(text: &str, target: &str) -> String {
    rewrite(text, target, &[MISSPELT, WORDY])
}

fn rewrite(text: &str, target: &str, tables: &[&[(&str, &str)]]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut starts_sentence = true;
    let mut previous = String::new();
    // Write spaces together with the next word, so that both can be dropped.
    let mut spaces = "";
    for (class, piece) in pieces(text) {
        if class == PieceClass::Spaces {
            spaces = if out.is_empty() || out.ends_with(char::is_whitespace) { piece } else { " " };
            continue;
        }
        let is_word = class == PieceClass::Word;
        let mut word = if is_word { replace_word(piece, target, tables) } else { piece.to_owned() };
        let is_doubled = is_word && !spaces.is_empty() && word.to_lowercase() == previous;
        if word.is_empty() || is_doubled {
            continue;
        }
        if is_word {
            previous = word.to_lowercase();
            if starts_sentence {
                word = capitalize(&word);
            }
            starts_sentence = false;
        } else if !piece.chars().all(char::is_whitespace) {
            previous.clear();
            starts_sentence = piece.ends_with(['.', '!', '?']);
        }
        out.push_str(spaces);
        spaces = "";
        out.push_str(&word);
    }
    out.push_str(spaces);
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceClass {
    Spaces,
    Word,
    /// Punctuation, and literals that must not change.
    Other,
}

/// Splits a text into words, runs of spaces, and everything else.
fn pieces(text: &str) -> impl Iterator<Item = (PieceClass, &str)> {
    let class = |c: char| match c {
        ' ' => PieceClass::Spaces,
        c if c.is_alphabetic() || c == '\'' => PieceClass::Word,
        _ => PieceClass::Other,
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let first = class(rest.chars().next()?);
        let starts_token = text.get(..at)?.chars().next_back().is_none_or(char::is_whitespace);
        let (class, len) = match literal_len(rest, starts_token) {
            0 => {
                let mut ends = rest.char_indices().skip(1);
                let is_end = |(end, c): &(usize, char)| {
                    let (before, after) = rest.split_at(*end);
                    let is_other = first == PieceClass::Other;
                    class(*c) != first || is_other && literal_len(after, before.ends_with(char::is_whitespace)) > 0
                };
                (first, ends.find(is_end).map_or(rest.len(), |(end, _)| end))
            }
            len => (PieceClass::Other, len),
        };
        at += len;
        Some((class, rest.get(..len)?))
    })
}

/// Returns the length in bytes of a literal at the start of `text`, or 0: code in backticks, a placeholder, or, if a
/// token starts here, an address or file name.
fn literal_len(text: &str, starts_token: bool) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    if let Some((fence, inner)) = text.split_at_checked(ticks).filter(|_| ticks > 0) {
        return inner.find(fence).map_or(ticks, |end| end + 2 * ticks);
    }
    let len = placeholder_len(text, starts_token, true);
    if len > 0 || !starts_token {
        return len;
    }
    let token = text.split(char::is_whitespace).next().unwrap_or_default();
    let token = token.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let has_sign = token.char_indices().any(|(at, c)| {
        matches!(c, '.' | '/' | ':') && token.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
    });
    if has_sign { token.len() } else { 0 }
}

fn replace_word(word: &str, target: &str, tables: &[&[(&str, &str)]]) -> String {
    let lower = word.to_lowercase();
    let found = tables.iter().flat_map(|table| table.iter()).find(|(old, _)| *old == lower).map(|(_, new)| *new);
    let variant = || match target {
        "en-GB" => VARIANTS.iter().find(|(american, _)| *american == lower).map(|(_, british)| *british),
        "en-US" => VARIANTS.iter().find(|(_, british)| *british == lower).map(|(american, _)| *american),
        _ => None,
    };
    match found.or_else(variant) {
        Some(new) if word.starts_with(char::is_uppercase) => capitalize(new),
        Some(new) => new.to_owned(),
        None => word.to_owned(),
    }
}

fn capitalize(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrects_mistakes_and_nothing_else() {
        for (text, good) in [
            ("we was late becuase of rain", "We was late because of rain"),
            ("I  recieve the the letter. teh end", "I receive the letter. The end"),
            ("Fine as it is.\nNext line, isn't it?", "Fine as it is.\nNext line, isn't it?"),
            ("Très bien, ça va.", "Très bien, ça va."),
            ("    indented  twice", "    Indented twice"),
            ("`teh  code` is here", "`teh  code` is here"),
            ("It is ``a ` teh`` and teh end", "It is ``a ` teh`` and the end"),
            ("teh.rs and src/teh are teh files", "teh.rs and src/teh are the files"),
            (
                "Open https://teh.example/wich?a=wich and (~/teh), teh end",
                "Open https://teh.example/wich?a=wich and (~/teh), the end",
            ),
            ("%s is {teh} {1} {1}", "%s is {teh} {1} {1}"),
            ("(%s) and %(teh)s", "(%s) and %(teh)s"),
            ("", ""),
        ] {
            assert_eq!(correct(text, "en"), good, "{text}");
            assert_eq!(correct(good, "en"), good, "{good}");
        }
    }

    #[test]
    fn rephrasing_shortens_texts_and_adapts_spelling_to_the_variant() {
        assert_eq!(rephrase("We utilize a very gray color", "en-GB"), "We use a grey colour");
        assert_eq!(rephrase("The colour is grey", "en-US"), "The color is gray");
        assert_eq!(correct("We utilize a very gray color", "en"), "We utilize a very gray color");
    }
}
