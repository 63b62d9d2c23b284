//! `tulk doc resume`: finishes documents of earlier runs without uploading them again.

use clap::Args;

use super::batch::{self, DocumentProgress, DocumentTask};
use super::claim::check_result_path;
use super::document_id::unknown_document;
use super::lifecycle::{Lifecycle, SharedRecord};
use super::next_command::program;
use super::outcome::DocumentOutcome;
use super::report::report;
use super::rows::DocumentResultRow;
use super::server_documents::{ServerDocuments, server_flag};
use crate::context::Context;
use crate::error::Failure;
use crate::store::documents::{DocumentRecord, DocumentStage, LockedRecord};

/// Finish unfinished documents without uploading them again
#[derive(Args, Debug)]
pub struct DocResumeArgs {
    /// Document IDs or local IDs [default: all unfinished]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Replace existing results
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: DocResumeArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let documents = ServerDocuments::open(ctx).await?;
    let records = if args.ids.is_empty() {
        all_unfinished(ctx, &documents)?
    } else {
        named_unfinished(ctx, &documents, &args.ids)?
    };
    let locked = lock_all(ctx, &documents, records, !args.ids.is_empty())?;
    if ctx.args.dry_run {
        for LockedRecord { record, .. } in &locked {
            ctx.out.status(&format!("would resume document {} ({})", record.id(), record.display_name()));
        }
        return Ok(());
    }
    if locked.is_empty() {
        ctx.out.status("no unfinished documents");
        return Ok(ctx.out.list::<DocumentResultRow>(&[])?);
    }
    let client = ctx.client().await?;
    let lifecycle = Lifecycle::new(ctx, client, &documents.store, false)?;
    let progress = DocumentProgress::new(ctx, locked.len());
    let tasks = locked.into_iter().map(|locked| DocumentTask {
        source: locked.record.display_name().to_owned(),
        target_lang: locked.record.target_lang.clone(),
        work: resume_one(ctx, &lifecycle, locked, args.force, &progress),
    });
    let outcomes = batch::run(ctx, client.concurrency(), tasks.collect(), &progress).await;
    Ok(report(ctx, outcomes, &program(ctx), false)?)
}

async fn resume_one(
    ctx: &Context,
    lifecycle: &Lifecycle<'_>,
    locked: LockedRecord,
    force: bool,
    progress: &DocumentProgress,
) -> DocumentOutcome {
    let bar = progress.start(ctx, locked.record.display_name(), &locked.record.target_lang);
    let record = &locked.record;
    // A complete result of an earlier download goes where that download was to put it.
    let mut target = if record.result_bytes.is_some() { record.download_target() } else { record.upload_target() };
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

/// Locks the records. One that another process has locked is a failure if it was named, else skipped with a notice.
fn lock_all(
    ctx: &Context,
    documents: &ServerDocuments,
    records: Vec<DocumentRecord>,
    named: bool,
) -> Result<Vec<LockedRecord>, Failure> {
    let mut all = Vec::new();
    for record in records {
        match documents.store.open(&record.name) {
            // Another process has finished it since the list was read.
            Ok(locked) if !locked.record.stage.is_unfinished() => {}
            Ok(locked) => all.push(locked),
            Err(failure) if named => return Err(failure),
            Err(failure) => ctx.out.status(&format!("{}: skipped, {}", record.display_name(), failure.what)),
        }
    }
    Ok(all)
}

fn named_unfinished(
    ctx: &Context,
    documents: &ServerDocuments,
    ids: &[String],
) -> Result<Vec<DocumentRecord>, Failure> {
    let mut named: Vec<DocumentRecord> = Vec::new();
    for id in ids {
        let record = documents.find(id)?.ok_or_else(|| unknown_document(id, ""))?;
        if !record.stage.is_unfinished() {
            ctx.out.status(&format!("document {id} is already finished ({})", record.stage.as_str()));
        } else if !named.iter().any(|other| other.name == record.name) {
            named.push(record);
        }
    }
    Ok(named)
}

/// Returns the unfinished records of this server. Prints how many other servers have.
fn all_unfinished(ctx: &Context, documents: &ServerDocuments) -> Result<Vec<DocumentRecord>, Failure> {
    let listing = documents.store.list()?;
    for path in &listing.damaged {
        ctx.out.warn(&format!("{} is not a valid document record", path.display()));
    }
    let (here, elsewhere): (Vec<_>, Vec<_>) = listing
        .records
        .into_iter()
        .filter(|record| record.stage.is_unfinished())
        .partition(|record| record.server == documents.server);
    let mut servers: Vec<&str> = elsewhere.iter().map(|record| record.server.as_str()).collect();
    servers.sort_unstable();
    servers.dedup();
    for server in servers {
        let count = elsewhere.iter().filter(|record| record.server == server).count();
        let flag = server_flag(server);
        ctx.out.status(&format!("{count} unfinished on {server}: finish with `tulk {flag} doc resume`"));
    }
    Ok(here)
}
