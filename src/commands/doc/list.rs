//! `tulk doc list`: the records on this machine, of all servers. Sends nothing.

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::json::Kept;

use super::rows::DocumentListRow;
use super::server_documents::document_store;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::EmptyNote;
use crate::reports::list_limit::ListLimitArgs;

/// List the documents recorded on this machine
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DocumentListRow>().uses_profile())]
#[command(after_help = "tulk doc list\n\
                        tulk doc list --limit 10 --json")]
pub struct DocListArgs {
    /// Maximum number of rows.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for DocListArgs {
    /// Runs the command.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let store = document_store()?;
        let listing = store.list()?;
        for path in &listing.damaged {
            ctx.out.warn(&format!("{} is not a valid document record", path.display()));
        }
        let rows = self.limit.first(&listing.records).iter().map(|record| {
            let is_locked = record.stage.is_unfinished() && store.is_locked(&record.name);
            Kept::from_typed(DocumentListRow::new(record, is_locked))
        });
        ctx.out.list(&rows.collect::<Result<Vec<_>, Failure>>()?)?;
        if listing.records.is_empty() {
            let note = EmptyNote::new("No documents yet.");
            ctx.out.empty(&note.next("Translate one", "tulk doc translate FILE --to de"));
        }
        Ok(())
    }
}
