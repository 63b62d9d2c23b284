//! Names that are near a mistyped one, for the "did you mean" of a message. Where the names come from is the caller's.
//!
//! Spec: command line, "Names, codes, limits".

/// How many names a message lists.
const CANDIDATES: usize = 5;
/// Characters that a text has at least to count as a part of another; fewer are in almost any name.
const PART: usize = 3;

/// The names near `wanted`, nearest first, at most five: equal but for case, one a part of the other, or a few letters
/// away (a third of the letters, at least one; swapped neighbours are one).
pub fn similar<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let letters = wanted.chars().count();
    let allowed = (letters / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let other = name.to_lowercase();
            let part = (letters >= PART && other.contains(&wanted))
                || (other.chars().count() >= PART && wanted.contains(&other));
            let distance = strsim::osa_distance(&other, &wanted);
            (part || distance <= allowed).then_some((distance, name))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(CANDIDATES).map(|(_, name)| name).collect()
}

/// The one name that is nearest to `wanted`, if one is near.
pub fn closest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(wanted, known).into_iter().next()
}

/// `did you mean A or B? COMMAND shows them all`, or the latter half alone when nothing is near.
pub fn hint<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>, command: &str) -> String {
    let near: Vec<_> = similar(wanted, known).into_iter().map(|name| format!("`{name}`")).collect();
    match near.as_slice() {
        [] => format!("`{command}` shows them all"),
        near => format!("did you mean {}? `{command}` shows them all", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["Kitchen", "Garden tools", "formality", "de"];

    #[test]
    fn case_parts_and_slips_are_near() {
        for (wanted, near) in [
            ("kitchen", "Kitchen"),
            ("Kitchn", "Kitchen"),
            ("Kithcen", "Kitchen"),
            ("Garden", "Garden tools"),
            ("the kitchen", "Kitchen"),
            ("formalty", "formality"),
            ("DE", "de"),
        ] {
            assert_eq!(closest(wanted, KNOWN), Some(near), "{wanted}");
        }
    }

    #[test]
    fn others_are_not() {
        for wanted in ["", "xyz", "en it", "context", "model"] {
            assert_eq!(closest(wanted, KNOWN), None, "{wanted}");
        }
    }

    #[test]
    fn the_nearest_comes_first_and_each_once() {
        assert_eq!(similar("teas", ["tease", "teas", "Teas", "teas", "tea"]), ["Teas", "teas", "tea", "tease"]);
        assert_eq!(similar("tea", ["tea 1", "tea 2", "tea 3", "tea 4", "tea 5", "tea 6"]).len(), 5);
        assert_eq!(hint("tae", ["tea"], "tulk tm list"), "did you mean `tea`? `tulk tm list` shows them all");
        assert_eq!(hint("x", [], "tulk tm list"), "`tulk tm list` shows them all");
    }
}
