//! The record of what was received: one JSON object a line, for tests that ask what was sent and what was not.
//!
//! It holds keys, as they were sent; the file is private.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::Serialize;
use serde_json::{Map, Value};

use super::body::{BodyEncoding, encoding};
use super::state::private;

/// The file of the record, open for appending.
pub(super) struct RequestLog(File);

impl RequestLog {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(private(OpenOptions::new().append(true).create(true)).open(path)?))
    }
}

/// One request on its way to the record. Written when dropped, so a client that hangs up is on record too.
pub(super) struct RequestLogEntry<'a> {
    log: Option<&'a RequestLog>,
    request: LoggedRequest,
}

#[derive(Serialize)]
struct LoggedRequest {
    method: String,
    path: String,
    query: String,
    headers: Map<String, Value>,
    body: Value,
    /// `null` when no answer went out.
    status: Option<u16>,
}

impl<'a> RequestLogEntry<'a> {
    /// Notes a request, if there is a record.
    pub(super) fn new(log: Option<&'a RequestLog>, parts: &Parts, body: &[u8]) -> Option<Self> {
        log?;
        let request = LoggedRequest {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            headers: headers(&parts.headers),
            body: body_of(&parts.headers, body),
            status: None,
        };
        Some(Self { log, request })
    }

    /// Notes the status of the answer.
    pub(super) fn answered(&mut self, status: u16) {
        self.request.status = Some(status);
    }
}

impl Drop for RequestLogEntry<'_> {
    fn drop(&mut self) {
        let (Some(log), Ok(mut line)) = (self.log, serde_json::to_vec(&self.request)) else { return };
        line.push(b'\n');
        // The whole line in one write: lines of several processes do not mix. A full disk shows in the test that reads.
        let _ = (&log.0).write_all(&line);
    }
}

fn headers(headers: &HeaderMap) -> Map<String, Value> {
    let mut map = Map::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        match map.get_mut(name.as_str()) {
            Some(Value::String(before)) => {
                before.push_str(", ");
                before.push_str(&value);
            }
            _ => drop(map.insert(name.as_str().to_owned(), Value::String(value))),
        }
    }
    map
}

fn body_of(headers: &HeaderMap, body: &[u8]) -> Value {
    let json = (encoding(headers) == BodyEncoding::Json).then(|| serde_json::from_slice(body).ok()).flatten();
    json.unwrap_or_else(|| Value::String(String::from_utf8_lossy(body).into_owned()))
}
