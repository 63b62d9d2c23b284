//! Converts a request to JSON: an item of `/_sandbox/requests`.

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, PROXY_AUTHORIZATION};
use memchr::memmem;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::redaction::{HIDDEN, KnownKeys};
use super::{BodyCopy, RecentAnswer, RecentRequest};
use crate::clock;

/// A request and its answer, without keys.
#[derive(Serialize)]
pub(crate) struct RequestView {
    id: u64,
    /// Empty for requests without a session name.
    session: String,
    time: String,
    /// Milliseconds until the answer; `null` while the request is open.
    ms: Option<f64>,
    method: String,
    path: String,
    query: String,
    headers: Map<String, Value>,
    #[serde(flatten)]
    body: SentBody,
    /// `null` if no answer was sent.
    status: Option<u16>,
    #[serde(flatten)]
    answer: AnswerView,
}

#[derive(Serialize)]
struct SentBody {
    body: Option<Box<RawValue>>,
    body_bytes: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    body_cut: bool,
}

#[derive(Serialize)]
struct AnswerView {
    answer_headers: Map<String, Value>,
    answer: Option<Box<RawValue>>,
    answer_bytes: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    answer_cut: bool,
}

impl RequestView {
    /// Creates the view of a request, without the keys in `known` and the key that the request was sent with.
    pub(crate) fn new(request: &RecentRequest, known: &KnownKeys) -> Self {
        let head = String::from_utf8_lossy(&request.head);
        let (start, header_lines) = head.split_once('\n').unwrap_or((&head, ""));
        let (method, target) = start.split_once(' ').unwrap_or((start, ""));
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut known = known.clone();
        if let Some(value) = header_value(header_lines, AUTHORIZATION.as_str()) {
            known.add(value.split_once(' ').map_or(value, |(_, key)| key.trim()));
        }
        let content_type = header_value(header_lines, CONTENT_TYPE.as_str()).unwrap_or("application/json");
        Self {
            id: request.id,
            session: known.hide_long_keys(request.session.as_str()).into_owned(),
            time: clock::iso(request.received_ms),
            ms: request.elapsed.map(|time| (time.as_secs_f64() * 10_000.0).round() / 10.0),
            method: method.to_owned(),
            path: known.hide_in_path(path).into_owned(),
            query: known.hide_in_parameters(query),
            headers: headers_view(header_lines, &known),
            body: SentBody {
                body: body_view(content_type, &request.body, &known),
                body_bytes: request.body.size,
                body_cut: request.body.is_cut(),
            },
            status: request.answer.as_ref().map(|answer| answer.status),
            answer: AnswerView::new(request.answer.as_ref(), &known),
        }
    }
}

impl AnswerView {
    fn new(answer: Option<&RecentAnswer>, known: &KnownKeys) -> Self {
        let Some(answer) = answer else {
            return Self { answer_headers: Map::new(), answer: None, answer_bytes: None, answer_cut: false };
        };
        let header_lines = String::from_utf8_lossy(&answer.headers);
        let content_type = header_value(&header_lines, CONTENT_TYPE.as_str()).unwrap_or_default();
        Self {
            answer_headers: headers_view(&header_lines, known),
            answer: body_view(content_type, &answer.body, known),
            answer_bytes: answer.body.size,
            answer_cut: answer.body.is_cut(),
        }
    }
}

fn header_value<'a>(lines: &'a str, name: &str) -> Option<&'a str> {
    lines.lines().find_map(|line| line.split_once(':').filter(|(key, _)| *key == name).map(|(_, value)| value))
}

/// Returns the headers, except those whose purpose is to send a key.
fn headers_view(lines: &str, known: &KnownKeys) -> Map<String, Value> {
    let mut map = Map::new();
    for (name, value) in lines.split_terminator('\n').filter_map(|line| line.split_once(':')) {
        if [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE].iter().any(|hidden| hidden == name) {
            continue;
        }
        let value = known.hide_in_header(value);
        match map.get_mut(name) {
            Some(Value::String(previous)) => {
                previous.push_str(", ");
                previous.push_str(&value);
            }
            _ => drop(map.insert(name.to_owned(), Value::String(value.into_owned()))),
        }
    }
    map
}

