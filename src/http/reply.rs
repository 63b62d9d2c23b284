//! Replies: typed to read, untouched to print.

use serde::de::DeserializeOwned;

use super::failures::unusable;
use super::request::Answer;
use crate::error::Failure;
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
