//! Dictionary files: read, checked, and made into what is sent.
//!
//! What was checked is sent as TSV, whatever the file is. With `--no-check` the file's own text goes out in its own form.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::api::glossary::{CSV, DictionaryContent, LanguagePair, TSV};
use crate::context::Context;
use crate::error::{ErrorReport, Failure};
use crate::input::dictionary::{Checked, Dictionary, Form, Problem, Reading, Rule};

/// Problems that are shown before an upload; `lint` shows all.
const SHOWN: usize = 200;

/// How files separate source and target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EntriesFormat {
    /// source TAB target, no quotes
    Tsv,
    /// source,target or source,target,source code,target code
    Csv,
}

/// How dictionary files are read.
#[derive(Args, Clone, Debug)]
pub struct FileArgs {
    /// What the files are, whatever their names end in
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub entries_format: Option<EntriesFormat>,
    /// Skip the first line of each file
    #[arg(long)]
    pub header_row: bool,
}

impl FileArgs {
    /// The form of a file, by flag or by its ending; TSV where neither says.
    pub fn form(&self, file: &Path) -> Form {
        let is_csv = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
        match self.entries_format {
            Some(EntriesFormat::Csv) => Form::Csv,
            None if is_csv => Form::Csv,
            Some(EntriesFormat::Tsv) | None => Form::Tsv,
        }
    }
}

/// A pair with its file, `en:de=FILE`.
#[derive(Clone, Debug)]
pub struct PairFile {
    /// The pair.
    pub pair: LanguagePair,
    /// The file, `-` for stdin.
    pub file: PathBuf,
}

/// Parses `en:de=FILE`.
pub fn pair_file(text: &str) -> Result<PairFile, String> {
    let wrong = || format!("`{text}` names no pair and file; write en:de=FILE");
    let (pair, file) = text.split_once('=').ok_or_else(wrong)?;
    if file.is_empty() {
        return Err(wrong());
    }
    Ok(PairFile { pair: pair.parse()?, file: file.into() })
}

/// A file that is ready to be sent.
pub struct Loaded {
    /// Its pair.
    pub pair: LanguagePair,
    /// Its entries.
    pub dictionary: Dictionary,
    /// What is sent instead of the entries, unchecked: the file's text and its form.
    raw: Option<(String, &'static str)>,
}

impl Loaded {
    /// The whole dictionary as it is sent.
    pub fn content(&self) -> DictionaryContent {
        match &self.raw {
            None => content(&self.pair, &self.dictionary),
            Some((text, form)) => DictionaryContent {
                source_lang: self.pair.source.to_string(),
                target_lang: self.pair.target.to_string(),
                entries: text.clone(),
                entries_format: (*form).to_owned(),
            },
        }
    }
}

/// Entries as they are sent.
pub fn content(pair: &LanguagePair, dictionary: &Dictionary) -> DictionaryContent {
    DictionaryContent {
        source_lang: pair.source.to_string(),
        target_lang: pair.target.to_string(),
        entries: dictionary.tsv().to_owned(),
        entries_format: TSV.to_owned(),
    }
}

/// The name of a file in messages.
pub fn shown(file: &Path) -> String {
    if is_stdin(file) { "stdin".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The bytes of a file, or of stdin.
pub fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    if !is_stdin(file) {
        return std::fs::read(file).map_err(|e| Failure::file("read", file, &e));
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|e| Failure::file("read", Path::new("stdin"), &e))?;
    Ok(bytes)
}

/// Refuses that two arguments read stdin.
pub fn one_stdin<'a>(files: impl IntoIterator<Item = (String, &'a Path)>) -> Result<(), Failure> {
    let readers: Vec<String> = files.into_iter().filter(|(_, file)| is_stdin(file)).map(|(name, _)| name).collect();
    if readers.len() < 2 {
        return Ok(());
    }
    Err(Failure::usage(format!("only one argument can read stdin: {}", readers.join(", "))))
}

