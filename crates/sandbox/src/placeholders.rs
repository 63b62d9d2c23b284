//! Finds the parts of a text that translation must not change: placeholders, variables, URLs and email addresses.

use tulk_base::addresses::{email_around, url_len};

/// Returns the length in bytes of the placeholder at the start of a text, or 0. Set `starts_word` if the text starts at a
/// word boundary, and `may_have_emails` to look for email addresses.
pub fn placeholder_len(text: &str, starts_word: bool, may_have_emails: bool) -> usize {
    match text.as_bytes().first() {
        Some(b'%') => percent_len(text),
        Some(b'{') => braces_len(text),
        Some(b'$') => dollar_len(text),
        Some(byte) if starts_word && byte.is_ascii_alphanumeric() => {
            url_len(text).unwrap_or_else(|| if may_have_emails { email_len(text) } else { 0 })
        }
        _ => 0,
    }
}

/// Measures `%s`, `%1$d`, `%-5.2f`, `%@`, `%%`, `%{name}` and `%(name)s`.
fn percent_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    match bytes.get(1) {
        Some(b'%') => return 2,
        Some(b'{') => return text.get(1..).map(braces_len).filter(|len| *len > 0).map_or(0, |len| len + 1),
        _ => {}
    }
    let mut at = 1;
    if bytes.get(at) == Some(&b'(') {
        let Some(end) = bytes.iter().take(64).position(|byte| *byte == b')') else { return 0 };
        at = end + 1;
    }
    if bytes.get(digits(at)) == Some(&b'$') && digits(at) > at {
        at = digits(at) + 1;
    }
    while bytes.get(at).is_some_and(|byte| b"-+#0'".contains(byte)) {
        at += 1;
    }
    at = if bytes.get(at) == Some(&b'*') { at + 1 } else { digits(at) };
    if bytes.get(at) == Some(&b'.') {
        at = if bytes.get(at + 1) == Some(&b'*') { at + 2 } else { digits(at + 1) };
    }
    while bytes.get(at).is_some_and(|byte| b"hlLqjzt".contains(byte)) {
        at += 1;
    }
    if bytes.get(at).is_some_and(|byte| b"diouxXeEfFgGaAcCsSpn@".contains(byte)) { at + 1 } else { 0 }
}

/// Measures `{name}`, `{0}`, `{{ name }}` and `{n, plural, one {x}}`: balanced braces on one line that do not contain a
/// sentence.
fn braces_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let double = bytes.get(1) == Some(&b'{');
    if !double && !bytes.get(1).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_$@#%:.}".contains(byte)) {
        return 0;
    }
    let mut depth = 0_usize;
    for (at, &byte) in bytes.iter().enumerate().take(200) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => {
                let name = text.get(1..at).unwrap_or_default();
                let sentence = !double && name.contains(' ') && !name.contains(',');
                return if sentence { 0 } else { at + 1 };
            }
            b'}' => depth -= 1,
            b'\n' => return 0,
            _ => {}
        }
    }
    0
}

/// Measures `${x}`, `$VAR` and `$name`, but not an amount such as `$5`.
fn dollar_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(1) {
        Some(b'{') => text.get(1..).map(braces_len).filter(|len| *len > 0).map_or(0, |len| len + 1),
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            1 + bytes.iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
        }
        _ => 0,
    }
}

fn email_len(text: &str) -> usize {
    let sign = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte)).count();
    let is_sign = text.get(sign..).is_some_and(|rest| rest.starts_with('@'));
    let address = is_sign.then(|| email_around(text, 0, sign)).flatten();
    address.filter(|address| address.start == 0).map_or(0, |address| address.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_placeholders() {
        for (text, len) in [
            ("%s left", 2),
            ("%1$d of", 4),
            ("%-5.2f", 6),
            ("%lld", 4),
            ("%@", 2),
            ("%%", 2),
            ("%{count} x", 8),
            ("%(name)s x", 8),
            ("% off", 0),
            ("%", 0),
            ("{name} x", 6),
            ("{0}", 3),
            ("{{ user.name }} x", 15),
            ("{n, plural, one {# cup} other {# cups}} x", 39),
            ("{}", 2),
            ("{ a note }", 0),
            ("{see the note}", 0),
            ("{open", 0),
            ("${x} y", 4),
            ("$HOME/x", 5),
            ("$5", 0),
            ("https://example.org/a?b=c. Next", 25),
            ("www.example.org, x", 15),
            ("tea@example.org.", 15),
            ("tea@home", 0),
            ("water", 0),
        ] {
            assert_eq!(placeholder_len(text, true, true), len, "{text}");
        }
        assert_eq!(placeholder_len("www.example.org", false, true), 0);
    }
}
