//! Addresses in a text, for the presets `url` and `email`.

use std::ops::Range;

/// Returns the next address of the web: with a scheme and `://`, or after `www.` or `mailto:`.
///
/// Punctuation at its end is that of the sentence, and so is a bracket without a counterpart in the address.
pub fn next_url(text: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        let start = [scheme_start(text, at), word_start(text, at, "www."), word_start(text, at, "mailto:")];
        let (start, head) = start.into_iter().flatten().min()?;
        let from = text.get(start..)?;
        let end = from.find(|c: char| !is_url_char(c)).unwrap_or(from.len());
        let len = without_punctuation(from.get(..end)?).len();
        if len > head {
            return Some(start..start + len);
        }
        at = start + head;
    }
}

/// Returns where the next scheme begins, and the length of the scheme with `://`.
fn scheme_start(text: &str, at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    loop {
        let colon = from + text.get(from..)?.find("://")?;
        let before = text.get(at..colon)?;
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
        let scheme = before.get(before.trim_end_matches(is_scheme).len()..)?;
        let scheme = scheme.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        if scheme.len() > 1 {
            return Some((colon - scheme.len(), scheme.len() + 3));
        }
        from = colon + 3;
    }
}

/// Returns where a word begins that starts with `head`, in any case, and the length of `head`.
fn word_start(text: &str, at: usize, head: &str) -> Option<(usize, usize)> {
    let mark = head.bytes().next_back()?;
    let letters = head.len() - 1;
    let found = memchr::memchr_iter(mark, text.get(at..)?.as_bytes()).find_map(|end| {
        let start = (at + end).checked_sub(letters).filter(|start| *start >= at)?;
        let is_head = text.get(start..=at + end)?.eq_ignore_ascii_case(head);
        let continues = text.get(..start)?.chars().next_back().is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
        (is_head && !continues).then_some(start)
    })?;
    Some((found, head.len()))
}

fn is_url_char(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_graphic() && !"<>\"'`|\\^".contains(c) } else { c.is_alphanumeric() && !is_cjk(c) }
}

/// Returns an address without the punctuation at its end.
fn without_punctuation(url: &str) -> &str {
    let mut url = url;
    while let Some(last) = url.chars().next_back() {
        let count = |bracket: char| url.matches(bracket).count();
        let is_outside = match last {
            ')' => count('(') < count(')'),
            ']' => count('[') < count(']'),
            '}' => count('{') < count('}'),
            _ => ".,;:!?*".contains(last),
        };
        if !is_outside {
            break;
        }
        url = url.get(..url.len() - last.len_utf8()).unwrap_or_default();
    }
    url
}

/// Returns the next e-mail address. Its domain has a dot and ends with letters.
pub fn next_email(text: &str, at: usize) -> Option<Range<usize>> {
    let mut from = at;
    loop {
        let sign = from + memchr::memchr(b'@', text.get(from..)?.as_bytes())?;
        let before = text.get(from..sign)?;
        let local = before.get(before.trim_end_matches(|c| is_address_char(c) || "_%+'".contains(c)).len()..)?;
        let local = local.trim_start_matches(['.', '-', '\'', '%', '+']);
        let after = text.get(sign + 1..)?;
        let end = after.find(|c| !is_address_char(c)).unwrap_or(after.len());
        let domain = after.get(..end)?.trim_end_matches(['.', '-']);
        let last = domain.rsplit_once('.').map_or("", |(_, last)| last);
        let is_domain =
            last.chars().nth(1).is_some() && last.chars().all(char::is_alphabetic) && !domain.starts_with('.');
        if is_domain && !local.is_empty() && !local.ends_with('.') {
            return Some(sign - local.len()..sign + 1 + domain.len());
        }
        from = sign + 1;
    }
}

fn is_address_char(c: char) -> bool {
    c == '.' || c == '-' || c.is_alphanumeric() && !is_cjk(c)
}

/// Returns whether a character is of a script without spaces between words, so that it ends an address.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}')
}
