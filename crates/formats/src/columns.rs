//! Columns of listed results, as `--columns` names them.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use serde::{Deserialize, Deserializer};
use tulk_base::error::Failure;

use super::EntryResult;

/// A column of listed results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultColumn {
    /// Language of the result.
    TargetLang,
    /// The result.
    Text,
    /// Source language that the service detected.
    DetectedSourceLanguage,
    /// Billed characters, if the request asked for them.
    BilledCharacters,
    /// Model, if the request named one.
    ModelTypeUsed,
}

use ResultColumn::{BilledCharacters, DetectedSourceLanguage, ModelTypeUsed, TargetLang, Text};

impl ResultColumn {
    /// Columns of translations; the first two are the default.
    pub const TRANSLATION: [Self; 5] = [TargetLang, Text, DetectedSourceLanguage, BilledCharacters, ModelTypeUsed];
    /// Columns of improved texts; the first two are the default.
    pub const IMPROVEMENT: [Self; 3] = [TargetLang, Text, DetectedSourceLanguage];

    /// Returns the name, as in `--columns` and headers.
    pub const fn name(self) -> &'static str {
        match self {
            TargetLang => "target_lang",
            Text => "text",
            DetectedSourceLanguage => "detected_source_language",
            BilledCharacters => "billed_characters",
            ModelTypeUsed => "model_type_used",
        }
    }
}

/// Columns of a row, each at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultColumns([Option<ResultColumn>; ResultColumn::TRANSLATION.len()]);

impl Default for ResultColumns {
    fn default() -> Self {
        Self([Some(TargetLang), Some(Text), None, None, None])
    }
}

impl ResultColumns {
    /// Parses `--columns`; without names, returns the default. Fails on unknown and duplicate names.
    pub fn named(names: &[String], known: &[ResultColumn]) -> Result<Self, Failure> {
        if names.is_empty() {
            return Ok(Self::default());
        }
        let mut columns = Self([None; ResultColumn::TRANSLATION.len()]);
        for name in names {
            let Some(column) = known.iter().find(|column| column.name() == name) else {
                let known: Vec<&str> = known.iter().map(|column| column.name()).collect();
                return Err(Failure::usage(format!("--columns: unknown column `{name}`"))
                    .hint(format!("valid columns: {}", known.join(", "))));
            };
            if columns.has(*column) {
                return Err(Failure::usage(format!("--columns: `{name}` is given twice")));
            }
            if let Some(free) = columns.0.iter_mut().find(|place| place.is_none()) {
                *free = Some(*column);
            }
        }
        Ok(columns)
    }

    /// Returns the columns in their order.
    pub fn iter(self) -> impl Iterator<Item = ResultColumn> {
        self.0.into_iter().flatten()
    }

    /// Returns whether `column` is included.
    pub fn has(self, column: ResultColumn) -> bool {
        self.iter().any(|own| own == column)
    }

    /// Returns whether a column needs the service's JSON object.
    pub fn need_objects(self) -> bool {
        self.has(DetectedSourceLanguage) || self.has(ModelTypeUsed)
    }

    /// Returns the values of all columns except the text.
    pub(super) fn fields<'a>(self, target: Cow<'a, str>, result: Option<&EntryResult>) -> RowFields<'a> {
        let raw = result.and_then(|result| result.raw.as_deref()).filter(|_| self.need_objects());
        let fields = raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        RowFields { target, fields, billed: result.and_then(|result| result.billed) }
    }

    /// Writes a row without its line ending.
    pub(super) fn write_row(
        self,
        row: &RowFields<'_>,
        mut write_text: impl FnMut(&mut dyn Write) -> io::Result<()>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (at, column) in self.iter().enumerate() {
            if at > 0 {
                out.write_all(b"\t")?;
            }
            match (column, row.billed) {
                (TargetLang, _) => write_cell(&row.target, out)?,
                (Text, _) => write_text(out)?,
                (DetectedSourceLanguage, _) => write_cell(&row.fields.detected_source_language, out)?,
                (ModelTypeUsed, _) => write_cell(&row.fields.model_type_used, out)?,
                (BilledCharacters, Some(billed)) => write!(out, "{billed}")?,
                (BilledCharacters, None) => {}
            }
        }
        Ok(())
    }
}

#[derive(Default)]
pub(super) struct RowFields<'a> {
    target: Cow<'a, str>,
    fields: ObjectFields,
    pub(super) billed: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ObjectFields {
    #[serde(deserialize_with = "null_as_empty")]
    detected_source_language: String,
    #[serde(deserialize_with = "null_as_empty")]
    model_type_used: String,
}

fn null_as_empty<'de, D: Deserializer<'de>>(field: D) -> Result<String, D::Error> {
    Option::deserialize(field).map(Option::unwrap_or_default)
}

impl fmt::Display for ResultColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(ResultColumn::name).collect();
        f.write_str(&names.join("\t"))
    }
}

/// Writes a cell of a TSV listing, escaping tabs, line breaks and backslashes.
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
        let columns = match ResultColumns::named(&names, &ResultColumn::TRANSLATION) {
            Ok(columns) => columns,
            Err(failure) => return failure.what,
        };
        let raw = r#"{"detected_source_language": "EN", "text": "Hallo", "model_type_used": null}"#;
        let raw = serde_json::value::RawValue::from_string(raw.to_owned()).unwrap();
        let result = EntryResult { text: None, raw: Some(raw), billed: Some(5) };
        let mut out = format!("{columns} | ").into_bytes();
        let fields = columns.fields("de".into(), Some(&result));
        columns.write_row(&fields, |out| out.write_all(b"Hallo"), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_picked_and_ordered() {
        assert_eq!(row(&[]), "target_lang\ttext | de\tHallo");
        assert_eq!(row(&["text", "target_lang"]), "text\ttarget_lang | Hallo\tde");
        assert_eq!(row(&["text"]), "text | Hallo");
        assert_eq!(row(&["target_lang"]), "target_lang | de");
        assert_eq!(
            row(&["billed_characters", "text", "detected_source_language"]),
            "billed_characters\ttext\tdetected_source_language | 5\tHallo\tEN"
        );
    }

    #[test]
    fn refuses_unknown_and_duplicate_columns() {
        assert_eq!(row(&["foo"]), "--columns: unknown column `foo`");
        assert_eq!(row(&["text", "text"]), "--columns: `text` is given twice");
        let failure = ResultColumns::named(&["billed_characters".into()], &ResultColumn::IMPROVEMENT).unwrap_err();
        assert_eq!(failure.hint.unwrap(), "valid columns: target_lang, text, detected_source_language");
    }
}
