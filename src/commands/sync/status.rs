//! `tulk sync status`: how complete each file is in each language.

use clap::Args;

use super::rows::{StatusRow, listed};
use super::select::{LoadedProject, SelectArgs};
use crate::context::Context;
use crate::error::{ErrorReport, Failure, Kind};
use crate::sync::journal::Journal;
use crate::sync::plan::{PlanRequest, SyncPlan};

/// Show how complete each file is in each language
#[derive(Args, Debug)]
#[command(after_help = "tulk sync status\ntulk sync status --to de --json")]
pub struct SyncStatusArgs {
    /// What is looked at.
    #[command(flatten)]
    pub select: SelectArgs,
}

/// Prints a row for each file and language.
pub fn run(ctx: &Context, args: &SyncStatusArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let loaded = LoadedProject::read(ctx, &args.select)?;
    let langs = loaded.langs(&args.select, false)?;
    let selection = loaded.selection(&args.select, langs, |_| false)?;
    let LoadedProject { project, files, lock } = &loaded;
    let journal = Journal::peek(project.root.real());
    let plan = SyncPlan::new(PlanRequest { project, files, lock, journal: journal.as_ref(), selection: &selection });
    let rows = plan.targets.iter().map(|target| StatusRow::new(project, files, target)).collect();
    ctx.out.list(&listed(rows)?)?;
    for failure in &plan.broken {
        ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
    }
    match plan.broken.len() {
        0 => Ok(()),
        _ if plan.readable == 0 => Err(Failure::printed(Kind::Usage).into()),
        _ => Err(Failure::printed(Kind::Partly).into()),
    }
}
