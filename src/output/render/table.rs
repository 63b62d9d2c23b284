//! Lays out tables for people: aligned columns without borders, one line per row.
//!
//! What does not fit is cut or left out: see `fit`. Single objects, and lists that are too wide for the terminal, are shown as blocks:
//! one `NAME  value` line per field, with an empty line between objects. A table that is not for a terminal has no width, no colour and
//! no grouped digits.

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table as Grid};
use unicode_width::UnicodeWidthStr;

use super::fit::{ColumnRoom, GAP, TableFit, fit};
use super::shorten;
use super::shown_table::ShownTable;
use super::values::{ShownValue, ValueStyle};
use crate::output::color::TextStyle;
use crate::output::column::{ColumnKind, TEXT_MINIMUM, TableColumn};
use crate::output::view::Table;

/// File names are kept whole up to this width, as long as leaving out columns makes room for them.
const FILE_NAME_KEPT: usize = 24;

/// How a table is laid out.
#[derive(Clone, Debug, Default)]
pub struct TableLayout {
    /// How values are shown.
    pub values: ValueStyle,
    /// Width of the terminal in columns; `None` is not limited.
    pub width: Option<u16>,
    /// Whether headers and statuses have colour.
    pub color: bool,
    /// Whether every column is shown, because the user named it.
    pub keep_all: bool,
}

/// Returns the table as text, which is empty if it has no rows.
pub fn render(table: &Table, layout: &TableLayout) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let shown = ShownTable::new(table, &layout.values, layout.keep_all);
    let rooms: Vec<ColumnRoom> = (0..shown.columns.len()).map(|index| room(&shown, index, layout)).collect();
    let width = layout.width.map_or(usize::MAX, usize::from);
    let mut text = match fit(&rooms, width, layout.keep_all) {
        TableFit::Columns { shown: widths, left_out } if !table.is_object => {
            let mut text = grid_text(&shown, &widths, layout);
            push_notes(&mut text, &shown, &left_out, layout);
            return text;
        }
        _ => blocks(&shown, layout),
    };
    push_notes(&mut text, &shown, &[], layout);
    text
}

/// Measures a column.
fn room(table: &ShownTable, index: usize, layout: &TableLayout) -> ColumnRoom {
    let Some(TableColumn { header, kind, rank, minimum, .. }) = table.columns.get(index) else {
        return ColumnRoom::default();
    };
    let widest = |width: fn(&str, &str) -> usize| {
        let widths = table.values(index).map(|value| width(value, layout.values.ellipsis()));
        widths.max().unwrap_or_default().max(header.width())
    };
    let natural = widest(|value, _| value.width());
    let at_least = |minimum: usize| natural.min(minimum.max(header.width()));
    let least = at_least(TEXT_MINIMUM);
    let (minimum, least) = match kind {
        ColumnKind::Name | ColumnKind::Text => (at_least(*minimum), least),
        ColumnKind::Path => (widest(shorten::path_minimum).min(FILE_NAME_KEPT).max(least), least),
        _ => (natural, natural),
    };
    ColumnRoom { natural, minimum, least, rank: *rank, is_empty: table.values(index).all(str::is_empty) }
}

/// Returns the lines of the columns that are shown, each cut to its width.
fn grid_text(table: &ShownTable, widths: &[(usize, usize)], layout: &TableLayout) -> String {
    let columns: Vec<(&TableColumn, usize, usize)> =
        widths.iter().filter_map(|&(index, width)| Some((table.columns.get(index)?, index, width))).collect();
    let mut grid = Grid::new();
    grid.set_header(columns.iter().map(|(column, ..)| column.header.as_str()));
    let rows: Vec<Vec<ShownValue>> = (table.rows.iter().chain(&table.totals))
        .map(|row| columns.iter().map(|(column, index, width)| cut(row.get(*index), column, *width, layout)).collect())
        .collect();
    for row in &rows {
        grid.add_row(row.iter().map(|value| value.text.as_str()));
    }
    grid.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    for (at, (column, index, _)) in columns.iter().enumerate() {
        let Some(cells) = grid.column_mut(at) else { continue };
        cells.set_padding((0, if at + 1 == columns.len() { 0 } else { GAP_PADDING }));
        if column.kind == ColumnKind::Count || table.is_number.get(*index) == Some(&true) {
            cells.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for (i, line) in grid.lines().enumerate() {
        let line = line.trim_end();
        match i.checked_sub(1).and_then(|i| rows.get(i)) {
            None => text.push_str(&TextStyle::Dim.paint(line, layout.color)),
            Some(row) => push_painted(&mut text, line, row, layout.color),
        }
        text.push('\n');
    }
    text
}

/// [`GAP`] in the type of the grid.
#[allow(clippy::cast_possible_truncation)]
const GAP_PADDING: u16 = GAP as u16;

fn cut(value: Option<&ShownValue>, column: &TableColumn, width: usize, layout: &TableLayout) -> ShownValue {
    let Some(ShownValue { text, style }) = value else { return ShownValue::default() };
    let text = match column.kind {
        ColumnKind::Name | ColumnKind::Text => shorten::end(text, width, layout.values.ellipsis()),
        ColumnKind::Path => shorten::path(text, width, layout.values.ellipsis()),
        _ => text.into(),
    };
    ShownValue { text: text.into_owned(), style: *style }
}

/// Adds a line of the grid, with the colours of its values. Only blanks are between them.
fn push_painted(text: &mut String, line: &str, row: &[ShownValue], color: bool) {
    let mut rest = line;
    for value in row.iter().filter(|value| !value.text.is_empty()) {
        let Some((before, after)) = rest.split_once(value.text.as_str()) else { break };
        text.push_str(before);
        match value.style {
            Some(style) => text.push_str(&style.paint(&value.text, color)),
            None => text.push_str(&value.text),
        }
        rest = after;
    }
    text.push_str(rest);
}

/// Adds what belongs below the table: the period, and the columns that have no room.
fn push_notes(text: &mut String, table: &ShownTable, left_out: &[usize], layout: &TableLayout) {
    let names: Vec<&str> = left_out.iter().filter_map(|&i| table.columns.get(i)).map(|c| c.name.as_str()).collect();
    let not_shown =
        (!names.is_empty()).then(|| format!("not shown: {} (wider terminal, --json, or --columns)", names.join(", ")));
    for note in table.period.iter().chain(&not_shown) {
        for line in shorten::wrap(note, layout.width.map_or(usize::MAX, usize::from)) {
            text.push_str(&TextStyle::Dim.paint(line, layout.color));
            text.push('\n');
        }
    }
}

/// Returns the rows as blocks. Empty fields are left out unless they were asked for.
pub fn blocks(table: &ShownTable, layout: &TableLayout) -> String {
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
