//! `tulk tm job`: shows an import or export, and continues one that this machine has a record of.

use std::path::PathBuf;

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::files::file_digest;
use tulk_base::json::WithRaw;
use tulk_base::limits::IMPORT_GRACE;
use tulk_store::memory_jobs::{MemoryJobRecord, MemoryJobStore, MemoryJobWork};

use super::export::{ExportJob, ExportTarget};
use super::import::{ImportJob, ImportStep};
use super::jobs::{self, MemoryJobRow, SharedJob, check_completed, note_skipped, start_again_command};
use crate::command::{CommandSpec, Run};
use crate::commands::doc::server_flag;
use crate::context::Context;
use crate::output::{EmptyNote, TaskName};

/// Show or continue an import or export
///
/// Without ID, lists the unfinished jobs that this machine has started.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<MemoryJobRow>().with_common_options(&["wait", "output", "force"]))]
#[command(after_help = "tulk tm job\n\
                        id=$(tulk tm import pumps.tmx --columns job_id)\n\
                        tulk tm job \"$id\" --wait")]
pub struct TmJobArgs {
    /// Job ID
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Wait until the job ends; upload or download the file if necessary
    #[arg(long, requires = "id")]
    pub wait: bool,
    /// Download the file of an export (- for stdout)
    #[arg(short = 'o', long, value_name = "FILE|-", requires = "id")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "id")]
    pub force: bool,
}

impl Run for TmJobArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let store = MemoryJobStore::open()?;
        let records = store.list()?;
        let Some(id) = &self.id else {
            let rows = records.iter().map(|record| WithRaw::from_typed(MemoryJobRow::of_record(record)));
            let note = EmptyNote::new("No unfinished imports or exports of translation memories.");
            return Ok(ctx.out.list_or_note(&rows.collect::<Result<Vec<_>, Failure>>()?, &note)?);
        };
        let server = ctx.server_identity().await?;
        let (mut here, elsewhere): (Vec<_>, Vec<_>) =
            records.into_iter().filter(|record| record.job_id == *id).partition(|record| record.server == server);
        let record = here.pop();
        if let (None, Some(other)) = (&record, elsewhere.first()) {
            let what = format!("job {id} was started on {}, not on {server}", other.server);
            return Err(Failure::usage(what).hint(format!("add {}", server_flag(&other.server))).into());
        }
        // A dry run only shows the job: it uploads nothing and writes no file.
        let continues = self.wait && !ctx.args.dry_run;
        let output = match (&self.output, record.as_ref().map(|record| &record.work)) {
            _ if ctx.args.dry_run => None,
            (Some(output), _) => Some((output.clone(), self.force)),
            (None, Some(MemoryJobWork::Export { output, force, .. })) if continues => {
                let output = output.clone().unwrap_or_else(|| "-".into());
                Some((output, self.force || *force))
            }
            _ => None,
        };
        let done = match (&record, output) {
            (Some(MemoryJobRecord { work: MemoryJobWork::Import { .. }, .. }), Some(_)) => {
                Err(jobs::no_file_failure(id))
            }
            (record, Some((output, force))) => self.download(ctx, &store, id, record.as_ref(), output, force).await,
            (Some(record), None) if continues => {
                continue_import(ctx, &store, record).await.and_then(|row| row.print(ctx))
            }
            (record, None) => self.show(ctx, &store, id, record.as_ref()).await.and_then(|row| row.print(ctx)),
        };
        match (done, record) {
            (Err(failure), Some(record)) if failure.kind == Kind::NotFound => {
                store.lock_record(&record)?.remove()?;
                Err(failure.hint(format!("start a new one with `{}`", start_again_command(&record.work))).into())
            }
            (done, _) => Ok(done?),
        }
    }
}

impl TmJobArgs {
    /// Returns the state of a job, with `--wait` its final state. Removes the record of an import that has ended.
    async fn show(
        &self,
        ctx: &Context,
        store: &MemoryJobStore,
        id: &str,
        record: Option<&MemoryJobRecord>,
    ) -> Result<MemoryJobRow, Failure> {
        let client = ctx.client().await?;
        let job = if self.wait && !ctx.args.dry_run {
            let task = ctx.out.progress(TaskName::new(id));
            let job = jobs::wait(client, id, &task, Some(IMPORT_GRACE)).await?;
            task.finish();
            check_completed(&job, &format!("finish job {id}"))?;
            job
        } else {
            jobs::get(client, id).await?
        };
        if job.result().download_url.is_some() {
            let rest = if record.is_some() { "--wait" } else { "-o FILE.tmx" };
            ctx.out.hint(&format!("download the file with `tulk tm job {id} {rest}`"));
        }
        if let Some(record) =
            record.filter(|record| job.is_final() && matches!(record.work, MemoryJobWork::Import { .. }))
        {
            store.lock_record(record)?.remove()?;
        }
        note_skipped(ctx, &job);
        Ok(MemoryJobRow::of_job(&job, record.and_then(|record| MemoryJobRow::of_record(record).path)))
    }

    async fn download(
        &self,
        ctx: &Context,
        store: &MemoryJobStore,
        id: &str,
        record: Option<&MemoryJobRecord>,
        output: PathBuf,
        force: bool,
    ) -> Result<(), Failure> {
        let target = ExportTarget::new(ctx, &output, force)?;
        let client = ctx.client().await?;
        let server = ctx.server_identity().await?;
        let locked = match record {
            Some(record) => store.lock_record(record)?,
            None => store.lock_export(&server, id)?,
        };
        let (shared, task) = (SharedJob::new(locked), ctx.out.progress(TaskName::new(id)));
        let export = ExportJob { ctx, client, shared: &shared, what: id, target: &target, task: &task };
        let row = export.finish(id, self.wait).await?;
        task.finish();
        if target.path.is_some() { row.print(ctx) } else { Ok(()) }
    }
}

async fn continue_import(
    ctx: &Context,
    store: &MemoryJobStore,
    record: &MemoryJobRecord,
) -> Result<MemoryJobRow, Failure> {
    let MemoryJobWork::Import { path, bytes, sha256, .. } = &record.work else {
        return Err(Failure::internal("the record is not of an import"));
    };
    let (client, shared) = (ctx.client().await?, SharedJob::new(store.lock_record(record)?));
    let shown = path.display().to_string();
    let task = ctx.out.progress(TaskName::new(&shown));
    let import = ImportJob { ctx, client, shared: &shared, path, bytes: *bytes, shown: &shown, task: &task };
    let step = import.step_after_earlier_run(record).await?;
    if step == ImportStep::Start {
        return Err(Failure::new(Kind::Refused, format!("job {} has expired", record.job_id))
            .hint(format!("start a new one with `{}`", start_again_command(&record.work))));
    }
    if step == ImportStep::Upload && file_digest(path)? != *sha256 {
        return Err(Failure::usage(format!("{shown} has changed since its import started")).names_file(path));
    }
    let row = import.finish(step, true).await?;
    task.finish();
    Ok(row)
}
