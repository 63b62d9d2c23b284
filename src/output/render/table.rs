//! Lays out tables for people: aligned columns without borders, one line per row.
//!
//! comfy-table arranges the columns and cuts texts. Before that, empty columns and columns with the highest ranks are omitted until the
//! others fit. Single objects, and lists that are too wide for the terminal, are shown as blocks: one `NAME  value` line per field,
//! with a blank line between objects. In a pipe, a table has no width limit and no grouped digits.

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, ContentLineStyle, Row, Table as Grid, TableStyle, Width,
};
use unicode_width::UnicodeWidthStr;

use super::shorten;
use super::shown_table::ShownTable;
use super::values::{ShownValue, ValueStyle};
use crate::output::color::TextStyle;
use crate::output::column::{ColumnKind, TEXT_MINIMUM, TableColumn};
use crate::output::view::Table;

/// Spaces between two columns.
pub const GAP: usize = 2;
/// Separates columns until their cells are painted. This is safe because values contain no tabs.
const SEPARATOR: char = '\t';
const CELL_STYLE: ContentLineStyle = ContentLineStyle::none().junction(SEPARATOR);
/// A file name up to this width is cut only after columns have been omitted.
const KEPT_FILE_NAME_WIDTH: usize = 24;

#[derive(Clone, Debug, Default)]
pub struct TableLayout {
    pub values: ValueStyle,
    /// Width of the terminal in columns; `None` is unlimited.
    pub width: Option<u16>,
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
    let rooms: Vec<ColumnRoom> = (0..shown.columns.len()).map(|index| column_room(&shown, index, layout)).collect();
    let width = layout.width.map_or(usize::MAX, usize::from);
    let fit = if table.is_object { None } else { fit_columns(&rooms, width, layout.keep_all) };
    let (mut text, omitted) = match fit {
        Some((columns, omitted)) => (grid_text(&shown, &columns, &rooms, layout), omitted),
        None => (blocks(&shown, layout), Vec::new()),
    };
    push_notes(&mut text, &shown, &omitted, layout);
    text
}

#[derive(Clone, Copy, Debug, Default)]
struct ColumnRoom {
    /// Width of the widest value or header.
    natural: usize,
    /// Width to which the column can be cut.
    minimum: usize,
    /// Width to which the column can be cut if nothing else helps.
    absolute_minimum: usize,
    rank: u8,
    is_empty: bool,
}

/// Indices of the columns that are shown, each with its minimum width.
type ShownColumns = Vec<(usize, usize)>;

/// Returns the columns to show with their minimum widths, and the columns that are omitted although they have values; `None` if the
/// table does not fit into `width`. With `keep_all`, every column must be shown.
fn fit_columns(rooms: &[ColumnRoom], width: usize, keep_all: bool) -> Option<(ShownColumns, Vec<usize>)> {
    type Size = fn(&ColumnRoom) -> usize;
    let sized = |size: Size, shows_empty: bool| -> ShownColumns {
        let shown = rooms.iter().enumerate().filter(|(_, room)| shows_empty || !room.is_empty);
        shown.map(|(index, room)| (index, size(room))).collect()
    };
    let fits = |shown: &[(usize, usize)]| {
        shown.iter().map(|(_, size)| size).sum::<usize>() + GAP * shown.len().saturating_sub(1) <= width
    };
    let attempts: [(Size, bool); 3] =
        [(|room| room.natural, true), (|room| room.minimum, keep_all), (|room| room.absolute_minimum, keep_all)];
    for (attempt, (size, shows_empty)) in attempts.into_iter().enumerate() {
        let (mut shown, mut omitted) = (sized(size, shows_empty), Vec::new());
        while attempt > 0 && !keep_all && shown.len() > 1 && !fits(&shown) {
            // Omit the column with the highest rank; if there are several, the last of them.
            let rank = |&(index, _): &(usize, usize)| rooms.get(index).map_or(0, |room| room.rank);
            let Some((at, _)) =
                shown.iter().enumerate().filter(|(_, column)| rank(column) > 0).max_by_key(|(_, column)| rank(column))
            else {
                break;
            };
            omitted.push(shown.remove(at).0);
        }
        if fits(&shown) {
            omitted.sort_unstable();
            return Some((shown, omitted));
        }
    }
    None
}

