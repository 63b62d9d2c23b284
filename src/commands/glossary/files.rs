//! Dictionary files: arguments, reading and checking.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tulk_base::error::Failure;
use tulk_base::value_error::ValueError;
use tulk_client::api::glossary::{Glossary, LanguagePair};
use tulk_formats::input::dictionary::{CheckedDictionary, DictionaryFormat, DictionaryReadOptions};
use tulk_formats::input::whole;

use crate::context::Context;
use crate::inputs::keyed_files::{KeyedFile, display_name};
use crate::named::names;

/// Format of dictionary files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EntriesFormat {
    /// source TAB target, no quotes
    Tsv,
    /// source,target or source,target,source code,target code
    Csv,
}

// How to read dictionary files. Not a doc comment, see `DictionaryAndFileArgs`.
#[derive(Args, Clone, Debug)]
pub struct DictionaryFileOptions {
    /// File format [default: from the file extension, else tsv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub entries_format: Option<EntriesFormat>,
    /// Skip the first line of each file
    #[arg(long)]
    pub header_row: bool,
}

impl DictionaryFileOptions {
    /// Returns the format of a file: by flag, by its extension, or else TSV.
    fn format(&self, file: &Path) -> DictionaryFormat {
        let is_csv = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
        match self.entries_format {
            Some(EntriesFormat::Csv) => DictionaryFormat::Csv,
            None if is_csv => DictionaryFormat::Csv,
            Some(EntriesFormat::Tsv) | None => DictionaryFormat::Tsv,
        }
    }
}

// A dictionary of a glossary, and the file to change it with or compare it to. Not a doc comment: that would replace
// the help of the subcommands.
#[derive(Args, Debug)]
pub struct DictionaryAndFileArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
    /// TSV or CSV file (- for stdin)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to read the file.
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

impl DictionaryAndFileArgs {
    /// Returns the file with its pair.
    pub fn pair_file(&self) -> PairFile {
        PairFile { key: self.pair.clone(), file: self.file.clone() }
    }
}

/// The argument `PAIR=FILE`.
pub type PairFile = KeyedFile<LanguagePair>;

/// Parses `en:de=FILE`.
pub fn parse_pair_file(text: &str) -> Result<PairFile, ValueError> {
    KeyedFile::parse(text, "PAIR=FILE, such as en:de=FILE")
}

/// A file that was read and checked.
pub struct CheckedFile {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The format it was read in.
    pub format: DictionaryFormat,
    /// Its entries and problems.
    pub checked: CheckedDictionary,
}

/// Reads and checks a file, and reports skipped rows and a size near the limit.
pub fn check_file(
    ctx: &Context,
    file: &Path,
    pair: Option<&LanguagePair>,
    options: &DictionaryFileOptions,
) -> Result<CheckedFile, Failure> {
    let name = display_name(file);
    let bytes = whole::read_bytes(file)?;
    let format = options.format(file);
    let pair = pair.map(|pair| (pair.source.bcp47(), pair.target.bcp47()));
    let checked = CheckedDictionary::read(&bytes, &DictionaryReadOptions { format, header: options.header_row, pair });
    if checked.skipped > 0 && !checked.dictionary.is_empty() {
        let rows = if checked.skipped == 1 { "row" } else { "rows" };
        ctx.out.status(&format!("{name}: skipped {} {rows} for other language pairs", checked.skipped));
    }
    if checked.is_near_limit() {
        let bytes = checked.dictionary.tsv().len();
        ctx.out.warn(&format!("{name}: the entries have {bytes} bytes; some services accept at most 10,000,000"));
    }
    Ok(CheckedFile { bytes, format, checked })
}
