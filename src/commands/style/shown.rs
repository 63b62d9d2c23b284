//! How lists, rules and instructions look.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::api::style::{ConfiguredRules, CustomInstruction, StyleRule};
use crate::json::Kept;
use crate::output::{Cell, Row, Table, View};

/// Columns of a list.
pub const SHORT: &[&str] = &["style_id", "name", "language", "version", "creation_time", "updated_time"];
/// Columns of a list with its rules and instructions.
pub const FULL: &[&str] = &[
    "style_id",
    "name",
    "language",
    "version",
    "creation_time",
    "updated_time",
    "configured_rules",
    "custom_instructions",
];

/// Lists, or one list; `detailed` adds rules and labels.
pub(super) struct Lists<'a> {
    items: &'a [Kept<StyleRule>],
    detailed: bool,
    one: bool,
}

impl<'a> Lists<'a> {
    /// Several lists, whose JSON is an array.
    pub(super) fn several(lists: &'a [Kept<StyleRule>], detailed: bool) -> Self {
        Self { items: lists, detailed, one: false }
    }

    /// One list in full.
    pub(super) fn one(list: &'a Kept<StyleRule>) -> Self {
        Self { items: std::slice::from_ref(list), detailed: true, one: true }
    }
}

impl Serialize for Lists<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.items {
            [list] if self.one => list.serialize(serializer),
            lists => lists.serialize(serializer),
        }
    }
}

impl View for Lists<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(if self.detailed { FULL } else { SHORT }.iter().copied());
        table.is_object = self.one;
        for list in self.items {
            let mut row = vec![
                Cell::from(&list.style_id),
                Cell::from(&list.name),
                Cell::from(&list.language),
                list.version.into(),
                list.creation_time.as_ref().into(),
                list.updated_time.as_ref().into(),
            ];
            if self.detailed {
                let rules = list.configured_rules.as_ref().map(flat).unwrap_or_default();
                row.push(Cell::list(
                    rules.iter().map(|(category, rule, option)| format!("{category}.{rule}={option}")),
                ));
                row.push(Cell::list(list.instructions().iter().map(|i| i.label.as_str())));
            }
            table.push(row);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(Kept::raw).collect()
    }
}

/// Rules as category, rule and option.
pub(super) fn flat(rules: &ConfiguredRules) -> Vec<(&str, &str, String)> {
    let mut flat = Vec::new();
    for (category, inner) in rules {
        for (rule, option) in inner.as_object().into_iter().flatten() {
            let option = match option {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            flat.push((category.as_str(), rule.as_str(), option));
        }
    }
    flat
}

impl Row for CustomInstruction {
    const COLUMNS: &'static [&'static str] = &["id", "label", "prompt", "source_language"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.id),
            Cell::from(&self.label),
            Cell::from(&self.prompt),
            self.source_language.as_ref().into(),
        ]
    }
}
