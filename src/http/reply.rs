//! Replies: typed to read, untouched to print.

use std::ops::Deref;

use reqwest::header::HeaderMap;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::request::{Answer, TRACE_ID};
use crate::error::{Failure, Kind, Said};

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

/// A JSON value, typed for us and as it came for the user: unknown fields, order and number spelling are kept.
///
/// Never put one under `flatten` or `untagged`: serde cannot keep the raw text there.
#[derive(Debug)]
pub struct Kept<T> {
    raw: Box<RawValue>,
    typed: T,
}

impl<T> Kept<T> {
    /// The service's own text.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// The typed value, owned.
    pub fn into_typed(self) -> T {
        self.typed
    }
}

impl<T: DeserializeOwned> Kept<T> {
    /// Reads a value from JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let raw: Box<RawValue> = serde_json::from_slice(text)?;
        let typed = serde_json::from_str(raw.get())?;
        Ok(Self { raw, typed })
    }
}

impl<T: Serialize + DeserializeOwned> Kept<T> {
    /// Wraps a value of our own, for merged pages and plans.
    pub fn made(typed: T) -> Result<Self, Failure> {
        let raw = serde_json::value::to_raw_value(&typed).map_err(|e| Failure::internal(e.to_string()))?;
        Ok(Self { raw, typed })
    }
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self { raw: self.raw.clone(), typed: self.typed.clone() }
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.typed
    }
}

impl<T> Serialize for Kept<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let typed = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { raw, typed })
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
        .said(received(answer.status, &answer.headers))
}

/// What names an answer to the service's support when its body says nothing.
pub fn received(status: u16, headers: &HeaderMap) -> Said {
    let trace_id = headers.get(TRACE_ID).and_then(|v| v.to_str().ok()).map(str::to_owned);
    Said { status: Some(status), trace_id, ..Said::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Debug)]
    struct Thing {
        id: String,
    }

    #[test]
    fn keeps_what_it_does_not_know() {
        let text = br#"{"id":"a","big":12345678901234567890,"price":1.10}"#;
        let kept = Kept::<Thing>::parse(text).unwrap();
        assert_eq!(kept.id, "a");
        assert_eq!(serde_json::to_string(&kept).unwrap().as_bytes(), text);
    }

    #[test]
    fn keeps_elements_of_a_list() {
        let text = r#"[{"id":"a","x":1.0},{"id":"b"}]"#;
        let list: Vec<Kept<Thing>> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }
}
