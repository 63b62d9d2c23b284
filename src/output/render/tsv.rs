//! Renders tables as tab-separated values, one line per row.
//!
//! Glossary entries, which the service sends as TSV, are written without this module.

use crate::output::escape;
use crate::output::view::{Cell, Table};

/// Returns the rows, with the column names first if `header` is set. Totals are left out.
pub fn render(table: &Table, header: bool, terminal: bool) -> String {
    let mut text = String::new();
    if header {
        push_line(&mut text, table.columns.iter().map(|column| column.name.as_str()), terminal);
    }
    for row in &table.rows {
        push_line(&mut text, row.iter().map(Cell::text), terminal);
    }
    text
}

fn push_line<'a>(text: &mut String, fields: impl Iterator<Item = &'a str>, terminal: bool) {
    for (i, field) in fields.enumerate() {
        if i > 0 {
            text.push('\t');
        }
        text.push_str(&escape::field(field, terminal));
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::column::Column;

    #[test]
    fn each_row_is_one_line() {
        let mut table = Table::new(&[Column::id("id"), Column::name("name")]).with_totals(vec!["1".into(), "".into()]);
        table.push(vec!["1".into(), "a\tb\nc\\".into()]);
        table.push(vec![2u64.into(), None::<&str>.into()]);
        assert_eq!(render(&table, false, false), "1\ta\\tb\\nc\\\\\n2\t\n");
        assert_eq!(render(&table, true, false), "id\tname\n1\ta\\tb\\nc\\\\\n2\t\n");
    }

    #[test]
    fn an_empty_list_has_no_lines_but_the_header() {
        assert_eq!(render(&Table::new(&[Column::id("id")]), false, false), "");
        assert_eq!(render(&Table::new(&[Column::id("id")]), true, false), "id\n");
    }
}
