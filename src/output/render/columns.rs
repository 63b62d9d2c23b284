//! Selects the columns that `--columns` names, including JSON fields that have no column of their own.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use tulk_base::error::Failure;

use crate::output::column::{ColumnKind, TableColumn};
use crate::output::view::{Cell, Table, unknown_column};

/// Returns the named columns in that order, or the whole table if no column is named.
///
/// A name that is not a column is looked up in the fields of each object. Fails if no object has it, unless there are
/// no objects at all.
pub fn select(table: Table, names: &[String], items: &[&RawValue]) -> Result<Table, Failure> {
    if names.is_empty() {
        return Ok(table);
    }
    let indices: Vec<Option<usize>> =
        names.iter().map(|n| table.columns.iter().position(|column| column.name == *n)).collect();
    // Fields can only be looked up if there is exactly one object per row.
    let fields: Vec<BTreeMap<String, &RawValue>> =
        if indices.iter().any(Option::is_none) && items.len() == table.rows.len() {
            items.iter().map(|item| serde_json::from_str(item.get()).unwrap_or_default()).collect()
        } else {
            Vec::new()
        };
    for (name, index) in names.iter().zip(&indices) {
        let known = index.is_some() || table.rows.is_empty() || fields.iter().any(|f| f.contains_key(name));
        if !known {
            let names = fields.iter().flat_map(BTreeMap::keys);
            return Err(unknown_column(
                name,
                table.columns.iter().map(|column| &column.name).chain(names).map(String::as_str),
            ));
        }
    }
    let rows = table.rows.iter().enumerate().map(|(i, row)| {
        let field = |name: &String| fields.get(i).and_then(|f| f.get(name)).map(|v| Cell::json(v));
        names
            .iter()
            .zip(&indices)
            .map(|(name, index)| match index {
                Some(index) => row.get(*index).cloned().unwrap_or_default(),
                None => field(name).unwrap_or_default(),
            })
            .collect()
    });
    let rows = rows.collect();
    let totals = table.totals.as_ref().map(|totals| {
        indices.iter().map(|index| index.and_then(|index| totals.get(index)).cloned().unwrap_or_default()).collect()
    });
    let column = |(name, index): (&String, &Option<usize>)| match index.and_then(|index| table.columns.get(index)) {
        Some(column) => column.clone(),
        None => TableColumn::dynamic(name, ColumnKind::Text, 0),
    };
    let columns = names.iter().zip(&indices).map(column).collect();
    Ok(Table { columns, rows, totals, ..table })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::column::Column;

    fn table() -> Table {
        let mut table = Table::new(&[Column::id("id"), Column::name("name")]).with_totals(vec!["2".into(), "".into()]);
        table.push(vec!["1".into(), "kitchen".into()]);
        table.push(vec!["2".into(), "garden".into()]);
        table
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    fn column_names(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn texts(table: &Table) -> Vec<Vec<&str>> {
        table.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect()
    }

    #[test]
    fn selects_and_orders_columns() {
        let selected = select(table(), &names(&["name", "id"]), &[]).unwrap();
        assert_eq!(texts(&selected), [["kitchen", "1"], ["garden", "2"]]);
        assert_eq!(selected.totals.unwrap()[1].text(), "2");
        assert_eq!(select(table(), &[], &[]).unwrap(), table());
    }

    #[test]
    fn finds_fields_that_are_not_columns() {
        let (first, second) = (raw(r#"{"id":"1","size":1.10}"#), raw(r#"{"id":"2","tags":["a", "b"]}"#));
        let selected = select(table(), &names(&["id", "size", "tags"]), &[&first, &second]).unwrap();
        assert_eq!(texts(&selected), [["1", "1.10", ""], ["2", "", "[\"a\",\"b\"]"]]);
        assert_eq!(column_names(&selected), ["id", "size", "tags"]);
    }

    #[test]
    fn refuses_an_unknown_name_and_lists_the_valid_ones() {
        let (first, second) = (raw(r#"{"id":"1","size":1}"#), raw(r#"{"id":"2"}"#));
        let failure = select(table(), &names(&["sise"]), &[&first, &second]).unwrap_err();
        assert_eq!(failure.kind.code(), 2);
        assert_eq!(failure.what, "--columns: unknown column `sise`");
        assert_eq!(failure.hint.as_deref(), Some("valid columns: id, name, size"));
    }

    #[test]
    fn an_empty_list_accepts_every_name() {
        let selected = select(Table::new(&[Column::id("id")]), &names(&["size", "id"]), &[]).unwrap();
        assert_eq!(column_names(&selected), ["size", "id"]);
        assert!(selected.rows.is_empty());
    }
}
