//! Parses query parameters. Form bodies use the same decoding.

use axum::http::Uri;
use percent_encoding::percent_decode;

use super::reply::Refusal;

/// The parameters of a query, in order. Keys may repeat.
#[derive(Debug, PartialEq, Eq)]
pub struct QueryParams(Vec<(String, String)>);

impl QueryParams {
    pub fn parse(uri: &Uri) -> Result<Self, Refusal> {
        parse_pairs(uri.query().unwrap_or_default().as_bytes()).map(Self)
    }

    /// Returns the value of a parameter; the last value if it repeats.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns `page` (from 0) and `page_size` (1 to 25, default 10).
    pub fn page(&self) -> Result<(usize, usize), Refusal> {
        let (page, size) = (self.number("page", 0)?, self.number("page_size", 10)?);
        if !(1..=25).contains(&size) {
            return Err(Refusal::bad_request("page_size must lie between 1 and 25").code("out_of_range"));
        }
        Ok((page, size))
    }

    /// Returns `page_size`, which must be at least 1 and is reduced to `max`.
    pub fn page_size(&self, default: usize, max: usize) -> Result<usize, Refusal> {
        match self.number("page_size", default)? {
            0 => Err(Refusal::bad_request("page_size must be at least 1").code("out_of_range")),
            size => Ok(size.min(max)),
        }
    }

    pub fn number(&self, key: &str, default: usize) -> Result<usize, Refusal> {
        let Some(text) = self.get(key) else { return Ok(default) };
        text.parse().map_err(|_| Refusal::bad_request(format!("Value for '{key}' not supported.")))
    }
}

/// Splits `a=b&c=d` and decodes both sides. Refuses text that is not UTF-8, which other decoders would replace.
pub(super) fn parse_pairs(text: &[u8]) -> Result<Vec<(String, String)>, Refusal> {
    text.split(|&byte| byte == b'&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let mut sides = pair.splitn(2, |&byte| byte == b'=');
            let key = sides.next().unwrap_or_default();
            Ok((decode(key)?, decode(sides.next().unwrap_or_default())?))
        })
        .collect()
}

fn decode(text: &[u8]) -> Result<String, Refusal> {
    let spaced: Vec<u8> = text.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
    let decoded = percent_decode(&spaced).decode_utf8();
    decoded.map(Into::into).map_err(|_| Refusal::bad_request("Request parameters are not valid UTF-8."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> QueryParams {
        QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap()
    }

    #[test]
    fn decodes_percent_escapes_and_plus_signs() {
        let query = query("a=x+y&b=%C3%A4%2B&c=&d&a=5%&=e=f");
        let pairs: Vec<_> = query.iter().collect();
        assert_eq!(pairs, [("a", "x y"), ("b", "ä+"), ("c", ""), ("d", ""), ("a", "5%"), ("", "e=f")]);
        assert_eq!((query.get("a"), query.get("d"), query.get("z")), (Some("5%"), Some(""), None));
    }

    #[test]
    fn refuses_bytes_that_are_not_utf_8() {
        let refusal = QueryParams::parse(&"/x?a=%ff".parse().unwrap()).unwrap_err();
        assert_eq!((refusal.status, refusal.message.as_str()), (400, "Request parameters are not valid UTF-8."));
    }

    #[test]
    fn limits_the_page_size() {
        assert_eq!(query("").page().unwrap(), (0, 10));
        assert_eq!(query("page=3&page_size=25").page().unwrap(), (3, 25));
        for bad in ["page_size=0", "page_size=26", "page=-1", "page=x"] {
            assert_eq!(query(bad).page().unwrap_err().status, 400, "{bad}");
        }
    }
}
