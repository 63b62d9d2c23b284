//! The columns that rows of results have: which, and in which order.
//!
//! Not for listings of the service's objects, whose columns are `output`'s. Spec: command line, `--columns`.

use std::fmt;
use std::io::{self, Write};

use crate::error::Failure;

const TARGET_LANG: &str = "target_lang";
const TEXT: &str = "text";

/// Columns of a row, each at most once. The text is written as it comes, so only its place is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Where the target language stands.
    target: Option<Side>,
    text: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Default for Columns {
    /// `target_lang`, then `text`.
    fn default() -> Self {
        Self { target: Some(Side::Before), text: true }
    }
}

impl Columns {
    /// Names of all columns, in their usual order.
    pub const NAMES: &[&str] = &[TARGET_LANG, TEXT];

    /// The columns that `--columns` names; both if it names none. Fails on an unknown name and on one given twice.
    pub fn named(names: &[String]) -> Result<Self, Failure> {
        if names.is_empty() {
            return Ok(Self::default());
        }
        let mut columns = Self { target: None, text: false };
        for name in names {
            let twice = match name.as_str() {
                TARGET_LANG => columns.target.replace(if columns.text { Side::After } else { Side::Before }).is_some(),
                TEXT => std::mem::replace(&mut columns.text, true),
                _ => {
                    return Err(Failure::usage(format!("--columns: unknown column `{name}`"))
                        .hint(format!("valid columns: {TARGET_LANG}, {TEXT}")));
                }
            };
            if twice {
                return Err(Failure::usage(format!("--columns: `{name}` is named twice")));
            }
        }
        Ok(columns)
    }

    /// Whether there is a text at all.
    pub fn has_text(self) -> bool {
        self.text
    }

    /// Writes what stands before the text.
    pub fn before_text(self, target: &str, out: &mut dyn Write) -> io::Result<()> {
        match (self.target, self.text) {
            (Some(Side::Before), true) => write!(out, "{target}\t"),
            (Some(Side::Before), false) => out.write_all(target.as_bytes()),
            _ => Ok(()),
        }
    }

    /// Writes what stands after the text, without the line's end.
    pub fn after_text(self, target: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.target == Some(Side::After) { write!(out, "\t{target}") } else { Ok(()) }
    }
}

/// The header line.
impl fmt::Display for Columns {
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
pub(super) fn put_cell(text: &str, out: &mut dyn Write) -> io::Result<()> {
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
        let columns = match Columns::named(&names) {
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
    fn picks_and_orders() {
        assert_eq!(row(&[]), "target_lang\ttext | de\tHallo");
        assert_eq!(row(&["text", "target_lang"]), "text\ttarget_lang | Hallo\tde");
        assert_eq!(row(&["text"]), "text | Hallo");
        assert_eq!(row(&["target_lang"]), "target_lang | de");
    }

    #[test]
    fn refuses_what_is_no_column_or_there_already() {
        assert_eq!(row(&["foo"]), "--columns: unknown column `foo`");
        assert_eq!(row(&["text", "text"]), "--columns: `text` is named twice");
    }
}
