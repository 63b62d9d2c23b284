//! Plans a run before anything is uploaded: one checked job per input and target language.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_base::files::{self, check_stdout};
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};
use tulk_client::api::doc::evaluation::PollEvaluation;
use tulk_client::api::doc::{CheckDocumentStatus, DocumentParams, DownloadDocument, UploadDocument, file_type};
use tulk_client::http::client::Client;
use tulk_client::http::endpoint::Endpoint as _;
use tulk_client::http::request::Upload;
use tulk_pipeline::output_path::OutputCollisions;
use tulk_store::documents::ResultTarget;

use super::batch::with_source;
use super::input::DocumentInput;
use super::records::document_store;
use super::result_delivery::is_just_written;
use super::result_path::{ResultDestination, ResultTemplate, check_not_existing};
use super::upload_flags::UploadFlags;
use crate::context::Context;
use crate::inputs::directories::InputFiles;
use crate::output::{Output, check_no_terminal};
use crate::outputs::is_up_to_date;
use crate::runs::report::RunReport;
use crate::runs::summary::RunSummary;

pub struct DocumentPlan {
    /// The jobs, in the order of the inputs and then of the target languages.
    pub jobs: Vec<DocumentJob>,
    pub detach: bool,
    pub again: bool,
}

pub struct DocumentJob {
    pub input: Arc<DocumentInput>,
    pub params: DocumentParams,
    pub destination: ResultDestination,
    pub force: bool,
    pub decision: JobDecision,
}

pub enum JobDecision {
    Translate,
    /// The result is not older than the source.
    Skip,
    Refuse(Failure),
}

/// Options that not every upload command has.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanOptions {
    pub if_newer: bool,
    pub detach: bool,
}

impl DocumentPlan {
    /// Fails if flags contradict each other, the only input cannot be opened, `check_destinations` fails, or an asset cannot be
    /// looked up. Any other failure of a job becomes its [`JobDecision::Refuse`].
    pub async fn new(
        ctx: &Context,
        inputs: &InputFiles,
        flags: &UploadFlags,
        options: PlanOptions,
    ) -> Result<Self, Failure> {
        let files = &inputs.files;
        let reads_stdin = check_stdin(ctx, files)?;
        if flags.filename.is_some() && files.len() > 1 {
            return Err(Failure::usage(format!(
                "--filename applies to one file, but {} were given",
                grouped(files.len())
            )));
        }
        let stdout_by_default = reads_stdin && !options.detach;
        let template = ResultTemplate::new(flags.output.as_deref(), flags.out_dir.as_deref(), stdout_by_default)?;
        let (all_params, assets) = flags.params(ctx)?;
        let mut jobs = Vec::new();
        for file in files {
            let (input, failure) = match DocumentInput::new(ctx, file, flags.filename.as_deref()) {
                Ok(input) => (input, None),
                Err(failure) if files.len() == 1 => return Err(failure),
                Err(failure) => (DocumentInput::unreadable(file), Some(failure)),
            };
            let input = Arc::new(input);
            for params in &all_params {
                let mut job = DocumentJob {
                    input: Arc::clone(&input),
                    params: params.clone(),
                    destination: ResultDestination::None,
                    force: flags.force,
                    decision: JobDecision::Translate,
                };
                if let Some(failure) = &failure {
                    job.decision = JobDecision::Refuse(failure.clone());
                } else {
                    let extension = job.result_extension();
                    let below = inputs.below(file);
                    job.destination = template.fill(&job.input.template_path, below, &params.target_lang, &extension);
                    // `--if-newer` must not allow a binary result on a terminal; only `--force` does.
                    job.force = flags.force || (options.if_newer && job.destination != ResultDestination::Stdout);
                    job.decision = job.decide(ctx, options).unwrap_or_else(JobDecision::Refuse);
                }
                jobs.push(job);
            }
        }
        let mut plan = Self { jobs, detach: options.detach, again: flags.again };
        plan.check_destinations(ctx)?;
        if plan.jobs.iter().any(|job| matches!(job.decision, JobDecision::Translate)) {
            let pairs =
                all_params.iter().filter_map(|params| params.source_lang.clone().zip(Some(params.target_lang.clone())));
            let assets = assets.resolve(ctx, &pairs.collect::<Vec<_>>()).await?;
            plan.jobs.iter_mut().for_each(|job| job.params.assets.set(&assets));
        }
        plan.warn_of_large_files(ctx);
        plan.print_watermark_hint(&ctx.out);
        Ok(plan)
    }

