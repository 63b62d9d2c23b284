//! A quick parser of strict JSON, which nearly all files are.
//!
//! Input: a text. Output: the same tree as that of the complete parser, or `None` if the text has anything that strict JSON has not:
//! comments, other spellings, mistakes. Then the complete parser reads it and says what is wrong.

use std::borrow::Cow;

use super::node::{JsonMember, JsonNode, JsonShape, MAX_DEPTH};

/// Parses a strict JSON text.
pub(super) fn parse_strict(text: &str) -> Option<JsonNode<'_>> {
    let mut parser = StrictParser { text, bytes: text.as_bytes(), at: 0 };
    let node = parser.value(0)?;
    parser.skip_blanks();
    (parser.at == text.len()).then_some(node)
}

struct StrictParser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl<'t> StrictParser<'t> {
    fn value(&mut self, depth: usize) -> Option<JsonNode<'t>> {
        self.skip_blanks();
        let start = self.at;
        let shape = match self.bytes.get(start)? {
            _ if depth > MAX_DEPTH => return None,
            b'"' => JsonShape::Text(self.string()?),
            b'{' => JsonShape::Object(self.members(b'}', |parser| parser.member(depth))?),
            b'[' => JsonShape::Array(self.members(b']', |parser| parser.item(depth))?),
            b't' => self.word("true", JsonShape::Boolean(true))?,
            b'f' => self.word("false", JsonShape::Boolean(false))?,
            b'n' => self.word("null", JsonShape::Scalar)?,
            _ => self.number()?,
        };
        Some(JsonNode { span: start..self.at, shape })
    }

    /// Reads members and the closing bracket.
    fn members(
        &mut self,
        close: u8,
        mut member: impl FnMut(&mut Self) -> Option<JsonMember<'t>>,
    ) -> Option<Vec<JsonMember<'t>>> {
        let mut members = Vec::new();
        self.at += 1;
        self.skip_blanks();
        if self.take(close) {
            return Some(members);
        }
        loop {
            members.push(member(self)?);
            self.skip_blanks();
            if self.take(close) {
                return Some(members);
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn member(&mut self, depth: usize) -> Option<JsonMember<'t>> {
        self.skip_blanks();
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return None;
        }
        let name = self.string()?;
        let name_span = start..self.at;
        self.skip_blanks();
        let has_colon = self.take(b':');
        let node = has_colon.then(|| self.value(depth + 1)).flatten()?;
        Some(JsonMember { name, name_span, node })
    }

    fn item(&mut self, depth: usize) -> Option<JsonMember<'t>> {
        let node = self.value(depth + 1)?;
        Some(JsonMember { name: Cow::Borrowed(""), name_span: node.span.start..node.span.start, node })
    }

    /// Reads a string with its quotes.
    fn string(&mut self) -> Option<Cow<'t, str>> {
        let start = self.at + 1;
        let mut part = start;
        let mut decoded: Option<String> = None;
        loop {
            let rest = self.bytes.get(part..)?;
            let len = memchr::memchr2(b'"', b'\\', rest)?;
            if rest.get(..len)?.iter().any(u8::is_ascii_control) {
                return None;
            }
            let end = part + len;
            if rest.get(len) == Some(&b'"') {
                self.at = end + 1;
                return Some(match decoded {
                    None => Cow::Borrowed(self.text.get(start..end)?),
                    Some(decoded) => Cow::Owned(decoded + self.text.get(part..end)?),
                });
            }
            let decoded = decoded.get_or_insert_with(String::new);
            decoded.push_str(self.text.get(part..end)?);
            part = end + 2;
            decoded.push(match rest.get(len + 1)? {
                escaped @ (b'"' | b'\\' | b'/') => char::from(*escaped),
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => {
                    let (escaped, after) = self.escaped(part)?;
                    part = after;
                    escaped
                }
                _ => return None,
            });
        }
    }

    /// Reads the digits of an escape, and its second half if it is half of a pair. Returns where the text goes on.
    fn escaped(&self, at: usize) -> Option<(char, usize)> {
        let first = self.unit(at)?;
        if let Some(single) = char::from_u32(u32::from(first)) {
            return Some((single, at + 4));
        }
        if self.bytes.get(at + 4..at + 6) != Some(br"\u") {
            return None;
        }
        let pair = char::decode_utf16([first, self.unit(at + 6)?]).next()?.ok()?;
        Some((pair, at + 10))
    }

    fn unit(&self, at: usize) -> Option<u16> {
        let digits = self.text.get(at..at + 4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
    }

    fn word(&mut self, word: &str, shape: JsonShape<'t>) -> Option<JsonShape<'t>> {
        self.text.get(self.at..)?.strip_prefix(word)?;
        self.at += word.len();
        self.ends_word().then_some(shape)
    }

    fn number(&mut self) -> Option<JsonShape<'t>> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        self.ends_word().then_some(JsonShape::Scalar)
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Returns whether a number or word ends here.
    fn ends_word(&self) -> bool {
        self.bytes.get(self.at).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'}' | b']'))
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::node::parse_completely;

    #[test]
    fn strict_json_is_read_as_by_the_complete_parser() {
        for text in [
            "{}",
            " [ ] \r\n",
            r#"{"a": "b", "c.d": {"e": ["f", 1, -0.5e+3, true, false, null]}}"#,
            r#"{"\u00e9\"": "\\ \/ \b\f\n\r\t \ud83c\udf75 é 🍵", "a": "1", "a": "2"}"#,
            "[[[[\"deep\"]]]]",
        ] {
            assert_eq!(parse_strict(text), Some(parse_completely(text).unwrap()), "{text}");
        }
    }

    #[test]
    fn other_json_is_left_to_the_complete_parser() {
        for text in [
            "",
            "{",
            "{\"a\": 1,}",
            "{'a': 1}",
            "{a: 1}",
            "// c\n{}",
            "{} x",
            "[01]",
            "[1.]",
            "[+1]",
            "[truer]",
            "[\"\t\"]",
            r#"["\x41"]"#,
            r#"["\ud83c"]"#,
            r#"["\ud83c\u0041"]"#,
            r#"["\u+123"]"#,
            "{\"a\" 1}",
            "[1 2]",
            &["[".repeat(130), "]".repeat(130)].concat(),
        ] {
            assert_eq!(parse_strict(text), None, "{text}");
        }
        let deepest = ["[".repeat(128), "1".to_owned(), "]".repeat(128)].concat();
        assert_eq!(parse_strict(&deepest), parse_completely(&deepest).ok());
        assert!(parse_strict(&deepest).is_some());
    }

    fn json() -> impl Strategy<Value = String> {
        let string = prop::collection::vec(
            prop::sample::select(vec![
                "a",
                "é",
                "🍵",
                r"\n",
                r#"\""#,
                r"\u00fC",
                r"\ud83c\udf75",
                r"\/",
                r"\\",
                "//",
                "{",
            ]),
            0..4,
        )
        .prop_map(|parts| ["\"", &parts.concat(), "\""].concat());
        let scalar = prop_oneof![
            string.clone(),
            prop::sample::select(vec!["0", "-1.5e3", "12E-7", "true", "false", "null"]).prop_map(str::to_owned),
        ];
        let blank = || prop::sample::select(vec!["", " ", "\r\n\t"]);
        scalar.prop_recursive(4, 24, 4, move |inner| {
            let member = (blank(), string.clone(), blank(), inner.clone(), blank())
                .prop_map(|(a, name, b, value, c)| [a, &name, b, ":", a, &value, c].concat());
            let item = (blank(), inner, blank()).prop_map(|(a, value, b)| [a, &value, b].concat());
            prop_oneof![
                prop::collection::vec(member, 0..4).prop_map(|members| ["{", &members.join(","), "}"].concat()),
                prop::collection::vec(item, 0..4).prop_map(|items| ["[", &items.join(","), "]"].concat()),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn generated_json_is_read_as_by_the_complete_parser(text in json(), cut in any::<prop::sample::Index>(), at in 0..40_usize) {
            prop_assert_eq!(parse_strict(&text), Some(parse_completely(&text).unwrap()), "{}", &text);
            let mut broken = text.clone();
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            broken.insert_str(places[cut.index(places.len())], "\\\"',:{}[]/*0-.eux\u{7f}\n".split_at(at.min(18)).1);
            if let Some(node) = parse_strict(&broken) {
                prop_assert_eq!(node, parse_completely(&broken).unwrap(), "{}", &broken);
            }
        }
    }
}
