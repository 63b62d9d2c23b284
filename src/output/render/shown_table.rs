//! A table as people see it: values by kind, without the columns that say nothing new.

use super::values::{ShownValue, ValueStyle};
use crate::output::column::TableColumn;
use crate::output::escape;
use crate::output::view::{Cell, Table};

/// A table whose values are ready to be measured and printed.
#[derive(Debug)]
pub struct ShownTable {
    /// The columns, with escaped headers.
    pub columns: Vec<TableColumn>,
    /// One value per column.
    pub rows: Vec<Vec<ShownValue>>,
    /// The sums.
    pub totals: Option<Vec<ShownValue>>,
    /// Whether all values of a column are numbers, in the order of the columns.
    pub is_number: Vec<bool>,
    /// The period of all rows.
    pub period: Option<String>,
}

impl ShownTable {
    /// Prepares a table. `keep_all`: whether every column must be shown, because the user named it.
    pub fn new(table: &Table, style: &ValueStyle, keep_all: bool) -> Self {
        let mut columns: Vec<(usize, TableColumn)> = table.columns.iter().cloned().enumerate().collect();
        let mut period = table.period.clone();
        if !keep_all {
            if let Some(common) = common_period(table) {
                columns.retain(|(_, column)| !column.period);
                period = Some(common);
            }
            columns.retain(|(index, column)| table.is_object || !is_usual(table, *index, column));
        }
        let row = |cells: &Vec<Cell>| -> Vec<ShownValue> {
            let cell = |index: usize| cells.get(index).cloned().unwrap_or_default();
            columns.iter().map(|(index, column)| style.show(&cell(*index), column.kind)).collect()
        };
        Self {
            rows: table.rows.iter().map(row).collect(),
            totals: table.totals.as_ref().map(row),
            is_number: columns.iter().map(|(index, _)| is_number(table, *index)).collect(),
            period: period.map(|period| style.period(&period)),
            columns: columns.into_iter().map(|(_, column)| with_escaped_header(column, style)).collect(),
        }
    }

    /// Returns the values of a column, without the header.
    pub fn values(&self, index: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().chain(&self.totals).filter_map(move |row| row.get(index)).map(|value| value.text.as_str())
    }
}

fn with_escaped_header(column: TableColumn, style: &ValueStyle) -> TableColumn {
    TableColumn { header: escape::cell(&column.header, style.terminal).into_owned(), ..column }
}

/// Returns the cells of a column that are not empty.
fn filled(table: &Table, index: usize) -> impl Iterator<Item = &Cell> {
    table.rows.iter().filter_map(move |row| row.get(index)).filter(|cell| !cell.is_empty())
}

/// Returns whether a column has no value but the one that needs no attention.
fn is_usual(table: &Table, index: usize, column: &TableColumn) -> bool {
    column.usual.is_some_and(|usual| filled(table, index).all(|cell| cell.text() == usual))
}

fn is_number(table: &Table, index: usize) -> bool {
    let mut cells = filled(table, index).peekable();
    cells.peek().is_some() && cells.all(Cell::is_number)
}

/// Returns the period of the rows if the table has its columns and all rows have the same.
fn common_period(table: &Table) -> Option<[Cell; 2]> {
    let ends: Vec<usize> = (0..).zip(&table.columns).filter(|(_, column)| column.period).map(|(at, _)| at).collect();
    let [start, end] = *ends else { return None };
    let of = |row: &Vec<Cell>| Some([row.get(start)?.clone(), row.get(end)?.clone()]);
    let first = of(table.rows.first()?)?;
    let is_known = first.iter().all(|cell| !cell.is_empty());
    (is_known && table.rows.iter().all(|row| of(row).as_ref() == Some(&first))).then_some(first)
}
