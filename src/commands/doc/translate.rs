//! `tulk doc translate`: upload, wait, fetch; and the work that `doc upload` shares with it.

use std::path::{Path, PathBuf};

use clap::Args;

use super::life::{Life, Shared, blocking};
use super::many::{self, Progress, Task};
use super::options::UploadFlags;
use super::plan::{self, Job, Manner, Verdict};
use super::row::Translated;
use super::target::{self, Target};
use super::{Place, program};
use crate::api::doc::{self, DownloadDocument, UploadDocument};
use crate::context::Context;
use crate::error::Failure;
use crate::http::client::Client;
use crate::http::endpoint::Endpoint as _;
use crate::http::request::Upload;
use crate::limits;
use crate::output::ProgressTask;
use crate::store::documents::{Claim, Documents, Record, Source, Stage, now};

/// Translate files: upload, wait, download
#[derive(Args, Debug)]
pub struct TranslateArgs {
    /// Files to translate, - for stdin
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What every upload takes.
    #[command(flatten)]
    pub flags: UploadFlags,
    /// Skip files whose result is newer, replace older results
    #[arg(long)]
    pub if_newer: bool,
    /// End after the upload; `doc resume` fetches the results
    #[arg(long)]
    pub detach: bool,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: TranslateArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let manner = Manner { if_newer: args.if_newer, detach: args.detach };
    let jobs = plan::jobs(ctx, &args.files, &args.flags, manner).await?;
    let client = ctx.client().await?;
    if client.is_dry_run() {
        return Ok(dry(client, &jobs, manner).await?);
    }
    let to_stdout = jobs.iter().any(|job| job.target == Target::Stdout);
    if to_stdout {
        refuse_terminal(ctx, &jobs)?;
    }
    notice_of_billing(ctx, &jobs);
    let place = Place::of(ctx).await?;
    let program = program(ctx);
    let life = place.life(ctx, client, &program, to_stdout)?;
    let progress = Progress::of(ctx, jobs.len());
    let tasks = jobs.iter().map(|job| Task {
        source: job.input.shown.clone(),
        target_lang: job.params.target_lang.bcp47().to_owned(),
        work: one(ctx, &life, &place, job, &args.flags, manner, &progress),
    });
    let go_on = format!("{program} doc resume");
    Ok(many::run(ctx, client.concurrency(), tasks.collect(), &progress, &go_on, !to_stdout).await?)
}

/// One document from its file to its result, or to its upload when detached.
async fn one(
    ctx: &Context,
    life: &Life<'_>,
    place: &Place,
    job: &Job,
    flags: &UploadFlags,
    manner: Manner,
    progress: &Progress,
) -> Result<Translated, Failure> {
    match &job.verdict {
        Verdict::Do => {}
        Verdict::Refuse(failure) => return Err(failure.clone()),
        Verdict::Skip => return Ok(skipped(ctx, job)),
    }
    let meter = progress.meter(ctx, &job.input.shown, job.params.target_lang.bcp47());
    let (shared, fresh) = begin(life, place, job, flags).await?;
    life.arrive(&shared, &meter, fresh).await?;
    if manner.detach {
        let record = shared.record();
        return Ok(Translated::of(&record, as_named(job), "uploaded"));
    }
    let row = finish(life, &shared, &meter).await?;
    Ok(Translated { path: as_named(job).or(row.path), ..row })
}

/// The result's path as the user would write it.
fn as_named(job: &Job) -> Option<String> {
    job.target.file().map(|path| path.display().to_string())
}

/// Waits for a document and fetches it.
pub async fn finish(life: &Life<'_>, shared: &Shared, meter: &ProgressTask) -> Result<Translated, Failure> {
    let path = life.go(shared, meter).await?;
    let record = shared.record();
    let shown = record.target.as_deref().filter(|target| target::real(target) == path).unwrap_or(&path);
    Ok(Translated::of(&record, Some(shown.display().to_string()), "done"))
}

/// Gets hold of the document's handle: a new one, or that of an earlier run which did not finish.
///
/// The flag says whether the file was read just now. A new one has its result's place proved before this returns.
pub async fn begin(life: &Life<'_>, place: &Place, job: &Job, flags: &UploadFlags) -> Result<(Shared, bool), Failure> {
    let name = Documents::new_name();
    let source = job.input.read(&place.store, &name).await?;
    let wish = wish(place, job, name.clone(), source)?;
    let (store, again) = (place.store.clone(), flags.again);
    let claim = blocking(move || store.claim(wish, again)).await;
    let is_new = matches!(claim, Ok(Claim::New(_)));
    if !is_new && job.input.is_stdin() {
        // The copy just made is not needed; that it cannot be removed changes nothing.
        let _ = std::fs::remove_file(place.store.spool(&name, "input"));
    }
    match claim? {
        Claim::New(handle) => {
            let shared = Shared::new(handle);
            if let Err(failure) = prove(job) {
                shared.change(|handle| handle.forget())?;
                return Err(failure);
            }
            Ok((shared, true))
        }
        Claim::Found(handle) => {
            life.out.status(&format!("{}: going on with document {}", job.input.shown, handle.record.id()));
            let fresh = handle.record.stage == Stage::Uploading;
            Ok((Shared::new(handle), fresh))
        }
        Claim::Busy(record) => Err(Failure::usage(format!(
            "{}: another tulk process is at work on document {}",
            job.input.shown,
            record.id()
        ))
        .hint("wait for it to end; the same document needs no second upload")),
        Claim::InDoubt(record) => Err(life.in_doubt(&record, None)),
        Claim::TargetTaken(record) => Err(Failure::usage(format!(
            "{}: the unfinished document {} has the same result path {}",
            job.input.shown,
            record.id(),
            record.target.as_deref().unwrap_or(Path::new("-")).display()
        ))
        .hint(format!(
            "finish it with `{}`, drop it with `doc forget`, or choose another path with -o",
            life.go_on(record.id())
        ))),
    }
}

