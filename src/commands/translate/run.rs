//! Builds the runs of the pipeline: which inputs, which targets, which outputs; and drives them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as _;

use super::args::TranslateArgs;
use super::outputs::{self, Place};
use super::report::Ending;
use super::{report, requests};
use crate::api::translate::TranslateText;
use crate::commands::inputs::Inputs;
use crate::commands::via::{self, Via};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::Failure;
use crate::formats::{Columns, Format, ResultWriter, results};
use crate::input::source::Source;
use crate::pipeline::{self, BatchLimit, Destination, Input, Job, Leftover, Report, Rules, Sink, answer};

/// One pass of the pipeline: an input with all its targets.
struct Pass {
    /// How messages name it.
    name: String,
    input: Input,
    /// One output for all targets, or one per target.
    places: Vec<Place>,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: TranslateArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().refuse_formats(&[OutputFormat::Table, OutputFormat::Srt, OutputFormat::Vtt])?;
    let inputs = Inputs { texts: &args.texts, files: &args.input, divided: args.lines || args.nul };
    let texts = inputs.are_texts();
    check_inputs(ctx, &args, inputs)?;
    let requests = requests::requests(ctx, &args).await?;
    let form = form(ctx, &args, &requests)?;
    ctx.out.settings().check_columns(form)?;
    let columns = Columns::named(ctx.out.settings().columns())?;
    let mut passes = passes(&args, &requests, form, texts)?;
    let client = ctx.client().await?;
    let identity = identity(ctx, &args, &requests).await?;
    let jobs = jobs(&requests, form, client.service())?;
    let rules = Rules {
        keep_going: args.keep_going,
        max_characters: args.max_characters,
        context_lines: args.context_lines.unwrap_or(0),
        check: !ctx.args.no_check,
        dry_run: ctx.args.dry_run,
        progress: Arc::default(),
    };
    // The first is looked through by its own run.
    for pass in passes.iter_mut().skip(1) {
        pipeline::look_through(&mut pass.input, &jobs, &rules)?;
    }
    let work = Work { ctx, args: &args, form, columns, identity, jobs };
    let mut ending = Ending::default();
    let mut left = args.max_characters;
    for pass in passes {
        let name = pass.name.clone();
        let rules = Rules { max_characters: left, progress: Arc::default(), ..rules.clone() };
        let report = match work.carry_out(pass, &rules, &Via(client)).await {
            Ok(report) => report,
            Err(failure) => {
                ending.input_failed(&name, failure);
                continue;
            }
        };
        left = left.map(|n| n.saturating_sub(report.characters));
        let go_on = ending.add(ctx, &name, &requests, report);
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
fn form(ctx: &Context, args: &TranslateArgs, requests: &[TranslateText]) -> Result<OutputFormat, Failure> {
    let form = ctx.out.settings().format_or(OutputFormat::Text);
    let to_stdout = args.output.as_deref().is_none_or(|o| o == "-") && !args.in_place;
    if form != OutputFormat::Text || requests.len() < 2 || !to_stdout {
        return Ok(form);
    }
    if ctx.args.format() == OutputFormat::Auto {
        return Ok(OutputFormat::Tsv);
    }
    let what = format!("{} targets cannot share stdout as text: nothing would tell them apart", requests.len());
    Err(Failure::usage(what).hint("choose --format tsv, jsonl or json, or write files with -o '{stem}.{lang}{ext}'"))
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
        let input = input(args, source(args, texts)?);
        return Ok(vec![Pass { name: "stdout".to_owned(), input, places: vec![Place::Stdout] }]);
    };
    if texts || stdin_only {
        let stdin = Path::new("stdin");
        let places = places(output, stdin, requests, form);
        check_places(stdin, &places, args)?;
        let input = input(args, source(args, texts)?);
        let places = places.into_iter().map(Place::File).collect();
        return Ok(vec![Pass { name: output.to_owned(), input, places }]);
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
    Ok(Pass { name: file.display().to_string(), input: input(args, Source::files([file])?), places })
}

/// A source as it is to be read and divided.
fn input(args: &TranslateArgs, source: Source) -> Input {
    let format = match (args.lines, args.nul) {
        (true, _) => Format::Lines,
        (_, true) => Format::Nul,
        _ => Format::Text,
    };
    Input { source: source.lossy(args.lossy).strip_ansi(args.strip_ansi), format }
}

fn source(args: &TranslateArgs, texts: bool) -> Result<Source, Failure> {
    if texts {
        return Ok(Source::texts(args.texts.clone()));
    }
    if args.input.is_empty() { Ok(Source::stdin()) } else { Source::files(&args.input) }
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

/// What all passes have in common.
struct Work<'a> {
    ctx: &'a Context,
    args: &'a TranslateArgs,
    form: OutputFormat,
    columns: Columns,
    /// What a part must have in common with the run that goes on with it, but for form and target.
    identity: String,
    jobs: Vec<Job>,
}

impl Work<'_> {
    async fn carry_out(&self, pass: Pass, rules: &Rules, via: &Via<'_>) -> Result<Report, Failure> {
        let sinks = self.sinks(&pass.input.format, &pass.places)?;
        let label = if pass.name == "stdout" { "translating" } else { &pass.name };
        Ok(via.run(self.ctx, label, pass.input, &self.jobs, sinks, rules).await)
    }

    /// One sink for all targets where they share an output, else one for each.
    fn sinks(&self, format: &Format, places: &[Place]) -> Result<Vec<Sink>, Failure> {
        let names: Vec<String> = self.jobs.iter().map(|job| job.target.clone()).collect();
        if self.form != OutputFormat::Text && places.len() == 1 {
            let to = self.destination(places.first().unwrap_or(&Place::Stdout), &names.join(","))?;
            return Ok(vec![Sink { targets: (0..names.len()).collect(), writer: self.writer(&names, format), to }]);
        }
        let sink = |(at, (name, place)): (usize, (&String, &Place))| {
            let to = self.destination(place, name)?;
            Ok(Sink { targets: vec![at], writer: self.writer(std::slice::from_ref(name), format), to })
        };
        names.iter().zip(places).enumerate().map(sink).collect()
    }

    fn writer(&self, targets: &[String], format: &Format) -> Box<dyn ResultWriter> {
        match self.form {
            OutputFormat::Json => results::json(targets, format),
            OutputFormat::Jsonl => results::jsonl(targets, format),
            OutputFormat::Tsv => results::rows(targets, format, self.ctx.args.header, self.columns),
            _ => format.writer(),
        }
    }

    fn destination(&self, place: &Place, target: &str) -> Result<Destination, Failure> {
        let Place::File(path) = place else { return Ok(via::stdout(self.ctx)) };
        // Nothing is written, so nothing is made.
        if self.ctx.args.dry_run {
            return Ok(Destination::Nothing);
        }
        let leftover = if self.args.resume {
            Leftover::Resume
        } else if self.args.force || self.args.in_place {
            Leftover::Replace
        } else {
            Leftover::Refuse
        };
        let Self { identity, form, columns, .. } = self;
        Destination::file(path, &format!("{identity}\n{form:?} {columns}\n{target}"), leftover)
    }
}
