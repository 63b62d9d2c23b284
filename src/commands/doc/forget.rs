//! `tulk doc forget`: removes a local record. The service is not asked: it has no operation for this.

use clap::Args;
use tulk_store::documents::DocumentStage;

use super::document_id::unknown_document;
use super::server_documents::document_store;
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;

/// Remove a document's local record; asks if it is unfinished
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks().uses_profile())]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc forget \"$id\" --yes")]
pub struct DocForgetArgs {
    /// Document ID, or local ID if it has none yet
    #[arg(value_name = "ID", add = ValueKind::Documents(false))]
    pub id: String,
}

impl Run for DocForgetArgs {
    /// Runs the command.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let store = document_store()?;
        let Some(record) = store.list()?.records.into_iter().rev().find(|record| record.has_id(&self.id)) else {
            return Err(unknown_document(&self.id, "").into());
        };
        let id = record.id();
        let mut locked = store.open(&record.name)?;
        if locked.record.stage.is_unfinished() {
            let loss = match locked.record.stage {
                DocumentStage::Uploading | DocumentStage::Sent => "its upload may not have completed",
                _ => "without its key, the result can no longer be downloaded",
            };
            let question =
                format!("remove the record of the unfinished document {id} ({}): {loss}", record.display_name());
            if ctx.args.dry_run {
                ctx.out.status(&format!("would {question}"));
                return Ok(());
            }
            ctx.out.confirm(&question, ctx.args.yes)?;
        }
        if ctx.args.dry_run {
            ctx.out.status(&format!("would remove the record of document {id}"));
            return Ok(());
        }
        locked.remove()?;
        ctx.out.status(&format!("removed the record of document {id}"));
        Ok(())
    }
}
