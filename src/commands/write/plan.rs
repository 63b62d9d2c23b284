//! The first stage: flags and inputs become plain values, and everything is checked before anything is sent.

use std::path::{Path, PathBuf};

use clap::Args as _;

use super::args::{CorrectArgs, ImproveArgs, RephraseArgs, WriteCommand};
use crate::api::write::{WriteOperation, WriteOptions};
use crate::commands::result_form::ResultForm;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::Failure;
use crate::input::source::Source;
use crate::input::whole;
use crate::pipeline::{self, BatchLimit, Job, PipelineInput, RunOptions};

/// Everything that an improvement needs.
pub struct WritePlan {
    /// The passes, in order.
    pub passes: Vec<WritePass>,
    /// What the pipeline sends.
    pub job: Job,
    /// Options of the first pass.
    pub options: RunOptions,
    /// How results are written.
    pub form: ResultForm,
    /// Whether to print diffs.
    pub diff: bool,
    /// Whether to list what would change.
    pub check: bool,
    /// Whether to print statistics.
    pub stats: bool,
    /// What to do if the service refuses the options.
    pub hint_when_refused: Option<String>,
}

/// One run of the pipeline.
pub struct WritePass {
    /// Its name in messages and diffs: a file, `stdin`, `TEXT n`, or `stdout` for all inputs together.
    pub name: String,
    /// What is read.
    pub input: PipelineInput,
    /// What is done with the result.
    pub output: WriteOutput,
}

/// What is done with the result of a pass.
pub enum WriteOutput {
    /// It is printed.
    Stdout,
    /// It replaces a file.
    File(PathBuf),
    /// It is compared with this text.
    Compare(String),
}

/// Turns the flags into a plan. Nothing is sent.
pub fn plan(ctx: &Context, command: WriteCommand) -> Result<WritePlan, Failure> {
    let (operation, usage, style, tone, args) = match command {
        WriteCommand::Rephrase(args) => {
            let usage = RephraseArgs::augment_args(clap::Command::new("tulk write rephrase"));
            (WriteOperation::Rephrase, usage, args.style, args.tone, args.texts)
        }
        WriteCommand::Correct(args) => {
            let usage = CorrectArgs::augment_args(clap::Command::new("tulk write correct"));
            (WriteOperation::Correct, usage, None, None, args.texts)
        }
    };
    let request = WriteOptions { target_lang: args.to.clone(), writing_style: style, tone };
    if !ctx.args.no_check {
        request.check()?;
    }
    let form = form(ctx, &args)?;
    args.inputs.check(ctx, &[], usage)?;
    let compares = args.diff || args.check;
    let results = if compares { form.as_text() } else { form };
    let job = Job {
        target: request.target_lang.as_ref().map(ToString::to_string).unwrap_or_default(),
        request: operation.request()?,
        options: serde_json::to_string(&request).map_err(|e| Failure::internal(e.to_string()))?,
        context: None,
        limit: BatchLimit::WRITE,
        parse_results: results.parser(),
    };
    let mut passes = passes(&args)?;
    let options = args.running.options(ctx);
    // A run checks its own input before it sends anything.
    for pass in passes.iter_mut().skip(1) {
        pipeline::check_input(&mut pass.input, std::slice::from_ref(&job), &options)?;
    }
    let (diff, check, stats) = (args.diff, args.check, args.running.stats);
    Ok(WritePlan { passes, job, options, form, diff, check, stats, hint_when_refused: request.hint_when_refused() })
}

/// Returns the output format. A diff and replaced files have only one.
fn form(ctx: &Context, args: &ImproveArgs) -> Result<ResultForm, Failure> {
    ctx.out.settings().refuse_formats(&[OutputFormat::Table, OutputFormat::Srt, OutputFormat::Vtt])?;
    if args.diff || args.in_place {
        ctx.out.settings().refuse_formats(&[OutputFormat::Json, OutputFormat::Jsonl, OutputFormat::Tsv])?;
    }
    ResultForm::new(ctx, ctx.out.settings().format_or(OutputFormat::Text), "improvements")
}

/// Returns the passes: one over all inputs, or one for each input that is compared or replaced.
fn passes(args: &ImproveArgs) -> Result<Vec<WritePass>, Failure> {
    let inputs = &args.inputs;
    if args.in_place {
        return in_place(args);
    }
    if !args.diff && !args.check {
        return Ok(vec![WritePass { name: "stdout".to_owned(), input: inputs.all()?, output: WriteOutput::Stdout }]);
    }
    if inputs.are_texts() {
        let pass = |(text, number): (&String, usize)| {
            let old = if text.ends_with('\n') { text.clone() } else { format!("{text}\n") };
            let input = inputs.read(Source::texts([text.clone()]));
            WritePass { name: format!("TEXT {number}"), input, output: WriteOutput::Compare(old) }
        };
        return Ok(inputs.texts.iter().zip(1..).map(pass).collect());
    }
    if inputs.input.is_empty() {
        return Ok(vec![compared(args, Path::new("-"))?]);
    }
    inputs.input.iter().map(|file| compared(args, file)).collect()
}

fn in_place(args: &ImproveArgs) -> Result<Vec<WritePass>, Failure> {
    let pass = |(file, input): (PathBuf, PipelineInput)| {
        let name = file.display().to_string();
        WritePass { name, input, output: WriteOutput::File(file) }
    };
    Ok(args.inputs.each_in_place()?.into_iter().map(pass).collect())
}

/// Returns a pass whose result is compared with its input, which is read whole.
fn compared(args: &ImproveArgs, file: &Path) -> Result<WritePass, Failure> {
    let name = if file == Path::new("-") { "stdin".to_owned() } else { file.display().to_string() };
    let bytes = whole::read_bytes(file)?;
    // Invalid UTF-8 is refused by the run, unless --lossy replaces it.
    let old = String::from_utf8_lossy(&bytes).into_owned();
    let input = if file.is_file() {
        args.inputs.file(file)?
    } else {
        args.inputs.read(Source::reader(&name, Box::new(std::io::Cursor::new(bytes))))
    };
    Ok(WritePass { name, input, output: WriteOutput::Compare(old) })
}
