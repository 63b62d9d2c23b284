//! Files of terms on their way to the service: arguments, reading, checking, and the content of requests.
//!
//! With `--no-check`, a file with problems is sent as it is.

use std::path::{Path, PathBuf};

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_base::value_error::ValueError;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::{SpokenTerms, TermListContent, check_term_language};
use tulk_formats::input::term_list::{CheckedTermList, TermList, TermListProblem};
use tulk_formats::input::whole;

use crate::context::Context;
use crate::inputs::keyed_files::{KeyedFile, display_name};
use crate::named::names;
use crate::reports::problems::refuse_problems;

/// The argument `LANG=FILE`.
pub type LanguageFile = KeyedFile<LangCode>;

/// Parses `en=FILE`.
pub fn parse_language_file(text: &str) -> Result<LanguageFile, ValueError> {
    KeyedFile::parse(text, "LANG=FILE, such as en=FILE")
}

// A term list of a collection, and the file to change it with. Not a doc comment: that would replace the help of the
// subcommands.
#[derive(Args, Debug)]
pub struct TermListAndFileArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language of the list, such as en
    #[arg(value_name = "LANG")]
    pub lang: LangCode,
    /// File with one term per line (- for stdin)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// A file that is ready to be sent.
pub struct LoadedTermList {
    /// The language.
    pub lang: LangCode,
    /// The terms.
    pub list: TermList,
    /// The text of the file, if it is sent unchecked.
    unchecked: Option<String>,
}

impl LoadedTermList {
    /// Returns the whole list as the content of a request.
    pub fn content(&self) -> TermListContent {
        match &self.unchecked {
            None => content(&self.lang, &self.list),
            Some(text) => TermListContent { lang: self.lang.to_string(), entries: text.clone() },
        }
    }

    /// Returns whether the file is sent as it is, in spite of its problems.
    pub fn is_unchecked(&self) -> bool {
        self.unchecked.is_some()
    }
}

/// Returns terms as the content of a request.
pub fn content(lang: &LangCode, list: &TermList) -> TermListContent {
    TermListContent { lang: lang.to_string(), entries: list.entries() }
}

/// Reads and checks a file. Prints all problems before it fails.
pub fn load(ctx: &Context, lang: &LangCode, file: &Path) -> Result<LoadedTermList, Failure> {
    check_language(ctx, lang)?;
    let (loaded, problems) = load_unless_broken(ctx, lang, file)?;
    fail_on_problems(ctx, &problems)?;
    Ok(loaded)
}

/// Checks a language that was typed, before anything is sent. Those that the service names are used as they are.
pub fn check_language(ctx: &Context, lang: &LangCode) -> Result<(), Failure> {
    if ctx.args.no_check { Ok(()) } else { check_term_language(lang.bcp47()) }
}

/// Reads and checks several files. Prints the problems of all before it fails. Refuses two files for one language.
pub fn load_all(ctx: &Context, files: &[LanguageFile]) -> Result<Vec<LoadedTermList>, Failure> {
    KeyedFile::check_all(files, "language")?;
    files.iter().try_for_each(|file| check_language(ctx, &file.key))?;
    let mut all_loaded = Vec::with_capacity(files.len());
    let mut all_problems = Vec::new();
    for KeyedFile { key: lang, file } in files {
        let (loaded, problems) = load_unless_broken(ctx, lang, file)?;
        all_loaded.push(loaded);
        all_problems.extend(problems);
    }
    fail_on_problems(ctx, &all_problems)?;
    Ok(all_loaded)
}

/// Fails if a merge would make a list too long, unless `--no-check` is given. `hint` is what to do then.
pub fn check_merge(ctx: &Context, lang: &LangCode, old: &TermList, new: &TermList, hint: &str) -> Result<(), Failure> {
    let (chars, limit) = (old.merged_with(new).chars(), limits::TERM_LIST_CHARS);
    if ctx.args.no_check || chars <= limit {
        return Ok(());
    }
    let new_chars = new.missing_in(old).chars();
    let what = format!(
        "the merged {lang} list would have {chars} characters ({} on the service, {new_chars} in new terms); the limit is {limit}",
        old.chars()
    );
    Err(Failure::usage(what).hint(hint))
}

/// Returns the bytes of a file. Refuses a large one: it must be something else, such as audio.
pub fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let limit = limits::TERM_FILE_BYTES;
    whole::read_bytes_up_to(file, limit)?.ok_or_else(|| {
        let what = format!("{} has more than {limit} bytes, the limit of a file of terms", display_name(file));
        Failure::usage(what).hint(format!("a term list has at most {} characters", limits::TERM_LIST_CHARS))
    })
}

/// A problem, after the file argument.
type NamedProblem<'a> = (&'a Path, TermListProblem);

/// Reads a file, and returns the problems for which it must not be sent.
fn load_unless_broken<'a>(
    ctx: &Context,
    lang: &LangCode,
    file: &'a Path,
) -> Result<(LoadedTermList, Vec<NamedProblem<'a>>), Failure> {
    let bytes = read(file)?;
    let checked = CheckedTermList::read(&bytes);
    let mut unchecked = None;
    // Requests are JSON, so only UTF-8 can be sent.
    if ctx.args.no_check && checked.is_utf8() && !checked.problems.is_empty() {
        let text = String::from_utf8_lossy(&bytes);
        unchecked = Some(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned());
    }
    let problems = checked.problems.into_iter().filter(|_| unchecked.is_none()).map(|p| (file, p)).collect();
    Ok((LoadedTermList { lang: lang.clone(), list: checked.list, unchecked }, problems))
}

/// Fails if there are problems.
fn fail_on_problems(ctx: &Context, problems: &[NamedProblem<'_>]) -> Result<(), Failure> {
    refuse_problems(ctx, problems, "files of terms", "tulk voice terms lint")
}
