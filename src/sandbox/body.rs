//! Request bodies and queries as values: JSON, forms, repeated keys, comma lists.
//!
//! A wrong JSON type is a 400 of the service, never of the framework. Spec: "Conventions", C4.

use std::fmt;

use axum::http::{HeaderMap, Uri, header};
use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::reply::Refusal;

/// Characters of a parser's complaint that are passed on.
const QUOTED_MAX: usize = 160;

/// How a body says it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEncoding {
    /// `application/json`, or nothing said.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// Anything else.
    Other,
}

/// Reads the content type.
pub fn encoding(headers: &HeaderMap) -> BodyEncoding {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return BodyEncoding::Json };
    let value = value.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    if value.eq_ignore_ascii_case(b"application/json") {
        BodyEncoding::Json
    } else if value.eq_ignore_ascii_case(b"application/x-www-form-urlencoded") {
        BodyEncoding::Form
    } else if value.eq_ignore_ascii_case(b"multipart/form-data") {
        BodyEncoding::Multipart
    } else {
        BodyEncoding::Other
    }
}

/// Reads a JSON body: 415 for another content type, 400 for what does not fit.
pub fn json<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Refusal> {
    match encoding(headers) {
        BodyEncoding::Json => parse(body),
        _ => Err(Refusal::content_type()),
    }
}

/// Reads a JSON or form body. `lists` names the fields that are lists: in a form their key may repeat.
pub fn json_or_form<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8], shape: &FormSchema) -> Result<T, Refusal> {
    match encoding(headers) {
        BodyEncoding::Json => parse(body),
        BodyEncoding::Form => {
            let fields = Value::Object(shape.read(body)?);
            T::deserialize(fields).map_err(|error| Refusal::bad(format!("Bad request. Reason: {}.", shorten(&error))))
        }
        _ => Err(Refusal::content_type()),
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        let what = if error.is_data() { "Bad request. Reason" } else { "Malformed JSON" };
        Refusal::bad(format!("{what}: {}.", shorten(&error)))
    })
}

/// An error may quote the value that does not fit, which may be a whole text.
fn shorten(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.chars().count() <= QUOTED_MAX {
        return text;
    }
    let (half, all): (usize, Vec<char>) = (QUOTED_MAX / 2, text.chars().collect());
    let (start, end) = (all.iter().take(half), all.iter().skip(all.len() - half));
    start.chain(&['…']).chain(end).collect()
}

/// What a form's values, which are all text, stand for.
pub struct FormSchema {
    /// Keys that may repeat and make a list.
    pub lists: &'static [&'static str],
    /// Keys whose value is `1` or `0`.
    pub switches: &'static [&'static str],
    /// Keys whose value is a whole number.
    pub numbers: &'static [&'static str],
}

impl FormSchema {
    fn read(&self, body: &[u8]) -> Result<Map<String, Value>, Refusal> {
        let mut fields = Map::new();
        for (key, value) in pairs(body)? {
            // `text[]=` is how some form libraries write a repeated key.
            let key = key.strip_suffix("[]").map_or(key.as_str(), |bare| bare).to_owned();
            if self.lists.contains(&key.as_str()) {
                match fields.entry(key).or_insert_with(|| Value::Array(Vec::new())) {
                    Value::Array(list) => list.push(Value::String(value)),
                    other => *other = Value::String(value),
                }
                continue;
            }
            let value = if self.switches.contains(&key.as_str()) {
                switch(&key, &value)?
            } else if self.numbers.contains(&key.as_str()) {
                let number: i64 =
                    value.parse().map_err(|_| Refusal::bad(format!("Value for '{key}' not supported.")))?;
                Value::from(number)
            } else {
                Value::String(value)
            };
            fields.insert(key, value);
        }
        Ok(fields)
    }
}

fn switch(key: &str, value: &str) -> Result<Value, Refusal> {
    match value {
        "1" | "true" => Ok(Value::Bool(true)),
        "0" | "false" => Ok(Value::Bool(false)),
        _ => Err(Refusal::bad(format!("Value for '{key}' not supported."))),
    }
}

/// The pairs of a query, in order, repeated keys kept.
pub fn query(uri: &Uri) -> Result<Vec<(String, String)>, Refusal> {
    pairs(uri.query().unwrap_or_default().as_bytes())
}

/// The value of a key in a query; the last one counts.
pub fn value<'a>(pairs: &'a [(String, String)], key: &str) -> Option<&'a str> {
    pairs.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Reads `page` (from 0) and `page_size` (1 to 25, default 10).
pub fn page(pairs: &[(String, String)]) -> Result<(usize, usize), Refusal> {
    let number = |key: &str, default: usize| match value(pairs, key) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| Refusal::bad(format!("Value for '{key}' not supported."))),
    };
    let (page, size) = (number("page", 0)?, number("page_size", 10)?);
    if !(1..=25).contains(&size) {
        return Err(Refusal::bad("page_size must lie between 1 and 25").code("out_of_range"));
    }
    Ok((page, size))
}

/// Splits `a=b&c=d` and decodes both sides.
fn pairs(text: &[u8]) -> Result<Vec<(String, String)>, Refusal> {
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
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(nibble(*high) << 4 | nibble(*low));
                rest = after;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).map_err(|_| Refusal::bad("Request parameters are not valid UTF-8."))
}

fn nibble(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// A list of names that may come as an array or as one comma-separated text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct NameList(pub Vec<String>);

impl<'de> Deserialize<'de> for NameList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = NameList;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of strings or one comma-separated string")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<NameList, E> {
                let mut names = NameList::default();
                names.add(text);
                Ok(names)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<NameList, A::Error> {
                let mut names = NameList::default();
                while let Some(text) = seq.next_element::<String>()? {
                    names.add(&text);
                }
                Ok(names)
            }
        }
        deserializer.deserialize_any(Names)
    }
}

impl NameList {
    fn add(&mut self, text: &str) {
        self.0.extend(text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_a_form_with_repeated_keys() {
        let shape = FormSchema { lists: &["text"], switches: &["on"], numbers: &["n"] };
        let fields = shape.read(b"text=a+b&text=%C3%A4%2B&on=1&n=75&x=&odd=5%").unwrap();
        assert_eq!(
            Value::Object(fields),
            serde_json::json!({"text": ["a b", "ä+"], "on": true, "n": 75, "x": "", "odd": "5%"})
        );
        assert_eq!(shape.read(b"on=yes").unwrap_err().status, 400);
        assert_eq!(shape.read(b"text=%ff").unwrap_err().status, 400);
    }

    #[test]
    fn takes_lists_as_arrays_and_as_text() {
        for text in [r#"["a","b"]"#, r#""a, b""#, r#"["a,b"]"#] {
            let names: NameList = serde_json::from_str(text).unwrap();
            assert_eq!(names.0, ["a", "b"], "{text}");
        }
        assert!(serde_json::from_str::<NameList>("3").is_err());
    }

    #[test]
    fn bounds_pages() {
        let pairs = |text: &str| query(&format!("/x?{text}").parse().unwrap()).unwrap();
        assert_eq!(page(&pairs("")).unwrap(), (0, 10));
        assert_eq!(page(&pairs("page=3&page_size=25")).unwrap(), (3, 25));
        for bad in ["page_size=0", "page_size=26", "page=-1", "page=x"] {
            assert_eq!(page(&pairs(bad)).unwrap_err().status, 400, "{bad}");
        }
    }
}
