//! A JSON value that is parsed for us and printed as it was received.

use std::ops::Deref;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::strict::StrictObject;
use crate::error::Failure;

/// A JSON value in two forms: parsed, and the original text with its unknown fields, field order and number spelling.
///
/// Must not be used under `flatten` or `untagged`, where serde cannot keep the raw text.
#[derive(Debug)]
pub struct Kept<T> {
    raw: Box<RawValue>,
    typed: T,
}

impl<T> Kept<T> {
    /// The original text.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// The parsed value.
    pub fn into_typed(self) -> T {
        self.typed
    }
}

impl<T: DeserializeOwned> Kept<T> {
    /// Parses JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let raw: Box<RawValue> = serde_json::from_slice(text)?;
        let StrictObject(typed) = serde_json::from_str(raw.get())?;
        Ok(Self { raw, typed })
    }
}

impl<T: Serialize + DeserializeOwned> Kept<T> {
    /// Wraps a value made by tulk: merged pages, plans.
    pub fn from_typed(typed: T) -> Result<Self, Failure> {
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
        let StrictObject(typed) = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { raw, typed })
    }
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
    fn a_list_is_no_object() {
        assert!(Kept::<Thing>::parse(br#"["a"]"#).is_err());
        assert!(serde_json::from_str::<Vec<Kept<Thing>>>(r#"[["a"]]"#).is_err());
        assert_eq!(Kept::<Vec<String>>::parse(br#"["a"]"#).unwrap().len(), 1);
        assert!(Kept::<Option<Thing>>::parse(b"null").unwrap().is_none());
    }

    #[test]
    fn keeps_elements_of_a_list() {
        let text = r#"[{"id":"a","x":1.0},{"id":"b"}]"#;
        let list: Vec<Kept<Thing>> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }
}