/// Reads and checks the file of a pair; every problem is told before this fails.
pub fn load(ctx: &Context, pair: &LanguagePair, file: &Path, args: &FileArgs) -> Result<Loaded, Failure> {
    Ok(load_all(ctx, std::slice::from_ref(&PairFile { pair: pair.clone(), file: file.to_owned() }), args)?.remove(0))
}

/// Reads and checks all files before one of them is sent. Refuses a pair that is named twice.
pub fn load_all(ctx: &Context, files: &[PairFile], args: &FileArgs) -> Result<Vec<Loaded>, Failure> {
    for (i, one) in files.iter().enumerate() {
        if let Some(other) = files.iter().take(i).find(|other| other.pair == one.pair) {
            return Err(Failure::usage(format!(
                "the pair {} has two files: {} and {}",
                one.pair,
                shown(&other.file),
                shown(&one.file)
            )));
        }
    }
    one_stdin(files.iter().map(|one| (format!("{}={}", one.pair, one.file.display()), one.file.as_path())))?;
    let mut loaded = Vec::new();
    let mut problems = Vec::new();
    for one in files {
        let (one, found) = read(ctx, one, args)?;
        problems.extend(found);
        loaded.push(one);
    }
    refuse(ctx, problems)?;
    Ok(loaded)
}

fn read(ctx: &Context, one: &PairFile, args: &FileArgs) -> Result<(Loaded, Vec<(String, Problem)>), Failure> {
    let name = shown(&one.file);
    let bytes = bytes(&one.file)?;
    let form = args.form(&one.file);
    let pair = (one.pair.source.bcp47(), one.pair.target.bcp47());
    let checked = Checked::read(&bytes, &Reading { form, header: args.header_row, pair: Some(pair) });
    if checked.skipped > 0 && !checked.dictionary.is_empty() {
        ctx.out.status(&format!("{name}: {} rows of other pairs than {} are skipped", checked.skipped, one.pair));
    }
    if checked.is_near_limit() {
        let bytes = checked.dictionary.tsv().len();
        ctx.out.warn(&format!("{name}: the entries have {bytes} bytes; some services take 10,000,000 at most"));
    }
    let is_text = !checked.problems.iter().any(|problem| matches!(problem.rule, Rule::Utf8 { .. }));
    let mut raw = None;
    let mut problems = checked.problems;
    if ctx.args.no_check && is_text {
        if !problems.is_empty() {
            raw = Some((raw_text(&bytes, args.header_row), if form == Form::Csv { CSV } else { TSV }));
        }
        problems.clear();
    }
    let problems = problems.into_iter().map(|problem| (name.clone(), problem)).collect();
    Ok((Loaded { pair: one.pair.clone(), dictionary: checked.dictionary, raw }, problems))
}

/// A file's text without mark and header.
fn raw_text(bytes: &[u8], header: bool) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match text.split_once('\n') {
        Some((_, rest)) if header => rest.to_owned(),
        _ => text.to_owned(),
    }
}

/// Tells every problem; the last word is the failure.
fn refuse(ctx: &Context, problems: Vec<(String, Problem)>) -> Result<(), Failure> {
    let count = problems.len();
    let mut problems = problems.into_iter();
    let Some((file, problem)) = problems.next() else { return Ok(()) };
    if count == 1 {
        return Err(problem.failure(&file));
    }
    let mut hints = Vec::new();
    for (name, problem) in std::iter::once((file.clone(), problem)).chain(problems).take(SHOWN) {
        let mut failure = problem.failure(&name);
        // A hint is said once, not on every line.
        failure.hint = failure.hint.filter(|hint| !hints.contains(hint));
        hints.extend(failure.hint.clone());
        ctx.out.item_error(&ErrorReport::of(&failure.into()));
    }
    let mut what = format!("{count} problems in dictionary files, nothing was sent");
    if count > SHOWN {
        what = format!("{what}; the first {SHOWN} are shown");
    }
    Err(Failure::usage(what).hint(format!("`tulk glossary lint {file}` shows all of a file; --no-check sends anyway")))
}
