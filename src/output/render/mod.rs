//! Renders a view as text in one of the output formats.
//!
//! Input: a [`View`] and the settings. Output: the complete text. Nothing here reads or writes a stream.

mod charts;
pub(super) mod shorten;
mod shown_table;
mod table;
mod values;

use tulk_base::error::Failure;
use tulk_base::files;
use tulk_base::json;

use self::shown_table::select_columns;
use self::table::TableLayout;
use self::values::ValueStyle;
pub use self::values::from_home;
use super::escape;
use super::settings::{OutputSettings, unsupported_format};
use super::view::{Cell, Table, View};
use crate::config::OutputFormat;

/// Returns `view` as text. Fails if the view does not have the format or the columns.
pub fn render(view: &impl View, format: OutputFormat, settings: &OutputSettings) -> Result<String, Failure> {
    settings.check_columns(format)?;
    let terminal = settings.stdout_is_terminal;
    let table = || select_columns(view.table(), &settings.columns, &view.items());
    Ok(match format {
        OutputFormat::Json => {
            let text = serde_json::to_string(view).map_err(|e| Failure::internal(e.to_string()))?;
            json::indent(&text, terminal) + "\n"
        }
        OutputFormat::Jsonl => view.items().iter().map(|item| json::compact(item.get(), terminal) + "\n").collect(),
        OutputFormat::Tsv if settings.columns.is_empty() => {
            tsv(&without_empty_last_columns(view.table()), settings.header, terminal)
        }
        OutputFormat::Tsv => tsv(&table()?, settings.header, terminal),
        OutputFormat::Table | OutputFormat::Auto => {
            let layout = layout(settings);
            let chart = if terminal && !layout.keep_all { view.chart() } else { None };
            match chart.and_then(|chart| charts::render(&chart, &layout)) {
                Some(text) => text,
                None => table::render(&table()?, &layout),
            }
        }
        OutputFormat::Text => match view.text() {
            Some(text) if terminal => escape::terminal(&text).into_owned(),
            Some(text) => text,
            None => text(&view.table(), terminal),
        },
        OutputFormat::Srt
        | OutputFormat::Vtt
        | OutputFormat::Github
        | OutputFormat::Xliff
        | OutputFormat::Xliff2
        | OutputFormat::Po
        | OutputFormat::Csv => return Err(unsupported_format(format)),
    })
}

/// The columns of `table` must already be selected.
pub fn table_text(table: &Table, settings: &OutputSettings) -> String {
    table::render(table, &layout(settings))
}

fn layout(settings: &OutputSettings) -> TableLayout {
    let (current_dir, home) = (std::env::current_dir().ok(), files::home_dir());
    TableLayout {
        values: ValueStyle { terminal: settings.stdout_is_terminal, utf8: settings.utf8, current_dir, home },
        width: settings.width,
        color: settings.color_stdout,
        keep_all: !settings.columns.is_empty(),
    }
}

/// Omits columns at the end that are usually empty and have no value in any row.
fn without_empty_last_columns(mut table: Table) -> Table {
    while table.columns.last().is_some_and(|column| column.usual == Some(""))
        && table.rows.iter().all(|row| row.last().is_none_or(Cell::is_empty))
    {
        table.columns.pop();
        table.rows.iter_mut().for_each(|row| {
            row.pop();
        });
    }
    table
}

/// Returns the rows as lines `name: value`. Empty fields are omitted.
pub fn text(table: &Table, terminal: bool) -> String {
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

/// Returns the rows, with the column names first if `header` is set. Totals are omitted.
pub fn tsv(table: &Table, header: bool, terminal: bool) -> String {
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
    fn writes_one_line_per_field() {
        let mut table = Table::new(&[Column::id("id"), Column::name("name")]);
        table.push(vec!["1".into(), "a\nb".into()]);
        table.push(vec!["2".into(), None::<&str>.into()]);
        assert_eq!(text(&table, false), "id: 1\nname: a\\nb\n\nid: 2\n");
    }

    #[test]
    fn each_row_is_one_line() {
        let mut table = Table::new(&[Column::id("id"), Column::name("name")]).with_totals(vec!["1".into(), "".into()]);
        table.push(vec!["1".into(), "a\tb\nc\\".into()]);
        table.push(vec![2u64.into(), None::<&str>.into()]);
        assert_eq!(tsv(&table, false, false), "1\ta\\tb\\nc\\\\\n2\t\n");
        assert_eq!(tsv(&table, true, false), "id\tname\n1\ta\\tb\\nc\\\\\n2\t\n");
    }

    #[test]
    fn omits_usually_empty_columns_at_the_end() {
        let mut table = Table::new(&[Column::id("id"), Column::name("name"), Column::number("score").usual("")]);
        table.push(vec!["1".into(), None::<&str>.into(), None::<u64>.into()]);
        assert_eq!(tsv(&without_empty_last_columns(table.clone()), true, false), "id\tname\n1\t\n");
        table.push(vec!["2".into(), "a".into(), 3u64.into()]);
        assert_eq!(tsv(&without_empty_last_columns(table), true, false), "id\tname\tscore\n1\t\t\n2\ta\t3\n");
    }

    #[test]
    fn an_empty_list_has_no_lines_but_the_header() {
        assert_eq!(tsv(&Table::new(&[Column::id("id")]), false, false), "");
        assert_eq!(tsv(&Table::new(&[Column::id("id")]), true, false), "id\n");
    }
}
