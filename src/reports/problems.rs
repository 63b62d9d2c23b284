//! Problems of files. `lint` lists them, and a file with problems is not uploaded unless `--no-check` is given.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_base::shell;
use tulk_formats::input::problem::{FileProblem, FileRule};

use crate::config::OutputFormat;
use crate::context::Context;
use crate::inputs::keyed_files::display_name;
use crate::output::{Annotation, AnnotationLevel, Column, Row};

/// Maximum number of problems that are printed before an upload. `lint` prints all.
const PROBLEMS_PRINTED: usize = 200;

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct FileProblemRow {
    file: String,
    /// Line, counted from 1; missing if the problem concerns the complete file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    rule: String,
    message: String,
    /// For a repeated line, the first line with the same content.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_line: Option<u32>,
}

impl FileProblemRow {
    fn new<R: FileRule>(file: &str, problem: &FileProblem<R>) -> Self {
        let non_zero = |n: u32| (n > 0).then_some(n);
        Self {
            file: file.to_owned(),
            line: non_zero(problem.line),
            column: non_zero(problem.column),
            rule: problem.rule.word().to_owned(),
            message: problem.rule.to_string(),
            first_line: problem.rule.first_line(),
        }
    }
}

impl Row for FileProblemRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file").rank(0),
        Column::number("line").rank(0),
        Column::number("column"),
        Column::text("rule"),
        Column::text("message").rank(0).minimum(40),
        Column::number("first_line").header("FIRST LINE"),
    ];
}

/// The output of a `lint` command: `FILE:LINE:COL: rule: message` lines unless another format is given.
pub struct LintReport<'a> {
    ctx: &'a Context,
    format: OutputFormat,
    rows: Vec<WithRaw<FileProblemRow>>,
    count: usize,
}

impl<'a> LintReport<'a> {
    /// Creates a report. Fails if column options are given with a format without columns.
    pub fn new(ctx: &'a Context) -> Result<Self, Failure> {
        let format = ctx.out.settings().format_or(OutputFormat::Text);
        ctx.out.settings().check_columns(format)?;
        Ok(Self { ctx, format, rows: Vec::new(), count: 0 })
    }

    /// Reports the problems of one file. Lines are printed immediately, rows at the end.
    pub fn add<R: FileRule>(&mut self, path: &Path, problems: &[FileProblem<R>]) -> Result<(), Failure> {
        let file = &*display_name(path);
        self.count += problems.len();
        if self.format == OutputFormat::Github {
            let annotations: Vec<_> = problems.iter().map(|problem| annotation(path, problem)).collect();
            return self.ctx.out.annotations(&annotations);
        }
        if self.format == OutputFormat::Text {
            let line = |p: &FileProblem<R>| format!("{}: {}: {}\n", p.origin(file), p.rule.word(), p.rule);
            return self.ctx.out.text(problems.iter().map(line).collect::<String>());
        }
        for problem in problems {
            self.rows.push(WithRaw::from_typed(FileProblemRow::new(file, problem))?);
        }
        Ok(())
    }

    /// Prints the rows. Fails with `Kind::No` if there were problems.
    pub fn finish(self) -> Result<(), Failure> {
        if !matches!(self.format, OutputFormat::Text | OutputFormat::Github) {
            self.ctx.out.list(&self.rows)?;
        }
        match self.count {
            0 => Ok(()),
            count => Err(Failure::new(Kind::No, format!("found {}", counted(count, "problem")))),
        }
    }
}

fn annotation<R: FileRule>(path: &Path, problem: &FileProblem<R>) -> Annotation {
    let non_zero = |n: u32| (n > 0).then_some(n);
    Annotation {
        level: AnnotationLevel::Error,
        file: (path != Path::new("-")).then(|| path.to_owned()),
        line: non_zero(problem.line),
        column: non_zero(problem.column),
        title: problem.rule.word().to_owned(),
        message: problem.rule.to_string(),
    }
}

/// Fails if there are problems, so that nothing is sent. `problems` are pairs of a file argument and a problem.
///
/// A single problem becomes the failure itself; several are printed first. `files` is the noun for the files, and `lint` the
/// command that lists all problems of a file.
pub fn refuse_problems<R: FileRule>(
    ctx: &Context,
    problems: &[(&Path, FileProblem<R>)],
    files: &str,
    lint: &str,
) -> Result<(), Failure> {
    let Some((first_file, first)) = problems.first() else { return Ok(()) };
    let count = problems.len();
    if count == 1 {
        return Err(first.to_failure(&display_name(first_file)));
    }
    let mut hints = Vec::new();
    for (file, problem) in problems.iter().take(PROBLEMS_PRINTED) {
        let mut failure = problem.to_failure(&display_name(file));
        // Print each hint only once.
        failure.hint = failure.hint.filter(|hint| !hints.contains(hint));
        hints.extend(failure.hint.clone());
        ctx.out.item_error(&ErrorReport::new(&failure.into()));
    }
    let mut what = format!("{} in {files}; nothing was sent", counted(count, "problem"));
    if count > PROBLEMS_PRINTED {
        what = format!("{what}; the first {PROBLEMS_PRINTED} are shown");
    }
    let mut hint =
        format!("`{lint} {}` shows all problems of a file", shell::quote_file(&first_file.to_string_lossy()));
    if !ctx.args.no_check {
        hint.push_str("; --no-check sends the files anyway");
    }
    Err(Failure::usage(what).hint(hint))
}
