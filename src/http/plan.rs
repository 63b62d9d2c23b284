//! A request as one JSON object: what `--dry-run` prints and `-vv` logs. Never with the key.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::endpoint::urlencoded;
use super::redact;
use super::request::{Request, RequestBody};
use crate::config::Service;

/// The request as a line of JSON: `method`, `url`, `headers`, `body`.
///
/// A JSON body stands as it will be sent, digit for digit; a file as its name and size.
pub fn line(request: &Request, service: &Service) -> String {
    // What an earlier answer would give stands as `<document_id>`; no real id holds such signs.
    let path = redact::address(request.path.as_str()).replace("%3C", "<").replace("%3E", ">");
    let mut url = format!("{}{path}", service.base_url);
    if !request.query.is_empty() {
        let query: Vec<_> = request
            .query
            .iter()
            .map(|(k, v)| (k.clone(), if redact::is_secret_field(k) { redact::STRUCK.to_owned() } else { v.clone() }))
            .collect();
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&urlencoded(&query));
    }
    let mut line = format!("{{\"method\":{},\"url\":{}", json!(request.method.as_str()), json!(url));
    let mut headers = serde_json::Map::new();
    for (name, value) in &request.headers {
        let value =
            if redact::is_secret_header(name.as_str()) { redact::STRUCK } else { value.to_str().unwrap_or("<bytes>") };
        headers.insert(name.as_str().to_owned(), json!(value));
    }
    if let Some(media_type) = media_type(&request.body)
        && !headers.contains_key("content-type")
    {
        headers.insert("content-type".to_owned(), json!(media_type));
    }
    let _ = write!(line, ",\"headers\":{}", Value::Object(headers));
    if let Some(body) = body(&request.body) {
        let _ = write!(line, ",\"body\":{body}");
    }
    line.push('}');
    line
}

fn media_type(body: &RequestBody) -> Option<&str> {
    match body {
        RequestBody::Empty => None,
        RequestBody::Json(_) => Some("application/json"),
        RequestBody::Form(_) => Some("application/x-www-form-urlencoded"),
        RequestBody::Bytes(media_type, _) => Some(media_type),
        RequestBody::Multipart { .. } => Some("multipart/form-data"),
    }
}

fn body(body: &RequestBody) -> Option<String> {
    match body {
        RequestBody::Empty => None,
        RequestBody::Json(bytes) => Some(redact::body(bytes).into_owned()),
        RequestBody::Form(text) => Some(json!(redact::body(text.as_bytes())).to_string()),
        RequestBody::Bytes(_, bytes) => Some(json!({ "bytes": bytes.len() }).to_string()),
        RequestBody::Multipart { fields, files } => {
            let mut object = serde_json::Map::new();
            for (name, value) in fields {
                let value = if redact::is_secret_field(name) { redact::STRUCK } else { value };
                object.insert(name.clone(), json!(value));
            }
            for file in files {
                object.insert(file.field.clone(), json!({ "file": file.filename, "bytes": file.bytes }));
            }
            Some(Value::Object(object).to_string())
        }
    }
}