/// Returns JSON as it was sent, the fields of a multipart form, or other text as a string. `None` for everything else.
fn body_view(content_type: &str, body: &BodyCopy, known: &KnownKeys) -> Option<Box<RawValue>> {
    if body.bytes.is_empty() {
        return None;
    }
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "multipart/form-data" {
        let mut fields = form_fields(content_type, &body.bytes, body.is_cut())?;
        known.hide_in_json(&mut fields);
        return serde_json::value::to_raw_value(&fields).ok();
    }
    let text = body_text(body)?;
    // JSON that `serde_json` cannot parse, such as deeply nested lists, is shown as text.
    if kind.ends_with("json")
        && let Ok(mut value) = serde_json::from_str::<Value>(text)
    {
        let json = if known.hide_in_json(&mut value) { value.to_string() } else { text.trim().to_owned() };
        // A key made of digits may be a number in JSON.
        let hidden = known.hide_long_keys(&json).into_owned();
        return RawValue::from_string(hidden).or_else(|_| serde_json::value::to_raw_value(HIDDEN)).ok();
    }
    let is_form = kind == "application/x-www-form-urlencoded";
    let shown = if is_form { known.hide_in_parameters(text) } else { known.hide_keys(text).into_owned() };
    serde_json::value::to_raw_value(&shown).ok()
}

/// Returns the text of a body. An incomplete body may end within a character.
fn body_text(body: &BodyCopy) -> Option<&str> {
    match std::str::from_utf8(&body.bytes) {
        Ok(text) => Some(text),
        Err(error) if body.is_cut() && error.error_len().is_none() => {
            std::str::from_utf8(body.bytes.get(..error.valid_up_to())?).ok()
        }
        Err(_) => None,
    }
}

/// Returns the fields of a body, in order. If `is_cut`, its end is missing, and the last field gets no size.
fn form_fields(content_type: &str, body: &[u8], is_cut: bool) -> Option<Value> {
    let boundary = format!("--{}", header_parameter(content_type, "boundary")?);
    let mut starts: Vec<usize> = memmem::find_iter(body, boundary.as_bytes()).collect();
    let end_is_missing = is_cut && !starts.is_empty();
    if end_is_missing {
        starts.push(body.len());
    }
    let last = starts.len().saturating_sub(2);
    let fields = starts.windows(2).enumerate().filter_map(|(n, ends)| {
        let part = body.get(ends.first()? + boundary.len()..*ends.last()?)?;
        form_field(part, end_is_missing && n == last)
    });
    Some(fields.collect())
}

/// Parses a field: headers, an empty line, the value.
fn form_field(part: &[u8], is_cut: bool) -> Option<Value> {
    let part = part.strip_prefix(b"\r\n")?;
    let head_end = memmem::find(part, b"\r\n\r\n")?;
    let (head, value) = part.split_at(head_end);
    let value = value.get(4..)?;
    let value = value.strip_suffix(b"\r\n").unwrap_or(value);
    let head = String::from_utf8_lossy(head);
    let disposition = head.lines().find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
    let name = header_parameter(disposition, "name")?;
    let bytes = (!is_cut).then_some(value.len());
    if let Some(filename) = header_parameter(disposition, "filename") {
        return Some(json!({"name": name, "filename": filename, "bytes": bytes}));
    }
    match std::str::from_utf8(value) {
        Ok(text) => Some(json!({"name": name, "value": text})),
        Err(_) => Some(json!({"name": name, "bytes": bytes})),
    }
}

/// Returns the value without quotes.
fn header_parameter(header: &str, name: &str) -> Option<String> {
    header.split(';').skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim();
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        key.trim().eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}
