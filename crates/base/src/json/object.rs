//! A JSON object whose fields keep their order and spelling, so that one can be replaced without touching the others.
//!
//! Objects with known fields are structs inside a [`Kept`](super::Kept).

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON object whose values are not parsed.
#[derive(Clone, Debug, Default)]
pub struct JsonObject(Vec<(String, Box<RawValue>)>);

impl JsonObject {
    /// Parses an object; `None` if the text is not a JSON object.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The JSON text of a field.
    pub fn get(&self, name: &str) -> Option<&RawValue> {
        self.fields().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// All fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), &**value))
    }

    /// Replaces a field, or appends it.
    pub fn set(&mut self, name: &str, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(field, _)| field == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields())
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = JsonObject;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonObject, A::Error> {
                let mut object = JsonObject::default();
                while let Some(field) = map.next_entry()? {
                    object.0.push(field);
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_spelling() {
        let text = r#"{"z":1.10,"a":{"n":12345678901234567890},"l":[1 , 2]}"#;
        let mut object = JsonObject::parse(text).unwrap();
        assert_eq!(serde_json::to_string(&object).unwrap(), text);
        object.set("a", RawValue::from_string("null".to_owned()).unwrap());
        assert_eq!(serde_json::to_string(&object).unwrap(), r#"{"z":1.10,"a":null,"l":[1 , 2]}"#);
        assert_eq!(object.get("z").unwrap().get(), "1.10");
    }

    #[test]
    fn only_objects_are_objects() {
        for text in ["[]", "1", "", "{", "null"] {
            assert!(JsonObject::parse(text).is_none(), "{text}");
        }
    }
}
