//! Finds the values of fields in a line, and checks that the line is JSON.
//!
//! Only objects and arrays on the path to a field are parsed. All other values are skipped, so numbers of any size and
//! any nesting are accepted.

use std::fmt;
use std::ops::Range;

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize as _, Deserializer as _};
use serde_json::value::RawValue;

use super::pointer::{FieldRole, PointerTree};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointerValue {
    pub(super) role: FieldRole,
    /// Bytes of the value in the line; includes the quotes of a string.
    pub(super) span: Range<usize>,
    pub(super) is_item: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineFault {
    /// Byte offset in the line. [`Self::moved_by`] converts it to an offset in the record.
    pub(super) at: usize,
    pub(super) what: String,
    pub(super) hint: Option<&'static str>,
}

/// If an object has a name twice, its last value counts, as in most JSON parsers.
pub(super) struct FieldFinder {
    tree: PointerTree,
    found: Vec<PointerValue>,
    /// Address of the line in memory, for computing offsets of borrowed values.
    line_address: usize,
}

impl FieldFinder {
    pub(super) fn new(tree: PointerTree) -> Self {
        Self { tree, found: Vec::new(), line_address: 0 }
    }

    /// Returns the values in a line, in order. [`Self::put_back`] reuses their memory.
    pub(super) fn find(&mut self, line: &str) -> Result<Vec<PointerValue>, LineFault> {
        self.found.clear();
        self.line_address = line.as_ptr().addr();
        let start = line.len() - line.trim_start_matches([' ', '\t', '\r']).len();
        let kind = JsonKind::of(line.get(start..).unwrap_or_default());
        let mut json = serde_json::Deserializer::from_str(line);
        let level = FieldLevel { finder: self, node: PointerTree::ROOT };
        match kind {
            Some(JsonKind::Object) => json.deserialize_map(level),
            Some(JsonKind::Array) => json.deserialize_seq(level),
            _ => IgnoredAny::deserialize(&mut json).map(|_| ()),
        }
        .and_then(|()| json.end())
        .map_err(|error| LineFault::invalid_json(line, &error))?;
        if let Some(kind) = kind.filter(|kind| !matches!(kind, JsonKind::Object | JsonKind::Array)) {
            return Err(LineFault::new(start, format!("the line is {kind}, not an object")));
        }
        self.found.sort_unstable_by_key(|value| value.span.start);
        Ok(std::mem::take(&mut self.found))
    }

    /// Takes back a list of values, so the next line does not allocate one.
    pub(super) fn put_back(&mut self, values: Vec<PointerValue>) {
        self.found = values;
    }

    fn add_value(&mut self, node: usize, value: &RawValue, is_item: bool) -> serde_json::Result<()> {
        self.remove_values(node);
        let value = value.get();
        if let Some(role) = self.tree.role(node) {
            let start = value.as_ptr().addr() - self.line_address;
            self.found.push(PointerValue { role, span: start..start + value.len(), is_item });
        }
        if self.tree.children(node).is_empty() {
            return Ok(());
        }
        let mut json = serde_json::Deserializer::from_str(value);
        let level = FieldLevel { finder: self, node };
        match JsonKind::of(value) {
            Some(JsonKind::Object) => json.deserialize_map(level),
            Some(JsonKind::Array) => json.deserialize_seq(level),
            _ => Ok(()),
        }
    }

    /// Removes the values of a node and its descendants, because a later member has the same name.
    fn remove_values(&mut self, node: usize) {
        if self.found.is_empty() {
            return;
        }
        if let Some(role) = self.tree.role(node) {
            self.found.retain(|value| value.role != role);
        }
        for child in self.tree.children(node).to_vec() {
            self.remove_values(child);
        }
    }
}

struct FieldLevel<'a> {
    finder: &'a mut FieldFinder,
    node: usize,
}

impl<'de> Visitor<'de> for FieldLevel<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<&RawValue>()? {
            let key = key.get();
            let name = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key);
            match self.finder.tree.member(self.node, name) {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(child) => self.finder.add_value(child, map.next_value()?, false).map_err(A::Error::custom)?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for index in 0.. {
            let found = match self.finder.tree.item(self.node, index) {
                None => items.next_element::<IgnoredAny>()?.map(|_| ()),
                Some(child) => match items.next_element::<&RawValue>()? {
                    Some(value) => Some(self.finder.add_value(child, value, true).map_err(A::Error::custom)?),
                    None => None,
                },
            };
            if found.is_none() {
                break;
            }
        }
        Ok(())
    }
}

impl LineFault {
    pub(super) fn new(at: usize, what: String) -> Self {
        Self { at, what, hint: None }
    }

    pub(super) fn moved_by(self, start: usize) -> Self {
        Self { at: start + self.at, ..self }
    }

