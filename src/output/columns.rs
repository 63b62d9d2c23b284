//! `--columns`: which columns, in which order, and fields of the objects that have no column.
//!
//! Spec: command line, "Streams and formats".

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::view::{Cell, Table};
use crate::error::Failure;

/// The columns named, in that order; all of them if none is named.
///
/// A name that is no column is looked up in each object. One that no object has is wrong usage, unless there is no
/// object to say so.
pub fn pick(table: Table, names: &[String], items: &[&RawValue]) -> Result<Table, Failure> {
    if names.is_empty() {
        return Ok(table);
    }
    let own: Vec<Option<usize>> = names.iter().map(|n| table.columns.iter().position(|c| c == n)).collect();
    // Objects that do not belong to the rows one by one tell nothing about them.
    let fields: Vec<BTreeMap<String, &RawValue>> = if own.iter().any(Option::is_none) && items.len() == table.rows.len()
    {
        items.iter().map(|item| serde_json::from_str(item.get()).unwrap_or_default()).collect()
    } else {
        Vec::new()
    };
    for (name, own) in names.iter().zip(&own) {
        let known = own.is_some() || table.rows.is_empty() || fields.iter().any(|f| f.contains_key(name));
        if !known {
            let more = fields.iter().flat_map(BTreeMap::keys);
            return Err(unknown(name, table.columns.iter().chain(more).map(String::as_str)));
        }
    }
    let rows = table.rows.iter().enumerate().map(|(i, row)| {
        let field = |name: &String| fields.get(i).and_then(|f| f.get(name)).map(|v| Cell::json(v));
        names
            .iter()
            .zip(&own)
            .map(|(name, own)| match own {
                Some(index) => row.get(*index).cloned().unwrap_or_default(),
                None => field(name).unwrap_or_default(),
            })
            .collect()
    });
    let rows = rows.collect();
    let totals = table.totals.as_ref().map(|totals| {
        own.iter().map(|own| own.and_then(|index| totals.get(index)).cloned().unwrap_or_default()).collect()
    });
    Ok(Table { columns: names.to_vec(), rows, totals, upright: table.upright })
}

/// The refusal of a column that is not among those there are.
pub fn unknown<'a>(name: &str, columns: impl Iterator<Item = &'a str>) -> Failure {
    let mut known: Vec<&str> = Vec::new();
    for column in columns {
        if !known.contains(&column) {
            known.push(column);
        }
    }
    Failure::usage(format!("--columns: there is no column `{name}`"))
        .hint(format!("the columns are {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["id", "name"]).with_totals(vec!["2".into(), "".into()]);
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

    fn texts(table: &Table) -> Vec<Vec<&str>> {
        table.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect()
    }

    #[test]
    fn picks_and_orders() {
        let picked = pick(table(), &names(&["name", "id"]), &[]).unwrap();
        assert_eq!(texts(&picked), [["kitchen", "1"], ["garden", "2"]]);
        assert_eq!(picked.totals.unwrap()[1].text(), "2");
        assert_eq!(pick(table(), &[], &[]).unwrap(), table());
    }

    #[test]
    fn finds_fields_that_have_no_column() {
        let (first, second) = (raw(r#"{"id":"1","size":1.10}"#), raw(r#"{"id":"2","tags":["a", "b"]}"#));
        let picked = pick(table(), &names(&["id", "size", "tags"]), &[&first, &second]).unwrap();
        assert_eq!(texts(&picked), [["1", "1.10", ""], ["2", "", "[\"a\",\"b\"]"]]);
        assert_eq!(picked.columns, ["id", "size", "tags"]);
    }

    #[test]
    fn refuses_a_name_no_row_has_and_names_those_there_are() {
        let (first, second) = (raw(r#"{"id":"1","size":1}"#), raw(r#"{"id":"2"}"#));
        let failure = pick(table(), &names(&["sise"]), &[&first, &second]).unwrap_err();
        assert_eq!(failure.kind.code(), 2);
        assert_eq!(failure.what, "--columns: there is no column `sise`");
        assert_eq!(failure.hint.as_deref(), Some("the columns are id, name, size"));
    }

    #[test]
    fn an_empty_list_cannot_refuse_a_name() {
        let picked = pick(Table::new(["id"]), &names(&["size", "id"]), &[]).unwrap();
        assert_eq!(picked.columns, ["size", "id"]);
        assert!(picked.rows.is_empty());
    }
}
