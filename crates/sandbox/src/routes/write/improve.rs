//! The sandbox's improvements: a few spelling mistakes corrected, a few phrases shortened.
//!
//! The result depends on the text alone, and improving a result again does not change it.

/// English words, misspelt and correct.
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

/// Wordy expressions and their short forms.
const WORDY: &[(&str, &str)] = &[
    ("utilize", "use"),
    ("utilise", "use"),
    ("commence", "begin"),
    ("terminate", "end"),
    ("approximately", "about"),
    ("very", ""),
    ("really", ""),
];

/// American and British spellings.
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
    // Spaces are written with the next word, so that they are dropped with a dropped word.
    let mut spaces = "";
    for piece in pieces(text) {
        if piece.starts_with(' ') {
            spaces = if out.is_empty() || out.ends_with(char::is_whitespace) { piece } else { " " };
            continue;
        }
        let is_word = piece.starts_with(char::is_alphabetic);
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

/// Splits a text into words, runs of spaces, and everything between.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let class = |c: char| match c {
        ' ' => 0,
        c if c.is_alphabetic() || c == '\'' => 1,
        _ => 2,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = class(rest.chars().next()?);
        let end = rest.find(|c| class(c) != first).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// Returns the replacement of a word, or the word itself.
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
            ("", ""),
        ] {
            assert_eq!(correct(text, "en"), good, "{text}");
            assert_eq!(correct(good, "en"), good, "{good}");
        }
    }

    #[test]
    fn rephrasing_shortens_and_converts_variants() {
        assert_eq!(rephrase("We utilize a very gray color", "en-GB"), "We use a grey colour");
        assert_eq!(rephrase("The colour is grey", "en-US"), "The color is gray");
        assert_eq!(correct("We utilize a very gray color", "en"), "We utilize a very gray color");
    }
}
