//! The [`Endpoint`] trait: an operation of the service as a value, from which its request is built.

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

/// One operation of the service. The value itself is the payload; unset options are not sent.
///
/// Fields named in `PATH` go into the path. All others go into the query of a GET or DELETE, into a multipart form if there is a file,
/// and otherwise into a JSON body. A test fails if an implementation is missing in the `OPERATIONS` of its resource.
pub trait Endpoint: Serialize {
    /// The type of the reply.
    type Reply: Reply;
    /// HTTP method.
    const METHOD: Method;
    /// Path template. Segments such as `{glossary_id}` name the fields that are IDs: `/v3/glossaries/{glossary_id}`.
    const PATH: &'static str;
    /// Whether the request may be sent again after a failed attempt.
    const REPEAT: Repeat = Repeat::Always;

    /// Scope of the time-out of an attempt.
    const TIME_LIMIT: TimeLimit = TimeLimit::Whole;

    /// Maximum size of the reply in bytes, if it differs from [`Request::answer_limit`].
    const ANSWER_BYTES: Option<usize> = None;

    /// Adds headers that are specific to this operation.
    fn headers(&self, _: &Service, _: &mut HeaderMap) -> Result<(), Failure> {
        Ok(())
    }

    /// Checks rules and limits without contacting the server. Skipped by `--no-check`.
    fn check(&self, _: &Service) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns the file to upload, if there is one.
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
    /// Pages 0, 1, 2, ... of `page_size` elements. A page with fewer elements is the last.
    Index {
        /// Maximum `page_size`.
        largest: u32,
    },
    /// Each page contains the cursor of the next one in `next_page`; the last page does not.
    Cursor,
    /// Each page contains the cursor of the next one in `next_page_cursor`, which is sent as `page_cursor`; the last page does not.
    PageCursor {
        /// Maximum `page_size`.
        largest: u32,
    },
    /// The first request has no page number and usually returns all elements. Otherwise pages 1, 2, ... are requested until `total_count`
    /// is reached or a page contains nothing new.
    UntilTotal,
}

/// An operation that replies in pages.
pub trait Paged: Endpoint {
    /// How the reply is divided into pages.
    const PAGING: Paging;

    /// Returns the ID of each element of a page, or the complete element if it has no ID.
    fn identities(page: &Self::Reply) -> Vec<&str>;
    /// Changes this request to the page after `page`. Returns false if `page` was the last.
    fn advance(&mut self, page: &Self::Reply) -> bool;
    /// Joins pages into one. A single page is returned unchanged.
    fn join(pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure>;
}

/// Properties of an operation that `tulk api` needs.
#[derive(Debug)]
pub struct KnownOperation {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) repeat: Repeat,
    pub(crate) paging: Option<Paging>,
    pub(crate) time_limit: TimeLimit,
}

impl KnownOperation {
    /// Describes an operation with a single reply.
    pub const fn new<E: Endpoint>() -> Self {
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging: None, time_limit: E::TIME_LIMIT }
    }

    /// Describes an operation that replies in pages.
    pub const fn paged<E: Paged>() -> Self {
        let paging = Some(E::PAGING);
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging, time_limit: E::TIME_LIMIT }
    }

    /// Describes an operation with so many pages that its command holds only one at a time.
    pub const fn streamed<E: Endpoint>(paging: Paging) -> Self {
        let paging = Some(paging);
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging, time_limit: E::TIME_LIMIT }
    }

    /// Describes an operation whose bodies the pipeline builds. It stores nothing in the service, so it may always be repeated.
    pub const fn batch(path: &'static str) -> Self {
        Self { method: Method::POST, path, repeat: Repeat::Always, paging: None, time_limit: TimeLimit::Whole }
    }
}

/// Returns the fields of a value as pairs of text, with `yes` and `no` for booleans. A list repeats its key; unset fields are left out.
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
