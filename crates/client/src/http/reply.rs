//! Replies: the typed results of operations, read from successful answers. Most JSON replies are [`WithRaw`], which prints the service's
//! JSON unchanged.

use serde::de::DeserializeOwned;
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;

use super::answer::Answer;
use super::failures::unusable;

/// The result of an operation.
pub trait Reply: Sized {
    /// Reads the reply from a successful answer.
    fn read(answer: &Answer) -> Result<Self, Failure>;

    /// Returns the reply that `--dry-run` uses instead, with text such as `<document_id>` for IDs that later requests need. With `None`,
    /// the command ends successfully at this point.
    fn planned() -> Option<Self> {
        None
    }
}

impl<T: DeserializeOwned> Reply for WithRaw<T> {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        Self::parse(&answer.body).map_err(|e| unusable(answer, &e.to_string()))
    }
}

/// A reply without content.
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

/// A reply in plain text. An empty reply is an error, because no operation sends one.
#[derive(Clone, Debug)]
pub struct Text(pub String);

impl Reply for Text {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let text = String::from_utf8(answer.body.to_vec()).map_err(|e| unusable(answer, &e.to_string()))?;
        if text.is_empty() { Err(unusable(answer, "it is empty")) } else { Ok(Self(text)) }
    }
}
