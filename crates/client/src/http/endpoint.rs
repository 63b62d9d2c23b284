//! One operation of the service: the value is the payload of its request.

use bytes::Bytes;
use reqwest::header::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use tulk_base::error::Failure;
use tulk_base::json::JsonObject;

use super::path::Path;
use super::reply::Reply;
use super::request::{Method, Repeat, Request, RequestBody, TimeLimit, Upload};
use crate::Service;

/// One operation of the service. The value itself is the payload; an unset option is not sent.
///
/// The fields that `PATH` names are sent in the path; all others in the query of GET and DELETE, in a multipart form if there is a
/// file, else in a JSON body.
///
/// `tulk api` knows the operations that the file of each resource lists in `OPERATIONS`; a test fails if an implementation is missing.
pub trait Endpoint: Serialize {
    /// What the operation returns.
    type Reply: Reply;
    /// HTTP method.
    const METHOD: Method;
    /// Path, with the names of the fields that are IDs: `/v3/glossaries/{glossary_id}`.
    const PATH: &'static str;
    /// Whether the request may be sent again after a failed attempt.
    const REPEAT: Repeat = Repeat::Always;

    /// What the time-out of an attempt limits.
    const TIME_LIMIT: TimeLimit = TimeLimit::Whole;

    /// Maximum size of the reply, if it is not the usual one of [`Request::answer_limit`].
    const ANSWER_BYTES: Option<usize> = None;

    /// Adds the headers that only this operation has.
    fn headers(&self, _: &Service, _: &mut HeaderMap) -> Result<(), Failure> {
        Ok(())
    }

    /// Checks rules and limits that need no server. Skipped by `--no-check`.
    fn check(&self, _: &Service) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns the file that the request uploads.
    fn upload(&self) -> Option<Upload> {
        None
    }

    /// Builds the request.
    fn request(&self, service: &Service) -> Result<Request, Failure> {
        let mut payload: JsonObject = serde_json::from_slice(&serde_json::to_vec(self)?)?;
        let names = Self::PATH.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
        let ids: Vec<_> = names.filter_map(|name| payload.shift_remove(name)).collect();
        let ids = ids.iter().map(|id| serde_json::from_str(id.get())).collect::<Result<Vec<String>, _>>()?;
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut request = Request::new(Self::METHOD, Path::fill(Self::PATH, &ids)?);
        request.repeat = Self::REPEAT;
        request.time_limit = Self::TIME_LIMIT;
        request.answer_bytes = Self::ANSWER_BYTES;
        self.headers(service, &mut request.headers)?;
        if let Some(file) = self.upload() {
            request.body = RequestBody::Multipart { fields: fields(&payload, "true", "false")?, files: vec![file] };
        } else if matches!(Self::METHOD, Method::GET | Method::DELETE) {
            request.query = fields(&payload, "true", "false")?;
        } else {
            request.body = RequestBody::Json(Bytes::from(serde_json::to_vec(&payload)?));
        }
        Ok(request)
    }
}

/// How an operation divides its reply into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// Pages 0, 1, 2, ... of `page_size` elements; a page with fewer elements is the last.
    Index {
        /// The largest `page_size`.
        largest: u32,
    },
    /// Each page names the next one in `next_page`; the last page has none.
    Cursor,
    /// Each page names the next one in `next_page_cursor`, for the parameter `page_cursor`; the last page has none.
    PageCursor {
        /// The largest `page_size`.
        largest: u32,
    },
    /// Usually all elements without a page number; otherwise pages 1, 2, ... until `total_count` is reached or nothing is new.
    UntilTotal,
}

/// An operation that replies in pages.
pub trait Paged: Endpoint {
    /// How the reply is divided.
    const PAGING: Paging;

    /// Returns the identity of each element of a page: its ID if it has one, else all of it.
    fn identities(page: &Self::Reply) -> Vec<&str>;
    /// Moves this request to the page after `page`. Returns false if that was the last.
    fn advance(&mut self, page: &Self::Reply) -> bool;
    /// Joins pages into one. A single page stays as it is.
    fn join(pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure>;
}

/// What `tulk api` has to know about an operation. Each resource lists its operations in `OPERATIONS`.
#[derive(Debug)]
pub struct KnownOperation {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) repeat: Repeat,
    pub(crate) paging: Option<Paging>,
    pub(crate) time_limit: TimeLimit,
}

impl KnownOperation {
    /// An operation with one reply.
    pub const fn new<E: Endpoint>() -> Self {
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging: None, time_limit: E::TIME_LIMIT }
    }

    /// An operation that replies in pages.
    pub const fn paged<E: Paged>() -> Self {
        let paging = Some(E::PAGING);
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging, time_limit: E::TIME_LIMIT }
    }

    /// An operation with so many pages that its command holds only one at a time.
    pub const fn streamed<E: Endpoint>(paging: Paging) -> Self {
        let paging = Some(paging);
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging, time_limit: E::TIME_LIMIT }
    }

    /// An operation whose bodies the pipeline builds. It stores nothing, so it may always be repeated.
    pub const fn batch(path: &'static str) -> Self {
        Self { method: Method::POST, path, repeat: Repeat::Always, paging: None, time_limit: TimeLimit::Whole }
    }
}

/// Returns a value's fields as text pairs. A list repeats its key; unset fields are left out.
pub fn fields<T: Serialize + ?Sized>(value: &T, yes: &str, no: &str) -> Result<Vec<(String, String)>, Failure> {
    let value = serde_json::to_value(value)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::encoding::encode_pairs;

    #[derive(Serialize)]
    struct ExampleQuery {
        include: Vec<&'static str>,
        detailed: bool,
        page: Option<u32>,
    }

    #[test]
    fn lists_repeat_the_key_and_unset_fields_are_left_out() {
        let query = ExampleQuery { include: vec!["beta", "external"], detailed: true, page: None };
        let pairs = fields(&query, "true", "false").unwrap();
        assert_eq!(encode_pairs(&pairs), "detailed=true&include=beta&include=external");
    }
}
