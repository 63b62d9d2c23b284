//! `tulk doc`: translates documents without losing a billed result.
//!
//! Input: files, stdin or document IDs. Output: result files, one row per document, and failures. Every document has a
//! record on disk (`tulk_store::documents`), which is written before its upload.

mod batch;
mod claim;
mod content;
mod download;
mod evaluation;
mod input;
mod lifecycle;
mod list;
mod next_command;
mod outcome;
mod plan;
mod poll;
mod records;
mod report;
mod result_delivery;
mod result_download;
mod result_path;
mod resume;
mod status;
mod translate;
mod upload;
mod upload_flags;
mod upload_step;

pub use self::content::for_each_block;
pub use self::next_command::{quoted_relative_path, stopped_hint};
pub use self::poll::poll_interval;
pub use self::records::{document_store, server_flag};

use crate::command::command_group;

command_group! {
    /// Translate documents: Word, PowerPoint, Excel, PDF, HTML
    ///
    /// A document is uploaded, translated by the service, and downloaded once. Each step is first recorded on this
    /// machine, so `tulk doc resume` can finish the document after an interruption.
    #[command(after_help = "tulk doc translate report.docx --to de,fr\n\
                            tulk doc list\n\
                            tulk doc resume")]
    pub struct DocArgs;

    pub enum DocCommand {
        Translate(Box<translate::DocTranslateArgs>),
        Upload(Box<upload::DocUploadArgs>),
        Status(status::DocStatusArgs),
        Wait(status::DocWaitArgs),
        Download(download::DocDownloadArgs),
        List(list::DocListArgs),
        Resume(resume::DocResumeArgs),
        Forget(list::DocForgetArgs),
    }
}
