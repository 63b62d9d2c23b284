//! Resolves the columns that `--column` gives by name or number.

use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord};
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_base::numbers::counted;
use tulk_base::suggest::{self, one_line};

use super::{TableOptions, delimiter_name};
use crate::EntryLabels;

/// Maximum number of column names in a message.
const LISTED_NAMES: usize = 10;
/// Maximum length of such a name, in characters.
const NAME_CHARS: usize = 40;
const DELIMITER_FLAGS: [(u8, &str); 4] =
    [(b',', "--csv"), (b';', "--csv --delimiter ';'"), (b'\t', "--tsv"), (b'|', "--csv --delimiter '|'")];

#[derive(Debug)]
pub(super) struct TableColumns {
    pub(super) count: usize,
    /// Indices, ascending.
    pub(super) selected: Vec<usize>,
    /// Their names, or their numbers if they have no names.
    pub(super) labels: Arc<EntryLabels>,
}

impl TableColumns {
    /// `record` is the first of a table, without a byte-order mark.
    pub(super) fn find(options: &TableOptions, record: &str) -> Result<Self, Failure> {
        let names = column_names(record, options);
        if names.len() > limits::TABLE_COLUMNS {
            return Err(Failure::usage(format!(
                "the table has more than {}",
                counted(limits::TABLE_COLUMNS, "column")
            )));
        }
        if options.columns.is_empty() {
            return Err(no_column_failure(options, &names, record));
        }
        let selected =
            selected_columns(options, &names).map_err(|failure| match flags_for_other_delimiter(options, record) {
                Some(flags) => failure.hint(format!("the table has a different delimiter; use {flags}")),
                None => failure,
            })?;
        let name = |column: &usize| match names.get(*column).map(|name| name.trim()) {
            Some(name) if options.has_header && !name.is_empty() => name.to_owned(),
            _ => (column + 1).to_string(),
        };
        let labels = EntryLabels { key: Some("column"), names: selected.iter().map(name).collect() };
        let columns = Self { count: names.len(), selected, labels: Arc::new(labels) };
        if options.has_header {
            columns.check_new_names(options, &names)?;
        }
        Ok(columns)
    }

    pub(super) fn new_name(source: &str, target: &str) -> String {
        format!("{source}_{target}")
    }

    fn check_new_names(&self, options: &TableOptions, names: &[String]) -> Result<(), Failure> {
        let mut added: Vec<String> = Vec::new();
        for source in &self.labels.names {
            for target in &options.appended {
                let name = Self::new_name(source, target);
                if names.iter().any(|other| other.trim() == name) {
                    return Err(Failure::usage(format!("the table already has a column `{}`", shortened(&name)))
                        .hint("rename or remove it, or omit --append"));
                }
                if added.contains(&name) {
                    return Err(Failure::usage(format!("two new columns would be named `{}`", shortened(&name)))
                        .hint("rename a column, or translate them in two runs"));
                }
                added.push(name);
            }
        }
        Ok(())
    }
}

fn column_names(record: &str, options: &TableOptions) -> Vec<String> {
    // The reader skips a byte-order mark, even one that belongs to a name. Add another one for it to skip.
    let record = ["\u{feff}", record].concat();
    let mut reader =
        ReaderBuilder::new().delimiter(options.delimiter).has_headers(false).from_reader(record.as_bytes());
    let mut names = StringRecord::new();
    // Reading UTF-8 from memory cannot fail.
    let _ = reader.read_record(&mut names);
    names.iter().map(str::to_owned).collect()
}

/// Returns the columns in `--column`, ascending, without duplicates.
fn selected_columns(options: &TableOptions, names: &[String]) -> Result<Vec<usize>, Failure> {
    let mut selected = Vec::new();
    for value in &options.columns {
        if let Some(column) = column_by_name(value, names, options)? {
            selected.push(column);
            continue;
        }
        for part in value.split(',') {
            let column = match column_by_name(part, names, options)? {
                Some(column) => column,
                None => column_by_number(part, names, options)?,
            };
            selected.push(column);
        }
    }
    selected.sort_unstable();
    selected.dedup();
    Ok(selected)
}

/// Returns the column with a name. Surrounding whitespace is ignored if no name matches exactly.
fn column_by_name(name: &str, names: &[String], options: &TableOptions) -> Result<Option<usize>, Failure> {
    if !options.has_header || name.trim().is_empty() {
        return Ok(None);
    }
    let equal = |is_equal: &dyn Fn(&str) -> bool| -> Vec<usize> {
        names.iter().enumerate().filter(|(_, other)| is_equal(other)).map(|(column, _)| column).collect()
    };
    let mut found = equal(&|other| other == name);
    if found.is_empty() {
        found = equal(&|other| other.trim() == name.trim());
    }
    match found[..] {
        [] => Ok(None),
        [column] => Ok(Some(column)),
        [first, second, ..] => {
            let what = format!("{} columns are named `{}`", found.len(), shortened(name.trim()));
            let (first, second) = (first + 1, second + 1);
            Err(Failure::usage(what).hint(format!("use its number: --column {first} or --column {second}")))
        }
    }
}