fn prove(job: &Job) -> Result<(), Failure> {
    let Some(target) = job.target.file() else { return Ok(()) };
    // Another process may have finished the same document since the paths were looked at.
    target::refuse_existing(target, job.force)?;
    let part = target::part_of(&target::real(target));
    if job.force && part.is_file() {
        std::fs::remove_file(&part).map_err(|e| Failure::file("remove", &part, &e))?;
    }
    target::prove_writable(&target::real(target))
}

fn wish(place: &Place, job: &Job, name: String, source: Source) -> Result<Record, Failure> {
    let target = job.target.file().map(std::path::absolute).transpose();
    Ok(Record {
        name,
        stage: Stage::Uploading,
        server: place.server.clone(),
        source: Some(source),
        target_lang: job.params.target_lang.bcp47().to_owned(),
        params: serde_json::to_value(&job.params).map_err(|e| Failure::internal(e.to_string()))?,
        target: target.map_err(|e| Failure::internal(format!("cannot tell where the result goes: {e}")))?,
        force: job.force,
        document_id: None,
        document_key: None,
        result_bytes: None,
        billed_characters: None,
        reason: None,
        created: now(),
        updated: now(),
    })
}

fn skipped(ctx: &Context, job: &Job) -> Translated {
    let path = as_named(job);
    ctx.out.status(&format!("{}: {} is newer, skipped", job.input.shown, path.as_deref().unwrap_or("-")));
    Translated {
        source: job.input.shown.clone(),
        target_lang: job.params.target_lang.bcp47().to_owned(),
        path,
        document_id: None,
        billed_characters: None,
        status: "skipped".to_owned(),
    }
}

/// Prints the requests that each document would take; nothing is read but sizes, nothing is written.
pub async fn dry(client: &Client, jobs: &[Job], manner: Manner) -> Result<(), Failure> {
    for job in jobs {
        match &job.verdict {
            Verdict::Do => {}
            Verdict::Skip => continue,
            Verdict::Refuse(failure) => return Err(failure.clone()),
        }
        let file = Upload {
            path: job.input.path.clone(),
            filename: job.input.filename.clone(),
            bytes: job.input.size().await?,
            field: "file".to_owned(),
            observer: None,
        };
        let handle = client.send(&UploadDocument { params: job.params.clone(), file }).await?;
        if manner.detach {
            continue;
        }
        let (document_id, document_key) = (handle.document_id, handle.document_key);
        let question =
            doc::CheckDocumentStatus { document_id: document_id.clone(), document_key: document_key.clone() };
        client.plan(&question.request(client.service())?)?;
        client.plan(&DownloadDocument { document_id, document_key }.request(client.service())?)?;
    }
    Ok(())
}

/// Bytes that are no text do not belong on a terminal.
fn refuse_terminal(ctx: &Context, jobs: &[Job]) -> Result<(), Failure> {
    let is_text = |job: &&Job| {
        let ending = doc::result_extension(&job.input.filename, job.params.options.output_format.as_deref());
        matches!(ending.to_ascii_lowercase().as_str(), "txt" | "htm" | "html" | "srt" | "xlf" | "xliff")
    };
    match jobs.iter().filter(|job| job.target == Target::Stdout).find(|job| !is_text(job)) {
        Some(job) if ctx.out.settings().stdout_is_terminal() => {
            Err(Failure::usage(format!("the translation of {} is no text for a terminal", job.input.filename))
                .hint("send stdout to a file, or name one with -o"))
        }
        _ => Ok(()),
    }
}

/// Says once that some types have a price at the least.
fn notice_of_billing(ctx: &Context, jobs: &[Job]) {
    let dear = jobs.iter().filter(|job| matches!(job.verdict, Verdict::Do));
    let dear = dear.filter(|job| doc::has_minimum_billing(&job.input.filename)).count();
    if dear > 0 && ctx.out.settings().stderr_is_terminal() {
        ctx.out.status(&format!(
            "{dear} of the documents are billed as {} characters at least, each",
            limits::DOCUMENT_MIN_BILLED_CHARS
        ));
    }
}
