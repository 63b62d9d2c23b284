//! Splits a text outside of its placeholders, and measures the parts in the form in which they are sent.

use std::borrow::Cow;
use std::ops::Range;

use tulk_base::json::escaped_len;
use tulk_catalogs::inline::{InlineToken, TextProtection, tagged_len};

use super::split_position::{before_combining_marks, best_split_position};
use crate::record::has_only_crlf;

pub(super) struct ProtectedText<'a> {
    pub(super) protection: &'a dyn TextProtection,
    /// Maximum size of an entry as JSON, in bytes.
    pub(super) limit: usize,
}

#[derive(Debug)]
pub(super) struct PlaceholderTooLong {
    /// Start in the text.
    pub(super) start: usize,
    end: usize,
    /// Size as JSON, in bytes.
    pub(super) bytes: usize,
}

impl ProtectedText<'_> {
    /// Returns whether a text without outer whitespace fits when sent.
    pub(super) fn fits(&self, entry: &str) -> bool {
        self.sent_len(entry) <= self.limit
    }

    fn sent_len(&self, entry: &str) -> usize {
        let text = if has_only_crlf(entry) { Cow::Owned(entry.replace("\r\n", "\n")) } else { Cow::Borrowed(entry) };
        self.protection.sent_len(&text)
    }

    /// Returns where to split a text that does not fit. The text must not start with whitespace.
    pub(super) fn split_position(&self, text: &str) -> Result<usize, PlaceholderTooLong> {
        let (mut room, mut before) = (self.limit, 0);
        loop {
            let at = match self.split_position_within(text, room) {
                // The placeholder fits if it is sent alone.
                Err(too_long) if too_long.bytes <= self.limit => return Ok(too_long.end),
                at => at?,
            };
            if at == 0 {
                return Ok(before);
            }
            before = at;
            let needed = self.sent_len(text.get(..at).unwrap_or_default().trim_end());
            // A part may have placeholders that are not found in the complete text, so check its size again.
            room = match needed.checked_sub(self.limit) {
                Some(over) if over > 0 && room > over => room - over,
                Some(over) if over > 0 && room > 1 => room / 2,
                _ => return Ok(at),
            };
        }
    }

    fn split_position_within(&self, text: &str, room: usize) -> Result<usize, PlaceholderTooLong> {
        let mut tokens = Vec::new();
        let mut end = 0;
        for crlf_as_lf in [true, false] {
            if crlf_as_lf && !text.contains("\r\n") {
                continue;
            }
            tokens = self.tokens(text, crlf_as_lf);
            end = self.longest_prefix(text, &tokens, room, crlf_as_lf)?;
            if crlf_as_lf && has_only_crlf(text.get(..end).unwrap_or_default()) {
                break;
            }
        }
        let masked = with_masked_tokens(text, &tokens);
        let at =
            masked.get(..end).and_then(best_split_position).unwrap_or_else(|| before_combining_marks(&masked, end));
        let inside = tokens.iter().find(|token| token.start < at && at < token.end);
        Ok(inside.map_or(at, |token| if token.start > 0 { token.start } else { end }))
    }

    /// With `crlf_as_lf`, searches the text in the form that is sent.
    fn tokens(&self, text: &str, crlf_as_lf: bool) -> Vec<Range<usize>> {
        if !crlf_as_lf {
            return self.protection.tokens(text).iter().map(InlineToken::byte_range).collect();
        }
        let sent = text.replace("\r\n", "\n");
        let (mut done, mut lines) = (0, 0);
        let mut place = |at: usize| {
            lines += sent.get(done..at).unwrap_or_default().matches('\n').count();
            done = at;
            at + lines
        };
        self.protection
            .tokens(&sent)
            .iter()
            .map(|token| place(token.byte_range().start)..place(token.byte_range().end))
            .collect()
    }

    /// Returns the length of the longest prefix that takes at most `room` bytes as JSON and ends outside of
    /// placeholders.
    fn longest_prefix(
        &self,
        text: &str,
        tokens: &[Range<usize>],
        room: usize,
        crlf_as_lf: bool,
    ) -> Result<usize, PlaceholderTooLong> {
        let has_tags = self.protection.has_tags();
        let (mut used, mut element, mut next) = (0, 1, 0);
        let mut at = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let token = tokens.get(next).filter(|token| token.start == at);
            let part = token.map_or(at..at + c.len_utf8(), Clone::clone);
            let source = text.get(part.clone()).unwrap_or_default();
            let source = if crlf_as_lf { source.replace("\r\n", "\n").into() } else { Cow::Borrowed(source) };
            let is_line_end = crlf_as_lf && c == '\r' && text.get(at + 1..).is_some_and(|rest| rest.starts_with('\n'));
            let bytes = match token {
                None if is_line_end => 0,
                _ if !has_tags || token.is_none() && (c == ' ' || c.is_alphanumeric()) => {
                    escaped_len(source.as_bytes())
                }
                _ => tagged_len(&source, token.is_some(), &mut element),
            };
            if used + bytes > room {
                if at == 0 && token.is_some() {
                    return Err(PlaceholderTooLong { start: 0, end: part.end, bytes });
                }
                return Ok(at);
            }
            used += bytes;
            next += usize::from(token.is_some());
            at = part.end;
        }
        Ok(at)
    }
}

