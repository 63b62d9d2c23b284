//! `tulk doc resume`: finishes documents of earlier runs without uploading them again.

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::numbers::grouped;
use tulk_store::documents::{DocumentRecord, DocumentStage, LockedRecord};

use super::batch::{self, DocumentProgress, DocumentTask};
use super::claim::check_result_path;
use super::lifecycle::Lifecycle;
use super::next_command::{NextCommands, resume_command};
use super::outcome::{DocumentOutcome, DocumentResultRow};
use super::poll;
use super::records::{ServerDocuments, SharedRecord, server_flag, unknown_document};
use super::report::report;
use super::result_delivery::resume_target;
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::output::ProgressTask;

/// Finish unfinished documents without uploading them again
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DocumentResultRow>().concurrent())]
#[command(after_help = "tulk doc resume\n\
                        tulk doc resume --max-wait 10m")]
pub struct DocResumeArgs {
    /// Document IDs or local IDs [default: all unfinished]
    #[arg(value_name = "ID", add = ValueKind::Documents(true))]
    pub ids: Vec<String>,
    /// Replace existing results
    #[arg(long)]
    pub force: bool,
}

impl Run for DocResumeArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let documents = ServerDocuments::open(ctx).await?;
        let records = if self.ids.is_empty() {
            find_unfinished(ctx, &documents)?
        } else {
            find_named(ctx, &documents, &self.ids)?
        };
        let tasks = lock_all(ctx, &documents, records, !self.ids.is_empty())?;
        if ctx.args.dry_run {
            for task in tasks {
                let record = task.record();
                if record.stage.is_unfinished() || record.awaits_evaluation() {
                    ctx.out.status(&format!("would resume document {} ({})", record.id(), record.display_name()));
                }
            }
            return Ok(());
        }
        if tasks.is_empty() {
            ctx.out.status("no unfinished documents");
            return Ok(ctx.out.list::<DocumentResultRow>(&[])?);
        }
        let client = ctx.client().await?;
        let lifecycle = Lifecycle::new(ctx, client, &documents.store, false)?;
        let progress = DocumentProgress::new(ctx, tasks.len());
        let tasks = tasks.into_iter().map(|task| {
            let (source, target_lang) = (task.record().display_name().to_owned(), task.record().target_lang.clone());
            let bar = progress.add(ctx, &source, &target_lang);
            let work = resume_one(&lifecycle, task, self.force, bar.clone());
            DocumentTask { source, target_lang, progress: bar, work }
        });
        let outcomes = batch::run(ctx, client.max_concurrency(), tasks.collect(), &progress).await;
        Ok(report(ctx, outcomes, || Some(resume_command(&self.ids)), false)?)
    }
}

enum ResumeTask {
    /// A document that is unfinished, that awaits its evaluation, or whose failure was never printed. This process holds the lock of
    /// its record.
    Unfinished(Box<LockedRecord>),
    /// A finished document that was named on the command line.
    Finished(Box<DocumentRecord>),
}

impl ResumeTask {
    fn record(&self) -> &DocumentRecord {
        match self {
            Self::Unfinished(locked) => &locked.record,
            Self::Finished(record) => record,
        }
    }
}

async fn resume_one(lifecycle: &Lifecycle<'_>, task: ResumeTask, force: bool, bar: ProgressTask) -> DocumentOutcome {
    let locked = match task {
        ResumeTask::Unfinished(locked) => *locked,
        ResumeTask::Finished(record) => return finished_outcome(&lifecycle.next, &record),
    };
    let mut target = resume_target(lifecycle.store, &locked.record);
    target.force |= force;
    let shared = SharedRecord::new(locked);
    let result = async {
        if shared.get().stage == DocumentStage::Uploading {
            check_result_path(&target)?;
        }
        lifecycle.ensure_uploaded(&shared, &bar, false).await?;
        lifecycle.complete(&shared, &target, &bar).await
    };
    DocumentOutcome::new(result.await, &shared)
}

/// Returns the outcome that an earlier run already reported.
fn finished_outcome(next: &NextCommands<'_>, record: &DocumentRecord) -> DocumentOutcome {
    if record.stage == DocumentStage::Done {
        let path = record.result_path.as_ref().map(|path| path.display().to_string());
        return DocumentOutcome::Done(DocumentResultRow::new(record, path, record.stage.as_str()));
    }
    DocumentOutcome::Failed(poll::no_result_failure(record, next))
}

/// Locks the records that are not settled. A record locked by another process is a failure if it was named, else it is
/// skipped with a notice.
fn lock_all(
    ctx: &Context,
    documents: &ServerDocuments,
    records: Vec<DocumentRecord>,
    named: bool,
) -> Result<Vec<ResumeTask>, Failure> {
    let mut all = Vec::new();
    for record in records {
        if record.is_settled() {
            all.push(ResumeTask::Finished(Box::new(record)));
            continue;
        }
        match documents.store.open(&record.name) {
            Ok(locked) if !locked.record.is_settled() => all.push(ResumeTask::Unfinished(Box::new(locked))),
            // Another process has finished it since the list was read.
            Ok(locked) if named => all.push(ResumeTask::Finished(Box::new(locked.record))),
            Ok(_) => {}
            Err(failure) if named => return Err(failure),
            Err(failure) => ctx.out.status(&format!("{}: skipped, {}", record.display_name(), failure.what)),
        }
    }
    Ok(all)
}

fn find_named(ctx: &Context, documents: &ServerDocuments, ids: &[String]) -> Result<Vec<DocumentRecord>, Failure> {
    let mut named: Vec<DocumentRecord> = Vec::new();
    for id in ids {
        let record = documents.find(id)?.ok_or_else(|| unknown_document(id, ""))?;
        if named.iter().any(|other| other.name == record.name) {
            continue;
        }
        if !record.stage.is_unfinished() && !record.awaits_evaluation() {
            ctx.out.status(&format!("document {id} is already finished ({})", record.stage.as_str()));
        }
        named.push(record);
    }
    Ok(named)
}

/// Returns the records of this server that are not settled. Prints the number of those on other servers.
fn find_unfinished(ctx: &Context, documents: &ServerDocuments) -> Result<Vec<DocumentRecord>, Failure> {
    let listing = documents.store.list()?;
    for path in &listing.damaged {
        ctx.out.warn(&format!("{} is not a valid document record", path.display()));
    }
    let (here, elsewhere): (Vec<_>, Vec<_>) = listing
        .records
        .into_iter()
        .filter(|record| !record.is_settled())
        .partition(|record| record.server == documents.server);
    let mut servers: Vec<&str> = elsewhere.iter().map(|record| record.server.as_str()).collect();
    servers.sort_unstable();
    servers.dedup();
    for server in servers {
        let count = elsewhere.iter().filter(|record| record.server == server).count();
        let flag = server_flag(server);
        ctx.out.status(&format!("{} unfinished on {server}: finish with `tulk {flag} doc resume`", grouped(count)));
    }
    Ok(here)
}
