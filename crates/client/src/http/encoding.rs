//! Percent-encoding of paths, queries and forms. A space is always `%20`, because not every server decodes `+` in a query as a space.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Like `QUERY`, but keeps the colon: IDs of developer keys contain one.
const PATH_SEGMENT: &AsciiSet = &QUERY.remove(b':');

/// Encodes one segment of a path.
pub fn encode_segment(segment: &str) -> Cow<'_, str> {
    utf8_percent_encode(segment, PATH_SEGMENT).into()
}

/// Encodes pairs as `application/x-www-form-urlencoded`, for queries and forms.
pub fn encode_pairs(pairs: &[(String, String)]) -> String {
    let encoded: Vec<String> = pairs
        .iter()
        .map(|(key, value)| format!("{}={}", utf8_percent_encode(key, QUERY), utf8_percent_encode(value, QUERY)))
        .collect();
    encoded.join("&")
}

/// Decodes a query into pairs.
pub fn decode_pairs(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// Returns a path percent-decoded, without its query, as a server might read it.
pub fn decode_path(path: &str) -> Cow<'_, str> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    percent_decode_str(path).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_all_but_unreserved_characters() {
        assert_eq!(encode_segment("a/b c?d:e-._~%ä"), "a%2Fb%20c%3Fd:e-._~%25%C3%A4");
        let pairs = [("a[b]".to_owned(), "1:2 +".to_owned()), ("c".to_owned(), String::new())];
        assert_eq!(encode_pairs(&pairs), "a%5Bb%5D=1%3A2%20%2B&c=");
        assert_eq!(encode_pairs(&[]), "");
    }

    #[test]
    fn decodes_what_it_encodes() {
        let pairs = vec![("a[b]".to_owned(), "1:2 +&=ä".to_owned()), ("c".to_owned(), String::new())];
        assert_eq!(decode_pairs(&encode_pairs(&pairs)), pairs);
        assert_eq!(decode_path("/a%2Fb%zz%4?x=%20"), "/a/b%zz%4");
    }
}
