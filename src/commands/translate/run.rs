//! Builds the runs of the pipeline: which inputs, which targets, which outputs; and drives them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as _;

use super::args::TranslateArgs;
use super::outputs::{self, Place};
use super::report::Ending;
use super::{options, report};
use crate::api::translate::TranslateText;
use crate::commands::inputs::Inputs;
use crate::commands::via::Via;
use crate::config::Format as OutputFormat;
use crate::context::Context;
use crate::error::Failure;
use crate::formats::{Format, results};
use crate::input::source::Source;
use crate::pipeline::{BatchLimit, Destination, Input, Job, Leftover, Report, Rules, Sink, answer};

/// One pass of the pipeline: an input with all its targets.
struct Pass {
    /// How messages name it.
    name: String,
    source: Source,
    /// One output for all targets, or one per target.
    places: Vec<Place>,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: TranslateArgs) -> Result<(), anyhow::Error> {
    ctx.out.refuse_formats(&[OutputFormat::Table, OutputFormat::Srt, OutputFormat::Vtt])?;
    let inputs = Inputs { texts: &args.texts, files: &args.input, divided: args.lines || args.nul };
    let texts = inputs.are_texts();
    check_inputs(ctx, &args, inputs)?;
    let requests = options::requests(ctx, &args).await?;
    let form = form(ctx, &args, &requests);
    ctx.out.check_columns(form)?;
    let passes = passes(&args, &requests, form, texts)?;
    let client = ctx.client().await?;
    let identity = identity(ctx, &args, &requests).await?;
    let rules = Rules {
        keep_going: args.keep_going,
        max_characters: args.max_characters,
        context_lines: args.context_lines.unwrap_or(0),
        check: !ctx.args.no_check,
        dry_run: ctx.args.dry_run,
        progress: Arc::default(),
    };
    let mut ending = Ending::default();
    let mut left = args.max_characters;
    for pass in passes {
        let name = pass.name.clone();
        let rules = Rules { max_characters: left, progress: Arc::default(), ..rules.clone() };
        let done = drive(ctx, &args, &requests, pass, form, &identity, &rules, &Via(client)).await;
        let report = match done {
            Ok(report) => report,
            Err(failure) => {
                ending.input_failed(&name, failure);
                continue;
            }
        };
        left = left.map(|n| n.saturating_sub(report.characters));
        let go_on = ending.add(ctx, &name, report);
        if !go_on {
            break;
        }
    }
    report::finish(ctx, &args, ending)?;
    Ok(())
}

/// Refuses inputs that do not go together.
fn check_inputs(ctx: &Context, args: &TranslateArgs, inputs: Inputs<'_>) -> Result<(), Failure> {
    inputs.check(ctx, TranslateArgs::augment_args(clap::Command::new("tulk translate")))?;
    if args.context_file.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage("--context-file - would read stdin").hint("put the context into a file"));
    }
    Ok(())
}

/// The form of the output: text, unless asked otherwise or several targets share stdout.
fn form(ctx: &Context, args: &TranslateArgs, requests: &[TranslateText]) -> OutputFormat {
    let form = ctx.out.format_or(OutputFormat::Text);
    let asked = ctx.args.json || ctx.args.format.is_some_and(|f| f != OutputFormat::Auto);
    let to_stdout = args.output.as_deref().is_none_or(|o| o == "-") && !args.in_place;
    if form == OutputFormat::Text && requests.len() > 1 && to_stdout && !asked { OutputFormat::Tsv } else { form }
}

/// The passes: one per file where each has its own output, else one over all inputs.
fn passes(
    args: &TranslateArgs,
    requests: &[TranslateText],
    form: OutputFormat,
    texts: bool,
) -> Result<Vec<Pass>, Failure> {
    let stdin_only = args.input.is_empty() || args.input == [PathBuf::from("-")];
    let to_file = args.output.as_deref().filter(|o| *o != "-");
    if args.in_place {
        if requests.len() > 1 {
            return Err(Failure::usage("--in-place takes one target").hint("use -o '{stem}.{lang}{ext}' for several"));
        }
        if args.input.iter().any(|p| p == Path::new("-")) {
            return Err(Failure::usage("--in-place needs files, not stdin"));
        }
        return args.input.iter().map(|file| pass(args, file, vec![Place::File(file.clone())])).collect();
    }
    let Some(output) = to_file else {
        let source = source(args, texts)?;
        return Ok(vec![Pass { name: "stdout".to_owned(), source, places: vec![Place::Stdout] }]);
    };
    if texts || stdin_only {
        let input = Path::new("stdin");
        let places = places(output, input, requests, form);
        check_places(input, &places, args)?;
        let source = source(args, texts)?;
        return Ok(vec![Pass {
            name: output.to_owned(),
            source,
            places: places.into_iter().map(Place::File).collect(),
        }]);
    }
    let mut all = Vec::new();
    let mut passes = Vec::new();
    for file in &args.input {
        let places = places(output, file, requests, form);
        all.extend(places.iter().map(|p| (file.clone(), p.clone())));
        passes.push((file, places));
    }
    outputs::check(&all, &args.input, false)?;
    passes.into_iter().map(|(file, places)| pass(args, file, places.into_iter().map(Place::File).collect())).collect()
}

