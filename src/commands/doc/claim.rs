//! Claims a document before its upload: a new record, or the unfinished one of an earlier run.

use std::path::Path;

use super::blocking::run_blocking;
use super::lifecycle::{Lifecycle, SharedRecord};
use super::plan::DocumentJob;
use super::result_path::{check_not_existing, check_writable};
use super::server_documents::{ServerDocuments, server_flag};
use crate::error::Failure;
use crate::store::documents::{DocumentRecord, DocumentStage, LockedRecord, ResultTarget, UploadClaim};

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
                if let Err(failure) = check_result_path(&job.target()) {
                    shared.update(LockedRecord::remove)?;
                    return Err(failure);
                }
                Ok(ClaimedDocument { shared, just_read: true })
            }
            UploadClaim::Resumed(locked) => {
                if !again {
                    self.out.status(&format!("{source}: resuming document {}", locked.record.id()));
                }
                let is_uploading = locked.record.stage == DocumentStage::Uploading;
                if is_uploading {
                    check_result_path(&job.target())?;
                }
                // For stdin, the file of the record is an earlier copy or another file with the same content.
                let just_read = is_uploading && !job.input.is_stdin();
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
                let server = if record.server == documents.server {
                    String::new()
                } else {
                    format!(" {}", server_flag(&record.server))
                };
                Err(Failure::usage(what).hint(format!(
                    "finish it with `tulk{server} doc resume {id}`, remove it with `tulk doc forget {id}`, or choose \
                     another path with -o"
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

/// Fails if a result could not be written to its path.
pub fn check_result_path(target: &ResultTarget) -> Result<(), Failure> {
    let Some(result) = &target.path else { return Ok(()) };
    // Another process may have finished the same document since the plan was made.
    check_not_existing(result, target.force)?;
    check_writable(result, target.force)
}
