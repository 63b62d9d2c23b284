//! Objects as plain text: one `name: value` line for each field, an empty line between objects.
//!
//! Not for translated text, which is written as it is. Spec: command line, "Streams and formats".

use super::escape;
use super::view::Table;

/// The objects of a table as lines; fields without a value are left out.
pub fn render(table: &Table, terminal: bool) -> String {
    let mut text = String::new();
    for (i, row) in table.rows.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for (name, cell) in table.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
            text.push_str(&escape::cell(name, terminal));
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

    #[test]
    fn writes_a_line_for_each_field() {
        let mut table = Table::new(["id", "name"]);
        table.push(vec!["1".into(), "a\nb".into()]);
        table.push(vec!["2".into(), None::<&str>.into()]);
        assert_eq!(render(&table, false), "id: 1\nname: a\\nb\n\nid: 2\n");
    }
}
