//! `tulk doc`: documents, without losing one that was paid for.
//!
//! Every document has a handle on disk (`store::documents`) from before its upload until its result is in place.
//! Spec: "Documents"; command line, "doc".

mod download;
mod fetch;
mod forget;
mod life;
mod list;
mod many;
mod options;
mod plan;
mod poll;
mod resume;
mod row;
mod source;
mod status;
mod target;
mod translate;
mod upload;
mod wait;

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use self::life::Life;
use crate::context::Context;
use crate::error::{Failure, Kind, io_message};
use crate::files;
use crate::http::client::Client;
use crate::limits;
use crate::store::documents::{Documents, Record};

/// Translate documents: docx, pptx, xlsx, pdf, html, txt, srt, xliff, images
#[derive(Args, Debug)]
pub struct DocArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: DocCommand,
}

/// The verbs of `doc`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum DocCommand {
    /// Translate files: upload, wait, download
    Translate(Box<translate::TranslateArgs>),
    /// Upload a file and end; fetch the result later
    Upload(Box<upload::UploadArgs>),
    /// Ask how far a document is
    Status(status::StatusArgs),
    /// Wait until a document is translated
    Wait(wait::WaitArgs),
    /// Fetch the result of a document, which the service gives once
    Download(download::DownloadArgs),
    /// List the documents this machine knows of
    List(list::ListArgs),
    /// Finish unfinished documents without a second upload
    Resume(resume::ResumeArgs),
    /// Forget a document, unfinished ones after a question
    Forget(forget::ForgetArgs),
}

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

/// Where handles are, and which server's matter.
pub struct Place {
    store: Documents,
    server: String,
}

impl Place {
    async fn of(ctx: &Context) -> Result<Self, Failure> {
        Ok(Self { store: documents()?, server: ctx.server_identity().await? })
    }

    fn life<'a>(
        &'a self,
        ctx: &'a Context,
        client: &'a Client,
        program: &'a str,
        to_stdout: bool,
    ) -> Result<Life<'a>, Failure> {
        let retries = ctx.config()?.network().retries.unwrap_or(limits::RETRIES);
        Ok(Life { client, out: &ctx.out, store: &self.store, retries, to_stdout, program })
    }

    /// The record of an id on this server; on another one, the failure that names it.
    fn find(&self, id: &str) -> Result<Option<Record>, Failure> {
        match self.store.find(id, &self.server)? {
            Some(record) if record.server != self.server => {
                Err(Failure::usage(format!("document {id} is on {}, not on {}", record.server, self.server)).hint(
                    if record.server == crate::context::SANDBOX {
                        "add --sandbox".to_owned()
                    } else {
                        format!("add --server {}", record.server)
                    },
                ))
            }
            found => Ok(found),
        }
    }
}

fn documents() -> Result<Documents, Failure> {
    Ok(Documents::at(files::state_dir()?.join("documents")))
}

/// How this program is called for the same server, for commands that are printed.
fn program(ctx: &Context) -> String {
    let mut text = "tulk".to_owned();
    if ctx.args.sandbox {
        text.push_str(" --sandbox");
    }
    for (flag, variable, value) in
        [("-p", "TULK_PROFILE", &ctx.args.profile), ("--server", "TULK_SERVER", &ctx.args.server)]
    {
        // What the environment says it will say again.
        if let Some(value) = value
            && std::env::var(variable).ok().as_ref() != Some(value)
        {
            // Writing to a String does not fail.
            let _ = write!(text, " {flag} {value}");
        }
    }
    text
}

/// How a document that was uploaded elsewhere is named.
#[derive(Args, Clone, Debug)]
pub struct DocumentId {
    /// Document ID
    #[arg(value_name = "ID")]
    pub id: String,
    /// File with the document key, for uploads of other machines
    #[arg(long, value_name = "FILE|-")]
    pub document_key_file: Option<PathBuf>,
}

impl DocumentId {
    /// The id and the key: from the file, else from the handle.
    fn resolve(&self, place: &Place) -> Result<(Option<Record>, String, String), Failure> {
        let record = place.find(&self.id);
        if let Some(file) = &self.document_key_file {
            let id = record.as_ref().ok().and_then(Option::as_ref).and_then(|r| r.document_id.clone());
            return Ok((None, id.unwrap_or_else(|| self.id.clone()), read_key(file)?));
        }
        let Some(record) = record? else {
            return Err(Failure::new(Kind::NotFound, format!("no document {} is known on this machine", self.id))
                .hint("`tulk doc list` shows those that are; give the key of another with --document-key-file"));
        };
        match (record.document_id.clone(), record.document_key.clone()) {
            (Some(id), Some(key)) => Ok((Some(record), id, key)),
            (None, _) => Err(Failure::new(
                Kind::NotFound,
                format!("document {} has no id: its upload did not complete", self.id),
            )
            .hint("`tulk doc list` shows its state, `tulk doc resume` goes on with it")),
            (Some(id), None) => {
                let why = record.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
                Err(Failure::new(Kind::NotFound, format!("document {id} is finished ({}){why}", record.stage.word())))
            }
        }
    }
}

fn read_key(file: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut f| f.read_to_string(&mut text))
    };
    read.map_err(|e| {
        Failure::usage(format!("cannot read the document key from {}: {}", file.display(), io_message(&e)))
    })?;
    let key = text.trim();
    if key.is_empty() || key.contains(char::is_whitespace) {
        return Err(Failure::usage(format!("{} holds no document key", file.display()))
            .hint("it is one word on one line, as `tulk doc upload --key-out` writes it"));
    }
    Ok(key.to_owned())
}
