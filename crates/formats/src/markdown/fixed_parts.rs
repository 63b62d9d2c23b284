//! Finds parts of a text that must not change: expressions and shortcodes in braces, JSX tags with expressions, bare
//! URLs, email addresses, emoji names, footnote references without a footnote.

use std::ops::Range;

use tulk_base::addresses::{email_around, is_word_start, url_len};

/// Maximum number of bytes to search for the end of such a part.
const SEARCHED_BYTES: usize = 16 * 1024;
pub(super) const MAX_BRACE_DEPTH: usize = 32;

/// Returns the fixed parts of a text, in order and without overlaps; `raw` ranges are not searched.
pub(super) fn find_fixed_parts(text: &str, raw: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut fixed: Vec<Range<usize>> = Vec::new();
    let mut raw = raw.iter().peekable();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        while raw.next_if(|part| part.end <= at).is_some() {}
        if let Some(part) = raw.peek().filter(|part| part.start <= at) {
            at = part.end;
            continue;
        }
        let found = match byte {
            b'\\' => {
                at += 2;
                continue;
            }
            b'@' => {
                let from = fixed.last().map_or(0, |last| last.end);
                email_around(text, from, at)
            }
            b'{' => braces_len(bytes.get(at..).unwrap_or_default()).map(|len| at..at + len),
            b'<' => tag_len(bytes.get(at..).unwrap_or_default()).map(|len| at..at + len),
            b'[' => footnote_len(bytes.get(at..).unwrap_or_default()).map(|len| at..at + len),
            b':' if !text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric)) => {
                emoji_len(bytes.get(at..).unwrap_or_default()).map(|len| at..at + len)
            }
            byte if byte.is_ascii_alphabetic() && is_word_start(text, at) => {
                url_len(text.get(at..).unwrap_or_default()).map(|len| at..at + len)
            }
            _ => None,
        };
        match found {
            Some(part) => {
                at = part.end;
                fixed.push(part);
            }
            None => at += 1,
        }
    }
    fixed
}

/// Returns the length of an expression or shortcode in braces. It must not have a blank line, unless it is a comment.
pub(super) fn braces_len(bytes: &[u8]) -> Option<usize> {
    let until =
        |end: &[u8]| memchr::memmem::find(bytes.get(..SEARCHED_BYTES.min(bytes.len()))?, end).map(|at| at + end.len());
    if bytes.starts_with(b"{/*") {
        return until(b"*/}");
    }
    let pairs: [(&[u8], &[u8]); 3] = [(b"{{<", b">}}"), (b"{{%", b"%}}"), (b"{%", b"%}")];
    if let Some((_, end)) = pairs.iter().find(|(start, _)| bytes.starts_with(start)) {
        return until(end).filter(|&len| !has_blank_line(bytes.get(..len).unwrap_or_default()));
    }
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(SEARCHED_BYTES) {
        match byte {
            // Limit the depth: a text of many opening braces would take quadratic time.
            b'{' if depth == MAX_BRACE_DEPTH => return None,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (!has_blank_line(bytes.get(..at)?)).then_some(at + 1);
        }
    }
    None
}

fn has_blank_line(bytes: &[u8]) -> bool {
    let mut line_is_blank = false;
    bytes.iter().any(|byte| {
        let ends_blank_line = *byte == b'\n' && line_is_blank;
        line_is_blank = *byte == b'\n' || (line_is_blank && matches!(byte, b' ' | b'\t' | b'\r' | b'>'));
        ends_blank_line
    })
}

/// Returns the length of a JSX tag that is not HTML: a tag with an expression, or the tag of a fragment.
fn tag_len(bytes: &[u8]) -> Option<usize> {
    for fragment in [b"<>".as_slice(), b"</>"] {
        if bytes.starts_with(fragment) {
            return Some(fragment.len());
        }
    }
    if !bytes.get(1).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let (len, has_expression) = tag_end(bytes, braces_len)?;
    (has_expression && !has_blank_line(bytes.get(..len)?)).then_some(len)
}

