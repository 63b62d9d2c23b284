//! Stage 1: turns flags and inputs into plain values, and checks everything before anything is sent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as _;
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_client::ExtraFields;
use tulk_client::api::write::{WriteOperation, WriteOptions};
use tulk_formats::input::source::Source;
use tulk_formats::input::whole;
use tulk_pipeline::{BatchLimit, Job, PipelineInput, RunOptions, SentForm};
use tulk_store::results::ResultCache;

use super::diff::ChangedInput;
use super::{CorrectArgs, ImproveArgs, RephraseArgs, WriteCommand};
use crate::command::{RESULTS, TEXT_ONLY};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::inputs::structure::FormatLanguages;
use crate::inputs::texts::{self, TextInputs};
use crate::outputs::{self, OutputRun, OutputSetup, PassSource, TextPass};
use crate::runs::result_cache::{self, KeyParts};
use crate::runs::result_form::ResultForm;

#[allow(clippy::struct_excessive_bools)] // each is a flag, or says what was given
pub struct WritePlan {
    pub passes: WritePasses,
    pub job: Job,
    /// Options of the first pass.
    pub options: RunOptions,
    pub form: ResultForm,
    pub diff: bool,
    pub check: bool,
    pub interactive: bool,
    pub stats: bool,
    /// Whether the texts are arguments, or typed on a terminal.
    pub are_texts_typed: bool,
    /// The request fields other than the texts.
    pub request: WriteOptions,
    pub continues_after_unreadable_files: bool,
}

pub enum WritePasses {
    Results(OutputRun, Vec<TextPass>),
    Comparisons(Vec<Comparison>),
}

pub struct Comparison {
    /// A file, `stdin`, or `TEXT n`.
    pub name: String,
    pub source: PassSource,
    pub input: PipelineInput,
    /// The file that `--interactive` writes; `None` for stdout.
    pub output: Option<PathBuf>,
    pub old: String,
}

/// Turns the flags into a plan. Sends nothing.
pub async fn plan(ctx: &Context, command: WriteCommand) -> Result<WritePlan, Failure> {
    let (operation, verb, usage, style, tone, mut args) = match command {
        WriteCommand::Rephrase(args) => {
            let usage: fn() -> clap::Command = || RephraseArgs::augment_args(clap::Command::new("tulk write rephrase"));
            (WriteOperation::Rephrase, "rephrases", usage, args.style, args.tone, args.texts)
        }
        WriteCommand::Correct(args) => {
            let usage: fn() -> clap::Command = || CorrectArgs::augment_args(clap::Command::new("tulk write correct"));
            (WriteOperation::Correct, "corrects", usage, None, None, args.texts)
        }
    };
    let params = ExtraFields::default();
    let mut request = WriteOptions { target_lang: args.to.clone(), writing_style: style, tone, params };
    request.params = ExtraFields::parse(&args.param, &request, "text")?;
    if !ctx.args.no_check {
        request.check()?;
    }
    args.outputs.hint_if_force_has_no_effect(ctx);
    let form = form(ctx, &args)?;
    args.inputs.check(ctx, &[], verb, usage)?;
    if args.interactive {
        check_interactive(ctx, &args)?;
    }
    args.inputs.read_directories(ctx, &args.structure, &args.outputs)?;
    let inputs = inputs(ctx, &args)?;
    let compares = args.diff || args.check || args.interactive;
    let results = if compares { form.as_text() } else { form };
    let mut job = Job {
        target: request.target_lang.as_ref().map(ToString::to_string).unwrap_or_default(),
        request: operation.request()?,
        options: request.fields()?,
        context: None,
        limit: BatchLimit::WRITE,
        keeps_objects: results.needs_objects(),
        shows_billed: false,
        key_scope: None,
    };
    let options =
        RunOptions { results: open_cache(ctx, &args, &mut job).await?, copies_lost: true, ..args.running.options(ctx) };
    let passes = if compares {
        args.outputs.check(ctx)?;
        args.inputs.announce_terminal(ctx);
        let mut comparisons = comparisons(&inputs, &job, &options)?;
        if args.interactive {
            set_outputs(&inputs, &args, &job, &mut comparisons)?;
        }
        WritePasses::Comparisons(comparisons)
    } else {
        let targets = std::slice::from_ref(&job.target);
        let passes = outputs::passes(&inputs, &args.outputs, targets, form)?;
        args.inputs.announce_terminal(ctx);
        let server = ctx.server_identity().await?;
        let identity = format!("{server}\n{} {}\n{}", operation.path(), job.options, inputs.reading_flags());
        let jobs = std::slice::from_ref(&job);
        let setup = OutputSetup { inputs: &inputs, args: &args.outputs, form, identity, jobs, options: &options };
        let (outputs, passes) = OutputRun::prepare(ctx, setup, passes).await?;
        WritePasses::Results(outputs, passes)
    };
    let (continues_after_unreadable_files, are_texts_typed) =
        (args.inputs.found.has_directory, args.inputs.are_texts_typed());
    let ImproveArgs { diff, check, interactive, running, .. } = args;
    let stats = running.stats;
    Ok(WritePlan {
        passes,
        job,
        options,
        form,
        diff,
        check,
        interactive,
        stats,
        are_texts_typed,
        request,
        continues_after_unreadable_files,
    })
}

fn check_interactive(ctx: &Context, args: &ImproveArgs) -> Result<(), Failure> {
    if !ctx.out.settings().can_ask {
        return Err(Failure::usage("--interactive needs a terminal for the questions and your answers")
            .hint("use --diff to see the changes, and --in-place or -o to take all of them"));
    }
    if args.inputs.reads_stdin() {
        return Err(Failure::usage("--interactive reads your answers from stdin").hint("name the text with -i FILE"));
    }
    Ok(())
}

