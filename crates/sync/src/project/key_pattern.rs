//! Patterns of keys, such as `debug.*`, that select units to exclude, to annotate, or for `--key`. Patterns use the
//! notation of displayed keys: dots between parts, `\.` for a dot within a part, `\\` for a backslash. `*` matches any
//! characters, including dots between parts; `\*` is a literal star.

use tulk_base::suggest::one_line;

use tulk_catalogs::{UnitKey, UnitKeyPart};

/// Separates parts during comparison. This byte never occurs in UTF-8.
const SEPARATOR: u8 = 0xff;

/// A key pattern with `*` as the only wildcard.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyPattern {
    /// Literal text between the stars. Without a star, there is only one fragment.
    fragments: Vec<Vec<u8>>,
}

impl KeyPattern {
    /// Parses a pattern. The error is a message for the user.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the key pattern is empty".to_owned());
        }
        let mut fragments = Vec::new();
        let mut fragment = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '*' => fragments.push(std::mem::take(&mut fragment)),
                '.' => fragment.push(SEPARATOR),
                '\\' => {
                    let Some(c @ ('.' | '*' | '\\')) = chars.next() else {
                        let pattern = one_line(text);
                        return Err(format!(
                            "`\\` in the key pattern `{pattern}` must be followed by `.`, `*` or `\\`"
                        ));
                    };
                    fragment.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                c => fragment.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        fragments.push(fragment);
        Ok(Self { fragments })
    }

    /// Returns whether the complete key matches.
    pub fn matches(&self, key: &UnitKey) -> bool {
        self.matches_encoded(&encode_key(key))
    }

    fn matches_encoded(&self, key: &[u8]) -> bool {
        let [first, middle @ .., last] = self.fragments.as_slice() else {
            return self.fragments.first().is_some_and(|only| only == key);
        };
        let Some(mut rest) = key.strip_prefix(first.as_slice()).and_then(|rest| rest.strip_suffix(last.as_slice()))
        else {
            return false;
        };
        for fragment in middle {
            match memchr::memmem::find(rest, fragment) {
                Some(at) => rest = rest.get(at + fragment.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        true
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPatterns(pub Vec<KeyPattern>);

impl KeyPatterns {
    pub fn position(&self, key: &UnitKey) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let key = encode_key(key);
        self.0.iter().position(|pattern| pattern.matches_encoded(&key))
    }

    pub fn matches(&self, key: &UnitKey) -> bool {
        self.position(key).is_some()
    }
}

fn encode_key(key: &UnitKey) -> Vec<u8> {
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
    use tulk_growth::assert_linear;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn an_escaped_key_matches_only_itself(
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
    fn a_star_matches_any_characters() {
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
    fn displayed_keys_are_patterns() {
        let key = UnitKey::names(["a.b", r"c\d", "e"]).with(UnitKeyPart::Item(3));
        assert!(fits(&key.to_string(), &key));
        let patterns = KeyPatterns(vec![KeyPattern::parse("x").unwrap(), KeyPattern::parse("*.3").unwrap()]);
        assert_eq!(patterns.position(&key), Some(1));
        assert!(!KeyPatterns::default().matches(&key));
    }

    #[test]
    fn hostile_patterns_take_linear_time() {
        for (start, part, end) in [("", "a*", "b"), ("*", "a*b*", "")] {
            let pattern_and_key =
                |n: usize| ([start, &part.repeat(n), end].concat(), UnitKey::name("a".repeat(10 * n)));
            assert_linear(part, 1 << 12, pattern_and_key, |(pattern, key)| assert!(!fits(pattern, key)));
        }
    }
}
