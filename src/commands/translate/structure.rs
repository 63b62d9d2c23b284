//! The flags that say where the texts are in records, subtitles, Markdown and message catalogues, and a hint for files without one.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use tulk_base::error::Failure;
use tulk_formats::{
    DIALECT_FORMATS, DIALECTS, FileFormatOptions, InputFormat, JsonLinesOptions, NamedFormat, TableOptions,
};

/// Where the texts are in an input that is not plain text.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug, Default)]
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
    /// Character between the cells of CSV [default: ,]
    #[arg(long, value_name = "C", help_heading = "Input", value_parser = delimiter, hide_short_help = true)]
    pub delimiter: Option<u8>,
    /// The first record is data, not the names of columns
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub no_header_row: bool,
    /// Translate fields of JSON lines; name them with --field
    #[arg(long, help_heading = "Input", requires = "field", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub jsonl: bool,
    /// Field to translate, as a JSON pointer such as /title, repeatable
    #[arg(long, value_name = "POINTER", help_heading = "Input", hide_short_help = true)]
    pub field: Vec<String>,
    /// Add results as NAME_<lang> and keep the sources
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub append: bool,
    /// Translate the text of a file format and keep the rest
    #[arg(long = "as", value_name = "FORMAT", value_parser = file_formats(), help_heading = "Input", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub file_format: Option<String>,
    /// Front-matter key whose value is translated, repeatable
    #[arg(long, value_name = "KEY", value_delimiter = ',', help_heading = "Input", hide_short_help = true)]
    pub front_matter: Vec<String>,
    /// What values of json, yaml, toml and properties mean [default: detected]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(DIALECTS), help_heading = "Input", hide_short_help = true)]
    pub dialect: Option<String>,
}

impl StructureArgs {
    /// Returns the flag that says where the texts are, if there is one.
    pub fn flag(&self) -> Option<&'static str> {
        let flags =
            [(self.csv, "--csv"), (self.tsv, "--tsv"), (self.jsonl, "--jsonl"), (self.file_format.is_some(), "--as")];
        flags.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }

    /// Returns the format that the flags name, if they do. Fails if flags do not fit together.
    ///
    /// `source` is the language of the input, if it is known, and `targets` are those of results, in BCP 47.
    pub fn format(&self, source: Option<&str>, targets: &[String]) -> Result<Option<InputFormat>, Failure> {
        self.check_flags()?;
        if self.csv || self.tsv {
            return Ok(Some(InputFormat::new(TableOptions {
                columns: self.column.clone(),
                delimiter: self.delimiter.unwrap_or(if self.csv { b',' } else { b'\t' }),
                has_header: !self.no_header_row,
                appended: if self.append { targets.to_vec() } else { Vec::new() },
            })));
        }
        if self.jsonl {
            let added = if self.append { targets } else { &[] };
            return Ok(Some(InputFormat::new(JsonLinesOptions::new(&self.field, added)?)));
        }
        let options = FileFormatOptions {
            front_matter: self.front_matter.clone(),
            dialect: self.dialect.clone(),
            source_lang: source.map(str::to_owned),
            targets: targets.to_vec(),
        };
        let format = self.file_format.as_deref().and_then(NamedFormat::named);
        Ok(format.map(|format| format.create(&options)))
    }

    /// Refuses the flags of one structure with another one, or without any.
    fn check_flags(&self) -> Result<(), Failure> {
        let is_table = self.csv || self.tsv;
        let wrong = [("--column", !self.column.is_empty()), ("--no-header-row", self.no_header_row)];
        if let Some((flag, _)) = wrong.into_iter().find(|(_, given)| *given && !is_table) {
            return Err(Failure::usage(format!("{flag} needs --csv or --tsv"))
                .hint("add --csv if commas separate the cells, or --tsv if tabs do"));
        }
        if self.delimiter.is_some() && !self.csv {
            return Err(
                Failure::usage("--delimiter needs --csv").hint("add --csv; with --tsv, tabs separate the cells")
            );
        }
        if self.append && !is_table && !self.jsonl {
            return Err(Failure::usage("--append needs --csv, --tsv or --jsonl")
                .hint("add one of them, or omit --append to replace the texts"));
        }
        if !self.field.is_empty() && !self.jsonl {
            return Err(Failure::usage("--field needs --jsonl").hint("columns of CSV and TSV are named with --column"));
        }
        if !self.front_matter.is_empty() && self.file_format.as_deref() != Some("markdown") {
            return Err(Failure::usage("--front-matter needs --as markdown")
                .hint("front matter is at the start of Markdown files"));
        }
        if self.dialect.is_some() && !self.file_format.as_deref().is_some_and(|name| DIALECT_FORMATS.contains(&name)) {
            let [first @ .., last] = DIALECT_FORMATS;
            let what = format!("--dialect needs --as {} or {last}", first.join(", "));
            return Err(Failure::usage(what).hint("other formats say themselves what their values mean"));
        }
        Ok(())
    }
}

