//! What a reply looks like: rows, cells, and its items, apart from any form it is printed in.
//!
//! The forms are `table.rs`, `tsv.rs`, `json.rs` and `text.rs`. Spec: command line, "Streams and formats".

use std::borrow::Cow;
use std::fmt::Display;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::{self, Kept};

/// One object as a row; column names are the JSON field names, the ID comes first.
pub trait Row {
    /// The columns; they only grow at the end.
    const COLUMNS: &'static [&'static str];

    /// One cell for each column.
    fn cells(&self) -> Vec<Cell>;
}

/// A whole reply. Its `Serialize` is the JSON that `--json` prints.
pub trait View: Serialize {
    /// The reply as rows.
    fn table(&self) -> Table;

    /// The reply's objects: the lines of JSONL, and where `--columns` finds fields that have no column.
    ///
    /// For the latter there must be one for each row of the table, in its order.
    fn items(&self) -> Vec<&RawValue>;

    /// What `--format text` prints, where that is something else than one `name: value` line for each cell.
    fn text(&self) -> Option<String> {
        None
    }
}

/// One value in a row. Numbers stand at the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    text: String,
    number: bool,
}

impl Cell {
    /// A number, written as it displays.
    pub fn number(value: impl Display) -> Self {
        Self { text: value.to_string(), number: true }
    }

    /// Several values, with commas between.
    pub fn list<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Self {
        let mut text = String::new();
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            text.push_str(value.as_ref());
        }
        Self { text, number: false }
    }

    /// A JSON value: strings without quotes, `null` empty, arrays and objects as packed JSON.
    pub fn json(value: &RawValue) -> Self {
        let raw = value.get().trim();
        match raw.bytes().next() {
            Some(b'"') => serde_json::from_str::<String>(raw).map_or_else(|_| raw.into(), Self::from),
            Some(b'n') => Self::default(),
            Some(b'-' | b'0'..=b'9') => Self::number(raw),
            _ => json::compact(raw, false).into(),
        }
    }

    /// The value as text, not escaped.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.number
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

macro_rules! cell_from {
    (text: $($text:ty),+; number: $($number:ty),+) => {
        $(impl From<$text> for Cell {
            fn from(value: $text) -> Self {
                Self { text: value.into(), number: false }
            }
        })+
        $(impl From<$number> for Cell {
            fn from(value: $number) -> Self {
                Self::number(value)
            }
        })+
    };
}
cell_from!(text: &str, String, &String, Cow<'_, str>; number: u16, u32, u64, usize, i32, i64);

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        if value { "true".into() } else { "false".into() }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::default, Into::into)
    }
}

/// Rows under column names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Column names.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// A last line of sums, on tables only: a sum in TSV would be added up again.
    pub totals: Option<Vec<Cell>>,
    /// One object: its table has a line for each field instead of a row.
    pub upright: bool,
}

impl Table {
    /// An empty table.
    pub fn new<T: Into<String>>(columns: impl IntoIterator<Item = T>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The table of a list of replies.
    pub fn of<T: Row>(items: &[Kept<T>]) -> Self {
        Self::rows_of(items.iter().map(|item| &**item))
    }

    /// The table of values that did not come from the service.
    pub fn rows_of<'a, T: Row + 'a>(items: impl IntoIterator<Item = &'a T>) -> Self {
        let mut table = Self::new(T::COLUMNS.iter().copied());
        table.rows = items.into_iter().map(Row::cells).collect();
        table
    }

    /// The table of one object.
    pub fn one<T: Row>(item: &T) -> Self {
        Self { upright: true, ..Self::rows_of([item]) }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Sets the line of sums.
    #[must_use]
    pub fn with_totals(mut self, totals: Vec<Cell>) -> Self {
        self.totals = Some(totals);
        self
    }
}

/// A list of objects as a view.
///
/// Its JSON is the reply it came in, or an array of the objects when it came in several.
#[derive(Debug)]
pub struct List<'a, T> {
    whole: Option<&'a RawValue>,
    items: &'a [Kept<T>],
}

impl<'a, T> List<'a, T> {
    /// A list whose JSON is an array.
    pub fn new(items: &'a [Kept<T>]) -> Self {
        Self { whole: None, items }
    }

    /// A list inside a reply, whose JSON is that reply.
    pub fn within(whole: &'a RawValue, items: &'a [Kept<T>]) -> Self {
        Self { whole: Some(whole), items }
    }
}

impl<T> Serialize for List<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole {
            Some(whole) => whole.serialize(serializer),
            None => self.items.serialize(serializer),
        }
    }
}

impl<T: Row> View for List<'_, T> {
    fn table(&self) -> Table {
        Table::of(self.items)
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(Kept::raw).collect()
    }
}

/// One object as a view: a line for each field as a table, one row as TSV.
#[derive(Debug)]
pub struct One<'a, T>(pub &'a Kept<T>);

impl<T> Serialize for One<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: Row> View for One<'_, T> {
    fn table(&self) -> Table {
        Table::one(&**self.0)
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![self.0.raw()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn cells_know_numbers_from_text() {
        assert!(Cell::from(7u64).is_number());
        assert!(!Cell::from("7").is_number());
        assert_eq!(Cell::from(None::<&str>), Cell::default());
        assert_eq!(Cell::from(Some(true)).text(), "true");
        assert_eq!(Cell::list(["a", "b"]).text(), "a,b");
    }

    #[test]
    fn json_cells_keep_the_spelling_of_numbers() {
        assert_eq!(Cell::json(&raw("1.10")), Cell::number("1.10"));
        assert_eq!(Cell::json(&raw(r#""a\tb""#)).text(), "a\tb");
        assert_eq!(Cell::json(&raw("null")).text(), "");
        assert_eq!(Cell::json(&raw("[1, {\"a\": 2}]")).text(), "[1,{\"a\":2}]");
        assert_eq!(Cell::json(&raw("false")).text(), "false");
    }
}
