//! Request bodies: reads them within size and time limits, streams or discards them, and parses JSON and forms.
//!
//! In forms, keys may repeat, and a list of names may be one value with commas. A value of the wrong type is refused with
//! 400 and the service's message, not the web framework's.

use std::fmt;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::query::parse_pairs;
use super::reply::Refusal;
use super::strict::UnknownFields;

const ERROR_MAX_CHARS: usize = 160;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEncoding {
    /// `application/json`, or no content type.
    Json,
    Form,
    Multipart,
    Other,
}

pub fn body_encoding(headers: &HeaderMap) -> BodyEncoding {
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

/// A complete body that its handler parses. It must be the last extractor, so that a wrong key is reported before a
/// wrong body.
pub struct BodyReader {
    pub bytes: Bytes,
    encoding: BodyEncoding,
    unknown: UnknownFields,
}

impl<S: Send + Sync> FromRequest<S> for BodyReader {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (encoding, unknown) = (body_encoding(request.headers()), UnknownFields::of(&request));
        let bytes = Bytes::from_request(request, state).await.map_err(IntoResponse::into_response)?;
        Ok(Self { bytes, encoding, unknown })
    }
}

impl BodyReader {
    pub fn is_form(&self) -> bool {
        self.encoding == BodyEncoding::Form
    }

    /// Refuses another content type with 415, and a body that does not match `T` with 400.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        if self.encoding != BodyEncoding::Json {
            return Err(Refusal::unsupported_content_type());
        }
        let mut deserializer = serde_json::Deserializer::from_slice(&self.bytes);
        let read = self.unknown.read(&mut deserializer).and_then(|read| deserializer.end().map(|()| read));
        let (value, unknown) = read.map_err(|error| {
            let what = if error.is_data() { "Bad request. Reason" } else { "Malformed JSON" };
            Refusal::bad_request(format!("{what}: {}.", shorten(&error)))
        })?;
        self.unknown.check(&unknown).map(|()| value)
    }

    /// Like [`json`](Self::json), but also accepts a form; `schema` gives the types of its fields.
    pub fn json_or_form<T: DeserializeOwned>(&self, schema: &FormSchema) -> Result<T, Refusal> {
        if self.is_form() { self.fields(self.form(schema)?.into()) } else { self.json() }
    }

    pub fn form(&self, schema: &FormSchema) -> Result<Map<String, Value>, Refusal> {
        schema.read(&self.bytes)
    }

    /// Refuses fields that do not match `T` with 400.
    pub fn fields<T: DeserializeOwned>(&self, fields: Value) -> Result<T, Refusal> {
        let (value, unknown) = self
            .unknown
            .read(fields)
            .map_err(|error| Refusal::bad_request(format!("Bad request. Reason: {}.", shorten(&error))))?;
        self.unknown.check(&unknown).map(|()| value)
    }
}

/// Cuts out the middle of a long error, which may quote a complete text, and replaces our type names with "an object".
fn shorten(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    if let Some((before, after)) = text.rsplit_once("expected struct ") {
        let after = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        text = format!("{before}expected an object{after}");
    }
    if text.chars().count() <= ERROR_MAX_CHARS {
        return text;
    }
    let (half, all): (usize, Vec<char>) = (ERROR_MAX_CHARS / 2, text.chars().collect());
    let (start, end) = (all.iter().take(half), all.iter().skip(all.len() - half));
    start.chain(&['…']).chain(end).collect()
}

/// Types of the fields of a form, where all values are text. Fields that are not listed are strings.
pub struct FormSchema {
    /// The key may repeat.
    pub lists: &'static [&'static str],
    /// `1`, `0`, `true` or `false`.
    pub booleans: &'static [&'static str],
    pub integers: &'static [&'static str],
}

impl FormSchema {
    fn read(&self, body: &[u8]) -> Result<Map<String, Value>, Refusal> {
        let mut fields = Map::new();
        for (key, value) in parse_pairs(body)? {
            // Some form libraries write repeated keys as `text[]=`.
            let key = key.strip_suffix("[]").map_or(key.as_str(), |bare| bare).to_owned();
            if self.lists.contains(&key.as_str()) {
                match fields.entry(key).or_insert_with(|| Value::Array(Vec::new())) {
                    Value::Array(list) => list.push(Value::String(value)),
                    other => *other = Value::String(value),
                }
                continue;
            }
            let value = if self.booleans.contains(&key.as_str()) {
                Value::Bool(parse_boolean(&key, &value)?)
            } else if self.integers.contains(&key.as_str()) {
                let number: i64 =
                    value.parse().map_err(|_| Refusal::bad_request(format!("Value for '{key}' not supported.")))?;
                Value::from(number)
            } else {
                Value::String(value)
            };
            fields.insert(key, value);
        }
        Ok(fields)
    }
}

