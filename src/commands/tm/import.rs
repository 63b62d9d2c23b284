//! `tulk tm import`: creates a translation memory from a TMX file. A new run continues the job of an interrupted one.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use tulk_base::error::{Failure, FileContext as _, Kind};
use tulk_base::files::file_digest;
use tulk_base::limits::{IMPORT_GRACE, TMX_WARN_BYTES};
use tulk_base::machine;
use tulk_base::numbers::grouped;
use tulk_client::api::tm::jobs::{ImportTranslationMemory, MemoryJob, MemoryJobState, TMX_MEDIA_TYPE};
use tulk_client::http::client::Client;
use tulk_client::http::request::{Upload, UploadObserver};
use tulk_client::http::storage::StorageAddress;
use tulk_formats::input::tmx;
use tulk_store::memory_jobs::{LockedMemoryJob, MemoryJobRecord, MemoryJobStore, MemoryJobWork, UploadStage};

use super::jobs::{self, MemoryJobRow, SharedJob, check_completed, note_skipped, start_again_command};
use crate::command::{CommandSpec, Run};
use crate::commands::doc::stopped_hint;
use crate::context::Context;
use crate::output::{ProgressTask, ProgressUnit, TaskName};

/// Create a translation memory from a TMX file
///
/// Checks the file before sending it. If interrupted, run the same command again to continue.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<MemoryJobRow>().checks_before_sending().with_common_options(&["name", "wait"]))]
#[command(after_help = "tulk tm import pumps.tmx --wait\n\
                        tulk tm import pumps.tmx --name 'Pumps 2026' --json")]
pub struct TmImportArgs {
    /// TMX file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Name of the memory [default: the file name without extension]
    #[arg(long)]
    pub name: Option<String>,
    /// Wait until the service has read the file
    #[arg(long)]
    pub wait: bool,
}

impl Run for TmImportArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let bytes = import_size(&self.file)?;
        let name = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let display_name = self.name.unwrap_or_else(|| name(self.file.file_stem()));
        let request = ImportTranslationMemory::new(&name(self.file.file_name()), bytes, &display_name);
        let shown = self.file.display().to_string();
        ctx.check(&request).map_err(|failure| Failure { what: format!("{shown}: {}", failure.what), ..failure })?;
        if bytes > TMX_WARN_BYTES {
            let size = grouped(bytes);
            ctx.out.warn(&format!("{shown} has {size} bytes; the service may accept at most 1,000,000,000"));
        }
        let sha256 = digest_and_check(ctx, &self.file).await?;
        let client = ctx.client().await?;
        if client.is_dry_run() {
            client.send(&request).await?;
            return Ok(());
        }
        let server = ctx.server_identity().await?;
        let shared = SharedJob::new(MemoryJobStore::open()?.lock_import(&server, &display_name, &sha256)?);
        let path = std::path::absolute(&self.file).file_context("read", &self.file)?;
        let task = ctx.out.progress(TaskName::new(&shown));
        let import = ImportJob { ctx, client, shared: &shared, path: &path, bytes, shown: &shown, task: &task };
        let continued = match shared.record() {
            Some(record) => import.step_after_earlier_run(&record).await?,
            None => ImportStep::Start,
        };
        let next = match continued {
            ImportStep::Start => {
                let reply = client.send(&request).await.map_err(nothing_imported)?;
                let work = MemoryJobWork::Import {
                    display_name,
                    path: path.clone(),
                    bytes,
                    sha256,
                    upload_url: reply.upload_url,
                    expires_at: reply.expires_at,
                    stage: UploadStage::Uploading,
                };
                shared.update(|locked| locked.save(MemoryJobRecord { job_id: reply.job_id, server, work }))?;
                ImportStep::Upload
            }
            next => next,
        };
        let row = import.finish(next, self.wait).await?;
        task.finish();
        Ok(row.print(ctx)?)
    }
}

/// Returns the size of a regular file. Refuses stdin, because the service needs the size in advance.
fn import_size(path: &Path) -> Result<u64, Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage("stdin cannot be imported, because its size is unknown")
            .hint("write the TMX to a file first: tulk tm import FILE.tmx"));
    }
    let data = std::fs::metadata(path).file_context("read", path)?;
    if data.is_dir() {
        return Err(Failure::directory(path).hint("pass a TMX file in it"));
    }
    if !data.is_file() {
        return Err(Failure::usage(format!("{} is not a regular file", path.display())));
    }
    Ok(data.len())
}

