//! Views of style rule lists and custom instructions.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tulk_base::json::Kept;
use tulk_client::api::style::{ConfiguredRules, CustomInstruction, StyleRule};

use crate::output::{Cell, Column, Row, Table, View};

/// The columns of several lists.
pub const LIST_COLUMNS: &[Column] = &[
    Column::id("style_id").header("ID"),
    Column::name("name"),
    Column::text("language"),
    Column::number("version").rank(5),
    Column::time("creation_time").header("CREATED").rank(4),
    Column::time("updated_time").header("UPDATED"),
];
/// Note on the columns of a list with its details.
pub const SAME_AS_DETAILED: &str = "list --detailed prints the same";

/// The columns of a list with its rules and instructions.
pub const DETAILED_COLUMNS: &[Column] = &[
    Column::id("style_id").header("ID"),
    Column::name("name"),
    Column::text("language"),
    Column::number("version").rank(5),
    Column::time("creation_time").header("CREATED").rank(4),
    Column::time("updated_time").header("UPDATED"),
    Column::text("configured_rules").header("RULES"),
    Column::text("custom_instructions").header("INSTRUCTIONS"),
];

/// One or several style rule lists.
pub(super) struct StyleListsView<'a> {
    lists: &'a [Kept<StyleRule>],
    /// Whether rules and labels of instructions have columns.
    detailed: bool,
    /// Whether this is a single list, whose JSON is an object.
    is_single: bool,
}

impl<'a> StyleListsView<'a> {
    /// Creates the view of several lists, whose JSON is an array.
    pub(super) fn many(lists: &'a [Kept<StyleRule>], detailed: bool) -> Self {
        Self { lists, detailed, is_single: false }
    }

    /// Creates the view of one list with rules and instructions.
    pub(super) fn one(list: &'a Kept<StyleRule>) -> Self {
        Self { lists: std::slice::from_ref(list), detailed: true, is_single: true }
    }
}

impl Serialize for StyleListsView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.lists {
            [list] if self.is_single => list.serialize(serializer),
            lists => lists.serialize(serializer),
        }
    }
}

impl View for StyleListsView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(if self.detailed { DETAILED_COLUMNS } else { LIST_COLUMNS });
        table.is_object = self.is_single;
        for list in self.lists {
            let mut row = vec![
                Cell::from(&list.style_id),
                Cell::from(&list.name),
                Cell::from(&list.language),
                list.version.into(),
                list.creation_time.as_ref().into(),
                list.updated_time.as_ref().into(),
            ];
            if self.detailed {
                let rules = list.configured_rules.as_ref().map(rule_options).unwrap_or_default();
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
        self.lists.iter().map(Kept::raw).collect()
    }
}

/// Returns category, rule and option of each rule.
pub(super) fn rule_options(rules: &ConfiguredRules) -> Vec<(&str, &str, String)> {
    let mut options = Vec::new();
    for (category, inner) in rules {
        for (rule, option) in inner.as_object().into_iter().flatten() {
            let option = match option {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            options.push((category.as_str(), rule.as_str(), option));
        }
    }
    options
}

impl Row for CustomInstruction {
    const COLUMNS: &'static [Column] = &[
        Column::id("id"),
        Column::name("label"),
        Column::text("prompt"),
        Column::text("source_language").header("FROM").rank(2),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.id),
            Cell::from(&self.label),
            Cell::from(&self.prompt),
            self.source_language.as_ref().into(),
        ]
    }
}
