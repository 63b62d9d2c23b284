//! Request fields that tulk does not know, from `--param KEY=JSON`.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tulk_base::error::Failure;

/// Request fields that tulk does not know, in the order given. Their JSON is sent exactly as written.
#[derive(Clone, Debug, Default)]
pub struct ExtraFields(Vec<(String, Box<RawValue>)>);

impl ExtraFields {
    /// Parses `KEY=JSON`. Fails on a field that `request` already has, and on `content`, the name of the field with the text or file.
    pub fn parse(given: &[String], request: &impl Serialize, content: &str) -> Result<Self, Failure> {
        let set = serde_json::to_value(request)?;
        let mut fields: Vec<(String, Box<RawValue>)> = Vec::new();
        for param in given {
            let (key, json) = param.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(|| {
                Failure::usage(format!("--param `{param}` is not KEY=JSON"))
                    .hint("for example: --param new_option=true")
            })?;
            let value = serde_json::from_str(json).map_err(|e| {
                Failure::usage(format!("--param {key}: the value is not JSON: {e}"))
                    .hint("text needs quotes: --param 'key=\"text\"'")
            })?;
            if key == content || set.get(key).is_some() || fields.iter().any(|(other, _)| other == key) {
                return Err(Failure::usage(format!("--param {key}: this field is already set")));
            }
            fields.push((key.to_owned(), value));
        }
        Ok(Self(fields))
    }

    /// Returns names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), &**value))
    }

    /// Returns `request` as a JSON object with these fields appended.
    pub fn after(&self, request: &impl Serialize) -> Result<String, serde_json::Error> {
        let mut json = serde_json::to_string(request)?;
        for (key, value) in &self.0 {
            json.pop();
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&Value::from(key.as_str()).to_string());
            json.push(':');
            json.push_str(value.get());
            json.push('}');
        }
        Ok(json)
    }
}
