//! `tulk doc download`: downloads one translated document. The service provides a result only once.

use std::path::Path;

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::shell::{quote, quote_file};
use tulk_client::api::doc::{DocumentState, DownloadDocument, file_type};
use tulk_client::http::client::Client;
use tulk_client::http::endpoint::Endpoint as _;
use tulk_store::documents::{DocumentRecord, DocumentStage, LockedRecord, ResultTarget};

use super::batch::DocumentProgress;
use super::evaluation;
use super::lifecycle::Lifecycle;
use super::next_command::stopped_hint;
use super::outcome::DocumentResultRow;
use super::poll;
use super::records::{DocumentIdArgs, KnownDocument, NamedDocument, ServerDocuments, SharedRecord, finished_failure};
use super::result_path::{ResultDestination, check_not_existing, check_writable};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::check_no_terminal;

/// Download a result (possible only once)
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DocumentResultRow>())]
#[command(after_help = "id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc wait \"$id\"\n\
                        tulk doc download \"$id\" -o report.de.docx")]
pub struct DocDownloadArgs {
    #[command(flatten)]
    pub document: DocumentIdArgs,
    /// Result file (- for stdout)
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<String>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

impl Run for DocDownloadArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let documents = ServerDocuments::open(ctx).await?;
        let document = match self.document.resolve(&documents)? {
            NamedDocument::Known(document) => document,
            NamedDocument::Finished(record) => return Err(finished_failure(&record).into()),
        };
        let client = ctx.client().await?;
        let destination = destination(self.output.as_deref(), &document)?;
        if destination == ResultDestination::Stdout {
            ctx.out.settings().filter_conflicts_with("a document on stdout")?;
            let source = document.record.as_ref().and_then(|record| record.source.as_ref());
            let format = document.record.as_ref().and_then(|record| record.params["output_format"].as_str());
            if !self.force && !source.is_some_and(|source| file_type::is_text_result(&source.filename, format)) {
                check_no_terminal(&format!("document {}", document.id), &ctx.out)?;
            }
        }
        if client.is_dry_run() {
            let request = DownloadDocument { document_id: document.id, document_key: document.key };
            return Ok(client.plan(&request.request(client.service())?)?);
        }
        let path = destination.file().map(std::path::absolute).transpose();
        let target = ResultTarget {
            path: path.map_err(|e| Failure::internal(e.to_string()))?,
            force: self.force || document.record.as_ref().is_some_and(|record| record.force),
        };
        if let Some(file) = destination.file() {
            check_not_existing(file, target.force)?;
        }
        let has_record = document.record.is_some();
        let shared = SharedRecord::new(lock_or_add(&documents, &document)?);
        let writes_stdout = destination == ResultDestination::Stdout;
        let lifecycle = Lifecycle::new(ctx, client, &documents.store, writes_stdout)?;
        let download_command = download_command(&self);
        let lifecycle = lifecycle.with_continue_command(download_command.clone());
        let task = DocumentProgress::new(ctx, 1).add(ctx, shared.get().display_name(), &shared.get().target_lang);
        let result = async {
            if shared.get().stage != DocumentStage::Downloading {
                if let Some(file) = destination.file() {
                    check_writable(file, target.force)?;
                }
                check_translated(client, &document, &self.document).await?;
            }
            lifecycle.complete(&shared, &target, &task).await
        };
        let result: Result<_, Failure> = result.await;
        let result = result.map_err(|failure| stopped_hint(failure, &download_command));
        if !has_record && result.is_err() && shared.get().stage == DocumentStage::Uploaded {
            // Nothing was received, and the key is in the user's file, so the new record is not needed.
            shared.update(LockedRecord::remove)?;
        }
        if result.is_err() && shared.get().is_unreported {
            shared.update(LockedRecord::set_reported)?;
        }
        let row = result?;
        task.finish();
        evaluation::print_totals(ctx, std::iter::once(&row));
        if !writes_stdout {
            let row = DocumentResultRow { path: self.output.or(row.path), ..row };
            task.succeeded(&row.in_words());
            if !ctx.out.final_lines_show_all() {
                ctx.out.object(&WithRaw::from_typed(row)?)?;
            }
        }
        Ok(())
    }
}

fn download_command(args: &DocDownloadArgs) -> String {
    let mut command = format!("tulk doc download {}{}", quote(&args.document.id), args.document.key_file_flag());
    if let Some(output) = &args.output {
        command.push_str(" -o ");
        command.push_str(&quote_file(output));
    }
    command
}

/// Returns the destination: the `-o` path, else the one planned at the upload.
fn destination(output: Option<&str>, document: &KnownDocument) -> Result<ResultDestination, Failure> {
    match (output, &document.record) {
        (Some("-"), _) => Ok(ResultDestination::Stdout),
        (Some(file), _) if file.is_empty() || Path::new(file).is_dir() => {
            Err(Failure::usage(format!("-o `{file}` is not a file name")).hint("pass a file name, or - for stdout"))
        }
        (Some(file), _) => Ok(ResultDestination::File(file.into())),
        (None, Some(record)) => {
            Ok(record.result_path.clone().map_or(ResultDestination::Stdout, ResultDestination::File))
        }
        (None, None) => {
            let what = format!("document {} was uploaded on another machine, so its result has no name", document.id);
            Err(Failure::usage(what).hint("pass a file with -o, or -o - for stdout"))
        }
    }
}

async fn check_translated(client: &Client, document: &KnownDocument, args: &DocumentIdArgs) -> Result<(), Failure> {
    let status = poll::status(client, &document.id, &document.key).await?.0;
    match status.state() {
        DocumentState::Done => Ok(()),
        DocumentState::Error => Err(poll::translation_failed(&status)),
        _ => {
            let what = format!("document {} is not translated yet: {}", document.id, poll::status_in_words(&status));
            let command = format!("tulk doc wait {}{}", document.id, args.key_file_flag());
            Err(Failure::new(Kind::Unfinished, what).hint(format!("wait for it with `{command}`")))
        }
    }
}

/// Creates a record for a document uploaded on another machine, to find the received file if this process is killed.
fn lock_or_add(documents: &ServerDocuments, document: &KnownDocument) -> Result<LockedRecord, Failure> {
    if let Some(record) = &document.record {
        return documents.store.open(&record.name);
    }
    documents.store.add(DocumentRecord {
        document_id: Some(document.id.clone()),
        document_key: Some(document.key.clone()),
        ..DocumentRecord::new(&documents.server, DocumentStage::Uploaded)
    })
}
