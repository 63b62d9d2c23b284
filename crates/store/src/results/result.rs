//! A cached result and its key. A result is a text and the rest of the service's JSON object. Most results differ only in the text,
//! so the rest is stored separately, as a shape.

use std::sync::Arc;

use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use tulk_base::json::JsonObject;

/// The first 16 bytes of the SHA-256 digest of a text and of everything else that its result depends on.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultKey(pub [u8; 16]);

impl ResultKey {
    /// Returns the first four bytes, which are indexed.
    pub(super) fn head(self) -> i64 {
        let [a, b, c, d, ..] = self.0;
        i64::from(i32::from_be_bytes([a, b, c, d]))
    }

    /// Returns the other twelve bytes.
    pub(super) fn tail(&self) -> &[u8] {
        self.0.get(4..).unwrap_or_default()
    }
}

/// Everything that the results of a run depend on, except the texts: service, operation, options, versions of glossaries.
#[derive(Clone)]
pub struct KeyScope(Sha256);

impl KeyScope {
    /// Creates a scope from parts. Their order and boundaries matter: `["ab"]` differs from `["a", "b"]`.
    pub fn new<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            add(&mut digest, part);
        }
        Self(digest)
    }

    /// Returns the key of a text as sent. `context` is the entry's own context, followed by the context lines before it.
    pub fn key(&self, context: &str, text: &str) -> ResultKey {
        let mut digest = self.0.clone();
        add(&mut digest, context);
        add(&mut digest, text);
        let mut key = [0; 16];
        for (to, from) in key.iter_mut().zip(digest.finalize()) {
            *to = from;
        }
        ResultKey(key)
    }
}

/// The length marks the end of a part.
fn add(digest: &mut Sha256, part: &str) {
    digest.update((part.len() as u64).to_le_bytes());
    digest.update(part.as_bytes());
}

/// Placeholder for the text in a shape. JSON text never contains NUL.
const TEXT: char = '\0';

/// A result of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedResult {
    /// The text as the service sent it.
    pub text: String,
    /// The object with [`TEXT`] in place of the text. Most results have the same shape.
    shape: Arc<str>,
}

impl CachedResult {
    /// Converts the service's object; `None` if it has no text.
    pub fn from_object(object: &RawValue) -> Option<Self> {
        let fields: JsonObject = serde_json::from_str(object.get()).ok()?;
        let text: String = serde_json::from_str(fields.get("text")?.get()).ok()?;
        let mut shape = String::with_capacity(object.get().len() - text.len().min(object.get().len()) + 16);
        for (name, value) in fields.iter().filter(|(name, _)| *name != "billed_characters") {
            shape.push(if shape.is_empty() { '{' } else { ',' });
            shape.push_str(&serde_json::to_string(name).ok()?);
            shape.push(':');
            match name.as_str() {
                "text" => shape.push(TEXT),
                _ => shape.push_str(value.get()),
            }
        }
        shape.push('}');
        Some(Self { text, shape: shape.into() })
    }

    pub(super) fn from_parts(text: String, shape: Arc<str>) -> Self {
        Self { text, shape }
    }

    pub(super) fn shape(&self) -> &Arc<str> {
        &self.shape
    }

    /// Digest of the result and its key, to detect damage to a row.
    pub(super) fn digest(&self, ResultKey(key): ResultKey) -> i64 {
        let mut digest = Sha256::new();
        for part in [&key[..], self.shape.as_bytes(), &[0], self.text.as_bytes()] {
            digest.update(part);
        }
        let first = digest.finalize().first_chunk().copied();
        i64::from(i32::from_be_bytes(first.unwrap_or_default()))
    }

    /// Returns the service's object. With `with_billed`, it has 0 billed characters; without, it has no such field.
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

    #[test]
    fn keys_depend_on_every_part_and_its_boundaries() {
        let scopes = [vec!["a", "b"], vec!["ab"], vec!["a"], vec!["b", "a"], vec!["a", "b", ""]];
        let mut keys: Vec<ResultKey> =
            scopes.iter().map(|parts| KeyScope::new(parts.iter().copied()).key("", "x")).collect();
        let scope = KeyScope::new(["a"]);
        keys.extend([scope.key("x", ""), scope.key("", ""), scope.key("x", "y"), scope.key("xy", "")]);
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn a_key_has_16_bytes() {
        let ResultKey(key) = KeyScope::new(["service", "options"]).key("before", "text");
        assert_eq!(data_encoding::HEXLOWER.encode(&key).len(), 32);
    }

    fn result(object: &str) -> Option<CachedResult> {
        CachedResult::from_object(&RawValue::from_string(object.to_owned()).unwrap())
    }

    fn object(result: &CachedResult, with_billed: bool) -> String {
        result.object(with_billed).unwrap().get().to_owned()
    }

    #[test]
    fn keeps_the_object_of_the_service_except_the_billed_characters() {
        let sent = r#"{ "new": 1.10, "billed_characters": 7, "text": "a\"\n\u00e4", "list": [1 , 2], "é": null}"#;
        let result = result(sent).unwrap();
        assert_eq!(result.text, "a\"\nä");
        assert_eq!(object(&result, false), r#"{"new":1.10,"text":"a\"\nä","list":[1 , 2],"é":null}"#);
        let billed = r#"{"new":1.10,"text":"a\"\nä","list":[1 , 2],"é":null,"billed_characters":0}"#;
        assert_eq!(object(&result, true), billed);
    }

    #[test]
    fn objects_with_different_texts_have_the_same_shape() {
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
    fn refuses_an_object_without_text() {
        for object in ["{}", "[]", "null", r#"{"text":1}"#, r#"{"text":null}"#] {
            assert_eq!(result(object), None, "{object}");
        }
        assert_eq!(object(&result(r#"{"text":"a"}"#).unwrap(), true), r#"{"text":"a","billed_characters":0}"#);
    }
}