/// Replaces placeholders with letters, so that no split position is found inside them. The length stays the same.
fn with_masked_tokens(text: &str, tokens: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(text.len());
    for token in tokens {
        masked.push_str(text.get(masked.len()..token.start).unwrap_or_default());
        masked.extend(std::iter::repeat_n('x', token.len()));
    }
    masked.push_str(text.get(masked.len()..).unwrap_or_default());
    masked
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use tulk_catalogs::inline::TaggedText;

    use super::super::WholeText;
    use super::*;
    use crate::TextFormat as _;
    use crate::test_records::{limit_of, read_all};

    #[derive(Debug)]
    struct Brackets {
        has_tags: bool,
    }

    impl TextProtection for Brackets {
        fn tokens(&self, text: &str) -> Vec<InlineToken> {
            let mut from = 0;
            let next = || {
                let start = from + text.get(from..)?.find('[')?;
                from = start + text.get(start..)?.find(']')? + 1;
                InlineToken::fixed(start..from)
            };
            std::iter::from_fn(next).collect()
        }

        fn has_tags(&self) -> bool {
            self.has_tags
        }

        fn sent_len(&self, text: &str) -> usize {
            if self.has_tags {
                escaped_len(TaggedText::new(text, &self.tokens(text)).sent().as_bytes())
            } else {
                escaped_len(text.as_bytes())
            }
        }
    }

    fn pieces(text: &str, limit: usize, has_tags: bool, read: usize) -> Result<Vec<String>, String> {
        let mut reader = WholeText.protected_reader(limit_of(limit), Arc::new(Brackets { has_tags }));
        let all =
            read_all(&mut *reader, text.as_bytes(), read).map_err(|e| format!("{}: {}", e.at.unwrap(), e.what))?;
        Ok(all.into_iter().map(|record| String::from_utf8(record.bytes).unwrap()).collect())
    }

    #[test]
    fn splits_between_tokens_by_the_sent_size() {
        for (text, limit, has_tags, expected) in [
            ("aaa [b. c\n\nd] eee", 48, true, &["aaa [b. c\n\nd] eee"][..]),
            ("aaa [b. c\n\nd] eee", 34, true, &["aaa [b. c\n\nd] ", "eee"]),
            ("aaa [b. c\n\nd] eee", 18, false, &["aaa [b. c\n\nd] ", "eee"]),
            ("aaaaaaaaa[bbb]", 28, true, &["aaaaaaaaa", "[bbb]"]),
            ("a&b&c&d&", 16, true, &["a&b&c", "&d&"]),
            ("a. [b]\r\nc [d\r\ne]\r\n[f]", 54, true, &["a. [b]\r\nc [d\r\ne]\r\n", "[f]"]),
            ("aaaaaaaaaaaaaa[b]\u{301}\u{301}", 16, false, &["aaaaaaaaaaaaaa", "[b]\u{301}\u{301}"]),
        ] {
            assert_eq!(pieces(text, limit, has_tags, 5).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn reports_the_position_of_a_token_that_does_not_fit() {
        let text = format!("one\ntwo [{}] three", "x".repeat(60));
        let message = "stdin:2:5: a placeholder needs a request of 118 bytes; the limit is 90";
        assert_eq!(pieces(&text, 50, true, 9).unwrap_err(), message);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn pieces_fit_and_do_not_depend_on_read_sizes(
            parts in prop::collection::vec(
                prop::sample::select(vec!["[a]", "[b c]", "[\n\n]", "[", "]", "&", "\r\n", "\n", "\n\n", " ", "a. ", "word", "é", "\u{1}", "。"]),
                0..60,
            ),
            limit in 70usize..200,
            read in 1usize..50,
            has_tags: bool,
        ) {
            let text = parts.concat();
            // Two brackets that are far apart form a placeholder that does not fit, so the text is refused.
            let Ok(all) = pieces(&text, limit, has_tags, read) else { return Ok(()) };
            prop_assert_eq!(all.concat(), text.as_str());
            prop_assert_eq!(&all, &pieces(&text, limit, has_tags, 4096).unwrap());
            let protection = Brackets { has_tags };
            let protected = ProtectedText { protection: &protection, limit };
            for piece in &all {
                prop_assert!(protected.fits(piece.trim()), "{:?}", piece);
            }
            if !text.contains('\r') {
                let mut at = 0;
                let tokens = protection.tokens(&text);
                for piece in &all {
                    at += piece.len();
                    let cut = tokens.iter().any(|token| token.byte_range().start < at && at < token.byte_range().end);
                    prop_assert!(!cut, "{:?} in {:?}", at, text);
                }
            }
        }
    }
}
