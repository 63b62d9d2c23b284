//! Stage 1: turns flags, defaults and inputs into plain values, and checks everything before anything is sent.

use clap::Args as _;
use tulk_base::error::Failure;
use tulk_client::api::translate::{TranslateOptions, TranslateText};
use tulk_client::{Defaulted, OptionalFlag as _, Service};
use tulk_formats::ResultColumn;
use tulk_pipeline::{BatchLimit, Job, RunOptions};

use super::args::TranslateArgs;
use super::{cache, requests};
use crate::command::TEXT_ONLY;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::context::defaults::ProfileDefaults;
use crate::inputs::structure::{FormatLanguages, InputFormats};
use crate::inputs::texts::TextInputs;
use crate::outputs::{self, OutputRun, OutputSetup, TextPass};
use crate::runs::result_form::ResultForm;
use crate::runs::totals;

#[allow(clippy::struct_excessive_bools)] // each is a flag, or says what was given
pub struct TranslatePlan {
    pub passes: Vec<TextPass>,
    pub requests: Vec<TranslateText>,
    /// One job per target, in the order of `requests`.
    pub jobs: Vec<Job>,
    /// Options of the first pass.
    pub options: RunOptions,
    /// Number of entries sent as context; `None` for the default of the input format.
    pub context_lines: Option<usize>,
    pub outputs: OutputRun,
    pub stats: bool,
    /// Whether the texts are arguments, or typed on a terminal.
    pub are_texts_typed: bool,
    pub show_billed: bool,
    pub continues_after_unreadable_files: bool,
}

/// Turns the flags into a plan. Sends nothing except requests to look up assets.
pub async fn plan(ctx: &Context, args: &mut TranslateArgs) -> Result<TranslatePlan, Failure> {
    if args.outputs.in_place {
        // A result in another format, such as JSON, would replace the content of the file.
        ctx.out.settings().accept_format_with_flag("--in-place", TEXT_ONLY)?;
    }
    let files = [("--context-file -", args.context_file.as_deref())];
    args.inputs
        .check(ctx, &files, "translates", || TranslateArgs::augment_args(clap::Command::new("tulk translate")))?;
    args.inputs.read_directories(ctx, &args.structure, &args.outputs)?;
    let args = &*args;
    let defaults = ProfileDefaults::new(ctx)?;
    let source = args.languages.source(&defaults)?;
    let source = source.as_ref().map(|source| source.bcp47().to_owned());
    let languages = FormatLanguages { source, targets: targets(args, &defaults)? };
    let formats = args.structure.formats(&args.inputs, &languages)?;
    let format = format(ctx, args, &formats, languages.targets.len())?;
    let protector = args.protect.protector(&formats)?;
    let has_own_tags = protector.is_tagged();
    let mut inputs = TextInputs::new(&args.inputs, formats, protector);
    let form =
        ResultForm::translations(ctx, format)?.with_inputs(args.inputs.input.len() > 1 && args.outputs.to_stdout());
    let (mut requests, assets) = requests::requests(ctx, args, &inputs, has_own_tags).await?;
    args.outputs.hint_if_force_has_no_effect(ctx);
    let has_tags = requests.iter().any(|request| request.options.tag_handling.is_some());
    inputs.formats.announce(ctx, &args.inputs, !has_tags);
    if !ctx.args.no_check {
        check_columns(form, &requests)?;
    }
    // Check inputs and outputs before looking up names of assets, because the lookup may read stdin.
    outputs::passes(&inputs, &args.outputs, &languages.targets, form)?;
    args.outputs.check(ctx)?;
    args.inputs.announce_terminal(ctx);
    requests::resolve(ctx, &assets, &mut inputs, &mut requests).await?;
    if args.structure.append && form.format != OutputFormat::Text {
        ctx.out.hint("--append has no effect on listed results");
    }
    let cache = cache::CacheKeys::prepare(ctx, args, &mut inputs, &requests).await?;
    let passes = outputs::passes(&inputs, &args.outputs, &languages.targets, form)?;
    let reads_total = totals::prints_total(ctx, args.running.stats, args.inputs.are_texts_typed()) && !ctx.args.dry_run;
    let asks_for_billed = reads_total && form.format == OutputFormat::Text;
    let mut jobs = jobs(&requests, form, ctx.client().await?.service(), asks_for_billed)?;
    let mut options = args.running.options(ctx);
    let identity = identity(ctx, args, &inputs, &requests).await?;
    let setup = OutputSetup { inputs: &inputs, args: &args.outputs, form, identity, jobs: &jobs, options: &options };
    let (outputs, passes) = OutputRun::prepare(ctx, setup, passes).await?;
    if let Some(cache) = cache {
        options.results = cache.open(ctx, &requests, &mut jobs).await?;
    }
    let show_billed = args.options.show_billed_characters.given() == Some(&true)
        && !args.running.stats
        && !reads_total
        && !ctx.out.settings().is_json();
    let (stats, are_texts_typed) = (args.running.stats, args.inputs.are_texts_typed());
    let context_lines = args.context_lines;
    let continues_after_unreadable_files = args.inputs.found.has_directory;
    Ok(TranslatePlan {
        passes,
        requests,
        jobs,
        options,
        context_lines,
        outputs,
        stats,
        are_texts_typed,
        show_billed,
        continues_after_unreadable_files,
    })
}

