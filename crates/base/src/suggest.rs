//! Suggestions for mistyped names: the "did you mean" of a message. Suggests only names that are probably right, because a wrong
//! suggestion costs more time than none.

/// Maximum length of a suggested name in bytes, so that a message stays readable.
const MAX_NAME_BYTES: usize = 500;
const MAX_SUGGESTIONS: usize = 5;
/// Minimum length, in characters, of a text to search for in names. Shorter ones match almost any name.
const MIN_WORD_CHARS: usize = 3;

/// Returns the names that are similar to `wanted`, the most similar first, at most five.
///
/// A name is similar if it differs only in case or by a typo ([`is_typo`]); two swapped letters count as one wrong letter. If no name
/// is similar, returns names that contain `wanted` as complete words, and names that `wanted` contains.
pub fn similar<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let known = known.into_iter().filter(|name| name.len() <= MAX_NAME_BYTES);
    let names: Vec<(&str, String)> = known.map(|name| (name, name.to_lowercase())).collect();
    let mut found = typos(&wanted, &names);
    if found.is_empty() {
        let contains = |name: &str| has_words(name, &wanted) || has_words(&wanted, name);
        let contained = names.iter().filter(|(_, name)| contains(name));
        found = contained.map(|(name, lower)| (strsim::osa_distance(lower, &wanted), *name)).collect();
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name).collect()
}

/// Returns the similar names with the fewest wrong letters, or with one more than that, each with its number of wrong letters.
fn typos<'a>(wanted: &str, names: &[(&'a str, String)]) -> Vec<(usize, &'a str)> {
    let distances = names.iter().filter(|(_, lower)| is_typo(wanted, lower));
    let near: Vec<_> = distances.map(|(name, lower)| (strsim::osa_distance(lower, wanted), *name)).collect();
    let best = near.iter().map(|(distance, _)| *distance).min().unwrap_or_default();
    near.into_iter().filter(|(distance, _)| *distance <= best + 1).collect()
}

/// Returns whether a text contains `words`, delimited by characters that are neither letters nor digits.
fn has_words(text: &str, words: &str) -> bool {
    let continues = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    words.chars().count() >= MIN_WORD_CHARS
        && text.match_indices(words).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + words.len()..));
            !continues(before.and_then(|text| text.chars().next_back()))
                && !continues(after.and_then(|text| text.chars().next()))
        })
}

/// Returns whether at most a third of the letters of `wanted` are wrong. The first letter of a word is rarely wrong, so with a
/// different first letter no other letter may differ.
pub fn is_typo(wanted: &str, name: &str) -> bool {
    let (wanted, name) = (wanted.to_lowercase(), name.to_lowercase());
    let allowed = match (wanted.chars().next(), name.chars().next()) {
        (Some(a), Some(b)) if a != b => 1,
        _ => usize::MAX,
    };
    strsim::osa_distance(&name, &wanted) <= (wanted.chars().count() / 3).min(allowed)
}

/// Returns the most similar name, or `None` if several names merely share words with `wanted`.
pub fn closest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    match similar(wanted, known).as_slice() {
        [only] => Some(only),
        [best, ..] if is_typo(wanted, best) => Some(best),
        _ => None,
    }
}

/// Returns the hint for an unknown name: the similar names, and the command that lists all names.
pub fn hint<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>, command: &str) -> String {
    match similar(wanted, known).as_slice() {
        [] => format!("`{command}` lists all of them"),
        names => format!("did you mean {}? `{command}` lists all of them", one_of(names)),
    }
}

/// Formats names as a choice: `a`, `b` or `c`.
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// Returns the names that start with `word`, or none if `word` is a single byte or empty.
pub fn with_prefix<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    known.into_iter().filter(|name| word.len() > 1 && name.starts_with(word)).collect()
}

/// Escapes control characters for a one-line message: a line feed becomes `\n`.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_debug()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["Kitchen", "Garden tools", "formality", "de"];

    #[test]
    fn does_not_suggest_a_name_that_is_too_long_for_a_message() {
        let long = format!("{} garden", "x".repeat(MAX_NAME_BYTES));
        assert_eq!(similar("garden", [long.as_str()]), [""; 0]);
        assert_eq!(similar("garden", [long.as_str(), "Garden"]), ["Garden"]);
    }

    #[test]
    fn names_are_similar_despite_case_typos_and_extra_words() {
        for (wanted, name) in [
            ("kitchen", "Kitchen"),
            ("Kitchn", "Kitchen"),
            ("Kithcen", "Kitchen"),
            ("Garden", "Garden tools"),
            ("the kitchen", "Kitchen"),
            ("formalty", "formality"),
            ("DE", "de"),
        ] {
            assert_eq!(closest(wanted, KNOWN), Some(name), "{wanted}");
        }
    }

    #[test]
    fn other_names_are_not_similar() {
        for wanted in ["", "xyz", "en it", "context", "model", "dx", "form", "Gard", "kit"] {
            assert_eq!(closest(wanted, KNOWN), None, "{wanted}");
        }
        assert!(similar("voice", ["invoices", "notice"]).is_empty());
        assert!(similar("source", ["force"]).is_empty());
        assert_eq!(similar("itchen", ["Kitchen"]), ["Kitchen"]);
    }

    #[test]
    fn the_most_similar_name_is_first_and_names_are_unique() {
        assert_eq!(similar("teas", ["tease", "teas", "Teas", "teas", "tea"]), ["Teas", "teas", "tea", "tease"]);
        assert_eq!(similar("tea", ["tea 1", "tea 2", "tea 3", "tea 4", "tea 5", "tea 6"]).len(), 5);
        assert_eq!(one_of(&["a", "b"]), "`a` or `b`");
        assert_eq!(one_of(&["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(hint("tae", ["tea"], "tulk tm list"), "did you mean `tea`? `tulk tm list` lists all of them");
        assert_eq!(hint("x", [], "tulk tm list"), "`tulk tm list` lists all of them");
    }

    #[test]
    fn names_that_are_clearly_less_similar_are_left_out() {
        let rules = ["grammar.eszett", "grammar", "grammar.umlauts", "grammar.all_caps"];
        assert_eq!(similar("grammar.eszet", rules), ["grammar.eszett"]);
    }

    #[test]
    fn closest_is_none_if_several_names_share_the_word() {
        assert_eq!(closest("lang", ["source_lang", "target_lang"]), None);
        assert_eq!(closest("target", ["source_lang", "target_lang"]), Some("target_lang"));
    }
}
