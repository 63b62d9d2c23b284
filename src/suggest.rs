//! Suggestions for mistyped names: the "did you mean" of a message.

/// Maximum number of suggestions.
const SUGGESTIONS: usize = 5;
/// Minimum length, in characters, of a text that is looked for inside a name. Shorter ones match almost any name.
const SUBSTRING: usize = 3;

/// Returns the names that are similar to `wanted`, the most similar first, at most five.
///
/// Names are similar if they differ in case, if one contains the other, or if a third of the letters or fewer (at least
/// one) is different. Two swapped letters count as one.
pub fn similar<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let letters = wanted.chars().count();
    let allowed = (letters / 3).max(1);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let other = name.to_lowercase();
            let contains = (letters >= SUBSTRING && other.contains(&wanted))
                || (other.chars().count() >= SUBSTRING && wanted.contains(&other));
            let distance = strsim::osa_distance(&other, &wanted);
            (contains || distance <= allowed).then_some((distance, name))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect()
}

/// Returns the name that is most similar to `wanted`, if there is a similar one.
pub fn closest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(wanted, known).into_iter().next()
}

/// Returns the hint for an unknown name: the similar names, and the command that lists all names.
pub fn hint<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>, command: &str) -> String {
    match similar(wanted, known).as_slice() {
        [] => format!("`{command}` lists all of them"),
        names => format!("did you mean {}? `{command}` lists all of them", one_of(names)),
    }
}

/// Returns names as a choice: `a`, `b` or `c`.
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["Kitchen", "Garden tools", "formality", "de"];

    #[test]
    fn case_substrings_and_typos_are_similar() {
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
        for wanted in ["", "xyz", "en it", "context", "model"] {
            assert_eq!(closest(wanted, KNOWN), None, "{wanted}");
        }
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
}
