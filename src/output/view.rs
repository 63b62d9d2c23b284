//! Content of a reply, independent of the output format: rows, cells, JSON objects, and numbers for a chart.
//!
//! `render` turns a view into text. A terminal shows the chart instead of the table, unless `--columns` is given.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tulk_base::error::Failure;
use tulk_base::json::{self, WithRaw};

use super::column::{Column, TableColumn};

/// One object as a row. Column names are the JSON field names; the ID comes first.
pub trait Row: Serialize {
    /// The columns. New ones may only be added at the end.
    const COLUMNS: &'static [Column];

    /// Returns one cell per column. By default, it contains the field with the column's name.
    fn cells(&self) -> Vec<Cell> {
        let fields = serde_json::to_value(self).unwrap_or_default();
        Self::COLUMNS.iter().map(|column| fields.get(column.as_str()).map(Cell::of).unwrap_or_default()).collect()
    }
}

/// A complete reply. It serializes to the JSON that `--json` prints.
pub trait View: Serialize {
    fn table(&self) -> Table;

    /// Returns the objects of the reply: the lines of JSONL, and the source of fields that are not columns, for `--columns`.
    ///
    /// Fields can only be found if there is one object per row, in the same order.
    fn items(&self) -> Vec<&RawValue>;

    /// Returns the chart that a terminal shows instead of the table, unless the user selects columns.
    fn chart(&self) -> Option<Chart> {
        None
    }

    /// Returns the output of `--format text`, if it differs from one `name: value` line per cell.
    fn text(&self) -> Option<String> {
        None
    }
}

/// One value in a row. Numbers are right-aligned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    text: String,
    form: CellForm,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CellForm {
    #[default]
    Text,
    Number,
    List,
}

impl Cell {
    pub fn number(value: impl Display) -> Self {
        Self { text: value.to_string(), form: CellForm::Number }
    }