/// Computes the digest on a separate thread. Unless `--no-check` is given, also checks the file and prints a summary.
async fn digest_and_check(ctx: &Context, path: &Path) -> Result<String, Failure> {
    let task = ctx.out.phase(&path.display().to_string(), "checking");
    let (path, no_check) = (path.to_owned(), ctx.args.no_check);
    let name = path.display().to_string();
    let work = move || {
        if no_check {
            return file_digest(&path).map(|sha256| (sha256, None));
        }
        tmx::check_file(&path, &path.display().to_string()).map(|tmx| (tmx.sha256.clone(), Some(tmx)))
    };
    let done = machine::start("tmx", work)?;
    let (sha256, tmx) = tokio::select! {
        done = done => done.unwrap_or_else(|e| Err(Failure::internal(e.to_string())))?,
        kind = ctx.stop.wait() => return Err(tulk_base::stop::Stop::failure(kind, None)),
    };
    task.finish();
    if let Some(tmx) = tmx {
        ctx.out.status(&format!("{name}: {}", tmx.in_words()));
    }
    Ok(sha256)
}

/// Adds a hint to a network failure at the start of an import: nothing was imported, because a job without its file creates no memory.
fn nothing_imported(failure: Failure) -> Failure {
    match failure.kind {
        Kind::Network => failure.hint("nothing was imported: run the command again"),
        _ => failure,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStep {
    Start,
    Upload,
    /// Wait for the service to read the file.
    Wait,
}

pub struct ImportJob<'a> {
    pub ctx: &'a Context,
    pub client: &'a Client,
    pub shared: &'a SharedJob,
    pub path: &'a Path,
    pub bytes: u64,
    /// The path as the user wrote it.
    pub shown: &'a str,
    pub task: &'a ProgressTask,
}

impl ImportJob<'_> {
    /// Returns the next step for the job of an earlier run. Removes the record of a job that cannot continue.
    pub async fn step_after_earlier_run(&self, record: &MemoryJobRecord) -> Result<ImportStep, Failure> {
        let MemoryJobWork::Import { expires_at, stage, .. } = &record.work else { return Ok(ImportStep::Start) };
        let step = match jobs::get(self.client, &record.job_id).await {
            Err(failure) if failure.kind == Kind::NotFound => ImportStep::Start,
            Err(failure) => return Err(failure),
            Ok(job) => match (job.state(), stage) {
                (MemoryJobState::AwaitingInput, UploadStage::Uploaded) => ImportStep::Wait,
                (MemoryJobState::AwaitingInput, _) if time_left(expires_at) != Some(Duration::ZERO) => {
                    ImportStep::Upload
                }
                // The file may have arrived, so a new job could create a second memory.
                (MemoryJobState::AwaitingInput, UploadStage::Sent) if can_still_be_noticed(expires_at) => {
                    ImportStep::Wait
                }
                (MemoryJobState::AwaitingInput | MemoryJobState::Expired | MemoryJobState::Downloaded, _) => {
                    ImportStep::Start
                }
                _ => ImportStep::Wait,
            },
        };
        if step == ImportStep::Start {
            self.shared.update(LockedMemoryJob::remove)?;
        } else {
            self.ctx.out.status(&format!("{}: continuing with job {} of an earlier run", self.shown, record.job_id));
        }
        Ok(step)
    }

    /// Uploads the file if necessary. With `waits`, waits for the memory.
    pub async fn finish(&self, step: ImportStep, waits: bool) -> Result<MemoryJobRow, Failure> {
        if step == ImportStep::Upload {
            self.upload().await?;
        }
        let record = self.shared.record().ok_or_else(|| Failure::internal("an import without a record"))?;
        let job_id = &record.job_id;
        if !waits && step == ImportStep::Upload {
            self.ctx.out.hint(&format!(
                "the service is reading the file; wait for the memory with `tulk tm job {job_id} --wait`"
            ));
            return Ok(MemoryJobRow { path: Some(self.shown.to_owned()), ..MemoryJobRow::of_record(&record) });
        }
        let job = if waits {
            let MemoryJobWork::Import { expires_at, .. } = &record.work else {
                return Err(Failure::internal("the record is not of an import"));
            };
            let limit = time_left(expires_at).unwrap_or_default() + IMPORT_GRACE;
            jobs::wait(self.client, job_id, self.task, Some(limit)).await?
        } else {
            jobs::get(self.client, job_id).await?
        };
        self.report(&job)
    }

    /// Removes the record if the job has ended.
    pub fn report(&self, job: &MemoryJob) -> Result<MemoryJobRow, Failure> {
        if job.is_final() {
            self.shared.update(LockedMemoryJob::remove)?;
            check_completed(job, &format!("import {}", self.shown))?;
            note_skipped(self.ctx, job);
        }
        Ok(MemoryJobRow::of_job(job, Some(self.shown.to_owned())))
    }

    async fn upload(&self) -> Result<(), Failure> {
        let record = self.shared.record().ok_or_else(|| Failure::internal("an upload without a record"))?;
        let MemoryJobWork::Import { upload_url, stage, .. } = &record.work else {
            return Err(Failure::internal("the record is not of an import"));
        };
        let address = StorageAddress::parse(upload_url, self.client.service())?;
        let storage = self.ctx.new_client(address.server.clone())?;
        let observer = ImportProgress { shared: self.shared.clone(), bar: self.task.clone(), bytes: self.bytes };
        let request = address.put(
            TMX_MEDIA_TYPE,
            Upload {
                path: self.path.to_owned(),
                filename: self.shown.to_owned(),
                bytes: self.bytes,
                field: String::new(),
                observer: Some(Arc::new(observer)),
            },
        );
        let again = "the upload did not complete: run the command again, it continues with the same job";
        let answer = storage.exchange(&request).await.map_err(|failure| match failure.kind {
            Kind::Network | Kind::Unfinished => failure.hint(again),
            _ => stopped_hint(failure, &format!("tulk tm job {} --wait", record.job_id)),
        })?;
        if answer.is_success() {
            return self.shared.update(|locked| locked.set_stage(UploadStage::Uploaded));
        }
        let failure = address.refused(&answer);
        match failure.kind {
            Kind::Busy => Err(failure.hint(again)),
            // The complete file was sent before, and storage may accept a file only once.
            _ if *stage == UploadStage::Sent || answer.maybe_repeated => {
                self.shared.update(|locked| locked.set_stage(UploadStage::Uploaded))
            }
            _ => {
                self.shared.update(LockedMemoryJob::remove)?;
                let again = start_again_command(&record.work);
                Err(failure.hint(match answer.status {
                    401 | 403 => format!("the upload address may have expired: start a new import with `{again}`"),
                    413 => "the file is too large for the storage: split it".to_owned(),
                    _ => format!("start a new import with `{again}`"),
                }))
            }
        }
    }
}

