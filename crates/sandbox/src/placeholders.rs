//! Parts of a text that translation must not change: placeholders, variables, URLs and e-mail addresses.

/// Returns the length in bytes of the placeholder that a text starts with, or 0.
///
/// `starts_word` tells whether the text starts at a word boundary, `may_have_emails` whether to look for e-mail addresses.
pub fn placeholder_len(text: &str, starts_word: bool, may_have_emails: bool) -> usize {
    match text.as_bytes().first() {
        Some(b'%') => percent(text),
        Some(b'{') => braces(text),
        Some(b'$') => dollar(text),
        Some(b'h' | b'H' | b'w' | b'W' | b'f' | b'm') if starts_word && url(text) > 0 => url(text),
        Some(byte) if may_have_emails && starts_word && byte.is_ascii_alphanumeric() => email(text),
        _ => 0,
    }
}

/// Measures `%s`, `%1$d`, `%-5.2f`, `%@`, `%%`, `%{name}` and `%(name)s`.
fn percent(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    match bytes.get(1) {
        Some(b'%') => return 2,
        Some(b'{') => return text.get(1..).map(braces).filter(|len| *len > 0).map_or(0, |len| len + 1),
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

/// Measures `{name}`, `{0}`, `{{ name }}` and `{n, plural, one {x}}`: balanced, on one line, not a sentence in braces.
fn braces(text: &str) -> usize {
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
fn dollar(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(1) {
        Some(b'{') => text.get(1..).map(braces).filter(|len| *len > 0).map_or(0, |len| len + 1),
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            1 + bytes.iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
        }
        _ => 0,
    }
}

fn url(text: &str) -> usize {
    let starts = |prefix: &str| text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
    if !["http://", "https://", "ftp://", "www.", "mailto:"].into_iter().any(starts) {
        return 0;
    }
    let end = text.find(|c: char| c.is_whitespace() || "<>\"'`|".contains(c)).unwrap_or(text.len());
    text.get(..end).map_or(0, |url| url.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}']).len())
}

fn email(text: &str) -> usize {
    let name = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte)).count();
    let Some(host) = text.get(name..).and_then(|rest| rest.strip_prefix('@')) else { return 0 };
    let end = host.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b".-".contains(byte)).count();
    let host = host.get(..end).unwrap_or_default().trim_end_matches(['.', '-']);
    if host.contains('.') { name + 1 + host.len() } else { 0 }
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
