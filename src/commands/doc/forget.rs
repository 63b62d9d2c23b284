//! `tulk doc forget`: removes a handle. The service is not told: it has no operation for that.

use clap::Args;

use super::documents;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::store::documents::Stage;

/// Forget a document, unfinished ones after a question
#[derive(Args, Debug)]
pub struct ForgetArgs {
    /// Document ID, or the local name while it has none
    #[arg(value_name = "ID")]
    pub id: String,
}

/// Runs the command.
pub fn run(ctx: &Context, args: &ForgetArgs) -> Result<(), anyhow::Error> {
    let store = documents()?;
    let Some(record) = store.list()?.records.into_iter().rev().find(|record| record.is_called(&args.id)) else {
        return Err(Failure::new(Kind::NotFound, format!("no document {} is known on this machine", args.id))
            .hint("`tulk doc list` shows those that are")
            .into());
    };
    let handle = store.open(&record.name)?;
    if handle.record.stage.is_unfinished() {
        let loss = match handle.record.stage {
            Stage::Uploading | Stage::Sent => "its upload is not known to have completed",
            _ => "its key is lost with it, and nobody can fetch the result any more",
        };
        let question = format!("forget the unfinished document {} ({}): {loss}", record.id(), record.shown());
        if ctx.args.dry_run {
            ctx.out.status(&format!("would {question}"));
            return Ok(());
        }
        ctx.out.confirm(&question, ctx.args.yes)?;
    }
    if ctx.args.dry_run {
        ctx.out.status(&format!("would forget document {}", record.id()));
        return Ok(());
    }
    handle.forget()?;
    ctx.out.status(&format!("forgot document {}", record.id()));
    Ok(())
}