fn targets(args: &TranslateArgs, defaults: &ProfileDefaults<'_>) -> Result<Vec<String>, Failure> {
    let targets = args.languages.targets(defaults)?;
    Ok(targets.iter().map(|target| target.bcp47().to_owned()).collect())
}

/// Returns the output format: text by default, or TSV if several targets of plain text share stdout. Fails if several targets of
/// another input format share a stream, because TSV would lose the structure of the input.
fn format(
    ctx: &Context,
    args: &TranslateArgs,
    formats: &InputFormats,
    targets: usize,
) -> Result<OutputFormat, Failure> {
    let format = ctx.out.settings().format_or(OutputFormat::Text);
    let stream = args.outputs.stream();
    if format != OutputFormat::Text || targets < 2 || formats.adds_results() || stream.is_none() {
        return Ok(format);
    }
    if let (Some(structure), Some(stream)) = (formats.structure_source(), stream) {
        let what = format!("{structure} to {stream} supports one target language, but {targets} were given");
        let append = if formats.can_add_results(args.inputs.input.len()) {
            "add a column or field for each with --append, or "
        } else {
            ""
        };
        let hint = format!("{append}write a file for each with -o '{{stem}}.{{lang}}{{ext}}'");
        return Err(Failure::usage(what).hint(hint));
    }
    if !args.outputs.to_stdout() {
        return Ok(format);
    }
    if ctx.args.format() == OutputFormat::Auto {
        return Ok(OutputFormat::Tsv);
    }
    let what = format!("text output to stdout supports one target language, but {targets} were given");
    Err(Failure::usage(what).hint("use --format tsv, jsonl or json, or write files with -o '{stem}.{lang}{ext}'"))
}

/// Refuses columns whose fields the service sends only on request.
fn check_columns(form: ResultForm, requests: &[TranslateText]) -> Result<(), Failure> {
    let all = |field: &str, is_set: fn(&TranslateOptions) -> bool| {
        requests.iter().all(|request| is_set(&request.options) || request.params.iter().any(|(key, _)| key == field))
    };
    let shows_billed = all("show_billed_characters", |options| options.show_billed_characters.given() == Some(&true));
    let names_model = all("model_type", |options| options.model_type.is_some());
    let needs = [
        (ResultColumn::BilledCharacters, shows_billed, "--show-billed-characters"),
        (ResultColumn::ModelTypeUsed, names_model, "--model-type"),
    ];
    match needs.into_iter().find(|(column, is_sent, _)| form.columns.has(*column) && !is_sent) {
        Some((column, _, flag)) => Err(Failure::usage(format!("--columns {} needs {flag}", column.name()))
            .hint(format!("add {flag}; without it, the service does not send this field"))),
        None => Ok(()),
    }
}

/// Returns one job per request. With `asks_for_billed`, requests the billed characters for the total.
fn jobs(
    requests: &[TranslateText],
    form: ResultForm,
    service: &Service,
    asks_for_billed: bool,
) -> Result<Vec<Job>, Failure> {
    let job = |request: &TranslateText| {
        let mut fields = request.clone();
        let is_param = request.params.iter().any(|(key, _)| key == "show_billed_characters");
        if asks_for_billed && !is_param {
            fields.options.show_billed_characters.get_or_insert(Defaulted::Set(true));
        }
        let context = fields.options.context.take().and_then(Defaulted::value);
        Ok(Job {
            target: request.target_lang.bcp47().to_owned(),
            request: request.request(service)?,
            options: fields.fields()?,
            context,
            limit: BatchLimit::TRANSLATE,
            keeps_objects: form.needs_objects(),
            shows_billed: request.options.show_billed_characters.given() == Some(&true),
            key_scope: None,
        })
    };
    requests.iter().map(job).collect()
}

/// Returns the fingerprint of the run: a `.part` file is resumed only if server, options and input format match.
async fn identity(
    ctx: &Context,
    args: &TranslateArgs,
    inputs: &TextInputs<'_>,
    requests: &[TranslateText],
) -> Result<String, Failure> {
    let server = ctx.server_identity().await?;
    let mut options = requests.first().map(serde_json::to_value).transpose()?.unwrap_or_default();
    if let Some(object) = options.as_object_mut() {
        object.remove("target_lang");
    }
    Ok(format!("{server}\n{options}\n{:?} {}", args.context_lines, inputs.reading_flags()))
}
