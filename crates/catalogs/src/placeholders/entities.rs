//! Finds HTML entities such as `&nbsp;`, `&laquo;` and `&#160;`.

use std::sync::LazyLock;

use regex::Regex;

/// Suffixes of entities that are letters: `&eacute;`, `&szlig;`.
const LETTERS: &[&str] = &["acute", "caron", "cedil", "circ", "grave", "lig", "ogon", "ring", "slash", "tilde", "uml"];

/// Returns the length of the entity at `at`; `None` if it is a part of a word, as in `caf&eacute;` and `don&#39;t`.
pub(super) fn len_at(text: &str, at: usize) -> Option<usize> {
    static ENTITY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("^&(?:#(?<decimal>[0-9]{1,7})|#[xX](?<hex>[0-9A-Fa-f]{1,6})|(?<name>[A-Za-z][0-9A-Za-z]{1,30}));")
            .ok()
    });
    let found = ENTITY.as_ref()?.captures(text.get(at..)?)?;
    let len = found.get(0)?.len();
    let digits = |group, radix| u32::from_str_radix(found.name(group)?.as_str(), radix).ok();
    let name = found.name("name").map(|name| name.as_str());
    let number = digits("decimal", 10).or_else(|| digits("hex", 16)).and_then(char::from_u32);
    let is_letter = number.is_some_and(char::is_alphabetic)
        || name.is_some_and(|name| LETTERS.iter().any(|end| name.len() > end.len() && name.ends_with(end)));
    let is_apostrophe = matches!(name, Some("apos" | "rsquo")) || matches!(number, Some('\'' | '\u{2019}'));
    let is_in_word = || {
        text.get(..at).is_some_and(|before| before.ends_with(char::is_alphabetic))
            && text.get(at + len..).is_some_and(|after| after.starts_with(char::is_alphabetic))
    };
    (!(is_letter || is_apostrophe && is_in_word())).then_some(len)
}
