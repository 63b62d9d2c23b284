//! `tulk doc list`: the handles on this machine, whatever their server. Asks the service nothing.

use clap::Args;

use super::documents;
use super::row::Listed;
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;

/// List the documents this machine knows of
#[derive(Args, Debug)]
pub struct ListArgs {}

/// Runs the command.
pub fn run(ctx: &Context, _: &ListArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let store = documents()?;
    let listing = store.list()?;
    for path in &listing.damaged {
        ctx.out.warn(&format!("{} cannot be read as the record of a document", path.display()));
    }
    let rows = listing.records.iter().map(|record| {
        let in_work = record.stage.is_unfinished() && store.is_in_work(&record.name);
        Kept::made(Listed::of(record, in_work))
    });
    Ok(ctx.out.list(&rows.collect::<Result<Vec<_>, Failure>>()?)?)
}
