//! Claims a document before its upload: creates a record, or takes over the unfinished one of an earlier run.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use tulk_base::error::Failure;
use tulk_store::documents::{DecidedSource, DocumentRecord, DocumentStage, LockedRecord, ResultTarget, UploadClaim};

use super::content::{digest_of_version, run_blocking};
use super::lifecycle::Lifecycle;
use super::plan::DocumentJob;
use super::records::{ServerDocuments, SharedRecord, server_flag};
use super::result_path::{check_not_existing, check_writable};

/// A document whose record is locked by this process.
pub struct ClaimedDocument {
    pub shared: SharedRecord,
    /// Whether this run has just read the file, so its state matches the record.
    pub was_just_recorded: bool,
}

/// Claims the document of a job. Before a new record is returned, its result path is checked.
pub async fn claim(
    lifecycle: &Lifecycle<'_>,
    documents: &ServerDocuments,
    job: &DocumentJob,
    again: bool,
) -> Result<ClaimedDocument, Failure> {
    let wanted = new_record(documents, job).await?;
    let name = wanted.name.clone();
    let claim = claim_decided(documents, job, wanted, again).await;
    if job.input.is_stdin() && !matches!(claim, Ok(UploadClaim::New(_))) {
        // This run's copy of stdin is not needed. If it cannot be removed here, the store removes it after a month.
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
            Ok(ClaimedDocument { shared, was_just_recorded: true })
        }
        UploadClaim::Resumed(locked) => {
            let id = locked.record.id();
            if !again && locked.record.stage.is_unfinished() {
                lifecycle.out.status(&format!("{source}: resuming document {id}"));
            } else if locked.record.awaits_evaluation() {
                lifecycle.out.status(&format!("{source}: document {id} is translated; getting its evaluation"));
            }
            let is_uploading = locked.record.stage == DocumentStage::Uploading;
            if is_uploading {
                check_result_path(&job.target())?;
            }
            // If the input is stdin, this run has read its own copy, not the file of the record. That file may have changed.
            let was_just_recorded = is_uploading && !job.input.is_stdin();
            Ok(ClaimedDocument { shared: SharedRecord::new(locked), was_just_recorded })
        }
        UploadClaim::Busy(record) => {
            let what = format!("{source}: document {} is in use by another tulk process", record.id());
            Err(Failure::usage(what).names_file(source).hint("wait for it to finish, to avoid a second upload"))
        }
        UploadClaim::InDoubt(record) => Err(lifecycle.next.in_doubt_failure(&record, None)),
        UploadClaim::Undecided(record) => Err(undecided_failure(source, &record)),
        UploadClaim::ResultPathTaken(record) => {
            let (id, path) = (record.id(), record.result_path.as_deref().unwrap_or(Path::new("-")).display());
            let what = format!("{source}: the unfinished document {id} has the same result path {path}");
            let server = if record.server == documents.server {
                String::new()
            } else {
                format!(" {}", server_flag(&record.server))
            };
            Err(Failure::usage(what).names_file(source).hint(format!(
                "finish it with `tulk{server} doc resume {id}`, remove it with `tulk doc forget {id}`, or choose \
                 another path with -o"
            )))
        }
    }
}

/// Claims a document. If an unfinished one may have the same content, compares the digests of their files.
///
/// Unless `again` is set, returns [`UploadClaim::Undecided`] if the other file has changed since its upload or cannot be read.
async fn claim_decided(
    documents: &ServerDocuments,
    job: &DocumentJob,
    mut wanted: DocumentRecord,
    again: bool,
) -> Result<UploadClaim, Failure> {
    let mut decided: Vec<DecidedSource> = Vec::new();
    loop {
        let (store, record, known) = (documents.store.clone(), wanted.clone(), decided.clone());
        let other = match run_blocking(move || store.claim(record, again, &known)).await? {
            UploadClaim::Undecided(other) => other,
            clear => return Ok(clear),
        };
        let (Some(mine), Some(theirs)) = (&mut wanted.source, other.source.clone()) else {
            return Ok(UploadClaim::Undecided(other));
        };
        if mine.sha256.is_none() {
            mine.sha256 = Some(job.input.large_file_digest().await?);
        }
        if theirs.sha256.is_some() {
            continue;
        }
        let (source, mine) = (theirs.clone(), mine.sha256.clone());
        match run_blocking(move || Ok(digest_of_version(&source, &AtomicBool::new(false)))).await? {
            None if !again => return Ok(UploadClaim::Undecided(other)),
            digest => decided.push((theirs, digest.is_none() || digest == mine)),
        }
    }
}

/// Returned if an upload may repeat an unfinished document.
fn undecided_failure(source: &str, record: &DocumentRecord) -> Failure {
    let (id, path) = (record.id(), record.source.as_ref().map_or(Path::new("-"), |source| &source.path).display());
    let what = format!(
        "{source} may already be uploaded as document {id}: its original, {path}, has changed or is gone, so they cannot be compared"
    );
    Failure::usage(what).names_file(source).hint(format!(
        "finish that document with `tulk doc resume {id}`, remove it with `tulk doc forget {id}`, or upload this file too \
         with --again"
    ))
}

async fn new_record(documents: &ServerDocuments, job: &DocumentJob) -> Result<DocumentRecord, Failure> {
    let mut record = DocumentRecord::new(&documents.server, DocumentStage::Uploading);
    record.source = Some(job.input.read(&documents.store, &record.name).await?);
    job.params.target_lang.bcp47().clone_into(&mut record.target_lang);
    record.params = serde_json::to_value(&job.params)?;
    let result_path = job.destination.file().map(std::path::absolute).transpose();
    record.result_path =
        result_path.map_err(|e| Failure::internal(format!("cannot make the result path absolute: {e}")))?;
    record.force = job.force;
    Ok(record)
}

pub fn check_result_path(target: &ResultTarget) -> Result<(), Failure> {
    let Some(result) = &target.path else { return Ok(()) };
    // Another process may have finished the same document since the plan was made.
    check_not_existing(result, target.force)?;
    check_writable(result, target.force)
}