    pub fn uses_stdout(&self) -> bool {
        self.jobs.iter().any(|job| job.destination == ResultDestination::Stdout)
    }

    /// Fails if two results share a destination, a result would replace an input, or a binary result goes to a
    /// terminal.
    fn check_destinations(&self, ctx: &Context) -> Result<(), Failure> {
        let mut collisions = OutputCollisions::default();
        for job in self.jobs.iter().filter(|job| job.destination != ResultDestination::None && !job.input.is_stdin()) {
            collisions.add_input(&job.input.path);
        }
        let mut on_stdout: Option<&DocumentJob> = None;
        for job in &self.jobs {
            match &job.destination {
                ResultDestination::None => {}
                ResultDestination::File(path) => collisions.add_output(path, &job.input.display_name)?,
                ResultDestination::Stdout => {
                    if let Some(first) = on_stdout.replace(job) {
                        let (first, second) = (&first.input.display_name, &job.input.display_name);
                        return Err(Failure::usage(format!("two results would go to stdout ({first} and {second})"))
                            .hint("write them to files, such as -o '{stem}.{lang}{ext}'"));
                    }
                }
            }
        }
        if on_stdout.is_some() {
            check_stdout()?;
        }
        match on_stdout {
            Some(job) if !job.force && !job.result_is_text() && !ctx.args.dry_run => {
                check_no_terminal(&format!("the translation of {}", job.input.filename), &ctx.out)
            }
            _ => Ok(()),
        }
    }

    /// Warns about files that are too large for the plan of the account. Assumes a paid plan unless the address or the key shows that it
    /// is free. The service decides.
    fn warn_of_large_files(&self, ctx: &Context) {
        for job in self.translated_files() {
            let filename = &job.input.filename;
            let Ok(size) = std::fs::metadata(&job.input.path).map(|metadata| metadata.len()) else { continue };
            let limit_of = |is_free| file_type::size_limit(filename, is_free).filter(|limit| size > *limit);
            // Looking up the key may run a command, so do it only for a file above the limit of the free plan.
            let is_free = limit_of(true).is_some() && ctx.config().is_ok_and(|config| config.is_free_plan());
            if let Some(limit) = limit_of(is_free) {
                ctx.out.warn(&format!(
                    "{} has {}; the limit for its type is {} on a {} plan, so the service may refuse it",
                    job.input.display_name,
                    counted(size, "byte"),
                    counted(limit, "byte"),
                    if is_free { "free" } else { "paid" }
                ));
            }
        }
    }

    /// Prints how many documents have a minimum charge, on a terminal only.
    pub fn print_minimum_billing(&self, out: &Output) {
        let count = self.translated().filter(|job| file_type::has_minimum_billing(&job.input.filename)).count();
        if count > 0 && out.settings().stderr_is_terminal {
            let minimum = grouped(limits::DOCUMENT_MIN_BILLED_CHARS);
            out.status(&match count {
                1 => format!("1 document is billed as at least {minimum} characters"),
                _ => format!("{} documents are billed as at least {minimum} characters each", grouped(count)),
            });
        }
    }

    fn print_watermark_hint(&self, out: &Output) {
        let files: Vec<&str> = self
            .translated_files()
            .filter(|job| job.params.options.watermark && !job.can_have_watermark())
            .map(|job| job.input.display_name.as_str())
            .collect();
        if !files.is_empty() {
            out.hint(&format!(
                "--watermark has no effect on {}: only docx and PDF results can have a watermark",
                files.join(", ")
            ));
        }
    }

    /// Returns one job for each file that is translated, whatever the number of target languages.
    fn translated_files(&self) -> impl Iterator<Item = &DocumentJob> {
        let mut last: Option<&Arc<DocumentInput>> = None;
        self.translated().filter(move |job| !last.replace(&job.input).is_some_and(|last| Arc::ptr_eq(last, &job.input)))
    }

    fn translated(&self) -> impl Iterator<Item = &DocumentJob> {
        self.jobs.iter().filter(|job| matches!(job.decision, JobDecision::Translate))
    }

    /// For a dry run, prints the requests of each document, the failures of those that cannot be sent and, on a
    /// terminal, an estimate of what the others would cost.
    pub async fn print_planned(&self, ctx: &Context, client: &Client) -> Result<(), Failure> {
        let mut report = RunReport::default();
        for job in &self.jobs {
            match &job.decision {
                JobDecision::Translate => {
                    self.print_requests(job, client).await?;
                    report.succeeded(true);
                }
                JobDecision::Skip => {}
                JobDecision::Refuse(failure) => {
                    report.failed(with_source(failure.clone(), &job.input.display_name));
                }
            }
        }
        let done = report.finish(ctx, "documents");
        let summary = self.summary();
        if ctx.out.settings().stderr_is_terminal && summary.documents > 0 {
            summary.print_planned(ctx).await;
        }
        done
    }

