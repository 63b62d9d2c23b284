//! A result as it is kept: the text, and what else is in the service's JSON object.
//!
//! Most results have the same object around different texts, so it is kept apart from the text, as a shape.

use std::sync::Arc;

use ring::digest::{Context, SHA256};
use serde_json::value::RawValue;
use tulk_base::json::JsonObject;

use super::ResultKey;

/// Stands in a shape for the text of the result. JSON has no NUL.
const TEXT: char = '\0';

/// A result of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedResult {
    /// The text of the result, as the service sent it.
    pub text: String,
    /// The object around it. Most results have the same.
    shape: Arc<str>,
}

impl CachedResult {
    /// Takes a result from the service's object; `None` if the object has no text, or several.
    pub fn from_object(object: &RawValue) -> Option<Self> {
        let fields = JsonObject::parse(object.get())?;
        let text: String = serde_json::from_str(fields.get("text")?.get()).ok()?;
        let mut shape = String::with_capacity(object.get().len() - text.len().min(object.get().len()) + 16);
        for (name, value) in fields.fields().filter(|(name, _)| *name != "billed_characters") {
            shape.push(if shape.is_empty() { '{' } else { ',' });
            shape.push_str(&serde_json::to_string(name).ok()?);
            shape.push(':');
            match name {
                "text" if shape.contains(TEXT) => return None,
                "text" => shape.push(TEXT),
                _ => shape.push_str(value.get()),
            }
        }
        shape.push('}');
        Some(Self { text, shape: shape.into() })
    }

    /// Puts together what was kept apart.
    pub(super) fn from_parts(text: String, shape: Arc<str>) -> Self {
        Self { text, shape }
    }

    /// The object without the text. It is opaque to all but [`Self::from_parts`].
    pub(super) fn shape(&self) -> &Arc<str> {
        &self.shape
    }

    /// A digest of the result and its key, by which damage is noticed.
    pub(super) fn digest(&self, ResultKey(key): ResultKey) -> i64 {
        let mut digest = Context::new(&SHA256);
        for part in [&key[..], self.shape.as_bytes(), &[0], self.text.as_bytes()] {
            digest.update(part);
        }
        let first = digest.finish().as_ref().first_chunk().copied();
        i64::from(i32::from_be_bytes(first.unwrap_or_default()))
    }

    /// Returns the service's object. With `with_billed`, it says that 0 characters were billed; without, it says nothing about it.
    pub fn object(&self, with_billed: bool) -> Option<Box<RawValue>> {
        let (before, after) = self.shape.split_once(TEXT)?;
        let text = serde_json::to_string(&self.text).ok()?;
        let (after, billed) =
            if with_billed { (after.strip_suffix('}')?, ",\"billed_characters\":0}") } else { (after, "") };
        RawValue::from_string([before, &text, after, billed].concat()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(object: &str) -> Option<CachedResult> {
        CachedResult::from_object(&RawValue::from_string(object.to_owned()).unwrap())
    }

    fn object(result: &CachedResult, with_billed: bool) -> String {
        result.object(with_billed).unwrap().get().to_owned()
    }

    #[test]
    fn the_object_is_that_of_the_service_except_for_what_was_billed() {
        let sent = r#"{ "new": 1.10, "billed_characters": 7, "text": "a\"\n\u00e4", "list": [1 , 2], "é": null}"#;
        let result = result(sent).unwrap();
        assert_eq!(result.text, "a\"\nä");
        assert_eq!(object(&result, false), r#"{"new":1.10,"text":"a\"\nä","list":[1 , 2],"é":null}"#);
        let billed = r#"{"new":1.10,"text":"a\"\nä","list":[1 , 2],"é":null,"billed_characters":0}"#;
        assert_eq!(object(&result, true), billed);
    }

    #[test]
    fn objects_around_different_texts_have_one_shape() {
        let shape = |text: &str| {
            let sent =
                serde_json::json!({"detected_source_language": "EN", "text": text, "billed_characters": text.len()});
            let result = result(&sent.to_string()).unwrap();
            assert_eq!(result.text, text);
            assert_eq!(CachedResult::from_parts(text.to_owned(), Arc::clone(result.shape())), result);
            result.shape().clone()
        };
        let shapes = ["", "a", "\0", "{\"text\":\"\"}", "\u{2028}"].map(shape);
        assert!(shapes.iter().all(|one| *one == shapes[0]), "{shapes:?}");
    }

    #[test]
    fn what_has_no_text_of_its_own_is_no_result() {
        for object in ["{}", "[]", "null", r#"{"text":1}"#, r#"{"text":null}"#, r#"{"text":"a","text":"b"}"#] {
            assert_eq!(result(object), None, "{object}");
        }
        assert_eq!(object(&result(r#"{"text":"a"}"#).unwrap(), true), r#"{"text":"a","billed_characters":0}"#);
    }
}