/// Returns how long an address is still valid; `None` if its expiry is not a valid time.
fn time_left(expires_at: &str) -> Option<Duration> {
    let end: Timestamp = expires_at.parse().ok()?;
    Some(end.duration_since(Timestamp::now()).try_into().unwrap_or_default())
}

/// Returns whether the service may still notice a file that was sent before the address expired.
fn can_still_be_noticed(expires_at: &str) -> bool {
    let end: Option<Timestamp> = expires_at.parse().ok();
    end.is_none_or(|end| Timestamp::now().duration_since(end).unsigned_abs() < IMPORT_GRACE)
}

/// Records the progress of an upload: on the bar, and on disk before the last bytes are sent.
struct ImportProgress {
    shared: SharedJob,
    bar: ProgressTask,
    bytes: u64,
}

impl UploadObserver for ImportProgress {
    fn progress(&self, bytes: u64) -> io::Result<()> {
        if bytes == 0 {
            self.bar.count("uploading", ProgressUnit::Bytes, Some(self.bytes));
        }
        self.bar.set(bytes);
        Ok(())
    }

    fn completing(&self) -> io::Result<()> {
        self.bar.phase_with("uploading", "waiting for the response");
        self.shared.update(|locked| locked.set_stage(UploadStage::Sent)).map_err(io::Error::other)
    }
}
