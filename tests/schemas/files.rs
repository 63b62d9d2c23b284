//! Loads the schemas in docs/schemas and finds a schema by its location.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// Schemas that belong to no command: lines on stderr, and requests of a dry run.
pub const WITHOUT_COMMAND: [&str; 2] = ["messages", "dry-run"];

pub struct SchemaFiles {
    pub files: BTreeMap<String, Value>,
}

impl SchemaFiles {
    pub fn read() -> Self {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".json");
            let text = std::fs::read_to_string(&path).unwrap();
            files.insert(name.expect("a schema").to_owned(), serde_json::from_str(&text).unwrap());
        }
        Self { files }
    }

    pub fn at(&self, place: &str) -> &Value {
        let (file, pointer) = place.split_once('#').unwrap();
        self.files[file.strip_suffix(".json").unwrap()].pointer(pointer).unwrap_or_else(|| panic!("no {place}"))
    }

    pub fn result_place(name: &str) -> String {
        format!("{name}.json#")
    }

    /// Returns the location of a line of `--format jsonl`: `$defs/line`, the items of an array, or the result.
    pub fn line_place(&self, name: &str) -> String {
        let schema = &self.files[name];
        if schema.pointer("/$defs/line").is_some() {
            return format!("{name}.json#/$defs/line");
        }
        if let Some(target) = schema["$ref"].as_str() {
            return self.line_place(target.split_once(".json").unwrap().0);
        }
        let inner = if schema["type"] == "array" { "/items" } else { "" };
        format!("{name}.json#{inner}")
    }
}

/// Resolves a `$ref` relative to a location.
pub fn joined(place: &str, target: &str) -> String {
    let file = place.split_once('#').unwrap().0;
    match target.split_once('#') {
        Some(("", pointer)) => format!("{file}#{pointer}"),
        Some(_) => target.to_owned(),
        None => format!("{target}#"),
    }
}
