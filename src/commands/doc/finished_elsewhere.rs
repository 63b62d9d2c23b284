//! Documents that another process finishes while this one asks for their status: the service no longer has them then.

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_client::http::client::Client;
use tulk_store::documents::DocumentRecord;

use super::document_id::KnownDocument;
use super::server_documents::ServerDocuments;

/// Returns the record of a document that the service does not have because another process has downloaded it.
///
/// Waits for that process if it is still at work. Fails with `failure` if no process has finished the document.
pub async fn finished_elsewhere(
    client: &Client,
    documents: &ServerDocuments,
    document: &KnownDocument,
    failure: Failure,
) -> Result<DocumentRecord, Failure> {
    let Some(record) = document.record.as_ref().filter(|_| failure.kind == Kind::NotFound) else {
        return Err(failure);
    };
    loop {
        // Looked at first: a process that ends in between has changed the record.
        let is_locked = documents.store.is_locked(&record.name);
        match documents.find(&record.name)? {
            Some(found) if !found.stage.is_unfinished() => return Ok(found),
            Some(_) if is_locked => client.pause_for(limits::RECORD_POLL, None).await?,
            _ => return Err(failure),
        }
    }
}
