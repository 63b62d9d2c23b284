//! `tulk glossary lint`: every problem of every file in one pass, without a server.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::api::glossary::LanguagePair;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::dictionary::{Checked, Problem, Reading, Rule};
use crate::json::Kept;
use crate::output::{Cell, Row};

use super::files::{self, FileArgs};

/// Check dictionary files, without a server
#[derive(Args, Debug)]
pub struct LintArgs {
    /// TSV or CSV, - for stdin; en:de=FILE wants rows of that pair
    #[arg(value_name = "[PAIR=]FILE", required = true, value_parser = lint_file)]
    pub inputs: Vec<LintFile>,
    /// How the files are read.
    #[command(flatten)]
    pub files: FileArgs,
}

/// A file, and the pair whose rows are wanted.
#[derive(Clone, Debug)]
pub struct LintFile {
    pair: Option<LanguagePair>,
    file: PathBuf,
}

#[allow(clippy::unnecessary_wraps)] // the shape clap asks for
fn lint_file(text: &str) -> Result<LintFile, String> {
    // A file may have `=` in its name, so only what is a pair is one.
    let of_pair = text.split_once('=').and_then(|(pair, file)| Some((pair.parse().ok()?, file)));
    Ok(match of_pair {
        Some((pair, file)) => LintFile { pair: Some(pair), file: file.into() },
        None => LintFile { pair: None, file: text.into() },
    })
}

/// A problem as data.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Found {
    file: String,
    /// From 1; missing for the whole file.
    line: Option<u32>,
    column: Option<u32>,
    rule: String,
    message: String,
    /// Where the phrase stands first.
    first_line: Option<u32>,
}

impl Found {
    fn new(file: &str, problem: &Problem) -> Self {
        let first_line = match problem.rule {
            Rule::Duplicate { first } => Some(first),
            _ => None,
        };
        let place = |n: u32| (n > 0).then_some(n);
        Self {
            file: file.to_owned(),
            line: place(problem.line),
            column: place(problem.column),
            rule: problem.rule.word().to_owned(),
            message: problem.rule.to_string(),
            first_line,
        }
    }
}

impl Row for Found {
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

/// Checks files; lines `FILE:LINE:COL: rule: message` unless another form is asked for.
pub fn run(ctx: &Context, args: &LintArgs) -> Result<(), anyhow::Error> {
    let format = ctx.out.settings().format_or(OutputFormat::Text);
    ctx.out.settings().refuse_formats(&[OutputFormat::Srt, OutputFormat::Vtt])?;
    ctx.out.settings().check_columns(format)?;
    files::one_stdin(args.inputs.iter().map(|input| (input.file.display().to_string(), input.file.as_path())))?;
    let mut count = 0;
    let mut found = Vec::new();
    for input in &args.inputs {
        let name = files::shown(&input.file);
        let checked = check(ctx, input, &name, &args.files)?;
        count += checked.problems.len();
        if format == OutputFormat::Text {
            let line =
                |problem: &Problem| format!("{}: {}: {}\n", problem.origin(&name), problem.rule.word(), problem.rule);
            ctx.out.text(checked.problems.iter().map(line).collect::<String>())?;
        } else {
            for problem in &checked.problems {
                found.push(Kept::made(Found::new(&name, problem))?);
            }
        }
    }
    if format != OutputFormat::Text {
        ctx.out.list(&found)?;
    }
    match count {
        0 => Ok(()),
        1 => Err(Failure::new(Kind::No, "1 problem").into()),
        _ => Err(Failure::new(Kind::No, format!("{count} problems")).into()),
    }
}

fn check(ctx: &Context, input: &LintFile, name: &str, args: &FileArgs) -> Result<Checked, Failure> {
    let bytes = files::bytes(&input.file)?;
    let pair = input.pair.as_ref().map(|pair| (pair.source.bcp47(), pair.target.bcp47()));
    let reading = Reading { form: args.form(&input.file), header: args.header_row, pair };
    let checked = Checked::read(&bytes, &reading);
    if checked.is_near_limit() {
        let bytes = checked.dictionary.tsv().len();
        ctx.out.warn(&format!("{name}: the entries have {bytes} bytes; some services take 10,000,000 at most"));
    }
    if checked.skipped > 0 && checked.problems.is_empty() {
        ctx.out.status(&format!("{name}: {} rows of other pairs are skipped", checked.skipped));
    }
    Ok(checked)
}
