//! One operation of the service: the value is the payload.

use std::fmt::Write as _;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use serde::Serialize;
use serde_json::Value;

use super::reply::Reply;
use super::request::{Method, Path, Repeat, Request, RequestBody, Upload};
use crate::config::Service;
use crate::error::Failure;

/// How an operation carries its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// It has none.
    Nothing,
    /// In the query.
    Query,
    /// As a JSON body.
    Json,
    /// As a multipart form, with a file.
    Multipart,
}

/// One operation of the service. The value itself is the payload; an unset option is not sent.
pub trait Endpoint: Serialize {
    /// What it answers.
    type Reply: Reply;
    /// HTTP method.
    const METHOD: Method;
    /// How the fields travel.
    const CARRY: Carry;
    /// Whether it may be repeated after a lost answer.
    const REPEAT: Repeat = Repeat::Always;

    /// The path, with its ids escaped.
    fn path(&self) -> Result<Path, Failure>;

    /// Headers of this operation alone.
    fn headers(&self, _: &Service, _: &mut HeaderMap) -> Result<(), Failure> {
        Ok(())
    }

    /// Rules and limits that need no server; skipped by `--no-check`.
    fn check(&self, _: &Service) -> Result<(), Failure> {
        Ok(())
    }

    /// The file of a multipart operation.
    fn upload(&self) -> Option<Upload> {
        None
    }

    /// The request that carries this value.
    fn request(&self, service: &Service) -> Result<Request, Failure> {
        let mut request = Request::new(Self::METHOD, self.path()?);
        request.repeat = Self::REPEAT;
        self.headers(service, &mut request.headers)?;
        match Self::CARRY {
            Carry::Nothing => {}
            Carry::Query => request.query = fields(self, "true", "false")?,
            Carry::Json => {
                let body = serde_json::to_vec(self).map_err(|e| Failure::internal(e.to_string()))?;
                request.body = RequestBody::Json(Bytes::from(body));
            }
            Carry::Multipart => {
                let files = self.upload().into_iter().collect();
                request.body = RequestBody::Multipart { fields: fields(self, "1", "0")?, files };
            }
        }
        Ok(request)
    }
}

/// An operation that answers in pages.
pub trait Paged: Endpoint {
    /// Moves this request to the page after `page`; false when that was the last.
    fn next(&mut self, page: &Self::Reply) -> bool;
    /// Appends a page to what was received before.
    fn join(all: &mut Self::Reply, page: Self::Reply) -> Result<(), Failure>;
}

/// A value's fields as text pairs: lists repeat the key, unset ones are left out.
pub fn fields<T: Serialize + ?Sized>(value: &T, yes: &str, no: &str) -> Result<Vec<(String, String)>, Failure> {
    let value = serde_json::to_value(value).map_err(|e| Failure::internal(e.to_string()))?;
    let mut pairs = Vec::new();
    if let Value::Object(object) = value {
        for (key, value) in object {
            flatten(&mut pairs, &key, value, yes, no);
        }
    }
    Ok(pairs)
}

fn flatten(pairs: &mut Vec<(String, String)>, key: &str, value: Value, yes: &str, no: &str) {
    match value {
        Value::Null => {}
        Value::Bool(b) => pairs.push((key.to_owned(), if b { yes } else { no }.to_owned())),
        Value::String(text) => pairs.push((key.to_owned(), text)),
        Value::Array(items) => items.into_iter().for_each(|item| flatten(pairs, key, item, yes, no)),
        other => pairs.push((key.to_owned(), other.to_string())),
    }
}

/// Encodes pairs as `application/x-www-form-urlencoded`, for queries and forms.
pub fn urlencoded(pairs: &[(String, String)]) -> String {
    let mut text = String::new();
    for (key, value) in pairs {
        if !text.is_empty() {
            text.push('&');
        }
        for (i, part) in [key, value].into_iter().enumerate() {
            if i == 1 {
                text.push('=');
            }
            for byte in part.bytes() {
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    text.push(char::from(byte));
                } else {
                    let _ = write!(text, "%{byte:02X}");
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Query {
        include: Vec<&'static str>,
        detailed: bool,
        page: Option<u32>,
    }

    #[test]
    fn lists_repeat_the_key_and_unset_fields_are_left_out() {
        let query = Query { include: vec!["beta", "external"], detailed: true, page: None };
        let pairs = fields(&query, "true", "false").unwrap();
        assert_eq!(urlencoded(&pairs), "detailed=true&include=beta&include=external");
    }
}