/// Parses `--delimiter`.
fn delimiter(value: &str) -> Result<u8, String> {
    match value.as_bytes() {
        [b'\t'] => Err("for tabs use --tsv instead of --csv".to_owned()),
        [byte] if byte.is_ascii() && !b"\r\n\"".contains(byte) => Ok(*byte),
        _ => Err("expected one ASCII character, such as ;, and neither a quote nor a line end".to_owned()),
    }
}

/// Returns the names that `--as` takes.
fn file_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(NamedFormat::all().map(|format| PossibleValue::new(format.name()).help(format.help())))
}

/// The flags for files that `--as` does not know, by the endings of the files.
const RECORD_FLAGS: &[(&[&str], &str)] = &[
    (&["csv"], "--csv --column NAME translates only that column"),
    (&["tsv"], "--tsv --column NAME translates only that column"),
    (&["jsonl", "ndjson"], "--jsonl --field /NAME translates only that field"),
];

/// The name of the file with the texts of an Android app. Other files in XML are often no catalogue.
const ANDROID_FILE: &str = "strings.xml";

/// Returns the hint for the first file whose ending tells its format.
pub fn file_hint(files: &[PathBuf]) -> Option<String> {
    files.iter().find_map(|file| {
        let ending = file.extension()?.to_string_lossy().to_lowercase();
        let has = |endings: &[&str]| endings.contains(&ending.as_str());
        let record_flag = RECORD_FLAGS.iter().find(|(endings, _)| has(endings)).map(|(_, what)| (*what).to_owned());
        let what = record_flag.or_else(|| {
            let format = if ending == "xml" {
                NamedFormat::named("android").filter(|_| file.ends_with(ANDROID_FILE))?
            } else {
                NamedFormat::all().find(|format| has(format.endings()))?
            };
            Some(format!("--as {} keeps {}", format.name(), format.keeps()))
        })?;
        Some(format!("{} is translated as plain text; {what}", file.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_with_a_known_ending_gets_a_hint() {
        let hint = |files: &[&str]| file_hint(&files.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(hint(&["a.txt", "-", "csv"]), None);
        let srt = "d/b.SRT is translated as plain text; --as srt keeps its timings";
        assert_eq!(hint(&["a.txt", "d/b.SRT", "c.csv"]).as_deref(), Some(srt));
        let android = "values/strings.xml is translated as plain text; --as android keeps its keys and placeholders";
        assert_eq!(hint(&["values/strings.xml"]).as_deref(), Some(android));
        assert_eq!(hint(&["values/colors.xml"]), None);
        let php = "en/app.php is translated as plain text; --as php keeps its keys and placeholders";
        assert_eq!(hint(&["en/app.php"]).as_deref(), Some(php));
        let jsonl = "c.ndjson is translated as plain text; --jsonl --field /NAME translates only that field";
        assert_eq!(hint(&["c.ndjson"]).as_deref(), Some(jsonl));
    }
}
