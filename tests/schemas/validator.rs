//! Validates a value against a schema. Supports only the keywords that the files use. A validator from the registry would enable more
//! features of the crate `regex`, so tests and benches would not run with the same `regex` as the program.

use serde_json::Value;

use super::files::{SchemaFiles, joined};

/// Keywords that restrict nothing.
const ANNOTATIONS: [&str; 6] = ["$schema", "$id", "$defs", "title", "description", "deprecated"];

/// Returns how a value violates the schema at a location. `is_strict` refuses undescribed fields.
pub fn problem(files: &SchemaFiles, place: &str, value: &Value, is_strict: bool) -> Option<String> {
    let schema = files.at(place).as_object().unwrap();
    let undescribed = is_strict.then(|| unknown_field(schema, value)).flatten();
    let unknown = undescribed.map(|name| format!("{place} does not describe {name}"));
    unknown.or_else(|| {
        schema.iter().find_map(|(keyword, wanted)| keyword_violation(files, place, keyword, wanted, value, is_strict))
    })
}

fn unknown_field<'a>(schema: &serde_json::Map<String, Value>, value: &'a Value) -> Option<&'a String> {
    let known = schema.get("properties")?.as_object()?;
    value.as_object()?.keys().find(|name| !known.contains_key(*name))
}

fn keyword_violation(
    files: &SchemaFiles,
    place: &str,
    keyword: &str,
    wanted: &Value,
    value: &Value,
    is_strict: bool,
) -> Option<String> {
    let inner = |place: &str, value: &Value| problem(files, place, value, is_strict);
    let is_true = match keyword {
        _ if ANNOTATIONS.contains(&keyword) => true,
        "$ref" => return inner(&joined(place, wanted.as_str().unwrap()), value),
        "type" => match wanted {
            Value::Array(names) => names.iter().any(|name| has_type(name.as_str().unwrap(), value)),
            name => has_type(name.as_str().unwrap(), value),
        },
        "enum" => wanted.as_array().unwrap().contains(value),
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
        "format" => {
            assert_eq!(wanted, "date-time", "{place}");
            value.as_str().is_none_or(is_utc)
        }
        "required" => value.as_object().is_none_or(|fields| {
            wanted.as_array().unwrap().iter().all(|name| fields.contains_key(name.as_str().unwrap()))
        }),
        "properties" => {
            let mut fields = wanted.as_object().unwrap().keys().filter_map(|name| Some((name, value.get(name)?)));
            return fields.find_map(|(name, field)| inner(&format!("{place}/properties/{name}"), field));
        }
        "additionalProperties" if wanted.is_object() => {
            let mut fields = value.as_object().into_iter().flatten();
            return fields.find_map(|(_, field)| inner(&format!("{place}/additionalProperties"), field));
        }
        "additionalProperties" => *wanted == true,
        "items" => {
            let mut items = value.as_array().into_iter().flatten();
            return items.find_map(|item| inner(&format!("{place}/items"), item));
        }
        "anyOf" => (0..wanted.as_array().unwrap().len()).any(|i| inner(&format!("{place}/anyOf/{i}"), value).is_none()),
        // Strictness would make the inner schema fail because of other fields, so `not` would succeed.
        "not" => problem(files, &format!("{place}/not"), value, false).is_some(),
        _ => panic!("{place}: {keyword} is not known here"),
    };
    (!is_true).then(|| format!("{place}: {keyword} {wanted} does not allow {value}"))
}

/// Returns whether a text is an RFC 3339 time in UTC, such as `2026-01-02T03:04:05Z`.
fn is_utc(text: &str) -> bool {
    let form = |text: &str| text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
    let seconds = text.split_once('.').map_or_else(|| text.strip_suffix('Z'), |(seconds, _)| Some(seconds));
    let fraction = text.split_once('.').and_then(|(_, fraction)| fraction.strip_suffix('Z'));
    let has_form = seconds.is_some_and(|seconds| form(seconds) == "0000-00-00T00:00:00");
    let is_fraction = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    has_form && fraction.map_or(!text.contains('.'), is_fraction) && text.parse::<jiff::Timestamp>().is_ok()
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("there is no type {name}"),
    }
}

#[test]
fn each_keyword_refuses_invalid_values() {
    let schema = serde_json::json!({
        "$defs": {"name": {"type": "string"}, "free": {"type": "object", "additionalProperties": {"$ref": "#/$defs/name"}}},
        "type": "object", "additionalProperties": true, "required": ["a"],
        "properties": {
            "a": {"type": ["integer", "null"], "minimum": 1, "maximum": 3}, "b": {"enum": ["x", "y"]},
            "c": {"$ref": "#/$defs/name", "deprecated": true}, "d": {"type": "array", "items": {"type": "boolean"}},
            "e": {"anyOf": [{"type": "string"}, {"type": "number"}]}, "f": {"format": "date-time"},
            "g": {"$ref": "#/$defs/free"}, "h": {"not": {"required": ["a"]}}
        }
    });
    let files = SchemaFiles { files: [("s".to_owned(), schema)].into() };
    let fits =
        |text: &str, is_strict| problem(&files, "s.json#", &serde_json::from_str(text).unwrap(), is_strict).is_none();
    let good = [
        r#"{"a": 1}"#,
        r#"{"a": null, "b": "y", "c": "", "d": [true, false], "e": 1.5, "f": "2026-01-02T03:04:05Z", "g": {"n": "m"}, "h": {}}"#,
        r#"{"a": 3.0, "d": [], "e": "", "f": "2026-01-02T03:04:05.678Z", "g": {}}"#,
    ];
    for text in good {
        assert!(fits(text, true) && fits(text, false), "{text}");
    }
    let bad = [
        r"[]",
        r"{}",
        r#"{"a": 0}"#,
        r#"{"a": 4}"#,
        r#"{"a": 1.5}"#,
        r#"{"a": "1"}"#,
        r#"{"a": 1, "b": "z"}"#,
        r#"{"a": 1, "c": 1}"#,
        r#"{"a": 1, "d": [0]}"#,
        r#"{"a": 1, "d": true}"#,
        r#"{"a": 1, "e": null}"#,
        r#"{"a": 1, "f": "today"}"#,
        r#"{"a": 1, "f": "2026-01-02T03:04:05+01:00"}"#,
        r#"{"a": 1, "f": "2026-01-02 03:04:05Z"}"#,
        r#"{"a": 1, "f": "2026-01-02T03:04:05.Z"}"#,
        r#"{"a": 1, "f": "2026-13-02T03:04:05Z"}"#,
        r#"{"a": 1, "g": {"n": 1}}"#,
        r#"{"a": 1, "h": {"a": 1}}"#,
    ];
    for text in bad {
        assert!(!fits(text, true) && !fits(text, false), "{text}");
    }
    assert!(fits(r#"{"a": 1, "z": 1}"#, false) && !fits(r#"{"a": 1, "z": 1}"#, true));
}
