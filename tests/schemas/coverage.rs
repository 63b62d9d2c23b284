//! Tracks which parts of the schemas have occurred in real outputs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::files::{SchemaFiles, joined};

/// The parts seen, by location such as `usage.json#/properties/start_time`.
pub struct Coverage<'a> {
    files: &'a SchemaFiles,
    seen: BTreeMap<String, BTreeSet<String>>,
    /// Required fields that were found, with their location in the visited value.
    required: Vec<(String, String)>,
}

/// Recorded for an optional field that an output lacks.
const SEEN_MISSING: &str = "missing";

impl<'a> Coverage<'a> {
    pub fn new(files: &'a SchemaFiles) -> Self {
        Self { files, seen: BTreeMap::new(), required: Vec::new() }
    }

    /// Records a value. Returns pointers to required fields seen for the first time: the value must be refused without them.
    pub fn add(&mut self, place: &str, value: &Value) -> Vec<(String, String)> {
        self.visit(place, value, "");
        std::mem::take(&mut self.required)
    }

    fn visit(&mut self, place: &str, value: &Value, path: &str) {
        let files = self.files;
        let schema = files.at(place);
        if let Some(target) = schema["$ref"].as_str() {
            return self.visit(&joined(place, target), value, path);
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            let places = (0..branches.len()).map(|i| format!("{place}/anyOf/{i}"));
            let fitting = places.into_iter().find(|place| self.is_fitting(place, value));
            return self.visit(&fitting.unwrap_or_else(|| panic!("{place}: {value}")), value, path);
        }
        self.record(place, type_name(value));
        if schema.get("enum").is_some() {
            self.record(place, value.as_str().unwrap());
        }
        if let Some(items) = value.as_array() {
            for (i, item) in items.iter().enumerate().filter(|_| schema.get("items").is_some()) {
                self.visit(&format!("{place}/items"), item, &format!("{path}/{i}"));
            }
        }
        if let Some(fields) = value.as_object() {
            self.visit_fields(place, fields, path);
        }
    }

    fn visit_fields(&mut self, place: &str, fields: &serde_json::Map<String, Value>, path: &str) {
        let schema = self.files.at(place);
        let known: Vec<&String> = schema["properties"].as_object().into_iter().flat_map(|known| known.keys()).collect();
        for name in &known {
            let inner = format!("{place}/properties/{name}");
            let pointer = format!("{path}/{name}");
            match fields.get(*name) {
                None => self.record(&inner, SEEN_MISSING),
                Some(value) => {
                    if is_required(schema, name) && !self.seen.contains_key(&inner) {
                        self.required.push((inner.clone(), pointer.clone()));
                    }
                    self.record(&inner, "present");
                    self.visit(&inner, value, &pointer);
                }
            }
        }
        if schema["additionalProperties"].is_object() {
            for (name, value) in fields.iter().filter(|(name, _)| !known.contains(name)) {
                let name = name.replace('~', "~0").replace('/', "~1");
                self.visit(&format!("{place}/additionalProperties"), value, &format!("{path}/{name}"));
            }
        }
    }

    fn record(&mut self, place: &str, what: &str) {
        let seen = self.seen.entry(place.to_owned()).or_default();
        if !seen.contains(what) {
            seen.insert(what.to_owned());
        }
    }

    /// Returns whether a value has the type, the fields and the items of a branch.
    fn is_fitting(&self, place: &str, value: &Value) -> bool {
        let schema = self.files.at(place);
        if let Some(target) = schema["$ref"].as_str() {
            return self.is_fitting(&joined(place, target), value);
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            return (0..branches.len()).any(|i| self.is_fitting(&format!("{place}/anyOf/{i}"), value));
        }
        match value {
            Value::Array(items) => {
                schema["type"] == "array" && items.iter().all(|item| self.is_fitting(&format!("{place}/items"), item))
            }
            Value::Object(fields) => {
                let required = schema["required"].as_array().into_iter().flatten();
                schema["type"] == "object"
                    && required.into_iter().all(|name| fields.contains_key(name.as_str().unwrap()))
                    && fields.keys().all(|name| schema["properties"].get(name).is_some())
            }
            _ => true,
        }
    }

    /// Returns what never occurred: fields, types, values of an `enum`, and optional fields that were never missing.
    pub fn unseen(&self) -> Vec<String> {
        let mut unseen = Vec::new();
        for name in self.files.files.keys() {
            self.look_for(&SchemaFiles::result_place(name), None, &mut unseen);
        }
        unseen
    }

    fn look_for(&self, place: &str, is_optional: Option<bool>, unseen: &mut Vec<String>) {
        let schema = self.files.at(place);
        let seen = |what: &str| self.seen.get(place).is_some_and(|seen| seen.contains(what));
        let mut expect = |what: &str| {
            if !seen(what) {
                unseen.push(format!("{place} {what}"));
            }
        };
        if is_optional.is_some() {
            expect("present");
        }
        if is_optional == Some(true) {
            expect(SEEN_MISSING);
        }
        let words = |key: &str| match &schema[key] {
            Value::Array(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::String(word) => vec![word.clone()],
            _ => Vec::new(),
        };
        for word in [words("type"), words("enum")].concat() {
            expect(&word);
        }
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            assert!(inner.is_object(), "{place}: {name}");
            self.look_for(&format!("{place}/properties/{name}"), Some(!is_required(schema, name)), unseen);
        }
        for key in ["items", "additionalProperties"].into_iter().filter(|key| schema[*key].is_object()) {
            self.look_for(&format!("{place}/{key}"), None, unseen);
        }
        for i in 0..schema["anyOf"].as_array().map_or(0, Vec::len) {
            self.look_for(&format!("{place}/anyOf/{i}"), None, unseen);
        }
        for name in schema["$defs"].as_object().into_iter().flat_map(|defs| defs.keys()) {
            self.look_for(&format!("{place}/$defs/{name}"), None, unseen);
        }
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|word| word == name))
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
