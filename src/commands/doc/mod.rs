//! `tulk doc`: translates documents without losing one that was paid for.
//!
//! Input: files, stdin or document IDs. Output: result files, one row for each document, and failures. Every document
//! has a record on disk (`store::documents`) from before its upload until its result has been written.

mod batch;
mod blocking;
mod claim;
mod complete;
mod content_digest;
mod document_id;
mod download;
mod finished_elsewhere;
mod forget;
mod input;
mod lifecycle;
mod list;
mod next_command;
mod outcome;
mod plan;
mod poll;
mod report;
mod result_delivery;
mod result_download;
mod result_path;
mod resume;
mod rows;
mod server_documents;
mod status;
mod translate;
mod upload;
mod upload_flags;
mod upload_step;
mod wait;

pub use self::server_documents::document_store;

use clap::{Args, Subcommand};
use tulk_client::api::doc::DocumentStatus;

use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, Row as _};

/// Translate documents such as Word, PowerPoint, Excel and PDF files
///
/// A document is uploaded, translated by the service, and downloaded once. What is known about it is stored on this machine
/// first, so that `tulk doc resume` can finish it after an interruption.
#[derive(Args, Debug)]
#[command(after_help = "tulk doc translate report.docx --to de,fr\n\
                        tulk doc list\n\
                        tulk doc resume")]
pub struct DocArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: DocCommand,
}

/// The subcommands of `doc`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum DocCommand {
    /// Translate files: upload, wait and download
    Translate(Box<translate::DocTranslateArgs>),
    /// Upload a file without waiting for the result
    Upload(Box<upload::DocUploadArgs>),
    /// Show the status of a document
    Status(status::DocStatusArgs),
    /// Wait until a document is translated
    Wait(wait::DocWaitArgs),
    /// Download a result (possible only once)
    Download(download::DocDownloadArgs),
    /// List the documents recorded on this machine
    List(list::DocListArgs),
    /// Finish unfinished documents without uploading them again
    Resume(resume::DocResumeArgs),
    /// Remove a document's local record; asks if it is unfinished
    Forget(forget::DocForgetArgs),
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] =
    &[CommandFormats::new("doc", LISTING), CommandFormats::without_result("doc forget")];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("doc translate, upload, download, resume", rows::DocumentResultRow::COLUMNS),
    CommandColumns::new("doc status, wait", DocumentStatus::COLUMNS),
    CommandColumns::new("doc list", rows::DocumentListRow::COLUMNS),
];

/// Runs the command.
pub async fn run(ctx: &Context, args: DocArgs) -> Result<(), anyhow::Error> {
    match args.command {
        DocCommand::Translate(args) => translate::run(ctx, *args).await,
        DocCommand::Upload(args) => upload::run(ctx, *args).await,
        DocCommand::Status(args) => status::run(ctx, args).await,
        DocCommand::Wait(args) => wait::run(ctx, args).await,
        DocCommand::Download(args) => download::run(ctx, args).await,
        DocCommand::List(args) => list::run(ctx, &args),
        DocCommand::Resume(args) => resume::run(ctx, args).await,
        DocCommand::Forget(args) => forget::run(ctx, &args),
    }
}
