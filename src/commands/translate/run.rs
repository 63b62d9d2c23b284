//! The second stage: opens the outputs of each pass and sends its input through the pipeline.

use tulk_base::error::Failure;
use tulk_client::api::translate::TranslateText;
use tulk_pipeline::RunOptions;

use super::plan::TranslatePlan;
use super::report::TranslateReport;
use crate::context::Context;
use crate::outputs::{OpenPass, TextPass};
use crate::runs::client_call::{ClientCall, RunWords};
use crate::runs::result_cache;
use crate::runs::totals::next_options;

/// Runs the passes one after the other, until a failure would meet all that follow as well.
pub async fn run(ctx: &Context, mut plan: TranslatePlan) -> Result<(), Failure> {
    let client = ClientCall(ctx.client().await?);
    let mut report = TranslateReport::new(&plan);
    let mut options = plan.options.clone();
    let mut passes = std::mem::take(&mut plan.passes).into_iter();
    for pass in passes.by_ref() {
        if !run_pass(ctx, &plan, pass, &mut options, &client, &mut report).await {
            break;
        }
    }
    passes.for_each(|pass| report.add_not_started(&pass));
    result_cache::finish(ctx, &options).await;
    report.finish(ctx, plan)
}

/// Runs a pass. Returns whether another one should start.
async fn run_pass(
    ctx: &Context,
    plan: &TranslatePlan,
    pass: TextPass,
    options: &mut RunOptions,
    client: &ClientCall<'_>,
    report: &mut TranslateReport,
) -> bool {
    let source = pass.source.clone();
    let OpenPass { input, targets, jobs, sinks } = match plan.outputs.open(ctx, pass, &plan.jobs) {
        Ok(open) => open,
        Err(failure) => {
            report.add_failure(&source, failure);
            return true;
        }
    };
    let requests = targets.iter().filter_map(|target| plan.requests.get(target.0));
    let requests: Vec<&TranslateText> = requests.collect();
    let words = RunWords::new(&source, "translating");
    let done = client.run(ctx, words, input, &jobs, sinks, options).await;
    *options = next_options(options, done.characters);
    report.add(ctx, &source, &requests, done)
}