fn column_room(table: &ShownTable, index: usize, layout: &TableLayout) -> ColumnRoom {
    let Some(TableColumn { header, kind, rank, minimum, .. }) = table.columns.get(index) else {
        return ColumnRoom::default();
    };
    let widest = |width: fn(&str, &str) -> usize| {
        let widths = table.values(index).map(|value| width(value, layout.values.ellipsis()));
        widths.max().unwrap_or_default().max(header.width())
    };
    let natural = widest(|value, _| value.width());
    let at_least = |minimum: usize| natural.min(minimum.max(header.width()));
    let absolute_minimum = at_least(TEXT_MINIMUM);
    let (minimum, absolute_minimum) = match kind {
        ColumnKind::Name | ColumnKind::Text => (at_least(*minimum), absolute_minimum),
        ColumnKind::Path => {
            (widest(shorten::path_minimum).min(KEPT_FILE_NAME_WIDTH).max(absolute_minimum), absolute_minimum)
        }
        _ => (natural, natural),
    };
    ColumnRoom { natural, minimum, absolute_minimum, rank: *rank, is_empty: table.values(index).all(str::is_empty) }
}

fn grid_text(table: &ShownTable, shown: &[(usize, usize)], rooms: &[ColumnRoom], layout: &TableLayout) -> String {
    let columns: Vec<&TableColumn> = shown.iter().filter_map(|(index, _)| table.columns.get(*index)).collect();
    let rows: Vec<Vec<&ShownValue>> = (table.rows.iter().chain(&table.totals))
        .map(|row| shown.iter().filter_map(|(index, _)| row.get(*index)).collect())
        .collect();
    let ellipsis = layout.values.ellipsis();
    let mut grid = Grid::new();
    grid.load_style(TableStyle::new().header_lines(CELL_STYLE).content_lines(CELL_STYLE))
        .set_truncation_indicator(ellipsis);
    // Do not break at words, because that would leave room unused.
    grid.set_delimiter(SEPARATOR).set_content_arrangement(ContentArrangement::Disabled);
    if let Some(width) = layout.width {
        grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    grid.set_header(columns.iter().map(|column| column.header.as_str()));
    for row in &rows {
        let mut line: Row = row.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().into();
        line.max_height(1);
        grid.add_row(line);
    }
    for (at, (column, &(index, minimum))) in columns.iter().zip(shown).enumerate() {
        let Some(cells) = grid.column_mut(at) else { continue };
        let padding = u16::from(at + 1 < columns.len());
        cells.set_padding((0, padding)).set_constraint(match rooms.get(index) {
            Some(room) if minimum < room.natural => {
                ColumnConstraint::LowerBoundary(Width::Fixed(u16::try_from(minimum).unwrap_or(u16::MAX) + padding))
            }
            _ => ColumnConstraint::ContentWidth,
        });
        if column.kind == ColumnKind::Count || table.is_number.get(index) == Some(&true) {
            cells.set_cell_alignment(CellAlignment::Right);
        }
    }
    let painted = |(cell, (column, value)): (&str, (&&TableColumn, &&ShownValue))| match (column.kind, value.style) {
        (ColumnKind::Path, _) => {
            let width = cell.width();
            let path = shorten::path(&value.text, width - usize::from(cell.ends_with(' ')), ellipsis);
            format!("{path}{}", " ".repeat(width.saturating_sub(path.width())))
        }
        (_, Some(style)) => cell.replacen(&*value.text, &style.paint(&value.text, layout.color), 1),
        _ => cell.to_owned(),
    };
    let mut text = String::new();
    for (i, line) in grid.lines().enumerate() {
        let line = match i.checked_sub(1).and_then(|i| rows.get(i)) {
            None => TextStyle::Dim.paint(line.replace(SEPARATOR, " ").trim_end(), layout.color),
            Some(row) => line.split(SEPARATOR).zip(columns.iter().zip(row)).map(painted).collect::<Vec<_>>().join(" "),
        };
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn push_notes(text: &mut String, table: &ShownTable, omitted: &[usize], layout: &TableLayout) {
    let names: Vec<&str> = omitted.iter().filter_map(|&i| table.columns.get(i)).map(|c| c.name.as_str()).collect();
    let not_shown =
        (!names.is_empty()).then(|| format!("not shown: {} (wider terminal, --json, or --columns)", names.join(", ")));
    for note in table.period.iter().chain(&not_shown) {
        for line in shorten::wrap(note, layout.width.map_or(usize::MAX, usize::from)) {
            text.push_str(&TextStyle::Dim.paint(line, layout.color));
            text.push('\n');
        }
    }
}

/// Returns the rows as blocks. Empty fields are omitted unless the user named them.
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
    // Break only values that consist of words: a time also contains a space.
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
            // Keep a value next to its label if it fits only there, although it is then not aligned.
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
