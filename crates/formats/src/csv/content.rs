//! Decodes the text of a cell, and writes cells with another text.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{QuoteStyle, WriterBuilder};

use crate::{Slot, write_text};

const QUOTE: u8 = b'"';

/// Only a quote at the start of a cell counts; later ones are ordinary text.
pub(super) fn is_quoted(cell: &str) -> bool {
    cell.as_bytes().first() == Some(&QUOTE)
}

/// Returns the text of a cell without its quotes. Text after the closing quote is part of it.
pub(crate) fn content(cell: &str) -> Cow<'_, str> {
    let Some(quoted) = cell.strip_prefix('"') else { return Cow::Borrowed(cell) };
    let end = closing_quote(quoted.as_bytes()).unwrap_or(quoted.len());
    let (inner, rest) = (quoted.get(..end).unwrap_or_default(), quoted.get(end + 1..).unwrap_or_default());
    if rest.is_empty() && !inner.contains('"') {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(inner.replace("\"\"", "\"") + rest)
}

pub(crate) fn is_unclosed(cell: &str) -> bool {
    cell.strip_prefix('"').is_some_and(|quoted| closing_quote(quoted.as_bytes()).is_none())
}

/// Returns the position of the first quote that is not doubled. `quoted` excludes the opening quote.
pub(crate) fn closing_quote(quoted: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(QUOTE, quoted.get(at..)?)?;
        if quoted.get(at + 1) != Some(&QUOTE) {
            return Some(at);
        }
        at += 2;
    }
}

pub(super) fn cell_end(record: &str, start: usize, delimiter: u8) -> usize {
    let cell = record.get(start..).unwrap_or_default();
    let quotes = match cell.strip_prefix('"') {
        Some(quoted) => closing_quote(quoted.as_bytes()).map_or(cell.len(), |end| end + 2),
        None => 0,
    };
    let rest = cell.as_bytes().get(quotes..).unwrap_or_default();
    start + quotes + memchr::memchr3(delimiter, b'\n', b'\r', rest).unwrap_or(rest.len())
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CellStyle {
    pub(super) delimiter: u8,
    /// Whether the cell is the only one of its record. If it is empty, it needs quotes, or the line would be empty.
    pub(super) is_alone: bool,
}

impl CellStyle {
    /// Writes a cell with a result in place of its text, keeping outer whitespace and quotes.
    pub(super) fn write_result(self, slot: &Slot, cell: &str, result: &str, out: &mut dyn Write) -> io::Result<()> {
        let content = content(cell);
        let before = content.len() - content.trim_start().len();
        let after = content.trim_end().len();
        let mut text = Vec::with_capacity(result.len() + 16);
        text.extend_from_slice(content.get(..before).unwrap_or_default().as_bytes());
        write_text(slot, result, &mut text)?;
        text.extend_from_slice(content.get(after..).unwrap_or_default().as_bytes());
        let quoted = is_quoted(cell);
        // Keep literal quotes inside an unquoted cell, as in `5" disk`, if it still reads as one cell.
        if !quoted && cell.contains('"') && !text.starts_with(b"\"") && !self.needs_quotes(&text) {
            return out.write_all(&text);
        }
        self.write(quoted, &text, out)
    }

    pub(super) fn write(self, quoted: bool, text: &[u8], out: &mut dyn Write) -> io::Result<()> {
        // The library gets each cell as a separate record, so it would quote an empty cell.
        if text.is_empty() && !quoted && !self.is_alone {
            return Ok(());
        }
        let style = if quoted { QuoteStyle::Always } else { QuoteStyle::Necessary };
        let mut record = WriterBuilder::new()
            .delimiter(self.delimiter)
            .quote_style(style)
            .buffer_capacity(text.len() + 16)
            .from_writer(Vec::new());
        record.write_record([text])?;
        let record = record.into_inner().map_err(csv::IntoInnerError::into_error)?;
        out.write_all(record.strip_suffix(b"\n").unwrap_or(&record))
    }

    fn needs_quotes(self, text: &[u8]) -> bool {
        memchr::memchr3(self.delimiter, b'\n', b'\r', text).is_some() || (self.is_alone && text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_cells_like_other_csv_readers() {
        for (cell, text) in [
            ("", ""),
            ("plain", "plain"),
            (" \"x\"", " \"x\""),
            ("5\" disk", "5\" disk"),
            ("\"\"", ""),
            ("\"a,b\"", "a,b"),
            ("\"say \"\"hi\"\"\"", "say \"hi\""),
            ("\"\"\"\"", "\""),
            ("\"a\"b\"\"c\"", "ab\"\"c\""),
            ("\"a\" ", "a "),
        ] {
            assert_eq!(content(cell), text, "{cell}");
            assert!(!is_unclosed(cell), "{cell}");
            let record = format!("x;{cell};y");
            assert_eq!(cell_end(&record, 2, b';'), 2 + cell.len(), "{cell}");
        }
        for cell in ["\"", "\"a", "\"a\"\"", "\"\"\""] {
            assert!(is_unclosed(cell), "{cell}");
        }
    }

    fn written(cell: &str, result: &str) -> String {
        let slot = Slot::default();
        let mut out = Vec::new();
        let style = CellStyle { delimiter: b',', is_alone: false };
        style.write_result(&slot, cell, result, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn keeps_quotes_and_adds_them_only_where_needed() {
        for (cell, result, expected) in [
            ("a", "b", "b"),
            ("\"a\"", "b", "\"b\""),
            ("a", "b, c", "\"b, c\""),
            ("a", "b\nc", "\"b\nc\""),
            ("a", "b\rc", "\"b\rc\""),
            ("a", "\"b\" c", "\"\"\"b\"\" c\""),
            ("\"a\"", "\"b\"", "\"\"\"b\"\"\""),
            ("  a ", "b", "  b "),
            ("  a ", "b,", "\"  b, \""),
            ("\" a\n\"", "b", "\" b\n\""),
            ("\"a\"b ", "c", "\"c \""),
            (" \"a\"", "\"b\"", " \"b\""),
            (" \"a\"", "\"b, c\"", "\" \"\"b, c\"\"\""),
            ("5\" disk", "5\" Disk", "5\" Disk"),
            ("5\" disk", "\"5\" Disk", "\"\"\"5\"\" Disk\""),
            ("a", "", ""),
        ] {
            assert_eq!(written(cell, result), expected, "{cell} {result}");
        }
    }
}
