//! Parses the tags and entities in a result, tolerating changes that the service may make to their notation.

use super::{FIXED_ELEMENT, PAIR_ELEMENT};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireTag {
    /// Element, id, and whether it is empty (`<x id="1"/>`).
    Start(WireElement, usize, bool),
    End(WireElement),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireElement {
    Fixed,
    Pair,
}

/// Parses the tag of a token at the start of `text`, and returns it with its length in bytes. The case of names, the kind
/// of quotes, whitespace and other attributes are ignored.
pub(super) fn tag_at(text: &str) -> Option<(WireTag, usize)> {
    let inner = text.strip_prefix('<')?;
    let (is_end, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner.trim_start()));
    let name_len = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let (name, mut rest) = inner.split_at(name_len);
    let element = if name.eq_ignore_ascii_case(FIXED_ELEMENT) {
        WireElement::Fixed
    } else if name.eq_ignore_ascii_case(PAIR_ELEMENT) {
        WireElement::Pair
    } else {
        return None;
    };
    let mut id = None;
    loop {
        let before = rest.len();
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            let tag = if is_end { WireTag::End(element) } else { WireTag::Start(element, id?, false) };
            return Some((tag, text.len() - after.len()));
        }
        if let Some(after) = rest.strip_prefix('/') {
            let after = after.trim_start().strip_prefix('>').filter(|_| !is_end)?;
            return Some((WireTag::Start(element, id?, true), text.len() - after.len()));
        }
        if rest.len() == before || is_end {
            return None;
        }
        let (key, value, after) = attribute(rest)?;
        if key.eq_ignore_ascii_case("id") && id.replace(value.trim().parse().ok()?).is_some() {
            return None;
        }
        rest = after;
    }
}

/// Returns the name, the value, and the rest.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = text.split_once('=')?;
    let key = key.trim_end();
    if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || "_:-.".contains(c)) {
        return None;
    }
    let rest = rest.trim_start();
    if let Some(quoted) = rest.strip_prefix(['"', '\'']) {
        let (value, after) = quoted.split_once(rest.chars().next()?)?;
        return Some((key, value, after));
    }
    let end = rest.find(|c: char| c.is_whitespace() || "/>".contains(c))?;
    let (value, after) = rest.split_at(end);
    Some((key, value, after))
}

/// Decodes the XML reference at the start of `text`, such as `&amp;`, `&#39;` or `&#x27;`, and returns the character and
/// the length in bytes.
pub(super) fn reference_at(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let character = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |digits| (digits, 16));
            // `parse` would also accept a plus sign.
            if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
                return None;
            }
            char::from_u32(u32::from_str_radix(digits, radix).ok()?)?
        }
    };
    Some((character, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tags_in_any_notation() {
        let start = |element, id, is_empty| Some(WireTag::Start(element, id, is_empty));
        for (text, tag) in [
            ("<x id=\"1\">", start(WireElement::Fixed, 1, false)),
            ("<x id='12'/>", start(WireElement::Fixed, 12, true)),
            ("<X  ID = \"1\" >", start(WireElement::Fixed, 1, false)),
            ("<x\nid=1 />", start(WireElement::Fixed, 1, true)),
            ("<x id=1/>", start(WireElement::Fixed, 1, true)),
            ("<g data-n='>' id=\"3\">", start(WireElement::Pair, 3, false)),
            ("</g>", Some(WireTag::End(WireElement::Pair))),
            ("</ x >", Some(WireTag::End(WireElement::Fixed))),
            ("<x>", None),
            ("<x id>", None),
            ("<x id=\"\">", None),
            ("<x id=\"-1\">", None),
            ("<x id=\"1\" id=\"2\">", None),
            ("<xid=\"1\">", None),
            ("<xy id=\"1\">", None),
            ("<x id=\"1\"", None),
            ("< x id=\"1\">", None),
            ("</x/>", None),
            ("</x id=\"1\">", None),
            ("<b>", None),
            ("<", None),
        ] {
            assert_eq!(tag_at(text), tag.map(|tag| (tag, text.len())), "{text}");
        }
    }

    #[test]
    fn reads_xml_references() {
        for (text, expected) in [
            ("&amp;amp;", Some(('&', 5))),
            ("&lt;", Some(('<', 4))),
            ("&gt;", Some(('>', 4))),
            ("&quot;", Some(('"', 6))),
            ("&apos;", Some(('\'', 6))),
            ("&#39;", Some(('\'', 5))),
            ("&#x1F375; tea", Some(('🍵', 9))),
            ("&#13;", Some(('\r', 5))),
            ("&nbsp;", None),
            ("&AMP;", None),
            ("&#xd800;", None),
            ("&#+1;", None),
            ("&#;", None),
            ("&", None),
            ("& a;", None),
        ] {
            assert_eq!(reference_at(text), expected, "{text}");
        }
    }
}