/// The output paths of one input: one per target, or one for all where the form lists targets.
fn places(output: &str, input: &Path, requests: &[TranslateText], form: OutputFormat) -> Vec<PathBuf> {
    let shared = !output.contains("{lang}") && form != OutputFormat::Text;
    let fill = |r: &TranslateText| {
        if outputs::is_template(output) { outputs::fill(output, input, &r.target_lang) } else { PathBuf::from(output) }
    };
    if shared { requests.iter().take(1).map(fill).collect() } else { requests.iter().map(fill).collect() }
}

fn check_places(input: &Path, places: &[PathBuf], args: &TranslateArgs) -> Result<(), Failure> {
    let pairs: Vec<_> = places.iter().map(|p| (input.to_path_buf(), p.clone())).collect();
    outputs::check(&pairs, &args.input, false)
}

fn pass(args: &TranslateArgs, file: &Path, places: Vec<Place>) -> Result<Pass, Failure> {
    let source = Source::files(&[file.to_path_buf()])?.lossy(args.lossy).strip_ansi(args.strip_ansi);
    Ok(Pass { name: file.display().to_string(), source, places })
}

fn source(args: &TranslateArgs, texts: bool) -> Result<Source, Failure> {
    let source = if texts {
        Source::texts(args.texts.clone())
    } else if args.input.is_empty() {
        Source::stdin()
    } else {
        Source::files(&args.input)?
    };
    Ok(source.lossy(args.lossy).strip_ansi(args.strip_ansi))
}

/// What a part file must have in common with the run that goes on with it.
async fn identity(ctx: &Context, args: &TranslateArgs, requests: &[TranslateText]) -> Result<String, Failure> {
    let server = ctx.server_identity().await?;
    let options =
        requests.first().map(serde_json::to_value).transpose().map_err(|e| Failure::internal(e.to_string()))?;
    let mut options = options.unwrap_or_default();
    if let Some(object) = options.as_object_mut() {
        object.remove("target_lang");
    }
    let lines = args.context_lines.unwrap_or(0);
    Ok(format!("{server}\n{options}\n{lines} {} {} {} {}", args.lines, args.nul, args.lossy, args.strip_ansi))
}

fn jobs(requests: &[TranslateText], form: OutputFormat, service: &crate::config::Service) -> Result<Vec<Job>, Failure> {
    let raw = matches!(form, OutputFormat::Json | OutputFormat::Jsonl);
    requests
        .iter()
        .map(|request| {
            let mut fields = request.clone();
            let context = fields.options.context.take();
            Ok(Job {
                target: request.target_lang.bcp47().to_owned(),
                request: request.request(service)?,
                options: fields.fields()?,
                context,
                limit: BatchLimit::TRANSLATE,
                results: if raw { answer::translations_raw } else { answer::translations },
            })
        })
        .collect()
}

fn sinks(
    args: &TranslateArgs,
    format: &Format,
    form: OutputFormat,
    jobs: &[Job],
    places: &[Place],
    identity: &str,
    ctx: &Context,
) -> Result<Vec<Sink>, Failure> {
    let names: Vec<String> = jobs.iter().map(|j| j.target.clone()).collect();
    let dry_run = ctx.args.dry_run;
    let leftover = if args.resume {
        Leftover::Resume
    } else if args.force || args.in_place {
        Leftover::Replace
    } else {
        Leftover::Refuse
    };
    let to = |place: &Place, target: &str| match place {
        Place::Stdout => Ok(Destination::stdout()),
        // Nothing is written, so nothing is made.
        Place::File(_) if dry_run => Ok(Destination::Nothing),
        Place::File(path) => Destination::file(path, &format!("{identity}\n{form:?}\n{target}"), leftover),
    };
    let shared = form != OutputFormat::Text && places.len() == 1;
    let writer = |targets: &[String]| match form {
        OutputFormat::Json => results::json(targets, format),
        OutputFormat::Jsonl => results::jsonl(targets, format),
        OutputFormat::Tsv => results::rows(targets, format, ctx.args.header),
        _ => format.writer(),
    };
    if shared {
        let place = places.first().unwrap_or(&Place::Stdout);
        return Ok(vec![Sink {
            targets: (0..jobs.len()).collect(),
            writer: writer(&names),
            to: to(place, &names.join(","))?,
        }]);
    }
    let per_target = jobs.iter().zip(places).enumerate();
    per_target
        .map(|(i, (job, place))| {
            Ok(Sink {
                targets: vec![i],
                writer: writer(std::slice::from_ref(&job.target)),
                to: to(place, &job.target)?,
            })
        })
        .collect()
}

#[allow(clippy::too_many_arguments)] // the parts of one run
async fn drive(
    ctx: &Context,
    args: &TranslateArgs,
    requests: &[TranslateText],
    pass: Pass,
    form: OutputFormat,
    identity: &str,
    rules: &Rules,
    via: &Via<'_>,
) -> Result<Report, Failure> {
    let format = match (args.lines, args.nul) {
        (true, _) => Format::Lines,
        (_, true) => Format::Nul,
        _ => Format::Text,
    };
    let jobs = jobs(requests, form, via.0.service())?;
    let sinks = sinks(args, &format, form, &jobs, &pass.places, identity, ctx)?;
    let input = Input { source: pass.source, format };
    let label = if pass.name == "stdout" { "translating" } else { &pass.name };
    Ok(via.run(ctx, label, input, &jobs, sinks, rules).await)
}
