//! What a run will do, before anything is sent: one job per source and target language.
//!
//! Spec: command line, "Files" and "doc".

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::UploadFlags;
use super::source::Input;
use super::target::{self, Target, Template};
use crate::api::doc::{self, DocumentParams};
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

/// One document to be made.
pub struct Job {
    /// What from; the failure if it cannot be.
    pub input: Arc<Input>,
    /// The fields of its upload.
    pub params: DocumentParams,
    /// Where the result goes.
    pub target: Target,
    /// Whether the result may replace a file.
    pub force: bool,
    /// What is known before anything is sent.
    pub verdict: Verdict,
}

/// What becomes of a job before it begins.
pub enum Verdict {
    /// It is to be done.
    Do,
    /// Its result is newer than its source.
    Skip,
    /// It cannot be done.
    Refuse(Failure),
}

/// How results are chosen besides the flags of every upload.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Skip what is newer than its source.
    pub if_newer: bool,
    /// Upload only.
    pub detach: bool,
}

/// The jobs of a run, in the order they were named. Fails when two results have one path.
pub async fn jobs(ctx: &Context, files: &[PathBuf], flags: &UploadFlags, manner: Manner) -> Result<Vec<Job>, Failure> {
    let from_stdin = files.iter().filter(|file| file.as_path() == Path::new("-")).count();
    let key_from_stdin = ctx.args.key_file.as_deref() == Some(Path::new("-"));
    if from_stdin + usize::from(key_from_stdin) > 1 {
        let what = if key_from_stdin { "FILE and --key-file both read stdin" } else { "stdin is named twice as FILE" };
        return Err(Failure::usage(what).hint("only one of them can be -"));
    }
    if flags.filename.is_some() && files.len() > 1 {
        return Err(Failure::usage(format!("--filename names one file, {} were given", files.len())));
    }
    let template = Template::of(flags.output.as_deref(), flags.out_dir.as_deref(), from_stdin > 0 && !manner.detach)?;
    let all_params = flags.params(ctx).await?;
    let mut jobs = Vec::new();
    for file in files {
        let (input, failure) = match Input::of(file, flags.filename.as_deref()) {
            Ok(input) => (input, None),
            Err(failure) if files.len() == 1 => return Err(failure),
            Err(failure) => (Input::unread(file), Some(failure)),
        };
        let input = Arc::new(input);
        for params in &all_params {
            let target = match &failure {
                Some(_) => Target::Nowhere,
                None => {
                    let ending = doc::result_extension(&input.filename, params.options.output_format.as_deref());
                    template.fill(input.for_template(), &params.target_lang, &ending)?
                }
            };
            let verdict = match &failure {
                Some(failure) => Verdict::Refuse(failure.clone()),
                None => judge(ctx, &input, params, &target, flags, manner),
            };
            let force = flags.force || manner.if_newer;
            jobs.push(Job { input: Arc::clone(&input), params: params.clone(), target, force, verdict });
        }
    }
    target::refuse_doubles(jobs.iter().map(|job| (job.input.shown.as_str(), &job.target)))?;
    warn_of_sizes(&ctx.out, &jobs);
    Ok(jobs)
}

fn judge(
    ctx: &Context,
    input: &Input,
    params: &DocumentParams,
    target: &Target,
    flags: &UploadFlags,
    manner: Manner,
) -> Verdict {
    let check = || -> Result<bool, Failure> {
        if !ctx.args.no_check {
            params.check(&input.filename)?;
        }
        let path = match target {
            Target::File(path) => path,
            Target::Stdout if manner.detach => {
                return Err(Failure::usage("a detached document cannot have its result on stdout")
                    .hint("name a file with -o, or fetch it later with `tulk doc download ID -o -`"));
            }
            Target::Stdout | Target::Nowhere => return Ok(true),
        };
        if !input.is_stdin() && target::real(path) == target::real(&input.path) {
            return Err(Failure::usage(format!("{} would be replaced by its own translation", input.shown))
                .hint("put {lang} into the template of -o"));
        }
        if manner.if_newer && target::is_up_to_date(&input.path, path) {
            return Ok(false);
        }
        target::refuse_existing(path, flags.force || manner.if_newer)?;
        Ok(true)
    };
    match check() {
        Ok(true) => Verdict::Do,
        Ok(false) => Verdict::Skip,
        Err(failure) => Verdict::Refuse(failure),
    }
}

/// Sizes depend on the plan, so they are the service's to refuse; a warning saves a long upload.
fn warn_of_sizes(out: &Output, jobs: &[Job]) {
    let mut last: Option<&Arc<Input>> = None;
    for job in jobs.iter().filter(|job| matches!(job.verdict, Verdict::Do)) {
        if last.is_some_and(|last| Arc::ptr_eq(last, &job.input)) {
            continue;
        }
        last = Some(&job.input);
        let (Some(limit), Ok(data)) = (doc::size_limit(&job.input.filename), std::fs::metadata(&job.input.path)) else {
            continue;
        };
        if data.len() > limit {
            out.warn(&format!(
                "{} has {} bytes; documents of its type may have {limit} bytes under a paid plan, so the service may refuse it",
                job.input.shown,
                data.len()
            ));
        }
    }
}