fn column_by_number(value: &str, names: &[String], options: &TableOptions) -> Result<usize, Failure> {
    let value = value.trim();
    if value.is_empty() {
        return Err(Failure::usage("--column is empty").hint("name a column, such as --column title or --column 2"));
    }
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number && !options.has_header {
        let what = format!("--column `{}`: without a header, columns have no names", shortened(value));
        return Err(Failure::usage(what).hint("use numbers from 1, or omit --no-header-row"));
    }
    if !is_number {
        return Err(Failure::usage(format!("there is no column `{}`", shortened(value)))
            .hint(unknown_column_hint(value, names)));
    }
    let column = value.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    column.filter(|column| *column < names.len()).ok_or_else(|| {
        let plural = if names.len() == 1 { "" } else { "s" };
        let what = format!("there is no column {value}; the table has {} column{plural}", names.len());
        let hint = if options.has_header { listed_names(names) } else { "columns are numbered from 1".to_owned() };
        Failure::usage(what).hint(hint)
    })
}

fn no_column_failure(options: &TableOptions, names: &[String], record: &str) -> Failure {
    let splits = |delimiter: u8| column_names(record, &TableOptions { delimiter, ..options.clone() }).len() > 1;
    let mut others = DELIMITER_FLAGS.iter().filter(|(delimiter, _)| names.len() < 2 && splits(*delimiter));
    let there = match others.next() {
        Some((_, flags)) => format!("the table has a different delimiter; use {flags}"),
        None if options.has_header => listed_names(names),
        None => format!("columns are numbered from 1 to {}", names.len()),
    };
    Failure::usage("no column is selected")
        .hint(format!("select the texts with --column; {there}; use --as text for plain text"))
}

/// Returns the flags for another delimiter with which all requested columns are found.
fn flags_for_other_delimiter(options: &TableOptions, record: &str) -> Option<&'static str> {
    let finds = |delimiter: u8| {
        let other = TableOptions { delimiter, ..options.clone() };
        let names = column_names(record, &other);
        names.len() > 1 && selected_columns(&other, &names).is_ok()
    };
    let others = DELIMITER_FLAGS.iter().filter(|(delimiter, _)| *delimiter != options.delimiter);
    others.copied().find(|(delimiter, _)| finds(*delimiter)).map(|(_, flags)| flags)
}

fn unknown_column_hint(name: &str, names: &[String]) -> String {
    match suggest::similar(name, names.iter().map(|name| name.trim())).as_slice() {
        [] => listed_names(names),
        similar => format!("did you mean {}? {}", one_line(&suggest::one_of(similar)), listed_names(names)),
    }
}

fn listed_names(names: &[String]) -> String {
    let shown: Vec<String> =
        names.iter().take(LISTED_NAMES).map(|name| format!("`{}`", shortened(name.trim()))).collect();
    let more = names.len().saturating_sub(LISTED_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("columns: {}{rest}", shown.join(", "))
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", one_line(name.get(..end).unwrap_or_default())),
        None => one_line(name),
    }
}

/// Returns the delimiter that a first line such as `sep=;` names. Spreadsheet programs write such lines.
pub(crate) fn named_delimiter(line: &[u8]) -> Option<u8> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match line {
        [name @ .., b'=', delimiter] if name.eq_ignore_ascii_case(b"sep") && !b"\r\n\"".contains(delimiter) => {
            Some(*delimiter)
        }
        _ => None,
    }
}

