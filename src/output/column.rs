//! Columns of tables: the name for programs, the header for people, and how a terminal shows the values.
//!
//! A table lays columns out by kind and rank. The other formats use only the names, but TSV omits some empty
//! columns at the end.

/// Minimum width to which names, texts and paths are cut.
pub const TEXT_MINIMUM: usize = 12;

/// A column of a row. The name is part of the interface: it is the JSON field and a value of `--columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    name: &'static str,
    header: Option<&'static str>,
    kind: ColumnKind,
    rank: u8,
    minimum: usize,
    usual: Option<&'static str>,
    period: bool,
}

/// Content of a column, which decides how a terminal shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// An identifier that people copy, so it is never cut.
    Id,
    /// The name of an object. Cut at the end.
    Name,
    /// Any other text. Cut at the end.
    Text,
    /// A path. Inside the current directory, shown relative to it. Cut in the middle.
    Path,
    /// A point in time, to the minute, in UTC.
    Time,
    /// A day in UTC.
    Day,
    /// A quantity, with digits in groups of three.
    Count,
    /// Another number, such as a line or a percentage.
    Number,
    /// One word that describes the state of something.
    Status(&'static [StatusWord]),
    Flag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusWord {
    /// Word for programs.
    pub word: &'static str,
    /// Word for people.
    pub shown: &'static str,
    /// Meaning, which decides the colour.
    pub tone: StatusTone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusTone {
    /// Finished or in order.
    Done,
    /// Not finished yet, or in need of attention.
    Working,
    /// Failed, or lost.
    Failed,
}

impl StatusWord {
    pub const fn done(word: &'static str) -> Self {
        Self { word, shown: word, tone: StatusTone::Done }
    }

    pub const fn working(word: &'static str) -> Self {
        Self { word, shown: word, tone: StatusTone::Working }
    }

    pub const fn failed(word: &'static str) -> Self {
        Self { word, shown: word, tone: StatusTone::Failed }
    }

    #[must_use]
    pub const fn shown(self, shown: &'static str) -> Self {
        Self { shown, ..self }
    }
}

/// Columns with a rank above 0 can be omitted on a narrow terminal; the highest rank is omitted first.
impl Column {
    const fn new(name: &'static str, kind: ColumnKind, rank: u8) -> Self {
        Self { name, header: None, kind, rank, minimum: TEXT_MINIMUM, usual: None, period: false }
    }

    /// The column is never omitted unless it gets a rank.
    pub const fn id(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Id, 0)
    }

    /// The column is never omitted unless it gets a rank.
    pub const fn name(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Name, 0)
    }

    pub const fn text(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Text, 1)
    }

    pub const fn path(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Path, 1)
    }

    pub const fn time(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Time, 3)
    }

    pub const fn day(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Day, 1)
    }

    pub const fn count(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Count, 2)
    }

    /// Returns a column of numbers that are not quantities.
    pub const fn number(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Number, 2)
    }

    /// Words that are not in `words` have no colour.
    pub const fn status(name: &'static str, words: &'static [StatusWord]) -> Self {
        Self::new(name, ColumnKind::Status(words), 1)
    }

    pub const fn flag(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Flag, 2)
    }

    /// Sets the header. The default is the name in upper case.
    #[must_use]
    pub const fn header(self, header: &'static str) -> Self {
        Self { header: Some(header), ..self }
    }

    #[must_use]
    pub const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// Sets the minimum width: the column is not cut below it while others can be omitted.
    #[must_use]
    pub const fn minimum(self, minimum: usize) -> Self {
        Self { minimum, ..self }
    }

    /// Sets the value that needs no attention. A table omits the column if it contains no other value. TSV keeps the column, unless it
    /// is the last one and its usual value is empty.
    #[must_use]
    pub const fn usual(self, usual: &'static str) -> Self {
        Self { usual: Some(usual), ..self }
    }

    /// Marks the start or the end of a period, which is shown below the table if it is the same in all rows.
    #[must_use]
    pub const fn period(self) -> Self {
        Self { period: true, ..self }
    }

    pub const fn as_str(&self) -> &'static str {
        self.name
    }
}

/// A column of a table. The columns of some tables depend on the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    pub name: String,
    pub header: String,
    pub kind: ColumnKind,
    pub rank: u8,
    pub minimum: usize,
    pub usual: Option<&'static str>,
    pub period: bool,
}

impl TableColumn {
    /// Returns a column whose name is not known at build time.
    pub fn dynamic(name: impl Into<String>, kind: ColumnKind, rank: u8) -> Self {
        let name = name.into();
        Self { header: header_of(&name), name, kind, rank, minimum: TEXT_MINIMUM, usual: None, period: false }
    }
}

impl From<&Column> for TableColumn {
    fn from(column: &Column) -> Self {
        let header = column.header.map_or_else(|| header_of(column.name), str::to_owned);
        let Column { name, kind, rank, minimum, usual, period, .. } = *column;
        Self { name: name.to_owned(), header, kind, rank, minimum, usual, period }
    }
}

fn header_of(name: &str) -> String {
    name.replace('_', " ").to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_name_unless_another_is_given() {
        let header = |column: Column| TableColumn::from(&column).header;
        assert_eq!(header(Column::text("source_lang")), "SOURCE LANG");
        assert_eq!(header(Column::id("glossary_id").header("ID")), "ID");
        assert_eq!(TableColumn::dynamic("tag_handling", ColumnKind::Flag, 2).header, "TAG HANDLING");
    }
}
