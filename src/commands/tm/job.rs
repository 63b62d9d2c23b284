//! `tulk tm job`: the state of an import or export; continues one that this machine has a record of.

use std::path::PathBuf;

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::files::file_digest;
use tulk_base::json::Kept;
use tulk_store::memory_jobs::{MemoryJobRecord, MemoryJobStore, MemoryJobWork};

use super::export::{Export, ExportTarget};
use super::import::{Import, Step};
use super::jobs::{self, MemoryJobRow, SharedJob, check_completed, note_skipped};
use crate::command::{CommandSpec, Run};
use crate::commands::doc::quote_path;
use crate::context::Context;
use crate::output::{EmptyNote, TaskName};

/// Show or continue an import or export
///
/// Without ID, lists the jobs that this machine has started and not finished.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<MemoryJobRow>().common(&["wait", "output", "force"]))]
#[command(after_help = "tulk tm job\n\
                        id=$(tulk tm import pumps.tmx --columns job_id)\n\
                        tulk tm job \"$id\" --wait")]
pub struct TmJobArgs {
    /// Job ID
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Wait for the end; upload or download the file if that is left to do
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
    /// Runs the command.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let store = MemoryJobStore::open()?;
        let records = store.list()?;
        let Some(id) = &self.id else {
            let rows = records.iter().map(|record| Kept::from_typed(MemoryJobRow::of_record(record)));
            let note = EmptyNote::new("No unfinished imports or exports of translation memories.");
            return Ok(ctx.out.list_or(&rows.collect::<Result<Vec<_>, Failure>>()?, &note)?);
        };
        let server = ctx.server_identity().await?;
        let record = records.into_iter().find(|record| record.job_id == *id && record.server == server);
        let output = match (&self.output, record.as_ref().map(|record| &record.work)) {
            (Some(output), _) => Some((output.clone(), self.force)),
            (None, Some(MemoryJobWork::Export { output, force, .. })) if self.wait => {
                let output = output.clone().unwrap_or_else(|| "-".into());
                Some((output, self.force || *force))
            }
            _ => None,
        };
        match (record, output) {
            (record, Some((output, force))) => self.download(ctx, &store, id, record, output, force).await?,
            (Some(record), None) if self.wait => continue_import(ctx, &store, &record).await?.print(ctx)?,
            (record, None) => self.show(ctx, &store, id, record).await?.print(ctx)?,
        }
        Ok(())
    }
}

impl TmJobArgs {
    /// Returns the state of a job, with `--wait` its last one. The record of a job that has ended is removed.
    async fn show(
        &self,
        ctx: &Context,
        store: &MemoryJobStore,
        id: &str,
        record: Option<MemoryJobRecord>,
    ) -> Result<MemoryJobRow, Failure> {
        let client = ctx.client().await?;
        if self.wait {
            let task = ctx.out.progress(TaskName::new(id));
            let job = jobs::wait(client, id, &task, None).await?;
            task.finish();
            check_completed(&job, &format!("finish job {id}"))?;
            note_skipped(ctx, &job);
            return Ok(MemoryJobRow::of_job(&job, None));
        }
        let job = jobs::get(client, id).await?;
        let path = record.as_ref().and_then(|record| MemoryJobRow::of_record(record).path);
        if let Some(record) =
            record.filter(|record| job.is_final() && matches!(record.work, MemoryJobWork::Import { .. }))
        {
            store.lock_record(&record)?.remove()?;
        }
        note_skipped(ctx, &job);
        Ok(MemoryJobRow::of_job(&job, path))
    }

    async fn download(
        &self,
        ctx: &Context,
        store: &MemoryJobStore,
        id: &str,
        record: Option<MemoryJobRecord>,
        output: PathBuf,
        force: bool,
    ) -> Result<(), Failure> {
        let target = ExportTarget::new(ctx, &output, force)?;
        let client = ctx.client().await?;
        let server = ctx.server_identity().await?;
        let locked = match &record {
            Some(record) => store.lock_record(record)?,
            None => store.lock_export(&server, id)?,
        };
        let (shared, task) = (SharedJob::new(locked), ctx.out.progress(TaskName::new(id)));
        let export = Export { ctx, client, shared: &shared, what: id, target: &target, task: &task };
        let row = export.finish(id, self.wait).await?;
        task.finish();
        if target.path.is_some() { row.print(ctx) } else { Ok(()) }
    }
}

/// Uploads the file of a recorded import if that is left to do, and waits for the memory.
async fn continue_import(
    ctx: &Context,
    store: &MemoryJobStore,
    record: &MemoryJobRecord,
) -> Result<MemoryJobRow, Failure> {
    let MemoryJobWork::Import { path, bytes, sha256, display_name, .. } = &record.work else {
        return Err(Failure::internal("the record is not of an import"));
    };
    let (client, shared) = (ctx.client().await?, SharedJob::new(store.lock_record(record)?));
    let shown = path.display().to_string();
    let task = ctx.out.progress(TaskName::new(&shown));
    let import = Import { ctx, client, shared: &shared, path, bytes: *bytes, shown: &shown, task: &task };
    let step = import.earlier(record).await?;
    if step == Step::Start {
        let name = tulk_base::shell::quote(display_name);
        return Err(Failure::new(tulk_base::error::Kind::Refused, format!("job {} has expired", record.job_id))
            .hint(format!("start a new one with `tulk tm import {} --name {name}`", quote_path(path))));
    }
    if step == Step::Upload && file_digest(path)? != *sha256 {
        return Err(Failure::usage(format!("{shown} has changed since its import started")).names_file(path));
    }
    let row = import.finish(step, true).await?;
    task.finish();
    Ok(row)
}