/// Fails if a first line such as `sep=;` names another delimiter.
pub(super) fn check_delimiter(named: u8, options: &TableOptions) -> Result<(), Failure> {
    if named == options.delimiter {
        return Ok(());
    }
    let what = format!(
        "the first line says that cells are separated by {}, not by {}",
        delimiter_name(named),
        delimiter_name(options.delimiter)
    );
    let flags = DELIMITER_FLAGS.iter().find(|(delimiter, _)| *delimiter == named).map(|(_, flags)| (*flags).to_owned());
    let flags = flags.unwrap_or_else(|| format!("--csv --delimiter '{}'", char::from(named)));
    Err(Failure::usage(what).hint(format!("use {flags}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(header: &str, columns: &[&str], has_header: bool) -> Result<TableColumns, Failure> {
        let columns = columns.iter().map(ToString::to_string).collect();
        TableColumns::find(&TableOptions { columns, delimiter: b',', has_header, appended: Vec::new() }, header)
    }

    fn selected(header: &str, columns: &[&str]) -> Vec<usize> {
        find(header, columns, true).unwrap().selected
    }

    fn refusal(header: &str, columns: &[&str], has_header: bool) -> String {
        let failure = find(header, columns, has_header).unwrap_err();
        format!("{} | {}", failure.what, failure.hint.unwrap_or_default())
    }

    #[test]
    fn finds_columns_by_name_and_number() {
        let header = "id,title,\"last, first\", body ,2\r\n";
        assert_eq!(selected(header, &["title"]), [1]);
        assert_eq!(selected(header, &["body", "title"]), [1, 3]);
        assert_eq!(selected(header, &["1,title,1"]), [0, 1]);
        assert_eq!(selected(header, &["last, first"]), [2]);
        assert_eq!(selected(header, &["last, first", "id, body"]), [0, 2, 3]);
        assert_eq!(selected(header, &["2"]), [4], "a name that is a number");
        assert_eq!(selected(header, &["3"]), [2]);
        assert_eq!(selected("a, a", &["a"]), [0]);
        assert_eq!(selected("a, a", &[" a"]), [1]);
        assert_eq!(find("x,y", &["2"], false).unwrap().selected, [1]);
    }

    #[test]
    fn labels_come_from_the_header() {
        let columns = find("id,\"ti\"\"tle\",,x", &["1,2,3"], true).unwrap();
        assert_eq!(columns.count, 4);
        assert_eq!(
            *columns.labels,
            EntryLabels { key: Some("column"), names: ["id", "ti\"tle", "3"].map(String::from).to_vec() }
        );
        assert_eq!(find("id,x", &["2"], false).unwrap().labels.names, ["2"]);
    }

    #[test]
    fn refusals_list_the_existing_columns() {
        let header = "id,title,body\n";
        assert_eq!(
            refusal(header, &["titel"], true),
            "there is no column `titel` | did you mean `title`? columns: `id`, `title`, `body`"
        );
        assert_eq!(refusal(header, &["x,id"], true), "there is no column `x` | columns: `id`, `title`, `body`");
        assert_eq!(
            refusal(header, &["0"], true),
            "there is no column 0; the table has 3 columns | columns: `id`, `title`, `body`"
        );
        assert_eq!(
            refusal("id", &["2"], false),
            "there is no column 2; the table has 1 column | columns are numbered from 1"
        );
        assert_eq!(
            refusal("a,b,a", &["a"], true),
            "2 columns are named `a` | use its number: --column 1 or --column 3"
        );
        assert_eq!(
            refusal("id,\"title\n(en)\"\n", &["title"], true),
            "there is no column `title` | did you mean `title\\n(en)`? columns: `id`, `title\\n(en)`",
            "names with line breaks"
        );
        let many: Vec<String> = (0..30).map(|i| format!("column {i} {}", "x".repeat(50))).collect();
        let message = refusal(&many.join(","), &["title"], true);
        assert!(message.ends_with("… and 20 more") || message.ends_with("…` and 20 more"), "{message}");
        assert!(message.len() < 700, "{message}");
    }

    #[test]
    fn other_delimiters_get_a_hint() {
        assert!(refusal("id;title\n", &["title"], true).ends_with("use --csv --delimiter ';'"));
        assert!(refusal("id\ttitle\n", &["title", "1"], true).ends_with("use --tsv"));
        assert!(refusal("id;title\n", &["2"], false).ends_with("use --csv --delimiter ';'"));
    }

    #[test]
    fn new_columns_need_new_names() {
        let options = |columns: &[&str]| TableOptions {
            columns: columns.iter().map(ToString::to_string).collect(),
            delimiter: b',',
            has_header: true,
            appended: vec!["de".to_owned(), "pt-BR".to_owned()],
        };
        assert!(TableColumns::find(&options(&["a"]), "a,b_de").is_ok());
        let failure = TableColumns::find(&options(&["a"]), "a,\"a_pt-BR\"").unwrap_err();
        assert_eq!(failure.what, "the table already has a column `a_pt-BR`");
        let failure = TableColumns::find(&options(&["1,2"]), "a,a").unwrap_err();
        assert_eq!(failure.what, "two new columns would be named `a_de`");
    }

    #[test]
    fn a_first_line_may_name_the_delimiter() {
        for (line, delimiter) in [("sep=;\r\n", Some(b';')), ("SEP=,\n", Some(b',')), ("sep=\t", Some(b'\t'))] {
            assert_eq!(named_delimiter(line.as_bytes()), delimiter, "{line}");
        }
        for line in ["sep=", "sep=;;", "separator", "xsep=;", "sep;"] {
            assert_eq!(named_delimiter(line.as_bytes()), None, "{line}");
        }
    }
}
