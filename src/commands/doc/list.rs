//! `tulk doc list`: the records on this machine, of all servers. Sends nothing.

use clap::Args;

use super::rows::DocumentListRow;
use super::server_documents::document_store;
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;

/// List the documents recorded on this machine
#[derive(Args, Debug)]
pub struct DocListArgs {
    /// Stop after N documents
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Runs the command.
pub fn run(ctx: &Context, args: &DocListArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let store = document_store()?;
    let listing = store.list()?;
    for path in &listing.damaged {
        ctx.out.warn(&format!("{} is not a valid document record", path.display()));
    }
    let limit = args.limit.unwrap_or(usize::MAX);
    let rows = listing.records.iter().take(limit).map(|record| {
        let is_locked = record.stage.is_unfinished() && store.is_locked(&record.name);
        Kept::from_typed(DocumentListRow::new(record, is_locked))
    });
    Ok(ctx.out.list(&rows.collect::<Result<Vec<_>, Failure>>()?)?)
}
