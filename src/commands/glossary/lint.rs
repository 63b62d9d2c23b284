//! `tulk glossary lint`: reports all problems of all files in one pass, without a server.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::files::{self, DictionaryFileOptions};
use crate::api::glossary::LanguagePair;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::dictionary::{DictionaryProblem, DictionaryRule};
use crate::json::Kept;
use crate::output::{Cell, Row};

/// Check dictionary files offline
#[derive(Args, Debug)]
pub struct GlossaryLintArgs {
    /// TSV or CSV file (- for stdin); en:de=FILE checks only that pair
    #[arg(value_name = "[PAIR=]FILE", required = true, value_parser = parse_lint_file)]
    pub inputs: Vec<LintFile>,
    /// How to read the files.
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

/// A file to check.
#[derive(Clone, Debug)]
pub struct LintFile {
    /// The language pair whose rows are checked; all rows if `None`.
    pair: Option<LanguagePair>,
    file: PathBuf,
}

#[allow(clippy::unnecessary_wraps)] // clap expects a `Result`
fn parse_lint_file(text: &str) -> Result<LintFile, String> {
    // A file name may contain `=`, so the part before it must be a pair.
    let pair_and_file = text.split_once('=').and_then(|(pair, file)| Some((pair.parse().ok()?, file)));
    Ok(match pair_and_file {
        Some((pair, file)) => LintFile { pair: Some(pair), file: file.into() },
        None => LintFile { pair: None, file: text.into() },
    })
}

/// A problem, as a row.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DictionaryProblemRow {
    file: String,
    /// From 1; missing for the whole file.
    line: Option<u32>,
    column: Option<u32>,
    rule: String,
    message: String,
    /// The line of the first entry with the same source phrase.
    first_line: Option<u32>,
}

impl DictionaryProblemRow {
    fn new(file: &str, problem: &DictionaryProblem) -> Self {
        let first_line = match problem.rule {
            DictionaryRule::Duplicate { first } => Some(first),
            _ => None,
        };
        let non_zero = |n: u32| (n > 0).then_some(n);
        Self {
            file: file.to_owned(),
            line: non_zero(problem.line),
            column: non_zero(problem.column),
            rule: problem.rule.word().to_owned(),
            message: problem.rule.to_string(),
            first_line,
        }
    }
}

impl Row for DictionaryProblemRow {
    const COLUMNS: &'static [&'static str] = &["file", "line", "column", "rule", "message", "first_line"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.file),
            Cell::from(self.line),
            Cell::from(self.column),
            Cell::from(&self.rule),
            Cell::from(&self.message),
            Cell::from(self.first_line),
        ]
    }
}

/// Prints problems, as `FILE:LINE:COL: rule: message` lines unless another format is given.
///
/// Fails with `Kind::No` if there are any.
pub fn run(ctx: &Context, args: &GlossaryLintArgs) -> Result<(), anyhow::Error> {
    let format = ctx.out.settings().format_or(OutputFormat::Text);
    ctx.out.settings().refuse_formats(&[OutputFormat::Srt, OutputFormat::Vtt])?;
    ctx.out.settings().check_columns(format)?;
    files::check_single_stdin(args.inputs.iter().map(|input| (input.file.display().to_string(), &*input.file)))?;
    let mut count = 0;
    let mut rows = Vec::new();
    for input in &args.inputs {
        let name = files::display_name(&input.file);
        let problems = files::check_file(ctx, &input.file, input.pair.as_ref(), &args.options)?.checked.problems;
        count += problems.len();
        if format == OutputFormat::Text {
            let line = |p: &DictionaryProblem| format!("{}: {}: {}\n", p.origin(&name), p.rule.word(), p.rule);
            ctx.out.text(problems.iter().map(line).collect::<String>())?;
        } else {
            for problem in &problems {
                rows.push(Kept::from_typed(DictionaryProblemRow::new(&name, problem))?);
            }
        }
    }
    if format != OutputFormat::Text {
        ctx.out.list(&rows)?;
    }
    match count {
        0 => Ok(()),
        1 => Err(Failure::new(Kind::No, "found 1 problem").into()),
        _ => Err(Failure::new(Kind::No, format!("found {count} problems")).into()),
    }
}
