//! Arguments for dictionary files, and reading and checking the files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tulk_base::error::{Failure, Origin};
use tulk_base::numbers::counted;
use tulk_base::suggest::one_line;
use tulk_base::value_error::ValueError;
use tulk_client::api::glossary::{Glossary, LanguagePair};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names;
use tulk_formats::input::dictionary::{
    CheckedDictionary, DictionaryFormat, DictionaryReadOptions, DictionaryRule, PhraseSide,
};

use crate::context::Context;
use crate::inputs::keyed_files::{KeyedFile, display_name};
use crate::named::names;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EntriesFormat {
    /// source TAB target, no quotes
    Tsv,
    /// source,target or source,target,source code,target code
    Csv,
}

// How to read dictionary files.
#[derive(Args, Clone, Debug)]
pub struct DictionaryFileOptions {
    /// File format [default: from the file extension, else tsv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub entries_format: Option<EntriesFormat>,
    /// Skip the first line of each file
    #[arg(long)]
    pub header_row: bool,
    /// Read a column for each language, named by the first line: en,de,fr
    #[arg(long, conflicts_with = "header_row")]
    pub columns_are_languages: bool,
}

impl DictionaryFileOptions {
    fn format(&self, file: &Path) -> DictionaryFormat {
        let is_csv = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
        match self.entries_format {
            Some(EntriesFormat::Csv) => DictionaryFormat::Csv,
            None if is_csv => DictionaryFormat::Csv,
            Some(EntriesFormat::Tsv) | None => DictionaryFormat::Tsv,
        }
    }
}

// A dictionary, and the file to change it with or compare it to.
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
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

impl DictionaryAndFileArgs {
    pub fn pair_file(&self) -> PairFile {
        PairFile { keys: vec![self.pair.clone()], file: self.file.clone() }
    }
}

pub type PairFile = KeyedFile<LanguagePair>;

pub fn parse_pair_file(text: &str) -> Result<PairFile, ValueError> {
    KeyedFile::parse(text, "PAIR=FILE, such as en:de=FILE", |pair| Ok(vec![pair.parse()?]))
}

pub fn parse_pairs_file(text: &str) -> Result<PairFile, ValueError> {
    KeyedFile::parse(text, "PAIR=FILE, such as en:de=FILE or en:de,fr=FILE", parse_pairs)
}

/// Parses language pairs. A target without a source uses the previous source: `en:de,fr` is `en:de,en:fr`.
pub fn parse_pairs(text: &str) -> Result<Vec<LanguagePair>, ValueError> {
    let mut pairs: Vec<LanguagePair> = Vec::new();
    for part in text.split(',') {
        let pair = match pairs.last() {
            Some(LanguagePair { source, .. }) if !part.contains(':') => format!("{source}:{part}").parse()?,
            _ => part.parse()?,
        };
        pairs.push(pair);
    }
    Ok(pairs)
}

/// Returns the language of a header cell, which is a code or a name.
fn language_of(cell: &str) -> Option<String> {
    let code = cell.parse::<LangCode>().ok();
    let is_known = |code: &LangCode| language_names::all().iter().any(|language| language.code == code.base());
    match language_names::named(cell).as_slice() {
        [language] => Some(language.code.to_owned()),
        _ => code.filter(is_known).map(|code| code.to_string()),
    }
}

fn check_column(name: &str, columns: &[String], pair: &LanguagePair, rule: DictionaryRule) -> Result<(), Failure> {
    let DictionaryRule::LanguageColumn { side, found } = rule else { return Ok(()) };
    let lang = if side == PhraseSide::Source { &pair.source } else { &pair.target };
    let columns: Vec<String> = columns.iter().map(|column| format!("`{}`", one_line(column))).collect();
    let columns = format!("the first line names the columns {}", columns.join(", "));
    Err(match found {
        0 => Failure::usage(format!("the table has no column for {lang}")).hint(columns),
        _ => Failure::usage(format!("the table has {found} columns for {lang}"))
            .hint(format!("{columns}; write the pair with the code of one of them")),
    }
    .at(Origin::at(name, 1, 0)))
}

/// Reports skipped rows and a size near the limit. Fails if a table does not have exactly one column for each language
/// of the pair.
pub fn read_dictionary(
    ctx: &Context,
    file: &Path,
    bytes: &[u8],
    pair: Option<&LanguagePair>,
    options: &DictionaryFileOptions,
) -> Result<(DictionaryFormat, CheckedDictionary), Failure> {
    let name = display_name(file);
    let &DictionaryFileOptions { header_row: header, columns_are_languages, .. } = options;
    let (format, language) = (options.format(file), language_of);
    let codes = pair.map(|pair| (pair.source.bcp47(), pair.target.bcp47()));
    let reading = DictionaryReadOptions { format, header, pair: codes, columns_are_languages, language };
    let checked = CheckedDictionary::read(bytes, &reading);
    if let Some(pair) = pair {
        checked.problems.iter().try_for_each(|problem| check_column(&name, &checked.columns, pair, problem.rule))?;
    }
    if checked.skipped > 0 && !checked.dictionary.is_empty() {
        let rows = counted(checked.skipped, "row");
        let which = match pair.filter(|_| columns_are_languages) {
            Some(LanguagePair { source, target }) => format!("without a phrase in {source} or {target}"),
            None if columns_are_languages => "with phrases in fewer than two languages".to_owned(),
            None => "for other language pairs".to_owned(),
        };
        ctx.out.status(&format!("{name}: skipped {rows} {which}"));
    }
    if checked.is_near_limit() {
        let bytes = checked.dictionary.tsv().len();
        ctx.out.warn(&format!(
            "{name}: the entries have {}; some services accept at most 10,000,000",
            counted(bytes, "byte")
        ));
    }
    Ok((format, checked))
}
