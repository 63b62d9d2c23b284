//! Decodes and encodes PHP string literals.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhpQuote {
    Single,
    Double,
}

/// Returns `None` if the literal interpolates variables or is not UTF-8.
pub fn decode(literal: &str) -> Option<String> {
    if let Some(inner) = literal.strip_prefix('\'') {
        return Some(decode_single(inner.strip_suffix('\'')?));
    }
    decode_double(literal.strip_prefix('"')?.strip_suffix('"')?)
}

fn decode_single(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.peek().copied().filter(|next| c == '\\' && matches!(next, '\\' | '\''));
        if escaped.is_some() {
            chars.next();
        }
        out.push(escaped.unwrap_or(c));
    }
    out
}

fn decode_double(inner: &str) -> Option<String> {
    let bytes = inner.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let next = bytes.get(at + 1).copied();
        match (byte, next) {
            (b'$', Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'{' | 0x80..)) | (b'{', Some(b'$')) => return None,
            (b'\\', Some(letter)) => at += escape(bytes, at, letter, &mut out)?,
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

/// Appends the character of an escape. Returns the length of the escape; `None` if it is invalid.
fn escape(bytes: &[u8], at: usize, letter: u8, out: &mut Vec<u8>) -> Option<usize> {
    let digits = |from: usize, most: usize, radix: u32| {
        let digits = bytes.get(from..).unwrap_or_default().iter().take(most);
        digits.map_while(|byte| char::from(*byte).to_digit(radix)).collect::<Vec<u32>>()
    };
    let value = |digits: &[u32], radix: u32| digits.iter().fold(0, |number, digit| number * radix + digit);
    let simple = match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'v' => 0x0b,
        b'e' => 0x1b,
        b'f' => 0x0c,
        b'\\' | b'$' | b'"' => letter,
        b'0'..=b'7' => {
            let digits = digits(at + 1, 3, 8);
            // As in PHP, octal escapes above 255 wrap around.
            out.push(u8::try_from(value(&digits, 8) & 0xff).ok()?);
            return Some(1 + digits.len());
        }
        b'x' if bytes.get(at + 2).is_some_and(u8::is_ascii_hexdigit) => {
            let digits = digits(at + 2, 2, 16);
            out.push(u8::try_from(value(&digits, 16)).ok()?);
            return Some(2 + digits.len());
        }
        b'u' if bytes.get(at + 2) == Some(&b'{') => {
            let digits = digits(at + 3, 6, 16);
            let c = char::from_u32(value(&digits, 16)).filter(|_| !digits.is_empty())?;
            if bytes.get(at + 3 + digits.len()) != Some(&b'}') {
                return None;
            }
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(4 + digits.len());
        }
        _ => {
            // Any other backslash is literal.
            out.push(b'\\');
            return Some(1);
        }
    };
    out.push(simple);
    Some(2)
}

/// A text with control characters gets double quotes, unless `has_line_feeds` allows raw line breaks and tabs.
pub fn encode(text: &str, quote: PhpQuote, has_line_feeds: bool) -> String {
    let is_plain = |c: char| !c.is_ascii_control() || (has_line_feeds && matches!(c, '\n' | '\r' | '\t'));
    let mut out = String::with_capacity(text.len() + 2);
    if quote == PhpQuote::Single && text.chars().all(is_plain) {
        out.push('\'');
        for c in text.chars() {
            if matches!(c, '\\' | '\'') {
                out.push('\\');
            }
            out.push(c);
        }
        out.push('\'');
        return out;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '\\' | '"' | '$' => out.extend(['\\', c]),
            '\n' if has_line_feeds => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_control() => {
                let code = format!("{:02X}", u32::from(c));
                out.extend(["\\x", &code]);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
