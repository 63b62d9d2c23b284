//! The first stage: flags, defaults and inputs become plain values, and everything is checked before anything is sent.

use clap::Args as _;

use super::args::TranslateArgs;
use super::passes::{self, TranslatePass};
use super::requests;
use crate::api::translate::TranslateText;
use crate::commands::result_form::ResultForm;
use crate::config::{OutputFormat, Service};
use crate::context::Context;
use crate::error::Failure;
use crate::pipeline::{self, BatchLimit, ExistingPart, Job, RunOptions};

/// Everything that a translation needs.
pub struct TranslatePlan {
    /// The passes, in order.
    pub passes: Vec<TranslatePass>,
    /// The requests without texts, one per target.
    pub requests: Vec<TranslateText>,
    /// What the pipeline sends, one job per target.
    pub jobs: Vec<Job>,
    /// Options of the first pass.
    pub options: RunOptions,
    /// How results are written.
    pub form: ResultForm,
    /// What to do with a part that an earlier run left.
    pub existing_part: ExistingPart,
    /// What a part must have in common with the run that resumes it, apart from output format and targets.
    pub identity: String,
    /// Whether to print statistics.
    pub stats: bool,
    /// Whether to print the billed characters.
    pub show_billed: bool,
}

/// Turns the flags into a plan. Names of assets are looked up; apart from that, nothing is sent.
pub async fn plan(ctx: &Context, args: &TranslateArgs) -> Result<TranslatePlan, Failure> {
    ctx.out.settings().refuse_formats(&[OutputFormat::Table, OutputFormat::Srt, OutputFormat::Vtt])?;
    let files = [("--context-file -", args.context_file.as_deref())];
    args.inputs.check(ctx, &files, TranslateArgs::augment_args(clap::Command::new("tulk translate")))?;
    let requests = requests::requests(ctx, args).await?;
    let form = ResultForm::new(ctx, format(ctx, args, requests.len())?, "translations")?;
    let mut passes = passes::passes(args, &requests, form)?;
    let jobs = jobs(&requests, form, ctx.client().await?.service())?;
    let options = RunOptions { context_lines: args.context_lines.unwrap_or(0), ..args.running.options(ctx) };
    // A run checks its own input before it sends anything.
    for pass in passes.iter_mut().skip(1) {
        pipeline::check_input(&mut pass.input, &jobs, &options)?;
    }
    let existing_part = match (args.resume, args.force || args.in_place) {
        (true, _) => ExistingPart::Resume,
        (_, true) => ExistingPart::Overwrite,
        _ => ExistingPart::Refuse,
    };
    let identity = identity(ctx, args, &requests).await?;
    let show_billed =
        args.options.show_billed_characters == Some(true) && !args.running.stats && !ctx.out.settings().is_json();
    let stats = args.running.stats;
    Ok(TranslatePlan { passes, requests, jobs, options, form, existing_part, identity, stats, show_billed })
}

/// Returns the output format: text by default, or rows if several targets share stdout.
fn format(ctx: &Context, args: &TranslateArgs, targets: usize) -> Result<OutputFormat, Failure> {
    let format = ctx.out.settings().format_or(OutputFormat::Text);
    let to_stdout = args.output.as_deref().is_none_or(|output| output == "-") && !args.in_place;
    if format != OutputFormat::Text || targets < 2 || !to_stdout {
        return Ok(format);
    }
    if ctx.args.format() == OutputFormat::Auto {
        return Ok(OutputFormat::Tsv);
    }
    let what = format!("text output to stdout supports one target language, but {targets} were given");
    Err(Failure::usage(what).hint("use --format tsv, jsonl or json, or write files with -o '{stem}.{lang}{ext}'"))
}

fn jobs(requests: &[TranslateText], form: ResultForm, service: &Service) -> Result<Vec<Job>, Failure> {
    let job = |request: &TranslateText| {
        let mut fields = request.clone();
        let context = fields.options.context.take();
        Ok(Job {
            target: request.target_lang.bcp47().to_owned(),
            request: request.request(service)?,
            options: fields.fields()?,
            context,
            limit: BatchLimit::TRANSLATE,
            parse_results: form.parser(),
        })
    };
    requests.iter().map(job).collect()
}

/// Returns what a part must have in common with the run that resumes it: server, options, and how the input is read.
async fn identity(ctx: &Context, args: &TranslateArgs, requests: &[TranslateText]) -> Result<String, Failure> {
    let server = ctx.server_identity().await?;
    let options = requests.first().map(serde_json::to_value).transpose();
    let mut options = options.map_err(|e| Failure::internal(e.to_string()))?.unwrap_or_default();
    if let Some(object) = options.as_object_mut() {
        object.remove("target_lang");
    }
    let context_lines = args.context_lines.unwrap_or(0);
    let inputs = &args.inputs;
    let reading = format!("{} {} {} {}", inputs.lines, inputs.nul, inputs.lossy, inputs.strip_ansi);
    Ok(format!("{server}\n{options}\n{context_lines} {reading}"))
}
