//! Listings as aligned columns for people: no borders, two spaces between, wrapped to the terminal.
//!
//! Spec: command line, "Streams and formats".

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid};

use super::color::Paint;
use super::escape;
use super::view::{Cell, Table};

/// What the place of a table allows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Columns of the terminal; `None` never wraps.
    pub width: Option<u16>,
    /// Whether odd characters are escaped.
    pub terminal: bool,
    /// Whether the header is bold.
    pub color: bool,
}

/// The table as text; nothing at all if it has no rows.
pub fn render(table: &Table, place: Place) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    if table.upright {
        for (i, row) in table.rows.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            lines(&mut text, &fields(table, row, place), Place { color: false, ..place });
        }
    } else {
        lines(&mut text, &grid(table, place), place);
    }
    text
}

/// One object: a line for each field.
fn fields(table: &Table, row: &[Cell], place: Place) -> Grid {
    let mut grid = Grid::new();
    for (name, cell) in table.columns.iter().zip(row) {
        let key = format!("{}:", escape::cell(name, place.terminal));
        grid.add_row([key, escape::cell(cell.text(), place.terminal).into_owned()]);
    }
    fit(&mut grid, place);
    grid
}

fn grid(table: &Table, place: Place) -> Grid {
    let mut grid = Grid::new();
    grid.set_header(table.columns.iter().map(|name| escape::cell(name, place.terminal).into_owned()));
    for row in table.rows.iter().chain(&table.totals) {
        grid.add_row(row.iter().map(|cell| escape::cell(cell.text(), place.terminal).into_owned()));
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
    fit(&mut grid, place);
    grid
}

fn fit(grid: &mut Grid, place: Place) {
    grid.load_style(NOTHING);
    for column in grid.column_iter_mut() {
        column.set_padding((0, 2));
    }
    if let Some(last) = grid.column_count().checked_sub(1)
        && let Some(column) = grid.column_mut(last)
    {
        column.set_padding((0, 0));
    }
    let Some(width) = place.width else {
        grid.set_content_arrangement(ContentArrangement::Disabled);
        return;
    };
    grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    // The first column holds the ID, which people copy: it stays in one piece where that leaves half the line.
    let first = grid.column_max_content_widths().first().copied().unwrap_or_default();
    if first <= width / 2
        && let Some(column) = grid.column_mut(0)
    {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
}

fn lines(text: &mut String, grid: &Grid, place: Place) {
    for (i, line) in grid.lines().enumerate() {
        let line = line.trim_end();
        if i == 0 {
            text.push_str(&Paint::Bold.on(line, place.color));
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
        let wanted = "\
id  name     entry_count
a1  kitchen            5
b2  日本\\tx        12000
";
        assert_eq!(render(&table(), Place::default()), wanted);
    }

    #[test]
    fn ends_with_the_totals() {
        let table = table().with_totals(vec!["total".into(), "".into(), 12_005u64.into()]);
        assert!(render(&table, Place::default()).ends_with("\ntotal                 12005\n"));
    }

    #[test]
    fn one_object_has_a_line_for_each_field() {
        let mut table = Table::new(["id", "name"]);
        table.push(vec!["a1".into(), "kitchen".into()]);
        table.upright = true;
        assert_eq!(render(&table, Place::default()), "id:    a1\nname:  kitchen\n");
    }

    #[test]
    fn a_narrow_terminal_wraps_and_keeps_the_id_whole() {
        let mut table = Table::new(["id", "text"]);
        table.push(vec!["0123456789".into(), "many words that do not fit".into()]);
        let text = render(&table, Place { width: Some(24), terminal: true, color: false });
        assert!(text.lines().all(|line| line.len() <= 24), "{text}");
        assert!(text.contains("0123456789  many words"), "{text}");
        assert!(text.contains("\n            that do not"), "{text}");
    }

    #[test]
    fn only_the_header_is_bold() {
        let text = render(&table(), Place { width: None, terminal: true, color: true });
        assert!(text.starts_with("\u{1b}[1mid  name     entry_count\u{1b}[0m\na1"), "{text:?}");
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(render(&Table::new(["id"]), Place::default()), "");
    }
}
