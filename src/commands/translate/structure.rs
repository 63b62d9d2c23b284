//! The flags that say where the texts are in records, subtitles and Markdown.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::error::Failure;
use crate::formats::{FILE_FORMATS, FileFormatOptions, InputFormat, JsonLinesOptions, TableOptions};

/// Where the texts are in an input that is not plain text.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug)]
pub struct StructureArgs {
    /// Translate columns of CSV; name them with --column
    #[arg(long, help_heading = "Input", requires = "column", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub csv: bool,
    /// Translate columns of TSV; name them with --column
    #[arg(long, help_heading = "Input", requires = "column", group = "structure", conflicts_with_all = ["lines", "nul"], hide_short_help = true)]
    pub tsv: bool,
    /// Column to translate, by name or number, repeatable
    #[arg(long, value_name = "NAME|N", help_heading = "Input", hide_short_help = true)]
    pub column: Vec<String>,
    /// The first record is data, not the names of columns
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub no_header_row: bool,
    /// Translate fields of JSON lines; name them with --field
    #[arg(long, help_heading = "Input", requires = "field", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub jsonl: bool,
    /// Field to translate, as a JSON pointer such as /title, repeatable
    #[arg(long, value_name = "POINTER", help_heading = "Input", requires = "jsonl", hide_short_help = true)]
    pub field: Vec<String>,
    /// Add results as NAME_<lang> and keep the sources
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub append: bool,
    /// Translate the text of a file format and keep the rest
    #[arg(long = "as", value_name = "FORMAT", value_parser = file_formats(), help_heading = "Input", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub file_format: Option<String>,
    /// Front-matter key whose value is translated, repeatable
    #[arg(
        long,
        value_name = "KEY",
        value_delimiter = ',',
        help_heading = "Input",
        requires = "file_format",
        hide_short_help = true
    )]
    pub front_matter: Vec<String>,
}

impl StructureArgs {
    /// Returns the flag that says where the texts are, if there is one.
    pub fn flag(&self) -> Option<&'static str> {
        let flags =
            [(self.csv, "--csv"), (self.tsv, "--tsv"), (self.jsonl, "--jsonl"), (self.file_format.is_some(), "--as")];
        flags.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }

    /// Returns the format that the flags name, if they do. Fails if flags do not fit together.
    pub fn format(&self) -> Result<Option<InputFormat>, Failure> {
        if self.csv || self.tsv {
            return Ok(Some(InputFormat::new(TableOptions {
                columns: self.column.clone(),
                delimiter: if self.csv { b',' } else { b'\t' },
                has_header: !self.no_header_row,
                append: self.append,
            })));
        }
        if self.jsonl {
            let options = JsonLinesOptions { fields: self.field.clone(), append: self.append };
            return Ok(Some(InputFormat::new(options)));
        }
        let options = FileFormatOptions { front_matter: self.front_matter.clone() };
        let format = self.file_format.as_ref().and_then(|name| FILE_FORMATS.iter().find(|format| format.name == name));
        Ok(format.map(|format| (format.new)(&options)))
    }
}

/// Returns the names that `--as` takes.
fn file_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FILE_FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.help)))
}