    /// The number of characters is known in advance only for plain text.
    fn summary(&self) -> RunSummary {
        let mut summary = RunSummary::default();
        for job in self.translated() {
            summary.documents += 1;
            let characters = match () {
                () if file_type::has_minimum_billing(&job.input.filename) => {
                    summary.is_minimum = true;
                    Some(limits::DOCUMENT_MIN_BILLED_CHARS)
                }
                () if file_type::is_free_in_beta(&job.input.filename) => Some(0),
                () if file_type::is_plain_text(&job.input.filename) && !job.input.is_stdin() => {
                    let text = files::read_text_bounded(&job.input.path, limits::COUNTED_DOCUMENT);
                    text.ok().map(|text| text.chars().count() as u64)
                }
                () => None,
            };
            match characters {
                Some(characters) => *summary.sent.get_or_insert(0) += characters,
                None => summary.is_minimum = true,
            }
        }
        summary
    }

    async fn print_requests(&self, job: &DocumentJob, client: &Client) -> Result<(), Failure> {
        let file = Upload {
            path: job.input.path.clone(),
            filename: job.input.filename.clone(),
            bytes: job.input.size().await?,
            field: "file".to_owned(),
            observer: None,
        };
        let handle = client.send(&UploadDocument { params: job.params.clone(), file }).await?;
        if self.detach {
            return Ok(());
        }
        let (document_id, document_key, job_id) =
            (handle.document_id, handle.document_key, handle.quality_evaluation_job_id);
        let status = CheckDocumentStatus { document_id: document_id.clone(), document_key: document_key.clone() };
        client.plan(&status.request(client.service())?)?;
        client.plan(&DownloadDocument { document_id, document_key }.request(client.service())?)?;
        match job_id.filter(|_| job.params.options.evaluate) {
            Some(job_id) => client.plan(&PollEvaluation { job_id }.request(client.service())?),
            None => Ok(()),
        }
    }
}

impl DocumentJob {
    fn result_extension(&self) -> String {
        file_type::result_extension(&self.input.filename, self.params.options.output_format.as_deref())
    }

    pub fn target(&self) -> ResultTarget {
        ResultTarget { path: self.destination.file().map(Path::to_path_buf), force: self.force }
    }

    fn can_have_watermark(&self) -> bool {
        file_type::can_have_watermark(&self.input.filename, self.params.options.output_format.as_deref())
    }

    fn result_is_text(&self) -> bool {
        file_type::is_text_result(&self.input.filename, self.params.options.output_format.as_deref())
    }

    fn decide(&self, ctx: &Context, options: PlanOptions) -> Result<JobDecision, Failure> {
        if !ctx.args.no_check {
            self.params.check(&self.input.filename)?;
        }
        match &self.destination {
            ResultDestination::Stdout if options.detach => {
                Err(Failure::usage("the result cannot go to stdout, because this command does not wait for it")
                    .hint("pass a file with -o, or download the result later with `tulk doc download ID -o -`"))
            }
            ResultDestination::File(path) if options.if_newer && is_up_to_date(&self.input.path, path) => {
                Ok(JobDecision::Skip)
            }
            ResultDestination::File(path) => match check_not_existing(path, self.force) {
                // An earlier run wrote this result, but did not close the record or get the evaluation. The claim will find that record.
                Err(_) if is_just_written(&document_store()?, path) => Ok(JobDecision::Translate),
                checked => checked.map(|()| JobDecision::Translate),
            },
            ResultDestination::Stdout | ResultDestination::None => Ok(JobDecision::Translate),
        }
    }
}

/// Returns whether an input is stdin. Fails if more than one argument reads stdin.
fn check_stdin(ctx: &Context, files: &[PathBuf]) -> Result<bool, Failure> {
    let inputs = files.iter().filter(|file| file.as_path() == Path::new("-")).count();
    let key_from_stdin = ctx.args.key_file.as_deref() == Some(Path::new("-"));
    if inputs + usize::from(key_from_stdin) > 1 {
        let what =
            if key_from_stdin { "FILE and --key-file both read stdin" } else { "more than one FILE reads stdin" };
        return Err(Failure::usage(what).hint("use - only once"));
    }
    if inputs > 0 {
        files::check_stdin()?;
    }
    Ok(inputs > 0)
}
