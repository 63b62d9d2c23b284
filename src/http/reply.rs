//! Replies: typed to read, untouched to print.

use reqwest::header::HeaderMap;
use serde::de::DeserializeOwned;

use super::request::{Answer, TRACE_ID};
use crate::error::{Failure, Kind, ServiceError};
use crate::json::Kept;

/// What an operation answers.
pub trait Reply: Sized {
    /// Reads it from a successful answer.
    fn read(answer: &Answer) -> Result<Self, Failure>;

    /// What stands for it under `--dry-run`, when later requests need it: text such as `<document_id>` for ids.
    ///
    /// `None` ends the command there, successfully.
    fn planned() -> Option<Self> {
        None
    }
}

impl<T: DeserializeOwned> Reply for Kept<T> {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        Self::parse(&answer.body).map_err(|e| unusable(answer, &e.to_string()))
    }
}

/// An answer without a body.
#[derive(Clone, Copy, Debug)]
pub struct Empty;

impl Reply for Empty {
    fn read(_: &Answer) -> Result<Self, Failure> {
        Ok(Self)
    }

    fn planned() -> Option<Self> {
        Some(Self)
    }
}

/// An answer that is text.
#[derive(Clone, Debug)]
pub struct Text(pub String);

impl Reply for Text {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        String::from_utf8(answer.body.to_vec()).map(Self).map_err(|e| unusable(answer, &e.to_string()))
    }
}

/// The failure of an answer with a good status that cannot be used.
pub fn unusable(answer: &Answer, why: &str) -> Failure {
    Failure::new(Kind::Network, format!("the service's answer is unusable: {why}"))
        .hint("check that the server address is right: --server, or `tulk auth status`")
        .service(received(answer.status, &answer.headers))
}

/// What names an answer to the service's support when its body says nothing.
pub fn received(status: u16, headers: &HeaderMap) -> ServiceError {
    let trace_id = headers.get(TRACE_ID).and_then(|v| v.to_str().ok()).map(str::to_owned);
    ServiceError { status: Some(status), trace_id, ..ServiceError::default() }
}
