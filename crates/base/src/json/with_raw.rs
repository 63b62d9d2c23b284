//! JSON values that preserve unknown data: a parsed value that is printed as received, and an object whose fields are replaced without
//! touching the others.

use std::ops::Deref;

use indexmap::IndexMap;
use serde::de::{DeserializeOwned, Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::value::RawValue;

use crate::error::Failure;

/// A JSON value in two forms: parsed, and the original text with unknown fields, field order and number formats.
///
/// Does not work under `flatten` or `untagged`, where serde cannot keep the raw text.
#[derive(Debug)]
pub struct WithRaw<T> {
    raw: Box<RawValue>,
    typed: T,
}

impl<T> WithRaw<T> {
    /// The original text.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// The parsed value.
    pub fn into_typed(self) -> T {
        self.typed
    }

    /// The original text, without the parsed value.
    pub fn into_json(self) -> String {
        Box::<str>::from(self.raw).into()
    }
}

impl<T: DeserializeOwned> WithRaw<T> {
    /// Parses JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let raw: Box<RawValue> = serde_json::from_slice(text)?;
        let StrictObject(typed) = serde_json::from_str(raw.get())?;
        Ok(Self { raw, typed })
    }
}

impl<T: Serialize> WithRaw<T> {
    /// Wraps a value that tulk created, such as merged pages or a plan.
    pub fn from_typed(typed: T) -> Result<Self, Failure> {
        let raw = serde_json::value::to_raw_value(&typed)?;
        Ok(Self { raw, typed })
    }
}

impl<T: Clone> Clone for WithRaw<T> {
    fn clone(&self) -> Self {
        Self { raw: self.raw.clone(), typed: self.typed.clone() }
    }
}

impl<T> Deref for WithRaw<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.typed
    }
}

impl<T> Serialize for WithRaw<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for WithRaw<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let StrictObject(typed) = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { raw, typed })
    }
}

/// Accepts a struct only as a JSON object. By default, serde also accepts an array with the fields in order.
///
/// Applies to the value itself, not to nested ones.
#[derive(Debug)]
pub struct StrictObject<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for StrictObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(ObjectsOnly(deserializer)).map(Self)
    }
}

/// A deserializer that reads structs as maps.
struct ObjectsOnly<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectsOnly<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_option(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// A JSON object of a request or reply. Its fields keep their order, and its values stay raw text. For an object with known fields,
/// use a struct inside a [`WithRaw`].
pub type JsonObject = IndexMap<String, Box<RawValue>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Debug)]
    struct Thing {
        id: String,
    }

    #[test]
    fn keeps_unknown_fields() {
        let text = br#"{"id":"a","big":12345678901234567890,"price":1.10}"#;
        let kept = WithRaw::<Thing>::parse(text).unwrap();
        assert_eq!(kept.id, "a");
        assert_eq!(serde_json::to_string(&kept).unwrap().as_bytes(), text);
    }

    #[test]
    fn an_array_is_not_accepted_as_an_object() {
        assert!(WithRaw::<Thing>::parse(br#"["a"]"#).is_err());
        assert!(serde_json::from_str::<Vec<WithRaw<Thing>>>(r#"[["a"]]"#).is_err());
        assert_eq!(WithRaw::<Vec<String>>::parse(br#"["a"]"#).unwrap().len(), 1);
        assert!(WithRaw::<Option<Thing>>::parse(b"null").unwrap().is_none());
    }

    #[test]
    fn keeps_elements_of_a_list() {
        let text = r#"[{"id":"a","x":1.0},{"id":"b"}]"#;
        let list: Vec<WithRaw<Thing>> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }

    #[test]
    fn keeps_field_order_and_notation() {
        let text = r#"{"z":1.10,"a":{"n":12345678901234567890},"l":[1 , 2]}"#;
        let mut object: JsonObject = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&object).unwrap(), text);
        object.insert("a".to_owned(), RawValue::from_string("null".to_owned()).unwrap());
        assert_eq!(serde_json::to_string(&object).unwrap(), r#"{"z":1.10,"a":null,"l":[1 , 2]}"#);
        assert_eq!(object.get("z").unwrap().get(), "1.10");
    }
}
