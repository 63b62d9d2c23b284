//! Logs received requests, one JSON object per line, so that tests can check what was sent.
//!
//! The log contains keys, so only the owner can read the file.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::Serialize;
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_base::files;

use super::body::{BodyEncoding, body_encoding};

pub(super) struct RequestLog(File);

impl RequestLog {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        files::check_shared(path)?;
        let file = tulk_base::stop::open_file(files::private(OpenOptions::new().append(true).create(true)), path);
        file.map(Self).map_err(|error| Failure::file("open", path, &error))
    }
}

/// The log line of a request. It is written on drop, so requests of clients that disconnect are logged too.
pub(super) struct RequestLogEntry<'a> {
    log: &'a RequestLog,
    request: LoggedRequest,
}

#[derive(Serialize)]
struct LoggedRequest {
    method: String,
    path: String,
    query: String,
    headers: Map<String, Value>,
    body: Value,
    /// `null` if no answer was sent.
    status: Option<u16>,
}

impl<'a> RequestLogEntry<'a> {
    /// Starts the entry of a request, if there is a log.
    pub(super) fn new(log: Option<&'a RequestLog>, parts: &Parts, body: &[u8]) -> Option<Self> {
        let request = || LoggedRequest {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            headers: headers_json(&parts.headers),
            body: body_json(&parts.headers, body),
            status: None,
        };
        log.map(|log| Self { log, request: request() })
    }

    pub(super) fn set_status(&mut self, status: u16) {
        self.request.status = Some(status);
    }
}

impl Drop for RequestLogEntry<'_> {
    fn drop(&mut self) {
        let Ok(mut line) = serde_json::to_vec(&self.request) else { return };
        line.push(b'\n');
        // A single write, so that lines of several processes do not mix. A failure affects only the log.
        let _ = (&self.log.0).write_all(&line);
    }
}

fn headers_json(headers: &HeaderMap) -> Map<String, Value> {
    let mut map = Map::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        match map.get_mut(name.as_str()) {
            Some(Value::String(previous)) => {
                previous.push_str(", ");
                previous.push_str(&value);
            }
            _ => drop(map.insert(name.as_str().to_owned(), Value::String(value))),
        }
    }
    map
}

fn body_json(headers: &HeaderMap, body: &[u8]) -> Value {
    let json = (body_encoding(headers) == BodyEncoding::Json).then(|| serde_json::from_slice(body).ok()).flatten();
    json.unwrap_or_else(|| Value::String(String::from_utf8_lossy(body).into_owned()))
}
