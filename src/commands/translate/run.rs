//! The second stage: opens the outputs of each pass and sends its input through the pipeline.

use std::path::Path;

use super::passes::{PassOutput, TranslatePass};
use super::plan::TranslatePlan;
use super::report::TranslateReport;
use crate::commands::client_call::{self, ClientCall};
use crate::commands::run_totals::next_options;
use crate::context::Context;
use crate::error::Failure;
use crate::formats::InputFormat;
use crate::pipeline::{Destination, PipelineReport, RunOptions, Sink};

/// Runs the passes one after the other, until a failure would meet all that follow as well.
pub async fn run(ctx: &Context, mut plan: TranslatePlan) -> Result<TranslateReport, Failure> {
    let client = ClientCall(ctx.client().await?);
    let mut report = TranslateReport::new(&plan);
    let mut options = plan.options.clone();
    for pass in std::mem::take(&mut plan.passes) {
        let name = pass.name.clone();
        match run_pass(ctx, &plan, pass, &options, &client).await {
            Err(failure) => report.add_failure(&name, failure),
            Ok(done) => {
                options = next_options(&options, done.characters);
                if !report.add(ctx, &name, &plan.requests, done) {
                    break;
                }
            }
        }
    }
    Ok(report)
}

async fn run_pass(
    ctx: &Context,
    plan: &TranslatePlan,
    pass: TranslatePass,
    options: &RunOptions,
    client: &ClientCall<'_>,
) -> Result<PipelineReport, Failure> {
    let TranslatePass { name, input, outputs } = pass;
    let sinks = outputs.into_iter().map(|output| open(ctx, plan, output, &input.format));
    let sinks = sinks.collect::<Result<Vec<_>, _>>()?;
    let label = if name == "stdout" { "translating" } else { &name };
    Ok(client.run(ctx, label, input, &plan.jobs, sinks, options).await)
}

/// Opens an output.
fn open(ctx: &Context, plan: &TranslatePlan, output: PassOutput, input: &InputFormat) -> Result<Sink, Failure> {
    let PassOutput { targets, path } = output;
    let names = plan.jobs.iter().map(|job| job.target.clone()).enumerate();
    let names = names.filter(|(i, _)| targets.iter().any(|target| target.0 == *i)).map(|(_, name)| name);
    let names: Vec<String> = names.collect();
    let to = match path {
        Some(path) => open_file(ctx, plan, &path, &names)?,
        None => client_call::stdout(ctx),
    };
    Ok(Sink { targets, writer: plan.form.writer(&names, input), to })
}

fn open_file(ctx: &Context, plan: &TranslatePlan, path: &Path, targets: &[String]) -> Result<Destination, Failure> {
    if ctx.args.dry_run {
        return Ok(Destination::Nothing);
    }
    let form = plan.form;
    let identity = format!("{}\n{:?} {}\n{}", plan.identity, form.format, form.columns, targets.join(","));
    Destination::file(path, &identity, plan.existing_part)
}
