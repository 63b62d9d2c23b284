//! Builds the runs of the pipeline: one over all inputs to stdout, or one for each input that is compared or replaced.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args as _;

use super::diff::Change;
use super::report::Ending;
use super::{CorrectArgs, RephraseArgs, TextArgs};
use crate::api::write::{WriteOperation, WriteOptions};
use crate::commands::inputs::Inputs;
use crate::commands::via::{self, Via};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, io_message};
use crate::files::{AtomicFile, FileMode};
use crate::formats::{Columns, Format, results};
use crate::input::source::Source;
use crate::pipeline::{self, BatchLimit, Destination, Input, Job, Report, Rules, Sink, answer};

/// One pass of the pipeline.
struct Pass {
    /// How messages name it.
    name: String,
    input: Input,
    to: Goal,
}

/// What becomes of the result of a pass.
enum Goal {
    /// It is printed.
    Stdout,
    /// It replaces a file.
    File(PathBuf),
    /// It is compared with what was read.
    Compare(String),
}

/// Runs the command.
pub async fn run(
    ctx: &Context,
    operation: WriteOperation,
    options: &WriteOptions,
    args: &TextArgs,
) -> Result<(), Failure> {
    let form = form(ctx, args)?;
    check_inputs(ctx, operation, args)?;
    let mut passes = passes(args)?;
    let client = ctx.client().await?;
    let mut ending = Ending::default();
    let mut changes = Vec::new();
    let mut left = args.max_characters;
    // The first is looked through by its own run.
    let jobs = [job(operation, options, false)?];
    let check = Rules { check: !ctx.args.no_check, ..Rules::default() };
    for pass in passes.iter_mut().skip(1) {
        pipeline::look_through(&mut pass.input, &jobs, &check)?;
    }
    for pass in passes {
        let name = pass.name.clone();
        let rules = Rules {
            keep_going: args.keep_going,
            max_characters: left,
            check: !ctx.args.no_check,
            dry_run: ctx.args.dry_run,
            ..Rules::default()
        };
        let (report, change) = match drive(ctx, operation, options, pass, form, &rules, &Via(client)).await {
            Ok(done) => done,
            Err(failure) => {
                ending.input_failed(failure);
                continue;
            }
        };
        left = left.map(|n| n.saturating_sub(report.characters));
        let (go_on, complete) = ending.add(ctx, &name, report);
        changes.extend(change.filter(|change| complete && change.is_one()));
        if !go_on {
            break;
        }
    }
    if !ctx.args.dry_run && (args.diff || args.check) {
        super::diff::show(ctx, args, form, &changes)?;
    }
    ending.finish(ctx, args, !changes.is_empty())
}

/// The form of the output; a diff has none but its own.
fn form(ctx: &Context, args: &TextArgs) -> Result<OutputFormat, Failure> {
    ctx.out.settings().refuse_formats(&[OutputFormat::Table, OutputFormat::Srt, OutputFormat::Vtt])?;
    if args.diff || args.in_place {
        ctx.out.settings().refuse_formats(&[
            OutputFormat::Table,
            OutputFormat::Json,
            OutputFormat::Jsonl,
            OutputFormat::Tsv,
            OutputFormat::Srt,
            OutputFormat::Vtt,
        ])?;
    }
    let form = ctx.out.settings().format_or(OutputFormat::Text);
    ctx.out.settings().check_columns(form)?;
    Ok(form)
}

fn inputs(args: &TextArgs) -> Inputs<'_> {
    Inputs { texts: &args.texts, files: &args.input, divided: args.lines || args.nul }
}

/// Refuses inputs that do not go together.
fn check_inputs(ctx: &Context, operation: WriteOperation, args: &TextArgs) -> Result<(), Failure> {
    let inputs = inputs(args);
    let command = match operation {
        WriteOperation::Rephrase => RephraseArgs::augment_args(clap::Command::new("tulk write rephrase")),
        WriteOperation::Correct => CorrectArgs::augment_args(clap::Command::new("tulk write correct")),
    };
    inputs.check(ctx, command)?;
    if args.in_place && inputs.read_stdin() {
        return Err(Failure::usage("--in-place needs files, not stdin"));
    }
    Ok(())
}

/// A source as it is to be read and divided.
fn input(args: &TextArgs, source: Source) -> Input {
    let format = match (args.lines, args.nul) {
        (true, _) => Format::Lines,
        (_, true) => Format::Nul,
        _ => Format::Text,
    };
    Input { source: source.lossy(args.lossy).strip_ansi(args.strip_ansi), format }
}

