//! Formats numbers in messages: groups of three digits, and nouns in singular or plural.

use std::fmt::Display;

/// Formats a whole number with a comma between groups of three digits: `1,234,567`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with a noun, given in the singular: `1 entry`, `1,234 entries`.
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = grouped(number);
    if number == "1" { format!("1 {noun}") } else { format!("{number} {}", plural(noun)) }
}

/// Returns the plural of a regular noun: `entries` for `entry`.
pub fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_in_groups_of_three() {
        let of = |number: u64| grouped(number);
        assert_eq!(
            [of(0), of(999), of(1000), of(123_456), of(1_234_567)],
            ["0", "999", "1,000", "123,456", "1,234,567"]
        );
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn the_noun_agrees_with_the_number() {
        assert_eq!(counted(1, "character"), "1 character");
        assert_eq!(counted(0, "file"), "0 files");
        assert_eq!(counted(4321, "entry"), "4,321 entries");
        assert_eq!([plural("key"), plural("dictionary")], ["keys", "dictionaries"]);
    }
}
