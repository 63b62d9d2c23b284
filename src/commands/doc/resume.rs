//! `tulk doc resume`: finishes what earlier processes began, with no second upload.

use clap::Args;

use super::life::{Life, Shared};
use super::many::{self, Progress, Task};
use super::row::Translated;
use super::translate::finish;
use super::{Place, program};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::store::documents::{Handle, Record};

/// Finish unfinished documents without a second upload
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// Document IDs, or local names [default: all unfinished]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Replace existing results
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: ResumeArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let place = Place::of(ctx).await?;
    let records = chosen(ctx, &place, &args.ids)?;
    let mut handles = Vec::new();
    for record in records {
        match place.store.open(&record.name) {
            // Finished by another process since the list was read.
            Ok(handle) if !handle.record.stage.is_unfinished() => {}
            Ok(handle) => handles.push(handle),
            Err(failure) if !args.ids.is_empty() => return Err(failure.into()),
            Err(failure) => ctx.out.status(&format!("{}: {}, left alone", record.shown(), failure.what)),
        }
    }
    if ctx.args.dry_run {
        for handle in &handles {
            ctx.out.status(&format!("would go on with {} ({})", handle.record.id(), handle.record.shown()));
        }
        return Ok(());
    }
    if handles.is_empty() {
        ctx.out.status("no document is unfinished");
        return Ok(ctx.out.list::<Translated>(&[])?);
    }
    let program = program(ctx);
    let client = ctx.client().await?;
    let life = place.life(ctx, client, &program, false)?;
    let progress = Progress::of(ctx, handles.len());
    let tasks = handles.into_iter().map(|handle| {
        let record = &handle.record;
        Task {
            source: record.shown().to_owned(),
            target_lang: record.target_lang.clone(),
            work: one(ctx, &life, handle, args.force, &progress),
        }
    });
    let tasks: Vec<_> = tasks.collect();
    Ok(many::run(ctx, client.concurrency(), tasks, &progress, &format!("{program} doc resume"), true).await?)
}

async fn one(
    ctx: &Context,
    life: &Life<'_>,
    mut handle: Handle,
    force: bool,
    progress: &Progress,
) -> Result<Translated, Failure> {
    if force && !handle.record.force {
        handle.record.force = true;
        handle.save()?;
    }
    let meter = progress.meter(ctx, handle.record.shown(), &handle.record.target_lang);
    let shared = Shared::new(handle);
    life.arrive(&shared, &meter, false).await?;
    finish(life, &shared, &meter).await
}

/// The records that were named, or all unfinished ones of this server.
fn chosen(ctx: &Context, place: &Place, ids: &[String]) -> Result<Vec<Record>, Failure> {
    let mut chosen: Vec<Record> = Vec::new();
    for id in ids {
        let Some(record) = place.find(id)? else {
            return Err(Failure::new(Kind::NotFound, format!("no document {id} is known on this machine"))
                .hint("`tulk doc list` shows those that are"));
        };
        if !record.stage.is_unfinished() {
            ctx.out.status(&format!("document {id} is finished ({}), nothing is left to do", record.stage.word()));
        } else if !chosen.iter().any(|other| other.name == record.name) {
            chosen.push(record);
        }
    }
    if !ids.is_empty() {
        return Ok(chosen);
    }
    let listing = place.store.list()?;
    for path in &listing.damaged {
        ctx.out.warn(&format!("{} cannot be read as the record of a document", path.display()));
    }
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        listing.records.into_iter().filter(|r| r.stage.is_unfinished()).partition(|r| r.server == place.server);
    let mut servers: Vec<&str> = elsewhere.iter().map(|record| record.server.as_str()).collect();
    servers.sort_unstable();
    servers.dedup();
    for server in servers {
        let count = elsewhere.iter().filter(|record| record.server == server).count();
        let flag =
            if server == crate::context::SANDBOX { "--sandbox".to_owned() } else { format!("--server {server}") };
        ctx.out.status(&format!("{count} unfinished on {server}: `tulk {flag} doc resume` finishes them"));
    }
    Ok(here)
}