/// Refuses values other than `true`, `false`, `1` and `0` with 400.
pub fn parse_boolean(key: &str, value: &str) -> Result<bool, Refusal> {
    match value {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(Refusal::bad_request(format!("Value for '{key}' not supported."))),
    }
}

/// A list of names, sent as an array or as one comma-separated string.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct NamesField(pub Vec<String>);

impl<'de> Deserialize<'de> for NamesField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamesFieldVisitor;
        impl<'de> Visitor<'de> for NamesFieldVisitor {
            type Value = NamesField;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of strings or one comma-separated string")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<NamesField, E> {
                let mut names = NamesField::default();
                names.add(text);
                Ok(names)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<NamesField, A::Error> {
                let mut names = NamesField::default();
                while let Some(text) = seq.next_element::<String>()? {
                    names.add(&text);
                }
                Ok(names)
            }
        }
        deserializer.deserialize_any(NamesFieldVisitor)
    }
}

impl NamesField {
    fn add(&mut self, text: &str) {
        self.0.extend(text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
    }
}

/// Maximum size of a body in memory, in bytes: more than the largest dictionary with every character escaped.
pub(super) const BODY_MAX: usize = 64 * 1024 * 1024;
/// Longest wait for the next part of a body.
const BODY_IDLE_MAX: Duration = Duration::from_secs(30);
/// How long to keep reading a discarded body while its client still sends.
const DISCARD_TIME_MAX: Duration = Duration::from_secs(10);

/// Refuses a body that is too large with 413, one that is malformed or incomplete with 400, and one that stops arriving
/// with 408.
pub(super) async fn read(body: Body) -> Result<Bytes, Refusal> {
    let announced = body.size_hint().lower();
    if announced > BODY_MAX as u64 {
        discard(body);
        return Err(Refusal::too_large(BODY_MAX));
    }
    let mut parts = body.into_data_stream();
    let Some(first) = next_part(&mut parts).await? else { return Ok(Bytes::new()) };
    if first.len() as u64 == announced {
        return Ok(first);
    }
    let mut bytes = Vec::from(first);
    while let Some(part) = next_part(&mut parts).await? {
        if bytes.len() + part.len() > BODY_MAX {
            return Err(Refusal::too_large(BODY_MAX));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes.into())
}

/// Applies the time limit of [`read`] to a body that is streamed. Errors have the messages of `read`, but no status.
pub(super) fn with_time_limit(body: Body) -> Body {
    let parts = body.into_data_stream();
    Body::from_stream(stream::try_unfold(parts, |mut parts| async move {
        let part = next_part(&mut parts).await.map_err(|refusal| refusal.message)?;
        Ok::<_, String>(part.map(|part| (part, parts)))
    }))
}

/// Reads and drops the rest of a body in the background, so that a client that is still sending sees the answer.
pub(super) fn discard(body: Body) {
    if body.is_end_stream() {
        return;
    }
    let mut parts = body.into_data_stream();
    tokio::spawn(async move {
        let all = async { while let Some(Ok(_)) = parts.next().await {} };
        // A slower client is cut off.
        let _ = tokio::time::timeout(DISCARD_TIME_MAX, all).await;
    });
}

async fn next_part(parts: &mut BodyDataStream) -> Result<Option<Bytes>, Refusal> {
    match tokio::time::timeout(BODY_IDLE_MAX, parts.next()).await {
        Ok(None) => Ok(None),
        Ok(Some(Ok(part))) => Ok(Some(part)),
        Ok(Some(Err(_))) => Err(Refusal::bad_request("The request body is broken or incomplete.")),
        Err(_) => Err(Refusal::new(
            408,
            format!("The request body is incomplete: nothing arrived for {} seconds.", BODY_IDLE_MAX.as_secs()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_form_with_repeated_keys() {
        let schema = FormSchema { lists: &["text"], booleans: &["on"], integers: &["n"] };
        let fields = schema.read(b"text=a+b&text=%C3%A4%2B&on=1&n=75&x=&odd=5%").unwrap();
        assert_eq!(
            Value::Object(fields),
            serde_json::json!({"text": ["a b", "ä+"], "on": true, "n": 75, "x": "", "odd": "5%"})
        );
        assert_eq!(schema.read(b"on=yes").unwrap_err().status, 400);
        assert_eq!(schema.read(b"text=%ff").unwrap_err().status, 400);
    }

    #[test]
    fn reads_name_lists_from_arrays_and_strings() {
        for text in [r#"["a","b"]"#, r#""a, b""#, r#"["a,b"]"#] {
            let names: NamesField = serde_json::from_str(text).unwrap();
            assert_eq!(names.0, ["a", "b"], "{text}");
        }
        assert!(serde_json::from_str::<NamesField>("3").is_err());
    }
}
