//! `tulk glossary lint`: reports all problems of all files in one pass, without a server.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use tulk_base::limits::DICTIONARY_FILE;
use tulk_client::api::glossary::LanguagePair;
use tulk_formats::input::dictionary::DictionaryProblem;
use tulk_formats::input::problem::FileRule as _;
use tulk_formats::input::whole;

use super::files::{self, DictionaryFileOptions};
use crate::command::{CommandSpec, FINDINGS, Run};
use crate::context::Context;
use crate::inputs::keyed_files::check_single_stdin;
use crate::inputs::wildcards;
use crate::reports::problems::{FileProblemRow, LintReport};

/// Check dictionary files offline
///
/// Exits with 1 if there are problems.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<FileProblemRow>().formats(FINDINGS))]
#[command(after_help = "tulk glossary lint kitchen.tsv more.csv\n\
                        tulk glossary lint en:de=more.csv")]
pub struct GlossaryLintArgs {
    /// TSV or CSV file (- for stdin); en:de,fr=FILE checks only these pairs
    #[arg(value_name = "[PAIR=]FILE", required = true, value_parser = parse_lint_file)]
    pub inputs: Vec<LintFile>,
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

#[derive(Clone, Debug)]
pub struct LintFile {
    /// Language pairs whose rows are checked; if empty, all rows are.
    pairs: Vec<LanguagePair>,
    file: PathBuf,
}

#[allow(clippy::unnecessary_wraps)] // clap expects a `Result`
fn parse_lint_file(text: &str) -> Result<LintFile, String> {
    // A file name may contain `=`, so treat the part before it as pairs only if it parses.
    let pair_and_file = text.split_once('=').and_then(|(pair, file)| Some((files::parse_pairs(pair).ok()?, file)));
    Ok(match pair_and_file {
        Some((pairs, file)) => LintFile { pairs, file: file.into() },
        None => LintFile { pairs: Vec::new(), file: text.into() },
    })
}

impl Run for GlossaryLintArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut report = LintReport::new(ctx)?;
        let mut inputs: Vec<(&LintFile, PathBuf)> = Vec::new();
        for input in &self.inputs {
            let files = wildcards::expand(std::slice::from_ref(&input.file))?;
            inputs.extend(files.into_iter().map(|file| (input, file)));
        }
        check_single_stdin(inputs.iter().map(|(_, file)| (file.display().to_string(), &**file)))?;
        for (input, file) in &inputs {
            let bytes = whole::read_bytes(file, DICTIONARY_FILE)?;
            let mut problems: Vec<DictionaryProblem> = Vec::new();
            let pairs = if input.pairs.is_empty() { vec![None] } else { input.pairs.iter().map(Some).collect() };
            for pair in pairs {
                let (_, checked) = files::read_dictionary(ctx, file, &bytes, pair, &self.options)?;
                problems.extend(checked.problems);
            }
            DictionaryProblem::sort(&mut problems);
            // With several pairs, a problem of a source phrase is found once per pair.
            let mut seen = HashSet::new();
            problems.retain(|one| one.line == 0 || seen.insert((one.line, one.column, one.rule.word())));
            report.add(file, &problems)?;
        }
        Ok(report.finish()?)
    }
}
