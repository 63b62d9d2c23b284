//! The columns of listed results, as `--columns` names them.
//!
//! Listings of the service's objects have their columns in `output`.

use std::fmt;
use std::io::{self, Write};

use tulk_base::error::Failure;

const TARGET_LANG: &str = "target_lang";
const TEXT: &str = "text";

/// The columns of a row, each at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultColumns {
    /// The side of the text on which the target language is.
    target: Option<Side>,
    text: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Default for ResultColumns {
    /// `target_lang`, then `text`.
    fn default() -> Self {
        Self { target: Some(Side::Before), text: true }
    }
}

impl ResultColumns {
    /// Names of all columns, in their default order.
    pub const NAMES: [&str; 2] = [TARGET_LANG, TEXT];

    /// Returns the columns that `--columns` names, or both if it names none. Fails on unknown and duplicate names.
    pub fn named(names: &[String]) -> Result<Self, Failure> {
        if names.is_empty() {
            return Ok(Self::default());
        }
        let mut columns = Self { target: None, text: false };
        for name in names {
            let duplicate = match name.as_str() {
                TARGET_LANG => columns.target.replace(if columns.text { Side::After } else { Side::Before }).is_some(),
                TEXT => std::mem::replace(&mut columns.text, true),
                _ => {
                    return Err(Failure::usage(format!("--columns: unknown column `{name}`"))
                        .hint(format!("valid columns: {TARGET_LANG}, {TEXT}")));
                }
            };
            if duplicate {
                return Err(Failure::usage(format!("--columns: `{name}` is given twice")));
            }
        }
        Ok(columns)
    }

    /// Returns whether the text is a column.
    pub fn has_text(self) -> bool {
        self.text
    }

    /// Writes the column before the text.
    pub fn before_text(self, target: &str, out: &mut dyn Write) -> io::Result<()> {
        match (self.target, self.text) {
            (Some(Side::Before), true) => write!(out, "{target}\t"),
            (Some(Side::Before), false) => out.write_all(target.as_bytes()),
            _ => Ok(()),
        }
    }

    /// Writes the column after the text, without the line end.
    pub fn after_text(self, target: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.target == Some(Side::After) { write!(out, "\t{target}") } else { Ok(()) }
    }
}

/// The header line.
impl fmt::Display for ResultColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.target, self.text) {
            (Some(Side::Before), true) => "target_lang\ttext",
            (Some(Side::After), _) => "text\ttarget_lang",
            (Some(Side::Before), false) => TARGET_LANG,
            (None, _) => TEXT,
        })
    }
}

/// Writes a cell of a TSV listing.
pub(super) fn write_cell(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped = match byte {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\\' => b"\\\\",
            _ => continue,
        };
        out.write_all(text.as_bytes().get(plain..at).unwrap_or_default())?;
        out.write_all(escaped)?;
        plain = at + 1;
    }
    out.write_all(text.as_bytes().get(plain..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let columns = match ResultColumns::named(&names) {
            Ok(columns) => columns,
            Err(failure) => return failure.what,
        };
        let mut out = format!("{columns} | ").into_bytes();
        columns.before_text("de", &mut out).unwrap();
        if columns.has_text() {
            out.extend(b"Hallo");
        }
        columns.after_text("de", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_picked_and_ordered() {
        assert_eq!(row(&[]), "target_lang\ttext | de\tHallo");
        assert_eq!(row(&["text", "target_lang"]), "text\ttarget_lang | Hallo\tde");
        assert_eq!(row(&["text"]), "text | Hallo");
        assert_eq!(row(&["target_lang"]), "target_lang | de");
    }

    #[test]
    fn refuses_unknown_and_duplicate_columns() {
        assert_eq!(row(&["foo"]), "--columns: unknown column `foo`");
        assert_eq!(row(&["text", "text"]), "--columns: `text` is given twice");
    }
}
