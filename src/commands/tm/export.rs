//! `tulk tm export`: writes a translation memory to a TMX file. A new run continues the job of an interrupted one.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use clap::Args;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};
use tulk_base::error::{Failure, FileContext as _, Kind, io_message};
use tulk_base::files::{self, AtomicFile, FileMode};
use tulk_client::api::tm::jobs::{ExportTranslationMemory, MemoryJob, MemoryJobState};
use tulk_client::http::answer::BodySink;
use tulk_client::http::client::Client;
use tulk_client::http::failures::reason_phrase;
use tulk_client::http::storage::StorageAddress;
use tulk_store::memory_jobs::{LockedMemoryJob, MemoryJobRecord, MemoryJobStore, MemoryJobWork};

use super::jobs::{self, MemoryJobRow, SharedJob, check_completed};
use super::memory::{TmNameArgs, find};
use crate::command::{CommandSpec, Run};
use crate::commands::doc::{for_each_block, stopped_hint};
use crate::commands::glossary::safe_file_name;
use crate::context::Context;
use crate::named;
use crate::output::{ProgressTask, ProgressUnit, TaskName};

/// Write a translation memory to a TMX file
///
/// The service prepares the file first. If interrupted, run the same command again to continue.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<MemoryJobRow>().with_common_options(&["output", "force"]))]
#[command(after_help = "tulk tm export Manuals\n\
                        tulk tm export Manuals -o backup.tmx --force")]
pub struct TmExportArgs {
    #[command(flatten)]
    pub name: TmNameArgs,
    /// File to write (- for stdout) [default: NAME.tmx]
    #[arg(short = 'o', long, value_name = "FILE|-")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

impl Run for TmExportArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let text = &self.name.memory;
        let (translation_memory_id, output) = if let Some(output) = self.output {
            (named::memory(ctx, text).await?, output)
        } else {
            let memory = find(ctx, text).await?;
            let name = Some(&memory.name).filter(|name| !name.is_empty()).unwrap_or(&memory.translation_memory_id);
            (memory.translation_memory_id.clone(), PathBuf::from(format!("{}.tmx", safe_file_name(name))))
        };
        let target = ExportTarget::new(ctx, &output, self.force)?;
        let client = ctx.client().await?;
        let request = ExportTranslationMemory { translation_memory_id: translation_memory_id.clone() };
        if client.is_dry_run() {
            client.send(&request).await?;
            return Ok(());
        }
        let server = ctx.server_identity().await?;
        let shared = SharedJob::new(MemoryJobStore::open()?.lock_export(&server, &translation_memory_id)?);
        let task = ctx.out.progress(TaskName::new(text));
        let known = match shared.record() {
            Some(record) => usable_earlier_job(ctx, client, &shared, record, text).await?,
            None => None,
        };
        let job_id = match known {
            Some(job_id) => job_id,
            None => client.send(&request).await?.job_id,
        };
        let work = MemoryJobWork::Export { translation_memory_id, output: target.path.clone(), force: self.force };
        shared.update(|locked| locked.save(MemoryJobRecord { job_id: job_id.clone(), server, work }))?;
        let export = ExportJob { ctx, client, shared: &shared, what: text, target: &target, task: &task };
        let row = export.finish(&job_id, true).await?;
        task.finish();
        if target.path.is_some() { Ok(row.print(ctx)?) } else { Ok(()) }
    }
}

/// Returns the job of an earlier run if it is still usable, otherwise removes its record.
async fn usable_earlier_job(
    ctx: &Context,
    client: &Client,
    shared: &SharedJob,
    record: MemoryJobRecord,
    what: &str,
) -> Result<Option<String>, Failure> {
    let job = match jobs::get(client, &record.job_id).await {
        Err(failure) if failure.kind == Kind::NotFound => None,
        job => Some(job?),
    };
    let is_usable = |job: &MemoryJob| !job.is_final() || job.state() == MemoryJobState::Completed;
    if job.is_some_and(|job| is_usable(&job)) {
        ctx.out.status(&format!("{what}: continuing with job {} of an earlier run", record.job_id));
        return Ok(Some(record.job_id));
    }
    shared.update(LockedMemoryJob::remove)?;
    Ok(None)
}

pub struct ExportTarget {
    /// `None` for stdout.
    pub path: Option<PathBuf>,
    /// The path as the user wrote it.
    shown: String,
    force: bool,
}

impl ExportTarget {
    /// Checks that no file is replaced without `force` and, except in a dry run, that the output is writable.
    pub fn new(ctx: &Context, output: &Path, force: bool) -> Result<Self, Failure> {
        if output == Path::new("-") {
            ctx.out.settings().filter_conflicts_with("a file on stdout")?;
            return Ok(Self { path: None, shown: "-".to_owned(), force });
        }
        files::check_shared(output)?;
        let path = std::path::absolute(output).file_context("write", output)?;
        if path.is_dir() {
            let what = format!("{} is a directory", output.display());
            return Err(Failure::usage(what).hint("pass a file with -o"));
        }
        if path.is_file() && !force && !files::is_special(&path) {
            return Err(already_exists(output));
        }
        if !files::is_special(&path) && !ctx.args.dry_run {
            drop(AtomicFile::create(&path, FileMode::Inherit)?);
        }
        Ok(Self { path: Some(path), shown: output.display().to_string(), force })
    }
}