fn set_outputs(
    inputs: &TextInputs<'_>,
    args: &ImproveArgs,
    job: &Job,
    comparisons: &mut [Comparison],
) -> Result<(), Failure> {
    if let Some(comparison) = comparisons.iter().find(|comparison| comparison.old.contains('\u{fffd}')) {
        return Err(Failure::usage(format!("{} is not UTF-8, which --interactive needs", comparison.name)));
    }
    if args.outputs.to_stdout() {
        return Ok(());
    }
    let passes = outputs::passes(inputs, &args.outputs, std::slice::from_ref(&job.target), ResultForm::text())?;
    // All TEXT arguments share one output.
    let paths = passes.iter().flat_map(|pass| &pass.outputs).map(|output| output.path.clone()).cycle();
    comparisons.iter_mut().zip(paths).for_each(|(comparison, path)| comparison.output = path);
    Ok(())
}

/// Placeholders and markup are sent unprotected and compared with those in the results.
fn inputs<'a>(ctx: &Context, args: &'a ImproveArgs) -> Result<TextInputs<'a>, Failure> {
    let to = args.to.as_ref().map(ToString::to_string);
    if args.structure.append && to.is_none() {
        return Err(
            Failure::usage("--append needs --to").hint("the language is part of the names of columns and fields")
        );
    }
    let languages = FormatLanguages { source: to.clone(), targets: vec![to.unwrap_or_default()] };
    let formats = args.structure.formats(&args.inputs, &languages)?;
    if let Some(name) = formats.bilingual_format() {
        return Err(Failure::usage(format!("{name} files cannot be improved: they hold a text and its translation"))
            .hint("improve the file that they were made from; --as text reads plain text"));
    }
    formats.announce(ctx, &args.inputs, false);
    let protector = texts::protector(&args.protect, &formats, SentForm::WithoutTags)?;
    Ok(TextInputs::new(&args.inputs, formats, protector))
}

async fn open_cache(ctx: &Context, args: &ImproveArgs, job: &mut Job) -> Result<Option<Arc<ResultCache>>, Failure> {
    let Some(cache) = result_cache::open(ctx, args.running.cache)? else { return Ok(None) };
    let parts = KeyParts { options: job.options.clone(), ..KeyParts::default() };
    result_cache::set_scopes(ctx, cache, std::slice::from_mut(job), vec![parts]).await
}

/// Diffs and replaced files support only text.
fn form(ctx: &Context, args: &ImproveArgs) -> Result<ResultForm, Failure> {
    for (given, flag) in
        [(args.diff, "--diff"), (args.interactive, "--interactive"), (args.outputs.in_place, "--in-place")]
    {
        if given {
            ctx.out.settings().accept_format_with_flag(flag, TEXT_ONLY)?;
        }
    }
    if args.check {
        let format = ctx.out.settings().format_or(OutputFormat::Text);
        ctx.out.settings().check_columns(format)?;
        ctx.out.settings().check_row::<ChangedInput>()?;
        return Ok(ResultForm::findings(format));
    }
    ctx.out.settings().accept_formats(RESULTS)?;
    let form = ResultForm::improvements(ctx, ctx.out.settings().format_or(OutputFormat::Text))?;
    let several = args.inputs.input.len() > 1 && args.outputs.to_stdout();
    Ok(form.with_inputs(several).with_detected_language(args.to.is_none()))
}

/// Returns one comparison per input. Checks the inputs, unless a directory is given.
fn comparisons(inputs: &TextInputs<'_>, job: &Job, options: &RunOptions) -> Result<Vec<Comparison>, Failure> {
    let mut comparisons: Vec<Comparison> = if inputs.args.are_texts() {
        let comparison = |(text, number): (&String, usize)| {
            let old = if text.ends_with('\n') { text.clone() } else { format!("{text}\n") };
            let input = inputs.read(Source::texts([text.clone()]), Path::new("-"));
            Comparison {
                name: format!("TEXT {number}"),
                source: PassSource::Texts(vec![text.clone()]),
                input,
                output: None,
                old,
            }
        };
        inputs.args.texts.iter().zip(1..).map(comparison).collect()
    } else if inputs.args.input.is_empty() {
        vec![file_comparison(inputs, Path::new("-"))?]
    } else {
        inputs.args.input.iter().map(|file| file_comparison(inputs, file)).collect::<Result<_, _>>()?
    };
    // The pipeline checks the first input itself. If a directory is given, the others are not checked, because a bad file in the
    // directory must not fail the run.
    let checked = if inputs.args.found.has_directory { &mut [] } else { &mut comparisons[..] };
    for comparison in checked.iter_mut().skip(1) {
        tulk_pipeline::check_input(&mut comparison.input, std::slice::from_ref(job), options, Vec::new())?;
    }
    Ok(comparisons)
}

fn file_comparison(inputs: &TextInputs<'_>, file: &Path) -> Result<Comparison, Failure> {
    let source = PassSource::of_file(file);
    let name = source.name().unwrap_or_default();
    let bytes = whole::read_bytes(file, limits::TEXT_FILE)?;
    // The run refuses invalid UTF-8 unless --lossy is given.
    let old = String::from_utf8_lossy(&bytes).into_owned();
    let input = if file.is_file() {
        inputs.file(file)?
    } else {
        inputs.read(Source::reader(&name, Box::new(std::io::Cursor::new(bytes))), file)
    };
    Ok(Comparison { name, source, input, output: None, old })
}
