//! Claims a document before its upload: a new record, or the unfinished one of an earlier run.

use std::path::Path;

use super::blocking::run_blocking;
use super::lifecycle::{Lifecycle, SharedRecord};
use super::plan::DocumentJob;
use super::result_path::{check_not_existing, check_writable, part_path};
use super::server_documents::ServerDocuments;
use crate::error::Failure;
use crate::store::documents::{DocumentRecord, DocumentStage, UploadClaim};

/// A document that this process may work on.
pub struct ClaimedDocument {
    /// Its record, locked.
    pub shared: SharedRecord,
    /// Whether its file was read in this run, so that the digest in the record is current.
    pub just_read: bool,
}

impl Lifecycle<'_> {
    /// Creates a record for a document, or finds the unfinished one of an earlier run.
    ///
    /// For a new record the result path has been checked when this returns.
    pub async fn claim(
        &self,
        documents: &ServerDocuments,
        job: &DocumentJob,
        again: bool,
    ) -> Result<ClaimedDocument, Failure> {
        let wanted = new_record(documents, job).await?;
        let (name, store) = (wanted.name.clone(), documents.store.clone());
        let claim = run_blocking(move || store.claim(wanted, again)).await;
        if job.input.is_stdin() && !matches!(claim, Ok(UploadClaim::New(_))) {
            // This copy of stdin is not needed. If it cannot be removed, the store does so after a month.
            let _ = std::fs::remove_file(documents.store.spool_path(&name, "input"));
        }
        let source = &job.input.display_name;
        match claim? {
            UploadClaim::New(locked) => {
                let shared = SharedRecord::new(locked);
                if let Err(failure) = check_result_path(job) {
                    shared.update(|locked| locked.remove())?;
                    return Err(failure);
                }
                Ok(ClaimedDocument { shared, just_read: true })
            }
            UploadClaim::Resumed(locked) => {
                self.out.status(&format!("{source}: resuming document {}", locked.record.id()));
                let just_read = locked.record.stage == DocumentStage::Uploading;
                Ok(ClaimedDocument { shared: SharedRecord::new(locked), just_read })
            }
            UploadClaim::Busy(record) => {
                let what = format!("{source}: document {} is in use by another tulk process", record.id());
                Err(Failure::usage(what).hint("wait for it to finish, to avoid a second upload"))
            }
            UploadClaim::InDoubt(record) => Err(self.in_doubt(&record, None)),
            UploadClaim::ResultPathTaken(record) => {
                let (id, path) = (record.id(), record.result_path.as_deref().unwrap_or(Path::new("-")).display());
                let what = format!("{source}: the unfinished document {id} has the same result path {path}");
                Err(Failure::usage(what).hint(format!(
                    "finish it with `{}`, remove it with `doc forget`, or choose another path with -o",
                    self.resume_command(id)
                )))
            }
        }
    }
}

async fn new_record(documents: &ServerDocuments, job: &DocumentJob) -> Result<DocumentRecord, Failure> {
    let mut record = DocumentRecord::new(&documents.server, DocumentStage::Uploading);
    record.source = Some(job.input.read(&documents.store, &record.name).await?);
    job.params.target_lang.bcp47().clone_into(&mut record.target_lang);
    record.params = serde_json::to_value(&job.params).map_err(|e| Failure::internal(e.to_string()))?;
    let result_path = job.destination.file().map(std::path::absolute).transpose();
    record.result_path =
        result_path.map_err(|e| Failure::internal(format!("cannot make the result path absolute: {e}")))?;
    record.force = job.force;
    Ok(record)
}

fn check_result_path(job: &DocumentJob) -> Result<(), Failure> {
    let Some(result) = job.destination.file() else { return Ok(()) };
    // Another process may have finished the same document since the plan was made.
    check_not_existing(result, job.force)?;
    let part = part_path(result);
    if job.force && part.is_file() {
        std::fs::remove_file(&part).map_err(|e| Failure::file("remove", &part, &e))?;
    }
    check_writable(result)
}
