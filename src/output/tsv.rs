//! Listings as tab-separated values: a row is a line, `cut -f` counts right.
//!
//! Not for files that are TSV by nature (glossary entries), which are raw. Spec: command line, "Streams and formats".

use super::escape;
use super::view::Table;

/// The rows, below the column names if `header` is set. Totals are left out.
pub fn render(table: &Table, header: bool, terminal: bool) -> String {
    let mut text = String::new();
    if header {
        line(&mut text, table.columns.iter().map(String::as_str), terminal);
    }
    for row in &table.rows {
        line(&mut text, row.iter().map(super::view::Cell::text), terminal);
    }
    text
}

fn line<'a>(text: &mut String, fields: impl Iterator<Item = &'a str>, terminal: bool) {
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

    #[test]
    fn a_row_is_a_line() {
        let mut table = Table::new(["id", "name"]).with_totals(vec!["1".into(), "".into()]);
        table.push(vec!["1".into(), "a\tb\nc\\".into()]);
        table.push(vec![2u64.into(), None::<&str>.into()]);
        assert_eq!(render(&table, false, false), "1\ta\\tb\\nc\\\\\n2\t\n");
        assert_eq!(render(&table, true, false), "id\tname\n1\ta\\tb\\nc\\\\\n2\t\n");
    }

    #[test]
    fn an_empty_list_is_nothing_or_its_header() {
        assert_eq!(render(&Table::new(["id"]), false, false), "");
        assert_eq!(render(&Table::new(["id"]), true, false), "id\n");
    }
}
