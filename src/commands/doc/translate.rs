//! `tulk doc translate`: plans the documents, translates them and reports the results.

use std::path::PathBuf;

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::doc::file_type;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::http::client::Client;

use super::batch::{self, DocumentOutcomes, DocumentProgress, DocumentTask};
use super::claim::claim;
use super::lifecycle::Lifecycle;
use super::outcome::{DocumentOutcome, DocumentResultRow};
use super::plan::{DocumentJob, DocumentPlan, JobDecision, PlanOptions};
use super::records::ServerDocuments;
use super::report::report;
use super::result_path::ResultTemplate;
use super::upload_flags::UploadFlags;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::inputs::directories::{FileSelection, InputFiles};
use crate::output::ProgressTask;
use crate::runs::report::same_command;

/// Translate files: upload, wait and download
///
/// report.docx becomes report.de.docx beside it. Repeating the command continues an unfinished document instead of
/// uploading it again.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DocumentResultRow>()
    .with_common_options(&["to", "from", "output", "output-format", "glossary", "formality"])
    .concurrent()
    .checks_before_sending()
    .languages(LanguageUse::Document))]
#[command(after_help = "tulk doc translate report.docx --to de\n\
                        tulk doc translate *.docx --to de,fr --out-dir translated\n\
                        tulk doc translate letter.txt --from en --to fr --glossary Kitchen")]
pub struct DocTranslateArgs {
    /// Files or directories to translate (- for stdin)
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,
    /// Files to read from a directory: a pattern as in .gitignore, repeatable
    #[arg(long, value_name = "PATTERN")]
    pub glob: Vec<String>,
    #[command(flatten)]
    pub upload: UploadFlags,
    /// Skip files not changed since their result; replace other results
    #[arg(long)]
    pub if_newer: bool,
    /// Exit after the upload; download with `tulk doc resume`
    #[arg(long)]
    pub detach: bool,
}

impl Run for DocTranslateArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let options = PlanOptions { if_newer: self.if_newer, detach: self.detach };
        let plan = DocumentPlan::new(ctx, &self.inputs(ctx)?, &self.upload, options).await?;
        if plan.uses_stdout() {
            ctx.out.settings().filter_conflicts_with("a document on stdout")?;
        }
        let client = ctx.client().await?;
        if client.is_dry_run() {
            return Ok(plan.print_planned(ctx, client).await?);
        }
        plan.print_minimum_billing(&ctx.out);
        let outcomes = translate_all(ctx, client, &plan).await?;
        Ok(report(ctx, outcomes, || same_command(ctx.words(), "--if-newer", "--again"), plan.uses_stdout())?)
    }
}

impl DocTranslateArgs {
    fn inputs(&self, ctx: &Context) -> Result<InputFiles, Failure> {
        let UploadFlags { output, out_dir, options, .. } = &self.upload;
        let template = ResultTemplate::new(output.as_deref(), out_dir.as_deref(), false)?;
        let result_extension = |name: &str| file_type::result_extension(name, options.output_format.as_deref());
        let selection = FileSelection {
            globs: &self.glob,
            is_known: &|file| file_type::is_supported(&file.to_string_lossy()),
            missing_property: "a type that the service translates",
            template: template.path(),
            extension: &|file| result_extension(&file.to_string_lossy()),
        };
        InputFiles::find(ctx, &self.files, &selection)
    }
}

async fn translate_all(ctx: &Context, client: &Client, plan: &DocumentPlan) -> Result<DocumentOutcomes, Failure> {
    let documents = ServerDocuments::open(ctx).await?;
    let lifecycle = Lifecycle::new(ctx, client, &documents.store, plan.uses_stdout())?;
    let progress = DocumentProgress::new(ctx, plan.jobs.len());
    let tasks = plan.jobs.iter().map(|job| {
        let (source, target_lang) = (job.input.display_name.clone(), job.params.target_lang.bcp47().to_owned());
        let task = progress.add(ctx, &source, &target_lang);
        let work = translate_one(ctx, &lifecycle, &documents, plan, job, task.clone());
        DocumentTask { source, target_lang, progress: task, work }
    });
    Ok(batch::run(ctx, client.max_concurrency(), tasks.collect(), &progress).await)
}

/// Takes one document from its file to its result, or to the end of its upload with `--detach`.
async fn translate_one(
    ctx: &Context,
    lifecycle: &Lifecycle<'_>,
    documents: &ServerDocuments,
    plan: &DocumentPlan,
    job: &DocumentJob,
    bar: ProgressTask,
) -> DocumentOutcome {
    match &job.decision {
        JobDecision::Translate => {}
        JobDecision::Refuse(failure) => return DocumentOutcome::Failed(failure.clone()),
        JobDecision::Skip => return DocumentOutcome::Done(skip(ctx, job)),
    }
    bar.phase("preparing");
    let claimed = match claim(lifecycle, documents, job, plan.again).await {
        Ok(claimed) => claimed,
        Err(failure) => return DocumentOutcome::Failed(failure),
    };
    let shared = &claimed.shared;
    let result = async {
        lifecycle.ensure_uploaded(shared, &bar, claimed.was_just_recorded).await?;
        if plan.detach {
            return Ok(DocumentResultRow::new(&shared.get(), None, "uploaded"));
        }
        lifecycle.complete(shared, &shared.get().upload_target(), &bar).await
    };
    match DocumentOutcome::new(result.await, shared) {
        // Show the path as the user wrote it.
        DocumentOutcome::Done(row) => {
            DocumentOutcome::Done(DocumentResultRow { path: job.destination.path_text().or(row.path), ..row })
        }
        DocumentOutcome::Unfinished { row, id, failure } => DocumentOutcome::Unfinished {
            row: DocumentResultRow { path: job.destination.path_text(), ..row },
            id,
            failure,
        },
        outcome => outcome,
    }
}

fn skip(ctx: &Context, job: &DocumentJob) -> DocumentResultRow {
    let path = job.destination.path_text();
    let source = &job.input.display_name;
    if !ctx.out.prints_final_lines() {
        ctx.out.status(&format!("{source}: skipped, {} is newer", path.as_deref().unwrap_or("-")));
    }
    DocumentResultRow {
        source: source.clone(),
        target_lang: job.params.target_lang.bcp47().to_owned(),
        path,
        document_id: None,
        billed_characters: None,
        status: "skipped".to_owned(),
        quality_evaluation_job_id: None,
        quality_score: None,
        quality_segments: None,
        evaluation: None,
    }
}
