//! Renders objects as plain text: one `name: value` line per field, an empty line between objects.
//!
//! Translated text is written without this module, unchanged.

use crate::output::escape;
use crate::output::view::Table;

/// Returns the rows of a table as lines. Empty fields are left out.
pub fn render(table: &Table, terminal: bool) -> String {
    let mut text = String::new();
    for (i, row) in table.rows.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for (column, cell) in table.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
            text.push_str(&escape::cell(&column.name, terminal));
            text.push_str(": ");
            text.push_str(&escape::cell(cell.text(), terminal));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::column::Column;

    #[test]
    fn writes_one_line_per_field() {
        let mut table = Table::new(&[Column::id("id"), Column::name("name")]);
        table.push(vec!["1".into(), "a\nb".into()]);
        table.push(vec!["2".into(), None::<&str>.into()]);
        assert_eq!(render(&table, false), "id: 1\nname: a\\nb\n\nid: 2\n");
    }
}
