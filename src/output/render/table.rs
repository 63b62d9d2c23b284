//! Lays out tables for people: aligned columns without borders, wrapped to the width of the terminal.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid};

use crate::output::color::TextStyle;
use crate::output::escape;
use crate::output::view::{Cell, Table};

/// How a table is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableLayout {
    /// Width of the terminal in columns; `None` never wraps.
    pub width: Option<u16>,
    /// Whether control characters are escaped.
    pub terminal: bool,
    /// Whether the header is bold.
    pub color: bool,
}

/// Returns the table as text, which is empty if it has no rows.
pub fn render(table: &Table, layout: TableLayout) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    if table.is_object {
        for (i, row) in table.rows.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            push_lines(&mut text, &field_grid(table, row, layout), TableLayout { color: false, ..layout });
        }
    } else {
        push_lines(&mut text, &row_grid(table, layout), layout);
    }
    text
}

/// Lays out one object, one line per field.
fn field_grid(table: &Table, row: &[Cell], layout: TableLayout) -> Grid {
    let mut grid = Grid::new();
    for (name, cell) in table.columns.iter().zip(row) {
        let key = format!("{}:", escape::cell(name, layout.terminal));
        grid.add_row([key, escape::cell(cell.text(), layout.terminal).into_owned()]);
    }
    set_widths(&mut grid, layout);
    grid
}

fn row_grid(table: &Table, layout: TableLayout) -> Grid {
    let mut grid = Grid::new();
    grid.set_header(table.columns.iter().map(|name| escape::cell(name, layout.terminal).into_owned()));
    for row in table.rows.iter().chain(&table.totals) {
        grid.add_row(row.iter().map(|cell| escape::cell(cell.text(), layout.terminal).into_owned()));
    }
    for index in 0..table.columns.len() {
        let mut cells = table.rows.iter().filter_map(|row| row.get(index)).filter(|c| !c.is_empty()).peekable();
        if cells.peek().is_some()
            && cells.all(Cell::is_number)
            && let Some(column) = grid.column_mut(index)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    set_widths(&mut grid, layout);
    grid
}

fn set_widths(grid: &mut Grid, layout: TableLayout) {
    grid.load_style(NOTHING);
    for column in grid.column_iter_mut() {
        column.set_padding((0, 2));
    }
    if let Some(last) = grid.column_count().checked_sub(1)
        && let Some(column) = grid.column_mut(last)
    {
        column.set_padding((0, 0));
    }
    let Some(width) = layout.width else {
        grid.set_content_arrangement(ContentArrangement::Disabled);
        return;
    };
    grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    // The first column is the ID, which people copy: it is not wrapped unless it takes more than half of the line.
    let first = grid.column_max_content_widths().first().copied().unwrap_or_default();
    if first <= width / 2
        && let Some(column) = grid.column_mut(0)
    {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
}

fn push_lines(text: &mut String, grid: &Grid, layout: TableLayout) {
    for (i, line) in grid.lines().enumerate() {
        let line = line.trim_end();
        if i == 0 {
            text.push_str(&TextStyle::Bold.paint(line, layout.color));
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["id", "name", "entry_count"]);
        table.push(vec!["a1".into(), "kitchen".into(), 5u64.into()]);
        table.push(vec!["b2".into(), "日本\tx".into(), 12_000u64.into()]);
        table
    }

    #[test]
    fn aligns_columns_with_two_spaces() {
        let expected = "\
id  name     entry_count
a1  kitchen            5
b2  日本\\tx        12000
";
        assert_eq!(render(&table(), TableLayout::default()), expected);
    }

    #[test]
    fn totals_are_the_last_line() {
        let table = table().with_totals(vec!["total".into(), "".into(), 12_005u64.into()]);
        assert!(render(&table, TableLayout::default()).ends_with("\ntotal                 12005\n"));
    }

    #[test]
    fn one_object_has_one_line_per_field() {
        let mut table = Table::new(["id", "name"]);
        table.push(vec!["a1".into(), "kitchen".into()]);
        table.is_object = true;
        assert_eq!(render(&table, TableLayout::default()), "id:    a1\nname:  kitchen\n");
    }

    #[test]
    fn a_narrow_terminal_wraps_text_but_not_the_id() {
        let mut table = Table::new(["id", "text"]);
        table.push(vec!["0123456789".into(), "many words that do not fit".into()]);
        let text = render(&table, TableLayout { width: Some(24), terminal: true, color: false });
        assert!(text.lines().all(|line| line.len() <= 24), "{text}");
        assert!(text.contains("0123456789  many words"), "{text}");
        assert!(text.contains("\n            that do not"), "{text}");
    }

    #[test]
    fn only_the_header_is_bold() {
        let text = render(&table(), TableLayout { width: None, terminal: true, color: true });
        assert!(text.starts_with("\u{1b}[1mid  name     entry_count\u{1b}[0m\na1"), "{text:?}");
    }

    #[test]
    fn a_table_without_rows_is_empty() {
        assert_eq!(render(&Table::new(["id"]), TableLayout::default()), "");
    }
}
