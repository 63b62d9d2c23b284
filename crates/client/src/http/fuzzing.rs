//! Lets property tests and fuzzing read an answer as the client does, and returns every text that the client could print about it.

#![allow(clippy::missing_panics_doc)] // a failed assertion is the result of a test

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tulk_base::error::Failure;
use tulk_base::limits;

use super::answer::Answer;
use super::answer_size::Excess;
use super::path::Path;
use super::request::{Method, Request};
use super::{failures, redact, retry};

/// Creates an answer. Headers with an invalid name or value are left out.
pub fn answer(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_bytes(value.as_bytes())) {
            map.append(name, value);
        }
    }
    Answer::new(status, map, Bytes::copy_from_slice(body))
}

/// Returns the failures that an answer can lead to: as a refusal of several requests, and as a success that cannot be used.
pub fn failures(answer: &Answer) -> Vec<Failure> {
    let paths = ["/v2/translate", "/v3/glossaries/g", "/v2/admin/developer-keys", "/v3/spoken-terms", "/v2/x?token=1"];
    let requests = paths.iter().filter_map(|path| Some(Request::new(Method::POST, Path::parse(path).ok()?)));
    let mut all: Vec<Failure> =
        requests.map(|request| failures::refused(&request, answer, "https://service.example", None)).collect();
    all.push(failures::unusable(answer, &String::from_utf8_lossy(&answer.body)));
    all.push(failures::too_large(answer, Excess::Bytes(limits::ANSWER_BYTES)));
    all
}

/// Returns the headers and the body of an answer as the log shows them, for an ordinary request and for an admin request.
pub fn logged(answer: &Answer) -> Vec<String> {
    let mut lines: Vec<String> =
        answer.headers.iter().map(|(name, value)| redact::header(name, value).into_owned()).collect();
    for path in ["/v2/usage", "/v2/admin/developer-keys"] {
        if let Ok(path) = Path::parse(path) {
            lines.push(redact::answer(&Request::new(Method::POST, path), answer).into_owned());
        }
    }
    lines
}

/// Returns the wait that an answer requests. Asserts that the backoff obeys it.
pub fn wait(answer: &Answer) -> Option<std::time::Duration> {
    retry::retry_after(answer).inspect(|wait| assert_eq!(retry::backoff(1, Some(*wait), 0.5), *wait))
}
