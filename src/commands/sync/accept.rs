//! `tulk sync accept`: records existing translations in the lock as written by a person.

use clap::Args;
use tulk_sync::journal::Journal;
use tulk_sync::plan::{PlanRequest, SyncPlan};
use tulk_sync::run::{LockFile, RowState, SyncRows};
use tulk_sync::state::{UnitState, accepted};

use super::result;
use super::rows::PlanRow;
use super::select::{LoadedProject, SelectArgs};
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Accept translations as they are
///
/// From now on, texts in the states review, stale, same and broken count as written by a person. They are not listed
/// again until their source or translation changes.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<PlanRow>())]
#[command(after_help = "tulk sync accept --to de\ntulk sync accept --key 'brand.*'")]
pub struct SyncAcceptArgs {
    #[command(flatten)]
    pub select: SelectArgs,
}

impl Run for SyncAcceptArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut loaded = LoadedProject::read(ctx, &self.select)?;
        // Open the journal, which locks the project, so no other run writes the lock meanwhile.
        let root = loaded.project.root.real();
        let mut journal = if ctx.args.dry_run { Journal::open_read_only(root) } else { Some(Journal::open(root)?) };
        loaded.refresh_lock();
        let langs = loaded.langs(&self.select, false)?;
        let (selection, keys) = loaded.selection(&self.select, langs, |_| false)?;
        let LoadedProject { project, files, lock } = &loaded;
        let plan =
            SyncPlan::new(PlanRequest { project, files, lock, journal: journal.as_ref(), selection: &selection });
        result::check_readable(ctx, &plan)?;
        keys.check(&plan)?;
        let mut changed = LockFile::new(&loaded.project, loaded.lock.clone());
        let mut rows = SyncRows::default();
        for target in &plan.targets {
            let Some(file) = loaded.files.get(target.file) else { continue };
            let Some(lang) = loaded.project.settings.langs.get(target.lang) else { continue };
            for unit in &target.units {
                let is_accepted =
                    matches!(unit.state, UnitState::Review | UnitState::Stale | UnitState::Same | UnitState::Broken);
                let Some(kept) = target.source.units.kept.get(unit.source) else { continue };
                let Some(digests) = unit.digests else { continue };
                // The lock does not have the entries of a killed run yet, so add them.
                if let Some(entry) = unit.entry.filter(|entry| !unit.is_locked && entry.target == Some(digests.text)) {
                    changed.set(&file.lock_name, &kept.lock_key, &lang.tag, entry);
                }
                if !is_accepted {
                    continue;
                }
                changed.set(&file.lock_name, &kept.lock_key, &lang.tag, accepted(kept.digests, digests.text));
                rows.row((target.file, target.lang, RowState::Unit(unit.state))).units += 1;
            }
        }
        if rows.0.is_empty() {
            ctx.out.status("nothing to accept");
        } else if !ctx.args.dry_run {
            changed.write()?;
            if let Some(journal) = &mut journal {
                // The lock now records who wrote the accepted targets, so drop them from the journal. Keep unused, billed results.
                journal.keep_unused(changed.lock(), |_| false)?;
            }
        }
        result::show_rows(ctx, PlanRow::all(&loaded.project, &loaded.files, &rows))?;
        Ok(result::report_unreadable(ctx, &plan.unreadable)?)
    }
}