    pub fn list<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Self {
        let mut text = String::new();
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            text.push_str(value.as_ref());
        }
        Self { text, form: CellForm::List }
    }

    /// Converts a field: `null` becomes an empty cell, and an array becomes a list of its strings.
    fn of(field: &Value) -> Self {
        match field {
            Value::Null => Self::default(),
            Value::Number(number) => Self::number(number),
            Value::String(text) => text.into(),
            Value::Array(values) => Self::list(values.iter().filter_map(Value::as_str)),
            other => other.to_string().into(),
        }
    }

    /// Converts a JSON value: strings lose their quotes, `null` is empty, arrays and objects are compact JSON.
    pub fn json(value: &RawValue) -> Self {
        let raw = value.get().trim();
        match raw.bytes().next() {
            Some(b'"') => serde_json::from_str::<String>(raw).map_or_else(|_| raw.into(), Self::from),
            Some(b'n') => Self::default(),
            Some(b'-' | b'0'..=b'9') => Self::number(raw),
            _ => json::compact(raw, false).into(),
        }
    }

    /// Returns the text of the value, which is not escaped.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_number(&self) -> bool {
        self.form == CellForm::Number
    }

    pub fn is_list(&self) -> bool {
        self.form == CellForm::List
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

macro_rules! cell_from {
    (text: $($text:ty),+; number: $($number:ty),+) => {
        $(impl From<$text> for Cell {
            fn from(value: $text) -> Self {
                Self { text: value.into(), form: CellForm::Text }
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<TableColumn>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// Sums, shown as the last line of a table. TSV omits them, because a script would add them up again.
    pub totals: Option<Vec<Cell>>,
    /// Whether this is a single object, whose fields are printed one per line.
    pub is_object: bool,
    /// Start and end of the period that the rows cover, shown below a table. TSV omits it.
    pub period: Option<[Cell; 2]>,
}

impl Table {
    pub fn new(columns: &[Column]) -> Self {
        Self { columns: columns.iter().map(TableColumn::from).collect(), ..Self::default() }
    }

    pub fn from_rows<T: Row>(items: &[WithRaw<T>]) -> Self {
        Self::rows_of(items.iter().map(|item| &**item))
    }

    /// Creates the table of values, with or without the JSON of the service.
    fn rows_of<'a, T: Row + 'a>(items: impl IntoIterator<Item = &'a T>) -> Self {
        let mut table = Self::new(T::COLUMNS);
        table.rows = items.into_iter().map(Row::cells).collect();
        table
    }

    pub fn one<T: Row>(item: &T) -> Self {
        Self { is_object: true, ..Self::rows_of([item]) }
    }

    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Sets the period, if both ends are known.
    #[must_use]
    pub fn with_period(mut self, start: Option<&str>, end: Option<&str>) -> Self {
        self.period = start.zip(end).map(|(start, end)| [start.into(), end.into()]);
        self
    }

    #[must_use]
    pub fn with_totals(mut self, totals: Vec<Cell>) -> Self {
        self.totals = Some(totals);
        self
    }
}

/// A list of objects. Its JSON is an array of them.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct ListView<'a, T> {
    items: &'a [WithRaw<T>],
    #[serde(skip)]
    is_object: bool,
}

impl<'a, T> ListView<'a, T> {
    pub fn new(items: &'a [WithRaw<T>]) -> Self {
        Self { items, is_object: false }
    }

    /// Shows each object as a block, even if a table fits, so that nothing is cut.
    #[must_use]
    pub fn in_blocks(self) -> Self {
        Self { is_object: true, ..self }
    }
}

impl<T: Row> View for ListView<'_, T> {
    fn table(&self) -> Table {
        Table { is_object: self.is_object, ..Table::from_rows(self.items) }
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(WithRaw::raw).collect()
    }
}

/// One object. As a table it has one line per field, as TSV it is one row.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct ObjectView<'a, T>(pub &'a WithRaw<T>);

impl<T: Row> View for ObjectView<'_, T> {
    fn table(&self) -> Table {
        Table::one(&**self.0)
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![self.0.raw()]
    }
}

/// Maximum number of names of columns and fields in a message.
const SHOWN_NAMES: usize = 50;
/// Maximum length of such a name in bytes.
const LONGEST_NAME: usize = 100;

pub(super) fn unknown_column<'a>(name: &str, columns: impl Iterator<Item = &'a str>) -> Failure {
    // A reply may have any number of fields.
    let known = columns.filter(|name| name.len() <= LONGEST_NAME).collect::<IndexSet<_>>();
    let known: Vec<&str> = known.into_iter().take(SHOWN_NAMES).collect();
    Failure::usage(format!("--columns: unknown column `{name}`")).hint(format!("valid columns: {}", known.join(", ")))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chart {
    Gauges(GaugeChart),
    Days(DayChart),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GaugeChart {
    pub gauges: Vec<Gauge>,
    /// Start and end of the period, as times.
    pub period: Option<[String; 2]>,
    /// Whether the limits are goals that should be reached.
    pub has_goals: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    pub label: String,
    pub count: u64,
    /// `None` if there is no limit.
    pub limit: Option<u64>,
    pub unit: String,
    /// Additional note, such as the amount of one key.
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayChart {
    pub header: &'static str,
    pub series: Vec<DaySeries>,
    /// First and last day, such as `2026-11-21`.
    pub period: [String; 2],
    /// Sum of all series, if there is more than one.
    pub total: Option<u64>,
    pub unit: &'static str,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DaySeries {
    pub name: String,
    /// Amounts by day. The text of a day starts with its date in UTC. Missing days have no usage.
    pub days: Vec<(String, u64)>,
}

pub struct DayAmount<'a> {
    /// ID of its series.
    pub id: Cow<'a, str>,
    /// Name of its series; may be empty.
    pub name: Cow<'a, str>,
    pub day: Option<&'a str>,
    pub amount: Option<u64>,
}

impl DaySeries {
    /// Groups amounts into series, in the order in which the series occur first. A series without a unique name is named by its ID.
    pub fn group<'a>(amounts: impl IntoIterator<Item = DayAmount<'a>>) -> Vec<Self> {
        let mut series: IndexMap<Cow<'a, str>, Self> = IndexMap::new();
        for DayAmount { id, name, day, amount } in amounts {
            let new = || Self { name: name.into_owned(), days: Vec::new() };
            let day = (day.unwrap_or_default().to_owned(), amount.unwrap_or_default());
            series.entry(id).or_insert_with(new).days.push(day);
        }
        let mut uses: HashMap<String, usize> = HashMap::new();
        for one in series.values() {
            *uses.entry(one.name.clone()).or_default() += 1;
        }
        let is_unique = |name: &str| !name.is_empty() && uses.get(name) == Some(&1);
        let named = series
            .into_iter()
            .map(|(id, one)| if is_unique(&one.name) { one } else { Self { name: id.into_owned(), ..one } });
        named.collect()
    }

    pub fn total(&self) -> u64 {
        self.days.iter().fold(0, |total, (_, amount)| total.saturating_add(*amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn a_series_without_a_unique_name_is_named_by_its_id() {
        let amount = |id: &'static str, name: &'static str, day, amount| DayAmount {
            id: id.into(),
            name: name.into(),
            day: Some(day),
            amount: Some(amount),
        };
        let rows = [
            amount("en:de a****b", "en:de ci", "d1", 1),
            amount("en:de c****d", "en:de ci", "d1", 2),
            amount("en:fr a****b", "en:fr ci", "d1", 3),
            amount("en:de a****b", "en:de ci", "d2", 4),
            amount("x", "", "d1", 5),
        ];
        let found: Vec<_> = DaySeries::group(rows).iter().map(|series| (series.name.clone(), series.total())).collect();
        let expected = [("en:de a****b", 5), ("en:de c****d", 2), ("en:fr ci", 3), ("x", 5)];
        assert_eq!(found, expected.map(|(name, total)| (name.to_owned(), total)));
    }

    #[test]
    fn cells_distinguish_numbers_from_text() {
        assert!(Cell::from(7u64).is_number());
        assert!(!Cell::from("7").is_number());
        assert_eq!(Cell::from(None::<&str>), Cell::default());
        assert_eq!(Cell::from(Some(true)).text(), "true");
        assert_eq!(Cell::list(["a", "b"]).text(), "a,b");
    }

    #[test]
    fn json_cells_keep_numbers_as_written() {
        assert_eq!(Cell::json(&raw("1.10")), Cell::number("1.10"));
        assert_eq!(Cell::json(&raw(r#""a\tb""#)).text(), "a\tb");
        assert_eq!(Cell::json(&raw("null")).text(), "");
        assert_eq!(Cell::json(&raw("[1, {\"a\": 2}]")).text(), "[1,{\"a\":2}]");
        assert_eq!(Cell::json(&raw("false")).text(), "false");
    }
}
