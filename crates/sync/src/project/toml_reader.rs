//! TOML with places: tables and values, each with its line and column.
//!
//! Input: the text of a project file. Output: settings by name, and failures that name file, line, column and setting.

use toml_edit::{Document, Item, TableLike};

use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::one_line;

/// The text of a project file with its name.
#[derive(Debug)]
pub struct TomlText {
    /// Name of the file, for messages.
    name: String,
    text: String,
    /// Byte offsets at which lines begin.
    lines: Vec<usize>,
}

impl TomlText {
    /// The text of a file. A byte-order mark is left out.
    pub fn new(name: &str, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
        let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
        Self { name: name.to_owned(), text, lines }
    }

    /// Parses it.
    pub fn parse(&self) -> Result<Document<&str>, Failure> {
        Document::parse(self.text.as_str()).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let what = format!("invalid TOML: {}", one_line(&error.message().replace('\n', ", ")));
            Failure::usage(what).at(self.origin(at))
        })
    }

    /// Returns line and column of a byte.
    pub fn origin(&self, at: usize) -> Origin {
        let line = self.lines.partition_point(|start| *start <= at).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or_default();
        let column = self.text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
        Origin::at(&self.name, line as u64, column as u64)
    }
}

/// A table, with its name for messages.
#[derive(Clone, Copy)]
pub struct TomlTable<'a> {
    text: &'a TomlText,
    table: &'a dyn TableLike,
    /// `sync`, `sync.files`; empty for the whole file.
    name: &'a str,
    at: usize,
}

impl<'a> TomlTable<'a> {
    /// The table of the whole file.
    pub fn root(text: &'a TomlText, document: &'a Document<&str>) -> Self {
        Self { text, table: document.as_table(), name: "", at: 0 }
    }

    /// Its place.
    pub fn origin(&self) -> Origin {
        self.text.origin(self.at)
    }

    /// Its settings in the order of the file.
    pub fn settings(&self) -> impl Iterator<Item = TomlSetting<'a>> + use<'a> {
        let Self { text, table, name, .. } = *self;
        table.iter().map(move |(key, item)| {
            let at = table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span()).map_or(0, |span| span.start);
            let path = if name.is_empty() { one_line(key) } else { format!("{name}.{}", one_line(key)) };
            TomlSetting { text, key, path, item, at }
        })
    }
}

/// A setting of a table.
pub struct TomlSetting<'a> {
    text: &'a TomlText,
    /// Its key in the table.
    pub key: &'a str,
    /// Its key with those of the tables around it, for messages.
    pub path: String,
    item: &'a Item,
    at: usize,
}

impl<'a> TomlSetting<'a> {
    /// A failure at this place, which begins with the name of the setting.
    pub fn wrong(&self, why: &str) -> Failure {
        Failure::usage(format!("{}: {why}", self.path)).at(self.origin())
    }

    /// Its place.
    pub fn origin(&self) -> Origin {
        self.text.origin(self.at)
    }

    fn unexpected(&self, expected: &str) -> Failure {
        let found = match self.item {
            Item::ArrayOfTables(_) => "a list of tables",
            Item::Table(_) => "a table",
            Item::None => "nothing",
            Item::Value(value) => match value {
                toml_edit::Value::String(_) => "text",
                toml_edit::Value::Integer(_) | toml_edit::Value::Float(_) => "a number",
                toml_edit::Value::Boolean(_) => "true or false",
                toml_edit::Value::Datetime(_) => "a date",
                toml_edit::Value::Array(_) => "a list",
                toml_edit::Value::InlineTable(_) => "a table",
            },
        };
        self.wrong(&format!("expected {expected}, found {found}"))
    }

    /// Returns a text.
    pub fn text(&self) -> Result<&'a str, Failure> {
        self.item.as_str().ok_or_else(|| self.unexpected("text in quotes"))
    }

    /// Returns `true` or `false`.
    pub fn flag(&self) -> Result<bool, Failure> {
        self.item.as_bool().ok_or_else(|| self.unexpected("true or false"))
    }

    /// Returns a whole number in a range.
    pub fn number(&self, range: std::ops::RangeInclusive<i64>) -> Result<i64, Failure> {
        let number = self.item.as_integer().ok_or_else(|| self.unexpected("a whole number"))?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(self.wrong(&match *range.end() {
            i64::MAX => format!("`{number}` is less than {}", range.start()),
            end => format!("`{number}` is not between {} and {end}", range.start()),
        }))
    }

    /// Returns a list of texts, each with its place.
    pub fn texts(&self) -> Result<Vec<(&'a str, Origin)>, Failure> {
        let list = self.item.as_array().ok_or_else(|| self.unexpected("a list of texts"))?;
        let text = |value: &'a toml_edit::Value| {
            let at = self.text.origin(value.span().map_or(self.at, |span| span.start));
            let text = value.as_str().ok_or_else(|| self.wrong("expected a list of texts").at(at.clone()))?;
            Ok((text, at))
        };
        list.iter().map(text).collect()
    }

    /// Returns a text, or a list of them.
    pub fn text_or_texts(&self) -> Result<Vec<&'a str>, Failure> {
        match self.item.as_str() {
            Some(text) => Ok(vec![text]),
            None => Ok(self.texts()?.into_iter().map(|(text, _)| text).collect()),
        }
    }

    /// Returns a table.
    pub fn table(&self) -> Result<TomlTable<'_>, Failure> {
        let table = self.item.as_table_like().ok_or_else(|| self.unexpected("a table"))?;
        Ok(TomlTable { text: self.text, table, name: &self.path, at: self.at })
    }

    /// Returns a list of tables.
    pub fn tables(&self) -> Result<Vec<TomlTable<'_>>, Failure> {
        let table = |table: &'a dyn TableLike, at: Option<std::ops::Range<usize>>| TomlTable {
            text: self.text,
            table,
            name: &self.path,
            at: at.map_or(self.at, |span| span.start),
        };
        if let Some(tables) = self.item.as_array_of_tables() {
            return Ok(tables.iter().map(|inner| table(inner, inner.span())).collect());
        }
        let expected = || self.unexpected(&format!("tables that begin with [[{}]]", self.path));
        let list = self.item.as_array().ok_or_else(expected)?;
        let inline = list.iter().map(|value| value.as_inline_table().map(|inner| table(inner, inner.span())));
        inline.collect::<Option<_>>().ok_or_else(expected)
    }
}
