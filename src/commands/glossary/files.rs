//! Dictionary files on their way to the service: arguments, reading, checking, and the content of requests.
//!
//! Valid entries are sent as TSV, whatever the format of the file. With `--no-check`, a file with problems is sent as it
//! is, in its own format.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tulk_base::error::Failure;
use tulk_base::value_error::ValueError;
use tulk_client::api::glossary::{CSV, DictionaryContent, Glossary, LanguagePair, TSV};
use tulk_formats::input::dictionary::{
    CheckedDictionary, Dictionary, DictionaryFormat, DictionaryProblem, DictionaryReadOptions, DictionaryRule,
};
use tulk_formats::input::whole;

use crate::context::Context;
use crate::inputs::keyed_files::{KeyedFile, display_name};
use crate::named::names;
use crate::reports::problems::refuse_problems;

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

/// The argument `PAIR=FILE`.
pub type PairFile = KeyedFile<LanguagePair>;

/// Parses `en:de=FILE`.
pub fn parse_pair_file(text: &str) -> Result<PairFile, ValueError> {
    KeyedFile::parse(text, "PAIR=FILE, such as en:de=FILE")
}

/// A file that is ready to be sent.
pub struct LoadedDictionary {
    /// The language pair.
    pub pair: LanguagePair,
    /// The entries.
    pub dictionary: Dictionary,
    /// The line of each entry.
    pub entry_lines: Vec<u32>,
    /// The text of the file and its format, if it is sent unchecked.
    unchecked: Option<(String, &'static str)>,
}

impl LoadedDictionary {
    /// Returns the whole dictionary as the content of a request.
    pub fn content(&self) -> DictionaryContent {
        match &self.unchecked {
            None => tsv_content(&self.pair, &self.dictionary),
            Some((text, format)) => DictionaryContent {
                source_lang: self.pair.source.to_string(),
                target_lang: self.pair.target.to_string(),
                entries: text.clone(),
                entries_format: (*format).to_owned(),
            },
        }
    }
}

/// Returns entries as the content of a request.
pub fn tsv_content(pair: &LanguagePair, dictionary: &Dictionary) -> DictionaryContent {
    DictionaryContent {
        source_lang: pair.source.to_string(),
        target_lang: pair.target.to_string(),
        entries: dictionary.tsv().to_owned(),
        entries_format: TSV.to_owned(),
    }
}

/// A file that was read and checked.
pub struct CheckedFile {
    /// The bytes of the file.
    bytes: Vec<u8>,
    /// The format it was read in.
    format: DictionaryFormat,
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

/// Reads and checks a file. Prints all problems before it fails.
pub fn load(
    ctx: &Context,
    pair: &LanguagePair,
    file: &Path,
    options: &DictionaryFileOptions,
) -> Result<LoadedDictionary, Failure> {
    let (loaded, problems) = load_unless_broken(ctx, pair, file, options)?;
    fail_on_problems(ctx, &problems)?;
    Ok(loaded)
}

/// Reads and checks several files. Prints the problems of all before it fails. Refuses two files for one pair.
pub fn load_all(
    ctx: &Context,
    files: &[PairFile],
    options: &DictionaryFileOptions,
) -> Result<Vec<LoadedDictionary>, Failure> {
    KeyedFile::check_all(files, "pair")?;
    let mut all_loaded = Vec::with_capacity(files.len());
    let mut all_problems = Vec::new();
    for KeyedFile { key: pair, file } in files {
        let (loaded, problems) = load_unless_broken(ctx, pair, file, options)?;
        all_loaded.push(loaded);
        all_problems.extend(problems);
    }
    fail_on_problems(ctx, &all_problems)?;
    Ok(all_loaded)
}

/// A problem, after the file argument.
type NamedProblem<'a> = (&'a Path, DictionaryProblem);

/// Reads a file, and returns the problems for which it must not be sent.
fn load_unless_broken<'a>(
    ctx: &Context,
    pair: &LanguagePair,
    file: &'a Path,
    options: &DictionaryFileOptions,
) -> Result<(LoadedDictionary, Vec<NamedProblem<'a>>), Failure> {
    let CheckedFile { bytes, format, checked } = check_file(ctx, file, Some(pair), options)?;
    let mut problems = checked.problems;
    let mut unchecked = None;
    // Requests are JSON, so only UTF-8 can be sent.
    let is_utf8 = !problems.iter().any(|problem| matches!(problem.rule, DictionaryRule::Utf8 { .. }));
    if ctx.args.no_check && is_utf8 && !problems.is_empty() {
        unchecked =
            Some((raw_text(&bytes, options.header_row), if format == DictionaryFormat::Csv { CSV } else { TSV }));
        problems.clear();
    }
    let problems = problems.into_iter().map(|problem| (file, problem)).collect();
    let CheckedDictionary { dictionary, entry_lines, .. } = checked;
    Ok((LoadedDictionary { pair: pair.clone(), dictionary, entry_lines, unchecked }, problems))
}

/// Returns the text of a file without byte-order mark and header.
fn raw_text(bytes: &[u8], header: bool) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match text.split_once('\n') {
        Some((_, rest)) if header => rest.to_owned(),
        _ => text.to_owned(),
    }
}

/// Fails if there are problems.
fn fail_on_problems(ctx: &Context, problems: &[NamedProblem<'_>]) -> Result<(), Failure> {
    refuse_problems(ctx, problems, "dictionary files", "tulk glossary lint")
}
