//! Finds the URLs and e-mail addresses in a text. They are not translated.

use std::ops::Range;

/// Maximum length of a scheme in bytes.
const SCHEME_BYTES: usize = 32;

/// Returns the length in bytes of the URL at the start of a text. A URL starts with a scheme and `://`, with `www.` or with `mailto:`.
///
/// Trailing punctuation belongs to the sentence, and so does a closing bracket without an opening one in the URL. A host may be a
/// placeholder: `https://{host}/a`.
pub fn url_len(text: &str) -> Option<usize> {
    let head = head_len(text)?;
    let rest = text.get(head..)?;
    let is_ip = rest.strip_prefix('[').is_some_and(|ip| ip.starts_with(|c: char| c == ':' || c.is_ascii_hexdigit()));
    if !is_ip && !rest.starts_with(|c: char| c.is_alphanumeric() || "{$%~_-/".contains(c)) {
        return None;
    }
    let mut open = [0_u32; 3];
    let end = rest.find(|c: char| {
        let Some(bracket) = "([{)]}".find(c) else { return !is_url_char(c) };
        let Some(depth) = open.get_mut(bracket % 3) else { return true };
        match (bracket < 3, depth.checked_sub(1)) {
            (true, _) => *depth += 1,
            (false, Some(less)) => *depth = less,
            (false, None) => return true,
        }
        false
    });
    let url = rest.get(..end.unwrap_or(rest.len()))?.trim_end_matches(|c| ".,;:!?*_~([{".contains(c));
    (!url.is_empty()).then_some(head + url.len())
}

fn head_len(text: &str) -> Option<usize> {
    let is_head = |head: &&str| text.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head));
    if let Some(head) = ["www.", "mailto:"].into_iter().find(is_head) {
        return Some(head.len());
    }
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let scheme = text.bytes().take(SCHEME_BYTES).take_while(is_scheme).count();
    let is_url = scheme > 1
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.get(scheme..).is_some_and(|rest| rest.starts_with("://"));
    is_url.then_some(scheme + 3)
}

fn is_url_char(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_graphic() && !"<>\"'`|\\^".contains(c) } else { is_word_char(c) }
}

/// Returns whether a URL can start at a position: not after a letter, unless that letter is Chinese, Japanese or Korean.
pub fn is_word_start(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    !before.is_some_and(|c| c.is_alphabetic() && is_word_char(c))
}

/// Returns the first URL that starts at or after a position.
pub fn next_url(text: &str, at: usize) -> Option<Range<usize>> {
    let letters =
        text.get(at..)?.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(offset, _)| at + offset);
    letters
        .filter(|start| is_word_start(text, *start))
        .find_map(|start| Some(start..start + url_len(text.get(start..)?)?))
}

/// Returns the e-mail address around the `@` at `sign`. It starts at `from` or later; its domain has a dot and ends with letters.
pub fn email_around(text: &str, from: usize, sign: usize) -> Option<Range<usize>> {
    let is_domain_char = |c: char| c == '.' || c == '-' || is_word_char(c);
    let before = text.get(from..sign)?;
    let local = before.get(before.trim_end_matches(|c| is_domain_char(c) || "_%+'".contains(c)).len()..)?;
    let local = local.trim_start_matches(['.', '-', '\'', '%', '+']);
    let after = text.get(sign + 1..)?;
    let end = after.find(|c| !is_domain_char(c)).unwrap_or(after.len());
    let domain = after.get(..end)?.trim_end_matches(['.', '-']);
    let last = domain.rsplit_once('.').map_or("", |(_, last)| last);
    let is_domain = last.chars().nth(1).is_some() && last.chars().all(char::is_alphabetic) && !domain.starts_with('.');
    (is_domain && !local.is_empty() && !local.ends_with('.')).then(|| sign - local.len()..sign + 1 + domain.len())
}

/// Returns the first e-mail address that starts at or after a position.
pub fn next_email(text: &str, at: usize) -> Option<Range<usize>> {
    let mut from = at;
    loop {
        let sign = from + text.get(from..)?.find('@')?;
        if let Some(found) = email_around(text, from, sign) {
            return Some(found);
        }
        from = sign + 1;
    }
}

/// Returns whether a character is a letter or digit other than a Chinese, Japanese or Korean one. Those end an address, because they can
/// follow it without a space.
fn is_word_char(c: char) -> bool {
    let is_cjk = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}');
    c.is_alphanumeric() && !is_cjk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_end_before_the_punctuation_of_the_sentence() {
        for (text, url) in [
            ("See https://example.org/a?b=c.", "https://example.org/a?b=c"),
            ("(www.example.org/a_(b)).", "www.example.org/a_(b)"),
            ("[http://a.b](http://c.d)", "http://a.b"),
            ("**HTTPS://a.b** x", "HTTPS://a.b"),
            ("「http://e.f」", "http://e.f"),
            ("詳細はhttps://example.jp/aをご覧", "https://example.jp/a"),
            ("https://de.example.org/Größe und", "https://de.example.org/Größe"),
            ("https://{host}/a and", "https://{host}/a"),
            ("http://[::1]:80/, x", "http://[::1]:80/"),
            ("file:///a or app+x://b", "file:///a"),
            ("mailto:a@b.org; x", "mailto:a@b.org"),
        ] {
            let found = next_url(text, 0).and_then(|range| text.get(range));
            assert_eq!(found, Some(url), "{text}");
        }
        for text in ["https:// x", "nowww.x", "x://a", "://a", "www.", "http://(http://", "http://..."] {
            assert_eq!(next_url(text, 0), None, "{text}");
        }
    }

    #[test]
    fn e_mail_addresses_have_a_domain() {
        for (text, address) in [
            ("me.x+y@example.org.", Some("me.x+y@example.org")),
            ("('tea@a-b.example.org')", Some("tea@a-b.example.org")),
            ("a@b or c@d.ef", Some("c@d.ef")),
            ("a@b.1 @c.de", None),
        ] {
            assert_eq!(next_email(text, 0).and_then(|range| text.get(range)), address, "{text}");
        }
    }
}