/// Returns the length of a tag, and whether it has an expression. `expression_len` measures an expression.
pub(super) fn tag_end(bytes: &[u8], expression_len: fn(&[u8]) -> Option<usize>) -> Option<(usize, bool)> {
    let (mut at, mut has_expression) = (1, false);
    while let Some(byte) = bytes.get(at).filter(|_| at < SEARCHED_BYTES) {
        match byte {
            b'>' => return Some((at + 1, has_expression)),
            b'<' => return None,
            b'{' => {
                has_expression = true;
                at += expression_len(bytes.get(at..)?)?;
            }
            b'"' | b'\'' => at += 2 + memchr::memchr(*byte, bytes.get(at + 1..)?)?,
            _ => at += 1,
        }
    }
    None
}

/// Returns the length of `[^label]`, unless it starts a footnote.
fn footnote_len(bytes: &[u8]) -> Option<usize> {
    let label = bytes.strip_prefix(b"[^")?;
    let len = label.iter().take(200).position(|b| matches!(b, b']' | b'[') || b.is_ascii_whitespace())?;
    let is_label = len > 0 && label.get(len) == Some(&b']') && label.get(len + 1) != Some(&b':');
    is_label.then_some(len + 3)
}

/// Returns the length of `:name:`.
fn emoji_len(bytes: &[u8]) -> Option<usize> {
    let name = bytes.get(1..)?;
    let len = name.iter().take(60).position(|b| !matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'+' | b'-'))?;
    let has_letter =
        name.get(..len)?.iter().any(u8::is_ascii_lowercase) || matches!(name.get(..len)?, b"+1" | b"-1" | b"100");
    let ends = name.get(len) == Some(&b':') && !name.get(len + 1).is_some_and(u8::is_ascii_alphanumeric);
    (has_letter && ends).then_some(len + 2)
}

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests {
    use super::*;

    fn fixed(text: &str) -> Vec<&str> {
        find_fixed_parts(text, &[]).into_iter().map(|part| &text[part]).collect()
    }

    #[test]
    fn finds_expressions_and_shortcodes() {
        assert_eq!(
            fixed("a {b} {{< c \"}\" >}} {{ d | e }} {% f %} {#id}"),
            ["{b}", "{{< c \"}\" >}}", "{{ d | e }}", "{% f %}", "{#id}"]
        );
        assert_eq!(
            fixed("{a: {b: 1}} {open \\{c} {/* d\n\n e */} {x\n y}"),
            ["{a: {b: 1}}", "{/* d\n\n e */}", "{x\n y}"]
        );
        assert_eq!(fixed("{a\n\nb}"), [""; 0]);
    }

    #[test]
    fn finds_tags_with_expressions() {
        assert_eq!(fixed("<A b={1} c=\">\"/> x <b> </A> <></>"), ["<A b={1} c=\">\"/>", "<>", "</>"]);
        assert_eq!(fixed("<A\n  b={`x\ny`}\n>"), ["<A\n  b={`x\ny`}\n>"]);
        assert_eq!(fixed("1 <2 and {x} > 3"), ["{x}"]);
        assert_eq!(fixed("a <B c\n\nd={1}>"), ["{1}"]);
    }

    #[test]
    fn finds_urls_and_addresses() {
        assert_eq!(fixed("See https://a.b/c_d(e)?f=1, or (www.x.org)."), ["https://a.b/c_d(e)?f=1", "www.x.org"]);
        assert_eq!(
            fixed("**https://a.b** [http://c](http://d) 「http://e.f」"),
            ["https://a.b", "http://c", "http://d", "http://e.f"]
        );
        assert_eq!(fixed("me.x+y@example.org. a@b @user https:// nowww.x"), ["me.x+y@example.org"]);
    }

    #[test]
    fn unclosed_brackets_take_linear_time() {
        for unit in ["{", "{{", "(http://", "http://(", "<A {", "www.["] {
            tulk_growth::assert_linear(unit, 1000, |n| unit.repeat(n), |text| assert!(fixed(text).is_empty()));
        }
    }

    #[test]
    fn finds_emoji_and_footnotes() {
        assert_eq!(fixed(":smile: a:b:c :+1: |:---:| 10:30:45"), [":smile:", ":+1:"]);
        assert_eq!(fixed("a[^1] b[^x y]\n[^2]: note"), ["[^1]"]);
    }
}