fn passes(args: &TextArgs) -> Result<Vec<Pass>, Failure> {
    if args.in_place {
        let pass = |file: &PathBuf| {
            let input = input(args, Source::files([file])?);
            Ok(Pass { name: file.display().to_string(), input, to: Goal::File(file.clone()) })
        };
        return args.input.iter().map(pass).collect();
    }
    if !args.diff && !args.check {
        let source = if inputs(args).are_texts() {
            Source::texts(args.texts.clone())
        } else if args.input.is_empty() {
            Source::stdin()
        } else {
            Source::files(&args.input)?
        };
        return Ok(vec![Pass { name: "stdout".to_owned(), input: input(args, source), to: Goal::Stdout }]);
    }
    if inputs(args).are_texts() {
        let pass = |(number, text): (usize, &String)| {
            let old = if text.ends_with('\n') { text.clone() } else { format!("{text}\n") };
            let input = input(args, Source::texts([text.clone()]));
            Pass { name: format!("TEXT {}", number + 1), input, to: Goal::Compare(old) }
        };
        return Ok(args.texts.iter().enumerate().map(pass).collect());
    }
    let stdin = [PathBuf::from("-")];
    let files = if args.input.is_empty() { &stdin[..] } else { &args.input };
    files.iter().map(|file| compared(args, file)).collect()
}

/// A pass whose result is compared: its input is held whole; a pipe is read once.
fn compared(args: &TextArgs, file: &Path) -> Result<Pass, Failure> {
    let (name, bytes) = if file == Path::new("-") {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| Failure::internal(format!("cannot read stdin: {}", io_message(&e))))?;
        ("stdin".to_owned(), bytes)
    } else {
        (file.display().to_string(), std::fs::read(file).map_err(|e| Failure::file("read", file, &e))?)
    };
    // What is no UTF-8 is refused by the reading itself, unless it is to be replaced.
    let old = String::from_utf8_lossy(&bytes).into_owned();
    let source =
        if file.is_file() { Source::files([file])? } else { Source::reader(&name, Box::new(io::Cursor::new(bytes))) };
    Ok(Pass { name, input: input(args, source), to: Goal::Compare(old) })
}

/// Bytes that a pass wrote, shared with whoever compares them.
#[derive(Clone, Default)]
struct Caught(Arc<Mutex<Vec<u8>>>);

impl Write for Caught {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The new form of a file, which takes its place once it is whole; dropped before, it leaves nothing.
#[derive(Clone, Default)]
struct Replaced(Arc<Mutex<Option<AtomicFile>>>);

impl Replaced {
    fn begin(&self, path: &Path) -> Result<(), Failure> {
        *self.lock() = Some(AtomicFile::create(path, FileMode::Inherit)?);
        Ok(())
    }

    fn take(&self) -> Option<AtomicFile> {
        self.lock().take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<AtomicFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Replaced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().as_mut().map_or(Ok(()), Write::flush)
    }
}

/// What is asked of the service; `raw` keeps its objects for JSON.
fn job(operation: WriteOperation, options: &WriteOptions, raw: bool) -> Result<Job, Failure> {
    Ok(Job {
        target: options.target_lang.as_ref().map(ToString::to_string).unwrap_or_default(),
        request: operation.request()?,
        options: serde_json::to_string(options).map_err(|e| Failure::internal(e.to_string()))?,
        context: None,
        limit: BatchLimit::WRITE,
        results: if raw { answer::improvements_raw } else { answer::improvements },
    })
}

/// Carries a pass out; gives what it did, and the change where the result is compared.
#[allow(clippy::too_many_arguments)] // the parts of one run
async fn drive(
    ctx: &Context,
    operation: WriteOperation,
    options: &WriteOptions,
    pass: Pass,
    form: OutputFormat,
    rules: &Rules,
    via: &Via<'_>,
) -> Result<(Report, Option<Change>), Failure> {
    let format = &pass.input.format;
    let compares = matches!(pass.to, Goal::Compare(_));
    let form = if compares { OutputFormat::Text } else { form };
    let raw = matches!(form, OutputFormat::Json | OutputFormat::Jsonl);
    let jobs = [job(operation, options, raw)?];
    let targets = jobs.each_ref().map(|job| job.target.clone());
    let (caught, replaced) = (Caught::default(), Replaced::default());
    let writer = match form {
        OutputFormat::Json => results::list("improvements", &targets),
        OutputFormat::Jsonl => results::jsonl(&targets, format),
        OutputFormat::Tsv => {
            results::rows(&targets, format, ctx.args.header, Columns::named(ctx.out.settings().columns())?)
        }
        _ => format.writer(),
    };
    let to = match &pass.to {
        Goal::Stdout => via::stdout(ctx),
        // Nothing is written, so nothing is made.
        Goal::File(_) if ctx.args.dry_run => Destination::Nothing,
        Goal::File(path) => {
            replaced.begin(path)?;
            Destination::stream(&pass.name, Box::new(replaced.clone()))
        }
        Goal::Compare(_) => Destination::stream(&pass.name, Box::new(caught.clone())),
    };
    let sinks = vec![Sink { targets: vec![0], writer, to }];
    let report = via.run(ctx, &pass.name, pass.input, &jobs, sinks, rules).await;
    let complete = report.ended.is_none() && report.targets.iter().all(|target| target.failure.is_none());
    if let Some(file) = replaced.take().filter(|_| complete) {
        file.commit()?;
    }
    let new = std::mem::take(&mut *caught.0.lock().unwrap_or_else(PoisonError::into_inner));
    let change = match pass.to {
        Goal::Compare(old) if !ctx.args.dry_run => {
            Some(Change { name: pass.name, old, new: String::from_utf8_lossy(&new).into_owned() })
        }
        _ => None,
    };
    Ok((report, change))
}
