//! Patterns of keys, such as `debug.*`: which units are excluded, get a note, or are chosen by `--key`.
//!
//! Input: a pattern and keys. Output: whether a key fits. A pattern is written as keys are shown: dots between parts, `\.` for
//! a dot in a part, `\\` for a backslash. `*` stands for any characters, those between parts included; `\*` is a star.

use tulk_base::suggest::one_line;

use tulk_catalogs::{UnitKey, UnitKeyPart};

/// What separates parts while they are compared: a byte that is in no text.
const SEPARATOR: u8 = 0xff;

/// A pattern of keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyPattern {
    /// The parts between the stars. One part: the key as a whole.
    pieces: Vec<Vec<u8>>,
}

impl KeyPattern {
    /// Reads a pattern. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the key pattern is empty".to_owned());
        }
        let mut pieces = Vec::new();
        let mut piece = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '*' => pieces.push(std::mem::take(&mut piece)),
                '.' => piece.push(SEPARATOR),
                '\\' => {
                    let Some(c @ ('.' | '*' | '\\')) = chars.next() else {
                        let pattern = one_line(text);
                        return Err(format!(
                            "`\\` in the key pattern `{pattern}` stands before neither `.`, `*` nor `\\`"
                        ));
                    };
                    piece.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                c => piece.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        pieces.push(piece);
        Ok(Self { pieces })
    }

    /// Returns whether a key fits.
    pub fn matches(&self, key: &UnitKey) -> bool {
        self.fits(&encoded(key))
    }

    fn fits(&self, key: &[u8]) -> bool {
        let [first, middle @ .., last] = self.pieces.as_slice() else {
            return self.pieces.first().is_some_and(|only| only == key);
        };
        let Some(mut rest) = key.strip_prefix(first.as_slice()).and_then(|rest| rest.strip_suffix(last.as_slice()))
        else {
            return false;
        };
        for piece in middle {
            match memchr::memmem::find(rest, piece) {
                Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        true
    }
}

/// Several patterns of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPatterns(pub Vec<KeyPattern>);

impl KeyPatterns {
    /// Returns the position of the first pattern that a key fits.
    pub fn position(&self, key: &UnitKey) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let key = encoded(key);
        self.0.iter().position(|pattern| pattern.fits(&key))
    }

    /// Returns whether a key fits one of the patterns.
    pub fn matches(&self, key: &UnitKey) -> bool {
        self.position(key).is_some()
    }
}

fn encoded(key: &UnitKey) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (at, part) in key.0.iter().enumerate() {
        if at > 0 {
            bytes.push(SEPARATOR);
        }
        match part {
            UnitKeyPart::Name(name) => bytes.extend_from_slice(name.as_bytes()),
            UnitKeyPart::Item(number) => bytes.extend_from_slice(number.to_string().as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_key_as_it_is_shown_matches_itself_alone(
            one in prop::collection::vec(r"[a.*\\\\]{0,3}", 1..4),
            other in prop::collection::vec(r"[a.*\\\\]{0,3}", 1..4),
        ) {
            let (one, other) = (UnitKey::names(one), UnitKey::names(other));
            let shown = one.to_string().replace('*', r"\*");
            if let Ok(pattern) = KeyPattern::parse(&shown) {
                prop_assert!(pattern.matches(&one));
                prop_assert_eq!(pattern.matches(&other), one == other);
            } else {
                prop_assert!(shown.is_empty());
            }
        }
    }

    fn fits(pattern: &str, key: &UnitKey) -> bool {
        KeyPattern::parse(pattern).unwrap().matches(key)
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        let key = UnitKey::names(["debug", "panel", "title"]);
        for pattern in
            ["debug.*", "*", "*.title", "debug.*.title", "debug*", "d*l.t*e", "debug.panel.title", "**", "*panel*"]
        {
            assert!(fits(pattern, &key), "{pattern}");
        }
        for pattern in
            ["debug", "debug.panel", "panel.*", "debug.*.x", "debug..*", "*.titl", "debug.panel.title.*", "d*title*e"]
        {
            assert!(!fits(pattern, &key), "{pattern}");
        }
        assert!(!fits("ab*ba", &UnitKey::name("aba")), "start and end do not overlap");
    }

    #[test]
    fn a_dot_in_a_part_is_escaped() {
        let flat = UnitKey::name("debug.title");
        let nested = UnitKey::names(["debug", "title"]);
        assert!(fits(r"debug\.title", &flat) && !fits(r"debug\.title", &nested));
        assert!(fits("debug.title", &nested) && !fits("debug.title", &flat));
        assert!(fits(r"debug\.*", &flat) && !fits("debug.*", &flat) && fits("debug*", &flat));
        assert!(!fits("*.title", &flat));
        assert!(fits(r"a\*b\\c", &UnitKey::name(r"a*b\c")));
        assert!(
            KeyPattern::parse(r"a\b").is_err() && KeyPattern::parse("a\\").is_err() && KeyPattern::parse("").is_err()
        );
    }

    #[test]
    fn a_pattern_is_written_as_keys_are_shown() {
        let key = UnitKey::names(["a.b", r"c\d", "e"]).with(UnitKeyPart::Item(3));
        assert!(fits(&key.to_string(), &key));
        let patterns = KeyPatterns(vec![KeyPattern::parse("x").unwrap(), KeyPattern::parse("*.3").unwrap()]);
        assert_eq!(patterns.position(&key), Some(1));
        assert!(!KeyPatterns::default().matches(&key));
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let key = UnitKey::name("a".repeat(100_000));
        assert!(!fits(&format!("{}b", "a*".repeat(10_000)), &key));
        assert!(!fits(&format!("*{}", "a*b*".repeat(10_000)), &key));
    }
}