    /// Converts an error of the parser, whose columns are in bytes, from 1.
    fn invalid_json(line: &str, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or(&text);
        if error.is_eof() {
            let place = what.strip_prefix("EOF while parsing ").unwrap_or("a value");
            let what = format!("invalid JSON: the line ends within {}", place.replace("a list", "an array"));
            let hint = "each line must be one JSON value, as `jq -c` writes them";
            return Self { at: line.len(), what, hint: Some(hint) };
        }
        // For a control character, the parser reports the position before the character instead of after it.
        let is_control = what.starts_with("control character");
        let at = if is_control { error.column() } else { error.column().saturating_sub(1) };
        let at = (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or_default();
        let what = match what {
            _ if is_control => "a control character in a string must be escaped",
            "expected ident" => "expected `true`, `false` or `null`",
            "expected value" => "expected a value",
            "key must be a string" => "expected the name of a member in quotes",
            "trailing characters" => "expected the end of the line",
            what => what,
        };
        Self::new(at, format!("invalid JSON: {what}"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonKind {
    Object,
    Array,
    String,
    Number,
    Boolean,
    Null,
}

impl JsonKind {
    /// Returns the type of a value by its first character; `None` if no value can start with it.
    pub(super) fn of(value: &str) -> Option<Self> {
        Some(match value.as_bytes().first()? {
            b'{' => Self::Object,
            b'[' => Self::Array,
            b'"' => Self::String,
            b'-' | b'0'..=b'9' => Self::Number,
            b't' | b'f' => Self::Boolean,
            b'n' => Self::Null,
            _ => return None,
        })
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Null => "null",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::pointer::FieldPointer;
    use super::*;

    fn finder(fields: &[&str]) -> FieldFinder {
        let fields: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
        FieldFinder::new(PointerTree::new(&FieldPointer::parse_list(&fields).unwrap(), &[]))
    }

    fn values<'a>(fields: &[&str], line: &'a str) -> Vec<(usize, &'a str)> {
        let mut finder = finder(fields);
        let values = finder.find(line).unwrap();
        let number = |role| if let FieldRole::Source(number) = role { number } else { usize::MAX };
        values.iter().map(|value| (number(value.role), line.get(value.span.clone()).unwrap())).collect()
    }

    fn fault(line: &str) -> String {
        let LineFault { at, what, .. } = finder(&["/a"]).find(line).unwrap_err();
        format!("{}: {}", at + 1, what.strip_prefix("invalid JSON: ").unwrap_or(&what))
    }

    #[test]
    fn values_are_found_in_the_order_of_the_line() {
        let line = r#" { "b" : [1, {"x": "in"}, "two"] ,"a":"one", "c":null } "#;
        assert_eq!(
            values(&["/a", "/b/1/x", "/b/2", "/c", "/d", "/a/x"], line),
            [(1, "\"in\""), (2, "\"two\""), (0, "\"one\""), (3, "null")]
        );
        assert_eq!(values(&["/1/a", "/0"], r#"["x",{"a":"y"}]"#), [(1, "\"x\""), (0, "\"y\"")]);
        assert_eq!(values(&["/", "/~1"], r#"{"":"empty","/":"slash"}"#), [(0, "\"empty\""), (1, "\"slash\"")]);
    }

    #[test]
    fn the_last_member_with_a_name_wins() {
        assert_eq!(values(&["/a"], r#"{"a":"1","b":2,"\u0061":"3"}"#), [(0, "\"3\"")]);
        assert_eq!(values(&["/a/b", "/c"], r#"{"a":{"b":"1"},"c":"2","a":{"x":"3"}}"#), [(1, "\"2\"")]);
        assert_eq!(values(&["/a/b"], r#"{"a":{"b":"1","b":"2"},"a":[{"b":"3"}]}"#), []);
    }

    #[test]
    fn values_on_the_path_may_have_any_type() {
        for line in [r#"{"a":1e999}"#, r#"{"a":"\ud800"}"#, r#"{"a":[]}"#, r#"{"a":null}"#, "[1]", "{}"] {
            assert_eq!(values(&["/a/b"], line), [], "{line}");
        }
    }

    #[test]
    fn other_values_only_have_to_be_json() {
        let deep = format!("{{\"x\":{}{},\"a\":\"y\"}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(values(&["/a"], &deep), [(0, "\"y\"")]);
        let line = r#"{"x":"\udead","\ud800":-0.0e-999,"y":123456789012345678901234567890,"a":""}"#;
        assert_eq!(values(&["/a"], line), [(0, "\"\"")]);
        assert!(finder(&[&"/0".repeat(64)]).find(&format!("{}{}", "[".repeat(200), "]".repeat(200))).is_ok());
    }

    #[test]
    fn refuses_invalid_json_with_its_position() {
        for (line, expected) in [
            (r#"{"a":1"#, "7: the line ends within an object"),
            (r#"{"x":[1,"#, "9: the line ends within a value"),
            (r#"["a"#, "4: the line ends within a string"),
            (r#"{"a" 1}"#, "6: expected `:`"),
            (r#"{"a":1 "b":2}"#, "8: expected `,` or `}`"),
            (r#"{"a":1,}"#, "8: trailing comma"),
            ("{a:1}", "2: expected the name of a member in quotes"),
            (r#"{"a":1} {"a":2}"#, "9: expected the end of the line"),
            (r#"{"x":nul}"#, "9: expected `true`, `false` or `null`"),
            (r#"{"x":"é\q"}"#, "10: invalid escape"),
            ("{\"x\":\"a\tb\"}", "8: a control character in a string must be escaped"),
            ("{\"a\":\"\tb\"}", "7: a control character in a string must be escaped"),
            (r#"{"x":01}"#, "7: invalid number"),
            (r#"{"x":.5}"#, "6: expected a value"),
            ("title,text", "2: expected `true`, `false` or `null`"),
            ("hello", "1: expected a value"),
            ("{\u{a0}}", "2: expected the name of a member in quotes"),
            (" 12", "2: the line is a number, not an object"),
            ("\"x\"", "1: the line is a string, not an object"),
            ("null", "1: the line is null, not an object"),
        ] {
            assert_eq!(fault(line), expected, "{line}");
        }
    }
}