fn already_exists(output: &Path) -> Failure {
    Failure::usage(format!("{} already exists", output.display()))
        .hint("replace it with --force, or choose another file with -o")
}

pub struct ExportJob<'a> {
    pub ctx: &'a Context,
    pub client: &'a Client,
    pub shared: &'a SharedJob,
    pub what: &'a str,
    pub target: &'a ExportTarget,
    pub task: &'a ProgressTask,
}

impl ExportJob<'_> {
    /// Downloads the file of a job and removes the record. With `waits`, waits for the job first.
    pub async fn finish(&self, job_id: &str, waits: bool) -> Result<MemoryJobRow, Failure> {
        let job = if waits {
            jobs::wait(self.client, job_id, self.task, None).await?
        } else {
            jobs::get(self.client, job_id).await?
        };
        if !job.is_final() {
            let what = format!("job {job_id} is not finished: {}", job.result().status);
            return Err(Failure::new(Kind::Unfinished, what).hint("add --wait to wait for it"));
        }
        if job.state() != MemoryJobState::Completed {
            self.shared.update(LockedMemoryJob::remove)?;
        }
        check_completed(&job, &format!("export {}", self.what))?;
        match self.download(&job).await {
            // The reader of stdout has closed the pipe because it needs no more.
            Err(failure) if failure.kind == Kind::PipeClosed => {
                self.shared.update(LockedMemoryJob::remove)?;
                return Err(failure);
            }
            done => done?,
        }
        self.shared.update(LockedMemoryJob::remove)?;
        Ok(MemoryJobRow::of_job(&job, Some(self.target.shown.clone())))
    }

    async fn download(&self, job: &MemoryJob) -> Result<(), Failure> {
        let url = job.result().download_url.ok_or_else(|| jobs::no_file_failure(&job.job_id))?;
        let address = StorageAddress::parse(&url, self.client.service())?;
        let storage = self.ctx.new_client(address.server.clone())?;
        let spool = self.shared.update(|locked| locked.spool_path());
        let path = self.target.path.as_deref().unwrap_or(&spool);
        let mode = if self.target.path.is_some() { FileMode::Inherit } else { FileMode::Private };
        let receiver = ExportReceiver { path, mode, bar: self.task, part: RefCell::default(), bytes: Cell::new(0) };
        self.task.count("downloading", ProgressUnit::Bytes, None);
        let answer = storage.download(&address.get(), &receiver).await;
        let answer = answer.map_err(|failure| match failure.kind {
            Kind::Network | Kind::Unfinished => failure.hint("run the command again: it continues with the same job"),
            _ => stopped_hint(failure, &format!("tulk tm job {} --wait", job.job_id)),
        })?;
        if !answer.is_success() {
            let failure = address.refused(&answer);
            if failure.kind != Kind::Refused {
                return Err(failure.hint("run the command again: it continues with the same job"));
            }
            self.shared.update(LockedMemoryJob::remove)?;
            let memory = job.memory_id().unwrap_or_default();
            let hint = format!("the address may have expired: start a new export with `tulk tm export {memory}`");
            return Err(failure.hint(hint));
        }
        let part = receiver.part.into_inner().filter(|_| receiver.bytes.get() > 0);
        let part = part.ok_or_else(|| Failure::new(Kind::Network, "the exported file is empty"))?;
        match &self.target.path {
            Some(_) if self.target.force => part.commit(),
            Some(_) => part.commit_new(),
            None => {
                part.commit()?;
                let printed = self.print(&spool);
                let _ = fs::remove_file(&spool);
                printed
            }
        }
    }

    fn print(&self, spool: &Path) -> Result<(), Failure> {
        if let Some(mut screen) = self.ctx.out.terminal_writer() {
            let failed = |e: io::Error| Failure::internal(format!("cannot write to stdout: {}", io_message(&e)));
            return for_each_block(spool, &mut |block| screen.write_all(block).map_err(failed));
        }
        for_each_block(spool, &mut |block| self.ctx.out.stdout().write_unguarded(block))
    }
}

struct ExportReceiver<'a> {
    path: &'a Path,
    mode: FileMode,
    bar: &'a ProgressTask,
    part: RefCell<Option<AtomicFile>>,
    bytes: Cell<u64>,
}

impl BodySink for ExportReceiver<'_> {
    fn start(&self, status: u16, headers: &HeaderMap) -> Result<(), Failure> {
        if status != 200 {
            let what = format!("the storage returned {status} {} instead of the whole file", reason_phrase(status));
            return Err(Failure::new(Kind::Network, what));
        }
        if !headers.contains_key(CONTENT_ENCODING) {
            let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
            self.bar.set_total(length);
        }
        *self.part.borrow_mut() = Some(AtomicFile::create(self.path, self.mode)?);
        self.bytes.set(0);
        Ok(())
    }

    fn write(&self, bytes: &Bytes) -> Result<(), Failure> {
        if let Some(part) = self.part.borrow_mut().as_mut() {
            part.write_all(bytes).file_context("write", self.path)?;
        }
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        self.bar.set(self.bytes.get());
        Ok(())
    }
}
