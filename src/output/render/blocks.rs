//! Lays out objects as blocks: one `NAME  value` line per field, with an empty line between objects.
//!
//! Single objects are shown in this way, and lists that are too wide for the terminal.

use unicode_width::UnicodeWidthStr;

use super::fit::GAP;
use super::shorten;
use super::shown_table::ShownTable;
use super::table::TableLayout;
use super::values::ShownValue;
use crate::output::color::TextStyle;
use crate::output::column::{ColumnKind, TableColumn};

/// Returns the rows as blocks. Empty fields are left out unless they were asked for.
pub fn render(table: &ShownTable, layout: &TableLayout) -> String {
    let rows = || table.rows.iter().chain(&table.totals);
    let is_shown = |value: &ShownValue| layout.keep_all || !value.text.is_empty();
    let fields = |row: &'_ [ShownValue]| row.iter().map(is_shown).collect::<Vec<bool>>();
    let label_width = (table.columns.iter().enumerate())
        .filter(|(index, _)| rows().any(|row| fields(row).get(*index) == Some(&true)))
        .map(|(_, column)| column.header.width())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    for (i, row) in rows().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for (column, value) in table.columns.iter().zip(row).filter(|(_, value)| is_shown(value)) {
            push_field(&mut text, column, value, label_width, layout);
        }
    }
    text
}

fn push_field(text: &mut String, column: &TableColumn, value: &ShownValue, label_width: usize, layout: &TableLayout) {
    let indent = label_width + GAP;
    // Only what is made of words may be broken; times have a blank, too.
    let may_wrap = matches!(column.kind, ColumnKind::Name | ColumnKind::Text | ColumnKind::Path);
    let lines = match layout.width {
        Some(width) if may_wrap => shorten::wrap(&value.text, usize::from(width).saturating_sub(indent).max(1)),
        _ => vec![value.text.as_str()],
    };
    let is_whole = lines.len() == 1;
    for (i, line) in lines.into_iter().enumerate() {
        let label = if i == 0 { column.header.as_str() } else { "" };
        let fits = |indent: usize| layout.width.is_none_or(|width| indent + line.width() <= usize::from(width));
        let padding = match indent - label.width() {
            _ if line.is_empty() => 0,
            // A value that fits only beside its label stays whole, even though it is not aligned.
            _ if is_whole && !fits(indent) && fits(label.width() + GAP) => GAP,
            padding => padding,
        };
        text.push_str(&TextStyle::Dim.paint(label, layout.color));
        text.push_str(&" ".repeat(padding));
        match value.style {
            Some(style) => text.push_str(&style.paint(line, layout.color)),
            None => text.push_str(line),
        }
        text.push('\n');
    }
}
